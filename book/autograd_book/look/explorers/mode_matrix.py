"""`mode_matrix()`: what `detach`, `no_grad`, `inference_mode` and `eval` change, alone and together."""

import json
from html import escape
from itertools import product
from types import ModuleType
from typing import Any

from ...compare import engines
from ...compare.values import show, snapshot
from ...wording import translate as _
from ..explorer import SliderExplorer
from ..page import fresh_id, page
from ..program import run

SWITCHES = ("detach", "no_grad", "inference_mode", "eval")
FIRST = (False, True, False, False)  # the position that shows first
OFF = (False,) * len(SWITCHES)


def program(detach: bool, no_grad: bool, inference_mode: bool, evaluate: bool) -> str:
    """The program with some switches on.

    >>> print(program(True, True, False, False))
    w = tensor([2.0, 3.0], requires_grad=True)
    dropout = Dropout(1.0)
    with no_grad():
        h = w.square()
        d = h.detach()
        y = 3 * d
        z = dropout(y)
        new = ones(2, requires_grad=True)
    """
    blocks = [f"with {name}():" for name, on in (("no_grad", no_grad), ("inference_mode", inference_mode)) if on]
    inside = [
        "h = w.square()",
        "d = h.detach()" if detach else "d = h",
        "y = 3 * d",
        "z = dropout(y)",
        "new = ones(2, requires_grad=True)",
    ]
    return "\n".join(
        [
            "w = tensor([2.0, 3.0], requires_grad=True)",
            "dropout = Dropout(1.0)",
            *(["dropout.eval()"] if evaluate else []),
            *("    " * depth + block for depth, block in enumerate(blocks)),
            *("    " * len(blocks) + line for line in inside),
        ]
    )


def questions() -> dict[str, str]:
    """What is asked after the program has run: from the question to the expression that answers it."""
    return {
        _("Is the square recorded?"): "h.grad_fn is not None",
        _("Do h and d share memory?"): "h.data_ptr() == d.data_ptr()",
        _("What is y?"): "y",
        _("Does y require a gradient?"): "y.requires_grad",
        _("What gradient reaches w?"): "grad(y.sum(), w)[0]",
        _("What does w * y give later?"): "w * y",
        _("Is y marked for good?"): "y.is_inference()",
        _("What does dropout let through?"): "z",
        _("Does a new leaf require a gradient?"): "new.requires_grad",
    }


def answers(T: ModuleType, *switches: bool) -> dict[str, Any]:
    """Run the program in an engine, and answer each question: a value, or the name of the error that came instead.

    >>> answers(engines.load("autograd_core"), True, False, False, False)["What gradient reaches w?"]
    'RuntimeError'
    """
    names = {
        "tensor": T.tensor,
        "ones": T.ones,
        "grad": T.autograd.grad,
        "no_grad": T.no_grad,
        "inference_mode": T.inference_mode,
        "Dropout": T.nn.Dropout,
    }
    if error := run(program(*switches), names):
        raise error
    found = {}
    for question, expression in questions().items():
        error = run(f"answer = {expression}", names)
        found[question] = type(error).__name__ if error else names["answer"]
    return snapshot(found)


class ModeMatrix(SliderExplorer):
    """Nine questions about a small program, and the answers for each position of the four switches.

    A position is whether each of `SWITCHES` is on.
    """

    sheets = ("explorers/mode_matrix.css",)

    def __init__(self):
        engine = engines.load("autograd_core")
        self.states = {
            switches: {question: _say(answer) for question, answer in answers(engine, *switches).items()}
            for switches in product((False, True), repeat=len(SWITCHES))
        }
        self.note = _("Dropout(1.0) drops everything, so that no luck is involved.")

    def changed(self, *switches: bool) -> dict[str, str]:
        """The answers that are not what they are with all switches off.

        >>> ModeMatrix().changed(False, False, False, True)
        {'What does dropout let through?': '[12, 27]'}
        """
        before = self.states[OFF]
        return {question: answer for question, answer in self.states[switches].items() if answer != before[question]}

    def sentence(self, *switches: bool) -> str:
        """The answers that changed."""
        on = " + ".join(name for name, chosen in zip(SWITCHES, switches, strict=True) if chosen)
        if not on:
            return _("All four switches are off.")
        changed = self.changed(*switches)
        said = _("{switches} changes {k} of {n} answers.").format(switches=on, k=len(changed), n=len(self.states[OFF]))
        before = self.states[OFF]
        change = _("{question} From {before} to {answer}.")
        return " ".join(
            [said, *(change.format(question=key, before=before[key], answer=answer) for key, answer in changed.items())]
        )

    def __repr__(self) -> str:
        return self.sentence(*FIRST)

    def picture(self, *switches: bool) -> str:
        """The program, and beside each question its answer with all switches off and with these."""
        changed, mark = self.changed(*switches), f'<span class="ac-mark">{escape(_("changed"))}</span>'
        columns = [(_("all off"), OFF), (_("as chosen"), switches)]
        marks = dict.fromkeys(changed, mark)
        return f"<pre>{escape(program(*switches))}</pre>{self._table(columns, marks)}"

    def _table(self, columns: list[tuple[str, tuple[bool, ...]]], marks: dict[str, str]) -> str:
        """The questions, and the answers in some positions; `marks` of questions stand behind the last answer."""
        header = "".join(f'<th scope="col">{escape(title)}</th>' for title, _switches in columns)
        rows = ""
        for question, expression in questions().items():
            cells = [escape(self.states[switches][question]) for _title, switches in columns]
            cells[-1] += marks.get(question, "")
            name = f"{escape(question)}<br><code>{escape(expression)}</code>"
            rows += f'<tr><th scope="row">{name}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'
        return (
            f'<table class="ac-table ac-answers"><thead><tr><th scope="col">{escape(_("question"))}</th>{header}</tr>'
            f"</thead><tbody>{rows}</tbody></table>"
        )

    def sliders(self) -> list:
        """A checkbox for each switch."""
        import ipywidgets

        return [
            ipywidgets.Checkbox(value=on, description=name, indent=False)
            for name, on in zip(SWITCHES, FIRST, strict=True)
        ]

    def _repr_html_(self) -> str:
        boxes = "".join(
            f'<label><input type="checkbox"{" checked" if on else ""}> <code>{name}</code></label>'
            for name, on in zip(SWITCHES, FIRST, strict=True)
        )
        alone = [(name, tuple(other == name for other in SWITCHES)) for name in SWITCHES]
        matrix = self._table([(_("all off"), OFF), *alone], {})
        body = (
            f'<div class="ac-bar ac-sliders" role="group" aria-label="{escape(_("switches"))}">{boxes}</div>'
            f'<div class="ac-figure">{self.picture(*FIRST)}</div><p class="ac-say" aria-live="polite"></p>'
            f'<div class="ac-steps" role="region" tabindex="0" aria-label="{escape(_("all answers"))}">{matrix}</div>'
            f'<p class="ac-note">{escape(self.note)}</p>'
        )
        states = {
            "-".join(str(int(on)) for on in switches): {
                "picture": self.picture(*switches),
                "sentence": self.sentence(*switches),
            }
            for switches in self.states
        }
        return page(
            body,
            fresh_id(),
            "explorers/state_explorer.js",
            json.dumps({"states": states}, ensure_ascii=False),
            self.sheets,
        )


def mode_matrix() -> ModeMatrix:
    """The explorer of the four switches.

    >>> from autograd_book.look import mode_matrix
    >>> mode_matrix()
    no_grad changes 3 of 9 answers. Is the square recorded? From yes to no. Does y require a gradient? From yes to no.
    What gradient reaches w? From [12, 18] to RuntimeError.
    """
    return ModeMatrix()


def _say(answer: Any) -> str:
    if isinstance(answer, bool):
        return _("yes") if answer else _("no")
    return show(answer)
