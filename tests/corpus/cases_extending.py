"""Custom functions and gradcheck."""

from tests.corpus.corpus import WRITTEN, case, outcome, snapshot


@case("must")
def case_function_returns_one_gradient_per_argument(T):
    """backward must return one gradient per forward argument; extra trailing Nones are tolerated.

    Too few (or extra non-None) is an error.
    """

    def make(ret):
        class F(T.autograd.Function):
            forward = staticmethod(lambda ctx, a, k: a * k)
            backward = staticmethod(lambda ctx, g: ret(g))

        return F

    x = T.tensor([1.0], dtype=T.float64, requires_grad=True)

    def run(ret):
        return outcome(lambda: make(ret).apply(x, 3).sum().backward(), "incorrect number of gradients")

    return {
        "one": run(lambda g: g * 3),
        "two": run(lambda g: (g * 3, None)),
        "extra_none": run(lambda g: (g * 3, None, None)),
        "extra_grad": run(lambda g: (g * 3, None, g)),
        "x.grad": x.grad,
    }


@case("must")
def case_function_returns_none(T):
    """backward returning None for an input that requires grad: its .grad stays None, and None travels up the graph.

    None means 'no gradient', different from zeros.
    """

    class F(T.autograd.Function):
        @staticmethod
        def forward(ctx, a, b):
            ctx.n = ctx.needs_input_grad
            return a + b

        @staticmethod
        def backward(ctx, g):
            seen.append(list(ctx.n))
            return None, g

    seen = []
    a, b = [T.ones(1, dtype=T.float64, requires_grad=True) for _ in range(2)]
    F.apply(a * 2, b).sum().backward()
    return {"a.grad": a.grad, "b.grad": b.grad, "needs_input_grad": seen}


@case("must")
def case_function_keeps_an_intermediate_on_ctx(T):
    """Intermediate stored as ctx.foo: first derivative right, second derivative silently wrong.

    ctx.foo is a constant to the double backward; only saved inputs/outputs carry history.
    """

    class Bad(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.foo = x * 2
            return ctx.foo**2

        @staticmethod
        def backward(ctx, g):
            return 4 * ctx.foo * g

    def d12(f):
        x = T.tensor([1.0], dtype=T.float64, requires_grad=True)
        (g,) = T.autograd.grad((f(x) ** 2).sum(), x, create_graph=True)
        return [snapshot(g), snapshot(T.autograd.grad(g.sum(), x)[0])]

    return {"custom": d12(Bad.apply), "plain": d12(lambda x: (x * 2) ** 2)}


@case("must")
def case_function_saves_for_backward_or_on_ctx(T):
    """save_for_backward notices later in-place edits; ctx.x = x does not.

    The saved-tensor mechanism is what carries the version check.
    """

    def make(safe):
        class Sq(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x) if safe else setattr(ctx, "x", x)
                return x * x

            @staticmethod
            def backward(ctx, g):
                return 2 * g * (ctx.saved_tensors[0] if safe else ctx.x)

        return Sq

    x = T.tensor([3.0], dtype=T.float64, requires_grad=True)
    a, b = x * 1.0, x * 1.0
    y, z = make(True).apply(a), make(False).apply(b)
    a.fill_(100.0)
    b.fill_(100.0)
    return {
        "save_for_backward": outcome(lambda: y.sum().backward(), WRITTEN),
        "ctx_attribute": [outcome(lambda: z.sum().backward(), WRITTEN), x.grad],
    }


@case("must")
def case_function_forgets_grad_output(T):
    """backward that forgets to multiply by grad_output passes with a plain sum and fails otherwise.

    Test with a non-constant seed; gradcheck does this for you.
    """

    class Sin(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x.sin()

        @staticmethod
        def backward(ctx, g):
            return ctx.saved_tensors[0].cos()

    x = T.tensor([0.0, 1.0], dtype=T.float64, requires_grad=True)
    s = T.autograd.grad(Sin.apply(x).sum(), x)[0] - x.detach().cos()
    t = T.autograd.grad((Sin.apply(x) * 3).sum(), x)[0] - 3 * x.detach().cos()
    return {"err_sum": s, "err_times3": t, "gradcheck": T.autograd.gradcheck(Sin.apply, (x,), raise_exception=False)}


@case("should")
def case_gradcheck_of_float32(T):
    """gradcheck on float32 inputs fails although the gradient is right.

    eps=1e-6 is below float32 resolution; use float64. At a kink the numeric slope is 0.5.
    """

    def f(x):
        return (x**3).sum() * 100

    x64 = T.tensor([0.3, 1.7], dtype=T.float64, requires_grad=True)
    x32 = T.tensor([0.3, 1.7], dtype=T.float32, requires_grad=True)
    return {
        "float64": T.autograd.gradcheck(f, (x64,)),
        "float32": T.autograd.gradcheck(f, (x32,), raise_exception=False),
        "gradgrad": T.autograd.gradgradcheck(lambda x: (x**3).sum(), (x64,)),
        "kink": T.autograd.gradcheck(T.relu, (T.zeros(1, dtype=T.float64, requires_grad=True),), raise_exception=False),
    }


@case("info")
def case_gradcheck_of_an_expanded_input(T):
    """gradcheck with an expanded (self-overlapping) input reports a false failure.

    Perturbing one element moves its aliases too; the check refuses or fails.
    """
    v = T.tensor([2.0], dtype=T.float64).expand(2).requires_grad_(True)
    m = T.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=T.float64)
    return {
        "expanded": outcome(
            lambda: T.autograd.gradcheck(lambda u: (m @ u).sum(), (v,)),
            "overlap",
            "Jacobian mismatch",
            "single memory location",
        ),
        "cloned": T.autograd.gradcheck(lambda u: (m @ u).sum(), (v.detach().clone().requires_grad_(True),)),
    }


@case("should")
def case_gradcheck_of_an_unsteady_backward(T):
    """A backward that is not deterministic makes gradcheck fail even when it is right on average.

    gradcheck runs backward twice and compares exactly (nondet_tol).
    """
    n = [0]

    class F(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            n[0] += 1
            return g * 2 * (1 + 1e-9 * n[0])

    x = T.tensor([0.3, 0.7], dtype=T.float64, requires_grad=True)
    return {
        "strict": T.autograd.gradcheck(F.apply, (x,), raise_exception=False),
        "message": outcome(lambda: T.autograd.gradcheck(F.apply, (x,)), "not reentrant"),
        "with_nondet_tol": T.autograd.gradcheck(F.apply, (x,), nondet_tol=1e-6),
    }
