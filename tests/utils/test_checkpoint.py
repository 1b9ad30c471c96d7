"""Checkpointing: the gradients of the plain program, for less memory and a second forward."""

import contextlib
import gc
import importlib
import weakref

import pytest

import autograd_core as ac

BOTH_KINDS = pytest.mark.parametrize("use_reentrant", [False, True], ids=["hooks", "reentrant"])


@pytest.fixture
def ck(T):
    return importlib.import_module(f"{T.__name__}.utils.checkpoint")


@pytest.fixture
def x(T):
    return T.tensor([0.5, 1.0, 1.5], dtype=T.float64, requires_grad=True)


def wave(x):
    return (x * x).sin().exp()


def gradient_of_wave(T, x):
    return T.autograd.grad(wave(x).sum(), x)[0].tolist()


# -- both kinds


@BOTH_KINDS
def test_the_gradients_are_those_of_the_plain_program(T, ck, x, use_reentrant):
    w = T.tensor(2.0, dtype=T.float64, requires_grad=True)  # not an argument
    y = ck.checkpoint(lambda a: wave(a) * w, x, use_reentrant=use_reentrant)
    z = ck.checkpoint(lambda a, k: (a * k, None, "word"), y, 3, use_reentrant=use_reentrant)
    assert z[1:] == (None, "word")
    z[0].sum().backward()
    plain = [t.detach().requires_grad_() for t in (x, w)]
    (wave(plain[0]) * plain[1] * 3).sum().backward()
    assert [x.grad.tolist(), w.grad.item()] == [plain[0].grad.tolist(), plain[1].grad.item()]


@BOTH_KINDS
def test_the_function_runs_again_once_a_pass(T, ck, x, use_reentrant):
    runs = []

    def counted(a):
        runs.append(T.is_grad_enabled())
        return wave(a)

    y = ck.checkpoint(counted, x, use_reentrant=use_reentrant)
    assert runs == [not use_reentrant]
    for passes in (1, 2):
        y.sum().backward(retain_graph=True)
        assert runs[1:] == [True] * passes


@BOTH_KINDS
def test_random_numbers_are_drawn_again(T, ck, x, use_reentrant):
    seen = []

    def noisy(a):
        seen.append(T.rand(3).tolist())
        return wave(a)

    T.manual_seed(3)
    y = ck.checkpoint(noisy, x, use_reentrant=use_reentrant)
    after = T.get_rng_state()
    T.rand(5)
    following = T.rand(2).tolist()
    T.set_rng_state(after)
    T.rand(5)
    y.sum().backward()
    assert seen[0] == seen[1] and T.rand(2).tolist() == following
    y = ck.checkpoint(noisy, x, use_reentrant=use_reentrant, preserve_rng_state=False)
    y.sum().backward()
    assert seen[2] != seen[3]


@BOTH_KINDS
def test_an_argument_overwritten_since_is_noticed(T, ck, x, use_reentrant):
    h = x * 1
    y = ck.checkpoint(wave, h, use_reentrant=use_reentrant)
    with T.no_grad():
        h.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


@BOTH_KINDS
def test_a_second_backward_is_refused(T, ck, x, use_reentrant):
    y = ck.checkpoint(wave, x, use_reentrant=use_reentrant)
    y.sum().backward()
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        y.sum().backward()


@BOTH_KINDS
def test_nested_checkpoints(T, ck, x, use_reentrant):
    def inner(a):
        return ck.checkpoint(wave, a, use_reentrant=use_reentrant) * a

    ck.checkpoint(inner, x * 1, use_reentrant=use_reentrant).sum().backward()
    y = x.detach().requires_grad_()
    (wave(y) * y).sum().backward()
    assert x.grad.tolist() == pytest.approx(y.grad.tolist(), rel=1e-14)


@BOTH_KINDS
@pytest.mark.parametrize("segments", [1, 2, 3])
def test_a_sequence_in_segments(T, ck, x, use_reentrant, segments):
    steps = [T.exp, T.sin, T.tanh, T.cos, T.exp]
    y = ck.checkpoint_sequential(steps, segments, x, use_reentrant=use_reentrant)
    z = x.detach().requires_grad_()
    plain = z.exp().sin().tanh().cos().exp()
    y.sum().backward()
    plain.sum().backward()
    assert y.tolist() == plain.tolist() and x.grad.tolist() == z.grad.tolist()


def test_a_sequential_module(T, ck, x):
    model = T.nn.Sequential(T.nn.Linear(3, 2), T.nn.Tanh(), T.nn.Linear(2, 1)).double()
    model(x).backward()
    wanted = [p.grad.tolist() for p in model.parameters()]
    model.zero_grad()
    ck.checkpoint_sequential(model, 2, x, use_reentrant=False).backward()
    assert [p.grad.tolist() for p in model.parameters()] == wanted


def test_use_reentrant_has_to_be_chosen(T, ck, x):
    with pytest.warns(UserWarning, match="use_reentrant parameter should be passed explicitly"):
        y = ck.checkpoint(wave, x)
    assert y.grad_fn.name() == "CheckpointFunctionBackward"
    with pytest.warns(UserWarning, match="use_reentrant parameter should be passed explicitly"):
        ck.checkpoint_sequential([wave, wave], 2, x)


def test_unknown_arguments(T, ck, x):
    with pytest.raises(ValueError, match="Unexpected keyword arguments: k"):
        ck.checkpoint(wave, x, use_reentrant=True, k=3)
    with pytest.raises(ValueError, match="Unexpected keyword arguments: k"):
        ck.checkpoint_sequential([wave], 1, x, use_reentrant=False, k=3)
    with pytest.raises(ValueError, match="determinism_check should be one of"):
        ck.checkpoint(wave, x, use_reentrant=False, determinism_check="some")
    with pytest.raises(ValueError, match="only supported when use_reentrant=False"):
        ck.checkpoint(wave, x, use_reentrant=True, context_fn=lambda: (None, None))
    with pytest.raises(ValueError):
        ck.checkpoint_sequential([wave], 2, x, use_reentrant=False)


# -- the usual kind


def test_what_a_checkpointed_part_saves_is_not_kept():
    held = []

    def watched(a):
        held.append(weakref.ref(middle := a * 2))
        return (middle * middle).sin()

    x = ac.ones(3, requires_grad=True)
    gc.disable()
    try:
        plain = watched(x)
        y = ac.utils.checkpoint.checkpoint(watched, x, use_reentrant=False)
        assert held[0]() is not None and held[1]() is None
        y.sum().backward()
        assert held[2]() is None
        del plain
        assert held[0]() is None
    finally:
        gc.enable()


def test_arguments_are_released_with_the_pass():
    x = ac.ones(3, requires_grad=True)
    y = ac.utils.checkpoint.checkpoint(wave, h := x * 1, use_reentrant=False).sum()
    argument = weakref.ref(h)
    del h
    gc.disable()
    try:
        assert argument() is not None
        y.backward()
        assert argument() is None and y.grad_fn is not None
    finally:
        gc.enable()


def test_recomputed_values_go_as_the_pass_goes():
    x, alive = ac.ones(3, requires_grad=True), []
    parts = []

    def part(a):
        parts.append(weakref.ref(h := a * 1))
        return h * h

    def count(g):
        alive.append(sum(ref() is not None for ref in parts))

    y = x
    for _ in range(4):
        y = ac.utils.checkpoint.checkpoint(part, y, use_reentrant=False)
        y.register_hook(count)
    y.sum().backward()
    assert max(alive) <= 1


def test_gradients_of_gradients(T, ck, x):
    def twice(f):
        (g,) = T.autograd.grad(f(x).sum(), x, create_graph=True)
        return T.autograd.grad(g.sum(), x)[0].tolist()

    assert twice(lambda x: ck.checkpoint(wave, x, use_reentrant=False)) == twice(wave)


def test_arguments_need_not_require_gradients_or_be_tensors(T, ck, x):
    y = ck.checkpoint(lambda parts, scale: wave(parts["a"]) * scale, {"a": x}, scale=1, use_reentrant=False)
    assert T.autograd.grad(y.sum(), x)[0].tolist() == gradient_of_wave(T, x)
    with T.no_grad():
        assert not ck.checkpoint(wave, x, use_reentrant=False).requires_grad


def changing(first, later):
    """A function that does something else from its second run on."""
    runs = []

    def run(a):
        runs.append(None)
        return first(a) if len(runs) == 1 else later(a)

    return run


def test_another_number_of_saved_values_is_an_error(T, ck, x):
    y = ck.checkpoint(changing(wave, lambda a: a.sin()), x, use_reentrant=False)
    with pytest.raises(ck.CheckpointError, match="A different number of tensors was saved"):
        y.sum().backward()
    assert x.grad is None


@pytest.mark.parametrize("determinism_check", ["default", "none"])
def test_saved_values_of_another_shape_are_an_error_unless_unchecked(T, ck, x, determinism_check):
    function = changing(lambda a: a.sin(), lambda a: a[:1].sin())
    y = ck.checkpoint(function, x, use_reentrant=False, determinism_check=determinism_check)
    if determinism_check == "default":
        with pytest.raises(ck.CheckpointError, match="different metadata than during the forward pass"):
            y.sum().backward()
    else:
        y.sum().backward()
        assert x.grad.tolist() == pytest.approx([T.cos(x.detach()[0]).item()] * 3)


def test_contexts_for_the_two_runs(T, ck, x):
    log = []

    @contextlib.contextmanager
    def noted(name):
        log.append(name)
        try:
            yield
        finally:
            log.append(f"end of {name}")

    y = ck.checkpoint(wave, x, use_reentrant=False, context_fn=lambda: (noted("first"), noted("second")))
    assert log == ["first", "end of first"]
    y.sum().backward()
    assert log[2:] == ["second", "end of second"]


def test_a_custom_function_inside_reads_its_saved_tensors_once(T, ck, x):
    class Square(T.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            ctx.save_for_backward(a)
            return a * a

        @staticmethod
        def backward(ctx, g):
            return g * ctx.saved_tensors[0] + g * ctx.saved_tensors[0]

    y = ck.checkpoint(Square.apply, x, use_reentrant=False)
    with pytest.raises(ck.CheckpointError, match="already unpacked once"):
        y.sum().backward()


def test_the_second_run_stops_when_it_has_all_values(T, ck, x):
    log = []

    def noted(a):
        y = a.sin()
        log.append("rest")
        return y + 1

    ck.checkpoint(noted, x, use_reentrant=False).sum().backward()
    assert log == ["rest"]


# -- the reentrant kind


def test_a_tensor_argument_must_require_gradients(T, ck, x):
    with pytest.warns(UserWarning, match="None of the inputs have requires_grad=True"):
        y = ck.checkpoint(lambda a: a * x, T.ones(3, dtype=T.float64), use_reentrant=True)
    assert not y.requires_grad


def test_grad_and_limited_inputs_are_refused(T, ck, x):
    message = r"incompatible with .grad\(\) or passing an `inputs` parameter"
    with pytest.raises(RuntimeError, match=message):
        T.autograd.grad(ck.checkpoint(wave, x, use_reentrant=True).sum(), x)
    with pytest.raises(RuntimeError, match=message):
        ck.checkpoint(wave, x, use_reentrant=True).sum().backward(inputs=[x])
    assert x.grad is None


def test_a_function_that_detaches_all_is_refused(T, ck, x):
    with pytest.raises(RuntimeError, match="none of output has requires_grad=True"):
        ck.checkpoint(lambda a: a.detach(), x, use_reentrant=True).sum().backward()
