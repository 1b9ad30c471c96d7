"""How many points are looked at, and the record of the largest errors that the whole form leaves for the book."""

import json
import math
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import pytest

RECORD = Path(__file__).parents[2] / "benchmarks" / "accuracy.json"


@pytest.fixture(scope="session")
def whole(request) -> bool:
    """Whether all points are looked at."""
    return request.config.getoption("whole")


errors: dict[str, dict] = {}


def _written(error: float | None):
    """An error with three digits; "inf" for an infinite one, since JSON has none."""
    return error if error is None else "inf" if math.isinf(error) else float(f"{error:.3g}")


def pytest_runtest_logreport(report):
    """Note what a test of an op has measured; in the process that collects the reports of all."""
    if report.when == "call" and "::test_results_are_those_of_mathematics[" in report.nodeid:
        name = report.nodeid.partition("[")[2][:-1]
        errors[name] = {
            kind: {order: [_written(e) for e in pair] for order, pair in found.items()}
            for kind, found in report.user_properties
        }


def pytest_sessionfinish(session):
    """Write the record, after a run with `--record`."""
    config = session.config
    if not config.getoption("record") or hasattr(config, "workerinput"):
        return
    record = {
        "date": datetime.now(UTC).date().isoformat(),
        "versions": {name: version(name) for name in ("mpmath", "numpy", "scipy", "torch")},
        "unit": "units in the last place: [autograd_core, PyTorch], null where PyTorch has no such function",
        "errors": dict(sorted(errors.items())),
    }
    RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")
