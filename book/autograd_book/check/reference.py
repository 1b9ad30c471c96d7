"""Where the right rows of an exercise come from.

This package is what a reader's answer runs on, so it does not judge alone. The first of these that a machine has gives
the reference: PyTorch, JAX, the recorded result of a named version (``ch02.recorded.json`` among the exercises), finite
differences. An exercise about machinery that only this package has states its rows itself. In every case this package
must agree.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from ..compare import engines
from ..compare.values import agree, snapshot
from ..compare.wire import decode
from ..wording import translate as _
from .attempt import run
from .exercise import Exercise, Rows

EXERCISES = Path(__file__).parents[1] / "exercises"
SEED = 1  # that of the first attempt in a session, and of what is recorded


@dataclass(frozen=True)
class Reference:
    """The right rows, the name of their source, and whether their inputs were drawn at random."""

    rows: Rows
    source: str
    drawn: bool


def reference(exercise: Exercise, seed: int) -> Reference:
    """The reference of an exercise for the inputs that ``seed`` draws.

    Raises `LookupError` when nothing on this machine answers for the seed, and `RuntimeError` when this package's own
    answer differs from the reference.
    """
    T = engines.load("autograd_core")
    with T.enable_grad():
        ours = run(exercise, exercise.reference(T), T, seed)
        found = next(_sources(exercise, seed, ours.drawn), None)
    if found is None:
        message = _("nothing here answers {id} for seed {seed}; install PyTorch, or use seed={recorded}")
        raise LookupError(message.format(id=exercise.id, seed=seed, recorded=SEED))
    source, rows = found
    if differing := ", ".join(disagreements(exercise, ours.rows, rows)):
        message = _("autograd_core and the reference of {id} ({source}) disagree: {differing}")
        raise RuntimeError(message.format(id=exercise.id, source=source, differing=differing))
    return Reference(rows, source, ours.drawn)


def answers_any_seed(exercise: Exercise) -> bool:
    """Whether this machine has a reference for inputs that were never recorded."""
    jax = exercise.jax is not None and _installed("JAX")
    return _installed("PyTorch") is not None or bool(jax) or exercise.differences is not None


def disagreements(exercise: Exercise, yours: Rows, right: Rows) -> list[str]:
    """The names of the rows that only one of the two has, or whose values differ."""
    names = {**right, **yours}
    return [row for row in names if not (row in yours and row in right and agrees(exercise, yours[row], right[row]))]


def agrees(exercise: Exercise, yours: Any, right: Any) -> bool:
    """Whether two values of a row are the same within the exercise's tolerance."""
    return agree(yours, right, atol=exercise.tolerance, rtol=exercise.tolerance)


def by_pytorch(exercise: Exercise, torch: ModuleType, seed: int) -> Rows:
    """The rows as PyTorch computes them."""
    with torch.enable_grad():
        if exercise.torch:
            return snapshot(exercise.torch(torch, np.random.default_rng(seed)))
        return run(exercise, exercise.reference(torch), torch, seed).rows


def _sources(exercise: Exercise, seed: int, drawn: bool) -> Iterator[tuple[str, Rows]]:
    """What answers on this machine, the best first."""
    if exercise.stated is not None:
        yield _("stated by the exercise"), snapshot(exercise.stated)
    if (torch := _installed("PyTorch")) is not None:
        yield f"PyTorch {torch.__version__}", by_pytorch(exercise, torch, seed)
    if exercise.jax is not None and (jax := _installed("JAX")) is not None:
        yield f"JAX {jax.__version__}", snapshot(exercise.jax(jax, np.random.default_rng(seed)))
    if exercise.id in (recorded := _recorded(exercise.id[:2]))["rows"] and (seed == SEED or not drawn):
        yield (
            _("{engine}, recorded").format(engine=recorded["engine"]),
            decode(json.dumps(recorded["rows"][exercise.id])),
        )
    if exercise.differences is not None:
        yield _("finite differences"), snapshot(exercise.differences(np.random.default_rng(seed)))


def _installed(engine: str) -> ModuleType | None:
    try:
        return engines.load(engine)
    except ModuleNotFoundError:
        return None


@cache
def _recorded(chapter: str) -> dict[str, Any]:
    file = recorded_in(chapter)
    return json.loads(file.read_text("utf-8")) if file.exists() else {"rows": {}}


def recorded_in(chapter: str) -> Path:
    """The file with what an engine answered to the exercises of a chapter."""
    return EXERCISES / f"ch{chapter}.recorded.json"
