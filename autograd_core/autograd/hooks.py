"""Hooks on tensors: functions that see, and may replace, a gradient on its way.

They belong to the edge and outlive the tensor.
"""

from __future__ import annotations

from itertools import count

from ..graph import Leaf, Output, index_of
from ..tensor import Tensor, edge_of

_number = count().__next__


class RemovableHandle:
    """What `register_hook` returns: `remove()` takes the hook away, and so does the end of a `with` block.

    >>> import autograd_core as ac
    >>> w = ac.tensor(2.0, requires_grad=True)
    >>> with w.register_hook(lambda g: 10 * g):
    ...     (3 * w).backward()
    >>> (3 * w).backward(); w.grad
    tensor(33.)
    """

    def __init__(self, hooks: dict, hook):
        self.hooks, self.id = hooks, _number()
        hooks[self.id] = hook

    def remove(self) -> None:
        """Take the hook away; it may be the hook itself that calls this."""
        self.hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *_exception) -> None:
        self.remove()


def register_hook(self: Tensor, hook) -> RemovableHandle:
    """Call `hook(g)` in every backward pass when the gradient g of this tensor is complete.

    The hook may return a tensor of the same shape to replace g, or None. Several run in the order of
    registration, each on the result of the one before. On a leaf a hook sees what this pass brings, before it
    is added to `.grad`.

    Raises RuntimeError where the tensor does not require gradients.

    >>> import autograd_core as ac
    >>> w = ac.tensor([1.0, 2.0], requires_grad=True)
    >>> handle = w.register_hook(lambda g: g * 2)
    >>> w.sum().backward(); w.grad
    tensor([2., 2.])
    """
    edge = edge_of(self)
    if edge is None:
        raise RuntimeError(
            "cannot register a hook on a tensor that doesn't require gradient; create it with requires_grad=True, or "
            "compute it from one that has it"
        )
    if type(edge) is Leaf:
        edge.hooks = {} if edge.hooks is None else edge.hooks
        return RemovableHandle(edge.hooks, hook)
    node = edge.node if type(edge) is Output else edge
    return RemovableHandle(node.hooks.setdefault(index_of(edge), {}), hook)
