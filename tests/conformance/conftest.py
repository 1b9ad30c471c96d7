"""The two forms of the conformance tests, and the record that the whole one leaves for the book."""

import json
import platform
from collections import defaultdict
from datetime import date
from pathlib import Path

import numpy as np
import pytest
import torch

RESULTS = Path(__file__).parent / "results.json"
QUICK = 3  # samples of an entry


def pytest_addoption(parser):
    """`--whole`: every sample instead of the first three."""
    parser.addoption("--whole", action="store_true", help="examine 25 samples of an op instead of 3")


@pytest.fixture(scope="session")
def number(request) -> int:
    """How many samples of an entry are examined."""
    from .examiner import SAMPLES

    return SAMPLES if request.config.getoption("whole") else QUICK
