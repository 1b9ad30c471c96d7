"""Chapters 15 to 20: a right function of another kind than the reference passes."""

import numpy as np
import pytest

from autograd_core.classroom import check, sixty_lines


@pytest.fixture(autouse=True)
def not_graded(monkeypatch):
    monkeypatch.delenv("AUTOGRAD_CORE_GRADING", raising=False)


def tanh_that_saves_its_result(x):
    saved = sixty_lines.Tensor(np.tanh(x.array))
    return sixty_lines.Tensor(saved.array, edges=[(x, lambda g, y: g * (1 - y**2), saved)], version=saved.version)


def swap_by_copies(x):
    h = x * 1
    h[0], h[-1] = h[-1].clone(), h[0].clone()
    return h


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("15.tanh", tanh_that_saves_its_result),
        ("16.hypotenuse", lambda: lambda x, y: (x.square() + y.square()).sqrt()),
        ("18.swap", swap_by_copies),
    ],
)
def test_a_right_function_of_another_kind_passes(id, answer):
    assert check(id, answer)
