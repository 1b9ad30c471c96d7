"""`microscope(loss)`: step through the forward pass that made `loss` and the reverse pass back from it."""

import json
import sys
from collections.abc import Iterator
from html import escape
from typing import Any

from autograd_core.reading import reader_of, require_tensor

from ..wording import ngettext
from ..wording import translate as _
from .captions import caption, title
from .drawing import LEAST_SCALE, draw, opening, style_for
from .explorer import someone_can_answer
from .layout import in_a_list, in_columns
from .page import figure, fresh_id, page, wide_or_narrow
from .trace import record
from .trace_folding import fold

MOST_DRAWN = 300  # boxes in a picture and in those that open from it
ICONS = {
    "first": "M4 3v10 M13 3L6 8l7 5z",
    "back": "M11 3L4 8l7 5z",
    "next": "M5 3l7 5-7 5z",
    "last": "M12 3v10 M3 3l7 5-7 5z",
}


class Microscope:
    """A recorded pass: `trace` is plain data (dicts, lists, numbers, strings), ready for JSON.

    In a notebook or on a page it shows as a picture to step through; `print` gives the steps as sentences. What a
    module or a reverse pass recorded is folded into one box: `folded` is the trace of that picture, and `open` looks
    inside a box.
    """

    def __init__(self, trace: dict, name: str | None = None):
        self.trace, self.name = trace, name
        self.folded = fold(trace)

    @property
    def captions(self) -> list[str]:
        """One sentence a step."""
        return [caption(self.folded, step) for step in self.folded["steps"]]

    def __repr__(self) -> str:
        return "\n".join(f"{k}. {text}" for k, text in enumerate(self.captions, 1))

    def open(self, label: str) -> "Microscope":
        """What is inside a folded box. Raises KeyError, with the boxes there are, if none has this label."""
        inside = {node["op"]: node["inside"] for node in self.folded["nodes"] if "inside" in node}
        if label not in inside:
            raise KeyError(f"no folded box is called {label!r}; there are {', '.join(inside) or 'none'}")
        return Microscope(inside[label])

    def widget(self) -> Any:
        """The stepper as an anywidget, whose trait `step`, counted from 0, Python can read, set and observe.

        Raises ImportError if anywidget is missing.
        """
        try:
            from .stepper_widget import StepperWidget
        except ImportError as missing:
            raise ImportError("the widget needs anywidget: pip install anywidget") from missing
        ident = fresh_id()
        html = figure(self._body(ident), ident)
        return StepperWidget(html, opening(self.folded), len(self.folded["steps"]) - 1)

    def _repr_html_(self) -> str:
        ident = fresh_id()
        linked = not someone_can_answer()  # the address of a notebook is not ours to change
        state = json.dumps({"step": opening(self.folded), "linked": linked})
        return page(self._body(ident), ident, "stepper.js", state)

    def _body(self, ident: str) -> str:
        return "".join(self._parts(ident, self.name or "", MOST_DRAWN))

    def _parts(self, ident: str, name: str, most: int) -> Iterator[str]:
        """The stepper, and one more for each box that opens; all of them together draw `most` boxes."""
        yield self._stepper(ident, name)
        folded = [node for node in self.folded["nodes"] if "inside" in node]
        share = (most - len(self.folded["nodes"])) // max(1, len(folded))
        too_large = []
        for k, node in enumerate(folded, 1):
            inner = Microscope(node["inside"])
            if len(inner.folded["nodes"]) > share:
                too_large.append(node)
                continue
            heading = ngettext("Open {op}: {number} op", "Open {op}: {number} ops", node["ops"])
            heading = (heading if node["ops"] else _("Open {op}")).format(op=node["op"], number=node["ops"])
            below = "".join(inner._parts(f"{ident}-{k}", f"{name}.{k}" if name else "", share))
            yield f'<details class="ac-inside"><summary>{escape(heading)}</summary>{below}</details>'
        if too_large:
            yield _not_drawn(too_large)

    def _stepper(self, ident: str, name: str) -> str:
        captions, style, start = self.captions, style_for(self.folded), opening(self.folded)
        layouts = {"wide": in_columns(self.folded, style), "narrow": in_a_list(self.folded, style)}
        heading = title(self.folded)
        region = escape(_("{title}. The picture may scroll sideways.").format(title=heading))
        scrolls = {"wide": "", "narrow": f' role="region" tabindex="0" aria-label="{region}"'}  # by keyboard too
        pictures = "".join(
            f'<div class="{kind}"{scrolls[kind]}>'
            f"{draw(self.folded, layout, heading, captions[start], f'{ident}-{kind}')}</div>"
            for kind, layout in layouts.items()
        )
        items = zip(captions, map(self._line, self.folded["steps"]), strict=True)
        steps = "".join(f"<li>{escape(text)}{line}</li>" for text, line in items)
        label = _("{title}. Arrow keys step, space plays.").format(title=heading)
        return (
            f'<div class="ac-stepper" id="{ident}-s" role="group" tabindex="0" aria-label="{escape(label)}" '
            f'data-name="{escape(name)}" data-start="{start}">'
            f"{wide_or_narrow(f'{ident}-s', LEAST_SCALE * layouts['wide'].width)}"
            f'{pictures}{_bar()}<ol class="ac-steps">{steps}</ol></div>'
        )

    def _line(self, step: dict) -> str:
        """The source line of the node that computes, or whose rule sends a cotangent."""
        if step["kind"] == "compute":
            line = self.folded["nodes"][step["node"]]["line"]
        elif step["kind"] == "arrive":
            line = self.folded["nodes"][self.folded["edges"][step["edge"]]["to"]]["line"]
        else:
            line = None
        return f" <code>{escape(line)}</code>" if line else ""


def microscope(
    output: Any, names: dict[str, Any] | None = None, *, seed: Any = None, name: str | None = None
) -> Microscope:
    """Record the passes that made `output` and that would lead back from it, to look at them step by step.

    No pass is made: nothing is stored in any `.grad` and nothing is released. `output.backward()` can be called
    afterwards as if this had not happened. Hooks on tensors and nodes do not run; the steps say where one waits. Only
    the backward of a custom `Function` is called, and what unpacks the values of a saved-tensors hook.

    Args:
        output: a tensor of this package or of PyTorch, with a graph whose saved values have not been released. Of a
            PyTorch graph the source lines are unknown (except inside `explain.watch()`), which nodes a reverse pass
            recorded is unknown, and so are hooks on nodes; hooks on a tensor and its `retain_grad()` are seen if a
            variable of the caller holds it.
        names: a dict from name to tensor, for the picture. Other tensors go by the name of the caller's variable;
            leaves that no variable holds are called a, b, c and so on.
        seed: the cotangent of `output`, of its shape (a tensor, an array or a list of numbers); may be left out if
            `output` has one element, and is then 1.
        name: what links on the page call the stepper: `#microscope=chain:5` opens step 5 of the one called chain.
            Without a name its number on the page serves.

    Raises:
        RuntimeError: if `output` requires no gradient, if a saved value was released, or if `seed` is missing or of
            another shape than `output`. The messages are those of `backward`. A saved value that was overwritten is
            shown instead, and the step at which the pass refuses.
        TypeError: if `output` is no tensor, if `names` has something that is no tensor of the same engine, or if a
            tensor of the pass is complex or sparse.
        ValueError: if the graph has more than 5 000 nodes, or a reentrant checkpoint.

    Example:
        >>> import autograd_core as ac
        >>> from autograd_book.look import microscope
        >>> w = ac.tensor(2.0, requires_grad=True)
        >>> h = w.square()
        >>> L = 3 * h
        >>> m = microscope(L)
        >>> [(s["formula"], s["cotangent"]) for s in m.trace["steps"] if s["kind"] == "arrive"]
        [('1 · 3', 3.0), ('3 · 2w', 12.0)]
        >>> w.grad is None
        True
    """
    require_tensor(output, "microscope")
    names, kind = names or {}, reader_of(output).tensor_type
    for label, value in names.items():
        if not isinstance(value, kind):
            given, wanted = (f"{each.__module__}.{each.__qualname__}" for each in (type(value), kind))
            raise TypeError(f"names[{label!r}] is of type {given}; a tensor in the graph of the output is a {wanted}")
    variables = sys._getframe(1).f_locals
    found = {k: v for k, v in variables.items() if isinstance(v, kind) and not k.startswith("_") and k not in names}
    return Microscope(record(output, {**names, **found}, seed), name)


def _not_drawn(boxes: list[dict]) -> str:
    text = ngettext(
        "What is inside of a box is too much to draw here. In Python, .open({label!r}) shows it.",
        "What is inside of {number} boxes is too much to draw here. In Python, .open({label!r}) shows one.",
        len(boxes),
    )
    return f'<p class="ac-note">{escape(text.format(number=len(boxes), label=boxes[0]["op"]))}</p>'


def _bar() -> str:
    """The buttons, the count and the line that says what happens."""
    labels = {"first": _("First step"), "back": _("Back"), "next": _("Next"), "last": _("Last step")}
    buttons = "".join(
        f'<button type="button" aria-label="{escape(label)}" title="{escape(label)}" data-go="{where}">'
        f'<svg viewBox="0 0 16 16" aria-hidden="true"><path d="{ICONS[where]}"/></svg></button>'
        for where, label in labels.items()
    )
    play, pause = escape(_("Play")), escape(_("Pause"))
    count = escape(_("step {step} of {steps}"))
    return (
        f'<div class="ac-bar">{buttons}<button type="button" class="ac-play" data-play="{play}" data-pause="{pause}">'
        f'{play}</button><span class="ac-count" data-text="{count}"></span></div>'
        '<p class="ac-say" aria-live="polite"></p>'
    )
