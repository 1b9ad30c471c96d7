"""`switchboard`: one program in several systems, with its switches in every position.

Every state is computed when the board is made. The page holds them all, and the radio buttons choose which one shows by
CSS alone, so that a board works where no script runs.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from html import escape
from itertools import product
from typing import Any

from ..compare.programs import Comparison, contrast
from ..wording import ngettext
from .knob import knob
from .page import figure, fresh_id

Rows = Mapping[str, Any]


class Switchboard:
    """What each system answers in each state.

    ``states`` maps the positions of all switches to the answers, a `Comparison` with a column for each system.
    """

    def __init__(self, switches: Mapping[str, Sequence[str]], systems: Mapping[str, Callable[..., Rows]]):
        self.switches = {name: tuple(positions) for name, positions in switches.items()}
        for name, positions in self.switches.items():
            if not positions:
                raise ValueError(f"the switch {name!r} has no positions")
            if twice := [position for position in positions if positions.count(position) > 1]:
                raise ValueError(f"the switch {name!r} has the position {twice[0]!r} more than once")
        self.states = {
            positions: contrast({name: partial(program, *positions) for name, program in systems.items()}, {})
            for positions in product(*self.switches.values())
        }

    def __getitem__(self, positions: tuple[str, ...]) -> Comparison:
        """The answers in one state; raises `KeyError` for a position that a switch does not have."""
        return self.states[positions]

    def __repr__(self) -> str:
        positions = next(iter(self.states))
        number = len(self.states)
        rest = ngettext("(the only state)", "(one of {number} states)", number).format(number=number)
        return f"{self._words(positions)}\n{self.states[positions]}\n{rest}"

    def _words(self, positions: tuple[str, ...]) -> str:
        return "; ".join(f"{name}: {position}" for name, position in zip(self.switches, positions, strict=True))

    def _repr_html_(self) -> str:
        ident = fresh_id()
        knobs = "".join(knob(f"{ident}-{k}", *switch) for k, switch in enumerate(self.switches.items()))
        numbers = product(*(range(len(positions)) for positions in self.switches.values()))
        rules, tables = [], []
        for state, positions in zip(numbers, self.states, strict=True):
            chosen = "".join(f":has(#{ident}-{k}-{position}:checked)" for k, position in enumerate(state))
            name = "-".join(map(str, state))
            rules.append(f'#{ident}{chosen} [data-state="{name}"] {{ display: block }}')
            table = _html(self.states[positions], self._words(positions))
            tables.append(f'<div class="ac-state" data-state="{name}">{table}</div>')
        style = (
            f"<style>@supports selector(:has(*)) {{ #{ident} .ac-state {{ display: none }} {' '.join(rules)} }}</style>"
        )
        return figure(
            f'{style}<div class="ac-knobs">{knobs}</div><div aria-live="polite">{"".join(tables)}</div>', ident
        )


def switchboard(
    switches: Mapping[str, Sequence[str]], systems: Mapping[str, Callable[..., Mapping[str, Any]]]
) -> Switchboard:
    """Run one program in several systems, once for each combination of the positions of its switches.

    Parameters:
        switches: from the name of a switch to its positions; the first of each is the one that shows first.
        systems: from the name of a system to the program as one writes it there. It is called with one position for
            each switch, and returns a dictionary from the name of a row to what `compare` accepts as a value.

    The number of runs is the product of the numbers of positions. Warnings are caught, and shown below the table. What
    a program raises is raised here: a program that is meant to fail says so in a row, by
    `autograd_core.testing.raises`.

    Raises `ValueError` for a switch that has no positions, or one of them more than once.

    >>> board = switchboard({"sign": ["+", "-"]}, {"Python": lambda sign: {"3 ± 2": 3 + 2 if sign == "+" else 3 - 2}})
    >>> board["-",].columns
    {'Python': {'3 ± 2': 1}}
    >>> board
    sign: +
           Python
    3 ± 2  5
    (one of 2 states)
    """
    return Switchboard(switches, systems)


def _html(answers: Comparison, words: str) -> str:
    """A table that a narrow page sets row by row; the roles are said because `display: block` would take them away."""
    header, rows = answers.table()
    notes = "".join(f'<p class="ac-note">{escape(note)}</p>' for note in answers.notes())
    head = "".join(f'<th role="columnheader" scope="col">{escape(cell)}</th>' for cell in header)
    body = "".join(
        f'<tr role="row"><th role="rowheader" scope="row">{escape(name)}</th>'
        + "".join(
            f'<td role="cell" data-system="{escape(system)}"><span>{escape(cell)}</span></td>'
            for system, cell in zip(header[1:], cells, strict=True)
        )
        + "</tr>"
        for name, *cells in rows
    )
    return (
        f'<table class="ac-table" role="table"><caption>{escape(words)}</caption>'
        f'<thead role="rowgroup"><tr role="row">{head}</tr></thead><tbody role="rowgroup">{body}</tbody></table>{notes}'
    )
