"""Sequences of different lengths without what fills them up: all first elements, then all second ones, and so on.

The sequences are sorted by length, the longest first, so that at each step those that go on are the first rows.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Self

from ..core import dtypes
from ..core.device import check_device
from ..core.tensor import Tensor
from ..ops.reductions.selection import argsort


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """The permutation that undoes one; None for None.

    >>> import autograd_core as ac
    >>> ac.nn.utils.rnn.invert_permutation(ac.tensor([2, 0, 1]))
    tensor([1, 2, 0])
    """
    return None if permutation is None else argsort(permutation)


class PackedSequence(namedtuple("PackedSequence", "data batch_sizes sorted_indices unsorted_indices")):
    """What `pack_padded_sequence` and `pack_sequence` make, and recurrent layers take.

    `data` [all elements, ...] holds step after step; `batch_sizes` (int64) says how many sequences each step has.
    `sorted_indices` is the order into which the sequences were brought, None if they had it, and `unsorted_indices` the
    order back.

    >>> import autograd_core as ac
    >>> packed = ac.nn.utils.rnn.pack_sequence([ac.tensor([1, 2, 3]), ac.tensor([4])])
    >>> packed.data, packed.batch_sizes
    (tensor([1, 4, 2, 3]), tensor([2, 1, 1]))
    """

    __slots__ = ()

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if batch_sizes is None:
            if not isinstance(data, (list, tuple)) or len(data) != 2:
                raise AssertionError("PackedSequence: without batch_sizes, data must be the two of them")
            data, batch_sizes = data
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args, **kwargs) -> Self:
        """The same with `data.to(...)`; itself where that is the same tensor."""
        data = self.data.to(*args, **kwargs)
        return self if data is self.data else type(self)(data, *self[1:])

    def double(self) -> Self:
        """The same in float64."""
        return self.to(dtypes.float64)

    def float(self) -> Self:
        """The same in float32."""
        return self.to(dtypes.float32)

    def half(self) -> Self:
        """The same in float16."""
        return self.to(dtypes.float16)

    def long(self) -> Self:
        """The same in int64."""
        return self.to(dtypes.int64)

    def int(self) -> Self:
        """The same in int32."""
        return self.to(dtypes.int32)

    def short(self) -> Self:
        """The same in int16."""
        return self.to(dtypes.int16)

    def char(self) -> Self:
        """The same in int8."""
        return self.to(dtypes.int8)

    def byte(self) -> Self:
        """The same in uint8."""
        return self.to(dtypes.uint8)

    def cpu(self, *args, **kwargs) -> Self:
        """Itself: "cpu" is the only device."""
        return self.to(*args, device="cpu", **kwargs)

    def cuda(self, *_args, **_kwargs) -> Self:
        """AssertionError: "cpu" is the only device."""
        check_device("cuda")
        return self

    @property
    def is_cuda(self) -> bool:
        """False."""
        return False

    def is_pinned(self) -> bool:
        """False: memory is pinned for a GPU."""
        return False
