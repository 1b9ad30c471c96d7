"""Sequences of different lengths as one tensor, in both libraries."""

import re

import numpy as np
import pytest
import torch

import autograd_core as ac

SETTINGS = [{}, {"batch_first": True}, {"padding_value": -2.5}, {"padding_side": "left"}]
KINDS = {
    "numbers": lambda T: [T.tensor([1, 2, 3]), T.tensor([4]), T.tensor([5, 6])],
    "vectors": lambda T: [T.ones(2, 3), T.zeros(4, 3), T.ones(0, 3)],
    "matrices": lambda T: (T.ones(n, 2, 2) * n for n in (1, 3)),
    "a tensor": lambda T: T.arange(6.0).reshape(2, 3),
    "one": lambda T: [T.ones(2)],
}


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
def test_sequences_are_filled_up_to_the_longest(make, settings):
    ours, theirs = (T.nn.utils.rnn.pad_sequence(make(T), **settings) for T in (ac, torch))
    np.testing.assert_array_equal(ours.numpy(), theirs.numpy())
    assert str(ours.dtype).split(".")[1] == str(theirs.dtype).split(".")[1]


@pytest.mark.parametrize("batch_first", [True, False])
def test_sequences_come_back_and_have_their_gradients(T, batch_first):
    sequences = [T.tensor([1.0, 2.0], requires_grad=True), T.tensor([3.0, 4.0, 5.0], requires_grad=True)]
    padded = T.nn.utils.rnn.pad_sequence(sequences, batch_first, padding_value=9.0)
    back = T.nn.utils.rnn.unpad_sequence(padded, T.tensor([2, 3]), batch_first)
    assert [row.tolist() for row in back] == [[1.0, 2.0], [3.0, 4.0, 5.0]]
    (padded**2).sum().backward()
    assert [sequence.grad.tolist() for sequence in sequences] == [[2.0, 4.0], [6.0, 8.0, 10.0]]


REFUSALS = {
    "nothing": (lambda T: [], "received an empty list of sequences"),
    "no sequences": (lambda T: 3, "Expected iterable for input sequences, but got arg of type: <class 'int'>"),
    "numbers": (lambda T: [T.tensor(1.0)], ""),
    "elements of two shapes": (lambda T: [T.ones(2, 2), T.ones(2, 3)], ""),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_what_is_no_batch_of_sequences_is_refused(name):
    make, words = REFUSALS[name]
    with pytest.raises(RuntimeError):
        torch.nn.utils.rnn.pad_sequence(make(torch))
    with pytest.raises(RuntimeError) as error:
        ac.nn.utils.rnn.pad_sequence(make(ac))
    assert words in str(error.value)


def test_another_side_is_refused():
    with pytest.raises(RuntimeError, match=re.escape("Expected padding_side to be one of left or right, but got up.")):
        ac.nn.utils.rnn.pad_sequence([ac.ones(1)], padding_side="up")
