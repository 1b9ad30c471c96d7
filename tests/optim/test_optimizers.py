"""Optimizers: ten steps beside torch's, what is skipped, versions, groups, saving."""

import re
import tracemalloc

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
    ("Adam", {"lr": 0.1, "decoupled_weight_decay": True, "weight_decay": 0.02}),
    ("AdamW", {}),
    ("AdamW", {"lr": 0.1, "amsgrad": True, "weight_decay": 0.5, "maximize": True}),
    ("AdamW", {"lr": 0.1, "weight_decay": 0.0}),
    ("Adagrad", {}),
    ("Adagrad", {"lr": 0.1, "lr_decay": 0.3, "weight_decay": 0.1, "eps": 1e-3}),
    ("Adagrad", {"lr": 0.1, "initial_accumulator_value": 2.0, "maximize": True}),
    ("RMSprop", {}),
    ("RMSprop", {"lr": 0.1, "alpha": 0.7, "eps": 1e-3, "weight_decay": 0.1}),
    ("RMSprop", {"lr": 0.1, "momentum": 0.9, "maximize": True}),
    ("RMSprop", {"lr": 0.1, "centered": True}),
    ("RMSprop", {"lr": 0.1, "centered": True, "momentum": 0.5, "weight_decay": 0.1}),
    ("Adamax", {}),
    ("Adamax", {"lr": 0.1, "betas": (0.5, 0.9), "weight_decay": 0.1, "eps": 1e-3, "maximize": True}),
    ("RAdam", {}),
    ("RAdam", {"lr": 0.1, "betas": (0.5, 0.6), "weight_decay": 0.1, "maximize": True}),
    ("RAdam", {"lr": 0.1, "betas": (0.5, 0.99), "weight_decay": 0.1, "decoupled_weight_decay": True}),
    ("Adadelta", {}),
    ("Adadelta", {"lr": 0.5, "rho": 0.5, "eps": 1e-3, "weight_decay": 0.1, "maximize": True}),
    ("ASGD", {}),
    ("ASGD", {"lr": 0.1, "lambd": 0.1, "alpha": 0.5, "t0": 4, "weight_decay": 0.1, "maximize": True}),
    ("Rprop", {}),
    ("Rprop", {"lr": 0.1, "etas": (0.3, 1.7), "step_sizes": (0.05, 0.3), "maximize": True}),
    ("Adafactor", {}),
    ("Adafactor", {"lr": 0.3, "beta2_decay": -0.3, "eps": (1e-2, 0.1), "d": 1.5, "weight_decay": 0.1}),
    ("Adafactor", {"lr": 0.3, "maximize": True}),
    ("LBFGS", {}),
    ("LBFGS", {"lr": 0.3, "max_iter": 7, "history_size": 3}),
    ("LBFGS", {"line_search_fn": "strong_wolfe"}),
    ("LBFGS", {"lr": 20.0, "line_search_fn": "strong_wolfe", "max_iter": 9}),
    ("LBFGS", {"line_search_fn": "strong_wolfe", "history_size": 2, "max_eval": 5}),
]
# PyTorch keeps the product of NAdam's momenta in float32, where the last bit is a matter of the order of rounding.
SETTINGS_OF_NADAM = [
    ("NAdam", {}),
    ("NAdam", {"lr": 0.1, "betas": (0.5, 0.9), "weight_decay": 0.1, "momentum_decay": 0.1, "maximize": True}),
    ("NAdam", {"lr": 0.1, "weight_decay": 0.1, "decoupled_weight_decay": True}),
]


def train(T, name, settings, steps=10, shape=(3, 2)):
    """Parameters, and an optimizer, after some steps on a bumpy function of a matrix and a scalar.

    LBFGS gets a bowl: on bumps its step turns the last bit of a gradient into another path.
    """
    rng = np.random.default_rng(7)
    w = T.tensor(rng.normal(size=shape), requires_grad=True)
    b = T.tensor(0.3, dtype=T.float64, requires_grad=True)
    optimizer = getattr(T.optim, name)([w, b], **settings)
    for _ in range(steps):
        x = T.tensor(rng.normal(size=(4, shape[0])))

        def closure(x=x):
            optimizer.zero_grad()
            out = x @ w + b
            loss = (out.sin() ** 2).sum() if name != "LBFGS" else (out**2 + 0.1 * out**4).sum() + (w**2).sum()
            loss.backward()
            return loss

        optimizer.step(closure)
    return [w, b], optimizer


def array(value):
    """A tensor of either library, or a number, as an array."""
    return np.asarray(value.detach().numpy() if hasattr(value, "detach") else value, np.float64)


@pytest.mark.parametrize("name, settings", SETTINGS + SETTINGS_OF_NADAM)
def test_ten_steps_and_the_state_are_those_of_torch(name, settings):
    ours, our_optimizer = train(ac, name, settings)
    theirs, their_optimizer = train(torch, name, settings)
    for p, q in zip(ours, theirs):
        np.testing.assert_allclose(array(p), array(q), rtol=1e-10, atol=1e-12)
        state = their_optimizer.state.get(q, {})
        assert our_optimizer.state.get(p, {}).keys() == state.keys()
        for key, value in state.items():
            mine = our_optimizer.state[p][key]
            for x, y in zip(mine, value) if isinstance(value, list) else [(mine, value)]:
                if y is None:
                    assert x is None
                    continue
                np.testing.assert_allclose(array(x), array(y), rtol=1e-9, atol=1e-10, err_msg=key)


@pytest.mark.parametrize("name", ["SGD", "Adam", "RMSprop", "Adadelta", "NAdam"])
@pytest.mark.parametrize("strided", [False, True])
def test_a_parameter_that_is_updated_in_parts_moves_as_a_whole(name, strided):
    rng = np.random.default_rng(3)
    value, gradients = rng.normal(size=(300, 200)), rng.normal(size=(3, 300, 200))
    ends = []
    for T in (ac, torch):
        p = T.tensor(value if not strided else value.T.copy(), requires_grad=True)
        if strided:
            p = p.detach().T.requires_grad_()
        optimizer = getattr(T.optim, name)([p], lr=0.1, weight_decay=0.01)
        for g in gradients:
            p.grad = T.tensor(g)
            optimizer.step()
        ends.append(array(p))
    np.testing.assert_allclose(*ends, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(
    "name, settings",
    [case for case in SETTINGS + SETTINGS_OF_NADAM if case[0] not in ("LBFGS", "Adafactor")],  # which see all at once
)
def test_a_step_makes_no_new_array_of_the_size_of_the_parameters(name, settings):
    p = ac.zeros(1_000_000, requires_grad=True)
    p.grad = ac.ones(1_000_000)
    optimizer = getattr(ac.optim, name)([p], **settings)
    optimizer.step()  # makes the state
    tracemalloc.start()
    try:
        optimizer.step()
        assert tracemalloc.get_traced_memory()[1] < p._array.nbytes / 4
    finally:
        tracemalloc.stop()


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


def loss_of(p):
    def closure():
        p.grad = None
        loss = (p * p).sum()
        loss.backward()
        return loss

    return closure


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
    "lr_decay": (lambda T: T.optim.Adagrad([leaf(T)], lr_decay=-1.0), "lr_decay value: -1.0"),
    "start": (lambda T: T.optim.Adagrad([leaf(T)], initial_accumulator_value=-1.0), "accumulator_value value: -1.0"),
    "alpha": (lambda T: T.optim.RMSprop([leaf(T)], alpha=-1.0), "alpha value: -1.0"),
    "RMSprop's momentum": (lambda T: T.optim.RMSprop([leaf(T)], momentum=-1.0), "momentum value: -1.0"),
    "rho": (lambda T: T.optim.Adadelta([leaf(T)], rho=1.5), "rho value: 1.5"),
    "momentum_decay": (lambda T: T.optim.NAdam([leaf(T)], momentum_decay=-1.0), "momentum_decay value: -1.0"),
    "LBFGS's groups": (lambda T: T.optim.LBFGS([{"params": [leaf(T)]}, {"params": [leaf(T)]}]), "parameter groups"),
    "LBFGS's search": (
        lambda T: (lambda p: T.optim.LBFGS([p], line_search_fn="armijo").step(loss_of(p)))(leaf(T)),
        "only 'strong_wolfe' is supported",
    ),
    "LBFGS without a closure": (lambda T: T.optim.LBFGS([leaf(T)]).step(), "closure"),
    "a set": (lambda T: T.optim.SGD([{"params": {leaf(T)}}], lr=0.1), "ordered"),
    "some names": (lambda T: T.optim.SGD([("w", leaf(T)), leaf(T)], lr=0.1), "with/without names"),
    "a group without names": (
        lambda T: T.optim.SGD([("w", leaf(T))], lr=0.1).add_param_group({"params": [leaf(T)]}),
        "with/without names",
    ),
    "no group": (lambda T: T.optim.SGD([leaf(T)], lr=0.1).add_param_group([leaf(T)]), "param_group must be a dict"),
    "a hook's result": (
        lambda T: (lambda optimizer: (optimizer.register_step_pre_hook(lambda *_: 3), optimizer.step()))(
            T.optim.SGD([leaf(T)], lr=0.1)
        ),
        "new_args, new_kwargs",
    ),
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


def test_a_state_of_no_parameter_is_refused_and_changes_nothing():
    w = leaf(ac)
    optimizer = ac.optim.SGD([w], lr=0.5, momentum=0.5)
    w.sum().backward()
    optimizer.step()
    saved = optimizer.state_dict()
    with pytest.raises(ValueError, match=r"has states for \[7\]"):
        optimizer.load_state_dict({"param_groups": [{**saved["param_groups"][0], "lr": 9.0}], "state": {7: {}}})
    assert optimizer.param_groups[0]["lr"] == 0.5 and optimizer.state_dict()["state"].keys() == {0}


def test_a_refused_step_moves_nothing():
    a, b = ac.ones(2, requires_grad=True), ac.ones(2, requires_grad=True)
    optimizer = ac.optim.SGD([a, b], lr=0.1)
    (a + b).sum().backward()
    b.data = ac.ones(3)
    with pytest.raises(RuntimeError, match=re.escape("shape [3] has shape [2]")):
        optimizer.step()
    assert a.tolist() == [1.0, 1.0] and a._version == 0


STATEFUL = [
    ("SGD", {"lr": 0.1, "momentum": 0.9}),
    ("Adam", {"lr": 0.1, "amsgrad": True}),
    ("AdamW", {"lr": 0.1}),
    ("Adagrad", {"lr": 0.1, "lr_decay": 0.1}),
    ("RMSprop", {"lr": 0.1, "momentum": 0.9, "centered": True}),
    ("Adamax", {"lr": 0.1}),
    ("NAdam", {"lr": 0.1}),
    ("RAdam", {"lr": 0.1, "betas": (0.5, 0.6)}),
    ("Adadelta", {"lr": 0.5}),
    ("ASGD", {"lr": 0.1, "lambd": 0.1, "t0": 1}),
    ("Rprop", {"lr": 0.1}),
    ("Adafactor", {"lr": 0.1}),
    ("LBFGS", {"max_iter": 2}),
]


def go_on(T, params, optimizer):
    """Two more steps on another function; the values after them."""

    def closure():
        optimizer.zero_grad()
        loss = sum((p**2).sum() + p.sin().sum() for p in params)
        loss.backward()
        return loss

    for _ in range(2):
        optimizer.step(closure)
    return [array(p) for p in params]


@pytest.mark.parametrize("name, settings", STATEFUL)
def test_training_goes_on_from_a_state_dict_as_if_it_had_not_stopped(name, settings):
    params, optimizer = train(ac, name, settings, steps=3)
    copies = [p.detach().clone().requires_grad_() for p in params]
    other = getattr(ac.optim, name)(copies, lr=7.0)
    saved = optimizer.state_dict()
    assert [group["params"] for group in saved["param_groups"]] == [[0, 1]]
    other.load_state_dict(saved)
    for p, q in zip(go_on(ac, copies, other), go_on(ac, params, optimizer)):
        assert p.tolist() == q.tolist()
    with pytest.raises(ValueError, match="doesn't match the size"):
        getattr(ac.optim, name)([params[0]], lr=0.1).load_state_dict(saved)


def in_torch(value):
    """A state of ours with PyTorch's tensors."""
    if isinstance(value, dict):
        return {key: in_torch(item) for key, item in value.items()}
    if isinstance(value, list):
        return [in_torch(item) for item in value]
    return torch.tensor(value.numpy()) if isinstance(value, ac.Tensor) else value


# PyTorch keeps the product of NAdam's momenta in float32, and loads it as float64.
@pytest.mark.parametrize("name, settings", STATEFUL)
def test_states_are_exchanged_with_torch(name, settings):
    ours, our_optimizer = train(ac, name, settings, steps=3)
    theirs, their_optimizer = train(torch, name, settings, steps=3)
    copies = [torch.tensor(p.detach().numpy(), requires_grad=True) for p in ours]
    torch_from_ours = getattr(torch.optim, name)(copies)
    torch_from_ours.load_state_dict(in_torch(our_optimizer.state_dict()))
    ours_from_torch = getattr(ac.optim, name)(ours)
    ours_from_torch.load_state_dict(their_optimizer.state_dict())
    assert our_optimizer.param_groups[0].keys() == their_optimizer.param_groups[0].keys()
    expected = go_on(torch, theirs, their_optimizer)
    for params in (go_on(torch, copies, torch_from_ours), go_on(ac, ours, ours_from_torch)):
        for p, q in zip(params, expected):
            np.testing.assert_allclose(p, q, rtol=1e-6 if name == "NAdam" else 1e-9, atol=1e-11)


@LIBRARIES
def test_hooks_run_around_a_step_with_its_arguments(T):
    w, seen = T.tensor([1.0], requires_grad=True), []
    optimizer = T.optim.SGD([w], lr=0.25)
    before = optimizer.register_step_pre_hook(lambda o, args, kwargs: seen.append((o, args, kwargs, w.item())))
    optimizer.register_step_post_hook(lambda o, args, kwargs: seen.append((o, args, kwargs, w.item())))
    w.grad = T.ones(1)
    optimizer.step(None)
    assert seen == [(optimizer, (optimizer, None), {}, 1.0), (optimizer, (optimizer, None), {}, 0.75)]
    before.remove()
    optimizer.step()
    assert len(seen) == 3


@LIBRARIES
def test_a_hook_may_replace_the_arguments_of_a_step(T):
    w = T.tensor([1.0], requires_grad=True)
    optimizer = T.optim.SGD([w], lr=0.25)
    optimizer.register_step_pre_hook(lambda o, args, kwargs: ((o, loss_of(w)), {}))
    assert optimizer.step().item() == 1.0 and w.item() == 0.5


@LIBRARIES
def test_an_optimizer_of_your_own_has_hooks_too(T):
    class Sign(T.optim.Optimizer):
        def step(self, closure=None):
            with T.no_grad():
                for p in self.param_groups[0]["params"]:
                    p.sub_(self.param_groups[0]["size"] * p.grad.sign())

    w, seen = T.tensor([1.0], requires_grad=True), []
    optimizer = Sign([w], {"size": 0.5})
    optimizer.register_step_post_hook(lambda *_: seen.append(w.item()))
    w.grad = T.ones(1)
    optimizer.step()
    assert seen == [0.5]


@LIBRARIES
def test_without_momentum_there_is_no_state_to_save(T):
    optimizer = T.optim.SGD([leaf(T)], lr=0.1)
    optimizer.param_groups[0]["params"][0].grad = T.ones(1)
    optimizer.step()
    assert optimizer.state_dict()["state"] == {}


@LIBRARIES
def test_named_parameters_keep_their_names(T):
    w = T.tensor([1.0], requires_grad=True)
    optimizer = T.optim.SGD([("w", w)], lr=0.25)
    assert optimizer.param_groups[0]["params"] == [w] and optimizer.param_groups[0]["param_names"] == ["w"]
    assert optimizer.state_dict()["param_groups"][0]["param_names"] == ["w"]


@LIBRARIES
def test_lbfgs_counts_each_write_and_leaves_out_what_has_no_gradient(T):
    a, b = (T.tensor([2.0, -1.0], dtype=T.float64, requires_grad=True) for _ in range(2))
    optimizer = T.optim.LBFGS([a, b], max_iter=3, line_search_fn="strong_wolfe")
    loss = optimizer.step(loss_of(a))
    assert loss.item() == 5.0 and abs(a.tolist()[0]) < 1e-6 and b.tolist() == [2.0, -1.0]
    assert optimizer.state[a]["n_iter"] == 2 and a._version == b._version > 2
    optimizer.step(loss_of(a))  # nothing to do: the gradient is zero
    assert optimizer.state[a]["n_iter"] == 2


@pytest.mark.parametrize("start", [(-1.2, 1.0), (5.0, -3.0), (0.0, 0.0), (30.0, 2.0)])
@pytest.mark.parametrize("lr", [1.0, 1e-3, 50.0])
def test_lbfgs_searches_the_line_through_the_same_points_as_torch(start, lr):
    paths = []
    for T in (ac, torch):
        w, path = T.tensor(start, dtype=T.float64, requires_grad=True), []
        optimizer = T.optim.LBFGS([w], lr=lr, line_search_fn="strong_wolfe", max_iter=12, max_eval=40)

        def closure(w=w, path=path, optimizer=optimizer):
            optimizer.zero_grad()
            loss = (1 - w[0]) ** 2 + 100 * (w[1] - w[0] ** 2) ** 2
            loss.backward()
            path.append(w.tolist())
            return loss

        optimizer.step(closure)
        paths.append(path)
    assert len(paths[0]) == len(paths[1]) > 3
    np.testing.assert_allclose(*paths, rtol=1e-8, atol=1e-8)


def test_printed_form_lists_the_settings_of_each_group():
    shown = repr(ac.optim.SGD([leaf(ac)], lr=0.1, momentum=0.5))
    assert (
        shown.startswith("SGD (\nParameter Group 0\n")
        and "    lr: 0.1\n    maximize: False\n    momentum: 0.5" in shown
    )
