"""Sequences of different lengths as one tensor, and back: `torch.nn.utils.rnn`, without packed sequences."""

from __future__ import annotations

from collections.abc import Iterable

from ...core.tensor import Tensor
from ...names import facade
from ...ops.shapes.joining import stack
from ...ops.windows.borders import pad

__all__ = ["pad_sequence", "unpad_sequence"]
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
