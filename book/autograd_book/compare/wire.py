"""Rows as JSON, for a file or another process: reading a pickle would run code, reading this does not.

Infinities and NaN, which JSON lacks, travel as text: a browser refuses the words that Python would write for them.

>>> import numpy as np
>>> decode(encode({"w.grad": np.float32([1.5, np.nan]), "b": None}))
{'w.grad': array([1.5, nan], dtype=float32), 'b': None}
"""

import json
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from .values import DTYPES

NO_NUMBERS = ("nan", "inf", "-inf")


def encode(rows: Mapping[str, Any]) -> str:
    """Rows as `values.snapshot` gives them, as one line of JSON."""
    return json.dumps({str(name): _pack(value) for name, value in rows.items()}, allow_nan=False)


def decode(line: str) -> dict[str, Any]:
    """The rows again. Raises `ValueError` for anything that `encode` does not write."""
    rows = json.loads(line, parse_constant=_refuse)
    if not isinstance(rows, dict):
        raise ValueError("not a dictionary of rows")
    return {name: _unpack(value) for name, value in rows.items()}


def _refuse(word: str) -> None:
    raise ValueError(f"no word of JSON: {word}")


def _pack(value: Any) -> Any:
    if isinstance(value, list):
        return [_pack(item) for item in value]
    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        return {"dtype": array.dtype.name, "shape": array.shape, "values": _pack(array.ravel().tolist())}
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    return value


def _unpack(value: Any) -> Any:
    if isinstance(value, list):
        return [_unpack(item) for item in value]
    if not isinstance(value, dict):
        return value
    try:
        if value.get("float") in NO_NUMBERS:
            return float(value["float"])
        if value["dtype"] not in DTYPES:
            raise ValueError(f"no numbers: {value['dtype']}")
        return np.array(_unpack(value["values"]), value["dtype"]).reshape(value["shape"])
    except (KeyError, TypeError, OverflowError) as error:
        raise ValueError(f"not an array: {error!r}") from error
