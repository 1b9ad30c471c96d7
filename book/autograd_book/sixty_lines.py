"""Reverse-mode automatic differentiation in sixty lines of code: what chapter 15 arrives at, under PyTorch's names.

Tensors are float64. An operand that requires a gradient has the shape of the result. A write is never recorded.

>>> w = tensor(2.0, requires_grad=True)
>>> (3 * (w * w)).backward()
>>> w.grad.array
array(12.)
"""

from itertools import count

import numpy as np

clock, recording = count(), [True]


class Tensor:
    def __init__(self, data, requires_grad=False, edges=(), version=None):
        self.array, self.grad, self.version, self.seq = np.asarray(data, float), None, version or [0], next(clock)
        edges = [edge for edge in edges if recording[-1] and edge[0].requires_grad]
        if any(parent.array.shape != self.array.shape for parent, *_ in edges):
            raise ValueError(f"an operand that requires grad must have the result's shape, {self.array.shape}")
        self.edges = [(parent, rule, [(t, t.version[0]) for t in saved]) for parent, rule, *saved in edges]
        self.requires_grad, self.keeps_grad, self.released = requires_grad or bool(edges), requires_grad, False

    def __add__(self, other):
        other = constant(other)
        return Tensor(self.array + other.array, edges=[(self, lambda g: g), (other, lambda g: g)])

    def __mul__(self, other):
        other, rule = constant(other), lambda g, factor: g * factor
        return Tensor(self.array * other.array, edges=[(self, rule, other), (other, rule, self)])

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self):
        return Tensor(-self.array, edges=[(self, lambda g: -g)])

    def sin(self):
        return Tensor(np.sin(self.array), edges=[(self, lambda g, x: g * np.cos(x), self)])

    def exp(self):
        saved = Tensor(np.exp(self.array))  # shares memory and version with the result, without being it
        return Tensor(saved.array, edges=[(self, lambda g, y: g * y, saved)], version=saved.version)

    def detach(self):
        return Tensor(self.array, version=self.version)

    def retain_grad(self):
        self.keeps_grad = True

    def copy_(self, source):
        if recording[-1] and (self.requires_grad or source.requires_grad):
            raise RuntimeError("an in-place write cannot be recorded here; write under no_grad()")
        self.array[...] = source.array
        self.version[0] += 1

    def backward(self, gradient=1.0, retain_graph=False):
        arrived = {self: constant(gradient).array}
        if not self.requires_grad or arrived[self].shape != self.array.shape:
            raise RuntimeError("backward() needs a tensor that requires grad, and a gradient of its shape")
        while arrived:
            tensor = max(arrived, key=lambda t: t.seq)  # the newest: everything computed from it is done
            g = arrived.pop(tensor)
            if tensor.keeps_grad:
                tensor.grad = Tensor(g + (tensor.grad.array if tensor.grad else 0))  # an array of its own
            if tensor.released:
                raise RuntimeError("Trying to backward through the graph a second time; use retain_graph=True")
            for parent, rule, saved in tensor.edges:
                if any(t.version[0] != version for t, version in saved):
                    raise RuntimeError("a value needed for backward was modified by an inplace operation")
                arrived[parent] = arrived.get(parent, 0) + rule(g, *[t.array for t, _ in saved])
            if not retain_graph and any(saved for _, _, saved in tensor.edges):
                tensor.edges, tensor.released = [], True


def constant(value):
    return value if isinstance(value, Tensor) else Tensor(value)


def tensor(data, requires_grad=False):
    return Tensor(np.array(data, float), requires_grad)


class no_grad:
    def __enter__(self):
        recording.append(False)

    def __exit__(self, *_exception):
        recording.pop()
