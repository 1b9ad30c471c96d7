"""Grad modes, copies, memory."""

import copy
import gc
import importlib
import math
import pickle
import weakref

from tests.corpus.corpus import TWICE, case, outcome, snapshot


@case("must")
def case_no_grad_decorator_inside_no_grad(T):
    """A @no_grad()-decorated function called inside 'with no_grad()' re-enabled gradients on exit.

    Each entry must remember the *previous* mode; also on exceptions.
    """

    @T.no_grad()
    def f(x, boom=False):
        if boom:
            raise ValueError("x")
        return x * 2

    x = T.ones(1, requires_grad=True)
    log = []
    with T.no_grad():
        f(x)
        log.append(T.is_grad_enabled())
        with T.enable_grad():
            log.append((x * 2).requires_grad)
        log.append(T.is_grad_enabled())
        outcome(lambda: f(x, True))
    return {"log": log, "after": T.is_grad_enabled(), "decorated": f(x).requires_grad, "name_kept": f.__name__}


@case("must")
def case_no_grad_around_generators(T):
    """no_grad around generators: the decorator restores the mode at each yield; a 'with' inside the generator leaks
    it to the caller.

    Grad mode is dynamic state, and a paused generator has not exited its with-block.
    """

    def gen():
        yield T.is_grad_enabled()
        yield T.is_grad_enabled()

    def leak():
        with T.no_grad():
            yield 1
        yield 2

    a = [(v, T.is_grad_enabled()) for v in T.no_grad()(gen)()]
    it = leak()
    b = [T.is_grad_enabled()]
    next(it)
    b.append(T.is_grad_enabled())
    next(it)
    b.append(T.is_grad_enabled())
    return {"decorated": a, "with_inside": b}


@case("must")
def case_three_uses_of_set_grad_enabled(T):
    """set_grad_enabled: as a function call it switches immediately, as a context manager it restores, as a
    decorator it must not leak.

    One object, three uses.
    """

    @T.set_grad_enabled(False)
    def f(x):
        return x * 2

    a = T.is_grad_enabled()
    with T.set_grad_enabled(False):
        b = T.is_grad_enabled()
    T.set_grad_enabled(False)
    c = T.is_grad_enabled()
    T.set_grad_enabled(True)
    return {"after_decorating": a, "in_with": b, "after_call": c, "f": f(T.ones(1, requires_grad=True)).requires_grad}


@case("must")
def case_backward_inside_no_grad(T):
    """Calling backward() inside no_grad works; inside backward the mode is off unless create_graph.

    no_grad affects recording new ops, not traversing an existing graph.
    """
    x = T.tensor(3.0, dtype=T.float64, requires_grad=True)
    seen = []
    y = x * x
    x.register_hook(lambda g: seen.append(T.is_grad_enabled()))
    with T.no_grad():
        y.backward()
    (g,) = T.autograd.grad(x * x, x, create_graph=True)
    return {"x.grad": x.grad, "mode_in_hook": seen, "g_requires_grad": g.requires_grad}


@case("should")
def case_inference_tensors(T):
    """inference_mode tensors cannot be saved for backward or edited in place afterwards; clone() makes them normal.

    Stricter than no_grad: the tensors themselves are marked.
    """
    w = T.ones(2, dtype=T.float64, requires_grad=True)
    with T.inference_mode():
        a = T.ones(2, dtype=T.float64) * 2
        inside = [a.is_inference(), T.is_grad_enabled(), T.is_inference_mode_enabled()]
        a.add_(1)
    save = outcome(lambda: w * a, "inference tensors cannot be saved for backward")
    inpl = outcome(lambda: a.add_(1), "inplace update to inference tensor")
    (w * a.clone()).sum().backward()
    return {"inside": inside, "save": save, "inplace": inpl, "add_ok": outcome(lambda: w + a), "w.grad": w.grad}


@case("must")
def case_deepcopy_of_a_result(T):
    """deepcopy of a non-leaf is refused (a module that cached an activation cannot be deep-copied); a leaf copies
    its .grad too.

    History cannot be copied; detach before caching.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    y = x * 2
    y.sum().backward()
    bad = outcome(lambda: copy.deepcopy(y), "graph leaves")
    c = copy.deepcopy(x)
    c.grad.add_(1)
    return {
        "nonleaf": bad,
        "leaf": [c.requires_grad, c.is_leaf, snapshot(c.grad)],
        "original_grad": x.grad,
        "is_other": c is not x,
    }


@case("info")
def case_pickle_round_trip(T):
    """Pickle round trip keeps values and requires_grad; a non-leaf comes back as a leaf without history.

    Serialisation stores data, not the graph.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    x.grad = T.ones(2, dtype=T.float64)
    p, q = pickle.loads(pickle.dumps(x)), pickle.loads(pickle.dumps(x * 2))
    return {
        "leaf": [snapshot(p), p.requires_grad, p.is_leaf, p.grad],
        "nonleaf": [snapshot(q), q.requires_grad, q.is_leaf, q.grad_fn is None],
    }


@case("must")
def case_clone_and_detach(T):
    """clone() keeps the history and copies memory; detach() drops the history and shares memory; detach().clone()
    does both.

    Four combinations people mix up.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    a, b, c = x.clone(), x.detach(), x.detach().clone()
    with T.no_grad():
        x[0] = 50.0
    a.sum().backward()
    return {
        "clone": [snapshot(a), a.requires_grad, a.is_leaf],
        "detach": [snapshot(b), b.requires_grad],
        "detach_clone": [snapshot(c), c.requires_grad],
        "x.grad": x.grad,
    }


@case("must")
def case_summed_losses_keep_their_graphs(T):
    """total += loss keeps every iteration's graph alive; total += loss.item() does not.

    A running sum of tensors is a growing graph.
    """
    x = T.tensor(1.0, dtype=T.float64, requires_grad=True)

    def run(conv):
        total, refs = 0.0, []
        for _ in range(3):
            act = x * 2.0
            loss = act * act
            refs.append(weakref.ref(act))
            total = total + conv(loss)
        del act, loss
        gc.collect()
        return [type(total).__name__ == "float", sum(r() is not None for r in refs)]

    return {"tensor": run(lambda loss: loss), "item": run(lambda loss: loss.item())}


@case("info")
def case_lifetime_of_saved_tensors_of_a_function(T):
    """Custom Function: the context saved with save_for_backward dies with the output; keeping the *output* as ctx
    attribute makes a cycle.

    Use save_for_backward for outputs; an attribute needs the cycle collector (or, in torch, leaks).
    """

    def make(attr):
        class F(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                y = x.clone()
                refs.append(weakref.ref(ctx))
                setattr(ctx, "y", y) if attr else ctx.save_for_backward(y)
                return y

            @staticmethod
            def backward(ctx, g):
                return g

        return F

    refs = []
    x = T.ones(1, requires_grad=True)
    for attr in (False, True):
        out = make(attr).apply(x)
        del out
    return {"saved_alive": refs[0]() is not None, "attr_alive_without_gc": refs[1]() is not None}


@case("must")
def case_saved_tensors_are_released(T):
    """After backward the saved tensors of a node are gone; touching them raises, and memory is released even while
    the loss is alive.

    backward() frees as it goes.
    """

    class F(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, g):
            return 2 * g * ctx.saved_tensors[0]

    x = T.tensor([3.0], dtype=T.float64, requires_grad=True)
    y = F.apply(x)
    before = snapshot(y.grad_fn.saved_tensors[0])
    y.sum().backward()
    return {
        "before": before,
        "after": outcome(lambda: y.grad_fn.saved_tensors, TWICE, "freed"),
        "again": outcome(lambda: y.sum().backward(), TWICE),
    }


@case("should")
def case_walk_over_next_functions(T):
    """Walking grad_fn.next_functions: a leaf appears as AccumulateGrad with .variable; constants appear as None.

    The book needs a stable way to draw the graph.
    """
    x = T.tensor([1.0], dtype=T.float64, requires_grad=True)
    y = x * 2 + 1
    mul = y.grad_fn.next_functions[0][0]
    acc = mul.next_functions[0][0]
    names = [type(n).__name__.rstrip("0123456789") for n in (y.grad_fn, mul, acc)]
    return {
        "names": names,
        "constant_edge": mul.next_functions[1][0] is None,
        "variable_is_x": acc.variable is x,
        "leaf_grad_fn": x.grad_fn is None,
    }


@case("info")
def case_reentrant_checkpoint_without_grad(T):
    """Activation checkpointing (reentrant) with inputs that do not require grad: weights silently get no gradient.

    The recomputing Function only sees its tensor arguments; parameters captured by the closure are invisible to it.
    """
    ck = importlib.import_module(T.__name__ + ".utils.checkpoint").checkpoint
    w = T.tensor([2.0], dtype=T.float64, requires_grad=True)
    x = T.tensor([3.0], dtype=T.float64)

    def f(x):
        return (w * x).sin()

    y = ck(f, x, use_reentrant=True)
    z = ck(f, x, use_reentrant=False)
    z.sum().backward()
    return {"reentrant_requires_grad": y.requires_grad, "nonreentrant_w.grad": w.grad, "exact": 3 * math.cos(6.0)}
