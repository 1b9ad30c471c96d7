"""A parameter counts as it was when the op ran: what becomes of a list or an array given for it changes nothing."""

import numpy as np
import pytest

import autograd_core as ac

F = ac.nn.functional


def cube():
    return ac.arange(24.0, dtype=ac.float64).reshape(2, 3, 4).requires_grad_()


def image():
    return ac.arange(32.0, dtype=ac.float64).reshape(1, 2, 4, 4).requires_grad_()


CASES = {
    "flip": (cube, [0], [2], lambda x, d: x.flip(d)),
    "roll": (cube, [1, 2], [0, 0], lambda x, d: x.roll(d, (0, 2))),
    "roll dims": (cube, [0, 1], [1, 2], lambda x, d: x.roll((1, 1), d)),
    "rot90": (cube, [0, 1], [1, 2], lambda x, d: x.rot90(1, d)),
    "permute": (cube, [2, 0, 1], [0, 1, 2], lambda x, d: x.permute(d)),
    "movedim": (cube, [0, 1], [1, 2], lambda x, d: x.movedim(d, (2, 0))),
    "sum": (cube, [0, 2], [1, 1], lambda x, d: x.sum(d)),
    "sum of NumPy axes": (cube, [0, 2], [1, 1], lambda x, d: ac.sum(x, axis=d)),
    "mean": (cube, [0, 2], [0, 1], lambda x, d: x.mean(d)),
    "var": (cube, [0, 2], [0, 1], lambda x, d: x.var(d)),
    "std": (cube, [0, 2], [0, 1], lambda x, d: (x + x**2).std(d)),
    "amax": (cube, [0, 2], [0, 1], lambda x, d: x.amax(d)),
    "logsumexp": (cube, [0, 2], [0, 1], lambda x, d: x.logsumexp(d)),
    "norm": (cube, [0, 2], [0, 1], lambda x, d: ac.linalg.vector_norm(x, dim=d)),
    "view": (cube, [6, 4], [4, 6], lambda x, d: x.view(d)),
    "reshape": (cube, [6, 4], [4, 6], lambda x, d: x.reshape(d)),
    "expand": (lambda: ac.ones(1, 3, requires_grad=True), [2, 3], [5, 3], lambda x, d: x.expand(d)),
    "broadcast_to": (lambda: ac.ones(1, 3, requires_grad=True), [2, 3], [5, 3], lambda x, d: x.broadcast_to(d)),
    "repeat": (cube, [2, 1, 1], [1, 2, 1], lambda x, d: x.repeat(d)),
    "tile": (cube, [2, 1, 1], [1, 2, 1], lambda x, d: x.tile(d)),
    "split": (cube, [1, 2], [2, 1], lambda x, d: x.split(d, 1)[0]),
    "unflatten": (cube, [2, 2], [4, 1], lambda x, d: x.unflatten(2, d)),
    "as_strided": (cube, [2, 2], [1, 4], lambda x, d: x.as_strided(d, (3, 1))),
    "tensordot": (cube, [0, 1], [1, 0], lambda x, d: ac.tensordot(x, x.detach(), (d, [0, 1]))),
    "pad": (image, [1, 0, 2, 1], [0, 1, 1, 2], lambda x, d: F.pad(x, d)),
    "conv2d": (image, [2, 1], [1, 2], lambda x, d: F.conv2d(x, ac.ones(1, 2, 2, 2, dtype=ac.float64), stride=d)),
    "max_pool2d": (image, [2, 1], [1, 2], lambda x, d: F.max_pool2d(x, d)),
    "avg_pool2d": (image, [2, 1], [1, 2], lambda x, d: F.avg_pool2d(x, d)),
    "unfold": (image, [2, 1], [1, 2], lambda x, d: F.unfold(x, d)),
    "interpolate": (image, [8, 6], [6, 8], lambda x, d: F.interpolate(x, size=d, mode="bilinear")),
    "layer_norm": (cube, [3, 4], [4, 3], lambda x, d: F.layer_norm(x**2, d)),
    "index": (cube, [1, 0, 1], [0, 0, 0], lambda x, d: x[d]),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("road", ["plain", "general"])
def test_a_list_that_is_written_to_after_the_op(name, road):
    make, given, later, function = CASES[name]

    def run(change):
        x, d = make(), list(given)
        if road == "plain":
            y = function(x, d)
        else:
            with ac.autograd.graph.save_on_cpu():
                y = function(x, d)
        if change:
            d[:] = later
        weights = ac.arange(float(y.numel()), dtype=y.dtype).reshape(y.shape) + 1
        (y * weights).sum().backward()
        return x.grad.tolist()

    assert run(change=True) == run(change=False)


@pytest.mark.parametrize("name", ["view", "permute", "expand", "as_strided"])
def test_a_view_follows_a_write_to_its_base_by_the_parameters_it_was_made_with(name):
    make, given, later, function = CASES[name]

    def run(change):
        x, d = make(), list(given)
        h = x * 1
        v = function(h, d)
        if change:
            d[:] = later
        h.mul_(3)
        assert v.shape == function(h, list(given)).shape
        (v * v).sum().backward()
        return x.grad.tolist()

    assert run(change=True) == run(change=False)


def test_an_array_as_parameter_and_as_index():
    x, dims, index = cube(), np.array([0, 2]), np.array([1, 0])
    y, z = x.sum(tuple(dims)), x[index]
    index[...] = 0
    (y.sum() + (z * ac.tensor([[[1.0]], [[10.0]]])).sum()).backward()
    assert x.grad[:, 0, 0].tolist() == [11.0, 2.0]


def test_a_parameter_of_an_op_that_is_recorded_on_duals():
    fwd, d = ac.autograd.forward_ad, [0]
    x = ac.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    with fwd.dual_level():
        y = fwd.make_dual(x, ac.ones(2, 2)).flip(d)
        d[0] = 1
        (g,) = ac.autograd.grad(y, x, ac.tensor([[1.0, 2.0], [3.0, 4.0]]))
    assert fwd.unpack_dual(g).primal.tolist() == [[3.0, 4.0], [1.0, 2.0]]
