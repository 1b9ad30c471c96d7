"""What programs ask of an optimizer besides its steps: hooks, states of all ages, switches, classes of their own."""

import copy
import importlib
import inspect
import pickle
import re
import warnings
from collections import OrderedDict

import numpy as np
import pytest
import torch

import autograd_core as ac

CLASSES = ["SGD", "Adam", "AdamW", "Adagrad", "RMSprop", "Adamax", "NAdam", "RAdam", "Adadelta", "ASGD", "Rprop"]


def module(T, name):
    """PyTorch drops the names of these modules from `torch.optim`, and they can be imported."""
    return importlib.import_module(f"{T.__name__}.optim.{name}")


def weights(T, values=(1.0, -2.0, 3.0)):
    return T.tensor(values, dtype=T.float64, requires_grad=True)


def moved(T, name, steps=3, **settings):
    w = weights(T)
    optimizer = getattr(T.optim, name)([w], **settings)
    for _ in range(steps):
        optimizer.zero_grad()
        (w.sin() * w).sum().backward()
        optimizer.step()
    return w, optimizer


# -- switches


SWITCHES = [
    (name, switch)
    for name in (*CLASSES, "Adafactor")
    for switch in ("foreach", "fused", "capturable")
    if switch in inspect.signature(getattr(torch.optim, name)).parameters
]


@pytest.mark.parametrize("name, switch", SWITCHES)
def test_a_switch_of_implementation_changes_nothing(name, switch):
    w, optimizer = moved(ac, name, lr=0.1)
    again, switched = moved(ac, name, lr=0.1, **{switch: True})
    assert w.tolist() == again.tolist() and switched.param_groups[0][switch] is True
    assert optimizer.param_groups[0][switch] in (None, False)


@pytest.mark.parametrize("name", ["SGD", "Adam", "Adagrad"])
@pytest.mark.parametrize("switch", ["foreach", "differentiable"])
def test_switches_that_exclude_each_other_are_refused(T, name, switch):
    with pytest.raises(RuntimeError, match="`fused`"):
        getattr(T.optim, name)([weights(T)], fused=True, **{switch: True})


def end_of(T, name, settings, steps, start, lr):
    """Where recorded steps lead. Each loss is that of a copy, which the step does not write to."""
    p = start.clone()
    optimizer = getattr(T.optim, name)([p], lr=lr, differentiable=True, **settings)
    for _ in range(steps):
        here = p.clone()
        loss = (here**3 * 0.1 + here.sin()).sum()
        (p.grad,) = T.autograd.grad(loss, here, create_graph=True)
        optimizer.step()
    return p


RECORDED = pytest.mark.parametrize(
    "name, settings",
    [
        ("SGD", {}),
        ("SGD", {"momentum": 0.9, "nesterov": True, "weight_decay": 0.1}),
        ("Adam", {}),
        ("Adam", {"amsgrad": True, "maximize": True}),
        ("AdamW", {}),
        ("Adagrad", {}),
        ("RMSprop", {"momentum": 0.9, "centered": True}),
        ("Adamax", {}),
        ("NAdam", {}),
        ("RAdam", {"betas": (0.5, 0.6)}),
        ("Adadelta", {}),
        ("ASGD", {"t0": 0}),
        ("Rprop", {}),
    ],
)


@RECORDED
def test_gradients_flow_through_a_differentiable_step_as_in_torch(name, settings):
    if "nesterov" in settings:
        return  # PyTorch cuts the first momentum out of the graph; the next test says what is right
    rows = []
    for T in (ac, torch):
        start = weights(T)
        (g,) = T.autograd.grad((end_of(T, name, settings, 1, start, 0.1) ** 2).sum(), start)
        rows.append(g.tolist())
    np.testing.assert_allclose(*rows, rtol=1e-6)  # PyTorch counts steps in float32
    assert np.any(rows[0])


@RECORDED
def test_gradients_of_several_steps_are_their_slopes(name, settings):
    """PyTorch refuses some of these: a step writes over what the one before saved."""
    assert ac.autograd.gradcheck(lambda start: end_of(ac, name, settings, 3, start, 0.1), (weights(ac),))


@RECORDED
def test_recorded_steps_lead_where_others_do_and_their_states_have_a_history(name, settings):
    w, recorded = weights(ac), weights(ac).clone()
    optimizer = getattr(ac.optim, name)([w], lr=0.1, **settings)
    other = getattr(ac.optim, name)([recorded], lr=0.1, differentiable=True, **settings)
    for _ in range(4):
        w.grad = w.detach().cos()
        recorded.grad = recorded.clone().cos()
        optimizer.step()
        other.step()
    rtol = 1e-6 if name == "NAdam" else 1e-12  # whose product is a float32 tensor, as in PyTorch
    np.testing.assert_allclose(recorded.tolist(), w.tolist(), rtol=rtol)
    states = other.state[recorded]
    for key, value in optimizer.state.get(w, {}).items():
        np.testing.assert_allclose(states[key].tolist(), value.tolist(), rtol=rtol)
    assert any(value.requires_grad for value in states.values()) == bool(states)


@pytest.mark.parametrize("name, settings", [("SGD", {}), ("SGD", {"momentum": 0.9}), ("Adam", {}), ("RMSprop", {})])
def test_a_learning_rate_has_a_gradient(name, settings):
    lr = ac.tensor(0.1, dtype=ac.float64, requires_grad=True)
    assert ac.autograd.gradcheck(lambda lr: end_of(ac, name, settings, 3, weights(ac), lr), (lr,))
    if name == "SGD":
        same = torch.tensor(0.1, dtype=torch.float64, requires_grad=True)
        for T, rate in ((ac, lr), (torch, same)):
            (end_of(T, name, settings, 1, weights(T), rate) ** 2).sum().backward()
        np.testing.assert_allclose(lr.grad.item(), same.grad.item(), rtol=1e-12)


def test_a_differentiable_step_of_a_leaf_is_refused_before_anything_moves(T):
    w = weights(T)
    optimizer = T.optim.Adam([w], differentiable=True)
    w.grad = T.ones_like(w)
    with pytest.raises(RuntimeError, match="leaf Variable that requires grad"):
        optimizer.step()
    assert w.tolist() == [1.0, -2.0, 3.0]


# -- rates that are tensors


@pytest.mark.parametrize("name", [*CLASSES, "Adafactor", "LBFGS"])
def test_a_tensor_as_rate_moves_as_the_number_does(name):
    def run(lr):
        w = weights(ac)
        optimizer = getattr(ac.optim, name)([w], lr=lr)

        def closure():
            optimizer.zero_grad()
            loss = (w**2).sum()
            loss.backward()
            return loss

        for _ in range(3):
            optimizer.step(closure)
        return w.tolist()

    assert run(ac.tensor(0.125)) == run(ac.tensor([0.125])) == run(0.125)


@pytest.mark.parametrize("name", [*CLASSES, "Adafactor", "Muon", "LBFGS"])
def test_a_rate_is_one_number(T, name):
    with pytest.raises(ValueError, match="must be 1-element"):
        getattr(T.optim, name)([T.ones(2, 2, requires_grad=True)], lr=T.tensor([0.1, 0.2]))


def test_betas_may_be_tensors_and_both_are(T):
    moved(T, "Adam", betas=(T.tensor(0.5), T.tensor(0.75)))
    with pytest.raises(ValueError, match="both floats or both Tensors"):
        T.optim.Adam([weights(T)], betas=(0.5, T.tensor(0.75)))
    for settings in ({"lr": T.tensor(0.1)}, {"betas": (T.tensor(0.5), T.tensor(0.75))}):
        with pytest.raises(ValueError, match="as a Tensor is not supported for capturable=False and foreach=True"):
            T.optim.Adam([weights(T)], foreach=True, **settings)


def test_a_schedule_writes_to_a_rate_that_is_a_tensor(T):
    rate = T.tensor(0.5)
    optimizer = T.optim.SGD([weights(T)], lr=rate)
    scheduler = T.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
    before = scheduler.get_last_lr()
    optimizer.step()
    scheduler.step()
    assert optimizer.param_groups[0]["lr"] is rate and rate.item() == 0.25
    assert before[0].item() == 0.5 and scheduler.base_lrs[0].item() == 0.5


# -- states


@pytest.mark.parametrize("name", CLASSES)
def test_a_state_of_an_older_version_gets_what_it_meant(T, name):
    w, optimizer = moved(T, name, lr=0.1)
    saved = copy.deepcopy(optimizer.state_dict())
    for switch in ("maximize", "foreach", "fused", "capturable", "differentiable", "amsgrad", "nesterov", "centered"):
        saved["param_groups"][0].pop(switch, None)
    other = getattr(T.optim, name)([weights(T)], lr=7.0, **({"maximize": True} if name != "LBFGS" else {}))
    other.load_state_dict(saved)
    group = other.param_groups[0]
    assert group["lr"] == 0.1 and not group["maximize"] and group.keys() == optimizer.param_groups[0].keys()
    w.grad = T.ones_like(w)
    optimizer.step()


@pytest.mark.parametrize("name", [name for name in CLASSES if name != "SGD"] + ["Adafactor"])
def test_a_plain_number_as_step_is_taken(T, name):
    w, optimizer = moved(T, name, lr=0.1)
    saved = copy.deepcopy(optimizer.state_dict())
    saved["state"][0] = {key: value.item() if value.dim() == 0 else value for key, value in saved["state"][0].items()}
    optimizer.load_state_dict(saved)
    optimizer.step()
    step = optimizer.state[w]["step"]
    assert step.item() == 4 and step.dtype is T.float32


@pytest.mark.parametrize("name", [*CLASSES, "Adafactor"])
def test_a_state_that_does_not_fit_is_refused_at_the_load_and_changes_nothing(name):
    settings = {"momentum": 0.9} if name == "SGD" else {}
    w, optimizer = moved(ac, name, lr=0.1, **settings)
    saved = copy.deepcopy(optimizer.state_dict())
    part = next(key for key, value in saved["state"][0].items() if value.dim())
    before = optimizer.state_dict()["state"][0][part].tolist()

    def refused(words, change):
        broken = copy.deepcopy(saved)
        broken["param_groups"][0]["weight_decay"] = 0.5
        change(broken)
        with pytest.raises(ValueError, match=words):
            optimizer.load_state_dict(broken)
        assert optimizer.param_groups[0].get("weight_decay", 0.0) != 0.5
        assert optimizer.state[w][part].tolist() == before

    refused("of shape", lambda d: d["state"][0].update({part: ac.ones(7)}))
    refused(r"lacks the settings \['lr'\]", lambda d: d["param_groups"][0].pop("lr"))
    if name != "SGD":
        refused(f"without '{part}'", lambda d: d["state"][0].pop(part))


def test_a_loaded_count_keeps_its_dtype_and_the_rest_takes_that_of_the_parameter(T):
    _, optimizer = moved(T, "Adam")
    half = T.ones(3, dtype=T.float16, requires_grad=True)
    other = T.optim.Adam([half])
    other.load_state_dict(optimizer.state_dict())
    state = other.state[half]
    assert state["step"].dtype is T.float32 and state["exp_avg"].dtype is T.float16


def test_steps_are_counted_in_the_default_dtype_where_that_is_wide(T, default_dtype):
    T.set_default_dtype(T.float64)
    w, optimizer = moved(T, "Adam")
    assert optimizer.state[w]["step"].dtype is T.float64


def test_a_state_may_hold_things_that_belong_to_no_parameter(T):
    optimizer = T.optim.SGD([weights(T)], lr=0.1)
    optimizer.state["round"] = {"count": 3}
    optimizer.state["best"] = 0
    saved = optimizer.state_dict()
    assert saved["state"] == {"round": {"count": 3}, "best": 0}
    other = T.optim.SGD([weights(T)], lr=0.1)
    other.load_state_dict(saved)
    assert other.state["round"]["count"] == 3 and other.state["best"] == 0


def test_a_parameter_in_several_groups_keeps_its_number(T):
    optimizer = T.optim.SGD([weights(T), weights(T)], lr=0.1)
    optimizer.param_groups.extend(optimizer.param_groups)
    assert [group["params"] for group in optimizer.state_dict()["param_groups"]] == [[0, 1], [0, 1]]


def test_half_precision_is_rounded_once_an_update():
    rows = []
    for dtype in (ac.float16, ac.float32):
        w = ac.tensor([1.0, 2.0], dtype=dtype, requires_grad=True)
        optimizer = ac.optim.Adam([w], lr=1e-3, eps=1e-8)
        w.grad = ac.tensor([1e-4, 3.0], dtype=dtype)
        optimizer.step()
        rows.append(w.tolist())
    np.testing.assert_allclose(*rows, rtol=5e-4)


# -- hooks


def test_hooks_of_all_optimizers_are_outside_of_its_own(T):
    seen = []
    w = weights(T)
    optimizer = T.optim.SGD([w], lr=0.1)
    optimizers = module(T, "optimizer")
    handles = [
        optimizers.register_optimizer_step_pre_hook(lambda o, args, kwargs: seen.append("all before")),
        optimizers.register_optimizer_step_post_hook(lambda o, args, kwargs: seen.append("all after")),
    ]
    optimizer.register_step_pre_hook(lambda *_: seen.append("before"))
    optimizer.register_step_post_hook(lambda *_: seen.append("after"))
    try:
        optimizer.step()
    finally:
        for handle in handles:
            handle.remove()
    optimizer.step()
    assert seen == ["all before", "before", "after", "all after", "before", "after"]


def test_hooks_around_states_see_and_replace_them(T):
    seen = []
    optimizer = T.optim.SGD([weights(T)], lr=0.1)
    optimizer.register_state_dict_pre_hook(lambda o: seen.append("second"))
    optimizer.register_state_dict_pre_hook(lambda o: seen.append("first"), prepend=True)
    optimizer.register_state_dict_post_hook(lambda o, state: {**state, "more": 1})
    saved = optimizer.state_dict()
    assert seen == ["first", "second"] and saved["more"] == 1

    def doubled(o, state):
        group = {**state["param_groups"][0], "lr": 2 * state["param_groups"][0]["lr"]}
        return {**state, "param_groups": [group]}

    optimizer.register_load_state_dict_pre_hook(doubled)
    handle = optimizer.register_load_state_dict_post_hook(lambda o: seen.append(o.param_groups[0]["lr"]))
    optimizer.load_state_dict(saved)
    assert seen[-1] == 0.2 and saved["param_groups"][0]["lr"] == 0.1
    handle.remove()
    optimizer.load_state_dict(saved)
    assert seen[-1] == 0.2


def test_a_step_that_calls_the_step_of_its_base_has_its_hooks_once():
    class Clipped(ac.optim.SGD):
        def step(self, closure=None):
            for p in self.param_groups[0]["params"]:
                p.grad.clamp_(-1, 1)
            return super().step(closure)

    w, seen = weights(ac), []
    optimizer = Clipped([w], lr=1.0)
    optimizer.register_step_post_hook(lambda *_: seen.append(w.tolist()))
    w.grad = ac.full_like(w, 5.0)
    optimizer.step()
    assert seen == [[0.0, -3.0, 2.0]]


# -- classes of a program


class Lookahead:
    """Around another optimizer, without its `__init__`, as programs write it."""

    def __new__(cls, T, inner):
        class Outer(T.optim.Optimizer):
            def __init__(self, inner):
                self.inner, self.param_groups, self.state = inner, inner.param_groups, inner.state
                self.defaults = inner.defaults
                self._optimizer_step_pre_hooks = OrderedDict()
                self._optimizer_step_post_hooks = OrderedDict()

            def step(self, closure=None):
                return self.inner.step(closure)

        return Outer(inner)


def test_an_optimizer_without_init_steps_and_takes_schedules_and_hooks(T):
    w, seen = weights(T), []
    outer = Lookahead(T, T.optim.SGD([w], lr=0.5))
    outer.register_step_pre_hook(lambda *_: seen.append("before"))
    scheduler = T.optim.lr_scheduler.StepLR(outer, 1)
    w.grad = T.ones_like(w)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        outer.step()
        scheduler.step()
    assert w.tolist() == [0.5, -2.5, 2.5] and outer.param_groups[0]["lr"] == pytest.approx(0.05)


class Old:
    def __new__(cls, T):
        required = module(T, "optimizer").required

        class Settings(T.optim.Optimizer):
            def __init__(self, params, lr=required, eps=(1e-30, 1e-3), betas=(0.9, 1.0, 2.0)):
                super().__init__(params, {"lr": lr, "eps": eps, "betas": betas, "alpha": -1.0})

            def __setstate__(self, state):
                super().__setstate__(state)
                for group in self.param_groups:
                    group.setdefault("new", 3)

            def step(self):
                pass

        return Settings


def test_settings_of_a_class_of_ones_own_are_its_own_affair(T):
    Settings = Old(T)
    optimizer = Settings([weights(T)], lr=0.1)
    assert optimizer.param_groups[0]["betas"] == (0.9, 1.0, 2.0)
    saved = optimizer.state_dict()
    del saved["param_groups"][0]["eps"]
    optimizer.load_state_dict(saved)
    assert optimizer.param_groups[0]["new"] == 3
    with pytest.raises(ValueError, match="required optimization parameter lr"):
        Settings([weights(T)])


def test_a_group_is_the_dict_that_was_given(T):
    group = {"params": [weights(T)]}
    optimizer = T.optim.SGD([group], lr=0.1)
    group["lr"] = 0.5
    assert optimizer.param_groups[0] is group and optimizer.param_groups[0]["lr"] == 0.5


def test_a_copy_has_the_state_and_none_of_the_hooks(T):
    w, optimizer = moved(T, "Adam")
    optimizer.register_step_pre_hook(lambda *_: None)
    other = copy.deepcopy(optimizer)
    (p,) = other.param_groups[0]["params"]
    assert other.state[p]["exp_avg"].tolist() == optimizer.state[w]["exp_avg"].tolist() and p is not w
    assert not vars(other).get("_optimizer_step_pre_hooks")
    assert pickle.loads(pickle.dumps(other)).param_groups[0]["lr"] == 1e-3


def test_names_are_where_torch_has_them(T):
    assert module(T, "adam").Adam is T.optim.Adam and module(T, "optimizer").Optimizer is T.optim.Optimizer
    assert issubclass(T.optim.lr_scheduler._LRScheduler, T.optim.lr_scheduler.LRScheduler)
    assert T.optim.swa_utils.SWALR and module(T, "sparse_adam").SparseAdam is T.optim.SparseAdam


def test_sparse_adam_refuses_gradients_that_are_not_sparse(T):
    w = weights(T)
    optimizer = T.optim.SparseAdam([w])
    optimizer.step()
    w.grad = T.ones_like(w)
    assert not w.grad.is_sparse
    with pytest.raises(RuntimeError, match="does not support dense gradients, please consider Adam"):
        optimizer.step()
    assert w.tolist() == [1.0, -2.0, 3.0]


# -- Muon, whose products are rounded to bfloat16


@pytest.mark.parametrize("shape", [(4, 3), (3, 5), (1, 2)])
@pytest.mark.parametrize(
    "settings", [{}, {"lr": 0.1, "nesterov": False, "ns_steps": 3}, {"adjust_lr_fn": "match_rms_adamw"}]
)
def test_muon_moves_as_in_torch(rng, shape, settings):
    value, xs = rng.normal(size=shape), rng.normal(size=(10, shape[1], 2))
    ends = []
    for T in (ac, torch):
        w = T.tensor(value, requires_grad=True)
        optimizer = T.optim.Muon([w], **settings)
        for x in xs:
            optimizer.zero_grad()
            ((w @ T.tensor(x)).sin() ** 2).sum().backward()
            optimizer.step()
        ends.append(w.detach().numpy())
    np.testing.assert_allclose(*ends, rtol=1e-3, atol=1e-3)
    assert abs(ends[0] - value).max() > 1e-3


MUON = {
    "a vector": (lambda T: T.optim.Muon([weights(T)]), "only supports 2D parameters"),
    "lr": (
        lambda T: T.optim.Muon([T.ones(2, 2, requires_grad=True)], lr=-1),
        "Learning rate should be >= 0 but is: -1",
    ),
    "a name": (lambda T: T.optim.Muon([T.ones(2, 2, requires_grad=True)], adjust_lr_fn="x"), "x is not supported"),
    "etas": (lambda T: T.optim.Rprop([weights(T)], etas=(1.1, 1.2)), "Invalid eta values: 1.1, 1.2"),
    "decay": (lambda T: T.optim.Adafactor([weights(T)], beta2_decay=0.1), "beta2_decay should be <= 0 but is: 0.1"),
    "eps": (lambda T: T.optim.Adafactor([weights(T)], eps=(-1.0, 1.0)), "epsilon1 should be >= 0 but is: -1.0"),
    "d": (lambda T: T.optim.Adafactor([weights(T)], d=0.5), "threshold d should be >= 1 but is: 0.5"),
    "lr of zero": (lambda T: T.optim.SparseAdam([weights(T)], lr=0.0), "Invalid learning rate: 0.0"),
    "before the parameters": (lambda T: T.optim.Adam(None, lr=-1.0), "Invalid learning rate: -1.0"),
}


@pytest.mark.parametrize("name", MUON)
def test_refusals_have_the_type_and_the_words_of_torch(T, name):
    call, words = MUON[name]
    with pytest.raises(ValueError, match=re.escape(words)):
        call(T)


# -- lists of tensors


@pytest.mark.parametrize(
    "call",
    [
        lambda T, a, b: T._foreach_add(a, b, alpha=-0.5),
        lambda T, a, b: T._foreach_add_(a, 2.0),
        lambda T, a, b: T._foreach_mul_(a, [2.0, 3.0]),
        lambda T, a, b: T._foreach_addcmul_(a, b, b, 0.5),
        lambda T, a, b: T._foreach_addcdiv_(a, b, b, value=0.5),
        lambda T, a, b: T._foreach_addcdiv(a, b, b, [0.5, 2.0]),
        lambda T, a, b: T._foreach_lerp_(a, b, 0.25),
        lambda T, a, b: T._foreach_norm(a),
        lambda T, a, b: T._foreach_sqrt(b),
        lambda T, a, b: T._foreach_maximum(a, b),
        lambda T, a, b: T._foreach_zero_(a),
        lambda T, a, b: (T._foreach_copy_(a, b), a)[1],
        lambda T, a, b: T._foreach_pow(b, 2),
    ],
)
def test_functions_of_lists_compute_what_torch_does(call):
    rows = []
    for T in (ac, torch):
        a, b = [T.tensor([1.0, -2.0]), T.tensor([3.0])], [T.tensor([0.5, 4.0]), T.tensor([2.0])]
        result = call(T, a, b)
        rows.append((type(result), [x.tolist() for x in result]))
    assert rows[0] == rows[1]


def test_functions_of_lists_refuse_lists_of_other_lengths(T):
    a = [T.ones(1), T.ones(1)]
    for others, words in (([1.0], "scalar list"), (a[:1], "got 2 and 1")):
        with pytest.raises(RuntimeError, match=words):
            T._foreach_add(a, others)
    with pytest.raises(RuntimeError, match="at least one tensor"):
        T._foreach_add([], 1.0)
    with pytest.raises(TypeError):
        T._foreach_add(a[0], 1.0)
    with pytest.raises(AttributeError):
        T._foreach_nothing  # noqa: B018
