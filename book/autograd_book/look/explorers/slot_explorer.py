"""`slot_explorer()`: run four lines in any order, and watch what lies in the slot."""

import json
from html import escape
from types import ModuleType
from typing import Any, NamedTuple

from ...compare import engines
from ...wording import translate as _
from ..captions import number
from ..explorer import Explorer, View
from ..page import fresh_id, page
from ..program import run

LINES = {
    "backward": "w.square().backward()",
    "zero": "w.grad.zero_()",
    "none": "w.grad = None",
    "step": "optimizer.step()",
}
STORY = ("backward", "backward", "none", "backward")
CLEARED = [("backward", "step", cleared, "step") for cleared in ("zero", "none")]
LONGEST = 7  # lines in a row that a page has the answers to
START, RATE, MOMENTUM = 2.0, 0.1, 0.9


class State(NamedTuple):
    """w, what lies in its slot, and the optimizer's memory of gradients; None where there is nothing."""

    w: float
    slot: float | None
    memory: float | None


def state_after(T: ModuleType, *pressed: str) -> State:
    """Where an engine is after some of the lines.

    >>> state_after(engines.load("autograd_core"), "backward", "step", "zero")
    State(w=1.6, slot=0.0, memory=4.0)
    """
    w = T.tensor(START, dtype=T.float64, requires_grad=True)
    optimizer = T.optim.SGD([w], lr=RATE, momentum=MOMENTUM)
    for name in pressed:
        error = run(LINES[name], {"w": w, "optimizer": optimizer})
        if error and not (name == "zero" and w.grad is None):
            raise error
    memory = optimizer.state[w].get("momentum_buffer") if w in optimizer.state else None
    return State(w.item(), *(None if value is None else value.item() for value in (w.grad, memory)))


def event(state: State, name: str) -> str:
    """What kind of thing a line does in a state; the slot decides, and for a step the memory."""
    empty = state.slot is None
    return {
        "backward": "first" if empty else "added",
        "zero": "missing" if empty else "zeroed",
        "none": "emptied",
        "step": "skipped" if empty else "started" if state.memory is None else "rolled",
    }[name]


class SlotExplorer(Explorer):
    """The parameter w with the loss w², its slot w.grad, and an optimizer with momentum.

    A position is the lines that were run, by their names in `LINES`. On a page there are answers to as many as seven in
    a row; states that are equal count once, which makes a few hundred.
    """

    sheets = ("explorers/slot_explorer.css",)

    def __init__(self):
        self.engine = engines.load("autograd_core")
        self.note = _(
            "The loss is w², and its gradient 2w. The optimizer is SGD with lr={rate} and momentum={momentum}: in its "
            "memory m the gradients of earlier steps fade."
        ).format(rate=RATE, momentum=MOMENTUM)
        moved = "w = {w} − {rate} × {new_memory} = {new_w}"
        self.words = {
            "first": ("w.grad = {new_slot}", _("backward() puts {new_slot} into the empty slot.")),
            "added": (
                "w.grad = {slot} + {arrived} = {new_slot}",
                _("backward() adds {arrived} to the {slot} in the slot: {new_slot}."),
            ),
            "zeroed": ("w.grad = 0", _("zero_() writes a zero over the {slot}. A zero is a gradient like any other.")),
            "missing": ("AttributeError", _("An error: the slot is empty, and None has no zero_(). Nothing changes.")),
            "emptied": ("w.grad = None", _("The slot is empty. None says that nothing has arrived.")),
            "skipped": (_("skips w"), _("The slot is empty, so step() skips w, which stays {w}.")),
            "started": ("m = {new_memory}; " + moved, _("step() takes {slot} from the slot and moves w to {new_w}.")),
            "rolled": (
                "m = {momentum} × {memory} + {slot} = {new_memory}; " + moved,
                _("step() adds {slot} from the slot to what is left of its memory, and moves w to {new_w}."),
            ),
        }

    def row(self, *pressed: str) -> tuple[str, str]:
        """What the last of some lines computes, and what it does.

        >>> SlotExplorer().row("backward", "backward")
        ('w.grad = 4 + 4 = 8', 'backward() adds 4 to the 4 in the slot: 8.')
        """
        *before, last = pressed
        state = self._state(*before)
        values = self._texts(*before) | {f"new_{key}": text for key, text in self._texts(*pressed).items()}
        computed, said = (text.format(**values) for text in self.words[event(state, last)])
        return computed, said

    def _state(self, *pressed: str) -> State:
        return state_after(self.engine, *pressed)

    def _texts(self, *pressed: str) -> dict[str, str]:
        """The state after some lines as text, with what `backward()` would bring."""
        arrived = self._state(*pressed, "none", "backward").slot
        numbers = self._state(*pressed)._asdict() | {"arrived": arrived, "rate": RATE, "momentum": MOMENTUM}
        return {key: "None" if value is None else number(value) for key, value in numbers.items()}

    def sentence(self, *pressed: str) -> str:
        """What the last line did."""
        return self.row(*pressed)[1] if pressed else _("Nothing has run yet, and the slot is empty.")

    def __repr__(self) -> str:
        return self.sentence(*STORY)

    def picture(self, *pressed: str) -> str:
        """The three places where numbers lie, and a table of the lines that were run."""
        texts = self._texts(*pressed)
        boxes = "".join(
            f'<div data-of="{key}" data-holds="{texts[key]}"><dt>{escape(name)}</dt><dd>{texts[key]}</dd></div>'
            for key, name in (("w", "w"), ("slot", "w.grad"), ("memory", "m"))
        )
        rows = "".join(self._row(*pressed[: k + 1]) for k in range(len(pressed)))
        header = "".join(
            f'<th scope="col">{escape(cell)}</th>' for cell in (_("line"), _("what it does"), "w.grad", "w")
        )
        return (
            f'<dl class="ac-boxes">{boxes}</dl><table class="ac-table ac-ledger"><thead><tr>{header}</tr></thead>'
            f"<tbody>{rows}</tbody></table>"
        )

    def _row(self, *pressed: str) -> str:
        computed, _said = self.row(*pressed)
        texts = self._texts(*pressed)
        return (
            f'<tr><th scope="row">{_breakable(LINES[pressed[-1]])}</th><td>{escape(computed)}</td>'
            f"<td>{texts['slot']}</td><td>{texts['w']}</td></tr>"
        )

    def widget(self) -> Any:
        """The explorer as ipywidgets: Python runs the lines. Raises ImportError if ipywidgets is missing."""
        view, pressed = View(self), list(STORY)
        buttons = [view.button(line, lambda _button, name=name: press(name)) for name, line in LINES.items()]

        def press(name: str) -> None:
            pressed.append(name)
            view.show(*pressed)

        def take_back(_button: Any) -> None:
            del pressed[-1:]
            view.show(*pressed)

        def start_over(_button: Any) -> None:
            pressed.clear()
            view.show()

        view.show(*pressed)
        corrections = view.button(_("Take back"), take_back), view.button(_("Start over"), start_over)
        return view.below([*buttons, *corrections])

    def _repr_html_(self) -> str:
        presses = "".join(f'<button type="button" value="{name}">{line}</button>' for name, line in LINES.items())
        corrections = "".join(
            f'<button type="button" value="{value}">{escape(text)}</button>'
            for value, text in (("back", _("Take back")), ("restart", _("Start over")))
        )
        examples = "".join(
            f"<li><code>{'; '.join(LINES[name] for name in pressed)}</code>: {escape(self.sentence(*pressed))}</li>"
            for pressed in CLEARED
        )
        body = (
            f'<div class="ac-bar ac-presses">{presses}</div><div class="ac-bar">{corrections}</div>'
            f'<p class="ac-say" aria-live="polite"></p><div class="ac-figure">{self.picture(*STORY)}</div>'
            f'<ul class="ac-steps">{examples}</ul><p class="ac-note">{escape(self.note)}</p>'
        )
        full = _("This page has the answers to {longest} lines in a row. Take one back, or start over.")
        state = {
            "pressed": STORY,
            "lines": {name: _breakable(line) for name, line in LINES.items()},
            "states": self._reachable(),
            "words": self.words,
            "longest": LONGEST,
            "nothing": self.sentence(),
            "full": full.format(longest=LONGEST),
        }
        return page(body, fresh_id(), "explorers/slot_explorer.js", json.dumps(state, ensure_ascii=False), self.sheets)

    def _reachable(self) -> list[dict]:
        """Every state within `LONGEST` lines, as text, with the state and the event that each line leads to."""
        numbers = {self._state(): 0}
        ways: list[tuple[str, ...]] = [()]
        described = []
        for pressed in ways:  # grows at its end meanwhile
            leads: dict[str, tuple[int, str]] = {}
            for name in LINES if len(pressed) < LONGEST else ():
                reached = self._state(*pressed, name)
                if reached not in numbers:
                    numbers[reached] = len(ways)
                    ways.append((*pressed, name))
                leads[name] = numbers[reached], event(self._state(*pressed), name)
            described.append(self._texts(*pressed) | {"next": leads})
        return described


def slot_explorer() -> SlotExplorer:
    """The explorer of a slot, of what adds to it and of what clears it.

    >>> from autograd_book.look import slot_explorer
    >>> slot_explorer().sentence("backward", "step", "none", "step")
    'The slot is empty, so step() skips w, which stays 1.6.'
    """
    return SlotExplorer()


def _breakable(line: str) -> str:
    """A line of code as HTML that a narrow column may break between two calls."""
    return escape(line).replace(").", ")<wbr>.")
