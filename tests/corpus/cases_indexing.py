"""Indexing, gathering, sorting, joining."""

from tests.corpus.corpus import case, dtype_name, snapshot


@case("must")
def case_repeated_index_read(T):
    """y[[0,0]] or gather with repeated indices: only the last copy received gradient.

    Backward of gather is scatter-ADD. NumPy: np.add.at, not g[idx] += v.
    """
    x = T.tensor([0.1, 0.2], dtype=T.float64, requires_grad=True)
    i = T.tensor([0, 0, 1])
    w = T.tensor([2.0, 3.0, 5.0], dtype=T.float64)

    def g(y):
        return snapshot(T.autograd.grad((y * w).sum(), x)[0])

    return {
        "index": g(x[i]),
        "gather": g(x.gather(0, i)),
        "index_select": g(T.index_select(x, 0, i)),
        "list": g(x[[0, 0, 1]]),
    }


@case("should")
def case_repeated_index_written(T):
    """index_put_ / scatter with repeated destinations: accumulate=True is well defined, accumulate=False is not.

    With False torch lets the last write win in the forward but gives gradient to every source - documented as
    undefined.
    """
    v = T.tensor([1.0, 2.0, 4.0], dtype=T.float64, requires_grad=True)
    b = T.ones(3, dtype=T.float64, requires_grad=True)
    y = b.index_put((T.tensor([0, 0, 2]),), v, accumulate=True)
    (y * T.tensor([1.0, 10.0, 100.0], dtype=T.float64)).sum().backward()
    s = T.zeros(3, dtype=T.float64).scatter_add(0, T.tensor([1, 1, 0]), v)
    return {"y": y, "v.grad": v.grad, "b.grad": b.grad, "scatter_add": s}


@case("must")
def case_permutations_and_partial_ones(T):
    """sort, topk, cumsum, flip and roll: gradient is the inverse permutation (or a partial one).

    A permutation's backward must use the inverse, not the same permutation.
    """
    w = T.tensor([1.0, 10.0, 100.0, 1000.0], dtype=T.float64)

    def g(f):
        x = T.tensor([3.0, 1.0, 4.0, 2.0], dtype=T.float64, requires_grad=True)
        y = f(x)
        return snapshot(T.autograd.grad((y * w[: y.shape[0]]).sum(), x)[0])

    return {
        "sort": g(lambda x: x.sort()[0]),
        "sort_desc": g(lambda x: x.sort(descending=True)[0]),
        "topk2": g(lambda x: x.topk(2)[0]),
        "cumsum": g(lambda x: x.cumsum(0)),
        "flip": g(lambda x: x.flip(0)),
        "roll": g(lambda x: x.roll(1, 0)),
    }


@case("must")
def case_comparison_inside_a_loss(T):
    """Comparisons inside a loss: (t * (t < 0)).sum() must be differentiable through t only.

    Boolean masks are constants for autograd.
    """
    t = T.tensor([-2.0, 3.0], dtype=T.float64, requires_grad=True)
    m = t < 0
    (t * m).sum().backward()
    return {
        "t.grad": t.grad,
        "mask": [m.requires_grad, dtype_name(m)],
        "masked_select": T.autograd.grad(t[m].sum() * 5, t),
    }


@case("must")
def case_cat_and_stack_with_repeats_and_constants(T):
    """cat([x, x]) and stack with a tensor that does not require grad.

    Multi-input ops must skip inputs without grad and add repeated ones.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    c = T.zeros(2, dtype=T.float64)
    w = T.arange(8, dtype=T.float64)
    (T.cat([x, c, x, c]) * w).sum().backward()
    a = snapshot(x.grad)
    x.grad = None
    (T.stack([c, x], -1)[:, 1] * 3).sum().backward()
    _p, q = T.split(x, 1)
    return {"cat": a, "stack": x.grad, "split_one_used": T.autograd.grad(q.sum() * 7, x)}
