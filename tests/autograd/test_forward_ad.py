"""Forward mode: tangents pushed through ops, views and writes, beside PyTorch's."""

import numpy as np
import pytest
import torch

import autograd_core as ac

PROGRAMS = {
    "a product": lambda T, x: x * x,
    "a sine": lambda T, x: T.sin(x),
    "a linear op": lambda T, x: x.sum() * 3,
    "an index": lambda T, x: x[T.tensor([0, 0, 1])] * x[0],
    "a matrix product": lambda T, x: T.outer(x, x) @ x,
    "joined with a constant": lambda T, x: T.cat([x, T.ones(2, dtype=T.float64)]) ** 2,
    "two outputs": lambda T, x: x.sort(descending=True)[0] * T.tensor([1.0, 10.0], dtype=T.float64),
    "softmax": lambda T, x: T.softmax(x, 0),
    "a branch without tangent": lambda T, x: x.detach() * x,
}


def leaf(T, *values):
    return T.tensor(list(values), dtype=T.float64)


def pushed(T, f, x, v):
    fw = T.autograd.forward_ad
    with fw.dual_level():
        primal, tangent = fw.unpack_dual(f(T, fw.make_dual(leaf(T, *x), leaf(T, *v))))
        return primal.tolist(), tangent.tolist()


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_tangent_is_pushed_as_pytorch_pushes_it(name):
    ours, theirs = (pushed(T, PROGRAMS[name], (0.7, -1.3), (1.0, 2.0)) for T in (ac, torch))
    np.testing.assert_allclose(ours[0], theirs[0], rtol=1e-12)
    np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-12)


def set_one(T, y, x):
    y[0] = 5.0


def multiply(T, y, x):
    y *= x


def through_a_view(T, y, x):
    y[:1].mul_(x[1:])


def views_see_it(T, y, x):
    v = y[1:]
    y.mul_(2.0)
    v.add_(x[:1])


@pytest.mark.parametrize("write", [set_one, multiply, through_a_view, views_see_it])
def test_a_write_reaches_the_tangent(write):
    def program(T, x):
        y = x * 1.0
        write(T, y, x)
        return y * y

    ours, theirs = (pushed(T, program, (3.0, 2.0), (1.0, 0.5)) for T in (ac, torch))
    assert ours == theirs


def test_a_plain_buffer_takes_the_tangent_of_what_is_written_into_it(T):
    def program(T, x):
        buffer = T.zeros(3, dtype=T.float64)
        buffer[1:] = x
        return buffer * 2

    assert pushed(T, program, (3.0, 2.0), (1.0, 0.5)) == ([0.0, 6.0, 4.0], [0.0, 2.0, 1.0])


def test_reverse_mode_goes_through_a_tangent(T):
    fw = T.autograd.forward_ad
    x = leaf(T, 0.5, 2.0).requires_grad_()
    with fw.dual_level():
        tangent = fw.unpack_dual((fw.make_dual(x, leaf(T, 1.0, 1.0)) ** 3).sum()).tangent
        (hvp,) = T.autograd.grad(tangent, x)
    np.testing.assert_allclose(hvp.tolist(), [3.0, 12.0], rtol=1e-12)


def test_a_tangent_ends_with_its_level(T):
    fw = T.autograd.forward_ad
    with fw.dual_level():
        x = fw.make_dual(leaf(T, 1.0), leaf(T, 1.0))
    assert fw.unpack_dual(x).tangent is None if T is ac else True
    assert (x * 2).tolist() == [2.0]


def test_levels_do_not_nest(T):
    fw = T.autograd.forward_ad
    with fw.dual_level(), pytest.raises(RuntimeError, match="Nested forward mode AD is not supported"), fw.dual_level():
        pass


def test_a_dual_needs_a_level_and_a_tangent_that_fits(T):
    fw = T.autograd.forward_ad
    with pytest.raises(RuntimeError, match="level"):
        fw.make_dual(leaf(T, 1.0), leaf(T, 1.0))
    with fw.dual_level(), pytest.raises((RuntimeError, ValueError)):
        fw.make_dual(leaf(T, 1.0), leaf(T, 1.0, 2.0))
    with fw.dual_level(), pytest.raises(ValueError, match="floating point"):
        fw.make_dual(T.tensor([1]), T.tensor([1]))


def test_a_tracked_operand_that_occurs_twice_counts_once_in_each_place(T):
    fw = T.autograd.forward_ad
    x = leaf(T, 2.0).requires_grad_()
    with fw.dual_level():
        d = fw.make_dual(x, leaf(T, 3.0))
        y = d * 1
        y.mul_(d)  # the first operand depends on the second
        assert fw.unpack_dual(d * d).tangent.tolist() == fw.unpack_dual(y).tangent.tolist() == [12.0]


def test_views_of_a_buffer_see_a_tangent_that_is_written_into_it_later(T):
    fw = T.autograd.forward_ad
    x = leaf(T, 2.0).requires_grad_()
    with fw.dual_level():
        buffer = T.zeros(2, dtype=T.float64)
        whole, part = buffer.view(1, 2), buffer[:1]
        part.copy_(fw.make_dual(x, leaf(T, 3.0)))
        assert fw.unpack_dual(whole).tangent.tolist() == [[3.0, 0.0]]
        whole.mul_(2)
        assert part.requires_grad and fw.unpack_dual(buffer).tangent.tolist() == [6.0, 0.0]
        buffer.sum().backward()
    assert x.grad.tolist() == [2.0]


def test_a_dual_of_a_dual_is_refused(T):
    fw = T.autograd.forward_ad
    with fw.dual_level(), pytest.raises(RuntimeError, match="already has a"):
        fw.make_dual(fw.make_dual(leaf(T, 1.0), leaf(T, 1.0)), leaf(T, 1.0))


# -- forward over reverse


def bowl(T, x):
    return (T.sin(x) * x * x[0]).sum() + T.softmax(x, 0)[0] + (x.reshape(2, 1) @ x.reshape(1, 2)).sum()


def custom_cube(T):
    class Cube(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            ctx.save_for_forward(x)
            return x**3

        @staticmethod
        def backward(ctx, g):
            (x,) = ctx.saved_tensors
            return 3 * x * x * g

        @staticmethod
        def jvp(ctx, t):
            (x,) = ctx.saved_tensors
            return 3 * x * x * t

    return Cube.apply


def written(T, x):
    y = x * 1
    y.mul_(x)
    y[:1].mul_(x[1:])
    return y.sum()


GRADIENTS = {
    "a function": bowl,
    "a function of x by hand": lambda T, x: custom_cube(T)(x).sum(),
    "writes": written,
    "saved results": lambda T, x: (T.exp(x) * T.sqrt(x)).sum(),
    "a result of several": lambda T, x: (x.sort()[0] * x).sum(),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_the_gradient_of_a_dual_is_dual(name):
    def product(T):
        fw, x = T.autograd.forward_ad, leaf(T, 0.5, 2.0).requires_grad_()
        with fw.dual_level():
            (g,) = T.autograd.grad(GRADIENTS[name](T, fw.make_dual(x, leaf(T, 1.0, 3.0))), x)
            return [part.tolist() for part in fw.unpack_dual(g)]

    np.testing.assert_allclose(product(ac), product(torch), rtol=1e-12)


def test_a_dual_seed_gives_a_dual_gradient(T):
    fw, x = T.autograd.forward_ad, leaf(T, 0.5, 2.0).requires_grad_()
    with fw.dual_level():
        (g,) = T.autograd.grad(x * x, x, fw.make_dual(leaf(T, 1.0, 1.0), leaf(T, 1.0, 3.0)))
        assert fw.unpack_dual(g).tangent.tolist() == [1.0, 12.0]


def test_a_stored_gradient_keeps_no_tangent(T):
    fw, x = T.autograd.forward_ad, leaf(T, 0.5, 2.0).requires_grad_()
    with fw.dual_level():
        bowl(T, fw.make_dual(x, leaf(T, 1.0, 3.0))).backward()
        assert fw.unpack_dual(x.grad).tangent is None


def test_tangents_of_an_ended_level_are_not_in_a_gradient_of_the_next():
    fw, x = ac.autograd.forward_ad, leaf(ac, 3.0).requires_grad_()
    with fw.dual_level():
        y = fw.make_dual(x, leaf(ac, 1.0)) ** 2
    with fw.dual_level():
        (g,) = ac.autograd.grad(y, x)
        assert fw.unpack_dual(g).tangent is None and g.tolist() == [6.0]


def test_a_number_stands_still(T):
    fw = T.autograd.forward_ad
    with fw.dual_level():
        x = fw.make_dual(leaf(T, 0.0, 1.0), leaf(T, 1.0, 1.0))
        assert fw.unpack_dual(T.masked_fill(x, T.tensor([True, False]), 5.0)).tangent.tolist() == [0.0, 1.0]


def test_a_dual_shows_its_tangent(T):
    fw = T.autograd.forward_ad
    with fw.dual_level():
        assert str(fw.make_dual(T.tensor([1.0]), T.tensor([2.0]))) == "tensor([1.], tangent=tensor([2.]))"


# -- levels, and what is taken apart


def test_a_level_has_the_number_zero_and_can_be_entered_by_call(T):
    fw = T.autograd.forward_ad
    with fw.dual_level() as level:
        assert level == 0
        with pytest.raises(RuntimeError, match="Nested forward mode AD is not supported"):
            fw.enter_dual_level()
    assert fw.enter_dual_level() == 0
    x = fw.make_dual(T.tensor(3.0), T.tensor(1.0))
    with pytest.raises(RuntimeError, match="not the last one that was created"):
        fw.exit_dual_level(level=1)
    assert fw.unpack_dual(x * x).tangent.item() == 6.0
    fw.exit_dual_level(level=0)
    assert fw.unpack_dual(x * x).tangent is None
    with pytest.raises(RuntimeError):
        fw.exit_dual_level()


def test_a_tangent_has_no_tangent_at_its_level(T):
    fw = T.autograd.forward_ad
    with fw.dual_level():
        dual = fw.make_dual(T.ones(2), T.ones(2))
        with pytest.raises(RuntimeError, match="has a forward gradient at the same level"):
            fw.make_dual(T.ones(2), dual)


def test_each_primal_is_a_view_of_its_own_and_the_tangent_is_the_one_that_was_given(T):
    fw = T.autograd.forward_ad
    x, t, w = T.ones(2), T.ones(2), T.ones(2, requires_grad=True)
    with fw.dual_level():
        dual = fw.make_dual(x, t)
        primal, tangent = fw.unpack_dual(dual)
        assert tangent is t and primal is not fw.unpack_dual(dual).primal and primal._base is x
        primal[0] = 5.0
        assert x.tolist() == dual.tolist() == [5.0, 1.0]
        fw.unpack_dual(w).primal.sum().backward()
    assert w.grad.tolist() == [1.0, 1.0]


def test_the_tangent_of_a_view_by_hand_is_a_view(T):
    fw = T.autograd.forward_ad

    def view(jvp):
        names = {"forward": staticmethod(lambda ctx, a: a[:2]), "jvp": staticmethod(jvp)}
        return type("View", (T.autograd.Function,), names).apply

    x, t = T.arange(3.0), T.tensor([10.0, 20.0, 30.0])
    with fw.dual_level():
        tangent = fw.unpack_dual(view(lambda ctx, g: g[:2])(fw.make_dual(x, t))).tangent
        assert tangent._base is t and tangent.tolist() == [10.0, 20.0]
        with pytest.raises(RuntimeError, match="but the jvp is not returning a view"):
            view(lambda ctx, g: g[:2].clone())(fw.make_dual(x, t))
        with pytest.raises(RuntimeError, match="not returning a view of the given grad input"):
            view(lambda ctx, g: g.clone()[:2])(fw.make_dual(x, t))
        with pytest.raises(RuntimeError, match="a view of the same base as the given grad input"):
            view(lambda ctx, g: g.clone()[:2])(fw.make_dual(x, t).view(3))


@pytest.mark.parametrize("moving", [(0,), (1,), (2,), (1, 2), (0, 1), (0, 2)], ids=str)
def test_statistics_that_move_stop_a_batch_that_moves(T, moving):
    fw = T.autograd.forward_ad
    args = [T.arange(6.0).reshape(3, 2), T.zeros(2), T.ones(2)]
    with fw.dual_level():
        duals = [fw.make_dual(x, T.ones_like(x)) if i in moving else x for i, x in enumerate(args)]
        if 0 in moving and len(moving) > 1:
            with pytest.raises(RuntimeError, match="batch_norm is not differentiable wrt running_mean and running_var"):
                T.nn.functional.batch_norm(*duals)
            return
        tangent = fw.unpack_dual(T.nn.functional.batch_norm(*duals)).tangent
    assert tangent is None if 0 not in moving else tangent.tolist() == [[pytest.approx(1.0, abs=1e-4)] * 2] * 3
