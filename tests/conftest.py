"""What all tests share: one source for two engines, and random numbers whose seed a failure shows."""

import os
from zlib import crc32

import hypothesis
import numpy as np
import pytest
import torch

import autograd_core

torch.set_num_threads(1)
torch.set_warn_always(True)  # else PyTorch gives some warnings once a process, to the test that happens to come first
hypothesis.settings.register_profile("shared", deadline=None, print_blob=True, derandomize="PROGRAMS" not in os.environ)
hypothesis.settings.load_profile("shared")


def pytest_addoption(parser):
    """`--whole` and `--record`, for the conformance and accuracy tests."""
    parser.addoption("--whole", action="store_true", help="examine 25 samples of each op of PyTorch's, instead of 3")
    parser.addoption("--record", action="store_true", help="write the records in benchmarks/ that the book shows")


@pytest.fixture(params=[torch, autograd_core], ids=["torch", "autograd_core"])
def T(request):
    """PyTorch, then this package: a test that takes `T` states what both do."""
    return request.param


@pytest.fixture
def rng(request) -> np.random.Generator:
    """Random numbers of the test's own: the same in every run, since its name is their seed.

    `SEED=... pytest` tries others.
    """
    seed = int(os.environ.get("SEED", crc32(request.node.name.encode())))
    print(f"SEED={seed}")
    return np.random.default_rng(seed)


@pytest.fixture
def default_dtype():
    """Both engines get their default dtype back at the end."""
    before = torch.get_default_dtype()
    yield
    torch.set_default_dtype(before)
    autograd_core.set_default_dtype(autograd_core.float32)
