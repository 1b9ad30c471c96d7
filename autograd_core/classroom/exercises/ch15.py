"""Exercises of chapter 15: sixty lines."""

import numpy as np

from .. import sixty_lines
from ..exercise import Exercise, Mutant


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


def _tanh(T):
    def tanh(x):
        return sixty_lines.Tensor(np.tanh(x.array), edges=[(x, lambda g, x: g * (1 - np.tanh(x) ** 2), x)])

    return tanh


def _values_and_gradients(tanh, T, rng):
    x = sixty_lines.tensor(0.5, requires_grad=True)
    y = tanh(x)
    y.backward(retain_graph=True)
    once = x.grad.array
    x.grad = None
    (3 * y).backward()
    return {
        "tanh(0.5)": y.array,
        "x.grad": once,
        "x.grad of 3 tanh(x)": x.grad.array,
        "a write does no harm": _survives_a_write(tanh, right=once),
    }


def _in_pytorch(T, rng):
    x = T.tensor(0.5, dtype=T.float64, requires_grad=True)
    y = x.tanh()
    (slope,) = T.autograd.grad(y, x)
    return {"tanh(0.5)": y, "x.grad": slope, "x.grad of 3 tanh(x)": 3 * slope, "a write does no harm": True}


def _survives_a_write(tanh, right):
    x = sixty_lines.tensor(0.5, requires_grad=True)
    y = tanh(x)
    with sixty_lines.no_grad():
        x.copy_(sixty_lines.tensor(9.0))
    try:
        y.backward()
    except RuntimeError:
        return True
    return bool(x.grad.array == right)


EXERCISES = [
    Exercise(
        id="15.order",
        title="In which order?",
        kind="worked",
        minutes=4,
        reference=_order,
        hints=(
            "w is an operand of L. Is its gradient complete when L has been visited?",
            "Newest first.",
        ),
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
    Exercise(
        id="15.tanh",
        title="A sixth operation",
        kind="blank",
        minutes=8,
        reference=_tanh,
        hints=(
            "The rule gets the gradient of the result, then the arrays of the tensors that the edge names; see sin.",
            "lambda g, x: g * (1 - np.tanh(x) ** 2), with x named in the edge. A rule that reads x.array by itself "
            "gets whatever is there at the time.",
        ),
        rows=_values_and_gradients,
        torch=_in_pytorch,
        mutants=(
            Mutant(
                "The incoming gradient is not used",
                "The rule is right for y.backward() alone, where the gradient that arrives is 1.",
                rows={"x.grad": 1 - np.tanh(0.5) ** 2, "x.grad of 3 tanh(x)": 1 - np.tanh(0.5) ** 2},
            ),
            Mutant(
                "The square is missing",
                "The slope of tanh is 1 - tanh squared. Without the square it is right at 0 alone.",
                rows={"x.grad": 1 - np.tanh(0.5), "x.grad of 3 tanh(x)": 3 * (1 - np.tanh(0.5))},
            ),
            Mutant(
                "A value from another time",
                "It is right until somebody writes: name the tensor in the edge, so that its version is noted.",
                rows={"x.grad of 3 tanh(x)": 3 * (1 - np.tanh(0.5) ** 2), "a write does no harm": False},
            ),
        ),
    ),
]
