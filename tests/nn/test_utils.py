"""Clipping of gradients, and parameters as a vector, in both libraries."""

import numpy as np
import pytest
import torch

import autograd_core as ac

LIBRARIES = pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])


def with_gradients(T, *gradients):
    """Parameters with these gradients; None for one without."""
    parameters = []
    for gradient in gradients:
        p = T.tensor([0.0, 0.0] if gradient is None else [0.0] * len(gradient), requires_grad=True)
        p.grad = None if gradient is None else T.tensor(gradient)
        parameters.append(p)
    return parameters


@LIBRARIES
@pytest.mark.parametrize(
    "order, total", [(2.0, 5.0), (1.0, 7.0), (float("inf"), 4.0), (3.0, 91 ** (1 / 3)), (0.0, 2.0)]
)
def test_gradients_are_scaled_to_a_norm(T, order, total):
    parameters = with_gradients(T, [3.0, 0.0], None, [-4.0])
    kept = [p.grad for p in parameters]
    norm = T.nn.utils.clip_grad_norm_(iter(parameters), 1.0, norm_type=order)
    assert norm.item() == pytest.approx(total, rel=1e-6) and norm.shape == ()
    assert parameters[0].grad is kept[0] and parameters[1].grad is None
    assert parameters[0].grad[0].item() == pytest.approx(3 / total, rel=1e-5)
    assert parameters[2].grad[0].item() == pytest.approx(-4 / total, rel=1e-5)
    assert not parameters[0].requires_grad or parameters[0].grad.grad_fn is None


@LIBRARIES
def test_small_gradients_stay(T):
    (p,) = with_gradients(T, [0.3, 0.4])
    assert T.nn.utils.clip_grad_norm_(p, 1.0).item() == pytest.approx(0.5)
    assert p.grad.tolist() == T.tensor([0.3, 0.4]).tolist()
    assert T.nn.utils.clip_grad_norm_([], 1.0).item() == 0.0


@LIBRARIES
def test_a_norm_that_is_not_finite(T):
    (p,) = with_gradients(T, [float("inf"), 1.0])
    with pytest.raises(RuntimeError, match="non-finite"):
        T.nn.utils.clip_grad_norm_(p, 1.0, error_if_nonfinite=True)
    assert p.grad.tolist() == [float("inf"), 1.0]
    with np.errstate(all="ignore"):
        T.nn.utils.clip_grad_norm_(p, 1.0)
    assert p.grad[1].item() == 0.0


@LIBRARIES
def test_entries_are_held_within_bounds(T):
    a, b = with_gradients(T, [3.0, -0.5, -7.0], None)
    T.nn.utils.clip_grad_value_([a, b], 2)
    assert a.grad.tolist() == [2.0, -0.5, -2.0] and b.grad is None


@LIBRARIES
def test_parameters_as_a_vector_and_back(T):
    net = T.nn.Linear(2, 3)
    vector = T.nn.utils.parameters_to_vector(net.parameters())
    assert vector.shape == (9,) and vector.requires_grad
    vector.sum().backward()
    assert net.weight.grad.tolist() == [[1.0, 1.0]] * 3
    new = T.arange(9.0)
    weight = net.weight
    T.nn.utils.vector_to_parameters(new, net.parameters())
    assert net.weight is weight and weight.tolist() == [[0, 1], [2, 3], [4, 5]] and net.bias.tolist() == [6, 7, 8]
    assert weight.requires_grad and weight.is_leaf and weight.data_ptr() == new.data_ptr()
    with pytest.raises(TypeError, match="Tensor"):
        T.nn.utils.vector_to_parameters([1.0], net.parameters())


def test_a_vector_that_is_too_short_changes_nothing():
    net = ac.nn.Linear(2, 3)
    before = net.weight.tolist()
    with pytest.raises(RuntimeError, match="9 entries, the vector 8"):
        ac.nn.utils.vector_to_parameters(ac.ones(8), net.parameters())
    assert net.weight.tolist() == before


def test_the_old_name_of_clipping_warns_and_clips(T):
    w = T.tensor([1.0, 1.0], requires_grad=True)
    (w * T.tensor([3.0, 4.0])).sum().backward()
    with pytest.warns(FutureWarning, match="clip_grad_norm` is"):
        assert T.nn.utils.clip_grad_norm([w], 1.0).item() == 5
    assert w.grad.tolist() == pytest.approx([0.6, 0.8])
