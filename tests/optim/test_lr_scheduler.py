"""Schedules: the rates of torch, to the last bit, their states, and what is warned of and refused."""

import re
import warnings

import pytest
import torch

import autograd_core as ac

LIBRARIES = pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])


def optimizer_of(T, name="SGD", lr=0.1):
    params = [T.ones(1, requires_grad=True) for _ in range(2)]
    groups = [{"params": [params[0]]}, {"params": [params[1]], "lr": 0.03}]
    return getattr(T.optim, name)(groups, lr=lr)


def sequential(T, optimizer):
    S = T.optim.lr_scheduler
    parts = [
        S.LinearLR(optimizer, start_factor=0.1, total_iters=3),
        S.CosineAnnealingLR(optimizer, T_max=4, eta_min=1e-3),
        S.ExponentialLR(optimizer, 0.7),
        S.MultiStepLR(optimizer, [0, 2], 0.5),
        S.StepLR(optimizer, 2),
        S.PolynomialLR(optimizer, 3, 2.0),
        S.ConstantLR(optimizer, 0.5, 2),
        S.LambdaLR(optimizer, lambda t: 1 / (1 + t)),
    ]
    return S.SequentialLR(optimizer, parts, milestones=[3, 7, 9, 12, 15, 18, 21])


def nested(T, optimizer):
    S = T.optim.lr_scheduler
    inner = S.SequentialLR(
        optimizer, [S.ConstantLR(optimizer, 0.5, 2), S.ExponentialLR(optimizer, 0.9)], milestones=[2]
    )
    return S.SequentialLR(optimizer, [inner, S.StepLR(optimizer, 3)], milestones=[5])


def chained(T, optimizer):
    S = T.optim.lr_scheduler
    return S.ChainedScheduler([S.ConstantLR(optimizer, 0.1, 2), S.ExponentialLR(optimizer, 0.9)])


def named(name, *args, **kwargs):
    return lambda T, optimizer: getattr(T.optim.lr_scheduler, name)(optimizer, *args, **kwargs)


def two_functions(T, optimizer):
    return T.optim.lr_scheduler.LambdaLR(optimizer, [lambda t: 0.9**t, lambda t: 1 / (1 + t)])


SCHEDULES = {
    "StepLR": named("StepLR", 3),
    "StepLR, gamma": named("StepLR", 2, gamma=0.7),
    "MultiStepLR": named("MultiStepLR", [2, 5, 5, 9], gamma=0.3),
    "ExponentialLR": named("ExponentialLR", 0.93),
    "ConstantLR": named("ConstantLR"),
    "ConstantLR, at once": named("ConstantLR", 0.3, total_iters=1),
    "LinearLR": named("LinearLR"),
    "LinearLR, down": named("LinearLR", start_factor=1.0, end_factor=0.07, total_iters=13),
    "PolynomialLR": named("PolynomialLR", 11, 1.7),
    "LambdaLR": named("LambdaLR", lambda t: 0.95**t),
    "LambdaLR, two": two_functions,
    "MultiplicativeLR": named("MultiplicativeLR", lambda t: 0.95 + 0.01 * t),
    "CosineAnnealingLR": named("CosineAnnealingLR", 20, eta_min=1e-4),
    "CosineAnnealingLR, past its end": named("CosineAnnealingLR", 6),
    "CosineAnnealingWarmRestarts": named("CosineAnnealingWarmRestarts", 5, eta_min=1e-3),
    "CosineAnnealingWarmRestarts, longer": named("CosineAnnealingWarmRestarts", 2, T_mult=3),
    "OneCycleLR": named("OneCycleLR", 0.5, total_steps=25),
    "OneCycleLR, linear": named("OneCycleLR", [0.5, 0.3], epochs=5, steps_per_epoch=5, anneal_strategy="linear"),
    "OneCycleLR, three": named("OneCycleLR", 0.5, 25, three_phase=True, pct_start=0.4, cycle_momentum=False),
    "CyclicLR": named("CyclicLR", 0.01, 0.5, step_size_up=4),
    "CyclicLR, halved": named("CyclicLR", [0.01, 0.02], 0.5, 3, 5, "triangular2", base_momentum=[0.7, 0.6]),
    "CyclicLR, shrinking": named("CyclicLR", 0.01, 0.5, 4, mode="exp_range", gamma=0.9, cycle_momentum=False),
    "SWALR": lambda T, optimizer: T.optim.swa_utils.SWALR(optimizer, 0.5, anneal_epochs=7),
    "SWALR, linear": lambda T, optimizer: T.optim.swa_utils.SWALR(optimizer, [0.5, 0.01], 4, "linear"),
    "SequentialLR": sequential,
    "SequentialLR, nested": nested,
    "ChainedScheduler": chained,
}


# In both libraries a sequence within a sequence takes its first step before the optimizer can.
pytestmark = pytest.mark.filterwarnings("ignore:Detected call.*:UserWarning")


def run(T, optimizer, scheduler, steps):
    """The rates and momenta of all groups, step by step."""
    rows = []
    for _ in range(steps):
        groups = optimizer.param_groups
        rows.append([(group["lr"], group.get("momentum"), group.get("betas")) for group in groups])
        assert scheduler.get_last_lr() == [group["lr"] for group in groups]
        optimizer.step()
        scheduler.step()
    return rows


@pytest.mark.parametrize("name", SCHEDULES)
@pytest.mark.parametrize("optimizer", ["SGD", "Adam"])
def test_the_rates_are_those_of_torch_to_the_last_bit(name, optimizer):
    rows = []
    for T in (ac, torch):
        made = optimizer_of(T, optimizer)
        rows.append(run(T, made, SCHEDULES[name](T, made), 24))
    assert rows[0] == rows[1]
    assert len({str(row) for row in rows[0]}) > 1


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_schedule_goes_on_from_its_state_dict(name):
    optimizer = optimizer_of(ac)
    scheduler = SCHEDULES[name](ac, optimizer)
    run(ac, optimizer, scheduler, 4)
    other = optimizer_of(ac)
    again = SCHEDULES[name](ac, other)
    again.load_state_dict(scheduler.state_dict())
    other.load_state_dict(optimizer.state_dict())
    assert run(ac, other, again, 8) == run(ac, optimizer, scheduler, 8)


@pytest.mark.parametrize("name", [name for name in SCHEDULES if "Lambda" not in name and "plicative" not in name])
def test_states_are_those_of_torch(name):
    states = []
    for T in (ac, torch):
        optimizer = optimizer_of(T)
        scheduler = SCHEDULES[name](T, optimizer)
        run(T, optimizer, scheduler, 4)
        states.append(plain(scheduler.state_dict()))
    assert states[0] == states[1]


def plain(state):
    """A state without the plain functions of schedules inside, which no library saves, in the same types."""
    if isinstance(state, dict):
        return {key: plain(value) for key, value in state.items()}
    return [plain(value) for value in state] if isinstance(state, list | tuple) else state


def test_functions_that_are_objects_are_saved_and_plain_ones_are_not():
    class Decay:
        def __init__(self, rate):
            self.rate = rate

        def __call__(self, t):
            return self.rate**t

    def schedule(rate):
        return ac.optim.lr_scheduler.LambdaLR(optimizer_of(ac), [Decay(rate), lambda t: rate])

    schedules = [schedule(rate) for rate in (0.5, 0.9)]
    saved = schedules[0].state_dict()
    assert saved["lr_lambdas"] == [{"rate": 0.5}, None]
    schedules[1].load_state_dict(saved)
    assert schedules[1].lr_lambdas[0].rate == 0.5 and schedules[1].lr_lambdas[1](0) == 0.9


LOSSES = [3.0, 2.0, 2.0, 2.0, 2.1, 1.9999, 1.0, 1.0, 1.0, 1.0, 1.0, 0.5, 0.6, 0.6, 0.6, 0.6, 0.6]


@pytest.mark.parametrize(
    "settings",
    [
        {"patience": 1},
        {"patience": 0, "factor": 0.5, "cooldown": 2},
        {"patience": 1, "threshold": 0.3, "threshold_mode": "abs"},
        {"patience": 1, "mode": "max", "threshold": 0.2},
        {"patience": 1, "mode": "max", "threshold_mode": "abs"},
        {"patience": 0, "min_lr": [0.02, 0.001]},
        {"patience": 0, "min_lr": 0.01, "eps": 0.02},
    ],
    ids=str,
)
def test_a_plateau_lowers_the_rates_as_in_torch(settings):
    rows, states = [], []
    for T in (ac, torch):
        optimizer = optimizer_of(T)
        scheduler = T.optim.lr_scheduler.ReduceLROnPlateau(optimizer, **settings)
        rows.append([])
        for loss in LOSSES:
            scheduler.step(T.tensor(loss))
            rows[-1].append(scheduler.get_last_lr())
        states.append(scheduler.state_dict())
    assert rows[0] == rows[1] and len({str(row) for row in rows[0]}) > 1
    assert states[0] == states[1]
    again = ac.optim.lr_scheduler.ReduceLROnPlateau(optimizer_of(ac), **settings)
    again.load_state_dict(states[0])
    assert again.best == scheduler.best and again.num_bad_epochs == scheduler.num_bad_epochs


@LIBRARIES
def test_a_group_that_came_later_has_the_least_rate_that_all_share(T):
    optimizer = optimizer_of(T)
    scheduler = T.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0, min_lr=0.05)
    listed = T.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0, min_lr=[0.0, 0.0])
    optimizer.add_param_group({"params": [T.ones(1, requires_grad=True)], "lr": 0.2})
    for _ in range(2):
        scheduler.step(1.0)
    assert [group["lr"] for group in optimizer.param_groups] == [0.05, 0.03, 0.05]
    listed.step(1.0)
    with pytest.raises(RuntimeError, match="number of param groups"):
        listed.step(1.0)


@LIBRARIES
def test_to_step_the_schedule_before_the_optimizer_warns_once(T):
    optimizer = optimizer_of(T)
    scheduler = T.optim.lr_scheduler.StepLR(optimizer, 1)
    with pytest.warns(UserWarning, match=re.escape("before `optimizer.step()`")):
        scheduler.step()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scheduler.step()


@LIBRARIES
def test_the_right_order_does_not_warn(T):
    optimizer = optimizer_of(T)
    scheduler = T.optim.lr_scheduler.StepLR(optimizer, 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        optimizer.step()
        scheduler.step()


@LIBRARIES
def test_steps_from_before_the_schedule_was_made_do_not_count(T):
    optimizer = optimizer_of(T)
    optimizer.step()
    scheduler = T.optim.lr_scheduler.StepLR(optimizer, 1)
    with pytest.warns(UserWarning, match=re.escape("before `optimizer.step()`")):
        scheduler.step()


@LIBRARIES
def test_get_lr_is_for_the_step_alone(T):
    scheduler = T.optim.lr_scheduler.StepLR(optimizer_of(T), 1)
    with pytest.warns(UserWarning, match="get_last_lr"):
        scheduler.get_lr()


@LIBRARIES
def test_an_epoch_may_be_given_with_a_warning(T):
    optimizer = optimizer_of(T)
    scheduler = T.optim.lr_scheduler.StepLR(optimizer, 2, gamma=0.5)
    optimizer.step()
    with pytest.warns(UserWarning, match="epoch parameter"):
        scheduler.step(5)
    assert scheduler.get_last_lr()[0] == 0.1 * 0.5**2
    with pytest.warns(UserWarning, match="epoch parameter"):
        T.optim.lr_scheduler.ReduceLROnPlateau(optimizer).step(1.0, 3)


@LIBRARIES
def test_restarts_take_fractions_of_epochs(T):
    for times in (1, 2):
        optimizer = optimizer_of(T, lr=1.0)
        scheduler = T.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, 2, T_mult=times)
        rates = []
        for part in range(20):
            optimizer.step()
            scheduler.step(part / 2)
            rates.append(scheduler.get_last_lr()[0])
        assert rates[:5] == pytest.approx([1.0, 0.8535534, 0.5, 0.1464466, 1.0])
        assert rates[12] == (1.0 if times == 1 or part == 6 else pytest.approx(1.0))


@LIBRARIES
def test_a_schedule_of_your_own_defines_get_lr(T):
    class Harmonic(T.optim.lr_scheduler.LRScheduler):
        def get_lr(self):
            return [base / (1 + self.last_epoch) for base in self.base_lrs]

    optimizer = optimizer_of(T)
    assert [row[0][0] for row in run(T, optimizer, Harmonic(optimizer), 3)] == [0.1, 0.1 / 2, 0.1 / 3]


@LIBRARIES
def test_a_schedule_resumes_at_an_epoch(T):
    optimizer = optimizer_of(T)
    for group in optimizer.param_groups:
        group["initial_lr"] = 1.0
    scheduler = T.optim.lr_scheduler.LambdaLR(optimizer, lambda t: 0.5**t, last_epoch=2)
    assert scheduler.last_epoch == 3 and scheduler.get_last_lr() == [0.125, 0.125]


def test_cosine_resumes_as_in_torch():
    rows = []
    for T in (ac, torch):
        optimizer = optimizer_of(T)
        for group in optimizer.param_groups:
            group["initial_lr"] = 1.0
        rows.append(run(T, optimizer, T.optim.lr_scheduler.CosineAnnealingLR(optimizer, 8, last_epoch=2), 12))
    assert rows[0] == rows[1]


REFUSALS = {
    "no optimizer": (lambda S, o: S.StepLR([1], 2), "list is not an Optimizer"),
    "no optimizer for a cycle": (lambda S, o: S.OneCycleLR(3, 1.0, 5), "int is not an Optimizer"),
    "no optimizer for a plateau": (lambda S, o: S.ReduceLROnPlateau(3), "int is not an Optimizer"),
    "no initial rate": (lambda S, o: S.StepLR(o, 2, last_epoch=3), "'initial_lr' is not specified"),
    "functions": (lambda S, o: S.LambdaLR(o, [abs]), "lr_lambda"),
    "constant": (lambda S, o: S.ConstantLR(o, 2.0), "between 0 and 1"),
    "linear start": (lambda S, o: S.LinearLR(o, 0.0), "Starting multiplicative factor"),
    "linear end": (lambda S, o: S.LinearLR(o, 0.5, 2.0), "Ending multiplicative factor"),
    "T_0": (lambda S, o: S.CosineAnnealingWarmRestarts(o, 0), "positive integer T_0"),
    "T_mult": (lambda S, o: S.CosineAnnealingWarmRestarts(o, 1, 0), "integer T_mult >= 1"),
    "eta_min": (lambda S, o: S.CosineAnnealingWarmRestarts(o, 1, 1, "0"), "eta_min"),
    "negative epoch": (lambda S, o: S.CosineAnnealingWarmRestarts(o, 1).step(-1), "non-negative epoch"),
    "no steps": (lambda S, o: S.OneCycleLR(o, 1.0), "either total_steps OR"),
    "steps": (lambda S, o: S.OneCycleLR(o, 1.0, 0), "positive integer total_steps"),
    "epochs": (lambda S, o: S.OneCycleLR(o, 1.0, epochs=0, steps_per_epoch=2), "positive integer epochs"),
    "batches": (lambda S, o: S.OneCycleLR(o, 1.0, epochs=2, steps_per_epoch=0), "positive integer steps_per_epoch"),
    "pct_start": (lambda S, o: S.OneCycleLR(o, 1.0, 5, pct_start=2.0), "pct_start"),
    "strategy": (lambda S, o: S.OneCycleLR(o, 1.0, 5, anneal_strategy="up"), "'cos' or 'linear'"),
    "max_lr": (lambda S, o: S.OneCycleLR(o, [1.0], 5), "max_lr has 1 values, param_groups has 2"),
    "no momentum": (
        lambda S, o: S.OneCycleLR(type(o).__mro__[0](o.param_groups[0]["params"], lr=0.1), 1.0, 5),
        "must support momentum",
    ),
    "cycle": (lambda S, o: S.CyclicLR(o, 0.1, 0.2, mode="up"), "mode is invalid and scale_fn is None"),
    "cycle's bounds": (lambda S, o: S.CyclicLR(o, [0.1], 0.2), "base_lr has 1 values"),
    "averages": (lambda S, o: S.LRScheduler(3), "int is not an Optimizer"),
    "factor": (lambda S, o: S.ReduceLROnPlateau(o, factor=1.0), "Factor should be < 1.0"),
    "mode": (lambda S, o: S.ReduceLROnPlateau(o, "up"), "mode up is unknown"),
    "threshold_mode": (lambda S, o: S.ReduceLROnPlateau(o, threshold_mode="x"), "threshold mode x is unknown"),
    "min_lr": (lambda S, o: S.ReduceLROnPlateau(o, min_lr=[0.1]), "min_lr"),
    "no schedules": (lambda S, o: S.SequentialLR(o, [], []), "at least one scheduler"),
    "no schedule": (lambda S, o: S.ChainedScheduler([S.StepLR(o, 1), 3]), "at index 1 should have `optimizer`"),
    "milestones": (lambda S, o: S.SequentialLR(o, [S.StepLR(o, 1)], [1]), "number of milestones to be equal to 1"),
    "a plateau": (
        lambda S, o: S.ChainedScheduler([S.StepLR(o, 1), S.ReduceLROnPlateau(o)]),
        "does not support `ReduceLROnPlateau`",
    ),
    "nothing to chain": (lambda S, o: S.ChainedScheduler([]), "at least one scheduler"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals_have_the_type_of_torch_and_name_the_values(name):
    call, words = REFUSALS[name]
    kind = "Adagrad" if name == "no momentum" else "SGD"
    with pytest.raises(Exception) as theirs:
        call(torch.optim.lr_scheduler, optimizer_of(torch, kind))
    with pytest.raises(type(theirs.value), match=re.escape(words)):
        call(ac.optim.lr_scheduler, optimizer_of(ac, kind))


@LIBRARIES
def test_schedules_of_several_optimizers_are_refused(T):
    schedules = [T.optim.lr_scheduler.StepLR(optimizer_of(T), 1) for _ in range(2)]
    with pytest.raises(ValueError, match="belong to the same optimizer"):
        T.optim.lr_scheduler.ChainedScheduler(schedules)


@LIBRARIES
def test_a_cycle_has_an_end(T):
    optimizer = optimizer_of(T)
    scheduler = T.optim.lr_scheduler.OneCycleLR(optimizer, 1.0, total_steps=4)
    for _ in range(4):
        optimizer.step()
        scheduler.step()
    optimizer.step()
    with pytest.raises(ValueError, match="Tried to step 5 times"):
        scheduler.step()


def test_a_cycle_takes_a_function_of_the_cycle_or_of_the_batch():
    rows = []
    for T in (ac, torch):
        for mode in ("cycle", "iterations"):
            optimizer = optimizer_of(T)
            scheduler = T.optim.lr_scheduler.CyclicLR(
                optimizer, 0.1, 1.0, 3, scale_fn=lambda x: 1 / (1 + x), scale_mode=mode
            )
            rows.append(run(T, optimizer, scheduler, 12))
            assert scheduler.state_dict()["_scale_fn_custom"] is None
    assert rows[:2] == rows[2:] and rows[0] != rows[1]


@LIBRARIES
def test_a_step_that_was_replaced_cannot_be_seen_and_warns(T):
    optimizer = optimizer_of(T)
    scheduler = T.optim.lr_scheduler.StepLR(optimizer, 1)
    optimizer.step = lambda: None
    optimizer.step()
    with pytest.warns(UserWarning, match="has been overridden after"):
        scheduler.step()


@LIBRARIES
def test_a_schedule_of_your_own_may_have_a_closed_form(T):
    class Harmonic(T.optim.lr_scheduler._LRScheduler):
        def get_lr(self):
            return [group["lr"] for group in self.optimizer.param_groups]

        def _get_closed_form_lr(self):
            return [base / (1 + self.last_epoch) for base in self.base_lrs]

    optimizer = optimizer_of(T)
    scheduler = Harmonic(optimizer)
    optimizer.step()
    with pytest.warns(UserWarning, match="epoch parameter"):
        scheduler.step(4)
    assert scheduler.get_last_lr() == [0.1 / 5, 0.03 / 5]
