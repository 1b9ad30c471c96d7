"""PyTorch's op database as an examiner: its entries, and their samples as the arguments of either library."""

from __future__ import annotations

import types
import zlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np
import torch
from torch.testing._internal.common_methods_invocations import op_db

import autograd_core as ac

from .claims import LEFT_OUT

SAMPLES = 25  # of an entry, in the whole form
NUMPY_AXES = 64  # the most that an array can have
RTOL = {"float64": 1e-7, "float32": 1e-4, "float16": 1e-2}


def name_of(op) -> str:
    """The name of an entry: that of its op and, after a dot, its variant."""
    return f"{op.name}.{op.variant_test_name}" if op.variant_test_name else op.name


DIFFERENTIABLE = {name_of(op): op for op in op_db if op.supports_autograd and torch.float64 in op.backward_dtypes}
CLAIMED = {name: op for name, op in DIFFERENTIABLE.items() if name not in LEFT_OUT}


class NotReal(Exception):
    """A sample has an argument of a kind that autograd_core leaves out."""


@lru_cache(maxsize=8)
def samples(name: str, number: int) -> list:
    """The first samples of an entry that draw no random numbers, in float64 and always the same."""
    torch.manual_seed(0)
    every = CLAIMED[name].sample_inputs("cpu", torch.float64, requires_grad=True)
    return list(islice((sample for sample in every if not sample.kwargs.get("dropout_p")), number))


def error_samples(name: str) -> Iterator:
    """The calls that PyTorch says must fail."""
    torch.manual_seed(0)
    yield from CLAIMED[name].error_inputs("cpu") if CLAIMED[name].error_inputs_func else ()


def generator(name: str, sample: int) -> np.random.Generator:
    """Random numbers that belong to one sample of an entry; pytest shows the seed when a check fails."""
    seed = zlib.crc32(f"{name} {sample}".encode())
    print(f"{name}, sample {sample}: numpy seed {seed}")
    return np.random.default_rng(seed)


class Call:
    """One sample of an entry, ready to run in the library `T`; `leaves` are its inputs that require gradients.

    `wrap` may put something else, such as a dual, in the place of a leaf.
    """

    def __init__(self, T, name: str, sample, wrap: Callable | None = None):
        self.T, self.wrap = T, wrap
        self.leaves: list = []
        self._converted: dict[int, Any] = {}
        op = CLAIMED[name]
        self.function = self._in_library(op.op) if T is torch or from_tests(op.op) else named(op.name)
        self.around = self._in_library(_around(op.gradcheck_wrapper))
        self.select = self._in_library(getattr(sample, "output_process_fn_grad", lambda out: out))
        self.args = self._converted_value((sample.input, *sample.args))
        self.kwargs = self._converted_value(sample.kwargs)

    def run(self) -> list:
        """The tensors of the result that the sample says are to be looked at."""
        return list(tensors(self.select(self.around(self.function, *self.args, **self.kwargs))))

    def _converted_value(self, value):
        if isinstance(value, torch.Tensor):
            if id(value) not in self._converted:  # an input that is given twice stays one
                self._converted[id(value)] = self._tensor(value)
            return self._converted[id(value)]
        if isinstance(value, dict):
            return {k: self._converted_value(v) for k, v in value.items() if k != "memory_format"}  # no values change
        if type(value) in (list, tuple, torch.Size):
            return (list if type(value) is list else tuple)(map(self._converted_value, value))
        if self.T is ac and isinstance(value, torch.dtype):
            return getattr(ac, str(value).removeprefix("torch."), value)
        if self.T is ac and isinstance(value, torch.device):
            return str(value)
        if isinstance(value, complex):
            raise NotReal(repr(value))
        if isinstance(value, torch.nn.PairwiseDistance):
            return self.T.nn.functional.pairwise_distance
        return value

    def _tensor(self, value: torch.Tensor):
        if value.layout is not torch.strided or value.is_complex() or value.dtype is torch.bfloat16 or value.is_meta:
            raise NotReal(f"{value.layout} {value.dtype} on {value.device}")
        if value.ndim > NUMPY_AXES:
            raise NotReal(f"{value.ndim} axes")
        memory = torch.empty(0, dtype=value.dtype).set_(value.untyped_storage()).numpy().copy()
        memory, geometry = self.T.from_numpy(memory), (tuple(value.shape), value.stride(), value.storage_offset())
        tensor = self.T.as_strided(memory, *geometry).detach().requires_grad_(value.requires_grad)
        if value.requires_grad:
            tensor = self.wrap(tensor) if self.wrap else tensor
            self.leaves.append(tensor)
        return tensor

    def _in_library(self, function: Callable):
        """A function of PyTorch's tests on autograd_core: the same code, in which `torch` is `ac`."""
        if self.T is torch or not from_tests(function):
            return function
        scope = {**function.__globals__, "torch": ac}
        code = types.FunctionType(function.__code__, scope, "", function.__defaults__, function.__closure__)
        code.__kwdefaults__ = function.__kwdefaults__
        return code


def from_tests(function) -> bool:
    """Whether a function is one of PyTorch's test code, rather than of its interface."""
    return isinstance(function, types.FunctionType) and function.__module__.startswith("torch.testing")


# What these do around an op is of no use here: no sample draws random numbers, and the other two look into PyTorch's
# private parts to blank what a mask takes out of a result, which both libraries fill alike.
UNUSED_WRAPPERS = (
    "gradcheck_wrapper_masked_operation",
    "gradcheck_wrapper_masked_pointwise_operation",
    "wrapper_set_seed",
)


def _around(wrapper: Callable) -> Callable:
    """What an entry does around its op, such as making the input symmetric."""
    return _plain if wrapper.__name__ in UNUSED_WRAPPERS else wrapper


def _plain(op, *args, **kwargs):
    return op(*args, **kwargs)


def named(path: str):
    """The function of autograd_core at a dotted path, or else the Tensor's method of that name."""
    found: Any = ac
    try:
        for part in path.split("."):
            found = getattr(found, part)
    except AttributeError:
        if "." in path:
            raise
        found = getattr(ac.Tensor, path)
    return found


def tensors(result) -> Iterator:
    """The tensors of a result, however nested."""
    if isinstance(result, (torch.Tensor, ac.Tensor)):
        yield result
    elif isinstance(result, (tuple, list)):
        for part in result:
            yield from tensors(part)


def array_of(tensor) -> np.ndarray:
    """The values of a tensor of either library."""
    return tensor.numpy(force=True) if isinstance(tensor, torch.Tensor) else tensor.detach().numpy()


def floating(outputs: list) -> list:
    """The outputs that a gradient can start from."""
    return [out for out in outputs if out.requires_grad]


def assert_same(ours: list, theirs: list, what: str, inputs=()) -> None:
    """As many tensors, of the same shapes and dtypes and, but for rounding, values; None where PyTorch has None.

    Rounding is that of the least precise tensor among the results and the `inputs`.
    """
    precisions = [RTOL.get(array_of(t).dtype.name, 0.0) for t in (*theirs, *inputs) if t is not None]
    rtol = max(precisions, default=0.0)
    assert len(ours) == len(theirs), f"{what}: {len(ours)} tensors, torch has {len(theirs)}"
    for i, (mine, wanted) in enumerate(zip(ours, theirs)):
        where = f"{what} {i}"
        if mine is None or wanted is None:
            assert mine is None and wanted is None, f"{where}: {mine!r}, torch has {wanted!r}"
            continue
        a, b = array_of(mine), array_of(wanted)
        assert a.shape == b.shape, f"{where}: shape {a.shape}, torch has {b.shape}"
        assert a.dtype == b.dtype, f"{where}: dtype {a.dtype}, torch has {b.dtype}"
        size = np.abs(b[np.isfinite(b)]).max(initial=1.0) if b.dtype.kind == "f" else 1.0
        np.testing.assert_allclose(a, b, rtol=rtol, atol=1e-3 * rtol * size, err_msg=where)
