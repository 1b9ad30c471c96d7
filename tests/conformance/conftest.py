"""How many samples are examined, and the record that the whole examination leaves for the book."""

import json
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import pytest

from .claims import EXCEPTIONS, LEFT_OUT
from .examiner import CLAIMED, DIFFERENTIABLE, SAMPLES

RECORD = Path(__file__).parents[2] / "benchmarks" / "conformance.json"
QUICK = 3  # samples of an entry


@pytest.fixture(scope="session")
def number(request) -> int:
    """How many samples of an entry are examined."""
    return SAMPLES if request.config.getoption("whole") else QUICK


passed: dict[str, dict[str, bool]] = {name: {} for name in CLAIMED}


def pytest_runtest_logreport(report):
    """Note the outcome of each check of an entry."""
    file, _, test = report.nodeid.partition("::test_")
    if report.when == "call" and file.endswith("test_conformance.py") and test.endswith("]"):
        check, _, name = test[:-1].partition("[")
        passed[name][check] = report.passed


def pytest_sessionfinish(session):
    """Write the record, after a run with `--record`."""
    config = session.config
    if not config.getoption("record") or hasattr(config, "workerinput"):
        return
    record = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
        "versions": {name: version(name) for name in ("numpy", "scipy", "torch")},
        "samples": SAMPLES if config.getoption("whole") else QUICK,
        "differentiable": len(DIFFERENTIABLE),
        "entries": passed,
        "no forward mode in PyTorch": [name for name, op in CLAIMED.items() if not op.supports_forward_ad],
        "no second order in PyTorch": [name for name, op in CLAIMED.items() if not op.supports_gradgrad],
        "left out": LEFT_OUT,
        "excused": {f"{name}, {check}": reason for (name, check), reason in EXCEPTIONS.items()},
    }
    RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n")
