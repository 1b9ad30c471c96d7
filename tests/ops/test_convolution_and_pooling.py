"""Convolutions and pooling: what samples do not show: precision, the size of a batch, kinks, and errors."""

import numpy as np
import pytest
import torch

import autograd_core as ac
from autograd_core.ops import large_arrays


def test_sums_of_float16_are_accumulated_in_float32(T):
    x, kernel = T.ones(1, 1, 70, 70, dtype=T.float16), T.ones(1, 1, 70, 70, dtype=T.float16)
    assert T.conv2d(x, kernel).item() == 4900.0  # 2048 + 1 is 2048 in float16
    assert T.nn.functional.avg_pool2d(x, 70).item() == 1.0
    if T is ac:  # PyTorch stops at 2048 in these
        assert ac.conv_transpose2d(x, kernel)[0, 0, 69, 69].item() == 4900.0
        w = ac.ones(1, 1, 1, 1, dtype=ac.float16, requires_grad=True)
        ac.conv2d(x.reshape(4900, 1, 1, 1), w).sum().backward()
        assert w.grad.dtype == ac.float16 and w.grad.item() == 4900.0


def test_a_batch_in_blocks_is_the_batch(rng, monkeypatch):
    arrays = [rng.normal(size=shape) for shape in ((5, 2, 4, 4), (3, 2, 2, 2), (3,), (5, 3, 3, 3))]

    def results():
        *inputs, g = map(ac.from_numpy, arrays)
        inputs = [t.requires_grad_() for t in inputs]
        out = ac.conv2d(*inputs)
        back = ac.conv_transpose2d(out, inputs[1])
        return [t.detach().numpy() for t in (out, back, *ac.autograd.grad(out, inputs, g))]

    whole = results()
    for elements in (1, 38):  # one image at a time, and two with one left over
        monkeypatch.setattr(large_arrays, "CACHE", elements)
        for got, wanted in zip(results(), whole, strict=True):
            np.testing.assert_allclose(got, wanted, rtol=1e-12, atol=1e-12)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_the_p_norm_of_zeros_has_gradient_zero(T):
    x = T.tensor([[[0.0, 0.0, 3.0, 4.0]]], requires_grad=True)
    T.nn.functional.lp_pool1d(x, 2.0, 2).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), [[[0.0, 0.0, 0.6, 0.8]]], rtol=1e-6)


def test_a_write_into_the_input_of_pooling_is_noticed_as_in_torch(T):
    for pool in (T.nn.functional.max_pool2d, T.nn.functional.avg_pool2d):
        x = T.ones(1, 2, 2, requires_grad=True) * 1.0
        y = pool(x, 2)
        x.add_(1.0)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            y.sum().backward()


def test_fractional_windows_are_drawn_from_the_generator():
    x = ac.arange(81.0).reshape(1, 9, 9)

    def draw(seed):
        ac.manual_seed(seed)
        return ac.nn.functional.fractional_max_pool2d(x, 2, output_size=5).tolist()

    assert draw(0) == draw(0) and len({str(draw(seed)) for seed in range(5)}) > 1


X, W = (1, 2, 4, 4), (3, 2, 2, 2)


@pytest.mark.parametrize(
    ("name", "shapes", "options", "words"),
    [
        ("conv2d", (X, (3, 1, 2, 2)), {}, "to have 1 channels, but got 2 channels"),
        ("conv2d", (X, W, (2,)), {}, "expected bias to be 1-dimensional with 3 elements"),
        ("conv2d", (X, (3, 2, 5, 2)), {}, "Kernel size can't be"),
        ("conv2d", (X, W), {"stride": (1, 1, 1)}, "stride"),
        ("conv2d", (X, W), {"padding": "full"}, "padding"),
        ("conv2d", ((4, 4), W), {}, "Expected 3D"),
        ("conv_transpose2d", (X, (2, 1, 2, 2)), {"output_padding": 1}, "smaller than either stride or dilation"),
        ("conv_transpose2d", (X, (2, 1, 1, 1)), {"padding": 3}, "utput size"),
        ("unfold", (X,), {"kernel_size": 5}, "size"),
        ("fold", ((1, 8, 5),), {"output_size": 3, "kernel_size": 2}, "but got input.size"),
        ("fold", ((1, 7, 4),), {"output_size": 3, "kernel_size": 2}, "divisible by the product of kernel_size"),
        ("max_pool2d", (X,), {"kernel_size": 2, "stride": 0}, "stride"),
        ("max_unpool2d", (X,), {"indices": "out", "kernel_size": 1}, "Found an invalid max index: 16"),
    ],
)
def test_what_does_not_fit_is_refused_in_both_engines(T, name, shapes, options, words):
    tensors = [T.ones(*shape) for shape in shapes]
    if options.get("indices") == "out":
        options = {**options, "indices": T.full(shapes[0], 16, dtype=T.int64)}
    with pytest.raises(RuntimeError, match=words):
        getattr(T.nn.functional, name)(*tensors, **options)


def test_types_do_not_mix(T):
    with pytest.raises(RuntimeError, match=r"should be the same|expected scalar type|same dtype"):
        T.conv2d(T.ones(X), T.ones(W, dtype=T.float64))
    with pytest.raises(NotImplementedError, match="not implemented for"):
        T.conv2d(T.ones(X, dtype=T.bool), T.ones(W, dtype=T.bool))


def test_a_window_without_an_element_is_refused():
    """PyTorch gives -inf and a position outside the plane."""
    _, position = torch.nn.functional.max_pool1d(torch.ones(1, 1, 2), 2, padding=1, dilation=3, return_indices=True)
    assert position.item() == 2
    with pytest.raises(RuntimeError, match="no element inside the input"):
        ac.nn.functional.max_pool1d(ac.ones(1, 1, 2), 2, padding=1, dilation=3, return_indices=True)
