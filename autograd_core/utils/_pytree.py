"""Trees of values under PyTorch's own names for them, which libraries take over: lists, tuples, dicts, and leaves.

None is a leaf, and the keys of a dict are in the order of the dict.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ..names import facade

__all__ = [
    *("TreeSpec", "tree_flatten", "tree_leaves", "tree_map", "tree_map_only", "tree_structure", "tree_unflatten"),
]
__getattr__, __dir__ = facade(__name__, __all__)


@dataclass(frozen=True)
class TreeSpec:
    """A tree without its leaves: the type of a container, what makes it anew, and its children's specs.

    >>> tree_structure([1, (2, None)]).num_leaves
    3
    """

    type: Any  # None for a leaf
    context: Any = None
    children_specs: tuple[TreeSpec, ...] = ()

    @property
    def num_leaves(self) -> int:
        """How many leaves there are."""
        return 1 if self.type is None else sum(child.num_leaves for child in self.children_specs)

    def is_leaf(self) -> bool:
        """Whether there is nothing but one leaf."""
        return self.type is None

    def flatten_up_to(self, tree: Any) -> list:
        """What another tree has where this one has its leaves. ValueError where it is another tree before that.

        >>> tree_structure([1, 2]).flatten_up_to([3, {"w": 4}])
        [3, {'w': 4}]
        """
        if self.type is None:
            return [tree]
        kind, _, children = _container(tree)
        children = list(children)
        if kind is not self.type:
            raise ValueError(f"Node type mismatch; expected {self.type}, but got {type(tree)}.")
        if len(children) != len(self.children_specs):
            raise ValueError(f"Node arity mismatch; expected {len(self.children_specs)}, but got {len(children)}.")
        return [part for spec, child in zip(self.children_specs, children) for part in spec.flatten_up_to(child)]

    def unflatten(self, leaves: Iterable) -> Any:
        """The tree with these leaves."""
        return tree_unflatten(leaves, self)


def tree_flatten(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> tuple[list, TreeSpec]:
    """The leaves of a tree from left to right, and what is left without them. `is_leaf` says what to take for a leaf.

    >>> tree_flatten({"w": [1, None], "b": (3,)})[0]
    [1, None, 3]
    """
    leaves: list = []
    return leaves, _take_apart(tree, leaves, is_leaf)


def tree_unflatten(leaves: Iterable, treespec: TreeSpec) -> Any:
    """The tree of this structure with these leaves. ValueError where they are not as many as it has.

    >>> leaves, spec = tree_flatten({"w": [1, 2]})
    >>> tree_unflatten([3, 4], spec)
    {'w': [3, 4]}
    """
    leaves = list(leaves)
    if len(leaves) != treespec.num_leaves:
        raise ValueError(
            f"treespec.unflatten(leaves): `leaves` has length {len(leaves)} but the spec refers to a pytree that holds "
            f"{treespec.num_leaves} items"
        )
    return _put_together(treespec, iter(leaves))


def tree_leaves(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> list:
    """The leaves of a tree from left to right."""
    return tree_flatten(tree, is_leaf)[0]


def tree_structure(tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> TreeSpec:
    """What is left of a tree without its leaves."""
    return tree_flatten(tree, is_leaf)[1]


def tree_map(func: Callable, tree: Any, *rests: Any, is_leaf: Callable[[Any], bool] | None = None) -> Any:
    """The tree of the same structure with `func` of every leaf, and of what is in its place in the other trees.

    ValueError where another tree has no such place.

    >>> tree_map(lambda x, y: (x, y), [1, (2,)], [10, ([20],)])
    [(1, 10), ((2, [20]),)]
    """
    leaves, spec = tree_flatten(tree, is_leaf)
    others = [spec.flatten_up_to(rest) for rest in rests]
    return tree_unflatten([func(*row) for row in zip(leaves, *others)], spec)


def tree_map_only(kind, func: Callable, tree: Any, is_leaf: Callable[[Any], bool] | None = None) -> Any:
    """The tree with `func` of the leaves of a type, of one of several types, or for which `kind(leaf)` holds.

    >>> tree_map_only(int, lambda n: -n, [1, "a"])
    [-1, 'a']
    """
    by_type = isinstance(kind, (type, tuple))

    def map_leaf(leaf):
        return func(leaf) if (isinstance(leaf, kind) if by_type else kind(leaf)) else leaf

    return tree_map(map_leaf, tree, is_leaf=is_leaf)


def _container(tree) -> tuple[Any, Any, Iterable]:
    """The type of a container, what makes it anew, and its children; the type None for a leaf."""
    kind = type(tree)
    if kind in (dict, OrderedDict):
        return kind, list(tree), tree.values()
    if kind is defaultdict:
        return kind, [tree.default_factory, list(tree)], tree.values()
    if kind is deque:
        return kind, tree.maxlen, tree
    if kind in (list, tuple) or (issubclass(kind, tuple) and hasattr(kind, "_fields")):
        return kind, None, tree
    return None, None, ()


def _take_apart(tree, leaves: list, is_leaf: Callable[[Any], bool] | None) -> TreeSpec:
    kind, context, children = (None, None, ()) if is_leaf is not None and is_leaf(tree) else _container(tree)
    if kind is None:
        leaves.append(tree)
    return TreeSpec(kind, context, tuple(_take_apart(child, leaves, is_leaf) for child in children))


def _put_together(spec: TreeSpec, leaves: Iterator) -> Any:
    kind, context = spec.type, spec.context
    if kind is None:
        return next(leaves)
    children = [_put_together(child, leaves) for child in spec.children_specs]
    if kind in (dict, OrderedDict):
        return kind(zip(context, children))
    if kind is defaultdict:
        return defaultdict(context[0], zip(context[1], children))
    if kind is deque:
        return deque(children, maxlen=context)
    return kind(children) if kind in (list, tuple) else kind(*children)
