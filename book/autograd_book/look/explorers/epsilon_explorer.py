"""`epsilon_explorer()`: move the step of a difference quotient and watch its two errors trade places."""

from fractions import Fraction
from html import escape
from math import log10
from typing import Any

import numpy as np

from autograd_core.autograd import grad
from autograd_core.core.dtypes import float32, float64
from autograd_core.ops.making.creation import tensor

from ...wording import translate as _
from ..captions import number
from .scene_explorer import SceneExplorer

AT = 1.5
DTYPES = {"float64": float64, "float32": float32}
EXPONENTS = [k / 2 for k in range(-28, 1)]
DECADE = 14  # pixels of a power of ten upwards; across, the stops decide
FLOOR, CEILING = -13, 2  # exponents of the smallest and the largest error with a place of its own
TOP, BOTTOM = 22, 22 + (CEILING - FLOOR) * DECADE


def f(x: Any) -> Any:
    return x * x * x + 2 * x


def quotient(x: Any, eps: Any, down: int) -> Any:
    """The slope between x + ε and x - down ε."""
    return (f(x + eps) - f(x - down * eps)) / ((1 + down) * eps)


class EpsilonExplorer(SceneExplorer):
    """The derivative of x³ + 2x at 1.5 by a difference quotient, for steps ε from 1e-14 to 1.

    The error has two parts. The truncation is what the quotient would be off by in exact arithmetic, which fractions
    compute; the rounding is the rest.
    """

    left, right = 50, 330

    def __init__(self):
        self.down = {_("central"): 1, _("forward"): 0}  # how many ε the lower point is below x
        choices = {_("number format"): tuple(DTYPES), _("difference"): tuple(self.down)}
        super().__init__(choices, _("log₁₀ ε"), EXPONENTS, -5.0)
        self.note = _("Both axes are logarithmic. A dot is the error of a quotient that the engine computed.")
        x = tensor(AT, dtype=float64, requires_grad=True)
        self.derivative = grad(f(x), x)[0].item()

    def quotient(self, dtype: str, difference: str, exponent: float) -> float:
        """The difference quotient as the engine computes it.

        >>> EpsilonExplorer().quotient("float32", "central", -14.0)
        0.0
        """
        x, eps = (tensor(value, dtype=DTYPES[dtype]) for value in (AT, 10.0**exponent))
        return quotient(x, eps, self.down[difference]).item()

    def parts(self, dtype: str, difference: str, exponent: float) -> tuple[float, float]:
        """The truncation and the rounding; their sum is the error.

        >>> truncation, _ = EpsilonExplorer().parts("float64", "forward", -3.0)
        >>> round(truncation, 6)
        0.004501
        """
        eps = Fraction(tensor(10.0**exponent, dtype=DTYPES[dtype]).item())  # the step that the format can hold
        on_paper = quotient(Fraction(AT), eps, self.down[difference])
        rounding = Fraction(self.quotient(dtype, difference, exponent)) - on_paper
        return float(on_paper - Fraction(self.derivative)), float(rounding)

    def error(self, dtype: str, difference: str, exponent: float) -> float:
        """The distance from the quotient to the derivative."""
        return abs(self.quotient(dtype, difference, exponent) - self.derivative)

    def stop_name(self, stop: float) -> str:
        return f"ε = {10.0**stop:.1e}"

    def sentence(self, dtype: str, difference: str, exponent: float) -> str:
        """What the quotient is, and the two parts of its error."""
        truncation, rounding = self.parts(dtype, difference, exponent)
        return _(
            "{step}, {dtype}, {difference} difference: {quotient:.12g}. The derivative is {derivative}; "
            "the error is {error:.3g}, of which truncation makes {truncation:.3g} and rounding {rounding:.3g}."
        ).format(
            step=self.stop_name(exponent),
            dtype=dtype,
            difference=difference,
            quotient=self.quotient(dtype, difference, exponent),
            derivative=number(self.derivative),
            error=self.quotient(dtype, difference, exponent) - self.derivative,
            truncation=truncation,
            rounding=rounding,
        )

    def examples(self) -> list[tuple]:
        """The best step of each curve."""
        return [
            min(((dtype, difference, k) for k in EXPONENTS), key=lambda position: self.error(*position))
            for dtype in DTYPES
            for difference in self.down
        ]

    def scene(self, dtype: str, difference: str) -> str:
        """The axes, the errors as dots, and the two lines that they follow."""
        truncation = [abs(self.parts(dtype, difference, k)[0]) for k in EXPONENTS]
        precision = float(np.finfo(DTYPES[dtype].numpy).eps) / 2  # to which each of the two values is known
        noise = 2 * precision * f(AT) / (1 + self.down[difference])
        rounding = [noise / 10**k for k in EXPONENTS]
        dots = "".join(
            f'<circle cx="{self.across(k):.1f}" cy="{_up(self.error(dtype, difference, k)):.1f}" r="2.5"/>'
            for k in EXPONENTS
        )
        rising = next(k for k, error in zip(EXPONENTS, truncation, strict=True) if error > 1e-7)
        falling = next(k for k, error in zip(EXPONENTS, rounding, strict=True) if log10(error) < CEILING) + 1
        return (
            f'<g class="ac-axes">{self._axes()}</g>'
            f'<g class="ac-part"><path d="{self._line(truncation)}"/>'
            f'<text x="{self.across(rising) + 10:.1f}" y="{_up(1e-7) + 8:.1f}">{escape(_("truncation"))}</text></g>'
            f'<g class="ac-part ac-dashed"><path d="{self._line(rounding)}"/>'
            f'<text x="{self.across(falling) + 8:.1f}" y="{_up(noise / 10**falling):.1f}">'
            f'{escape(_("rounding"))}</text></g><g class="ac-dots">{dots}</g>'
        )

    def marks(self, dtype: str, difference: str, exponent: float) -> str:
        """A line at ε and the point on it."""
        x, y = self.across(exponent), _up(self.error(dtype, difference, exponent))
        return f'<g class="ac-point"><path d="M{x:.1f},{TOP} V{BOTTOM}"/><circle cx="{x:.1f}" cy="{y:.1f}" r="6"/></g>'

    def _axes(self) -> str:
        across = "".join(
            f'<text x="{self.across(k):.1f}" y="{BOTTOM + 18}" text-anchor="middle">1e{k:g}</text>'
            for k in (-12, -8, -4)
        )
        up = "".join(
            f'<text x="{self.left - 8}" y="{_up(10.0**k) + 4:.1f}" text-anchor="end">1e{k:g}</text>'
            for k in (-12, -8, -4, 0)
        )
        ticks = "".join(f"M{self.across(k):.1f},{BOTTOM} v4 " for k in range(-14, 1, 2))
        ticks += "".join(f"M{self.left},{_up(10.0**k):.1f} h-4 " for k in range(-12, 3, 2))
        return (
            f'<path d="M{self.left},{TOP} V{BOTTOM} H{self.right} {ticks}"/>{across}{up}'
            f'<text x="{self.right}" y="{BOTTOM + 18}" text-anchor="end">ε</text>'
            f'<text x="{self.left - 8}" y="{TOP - 8}">{escape(_("error"))}</text>'
        )

    def _line(self, errors: list[float]) -> str:
        inside = [(k, e) for k, e in zip(EXPONENTS, errors, strict=True) if FLOOR <= log10(e) <= CEILING]
        return "M" + " L".join(f"{self.across(k):.1f},{_up(e):.1f}" for k, e in inside)


def epsilon_explorer() -> EpsilonExplorer:
    """The explorer for the step of a difference quotient.

    >>> from autograd_book.look import epsilon_explorer
    >>> print(epsilon_explorer().sentence("float64", "forward", -3.0))
    ε = 1.0e-03, float64, forward difference: 8.754501. The derivative is 8.75; the error is 0.0045, of which
    truncation makes 0.0045 and rounding ...
    """
    return EpsilonExplorer()


def _up(error: float) -> float:
    """Where an error is in the picture, in pixels from the top; one that is too small has its place on the floor."""
    exponent = log10(error) if error > 0 else FLOOR
    return TOP + (CEILING - max(exponent, FLOOR)) * DECADE
