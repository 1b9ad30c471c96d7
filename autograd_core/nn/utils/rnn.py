"""Sequences of different lengths as one tensor, and back: `torch.nn.utils.rnn`.

A padded batch has every sequence at the length of the longest. A packed one has the elements alone, step by step: those
of all sequences that go on for a step stand together, the longest sequence first, and `batch_sizes` says how many they
are. `RNN`, `LSTM` and `GRU` take a packed batch, and compute no step after the end of a sequence.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ...core import dtypes
from ...core.tensor import Tensor, wrap
from ...names import facade
from ...ops.indexing.gathering import index_select
from ...ops.making.creation import as_tensor, full
from ...ops.shapes.joining import cat, stack
from ...ops.windows.borders import pad

__all__ = [
    *("PackedSequence", "invert_permutation", "pack_padded_sequence", "pack_sequence", "pad_packed_sequence"),
    *("pad_sequence", "unpack_sequence", "unpad_sequence"),
]
__getattr__, __dir__ = facade(__name__, __all__)


def pad_sequence(
    sequences: Tensor | Iterable[Tensor],
    batch_first: bool = False,
    padding_value: float = 0.0,
    padding_side: str = "right",
) -> Tensor:
    """Sequences [n₁, ...], [n₂, ...] as one tensor [longest, number, ...], with `padding_value` where one has ended.

    [number, longest, ...] with `batch_first`; with `padding_side="left"` all end together. RuntimeError for no
    sequences, and for sequences of elements of different shapes.

    >>> import autograd_core as ac
    >>> ac.nn.utils.rnn.pad_sequence([ac.tensor([1, 2, 3]), ac.tensor([4])], batch_first=True, padding_value=-1)
    tensor([[ 1,  2,  3],
            [ 4, -1, -1]])
    """
    if not isinstance(sequences, Iterable):
        raise RuntimeError(
            f"pad_sequence: Expected iterable for input sequences, but got arg of type: {type(sequences)}"
        )
    if padding_side not in ("left", "right"):
        raise RuntimeError(f"Expected padding_side to be one of left or right, but got {padding_side}.")
    sequences = list(sequences)
    if not sequences:
        raise RuntimeError("pad_sequence: received an empty list of sequences")
    if any(sequence.ndim == 0 for sequence in sequences):
        raise RuntimeError("pad_sequence: a sequence has an axis for its elements, and one of them is a number")
    longest = max(len(sequence) for sequence in sequences)
    batch = stack([_longer(sequence, longest, padding_value, padding_side) for sequence in sequences])
    return batch if batch_first else batch.transpose(0, 1)


def _longer(sequence: Tensor, n: int, value: float, side: str) -> Tensor:
    """A sequence that is filled up to `n` elements."""
    missing = n - len(sequence)
    ends = (missing, 0) if side == "left" else (0, missing)
    return pad(sequence, (0, 0) * (sequence.ndim - 1) + ends, value=value)


def unpad_sequence(padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False) -> list[Tensor]:
    """The sequences of a batch that `pad_sequence` made, without what was put at their ends.

    >>> import autograd_core as ac
    >>> ac.nn.utils.rnn.unpad_sequence(ac.tensor([[1, 4], [2, 0]]), ac.tensor([2, 1]))
    [tensor([1, 2]), tensor([4])]
    """
    rows = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    return [row[:length] for row, length in zip(rows, lengths.tolist())]


# -- packed


class _Packed(NamedTuple):
    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None
    unsorted_indices: Tensor | None


class PackedSequence(_Packed):
    """The elements of all sequences in `data`, step by step; `batch_sizes` counts those of each step.

    `sorted_indices` says where in the batch the longest sequence was, the next one, and so on, and `unsorted_indices`
    the way back; None where the batch was sorted. `pack_padded_sequence` and `pack_sequence` make one.

    >>> import autograd_core as ac
    >>> ac.nn.utils.rnn.pack_sequence([ac.tensor([1, 2, 3]), ac.tensor([4])])[:2]
    (tensor([1, 4, 2, 3]), tensor([2, 1, 1]))
    """

    __slots__ = ()

    def __new__(cls, data, batch_sizes=None, sorted_indices=None, unsorted_indices=None):
        if batch_sizes is None:  # PyTorch's older form, a pair
            data, batch_sizes = data
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args, **kwargs) -> PackedSequence:
        """The same sequences with `data.to(...)`; itself where that changes nothing."""
        data = self.data.to(*args, **kwargs)
        return self if data is self.data else self._replace(data=data)

    def cpu(self) -> PackedSequence:
        """Itself."""
        return self

    def cuda(self, *args, **kwargs) -> PackedSequence:
        """AssertionError: there is no such device."""
        return self._replace(data=self.data.cuda(*args, **kwargs))

    def float(self) -> PackedSequence:
        """The same sequences in float32."""
        return self.to(dtypes.float32)

    def double(self) -> PackedSequence:
        """The same sequences in float64."""
        return self.to(dtypes.float64)

    def half(self) -> PackedSequence:
        """The same sequences in float16."""
        return self.to(dtypes.float16)

    def long(self) -> PackedSequence:
        """The same sequences in int64."""
        return self.to(dtypes.int64)

    def int(self) -> PackedSequence:
        """The same sequences in int32."""
        return self.to(dtypes.int32)

    @property
    def is_cuda(self) -> bool:
        """False."""
        return self.data.is_cuda


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """The permutation that undoes one; None for None.

    >>> import autograd_core as ac
    >>> ac.nn.utils.rnn.invert_permutation(ac.tensor([2, 0, 1]))
    tensor([1, 2, 0])
    """
    return None if permutation is None else wrap(np.argsort(permutation._array))


def pack_padded_sequence(
    input: Tensor, lengths: Tensor | list[int], batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """The first `lengths[n]` elements of each sequence n of a padded batch [longest, number, ...], packed.

    [number, longest, ...] with `batch_first`. The longest sequence has to come first and the others in order, unless
    `enforce_sorted` is False: then they are sorted here, and come back in the batch's order. RuntimeError for lengths
    that are no such thing.

    >>> import autograd_core as ac
    >>> batch = ac.tensor([[1, 0, 0], [2, 3, 4]])
    >>> packed = ac.nn.utils.rnn.pack_padded_sequence(batch, [1, 3], batch_first=True, enforce_sorted=False)
    >>> packed.data, packed.batch_sizes, packed.sorted_indices
    (tensor([2, 1, 3, 4]), tensor([2, 1, 1]), tensor([1, 0]))
    """
    counts = as_tensor(lengths)._array.astype(np.int64)
    padded = input.transpose(0, 1) if batch_first else input
    longest, number = padded.size(0), padded.size(1)
    _check_lengths(counts, longest, number, enforce_sorted)
    order = None if enforce_sorted else np.argsort(-counts, kind="stable")
    sizes = (counts > np.arange(counts.max())[:, None]).sum(1)
    columns = np.arange(number) if order is None else order
    places = [step * number + columns[:size] for step, size in enumerate(sizes)]
    data = index_select(padded.flatten(0, 1), 0, wrap(np.concatenate(places)))
    return PackedSequence(data, wrap(sizes), None if order is None else wrap(order))


def _check_lengths(counts: np.ndarray, longest: int, number: int, enforce_sorted: bool) -> None:
    if counts.ndim != 1:
        raise RuntimeError(f"'lengths' argument should be a 1D CPU int64 tensor, but got shape {list(counts.shape)}")
    if len(counts) != number:
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(counts)} (batch_size={number})"
        )
    if counts.min(initial=1) <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0"
        )
    if counts.max(initial=0) > longest:
        raise RuntimeError(f"lengths must be at most {longest}, that of the padded sequences; got {counts.max()}")
    if enforce_sorted and (np.diff(counts) > 0).any():
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
            "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to have the sequences sorted"
        )


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Tensor, Tensor]:
    """The padded batch [longest, number, ...] of a packed one, in the order that it had, and the lengths.

    [number, longest, ...] with `batch_first`; `total_length` steps instead of the longest sequence's. ValueError where
    that is less.

    >>> import autograd_core as ac
    >>> packed = ac.nn.utils.rnn.pack_sequence([ac.tensor([1, 2, 3]), ac.tensor([4])])
    >>> ac.nn.utils.rnn.pad_packed_sequence(packed, batch_first=True)
    (tensor([[1, 2, 3],
            [4, 0, 0]]), tensor([3, 1]))
    """
    data, sizes = sequence.data, sequence.batch_sizes._array
    longest = len(sizes)
    if total_length is not None and total_length < longest:
        raise ValueError(
            "Expected total_length to be at least the length of the longest sequence in input, but got "
            f"total_length={total_length} and max sequence length being {longest}"
        )
    lengths = (sizes[:, None] > np.arange(sizes[0])).sum(0)
    places = np.full((longest if total_length is None else total_length, sizes[0]), len(data))
    starts = np.cumsum(sizes) - sizes
    for row, start, size in zip(places, starts, sizes):
        row[:size] = np.arange(start, start + size)
    if sequence.unsorted_indices is not None:
        back = sequence.unsorted_indices._array
        places, lengths = places[:, back], lengths[back]
    nothing = full((1, *data.shape[1:]), padding_value, dtype=data.dtype)
    padded = index_select(cat([data, nothing]), 0, wrap(places.ravel())).unflatten(0, places.shape)
    return (padded.transpose(0, 1) if batch_first else padded), wrap(lengths)


def pack_sequence(sequences: list[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Sequences [n₁, ...], [n₂, ...] packed: `pack_padded_sequence` of what `pad_sequence` makes of them.

    >>> import autograd_core as ac
    >>> ac.nn.utils.rnn.pack_sequence([ac.tensor([1, 2]), ac.tensor([3])]).data
    tensor([1, 3, 2])
    """
    lengths = [len(sequence) for sequence in sequences]
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """The sequences of a packed batch, in the order that they had.

    >>> import autograd_core as ac
    >>> rnn = ac.nn.utils.rnn
    >>> rnn.unpack_sequence(rnn.pack_sequence([ac.tensor([1, 2]), ac.tensor([3])]))
    [tensor([1, 2]), tensor([3])]
    """
    return unpad_sequence(*pad_packed_sequence(packed_sequences))
