"""The exercises of the book, by id."""

import importlib
from collections import Counter
from difflib import get_close_matches
from functools import cache
from importlib.util import find_spec

from ..compare.table import html_table, text_table
from ..wording import translate as _
from .exercise import Exercise

CONTENT = "autograd_book.exercises"  # stands above this package, and so is found by its name


class Catalog(list[Exercise]):
    """A list of exercises that shows itself as a table with the kind of each and the minutes it needs."""

    def _table(self) -> tuple[list[str], list[list[str]]]:
        return (
            [_("exercise"), _("title"), _("kind"), _("minutes")],
            [[exercise.id, _(exercise.title), _(exercise.kind), str(exercise.minutes)] for exercise in self],
        )

    def __repr__(self) -> str:
        return text_table(*self._table())

    def _repr_html_(self) -> str:
        return html_table(*self._table())


def exercises(chapter: str = "") -> Catalog:
    """Return the exercises in the order of the book, all or those of one chapter.

    Parameters: ``chapter`` is its two digits, such as ``"02"``.

    >>> exercises("00")
    exercise       title                ...
    00.warm_up     The other number     ...
    00.experiment  Your own experiment  ...
    """
    return Catalog(exercise for number in _chapters(chapter) for exercise in _of_chapter(number).values())


def find(id: str) -> Exercise:
    """Return the exercise ``id``. Raises `KeyError` with the nearest ids when there is none.

    >>> find("02.keep").title
    'Keep one parcel'
    """
    here = _of_chapter(id[:2])
    if id not in here:
        near = get_close_matches(id, [exercise.id for exercise in exercises()])
        remedy = (
            _("did you mean {ids}?").format(ids=_(" or ").join(near))
            if near
            else _("exercises() lists those there are")
        )
        raise KeyError(_("no exercise is called {id!r}; {remedy}").format(id=id, remedy=remedy))
    return here[id]


def _chapters(begin: str = "") -> list[str]:
    """The numbers of the chapters with exercises, in order."""
    numbers = [number for n in range(100) if (number := f"{n:02}").startswith(begin)]
    return [number for number in numbers if find_spec(f"{CONTENT}.ch{number}")]


@cache
def _of_chapter(number: str) -> dict[str, Exercise]:
    """The exercises of a chapter by id; none where there is no such chapter."""
    if not number.isdecimal() or find_spec(f"{CONTENT}.ch{number}") is None:
        return {}
    defined = importlib.import_module(f"{CONTENT}.ch{number}").EXERCISES
    found = {exercise.id: exercise for exercise in defined}
    if len(found) != len(defined):
        twice = [id for id, count in Counter(exercise.id for exercise in defined).items() if count > 1]
        raise ValueError(f"two exercises share an id: {', '.join(twice)}")
    if astray := [id for id in found if not id.startswith(f"{number}.")]:
        raise ValueError(f"ch{number}.py defines exercises of another chapter: {', '.join(astray)}")
    return found
