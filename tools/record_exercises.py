"""Record what PyTorch answers to every exercise, for machines that have neither PyTorch nor JAX.

`python -m tools.record_exercises` writes `ch02.recorded.json` and its like beside the exercises, for the
inputs that the first attempt of a session draws. `tests/check/test_reference.py` says when it is stale.
"""

import json
from typing import Any

from autograd_book.check import exercises
from autograd_book.check.reference import SEED, by_pytorch, recorded_in
from autograd_book.compare import engines
from autograd_book.compare.wire import encode


def record() -> dict[str, dict[str, Any]]:
    """For each chapter, by its number, the engine and the rows of every exercise that it answers."""
    torch = engines.load("PyTorch")
    engine = f"PyTorch {torch.__version__.partition('+')[0]}"
    found: dict[str, dict[str, Any]] = {}
    for exercise in exercises():
        chapter = found.setdefault(exercise.id[:2], {"engine": engine, "rows": {}})
        if exercise.stated is None:
            chapter["rows"][exercise.id] = json.loads(encode(by_pytorch(exercise, torch, SEED)))
    return found


if __name__ == "__main__":
    for number, answers in record().items():
        recorded_in(number).write_text(json.dumps(answers, indent=1) + "\n", "utf-8")
