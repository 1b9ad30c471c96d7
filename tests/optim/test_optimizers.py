"""Optimizers: ten steps beside torch's, what is skipped, versions, groups, saving."""

import re

import numpy as np
import pytest
import torch

import autograd_core as ac

LIBRARIES = pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])

SETTINGS = [
    ("SGD", {"lr": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.3}),
    ("SGD", {"lr": 0.1, "momentum": 0.8, "nesterov": True, "weight_decay": 0.01}),
    ("SGD", {"lr": 0.01, "momentum": 0.5, "maximize": True, "weight_decay": 0.1}),
    ("SGD", {}),
    ("Adam", {}),
    ("Adam", {"lr": 0.1, "betas": (0.8, 0.95), "eps": 1e-3}),
    ("Adam", {"lr": 0.1, "amsgrad": True, "weight_decay": 0.02}),
    ("Adam", {"lr": 0.1, "maximize": True, "weight_decay": 0.02}),
]


def train(T, name, settings, steps=10):
    """Parameters, and an optimizer, after some steps on a bumpy function of a matrix and a scalar."""
    rng = np.random.default_rng(7)
    w = T.tensor(rng.normal(size=(3, 2)), requires_grad=True)
    b = T.tensor(0.3, dtype=T.float64, requires_grad=True)
    optimizer = getattr(T.optim, name)([w, b], **settings)
    for _ in range(steps):
        x = T.tensor(rng.normal(size=(4, 3)))
        optimizer.zero_grad()
        ((x @ w + b).sin() ** 2).sum().backward()
        optimizer.step()
    return [w, b], optimizer


@pytest.mark.parametrize("name, settings", SETTINGS)
def test_ten_steps_and_the_state_are_those_of_torch(name, settings):
    ours, our_optimizer = train(ac, name, settings)
    theirs, their_optimizer = train(torch, name, settings)
    for p, q in zip(ours, theirs):
        np.testing.assert_allclose(p.detach().numpy(), q.detach().numpy(), rtol=1e-10, atol=1e-12)
        for key, value in their_optimizer.state[q].items():
            np.testing.assert_allclose(
                np.asarray(our_optimizer.state[p][key]), value.numpy(), rtol=1e-10, atol=1e-12, err_msg=key
            )
        assert our_optimizer.state[p].keys() == their_optimizer.state[q].keys()


@LIBRARIES
@pytest.mark.parametrize(
    "name, settings", [("SGD", {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.1}), ("Adam", {"lr": 0.1})]
)
def test_a_parameter_without_gradient_is_skipped_one_with_zero_gradient_is_not(T, name, settings):
    params = [T.tensor([1.0], dtype=T.float64, requires_grad=True) for _ in range(2)]
    optimizer = getattr(T.optim, name)(params, **settings)
    (params[0] + params[1]).sum().backward()
    optimizer.step()
    reached = params[0].item()
    params[0].grad, params[1].grad = None, T.zeros(1, dtype=T.float64)
    optimizer.step()
    assert params[0].item() == reached and params[1].item() < reached


@LIBRARIES
def test_a_step_writes_in_place_and_counts_as_a_version(T):
    w = T.tensor([3.0], requires_grad=True)
    optimizer = T.optim.SGD([w], lr=0.1)
    stale, fresh = w * w, w * 2
    (w * 4).sum().backward()
    address, version, gradient = w.data_ptr(), w._version, w.grad.clone()
    assert optimizer.step() is None
    assert w.data_ptr() == address and w._version == version + 1
    assert w.is_leaf and w.requires_grad and w.grad.tolist() == gradient.tolist()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        stale.sum().backward()
    fresh.sum().backward()


def test_the_stale_value_error_names_the_step():
    w = ac.tensor([3.0], requires_grad=True)
    optimizer = ac.optim.Adam([w])
    stale = w * w
    w.grad = ac.ones(1)
    optimizer.step()
    with pytest.raises(RuntimeError, match=r"overwritten by Adam.step at .*test_optimizers.py"):
        stale.sum().backward()


@LIBRARIES
def test_zero_grad(T):
    w = T.tensor([1.0], requires_grad=True)
    optimizer = T.optim.SGD([w], lr=0.1)
    (w * 2).sum().backward()
    kept = w.grad
    optimizer.zero_grad(set_to_none=False)
    assert w.grad is kept and kept.tolist() == [0.0]
    optimizer.zero_grad()
    assert w.grad is None


@LIBRARIES
def test_a_closure_runs_with_recording_and_its_loss_is_returned(T):
    w = T.tensor([1.0], requires_grad=True)
    optimizer = T.optim.SGD([w], lr=0.25)

    def closure():
        optimizer.zero_grad()
        loss = (w * w).sum()
        loss.backward()
        return loss

    with T.no_grad():
        assert optimizer.step(closure).item() == 1.0
    assert w.item() == 0.5


@LIBRARIES
def test_groups_have_settings_of_their_own(T):
    a, b, c = (T.tensor([1.0], requires_grad=True) for _ in range(3))
    optimizer = T.optim.SGD([{"params": [a]}, {"params": b, "lr": 0.5}], lr=0.25)
    optimizer.add_param_group({"params": [c], "lr": 0.0})
    (a + b + c).sum().backward()
    optimizer.step()
    assert [p.item() for p in (a, b, c)] == [0.75, 0.5, 1.0]
    optimizer.param_groups[2]["lr"] = 1.0
    optimizer.step()
    assert [p.item() for p in (a, b, c)] == [0.5, 0.0, 0.0]


def leaf(T):
    return T.ones(1, requires_grad=True)


REFUSALS = {
    "a tensor": (lambda T: T.optim.SGD(leaf(T), lr=0.1), "iterable"),
    "nothing": (lambda T: T.optim.SGD([], lr=0.1), "empty parameter list"),
    "a number": (lambda T: T.optim.SGD([3.0], lr=0.1), "can only optimize Tensors"),
    "a non-leaf": (lambda T: T.optim.SGD([leaf(T) * 2], lr=0.1), "non-leaf"),
    "two groups": (
        lambda T: (lambda p: T.optim.SGD([{"params": [p]}, {"params": [p]}], lr=0.1))(leaf(T)),
        "more than one parameter group",
    ),
    "lr": (lambda T: T.optim.SGD([leaf(T)], lr=-1.0), "learning rate: -1.0"),
    "momentum": (lambda T: T.optim.SGD([leaf(T)], lr=0.1, momentum=-1.0), "momentum value: -1.0"),
    "weight_decay": (lambda T: T.optim.SGD([leaf(T)], lr=0.1, weight_decay=-1.0), "weight_decay value: -1.0"),
    "nesterov": (lambda T: T.optim.SGD([leaf(T)], lr=0.1, nesterov=True), "zero dampening"),
    "beta": (lambda T: T.optim.Adam([leaf(T)], betas=(0.9, 1.0)), "beta parameter at index 1: 1.0"),
    "eps": (lambda T: T.optim.Adam([leaf(T)], eps=-1.0), "epsilon value: -1.0"),
    "Adam's lr": (lambda T: T.optim.Adam([leaf(T)], lr=-1.0), "learning rate: -1.0"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals_have_the_type_of_torch_and_name_the_values(name):
    call, words = REFUSALS[name]
    with pytest.raises(Exception) as theirs:
        call(torch)
    with pytest.raises(type(theirs.value), match=re.escape(words)):
        call(ac)


@LIBRARIES
def test_duplicates_warn_and_count_once(T):
    w = leaf(T)
    with pytest.warns(UserWarning, match="duplicate parameters"):
        T.optim.SGD([w, w], lr=0.25)


@LIBRARIES
def test_a_group_keeps_what_else_it_is_given(T):
    optimizer = T.optim.SGD([{"params": [leaf(T)], "name": "encoder"}], lr=0.1)
    assert optimizer.param_groups[0]["name"] == "encoder" and optimizer.param_groups[0]["lr"] == 0.1


def test_a_refused_step_moves_nothing():
    a, b = ac.ones(2, requires_grad=True), ac.ones(2, requires_grad=True)
    optimizer = ac.optim.SGD([a, b], lr=0.1)
    (a + b).sum().backward()
    b.data = ac.ones(3)
    with pytest.raises(RuntimeError, match=re.escape("shape [3] has shape [2]")):
        optimizer.step()
    assert a.tolist() == [1.0, 1.0] and a._version == 0


@pytest.mark.parametrize(
    "name, settings", [("SGD", {"lr": 0.1, "momentum": 0.9}), ("Adam", {"lr": 0.1, "amsgrad": True})]
)
def test_training_goes_on_from_a_state_dict_as_if_it_had_not_stopped(name, settings):
    (w, b), optimizer = train(ac, name, settings, steps=3)
    copies = [p.detach().clone().requires_grad_() for p in (w, b)]
    other = getattr(ac.optim, name)(copies, lr=7.0)
    saved = optimizer.state_dict()
    assert [group["params"] for group in saved["param_groups"]] == [[0, 1]]
    other.load_state_dict(saved)
    for params, opt in (((w, b), optimizer), (copies, other)):
        for p in params:
            p.grad = ac.ones_like(p) * 0.5
        opt.step()
    assert [p.tolist() for p in (w, b)] == [p.tolist() for p in copies]
    with pytest.raises(ValueError, match="doesn't match the size"):
        ac.optim.SGD([w], lr=0.1).load_state_dict(saved)


def test_printed_form_lists_the_settings_of_each_group():
    shown = repr(ac.optim.SGD([leaf(ac)], lr=0.1, momentum=0.5))
    assert (
        shown.startswith("SGD (\nParameter Group 0\n")
        and "    lr: 0.1\n    maximize: False\n    momentum: 0.5" in shown
    )
