"""Corners that a first design of an engine gets wrong: aliasing, versions, views, modes, threads."""

import gc
import threading

import numpy as np

from tests.corpus.corpus import TWICE, WRITTEN, case, dtype_name, outcome


def leaf(T, values):
    return T.tensor(values, dtype=T.float64, requires_grad=True)


@case("must")
def case_two_leaves_do_not_share_their_gradient(T):
    x, w = leaf(T, [1.0, 2.0]), leaf(T, [3.0, 4.0])
    ((x + w) * 2.0).sum().backward()
    x.grad[0] = 99.0
    return w.grad.tolist()


@case("must")
def case_second_backward_doubles_every_bit(T):
    X = -2 + 4 * np.arange(1000) / 999
    x = T.tensor(X, requires_grad=True)
    loss = (T.sin(x) * (x * x)).sum()
    loss.backward(retain_graph=True)
    g = x.grad.clone()
    loss.backward()
    return int((x.grad == 2 * g).sum())


@case("must")
def case_inplace_product_with_a_tracked_factor(T):
    x, v = leaf(T, [2.0, 3.0]), leaf(T, [5.0, 7.0])
    h = x * 1.0
    h *= v
    h.sum().backward()
    return x.grad.tolist(), v.grad.tolist()


@case("must")
def case_inplace_op_that_saves_its_input(T):
    x = leaf(T, [2.0, 3.0])
    h = x * 1.0
    h.sin_()
    h.sum().backward()
    return np.round(x.grad.numpy(), 12).tolist()


@case("must")
def case_inplace_op_that_saves_its_output_then_is_overwritten(T):
    x = leaf(T, [2.0, 3.0])
    h = x * 1.0
    h.exp_()
    h[0] = 0.0
    return outcome(lambda: h.sum().backward(), WRITTEN)


@case("must")
def case_view_of_an_untracked_base_written_with_a_tracked_value(T):
    w = leaf(T, [2.0, 2.0])
    b = T.tensor([1.0, 1.0], dtype=T.float64)
    v = b[:1]
    b *= w
    return v.requires_grad, v.grad_fn is not None


@case("must")
def case_index_tensor_overwritten_after_use(T):
    i = T.tensor([0, 1])
    x = leaf(T, [1.0, 2.0, 3.0])
    y = x[i]
    i[0] = 2
    return outcome(lambda: y.sum().backward(), WRITTEN)


@case("must")
def case_second_backward_through_an_index(T):
    x = leaf(T, [1.0, 2.0, 3.0])
    y = x[T.tensor([0, 1])].sum()
    y.backward()
    return outcome(y.backward, TWICE)


@case("must")
def case_second_backward_through_a_number(T):
    out = {}
    for name, f in {
        "x*2": lambda x: x * 2.0,
        "x/2": lambda x: x / 2.0,
        "x+2": lambda x: x + 2.0,
        "x-2": lambda x: x - 2.0,
        "x**1": lambda x: x**1,
        "-x": lambda x: -x,
    }.items():
        y = f(leaf(T, [1.0, 2.0])).sum()
        y.backward()
        out[name] = outcome(y.backward, TWICE)
    return out


@case("must")
def case_forward_mode_sees_a_write(T):
    fw = T.autograd.forward_ad
    with fw.dual_level():
        x = fw.make_dual(T.tensor([1.0, 2.0], dtype=T.float64), T.tensor([1.0, 1.0], dtype=T.float64))
        y = x * 1.0
        y[0] = 5.0
        z = fw.unpack_dual(y * y)
        a = z.primal.tolist(), z.tangent.tolist()
        x = fw.make_dual(T.tensor([3.0, 2.0], dtype=T.float64), T.tensor([1.0, 1.0], dtype=T.float64))
        y = x * 1.0
        y *= x
        z = fw.unpack_dual(y)
        return a, z.primal.tolist(), z.tangent.tolist()


@case("must")
def case_generator_leaks_the_mode_as_a_bare_with_does(T):
    def g():
        with T.no_grad():
            yield 1

    i = g()
    next(i)
    inside = T.is_grad_enabled()
    i.close()
    return inside, T.is_grad_enabled()


@case("must")
def case_decorated_generator_does_not_leak(T):
    @T.no_grad()
    def g():
        yield T.is_grad_enabled()

    i = g()
    a = next(i)
    b = T.is_grad_enabled()
    i.close()
    return a, b


@case("must")
def case_second_derivative_after_an_overwrite(T):
    x = leaf(T, [0.3])
    y = x * 1.0
    z = T.sin(y)
    (g,) = T.autograd.grad(z.sum(), x, create_graph=True)
    y += 1.0
    return outcome(lambda: T.autograd.grad(g.sum(), x), WRITTEN)


@case("must")
def case_copy_that_has_a_base(T):
    x = leaf(T, [[1.0, 2.0], [3.0, 4.0]])
    h = x * 1.0
    r = h.T.reshape(4)
    r *= 10.0
    (h.sum() + 0.0 * r.sum()).backward()
    return x.grad.tolist()


@case("must")
def case_view_history_survives_no_grad(T):
    x = leaf(T, [1.0, 2.0])
    b = x * 1.0
    v = b[:1]
    b *= 3.0
    with T.no_grad():
        _ = v.requires_grad, v * 1.0
    v.sum().backward()
    return x.grad.tolist()


@case("must")
def case_view_made_under_no_grad(T):
    x = leaf(T, [1.0, 2.0])
    with T.no_grad():
        v = x[:1]
    y = (v * 2.0).sum()
    state = (v.requires_grad, v.is_leaf, v.grad_fn is None, y.requires_grad)
    y.backward()
    return state, x.grad is None, v.grad is None


@case("must")
def case_hook_outlives_its_tensor(T):
    seen = []
    x = leaf(T, [1.0])
    h = x * 2.0
    h.register_hook(lambda g: seen.append(g.item()))
    y = (h * 3.0).sum()
    del h
    gc.collect()
    y.backward()
    return seen


@case("must")
def case_create_graph_records_under_no_grad(T):
    x = leaf(T, [2.0])
    y = (x**3).sum()
    with T.no_grad():
        (g,) = T.autograd.grad(y, x, create_graph=True)
    return g.requires_grad


@case("must")
def case_promotion(T):
    f, d0, i = T.tensor([1.0]), T.tensor(2.0, dtype=T.float64), T.tensor([3])
    return [dtype_name(y) for y in (f * d0, f * i, i / i, f * 2.0)]


@case("must")
def case_leaf_switched_off_before_backward(T):
    x, w = leaf(T, [1.0]), leaf(T, [2.0])
    y = (x * w).sum()
    x.requires_grad_(False)
    y.backward()
    return x.grad is None, w.grad.tolist()


@case("must")
def case_threads_lose_no_update(T):
    x = leaf(T, [0.0])

    def work():
        for _ in range(500):
            (x * 1.0).sum().backward()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return x.grad.item()
