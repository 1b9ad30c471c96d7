"""What an op is: definitions that are checked, plans that save what rules name, and `explain`."""

import inspect

import numpy as np
import pytest

import autograd_core as ac
from autograd_core.core.primitive import registry
from autograd_core.core.table import define, elementwise, general, linear, nondiff
from autograd_core.ops.shapes.shape import expand


@pytest.fixture(autouse=True)
def the_table_is_left_as_it_was():
    before = dict(registry)
    yield
    registry.clear()
    registry.update(before)


def leaf(*values):
    return ac.tensor(values, dtype=ac.float64, requires_grad=True)


def test_a_rule_saves_what_it_names():
    op = elementwise("scaled", lambda x, y: x * y, "x y", lambda g, y: g * y, lambda g, x: g * x)
    x, y = leaf(2.0), leaf(3.0)
    assert op(x, y).grad_fn.plan.saved_names == ("x", "y")
    assert op(x, 3.0).grad_fn.plan.saved_names == ("y",)
    assert op(x.detach(), y).grad_fn.plan.saved_names == ("x",)


def test_an_output_is_saved_by_name():
    op = elementwise("exponential", np.exp, "x", lambda g, out: g * out)
    x = leaf(0.5)
    y = op(x)
    assert y.grad_fn.plan.saved_names == ("out",) and y.grad_fn.saved[0][0] is y.detach().numpy()
    y.backward()
    assert x.grad.item() == np.exp(0.5)


def test_shapes_dtypes_and_parameters_cost_nothing():
    op = linear(
        "total",
        lambda x, scale=1.0: x.sum() * scale,
        "x",
        lambda g, x_shape, x_dtype, scale: expand(g * scale, x_shape),
    )
    x = leaf(1.0, 2.0)
    y = op(x, scale=3.0)
    assert y.grad_fn.saved == ()
    y.backward()
    assert x.grad.tolist() == [3.0, 3.0]
    op(x).backward()
    assert x.grad.tolist() == [4.0, 4.0]


def test_a_residual_is_computed_once_and_released_with_the_graph():
    def forward(x):
        mask = x > 0
        return x * mask, mask

    op = general("positive", forward, "x", lambda g, mask: g * mask, residuals="mask")
    x = leaf(-1.0, 2.0)
    y = op(x)
    assert y.grad_fn.plan.saved_names == ("mask",)
    y.sum().backward()
    assert x.grad.tolist() == [0.0, 1.0]
    with pytest.raises(RuntimeError, match=r"released the values it saved \(mask\)"):
        y.sum().backward()


def test_several_outputs_come_by_name_and_a_missing_cotangent_is_none():
    seen = []

    def d_x(g_low, g_high):
        seen.append((g_low is None, g_high is None))
        return (0 if g_low is None else g_low) + (0 if g_high is None else 2 * g_high)

    op = general("split_levels", lambda x: (x - 1, 2 * x), "x", d_x, outputs="low high")
    x = leaf(1.0)
    result = op(x)
    assert result.low.item() == 0.0 and result.high.item() == 2.0
    low, high = result
    high.backward(retain_graph=True)
    (low + high).backward()
    assert seen == [(True, False), (False, False)] and x.grad.item() == 5.0


def test_a_group_of_inputs_has_one_rule_that_is_called_by_position():
    op = linear(
        "total_of", lambda xs: sum((i + 1) * x for i, x in enumerate(xs)), "*xs", lambda g, position: g * (position + 1)
    )
    a, b = leaf(1.0), leaf(2.0)
    op([a, 5.0, b]).backward()
    assert (a.grad.item(), b.grad.item()) == (1.0, 3.0)
    with pytest.raises(TypeError, match="must be a tuple or list of tensors"):
        op(a)


def test_an_op_without_a_rule_for_an_input_sends_nothing_there():
    op = general("picked", lambda x, mask: x * mask, "x mask", lambda g, mask: g * mask, None)
    x, mask = leaf(1.0, 2.0), leaf(0.0, 1.0)
    y = op(x, mask)
    y.sum().backward()
    assert y.grad_fn.next_functions[1] == (None, 0) and mask.grad is None and x.grad.tolist() == [0.0, 1.0]


def test_a_nondiff_op_is_never_recorded():
    op = nondiff("is_big", lambda x, limit=1.0: x > limit, "x")
    assert op(leaf(0.0, 5.0)).tolist() == [False, True] and not op(leaf(1.0)).requires_grad
    assert op(leaf(0.0, 5.0), limit=-1.0).tolist() == [True, True]


def test_a_rule_never_thinks_about_broadcasting_or_dtype():
    op = elementwise("plain_product", np.multiply, "x y", lambda g, y: g * y, lambda g, x: g * x)
    x = ac.ones(3, 1, requires_grad=True)
    y = ac.ones(2, dtype=ac.float64, requires_grad=True)
    op(x, y).sum().backward()
    assert x.grad.shape == (3, 1) and x.grad.dtype is ac.float32 and x.grad.tolist() == [[2.0]] * 3
    assert y.grad.shape == (2,) and y.grad.dtype is ac.float64 and y.grad.tolist() == [3.0, 3.0]


def test_the_same_rule_text_is_recorded_for_the_second_derivative():
    op = elementwise("cubed", lambda x: x**3, "x", lambda g, x: g * 3 * x * x)
    x = leaf(2.0)
    (first,) = ac.autograd.grad(op(x).sum(), x, create_graph=True)
    (second,) = ac.autograd.grad(first.sum(), x)
    assert (first.item(), second.item()) == (12.0, 12.0)
    assert ac.autograd.gradgradcheck(op, leaf(0.3, -1.2))


def test_called_on_arrays_an_op_returns_arrays():
    op = elementwise("twice", lambda x: 2 * x, "x", lambda g: 2 * g)
    assert type(op(np.ones(2))) is np.ndarray


# -- definitions that are refused, with what would be right


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ((lambda g, z: g * z,), r"a rule of bad names \['z'\]; it may name .*'x'"),
        ((lambda g, y_shape: g,), r"names \['y_shape'\]"),
        ((lambda g_low: g_low,), r"names \['g_low'\]"),
        ((lambda g: g, lambda g: g), "bad has 1 inputs but 2 rules"),
    ],
    ids=["unknown value", "shape of an unknown", "unknown output", "too many rules"],
)
def test_a_wrong_definition_is_refused_at_once(rules, words):
    with pytest.raises(TypeError, match=words):
        define("bad", lambda x: x, "x", "general", *rules)
    assert "bad" not in registry


def test_too_few_rules_are_refused():
    with pytest.raises(TypeError, match="bad has 2 inputs but 1 rules; give None where no gradient flows"):
        define("bad", lambda x, y: x, "x y", "general", lambda g: g)


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="elementwise, linear, general or nondiff"):
        define("bad", lambda x: x, "x", "smooth", lambda g: g)


# -- calls that are refused


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (
            lambda op, x: op(x, 1.0, 2.0, 3.0),
            TypeError,
            r"scaled\(\) takes from 2 to 3 positional arguments",
        ),
        (lambda op, x: op(x), TypeError, r"scaled\(\) missing 1 required positional argument: 'other'"),
        (lambda op, x: op(x, 1.0, depth=3), TypeError, r"scaled\(\) got an unexpected keyword argument 'depth'"),
        (lambda op, x: op("text", "text"), TypeError, r"scaled\(\): argument 'input' must be Tensor, not str, str"),
        (
            lambda op, x: op(x, "text"),
            TypeError,
            r"scaled\(\): argument 'other' must be a tensor, an array or a number, not str",
        ),
    ],
    ids=["too many", "missing", "unknown keyword", "no tensor", "foreign operand"],
)
def test_a_wrong_call_is_refused_by_name(call, error, words):
    op = general("scaled", lambda x, y, power=1: (x * y) ** power, "x y", lambda g: g, lambda g: g)
    with pytest.raises(error, match=words):
        call(op, leaf(1.0))


def test_inputs_may_be_given_by_their_public_names():
    op = general("difference", lambda x, y, scale=1: (x - y) * scale, "x y", lambda g: g, lambda g: -g)
    assert op(leaf(5.0), other=leaf(2.0)).item() == op(input=leaf(5.0), other=2.0).item() == 3.0
    assert op(leaf(5.0), leaf(2.0), 10).item() == op(leaf(5.0), 2.0, scale=10).item() == 30.0
    assert list(inspect.signature(op).parameters) == ["input", "other", "scale", "out"]


def test_numbers_on_the_left_and_numpy_operands():
    x = leaf(1.0, 2.0)
    for y in (np.float64(3.0) * x, np.array([3.0, 3.0]) * x, x * np.float64(3.0), 3 * x, x * np.array(3.0)):
        assert isinstance(y, ac.Tensor) and y.requires_grad and y.tolist() == [3.0, 6.0]


# -- explaining


def test_explain_shows_rules_and_what_they_save():
    assert registry["mul"].explain().splitlines() == [
        "mul: elementwise",
        "  gradient for x: rule(g, y), saves y",
        "  gradient for y: rule(g, x), saves x",
    ]
    op = linear("shifted", lambda x, by=1: x + by, "x", lambda g: g)
    assert op.primitive.explain().splitlines()[1] == "  gradient for x: rule(g), saves nothing"
    assert nondiff("sign_of", np.sign, "x").primitive.explain() == "sign_of: nondiff"


def test_the_public_function_documents_itself():
    op = linear(
        "shifted", lambda x, by=1: x + by, "x", lambda g: g, doc="x moved.", example="ac.ones(1) -> tensor([1.])"
    )
    assert (
        op.__name__ == "shifted" and op.__doc__.startswith("x moved.") and "Saves for backward: nothing." in op.__doc__
    )
    assert ">>> ac.ones(1)\ntensor([1.])" in op.__doc__ and str(inspect.signature(op)) == "(input, by=1, *, out=None)"
    assert registry["shifted"].function is op


def test_a_value_may_not_take_the_name_of_a_cotangent():
    with pytest.raises(TypeError, match=r"'g'.*name the values otherwise"):
        elementwise("scaled", np.negative, "g", lambda g: -g)
