"""What a student calls: it takes an answer and judges nothing."""

from collections.abc import Mapping
from typing import Any

from autograd_book.compare.table import Table
from autograd_book.compare.values import show, snapshot
from autograd_book.wording import translate as _

from .variants import question, rows_of


def hand_in(id: str, answer: Mapping[str, Any]) -> Table:
    """Show what is handed in for a question of the bank. The teacher's grader judges it, with the course's secret.

    Parameters:
        id: of the question, such as ``"bank.chain"``.
        answer: a dictionary from each row that the question asks for to a number, None or a list of these.

    Raises `KeyError` for an unknown question and `TypeError` for an answer that is no dictionary of such values.

    >>> hand_in("bank.chain", {"L": 12.0, "h.grad": ...})
            handed in
    L       12
    h.grad  still open
    w.grad  missing
    """
    asked = rows_of(question(id))
    if not isinstance(answer, Mapping):
        raise TypeError(f"an answer is a dictionary from rows to values, not a {type(answer).__name__}")
    given = snapshot({row: value for row, value in answer.items() if value is not ...})
    rows = [[str(row), show(given[row]) if row in given else _("still open")] for row in answer]
    rows += [[row, _("missing")] for row in asked if row not in answer]
    return Table(["", _("handed in")], rows)
