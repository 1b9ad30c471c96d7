"""Making tensors: from data, filled, in a range, and shaped like another."""

from __future__ import annotations

import functools
import math
import warnings
from operator import index

import numpy as np

from ...core import dtypes
from ...core.device import check_device, check_layout, contiguous_format, is_row_major
from ...core.modes import current_mode, tell
from ...core.results import written_out
from ...core.silence import nameless
from ...core.tensor import Tensor, warn_leaving, with_requires_grad, wrap
from ...core.whole_numbers import whole
from ..floats_only import refuse_type

__all__ = [
    "arange",
    "as_tensor",
    "asarray",
    "empty",
    "empty_like",
    "eye",
    "from_numpy",
    "full",
    "full_like",
    "linspace",
    "ones",
    "ones_like",
    "scalar_tensor",
    "tensor",
    "zeros",
    "zeros_like",
]
METHODS = ["new_empty", "new_full", "new_ones", "new_tensor", "new_zeros"]


def finish(
    name: str, array, requires_grad: bool, device=None, layout=None, pin_memory=False, *, out=None, made_from=()
) -> Tensor:
    """Wrap the new array of factory `name`, and make it a leaf that requires gradients if asked, whatever the mode.

    Or, with `out`, write it there.
    """
    if device is not None:
        check_device(device)
    if layout is not None or pin_memory:
        check_layout(name, layout, pin_memory)
    if not isinstance(requires_grad, bool):
        raise TypeError(
            f"{name}(): argument 'requires_grad' must be bool, not {type(requires_grad).__name__} ({requires_grad!r})"
        )
    if out is not None:
        return with_requires_grad(written_out(name, wrap(array), out), requires_grad or out.requires_grad)
    made = wrap(array)
    if requires_grad:
        made.requires_grad = True
    if current_mode().observers:
        tell("tensor", (made_from,), (made,))
    return made


_NUMBERS = {bool, int, float}


def _plain(data):
    """Nested sequences with tensors in them, as NumPy can read them."""
    if isinstance(data, Tensor):
        warn_leaving(data)
        return data._array
    if not is_sequence(data):
        return data
    return data if type(data) is list and _NUMBERS.issuperset(map(type, data)) else [_plain(item) for item in data]


def is_sequence(data) -> bool:
    """Whether data is a sequence of elements or further sequences: a list, a range, a deque; no array, text or dict."""
    if isinstance(data, (list, tuple)):
        return True
    return (
        hasattr(data, "__getitem__")
        and hasattr(data, "__len__")
        and not (hasattr(data, "__array__") or isinstance(data, (str, bytes, dict, np.generic)))
    )


def _element_types(data) -> set:
    """The NumPy types of the elements of nested sequences; a Python float counts as the default dtype."""
    if is_sequence(data):
        kinds = set(map(type, data))
        if kinds <= _NUMBERS:
            return {dtypes.result_type(kind()) for kind in kinds}
        return set().union(*map(_element_types, data))
    if isinstance(data, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'; tensors hold numbers")
    if not (isinstance(data, (bool, int, float, complex)) or hasattr(data, "dtype") or hasattr(data, "__array__")):
        raise RuntimeError(f"Could not infer dtype of {type(data).__name__}: {data!r} is no number and no sequence")
    return {dtypes.result_type(data._array if isinstance(data, Tensor) else data)}


def _array_of(data, dtype) -> np.ndarray:
    """A new array of type `dtype`, or of the type that all its elements promote to."""
    if type(data) is float and dtype is None:
        return np.array(data, dtypes.get_default_dtype().numpy)
    if not isinstance(data, Tensor) and hasattr(data, "detach"):  # a tensor of PyTorch's
        data = data.detach().numpy()
    types = _element_types(data)
    kind = functools.reduce(dtypes.promote_types, types) if types else dtypes.get_default_dtype().numpy
    kind = dtypes.as_dtype(kind if dtype is None else dtype).numpy
    plain = data._array if isinstance(data, Tensor) else _plain(data)
    try:
        array = np.array(plain)
    except ValueError as error:
        raise ValueError(f"expected a number or nested sequences of equal lengths: {error}") from None
    if kind.kind in "iu" and array.dtype != kind and not isinstance(data, (np.ndarray, Tensor)):
        array = _as_integers(array if array.dtype.kind in "bi" else np.array(plain, object), kind)
    return array.astype(kind)


def _as_integers(array, kind: np.dtype) -> np.ndarray:
    """Bools, ints, or numbers exactly as Python holds them, as int64, if the integer type `kind` holds them all.

    Unsigned types take negative ints, wrapped.
    """
    from_float = array.dtype == object and any(isinstance(number, float) for number in array.flat)
    with np.errstate(invalid="ignore"):  # a NaN fits nowhere
        fits = (array >= dtypes.lowest(kind, from_float)) & (array <= dtypes.LIMITS[kind][1])
    for number in array[~fits].flat:
        beyond_64_bits = isinstance(number, int) and not -(2**63) <= number < 2**63
        raise (ValueError if beyond_64_bits else RuntimeError)(dtypes.overflow(number, kind))
    return array.astype(np.int64)


COPY_OF_TENSOR = (
    "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
    "sourceTensor.detach().clone().requires_grad_(True): that says that the copy has no history."
)


def tensor(data, *, dtype=None, device=None, requires_grad: bool = False, pin_memory: bool = False) -> Tensor:
    """A new leaf with a copy of `data`: a number, nested sequences, an array or a tensor, also one of PyTorch's.

    Of a tensor the values are taken, without its history.

    Python floats get the default dtype, ints int64, bools bool. RuntimeError for `requires_grad` where that is not
    floating, and for a number that an integer dtype cannot hold (ValueError if int64 cannot either); TypeError for
    complex data. UserWarning where `data` is a tensor: `clone` says better what is meant.

    >>> import autograd_core as ac
    >>> ac.tensor([1.0, 2.0], requires_grad=True)
    tensor([1., 2.], requires_grad=True)
    """
    if isinstance(data, Tensor):
        warnings.warn(COPY_OF_TENSOR, UserWarning, stacklevel=2)
    return finish("tensor", _array_of(data, dtype), requires_grad, device, None, pin_memory, made_from=data)


def from_numpy(ndarray) -> Tensor:
    """A tensor on the memory of a NumPy array: a write to either is seen by both. TypeError for anything but an array.

    >>> import numpy as np, autograd_core as ac
    >>> a = np.zeros(2); t = ac.from_numpy(a); a[0] = 5.0; t
    tensor([5., 0.], dtype=autograd_core.float64)
    """
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__}); use ac.tensor(...) for other data")
    dtypes.as_dtype(ndarray.dtype)
    if not ndarray.dtype.isnative:
        raise ValueError(
            f"given array has byte order {ndarray.dtype.byteorder!r}; convert it with .astype({ndarray.dtype.name!r})"
        )
    out = wrap(dtypes.with_own_dtype(ndarray))
    tell("from_numpy", (), (out,))
    return out


def as_tensor(data, dtype=None, device=None) -> Tensor:
    """`data` as a tensor, sharing memory where its type allows; a tensor of the right dtype is returned as it is.

    >>> import autograd_core as ac
    >>> ac.as_tensor([1, 2])
    tensor([1, 2])
    """
    check_device(device)
    if isinstance(data, Tensor):
        return data if dtype is None or data.dtype == dtypes.as_dtype(dtype) else data.to(dtype)
    if isinstance(data, np.ndarray) and (dtype is None or data.dtype == dtypes.as_dtype(dtype).numpy):
        return from_numpy(data)
    return tensor(data, dtype=dtype)


def asarray(obj, *, dtype=None, device=None, copy: bool | None = None, requires_grad: bool | None = None) -> Tensor:
    """`obj` as a tensor: its memory shared where its type allows, or always (`copy=False`), or never (`copy=True`).

    A tensor keeps its history and whether it requires gradients, unless `requires_grad` says. ValueError for memory
    that cannot be shared, RuntimeError for integers that are to require gradients.

    >>> import autograd_core as ac, numpy as np
    >>> a = np.array([1.0, 2.0])
    >>> shared, own = ac.asarray(a), ac.asarray(a, copy=True)
    >>> a[0] = 9; shared[0].item(), own[0].item()
    (9.0, 1.0)
    """
    if copy is False and not isinstance(obj, (Tensor, np.ndarray)):
        raise ValueError("can't alias arbitrary sequence into a tensor: pass copy=True, or a tensor or an array")
    made = as_tensor(obj, dtype=dtype, device=device)
    if copy is False and made.dtype is not dtypes.as_dtype(obj.dtype):
        raise ValueError(f"can't alias tensor with dtype {obj.dtype} into dtype {made.dtype}.")
    if copy and (made is obj or isinstance(obj, np.ndarray)):
        made = made.clone()
    if requires_grad is None or (made is obj and requires_grad == obj.requires_grad):
        return made
    return made.detach().requires_grad_(requires_grad)


def array_of(x) -> np.ndarray:
    """The values of a tensor or an array, where they are only looked at."""
    return x._array if isinstance(x, Tensor) else x


# -- filled with one value


def sizes(name: str, lengths: tuple, size=None) -> tuple[int, ...]:
    """The shape given to factory `name` as separate ints, as one sequence, or by the keyword `size`.

    TypeError for a length that is no integer, RuntimeError for a negative one.
    """
    if size is not None and lengths:
        raise TypeError(f"{name}() got multiple values for argument 'size'")
    size = lengths if size is None else (size,)
    if len(size) == 1 and hasattr(size[0], "__iter__") and getattr(size[0], "ndim", True):
        (size,) = size
    shape = tuple([n if type(n) is int else _length(name, n) for n in size])
    if shape and min(shape) < 0:
        raise RuntimeError(f"{name}(): Trying to create tensor with negative dimension {min(shape)}: {list(shape)}")
    return shape


def _length(name: str, n) -> int:
    try:
        if not isinstance(n, bool):
            return index(n)
    except TypeError:
        pass
    raise TypeError(f"{name}(): argument 'size' must be tuple of ints, but found {n!r} of type {type(n).__name__}")


def kind_for(dtype, out) -> np.dtype:
    """`kind_of` for a factory that may write into `out`, which has a dtype already."""
    return out._array.dtype if dtype is None and out is not None else kind_of(dtype)


def kind_of(dtype) -> np.dtype:
    """The NumPy type of a factory's result: `dtype`, or the default floating one."""
    return (dtypes.get_default_dtype() if dtype is None else dtypes.as_dtype(dtype)).numpy


def zeros(
    *lengths,
    size=None,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """A tensor of zeros; the shape is separate ints, a sequence, or `size=`, `dtype` the default floating one.

    What every factory takes: `device="cpu"`, `layout=ac.strided`, `pin_memory=False`, and `out`, to write into.

    >>> import autograd_core as ac
    >>> ac.zeros(2, 2)
    tensor([[0., 0.],
            [0., 0.]])
    """
    array = np.zeros(sizes("zeros", lengths, size), kind_for(dtype, out))
    return finish("zeros", array, requires_grad, device, layout, pin_memory, out=out)


def ones(
    *lengths,
    size=None,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """A tensor of ones; arguments as in `zeros`.

    >>> import autograd_core as ac
    >>> ac.ones((2,), dtype=ac.int64)
    tensor([1, 1])
    """
    array = np.ones(sizes("ones", lengths, size), kind_for(dtype, out))
    return finish("ones", array, requires_grad, device, layout, pin_memory, out=out)


def empty(
    *lengths,
    size=None,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format=None,
) -> Tensor:
    """A tensor whose values are whatever the memory held; arguments as in `zeros`.

    >>> import autograd_core as ac
    >>> ac.empty(2, 3).shape
    Size([2, 3])
    """
    is_row_major("empty", memory_format, contiguous_format)
    array = np.empty(sizes("empty", lengths, size), kind_for(dtype, out))
    return finish("empty", array, requires_grad, device, layout, pin_memory, out=out)


def _number(name: str, value):
    """A 0-d tensor or a NumPy scalar as a Python number; a number as it is."""
    if isinstance(value, Tensor) and value.requires_grad:
        raise TypeError(
            f"{name}() takes a number and must not be given a Tensor that requires grad: its history would end here "
            "unseen. Use detach(), or compute with the tensor"
        )
    return value.item() if isinstance(value, (Tensor, np.generic)) else value


def _full(shape, number, kind: np.dtype) -> np.ndarray:
    return np.full(shape, dtypes.stored(number, kind), kind)


def full(
    size,
    fill_value,
    *,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """A tensor of shape `size` (a sequence) filled with a number, whose type decides the dtype unless one is given.

    RuntimeError for a number that the dtype does not hold, OverflowError for an int of more than 64 bits.

    >>> import autograd_core as ac
    >>> ac.full((2,), 7), ac.full((2,), 0.5)
    (tensor([7, 7]), tensor([0.5000, 0.5000]))
    """
    number = _number("full", fill_value)
    kind = dtypes.result_type(number) if dtype is None and out is None else kind_for(dtype, out)
    array = _full(sizes("full", (size,)), number, kind)
    return finish("full", array, requires_grad, device, layout, pin_memory, out=out)


def scalar_tensor(
    s, *, dtype=None, layout=None, device=None, pin_memory: bool = False, requires_grad: bool = False
) -> Tensor:
    """A number as a 0-d tensor of the default floating dtype, unless another is given.

    >>> import autograd_core as ac
    >>> ac.scalar_tensor(1)
    tensor(1.)
    """
    array = _full((), _number("scalar_tensor", s), kind_of(dtype))
    return finish("scalar_tensor", array, requires_grad, device, layout, pin_memory)


def _like(name: str, input, value, dtype, place: tuple, memory_format=None):
    """`value` in the shape of `input`. An array gives an array, so that rules can call this."""
    array = array_of(input)
    kind = array.dtype if dtype is None else kind_of(dtype)
    if not isinstance(input, Tensor):
        return np.zeros(array.shape, kind) if value == 0 else _full(array.shape, value, kind)
    if name == "zeros_like" and memory_format is None and array.flags.c_contiguous:
        filled = np.zeros(array.shape, kind)  # in half the time that filling takes
    else:
        filled = laid_out_like(name, array, kind, memory_format)
        filled.fill(dtypes.stored(value, kind))
    return finish(name, filled, *place)


def laid_out_like(name: str, array, kind: np.dtype, memory_format) -> np.ndarray:
    """Unset memory of the shape of an array, and with the order of its axes unless row-major is asked for."""
    row_major = 0 in array.strides or (memory_format is not None and is_row_major(name, memory_format))
    return np.empty_like(array, kind, "C" if row_major else "K")


def zeros_like(
    input,
    *,
    dtype=None,
    layout=None,
    device=None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format=None,
):
    """Zeros with the shape of `input`, and its dtype unless one is given. No history.

    >>> import autograd_core as ac
    >>> ac.zeros_like(ac.tensor([1, 2]))
    tensor([0, 0])
    """
    place = requires_grad, device, layout, pin_memory
    return _like("zeros_like", input, 0, dtype, place, memory_format)


def ones_like(
    input,
    *,
    dtype=None,
    layout=None,
    device=None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format=None,
):
    """Ones with the shape of `input`, and its dtype unless one is given. No history.

    >>> import autograd_core as ac
    >>> ac.ones_like(ac.tensor([1.5, 2.5]))
    tensor([1., 1.])
    """
    place = requires_grad, device, layout, pin_memory
    return _like("ones_like", input, 1, dtype, place, memory_format)


def full_like(
    input,
    fill_value,
    *,
    dtype=None,
    layout=None,
    device=None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format=None,
):
    """A number in the shape of `input`, and its dtype unless one is given. No history.

    >>> import autograd_core as ac
    >>> ac.full_like(ac.tensor([1.5, 2.5]), 3)
    tensor([3., 3.])
    """
    place = requires_grad, device, layout, pin_memory
    return _like("full_like", input, _number("full_like", fill_value), dtype, place, memory_format)


def empty_like(
    input,
    *,
    dtype=None,
    layout=None,
    device=None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format=None,
):
    """Unset memory with the shape of `input`, and its dtype unless one is given. No history.

    >>> import autograd_core as ac
    >>> ac.empty_like(ac.zeros(2, 3)).shape
    Size([2, 3])
    """
    kind = input._array.dtype if dtype is None else kind_of(dtype)
    array = laid_out_like("empty_like", input._array, kind, memory_format)
    return finish("empty_like", array, requires_grad, device, layout, pin_memory)


# -- methods: a new tensor with the dtype of this one


def new_zeros(
    self,
    *lengths,
    size=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Zeros of shape `size` with this tensor's dtype.

    >>> import autograd_core as ac
    >>> ac.tensor([1, 2]).new_zeros(3)
    tensor([0, 0, 0])
    """
    array = np.zeros(sizes("new_zeros", lengths, size), self._array.dtype if dtype is None else kind_of(dtype))
    return finish("new_zeros", array, requires_grad, device, layout, pin_memory)


def new_ones(
    self,
    *lengths,
    size=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Ones of shape `size` with this tensor's dtype.

    >>> import autograd_core as ac
    >>> ac.tensor([1, 2]).new_ones(3)
    tensor([1, 1, 1])
    """
    array = np.ones(sizes("new_ones", lengths, size), self._array.dtype if dtype is None else kind_of(dtype))
    return finish("new_ones", array, requires_grad, device, layout, pin_memory)


def new_empty(
    self,
    *lengths,
    size=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Unset memory of shape `size` with this tensor's dtype.

    >>> import autograd_core as ac
    >>> ac.tensor([1, 2]).new_empty(3).dtype
    autograd_core.int64
    """
    array = np.empty(sizes("new_empty", lengths, size), self._array.dtype if dtype is None else kind_of(dtype))
    return finish("new_empty", array, requires_grad, device, layout, pin_memory)


def new_full(
    self,
    size,
    fill_value,
    *,
    dtype=None,
    layout=None,
    device=None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """A number in shape `size` with this tensor's dtype.

    >>> import autograd_core as ac
    >>> ac.tensor([1.0, 2.0]).new_full((3,), 7)
    tensor([7., 7., 7.])
    """
    place = {"layout": layout, "device": device, "pin_memory": pin_memory}
    return full(size, fill_value, dtype=dtype or self.dtype, requires_grad=requires_grad, **place)


def new_tensor(self, data, *, dtype=None, device=None, requires_grad: bool = False, pin_memory: bool = False) -> Tensor:
    """A leaf with a copy of `data` and this tensor's dtype.

    >>> import autograd_core as ac
    >>> ac.tensor([1.0, 2.0]).new_tensor([3, 4])
    tensor([3., 4.])
    """
    if isinstance(data, Tensor):
        warnings.warn(COPY_OF_TENSOR, UserWarning, stacklevel=2)
    array = _array_of(data, self.dtype if dtype is None else dtype)
    return finish("new_tensor", array, requires_grad, device, None, pin_memory)


# -- ranges, and the identity


def arange(
    start,
    end=None,
    step=1,
    *,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """`start`, `start + step`, … up to but not including `end`; with one argument, from 0 up to it.

    int64 if all three are ints, else the default floating dtype. RuntimeError for a step of 0 or the wrong sign.

    >>> import autograd_core as ac
    >>> ac.arange(3), ac.arange(1, 2, 0.5)
    (tensor([0, 1, 2]), tensor([1.0000, 1.5000]))
    """
    start, end = (0, start) if end is None else (start, end)
    start, end, step = [_number("arange", value) for value in (start, end, step)]
    if step == 0:
        raise RuntimeError(f"arange: step must be nonzero, got arange({start}, {end}, {step})")
    if (end - start) * step < 0:
        raise RuntimeError(f"arange: upper bound and lower bound inconsistent with step sign: ({start}, {end}, {step})")
    kind = dtypes.result_type(start, end, step) if dtype is None and out is None else kind_for(dtype, out)
    if kind.kind == "b":
        refuse_type("arange", kind)
    if kind == np.int64 and int(step) == 0:
        raise ValueError(f"arange: step must be nonzero: as int64, that of arange({start}, {end}, {step}) is 0")
    first, last, width = (int(start), int(end), int(step)) if kind == np.int64 else (start, end, step)
    steps = np.arange(math.ceil((last - first) / width))
    first, width = (int(start), int(step)) if kind.kind in "iu" else (start, step)  # cut off before they are added
    array = (first + width * steps).astype(kind)
    return finish("arange", array, requires_grad, device, layout, pin_memory, out=out)


def linspace(
    start,
    end,
    steps: int,
    *,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """`steps` evenly spaced values from `start` to `end`, both included.

    Of an integer dtype, both and then the values lose their fractions. RuntimeError for a negative number of steps, and
    for an end that the dtype does not hold.

    >>> import autograd_core as ac
    >>> ac.linspace(0, 1, 3)
    tensor([0.0000, 0.5000, 1.0000])
    """
    steps = whole("steps", steps)
    if steps < 0:
        raise RuntimeError(f"linspace: number of steps must be non-negative, got {steps}")
    kind = kind_for(dtype, out)
    if kind.kind == "b":
        refuse_type("linspace", kind)
    ends = [dtypes.stored(_number("linspace", end), kind) for end in (start, end)]
    array = _evenly(*ends, steps).astype(kind)
    return finish("linspace", array, requires_grad, device, layout, pin_memory, out=out)


@nameless
def _evenly(start, end, steps: int) -> np.ndarray:
    """The values in float64, counted from the nearer end."""
    width, k = (end - start) / max(steps - 1, 1), np.arange(steps)
    return (
        np.where(k < steps // 2, start + width * k, end - width * (steps - 1 - k)) if steps != 1 else np.full(1, start)
    )


def eye(
    n: int,
    m: int | None = None,
    *,
    out=None,
    dtype=None,
    layout=None,
    device=None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """An n × m matrix (n × n if m is left out) with ones on the diagonal. RuntimeError for a negative size.

    >>> import autograd_core as ac
    >>> ac.eye(2)
    tensor([[1., 0.],
            [0., 1.]])
    """
    array = np.eye(*sizes("eye", (n, n if m is None else m)), dtype=kind_for(dtype, out))
    return finish("eye", array, requires_grad, device, layout, pin_memory, out=out)
