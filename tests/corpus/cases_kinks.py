"""Subgradients at kinks and ties, and gradients that become NaN."""

from tests.corpus.corpus import case, snapshot


@case("must")
def case_norm_at_zero(T):
    """Gradient of a norm at zero: norm() gives 0, (x**2).sum().sqrt() gives NaN.

    Same function, two graphs: one picks a subgradient, the other multiplies 0 by inf.
    """

    def g(f):
        return snapshot(T.autograd.grad(f(x), x)[0])

    x = T.zeros(2, dtype=T.float64, requires_grad=True)
    return {
        "norm": g(lambda x: x.norm()),
        "by_hand": g(lambda x: (x**2).sum().sqrt()),
        "squared_norm": g(lambda x: x.norm() ** 2),
        "norm_p1": g(lambda x: x.norm(p=1)),
        "eps_inside": g(lambda x: ((x**2).sum() + 1e-12).sqrt()),
    }


@case("should")
def case_relu_and_its_relatives_at_the_kink(T):
    """relu, clamp, hardtanh, relu6 and maximum(x,0) agree everywhere except at the kink.

    Conventions at a tie: relu 0, hardtanh 0, clamp 1 (in 2.13; a later change to 0 is under way), maximum 1/2, abs
    0.
    """
    F = T.nn.functional

    def g(f, v=0.0):
        x = T.tensor(v, dtype=T.float64, requires_grad=True)
        return snapshot(T.autograd.grad(f(x), x)[0])

    return {
        "relu": g(F.relu),
        "clamp01@0": g(lambda x: x.clamp(0, 1)),
        "clamp01@1": g(lambda x: x.clamp(0, 1), 1.0),
        "clamp_min": g(lambda x: x.clamp(min=0)),
        "hardtanh": g(lambda x: F.hardtanh(x, 0.0, 1.0)),
        "maximum": g(lambda x: T.maximum(x, T.zeros_like(x))),
        "abs": g(T.abs),
        "sign": g(lambda x: x.sign() + x),
        "leaky": g(lambda x: F.leaky_relu(x, 0.1)),
    }


@case("must")
def case_ties_of_max_min_median(T):
    """max/min/median over everything share the gradient between ties; max(dim) gives it to one index; amax(dim)
    shares.

    Three reductions with the same value and different gradients.
    """

    def g(f, d=(3.0, 3.0, 1.0)):
        x = T.tensor(list(d), dtype=T.float64, requires_grad=True)
        return snapshot(T.autograd.grad(f(x), x)[0])

    return {
        "max": g(lambda x: x.max()),
        "max_dim": g(lambda x: x.max(dim=0)[0]),
        "amax": g(lambda x: x.amax(dim=0)),
        "min": g(lambda x: x.min(), (2.0, 1.0, 1.0)),
        "median": g(lambda x: x.median(), (1.0, 2.0, 2.0, 2.0, 5.0)),
        "even_median_is_lower": g(lambda x: x.median(), (1.0, 2.0, 3.0, 4.0)),
        "max_of_stack": g(lambda x: T.stack([x, x]).max()),
    }


@case("must")
def case_sqrt_at_zero(T):
    """sqrt at 0 has gradient inf; sqrt((x-1)**2) at 1 is NaN where abs(x-1) is 0.

    Chain rule is applied node by node: 0 * inf = NaN, no algebraic simplification.
    """

    def g(f, v):
        x = T.tensor(v, dtype=T.float64, requires_grad=True)
        return snapshot(T.autograd.grad(f(x), x)[0])

    return {
        "sqrt@0": g(T.sqrt, 0.0),
        "sqrt_sq@1": g(lambda x: ((x - 1) ** 2).sqrt(), 1.0),
        "abs@1": g(lambda x: (x - 1).abs(), 1.0),
        "log@0": g(T.log, 0.0),
        "x**0.5@0": g(lambda x: x**0.5, 0.0),
        "rsqrt_times_0": g(lambda x: x.sqrt() * 0, 0.0),
    }


@case("must")
def case_where_with_nan_in_the_unused_branch(T):
    """where() picks the safe branch in the forward pass, yet the unused branch puts NaN in the gradient.

    The masked branch receives gradient 0, and 0 * inf = NaN. Fix: make the *input* safe (double where).
    """
    x = T.tensor([0.0, 4.0], dtype=T.float64, requires_grad=True)
    m = x > 0
    bad = T.autograd.grad(T.where(m, x.sqrt(), T.zeros_like(x)).sum(), x)
    safe = T.where(m, x, T.ones_like(x))
    good = T.autograd.grad(T.where(m, safe.sqrt(), T.zeros_like(x)).sum(), x)
    return {"single_where": bad, "double_where": good}


@case("must")
def case_inf_overwritten_by_a_mask(T):
    """Overwriting an inf with y[mask] = 0 does not save the gradient: x.grad is NaN there.

    The division node still runs its backward with upstream 0: 0 * (1/0).
    """
    x = T.tensor([1.0, 1.0], dtype=T.float64, requires_grad=True)
    d = T.tensor([0.0, 1.0], dtype=T.float64)
    y = x / d
    y[d == 0] = 0
    y.sum().backward()
    a = snapshot(x.grad)
    x.grad = None
    (x[d != 0] / d[d != 0]).sum().backward()
    return {"masked_after": a, "masked_before": x.grad, "y": y}


@case("must")
def case_power_at_zero_and_negative_bases(T):
    """0**b, a**0 and negative bases: gradients for base and exponent.

    d/db is taken as 0 where the base is 0 (exponent >= 0) instead of 0*log 0 = NaN; a negative base has NaN d/db.
    """
    a = T.tensor([0.0, 0.0, -2.0, 2.0], dtype=T.float64, requires_grad=True)
    b = T.tensor([1.0, 0.0, 2.0, 3.0], dtype=T.float64, requires_grad=True)
    y = a**b
    y.sum().backward()
    c = T.tensor([0.0, -1.0], dtype=T.float64, requires_grad=True)
    (c**0 + c**3).sum().backward()
    return {
        "y": y,
        "a.grad": a.grad,
        "b.grad": b.grad,
        "const_exponents": c.grad,
        "neg_frac": T.tensor([-8.0], dtype=T.float64) ** (1 / 3),
    }


@case("must")
def case_cumprod_with_a_zero(T):
    """cumprod with a zero: division-based gradient gives NaN.

    Exact answer is finite: [1, 32, 0, 0] for [2,0,3,4].
    """

    def g(v):
        x = T.tensor(v, dtype=T.float64, requires_grad=True)
        T.cumprod(x, 0).sum().backward()
        return snapshot(x.grad)

    return {
        "zero_inside": g([2.0, 0.0, 3.0, 4.0]),
        "two_zeros": g([2.0, 0.0, 3.0, 0.0, 5.0]),
        "no_zero": g([2.0, 3.0, 4.0]),
    }


@case("should")
def case_std_of_one_element_or_a_constant(T):
    """std of one element is NaN (n-1 = 0); std of a constant vector has value 0 and gradient 0.

    unbiased default differs from NumPy; the second case is a chosen subgradient.
    """

    def g(v, **k):
        x = T.tensor(v, dtype=T.float64, requires_grad=True)
        s = x.std(**k)
        s.backward()
        return [snapshot(s), snapshot(x.grad)]

    return {"one": g([4.0]), "constant": g([4.0, 4.0]), "one_biased": g([4.0], unbiased=False), "normal": g([1.0, 3.0])}


@case("must")
def case_softmax_of_huge_values(T):
    """logsumexp/softmax with huge values are stable; with all -inf or one +inf the gradient is NaN.

    Shifting by the max fixes overflow but inf - inf remains.
    """
    inf = float("inf")

    def g(f, v):
        x = T.tensor(v, dtype=T.float64, requires_grad=True)
        y = f(x)
        y.sum().backward()
        return [snapshot(y), snapshot(x.grad)]

    lse, ls = (lambda x: T.logsumexp(x, 0)), (lambda x: T.log_softmax(x, 0)[0])
    return {
        "lse_big": g(lse, [1000.0, 1000.0]),
        "lse_-inf_one": g(lse, [-inf, 0.0]),
        "lse_all_-inf": g(lse, [-inf, -inf]),
        "naive": g(lambda x: x.exp().sum().log(), [1000.0, 1000.0]),
        "log_softmax_big": g(ls, [1000.0, 0.0]),
        "softmax_+inf": g(lambda x: T.softmax(x, 0), [0.0, inf]),
    }


@case("must")
def case_softplus_and_sigmoid_of_huge_values(T):
    """softplus with beta and threshold, sigmoid and log-sigmoid at +-1000.

    Stable formulas needed in forward *and* backward; a wrong threshold rule gives slope 1 instead of 0.694.
    """
    F = T.nn.functional

    def g(f, v):
        x = T.tensor(v, dtype=T.float64, requires_grad=True)
        y = f(x)
        y.sum().backward()
        return [snapshot(y), snapshot(x.grad)]

    return {
        "softplus": g(lambda x: F.softplus(x, beta=3, threshold=1), [0.2736, 2.0]),
        "sigmoid": g(T.sigmoid, [-1000.0, 1000.0]),
        "logsigmoid": g(F.logsigmoid, [-1000.0, 1000.0]),
        "bce_logits": g(
            lambda z: F.binary_cross_entropy_with_logits(z, T.tensor([0.0, 1.0], dtype=T.float64)), [1000.0, 1000.0]
        ),
    }


@case("should")
def case_clamp_with_tensor_bounds(T):
    """clamp with tensor bounds does not split ties the way min(max(x, lo), hi) does.

    Where x equals a bound, clamp gives everything to x; maximum/minimum share it.
    """

    def g(f):
        a, lo, hi = [
            T.tensor(v, dtype=T.float64, requires_grad=True)
            for v in ([-2.0, -1.0, 0.0, 1.0, 2.0], [-1.0] * 5, [1.0] * 5)
        ]
        f(a, lo, hi).sum().backward()
        return [snapshot(t.grad) for t in (a, lo, hi)]

    return {"clamp": g(T.clamp), "min_max": g(lambda a, lo, hi: T.minimum(T.maximum(a, lo), hi))}
