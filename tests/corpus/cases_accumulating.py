"""Gradients add up: zeroing, clipping, optimizers, None against zero."""

from tests.corpus.corpus import case, outcome, snapshot


@case("must")
def case_jacobian_from_accumulated_grads(T):
    """A Jacobian assembled row by row from x.grad comes out wrong: rows are running sums.

    backward() adds. autograd.grad returns fresh values and touches no .grad.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    y = T.stack([3 * x[0] ** 2, x[0] * x[1], 10 * x[1]])
    rows = []
    for v in T.eye(3, dtype=T.float64):
        y.backward(v, retain_graph=True)
        rows.append(snapshot(x.grad))
    clean = [snapshot(T.autograd.grad(y, x, v, retain_graph=True)[0]) for v in T.eye(3, dtype=T.float64)]
    return {"from_.grad": rows, "from_grad()": clean}


@case("must")
def case_momentum_with_a_none_or_zero_grad(T):
    """With momentum, a parameter whose grad is zero keeps moving; one whose grad is None is skipped.

    Optimizers test 'is None', not 'all zero': zero_grad(set_to_none=...) changes training.
    """
    p = [T.tensor([1.0], dtype=T.float64, requires_grad=True) for _ in range(2)]
    opt = T.optim.SGD(p, lr=0.1, momentum=0.9, weight_decay=0.0)
    (p[0] + p[1]).sum().backward()
    opt.step()
    p[0].grad, p[1].grad = None, T.zeros(1, dtype=T.float64)
    opt.step()
    return {"none_grad": p[0], "zero_grad": p[1]}


@case("must")
def case_zero_grad_to_none_or_zero(T):
    """zero_grad() sets .grad to None by default; set_to_none=False zeroes the same tensor in place, so saved
    references change.

    A kept reference to p.grad is an alias unless it was cloned.
    """
    p = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    opt = T.optim.SGD([p], lr=0.1)
    (p * 3).sum().backward()
    g = p.grad
    opt.zero_grad(set_to_none=False)
    same = [p.grad is g, snapshot(g)]
    (p * 5).sum().backward()
    opt.zero_grad()
    return {"in_place": same, "default": p.grad, "old_reference": g}


@case("must")
def case_grad_assigned_with_wrong_shape_or_dtype(T):
    """Assigning .grad checks shape and dtype, and refuses the tensor itself.

    A (1,n) gradient on an (n,) parameter must fail loudly instead of broadcasting in the optimizer.
    """
    p = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    s = outcome(lambda: setattr(p, "grad", T.ones(1, 2, dtype=T.float64)), "size")
    d = outcome(lambda: setattr(p, "grad", T.ones(2, dtype=T.float32)), "type")
    me = outcome(lambda: setattr(p, "grad", p), "own grad")
    typ = outcome(lambda: setattr(p, "grad", [0.0, 0.0]), "")
    p.grad = T.ones(2, dtype=T.float64)
    (p * 3).sum().backward()
    return {"shape": s, "dtype": d, "self": me, "list": typ, "accumulates_onto_assigned": p.grad}


@case("must")
def case_adam_moves_untouched_embedding_rows(T):
    """Rows of an embedding that were not in the batch (zero gradient) still move under Adam.

    Momentum makes 'zero gradient' different from 'not touched'.
    """
    w = T.tensor([[1.0], [1.0]], dtype=T.float64, requires_grad=True)
    opt = T.optim.Adam([w], lr=0.1)
    for idx in (0, 1):
        opt.zero_grad()
        w[idx].sum().backward()
        opt.step()
    return {"w": w, "grad_row0_in_step2": w.grad[0]}


@case("must")
def case_clamp_of_a_grad_needs_the_underscore(T):
    """param.grad.clamp(-1, 1) has no effect; only clamp_ changes the stored gradient.

    Out-of-place methods return a new tensor; clipping needs the trailing underscore.
    """
    p = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    (p * T.tensor([5.0, -7.0], dtype=T.float64)).sum().backward()
    p.grad.clamp(-1, 1)
    a = snapshot(p.grad)
    p.grad.clamp_(-1, 1)
    return {"clamp": a, "clamp_": p.grad}


@case("must")
def case_augmented_assignment_aliases(T):
    """'total += x' on a stored tensor changes the list entry too; 'total = total + x' does not.

    Python's += is add_ on tensors: aliasing, not a new value.
    """
    t = T.tensor([1.0], dtype=T.float64)
    keep = [t]
    t += 5
    u = T.tensor([1.0], dtype=T.float64)
    keep2 = [u]
    u = u + 5
    return {"+=": keep[0], "= +": keep2[0]}


@case("must")
def case_micro_batches_add_up(T):
    """k micro-batches with mean losses equal one big batch only if each loss is divided by k.

    Accumulation is a plain sum of gradients; averaging is the caller's job.
    """
    x = T.tensor([1.0, 2.0, 3.0, 4.0], dtype=T.float64)

    def run(chunks, scale):
        w = T.tensor(1.0, dtype=T.float64, requires_grad=True)
        for c in chunks:
            (((w * c - 1) ** 2).mean() * scale).backward()
        return snapshot(w.grad)

    return {"full": run([x], 1.0), "two_scaled": run([x[:2], x[2:]], 0.5), "two_unscaled": run([x[:2], x[2:]], 1.0)}
