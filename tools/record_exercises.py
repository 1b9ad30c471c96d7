"""Record what PyTorch answers to every exercise, for machines that have neither PyTorch nor JAX.

`python -m tools.record_exercises` writes book/autograd_book/check/recorded.json, for the inputs that the first attempt
of a session draws. `tests/classroom/test_reference.py` says when it is stale.
"""

import json
from typing import Any

from autograd_book.check import exercises
from autograd_book.check.reference import RECORDED, SEED, by_pytorch
from autograd_book.compare import engines
from autograd_book.compare.wire import encode


def record() -> dict[str, Any]:
    """The engine, and the rows of every exercise that PyTorch answers."""
    torch = engines.load("PyTorch")
    asked = [exercise for exercise in exercises() if exercise.stated is None]
    rows = {exercise.id: json.loads(encode(by_pytorch(exercise, torch, SEED))) for exercise in asked}
    return {"engine": f"PyTorch {torch.__version__.partition('+')[0]}", "rows": rows}


if __name__ == "__main__":
    RECORDED.write_text(json.dumps(record(), indent=1) + "\n", "utf-8")
