"""Running one op on an engine: the forward in blocks where that pays, and the node that the op would have made.

Nothing is differentiated here. Small arrays go to the op as they are; for large ones the engine computes the result,
and it is recorded as the op itself records it.
"""

from __future__ import annotations

import math

import numpy as np

from ..core.call import promote, unwrap
from ..core.modes import current_mode
from ..core.record import record
from ..core.tensor import Tensor, wrap
from . import splitting
from .checks import promoted
from .cpu_engine import CpuEngine

SPLIT_TYPES = (np.dtype(np.float32), np.dtype(np.float64))

# Ops that take a cycle or less an element; memory bounds them, so a second thread gains little.
MOVERS = frozenset({"add", "sub", "mul", "div", "neg", "abs", "sign", "sqrt", "maximum", "minimum", "where"})

FOLDS = {"sum": np.add, "mean": np.add, "amax": np.maximum, "amin": np.minimum}


def in_common_type(engine: CpuEngine, op, *tensors: Tensor) -> Tensor:
    """`elementwise` of operands that are cast to the widest of their types first."""
    return elementwise(engine, op, *promoted(tensors))


def elementwise(engine: CpuEngine, op, *tensors: Tensor) -> Tensor:
    """`op(*tensors)`, an op that maps elements to elements. What is no primitive is not cut."""
    primitive = getattr(op, "primitive", None)
    if primitive is None or not current_mode().plain:
        return op(*tensors)
    size = max([t._array.size for t in tensors])
    if size < (splitting.LARGE_IN_MEMORY if primitive.name in MOVERS else splitting.LARGE):
        return op(*tensors)
    inputs: list = list(tensors)
    arrays, edges, tracked = unwrap(primitive, inputs)
    operands = promote(arrays, primitive.promote) if primitive.promote else arrays
    dtypes = {a.dtype for a in operands if a.dtype != bool}
    if len(dtypes) != 1 or not dtypes.issubset(SPLIT_TYPES):
        return op(*tensors)
    out = wrap(splitting.elementwise(engine, primitive.forward, operands, dtypes.pop()))
    if tracked:
        record(primitive, inputs, edges, arrays, [out], (), {})
    return out


def reduction(engine: CpuEngine, op, tensor: Tensor, axes: tuple[int, ...]) -> Tensor:
    """`op(tensor, axes)`, an op that folds axes away; `axes` are counted from the front."""
    array = tensor._array
    params = {"dim": axes if len(axes) < array.ndim else None}
    if array.size < splitting.LARGE_IN_MEMORY or array.dtype not in SPLIT_TYPES or not current_mode().plain:
        return op(tensor, **params)
    primitive, inputs = op.primitive, [tensor]
    arrays, edges, tracked = unwrap(primitive, list(inputs))
    folded = splitting.fold(engine, FOLDS[primitive.name], array, axes)
    if primitive.name == "mean":
        folded = folded / math.prod(array.shape[a] for a in axes)
    out = wrap(folded)
    if tracked:
        record(primitive, inputs, edges, arrays, [out], (), params)
    return out
