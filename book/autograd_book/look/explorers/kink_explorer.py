"""`kink_explorer`: move a point across a kink, and see the slopes on both sides beside what each engine answers."""

from collections.abc import Callable, Mapping
from html import escape
from itertools import groupby
from math import copysign, inf, isfinite, isinf, isnan, nan
from typing import Any

import numpy as np

from ...compare import engines
from ...compare.values import agree
from ...wording import ngettext
from ...wording import translate as _
from ..captions import number
from .scene_explorer import SceneExplorer

STOPS = [k / 8 for k in range(-8, 9)]
UNIT = 100  # pixels
STEP = 1e-6  # to a neighbor; the engine's float64 is good for six digits of the slope then
NO_SIGN = 0.0  # added to a slope: -0 becomes 0
QUIET = np.errstate(divide="ignore", invalid="ignore")  # an infinity and a NaN are what the figure is about
REACH = 0.55  # how far a line of slope 0 reaches to a side


class KinkExplorer(SceneExplorer):
    """Functions with a kink at 0 between -1 and 1, the slopes of each, and the derivatives that engines give."""

    width, height = 280, 236
    left, right = 140 - UNIT, 140 + UNIT

    def __init__(
        self, programs: Mapping[str, Callable[[Any, Any], Any]], jax: Mapping[str, Callable[[Any], Any]] | None = None
    ):
        if not programs:
            raise ValueError("there is no program to explore; give at least one, by its name")
        if unknown := [name for name in jax or {} if name not in programs]:
            raise ValueError(f"JAX has the programs {unknown}, which are not among {list(programs)}")
        self.programs, self.jax = dict(programs), dict(jax or {})
        super().__init__({_("function"): tuple(programs)}, "x", STOPS, 0.0)
        self.note = _("Solid: the slopes to the left and to the right. Dashed: the slope that autograd_core answers.")

    @QUIET
    def value(self, name: str, x: float) -> float:
        """The value of a program, as the engine computes it; NaN where that is no number."""
        T = engines.load("autograd_core")
        value = self.programs[name](T, T.tensor(x, dtype=T.float64)).item()
        return value if isfinite(value) else nan

    def slopes(self, name: str, x: float) -> tuple[float, float]:
        """The slopes to the left and to the right; an infinity where they grow as the neighbor comes closer."""
        return self._toward(name, x, -STEP), self._toward(name, x, STEP)

    def _toward(self, name: str, x: float, step: float) -> float:
        far, near = ((self.value(name, x + h) - self.value(name, x)) / h + NO_SIGN for h in (step, step / 100))
        return copysign(inf, near) if abs(near) > 5 * abs(far) + 1 else far

    def answers(self, name: str, x: float) -> dict[str, float]:
        """The derivative at x in each engine.

        Raises `AssertionError` where PyTorch does not answer as autograd_core does.
        """
        program = self.programs[name]
        found = {engine: _derivative(engines.load(engine), program, x) for engine in ("autograd_core", "PyTorch")}
        if not agree(found["autograd_core"], found["PyTorch"]):
            raise AssertionError(f"the engines disagree on the slope of {name} at {x}: {found}")
        if name in self.jax:
            found["JAX"] = float(engines.load("JAX").grad(self.jax[name])(x)) + NO_SIGN
        return found

    def stop_name(self, stop: float) -> str:
        return f"x = {number(stop)}"

    def sentence(self, name: str, x: float) -> str:
        """The slopes, the answers, and whether what the engines answer lies between the slopes."""
        slopes, answers = self.slopes(name, x), self.answers(name, x)
        said = _("{name} at {point}: {slopes} Derivatives: {answers}.").format(
            name=name,
            point=self.stop_name(x),
            slopes=_describe(*slopes),
            answers=", ".join(f"{engine} {number(slope)}" for engine, slope in answers.items()),
        )
        return f"{said} {_judge(*slopes, *answers.values())}".rstrip()

    def examples(self) -> list[tuple]:
        """Every program at the kink."""
        return [(name, 0.0) for name in self.programs]

    def scene(self, name: str) -> str:
        """The axes and the graph."""
        values = [(x / 32, self.value(name, x / 32)) for x in range(-36, 37)]
        parts = (list(part) for there, part in groupby(values, lambda point: not isnan(point[1])) if there)
        graph = " ".join("M" + " L".join(self._pixel(*point) for point in part) for part in parts)
        axes = f"M0,{self.height / 2} H{self.width} M{self.width / 2},0 V{self.height}"
        ticks = "".join(f"M{self.across(k)},{self.height / 2 - 3} v6 " for k in (-1, 1))
        return (
            f'<g class="ac-axes"><path d="{axes} {ticks}"/>'
            f'<text x="{self.width - 12}" y="{self.height / 2 + 16}">x</text></g>'
            f'<g class="ac-curve"><path d="{graph}"/></g>'
        )

    def marks(self, name: str, x: float) -> str:
        """The point, half a tangent to each side, and a line with the slope of the answer."""
        y, (left, right), answer = self.value(name, x), self.slopes(name, x), self.answers(name, x)["autograd_core"]
        legend = "".join(
            f'<text class="{kind}" x="{self.width / 2 + 14}" y="{self.height - up}">'
            f"{escape(text.format(number(slope)))}</text>"
            for up, kind, text, slope in (
                (50, "ac-value", _("left {}"), left),
                (32, "ac-value", _("right {}"), right),
                (14, "ac-cotangent", _("answer {}"), answer),
            )
        )
        if isnan(y):
            return legend
        at = self._pixel(x, y)
        sides = [(slope, side) for slope, side in ((left, -1), (right, 1)) if not isnan(slope)]
        halves = "".join(f"M{at} L{self._end(x, y, slope, side)} " for slope, side in sides)
        line = "" if isnan(answer) else f"M{self._end(x, y, answer, -1)} L{self._end(x, y, answer, 1)}"
        px, py = at.split(",")
        return (
            f'{legend}<g class="ac-sides"><path d="{halves}"/></g><g class="ac-answer"><path d="{line}"/></g>'
            f'<g class="ac-at"><circle cx="{px}" cy="{py}" r="6"/></g>'
        )

    def _end(self, x: float, y: float, slope: float, side: int) -> str:
        """The end of a line from (x, y) to the left (side -1) or to the right (1); all lines are equally long."""
        if isinf(slope):
            return self._pixel(x, y + side * copysign(REACH, slope))
        run = side * REACH / (1 + slope * slope) ** 0.5
        return self._pixel(x + run, y + run * slope)

    def _pixel(self, x: float, y: float) -> str:
        return f"{self.across(x):.1f},{self.height / 2 - y * UNIT:.1f}"


def kink_explorer(
    programs: Mapping[str, Callable[[Any, Any], Any]], jax: Mapping[str, Callable[[Any], Any]] | None = None
) -> KinkExplorer:
    """An explorer for functions of one number with a kink at 0.

    Parameters:
        programs: by the name of the function. Each is called as ``program(T, x)`` with ``T = autograd_core`` and with
            ``T = torch``, and a float64 tensor ``x`` without axes; it returns such a tensor.
        jax: the same functions for JAX, some or all of them, each called with a number.

    Raises `ValueError` where there is no program, or one for JAX that the others do not have, `AssertionError` where
    PyTorch's derivative is not ours, and `ModuleNotFoundError` where PyTorch is not installed.

    >>> print(kink_explorer({"relu(x)": lambda T, x: T.relu(x)}).sentence("relu(x)", 0.0))
    relu(x) at x = 0: the slope is 0 on the left and 1 on the right. Derivatives: autograd_core 0, PyTorch 0. The
    answer is a slope that this kink allows.
    """
    return KinkExplorer(programs, jax)


@QUIET
def _derivative(T: Any, program: Callable[[Any, Any], Any], at: float) -> float:
    x = T.tensor(at, dtype=T.float64, requires_grad=True)
    (slope,) = T.autograd.grad(program(T, x), x)
    return slope.item() + NO_SIGN


def _same(a: float, b: float) -> bool:
    return agree(a, b, rtol=1e-4, atol=1e-6)


def _describe(left: float, right: float) -> str:
    if isnan(left) and isnan(right):
        return _("there is no value, and no slope.")
    if isnan(left):
        return _("there is no value on the left, and the slope on the right is {right}.").format(right=number(right))
    if isnan(right):
        return _("there is no value on the right, and the slope on the left is {left}.").format(left=number(left))
    if _same(left, right):
        return _("the slope is {slope}.").format(slope=number(right))
    return _("the slope is {left} on the left and {right} on the right.").format(left=number(left), right=number(right))


def _judge(left: float, right: float, *answers: float) -> str:
    """Whether the answers are what the slopes call for."""
    known = [slope for slope in (left, right) if not isnan(slope)]
    different = len(set(map(number, answers)))
    if not known:
        if all(map(isnan, answers)):
            return _("NaN is right: it stands for no number.")
        return ngettext("The answer is made up.", "An answer is made up.", different)
    if any(map(isnan, answers)):
        return _("NaN is wrong: it is no slope.")
    if not all(min(known) < a < max(known) or any(_same(a, slope) for slope in known) for a in answers):
        return ngettext(
            "The answer lies outside of what the slopes allow.",
            "An answer lies outside of what the slopes allow.",
            different,
        )
    if _same(left, right):
        return ""
    if isnan(left):
        return _("The answer is the slope on the right.")
    if isnan(right):
        return _("The answer is the slope on the left.")
    return ngettext(
        "The answer is a slope that this kink allows.", "The answers are slopes that this kink allows.", different
    )
