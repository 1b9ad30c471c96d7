"""`assert_close`: are two results equal up to rounding?"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import numpy as np

from ..core.tensor import Tensor
from ..ops.making.creation import tensor

TOLERANCES = {"float16": (1e-3, 1e-5), "float32": (1.3e-6, 1e-5), "float64": (1e-7, 1e-7)}  # dtype -> (rtol, atol)
OLD_TOLERANCES = {"float16": (1e-3, 1e-3), "float32": (1e-4, 1e-5), "float64": (1e-5, 1e-8)}  # of assert_allclose


def assert_close(
    actual,
    expected,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg=None,
) -> None:
    """Raise AssertionError unless `actual` and `expected` are equal up to rounding.

    They are tensors, arrays, Python numbers, or sequences and mappings of these. Values agree when |actual - expected|
    <= atol + rtol |expected|, infinities when they are equal, NaNs only with `equal_nan`. Shapes must be equal, and
    unless told otherwise dtypes; strides with `check_stride`; devices
    and layouts always are. Without `allow_subclasses` numbers and tensors must be of one type.

    `rtol` and `atol` are given both or neither (else ValueError). By default they follow the dtype: 1.3e-6 and 1e-5 for
    float32, 1e-7 and 1e-7 for float64, 1e-3 and 1e-5 for float16, 0 for integers and bools, and the larger where two
    dtypes meet.

    `msg` replaces the message: a string, or a function of the message. TypeError for other types than those above.

    >>> import autograd_core as ac
    >>> ac.testing.assert_close(ac.tensor([1.0, 2.0]), ac.tensor([1.0, 2.0 + 1e-7]))
    >>> ac.testing.assert_close(ac.tensor([1.0, 2.0]), ac.tensor([1.0, 2.5]))
    Traceback (most recent call last):
    ...
    AssertionError: Tensor-likes are not close!
    <BLANKLINE>
    Mismatched elements: 1 / 2 (50.0%)
    Greatest absolute difference: 0.5 at index (1,) (up to 1e-05 allowed)
    Greatest relative difference: 0.2 at index (1,) (up to 1.3e-06 allowed)
    Worst entry: actual 2.0, expected 2.5 at index (1,)
    """
    if (rtol is None) != (atol is None):
        given, missing = ("rtol", "atol") if atol is None else ("atol", "rtol")
        raise ValueError(
            f"Both 'rtol' and 'atol' must be either specified or omitted, but got {given} and no {missing}."
        )
    try:
        _compare(actual, expected, "", rtol, atol, equal_nan, check_dtype, check_stride, allow_subclasses)
    except AssertionError as error:
        if msg is None:
            raise
        raise AssertionError(msg(str(error)) if callable(msg) else msg) from None


def assert_allclose(
    actual,
    expected,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = True,
    msg: str = "",
) -> None:
    """`assert_close` as it was once: dtypes may differ, NaNs are equal, and numbers are compared as tensors.

    By default `rtol` and `atol` are 1e-4 and 1e-5 for float32, 1e-5 and 1e-8 for float64, 1e-3 for float16. It gives a
    FutureWarning, as in PyTorch.

    >>> import autograd_core as ac, warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore", FutureWarning)
    ...     ac.testing.assert_allclose(ac.tensor([1.0, 2.0]), [1.0, 2.0001])
    """
    warnings.warn(
        "`torch.testing.assert_allclose()` is deprecated since 1.12 and will be removed in a future release. Please "
        "use `torch.testing.assert_close()` instead.",
        FutureWarning,
        stacklevel=2,
    )
    actual = actual if isinstance(actual, Tensor) else tensor(actual)
    expected = expected if isinstance(expected, Tensor) else tensor(expected, dtype=actual.dtype)
    if rtol is None and atol is None:
        rtol, atol = _widest(OLD_TOLERANCES, actual._array, expected._array)
    assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=False, msg=msg or None)


def _widest(tolerances: dict, *arrays: np.ndarray) -> tuple[float, float]:
    """The larger tolerances where two dtypes meet; none for integers and bools."""
    relative, absolute = zip(*[tolerances.get(array.dtype.name, (0.0, 0.0)) for array in arrays])
    return max(relative), max(absolute)


def _compare(actual, expected, path, *settings) -> None:
    """Compare two values, the parts of containers one by one; `path` says where in the containers they are."""
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        if actual.keys() != expected.keys():
            missing, extra = expected.keys() - actual.keys(), actual.keys() - expected.keys()
            raise AssertionError(
                f"The keys of the mappings do not match{_where(path)}: missing in actual {sorted(missing, key=str)}, "
                f"missing in expected {sorted(extra, key=str)}"
            )
        for key in actual:
            _compare(actual[key], expected[key], f"{path}[{key!r}]", *settings)
    elif _is_sequence(actual) and _is_sequence(expected):
        if len(actual) != len(expected):
            raise AssertionError(
                f"The length of the sequences mismatch{_where(path)}: {len(actual)} != {len(expected)}"
            )
        for i, (a, b) in enumerate(zip(actual, expected)):
            _compare(a, b, f"{path}[{i}]", *settings)
    else:
        *how, allow_subclasses = settings
        if not allow_subclasses and type(actual) is not type(expected):
            raise TypeError(f"assert_close: {type(actual)} and {type(expected)} are two types{_where(path)}")
        _compare_arrays(_array(actual, expected), _array(expected, actual), path, *how)


def _is_sequence(value) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _array(value, other) -> np.ndarray:
    if isinstance(value, Tensor):
        return value._array
    if isinstance(value, (np.ndarray, np.generic, bool, int, float)) and not _is_sequence(other):
        return np.asarray(value)
    raise TypeError(
        f"No comparison pair was able to handle inputs of type {type(value)} and {type(other)}; give tensors, arrays, "
        "numbers, or sequences and mappings of these"
    )


def _where(path: str) -> str:
    return f" (at {path})" if path else ""


def _compare_arrays(a, b, path, rtol, atol, equal_nan, check_dtype, check_stride) -> None:
    if a.shape != b.shape:
        raise AssertionError(
            f"The values for attribute 'shape' do not match{_where(path)}: {list(a.shape)} != {list(b.shape)}."
        )
    if check_dtype and a.dtype != b.dtype:
        raise AssertionError(f"The values for attribute 'dtype' do not match{_where(path)}: {a.dtype} != {b.dtype}.")
    if check_stride and a.strides != b.strides:
        raise AssertionError(
            f"The values for attribute 'stride()' do not match{_where(path)}: {a.strides} != {b.strides} (in bytes)."
        )
    if rtol is None:
        rtol, atol = _widest(TOLERANCES, a, b)
    x, y = a.astype(np.result_type(a, b)), b.astype(np.result_type(a, b))
    if x.dtype.kind != "f" and rtol == atol == 0:
        close = x == y  # isclose would round large integers
    else:
        with np.errstate(invalid="ignore", over="ignore"):
            close = np.isclose(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan)
    if not close.all():
        raise AssertionError(_report(x, y, close, path, rtol, atol))


def _report(x, y, close, path, rtol, atol) -> str:
    """Counts, the greatest differences, and the values at the worst entry, over the entries that do not match."""
    x, y = (array.astype(np.float64) for array in (x, y))
    with np.errstate(all="ignore"):
        absolute = np.where(close, 0.0, np.abs(x - y))
        relative = np.where(close, 0.0, absolute / np.abs(y))
    kind = "Tensor-likes" if x.ndim else "Scalars"
    bound = "equal" if rtol == atol == 0 else "close"
    worst, worst_relative = _greatest(absolute), _greatest(relative)
    lines = [f"{kind} are not {bound}{_where(path)}!", ""]
    if x.ndim:
        n = np.count_nonzero(~close)
        lines.append(f"Mismatched elements: {n} / {close.size} ({100 * n / close.size:.1f}%)")
    for name, differences, index, allowed in (
        ("absolute", absolute, worst, atol),
        ("relative", relative, worst_relative, rtol),
    ):
        lines.append(
            f"Greatest {name} difference: {float(differences[index])}{_index(index)} (up to {allowed} allowed)"
        )
    lines.append(f"Worst entry: actual {float(x[worst])}, expected {float(y[worst])}{_index(worst)}")
    return "\n".join(lines)


def _greatest(differences) -> tuple:
    """Index of the largest entry; NaN counts as the largest."""
    flat = int(np.argmax(np.where(np.isnan(differences), np.inf, differences)))
    return tuple(int(i) for i in np.unravel_index(flat, differences.shape))


def _index(index: tuple) -> str:
    return f" at index {index}" if index else ""
