"""The subgradients promised where a function of one number has no derivative: the ones that both engines take."""

import pytest
import torch

import autograd_core as ac
from autograd_core.core.primitive import registry

KINKS = [(name, *kink) for name, primitive in registry.items() for kink in primitive.kinks.items()]


def in_library(T, name: str):
    return next(getattr(owner, name) for owner in (T, T.nn.functional, T.special) if hasattr(owner, name))


@pytest.mark.parametrize("T", [torch, ac], ids=["torch", "autograd_core"])
@pytest.mark.parametrize(("name", "point", "subgradient"), KINKS)
def test_the_subgradient_at_a_kink_is_the_one_promised(T, name, point, subgradient):
    x = T.tensor(point, dtype=T.float64, requires_grad=True)
    (g,) = T.autograd.grad(in_library(T, name)(x), x)
    assert g.item() == pytest.approx(subgradient, abs=1e-15)


def test_the_best_known_kinks_are_on_the_list():
    assert {"abs", "relu", "leaky_relu", "hardtanh"} <= {name for name, *_ in KINKS}
