"""Chapters 15 to 20: a wrong function is recognized for the belief behind it."""

import numpy as np
import pytest

from autograd_core.classroom import check, sixty_lines
from autograd_core.primitive import elementwise, registry


@pytest.fixture(autouse=True)
def same_registry(monkeypatch):
    monkeypatch.delenv("AUTOGRAD_CORE_GRADING", raising=False)
    before = dict(registry)
    yield
    registry.clear()
    registry.update(before)


def tanh_that_forgets_g(x):
    return sixty_lines.Tensor(np.tanh(x.array), edges=[(x, lambda g, x: 1 - np.tanh(x) ** 2, x)])


def tanh_that_reads_later(x):
    return sixty_lines.Tensor(np.tanh(x.array), edges=[(x, lambda g: g * (1 - np.tanh(x.array) ** 2))])


def tanh_that_saves_its_result(x):
    saved = sixty_lines.Tensor(np.tanh(x.array))
    return sixty_lines.Tensor(saved.array, edges=[(x, lambda g, y: g * (1 - y**2), saved)], version=saved.version)


def hypotenuse(dx, dy):
    return lambda x, y: elementwise("hypotenuse", np.hypot, "x y", dx, dy)(x, y)


def dual_product(a, b):
    return a[0] * b[0], a[1] * b[0] + a[0] * b[1]


def dual_sine(a):
    return np.sin(a[0]), np.cos(a[0]) * a[1]


def reversed_by_a_hook_on_x(x, strength):
    x.register_hook(lambda g: -strength * g)
    return x


def not_reversed(x, strength):
    y = x.clone()
    y.register_hook(lambda g: strength * g)
    return y


def swapped_in_one_line(x):
    h = x * 1
    h[0], h[-1] = h[-1], h[0]
    return h


def swapped_detached(x):
    h = x * 1
    first = h[0].detach().clone()
    h[0] = h[-1]
    h[-1] = first
    return h


def rounded_with(result):
    def rounded(T):
        class Rounded(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x.round()

            @staticmethod
            def backward(ctx, g):
                return result(g)

        return Rounded.apply

    return rounded


def hidden_exponential(T):
    class Exp(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.y = x.exp()
            return ctx.y.clone()

        @staticmethod
        def backward(ctx, g):
            return g * ctx.y

    return Exp.apply


@pytest.mark.parametrize(
    ("id", "answer", "label"),
    [
        ("15.tanh", tanh_that_forgets_g, "not used"),
        ("15.tanh", tanh_that_reads_later, "another time"),
        ("16.hypotenuse", hypotenuse(lambda x, out: x / out, lambda y, out: y / out), "not used"),
        ("16.hypotenuse", hypotenuse(lambda g, y, out: g * y / out, lambda g, x, out: g * x / out), "exchanged"),
        ("16.hypotenuse", hypotenuse(lambda g, x, out: 2 * g * x / out, lambda g, y, out: 2 * g * y / out), "factor 2"),
        ("17.reverse", not_reversed, "sign is missing"),
        ("17.reverse", reversed_by_a_hook_on_x, "hook is on x"),
        ("17.reverse", lambda x, strength: -strength * x, "value is reversed"),
        ("18.swap", swapped_in_one_line, "view is a copy"),
        ("18.swap", swapped_detached, "Detached"),
        ("19.passes", {"3 to 1000": (1000, 3), "1000 to 1": (1, 1000)}, "other way round"),
        ("19.passes", {"3 to 1000": (3, 1), "1000 to 1": (1000, 1)}, "one pass, always"),
        ("19.dual_numbers", (lambda a, b: (a[0] * b[0], a[1] * b[1]), dual_sine), "are multiplied"),
        ("19.dual_numbers", (dual_product, lambda a: (np.sin(a[0]), np.cos(a[0]))), "not used"),
        ("19.dual_numbers", (dual_product, lambda a: (np.sin(a[0]), np.cos(a[1]) * a[1])), "at the tangent"),
        ("20.straight_through", lambda T: lambda x: x.round(), "derivative of round"),
        ("20.straight_through", rounded_with(lambda g: g * 0 + 1), "not the product"),
        ("20.straight_through", lambda T: lambda x: x * 1, "Not rounded"),
        ("20.exponential", hidden_exponential, "Hidden"),
    ],
)
def test_a_wrong_function_is_recognised(id, answer, label):
    verdict = check(id, answer)
    assert not verdict
    assert label in str(verdict)


def test_a_right_function_of_another_kind_passes():
    assert check("15.tanh", tanh_that_saves_its_result)
    assert check("16.hypotenuse", lambda x, y: (x.square() + y.square()).sqrt())
    assert check("19.dual_numbers", (dual_product, dual_sine))
