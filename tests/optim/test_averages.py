"""Averages of weights: the same numbers as torch's, by all ways to ask for them."""

import itertools

import numpy as np
import pytest
import torch

import autograd_core as ac


def model_of(T, rng):
    model = T.nn.Sequential(T.nn.Linear(3, 4), T.nn.BatchNorm1d(4), T.nn.Linear(4, 2))
    with T.no_grad():
        for p in model.parameters():
            p.copy_(T.tensor(rng.normal(size=tuple(p.shape)), dtype=p.dtype))
    return model


def averaged(T, seed, make, **settings):
    """The state of an averaged model after five rounds of training at random."""
    rng = np.random.default_rng(seed)
    model = model_of(T, rng)
    average = T.optim.swa_utils.AveragedModel(model, **make(T), **settings)
    for _ in range(5):
        with T.no_grad():
            for p in model.parameters():
                p.add_(T.tensor(rng.normal(size=tuple(p.shape)), dtype=p.dtype))
            model(T.tensor(rng.normal(size=(6, 3)), dtype=T.float32))
        average.update_parameters(model)
    return {name: value.tolist() for name, value in average.state_dict().items()}


WAYS = {
    "all alike": lambda T: {},
    "all alike, one by one": lambda T: {"avg_fn": T.optim.swa_utils.get_swa_avg_fn()},
    "all alike, in lists": lambda T: {"multi_avg_fn": T.optim.swa_utils.get_swa_multi_avg_fn()},
    "exponential": lambda T: {"avg_fn": T.optim.swa_utils.get_ema_avg_fn(0.8)},
    "exponential, in lists": lambda T: {"multi_avg_fn": T.optim.swa_utils.get_ema_multi_avg_fn(0.8)},
    "of a program": lambda T: {"avg_fn": lambda average, new, n: average + 0.5 * (new - average)},
}


# PyTorch divides integers by tensors when it averages all alike, and raises; so only exponential averages of buffers.
@pytest.mark.parametrize(
    "way, use_buffers", [*itertools.product(WAYS, [False]), ("exponential", True), ("exponential, in lists", True)]
)
def test_averages_are_those_of_torch(way, use_buffers):
    ours, theirs = (averaged(T, 3, WAYS[way], use_buffers=use_buffers) for T in (ac, torch))
    assert ours.keys() == theirs.keys() and ours["n_averaged"] == 5
    for name in ours:
        np.testing.assert_allclose(ours[name], theirs[name], rtol=2e-5, atol=2e-6, err_msg=name)


def test_an_average_is_a_module_that_loads_its_state(T):
    rng = np.random.default_rng(0)
    model, x = model_of(T, rng), T.tensor(rng.normal(size=(2, 3)), dtype=T.float32)
    average = T.optim.swa_utils.AveragedModel(model, device="cpu")
    average.update_parameters(model)
    other = T.optim.swa_utils.AveragedModel(model_of(T, rng))
    other.load_state_dict(average.state_dict())
    assert other.eval()(x).tolist() == average.eval()(x).tolist() and other.n_averaged.item() == 1


def test_refusals(T):
    utils = T.optim.swa_utils
    with pytest.raises(AssertionError, match="Only one of"):
        utils.AveragedModel(T.nn.Linear(1, 1), avg_fn=abs, multi_avg_fn=abs)
    with pytest.raises(ValueError, match="Invalid decay value 2"):
        utils.get_ema_avg_fn(2)
    optimizer = T.optim.SGD([T.ones(1, requires_grad=True)], lr=0.1)
    for settings, words in (
        ({"anneal_strategy": "up"}, "anneal_strategy must be"),
        ({"anneal_epochs": -1}, "anneal_epochs must be"),
    ):
        with pytest.raises(ValueError, match=words):
            utils.SWALR(optimizer, 0.1, **settings)


def test_statistics_of_batch_norms_are_computed_anew(T):
    rng = np.random.default_rng(1)
    model = model_of(T, rng).eval()
    model[1].momentum = 0.3
    batches = [T.tensor(rng.normal(size=(5, 3)), dtype=T.float32) for _ in range(4)]
    T.optim.swa_utils.update_bn([(batch, 0) for batch in batches], model)
    means = [model[0](batch).mean(0).detach().numpy() for batch in batches]
    np.testing.assert_allclose(model[1].running_mean.numpy(), np.mean(means, axis=0), rtol=1e-4, atol=1e-6)
    assert model[1].momentum == 0.3 and not model.training and model[1].num_batches_tracked.item() == 4
    T.optim.swa_utils.update_bn(batches, model)
    np.testing.assert_allclose(model[1].running_mean.numpy(), np.mean(means, axis=0), rtol=1e-4, atol=1e-6)
