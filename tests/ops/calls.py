"""Calls and inputs that the samples of several families share."""

import numpy as np

from tests.ops.harness import Sample

LINE = np.array([-1.7, -0.4, 0.3, 1.2])
INSIDE = np.array([[-0.9, -0.2], [0.1, 0.8]])  # of (-1, 1)
POSITIVE = np.array([[0.2, 0.7, 1.0], [1.5, 3.0, 9.0]])
ROW, COLUMN = np.array([[0.5, -1.5, 2.5]]), np.array([[1.2], [-0.7]])
SHAPES = {"0-d": np.array(0.6), "empty": np.zeros((0, 3)), "size-1 axes": np.array([[[0.3]]])}
INF, NAN = np.inf, np.nan


def words(text):
    return text.split()


def one(name, x, **options):
    """`T.name(x)` on a line of numbers, and on the odd shapes."""
    x = np.asarray(x)
    call = lambda T, x: getattr(T, name)(x)  # noqa: E731
    odd = [
        Sample(f"{name} {shape}", call, (a + 1 if name == "acosh" else a,), **options) for shape, a in SHAPES.items()
    ]
    return [Sample(name, call, (x,), **options), *odd]


def two(name, x, y, **options):
    """`T.name(x, y)` as given, broadcast, and on the odd shapes."""
    call = lambda T, x, y: getattr(T, name)(x, y)  # noqa: E731
    pairs = {
        "": (x, y),
        " broadcast": (np.abs(ROW), np.abs(COLUMN) + 0.1),
        " 0-d with a row": (np.array(0.6), np.abs(ROW) + 0.15),
        " empty": (np.zeros((0, 3)), np.ones(3)),
        " 0-d": (np.array(0.6), np.array(0.7)),
    }
    return [Sample(name + what, call, pair, **options) for what, pair in pairs.items()]


def method(name, x, *args, **options):
    """`x.name(*args)` on a copy, so that in-place forms can be called on what requires gradients."""
    shown = ", ".join(repr(a) for a in args)
    return Sample(f".{name}({shown})", lambda T, x: getattr(x * 1.0, name)(*args), (np.asarray(x),), **options)


def at_kinks(name, call, *inputs):
    """A sample on kinks and ties, where central differences do not apply."""
    return Sample(name, call, inputs, smooth=False)


def call(name, *constants, **options):
    """The function `name`, on the inputs and then on constants (arrays), with keyword options (arrays become constant
    tensors).
    """

    def f(T, *tensors):
        kind = tensors[0].dtype

        def as_given(value):
            if not isinstance(value, np.ndarray):
                return value
            tensor = T.from_numpy(value.copy())
            return tensor.to(kind) if value.dtype.kind == "f" else tensor

        named = {key: as_given(value) for key, value in options.items()}
        return getattr(T.nn.functional, name)(*tensors, *[as_given(value) for value in constants], **named)

    return f


def each_reduction(title, name, inputs, *constants, second=True, **options):
    return [
        Sample(f"{title} {reduction}", call(name, *constants, reduction=reduction, **options), inputs, second=second)
        for reduction in ("mean", "sum", "none")
    ]
