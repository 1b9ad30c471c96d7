"""Categories drawn by weights, and the choice of one that gradients pass through."""

import numpy as np
import pytest
import torch

import autograd_core as ac


def test_categories_come_as_often_as_their_weights_say():
    weights = ac.tensor([[1.0, 3.0, 0.0, 6.0], [2.0, 0.0, 2.0, 0.0]])
    drawn = ac.multinomial(weights, 20000, replacement=True, generator=ac.Generator())
    counts = np.stack([np.bincount(row, minlength=4) for row in drawn.numpy()]) / 20000
    np.testing.assert_allclose(counts, [[0.1, 0.3, 0.0, 0.6], [0.5, 0.0, 0.5, 0.0]], atol=0.015)


def test_without_replacement_each_comes_once_and_the_likely_first():
    weights = ac.tensor([1.0, 3.0, 0.0, 6.0])
    drawn = ac.multinomial(weights.expand(20000, 4), 4, generator=ac.Generator()).numpy()
    assert (np.sort(drawn) == np.arange(4)).all() and (drawn[:, 3] == 2).all()
    np.testing.assert_allclose(np.bincount(drawn[:, 0], minlength=4) / 20000, [0.1, 0.3, 0.0, 0.6], atol=0.015)
    second = drawn[drawn[:, 0] == 3, 1]  # of those left: 1 in 4, 3 in 4
    np.testing.assert_allclose(np.bincount(second, minlength=4)[:2] / len(second), [0.25, 0.75], atol=0.02)


@pytest.mark.parametrize("shape, n", [((3,), 2), ((2, 3), 3), ((0, 3), 2)])
@pytest.mark.parametrize("replacement", [True, False])
def test_draws_have_the_shape_and_the_dtype_of_torch(T, shape, n, replacement):
    drawn = T.multinomial(T.ones(shape, requires_grad=True), n, replacement)
    assert tuple(drawn.shape) == (*shape[:-1], n) and drawn.dtype == T.int64 and not drawn.requires_grad
    assert T.ones(3).half().multinomial(1).shape == (1,)


def test_a_seed_repeats_draws(T):
    g = T.Generator()
    first = T.multinomial(T.ones(50), 9, generator=g.manual_seed(3))
    assert T.equal(first, T.multinomial(T.ones(50), 9, generator=g.manual_seed(3)))


REFUSALS = {
    "integers": lambda T: T.multinomial(T.tensor([1, 1]), 1),
    "negative": lambda T: T.multinomial(T.tensor([-1.0, 1.0]), 1),
    "nothing": lambda T: T.multinomial(T.zeros(2), 1),
    "infinite": lambda T: T.multinomial(T.tensor([float("inf"), 1.0]), 1),
    "nan": lambda T: T.multinomial(T.tensor([float("nan"), 1.0]), 1),
    "three axes": lambda T: T.multinomial(T.ones(2, 2, 2), 1),
    "no axis": lambda T: T.multinomial(T.tensor(1.0), 1),
    "no samples": lambda T: T.multinomial(T.ones(2), 0),
    "too many": lambda T: T.multinomial(T.ones(2), 3),
    "replacement": lambda T: T.multinomial(T.ones(2), 1, 1),
}


@pytest.mark.parametrize("call", REFUSALS.values(), ids=REFUSALS)
def test_refusals_have_the_type_and_the_words_of_torch(call):
    with pytest.raises(Exception) as theirs:
        call(torch)
    with pytest.raises(type(theirs.value)) as ours:
        call(ac)
    words = str(theirs.value).removesuffix(", got: Long").removesuffix(" samples").replace(" (position 3)", "")
    assert words in str(ours.value)


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("dim", [-1, 0])
def test_a_soft_choice_is_a_distribution_and_a_hard_one_a_category(T, hard, dim):
    logits = T.tensor([[0.0, 1.0, -1.0], [0.5, 0.0, 2.0]], requires_grad=True)
    y = T.nn.functional.gumbel_softmax(logits, tau=0.7, hard=hard, dim=dim)
    np.testing.assert_allclose(y.detach().sum(dim).numpy(), 1.0, rtol=1e-6)
    if hard:
        np.testing.assert_allclose(y.detach().amax(dim).numpy(), 1.0, rtol=1e-6)
    (y * T.tensor([[1.0, 2.0, 3.0], [3.0, 1.0, 2.0]])).sum().backward()
    assert logits.grad.abs().sum() > 0
    np.testing.assert_allclose(logits.grad.sum(dim).numpy(), 0.0, atol=1e-6)


def test_hard_choices_come_as_often_as_the_softmax_says():
    ac.manual_seed(5)
    logits = ac.tensor([0.1, 0.3, 0.6]).log().expand(20000, 3)
    counts = ac.nn.functional.gumbel_softmax(logits, hard=True).mean(0)
    np.testing.assert_allclose(counts.numpy(), [0.1, 0.3, 0.6], atol=0.015)


def test_eps_is_said_to_have_no_effect(T):
    with pytest.warns(UserWarning, match="`eps` parameter is deprecated and has no effect"):
        T.nn.functional.gumbel_softmax(T.zeros(3), eps=1e-5)
