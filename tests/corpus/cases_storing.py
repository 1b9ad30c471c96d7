"""Where gradients are stored, and why `.grad` is None."""

import math

from tests.corpus.corpus import NO_GRAD, UNUSED, case, outcome, warns


@case("must")
def case_reshaped_parameter_has_no_grad(T):
    """A tensor built with requires_grad=True and then reshaped has .grad None after backward.

    The name now points at the *view*, a non-leaf; only leaves keep .grad. The leaf itself became unreachable.
    """
    x = T.tensor([0.25, 0.75], dtype=T.float64, requires_grad=True).view(2, 1)
    x.sum().backward()
    warned = warns(lambda: x.grad, "not a leaf")
    return {"grad": x.grad, "is_leaf": x.is_leaf, "requires_grad": x.requires_grad, "warned": warned}


@case("must")
def case_requires_grad_before_or_after_an_op(T):
    """Same arithmetic, but requires_grad set before vs after the op decides whether the result is a leaf.

    is_leaf is decided when the op is recorded: 'flag then op' makes a non-leaf, 'op then flag' makes a new leaf.
    """
    a = T.tensor([1.0], dtype=T.float64, requires_grad=True) * 2
    b = T.tensor([1.0], dtype=T.float64) * 2
    was = [a.is_leaf, b.is_leaf, b.requires_grad]
    b.requires_grad = True
    a.sum().backward()
    b.sum().backward()
    return {"before": was, "b_leaf": b.is_leaf, "a.grad": a.grad, "b.grad": b.grad, "b.grad_fn": b.grad_fn is None}


@case("must")
def case_update_by_assignment_makes_a_plain_tensor(T):
    """'w = w - lr*w.grad' inside no_grad silently turns w into a plain tensor; 'w -= ...' does not.

    Rebinding a name creates a new tensor outside the graph; in-place keeps the same leaf.
    """
    w = T.tensor(1.0, dtype=T.float64, requires_grad=True)
    (w * 3).backward()
    with T.no_grad():
        new = w - 0.1 * w.grad
        w -= 0.1 * w.grad
    return {
        "new": [new.item(), new.requires_grad, new.grad is None],
        "w": [w.item(), w.requires_grad, w.is_leaf, w.grad],
    }


@case("must")
def case_zeroing_before_the_first_backward(T):
    """Zeroing gradients before the first backward crashes: .grad does not exist yet; and updating without no_grad
    loses .grad on the next step.

    .grad starts as None (not zeros), and 'w = w - lr*g' outside no_grad makes a non-leaf with no .grad.
    """
    w = T.tensor([2.0], dtype=T.float64, requires_grad=True)
    first = outcome(lambda: w.grad.zero_(), "NoneType")
    (w * w).sum().backward()
    w2 = w - 0.5 * w.grad
    (w2 * w2).sum().backward()
    return {"first": first, "w2": w2, "w2.is_leaf": w2.is_leaf, "w2.grad": w2.grad, "w.grad_after_2": w.grad}


@case("must")
def case_requires_grad_set_on_the_loss(T):
    """'element 0 of tensors does not require grad' silenced with loss.requires_grad=True: backward runs, nothing
    trains.

    The flag makes the *loss* a leaf of a one-node graph; the parameters are still cut off.
    """
    w = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    loss = (w.detach() ** 2).sum()
    err = outcome(lambda: loss.backward(), NO_GRAD)
    loss.requires_grad_(True)
    second = outcome(lambda: loss.backward())
    return {"err": err, "after_flag": second, "loss.grad": loss.grad, "w.grad": w.grad}


@case("must")
def case_grad_of_an_unused_input(T):
    """autograd.grad for an input that never entered the graph: error by default, None with allow_unused, zeros with
    materialize_grads.

    Three different answers to 'not connected' - and None is not the same as a zero gradient.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    z = T.tensor([5.0], dtype=T.float64, requires_grad=True)
    y = (x * x).sum()
    err = outcome(lambda: T.autograd.grad(y, [x, z], retain_graph=True), UNUSED)
    g1 = T.autograd.grad(y, [x, z], allow_unused=True, retain_graph=True)
    g2 = T.autograd.grad(y, [x, z], materialize_grads=True)
    return {"default": err, "allow_unused": g1, "materialize": g2, "x.grad": x.grad}


@case("must")
def case_allow_unused_for_an_input_without_grad(T):
    """allow_unused=True does not rescue an input that does not require grad at all.

    'unused' and 'not differentiable' are different failures; the second is always an error.
    """
    a = T.tensor([1.0, 2.0], dtype=T.float64)
    b = T.tensor([3.0, 4.0], dtype=T.float64, requires_grad=True)
    y = (a * b).sum()
    return {"grad_wrt_plain": outcome(lambda: T.autograd.grad(y, [a, b], allow_unused=True), NO_GRAD)}


@case("must")
def case_grad_for_a_slice_taken_too_late(T):
    """grad with respect to x[0] taken after the loss was built fails although x was used.

    x[0] evaluated now is a *new* node hanging off x, not an ancestor of the loss.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    y = (x * x).sum()
    late = outcome(lambda: T.autograd.grad(y, x[0], retain_graph=True), UNUSED)
    x0, x1 = x[0], x[1]
    y2 = x0 * x0 + x1 * x1
    return {"late_slice": late, "slice_before": T.autograd.grad(y2, x0)}


@case("must")
def case_retain_grad_on_a_leaf_and_a_result(T):
    """Docs said retain_grad() on a non-leaf is a no-op; it is the leaf case that is the no-op.

    retain_grad: leaf -> no-op, non-leaf -> stores .grad, no-grad tensor -> error.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    y = x * 3
    x.retain_grad()
    y.retain_grad()
    (y * y).sum().backward()
    bad = outcome(lambda: T.ones(2).retain_grad(), "requires_grad=False")
    return {"x.grad": x.grad, "y.grad": y.grad, "flags": [x.retains_grad, y.retains_grad], "plain": bad}


@case("should")
def case_grad_assigned_to_a_result(T):
    """Manually assigning .grad on a non-leaf works; with retain_grad() backward then adds to it.

    A retained non-leaf .grad accumulates into whatever is already there, exactly like a leaf.
    """
    x = T.tensor(5.0, dtype=T.float64, requires_grad=True)
    y = x * 2
    y.grad = T.tensor(7.0, dtype=T.float64)
    y.retain_grad()
    y.backward()
    return {"y.grad": y.grad, "x.grad": x.grad}


@case("must")
def case_requires_grad_changed_on_a_result(T):
    """Changing requires_grad on a computed tensor fails - except requires_grad_(True), which is accepted.

    requires_grad of a non-leaf is derived, not settable; detach() is the way to switch it off.
    """
    x = T.tensor([1.0], dtype=T.float64, requires_grad=True)
    y = x * 2
    a = outcome(lambda: setattr(y, "requires_grad", False), "only change requires_grad flags of leaf")
    b = outcome(lambda: setattr(y, "requires_grad", True), "only change requires_grad flags of leaf")
    c = outcome(lambda: y.requires_grad_(False), "only change requires_grad flags of leaf")
    return {
        "=False": a,
        "=True": b,
        "_(False)": c,
        "_(True)": outcome(lambda: y.requires_grad_(True)),
        "detach": y.detach().requires_grad,
    }


@case("must")
def case_integers_cannot_require_grad(T):
    """tensor([1], requires_grad=True) fails: integers cannot require grad; argmax / .long() outputs never do.

    Only float tensors are differentiable; integer-valued outputs silently leave the graph.
    """
    bad = outcome(lambda: T.tensor([1, 2], requires_grad=True), "floating point")
    x = T.tensor([1.0, 3.0], dtype=T.float64, requires_grad=True)
    outs = [x.argmax(), x.to(T.int64), x > 2]
    return {"int": bad, "requires_grad": [o.requires_grad for o in outs], "round": (x.round() * 2).requires_grad}


@case("must")
def case_factory_calls_under_no_grad(T):
    """Under no_grad: op results do not require grad, but a factory call with requires_grad=True still makes a leaf
    (and Parameter too).

    no_grad stops *recording*; it does not strip the flag you ask for explicitly.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    with T.no_grad():
        y, c = x * 2, x.clone()
        f = T.ones(2, requires_grad=True)
        p = T.nn.Parameter(T.ones(2))
    return {
        "op": y.requires_grad,
        "clone": c.requires_grad,
        "factory": [f.requires_grad, f.is_leaf],
        "param": p.requires_grad,
        "x": x.requires_grad,
    }


@case("should")
def case_detach_inplace_after_children(T):
    """detach_() on a node that already has children does not stop gradients flowing to its parents.

    Children hold edges to the old grad_fn; detaching changes only the tensor. If a child *saved* b, torch 2.13
    refuses instead.
    """
    a = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    b = a * 2
    c, d = b.sum(), (b * b).sum()
    b.detach_()
    c.backward()
    return {
        "b_after": [b.requires_grad, b.is_leaf],
        "a.grad": a.grad,
        "child_that_saved_b": outcome(lambda: d.backward(), "detached in-place"),
    }


@case("must")
def case_tensor_of_tensors_cuts_the_graph(T):
    """Assembling a vector with tensor([a, b]) from scalar tensors cuts the graph; stack does not.

    Constructors copy numbers; only ops are recorded.
    """
    a = T.tensor(1.0, dtype=T.float64, requires_grad=True)
    b = T.tensor(2.0, dtype=T.float64, requires_grad=True)
    cut = T.tensor([a.item(), b.item()], dtype=T.float64)
    ok = T.stack([a, b])
    (ok * T.tensor([10.0, 20.0], dtype=T.float64)).sum().backward()
    return {"cut": [cut.requires_grad, cut.is_leaf], "stack": ok.requires_grad, "a.grad": a.grad, "b.grad": b.grad}


@case("must")
def case_math_exp_cuts_the_graph(T):
    """math.exp(x) on a tracked value returns a bare float, so the gradient disappears.

    float()/item()/math.* leave the tensor world; use the tensor method.
    """
    x = T.tensor(2.0, dtype=T.float64, requires_grad=True)
    y = math.exp(x)
    z = x.exp()
    z.backward()
    return {"math": [type(y).__name__, y], "x.grad": x.grad}


@case("must")
def case_numpy_of_a_tracked_tensor(T):
    """numpy() refuses a tensor that requires grad; detach().numpy() shares memory.

    The refusal protects against silent detaching; after detach the array is an alias, not a copy.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    err = outcome(lambda: x.numpy(), "requires grad")
    a = x.detach().numpy()
    a[0] = 99.0
    return {"numpy": err, "x": x, "item": x[1].item()}


@case("must")
def case_backward_without_history(T):
    """backward() on something with no history; every tensor that does not require grad is a leaf.

    is_leaf is True for plain tensors even when computed - leaf-ness is about history, not about who made it.
    """
    p = T.ones(2) * 3
    q = T.tensor(4.0, dtype=T.float64, requires_grad=True)
    e = outcome(lambda: p.sum().backward(), NO_GRAD)
    q.backward()
    return {
        "computed_is_leaf": p.is_leaf,
        "err": e,
        "leaf_backward_itself": q.grad,
        "grad_of_self": T.autograd.grad(q, q),
    }


@case("must")
def case_backward_of_several_elements(T):
    """backward() without an argument needs a one-element output; otherwise pass the vector v of v^T J.

    'gradient=' is the upstream derivative, not a magic number; shape must match the output.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    e1 = outcome(lambda: (x * x).backward(), "scalar outputs")
    e2 = outcome(lambda: (x * x).backward(T.ones(3, dtype=T.float64)), "shape")
    (x * x).backward(T.tensor([1.0, 10.0], dtype=T.float64))
    one = T.tensor([3.0], dtype=T.float64, requires_grad=True)
    (one * 2).backward()
    return {"implicit": e1, "bad_shape": e2, "x.grad": x.grad, "one_element": one.grad}


@case("must")
def case_backward_into_listed_inputs(T):
    """backward(inputs=[...]) stores only into the listed tensors (leaf or not).

    A way to ask for a non-leaf gradient without retain_grad, and to leave other leaves untouched.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    w = T.tensor([3.0, 4.0], dtype=T.float64, requires_grad=True)
    h = x * w
    (h * h).sum().backward(inputs=[x, h])
    return {"x.grad": x.grad, "w.grad": w.grad, "h.grad": h.grad}


@case("info")
def case_slice_taken_under_no_grad(T):
    """A slice taken inside no_grad claims requires_grad=True and is_leaf=True, backward runs - and nothing is
    stored anywhere.

    The perfect 'computed but not stored' exhibit: the view borrows its base's flag but has no history and no
    accumulator.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    with T.no_grad():
        v = x[0]
    y = v * 3
    flags = [v.requires_grad, v.is_leaf, v.grad_fn is None, y.requires_grad]
    return {"flags": flags, "backward": outcome(lambda: y.backward(), NO_GRAD), "x.grad": x.grad, "v.grad": v.grad}
