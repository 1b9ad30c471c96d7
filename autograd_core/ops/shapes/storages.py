"""Memory as PyTorch shows it, which tells tensors on one memory from those that are equal; another for a tensor."""

from __future__ import annotations

import math
import mmap
from typing import Any

import numpy as np

from ...core import dtypes, legacy
from ...core.graph import Leaf
from ...core.memory import address, memory_of
from ...core.modes import current_mode
from ...core.record import record
from ...core.table import general
from ...core.tensor import Tensor, edge_of, wrap
from ...core.write import check_history, count_write, take_history
from ..undifferentiated import no_derivative
from .storage import as_strided

__all__ = ["Storage", "UntypedStorage"]
METHODS = ["is_shared", "set_", "share_memory_", "storage", "untyped_storage"]


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


# -- another one


_refuse = no_derivative(
    "set_",
    "the value before has nothing to do with the one after; call it under no_grad(), or compute a new tensor",
    RuntimeError,
)
replace_storage = general(
    "set_", lambda x, source: source, "x source", _refuse, _refuse, node_name="NotImplemented", doc="`source`."
)


def set_(self, source=None, storage_offset=0, size=None, stride=None):
    """Let this tensor show the memory of `source` (of none, if left out), with its shape and strides; returned.

    With `size`, or of a storage, it shows that much of the memory from element `storage_offset` on, with those strides.

    Unlike an assignment to `.data` it counts as a write, so a backward that needs the old value raises. It has no
    derivative. Views made before keep the old memory.

    Raises RuntimeError for a source of another dtype, and for a leaf that requires gradients while ops are recorded.

    >>> import autograd_core as ac
    >>> x = ac.zeros(3)
    >>> x.set_(ac.ones(2)), x._version
    (tensor([1., 1.]), 1)
    """
    source = wrap(np.zeros(0, self._array.dtype)) if source is None else source
    if not isinstance(source, (Tensor, UntypedStorage)):
        raise TypeError(f"set_(): argument 'source' must be Tensor or a storage, not {type(source).__name__}")
    if size is not None or isinstance(source, UntypedStorage):
        source = _part_of_memory(self, source, storage_offset, size, stride)
    if source.dtype != self.dtype:
        raise RuntimeError(f"Could not set tensor of type {source.dtype} to a tensor of type {self.dtype}")
    edges = [edge_of(self), edge_of(source)]
    if current_mode().grad and edges != [None, None]:
        check_history("set_", self)
        new = wrap(source._array)
        record(replace_storage.primitive, [self, source], edges, [self._array, source._array], [new], [], {})
        self._array = source._array
        take_history(self, new._edge)
    else:
        self._array = source._array
        if type(self._edge) is Leaf:
            self._edge.shape = source._array.shape
    count_write(self, "set_")
    return self


def _part_of_memory(self, source: Tensor | UntypedStorage, storage_offset, size, stride) -> Tensor:
    """A tensor on the memory of a tensor or a storage, of the type of `self`."""
    memory = source._array if isinstance(source, Tensor) else source.memory
    line = wrap(memory_of(memory, self._array.dtype if memory.dtype == np.uint8 else memory.dtype))
    if size is None:
        return line[storage_offset:]
    strides = stride or tuple(math.prod(size[axis + 1 :]) for axis in range(len(size)))
    return as_strided(line, size, strides, storage_offset)


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
