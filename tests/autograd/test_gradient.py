"""`backward` and `grad`: arguments, results and errors, in the same words on PyTorch and here."""

import warnings

import numpy as np
import pytest

import autograd_core as ac


@pytest.fixture
def x(T):
    return T.tensor([1.0, 2.0], requires_grad=True)


# -- seeds


def test_a_single_element_is_seeded_with_one(T, x):
    (x * x).sum().backward()
    assert x.grad.tolist() == [2.0, 4.0]
    assert T.autograd.grad((x * x).sum().reshape(1, 1), x)[0].tolist() == [2.0, 4.0]


def test_a_seed_weighs_the_outputs(T, x):
    (x * x).backward(T.tensor([10.0, 1.0]))
    assert x.grad.tolist() == [20.0, 4.0]
    (x * x).backward(gradient=T.tensor([1.0, 0.0]))
    assert x.grad.tolist() == [22.0, 4.0]


def test_several_outputs_with_seeds(T, x):
    y = x * 3
    T.autograd.backward([y, y.sum(), x], [T.tensor([1.0, 10.0]), None, T.ones(2)])
    assert x.grad.tolist() == [7.0, 34.0]
    (g,) = T.autograd.grad((x * 2, x.sum()), x, grad_outputs=(T.ones(2), T.tensor(5.0)))
    assert g.tolist() == [7.0, 7.0]


def test_one_output_twice_counts_twice(T, x):
    y = x.sum()
    assert T.autograd.grad([y, y], x)[0].tolist() == [2.0, 2.0]


def test_a_seed_of_another_dtype_is_converted(T, x):
    T.autograd.backward(x * 2, T.ones(2, dtype=T.float64))
    assert x.grad.dtype is T.float32 and x.grad.tolist() == [2.0, 2.0]


def test_the_seed_is_not_changed_and_not_shared(T, x):
    seed = T.tensor([3.0, 4.0])
    x.backward(seed)
    x.backward(seed)
    assert x.grad.tolist() == [6.0, 8.0] and seed.tolist() == [3.0, 4.0]


def test_nothing_to_differentiate(T):
    assert T.autograd.backward([]) is None


# -- which inputs


def test_grad_returns_a_tuple_and_stores_nothing(T, x):
    w = T.tensor(3.0, requires_grad=True)
    found = T.autograd.grad((x * w).sum(), [w, x])
    assert type(found) is tuple and [g.tolist() for g in found] == [3.0, [3.0, 3.0]]
    assert x.grad is None and w.grad is None


def test_grad_of_non_leaves_and_of_the_output_itself(T, x):
    y = x * 2
    z = (y * y).sum()
    found = T.autograd.grad(z, [z, y, x])
    assert [g.tolist() for g in found] == [1.0, [4.0, 8.0], [8.0, 16.0]]


def test_an_input_named_twice_is_answered_twice(T, x):
    a, b = T.autograd.grad(x.sum(), [x, x])
    assert a.tolist() == b.tolist() == [1.0, 1.0]


def test_grad_stops_at_its_inputs(T, x):
    h = x * x
    y = h * h
    z = (y * 2).sum()
    T.autograd.grad(z, y, retain_graph=False)
    y.sum().backward()  # the rules of y's node and of those below did not run, so nothing of them was released
    assert x.grad.tolist() == [4.0, 32.0]


def test_an_unused_input(T, x):
    w = T.ones(2, 2, requires_grad=True)
    y = (x * x).sum()
    with pytest.raises(RuntimeError, match=r"appears to not have been used in the graph.*allow_unused=True"):
        T.autograd.grad(y, [x, w], retain_graph=True)
    assert T.autograd.grad(y, w, allow_unused=True, retain_graph=True) == (None,)
    g, zeros = T.autograd.grad(y, [x, w], materialize_grads=True)
    assert g.tolist() == [2.0, 4.0] and zeros.tolist() == [[0.0, 0.0]] * 2 and zeros.dtype is w.dtype


def test_materialized_zeros_contradict_refused_unused(T, x):
    with pytest.raises(ValueError, match="allow_unused"):
        T.autograd.grad(x.sum(), x, allow_unused=False, materialize_grads=True)


def test_backward_into_some_inputs(T, x):
    w = T.tensor([3.0, 4.0], requires_grad=True)
    h = x * w
    h.sum().backward(inputs=[x, h])
    assert x.grad.tolist() == [3.0, 4.0] and w.grad is None
    assert h.grad.tolist() == [1.0, 1.0]
    (x * w).sum().backward(inputs=w)
    assert w.grad.tolist() == [1.0, 2.0] and x.grad.tolist() == [3.0, 4.0]


def test_backward_into_an_input_that_nothing_reaches_stores_nothing(T, x):
    w = T.ones(2, requires_grad=True)
    x.sum().backward(inputs=[w])
    assert w.grad is None and x.grad is None


# -- releasing and keeping


@pytest.mark.parametrize("keep", [True, False, None])
def test_retain_graph(T, x, keep):
    y = (x * x).sum()
    y.backward(retain_graph=keep)
    if keep:
        y.backward()
        assert x.grad.tolist() == [4.0, 8.0]
    else:
        with pytest.raises(RuntimeError, match="backward through the graph a second time"):
            y.backward()
        assert x.grad.tolist() == [2.0, 4.0]


def test_grad_releases_too(T, x):
    y = (x * x).sum()
    T.autograd.grad(y, x, retain_graph=True)
    T.autograd.grad(y, x)
    with pytest.raises(RuntimeError, match="a second time"):
        T.autograd.grad(y, x)


def test_a_part_shared_with_another_output_is_released(T, x):
    h = x * x
    a, b = h.sum(), (h * 2).sum()
    a.backward()
    with pytest.raises(RuntimeError, match="a second time"):
        b.backward()


def test_create_graph_keeps_the_graph_by_default(T, x):
    y = (x * x * x).sum()
    (g,) = T.autograd.grad(y, x, create_graph=True)
    assert g.requires_grad and g.grad_fn is not None
    assert T.autograd.grad(g.sum(), x, retain_graph=True)[0].tolist() == [6.0, 12.0]
    assert T.autograd.grad(y, x)[0].tolist() == [3.0, 12.0]


def test_create_graph_with_release(T, x):
    y = (x * x).sum()
    (g,) = T.autograd.grad(y, x, create_graph=True, retain_graph=False)
    with pytest.raises(RuntimeError, match="a second time"):
        T.autograd.grad(y, x)
    assert g.requires_grad


def test_a_first_order_gradient_has_no_history(T, x):
    (g,) = T.autograd.grad((x * x).sum(), x)
    assert not g.requires_grad and g.grad_fn is None


def test_backward_with_create_graph_warns_and_stores_history():
    x = ac.tensor([1.0, 2.0], requires_grad=True)  # PyTorch warns once a process, this package each time
    with pytest.warns(UserWarning, match=r"backward\(\) with create_graph=True will create a reference cycle"):
        (x * x * x).sum().backward(create_graph=True)
    assert x.grad.requires_grad
    assert ac.autograd.grad(x.grad.sum(), x)[0].tolist() == [6.0, 12.0]


def test_recorded_gradients_accumulate_out_of_place(T, x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (x * x).sum().backward(create_graph=True)
        first = x.grad
        (x * x).sum().backward(create_graph=True)
    assert x.grad is not first and first.tolist() == [2.0, 4.0] and x.grad.tolist() == [4.0, 8.0]
    x.grad = None


def test_the_derivative_with_respect_to_the_seed(T, x):
    v = T.tensor([1.0, 1.0], requires_grad=True)
    (g,) = T.autograd.grad(x * x, x, v, create_graph=True)
    assert T.autograd.grad(g.sum(), v)[0].tolist() == [2.0, 4.0]  # double backward through vᵀJ gives J


def test_a_mixed_second_derivative(T):
    x = T.tensor(2.0, requires_grad=True)
    y = T.tensor(3.0, requires_grad=True)
    (gx,) = T.autograd.grad(x * x * y, x, create_graph=True)
    assert T.autograd.grad(gx, [x, y]) == (6.0, 4.0)


# -- accumulation


def test_gradients_add_up_in_place(T, x):
    x.sum().backward()
    kept = x.grad
    (x * 2).sum().backward()
    assert x.grad is kept and kept.tolist() == [3.0, 3.0]


def test_a_replaced_data_of_another_shape_is_refused():
    x = ac.tensor([1.0, 2.0], requires_grad=True)
    x.sum().backward()
    x.data = ac.ones(3)
    with pytest.raises(
        RuntimeError, match=r"cannot add a gradient of shape \[3\] to the \.grad of shape \[2\].*Set \.grad to None"
    ):
        x.sum().backward()


# -- errors: nothing is stored, the graph is as before


ERRORS = {
    "no seed for a vector": (
        lambda T, x: (x * 2).backward(),
        RuntimeError,
        "implicitly created only for scalar outputs",
    ),
    "no seed for an empty output": (lambda T, x: (x * 2)[:0].backward(), RuntimeError, "only for scalar outputs"),
    "no seed for one of several": (
        lambda T, x: T.autograd.backward([x.sum(), x * 2], [None, None]),
        RuntimeError,
        "only for scalar outputs",
    ),
    "seed of another shape": (
        lambda T, x: (x * 2).backward(T.ones(3)),
        RuntimeError,
        r"Mismatch in shape: grad_output\[0\] has a shape of .*\[3\].* and output\[0\] has a shape of .*\[2\]",
    ),
    "seed that would broadcast": (lambda T, x: (x * 2).backward(T.tensor(1.0)), RuntimeError, "Mismatch in shape"),
    "seed of a scalar with an axis": (lambda T, x: x.sum().backward(T.ones(1)), RuntimeError, "Mismatch in shape"),
    "second seed of another shape": (
        lambda T, x: T.autograd.backward([x.sum(), x * 2], [None, T.ones(1, 2)]),
        RuntimeError,
        None,  # PyTorch stumbles over making its message
    ),
    "seed that is text": (
        lambda T, x: T.autograd.backward([x.sum()], ["seed"]),
        TypeError,
        "gradients can be either Tensors or None, but got str",
    ),
    "seed that is a number": (lambda T, x: x.sum().backward(1.0), TypeError, "float"),
    "fewer seeds than outputs": (
        lambda T, x: T.autograd.backward([x.sum(), x.sum()], [T.tensor(1.0)]),
        RuntimeError,
        "got 2 tensors and 1 gradients",
    ),
    "output that requires no gradient": (
        lambda T, x: T.ones(2).sum().backward(),
        RuntimeError,
        "element 0 of tensors does not require grad and does not have a grad_fn",
    ),
    "second output requires no gradient": (
        lambda T, x: T.autograd.backward([x.sum(), T.tensor(1.0)]),
        RuntimeError,
        "element 1 of tensors does not require grad",
    ),
    "detached output": (lambda T, x: x.detach().sum().backward(), RuntimeError, "does not require grad"),
    "integer output": (lambda T, x: T.autograd.grad(x.argmax(), x), RuntimeError, "does not require grad"),
    "input that requires no gradient": (
        lambda T, x: T.autograd.grad(x.sum(), T.ones(2)),
        RuntimeError,
        "One of the differentiated Tensors does not require grad",
    ),
    "such an input, though unused is allowed": (
        lambda T, x: T.autograd.grad(x.sum(), [x, T.ones(2)], allow_unused=True),
        RuntimeError,
        "does not require grad",
    ),
    "input that is no tensor": (
        lambda T, x: T.autograd.grad(x.sum(), [x, None]),
        RuntimeError,
        "all inputs have to be Tensors",
    ),
    "no inputs": (lambda T, x: T.autograd.grad(x.sum(), []), RuntimeError, r"argument to .?grad\(\).? cannot be empty"),
    "no inputs of backward": (
        lambda T, x: x.sum().backward(inputs=[]),
        RuntimeError,
        r"argument to .?backward.* cannot be empty",
    ),
    "backward into a constant": (
        lambda T, x: x.sum().backward(inputs=[T.ones(2)]),
        RuntimeError,
        "does not require grad|requires_grad=False",
    ),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(T, x, name):
    call, error, words = ERRORS[name]
    with pytest.raises(error, match=words):
        call(T, x)
    assert x.grad is None
    x.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]


def test_an_output_that_is_no_tensor():
    x = ac.ones(2, requires_grad=True)  # PyTorch's error is an AssertionError
    with pytest.raises(TypeError, match="element 1 is str"):
        ac.autograd.backward([x.sum(), "loss"])
    assert x.grad is None


def test_too_many_seeds_are_refused():
    x = ac.ones(2, requires_grad=True)  # PyTorch ignores those beyond
    with pytest.raises(RuntimeError, match="got 1 tensors and 2 gradients"):
        ac.autograd.backward(x * 2, [ac.ones(2), None])


def test_a_failed_rule_stores_nothing_and_a_later_pass_works():
    from autograd_core.core.primitive import registry
    from autograd_core.core.table import define

    fail = True

    def rule(g):
        if fail:
            raise ZeroDivisionError("the rule failed")
        return g

    op = define("moody", lambda x: x + 0, "x", "general", rule)
    del registry["moody"]
    x = ac.ones(2, requires_grad=True)
    y = (op(x * 2)).sum()
    with pytest.raises(ZeroDivisionError, match="the rule failed"):
        y.backward()
    assert x.grad is None and ac.is_grad_enabled()
    fail = False
    y.backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_the_mode_is_put_back_after_an_error(T, x):
    y = x * x
    y.register_hook(lambda g: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        y.sum().backward()
    assert T.is_grad_enabled() and x.grad is None


def test_the_answer_does_not_depend_on_the_order_of_inputs(rng):
    values = rng.normal(size=(3, 4))
    x, w, b = (ac.tensor(v, requires_grad=True) for v in values)
    y = ((x * w).sin() * b + w).sum()
    forward = ac.autograd.grad(y, [x, w, b], retain_graph=True)
    backward = ac.autograd.grad(y, [b, w, x])[::-1]
    for f, r in zip(forward, backward, strict=True):
        assert np.array_equal(f.numpy(), r.numpy())


def test_recorded_gradients_share_no_memory(T, x):
    y, seed = T.ones(2, requires_grad=True), T.ones(2)
    total = x + y
    total.retain_grad()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        total.backward(seed, create_graph=True)
    held = [x.grad, y.grad, total.grad, seed]
    assert len({t.data_ptr() for t in held}) == len(held)


def test_a_stored_gradient_whose_elements_overlap_is_refused(T, x):
    x.grad = T.zeros(1).expand(2)
    with pytest.raises(RuntimeError, match="more than one element"):
        x.sum().backward()
    assert x.grad.tolist() == [0.0, 0.0]


def test_recorded_zeros_for_an_unused_input_can_be_differentiated(T, x):
    y = T.ones(2, requires_grad=True)
    for create_graph in (False, True):
        (g,) = T.autograd.grad(x.sum(), y, create_graph=create_graph, materialize_grads=True)
        assert g.tolist() == [0.0, 0.0] and g.requires_grad == create_graph


def test_hooks_of_an_output_run_even_if_no_input_is_reached(T, x):
    y, seen = x * 2, []
    y.retain_grad()
    y.register_hook(lambda g: seen.append(g.tolist()))
    unused = T.ones(2, requires_grad=True)
    T.autograd.grad(y, unused, T.ones(2), allow_unused=True)
    assert seen == [[1.0, 1.0]] and y.grad.tolist() == [1.0, 1.0] and x.grad is None


def test_no_pass_starts_or_arrives_at_a_view_made_under_no_grad(T, x):
    y = x * 1
    with T.no_grad():
        view = y[:1]
    assert view.requires_grad and view.is_leaf
    with pytest.raises(RuntimeError, match="does not require grad and does not have a grad_fn"):
        view.backward()
    assert T.autograd.grad((view * y).sum(), [view, y], allow_unused=True)[0] is None
