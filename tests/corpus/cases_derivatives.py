"""Higher derivatives and autograd.functional."""

from tests.corpus.corpus import NO_GRAD, WRITTEN, case, outcome, snapshot, warns


@case("must")
def case_second_derivative_of_something_linear(T):
    """Second derivative of something linear: error 'does not require grad', or None for one of two inputs.

    With create_graph the gradient itself may not depend on x at all; None/ error, not zero.
    """
    x = T.tensor(1.0, dtype=T.float64, requires_grad=True)
    (g,) = T.autograd.grad(2 * x, x, create_graph=True)
    a, b = [T.tensor(v, dtype=T.float64, requires_grad=True) for v in (2.0, 3.0)]
    ga, _gb = T.autograd.grad(a * b, (a, b), create_graph=True)
    ga.backward()
    return {"linear": outcome(lambda: T.autograd.grad(g, x), NO_GRAD), "a.grad": a.grad, "b.grad": b.grad, "ga": ga}


@case("must")
def case_gradient_penalty_without_create_graph(T):
    """Gradient penalty without create_graph has the right *value* but contributes no gradient to the weights.

    Differentiating a gradient needs the gradient's own graph.
    """
    w = T.tensor([3.0, 4.0], dtype=T.float64, requires_grad=True)
    x = T.tensor([1.0, 1.0], dtype=T.float64, requires_grad=True)
    out = {}
    for cg in (False, True):
        w.grad = None
        (g,) = T.autograd.grad((w * x).sum(), x, create_graph=cg)
        gp = (g.norm() - 1) ** 2
        ((w.sum() * 0) + gp).backward()
        out[f"create_graph={cg}"] = [snapshot(gp), gp.requires_grad, snapshot(w.grad)]
    return out


@case("should")
def case_backward_with_create_graph(T):
    """backward(create_graph=True) warns about a reference cycle, and x.grad then mixes first and second order on
    the next backward.

    x.grad holds 12, the second pass adds d(12..)/dx = 12 on top: 24. Use autograd.grad instead.
    """
    x = T.tensor(2.0, dtype=T.float64, requires_grad=True)
    warned = warns(lambda: (x**3).backward(create_graph=True), "reference cycle")
    first = snapshot(x.grad)
    g = x.grad
    g.backward()
    mixed = snapshot(x.grad)
    y = x**3
    (g1,) = T.autograd.grad(y, x, create_graph=True)
    r = {"warned": warned, "first": first, "mixed": mixed, "clean": [snapshot(g1), snapshot(T.autograd.grad(g1, x)[0])]}
    x.grad = None
    return r


@case("should")
def case_second_derivative_at_a_kink(T):
    """Hessian of norm at 0 is NaN although its gradient is 0; second derivative of relu/abs is 0.

    Subgradient conventions do not extend to second order.
    """

    def h(f, v):
        x = T.tensor(v, dtype=T.float64, requires_grad=True)
        (g,) = T.autograd.grad(f(x), x, create_graph=True)
        return [
            snapshot(g),
            snapshot(T.autograd.grad(g.sum(), x, allow_unused=True)[0]) if g.requires_grad else "constant",
        ]

    return {
        "norm@0": h(lambda x: x.norm(), [0.0, 0.0]),
        "norm@34": h(lambda x: x.norm(), [3.0, 4.0]),
        "relu": h(lambda x: T.relu(x).sum(), [2.0]),
        "x|x|": h(lambda x: (x * x.abs()).sum(), [-2.0]),
        "relu3": h(lambda x: (T.relu(x) ** 3).sum(), [2.0, -1.0]),
    }


@case("must")
def case_jacobian_of_an_ignored_argument(T):
    """functional.jacobian of a function that ignores its argument (it closes over another tensor) returns zeros;
    strict=True raises.

    Functional transforms differentiate the *argument*, not captured tensors.
    """
    c = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    J = T.autograd.functional.jacobian
    z = J(lambda x: c.sum(), c)
    e = outcome(lambda: J(lambda x: c.sum(), c, strict=True), "independent of")
    j = J(lambda x, y: x * y.sum(), (T.tensor([1.0, 2.0], dtype=T.float64), T.tensor([3.0], dtype=T.float64)))
    return {"ignored": z, "strict": e, "two_inputs": j}


@case("must")
def case_hessian_and_its_product(T):
    """Hessian and Hessian-vector product; Hessian of a linear function is zeros.

    Double backward trick, with None turned into zeros.
    """

    def f(x):
        return x[0] ** 2 * x[1] + x[1] ** 3

    fn = T.autograd.functional
    x = T.tensor([2.0, 3.0], dtype=T.float64)
    v = T.tensor([1.0, 1.0], dtype=T.float64)
    xg = x.clone().requires_grad_(True)
    (g,) = T.autograd.grad(f(xg), xg, create_graph=True)
    manual = T.autograd.grad((g * v).sum(), xg)
    return {
        "hessian": fn.hessian(f, x),
        "hvp": fn.hvp(f, x, v),
        "manual": manual,
        "linear": fn.hessian(lambda x: (3 * x).sum(), x),
        "vhp": fn.vhp(f, x, v),
    }


@case("must")
def case_vjp_and_jvp(T):
    """vjp and jvp agree with the explicit Jacobian; outputs do not require grad unless create_graph.

    v^T J and J v from one function.
    """

    def f(x):
        return T.stack([x[0] * x[1], x[1] ** 2, x[0].sin()])

    fn = T.autograd.functional
    x = T.tensor([1.0, 2.0], dtype=T.float64)
    y, vj = fn.vjp(f, x, T.tensor([1.0, 10.0, 100.0], dtype=T.float64))
    _, jv = fn.jvp(f, x, T.tensor([1.0, -1.0], dtype=T.float64))
    return {
        "jac": fn.jacobian(f, x),
        "y": y,
        "vjp": vj,
        "jvp": jv,
        "requires_grad": [y.requires_grad, vj.requires_grad],
        "shape_2d": list(fn.jacobian(lambda a: a @ a, T.ones(2, 2, dtype=T.float64)).shape),
    }


@case("must")
def case_mixed_and_third_derivatives(T):
    """Mixed partials and third derivatives by repeated grad.

    create_graph must be passed at every level except the last.
    """
    x = T.tensor(2.0, dtype=T.float64, requires_grad=True)
    y = T.tensor(3.0, dtype=T.float64, requires_grad=True)
    f = x**4 * y
    (d1,) = T.autograd.grad(f, x, create_graph=True)
    (d2,) = T.autograd.grad(d1, x, create_graph=True)
    (d3,) = T.autograd.grad(d2, x, create_graph=True)
    return {
        "d": [snapshot(d1), snapshot(d2), snapshot(d3)],
        "mixed": T.autograd.grad(d2, y, retain_graph=True),
        "forgot": outcome(lambda: T.autograd.grad(T.autograd.grad(d1, x)[0], x), NO_GRAD),
    }


@case("info")
def case_vectorized_jacobian(T):
    """jacobian(vectorize=True) must equal the row-by-row result.

    Batched vjp is only an optimisation.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64)

    def f(x):
        return T.stack([x.prod(), x.sum() ** 2])

    J = T.autograd.functional.jacobian
    return {"loop": J(f, x), "vectorize": J(f, x, vectorize=True)}


@case("must")
def case_jacobian_reuses_one_seed(T):
    """Hand-written Jacobian reuses one seed vector (seed[i]=1 ... seed[i]=0) with create_graph=True and breaks the
    Hessian.

    With create_graph the seed becomes part of the new graph, so editing it afterwards is an in-place modification.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    seed = T.tensor([1.0, 0.0], dtype=T.float64)
    (g,) = T.autograd.grad(x**3, x, seed, create_graph=True)
    seed.zero_()
    (h,) = T.autograd.grad(x**3, x, T.tensor([1.0, 0.0], dtype=T.float64), create_graph=True)
    return {
        "seed_edited": outcome(lambda: T.autograd.grad(g.sum(), x), WRITTEN),
        "fresh_seed": T.autograd.grad(h.sum(), x),
    }


@case("must")
def case_second_derivative_through_selections(T):
    """Second derivatives through sort, topk, max, gather, cummax-like selections.

    Index tensors are constants; the first-order backward must be written with differentiable ops.
    """

    def h(f):
        x = T.tensor([3.0, 1.0, 2.0], dtype=T.float64, requires_grad=True)
        (g,) = T.autograd.grad(f(x), x, create_graph=True)
        return [snapshot(g), snapshot(T.autograd.grad((g * T.tensor([1.0, 10.0, 100.0], dtype=T.float64)).sum(), x)[0])]

    w = T.tensor([1.0, 2.0, 3.0], dtype=T.float64)
    return {
        "sort": h(lambda x: (x.sort()[0] ** 3 * w).sum()),
        "topk": h(lambda x: (x.topk(2)[0] ** 3).sum()),
        "max": h(lambda x: x.max() ** 3),
        "gather": h(lambda x: (x.gather(0, T.tensor([0, 0, 2])) ** 3).sum()),
        "prod": h(lambda x: x.prod()),
        "softmax": h(lambda x: (T.softmax(x, 0) * w).sum()),
    }
