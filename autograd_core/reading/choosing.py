"""Which reader a tensor or a module needs. PyTorch's is loaded only for what is PyTorch's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .lines import pytorch
from .own import OWN
from .reader import GraphReader
from .surface import in_order


def reader_of(thing) -> GraphReader:
    """The reader of the engine that a tensor or a module belongs to; this engine's for all that is not PyTorch's.

    >>> import autograd_core as ac
    >>> w = ac.tensor(2.0, requires_grad=True)
    >>> y = 3 * w
    >>> graph = reader_of(y)
    >>> [(graph.op_name(y.grad_fn), entry.role, entry.value) for entry in graph.saved(y.grad_fn)]
    [('mul', 'other', 3)]
    """
    torch = pytorch()
    if torch is not None and isinstance(thing, (torch.Tensor, torch.nn.Module)):
        from .torch import TORCH

        return TORCH
    return OWN


def is_tensor(value) -> bool:
    """Whether a value is a tensor of this package or of PyTorch."""
    return isinstance(value, reader_of(value).tensor_type)


def require_tensor(value, asked: str) -> None:
    """Raise TypeError, in the name of the question `asked`, unless a value is a tensor."""
    if not is_tensor(value):
        raise TypeError(
            f"{asked}() is about a tensor of autograd_core or PyTorch, not {type(value).__name__}; a number that "
            "left the graph has no gradient"
        )


def tensors_in(values) -> Iterator:
    """The tensors in nested sequences and dicts."""
    if is_tensor(values):
        yield values
    elif isinstance(values, dict):
        yield from tensors_in(list(values.values()))
    elif isinstance(values, (list, tuple)):
        for value in values:
            yield from tensors_in(value)


def reach(tensors: Iterable) -> list:
    """The nodes reachable from those of the given tensors that require gradients."""
    return in_order([reader_of(t).edge(t)[0] for t in tensors if t.requires_grad])
