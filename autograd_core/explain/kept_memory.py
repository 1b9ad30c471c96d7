"""What a graph keeps in memory: the saved values, by op and by the rule that wants them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..reading import is_accumulator, is_tensor, reach, reader_of, require_tensor
from .answers import Table


@dataclass(frozen=True)
class Row:
    """One saved value: which op saved it under which name, the inputs whose gradients want it, and its bytes.

    `nbytes` is what its storage takes, 0 if a row above counts that storage already (`shared`) or it is a number.
    `held_by_leaf` says that the storage is a leaf's own, which would be in memory without the graph too.
    """

    op: str
    name: str
    wanted_for: str
    shape: tuple[int, ...]
    nbytes: int
    shared: bool
    held_by_leaf: bool
    line: str | None


@dataclass(frozen=True)
class Memory:
    """The answer of `memory()`: the rows and their sums.

    `released` counts the ops that have let go of what they saved, `packed` the values that are not counted because a
    saved-tensors hook made something else of them than a tensor or an array.
    """

    rows: tuple[Row, ...]
    released: int
    packed: int = 0

    @property
    def total(self) -> int:
        """Bytes kept by the graph, each storage counted once."""
        return sum(row.nbytes for row in self.rows)

    @property
    def held_by_leaves(self) -> int:
        """The part of `total` that leaves hold anyway."""
        return sum(row.nbytes for row in self.rows if row.held_by_leaf)

    def by_op(self) -> dict[str, int]:
        """Bytes by op, the largest first."""
        sums: dict[str, int] = {}
        for row in self.rows:
            sums[row.op] = sums.get(row.op, 0) + row.nbytes
        return dict(sorted(sums.items(), key=lambda item: -item[1]))

    def _table(self) -> Table:
        notes = [f"{self.total} bytes in all, {self.held_by_leaves} of them held by leaves anyway."]
        if self.released:
            notes.append(f"{self.released} op{' has' if self.released == 1 else 's have'} released what they saved.")
        if self.packed:
            notes.append(
                f"{self.packed} value{' is' if self.packed == 1 else 's are'} kept packed by a saved-tensors hook or "
                "a checkpoint, and not counted."
            )
        cells = [
            [
                row.op,
                row.name,
                row.wanted_for or "-",
                str(list(row.shape)),
                "counted above" if row.shared else str(row.nbytes),
                "a leaf's own" if row.held_by_leaf else "",
            ]
            for row in self.rows
        ]
        return Table(("op", "saves", "for the gradient of", "shape", "bytes", ""), cells, notes)

    def __repr__(self) -> str:
        return str(self._table())

    def _repr_html_(self) -> str:
        return self._table().html()


def memory(loss) -> Memory:
    """The values that the graph of a loss keeps for its backward, in bytes; each storage counts once.

    Takes a tensor of this package or of PyTorch. PyTorch does not say which rule wants a value, so that column is
    empty there. What saved-tensors hooks packed counts if it is a tensor or an array; nothing is unpacked for it.

    Raises TypeError for anything but a tensor.

    >>> import autograd_core as ac
    >>> w = ac.ones(100, requires_grad=True)
    >>> ac.explain.memory(ac.exp(w * w).sum())
    op   saves  for the gradient of  shape  bytes
    exp  out    x                    [100]  400
    mul  x      y                    [100]  400            a leaf's own
    mul  y      x                    [100]  counted above  a leaf's own
    800 bytes in all, 400 of them held by leaves anyway.
    """
    require_tensor(loss, "memory")
    graph, nodes = reader_of(loss), reach([loss])
    leaves = {graph.storage(node.variable)[0] for node in nodes if is_accumulator(node) and node.variable is not None}
    rows: list[Row] = []
    counted: set[int] = set()
    released = packed = 0
    for node in nodes:
        if is_accumulator(node):
            continue
        if graph.trouble(node) is not None:
            released += 1
            continue
        for saved in graph.saved(node):
            if not is_tensor(saved.value) and not isinstance(saved.value, np.ndarray):
                packed += saved.packed
                continue
            key, nbytes = reader_of(saved.value).storage(saved.value)
            shared = key in counted
            counted.add(key)
            rows.append(
                Row(
                    graph.op_name(node),
                    saved.name,
                    saved.wanted_for,
                    tuple(saved.value.shape),
                    0 if shared else nbytes,
                    shared,
                    key in leaves,
                    graph.line(node),
                )
            )
    return Memory(tuple(rows), released, packed)
