"""What the tests of the explicit runtime share: a runtime with an engine, and short ways to say what is expected."""

import numpy as np
import pytest

from autograd_core import eager


class World:
    """A runtime and a serial engine."""

    def __init__(self):
        self.rt, self.engine = eager.EagerRuntime(), eager.CpuEngine.serial()
        self.var, self.const = self.rt.variable_from, self.rt.constant_from

    def run(self, program, *tensors):
        """`program(s, *tensors)` in a session."""
        return self.rt.with_eager_session(self.engine, lambda s: program(s, *tensors))

    def total(self, tensor):
        """The sum over all elements."""
        return self.run(lambda s: s.reduce_sum(tensor, None))

    def square(self, x):
        """x² element by element, and its sum."""
        return self.run(lambda s: (y := s.mul(x, x), s.reduce_sum(y, None)))

    def grad(self, output, x):
        """The gradient as an array."""
        return self.rt.grad(self.engine, output, x).value()


def equal(actual, expected) -> None:
    """The same bits, and the same shape."""
    np.testing.assert_array_equal(np.asarray(actual), np.asarray(expected), strict=np.ndim(actual) > 0)


def refused(kind: str, text: str = ""):
    """A context in which an EagerError of this kind is raised, with this text in it."""
    return _Refused(kind, text)


class _Refused:
    def __init__(self, kind, text):
        self.kind, self.text = kind, text

    def __enter__(self):
        self.raises = pytest.raises(eager.EagerError)
        self.info = self.raises.__enter__()
        return self.info

    def __exit__(self, *exception):
        handled = self.raises.__exit__(*exception)
        assert self.info.value.kind == self.kind, self.info.value
        assert self.text in str(self.info.value)
        return handled
