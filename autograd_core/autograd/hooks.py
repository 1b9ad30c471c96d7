"""Hooks: functions that see, and may replace, a gradient on its way.

A tensor's hooks belong to its edge, and so outlive the tensor; after a write in place they stay with the old value. A
node's hooks see the gradients of all its outputs or inputs at once.
"""

from __future__ import annotations

from collections import OrderedDict
from itertools import count

from ..core.graph import Leaf, Node, Output, index_of, rare_of
from ..core.tensor import Tensor, edge_of

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

    def __init__(self, hooks: dict, hook, *notes: dict):
        self.hooks, self.id, self.notes = hooks, _number(), notes
        while self.id in hooks:  # hooks that come from another process have numbers too
            self.id = _number()
        hooks[self.id] = hook
        for note in notes:
            note[self.id] = True

    def remove(self) -> None:
        """Take the hook away; it may be the hook itself that calls this."""
        for held in (self.hooks, *self.notes):
            held.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *_exception) -> None:
        self.remove()


def register(hooks: OrderedDict, hook, *notes: dict, prepend: bool = False) -> RemovableHandle:
    """Add a hook behind the others, or with `prepend` before them, and its number to each of `notes`."""
    handle = RemovableHandle(hooks, hook, *notes)
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


def register_hook(self: Tensor, hook) -> RemovableHandle:
    """Call `hook(g)` in every backward pass when the gradient g of this tensor is complete.

    The hook may return a tensor of the same shape to replace g, or None. Several run in the order of
    registration, each on the result of the one before. On a leaf a hook sees what this pass brings, before it
    is added to `.grad`. Where a pass comes by and brings no gradient, as to the second of two parts of which only the
    first is used, the hook gets None and may not replace it: RuntimeError.

    Raises RuntimeError where the tensor does not require gradients.

    >>> import autograd_core as ac
    >>> w = ac.tensor([1.0, 2.0], requires_grad=True)
    >>> handle = w.register_hook(lambda g: g * 2)
    >>> w.sum().backward(); w.grad
    tensor([2., 2.])
    """
    edge = _hooked_edge(self)
    return RemovableHandle(rare_of(owner_of(edge)).hooks.setdefault(index_of(edge), {}), hook)


def owner_of(edge) -> Node | Leaf:
    """The node behind an edge, or the leaf that it is."""
    return edge.node if type(edge) is Output else edge


def _hooked_edge(tensor: Tensor):
    edge = edge_of(tensor)
    if edge is None:
        raise RuntimeError(
            "cannot register a hook on a tensor that doesn't require gradient; create it with requires_grad=True, or "
            "compute it from one that has it"
        )
    return edge


def register_post_accumulate_grad_hook(self: Tensor, hook) -> RemovableHandle:
    """Call `hook(tensor)` whenever a backward pass has added to the `.grad` of this leaf; `grad` does not call it.

    An optimizer that steps here can drop each gradient before the next one is there. The hook returns None, else
    TypeError, or RuntimeError if it is a tensor. RuntimeError where this one is no leaf or does not require gradients.

    >>> import autograd_core as ac
    >>> w = ac.tensor(2.0, requires_grad=True)
    >>> handle = w.register_post_accumulate_grad_hook(lambda w: print(w.grad))
    >>> (w * w).backward()
    tensor(4.)
    """
    edge = _hooked_edge(self)
    if type(edge) is not Leaf:
        raise RuntimeError(
            "post accumulate grad hooks cannot be registered on non-leaf tensors, and this one is a result of "
            f"{owner_of(edge).name()}; use register_hook() or retain_grad()"
        )
    return RemovableHandle(rare_of(edge).accumulated, hook)


def register_node_hook(self, hook) -> RemovableHandle:
    """Call `hook(grad_inputs, grad_outputs)` in every backward pass after this node has run.

    Both are tuples of tensors, with None where no gradient flows: one an input (what the node sends on; empty for
    AccumulateGrad) and one an output (what arrived). The hook returns None, or a tuple to replace `grad_inputs`:
    another type is a TypeError, another length a RuntimeError.

    >>> import autograd_core as ac
    >>> w = ac.tensor(2.0, requires_grad=True)
    >>> y = 3 * w
    >>> handle = y.grad_fn.register_hook(lambda grad_inputs, grad_outputs: print(grad_inputs, grad_outputs))
    >>> y.backward()
    (tensor(3.), None) (tensor(1.),)
    """
    return RemovableHandle(rare_of(self).posthooks, hook)


def register_node_prehook(self, hook) -> RemovableHandle:
    """Call `hook(grad_outputs)` in every backward pass before this node runs, after the hooks of its tensors.

    `grad_outputs` is a tuple with a tensor (or None) for each output. The hook returns None, or a tuple to replace it;
    errors as in `register_hook`.

    >>> import autograd_core as ac
    >>> w = ac.tensor(2.0, requires_grad=True)
    >>> y = 3 * w
    >>> handle = y.grad_fn.register_prehook(lambda grad_outputs: (grad_outputs[0] * 10,))
    >>> y.backward(); w.grad
    tensor(30.)
    """
    return RemovableHandle(rare_of(self).prehooks, hook)
