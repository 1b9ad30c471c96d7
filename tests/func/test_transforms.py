"""func: values, structures, nesting, history and errors of the transforms, in the same words on PyTorch and here."""

import collections
import gc
import weakref

import numpy as np
import pytest
import torch

import autograd_core as ac
from tests.trees import assert_same

Pair = collections.namedtuple("Pair", "left right")


@pytest.fixture
def x(T):
    return T.tensor([1.0, 2.0], dtype=T.float64)


@pytest.fixture
def s(T):
    return T.tensor(3.0, dtype=T.float64)


# -- the same results on both engines


def layer(T, params, x):
    return T.tanh(params["w"] @ x + params["b"][0])


SCALAR = {
    "tensor": (lambda T, x: (T.sin(x) * x).sum(), lambda a: (a(3),), 0),
    "dict and list": (lambda T, p, x: layer(T, p, x).sum(), lambda a: ({"w": a(2, 3), "b": [a(2)]}, a(3)), 0),
    "two arguments": (lambda T, p, x: layer(T, p, x).sum(), lambda a: ({"w": a(2, 3), "b": [a(2)]}, a(3)), (1, 0)),
    "tuple of one": (lambda T, x, y: (x * y * y).sum(), lambda a: (a(2), a(2)), (1,)),
    "named tuple": (lambda T, p: (p.left**2 * p.right).sum(), lambda a: (Pair(a(2), a(1)),), 0),
    "unused leaf": (lambda T, p: p["a"].sum() * 2, lambda a: ({"a": a(2), "b": (a(2, 1), a(1))},), 0),
    "empty container": (lambda T, p: p[0].exp().sum(), lambda a: ([a(2), {}, ()],), 0),
}
GENERAL = {
    "elementwise": (lambda T, x: T.sin(x) * x, lambda a: (a(3),), 0),
    "matrix": (lambda T, m: m @ m, lambda a: (a(2, 2),), 0),
    "layer": (layer, lambda a: ({"w": a(2, 3), "b": [a(2)]}, a(3)), (0, 1)),
    "dict output": (lambda T, x, y: {"a": x * y, "b": (y.sum(), x[:1])}, lambda a: (a(2), a(2)), (0, 1)),
    "one argument": (lambda T, x, y: [x * y, y**2], lambda a: (a(2), a(2)), 1),
    "empty output": (lambda T, x: x[:0], lambda a: (a(2),), 0),
    "constant output": (lambda T, x: (x * 1, T.ones(3, dtype=T.float64)), lambda a: (a(2),), 0),
}


def on_both_engines(run, function, arguments, rng):
    """The results of `run(T, function, arguments)` for PyTorch and for this package."""
    seed = int(rng.integers(2**32))
    results = []
    for T in torch, ac:
        random = np.random.default_rng(seed)

        def tensor(*shape, T=T, random=random):
            return T.tensor(random.uniform(0.5, 1.5, shape))

        def f(*args, T=T):
            return function(T, *args)

        results.append(run(T, f, arguments(tensor), tensor))
    return results


@pytest.mark.parametrize("name", SCALAR)
def test_gradients_and_hessians_are_those_of_pytorch(name, rng):
    function, arguments, argnums = SCALAR[name]

    def run(T, f, args, _):
        return (
            T.func.grad(f, argnums)(*args),
            T.func.grad_and_value(f, argnums)(*args),
            T.func.hessian(f, argnums)(*args),
            T.func.grad(lambda *a: (f(*a), {"twice": f(*a) * 2}), argnums, has_aux=True)(*args),
            T.func.grad_and_value(lambda *a: (f(*a), [f(*a)]), argnums, has_aux=True)(*args),
        )

    theirs, ours = on_both_engines(run, function, arguments, rng)
    assert_same(ours, theirs)


@pytest.mark.parametrize("name", GENERAL)
def test_jacobians_and_products_are_those_of_pytorch(name, rng):
    function, arguments, argnums = GENERAL[name]

    def run(T, f, args, tensor):
        y, pullback = T.func.vjp(f, *args)
        same = ac.func.trees.tree_map
        return (
            T.func.jacrev(f, argnums)(*args),
            T.func.jacfwd(f, argnums)(*args),
            T.func.jacfwd(lambda *a: (f(*a), a[0]), argnums, has_aux=True)(*args)[0],
            y,
            pullback(same(T.cos, y)),
            T.func.jvp(f, args, same(T.sin, args)),
        )

    theirs, ours = on_both_engines(run, function, arguments, rng)
    assert_same(ours, theirs)


def test_value_and_grad_has_the_order_of_jax():
    x = ac.tensor(2.0)
    assert_same(ac.func.value_and_grad(lambda x: x**3)(x), (ac.tensor(8.0), ac.tensor(12.0)))
    (value, aux), gradient = ac.func.value_and_grad(lambda x: (x**3, x + 1), has_aux=True)(x)
    assert (value.item(), aux.item(), gradient.item()) == (8.0, 3.0, 12.0)


def test_negative_argument_numbers_count_from_the_back(T, x, s):
    assert [g.tolist() for g in T.func.grad(lambda x, s: (x * s).sum(), argnums=(-1, 0))(x, s)] == [3.0, [3.0, 3.0]]
    assert ac.func.hessian(lambda x, s: s**3, argnums=-1)(ac.ones(2), ac.tensor(2.0)).item() == 12.0


def test_keyword_arguments_are_constants(T, s):
    assert T.func.grad(lambda x, *, k: x * k)(s, k=s * 2).item() == 6.0


def test_None_is_an_empty_tree():
    gradient = ac.func.grad(lambda p: p["w"] ** 2)({"w": ac.tensor(3.0), "bias": None})
    assert gradient["w"].item() == 6.0 and gradient["bias"] is None


def test_arguments_not_differentiated_may_be_anything(T, s):
    assert T.func.grad(lambda x, power, names: x ** power["p"])(s, {"p": 2}, ["a"]).item() == 6.0


# -- nesting


def test_derivatives_of_any_order(T):
    f, x = lambda x: x**5, T.tensor(1.5, dtype=T.float64)
    expected = 1.0
    for order in range(1, 5):
        f = T.func.grad(f)
        expected *= 6 - order
        assert f(x).item() == pytest.approx(expected * 1.5 ** (5 - order))


def test_an_inner_transform_does_not_confuse_its_variable_with_the_outer_one(T):
    x = T.tensor(2.0, dtype=T.float64)
    # d/dx x · d/dy (x + y) = 1, and not 2
    assert T.func.grad(lambda x: x * T.func.grad(lambda y: x + y)(T.ones_like(x)))(x).item() == 1.0
    # d/dx (d/dy x y²) at y = x is 2y = 4 where the inner x is held, and 2x + 2x where both move
    assert T.func.grad(lambda x: T.func.grad(lambda y: x * y * y)(x))(x).item() == 8.0
    assert T.func.grad(lambda x: T.func.grad(lambda y: x * y * y)(x.detach()))(x).item() == 4.0


@pytest.mark.parametrize("outer", ["jacfwd", "jacrev"])
@pytest.mark.parametrize("inner", ["jacfwd", "jacrev"])
def test_hessian_by_every_composition(outer, inner, T, x):
    def f(x):
        return (x**3).sum() * x[0]

    found = getattr(T.func, outer)(getattr(T.func, inner)(f))(x)
    assert found.tolist() == T.autograd.functional.hessian(f, x).tolist() == [[12.0, 12.0], [12.0, 12.0]]


def test_products_inside_a_gradient(T, x):
    def f(x):
        return x**3

    def through_vjp(x):
        return T.func.vjp(f, x)[1](T.ones_like(x))[0].sum()

    def through_jvp(x):
        return T.func.jvp(f, (x,), (T.ones_like(x),))[1].sum()

    assert T.func.grad(through_vjp)(x).tolist() == T.func.grad(through_jvp)(x).tolist() == [6.0, 12.0]


def test_a_product_is_linear_in_a_vector_that_can_be_differentiated(T, x):
    def pulled(v):
        return T.func.vjp(T.exp, x)[1](v)[0].sum()

    def pushed(v):
        return T.func.jvp(T.exp, (x,), (v,))[1].sum()

    for product in pulled, pushed:
        assert T.func.grad(product)(T.ones_like(x)).tolist() == pytest.approx(x.exp().tolist())


def test_autograd_functional_inside_a_transform():
    x = ac.tensor([1.0, 2.0])
    found = ac.func.grad(lambda x: ac.autograd.functional.jacobian(lambda y: y**3, x, create_graph=True).sum())(x)
    assert found.tolist() == [6.0, 12.0]


# -- captured tensors and the code around


def test_a_captured_tensor_is_a_constant(T, s):
    assert T.func.grad(lambda x: x * s)(s).item() == 3.0
    tracked = s.clone().requires_grad_()
    assert T.func.grad(lambda x: x * tracked)(tracked).item() == 3.0


def test_only_results_that_depend_on_something_tracked_outside_have_a_history(T, s):
    w = s.clone().requires_grad_()
    grad, grad_and_value = T.func.grad, T.func.grad_and_value
    assert not grad(lambda x: x**3)(s).requires_grad
    assert grad(lambda x: x**3)(w).requires_grad
    assert not grad(lambda x: x * 2)(w).requires_grad
    assert grad(lambda x: x**3 * w)(s).requires_grad
    gradient, value = grad_and_value(lambda x: x**3 + w)(s)
    assert value.requires_grad and not gradient.requires_grad
    assert not grad(lambda x: x * grad(lambda y: y**3)(x))(s).requires_grad
    with T.no_grad():
        assert not grad(lambda x: x**3 * w)(w).requires_grad
        assert not any(t.requires_grad for t in grad_and_value(lambda x: x**3 * w)(s))


def test_outer_backward_goes_through_a_transform(T, x):
    w = x.clone().requires_grad_()
    T.func.grad(lambda y: (y**3 * w).sum())(x).sum().backward()
    assert w.grad.tolist() == [3.0, 12.0]
    w.grad = None
    T.func.jacrev(lambda y: y**3)(w).sum().backward()
    assert w.grad.tolist() == [6.0, 12.0]
    w.grad = None
    T.func.vjp(lambda y: y * w, x)[1](x)[0].sum().backward()
    assert w.grad.tolist() == [1.0, 2.0]


def test_outer_backward_through_an_auxiliary_output(T, x):
    """The graph of the value is done with, but the auxiliary output shares a part of it."""
    w = x.clone().requires_grad_()

    def f(y):
        shared = y.sin()
        return shared.sum(), shared * w

    gradient, aux = T.func.grad(f, has_aux=True)(x)
    aux.sum().backward()
    assert not gradient.requires_grad and w.grad.tolist() == x.sin().tolist()


def test_a_history_may_start_at_a_tensor_whose_leaf_is_gone(T, x):
    h = x.clone().requires_grad_() * 2
    gc.collect()
    result = T.func.grad(lambda y: (y**2 * h).sum())(x)
    assert T.autograd.grad(result.sum(), h)[0].tolist() == [2.0, 4.0]


def test_nothing_is_stored_in_the_arguments(T, x):
    T.func.hessian(lambda y: (y**3).sum())(x)
    assert not x.requires_grad and x.grad is None and x._version == 0


def test_recording_inside_and_out(T, s):
    seen = []

    def f(x):
        seen.append(T.is_grad_enabled())
        with T.no_grad():
            constant = x**2
        return x - constant

    with T.no_grad():
        assert T.func.grad(f)(s).item() == 1.0
    with T.inference_mode():
        assert T.func.grad(T.sin)(s).item() == pytest.approx(np.cos(3.0))
    assert seen == [True] and T.is_grad_enabled()


def test_a_pullback_can_be_called_again(T, x):
    _, pullback = T.func.vjp(lambda x: x**2, x)
    assert pullback(x)[0].tolist() == [2.0, 8.0]
    assert pullback(T.ones_like(x))[0].tolist() == [2.0, 4.0]


def test_vjp_and_jvp_with_an_auxiliary_output(T, x):
    _, pullback, aux = T.func.vjp(lambda x: (x * 2, {"a": x * 3}), x, has_aux=True)
    assert pullback(x)[0].tolist() == [2.0, 4.0] and aux["a"].tolist() == [3.0, 6.0]
    _, tangent, aux = T.func.jvp(lambda x: (x * 2, x * 3), (x,), (x,), has_aux=True)
    assert tangent.tolist() == [2.0, 4.0] and aux.tolist() == [3.0, 6.0]


def test_graphs_are_freed_without_the_cycle_collector():
    x, w, made = ac.tensor([1.0, 2.0]), ac.tensor([1.0, 2.0], requires_grad=True), []

    def f(y):
        made.append(weakref.ref(y))
        return (y**3 * w).sum()

    gc.disable()
    try:
        ac.func.grad(f)(x)
        ac.func.hessian(f)(x)
        ac.func.vjp(f, x)[1](ac.tensor(1.0))
        ac.func.jvp(f, (x,), (x,))
        assert [reference() for reference in made] == [None] * 4
    finally:
        gc.enable()


# -- errors


ERRORS = {
    "number": (lambda F, x: F.grad(lambda y: y)(3.0), ValueError, "must be Tensor, got <class 'float'>"),
    "number in a tree": (lambda F, x: F.grad(lambda p: p[0])((x, 2.0)), ValueError, "must be Tensor"),
    "integers": (lambda F, x: F.grad(lambda y: y.sum())(x > 0), RuntimeError, "floating point"),
    "vector": (lambda F, x: F.grad(lambda y: y * 2)(x), RuntimeError, "scalar Tensor, got tensor with 1 dims"),
    "one element": (lambda F, x: F.grad(lambda y: y * 2)(x[:1]), RuntimeError, "use the vjp or jacrev"),
    "not a tensor": (lambda F, x: F.grad_and_value(lambda y: 3.0)(x), RuntimeError, "return a Tensor, got"),
    "no aux": (lambda F, x: F.grad(lambda y: y.sum(), has_aux=True)(x), RuntimeError, r"\(output, aux\) if has_aux"),
    "argnums": (lambda F, x: F.grad(lambda y: y, argnums=1)(x), RuntimeError, "argnum=1, but only 1 positional"),
    "low argnums": (lambda F, x: F.grad(lambda y: y, argnums=-2)(x), RuntimeError, "argnum=-2, but only 1 positional"),
    "no arguments": (lambda F, x: F.grad(lambda: x)(), RuntimeError, "argnum=0, but only 0 positional"),
    "repeated": (lambda F, x: F.grad(lambda y, z: y, argnums=(1, -1))(x, x), RuntimeError, "must be unique"),
    "empty argnums": (lambda F, x: F.jacrev(lambda y: y, argnums=())(x), RuntimeError, "must be non-empty"),
    "list argnums": (lambda F, x: F.grad(lambda y: y, argnums=[0])(x), RuntimeError, "int or Tuple"),
    "float argnum": (lambda F, x: F.grad(lambda y: y, argnums=(0.5,))(x), RuntimeError, "argnum must be int"),
    "write": (lambda F, x: F.grad(lambda y: y.mul_(2).sum())(x), RuntimeError, "in-place operation"),
    "inner write": (
        lambda F, x: F.grad(lambda y: F.grad(lambda z: z.mul_(2).sum())(y * 1).sum())(x),
        RuntimeError,
        "in-place operation",
    ),
    "number out": (lambda F, x: F.vjp(lambda y: (y, 3.0), x), RuntimeError, "only tensors, got unsupported type"),
    "nothing out": (lambda F, x: F.jacfwd(lambda y: ())(x), RuntimeError, "non-empty output"),
    "cotangents": (lambda F, x: F.vjp(lambda y: (y, y), x)[1](x), RuntimeError, "pytree structure of cotangents"),
    "cotangent shape": (lambda F, x: F.vjp(lambda y: y * 1, x)[1](x[:1]), RuntimeError, "Mismatch in shape"),
    "primals": (lambda F, x: F.jvp(lambda y: y, x, x), RuntimeError, "Expected primals to be a tuple"),
    "no primals": (lambda F, x: F.jvp(lambda y: y, (), ()), RuntimeError, "at least one Tensor"),
    "tangents": (lambda F, x: F.jvp(lambda y: y, (x,), (x, x)), RuntimeError, "same python structure"),
    "tangent shape": (lambda F, x: F.jvp(lambda y: y, (x,), (x[:1],)), RuntimeError, "different size than"),
    "tangent": (lambda F, x: F.jvp(lambda y: y, (1.0,), (x,)), RuntimeError, "primals to only contain Tensors"),
    "strict": (lambda F, x: F.jvp(lambda y: x * 1, (x,), (x,), strict=True), RuntimeError, "independent of the inputs"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name, T, x):
    call, error, message = ERRORS[name]
    with pytest.raises(error, match=message):
        call(T.func, x)


# -- nesting of forward mode


NESTED = {
    "jvp of grad": lambda F, T, f, x, v: F.jvp(F.grad(lambda y: f(y).sum()), (x,), (v,)),
    "grad of jvp": lambda F, T, f, x, v: F.grad(lambda y: F.jvp(f, (y,), (v,))[1].sum())(x),
    "jvp of jvp": lambda F, T, f, x, v: F.jvp(lambda y: F.jvp(f, (y,), (y * v,))[1], (x,), (v,)),
    "three levels": lambda F, T, f, x, v: F.jvp(
        lambda a: F.jvp(lambda b: F.jvp(lambda c: f(a * b * c), (b,), (v,))[1], (a,), (v,))[1], (x,), (v,)
    ),
    "jvp of hessian": lambda F, T, f, x, v: F.jvp(F.hessian(lambda y: f(y).sum()), (x,), (v,))[1],
    "jacfwd of jvp": lambda F, T, f, x, v: F.jacfwd(lambda y: F.jvp(f, (y,), (v,))[1])(x),
    "a captured tangent": lambda F, T, f, x, v: F.jvp(lambda y: y * F.jvp(lambda z: y + z, (x,), (v,))[1], (x,), (v,)),
}


@pytest.mark.parametrize("name", NESTED)
def test_forward_mode_nests_as_in_pytorch(name):
    def run(T):
        x, v = (T.tensor(a, dtype=T.float64) for a in ([0.5, 2.0], [1.0, 3.0]))
        return NESTED[name](T.func, T, lambda y: T.sin(y) * y * y[0], x, v)

    assert_same(run(ac), run(torch))


def test_a_dual_level_inside_jvp_is_refused(T, x):
    def f(y):
        with T.autograd.forward_ad.dual_level():
            return y * 1

    with pytest.raises(RuntimeError, match="Nested forward mode AD is not supported"):
        T.func.jvp(f, (x,), (x,))


def test_a_tangent_of_another_dtype_is_refused():
    with pytest.raises(RuntimeError, match="Expected a tangent of the primal's dtype"):
        ac.func.jvp(ac.sin, (ac.ones(2),), (ac.ones(2, dtype=ac.float64),))


# -- what a function that is transformed may not do

FORBIDDEN = {
    "requires_grad_ of the argument": lambda T, x, w: x.requires_grad_(),
    "requires_grad_ of a new tensor": lambda T, x, w: T.ones(2).requires_grad_(),
    "requires_grad_(False)": lambda T, x, w: T.ones(2).requires_grad_(False),
    "retain_grad": lambda T, x, w: w.retain_grad(),
    "backward": lambda T, x, w: (w * w).sum().backward(),
    "autograd.functional": lambda T, x, w: T.autograd.functional.jacobian(T.sin, w),
}


@pytest.mark.parametrize("what", FORBIDDEN)
@pytest.mark.parametrize("transform", ["grad", "vjp", "jvp", "jacrev", "jacfwd"])
def test_gradients_are_not_asked_for_inside(T, x, what, transform):
    w = T.ones(2, requires_grad=True)

    def f(x):
        FORBIDDEN[what](T, x, w)
        return (x * x).sum()

    calls = {"vjp": lambda: T.func.vjp(f, x), "jvp": lambda: T.func.jvp(f, (x,), (x,))}
    with pytest.raises(RuntimeError, match=r"inside (of a function being transformed by )?a functorch transform"):
        calls[transform]() if transform in calls else getattr(T.func, transform)(f)(x)
    assert w.grad is None


def test_tensors_that_require_gradients_are_made_inside(T, x):
    def f(x):
        w = T.ones(2, dtype=T.float64, requires_grad=True)
        (g,) = T.autograd.grad((w * w).sum(), w)
        return (x * g).sum() + T.nn.Parameter(T.ones(())).detach()

    assert T.func.grad(f)(x).tolist() == [2.0, 2.0]


@pytest.mark.parametrize("transform", ["grad", "grad_and_value", "jacrev", "hessian"])
def test_hooks_on_saved_tensors_do_not_go_with_gradients(T, x, transform):
    def f(x):
        return x.sin().sum()

    def inside(x):
        with T.autograd.graph.save_on_cpu():
            return f(x)

    call = getattr(T.func, transform)
    with pytest.raises(RuntimeError, match="don't yet support saved tensor hooks"):
        call(inside)(x)
    with T.autograd.graph.save_on_cpu(), pytest.raises(RuntimeError, match="don't yet support saved tensor hooks"):
        call(f)(x)
    with T.autograd.graph.disable_saved_tensors_hooks("not here"):
        call(f)(x)


def test_hooks_on_saved_tensors_go_with_tangents_and_pullbacks(T, x):
    def f(x):
        with T.autograd.graph.save_on_cpu():
            return x.sin().sum()

    assert T.func.jvp(f, (x,), (T.ones_like(x),))[1].item() == pytest.approx(x.cos().sum().item())
    assert T.func.jacfwd(f)(x).tolist() == pytest.approx(x.cos().tolist())
    _, pullback = T.func.vjp(lambda x: x.sin().sum(), x)
    with T.autograd.graph.save_on_cpu():
        assert pullback(T.ones((), dtype=T.float64))[0].tolist() == pytest.approx(x.cos().tolist())


@pytest.mark.parametrize("aux", [3, "word", None, {"a": [None]}], ids=str)
@pytest.mark.parametrize("transform", ["grad", "grad_and_value", "vjp", "jvp", "jacrev", "jacfwd"])
def test_an_auxiliary_value_is_made_of_tensors(T, x, aux, transform):
    def f(x):
        return x.sum(), aux

    calls = {
        "vjp": lambda: T.func.vjp(f, x, has_aux=True),
        "jvp": lambda: T.func.jvp(f, (x,), (x,), has_aux=True),
    }
    with pytest.raises(RuntimeError, match="Expected tensors, got unsupported type"):
        calls[transform]() if transform in calls else getattr(T.func, transform)(f, has_aux=True)(x)
