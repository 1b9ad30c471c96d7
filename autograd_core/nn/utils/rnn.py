"""Sequences of different lengths as one tensor, padded or packed, and back: `torch.nn.utils.rnn`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ...core.tensor import Tensor, wrap
from ...names import facade
from ...ops.indexing.gathering import index_select
from ...ops.indexing.scattering import index_copy
from ...ops.making.creation import as_tensor, full, tensor
from ...ops.reductions.selection import sort
from ...ops.shapes.joining import stack
from ...ops.shapes.shape import reshape
from ...ops.windows.borders import pad
from ..packed import PackedSequence, invert_permutation

__all__ = [
    "PackedSequence",
    "invert_permutation",
    "pack_padded_sequence",
    "pack_sequence",
    "pad_packed_sequence",
    "pad_sequence",
    "unpack_sequence",
    "unpad_sequence",
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


def _rows(batch_sizes, n: int) -> Tensor:
    """Where the elements of packed data are among the rows of a padded (longest, n, ...), counted through."""
    return wrap(np.concatenate([step * n + np.arange(size) for step, size in enumerate(batch_sizes)]))


def _lengths(batch_sizes) -> np.ndarray:
    """How long each of the sequences is."""
    return np.greater.outer(batch_sizes, np.arange(batch_sizes[0])).sum(0)


def pack_padded_sequence(
    input: Tensor, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """The first `lengths` elements of each sequence of a batch [longest, number, ...], packed.

    [number, longest, ...] with `batch_first`. The lengths must not increase, unless `enforce_sorted` is False.
    RuntimeError for a length that is not positive or beyond the input, and for another number of them.

    >>> import autograd_core as ac
    >>> padded = ac.tensor([[1, 2, 3], [4, 0, 0]])
    >>> ac.nn.utils.rnn.pack_padded_sequence(padded, [3, 1], batch_first=True).data
    tensor([1, 4, 2, 3])
    """
    lengths = as_tensor(lengths).long()
    batch = input.transpose(0, 1) if batch_first else input
    order = None
    if not enforce_sorted:
        lengths, order = sort(lengths, descending=True)
        batch = index_select(batch, 1, order)
    counts, n = lengths._array, batch.size(1)
    if counts.ndim != 1 or len(counts) != n:
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {lengths.numel()} (batch_size={n})"
        )
    if (counts <= 0).any():
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0: "
            f"{counts.tolist()}"
        )
    if (np.diff(counts) > 0).any():
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True, but is "
            f"{counts.tolist()}. Pass `enforce_sorted=False`"
        )
    if counts[0] > batch.shape[0]:
        raise RuntimeError(
            f"pack_padded_sequence: a length of {counts[0]} is beyond the {batch.shape[0]} elements there are"
        )
    sizes = np.greater.outer(counts, np.arange(counts[0])).sum(0)
    flat = reshape(batch, (-1, *batch.shape[2:]))
    return PackedSequence(index_select(flat, 0, _rows(sizes, n)), wrap(sizes), order)


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Tensor, Tensor]:
    """What was packed as a batch [longest, number, ...] again, in the order it had, and the lengths (int64).

    [number, longest, ...] with `batch_first`; what is missing is `padding_value`. With `total_length` the batch is
    longer: ValueError if that is less than the longest sequence.

    >>> import autograd_core as ac
    >>> packed = ac.nn.utils.rnn.pack_sequence([ac.tensor([1, 2, 3]), ac.tensor([4])])
    >>> ac.nn.utils.rnn.pad_packed_sequence(packed, batch_first=True)
    (tensor([[1, 2, 3],
            [4, 0, 0]]), tensor([3, 1]))
    """
    sizes, data = sequence.batch_sizes._array, sequence.data
    n, longest = int(sizes[0]), len(sizes)
    if total_length is not None and total_length < longest:
        raise ValueError(
            "Expected total_length to be at least the length of the longest sequence in input, but got "
            f"total_length={total_length} and max sequence length being {longest}"
        )
    longest = longest if total_length is None else total_length
    flat = full((longest * n, *data.shape[1:]), padding_value, dtype=data.dtype)
    batch = reshape(index_copy(flat, 0, _rows(sizes, n), data), (longest, n, *data.shape[1:]))
    lengths = wrap(_lengths(sizes))
    if sequence.unsorted_indices is not None:
        batch, lengths = index_select(batch, 1, sequence.unsorted_indices), lengths[sequence.unsorted_indices]
    return (batch.transpose(0, 1) if batch_first else batch), lengths


def pack_sequence(sequences: list[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Sequences [n₁, ...], [n₂, ...], packed. They must not get longer, unless `enforce_sorted` is False.

    >>> import autograd_core as ac
    >>> ac.nn.utils.rnn.pack_sequence([ac.tensor([4]), ac.tensor([1, 2])], enforce_sorted=False).data
    tensor([1, 4, 2])
    """
    return pack_padded_sequence(
        pad_sequence(sequences), tensor([len(one) for one in sequences]), enforce_sorted=enforce_sorted
    )


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """The sequences that were packed.

    >>> import autograd_core as ac
    >>> packed = ac.nn.utils.rnn.pack_sequence([ac.tensor([4]), ac.tensor([1, 2])], enforce_sorted=False)
    >>> ac.nn.utils.rnn.unpack_sequence(packed)
    [tensor([4]), tensor([1, 2])]
    """
    return unpad_sequence(*pad_packed_sequence(packed_sequences, batch_first=True), batch_first=True)
