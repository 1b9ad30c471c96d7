"""Generators: where random numbers come from, and how a program goes back to them."""

import copy
import pickle

import numpy as np
import pytest
import torch

import autograd_core as ac

DRAWS = {
    "rand": lambda g: ac.rand(3, generator=g),
    "randn": lambda g: ac.randn(3, generator=g),
    "rand_like": lambda g: ac.rand_like(ac.zeros(3), generator=g),
    "randn_like": lambda g: ac.randn_like(ac.zeros(3), generator=g),
    "randint": lambda g: ac.randint(1000, (3,), generator=g),
    "randperm": lambda g: ac.randperm(50, generator=g),
    "bernoulli": lambda g: ac.bernoulli(ac.full((60,), 0.5), generator=g),
    "normal_": lambda g: ac.zeros(3).normal_(generator=g),
    "uniform_": lambda g: ac.zeros(3).uniform_(generator=g),
    "bernoulli_": lambda g: ac.zeros(60).bernoulli_(generator=g),
}


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_a_generator_has_numbers_of_its_own(draw):
    g = ac.Generator().manual_seed(3)
    before = ac.get_rng_state()
    first, second = draw(g), draw(g)
    assert ac.equal(first, draw(g.manual_seed(3))) and not ac.equal(first, second)
    assert ac.equal(ac.get_rng_state(), before)
    assert ac.equal(first, draw(np.random.Generator(np.random.PCG64(3))))
    with pytest.raises(TypeError, match=r"pass ac\.Generator\(\)\.manual_seed\(seed\)"):
        draw(torch.Generator())


def test_a_new_generator_begins_with_the_same_seed(T):
    assert T.Generator().initial_seed() == T.Generator(device="cpu").initial_seed() == 67280421310721
    assert T.equal(T.rand(3, generator=T.Generator()), T.rand(3, generator=T.Generator()))


def test_a_seed_is_kept_and_returned(T):
    g = T.Generator()
    assert g.manual_seed(-1) is g and g.initial_seed() == 2**64 - 1
    assert g.seed() == g.initial_seed() != g.seed()
    assert T.manual_seed(5) is T.default_generator and T.initial_seed() == 5
    assert T.seed() == T.initial_seed()


@pytest.mark.parametrize("seed", [1.5, "1", 2**64, -(2**63) - 1])
def test_what_is_no_seed_is_refused(seed):
    with pytest.raises((RuntimeError, ValueError)) as theirs:
        torch.Generator().manual_seed(seed)
    with pytest.raises(type(theirs.value), match=str(theirs.value)):
        ac.Generator().manual_seed(seed)


def test_a_state_is_a_tensor_of_bytes_and_brings_the_numbers_back(T):
    g = T.Generator().manual_seed(2)
    T.randint(5, (1,), generator=g)  # half a number is left over
    state = g.get_state()
    assert state.dtype == T.uint8 and state.ndim == 1
    first = T.randint(1000, (5,), generator=g)
    other = T.Generator()
    other.set_state(state.clone())
    assert T.equal(T.randint(1000, (5,), generator=other), first) and other.initial_seed() == 2
    T.manual_seed(0)
    state = T.get_rng_state()
    first = T.rand(3)
    T.set_rng_state(state)
    assert T.equal(T.rand(3), first)


def test_a_copy_goes_on_by_itself():
    g = ac.Generator().manual_seed(2)
    ac.rand(3, generator=g)
    copies = [copy.copy(g), copy.deepcopy(g), pickle.loads(pickle.dumps(g)), g.clone_state()]
    first = ac.rand(3, generator=g)
    for other in copies:
        assert type(other) is ac.Generator and ac.equal(ac.rand(3, generator=other), first)


@pytest.mark.parametrize("state", [lambda T: T.zeros(3), lambda T: T.zeros(3).to(T.uint8), lambda T: [1]])
def test_what_is_no_state_is_refused_and_changes_nothing(state):
    with pytest.raises((TypeError, RuntimeError)) as theirs:
        torch.Generator().set_state(state(torch))
    g = ac.Generator()
    with pytest.raises(type(theirs.value), match=r"ByteTensor|input RNG state size to be 3"):
        g.set_state(state(ac))
    assert ac.equal(ac.rand(2, generator=g), ac.rand(2, generator=ac.Generator()))


def test_what_is_drawn_does_not_move_with_its_mean(T):
    mean, std = T.ones(3, requires_grad=True), T.ones(3, requires_grad=True)
    drawn = T.normal(mean, std)
    drawn.sum().backward()
    assert drawn.shape == (3,) and not (drawn == 1).any()
    assert mean.grad.tolist() == std.grad.tolist() == [0.0, 0.0, 0.0]
