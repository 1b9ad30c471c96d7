"""Datasets, samplers and the loader: the batches of torch where nothing is random, and what is promised where it is."""

import re
from collections import namedtuple

import numpy as np
import pytest
import torch

import autograd_core as ac

LIBRARIES = pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])
Pair = namedtuple("Pair", "x y")


class Squares:
    """A dataset by its two methods alone."""

    def __init__(self, T, n):
        self.T, self.n = T, n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        return {"x": self.T.tensor([float(i), float(i * i)]), "name": f"number {i}", "odd": i % 2 == 1, "half": i / 2}


def plain(value):
    """A batch as Python values, with the types of its parts."""
    if isinstance(value, (ac.Tensor, torch.Tensor)):
        return str(value.dtype).rpartition(".")[2], value.tolist()
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value).__name__, [plain(part) for part in value]
    return value


def rows(T, n=7):
    return T.utils.data.TensorDataset(T.arange(2.0 * n).reshape(n, 2), T.arange(n))


SETTINGS = [
    {},
    {"batch_size": 3},
    {"batch_size": 3, "drop_last": True},
    {"batch_size": 10},
    {"batch_size": 2, "sampler": [4, 0, 4]},
    {"batch_sampler": [[0], [1, 2], [6, 5, 4]]},
    {"batch_size": 2, "collate_fn": len},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("data", [rows, lambda T: Squares(T, 7), lambda T: [2.5 * i for i in range(7)]])
def test_batches_are_those_of_torch(settings, data):
    ours, theirs = (T.utils.data.DataLoader(data(T), **settings) for T in (ac, torch))
    batches = [[plain(batch) for batch in loader] for loader in (ours, theirs)]
    assert batches[0] == batches[1]
    assert len(ours) == len(theirs) == len(batches[0])


BATCHES = {
    "tensors": lambda T: [T.ones(2), T.zeros(2)],
    "arrays": lambda T: [np.ones(2, np.float32), np.zeros(2, np.float32)],
    "NumPy numbers": lambda T: [np.float32(1.0), np.float32(2.0)],
    "ints": lambda T: [1, 2],
    "bools": lambda T: [True, False],
    "floats": lambda T: [1.0, 2.5],
    "strings": lambda T: ["a", "b"],
    "bytes": lambda T: [b"a", b"b"],
    "tuples": lambda T: [(1, 2.0), (3, 4.0)],
    "lists": lambda T: [[1, "x"], [3, "y"]],
    "named tuples": lambda T: [Pair(1, 2.0), Pair(3, 4.0)],
    "dicts of dicts": lambda T: [{"a": {"b": 1}}, {"a": {"b": 2}}],
}


@pytest.mark.parametrize("name", BATCHES)
def test_examples_are_collated_as_in_torch(name):
    ours, theirs = (T.utils.data.default_collate(BATCHES[name](T)) for T in (ac, torch))
    assert plain(ours) == plain(theirs)


def test_collated_tensors_keep_their_history():
    w = ac.ones(2, requires_grad=True)
    ac.utils.data.default_collate([w * 2, w * 3]).sum().backward()
    assert w.grad.tolist() == [5.0, 5.0]


def epochs(loader, n=3):
    return [[x for batch in loader for x in batch.tolist()] for _ in range(n)]


def test_shuffling_takes_each_example_once_in_an_order_that_a_seed_decides():
    def loader(seed):
        return ac.utils.data.DataLoader(range(20), 3, shuffle=True, generator=np.random.default_rng(seed))

    first = epochs(loader(1))
    assert all(sorted(epoch) == list(range(20)) for epoch in first)
    assert first == epochs(loader(1)) and first != epochs(loader(2))
    assert first[0] != first[1] != list(range(20))


def test_without_a_generator_the_seed_of_the_process_decides():
    loader = ac.utils.data.DataLoader(range(20), 3, shuffle=True)
    runs = []
    for seed in (1, 1, 2):
        ac.manual_seed(seed)
        runs.append(epochs(loader))
    assert runs[0] == runs[1] != runs[2]
    assert runs[0][0] != runs[0][1]


def test_random_sampler():
    S = ac.utils.data.RandomSampler
    few = list(S(range(10), num_samples=4))
    assert len(few) == len(set(few)) == 4 == len(S(range(10), num_samples=4))
    many = list(S(range(3), num_samples=7))
    assert sorted(many[:3]) == sorted(many[3:6]) == [0, 1, 2] and many[6] in (0, 1, 2)
    drawn = list(S(range(3), replacement=True, num_samples=50, generator=np.random.default_rng(0)))
    assert len(drawn) == 50 and set(drawn) == {0, 1, 2}


@LIBRARIES
def test_samplers_without_chance(T):
    D = T.utils.data
    assert list(D.SequentialSampler("abc")) == [0, 1, 2] and len(D.SequentialSampler("abc")) == 3
    assert list(D.BatchSampler(D.SequentialSampler("abc"), 2, True)) == [[0, 1]]
    assert [len(D.BatchSampler("abcde", 2, drop)) for drop in (True, False)] == [2, 3]


REFUSALS = {
    "batch_size": (lambda T, D: D.DataLoader([1], batch_size=0), "positive integer value, but got batch_size=0"),
    "sampler and shuffle": (lambda T, D: D.DataLoader([1], shuffle=True, sampler=[0]), "exclusive with shuffle"),
    "two batchings": (lambda T, D: D.DataLoader([1], batch_sampler=[[0]], batch_size=2), "exclusive with batch_size"),
    "nothing to shuffle": (lambda T, D: D.DataLoader([], shuffle=True), "num_samples=0"),
    "shapes": (lambda T, D: D.default_collate([T.ones(2), T.ones(3)]), "[2] at entry 0 and [3] at entry 1"),
    "objects": (lambda T, D: D.default_collate([object()]), "found <class 'object'>"),
    "keys": (lambda T, D: D.default_collate([{"a": 1}, {"b": 2}]), "'a'"),
    "lengths of examples": (lambda T, D: D.default_collate([(1,), (2, 3)]), "of equal size"),
    "sizes": (lambda T, D: D.TensorDataset(T.ones(2), T.ones(3)), "Size mismatch between tensors"),
    "no item": (lambda T, D: D.Dataset()[0], "__getitem__"),
    "replacement": (lambda T, D: D.RandomSampler([1], replacement=1), "boolean value, but got replacement=1"),
    "drop_last": (lambda T, D: D.BatchSampler([1], 1, 3), "boolean value, but got drop_last=3"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals_have_the_type_of_torch_and_name_the_values(name):
    call, words = REFUSALS[name]
    with pytest.raises(Exception) as theirs:
        call(torch, torch.utils.data)
    with pytest.raises(type(theirs.value), match=re.escape(words)):
        call(ac, ac.utils.data)


def test_what_needs_other_processes_another_generator_or_no_batches_is_refused():
    with pytest.raises(ValueError, match="positive integer value, but got batch_size=None"):
        ac.utils.data.DataLoader([1], batch_size=None)
    with pytest.raises(NotImplementedError, match="num_workers"):
        ac.utils.data.DataLoader([1], num_workers=2)
    with pytest.raises(TypeError, match=re.escape("np.random.default_rng(seed)")):
        list(ac.utils.data.DataLoader([1], shuffle=True, generator=torch.Generator()))
