"""Random programs of views and writes, run on PyTorch and here step by step.

Values, versions, histories, gradients of both orders and what hooks see are compared, and which step raises. After a
raise the program ends: only the step and the type of the error are compared.
"""

import warnings

import numpy as np
import torch
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, consumes, initialize, invariant, multiple, precondition, rule

import autograd_core as ac
from tests.machines.engines import ENGINES, TwoEngines, going_on
from tests.machines.running import run

SHAPES = [(2, 3), (3,), (2, 2), (2, 1, 2), ()]
small = st.integers(0, 3)
rarely = st.integers(0, 15).map(lambda n: n == 15)
numbers = st.integers(-6, 6).map(lambda n: n / 4)

# Each takes a tensor of n axes and two small integers, and cuts a view.
VIEWS = {
    "view": lambda x, i, j: x.view(-1),
    "view, split": lambda x, i, j: x.view(*x.shape[:-1], -1, 1) if x.ndim else x.view(1, 1),
    "reshape": lambda x, i, j: x.reshape(-1),
    "transpose": lambda x, i, j: x.transpose(i % x.ndim, j % x.ndim) if x.ndim else x.view(()),
    "permute": lambda x, i, j: x.permute(*range(1, x.ndim), 0) if x.ndim else x.view(()),
    "select": lambda x, i, j: x.select(i % x.ndim, -1) if x.ndim else x[None],
    "index": lambda x, i, j: x[i % len(x)] if x.ndim and len(x) else x[...],
    "slice": lambda x, i, j: x[i % 2 : 2 + j] if x.ndim else x[None],
    "steps": lambda x, i, j: x[..., i % 2 :: 2] if x.ndim else x[None],
    "narrow": lambda x, i, j: x.narrow(-1, 0, (i + x.shape[-1]) // 2) if x.ndim and i <= x.shape[-1] else x[...],
    "unsqueeze": lambda x, i, j: x.unsqueeze(i % (x.ndim + 1)),
    "squeeze": lambda x, i, j: x.squeeze(),
    "expand": lambda x, i, j: x.expand(2, *x.shape),
    "diagonal": lambda x, i, j: x.diagonal(0, 0, 1) if x.ndim > 1 else x[...],
    "unbind": lambda x, i, j: x.unbind(i % x.ndim)[0] if x.ndim and x.shape[i % x.ndim] else x[...],
    "split": lambda x, i, j: x.split(1 + i)[-1] if x.ndim else x[...],
    "chunk": lambda x, i, j: x.chunk(2)[0] if x.ndim else x[...],
    "detach": lambda x, i, j: x.detach(),
}

# Writes into x. They may take another tensor y and a number c.
WRITES = {
    "add_": lambda T, x, y, c: x.add_(c),
    "mul_": lambda T, x, y, c: x.mul_(c),
    "mul_ itself": lambda T, x, y, c: x.mul_(x),
    "exp_": lambda T, x, y, c: x.exp_(),
    "sin_": lambda T, x, y, c: x.sin_(),
    "tanh_": lambda T, x, y, c: x.tanh_(),
    "neg_": lambda T, x, y, c: x.neg_(),
    "square_": lambda T, x, y, c: x.square_(),
    "clamp_": lambda T, x, y, c: x.clamp_(-0.6, abs(c)),
    "pow_": lambda T, x, y, c: x.pow_(2),
    "fill_": lambda T, x, y, c: x.fill_(c),
    "zero_": lambda T, x, y, c: x.zero_(),
}
WRITES_OF_TENSORS = {
    "add_": lambda x, y: x.add_(y),
    "sub_": lambda x, y: x.sub_(y),
    "mul_": lambda x, y: x.mul_(y),
    "div_": lambda x, y: x.div_(y * y + 1),
    "lerp_": lambda x, y: x.lerp_(y, 0.25),
    "copy_": lambda x, y: x.copy_(y),
    "fill_": lambda x, y: x.fill_(y.sum()),
}
ASSIGNMENTS = {
    "int": lambda T, x, y, c: x.__setitem__(0, c),
    "int, tensor": lambda T, x, y, c: x.__setitem__(0, y.sum()),
    "slice": lambda T, x, y, c: x.__setitem__(slice(1, None), c),
    "slice, tensor": lambda T, x, y, c: x.__setitem__(slice(0, 2), y.mean()),
    "slice, part": lambda T, x, y, c: x.__setitem__(slice(0, 1), x[-1:] * y.sum()),
    "ellipsis": lambda T, x, y, c: x.__setitem__((..., 0), y.mean()),
    "steps": lambda T, x, y, c: x.__setitem__((..., slice(None, None, 2)), c),
    "None": lambda T, x, y, c: x.__setitem__((None, 0), c),
}
WRITES_BY_POSITION = {
    "masked_fill_": lambda T, x, y, c: x.masked_fill_(x.detach() > c, c),
    "list": lambda T, x, y, c: x.__setitem__([0, -1], c),
    "list, tensor": lambda T, x, y, c: x.__setitem__([-1], y.sum()),
    "mask": lambda T, x, y, c: x.__setitem__(x.detach() > c, c),
    "mask, tensor": lambda T, x, y, c: x.__setitem__(x.detach() > c, y.sum()),
    "index_put_": lambda T, x, y, c: x.index_put_((T.tensor([0, 0]),), y.sum(), accumulate=True),
    "index_add_": lambda T, x, y, c: x.index_add_(0, T.tensor([0] * len(x[:1])), x.detach()[:1] * y.sum()),
}
READS = {
    "mul": lambda T, x, y: x * y,
    "add": lambda T, x, y: x + y,
    "square": lambda T, x, y: x * x,
    "scale": lambda T, x, y: x * 0.5,
    "sin": lambda T, x, y: x.sin(),
    "exp": lambda T, x, y: x.tanh().exp(),
    "sum": lambda T, x, y: x.sum(),
    "mean": lambda T, x, y: x.mean(0) if x.ndim else x.mean(),
    "clone": lambda T, x, y: x.clone(),
    "neg": lambda T, x, y: -x,
    "where": lambda T, x, y: T.where(x > 0.25, x, y),
    "pick": lambda T, x, y: x[[0, 0]] if x.ndim and len(x) else x.clone(),
}

SEVERAL = {
    "unbind": lambda T, x: x.unbind(0) if x.ndim else (x * 1.0, x * 2.0),
    "split": lambda T, x: x.split(1, -1) if x.ndim else (x * 1.0, x * 2.0),
    "aminmax": lambda T, x: tuple(T.aminmax(x.sin())),
    "meshgrid": lambda T, x: T.meshgrid(x.reshape(-1), x.sum().reshape(1), indexing="ij"),
}


def functions(T):
    """Functions whose result is a view, was written, or both."""

    class Function(T.autograd.Function):
        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

    class Same(Function):
        @staticmethod
        def forward(x):
            return x.view_as(x)

        @staticmethod
        def backward(ctx, g):
            return g

    class Written(Function):
        @staticmethod
        def forward(x):
            return x.mul_(2)

        @staticmethod
        def setup_context(ctx, inputs, output):
            ctx.mark_dirty(*inputs)

        @staticmethod
        def backward(ctx, g):
            return g * 2

    class CutThenWritten(Function):
        @staticmethod
        def forward(x):
            whole = x.clone()
            view = whole[...]
            whole += 1
            view *= 3
            return view

        @staticmethod
        def backward(ctx, g):
            return g * 3

    class RowOfBuffer(Function):
        @staticmethod
        def forward(x):
            rows = T.zeros(2, *x.shape, dtype=x.dtype)
            row = rows[1]
            row.copy_(x)
            rows.mul_(0.5)
            return row

        @staticmethod
        def backward(ctx, g):
            return g * 0.5

    return {cls.__name__: cls.apply for cls in (Same, Written, CutThenWritten, RowOfBuffer)}


FUNCTIONS = {T: functions(T) for T in ENGINES}


def copied(g):
    return None if g is None else g.detach().clone()


def bring_up_to_date(x):
    """PyTorch's writes and retain_grad() take a view for a leaf if its base got a history and nobody looked since."""
    return x.grad_fn


def forget(x):
    x.grad = None


def retain(x):
    bring_up_to_date(x)
    x.retain_grad()


def detach_in_place(x):
    x.detach_()


ASIDES = {
    # Looking at a history may bring it up to date, so that not every step looks.
    "look": lambda x: (x.requires_grad, x.is_leaf, x.retains_grad, x.output_nr),
    "retain": retain,
    "clear": forget,
    "detach_": detach_in_place,
}


class Pair:
    """One tensor in both engines, and what the hooks on it have seen."""

    def __init__(self, theirs, ours):
        self.both, self.seen = (theirs, ours), ([], [])
        self.used = self.hooked = self.awaited = False  # by an op; by a hook; by one that waits for another too
        self.alone = True  # whether its node has no other results

    def __iter__(self):
        return iter(self.both)


class ViewsAndWrites(TwoEngines):
    tensors = Bundle("tensors")
    handles = Bundle("handles")

    def __init__(self):
        super().__init__()
        self.pairs, self.blocks, self.nodes, self.hooked_memory = [], [], [], set()
        self.leaves_awaited = False  # PyTorch refuses autograd.grad where a hook waits for a leaf

    def made(self, results):
        if results is None:
            return multiple()
        self.pairs.append(Pair(*results))
        return self.pairs[-1]

    @initialize(target=tensors, shape=st.sampled_from(SHAPES), seed=st.integers(0, 99))
    def first_leaf(self, shape, seed):
        return self.leaf(shape, seed, True)

    @initialize(target=tensors, shape=st.sampled_from(SHAPES), seed=st.integers(0, 99))
    def first_value(self, shape, seed):
        leaf = self.leaf(shape, seed, True)
        return self.made(self.step(lambda T, x: x * 1.0, leaf))

    @rule(target=tensors, shape=st.sampled_from(SHAPES), seed=st.integers(0, 99), requires_grad=st.booleans())
    @precondition(going_on)
    def leaf(self, shape, seed, requires_grad):
        data = np.random.default_rng(seed).uniform(-1.0, 1.0, shape)
        return self.made(self.step(lambda T: T.tensor(data, dtype=T.float64, requires_grad=requires_grad)))

    @rule(target=tensors, x=tensors, kind=st.sampled_from(list(VIEWS)), i=small, j=small)
    @precondition(going_on)
    def view(self, x, kind, i, j):
        self.note("views")
        x.used = True
        return self.made(self.step(lambda T, x: VIEWS[kind](x, i, j), x))

    @rule(target=tensors, x=tensors, y=tensors, kind=st.sampled_from(list(READS)))
    @precondition(going_on)
    def read(self, x, y, kind):
        if kind in ("mul", "add", "where") and not fits(x, y, either=True):
            return multiple()
        x.used = y.used = True
        return self.made(self.step(lambda T, x, y: READS[kind](T, x, y), x, y))

    @rule(target=tensors, x=tensors, name=st.sampled_from(list(FUNCTIONS[ac])))
    @precondition(lambda self: not self.over and torch.is_grad_enabled())
    def function(self, x, name):
        # Under no_grad() PyTorch lets a view that a Function returns require a gradient which nothing computes. What a
        # Function overwrites loses its .grad and its hooks there.
        if name == "Written" and (x.both[0].retains_grad or x.hooked or storage(x) in self.hooked_memory):
            return multiple()
        x.used = True
        self.note("functions")
        return self.made(self.step(lambda T, x: FUNCTIONS[T][name](x), x))

    @rule(x=tensors, kind=st.sampled_from(list(WRITES)), number=numbers, insist=rarely)
    @precondition(going_on)
    def write(self, x, kind, number, insist):
        # One value for all elements of an expanded tensor: PyTorch writes it, and refuses the backward of it.
        if not (kind in ("fill_", "zero_") and repeats(x)):
            self.run_write(WRITES[kind], x, x, number, insist)

    @rule(x=tensors, y=tensors, kind=st.sampled_from(list(WRITES_OF_TENSORS)), insist=rarely)
    @precondition(going_on)
    def write_tensor(self, x, y, kind, insist):
        # An operand that shares a part of the memory is copied: PyTorch refuses some of these, and garbles the others.
        # An expanded tensor takes a copy of itself there, and nothing else.
        shared = (y is not x or repeats(x)) and storage(y) == storage(x)
        operand = (lambda y: y.clone() if shared else y) if fits(y, x) or insist else (lambda y: y.sum())
        self.run_write(lambda T, x, y, c: WRITES_OF_TENSORS[kind](x, operand(y)), x, y, None, insist)

    @rule(x=tensors, y=tensors, kind=st.sampled_from(list(ASSIGNMENTS)), number=numbers, insist=rarely)
    @precondition(going_on)
    def assign(self, x, y, kind, number, insist):
        if x.both[0].ndim or insist:
            self.run_write(ASSIGNMENTS[kind], x, y, number, insist)

    @rule(x=tensors, y=tensors, kind=st.sampled_from(list(WRITES_BY_POSITION)), number=numbers, insist=rarely)
    @precondition(going_on)
    def write_by_position(self, x, y, kind, number, insist):
        # Into an expanded tensor PyTorch still writes, with a warning that this is deprecated; here it is refused.
        if (x.both[0].ndim or insist) and not repeats(x):
            self.run_write(WRITES_BY_POSITION[kind], x, y, number, insist)

    def run_write(self, action, x, y, number, insist):
        """Run a write if its values are small: repeated exponentials leave every range.

        Unless the program insists, a leaf is written under `no_grad()` and an expanded tensor not at all.
        """
        tensor = x.both[0]
        if tensor.detach().abs().sum() > 20 or (repeats(x) and not insist) or storage(x) in self.hooked_memory:
            return
        base = tensor._base if tensor._is_view() else tensor  # asking a view itself would bring its history up to date
        silently = base.requires_grad and base.is_leaf and not insist
        self.note("writes")
        x.used = y.used = True

        def write(T, x, y):
            with T.set_grad_enabled(T.is_grad_enabled() and not silently):
                if T.is_grad_enabled():
                    bring_up_to_date(x)
                action(T, x, y, number)

        self.step(write, x, y)

    @rule(x=tensors, kind=st.sampled_from(list(ASIDES)))
    @precondition(going_on)
    def aside(self, x, kind):
        # PyTorch goes on saying that a detached tensor retains its gradient, and fails an internal assertion later. It
        # refuses a backward for which the tensor was saved before, which here has all it needs. So only new ones. And a
        # hook on a tensor that had one when it was detached is never called there. A retained result among several that
        # is then written fails another one.
        detachable = not (x.both[0].retains_grad or x.used or x.hooked)
        allowed = {"retain": x.both[0].requires_grad and x.alone, "detach_": detachable}
        if allowed.get(kind, True):
            seen = self.step(lambda T, x: ASIDES[kind](x), x)
            assert seen is None or seen[0] == seen[1]

    @rule(target=tensors, x=tensors, kind=st.sampled_from(list(SEVERAL)))
    @precondition(going_on)
    def several(self, x, kind):
        """All results of an operation that has several: each is an edge of its own into the same node."""
        x.used = True
        found = self.step(lambda T, x: SEVERAL[kind](T, x), x)
        pairs = [self.made(results) for results in zip(*(found or ()))]
        for pair in pairs:
            pair.alone = False
        return multiple(*pairs)

    @rule(target=handles, x=tensors, factor=st.sampled_from([None, 2.0]))
    @precondition(going_on)
    def hook(self, x, factor):
        """A hook on a tensor: on the edge of a leaf, of a result, of a view, of one result among several."""
        if not hookable(x):
            return multiple()

        def hook(T, x, seen):
            def watch(g):
                seen.append(copied(g))
                return None if factor is None or g is None else g * factor

            return x.register_hook(watch)

        return self.hooked(hook, x)

    @rule(target=handles, x=tensors, before=st.booleans(), factor=st.sampled_from([None, None, 2.0]))
    @precondition(going_on)
    def hook_of_node(self, x, before, factor):
        """A hook on the node of a tensor, which at a leaf is the one that stores its gradient."""
        if not hookable(x):
            return multiple()

        def hook(T, x, seen):
            node = x.view_as(x).grad_fn.next_functions[0][0] if x.is_leaf else x.grad_fn
            self.nodes.append(node)  # in PyTorch a leaf does not keep its own, nor the hooks on it

            def watch(*gradients):
                seen.extend(map(copied, gradients[-1]))
                if factor is not None and before:
                    return tuple(None if g is None else g * factor for g in gradients[-1])
                return None

            return node.register_prehook(watch) if before else node.register_hook(watch)

        return self.hooked(hook, x)

    @rule(target=handles, x=tensors)
    @precondition(going_on)
    def hook_after_accumulation(self, x):
        if not (hookable(x) and x.both[0].is_leaf):
            return multiple()

        def hook(T, x, seen):
            return x.register_post_accumulate_grad_hook(lambda leaf: seen.append(copied(leaf.grad)))

        return self.hooked(hook, x)

    @rule(target=handles, x=tensors, y=tensors, mode=st.sampled_from(["all", "any"]))
    @precondition(going_on)
    def hook_of_two(self, x, y, mode):
        if not (hookable(x) and hookable(y) and x.alone and y.alone):
            return multiple()

        def hook(T, x, y, seen):
            def watch(gradients):
                seen.extend(map(copied, gradients if mode == "all" else [gradients]))

            return T.autograd.graph.register_multi_grad_hook([x, y], watch, mode=mode)

        x.awaited = y.awaited = True  # PyTorch miscounts where a pass starts at their nodes
        self.leaves_awaited |= x.both[0].is_leaf or y.both[0].is_leaf
        return self.hooked(hook, x, y)

    def hooked(self, hook, x, *others):
        """Run a step that hooks tensors; what the hook sees is noted at the first. Its handles, or None after a raise.

        Hooks stay with the old value of a view that is then written, which PyTorch numbers differently: so the memory
        of a hooked view is written neither before nor after.
        """
        self.note("hooks")
        for tensor in (x, *others):
            tensor.hooked = True
            if tensor.both[0]._is_view():
                self.hooked_memory.add(storage(tensor))
        found = self.step(hook, x, *others, x.seen)
        return multiple() if found is None else found

    @rule(handle=consumes(handles))
    @precondition(going_on)
    def unhook(self, handle):
        for each in handle:
            each.remove()

    @rule(grad=st.booleans())
    @precondition(lambda self: not self.over and len(self.blocks) < 2)
    def enter(self, grad):
        blocks = [T.enable_grad() if grad else T.no_grad() for T in ENGINES]
        for block in blocks:
            block.__enter__()
        self.blocks.append(blocks)

    @rule()
    @precondition(lambda self: not self.over and self.blocks)
    def leave(self):
        for block in self.blocks.pop():
            block.__exit__(None, None, None)

    @rule(x=tensors, retain_graph=st.sampled_from([True, True, False]))
    @precondition(going_on)
    def backward(self, x, retain_graph):
        if x.both[0].requires_grad and not x.awaited:
            self.note("passes")
            self.step(lambda T, x: x.backward(T.ones_like(x), retain_graph=retain_graph), x)

    def comparable(self, y, x) -> bool:
        """Whether both engines have a gradient of y by x, and one of which PyTorch counts the hooks as it says."""
        unasked = y.hooked and y.both[0].is_leaf and y is not x  # PyTorch runs hooks of y, though it ends there
        both = y.both[0].requires_grad and x.both[0].requires_grad
        return both and not (y.awaited or self.leaves_awaited or unasked)

    @rule(y=tensors, x=tensors)
    @precondition(going_on)
    def gradient(self, y, x):
        if self.comparable(y, x):
            self.note("passes")
            found = self.step(
                lambda T, y, x: T.autograd.grad(y, x, T.ones_like(y), retain_graph=True, allow_unused=True)[0], y, x
            )
            if found is not None:
                agree(*found)

    @rule(target=tensors, y=tensors, x=tensors)
    @precondition(going_on)
    def recorded_gradient(self, y, x):
        """A gradient with a history, on which the program goes on: its own gradients are second derivatives."""
        if not self.comparable(y, x):
            return multiple()
        self.note("recorded passes")

        def gradient(T, y, x):
            (g,) = T.autograd.grad(y, x, T.ones_like(y), create_graph=True, materialize_grads=True)
            # A copy: how the gradient itself lies in memory and how often it was written is each library's affair.
            return T.stack([g]).sum(0)

        return self.made(self.step(gradient, y, x))

    @invariant()
    @precondition(going_on)
    def both_engines_agree(self):
        for x in self.pairs:
            theirs, ours = x
            agree(theirs, ours)
            assert ours._version == theirs._version
            assert ours.requires_grad == theirs.requires_grad
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # .grad of a non-leaf
                agree(theirs.grad, ours.grad)
            assert len(x.seen[0]) == len(x.seen[1])
            for pair in zip(*x.seen):
                agree(*pair)

    def teardown(self):
        while self.blocks:
            self.leave()


def fits(x, y, either=False):
    """Whether x broadcasts to the shape of y (or each to a common shape)."""
    try:
        common = np.broadcast_shapes(x.both[0].shape, y.both[0].shape)
    except ValueError:
        return False
    return either or common == tuple(y.both[0].shape)


def hookable(x) -> bool:
    tensor = x.both[0]
    return tensor.requires_grad and not (tensor._is_view() and (tensor._version or tensor.grad_fn is None))


def storage(x) -> int:
    return x.both[0].untyped_storage().data_ptr()


def repeats(x) -> bool:
    """Whether several elements share one memory location."""
    return any(step == 0 and n > 1 for step, n in zip(x.both[0].stride(), x.both[0].shape))


def agree(theirs, ours):
    assert (theirs is None) == (ours is None), f"torch: {theirs}, autograd_core: {ours}"
    if theirs is not None:
        a, b = ours.detach().numpy(), theirs.detach().numpy()
        assert a.shape == b.shape
        scale = np.abs(b[np.isfinite(b)]).max(initial=1.0)
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-10 * scale)


def test_random_views_and_writes_agree_with_torch():
    run(ViewsAndWrites, steps=30)
