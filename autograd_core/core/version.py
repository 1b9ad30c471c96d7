"""Versions: how often a storage was written, and by whom."""

from __future__ import annotations


class Version:
    """How often a storage was written, and the last writer; shared by all tensors that see the storage.

    `writer` is a pair (op name, source position), or None before the first write. `born` is the number of the function
    transform inside which the storage was made, 0 outside of all.
    """

    count = 0
    writer: tuple | None = None
    restrided = 0  # the count when the tensor itself was last given other strides in place
    born = 0


class VersionInside(Version):
    """The version of a storage that is made inside a function transform."""

    def __init__(self, born: int):
        self.born = born
