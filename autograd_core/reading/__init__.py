"""Reading a graph, this engine's or PyTorch's, by one set of questions.

`reader_of` finds the reader of what is at hand; `GraphReader` says what can be asked of it, and its two
implementations, `own` and `torch`, are the only places that know how an engine keeps its graph.
"""

from .choosing import is_tensor, reach, reader_of, require_tensor, tensors_in
from .reader import Edge, GraphReader, Saved
from .surface import grad_of, in_order, is_accumulator, is_parameter

__all__ = [
    "Edge",
    "GraphReader",
    "Saved",
    "grad_of",
    "in_order",
    "is_accumulator",
    "is_parameter",
    "is_tensor",
    "reach",
    "reader_of",
    "require_tensor",
    "tensors_in",
]
