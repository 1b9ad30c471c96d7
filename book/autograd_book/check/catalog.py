"""The exercises of the book, by id."""

import importlib
import pkgutil
from collections import Counter
from difflib import get_close_matches
from functools import cache

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
    return Catalog(exercise for exercise in _registry().values() if exercise.id.startswith(chapter))


def find(id: str) -> Exercise:
    """Return the exercise ``id``. Raises `KeyError` with the nearest ids when there is none.

    >>> find("02.keep").title
    'Keep one parcel'
    """
    registry = _registry()
    if id not in registry:
        near = get_close_matches(id, registry)
        remedy = (
            _("did you mean {ids}?").format(ids=_(" or ").join(near))
            if near
            else _("exercises() lists those there are")
        )
        raise KeyError(_("no exercise is called {id!r}; {remedy}").format(id=id, remedy=remedy))
    return registry[id]


@cache
def _registry() -> dict[str, Exercise]:
    chapters = importlib.import_module(CONTENT)
    names = sorted(module.name for module in pkgutil.iter_modules(chapters.__path__))
    modules = [importlib.import_module(f"{chapters.__name__}.{name}") for name in names]
    found = [exercise for module in modules for exercise in module.EXERCISES]
    registry = {exercise.id: exercise for exercise in found}
    if len(registry) != len(found):
        twice = [id for id, count in Counter(exercise.id for exercise in found).items() if count > 1]
        raise ValueError(f"two exercises share an id: {', '.join(twice)}")
    return registry
