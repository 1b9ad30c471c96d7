"""Trees: taking apart, putting together, and what counts as a container."""

from collections import OrderedDict, namedtuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograd_core.func.trees import tree_flatten, tree_map, tree_unflatten

Pair = namedtuple("Pair", "left right")

trees = st.recursive(
    st.integers() | st.none() | st.text(max_size=2),
    lambda inside: (
        st.lists(inside, max_size=3)
        | st.lists(inside, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=2), inside, max_size=3)
        | st.dictionaries(st.text(max_size=2), inside, max_size=3).map(OrderedDict)
        | st.builds(Pair, inside, inside)
    ),
    max_leaves=10,
)


@given(trees)
def test_a_tree_taken_apart_and_put_together_is_the_same(tree):
    leaves, structure = tree_flatten(tree)
    again = tree_unflatten(structure, leaves)
    assert again == tree and type(again) is type(tree)
    assert None not in leaves
    assert tree_flatten(again) == (leaves, structure)


def test_leaves_come_from_left_to_right():
    assert tree_flatten({"b": [1, (2, None)], "a": Pair(3, {})})[0] == [1, 2, 3]


@pytest.mark.parametrize(
    "other", [[1, 2], (1, [2]), {"a": 1, "b": 2}, Pair(1, 2), (1, None), (1,), 1, OrderedDict(a=1, b=2)], ids=repr
)
def test_trees_that_differ_have_different_structures(other):
    assert tree_flatten(other)[1] != tree_flatten((1, 2))[1]


def test_structures_forget_the_leaves():
    assert tree_flatten([1, {"a": "x"}])[1] == tree_flatten([2, {"a": 0.5}])[1]


def test_other_types_are_leaves():
    class Special(dict):
        pass

    special = Special(a=1)
    assert tree_flatten([special, "text", range(2)])[0] == [special, "text", range(2)]


def test_map_keeps_the_containers():
    assert tree_map(lambda n: -n, Pair([1], OrderedDict(k=(2, None)))) == Pair([-1], OrderedDict(k=(-2, None)))


@pytest.mark.parametrize(
    ("tree", "shown"), [(1, "*"), ([1, (2,)], "[*, (*,)]"), ({"a": None, "b": ()}, "{'a': None, 'b': ()}")]
)
def test_structures_print_as_trees(tree, shown):
    assert repr(tree_flatten(tree)[1]) == shown
