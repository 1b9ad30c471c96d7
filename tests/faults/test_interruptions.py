"""An exception of any kind at any point of a pass: no gradient is half stored, no lock or mode is left behind."""

import ast
import inspect
import sys
import threading

import pytest

import autograd_core as ac
from autograd_core.autograd import function, gradient, graph, hooks
from autograd_core.core import engine, record, write
from autograd_core.utils import checkpoint as checkpointing

MODULES = (engine, record, write, function, gradient, graph, hooks, checkpointing)
KINDS = (MemoryError, KeyboardInterrupt, SystemExit, GeneratorExit, StopIteration, RecursionError, ValueError)


def lines_that_put_things_back(module) -> set[int]:
    """Lines of `finally` parts and `__exit__` methods, and of the heads of `with` blocks, where Python runs these.

    No signal is handled between the end of a block and the release of its lock, so there nothing can be raised.
    """
    found: set[int] = set()
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        body = node.finalbody if isinstance(node, ast.Try) else []
        body = [node] if isinstance(node, ast.FunctionDef) and node.name in ("__enter__", "__exit__") else body
        for part in body:
            found.update(range(part.lineno, part.end_lineno + 1))
        if isinstance(node, ast.With):
            found.update(range(node.lineno, node.body[0].lineno))
    return found


EXCEPT = {module.__file__: lines_that_put_things_back(module) for module in MODULES}


class Interruption:
    """Raise an exception before line number `at` of those that the engine executes inside the block."""

    def __init__(self, at: int | None, kind: type[BaseException] = RuntimeError):
        self.at, self.kind, self.count = at, kind, 0
        self.seen: dict[tuple[str, int], list[int]] = {}

    def trace(self, frame, event, argument):
        if frame.f_code.co_filename not in EXCEPT:
            return None
        return self.step

    def step(self, frame, event, argument):
        if event == "line" and frame.f_lineno not in EXCEPT[frame.f_code.co_filename]:
            self.count += 1
            self.seen.setdefault((frame.f_code.co_filename, frame.f_lineno), []).append(self.count)
            if self.count == self.at:
                sys.settrace(None)
                raise self.kind(f"at line {frame.f_lineno} of {frame.f_code.co_name}")
        return self.step

    def points(self):
        """For each line one of the times that it was executed."""
        return sorted(times[len(times) // 2] for times in self.seen.values())

    def __enter__(self):
        sys.settrace(self.trace)
        return self

    def __exit__(self, *exception):
        sys.settrace(None)


class Double(ac.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * 2 + 0 * x


class Program:
    """A graph with rules, hooks, several outputs, a custom function, a checkpoint, a retained gradient."""

    def __init__(self):
        self.leaves = [ac.tensor(v, dtype=ac.float64, requires_grad=True) for v in ([1.0, 2.0], [3.0, 4.0], [5.0, 6.0])]
        a, b, c = self.leaves
        a.grad = ac.zeros(2, dtype=ac.float64)
        a.register_hook(lambda g: g * 1)
        b.register_post_accumulate_grad_hook(lambda t: None)
        h = a * b + c
        h.register_hook(lambda g: None)
        h.retain_grad()
        values, _ = (h * 1).sort()
        h[0] = c[1] * 2
        y = Double.apply(h) + checkpointing.checkpoint(lambda t: t.square() * 3, h, use_reentrant=False)
        y.grad_fn.register_prehook(lambda gs: gs)
        self.loss = (y * values).sum() + ac.stack([a, b]).sum()
        self.stored = [*self.leaves, h]

    def grads(self):
        return [None if t.grad is None else t.grad.tolist() for t in self.stored]


def run(loss, create_graph=False):
    if create_graph:
        loss.backward(retain_graph=True, create_graph=True)
    else:
        loss.backward(retain_graph=True)


def plus(first, second):
    return second if first is None else [a + b for a, b in zip(first, second)]


def lock_is_free() -> bool:
    taken = []

    def attempt():
        taken.append(engine._deposits.acquire(blocking=False))
        if taken == [True]:
            engine._deposits.release()

    thread = threading.Thread(target=attempt)
    thread.start()
    thread.join()
    return taken == [True]


@pytest.mark.filterwarnings("ignore:Using backward")
@pytest.mark.parametrize("create_graph", [False, True], ids=["first order", "recorded"])
def test_a_pass_that_is_interrupted_anywhere_stores_whole_gradients_and_can_run_again(create_graph):
    whole = Program()
    with Interruption(None) as counter:
        run(whole.loss, create_graph)
    full, points = whole.grads(), counter.points()
    assert len(points) > 150
    for at in points:
        program = Program()
        before, kind = program.grads(), KINDS[at % len(KINDS)]
        with pytest.raises((kind, RuntimeError)) as caught, Interruption(at, kind):
            run(program.loss, create_graph)
        now = program.grads()
        for old, new, part in zip(before, now, full):
            assert new in (old, plus(old, part)), f"{caught.value}: {old} became {new}, a whole gradient is {part}"
        assert ac.is_grad_enabled()
        assert engine.running_pass() is None
        assert lock_is_free()
        for t in program.stored:
            t.grad = None
        run(program.loss, create_graph)
        assert program.grads() == full, str(caught.value)


def test_a_write_that_fails_changes_nothing():
    """At whatever line of the engine it stops before it touches memory, value, version and history are as before."""
    x = ac.tensor([1.0, 2.0], dtype=ac.float64, requires_grad=True)
    with Interruption(None) as counter:
        (x * 1).mul_(x)
    for at in counter.points():
        h = x * 1
        node = h.grad_fn
        with pytest.raises(MemoryError), Interruption(at, MemoryError):
            h.mul_(x)
        if h.tolist() == [1.0, 2.0]:
            assert (h._version, h.grad_fn) == (0, node)
        else:
            assert h.tolist() == [1.0, 4.0]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "place", ["hook", "prehook", "posthook", "accumulated", "rule", "backward", "unpack", "function"]
)
def test_what_users_code_raises_comes_out_and_leaves_the_engine_whole(place, kind):
    w, armed = ac.tensor([2.0], dtype=ac.float64, requires_grad=True), [True]

    def fail(*_):
        if armed[0]:
            raise kind("from the user")

    class Own(ac.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 3

        @staticmethod
        def backward(ctx, g):
            fail()
            return g * 3

    def build():
        if place == "unpack":
            with ac.autograd.graph.saved_tensors_hooks(lambda t: t.clone(), lambda t: (fail(), t)[1]):
                return (w * w).sum()
        h = w * w
        if place == "hook":
            h.register_hook(fail)
        elif place == "prehook":
            h.grad_fn.register_prehook(fail)
        elif place == "posthook":
            h.grad_fn.register_hook(fail)
        elif place == "accumulated":
            w.register_post_accumulate_grad_hook(fail)
        elif place == "backward":
            h = Own.apply(h) / 3
        elif place == "function":
            h = checkpointing.checkpoint(
                lambda t: (fail() if t.grad_fn is None and armed[0] == "again" else None, t * 1)[1],
                h,
                use_reentrant=True,
            )
            armed[0] = "again"
        return h.sum()

    if place == "rule":
        from autograd_core.core.table import define

        op = define("raising", lambda x: x * 1, "x", "linear", lambda g: (fail(), g)[1])
        loss = op(w * w).sum()
    else:
        loss = build()
    with pytest.raises((kind, RuntimeError) if kind is StopIteration else kind):
        loss.backward(retain_graph=True)
    assert ac.is_grad_enabled()
    assert engine.running_pass() is None
    assert lock_is_free()
    stored_before = 4.0 if place == "accumulated" else None
    assert (None if w.grad is None else w.grad.item()) == stored_before
    armed[0] = False
    w.grad = None
    loss.backward()
    assert w.grad.tolist() == [4.0]
