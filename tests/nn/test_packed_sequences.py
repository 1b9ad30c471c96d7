"""Packed sequences: packing and padding, and the recurrent layers on them, in values and gradients."""

import copy
import pickle

import numpy as np
import pytest
import torch

import autograd_core as ac

LENGTHS = {"sorted": [4, 2, 1], "unsorted": [2, 4, 1], "equal": [3, 3, 3], "one": [3]}


def sequences(T, lengths, features=3):
    rng = np.random.default_rng(7)
    made = [rng.normal(size=(n, features)) for n in lengths]
    return [T.tensor(one, requires_grad=True) for one in made]


@pytest.mark.parametrize("lengths", LENGTHS.values(), ids=LENGTHS)
@pytest.mark.parametrize("batch_first", [False, True])
def test_packing_and_padding_are_those_of_torch(lengths, batch_first):
    found = []
    for T in (torch, ac):
        rnn = T.nn.utils.rnn
        parts = sequences(T, lengths)
        padded = rnn.pad_sequence(parts, batch_first=batch_first)
        packed = rnn.pack_padded_sequence(padded, T.tensor(lengths), batch_first, enforce_sorted=False)
        back, counts = rnn.pad_packed_sequence(packed, batch_first, -1.0, total_length=6)
        (back**2).sum().backward()
        found.append([*packed, back, counts, *(part.grad for part in parts)])
    for theirs, ours in zip(*found):
        np.testing.assert_array_equal(ours.detach().numpy(), theirs.detach().numpy())
    assert found[1][1].dtype is ac.int64


def test_what_was_packed_is_unpacked(T):
    rnn = T.nn.utils.rnn
    parts = sequences(T, [2, 4, 1])
    packed = rnn.pack_sequence(parts, enforce_sorted=False)
    assert all(map(T.equal, rnn.unpack_sequence(packed), parts))
    assert rnn.invert_permutation(packed.sorted_indices).tolist() == packed.unsorted_indices.tolist()
    assert rnn.invert_permutation(None) is None
    whole = rnn.pack_sequence(parts[1:])
    assert whole.sorted_indices is None and whole.batch_sizes.tolist() == [2, 1, 1, 1]
    again = rnn.PackedSequence((whole.data, whole.batch_sizes))
    assert T.equal(again.data, whole.data) and again.unsorted_indices is None
    assert whole.double() is whole and whole.float().data.dtype == T.float32 and whole.long().data.dtype == T.int64
    assert whole.to(T.float16).batch_sizes is whole.batch_sizes and not whole.is_cuda and not whole.is_pinned()
    data, sizes, *_ = copy.deepcopy(whole._replace(data=whole.data.detach()))
    assert T.equal(data, whole.data) and T.equal(sizes, whole.batch_sizes)


def test_a_packed_sequence_can_be_pickled():
    packed = ac.nn.utils.rnn.pack_sequence([ac.tensor([1, 2]), ac.tensor([3])])
    assert pickle.loads(pickle.dumps(packed)).data.tolist() == [1, 3, 2]


REFUSED = {
    "not sorted": (RuntimeError, "enforce_sorted", lambda rnn, T: rnn.pack_padded_sequence(T.ones(3, 2), [1, 3])),
    "no length": (RuntimeError, "greater than 0", lambda rnn, T: rnn.pack_padded_sequence(T.ones(3, 2), [1, 0])),
    "too few": (RuntimeError, "len\\(lengths\\)", lambda rnn, T: rnn.pack_padded_sequence(T.ones(3, 2), [1])),
    "no batch": (
        IndexError,
        "Dimension out of range",
        lambda rnn, T: rnn.pack_padded_sequence(T.ones(3), [3]),
    ),
    "total": (
        ValueError,
        "total_length=1",
        lambda rnn, T: rnn.pad_packed_sequence(rnn.pack_sequence([T.ones(2)]), total_length=1),
    ),
    "features": (
        RuntimeError,
        "input_size",
        lambda rnn, T: T.nn.GRU(3, 2)(rnn.pack_sequence([T.ones(2, 4)])),
    ),
    "state": (
        RuntimeError,
        "Expected hidden size",
        lambda rnn, T: T.nn.GRU(3, 2)(rnn.pack_sequence([T.ones(2, 3)]), T.ones(1, 2, 2)),
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_packed_is_refused(T, case):
    kind, words, call = REFUSED[case]
    with pytest.raises(kind, match=words):
        call(T.nn.utils.rnn, T)


def test_what_torch_reads_beyond_its_input_is_refused():
    rnn = ac.nn.utils.rnn
    with pytest.raises(RuntimeError, match="a length of 5 is beyond"):
        rnn.pack_padded_sequence(ac.ones(3, 2), [5, 1])
    with pytest.raises(ValueError, match="Expected input to be 2D"):
        ac.nn.LSTM(3, 2)(rnn.pack_sequence([ac.ones(2, 1, 3)]))


LAYERS = {
    "RNN": lambda T, **given: T.nn.RNN(3, 4, nonlinearity="relu", **given),
    "GRU": lambda T, **given: T.nn.GRU(3, 4, **given),
    "LSTM": lambda T, **given: T.nn.LSTM(3, 4, **given),
    "LSTM, projected": lambda T, **given: T.nn.LSTM(3, 4, proj_size=2, **given),
}


def run(T, layer, weights, lengths, with_state):
    """The outputs, the last states, and the gradients of everything."""
    layer.load_state_dict({name: T.tensor(value) for name, value in weights.items()})
    parts = sequences(T, lengths)
    packed = T.nn.utils.rnn.pack_sequence(parts, enforce_sorted=False)
    rng = np.random.default_rng(3)
    rows = layer.num_layers * (2 if layer.bidirectional else 1)
    sizes = [layer.proj_size or 4, 4] if layer.mode == "LSTM" else [4]
    states = [T.tensor(rng.normal(size=(rows, len(lengths), size)), requires_grad=True) for size in sizes]
    given = (tuple(states) if len(states) > 1 else states[0]) if with_state else None
    out, last = layer(packed, given)
    last = last if isinstance(last, tuple) else (last,)
    assert isinstance(out, T.nn.utils.rnn.PackedSequence)
    ((out.data**3).sum() + sum((part**2).sum() for part in last)).backward()
    leaves = [*parts, *layer.parameters(), *(states if with_state else ())]
    return [*out, *last, *(leaf.grad for leaf in leaves)]


@pytest.mark.parametrize("kind", LAYERS)
@pytest.mark.parametrize("lengths", LENGTHS.values(), ids=LENGTHS)
@pytest.mark.parametrize("bidirectional", [False, True])
def test_recurrent_layers_take_packed_sequences(kind, lengths, bidirectional):
    theirs, ours = (LAYERS[kind](T, num_layers=2, bidirectional=bidirectional, dtype=T.float64) for T in (torch, ac))
    weights = {name: value.detach().numpy() for name, value in theirs.state_dict().items()}
    for with_state in (False, True):
        theirs.zero_grad()
        ours.zero_grad()
        expected = run(torch, theirs, weights, lengths, with_state)
        for right, found in zip(expected, run(ac, ours, weights, lengths, with_state), strict=True):
            if right is None or found is None:
                assert right is found
            else:
                np.testing.assert_allclose(found.detach().numpy(), right.detach().numpy(), atol=1e-12)


def test_the_names_of_weights_are_those_of_the_parameters(T):
    layer = T.nn.LSTM(3, 4, num_layers=2, bidirectional=True, proj_size=2, bias=False)
    assert layer._flat_weights_names == [name for name, _ in layer.named_parameters()]
