"""Random operations on mixed dtypes, run on PyTorch and here step by step.

Tensors of half to double precision, integers and bools meet each other, Python's numbers and NumPy's. The dtype of
every result and gradient is compared, their values to a few units in the last place, and which operation raises. A
result goes on as a new tensor with PyTorch's numbers, so that every operation starts from equal operands.
"""

import operator

import numpy as np
import torch
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, initialize, precondition, rule

from tests.machines.engines import ENGINES, TwoEngines, going_on
from tests.machines.running import run

FLOATS = ["float16", "float32", "float64"]
DTYPES = [*FLOATS, "int64", "int32", "uint8", "bool"]
SHAPES = [(), (3,), (2, 3), (0, 3)]
ULPS = 8

NUMBERS = [2, -3, 0, True, 0.5, 1e-3, 65536, 1e-6, 7.25]
# Not np.bool_: PyTorch takes it for a float, and True for a bool.
NUMPY_NUMBERS = [np.float16(0.5), np.float32(0.1), np.float64(0.1), np.int64(2), np.int32(-3), np.uint8(7)]

OPERATORS = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
    "<": operator.lt,
    "==": operator.eq,
}
IN_PLACE = {
    "+=": operator.iadd,
    "-=": operator.isub,
    "*=": operator.imul,
    "/=": operator.itruediv,
}
ONE = {
    "neg": lambda T, x: -x,
    "abs": lambda T, x: x.abs(),
    "sin": lambda T, x: x.sin(),
    "exp": lambda T, x: x.exp(),
    "sqrt": lambda T, x: x.sqrt(),
    "log": lambda T, x: x.log(),
    "sigmoid": lambda T, x: x.sigmoid(),
    "tanh": lambda T, x: x.tanh(),
    "relu": lambda T, x: x.relu(),
    "square": lambda T, x: x.square(),
    "reciprocal": lambda T, x: x.reciprocal(),
    "round": lambda T, x: x.round(),
    "floor": lambda T, x: x.floor(),
    "sum": lambda T, x: x.sum(),
    "sum as float64": lambda T, x: x.sum(dtype=T.float64),
    "mean": lambda T, x: x.mean(),
    "prod": lambda T, x: x.prod(),
    "cumsum": lambda T, x: x.cumsum(0),
    "amax": lambda T, x: x.amax(),
    "var": lambda T, x: x.var(),
    "norm": lambda T, x: x.norm(),
    "logsumexp": lambda T, x: x.logsumexp(0),
    "silu": lambda T, x: T.nn.functional.silu(x),
    "softplus": lambda T, x: T.nn.functional.softplus(x),
    "leaky_relu": lambda T, x: T.nn.functional.leaky_relu(x, 0.1),
    # Bounds that half precision has: at a rounded one PyTorch's gradient is that of the rounded bound.
    "clamp": lambda T, x: x.clamp(-0.25, 1.75),
    "clamp, int": lambda T, x: x.clamp(min=1),
    "masked_fill": lambda T, x: x.masked_fill(x > 0, -1e6),
    "where": lambda T, x: T.where(x > 0, x, 0.1),
    "add, alpha": lambda T, x: T.add(x, x, alpha=0.1),
}
TWO = {
    "maximum": lambda T, x, y: T.maximum(x, y),
    "where": lambda T, x, y: T.where(x > 0, x, y),
    "lerp": lambda T, x, y: T.lerp(x, y, 0.1),
    "addcmul": lambda T, x, y: T.addcmul(x, x, y, value=0.1),
    "atan2": lambda T, x, y: T.atan2(x, y),
    "cat": lambda T, x, y: T.cat([x.reshape(-1), y.reshape(-1)]),
    "stack": lambda T, x, y: T.stack([x, y]),
    "mse_loss": lambda T, x, y: T.nn.functional.mse_loss(x, y),
    "copy_": lambda T, x, y: x.clone().copy_(y),
    "setitem": lambda T, x, y: assign(x.clone(), y),
}
# NumPy's numbers as dimensions, sizes, positions and values; n is 0 and f a float.
BY_NUMPY = {
    "sum": lambda T, x, n, f: x.sum(n),
    "mean": lambda T, x, n, f: x.mean(n, keepdim=True),
    "cumsum": lambda T, x, n, f: x.cumsum(dim=n),
    "amax": lambda T, x, n, f: x.reshape(-1).sum(n).amax(n),
    "index": lambda T, x, n, f: x[n],
    "index, slice": lambda T, x, n, f: x[n : n + 1],
    "reshape": lambda T, x, n, f: x.reshape(n - 1),
    "unsqueeze": lambda T, x, n, f: x.unsqueeze(n),
    "transpose": lambda T, x, n, f: x.transpose(n, n - 1),
    "flatten": lambda T, x, n, f: x.flatten(n),
    "expand": lambda T, x, n, f: x.expand(n + 2, *x.shape),
    "roll": lambda T, x, n, f: x.roll(n + 1, n),
    "narrow": lambda T, x, n, f: x.narrow(n, n, n),
    "stack": lambda T, x, n, f: T.stack([x, x], n),
    "softmax": lambda T, x, n, f: x.double().softmax(n),
    "full": lambda T, x, n, f: x.sum() + T.full((n + 2,), f),
    "new_full": lambda T, x, n, f: x.new_full((n + 1,), f),
    "clamp": lambda T, x, n, f: x.clamp(f),
    "where": lambda T, x, n, f: T.where(x > f, x, f),
    "masked_fill": lambda T, x, n, f: x.masked_fill(x > f, f),
    "add, alpha": lambda T, x, n, f: T.add(x, x, alpha=n),
    "pow": lambda T, x, n, f: x.pow(n + 2),
}

# Where PyTorch has no kernel for bools, this package computes.
NOT_FOR_BOOLS = {
    "clamp",
    "cumsum",
    "pow",
    "//",
    "%",
    "**",
    "abs",
    "floor",
    "round",
    "relu",
    "atan2",
    "addcmul",
    "lerp",
    "neg",
}


def assign(x, y):
    x[...] = y
    return x


class Both:
    """One tensor in each engine, with the same numbers."""

    def __init__(self, theirs, ours):
        self.both = theirs, ours

    def __iter__(self):
        return iter(self.both)


class Dtypes(TwoEngines):
    tensors = Bundle("tensors")

    def tensor(self, values, dtype):
        floating = dtype in FLOATS
        return Both(*(T.tensor(values, dtype=getattr(T, dtype), requires_grad=floating) for T in ENGINES))

    @initialize(target=tensors, dtype=st.sampled_from(DTYPES), shape=st.sampled_from(SHAPES), seed=st.integers(0, 99))
    def first(self, dtype, shape, seed):
        return self.leaf(dtype, shape, seed)

    @rule(target=tensors, dtype=st.sampled_from(DTYPES), shape=st.sampled_from(SHAPES), seed=st.integers(0, 99))
    @precondition(going_on)
    def leaf(self, dtype, shape, seed):
        values = np.random.default_rng(seed).integers(-12, 13, shape) / 4
        return self.tensor(np.abs(values) if dtype == "uint8" else values, dtype)

    @rule(target=tensors, x=tensors, dtype=st.sampled_from(DTYPES))
    @precondition(going_on)
    def cast(self, x, dtype):
        numbers = x.both[0].detach().double()
        if (numbers.isfinite() & (numbers >= 0) & (numbers < 256)).all():  # what else is cast is C's affair
            return self.operation(lambda T, x: x.to(getattr(T, dtype)), x)
        return x

    @rule(target=tensors, x=tensors, name=st.sampled_from(list(ONE)))
    @precondition(going_on)
    def one(self, x, name):
        return x if has_bools(x) and name in NOT_FOR_BOOLS else self.operation(ONE[name], x)

    @rule(target=tensors, x=tensors, y=tensors, name=st.sampled_from(list(TWO)))
    @precondition(going_on)
    def two(self, x, y, name):
        # A float weight for integers, a square that overflows in their type, a recorded write into them; and lerp, of
        # integers whose shapes do not fit either, has two faults to name.
        if (has_bools(x, y) and name in NOT_FOR_BOOLS) or (
            name in ("addcmul", "atan2", "copy_", "lerp", "setitem") and not all_floats(x, y)
        ):
            return x
        return self.operation(TWO[name], x, y)

    @rule(target=tensors, x=tensors, y=tensors, name=st.sampled_from(list(OPERATORS)))
    @precondition(going_on)
    def operator(self, x, y, name):
        if has_bools(x, y) and name in NOT_FOR_BOOLS:
            return x
        return self.operation(lambda T, x, y: OPERATORS[name](x, y), x, y)

    @rule(
        target=tensors,
        x=tensors,
        name=st.sampled_from(list(OPERATORS)),
        number=st.sampled_from(NUMBERS + NUMPY_NUMBERS),
        left=st.booleans(),
    )
    @precondition(going_on)
    def with_number(self, x, name, number, left):
        if has_bools(x) and name in NOT_FOR_BOOLS:
            return x
        if rounds(x, number):
            return x
        # PyTorch has no derivative of these, or brings the number to half precision first.
        if name in ("//", "%", "**") and (left or x.both[0].dtype in (torch.float16, torch.uint8)):
            return x
        if name in ("//", "%") and number == 0:  # refused here even where there is no element
            return x
        # A NumPy number on the left is compared as it is; PyTorch brings it to the bytes of the tensor first.
        if left and name in ("<", "==") and isinstance(number, np.generic):
            return x
        act = OPERATORS[name]
        return self.operation(lambda T, x: act(number, x) if left else act(x, number), x)

    @rule(
        target=tensors,
        x=tensors,
        name=st.sampled_from(list(BY_NUMPY)),
        n=st.sampled_from([np.int64(0), np.int32(0), np.uint8(1)]),
        f=st.sampled_from([np.float64(0.5), np.float32(0.5), np.float16(0.5), np.int64(1)]),
    )
    @precondition(going_on)
    def by_numpy(self, x, name, n, f):
        if has_bools(x) and name in NOT_FOR_BOOLS:
            return x
        return self.operation(lambda T, x: BY_NUMPY[name](T, x, n, f), x)

    @rule(
        target=tensors, x=tensors, name=st.sampled_from(list(IN_PLACE)), number=st.sampled_from(NUMBERS + NUMPY_NUMBERS)
    )
    @precondition(going_on)
    def write_number(self, x, name, number):
        if rounds(x, number):
            return x
        return self.operation(lambda T, x: IN_PLACE[name](x.clone(), number), x)

    @rule(target=tensors, x=tensors, y=tensors, name=st.sampled_from(list(IN_PLACE)))
    @precondition(going_on)
    def write_tensor(self, x, y, name):
        return self.operation(lambda T, x, y: IN_PLACE[name](x.clone(), y), x, y)

    def operation(self, action, *operands):
        """Run an operation and its gradients; its result as a new tensor, or the first operand where it raises."""
        results = self.step(action, *operands)
        self.over = False  # what raises leaves all as it was
        if results is None:
            return operands[0]
        theirs, ours = results
        dtype = agree(theirs, ours, "the result")
        if theirs.isnan().any():  # a NaN stays one here, in gradients too, where PyTorch has 0 at times
            return operands[0]
        if theirs.requires_grad:
            self.note("gradients")
            leaves = [x for x in operands if x.both[0].requires_grad]
            found = self.step(gradients, Both(theirs, ours), Both(*zip(*leaves)))
            least = max(eps_of(x.both[0]) for x in leaves)  # PyTorch multiplies half by a number in half
            self.over = False
            for a, b in zip(*(found or ())):
                agree(a, b, "a gradient", least, theirs.numel())
        values = theirs.detach().numpy()
        fits_half = (np.abs(values.astype(np.float64)) < 60_000).all()
        return self.tensor(values, dtype) if fits_half else operands[0]


def has_bools(*pairs) -> bool:
    return any(pair.both[0].dtype is torch.bool for pair in pairs)


def rounds(pair, number) -> bool:
    """Whether PyTorch brings the number to half precision first: one that is infinite there, or beside no axes."""
    return pair.both[0].dtype is torch.float16 and (pair.both[0].ndim == 0 or (type(number) is int and number == 65536))


def all_floats(*pairs) -> bool:
    return all(pair.both[0].is_floating_point() for pair in pairs)


def gradients(T, out, leaves):
    seed = T.arange(1, out.numel() + 1).reshape(out.shape).to(out.dtype)
    return T.autograd.grad(out, leaves, seed, allow_unused=True, materialize_grads=True)


def eps_of(tensor) -> float:
    return torch.finfo(tensor.dtype).eps if tensor.is_floating_point() else 0.0


def agree(theirs, ours, what, eps=0.0, scale=0.0):
    """Compare two tensors, and return the name of their dtype. `scale` is the size of what may have canceled."""
    dtype = str(theirs.dtype).removeprefix("torch.")
    assert str(ours.dtype).rpartition(".")[2] == dtype, f"{what}: {ours.dtype} for {theirs.dtype}"
    a, b = ours.detach().numpy(), theirs.detach().numpy()
    assert a.shape == b.shape
    eps = max(eps, eps_of(theirs))
    scale = max(scale, np.abs(b[np.isfinite(b)]).max(initial=0.0).astype(np.float64))
    np.testing.assert_allclose(
        a.astype(np.float64), b.astype(np.float64), rtol=ULPS * eps, atol=ULPS * eps * scale, err_msg=what
    )
    return dtype


def test_random_dtypes_agree_with_torch():
    run(Dtypes, steps=12)
