"""Every planted fault is named, on both engines; no healthy program is blamed."""

import subprocess
import sys
import weakref

import pytest
import torch
import torch.utils.checkpoint

import autograd_core as ac
from autograd_core import explain

from .faulty_programs import FAULTS, HEALTHY

ENGINES = {"autograd_core": ac, "torch": torch}
QUESTIONS = {"none": explain.why_none, "zero": explain.why_zero, "loss": explain.explain}

each_engine = pytest.mark.parametrize("T", ENGINES.values(), ids=ENGINES)
each_fault = pytest.mark.parametrize(
    "program, question, kind, bare, has_line", FAULTS, ids=[f[0].__name__ for f in FAULTS]
)
each_healthy = pytest.mark.parametrize("program", HEALTHY, ids=lambda program: program.__name__)


@each_engine
@each_fault
def test_a_watched_fault_is_named_alone_with_its_line(T, program, question, kind, bare, has_line):
    with explain.watch():
        verdict = QUESTIONS[question](program(T))
    assert verdict.kinds == (kind if isinstance(kind, tuple) else (kind,)), verdict
    if has_line:
        assert (verdict.causes[0].line or "").endswith("# here"), verdict
    for cause in verdict.causes:
        assert cause.sentence.endswith(".") and cause.remedy.endswith("."), verdict


@each_engine
@each_fault
def test_without_watching_the_fault_is_among_the_possible_ones(T, program, question, kind, bare, has_line):
    verdict = QUESTIONS[question](program(T))
    assert verdict.causes
    expected = {*bare} if isinstance(bare, tuple) else {bare}
    assert bare == "any" or expected <= set(verdict.kinds), verdict


@each_engine
@each_healthy
@pytest.mark.parametrize("watched", [False, True])
def test_a_healthy_program_is_not_blamed(T, program, watched):
    if watched:
        with explain.watch():
            loss, parameters = program(T)
            verdicts = [ask(p) for p in parameters for ask in (explain.why_none, explain.why_zero)]
            verdicts.append(explain.explain(loss))
    else:
        loss, parameters = program(T)
        verdicts = [ask(p) for p in parameters for ask in (explain.why_none, explain.why_zero)]
        verdicts.append(explain.explain(loss))
    for verdict in verdicts:
        assert verdict.causes == (), verdict


@each_engine
@each_healthy
def test_watching_changes_no_gradient(T, program):
    def gradients():
        return [p.grad.tolist() for p in program(T)[1]]

    plain = gradients()
    with explain.watch():
        watched = gradients()
    assert watched == plain


def test_there_are_enough_programs():
    assert len(FAULTS) >= 25
    assert len(HEALTHY) >= 12


def kinds_while_watched(program, T, ask):
    with explain.watch():
        return ask(program(T)).kinds


@each_engine
def test_a_sum_that_cancels_inside_an_op_is_not_called_a_zero_operand(T):
    def program(T):
        w = T.ones(2, 1, requires_grad=True)
        y = T.ones(2, 2) @ w
        (y * T.tensor([[1.0], [-1.0]])).sum().backward()
        return w

    assert kinds_while_watched(program, T, explain.why_zero) == ("cancels",)


@each_engine
def test_the_backward_of_a_custom_function_runs_once_although_watched(T):
    runs = []

    class Nothing(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            runs.append(g)
            return g * 0

    def program(T):
        w = T.tensor([1.0], requires_grad=True)
        Nothing.apply(w).sum().backward()
        return w

    assert len(kinds_while_watched(program, T, explain.why_zero)) > 1  # only what is possible
    assert len(runs) == 1


@each_engine
def test_a_custom_function_that_returns_none_is_named(T):
    class Deaf(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return None

    def program(T):
        w = T.tensor([1.0], requires_grad=True)
        Deaf.apply(w).sum().backward()
        return w

    with explain.watch():
        (cause,) = explain.why_none(program(T)).causes
    assert cause.kind == "not-produced"
    assert "Deaf" in cause.sentence


@each_engine
def test_a_hook_or_a_function_that_returns_zero_is_among_the_causes(T):
    class Zero(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            return g * 0

    def by_hook(T):
        w = T.tensor([1.0], requires_grad=True)
        h = w * 2
        h.register_hook(lambda g: g * 0)
        h.sum().backward()
        return w

    def by_function(T):
        w = T.tensor([1.0], requires_grad=True)
        Zero.apply(w).sum().backward()
        return w

    for program, kind in ((by_hook, "hook"), (by_function, "custom")):
        assert kind in kinds_while_watched(program, T, explain.why_zero)
        assert kind in explain.why_zero(program(T)).kinds


@each_engine
def test_reading_an_index_is_no_way_out_of_the_graph(T):
    def program(T):
        w, b = (T.ones(3, requires_grad=True) for _ in range(2))
        i = w.argmax()
        (b[i] * b[: i + 1].sum() * b.select(0, i)).backward()
        return w

    assert len(kinds := kinds_while_watched(program, T, explain.why_none)) == 1
    assert kinds[0] in ("nondiff", "unused")


@each_engine
def test_asking_and_watching_unpack_nothing(T):
    unpacked = []

    def unpack(key):
        unpacked.append(key)
        return kept[key]

    kept: list = []

    def pack(value):
        kept.append(value.detach() if hasattr(value, "detach") else value)
        return len(kept) - 1

    with explain.watch():
        w = T.tensor([-1.0], requires_grad=True)
        with T.autograd.graph.saved_tensors_hooks(pack, unpack):
            loss = T.relu(T.exp(w) - 2.0).sum()
        found = explain.memory(loss)
        explain.explain(loss)
        assert unpacked == []
        loss.backward()
        assert sorted(unpacked) == list(range(len(kept)))  # by backward itself, once each
        assert len(explain.why_zero(w).kinds) > 1  # only what is possible
    assert found.packed == len(kept) > 0
    assert found.total == 0
    assert "not counted" in str(found)


@each_engine
def test_a_checkpointed_function_does_not_run_once_more(T):
    checkpoint = torch.utils.checkpoint.checkpoint if T is torch else ac.utils.checkpoint.checkpoint
    runs = []

    def f(x):
        runs.append(x)
        return T.exp(x * x)

    def count(ask):
        runs.clear()
        w = T.ones(3, requires_grad=True)
        loss = checkpoint(f, w, use_reentrant=False).sum()
        ask(loss)
        loss.backward()
        return len(runs), w.grad.tolist()

    plain = count(lambda loss: None)
    assert count(explain.memory) == plain
    assert count(explain.explain) == plain
    with explain.watch():
        assert count(lambda loss: None) == plain


@each_engine
def test_a_verdict_calls_things_by_their_names(T):
    def sentence(program):
        with explain.watch():
            return explain.why_none(program(T)).causes[0]

    def by_data(T):
        return T.ones(1, requires_grad=True).data

    def in_inference_mode(T):
        w, b = (T.ones(1, requires_grad=True) for _ in range(2))
        with T.inference_mode():
            h = w * 2
        (h + b).sum().backward()
        return w

    assert sentence(by_data).sentence.startswith(".data returned")
    found = sentence(in_inference_mode)
    assert "inference_mode()" in found.sentence + found.remedy
    assert "no_grad" not in found.sentence + found.remedy
    for cause in explain.why_zero(_with_zero_grad(T)).causes:
        assert " An operation" not in cause.sentence


def _with_zero_grad(T):
    w = T.ones(1, requires_grad=True)
    w.grad = T.zeros(1)
    return w


@each_engine
def test_the_loss_narrows_the_answer(T):
    w, other = (T.tensor([1.0], requires_grad=True) for _ in range(2))
    loss = (w * w).sum()
    assert explain.why_none(w, loss).kinds == ("no-backward", "cleared", "not-produced")
    assert "no-backward" not in explain.why_none(other, loss).kinds
    loss.backward()
    w.grad = None
    assert explain.why_none(w, loss).kinds == ("cleared", "grad-returned", "inputs", "not-produced")


@each_engine
def test_the_ops_of_a_loss_are_counted_and_named(T):
    w = T.tensor([1.0, 2.0], requires_grad=True)
    verdict = explain.explain(((w * 2) * w).sum())
    assert verdict.facts[0] == "3 ops were recorded: mul (2 times), sum."


@each_engine
def test_zeros_are_found_from_the_loss_as_long_as_its_graph_is_there(T):
    w = T.tensor([-1.0, 2.0], requires_grad=True)
    loss = T.relu(w).sum()
    loss.backward(retain_graph=True)
    verdict = explain.why_zero(w, loss)
    assert verdict.kinds == ("relu",)
    assert "1 of 2" in str(verdict)
    loss.backward()
    assert len(explain.why_zero(w, loss).kinds) > 1


@each_engine
def test_asking_stores_nothing_and_runs_no_hook(T):
    calls = []
    w = T.tensor([-1.0], requires_grad=True)
    w.register_hook(calls.append)
    loss = T.relu(w).sum()
    w.grad = T.zeros(1)
    explain.why_zero(w, loss)
    explain.explain(loss)
    explain.memory(loss)
    assert w.grad.tolist() == [0.0]
    assert calls == []
    loss.backward()  # the graph is still there


@each_engine
def test_a_watched_tensor_dies_as_early_as_another(T):
    with explain.watch():
        h = T.ones(2, requires_grad=True) * 2
        alive = weakref.ref(h)
        h.sum()
        del h
        assert alive() is None


@each_engine
def test_the_questions_want_a_tensor(T):
    for ask in (explain.why_none, explain.why_zero, explain.explain, explain.memory):
        with pytest.raises(TypeError, match="float"):
            ask(1.0)


def test_a_view_made_under_no_grad_swallows_its_part():
    w = ac.ones(2, requires_grad=True)
    with ac.no_grad():
        v = w[:1]
    assert explain.explain((v * w).sum()).kinds == ("dropped",)


def test_it_needs_no_pytorch():
    program = """
import sys, autograd_core as ac
with ac.explain.watch():
    w = ac.tensor([-1.0], requires_grad=True)
    loss = ac.relu(w).sum()
    print(ac.explain.memory(loss).total, ac.explain.explain(loss).kinds)
    loss.backward()
    print(ac.explain.why_zero(w).kinds, ac.explain.why_none(w * 2).kinds, "torch" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["4 ()", "('relu',) ('non-leaf',) False"]


def test_watching_ends_with_the_block():
    w = ac.ones(2, requires_grad=True)
    with explain.watch():
        inside = explain.why_none(w).kinds
    assert inside == ("no-backward",)
    assert len(explain.why_none(w).kinds) > 1


@each_engine
def test_what_happened_before_watching_is_not_guessed(T):
    w = T.tensor([1.0], requires_grad=True)
    h = w.detach()
    with explain.watch():
        b = T.tensor([3.0], requires_grad=True)
        (h * b).sum().backward()
        assert {"detached", "unused"} < set(explain.why_none(w).kinds)
        assert {"detached", "no-requires-grad"} < set(explain.why_none(h).kinds)
        assert {"detached", "constant"} < set(explain.why_none(h * 2).kinds)


def test_watching_decorates_and_nests():
    @explain.watch()
    def ask():
        with explain.watch():
            pass
        return explain.why_none(ac.ones(2, requires_grad=True)).kinds

    assert ask() == ("no-backward",)


def test_the_verdict_is_readable():
    w = ac.tensor([1.0, 2.0], requires_grad=True)
    h = w < 2.0
    verdict = explain.why_none(h)
    assert str(verdict).splitlines() == [
        "Why is .grad of this tensor of shape [2] None?",
        "This tensor holds bool; only floating point tensors carry gradients. Make it a floating one, with "
        "requires_grad=True, before the forward.",
    ]
    html = explain.why_none(w * (w < 2.0))._repr_html_()
    assert "<code>" in html
    assert "w &lt; 2.0" in html  # the line is escaped


# -- memory


@each_engine
def test_each_storage_counts_once(T):
    w = T.ones(100, requires_grad=True)
    found = explain.memory(T.exp(w * w).sum())
    assert found.total == 800
    assert found.held_by_leaves == 400
    assert found.by_op() == {"exp": 400, "mul": 400}
    assert [row.shared for row in found.rows] == [False, False, True]
    assert "800 bytes" in str(found)
    assert "<table>" in found._repr_html_()


@each_engine
def test_what_was_released_is_said(T):
    w = T.ones(100, requires_grad=True)
    loss = (w * w).sum()
    loss.backward()
    found = explain.memory(loss)
    assert (found.total, found.rows) == (0, ())
    assert "1 op has released" in str(found)


def test_memory_says_which_rule_wants_a_value():
    x, y = ac.ones(2, requires_grad=True), ac.ones(2)
    (row,) = explain.memory(x * y).rows
    assert (row.op, row.name, row.wanted_for, row.nbytes) == ("mul", "y", "x", 8)
    assert row.line.endswith("explain.memory(x * y).rows")


def test_a_saved_view_counts_its_whole_storage():
    x = ac.ones(10, requires_grad=True)
    (row,) = explain.memory(ac.ones(1000)[:10] * x).rows
    assert row.nbytes == 4000
