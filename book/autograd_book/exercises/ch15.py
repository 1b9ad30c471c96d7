"""Exercises of chapter 15: sixty lines."""

import numpy as np

from .. import sixty_lines
from ..check.exercise import Mutant, from_chapter


def _order(T):
    order = []
    w = T.tensor(2.0, requires_grad=True)
    h = w * w
    a = 3 * h
    b = a + h
    L = b * w
    for name, tensor in {"w": w, "h": h, "a": a, "b": b, "L": L}.items():
        tensor.register_hook(lambda g, name=name: order.append(name))
    L.backward()
    return order


def _tanh_with(rule):
    return lambda x: sixty_lines.Tensor(np.tanh(x.array), edges=[(x, rule, x)])


def _reads_later(x):
    return sixty_lines.Tensor(np.tanh(x.array), edges=[(x, lambda g: g * (1 - np.tanh(x.array) ** 2))])


def _drawn(rng):
    return tuple(round(rng.uniform(*ends), 2) for ends in ((0.5, 1.5), (2.0, 4.0), (2.5, 4.0)))


def _values_and_gradients(tanh, T, rng):
    at, factor, written = _drawn(rng)
    x = sixty_lines.tensor(at, requires_grad=True)
    y = tanh(x)
    y.backward(retain_graph=True)
    once, x.grad = x.grad.array, None
    (factor * y).backward()
    return {
        f"tanh({at})": y.array,
        "x.grad": once,
        f"x.grad of {factor} tanh(x)": x.grad.array,
        f"a write of {written} does no harm": _survives_a_write(tanh, at, written, right=once),
    }


def _survives_a_write(tanh, at, written, right):
    x = sixty_lines.tensor(at, requires_grad=True)
    y = tanh(x)
    with sixty_lines.no_grad():
        x.copy_(sixty_lines.tensor(written))
    try:
        y.backward()
    except RuntimeError:
        return True
    return bool(x.grad.array == right)


def _right(value_and_slope, rng):
    at, factor, written = _drawn(rng)
    value, slope = value_and_slope(at)
    return {
        f"tanh({at})": value,
        "x.grad": slope,
        f"x.grad of {factor} tanh(x)": factor * slope,
        f"a write of {written} does no harm": True,
    }


def _in_pytorch(T, rng):
    def value_and_slope(at):
        x = T.tensor(at, dtype=T.float64, requires_grad=True)
        return (y := x.tanh()), *T.autograd.grad(y, x)

    return _right(value_and_slope, rng)


def _by_differences(rng, h=1e-5):
    return _right(lambda x: (np.tanh(x), (np.tanh(x + h) - np.tanh(x - h)) / (2 * h)), rng)


EXERCISES = [
    from_chapter(
        id="15.order",
        kind="worked",
        minutes=4,
        reference=_order,
        mutants=(
            Mutant(
                "Level by level",
                "w and h are close to L by one of their edges, and far by another. They have to wait for the far one.",
                rows={"answer": ["L", "b", "w", "a", "h"]},
            ),
            Mutant(
                "The leaf before its last user",
                "w gets its first share from L, but most of its gradient comes through h. It has to wait for h.",
                rows={"answer": ["L", "b", "a", "w", "h"]},
            ),
            Mutant(
                "The order of the forward", "Backward begins where the forward ended.", rows={"answer": list("whabL")}
            ),
        ),
    ),
    from_chapter(
        id="15.tanh",
        kind="blank",
        minutes=8,
        reference=lambda T: _tanh_with(lambda g, x: g * (1 - np.tanh(x) ** 2)),
        rows=_values_and_gradients,
        torch=_in_pytorch,
        differences=_by_differences,
        mutants=(
            Mutant(
                "The incoming gradient is not used",
                "The rule is right for y.backward() alone, where the gradient that arrives is 1.",
                _tanh_with(lambda g, x: 1 - np.tanh(x) ** 2),
            ),
            Mutant(
                "The square is missing",
                "The slope of tanh is 1 - tanh squared. Without the square it is right at 0 alone.",
                _tanh_with(lambda g, x: g * (1 - np.tanh(x))),
            ),
            Mutant(
                "tanh was applied twice",
                "1 - tanh squared is written with x. With the result y at hand it is 1 - y squared.",
                _tanh_with(lambda g, x: g * (1 - np.tanh(np.tanh(x)) ** 2)),
            ),
            Mutant(
                "A value from another time",
                "It is right until somebody writes: name the tensor in the edge, so that its version is noted.",
                _reads_later,
            ),
        ),
    ),
]
