"""The values that experiments and exercises answer with: how they are kept, compared and printed."""

from collections.abc import Mapping
from typing import Any

import numpy as np

DTYPES = (
    "bool", "uint8", "uint16", "uint32", "uint64", "int8", "int16", "int32", "int64", "float16", "float32", "float64",
)  # fmt: skip
_TOLERANCE = {"float16": 1e-3, "float32": 1e-6, "float64": 1e-12}
_DIGITS = {"float16": 4, "float32": 7, "float64": 10}


def snapshot(results: Mapping[str, Any]) -> dict[str, Any]:
    """Copy the tensors and arrays of a dictionary, so that what a program does next cannot change its answer.

    Tensors become arrays; None, bools, numbers and strings stay; lists and tuples become lists. Raises `TypeError`
    that names the row for anything else, and for results that are no dictionary.
    """
    if not isinstance(results, Mapping):
        raise TypeError(f"the results are a {type(results).__name__}; return a dictionary from rows to values")
    return {row: _snapshot(row, value) for row, value in results.items()}


def _snapshot(row: str, value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [_snapshot(row, item) for item in value]
    if hasattr(value, "detach"):
        value = value.detach().numpy()
    array = np.array(value)
    if array.dtype.name not in DTYPES:
        raise TypeError(
            f"row {row!r} is a {type(value).__name__} ({array.dtype}); give tensors, numbers, bools, strings, None or "
            "lists of these"
        )
    return array


def agree(a: Any, b: Any, *, atol: float = 0.0, rtol: float | None = None) -> bool:
    """Whether two snapshots say the same.

    None agrees only with None; strings, bools and integers must be equal; arrays must have the same shape; NaN agrees
    with NaN. Floats agree when ``|a - b| <= atol + rtol * |b|``, where ``rtol`` by default follows the less precise
    dtype of the two: 1e-12 for float64 and Python floats, 1e-6 for float32, 1e-3 for float16.

    >>> agree(2.0, np.float32(2.0000001)), agree(2.0, 2.0000001), agree(0.0, None), agree(1, True)
    (True, False, False, False)
    """
    if a is None or b is None:
        return a is b
    if isinstance(a, str) or isinstance(b, str):
        return isinstance(a, str) and isinstance(b, str) and a == b
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(agree(x, y, atol=atol, rtol=rtol) for x, y in zip(a, b, strict=True))
    x, y = _array(a), _array(b)
    if x is None or y is None or x.shape != y.shape or (x.dtype.kind == "b") != (y.dtype.kind == "b"):
        return False
    if x.dtype.kind != "f" and y.dtype.kind != "f":
        return np.array_equal(x, y)
    if rtol is None:
        rtol = max(_TOLERANCE.get(array.dtype.name, 0.0) for array in (x, y))
    return np.allclose(x, y, rtol=rtol, atol=atol, equal_nan=True)


def _array(value: Any) -> np.ndarray | None:
    """A number, an array or a list of numbers as an array; None for a list of anything else."""
    try:
        array = np.asarray(value)
    except ValueError:  # a ragged list
        return None
    return array if array.dtype.kind in "biuf" else None


def show(value: Any) -> str:
    """Print a snapshot with the digits that its dtype can hold.

    >>> show(12.0), show(None), show(np.float32([1.6, 2])), show([True, "no error"])
    ('12', 'None', '[1.6, 2]', '[True, no error]')
    """
    if isinstance(value, list):
        return "[" + ", ".join(map(show, value)) + "]"
    if isinstance(value, np.ndarray) and value.ndim:
        return " ".join(np.array2string(value, separator=", ", formatter={"float_kind": _number}).split())
    if isinstance(value, float | np.ndarray | np.generic):
        return _number(np.asarray(value)[()])
    return str(value)


def _number(number: Any) -> str:
    digits = _DIGITS.get(np.asarray(number).dtype.name)
    return f"{number:.{digits}g}" if digits else str(number)
