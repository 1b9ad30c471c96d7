"""`seed_explorer()`: turn the seed v of y = (w², 3w) and watch what vᵀJ becomes."""

import json
from html import escape

from autograd_core.autograd import grad
from autograd_core.ops.making.creation import tensor
from autograd_core.ops.shapes.joining import stack

from ...wording import translate as _
from ..captions import number
from ..explorer import SliderExplorer
from ..page import fresh_id, page

SCALE = 36  # pixels a unit
LEFT, RIGHT, UP, DOWN = 3.6, 6.3, 4.2, 3.7  # how far the plane reaches from the origin
SEEDS = [k / 2 for k in range(-6, 7)]


class SeedExplorer(SliderExplorer):
    """y = (w², 3w) at w = 2, and the vector–Jacobian product for any seed v with entries between -3 and 3.

    On a page, two sliders choose among products that the engine computed beforehand, for seeds in steps of a half.
    Under a running kernel the sliders are those of ipywidgets, and the engine computes each product as it is asked for.
    """

    def __init__(self):
        self.note = _("All seeds on the dashed line have this product.")
        self.w = tensor(2.0, requires_grad=True)
        self.y = stack((self.w.square(), 3 * self.w))
        self.jacobian = self.vjp(1.0, 0.0), self.vjp(0.0, 1.0)

    def vjp(self, v1: float, v2: float) -> float:
        """vᵀJ for v = (v1, v2), computed by a reverse pass.

        >>> SeedExplorer().vjp(1.0, 2.0)
        10.0
        """
        (product,) = grad(self.y, self.w, tensor([v1, v2]), retain_graph=True)
        return product.item()

    def sentence(self, v1: float, v2: float) -> str:
        """What the engine answers for a seed, beside the sum it stands for."""
        products = [f"{_factor(v)} × {number(j)}" for v, j in zip((v1, v2), self.jacobian, strict=True)]
        return f"v = ({number(v1)}, {number(v2)}): vᵀJ = {' + '.join(products)} = {number(self.vjp(v1, v2))}"

    def __repr__(self) -> str:
        return self.sentence(1.0, 2.0)

    def picture(self, v1: float, v2: float) -> str:
        """The plane of y: the column J, which is how y moves with w, and the seed v."""
        j1, j2 = self.jacobian
        ticks = "".join(f"M{k * SCALE},-3 v6 M-3,{k * SCALE} h6 " for k in range(-3, 4))
        numbers = "".join(
            f'<text x="{k * SCALE}" y="22" text-anchor="middle">{k}</text>'
            f'<text x="-14" y="{-k * SCALE + 5}" text-anchor="end">{k}</text>'
            for k in (-3, -2, -1, 1, 2, 3)
        )
        plane = f"M{-LEFT * SCALE},0 h{(LEFT + RIGHT) * SCALE} M0,{-UP * SCALE} v{(UP + DOWN) * SCALE} {ticks}"
        names = f'<text x="{(RIGHT - 0.5) * SCALE}" y="22">y₁</text><text x="8" y="{-(UP - 0.3) * SCALE}">y₂</text>'
        width = (LEFT + RIGHT) * SCALE
        level = f'<path class="ac-level" d="M{-99 * j2},{-99 * j1} l{198 * j2},{198 * j1}"/>'
        seed = f'{level}<text transform="{self._beside(v1, v2)}">v</text>'
        column = f'<text x="11" y="4">J = ({number(j1)}, {number(j2)})</text>'
        return (
            f'<svg role="img" aria-label="{escape(self.sentence(v1, v2))}" style="max-width: {width:.0f}px" '
            f'viewBox="{-LEFT * SCALE} {-UP * SCALE} {width} {(UP + DOWN) * SCALE}">'
            f'<g class="ac-plane"><path d="{plane}"/>{names}{numbers}</g>'
            f"{_vector(j1, j2, 'ac-J', column)}{_vector(v1, v2, 'ac-v', seed)}</svg>"
        )

    def _beside(self, v1: float, v2: float) -> str:
        """Where the letter v stands, seen from the tip, so that no line and no other word runs through it."""
        j1, j2 = self.jacobian
        if v1 < 0 and v2 < 0:
            return "translate(-17 16)"
        return "translate(10 11)" if v1 * j2 > v2 * j1 else "translate(6 -12)"

    def sliders(self) -> list:
        """One slider for each entry of the seed."""
        import ipywidgets

        return [
            ipywidgets.FloatSlider(value=value, min=SEEDS[0], max=SEEDS[-1], step=0.1, description=label)
            for value, label in ((1.0, _("seed v₁")), (2.0, _("seed v₂")))
        ]

    def _repr_html_(self) -> str:
        ident = fresh_id()
        ends = f'min="{SEEDS[0]}" max="{SEEDS[-1]}" step="{SEEDS[1] - SEEDS[0]}"'
        sliders = "".join(
            f'<label>{escape(label)} <input type="range" {ends} value="{value}"></label>'
            for value, label in ((1.0, _("seed v₁")), (2.0, _("seed v₂")))
        )
        examples = "".join(
            f"<li>{escape(self.sentence(*v))}</li>" for v in ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 2.0))
        )
        body = (
            f'{self.picture(1.0, 2.0)}<div class="ac-bar ac-sliders">{sliders}</div>'
            f'<p class="ac-say" aria-live="polite"></p><ul class="ac-steps">{examples}</ul>'
            f'<p class="ac-note">{escape(self.note)}</p>'
        )
        state = {
            "v": [1.0, 2.0],
            "seeds": SEEDS,
            "scale": SCALE,
            "sentences": [[self.sentence(a, b) for b in SEEDS] for a in SEEDS],
            "letters": [[self._beside(a, b) for b in SEEDS] for a in SEEDS],
        }
        return page(body, ident, "explorers/seed_explorer.js", json.dumps(state, ensure_ascii=False))


def seed_explorer() -> SeedExplorer:
    """The explorer for the seed in y = (w², 3w) at w = 2.

    >>> from autograd_book.look import seed_explorer
    >>> seed_explorer()
    v = (1, 2): vᵀJ = 1 × 4 + 2 × 3 = 10
    """
    return SeedExplorer()


def _factor(value: float) -> str:
    return f"({number(value)})" if value < 0 else number(value)


def _vector(x: float, y: float, kind: str, at_tip: str) -> str:
    """An arrow from the origin; what moves with its tip is in a group of its own."""
    tip = f"{x * SCALE:.1f},{-y * SCALE:.1f}"
    moving = f'<g class="ac-tip" transform="translate({tip})">{at_tip}<circle r="6"/></g>'
    return f'<g class="{kind}"><path d="M0,0 L{tip}"/>{moving}</g>'
