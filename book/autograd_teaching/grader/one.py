"""Grade one notebook: run it in a process of its own, and judge here the rows that it sends."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograd_book.check.attempt import Attempt
from autograd_book.check.catalog import exercises, find
from autograd_book.check.grading import judge
from autograd_book.compare.wire import decode

from ..bank import QUESTIONS, Secret, keyed
from .limits import Limits
from .process import Run, run
from .submissions import Unreadable, digest, read

CHAPTER = re.compile(r"(\d\d)[_.]")


@dataclass(frozen=True)
class Answer:
    """How one exercise went.

    Parameters:
        exercise: its id.
        outcome: "right", "wrong", "open" (the stub still stands), "missing" (no cell checked it) or "failed".
        misconception: the label of the mutant that it agrees with; empty if there is none.
        detail: why it failed, or what the verdict says.
        reference: where the reference came from; empty without a verdict.
    """

    exercise: str
    outcome: str
    misconception: str = ""
    detail: str = ""
    reference: str = ""


@dataclass(frozen=True)
class Graded:
    """How one notebook went; `failure` says what kept it from being read or from coming to its end."""

    student: str
    notebook: str
    digest: str
    failure: str
    seconds: float
    answers: tuple[Answer, ...]


@dataclass(frozen=True)
class Job:
    """A notebook to grade, with the seed of its inputs. `number` tells it from the others of the same run."""

    student: str
    notebook: str
    content: bytes
    number: int
    seed: int
    limits: Limits
    secret: Secret | None = None  # of the course, for the questions of the bank


def grade(job: Job) -> Graded:
    """Grade one notebook. Never raises for what the notebook holds or does."""
    try:
        cells, variant = read(job.content)
        _admit(variant, job)
    except Unreadable as error:
        return refused(job, str(error))
    done = run(cells, job.seed, job.limits, job.number)
    found = _outcomes(done.events, job)
    answers = tuple(found.get(id) or _absent(id, done) for id in _asked(job.notebook, variant, done.events, found))
    failure = done.failure or ("" if answers else "; ".join(["it answers no exercise", *_stops(done)]))
    return Graded(job.student, job.notebook, digest(job.content), failure, done.seconds, answers)


def refused(job: Job, why: str) -> Graded:
    """The result for content that cannot be run."""
    return Graded(job.student, job.notebook, digest(job.content), why, 0.0, ())


def _admit(variant: Mapping[str, str], job: Job) -> None:
    """Raise `Unreadable` for a variant of the bank that is not this student's, or that this secret did not make."""
    if not variant:
        return
    if job.secret is None:
        raise Unreadable("questions of the bank, for which the course's secret is needed")
    if variant["course"] != job.secret.fingerprint:
        raise Unreadable("questions that were made with another secret than the one given")
    if variant["student"] != job.student:
        raise Unreadable(f"the questions of another student, {variant['student']!r}")


def _asked(
    notebook: str, variant: Mapping[str, str], events: list[dict[str, Any]], found: Mapping[str, Answer]
) -> list[str]:
    """The exercises of the chapters that the notebook's name or its checks tell, and whatever else it answers."""
    names = [notebook.rpartition("/")[2], *(event["asks"] for event in events if "asks" in event)]
    chapters = {chapter[1] for chapter in map(CHAPTER.match, names) if chapter}
    asked = [exercise.id for chapter in sorted(chapters) for exercise in exercises(chapter)]
    if variant or any(name.startswith("bank.") for name in names):
        asked += [question.id for question in QUESTIONS]
    return [*asked, *(id for id in found if id not in asked)]


def _outcomes(events: list[dict[str, Any]], job: Job) -> dict[str, Answer]:
    """How each answer of a run went. Of two answers to one exercise the later counts."""
    last = {_storable(event[key]): event for event in events for key in ("begin", "id") if key in event}
    return {id: _judged(id, event, job) for id, event in last.items()}


def _judged(id: str, event: dict[str, Any], job: Job) -> Answer:
    """The verdict on what a student's process said. It may have said anything, so nothing in it is trusted."""
    if "begin" in event:
        return Answer(id, "failed", detail="the process ended while this answer ran")
    try:
        exercise = keyed(id, job.student, job.secret) if job.secret and id.startswith("bank.") else find(id)
    except KeyError:
        return Answer(id, "failed", detail="there is no such exercise")
    try:
        open_rows = tuple(map(str, event["open_rows"]))
        made = Attempt(decode(event["rows"]), str(event["failure"]), bool(event["open"]), open_rows)
    except (KeyError, TypeError, ValueError, RecursionError):
        return Answer(id, "failed", detail="it wrote to the grader's channel")
    verdict = judge(exercise, made, job.seed)
    return Answer(id, verdict.judgment, verdict.label or "", _storable("\n".join(verdict.notes)), verdict.source)


def _absent(id: str, done: Run) -> Answer:
    """The outcome of an exercise that no cell answered, or that the run did not reach."""
    if done.failure:
        return Answer(id, "failed", detail=f"not reached: {done.failure}")
    return Answer(id, "missing", detail="; ".join(_stops(done)))


def _stops(done: Run) -> list[str]:
    return [_storable(event["stopped"]) for event in done.events if "stopped" in event]


def _storable(text: str) -> str:
    """What a student's process said, without lone surrogates, which no database and no file takes."""
    return text.encode("utf-8", "backslashreplace").decode()
