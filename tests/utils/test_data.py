"""Datasets, samplers and the loader: the batches of torch where nothing is random, and what is promised where it is."""

import re
from collections import namedtuple
from itertools import islice

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
    "workers": (lambda T, D: D.DataLoader([1], num_workers=-1), "num_workers option should be non-negative"),
    "timeout": (lambda T, D: D.DataLoader([1], timeout=-1), "timeout option should be non-negative"),
    "prefetching": (lambda T, D: D.DataLoader([1], prefetch_factor=2), "prefetch_factor option could only be"),
    "persistent": (lambda T, D: D.DataLoader([1], persistent_workers=True), "needs num_workers > 0"),
    "context": (lambda T, D: D.DataLoader([1], multiprocessing_context="fork"), "can only be used with multi-process"),
    "no batches": (lambda T, D: D.DataLoader([1], batch_size=None, drop_last=True), "disables auto-batching"),
    "shuffled stream": (lambda T, D: D.DataLoader(count(T, 1), shuffle=True), "but got shuffle=True"),
    "sampled stream": (lambda T, D: D.DataLoader(count(T, 1), sampler=[1]), "but got sampler=[1]"),
    "batched stream": (lambda T, D: D.DataLoader(count(T, 1), batch_sampler=[[1]]), "but got batch_sampler=[[1]]"),
    "batch size of a stream": (lambda T, D: D.DataLoader(count(T, 1), batch_size=0), "got batch_size=0"),
    "last of a stream": (lambda T, D: D.DataLoader(count(T, 1), drop_last=3), "got drop_last=3"),
    "length of a stream": (lambda T, D: len(D.DataLoader(count(T, 1))), "has no len()"),
    "no datasets": (lambda T, D: D.ConcatDataset([]), "should not be an empty iterable"),
    "stream in a row": (lambda T, D: D.ConcatDataset([count(T, 1)]), "does not support IterableDataset"),
    "list in a chain": (lambda T, D: list(D.ChainDataset([[1]])), "only supports IterableDataset"),
    "past the end": (lambda T, D: D.ConcatDataset(["ab"])[2], "there are 2 examples, and 2 is asked for"),
    "before the start": (lambda T, D: D.ConcatDataset(["ab"])[-3], "should not exceed dataset length"),
    "nothing stacked": (lambda T, D: D.StackDataset(), "t least one dataset should be passed"),
    "stacked unevenly": (lambda T, D: D.StackDataset("a", "bc"), "Size mismatch between datasets"),
    "both kinds": (lambda T, D: D.StackDataset("a", b="c"), "all by position or all by name"),
    "sum of lengths": (lambda T, D: D.random_split(range(9), [3, 3]), "Sum of input lengths does not equal"),
    "sum of fractions": (lambda T, D: D.random_split(range(9), [0.5, 0.4]), "Sum of input lengths does not equal"),
    "fraction": (lambda T, D: D.random_split(range(9), [1.5, -0.5]), "Fraction at index 0 is not between 0 and 1"),
    "float lengths": (lambda T, D: D.random_split(range(10), [2.5, 7.5]), "float"),
    "weights": (lambda T, D: D.WeightedRandomSampler([[1.0]], 1), "weights should be a 1d sequence"),
    "no weight": (lambda T, D: list(D.WeightedRandomSampler([0.0], 1)), "invalid multinomial distribution"),
    "few weights": (
        lambda T, D: list(D.WeightedRandomSampler([1.0], 2, replacement=False)),
        "cannot sample n_sample >",
    ),
    "no sampler": (lambda T, D: list(D.Sampler()), "should implement __iter__"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals_have_the_type_of_torch_and_name_the_values(name):
    call, words = REFUSALS[name]
    with pytest.raises(Exception) as theirs:
        call(torch, torch.utils.data)
    with pytest.raises(type(theirs.value), match=re.escape(words)):
        call(ac, ac.utils.data)


def test_another_generator_is_refused():
    with pytest.raises(TypeError, match=re.escape("ac.Generator().manual_seed(seed)")):
        list(ac.utils.data.DataLoader([1], shuffle=True, generator=torch.Generator()))


def test_workers_change_nothing_and_one_that_would_be_told_something_is_said_not_to_be():
    loader = ac.utils.data.DataLoader(range(5), 2, num_workers=3, prefetch_factor=4, persistent_workers=True, timeout=1)
    assert [batch.tolist() for batch in loader] == [[0, 1], [2, 3], [4]] and loader.num_workers == 3
    with pytest.warns(UserWarning, match="no 3 workers that worker_init_fn could be called in"):
        ac.utils.data.DataLoader(range(5), num_workers=3, worker_init_fn=print)
    with pytest.warns(UserWarning, match="no accelerator is found"):
        ac.utils.data.DataLoader(range(5), pin_memory=True)


class Count:
    """Numbers in a row; made an IterableDataset of each library below."""

    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return iter(range(self.n))


def count(T, n, sized=False):
    own = {"__len__": lambda self: self.n} if sized else {}
    return type("Count", (Count, T.utils.data.IterableDataset), own)(n)


ITERABLE = {
    "batches": lambda T, D: list(D.DataLoader(count(T, 5), batch_size=2)),
    "full batches": lambda T, D: list(D.DataLoader(count(T, 5), batch_size=2, drop_last=True)),
    "no examples": lambda T, D: list(D.DataLoader(count(T, 0), batch_size=2)),
    "one by one": lambda T, D: list(D.DataLoader(count(T, 3), batch_size=None)),
    "length": lambda T, D: [
        len(D.DataLoader(count(T, 5, True), batch_size=2, drop_last=drop)) for drop in (False, True)
    ],
    "length one by one": lambda T, D: len(D.DataLoader(count(T, 5, True), batch_size=None)),
    "chain": lambda T, D: list(count(T, 2) + count(T, 3)),
    "length of a chain": lambda T, D: len(D.ChainDataset([count(T, 2, True), count(T, 3, True)])),
    "shuffle=False": lambda T, D: list(D.DataLoader(count(T, 2), shuffle=False)),
}


@pytest.mark.parametrize("name", ITERABLE)
def test_examples_that_come_one_after_the_other(name):
    ours, theirs = (ITERABLE[name](T, T.utils.data) for T in (ac, torch))
    assert plain(ours) == plain(theirs)


COMBINED = {
    "concat": lambda T, D: [D.ConcatDataset(["ab", "c", "", "def"])[i] for i in (*range(6), -1, -6)],
    "concat by +": lambda T, D: list(D.DataLoader(rows(T, 3) + rows(T, 2), batch_size=4)),
    "sizes": lambda T, D: (D.ConcatDataset(["ab", "c"]).cumulative_sizes, len(D.ConcatDataset(["ab", "c"]))),
    "subset": lambda T, D: [list(D.Subset("abcd", [3, 1])), len(D.Subset("abcd", [3, 1]))],
    "subset of many": lambda T, D: D.Subset(T.arange(4), [3, 1, 2])[[0, 2]],
    "stack": lambda T, D: D.StackDataset("ab", [1, 2])[1],
    "stack by name": lambda T, D: (D.StackDataset(x="ab", y=[1, 2])[0], len(D.StackDataset(x="ab"))),
    "splits": lambda T, D: [len(part) for part in D.random_split(range(10), [3, 5, 2])],
    "fractions": lambda T, D: [len(part) for part in D.random_split(range(10), [1 / 3, 1 / 3, 1 / 3])],
    "whole": lambda T, D: [len(part) for part in D.random_split(range(3), [1.0])],
    "one by one": lambda T, D: list(D.DataLoader([1, 2.5, np.ones(2)], batch_size=None)),
    "convert": lambda T, D: D.default_convert([1, "a", Pair(np.ones(2), b"c"), {"x": np.float32(1)}, T.ones(1)]),
    "subscript": lambda T, D: [D.Dataset[int] is not None, D.DataLoader[int] is not None, D.Sampler[int] is not None],
    "weights": lambda T, D: list(D.WeightedRandomSampler([0.0, 1.0], 3)),
    "weights without replacement": lambda T, D: sorted(D.WeightedRandomSampler([1, 2, 3], 3, replacement=False)),
    "a random part": lambda T, D: sorted(D.SubsetRandomSampler([4, 2])),
}


@pytest.mark.parametrize("name", COMBINED)
def test_datasets_of_datasets(name):
    ours, theirs = (COMBINED[name](T, T.utils.data) for T in (ac, torch))
    assert plain(ours) == plain(theirs)


def test_a_split_takes_each_example_once_and_a_generator_repeats_it():
    def split():
        return [list(part) for part in ac.utils.data.random_split(range(20), [15, 5], ac.Generator().manual_seed(4))]

    assert (
        split() == split()
        and sorted(i for part in split() for i in part) == list(range(20))
        and split()[0] != list(range(15))
    )


def test_numbers_with_replacement_are_drawn_as_they_are_asked_for():
    sampler = ac.utils.data.RandomSampler(range(3), replacement=True, num_samples=10**15)
    drawn = list(islice(sampler, 3000))
    assert set(drawn) == {0, 1, 2} and len(sampler) == 10**15
    assert len(list(ac.utils.data.RandomSampler(range(3), replacement=True, num_samples=2500))) == 2500


def test_a_dataset_that_gives_many_at_once_is_asked_for_them_at_once():
    class Rows(list):
        def __getitems__(self, numbers):
            return [10 * i for i in numbers]

    assert [batch.tolist() for batch in ac.utils.data.DataLoader(Rows("abc"), 2)] == [[0, 10], [20]]


# -- parts for several processes


@LIBRARIES
def test_parts_are_of_one_length_and_together_the_whole(T):
    sampler = T.utils.data.distributed.DistributedSampler
    for n, parts, drop_last in ((7, 3, False), (7, 3, True), (6, 3, False), (2, 4, False), (2, 4, True)):
        found = [list(sampler(range(n), parts, rank, shuffle=False, drop_last=drop_last)) for rank in range(parts)]
        length = n // parts if drop_last else -(-n // parts)
        order = [i % n for i in range(length * parts)]
        assert found == [order[rank::parts] for rank in range(parts)], (n, parts, drop_last)
        assert len(sampler(range(n), parts, 0, drop_last=drop_last)) == length


@LIBRARIES
def test_all_parts_share_an_order_which_an_epoch_renews(T):
    parts = [T.utils.data.DistributedSampler(range(8), 2, rank, seed=3) for rank in range(2)]
    first = [list(part) for part in parts]
    assert sorted(first[0] + first[1]) == list(range(8)) and [list(part) for part in parts] == first
    for part in parts:
        part.set_epoch(1)
    second = [list(part) for part in parts]
    assert sorted(second[0] + second[1]) == list(range(8)) and second != first


@LIBRARIES
def test_a_part_that_there_is_not_is_refused(T):
    for settings, words in (
        ({"num_replicas": 2, "rank": 2}, r"Invalid rank 2, rank should be in the interval \[0, 1\]"),
        ({}, "Default process group has not been initialized"),
    ):
        with pytest.raises(ValueError, match=words):
            T.utils.data.DistributedSampler(range(4), **settings)
