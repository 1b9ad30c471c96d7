"""Trees of values: nested lists, tuples, named tuples and dicts with tensors, or anything else, as leaves.

None is an empty tree. So that a transform can work on a plain list of tensors, `tree_flatten` takes a tree apart
into its leaves and a `Structure`, from which `tree_unflatten` puts other leaves together the same way.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Structure:
    """A tree without its leaves: the type of a container, the keys of a dict, and the children's structures.

    Two are equal when their trees look alike; a dict's keys must come in the same order.

    >>> tree_flatten({"w": [1, 2], "b": None})[1]
    {'w': [*, *], 'b': None}
    """

    kind: type | None = None  # None: a leaf
    keys: tuple = ()
    children: tuple[Structure, ...] = ()

    def holds_none(self) -> bool:
        """Whether there is a None somewhere in the tree."""
        return self.kind is type(None) or any(child.holds_none() for child in self.children)

    def __repr__(self) -> str:
        if self.kind is None:
            return "*"
        if self.kind is type(None):
            return "None"
        inside = [repr(child) for child in self.children]
        if self.keys:
            return "{" + ", ".join(f"{key!r}: {text}" for key, text in zip(self.keys, inside)) + "}"
        if self.kind is list:
            return "[" + ", ".join(inside) + "]"
        return "(" + ", ".join(inside) + ("," if len(inside) == 1 else "") + ")"


def tree_flatten(tree: Any) -> tuple[list, Structure]:
    """The leaves of a tree from left to right, and its structure.

    >>> tree_flatten({"w": [1, 2], "b": (3, None)})[0]
    [1, 2, 3]
    """
    leaves: list = []
    return leaves, _take_apart(tree, leaves)


def tree_unflatten(structure: Structure, leaves) -> Any:
    """The tree of the given structure whose leaves are `leaves`, which must be as many.

    >>> leaves, structure = tree_flatten({"w": [1, 2], "b": (3, None)})
    >>> tree_unflatten(structure, [10 * leaf for leaf in leaves])
    {'w': [10, 20], 'b': (30, None)}
    """
    return _put_together(structure, iter(leaves))


def tree_map(function, tree: Any) -> Any:
    """The tree of the same structure with `function` applied to every leaf.

    >>> tree_map(lambda n: n + 1, [1, (2, None)])
    [2, (3, None)]
    """
    leaves, structure = tree_flatten(tree)
    return tree_unflatten(structure, [function(leaf) for leaf in leaves])


LEAF = Structure()


def _take_apart(tree, leaves: list) -> Structure:
    kind = type(tree)
    if tree is None:
        return Structure(kind)
    if kind is dict or kind is OrderedDict:
        return Structure(kind, tuple(tree), tuple([_take_apart(child, leaves) for child in tree.values()]))
    if kind is list or kind is tuple or _is_named(kind):
        return Structure(kind, (), tuple([_take_apart(child, leaves) for child in tree]))
    leaves.append(tree)
    return LEAF


def _put_together(structure: Structure, leaves: Iterator) -> Any:
    kind = structure.kind
    if kind is None:
        return next(leaves)
    if kind is type(None):
        return None
    children = [_put_together(child, leaves) for child in structure.children]
    if kind is dict or kind is OrderedDict:
        return kind(zip(structure.keys, children))
    return kind(*children) if _is_named(kind) else kind(children)


def _is_named(kind: type) -> bool:
    return issubclass(kind, tuple) and hasattr(kind, "_fields")
