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

**An author** puts the task, a stub, two hints and a solution into a chapter, and how an answer is judged into
``book/autograd_book/exercises/chNN.py``; "Add an exercise" in ``CONTRIBUTING.md`` shows both.

A cell that calls `check` to show something, and is no exercise, is tagged ``demonstration``: graders pass over it.
"""

from .answer_limits import AnswerLimits
from .attempt import Attempt, attempt
from .catalog import Catalog, exercises, find
from .exercise import Exercise, Mutant
from .grading import check, judge
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
