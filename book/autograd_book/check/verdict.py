"""The judgment of one answer, as text, as HTML and as data."""

from html import escape
from typing import Any, Literal, NamedTuple

import numpy as np

from ..compare.table import html_table, text_table
from ..wording import translate as _
from .exercise import Exercise

Judgment = Literal["right", "wrong", "open"]
MOST_ULPS = 1000  # beyond which a difference is no matter of rounding


class Row(NamedTuple):
    """One question: its name, the two values and their difference as text, and whether they agree."""

    name: str
    yours: str
    reference: str
    difference: str
    agrees: bool


class Verdict:
    """The judgment of one answer: true when it is right; shown as a table with what was misunderstood and a hint.

    Parameters:
        exercise: that was answered.
        judgment: ``"right"``, ``"wrong"`` or ``"open"`` when a ``...`` of the stub still stands.
        rows: one `Row` for each question.
        notes: the sentences below the table.
        label: of the mutant that the answer was recognized as, or None.
        seed: that drew the inputs, or None when they were not drawn.
        source: of the reference; empty when none was needed.
        reveals: whether the table shows the reference of a wrong answer.
    """

    def __init__(
        self,
        exercise: Exercise,
        judgment: Judgment,
        rows: list[Row],
        notes: list[str],
        label: str | None = None,
        seed: int | None = None,
        source: str = "",
        reveals: bool = False,
    ):
        self.exercise = exercise
        self.judgment = judgment
        self.rows = rows
        self.notes = notes
        self.label = label
        self.seed = seed
        self.source = source
        self.reveals = reveals

    def __bool__(self) -> bool:
        return self.judgment == "right"

    @property
    def headline(self) -> str:
        """The exercise and the judgment in words."""
        words = {"right": _("right"), "wrong": _("not right yet"), "open": _("not answered yet")}
        return f"{self.exercise.id}: {words[self.judgment]}"

    def to_dict(self) -> dict[str, Any]:
        """The verdict as data for a grader: strings, numbers, bools, None, lists and dictionaries of these."""
        return {
            "id": self.exercise.id,
            "verdict": self.judgment,
            "label": self.label,
            "seed": self.seed,
            "reference": self.source,
            "rows": [row._asdict() for row in self.rows],
            "notes": self.notes,
        }

    def _table(self) -> tuple[list[str], list[list[str]]]:
        words = {True: _("agrees"), False: _("differs")}
        if not (self or self.reveals):
            return ["", _("yours"), ""], [[row.name, row.yours, words[row.agrees]] for row in self.rows]
        header = ["", _("yours"), _("reference"), _("difference"), ""]
        return header, [[*row[:4], words[row.agrees]] for row in self.rows]

    def _sentences(self) -> list[str]:
        sentences = list(self.notes)
        if self.source:
            sentences.append(_("Reference: {source}.").format(source=self.source))
        if self.seed is not None:
            again = f'check("{self.exercise.id}", answer, seed={self.seed})'
            sentences.append(_("The inputs were drawn; {again} draws them again.").format(again=again))
        return sentences

    def __repr__(self) -> str:
        table = [text_table(*self._table())] if self.rows else []
        return "\n".join([self.headline, *table, *self._sentences()])

    def _repr_html_(self) -> str:
        return f"<p><strong>{escape(self.headline)}</strong></p>" + html_table(*self._table(), self._sentences())


def difference(yours: Any, reference: Any) -> str:
    """How far two numbers or arrays are apart at most: in ulps of the less precise dtype, absolutely when that is much.

    Empty where there is no distance: between shapes, and for None, bools and strings.

    >>> difference(1.0, 1.0), difference(1.0 + 2**-52, 1.0), difference(1.5, 1.0), difference(None, 1.0)
    ('0', '1 ulp', '0.5', '')
    """
    a, b = _numbers(yours), _numbers(reference)
    if a is None or b is None or a.shape != b.shape or not a.size:
        return ""
    with np.errstate(all="ignore"):  # inf - inf, and the spacing at 0
        apart = np.abs(np.asarray(a, np.float64) - np.asarray(b, np.float64))
        apart = np.where(np.equal(a, b) | (np.isnan(a) & np.isnan(b)), 0.0, apart)
        if not apart.any():
            return "0"
        ulps = (apart / np.spacing(np.abs(b).astype(_coarser(a, b)))).max()
    return f"{ulps:.0f} ulp" if ulps <= MOST_ULPS else f"{apart.max():.3g}"


def kind(value: Any) -> str:
    """What a value is, in words; empty for None, which may stand where a number might, and for what has no one kind.

    >>> [kind(value) for value in ("11", 11.0, True, [11.0, 12.0], None)]
    ['a string', 'a number', 'True or False', 'a list of shape [2]', '']
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return _("a string")
    array = _array(value)
    if array is None:
        return ""
    if array.shape:
        return _("a list of shape {shape}").format(shape=[*array.shape])
    return _("True or False") if array.dtype.kind == "b" else _("a number")


def _array(value: Any) -> np.ndarray | None:
    """Of numbers, or of truth values."""
    try:
        array = np.asarray(value)
    except ValueError:  # a ragged list
        return None
    return array if array.dtype.kind in "biuf" else None


def _numbers(value: Any) -> np.ndarray | None:
    array = _array(value)
    return None if array is None or array.dtype.kind == "b" else array


def _coarser(*arrays: np.ndarray) -> np.dtype:
    floats = [array.dtype for array in arrays if array.dtype.kind == "f"]
    return max(floats, key=lambda dtype: np.finfo(dtype).eps, default=np.dtype(np.float64))
