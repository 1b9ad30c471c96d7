"""Chapters 15 to 20: right functions of another kind than the reference, and wrong ones that come close to it."""

import numpy as np
import pytest

import autograd_core as ac
from autograd_book import sixty_lines
from autograd_book.check import check
from autograd_core.core.table import elementwise


def tanh_that_saves_its_result(x):
    saved = sixty_lines.Tensor(np.tanh(x.array))
    return sixty_lines.Tensor(saved.array, edges=[(x, lambda g, y: g * (1 - y**2), saved)], version=saved.version)


def hypotenuse_of_other_names():
    made = elementwise("root", np.hypot, "a b", lambda g, a, out: g * (a / out), lambda g, b, out: g * (b / out))
    return lambda x, y: made(x, y)


def hypotenuse_that_saves_all():
    return elementwise("all", np.hypot, "x y", lambda g, x, y, out: g * x / out, lambda g, x, y, out: g * y / out)


def never_positive(x, strength):
    y = x * 1
    y.register_hook(lambda g: -strength * g.abs())
    return y


def swap_by_copies(x):
    h = x * 1
    h[0], h[-1] = h[-1].clone(), h[0].clone()
    return h


def swap_the_first_and_third(x):
    h = x * 1
    h[0], h[2] = h[2].clone(), h[0].clone()
    return h


def add_a_half_and_cut(T):
    class Rounded(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return T.tensor([float(int(value + 0.5)) for value in x.tolist()], dtype=T.float64)

        @staticmethod
        def backward(ctx, g):
            return g

    return Rounded.apply


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("15.tanh", tanh_that_saves_its_result),
        ("16.hypotenuse", hypotenuse_of_other_names),
        ("18.swap", swap_by_copies),
    ],
)
def test_a_right_function_of_another_kind_passes(id, answer):
    assert check(id, answer)


@pytest.mark.parametrize(
    ("id", "answer", "label"),
    [
        ("16.hypotenuse", lambda: lambda x, y: (x * x + y * y) ** 0.5, "No operation of your own"),
        ("16.hypotenuse", lambda: lambda x, y: (x.square() + y.square()).sqrt(), "No operation of your own"),
        ("16.hypotenuse", lambda: ac.hypot, "No operation of your own"),
        ("16.hypotenuse", hypotenuse_that_saves_all, "Both operands are saved"),
        ("17.reverse", never_positive, "Negative, but not reversed"),
        ("18.swap", swap_the_first_and_third, None),
        ("20.straight_through", add_a_half_and_cut, "A half was added and the rest cut off"),
    ],
)
def test_a_wrong_function_is_rejected_for_every_seed(id, answer, label):
    for seed in range(1, 21):
        verdict = check(id, answer, seed)
        assert not verdict, seed
        assert verdict.label == label, seed
