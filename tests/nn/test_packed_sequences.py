"""Batches without their padding, and the recurrent layers that take them, in both libraries."""

import re

import numpy as np
import pytest
import torch

import autograd_core as ac

LENGTHS = {"sorted": [5, 3, 3, 1], "in any order": [1, 5, 2, 3], "all alike": [4, 4, 4, 4]}
LAYERS = {
    "RNN": ("RNN", {}),
    "relu": ("RNN", {"nonlinearity": "relu", "bidirectional": True}),
    "GRU": ("GRU", {"bidirectional": True, "num_layers": 2}),
    "LSTM": ("LSTM", {"batch_first": True}),
    "projected": ("LSTM", {"bidirectional": True, "num_layers": 2, "proj_size": 2, "bias": False}),
}


def filled(T, rng, *shape):
    return T.tensor(rng.normal(size=shape), requires_grad=True)


def assert_same(f):
    ours, theirs = ([t.detach().numpy() for t in f(T)] for T in (ac, torch))
    assert len(ours) == len(theirs)
    for here, there in zip(ours, theirs):
        np.testing.assert_allclose(here, there, rtol=1e-10)


@pytest.mark.parametrize("lengths", LENGTHS.values(), ids=LENGTHS)
@pytest.mark.parametrize("batch_first", [True, False])
def test_a_packed_batch_has_the_elements_step_by_step_and_comes_back(lengths, batch_first):
    def f(T):
        rnn = T.nn.utils.rnn
        batch = filled(T, np.random.default_rng(0), *((4, 5) if batch_first else (5, 4)), 2)
        packed = rnn.pack_padded_sequence(batch, T.tensor(lengths), batch_first, enforce_sorted=False)
        padded, counts = rnn.pad_packed_sequence(packed, batch_first, padding_value=-2.5, total_length=6)
        padded.square().sum().backward()
        parts = rnn.unpack_sequence(packed)
        return [*packed, padded, counts, batch.grad, *parts, *rnn.pack_sequence(parts, enforce_sorted=False)]

    assert_same(f)


@pytest.mark.parametrize("starts", [False, True], ids=["from zeros", "from a state"])
@pytest.mark.parametrize("lengths", LENGTHS.values(), ids=LENGTHS)
@pytest.mark.parametrize("name", LAYERS)
def test_layers_compute_what_torch_does_of_a_packed_batch(name, lengths, starts):
    kind, settings = LAYERS[name]

    def f(T):
        rng = np.random.default_rng(1)
        layer = getattr(T.nn, kind)(3, 4, dtype=T.float64, **settings)
        for p in layer.parameters():
            p.data = T.tensor(rng.normal(size=tuple(p.shape)))
        x = filled(T, rng, 5, 4, 3)
        runs = settings.get("num_layers", 1) * (2 if settings.get("bidirectional") else 1)
        sizes = [settings.get("proj_size") or 4, 4][: 2 if kind == "LSTM" else 1]
        state = [filled(T, rng, runs, 4, size) for size in sizes] if starts else []
        packed = T.nn.utils.rnn.pack_padded_sequence(x, lengths, enforce_sorted=lengths == sorted(lengths)[::-1])
        hx = [] if not starts else [tuple(state)] if kind == "LSTM" else state
        out, last = layer(packed, *hx)
        last = last if isinstance(last, tuple) else (last,)
        padded, _ = T.nn.utils.rnn.pad_packed_sequence(out)
        (padded.square().sum() + sum((k + 2) * part.sum() for k, part in enumerate(last))).backward()
        return [padded, *last, x.grad, *[t.grad for t in state], *[p.grad for p in layer.parameters()]]

    assert_same(f)


def test_what_has_ended_changes_nothing_after_it():
    layer = ac.nn.GRU(1, 2, batch_first=True)
    batch = ac.tensor([[[1.0], [2.0], [3.0]], [[4.0], [9.0], [9.0]]])
    _, h = layer(ac.nn.utils.rnn.pack_padded_sequence(batch, [3, 1], batch_first=True))
    _, alone = layer(batch[1:, :1])
    np.testing.assert_allclose(h[0, 1].detach(), alone[0, 0].detach(), rtol=1e-6)


def test_a_packed_sequence_is_a_tuple_that_changes_its_dtype(T):
    packed = T.nn.utils.rnn.pack_sequence([T.tensor([1.0, 2.0]), T.tensor([3.0])])
    data, sizes, order, back = packed
    assert data.tolist() == [1.0, 3.0, 2.0] and sizes.tolist() == [2, 1] and order is back is None
    assert packed.double().data.dtype is T.float64 and packed.long().data.tolist() == [1, 3, 2]
    assert packed.to("cpu") is packed and packed.cpu() is packed and not packed.is_cuda
    order = T.tensor([1, 0])
    made = T.nn.utils.rnn.PackedSequence(data, sizes, order)
    assert made.unsorted_indices.tolist() == [1, 0] and made.half().sorted_indices is order


REFUSALS = {
    "not sorted": (lambda rnn, x: rnn.pack_padded_sequence(x, [1, 2]), RuntimeError, "`lengths` array must be sorted"),
    "no element": (lambda rnn, x: rnn.pack_padded_sequence(x, [2, 0]), RuntimeError, "has to be greater than 0"),
    "too few": (lambda rnn, x: rnn.pack_padded_sequence(x, [2]), RuntimeError, "Expected `len(lengths)` to be equal"),
    "no batch": (lambda rnn, x: rnn.pack_padded_sequence(x[0, :, 0], [2]), IndexError, "Dimension out of range"),
    "too short": (
        lambda rnn, x: rnn.pad_packed_sequence(rnn.pack_padded_sequence(x, [3, 1]), total_length=2),
        ValueError,
        "Expected total_length to be at least the length of the longest sequence in input",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_what_is_no_batch_of_these_lengths_is_refused(T, name):
    call, kind, words = REFUSALS[name]
    with pytest.raises(kind, match=re.escape(words)):
        call(T.nn.utils.rnn, T.ones(3, 2, 1))


def test_a_length_that_the_batch_does_not_have_is_refused_where_torch_counts_elements_that_are_not_there():
    assert torch.nn.utils.rnn.pack_padded_sequence(torch.ones(3, 1, 1), [9]).batch_sizes.sum() == 9
    with pytest.raises(RuntimeError, match="lengths must be at most 3"):
        ac.nn.utils.rnn.pack_padded_sequence(ac.ones(3, 1, 1), [9])


def test_a_layer_refuses_packed_data_and_states_of_other_sizes(T):
    packed = T.nn.utils.rnn.pack_sequence([T.ones(2, 3), T.ones(1, 3)])
    with pytest.raises(RuntimeError, match=r"input.size\(-1\) must be equal to input_size. Expected 5, got"):
        T.nn.GRU(5, 2)(packed)
    with pytest.raises(RuntimeError, match="Expected hidden size "):
        T.nn.GRU(3, 2)(packed, T.ones(1, 7, 2))


def test_names_of_flat_weights_are_those_of_parameters(T):
    layer = T.nn.LSTM(3, 4, num_layers=2, bidirectional=True, proj_size=2, bias=False)
    assert layer._flat_weights_names == [name for name, _ in layer.named_parameters()]
    layer = T.nn.GRU(3, 4)
    assert layer._flat_weights_names == ["weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"]
