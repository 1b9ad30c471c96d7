"""Trees of values under PyTorch's own names for them, in both libraries."""

import collections
import importlib
import re

import pytest
import torch

import autograd_core as ac

Point = collections.namedtuple("Point", "x y")
TREES = {
    "a leaf": 3,
    "None": None,
    "nested": {"w": [1, (2, None)], "b": ()},
    "another order": {"b": 1, "a": {"d": 2, "c": 3}},
    "named": Point(1, [2, 3]),
    "ordered": collections.OrderedDict(b=1, a=2),
    "with a default": collections.defaultdict(list, {"k": 1}),
    "a deque": collections.deque([1, 2], maxlen=4),
    "not a container": [{1, 2}, "text", range(3)],
}


@pytest.fixture
def trees(T):
    return importlib.import_module(f"{T.__name__}.utils._pytree")


@pytest.mark.parametrize("name", TREES)
def test_a_tree_is_taken_apart_and_put_together(trees, name):
    tree = TREES[name]
    leaves, spec = trees.tree_flatten(tree)
    assert leaves == torch.utils._pytree.tree_leaves(tree) == trees.tree_leaves(tree)
    assert spec == trees.tree_structure(tree) and spec.num_leaves == len(leaves)
    assert spec.is_leaf() == torch.utils._pytree.tree_structure(tree).is_leaf()
    back = trees.tree_unflatten(leaves, spec)
    assert back == tree == spec.unflatten(leaves) and type(back) is type(tree)
    assert getattr(back, "maxlen", None) == getattr(tree, "maxlen", None)
    assert getattr(back, "default_factory", None) is getattr(tree, "default_factory", None)


def test_a_function_is_applied_to_leaves(trees):
    assert trees.tree_map(lambda x: (x, x), [1, {"a": None}]) == [(1, 1), {"a": (None, None)}]
    assert trees.tree_map(lambda x, y: [x, y], [1, (2,)], [3, ((4, 5),)]) == [[1, 3], ([2, (4, 5)],)]
    assert trees.tree_map(str, [(1, 2), 3], is_leaf=lambda x: isinstance(x, tuple)) == ["(1, 2)", "3"]
    assert trees.tree_map_only(int, lambda n: -n, [1, "a", (2.5,)]) == [-1, "a", (2.5,)]
    assert trees.tree_map_only((int, float), lambda n: -n, [1, "a", (2.5,)]) == [-1, "a", (-2.5,)]
    assert trees.tree_map_only(lambda x: x == 1, lambda n: -n, [1, 2]) == [-1, 2]


REFUSALS = {
    "too few leaves": (lambda p: p.tree_unflatten([1], p.tree_structure([1, 2])), "`leaves` has length 1 but the spec"),
    "another length": (lambda p: p.tree_map(max, [1, 2], [1]), "Node arity mismatch; expected 2, but got 1."),
    "another kind": (lambda p: p.tree_map(max, [1, 2], (1, 2)), "Node type mismatch; expected <class 'list'>, but got"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_trees_that_do_not_fit_are_refused(trees, name):
    call, words = REFUSALS[name]
    with pytest.raises(ValueError, match=re.escape(words)):
        call(trees)


def test_tensors_are_leaves():
    tree = {"x": ac.ones(2), "y": [ac.zeros(1)]}
    moved = ac.utils._pytree.tree_map_only(ac.Tensor, lambda t: t.double(), tree)
    assert [t.dtype for t in ac.utils._pytree.tree_leaves(moved)] == [ac.float64, ac.float64]
