"""A graph answers the same questions alike, whichever engine recorded it."""

import subprocess
import sys

import pytest

import autograd_core as ac
from autograd_core.reading import GraphReader, is_accumulator, is_tensor, reach, reader_of, tensors_in

from .test_explain import each_engine


def saved(y):
    return {entry.role: entry for entry in reader_of(y).saved(y.grad_fn)}


@each_engine
def test_an_op_has_the_name_that_a_program_calls_it_by(T):
    class Doubled(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return 2 * x

        @staticmethod
        def backward(ctx, g):
            return 2 * g

    x = T.ones(1, 1, 4, 4, requires_grad=True)
    made = [x * x, T.max(x), T.nn.functional.avg_pool2d(x, 2), Doubled.apply(x)]
    assert [reader_of(y).op_name(y.grad_fn) for y in made] == ["mul", "max", "avg_pool2d", "Doubled"]


@each_engine
def test_a_saved_value_has_the_role_and_the_edge_of_its_tensor(T):
    w, c = T.tensor(2.0, requires_grad=True), T.tensor(3.0)
    h = w * c
    y = h * h
    graph = reader_of(y)
    assert {role: entry.edge for role, entry in saved(y).items()} == dict.fromkeys(("input", "other"), graph.edge(h))
    assert [(role, entry.edge) for role, entry in saved(h).items()] == [("other", None)]
    assert graph.edge(h) == (h.grad_fn, 0) and is_accumulator(graph.edge(w)[0])


@each_engine
def test_what_backward_would_refuse_is_known_before_it_runs(T):
    w = T.tensor(2.0, requires_grad=True)
    h = w * 1
    y = h.sin()
    graph, node = reader_of(y), y.grad_fn
    assert graph.trouble(node) is None
    h.add_(1)
    (entry,) = saved(y).values()
    assert (entry.version, entry.now, entry.stale) == (0, 1, True)
    assert graph.trouble(node) == "stale"
    z = w.exp()
    z.backward()
    assert graph.trouble(z.grad_fn) == "released"
    with pytest.raises(RuntimeError, match="a second time"):
        graph.saved(z.grad_fn)


@each_engine
def test_a_packed_value_is_shown_as_the_hook_left_it(T):
    class Product(T.autograd.Function):
        @staticmethod
        def forward(ctx, x, y):
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        def backward(ctx, g):
            raise AssertionError("nothing is run")

    def never(kept):
        raise AssertionError("nothing is unpacked")

    a, b = (T.tensor(value, requires_grad=True) for value in (2.0, 3.0))
    with T.autograd.graph.saved_tensors_hooks(lambda t: f"kept {t.item():g}", never):
        y = Product.apply(a, b)
    entries = reader_of(y).saved(y.grad_fn)
    assert [(entry.value, entry.packed) for entry in entries] == [("kept 2", True), ("kept 3", True)]
    assert reader_of(y).has_packed(y.grad_fn) and reader_of(y).trouble(y.grad_fn) is None


@each_engine
def test_a_node_run_by_hand_stores_nothing_and_calls_no_hook(T):
    w = T.tensor([2.0, 3.0], requires_grad=True)
    y = w.square()
    y.register_hook(lambda g: pytest.fail("a hook ran"))
    graph = reader_of(y)
    (sent,) = graph.pull_back(y.grad_fn, [graph.ones_like(y)])
    assert graph.array(sent).tolist() == [4.0, 6.0]
    assert w.grad is None


@each_engine
def test_receivers_and_hooks_are_those_of_the_program(T):
    w = T.tensor(2.0, requires_grad=True)
    h = w * 3
    h.retain_grad()
    h.register_hook(lambda g: None)
    w.register_post_accumulate_grad_hook(lambda w: None)
    graph = reader_of(h)
    (leaf, _), (node, _) = graph.edge(w), graph.edge(h)
    assert graph.receiver(graph.edge(w), None) is w and graph.receiver(graph.edge(h), h) is h
    assert (graph.hooks(leaf, [w]), graph.hooks(node, [h])) == (1, 1)
    assert graph.has_accumulate_hooks(w)


@each_engine
def test_the_age_tells_what_was_made_since(T):
    w = T.tensor(2.0, requires_grad=True)
    graph, before = reader_of(w), w * 1
    began = graph.now()
    after = before * 1
    assert graph.age(before.grad_fn) <= began < graph.age(after.grad_fn)


@each_engine
def test_tensors_are_found_in_what_a_call_takes_and_gives(T):
    a, b = T.ones(2), T.ones(3)
    assert [t.shape for t in tensors_in([a, {"k": (b, 1.0)}, "no tensor"])] == [a.shape, b.shape]
    assert is_tensor(T.nn.Parameter(a)) and not is_tensor(T.nn.Linear(1, 1))
    assert reader_of(T.nn.Linear(1, 1)) is reader_of(a)
    assert reach([a]) == []


def test_the_two_readers_are_of_one_interface():
    import torch

    ours, theirs = reader_of(ac.ones(1)), reader_of(torch.ones(1))
    assert ours is not theirs
    for reader in (ours, theirs):
        own = {name for name in vars(type(reader)) if not name.startswith("_")}
        assert isinstance(reader, GraphReader)
        assert own <= set(GraphReader.__annotations__) | set(vars(GraphReader)), "a question that only one answers"


@pytest.mark.parametrize("torch", ["not imported", "not installed"])
def test_a_program_without_pytorch_loads_none(torch):
    text = (
        "import sys, autograd_core as ac; from autograd_core import explain\n"
        + ("sys.modules['torch'] = None\n" if torch == "not installed" else "")
        + "with explain.watch():\n"
        "    w = ac.ones(2, requires_grad=True)\n"
        "    (w.relu() * 0).sum().backward(); print(explain.why_zero(w).kinds)\n"
        "print(sys.modules.get('torch'), 'autograd_core.reading.torch' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("('times-zero',)\nNone False\n", "")
