"""`microscope(loss)`: step through the reverse pass that `loss.backward()` would make."""

import sys
from html import escape
from typing import Any

from ..tensor import Tensor
from .captions import caption, name
from .drawing import LEAST_SCALE, draw, style_for
from .layout import in_a_list, in_columns
from .page import fresh_id, page, wide_or_narrow
from .trace import record

BAR = (
    '<div class="ac-bar"><button type="button">First</button><button type="button">← Back</button>'
    '<button type="button">Next →</button><span class="ac-count"></span></div>'
    '<p class="ac-say" aria-live="polite"></p>'
)


class Microscope:
    """A recorded reverse pass: `trace` is plain data (dicts, lists, numbers, strings), ready for JSON.

    In a notebook or on a page it shows as a picture to step through; `print` gives the steps as sentences.
    """

    def __init__(self, trace: dict):
        self.trace = trace

    @property
    def captions(self) -> list[str]:
        """One sentence a step."""
        return [caption(self.trace, step) for step in self.trace["steps"]]

    def __repr__(self) -> str:
        return "\n".join(f"{k}. {text}" for k, text in enumerate(self.captions, 1))

    def _repr_html_(self) -> str:
        ident, captions, style = fresh_id(), self.captions, style_for(self.trace)
        layouts = {"wide": in_columns(self.trace, style), "narrow": in_a_list(self.trace, style)}
        title = f"The graph of {name(self.trace, **self.trace['root'])} and its reverse pass"
        pictures = "".join(
            f'<div class="{kind}">{draw(self.trace, layout, title, captions[0], f"{ident}-{kind}")}</div>'
            for kind, layout in layouts.items()
        )
        items = zip(captions, map(self._line, self.trace["steps"]), strict=True)
        steps = "".join(f"<li>{escape(text)}{line}</li>" for text, line in items)
        body = (
            f"{wide_or_narrow(ident, LEAST_SCALE * layouts['wide'].width)}"
            f'<div role="group" tabindex="0" aria-label="{escape(title)}. Arrow keys step.">'
            f'{pictures}{BAR}<ol class="ac-steps">{steps}</ol></div>'
        )
        return page(body, ident, "stepper.js", '{"step": 0}')

    def _line(self, step: dict) -> str:
        """The source line of the node whose rule sends a cotangent."""
        if step["kind"] != "arrive":
            return ""
        line = self.trace["nodes"][self.trace["edges"][step["edge"]]["to"]]["line"]
        return f" <code>{escape(line)}</code>" if line else ""


def microscope(output: Tensor, names: dict[str, Tensor] | None = None, *, seed: Any = None) -> Microscope:
    """Record the reverse pass from `output` to look at it step by step, without making it.

    Nothing is stored in any `.grad`, nothing is released and no hook runs: `output.backward()` can be called afterwards
    as if this had not happened.

    Args:
        output: a tensor with a graph whose saved values have not been released.
        names: a dict from name to tensor, for the picture. Other tensors go by the name of the caller's variable;
            leaves that no variable holds are called a, b, c and so on.
        seed: the cotangent of `output`, of its shape (a tensor, an array or a list of numbers); may be left out if
            `output` has one element, and is then 1.

    Raises:
        RuntimeError: if `output` requires no gradient, if a saved value was released or overwritten, or if `seed` is
            missing or of another shape than `output`. The messages are those of `backward`.

    Example:
        >>> import autograd_core as ac
        >>> w = ac.tensor(2.0, requires_grad=True)
        >>> h = w.square()
        >>> L = 3 * h
        >>> m = ac.viz.microscope(L)
        >>> [step["cotangent"] for step in m.trace["steps"] if step["kind"] == "arrive"]
        [3.0, 12.0]
        >>> w.grad is None
        True
    """
    names = names or {}
    variables = sys._getframe(1).f_locals
    found = {k: v for k, v in variables.items() if isinstance(v, Tensor) and not k.startswith("_") and k not in names}
    return Microscope(record(output, {**names, **found}, seed))
