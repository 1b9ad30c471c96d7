"""Random graphs, against the sixty-line engine of the book: values, gradients, what hooks see, and which step raises.

Tensors are grown, detached, retained, hooked, overwritten under `no_grad()` and run backward from, in every order.
"""

import numpy as np
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, initialize, invariant, multiple, precondition, rule

import autograd_core as ac
from autograd_book import sixty_lines
from tests.machines.running import Machine, run

SIZE = 2
numbers = st.integers(-8, 8).map(lambda n: n / 4)
arrays = st.lists(numbers, min_size=SIZE, max_size=SIZE)
HOOKS = {"look": lambda g: None, "double": lambda g: g * 2, "turn": lambda g: -g}


class Pair:
    """One value in both engines.

    The sixty lines know no hooks. So each of their tensors has a `stand_in`: its consumers use that, and what arrives
    at the `tensor` itself went through the hooks on the way.
    """

    def __init__(self, ours, tensor):
        self.ours, self.tensor = ours, tensor
        self.hooks, self.seen_by_ours, self.seen = {}, [], []
        sixty_lines.recording.append(True)  # a leaf made under no_grad() has hooks too
        self.stand_in = sixty_lines.Tensor(tensor.array, edges=[(tensor, self.through_hooks)], version=tensor.version)
        sixty_lines.recording.pop()

    def through_hooks(self, g):
        for kind in self.hooks.values():
            self.seen.append(g)
            replaced = HOOKS[kind](g)
            g = g if replaced is None else replaced
        return g

    def hook(self, kind):
        def watch(g):
            self.seen_by_ours.append(g.numpy().copy())
            return HOOKS[kind](g)

        handle = self.ours.register_hook(watch)
        self.hooks[handle.id] = kind
        return handle


def going_on(self):
    return not self.over


class RandomGraphs(Machine):
    tensors = Bundle("tensors")
    handles = Bundle("handles")

    def __init__(self):
        super().__init__()
        self.pairs, self.blocks = [], []

    def pair(self, ours, tensor):
        self.note("steps")
        self.pairs.append(Pair(ours, tensor))
        return self.pairs[-1]

    @initialize(target=tensors, data=arrays)
    def first_leaf(self, data):
        return self.leaf(data, True)

    @rule(target=tensors, data=arrays, requires_grad=st.sampled_from([True, True, False]))
    @precondition(going_on)
    def leaf(self, data, requires_grad):
        return self.pair(
            ac.tensor(data, dtype=ac.float64, requires_grad=requires_grad), sixty_lines.tensor(data, requires_grad)
        )

    @rule(target=tensors, x=tensors, op=st.sampled_from(["sin", "exp", "neg", "detach"]))
    @precondition(going_on)
    def one_operand(self, x, op):
        if op == "exp" and np.abs(x.tensor.array).max() > 5:
            return multiple()
        if op == "neg":
            return self.pair(-x.ours, -x.stand_in)
        return self.pair(getattr(x.ours, op)(), getattr(x.stand_in, op)())

    @rule(target=tensors, x=tensors, y=tensors, times=st.booleans())
    @precondition(going_on)
    def two_operands(self, x, y, times):
        if times and max(np.abs(x.tensor.array).max(), np.abs(y.tensor.array).max()) < 1e3:
            return self.pair(x.ours * y.ours, x.stand_in * y.stand_in)
        return self.pair(x.ours + y.ours, x.stand_in + y.stand_in)

    @rule(target=tensors, x=tensors, number=numbers, times=st.booleans())
    @precondition(going_on)
    def number(self, x, number, times):
        if times:
            return self.pair(x.ours * number, x.stand_in * number)
        return self.pair(number + x.ours, number + x.stand_in)

    @rule(x=tensors, source=tensors)
    @precondition(going_on)
    def overwrite_silently(self, x, source):
        """A write that no graph records, but every saved value notices."""
        with ac.no_grad(), sixty_lines.no_grad():
            x.ours.copy_(source.ours)
            x.tensor.copy_(source.tensor)
        self.note("writes")

    @rule(x=tensors)
    @precondition(going_on)
    def retain(self, x):
        if x.ours.requires_grad:
            x.ours.retain_grad()
            x.tensor.retain_grad()

    @rule(target=handles, x=tensors, kind=st.sampled_from(list(HOOKS)))
    @precondition(going_on)
    def hook(self, x, kind):
        if not x.ours.requires_grad:
            return multiple()
        self.note("hooks")
        return x, x.hook(kind)

    @rule(handle=handles)
    @precondition(going_on)
    def unhook(self, handle):
        x, handle = handle
        handle.remove()
        x.hooks.pop(handle.id, None)

    @rule(grad=st.booleans())
    @precondition(lambda self: not self.over and len(self.blocks) < 3)
    def enter(self, grad):
        block = ac.enable_grad() if grad else ac.no_grad()
        block.__enter__()
        sixty_lines.recording.append(grad)
        self.blocks.append(block)

    @rule()
    @precondition(lambda self: not self.over and self.blocks)
    def leave(self):
        self.blocks.pop().__exit__(None, None, None)
        sixty_lines.recording.pop()

    @rule(x=tensors)
    @precondition(going_on)
    def clear(self, x):
        x.ours.grad = x.tensor.grad = None

    @rule(x=tensors, seed=arrays, retain_graph=st.booleans())
    @precondition(going_on)
    def backward(self, x, seed, retain_graph):
        if not x.ours.requires_grad:  # refused by both; it would only end the program
            return
        errors = []
        for run_pass in (
            lambda: x.ours.backward(ac.tensor(seed, dtype=ac.float64), retain_graph=retain_graph),
            lambda: x.stand_in.backward(sixty_lines.tensor(seed), retain_graph=retain_graph),
        ):
            try:
                errors.append(run_pass())
            except RuntimeError as error:
                errors.append(str(error))
        self.note("backward passes")
        ours, theirs = errors
        assert (ours is None) == (theirs is None), f"autograd_core: {ours or 'fine'}; sixty lines: {theirs or 'fine'}"
        if ours is not None:
            self.over = True
            self.note("refused: second time" if "second time" in ours else "refused: overwritten")

    @rule()
    @precondition(lambda self: self.over)
    def rest(self):
        """The program has ended with an error."""

    @invariant()
    @precondition(going_on)
    def both_engines_agree(self):
        for x in self.pairs:
            np.testing.assert_allclose(x.ours.detach().numpy(), x.tensor.array, rtol=1e-12)
            assert x.ours.requires_grad == x.tensor.requires_grad
            self.same(x.ours.grad if x.ours.is_leaf or x.ours.retains_grad else None, x.tensor.grad)
            np.testing.assert_allclose(x.seen_by_ours, x.seen, rtol=1e-9, atol=1e-9)

    def same(self, ours, grad):
        assert (ours is None) == (grad is None)
        if ours is not None:
            scale = 1 + np.abs(grad.array).max()
            np.testing.assert_allclose(ours.numpy(), grad.array, rtol=1e-9, atol=1e-12 * scale)

    def teardown(self):
        while self.blocks:
            self.leave()


def test_random_graphs_agree_with_the_sixty_lines():
    run(RandomGraphs, steps=40)
