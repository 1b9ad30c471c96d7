"""What a node saved, by name; the place where it is kept; and older names of tensors."""

import pytest

import autograd_core as ac


@pytest.fixture
def x(T):
    return T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)


def test_saved_values_by_name(T, x):
    y = x * 2
    product, power, total, picked = x * y, y.exp(), y.cumsum(0), x[T.tensor([1])]
    assert product.grad_fn._saved_self is x
    assert product.grad_fn._saved_other is y
    assert power.grad_fn._saved_result.tolist() == power.tolist()
    assert power.grad_fn._saved_result is not power
    assert power.grad_fn._saved_result.grad_fn is power.grad_fn
    assert total.grad_fn._saved_dim in (0, 2**64)
    assert picked.grad_fn._saved_indices[0].tolist() == [1]
    assert tuple(picked.grad_fn._saved_self_sym_sizes) == (2,)
    assert {"_saved_self", "_saved_other"} <= set(dir(product.grad_fn))
    with pytest.raises(AttributeError):
        _ = product.grad_fn._saved_nothing


def test_a_saved_value_shares_its_version_and_goes_with_the_graph(T, x):
    y = x.exp()
    saved = y.grad_fn._saved_result
    with T.no_grad():
        y.add_(1)
    assert saved._version == y._version == 1
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        _ = y.grad_fn._saved_result
    z = (x * x).sum()
    node = z.grad_fn.next_functions[0][0]
    z.backward()
    with pytest.raises(RuntimeError, match="directly access saved tensors after they have already been freed"):
        _ = node._saved_self


def test_hooks_on_one_saved_tensor(T, x):
    log = []
    y = x.exp()
    place = y.grad_fn._raw_saved_result
    place.register_hooks(lambda t: log.append("pack") or t.detach() * 2, lambda t: log.append("unpack") or t)
    y.sum().backward()
    assert log == ["pack", "unpack"]
    assert x.grad.tolist() == (2 * y).tolist()


def test_what_hooks_on_a_saved_tensor_refuse(T, x):
    y = x * x
    place = y.grad_fn._raw_saved_self
    with pytest.raises(TypeError):
        place.register_hooks(1, 2)
    place.register_hooks(lambda t: t, lambda t: t)
    with pytest.raises(RuntimeError, match="hooks have already been set"):
        place.register_hooks(lambda t: t, lambda t: t)
    with pytest.raises(RuntimeError, match="Trying to create a SavedTensor object from Python is forbidden"):
        T.autograd.SavedTensor()


def test_a_variable_is_a_leaf_on_the_memory_of_a_tensor(T, x):
    Variable = T.autograd.Variable
    v = Variable(x * 1, requires_grad=True)
    assert (v.is_leaf, v.requires_grad, type(v)) == (True, True, T.Tensor)
    assert Variable(x).data_ptr() == x.data_ptr()
    assert not Variable(x).requires_grad
    assert isinstance(x, Variable)
    assert not isinstance(3.0, Variable)
    with pytest.raises(TypeError, match="Variable data has to be a tensor"):
        Variable(3.0)


def test_grad_takes_a_dict_and_the_keywords_of_pytorch(T, x):
    y = T.tensor(3.0, dtype=T.float64, requires_grad=True)
    found = T.autograd.grad((x * y).sum(), {"x": x, "y": y})
    assert {name: g.tolist() for name, g in found.items()} == {"x": [3.0, 3.0], "y": 3.0}
    with pytest.warns(FutureWarning, match="only_inputs argument is deprecated"):
        T.autograd.grad((x * y).sum(), x, only_inputs=False)


def test_grads_in_batches_are_refused():
    x = ac.ones(2, requires_grad=True)
    with pytest.raises(NotImplementedError, match="vmap"):
        ac.autograd.grad(x * 2, x, ac.ones(3, 2), is_grads_batched=True)


def test_inference_tensors_by_function(T):
    with T.inference_mode():
        x = T.ones(2)
    assert (T.is_inference(x), T.is_inference(T.ones(2))) == (True, False)


@pytest.mark.parametrize("early", [True, False])
def test_where_a_checkpoint_stops(T, early):
    from importlib import import_module

    checkpoint = import_module(f"{T.__name__}.utils.checkpoint")
    log, x = [], T.ones(1, requires_grad=True)

    def function(t):
        y = t.exp()
        log.append("end")
        return y

    with checkpoint.set_checkpoint_early_stop(early):
        y = checkpoint.checkpoint(function, x, use_reentrant=False, early_stop=not early)
    y.backward()
    assert len(log) == (1 if early else 2)
    checkpoint.checkpoint(function, x, use_reentrant=False, early_stop=early).backward()
    assert len(log) == (2 if early else 4)


# -- gradcheck


def double(T, *values):
    return T.tensor(list(values), dtype=T.float64, requires_grad=True)


def test_gradcheck_of_forward_mode(T):
    class Wrong(T.autograd.Function):
        @staticmethod
        def forward(x):
            return x * 2

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

        @staticmethod
        def backward(ctx, g):
            return g * 2

        @staticmethod
        def jvp(ctx, t):
            return t * 3

    x = double(T, 1.0, 2.0)
    assert T.autograd.gradcheck(lambda x: x.sin() * x, (x,), check_forward_ad=True)
    assert T.autograd.gradcheck(Wrong.apply, (x,))
    with pytest.raises(RuntimeError, match="Jacobian computed with forward mode mismatch for output 0"):
        T.autograd.gradcheck(Wrong.apply, (x,), check_forward_ad=True)
    with pytest.raises(RuntimeError, match="Jacobian computed with forward mode mismatch for output 0"):
        T.autograd.gradcheck(
            Wrong.apply, (x,), check_forward_ad=True, check_backward_ad=False, check_undefined_grad=False
        )
    assert T.autograd.gradgradcheck(lambda x: x**3, (x,), check_fwd_over_rev=True)


@pytest.mark.parametrize("fast", [False, True])
def test_gradcheck_of_outputs_whose_shape_or_dtype_depends_on_values(T, fast):
    x = double(T, 1.0)
    with pytest.raises(AssertionError, match="return outputs with the same shape when inputs are perturbed"):
        T.autograd.gradcheck(lambda x: T.cat([x, x]) if x.item() >= 1 else x, (x,), fast_mode=fast)
    with pytest.raises(AssertionError, match="return outputs with the same dtype when inputs are perturbed"):
        T.autograd.gradcheck(lambda x: x.float() if x.item() >= 1 else x, (x,), fast_mode=fast)


@pytest.mark.parametrize("early", [True, False])
def test_a_pass_inside_a_checkpointed_function(T, early):
    from importlib import import_module

    checkpoint = import_module(f"{T.__name__}.utils.checkpoint")

    def gradient(x):
        with T.enable_grad():
            (g,) = T.autograd.grad(x.sin().exp().sin(), x, create_graph=True)
        return g

    x, y = (T.tensor(0.5, dtype=T.float64, requires_grad=True) for _ in range(2))
    with checkpoint.set_checkpoint_early_stop(early):
        checkpoint.checkpoint(gradient, x, use_reentrant=False).backward()
    gradient(y).backward()
    assert x.grad.item() == pytest.approx(y.grad.item())
