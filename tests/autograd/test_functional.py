"""autograd.functional: values, nesting, shapes, dtypes, strict mode and errors, on PyTorch and here."""

import pytest
import torch

import autograd_core as ac
from tests.trees import assert_same


@pytest.fixture
def x(T):
    return T.tensor([1.0, 2.0], dtype=T.float64)


@pytest.fixture
def s(T):
    return T.tensor(3.0, dtype=T.float64)


def cubes(x):
    return (x**3).sum()


# -- values


FUNCTIONS = {
    "elementwise": (lambda T, x: T.sin(x) * x, [(3,)]),
    "matrix": (lambda T, a: a @ a, [(2, 2)]),
    "scalar": (lambda T, x: (x**3).sum(), [(4,)]),
    "two inputs": (lambda T, x, y: x * y.sum(), [(2,), (2, 2)]),
    "two outputs": (lambda T, x: (T.exp(x), x.sum()), [(3,)]),
    "two of each": (lambda T, x, y: (x @ y, (x * x).sum()), [(2, 3), (3,)]),
    "one output unused": (lambda T, x, y: (x * 2, y * y), [(2,), (2,)]),
    "0-d": (lambda T, x: T.stack([x, x**2, T.cos(x)]), [()]),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_products_and_jacobians_are_those_of_pytorch(name, rng):
    f, shapes = FUNCTIONS[name]
    points, tangents = ([rng.uniform(0.5, 2, shape) for shape in shapes] for _ in range(2))
    results = []
    for T in torch, ac:

        def tensors(arrays, T=T):
            found = tuple(T.tensor(a) for a in arrays)
            return found if len(found) > 1 else found[0]

        def function(*values, T=T):
            return f(T, *values)

        functional, inputs = T.autograd.functional, tensors(points)
        outputs = function(*(inputs if isinstance(inputs, tuple) else (inputs,)))
        several = isinstance(outputs, tuple)
        v = tuple(T.cos(y) for y in outputs) if several else T.cos(outputs)
        results.append(
            (
                functional.vjp(function, inputs, v),
                functional.jvp(function, inputs, tensors(tangents)),
                functional.jacobian(function, inputs),
                functional.jacobian(function, inputs, vectorize=True),
            )
        )
    theirs, ours = results
    assert_same(ours, theirs)


@pytest.mark.parametrize("shapes", [[(3,)], [(2, 2)], [()], [(2,), (2,)]], ids=str)
def test_hessians_and_their_products_are_those_of_pytorch(shapes, rng):
    points, vectors = ([rng.uniform(0.5, 2, shape) for shape in shapes] for _ in range(2))
    results = []
    for T in torch, ac:

        def f(*xs, T=T):
            return sum((T.sin(x) * xs[0] * xs[-1] ** 2).sum() for x in xs)

        inputs, v = (tuple(T.tensor(a) for a in arrays) for arrays in (points, vectors))
        if len(shapes) == 1:
            (inputs,), (v,) = inputs, v
        functional = T.autograd.functional
        results.append(
            (
                functional.hessian(f, inputs),
                functional.hessian(f, inputs, vectorize=True),
                functional.vhp(f, inputs, v),
                functional.hvp(f, inputs, v),
            )
        )
    theirs, ours = results
    assert_same(ours, theirs)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_forward_mode_gives_the_same_jacobian(name, rng):
    """PyTorch's, too, but in lists where there are several."""
    f, shapes = FUNCTIONS[name]
    inputs = tuple(ac.tensor(rng.uniform(0.5, 2, shape)) for shape in shapes)
    jacobian = ac.autograd.functional.jacobian
    by_columns = jacobian(lambda *xs: f(ac, *xs), inputs, vectorize=True, strategy="forward-mode")
    assert_same(by_columns, jacobian(lambda *xs: f(ac, *xs), inputs))


def test_forward_mode_gives_the_same_hessian(T, x):
    hessian = T.autograd.functional.hessian(cubes, x, vectorize=True, outer_jacobian_strategy="forward-mode")
    assert hessian.tolist() == [[6.0, 0.0], [0.0, 12.0]]


def test_a_captured_tensor_is_a_constant_even_if_it_is_the_input(T, x):
    x = x.requires_grad_()
    assert T.autograd.functional.jacobian(lambda y: (y * x).sum(), x).tolist() == [1.0, 2.0]


def test_the_vector_may_be_left_out_for_one_element(T, x, s):
    functional = T.autograd.functional
    assert functional.vjp(cubes, x)[1].tolist() == [3.0, 12.0]
    assert functional.jvp(lambda t: t * x, s)[1].tolist() == [1.0, 2.0]
    assert functional.hvp(lambda t: t**3, s)[1].item() == functional.vhp(lambda t: t**3, s)[1].item() == 18.0


def test_a_vector_of_another_dtype_is_converted(T, x):
    v = T.tensor([1.0, 10.0])
    for product in T.autograd.functional.vjp, T.autograd.functional.jvp:
        _, result = product(lambda x: x * x, x, v)
        assert result.dtype is T.float64 and result.tolist() == [2.0, 40.0]


def test_a_jacobian_has_the_dtype_of_its_input(T, x):
    a, b = T.autograd.functional.jacobian(lambda a, b: a * b, (x, x.to(T.float32)))
    assert a.dtype is T.float64 and b.dtype is T.float32


def test_an_input_without_influence_gives_zeros(T, x, s):
    functional = T.autograd.functional
    assert [j.tolist() for j in functional.jacobian(lambda x, s: x.sum(), (x, s))] == [[1.0, 1.0], 0.0]
    assert functional.jvp(lambda y: x * 1, x, x)[1].tolist() == [0.0, 0.0]
    assert functional.hessian(lambda y: y.sum(), x).tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert functional.hvp(lambda y: x.sum(), x, x)[1].tolist() == [0.0, 0.0]


def test_empty_inputs_and_outputs_give_empty_jacobians(T, x):
    assert T.autograd.functional.jacobian(lambda y: y.sum(), x[:0]).shape == (0,)
    assert ac.autograd.functional.jacobian(lambda y: y[:0], ac.ones(2)).shape == (0, 2)  # PyTorch cannot stack no rows


# -- history


PRODUCTS = {
    "vjp": lambda T, x, **k: T.autograd.functional.vjp(cubes, x, **k),
    "jvp": lambda T, x, **k: T.autograd.functional.jvp(cubes, x, T.ones(2, dtype=T.float64), **k),
    "jacobian": lambda T, x, **k: T.autograd.functional.jacobian(cubes, x, **k),
    "hessian": lambda T, x, **k: T.autograd.functional.hessian(cubes, x, **k),
    "vhp": lambda T, x, **k: T.autograd.functional.vhp(cubes, x, T.ones(2, dtype=T.float64), **k),
    "hvp": lambda T, x, **k: T.autograd.functional.hvp(cubes, x, T.ones(2, dtype=T.float64), **k),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_results_have_no_history_unless_a_graph_is_wanted(name, T, x):
    x.requires_grad_()
    for create_graph in False, True:
        results = PRODUCTS[name](T, x, create_graph=create_graph)
        for result in results if isinstance(results, tuple) else (results,):
            assert result.requires_grad is create_graph


@pytest.mark.parametrize("name", PRODUCTS)
def test_a_created_graph_leads_to_the_inputs(name, T, x):
    x.requires_grad_()
    result = PRODUCTS[name](T, x, create_graph=True)
    result = result[1] if isinstance(result, tuple) else result
    (g,) = T.autograd.grad(result.sum(), x)
    second, third = [6.0, 12.0], [6.0, 6.0]
    assert g.tolist() == (second if name in ("vjp", "jvp", "jacobian") else third)


@pytest.mark.parametrize("name", PRODUCTS)
def test_the_inputs_stay_as_they_are_and_no_grad_does_not_matter(name, T, x):
    with T.no_grad():
        PRODUCTS[name](T, x)
    assert not x.requires_grad and x.grad is None and x._version == 0


# -- strict mode


STRICT = {
    "constant output": ("vjp", lambda x: (lambda a: x * 1, x, x), {}, "Output 0 .* does not require gradients"),
    "unused input": ("vjp", lambda x: (lambda a, b: a * 1, (x, x), x), {}, "output .* independent of input 1"),
    "unused input, forward": ("jvp", lambda x: (lambda a, b: a * 1, (x, x), (x, x)), {}, "independent of input 1"),
    "unused input, rows": (
        "jacobian",
        lambda x: (lambda a, b: a * 1, (x, x)),
        {},
        "Output 0 .* independent of input 1",
    ),
    "linear": ("hessian", lambda x: (lambda a: a.sum(), x), {}, "jacobian .* input 0 is independent of the input"),
    "separable": ("hessian", lambda x: (lambda a, b: cubes(a) + cubes(b), (x, x)), {}, "independent of input 1"),
    "linear, vhp": ("vhp", lambda x: (lambda a: a.sum(), x, x), {}, "jacobian .* input 0 is independent"),
    "linear, hvp": ("hvp", lambda x: (lambda a: a.sum(), x, x), {}, "jacobian .* input 0 is independent"),
    "constant vjp": ("vjp", lambda x: (lambda a: a * 2, x, x), {"create_graph": True}, "jacobian .* create_graph=True"),
    "constant jvp": ("jvp", lambda x: (lambda a: a * 2, x, x), {"create_graph": True}, "jacobian .* create_graph=True"),
    "constant rows": ("jacobian", lambda x: (lambda a: a * 2, x), {"create_graph": True}, "jacobian .* create_graph"),
    "quadratic": ("hvp", lambda x: (lambda a: (a * a).sum(), x, x), {"create_graph": True}, "hessian .* create_graph"),
}


@pytest.mark.parametrize("name", STRICT)
def test_strict_mode_refuses_what_does_not_depend(name, T, x):
    function, arguments, options, message = STRICT[name]
    with pytest.raises(RuntimeError, match=message):
        getattr(T.autograd.functional, function)(*arguments(x), strict=True, **options)


def test_strict_mode_accepts_what_depends(T, x):
    assert T.autograd.functional.jacobian(cubes, x, strict=True).tolist() == [3.0, 12.0]
    assert T.autograd.functional.hessian(cubes, x, strict=True).tolist() == [[6.0, 0.0], [0.0, 12.0]]
    assert T.autograd.functional.jvp(lambda y: y * 2, x, x, strict=True)[1].tolist() == [2.0, 4.0]


# -- errors


ERRORS = {
    "list of inputs": ("vjp", lambda x: (lambda a: a, [x], x), TypeError, "inputs given to vjp .* Tensor or a tuple"),
    "number in inputs": ("vjp", lambda x: (lambda a, b: a, (x, 3.0), x), TypeError, "value at index 1 has type"),
    "list of outputs": ("jacobian", lambda x: (lambda a: [a], x), TypeError, "outputs of the user-provided function"),
    "number as output": ("hessian", lambda x: (lambda a: 3.0, x), TypeError, "outputs .* given to hessian"),
    "number as v": ("vjp", lambda x: (cubes, x, 3.0), TypeError, "v given to vjp"),
    "no v": ("vjp", lambda x: (lambda a: a * 1, x), RuntimeError, "v can only be None if the user-provided function"),
    "no v, forward": ("jvp", lambda x: (cubes, x), RuntimeError, "v can only be None if the input"),
    "size of v": ("vjp", lambda x: (lambda a: a * 1, x, x[:1]), RuntimeError, "v has invalid size: should be"),
    "size in v": ("jvp", lambda x: (lambda a, b: a, (x, x), (x, x[:1])), RuntimeError, "Entry 1 in v has invalid size"),
    "length of v": ("hvp", lambda x: (lambda a, b: cubes(a), (x, x), x), RuntimeError, "should be 2 but got 1"),
    "two for one": ("jvp", lambda x: (cubes, x, (x, x)), RuntimeError, "v should contain a single Tensor"),
    "integers": ("vjp", lambda x: (cubes, x > 0), RuntimeError, "floating point"),
    "vector output": ("hessian", lambda x: (lambda a: a, x), RuntimeError, "hessian should contain a single element"),
    "tuple output": ("vhp", lambda x: (lambda a: (a.sum(),), x, x), RuntimeError, "should return a single Tensor"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name, T, x):
    function, arguments, error, message = ERRORS[name]
    with pytest.raises(error, match=message):
        getattr(T.autograd.functional, function)(*arguments(x))


def test_options_that_do_not_go_together_or_do_not_exist(T, x):
    functional = T.autograd.functional
    with pytest.raises(RuntimeError, match="not supported together"):
        functional.jacobian(cubes, x, strict=True, vectorize=True)
    with pytest.raises(NotImplementedError):
        functional.jacobian(cubes, x, strategy="forward-mode")
    with pytest.raises(NotImplementedError):
        functional.hessian(cubes, x, outer_jacobian_strategy="forward-mode")
    with pytest.raises(NotImplementedError, match="not supported together"):
        functional.jacobian(cubes, x, create_graph=True, vectorize=True, strategy="forward-mode")
    with pytest.raises(RuntimeError, match="not supported together"):
        functional.jacobian(cubes, x, strict=True, vectorize=True, strategy="forward-mode")
    with pytest.raises(AssertionError, match="strategy to be either"):
        functional.jacobian(cubes, x, strategy="sideways")


def test_nothing_to_differentiate():
    with pytest.raises(RuntimeError, match="inputs given to vjp are empty"):
        ac.autograd.functional.vjp(lambda: ac.ones(2), ())
