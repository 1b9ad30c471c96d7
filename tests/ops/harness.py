"""What is true of every op: its values and gradients, to second order, are PyTorch's and the central differences'.

A family lists its `SAMPLES` in `samples_<family>.py`, which lies in `tests` where the family lies in the package;
`test_samples.py` runs every check here on every sample.
"""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

import autograd_core as ac

ROOT = Path(__file__).parents[2]
EXACT = {"rtol": 1e-9, "atol": 1e-11}  # float64
SINGLE = {"rtol": 1e-4, "atol": 2e-5}  # where float32 takes part: the two libraries round in different places


@dataclass
class Sample:
    """One call of an op: `f(T, *tensors)` with T = torch and T = autograd_core.

    Floating `inputs` become leaves that require gradients, the others constants. `second=False` leaves the second order
    out, `grad=False` the gradients altogether; `smooth=False` leaves out the differences, for a point on a kink.
    `torch_f` stands in for `f` where PyTorch needs another spelling.
    """

    name: str
    f: Callable
    inputs: tuple
    second: bool = True
    grad: bool = True
    torch_f: Callable | None = None
    smooth: bool = True

    def __post_init__(self):
        self.inputs = tuple(np.array(a, order="C") for a in self.inputs)

    def generator(self) -> np.random.Generator:
        """Random numbers that belong to this sample; pytest shows the seed when a check fails."""
        seed = zlib.crc32(self.name.encode())
        print(f"sample {self.name!r}: numpy seed {seed}")
        return np.random.default_rng(seed)

    def function(self, T) -> Callable:
        """`f` or its stand-in, bound to a library; it returns a list of outputs."""
        f = self.torch_f if T is torch and self.torch_f else self.f

        def call(*tensors) -> list:
            result = f(T, *tensors)
            return list(result) if isinstance(result, (tuple, list)) else [result]

        return call


def sample_files() -> list[Path]:
    """The files of samples, one for each family that has any."""
    return sorted((ROOT / "tests").rglob("samples_*.py"))


def samples_in(path: Path) -> list[Sample]:
    """The samples of one family."""
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return importlib.import_module(module).SAMPLES


def samples() -> list[Sample]:
    """All samples of all families."""
    return [sample for path in sample_files() for sample in samples_in(path)]


def leaves(T, arrays, requires_grad=True) -> list:
    """Tensors on copies of `arrays`, with their memory layout; floating ones are leaves that require gradients."""
    tensors = []
    for array in arrays:
        tensor = T.from_numpy(array.copy() if array.flags.c_contiguous else array)
        tensors.append(tensor.requires_grad_() if requires_grad and array.dtype.kind == "f" else tensor)
    return tensors


def floating(tensors) -> list:
    """Those of `tensors` that require gradients."""
    return [t for t in tensors if hasattr(t, "requires_grad") and t.requires_grad]


def as_array(value):
    """A tensor of either library as an array; any other value as it is."""
    if isinstance(value, torch.Tensor):
        return value.numpy(force=True)
    return value.detach().numpy() if isinstance(value, ac.Tensor) else value


def assert_same(got, wanted, what: str) -> None:
    """Assert two lists of results equal: kind, shape, dtype, and values but for rounding. NaN equals NaN."""
    kinds = {as_array(b).dtype for b in wanted if isinstance(b, torch.Tensor)}
    tolerance = SINGLE if kinds & {np.dtype(np.float16), np.dtype(np.float32)} else EXACT
    assert len(got) == len(wanted), f"{what}: {len(got)} results, torch has {len(wanted)}"
    for i, (a, b) in enumerate(zip(got, wanted)):
        where = f"{what}, result {i}"
        assert isinstance(a, ac.Tensor) == isinstance(b, torch.Tensor), f"{where}: got {a!r}, torch has {b!r}"
        a, b = as_array(a), as_array(b)
        if isinstance(b, np.ndarray):
            assert a.shape == b.shape, f"{where}: shape {a.shape}, torch has {b.shape}"
            assert a.dtype == b.dtype, f"{where}: dtype {a.dtype}, torch has {b.dtype}"
            np.testing.assert_allclose(a, b, err_msg=where, **tolerance)
        else:
            assert a == b, f"{where}: {a!r}, torch has {b!r}"


def seeds_for(outputs, rng) -> list[np.ndarray]:
    """A random seed for each output that requires gradients."""
    return [
        rng.uniform(0.5, 1.5, tuple(o.shape)).astype(as_array(o).dtype) if o.requires_grad else None
        for o in outputs
        if hasattr(o, "requires_grad")
    ]


def vjp(T, sample: Sample, arrays, seeds) -> list:
    """Gradients of the outputs, weighted by the seeds, for every floating input; None where there is none."""
    tensors = leaves(T, arrays)
    outputs = [o for o in sample.function(T)(*tensors) if hasattr(o, "requires_grad")]
    pairs = [(o, T.from_numpy(s)) for o, s in zip(outputs, seeds) if o.requires_grad]
    return list(T.autograd.grad([o for o, _ in pairs], floating(tensors), [s for _, s in pairs], allow_unused=True))


def second_order(T, sample: Sample, arrays, seeds, weights) -> list:
    """Gradients, for every input and every seed, of a weighted sum of the gradients; zeros where there is none."""
    tensors = leaves(T, arrays)
    outputs = [o for o in sample.function(T)(*tensors) if hasattr(o, "requires_grad")]
    pairs = [(o, T.from_numpy(s).requires_grad_()) for o, s in zip(outputs, seeds) if o.requires_grad]
    xs, vs = floating(tensors), [s for _, s in pairs]
    first = T.autograd.grad([o for o, _ in pairs], xs, vs, create_graph=True, allow_unused=True)
    kept = [(g, T.from_numpy(w)) for g, w in zip(first, weights) if g is not None and g.requires_grad]
    if not kept:
        return [T.zeros_like(t) for t in xs + vs]
    return list(T.autograd.grad([g for g, _ in kept], xs + vs, [w for _, w in kept], materialize_grads=True))


def laid_out_otherwise(array: np.ndarray) -> np.ndarray:
    """The same values with axes reversed in memory and gaps between the elements."""
    wide = np.zeros((*array.shape[::-1], 2), array.dtype)
    other = wide[..., 0].transpose()
    other[...] = array
    return other


def second_backward(T, sample: Sample, arrays) -> str:
    """What a second backward through the same graph does: "ok", or the type of the error."""
    outputs = floating(sample.function(T)(*leaves(T, arrays)))
    ones = [T.ones_like(o) for o in outputs]
    T.autograd.backward(outputs, ones)
    try:
        T.autograd.backward(outputs, ones)
    except Exception as error:
        return type(error).__name__
    return "ok"
