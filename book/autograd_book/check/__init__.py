"""Exercises that check themselves.

>>> check("02.regenerate", ...)
02.regenerate: not answered yet
>>> print(exercises("02")[0])
02.regenerate  Five tensors, four questions

**A reader** replaces the ``...`` of a stub cell and runs it. The verdict says which rows agree with the reference and
who computed it, names the misconception when the answer is a well-known one, and gives the next hint. Inputs may be
drawn at random; the verdict then gives the seed that draws them again. An answer that never ends is stopped.

**A teacher** runs the filled-in notebook with ``AUTOGRAD_CORE_GRADING=1`` in the environment: then an answer that is
wrong or missing raises `AssertionError`, and the notebook fails where the student did. Where answers run in another
process, `attempt` makes data of them there, and `judge` gives the `Verdict` here.

**An author** defines an exercise in ``book/autograd_book/exercises/chNN.py`` (a module there is found by itself; it
holds a list ``EXERCISES`` of `Exercise`) and puts four cells into ``book/NN_slug.md``, under a heading with the
exercise's title:

* the task as ordinary text;
* a stub, tagged ``[exercise, stub]``, which must run as it stands::

      answer = ...
      check("NN.name", answer)

* a Markdown cell that begins ``+++ {"tags": ["exercise", "hint"]}`` and holds the two hints, each in a
  ``:::{dropdown} Hint``;
* a solution, tagged ``[exercise, solution, hide-cell]``, which is executed when the book is built::

      solution = {...}
      assert check("NN.name", solution)

  A line ``+++`` after it begins the Markdown cell of whatever comes next.

A cell that calls `check` to show something, and is no exercise, is tagged ``demonstration``: graders pass over it.
"""

from .attempt import Attempt, attempt
from .catalog import Catalog, exercises, find
from .exercise import Exercise, Mutant
from .grading import check, judge
from .limits import AnswerLimits
from .verdict import Row, Verdict

__all__ = [
    "AnswerLimits",
    "Attempt",
    "Catalog",
    "Exercise",
    "Mutant",
    "Row",
    "Verdict",
    "attempt",
    "check",
    "exercises",
    "find",
    "judge",
]
