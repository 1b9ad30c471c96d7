"""In-place forms of view ops: this very tensor is seen otherwise, and its memory stays as it is."""

from __future__ import annotations

import math

import numpy as np

from ...core.call import also_called, has_dual
from ...core.device import is_row_major
from ...core.graph import Leaf
from ...core.memory import memory_of
from ...core.modes import RECORDING, current_mode, set_mode, tell
from ...core.tensor import Tensor
from ...core.view import move_retained
from ...core.write import check_history, check_inference, count_write
from .shape import several, squeeze, t, transpose, unsqueeze
from .storage import as_strided

__all__: list[str] = []
METHODS = [
    *("as_strided_", "resize_", "resize_as_", "squeeze_", "swapaxes_", "swapdims_", "t_", "transpose_", "unsqueeze_"),
]
ONE_OR_MORE = ["squeeze_"]


def _seen_as(name: str, self: Tensor, cut) -> Tensor:
    """Let a tensor be the view that `cut` makes of it, with the history of that; this counts as a write.

    RuntimeError for a leaf that requires gradients while ops are recorded, or a view of one. A view that was made of
    the tensor before has no history any more.
    """
    if has_dual([self]):
        raise NotImplementedError(f"{name}: a dual tensor keeps its shape; use the op out of place")
    check_inference(name, self)
    if current_mode().grad and self.requires_grad:
        check_history(name, self)
    mode = set_mode(RECORDING)
    try:
        view = cut(self)
    finally:
        set_mode(mode)
    self._array = view._array
    if type(self._edge) is Leaf:
        self._edge.shape = view._array.shape
    elif self._is_view():
        self._edge, self._meta = view._edge, view._meta
    else:
        before, self._edge = self._edge, view._edge
        move_retained(before, self)
        self._cell.restrided = self._cell.count + 1
    count_write(self, name)
    if mode.observers:
        tell(name, (self,), (self,))
    return self


def t_(self):
    """`t`, of this very tensor.

    >>> import autograd_core as ac
    >>> ac.zeros(2, 3).t_().shape
    Size([3, 2])
    """
    return _seen_as("t_", self, t)


def transpose_(self, dim0, dim1):
    """`transpose`, of this very tensor.

    >>> import autograd_core as ac
    >>> ac.zeros(2, 3).transpose_(0, 1).shape
    Size([3, 2])
    """
    return _seen_as("transpose_", self, lambda x: transpose(x, dim0, dim1))


swapdims_ = transpose_
swapaxes_ = also_called(axis0="dim0", axis1="dim1")(transpose_)


def squeeze_(self, dim=None):
    """`squeeze`, of this very tensor.

    >>> import autograd_core as ac
    >>> ac.zeros(1, 3, 1).squeeze_().shape
    Size([3])
    """
    return _seen_as("squeeze_", self, lambda x: squeeze(x, dim))


def unsqueeze_(self, dim):
    """`unsqueeze`, of this very tensor.

    >>> import autograd_core as ac
    >>> ac.zeros(3).unsqueeze_(0).shape
    Size([1, 3])
    """
    return _seen_as("unsqueeze_", self, lambda x: unsqueeze(x, dim))


def as_strided_(self, size, stride, storage_offset=None):
    """`as_strided`, of this very tensor.

    >>> import autograd_core as ac
    >>> ac.arange(4.0).as_strided_((2, 2), (1, 1))
    tensor([[0., 1.],
            [1., 2.]])
    """
    return _seen_as("as_strided_", self, lambda x: as_strided(x, size, stride, storage_offset))


# -- another size


def resize_(self, *shape, size=None, memory_format=None):
    """Let this tensor have another size: the first elements of its memory, row-major. What is beyond its end is unset.

    Where it grows beyond its memory it gets new memory, which views made before do not see (in PyTorch they do).
    RuntimeError for a tensor that requires gradients, unless in `inference_mode()`, and for a size that no memory has.

    >>> import autograd_core as ac
    >>> ac.arange(6.0).resize_(2, 2)
    tensor([[0., 1.],
            [2., 3.]])
    """
    is_row_major("resize_", memory_format)
    if self.requires_grad and not current_mode().inference:
        raise RuntimeError("cannot resize variables that require grad; take a slice, or copy it into a new tensor")
    size = several(size if size is not None else shape[0] if len(shape) == 1 else shape)
    if any(n < 0 for n in size):
        raise RuntimeError(f"resize_: Trying to create tensor with negative dimension {min(size)}: {list(size)}")
    if math.prod(max(n, 1) for n in size) >= 2**63:
        raise RuntimeError(f"resize_: Stride calculation overflowed with sizes={list(size)}")
    if math.prod(size) * self._array.itemsize >= 2**63:
        raise RuntimeError(f"resize_: Storage size calculation overflowed with sizes={list(size)}")
    if size == self._array.shape:
        return self
    n, memory = math.prod(size), memory_of(self._array, self._array.dtype)[self.storage_offset() :]
    if n > memory.size:
        memory = np.concatenate([memory, np.empty(n - memory.size, memory.dtype)])
    self._array = memory[:n].reshape(size)
    if type(self._edge) is Leaf:
        self._edge.shape = size
    count_write(self, "resize_")
    return self


def resize_as_(self, the_template, *, memory_format=None):
    """`resize_` to the size of another tensor.

    >>> import autograd_core as ac
    >>> ac.arange(4.0).resize_as_(ac.ones(2, 2)).shape
    Size([2, 2])
    """
    return resize_(self, the_template.shape, memory_format=memory_format)
