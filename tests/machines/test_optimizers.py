"""Random programs of training, run on PyTorch and here step by step.

Gradients come and stay away, groups are added, options changed, states saved, loaded when the program has long gone
on, sent through a file, and loaded into another optimizer. Parameters, states and options are compared, and which step
raises.
"""

import copy

import numpy as np
import torch
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, initialize, invariant, precondition, rule

from tests.machines.engines import TwoEngines, going_on
from tests.machines.running import run
from tests.machines.states import WAYS

seeds = st.integers(0, 99)
KINDS = {
    "SGD": [{}, {"momentum": 0.9}, {"momentum": 0.9, "nesterov": True}, {"momentum": 0.5, "dampening": 0.5}],
    "Adam": [{}, {"amsgrad": True}, {"betas": (0.5, 0.9)}],
    "AdamW": [{}, {"amsgrad": True, "maximize": True}],
    "Adamax": [{}],
    "NAdam": [{}, {"decoupled_weight_decay": True}],
    "RAdam": [{}],
    "RMSprop": [{}, {"centered": True, "momentum": 0.9}],
    "Adagrad": [{}, {"lr_decay": 0.1, "initial_accumulator_value": 0.1}],
    "Adadelta": [{}],
    "ASGD": [{}],
    "Rprop": [{}],
}
CHOICES = [(kind, options) for kind, several in KINDS.items() for options in several]


def numbers(seed, n=2):
    return np.random.default_rng(seed).uniform(-1.0, 1.0, n)


class Both:
    """An optimizer or a state in each engine; `kind` says of which class."""

    def __init__(self, kind, theirs, ours):
        self.kind, self.both = kind, (theirs, ours)

    def __iter__(self):
        return iter(self.both)


class Optimizers(TwoEngines):
    optimizers = Bundle("optimizers")
    states = Bundle("states")

    def __init__(self):
        super().__init__()
        self.all: list[Both] = []

    @initialize(target=optimizers, choice=st.sampled_from(CHOICES), seed=seeds)
    def first(self, choice, seed):
        return self.make(choice, seed, None, 0.0)

    @rule(
        target=optimizers,
        choice=st.sampled_from(CHOICES),
        seed=seeds,
        lr=st.sampled_from([None, 0.1]),
        weight_decay=st.sampled_from([0.0, 0.0, 0.1]),
    )
    @precondition(going_on)
    def make(self, choice, seed, lr, weight_decay):
        kind, options = choice
        options = {**options, "weight_decay": weight_decay} if kind != "Rprop" else dict(options)
        options = options if lr is None else {**options, "lr": lr}

        def construct(T):
            return getattr(T.optim, kind)([parameter(T, seed), parameter(T, seed + 1)], **options)

        self.all.append(Both(kind, *self.step(construct)))
        return self.all[-1]

    @rule(x=optimizers, seed=seeds, missing=st.integers(0, 3))
    @precondition(going_on)
    def train(self, x, seed, missing):
        """A step with new gradients; one parameter may have none."""
        self.note("updates")

        def update(T, optimizer):
            for i, p in enumerate(p for group in optimizer.param_groups for p in group["params"]):
                p.grad = None if i == missing else T.tensor(numbers(seed + i), dtype=T.float64)
            optimizer.step()

        self.step(update, x)

    @rule(x=optimizers, set_to_none=st.booleans())
    @precondition(going_on)
    def clear_and_step(self, x, set_to_none):
        def update(T, optimizer):
            optimizer.zero_grad(set_to_none=set_to_none)
            optimizer.step()

        self.step(update, x)

    @rule(x=optimizers, seed=seeds, lr=st.sampled_from([None, 0.5]))
    @precondition(going_on)
    def add_group(self, x, seed, lr):
        if x.kind == "Adagrad":  # PyTorch makes its states with the first groups only, and steps no more
            return
        options = {} if lr is None else {"lr": lr}
        self.step(lambda T, optimizer: optimizer.add_param_group({"params": [parameter(T, seed)], **options}), x)

    @rule(x=optimizers, name=st.sampled_from(["lr", "weight_decay", "maximize"]), value=st.sampled_from([0.0, 0.25]))
    @precondition(going_on)
    def change_option(self, x, name, value):
        def change(T, optimizer):
            if name in optimizer.param_groups[0]:
                optimizer.param_groups[0][name] = value if name != "maximize" else bool(value)

        self.step(change, x)

    @rule(target=states, x=optimizers, way=st.sampled_from(list(WAYS)))
    @precondition(going_on)
    def save(self, x, way):
        self.note("saved")
        return Both(x.kind, *self.step(lambda T, optimizer: WAYS[way](T, optimizer.state_dict()), x))

    @rule(x=optimizers, state=states)
    @precondition(going_on)
    def load(self, x, state):
        if state.kind == x.kind:  # a copy: PyTorch lets an optimizer and the state that it loaded share tensors
            self.note("loaded")
            self.step(lambda T, optimizer, state: optimizer.load_state_dict(copy.deepcopy(state)), x, state)

    @rule(target=optimizers, x=optimizers)
    @precondition(going_on)
    def duplicate(self, x):
        self.note("copies")
        self.all.append(Both(x.kind, *self.step(lambda T, optimizer: copy.deepcopy(optimizer), x)))
        return self.all[-1]

    @invariant()
    @precondition(going_on)
    def both_engines_agree(self):
        for x in self.all:
            theirs, ours = x
            for groups in zip(theirs.param_groups, ours.param_groups):
                for a, b in zip(*(group["params"] for group in groups)):
                    same(a, b)
            same(theirs.state_dict(), ours.state_dict())


def parameter(T, seed):
    return T.nn.Parameter(T.tensor(numbers(seed), dtype=T.float64))


def same(theirs, ours):
    """Assert that two states are equal: dicts and lists of tensors and options."""
    if isinstance(theirs, torch.Tensor):
        # A number of a state, as NAdam's product, keeps its float32 when it is loaded; PyTorch gives it the dtype of
        # the parameter.
        assert not theirs.ndim or str(ours.dtype).rpartition(".")[2] == str(theirs.dtype).rpartition(".")[2]
        np.testing.assert_allclose(ours.detach().numpy(), theirs.detach().numpy(), rtol=1e-6, atol=1e-9)
    elif isinstance(theirs, dict):
        assert ours.keys() == theirs.keys()
        for key in theirs:
            same(theirs[key], ours[key])
    elif isinstance(theirs, (list, tuple)):
        assert len(ours) == len(theirs)
        for pair in zip(theirs, ours):
            same(*pair)
    else:
        assert ours == theirs


def test_random_training_agrees_with_torch():
    run(Optimizers, steps=20)
