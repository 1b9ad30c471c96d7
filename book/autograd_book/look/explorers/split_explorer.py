"""`split_explorer()`: split a batch in two and watch what the mean of the two means becomes."""

import json
from html import escape

from autograd_core.autograd import grad
from autograd_core.core.tensor import Tensor
from autograd_core.ops.making.creation import tensor

from ...wording import translate as _
from ..captions import number
from ..explorer import SliderExplorer
from ..page import fresh_id, page

BATCH = [1.0, 1.0, 2.0, 2.0, 3.0, 4.0, 8.0, 11.0]
FIRST = 6  # the split that shows first
SCALE = 4  # pixels for a gradient of 1
BAR, GAP, MARGIN = 23, 12, 112  # pixels: a bar, the gap at the split, the room for words at the right
UP = 46.0  # how far the plane reaches


class SplitExplorer(SliderExplorer):
    """A batch of eight examples x with the loss w² x, at w = 2, and its gradient when it is computed in two parts.

    A slider says after which example the batch is split. The figure shows the gradient of each example as a bar, the
    mean of each part as a line on its bars, and the mean of all beside the mean of the two means.
    """

    def __init__(self):
        self.note = _("A bar is the gradient of one example. A thick line is the mean of a part.")
        self.batch = tensor(BATCH)
        self.w = tensor(2.0, requires_grad=True)

    def gradient(self, part: Tensor) -> float:
        """The gradient of the mean loss of some examples.

        >>> SplitExplorer().gradient(tensor([1.0, 3.0]))
        8.0
        """
        (g,) = grad((self.w.square() * part).mean(), self.w)
        return g.item()

    def mean_of_means(self, split: int) -> float:
        """The gradient that a trainer finds which divides the mean of each of the two parts by their number.

        >>> SplitExplorer().mean_of_means(4)
        16.0
        """
        losses = [(self.w.square() * part).mean() / 2 for part in (self.batch[:split], self.batch[split:])]
        (g,) = grad(losses[0] + losses[1], self.w)
        return g.item()

    def sentence(self, split: int) -> str:
        """What comes out of a split, beside the right gradient."""
        first, second = (self.gradient(part) for part in (self.batch[:split], self.batch[split:]))
        n, whole = len(BATCH), self.gradient(self.batch)
        return _(
            "{first_size} + {second_size}: the means are {first} and {second}. Their mean is {found}. Weighted by "
            "size, {first_size}/{n} and {second_size}/{n}, they give {whole}, the mean of all."
        ).format(
            first_size=split,
            second_size=n - split,
            n=n,
            first=number(first),
            second=number(second),
            found=number(self.mean_of_means(split)),
            whole=number(whole),
        )

    def __repr__(self) -> str:
        return self.sentence(FIRST)

    def picture(self, split: int) -> str:
        """The bars, with a gap at the split, and the lines."""
        n, whole, found = len(BATCH), self.gradient(self.batch), self.mean_of_means(split)
        left = [k * BAR + GAP * (k >= split) for k in range(n)]
        gradients = [self.gradient(self.batch[k : k + 1]) for k in range(n)]
        bars = "".join(
            f'<rect x="{x + 3}" y="{-g * SCALE}" width="{BAR - 6}" height="{g * SCALE}"/>'
            for x, g in zip(left, gradients, strict=True)
        )
        means = "".join(
            f'<path d="M{left[a]},{-self.gradient(self.batch[a:b]) * SCALE} H{left[b - 1] + BAR}"/>'
            for a, b in ((0, split), (split, n))
        )
        end = n * BAR + GAP
        above, below = -6, 16
        lines = "".join(
            f'<g class="{kind}"><path d="M0,{-value * SCALE} H{end + MARGIN}"/>'
            f'<text x="{end + 8}" y="{-value * SCALE + shift}">{escape(name.format(mean=number(value)))}</text></g>'
            for kind, name, value, shift in (
                ("ac-whole", _("of all: {mean}"), whole, above if whole >= found else below),
                ("ac-found", _("of means: {mean}"), found, above if found > whole else below),
            )
        )
        return (
            f'<svg role="img" aria-label="{escape(self.sentence(split))}" '
            f'style="max-width: {1.5 * (end + MARGIN):.0f}px" '
            f'viewBox="-2 {-UP * SCALE} {end + MARGIN + 4} {UP * SCALE + 6}">'
            f'<g class="ac-bars">{bars}</g><g class="ac-means">{means}</g>{lines}</svg>'
        )

    def sliders(self) -> list:
        """One slider: after which example to split."""
        import ipywidgets

        return [ipywidgets.IntSlider(value=FIRST, min=1, max=len(BATCH) - 1, description=_("split after"))]

    def _repr_html_(self) -> str:
        splits = range(1, len(BATCH))
        slider = f'<input type="range" min="1" max="{splits[-1]}" step="1" value="{FIRST}">'
        sentences = "".join(f"<li>{escape(self.sentence(split))}</li>" for split in splits)
        body = (
            f'<div class="ac-figure">{self.picture(FIRST)}</div>'
            f'<div class="ac-bar ac-sliders"><label>{escape(_("split after"))} {slider}</label></div>'
            f'<p class="ac-say" aria-live="polite"></p><ul class="ac-steps">{sentences}</ul>'
            f'<p class="ac-note">{escape(self.note)}</p>'
        )
        states = {
            str(split): {
                "picture": self.picture(split),
                "sentence": self.sentence(split),
                "name": f"{split} + {len(BATCH) - split}",
            }
            for split in splits
        }
        return page(body, fresh_id(), "explorers/state_explorer.js", json.dumps({"states": states}, ensure_ascii=False))


def split_explorer() -> SplitExplorer:
    """The explorer for a batch of eight that is split in two.

    >>> from autograd_book.look import split_explorer
    >>> print(split_explorer().sentence(1))
    1 + 7: the means are 4 and 17.71. Their mean is 10.86. Weighted by size, 1/8 and 7/8, they give 16, the mean of all.
    """
    return SplitExplorer()
