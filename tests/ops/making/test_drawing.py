"""Tensors that are overwritten with random numbers: their range and dtype, and what is refused, on both engines."""

import numpy as np
import pytest
import torch

import autograd_core as ac


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "uint8", "int8", "int64", "bool"])
@pytest.mark.parametrize("bounds", [(), (2,), (0, 2)])
def test_random_integers_lie_within_bounds(T, dtype, bounds):
    x = T.zeros(2000, dtype=getattr(T, dtype))
    assert x.random_(*bounds) is x
    drawn = x.double().numpy()
    assert (drawn == np.floor(drawn)).all() and drawn.min() >= 0
    if bounds:
        assert {*drawn} == {0.0, 1.0}
    elif dtype == "bool":
        assert {*drawn} <= {0.0, 1.0}
    else:
        most = {"float16": 2**11, "float32": 2**24, "float64": 2**53, "uint8": 255, "int8": 127, "int64": 2**63 - 1}[
            dtype
        ]
        assert 0.8 * most < drawn.max() <= most


REFUSED = {
    "no integer": lambda T: T.zeros(1).random_(3, 3),
    "beyond the dtype": lambda T: T.zeros(1, dtype=T.uint8).random_(0, 300),
    "below the dtype": lambda T: T.zeros(1, dtype=T.int8).random_(-200, 5),
    "a leaf": lambda T: T.zeros(1, requires_grad=True).random_(),
    "rate": lambda T: T.zeros(1).exponential_(0.0),
    "of integers": lambda T: T.zeros(1, dtype=T.int64).exponential_(),
    "chance": lambda T: T.zeros(1).geometric_(1.0),
    "deviation": lambda T: T.zeros(1).log_normal_(0.0, -1.0),
    "width": lambda T: T.zeros(1).cauchy_(0.0, 0.0),
}


@pytest.mark.parametrize("call", REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_drawn_is_refused(T, call):
    with pytest.raises(RuntimeError):
        call(T)


DRAWN = {
    "exponential_": (lambda x: x.exponential_(2.0), lambda x: 1 - np.exp(-2 * x)),
    "log_normal_": (lambda x: x.log_normal_(0.0, 1.0).log_(), None),
    "cauchy_": (lambda x: x.cauchy_(1.0, 2.0), lambda x: 0.5 + np.arctan((x - 1) / 2) / np.pi),
}


@pytest.mark.parametrize("draw, distribution", DRAWN.values(), ids=DRAWN)
def test_what_is_drawn_has_its_distribution(T, draw, distribution):
    T.manual_seed(0)
    drawn = np.sort(draw(T.zeros(4000, dtype=T.float64)).numpy())
    if distribution is None:
        expected = torch.special.ndtr(torch.from_numpy(drawn)).numpy()
    else:
        expected = distribution(drawn)
    assert np.abs(expected - np.arange(1, 4001) / 4000).max() < 0.04  # of Kolmogorov and Smirnov


def test_trials_up_to_a_success(T):
    T.manual_seed(0)
    drawn = T.zeros(4000).geometric_(0.25)
    assert drawn.min().item() == 1 and abs(drawn.mean().item() - 4) < 0.3


def test_the_generator_decides():
    drawn = [ac.zeros(4).random_(100, generator=ac.Generator().manual_seed(1)).tolist() for _ in range(2)]
    assert drawn[0] == drawn[1]
