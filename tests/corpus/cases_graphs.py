"""The shape of the graph, and hooks on it."""

from tests.corpus.corpus import case, outcome, snapshot


@case("must")
def case_diamond_graph(T):
    """Diamond graph: recursive backward without topological order gives wrong gradients.

    A node may run its backward only after all its consumers have contributed.
    """
    a = T.tensor(2.0, dtype=T.float64, requires_grad=True)
    b = T.tensor(3.0, dtype=T.float64, requires_grad=True)
    c, d = a + b, a * b
    e, f = c + d, c * d
    y = e * f
    y.backward()
    return {"y": y, "a.grad": a.grad, "b.grad": b.grad}


@case("must")
def case_shared_result_visited_once(T):
    """Shared non-leaf: clearing grad_fn after the first visit (or a visited set on first arrival) drops a branch.

    Expected 21, the buggy engine gave 6.
    """
    x = T.tensor([2.0], dtype=T.float64, requires_grad=True)
    y = x * 3
    (y * 2 + y * 5).sum().backward()
    z = T.tensor([1.0], dtype=T.float64, requires_grad=True)
    u = z + z
    v = u + u
    w = v + v
    w.backward()
    return {"x.grad": x.grad, "doubling_chain": z.grad}


@case("must")
def case_same_tensor_on_both_sides(T):
    """The same tensor on both sides: x*x, x-x, x/x, x**x, x@x.

    Both argument slots must contribute.
    """
    x = T.tensor([2.0, 3.0], dtype=T.float64, requires_grad=True)

    def g(y):
        return snapshot(T.autograd.grad(y.sum(), x)[0])

    return {
        "x*x": g(x * x),
        "x-x": g(x - x),
        "x/x": g(x / x),
        "x**x": g(x**x),
        "x@x": g(x @ x),
        "where": g(T.where(x > 2.5, x, x)),
        "max(x,x)": g(T.maximum(x, x)),
    }


@case("must")
def case_one_leaf_used_many_times(T):
    """One leaf used 20 000 times, and a 3 000-way stack.

    Accumulation order and per-edge bookkeeping must not be quadratic.
    """
    x = T.tensor(1.0, dtype=T.float64, requires_grad=True)
    tot = T.stack([x * float(i) for i in range(3000)]).sum()
    tot.backward()
    y = x * 0.0
    for _ in range(20000):
        y = y + x
    return {"stack": x.grad, "adds": T.autograd.grad(y, x)}


@case("must")
def case_exponentially_many_paths(T):
    """Exponential-path graph: 60 levels of y = y + y.

    Visiting paths instead of nodes would take 2**60 steps.
    """
    x = T.tensor(1.0, dtype=T.float64, requires_grad=True)
    y = x
    for _ in range(60):
        y = y + y
    y.backward()
    return {"x.grad": x.grad}


@case("must")
def case_order_of_tensor_hooks(T):
    """Several hooks on one tensor: they run in registration order, each sees the previous result, and retain_grad
    sees the final one.

    Hooks form a pipeline before the gradient is used; returning None keeps it.
    """
    x = T.tensor(1.0, dtype=T.float64, requires_grad=True)
    y = x * 2
    seen = []
    y.retain_grad()
    y.register_hook(lambda g: seen.append(snapshot(g)) or g * 10)
    y.register_hook(lambda g: seen.append(snapshot(g)))
    y.register_hook(lambda g: seen.append(snapshot(g)) or g + 1)
    (y * 3).backward()
    return {"seen": seen, "y.grad": y.grad, "x.grad": x.grad}


@case("must")
def case_hook_sees_the_sum(T):
    """A hook on a tensor used twice fires once, with the *sum*; on a leaf once per backward call.

    Hooks are per tensor, not per edge. The leaf hook sees this pass's gradient, not the accumulated .grad.
    """
    x = T.tensor(1.0, dtype=T.float64, requires_grad=True)
    lx, ly = [], []
    x.register_hook(lambda g: lx.append(snapshot(g)))
    for _ in range(2):
        y = x * 2
        y.register_hook(lambda g: ly.append(snapshot(g)))
        (y * 3 + y * 4 + x).backward()
    return {"leaf": lx, "nonleaf": ly, "x.grad": x.grad}


@case("must")
def case_hook_that_removes_itself(T):
    """A hook that removes itself while returning a new gradient crashed the interpreter.

    Iterate over a copy of the hook list.
    """
    t = T.ones(3, dtype=T.float64, requires_grad=True)
    calls = []

    def hook(g):
        calls.append("a")
        h.remove()
        return T.zeros_like(g)

    h = t.register_hook(hook)
    t.register_hook(lambda g: calls.append("b"))
    (t**2).sum().backward()
    first = snapshot(t.grad)
    (t**2).sum().backward()
    return {"first": first, "second": t.grad, "calls": calls}


@case("should")
def case_hook_on_an_input_of_grad(T):
    """Tensor hooks also run when that tensor is an input= of autograd.grad.

    grad() returns the hooked value but stores nothing.
    """
    x = T.tensor(1.0, dtype=T.float64, requires_grad=True)
    x.register_hook(lambda g: g * 10)
    y = x * 2
    y.register_hook(lambda g: g * 100)
    z = y * 3
    return {
        "wrt_leaf": T.autograd.grad(z, x, retain_graph=True),
        "wrt_nonleaf": T.autograd.grad(z, y),
        "x.grad": x.grad,
    }


@case("should")
def case_post_accumulate_hook(T):
    """post-accumulate hook: leaf only, runs after .grad was updated, receives the parameter.

    The hook for 'optimizer in backward'.
    """
    p = T.tensor([1.0], dtype=T.float64, requires_grad=True)
    log = []

    def step(q):
        log.append(snapshot(q.grad))
        with T.no_grad():
            q -= 0.1 * q.grad
        q.grad = None

    p.register_post_accumulate_grad_hook(step)
    for _ in range(2):
        (p * p).sum().backward()
    return {
        "log": log,
        "p": p,
        "p.grad": p.grad,
        "nonleaf": outcome(lambda: (p * 2).register_post_accumulate_grad_hook(step), "leaf"),
    }


@case("should")
def case_hooks_that_are_refused(T):
    """register_hook on a tensor that does not require grad; a hook that raises; a hook returning a wrong shape.

    Errors must surface to the caller of backward().
    """
    e1 = outcome(lambda: T.ones(1).register_hook(lambda g: g), "doesn't require gradient")
    x = T.ones(2, dtype=T.float64, requires_grad=True)
    h = x.register_hook(lambda g: 1 / 0)
    e2 = outcome(lambda: (x * 2).sum().backward(), "division by zero")
    h.remove()
    (x * 2).sum().backward()
    return {"plain": e1, "raising_hook": e2, "x.grad_after_removal": x.grad}


@case("must")
def case_hook_rescales_one_operand(T):
    """A hook on one operand rescales its gradient; the sibling operand of the same add and the seed must stay
    untouched.

    Pass-through backward hands the same array to both operands, so a hook result must never be written into it.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    z = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    x.register_hook(lambda g: g * 10)
    y, seed = x + z, T.ones(2, dtype=T.float64)
    y.backward(seed)
    return {"x.grad": x.grad, "z.grad": z.grad, "seed": seed}
