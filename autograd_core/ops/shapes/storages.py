"""Memory as PyTorch shows it: what tells two tensors on one memory from two that are equal."""

from __future__ import annotations

import numpy as np

from ...core import dtypes, legacy
from ...core.memory import address, memory_of
from ...core.tensor import Tensor

__all__ = ["Storage", "UntypedStorage"]
METHODS = ["storage", "untyped_storage"]


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
        return address(self.memory)

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
