"""Memory as PyTorch shows it: what tells two tensors on one memory from two that are equal."""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np

from ...core import dtypes, legacy
from ...core.tensor import Tensor, wrap
from .storage import memory_of

__all__ = ["Storage", "UntypedStorage"]
METHODS = ["is_shared", "share_memory_", "storage", "untyped_storage"]


class UntypedStorage:
    """The bytes that a tensor and its views lie in. `Storage` has the elements.

    >>> import autograd_core as ac
    >>> x = ac.arange(6.0); y = x[2:]
    >>> y.untyped_storage().data_ptr() == x.untyped_storage().data_ptr(), y.untyped_storage().nbytes()
    (True, 24)
    """

    def __init__(self, memory: np.ndarray):
        self.memory = memory

    def data_ptr(self) -> int:
        """Address of the first byte."""
        return self.memory.__array_interface__["data"][0]

    def nbytes(self) -> int:
        """How many bytes there are."""
        return self.memory.nbytes

    def size(self) -> int:
        """The number of elements: for untyped memory, of bytes."""
        return self.memory.size

    def tolist(self) -> list:
        """The elements in the order of the memory."""
        return self.memory.tolist()

    def __len__(self) -> int:
        return self.memory.size

    def __getitem__(self, key):
        return self.memory[key].item()

    def __iter__(self):
        return iter(self.memory.tolist())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.memory.tolist()}, dtype={self.memory.dtype}, device=cpu)"


class Storage(UntypedStorage):
    """The elements of the memory that a tensor and its views lie in; or new memory, of a sequence or of a length.

    >>> import autograd_core as ac
    >>> ac.arange(4.0)[2:].storage().tolist(), ac.Storage([1, 2]).tolist()
    ([0.0, 1.0, 2.0, 3.0], [1.0, 2.0])
    """

    def __init__(self, memory):
        if not isinstance(memory, np.ndarray):
            memory = legacy.array_of((memory,), dtypes.get_default_dtype().numpy)
        super().__init__(memory)

    @property
    def dtype(self) -> dtypes.dtype:
        """The type of the elements."""
        return dtypes.OF_NUMPY[self.memory.dtype]


def untyped_storage(self: Tensor) -> UntypedStorage:
    """The bytes that this tensor lies in, which its views share.

    >>> import autograd_core as ac
    >>> ac.zeros(2).untyped_storage().nbytes()
    8
    """
    return UntypedStorage(memory_of(self._array, np.dtype(np.uint8)))


def storage(self: Tensor) -> Storage:
    """The elements that this tensor lies in, which its views share.

    >>> import autograd_core as ac
    >>> ac.zeros(2, 2)[1].storage().size()
    4
    """
    return Storage(memory_of(self._array, self._array.dtype))


def is_shared(self: Tensor) -> bool:
    """Whether the memory is such that a forked process writes to it too: `share_memory_` moves a tensor there.

    >>> import autograd_core as ac
    >>> ac.zeros(2).is_shared(), ac.zeros(2).share_memory_().is_shared()
    (False, True)
    """
    memory: Any = self._array
    while isinstance(memory, np.ndarray):
        memory = memory.base
    return isinstance(memory.obj if isinstance(memory, memoryview) else memory, mmap.mmap)


def share_memory_(self: Tensor) -> Tensor:
    """Move this tensor to memory that processes share which are forked from now on, and return it.

    The history is left as it is. A view that was made before keeps the memory that it had.

    >>> import autograd_core as ac
    >>> w = ac.tensor([1.0, 2.0], requires_grad=True)
    >>> w.share_memory_() is w
    True
    """
    if not is_shared(self):
        old = self._array
        memory = np.frombuffer(mmap.mmap(-1, max(old.nbytes, 1)), old.dtype, old.size).reshape(old.shape)
        memory[...] = old
        self.data = wrap(memory)
    return self
