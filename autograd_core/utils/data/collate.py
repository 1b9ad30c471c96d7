"""How a list of examples becomes a batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...core import dtypes
from ...core.tensor import Tensor
from ...ops.making.creation import as_tensor, tensor
from ...ops.shapes.joining import stack


def default_collate(batch: Sequence):
    """A batch from examples of one kind: tensors, arrays and numbers are stacked, and strings stay a list.

    Floats become float64 and ints int64. Tuples, lists and dicts of such things become a list, or a dict, of batches.
    TypeError for other things, RuntimeError for tensors of different shapes and sequences of different lengths,
    KeyError for a key that is not in all dicts.

    >>> import autograd_core as ac
    >>> ac.utils.data.default_collate([(ac.tensor([1.0, 2.0]), 0), (ac.tensor([3.0, 4.0]), 1)])
    [tensor([[1., 2.],
            [3., 4.]]), tensor([0, 1])]
    """
    first = batch[0]
    if isinstance(first, Tensor):
        return stack(list(batch))
    if isinstance(first, (np.ndarray, np.generic)):
        return as_tensor(np.stack(batch))
    if isinstance(first, (bool, int)):
        return tensor(batch)
    if isinstance(first, float):
        return tensor(batch, dtype=dtypes.float64)
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        return {key: default_collate([example[key] for example in batch]) for key in first}
    if isinstance(first, Sequence):
        if any(len(example) != len(first) for example in batch):
            raise RuntimeError(
                "each element in list of batch should be of equal size, and there are sizes "
                f"{sorted({len(example) for example in batch})}"
            )
        parts = [default_collate(part) for part in zip(*batch)]
        return type(first)(*parts) if hasattr(first, "_fields") else parts  # a named tuple keeps its names
    raise TypeError(
        "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found "
        f"{type(first)}: pass a collate_fn that knows what to do with it"
    )


def default_convert(data):
    """An example that is no batch: arrays become tensors, in tuples, lists and dicts too, and all else stays.

    >>> import autograd_core as ac, numpy as np
    >>> ac.utils.data.default_convert({"x": np.ones(2), "name": "a"})
    {'x': tensor([1., 1.], dtype=autograd_core.float64), 'name': 'a'}
    """
    if isinstance(data, (np.ndarray, np.generic)):
        return as_tensor(data)
    if isinstance(data, Mapping):
        return {key: default_convert(value) for key, value in data.items()}
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        parts = [default_convert(part) for part in data]
        return type(data)(*parts) if hasattr(data, "_fields") else parts
    return data
