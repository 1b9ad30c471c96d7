"""Where the history of a tensor ends, and how that is said: both engines alike."""

import math
import warnings

import numpy as np
import pytest

import autograd_core as ac


def leaf(T, *values):
    return T.tensor(list(values), dtype=T.float64, requires_grad=True)


# -- numbers and arrays

SCALAR = "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior"


@pytest.mark.parametrize(
    "convert",
    {
        "float": lambda T, x: float(x),
        "math": lambda T, x: math.exp(x),
        "complex": lambda T, x: complex(x),
        "a NumPy scalar": lambda T, x: np.float64(x),
        "tensor of a list": lambda T, x: T.tensor([x, 1.0]),
        "as_tensor of a list": lambda T, x: T.as_tensor([x, 1.0]),
        "nested lists": lambda T, x: T.tensor([[x], [1.0]]),
    }.items(),
    ids=lambda item: item[0],
)
def test_a_tracked_tensor_that_becomes_a_number_warns_at_the_users_line(T, convert):
    x = T.tensor(2.0, requires_grad=True)
    with pytest.warns(UserWarning, match=SCALAR) as caught:
        convert[1](T, x)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        convert[1](T, x.detach())
        with T.no_grad():
            convert[1](T, x)


def test_what_says_that_a_number_is_meant_does_not_warn(T):
    x = T.tensor(2.0, requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert (x.item(), x.tolist(), int(x), bool(x), f"{x:.1f}") == (2.0, 2.0, 2, True, "2.0")


def test_an_array_of_a_tracked_tensor_where_nothing_is_recorded(T):
    w = leaf(T, 1.0, 2.0)
    for read in (lambda: w.numpy(), lambda: np.asarray(w), lambda: (w * 1).numpy()):
        with pytest.raises(RuntimeError, match=r"Can't call numpy\(\) on Tensor that requires grad. Use tensor.detach"):
            read()
        for mode in (T.no_grad, T.inference_mode):
            with mode():
                assert read().tolist() == [1.0, 2.0]
    assert w.numpy(force=True).tolist() == [1.0, 2.0]


def test_an_array_inside_a_custom_function(T):
    class Cube(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return T.from_numpy(x.numpy() ** 3)

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return T.from_numpy(g.numpy() * 3 * x.numpy() ** 2)

    x = leaf(T, 1.0, 2.0)
    Cube.apply(x * 1).sum().backward()
    assert x.grad.tolist() == [3.0, 12.0]


# -- dtypes


@pytest.mark.parametrize(
    "reduce",
    {
        "sum": lambda x, d: x.sum(dtype=d),
        "sum along an axis": lambda x, d: x.sum(0, dtype=d),
        "nansum": lambda x, d: x.nansum(dtype=d),
        "prod": lambda x, d: x.prod(dtype=d),
        "cumsum": lambda x, d: x.cumsum(0, dtype=d),
        "cumprod": lambda x, d: x.cumprod(0, dtype=d),
    }.items(),
    ids=lambda item: item[0],
)
def test_a_reduction_into_integers_is_refused_for_a_tracked_tensor(T, reduce):
    x = leaf(T, 1.0, 2.0)
    with pytest.raises(RuntimeError, match="Autograd not support dtype"):
        reduce[1](x, T.int64)
    assert not reduce[1](x.detach(), T.int64).requires_grad
    with T.no_grad():
        assert reduce[1](x, T.int64).dtype == T.int64
    assert reduce[1](x, T.float32).requires_grad


@pytest.mark.parametrize(
    "fill",
    {
        "masked_fill": lambda T, x, value: x.masked_fill(x > 7, value),
        "index_fill": lambda T, x, value: x.index_fill(0, T.tensor([0]), value),
        "select_scatter": lambda T, x, value: T.select_scatter(x, value, 0, 0),
        "slice_scatter": lambda T, x, value: T.slice_scatter(x, value.reshape(1), 0, 0, 1),
    }.items(),
    ids=lambda pair: pair[0],
)
def test_a_tracked_float_among_integers_is_refused(T, fill):
    x, value = T.tensor([7, 8]), T.tensor(1.5, requires_grad=True)
    with pytest.raises(RuntimeError, match="Autograd not support dtype"):
        fill[1](T, x, value)
    assert not fill[1](T, x, value.detach()).requires_grad
    with T.no_grad():
        assert fill[1](T, x, value).dtype == T.int64


def test_cutting_an_empty_axis_of_a_tracked_tensor_gives_no_parts(T):
    assert T.zeros(2, 0, requires_grad=True).unbind(-1) == ()


def test_a_tracked_float_copied_into_integers_leaves_no_history(T):
    x = leaf(T, 1.5, 2.5)
    whole, flags, seen = T.tensor([7, 8]), T.tensor([True, False]), T.tensor([7, 8])
    whole[0] = x[0]
    flags.copy_(x)
    seen[:1].copy_(x[:1])
    for t, values in ((whole, [1, 8]), (flags, [True, True]), (seen, [1, 8])):
        assert (t.requires_grad, t.is_leaf, t.grad_fn, t.tolist()) == (False, True, None, values)


def test_integers_filled_with_a_tracked_float_have_no_history():
    """PyTorch says that they require gradients."""
    whole = ac.tensor([7, 8])
    whole.fill_(ac.tensor(2.5, requires_grad=True))
    assert (whole.requires_grad, whole.tolist()) == (False, [2, 2])


def test_a_tracked_tensor_of_probabilities_has_a_gradient_of_zero(T):
    p = leaf(T, 0.0, 1.0, 1.0)
    drawn = T.bernoulli(p)
    assert drawn.tolist() == [0.0, 1.0, 1.0]
    drawn.sum().backward()
    assert p.grad.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("make", ["full", "arange"])
def test_a_factory_takes_no_tracked_tensor_for_a_number(T, make):
    x = T.tensor(2.0, requires_grad=True)
    with pytest.raises(TypeError):
        T.full((2,), x) if make == "full" else T.arange(0.0, x)


@pytest.mark.parametrize("value", ["no", 0, None, 1.0])
def test_a_switch_is_a_bool(T, value):
    for switch in (T.set_grad_enabled, T.autograd.set_detect_anomaly, T.inference_mode):
        with pytest.raises(TypeError), switch(value):
            pass
        assert T.is_grad_enabled()
        assert not T.is_inference_mode_enabled()
        assert not T.is_anomaly_enabled()


# -- inference tensors


def test_ops_on_inference_tensors_alone_are_not_recorded(T):
    with T.inference_mode():
        w = T.ones(3).requires_grad_()
    for y in (w[:2], w.sum(), w * w, w.unbind()[0], w.view(3, 1)):
        assert (y.requires_grad, y.grad_fn) == (False, None)
    (w + T.ones(3)).sum().backward()
    assert w.grad.tolist() == [1.0, 1.0, 1.0]


# -- looking


def test_looking_at_a_view_whose_history_is_lost_does_not_raise(T):
    a = T.ones(2, requires_grad=True).clone()
    with T.no_grad():
        b = a[:1]
        b *= 2
    assert repr(b) == "tensor([2.], grad_fn=<Invalid>)"
    with pytest.raises(RuntimeError):
        b * 1


@pytest.mark.parametrize("values", [[1e300, 1e-300], [math.inf, math.nan], [0.0, 5e-324]])
def test_looking_works_where_every_warning_is_an_error(T, values):
    x = T.tensor(values, dtype=T.float64)
    with warnings.catch_warnings(), np.errstate(all="raise"):
        warnings.simplefilter("error")
        assert repr(x).startswith("tensor([")


# -- hooks of a leaf


def test_the_hooks_of_a_leaf_run_in_order(T):
    w, log = leaf(T, 1.0), []
    node = w.view_as(w).grad_fn.next_functions[0][0]
    node.register_hook(lambda gi, go: log.append("node"))
    w.register_post_accumulate_grad_hook(lambda w: log.append("accumulated"))
    node.register_prehook(lambda go: log.append("before the node"))
    w.register_hook(lambda g: log.append("tensor"))
    (w * 1).sum().backward()
    assert log == ["tensor", "before the node", "accumulated", "node"]


# -- views that a custom function returns


@pytest.mark.parametrize("kind", ["view written", "view of a copy written", "base written after the cut"])
def test_a_function_returns_a_view_that_it_cut_before_it_wrote(T, kind):
    def forward(x):
        if kind == "view written":
            h = x * 2
            v = h[:]
            v.relu_()
            return v
        if kind == "view of a copy written":
            out = x.clone().reshape(1, 2).t()
            out += 1
            return out
        h = x * 2
        v = h[1:]
        h.mul_(3)
        return v

    pullback = {
        "view written": lambda g: g * 2,
        "view of a copy written": lambda g: g.reshape(2),
        "base written after the cut": lambda g: T.cat([g * 0, g * 6]),
    }[kind]

    class Own(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return forward(x)

        @staticmethod
        def backward(ctx, g):
            return pullback(g)

    x = leaf(T, 1.0, -1.0)
    y = Own.apply(x)
    y.sum().backward()
    expected = {
        "view written": ([2.0, 0.0], [2.0, 2.0]),
        "view of a copy written": ([[2.0], [0.0]], [1.0, 1.0]),
        "base written after the cut": ([-6.0], [0.0, 6.0]),
    }[kind]
    assert (y.tolist(), x.grad.tolist()) == expected


def test_a_view_that_an_unrecorded_function_returns_stays_a_view(T):
    class Alias(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x[:]

        @staticmethod
        def backward(ctx, g):
            return g

    h = leaf(T, 1.0, 2.0)
    with T.no_grad():
        v = Alias.apply(h)
    assert v.requires_grad
    with pytest.raises(RuntimeError, match="A view was created in no_grad mode and is being modified inplace"):
        v.mul_(2)


# -- function transforms


@pytest.mark.parametrize("transform", ["grad", "vjp", "jvp", "jacrev", "jacfwd", "hessian"])
@pytest.mark.parametrize(
    "write",
    [lambda c, x: c.copy_(x), lambda c, x: c.add_(1), lambda c, x: c[:1].mul_(x[:1]), lambda c, x: c.data.zero_()],
    ids=["what depends on the argument", "a constant", "through a view", "through data"],
)
def test_a_transform_refuses_a_write_to_what_its_function_captures(T, transform, write):
    x, captured = T.tensor([1.0, 2.0]), T.tensor([3.0, 4.0])

    def f(x):
        write(captured, x)
        return (captured * x).sum()

    with pytest.raises(RuntimeError, match="would mutate a captured Tensor"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if transform == "jvp":
            T.func.jvp(f, (x,), (x,))
        elif transform == "vjp":
            T.func.vjp(f, x)
        else:
            getattr(T.func, transform)(f)(x)
    assert captured.tolist() == [3.0, 4.0]
    assert (captured.requires_grad, captured._version) == (False, 0)


def test_a_transform_lets_its_function_write_to_what_it_makes_and_is_given(T):
    x, buffer = T.tensor([1.0, 2.0]), T.zeros(2)

    def f(x, buffer):
        made = T.zeros(2)
        made[0] = x[1]
        made.data.mul_(10)
        buffer.copy_(x * x)
        with T.no_grad():
            made[1] = 7.0
        inner = T.func.grad(lambda z: (z.clone().mul_(2) * z).sum())(x)
        inner.mul_(2)
        return (made * buffer + inner).sum()

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert T.func.grad(f)(x, buffer).tolist() == [48.0, 37.0]
    assert not buffer.requires_grad
    assert buffer.tolist() == [1.0, 4.0]


def test_an_inner_transform_refuses_a_write_to_what_the_outer_function_made(T):
    def outer(x):
        made = T.zeros(2)
        return T.func.grad(lambda z: (made.copy_(z) * z).sum())(x).sum()

    with pytest.raises(RuntimeError, match="would mutate a captured Tensor"):
        T.func.grad(outer)(T.tensor([1.0, 2.0]))
