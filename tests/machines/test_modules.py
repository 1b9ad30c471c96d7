"""Random programs of modules, run on PyTorch and here step by step.

Names are given, taken away, given again and walked while the module changes; children override what a parent calls;
states are saved and loaded, modules copied and pickled. What every program can ask of a module is compared: names in
their order, flags, states, what hooks saw, outputs and gradients, and which step raises.
"""

import copy
import pickle

import numpy as np
import torch
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, initialize, invariant, precondition, rule

import autograd_core as ac
from tests.machines.engines import TwoEngines, going_on
from tests.machines.running import run
from tests.machines.states import WAYS

NAMES = ["a", "b", "weight", "head", "0"]
names = st.sampled_from(NAMES)
seeds = st.integers(0, 99)


def classes(T):
    """Modules whose methods a parent must call. They are built once for each engine, so that pickle finds them."""

    class Leaf(T.nn.Module):
        def __init__(self, seed=0):
            super().__init__()
            self.scale = T.nn.Parameter(T.tensor(1.0 + seed / 8, dtype=T.float64))
            self.register_buffer("calls", T.zeros((), dtype=T.int64))

        def forward(self, x):
            self.calls += 1
            return x * self.scale

    class Frozen(Leaf):
        def train(self, mode=True):
            return super().train(False)

    class Counting(Leaf):
        loaded = 0

        def get_extra_state(self):
            return {"loaded": self.loaded}

        def set_extra_state(self, state):
            self.loaded = state["loaded"] + 1

    class Renaming(Leaf):
        def _save_to_state_dict(self, destination, prefix, keep_vars):
            super()._save_to_state_dict(destination, prefix, keep_vars)
            destination[prefix + "factor"] = destination.pop(prefix + "scale")

        def _load_from_state_dict(self, state_dict, prefix, *args):
            if prefix + "factor" in state_dict:
                state_dict[prefix + "scale"] = state_dict.pop(prefix + "factor")
            super()._load_from_state_dict(state_dict, prefix, *args)

    class Tree(T.nn.Module):
        def forward(self, x):
            for child in self.children():
                if child is not None:
                    x = child(x)
            for parameter in self.parameters(recurse=False):
                x = x + parameter.sum()
            return x

    made = {cls.__name__: cls for cls in (Leaf, Frozen, Counting, Renaming, Tree)}
    for name, cls in made.items():
        cls.__qualname__ = f"{T.__name__}_{name}"
        globals()[cls.__qualname__] = cls
    return made


KINDS = {T: classes(T) for T in (torch, ac)}


def grow_while_walking(m):
    """What adapters do: each parameter gets a partner while the module is walked."""
    T = torch if isinstance(m, torch.nn.Module) else ac
    for name, parameter in m.named_parameters(recurse=False):
        m.register_buffer(f"{name}_mean", parameter.detach().clone())
    for child in m.children():
        child.note = T.zeros(1)


def walk_and_drop(m):
    for name, _ in list(m.named_children())[:1]:
        delattr(m, name)


WALKS = {
    "parameters": lambda m: m.named_parameters(),
    "buffers": lambda m: m.named_buffers(),
    "modules": lambda m: m.named_modules(),
    "children": lambda m: m.named_children(),
}
# What may change in PyTorch too while a module is walked: not what is being walked itself.
LATE = {
    "parameters": ["none", "number", "tensor", "buffer"],
    "buffers": ["none", "number", "tensor", "parameter", "register nothing"],
    "modules": ["none", "number", "tensor", "parameter", "buffer"],
    "children": ["none", "number", "tensor", "parameter", "buffer"],
}
COPIES = {"deepcopy": copy.deepcopy, "pickle": lambda m: pickle.loads(pickle.dumps(m))}

CHANGES = {
    "none": lambda T, m, name, seed: setattr(m, name, None),
    "number": lambda T, m, name, seed: setattr(m, name, 3),
    "parameter": lambda T, m, name, seed: setattr(m, name, T.nn.Parameter(values(T, seed))),
    "tensor": lambda T, m, name, seed: setattr(m, name, values(T, seed)),
    "register parameter": lambda T, m, name, seed: m.register_parameter(name, T.nn.Parameter(values(T, seed))),
    "register nothing": lambda T, m, name, seed: m.register_parameter(name, None),
    "buffer": lambda T, m, name, seed: m.register_buffer(name, values(T, seed), persistent=seed % 2 == 0),
    "delete": lambda T, m, name, seed: delattr(m, name),
    "straight into the dict": lambda T, m, name, seed: m.__dict__.__setitem__(name, T.nn.Identity()),
    # past all checks, but for a name that is a buffer's too
    "parameters' dict": lambda T, m, name, seed: m._parameters.update(
        {} if name in m._buffers else {name: T.nn.Parameter(values(T, seed))}
    ),
    "modules' dict": lambda T, m, name, seed: m._modules.pop(name, None),
}
CALLS = {
    "train": lambda m: m.train(),
    "eval": lambda m: m.eval(),
    "freeze": lambda m: m.requires_grad_(False),
    "zero_grad": lambda m: m.zero_grad(),
    "float": lambda m: m.double(),
    "grow while walking": grow_while_walking,
    "drop a child": walk_and_drop,
    "apply": lambda m: m.apply(lambda child: child.train(False)),
}


def values(T, seed):
    return T.tensor(np.random.default_rng(seed).uniform(-1.0, 1.0, 2), dtype=T.float64)


def asked(m):
    """What a program can ask of a module."""
    return {
        "parameters": [(name, tuple(p.shape), p.requires_grad) for name, p in m.named_parameters()],
        "with duplicates": [name for name, _ in m.named_parameters(remove_duplicate=False)],
        "buffers": [name for name, _ in m.named_buffers()],
        "modules": [(name, child.training) for name, child in m.named_modules()],
        "children": [name for name, _ in m.named_children()],
        "state": list(m.state_dict()),
        "attributes": sorted(name for name in NAMES if hasattr(m, name)),
    }


class Both:
    """One module in each engine, and what the hooks on it have seen."""

    def __init__(self, theirs, ours):
        self.both, self.seen = (theirs, ours), ([], [])

    def __iter__(self):
        return iter(self.both)


class Modules(TwoEngines):
    modules = Bundle("modules")
    states = Bundle("states")

    def __init__(self):
        super().__init__()
        self.all: list[Both] = []
        self.hooked = False

    def made(self, results):
        both = Both(*results)
        self.all.append(both)
        return both

    @initialize(target=modules)
    def first(self):
        return self.made([KINDS[T]["Tree"]() for T in (torch, ac)])

    @rule(target=modules, kind=st.sampled_from(["Leaf", "Frozen", "Counting", "Renaming", "Tree"]))
    @precondition(going_on)
    def make(self, kind):
        return self.made(self.step(lambda T: KINDS[T][kind]()))

    @rule(x=modules, child=modules, name=names)
    @precondition(going_on)
    def nest(self, x, child, name):
        if not any(x.both[0] is module for module in child.both[0].modules()):  # a circle
            self.note("nested")
            self.step(lambda T, m, child: setattr(m, name, child), x, child)

    @rule(x=modules, kind=st.sampled_from(list(CHANGES)), name=names, seed=seeds)
    @precondition(going_on)
    def change(self, x, kind, name, seed):
        if kind == "delete" and not hasattr(x.both[0], name):
            return
        self.note("changes")
        self.step(lambda T, m: CHANGES[kind](T, m, name, seed), x)

    @rule(x=modules, what=st.sampled_from(list(WALKS)), choice=st.integers(0, 4), at=st.integers(0, 3), seed=seeds)
    @precondition(going_on)
    def change_while_walking(self, x, what, choice, at, seed):
        """A walk through a module that gets, on the way, an attribute it did not have."""
        kind = LATE[what][choice % len(LATE[what])]
        if hasattr(x.both[0], "late"):
            return
        self.note("changes while walking")

        def walk(T, m):
            seen = []
            for i, (name, _) in enumerate(WALKS[what](m)):
                seen.append(name)
                if i == at:
                    CHANGES[kind](T, m, "late", seed)
            return seen

        if (found := self.step(walk, x)) is not None:
            assert found[0] == found[1]

    @rule(x=modules, kind=st.sampled_from(list(CALLS)))
    @precondition(going_on)
    def call(self, x, kind):
        self.step(lambda T, m: CALLS[kind](m) and None, x)

    @rule(x=modules, always=st.booleans(), prepend=st.booleans())
    @precondition(going_on)
    def hook(self, x, always, prepend):
        self.note("hooks")
        self.hooked = True
        number = len(x.seen[0])

        def hooked(T, m, seen):
            m.register_forward_pre_hook(lambda m, args: seen.append(("before", number)), prepend=prepend)
            m.register_forward_hook(
                lambda m, args, out: seen.append(("after", number)), prepend=prepend, always_call=always
            )

        self.step(hooked, x, x.seen)

    @rule(x=modules, y=modules, strict=st.booleans())
    @precondition(going_on)
    def load(self, x, y, strict):
        self.note("loads")
        found = self.step(lambda T, m, other: m.load_state_dict(other.state_dict(), strict=strict), x, y)
        if found is not None:
            theirs, ours = found
            assert (theirs.missing_keys, theirs.unexpected_keys) == (ours.missing_keys, ours.unexpected_keys)

    @rule(target=states, x=modules, way=st.sampled_from(list(WAYS)))
    @precondition(going_on)
    def save(self, x, way):
        """A state that is loaded later, when the module has gone on: its own tensors, copies, or what a file holds."""
        self.note("saved")
        return self.step(lambda T, m: WAYS[way](T, m.state_dict()), x)

    @rule(x=modules, state=states, strict=st.booleans(), assign=st.booleans())
    @precondition(going_on)
    def restore(self, x, state, strict, assign):
        self.note("restored")

        def load(T, m, state):
            given = copy.copy(state)
            if hasattr(state, "_metadata"):
                given._metadata = copy.deepcopy(state._metadata)  # where PyTorch notes `assign`, for good
            return m.load_state_dict(given, strict=strict, assign=assign)

        found = self.step(load, x, state)
        if found is not None:
            theirs, ours = found
            assert (theirs.missing_keys, theirs.unexpected_keys) == (ours.missing_keys, ours.unexpected_keys)

    @rule(x=modules)
    @precondition(going_on)
    def hook_backward(self, x):
        """Hooks at the edges where gradients enter and leave a module."""
        self.note("hooks")
        self.hooked = True

        def hooked(T, m, seen):
            def note(m, *gradients):
                seen.append([[None if g is None else g.tolist() for g in group] for group in gradients])

            m.register_full_backward_pre_hook(note)
            m.register_full_backward_hook(note)

        self.step(hooked, x, x.seen)

    @rule(target=modules, x=modules, how=st.sampled_from(list(COPIES)))
    @precondition(lambda self: not self.over and not self.hooked)  # a hook would be copied, and still tell the first
    def duplicate(self, x, how):
        self.note("copies")
        return self.made([COPIES[how](m) for m in x])

    @rule(x=modules, seed=seeds)
    @precondition(going_on)
    def run_forward_and_backward(self, x, seed):
        self.note("runs")

        def forward(T, m):
            out = m(values(T, seed))
            if out.requires_grad:
                out.sum().backward()
            return out

        if (found := self.step(forward, x)) is not None:
            theirs, ours = found
            np.testing.assert_allclose(ours.detach().numpy(), theirs.detach().numpy(), rtol=1e-12)

    @invariant()
    @precondition(going_on)
    def both_engines_agree(self):
        for x in self.all:
            theirs, ours = x
            assert asked(ours) == asked(theirs)
            assert x.seen[0] == x.seen[1]
            for (name, a), (_, b) in zip(theirs.named_parameters(), ours.named_parameters()):
                np.testing.assert_allclose(b.detach().numpy(), a.detach().numpy(), rtol=1e-12, err_msg=name)
                assert (a.grad is None) == (b.grad is None)
                if a.grad is not None:
                    np.testing.assert_allclose(b.grad.numpy(), a.grad.numpy(), rtol=1e-12, err_msg=name)


def test_random_modules_agree_with_torch():
    run(Modules, steps=25)
