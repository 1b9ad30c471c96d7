"""In-place writes, versions and views."""

from tests.corpus.corpus import LEAF_VIEW_WRITTEN, LEAF_WRITTEN, WRITTEN, case, outcome, snapshot


@case("must")
def case_optimizer_step_before_backward(T):
    """GAN loop: optimizer.step() between a forward pass and its backward -> 'modified by an inplace operation'.

    step() edits weights in place; a graph recorded before the step saved the old weights.
    """
    g = T.tensor([2.0], dtype=T.float64, requires_grad=True)
    d = T.tensor([3.0], dtype=T.float64, requires_grad=True)
    opt = T.optim.SGD([d], lr=0.1)
    fake = g * 1.0
    d_loss, g_loss = (fake.detach() * d).sum(), (fake * d).sum()
    d_loss.backward()
    opt.step()
    bad = outcome(lambda: g_loss.backward(), WRITTEN)
    (g * d).sum().backward()
    return {"stale_graph": bad, "fresh_forward_g.grad": g.grad, "d": d}


@case("must")
def case_write_to_a_leaf(T):
    """x += 1 on a leaf that requires grad is refused; under no_grad, or on a clone, it is fine.

    A leaf has no grad_fn to rewrite; clone() gives a non-leaf whose history can be extended.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    bad = outcome(lambda: x.add_(1), LEAF_WRITTEN)
    y = x.clone()
    y += 1
    y.sum().backward()
    with T.no_grad():
        x += 1
    return {"leaf": bad, "x": x, "x.grad": x.grad, "still_leaf": [x.is_leaf, x.requires_grad]}


@case("must")
def case_write_to_a_view_of_a_leaf(T):
    """E[:, 0::2] = value on a parameter: 'a view of a leaf Variable ... in-place'.

    Slice assignment is an in-place op on a view of the leaf; initialise under no_grad.
    """
    E = T.zeros(2, 4, dtype=T.float64, requires_grad=True)
    bad = outcome(
        lambda: E.__setitem__((slice(None), slice(0, None, 2)), T.ones(2, 2, dtype=T.float64)),
        LEAF_WRITTEN,
        LEAF_VIEW_WRITTEN,
    )
    bad2 = outcome(lambda: E[0].add_(1), LEAF_VIEW_WRITTEN)
    with T.no_grad():
        E[:, 0::2] = T.ones(2, 2, dtype=T.float64)
    (E * E).sum().backward()
    return {"setitem": bad, "row_add_": bad2, "E.grad": E.grad}


@case("must")
def case_write_to_an_element_of_a_saved_output(T):
    """Overwriting one element of sigmoid(x) breaks backward; the same formula written with exp does not.

    sigmoid saved its *output*; 1/(1+exp(-x)) saved other tensors. The overwritten element gets gradient 0.
    """
    x = T.tensor([1.0, 2.0, 3.0], dtype=T.float64, requires_grad=True)
    s = x.sigmoid()
    s[1] = 2
    bad = outcome(lambda: s.sum().backward(), WRITTEN)
    q = 1 / ((-x).exp() + 1) * 1.0
    q[1] = 2
    q.sum().backward()
    return {"sigmoid": bad, "x.grad": x.grad}


@case("must")
def case_version_is_per_storage(T):
    """a[0] = a[1].sin() fails although different elements are touched.

    The version counter is per storage, not per element.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    a = x.clone()
    a[0] = a[1].sin()
    bad = outcome(lambda: a.sum().backward(), WRITTEN)
    b = x.clone()
    b[0] = b[1].clone().sin()
    b.sum().backward()
    return {"alias": bad, "x.grad": x.grad}


@case("must")
def case_running_reduction_in_one_buffer(T):
    """Running reduction stored in one buffer: works with add, fails with mul.

    add saves nothing, mul saves its operands, which are views of the buffer being written.
    """

    def run(op):
        x, y, z = [T.tensor(v, dtype=T.float64, requires_grad=True) for v in (2.0, 3.0, 5.0)]
        t = T.zeros(5, dtype=T.float64)
        t[0], t[1], t[3] = x, y, z
        t[2] = op(t[0], t[1])
        t[4] = op(t[2], t[3])
        r = outcome(lambda: t[4].backward(), WRITTEN)
        return [r, snapshot([x.grad, y.grad, z.grad])]

    return {"add": run(T.add), "mul": run(T.mul)}


@case("must")
def case_relu_before_or_after_an_inplace_add(T):
    """'out = relu(out); out += identity' fails, 'out += identity; relu_(out)' works; two relu_ in a row fail.

    relu saves its result. Order of the two lines decides whether the saved tensor is later written.
    """
    F = T.nn.functional
    x = T.tensor([-1.0, 2.0], dtype=T.float64, requires_grad=True)
    a = T.relu(x * 2)
    a += x
    b = x * 2
    b += x
    b = F.relu(b, inplace=True)
    c = F.relu(F.relu(x * 2, inplace=True), inplace=True)
    ra, rc = outcome(lambda: a.sum().backward(), WRITTEN), outcome(lambda: c.sum().backward(), WRITTEN)
    b.sum().backward()
    return {"relu_then_+=": ra, "double_relu_": rc, "+=_then_relu_": x.grad}


@case("must")
def case_shortcut_before_or_after_an_inplace_relu(T):
    """Residual block: taking the shortcut before or after an in-place relu on the same tensor changes error into
    success.

    A reader recorded before the write becomes invalid; one recorded after it is fine (and sees the new values).
    """
    x = T.tensor([-1.0, 2.0], dtype=T.float64, requires_grad=True)
    h = x * 1.0
    short = h**2
    h.relu_()
    bad = outcome(lambda: (short + h).sum().backward(), WRITTEN)
    x.grad = None
    h = x * 1.0
    h.relu_()
    short = h**2
    (short + h).sum().backward()
    return {"shortcut_first": bad, "relu_first": x.grad}


@case("must")
def case_write_through_data_or_detach(T):
    """.data vs .detach(): both share memory, but only edits through detach() are noticed by autograd.

    detach shares the version counter (error); .data does not (silently wrong gradient).
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    a = x.sigmoid()
    a.detach().zero_()
    bad = outcome(lambda: a.sum().backward(), WRITTEN)
    b = x.sigmoid()
    b.data.zero_()
    b.sum().backward()
    return {"detach": bad, "data_silently": x.grad, "b": b}


@case("must")
def case_version_counters_shared(T):
    """Reading _version: one counter shared by base, views and detach(); .data starts its own; every in-place op
    bumps it.

    Makes the invisible check visible - good for a memory diagram.
    """
    x = T.zeros(3, dtype=T.float64)
    v, d, p = x[1:], x.detach(), x.data
    x.add_(1)
    a = [x._version, v._version, d._version, p._version]
    v[0] = 5
    b = [x._version, v._version, d._version, p._version]
    p.mul_(2)
    c = [x._version, p._version]
    with T.no_grad():
        x.zero_()
    return {
        "after_add_": a,
        "after_view_write": b,
        "after_data_write": c,
        "no_grad_write": x._version,
        "clone": x.clone()._version,
    }


@case("should")
def case_write_to_one_of_several_views(T):
    """Editing a piece produced by unbind/split/chunk (or by iterating a tensor) is refused.

    Multi-output views cannot be rebased; torch raises instead of giving wrong gradients.
    """
    x = T.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=T.float64, requires_grad=True)
    msg = "returns multiple views"
    return {
        "unbind": outcome(lambda: (x * 1.0).unbind()[0].mul_(2), msg),
        "split": outcome(lambda: (x * 1.0).split(1)[0].mul_(2), msg),
        "chunk": outcome(lambda: (x * 1.0).chunk(2)[0].mul_(2), msg),
        "iter": outcome(lambda: next(iter(x * 1.0)).mul_(2), msg),
        "index_is_fine": outcome(lambda: (x * 1.0)[0].mul_(2), msg),
    }


@case("must")
def case_write_to_an_expanded_tensor(T):
    """In-place on an expanded tensor is an error (several elements share one memory cell).

    expand makes stride-0 views; NumPy's broadcast_to is read-only for the same reason.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    e = (x * 1.0).expand(3, 2)
    bad = outcome(lambda: e.add_(1), "single memory location")
    c = e.clone()
    c.add_(1)
    (c * c).sum().backward()
    return {
        "expand": bad,
        "after_clone": x.grad,
        "shape_grow": outcome(lambda: T.ones(1, 3).add_(T.ones(2, 3)), "broadcast shape"),
    }


@case("should")
def case_view_made_under_no_grad_then_written(T):
    """View taken inside no_grad and edited outside is refused; view and edit both inside no_grad are fine.

    Intent is ambiguous, so torch refuses. Inside no_grad the edit is simply untracked.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    y = x * 1.0
    with T.no_grad():
        v = y[0]
        u = (x * 1.0).view(2)
        u.add_(1)
    bad = outcome(lambda: v.mul_(2), "no_grad mode", LEAF_VIEW_WRITTEN)
    return {"view_inside_edit_outside": bad, "both_inside": [u.requires_grad, u.grad_fn is None]}


@case("must")
def case_setitem_broadcasts_its_source(T):
    """y[1] = x with x of shape (1, n): x.grad must have shape (1, n), not (n,).

    setitem broadcasts the source, so its gradient must be un-broadcast.
    """
    x = T.tensor([[1.0, 2.0, 3.0]], dtype=T.float64, requires_grad=True)
    s = T.tensor(4.0, dtype=T.float64, requires_grad=True)
    y = T.zeros(3, 3, dtype=T.float64)
    y[1] = x
    y[:, 0] = s
    y.backward(T.arange(9, dtype=T.float64).view(3, 3))
    return {"x.grad": x.grad, "s.grad": s.grad, "y": y}


@case("must")
def case_write_to_a_fancy_index(T):
    """x[idx].add_(y) does nothing to x (fancy indexing copies); x[idx] -= y does.

    x[idx] -= y expands to getitem, isub, setitem - the setitem writes the copy back.
    """
    x = T.tensor([1.0, 2.0, 3.0], dtype=T.float64, requires_grad=True)
    w = T.tensor([10.0, 20.0], dtype=T.float64, requires_grad=True)
    a = x * 1.0
    a[[0, 2]].add_(100)
    b = x * 1.0
    b[[0, 2]] -= w
    (b * b).sum().backward()
    return {"a": a, "b": b, "x.grad": x.grad, "w.grad": w.grad}


@case("must")
def case_masked_scatter_source(T):
    """masked_scatter consumes the first k source elements, so only those receive gradient.

    The mask indexes the destination, not the source.
    """
    src = T.zeros(6, dtype=T.float64, requires_grad=True)
    dst = T.tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], dtype=T.float64, requires_grad=True)
    m = T.tensor([False, False, True, False, True, True])
    y = dst.masked_scatter(m, src)
    (y * T.arange(6, dtype=T.float64)).sum().backward()
    return {"src.grad": src.grad, "dst.grad": dst.grad}


@case("must")
def case_copy_and_masked_fill_inplace(T):
    """copy_ and masked_fill_ as graph ops: overwritten elements get zero gradient, a broadcast source gets a sum.

    In-place writes are differentiable with respect to both the source and the surviving elements.
    """
    x = T.tensor([1.0, 2.0, 3.0], dtype=T.float64, requires_grad=True)
    y = T.zeros(2, 3, dtype=T.float64)
    y.copy_(x)
    z = x * 2
    z.masked_fill_(T.tensor([True, False, False]), -1.0)
    (y.sum() + (z * z).sum()).backward()
    return {"x.grad": x.grad, "z": z, "y.requires_grad": y.requires_grad}


@case("should")
def case_detach_inplace_of_a_view(T):
    """detach_() on a view is refused.

    Detaching a view in place would leave the base still attached.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    y = x * 2
    v = y[:1]
    return {
        "view": outcome(lambda: v.detach_(), "detach views in-place"),
        "non_view": outcome(lambda: y.detach_()),
        "y": [y.requires_grad, y.is_leaf],
    }


@case("must")
def case_saved_square_and_hidden_writes(T):
    """Saved square: modifying the input under no_grad, via detach, or by an optimizer are all caught; via .data is
    not.

    no_grad hides the op from the graph, not the version bump.
    """

    def run(edit):
        w = T.tensor([3.0], dtype=T.float64, requires_grad=True)
        loss = (w * w).sum()
        edit(w)
        return [outcome(lambda: loss.backward(), WRITTEN), snapshot(w.grad)]

    def ng(w):
        with T.no_grad():
            w.add_(1)

    return {
        "no_grad": run(ng),
        "detach": run(lambda w: w.detach().add_(1)),
        "data": run(lambda w: w.data.add_(1)),
        "untouched": run(lambda w: None),
    }


@case("should")
def case_retain_grad_before_a_write_through_a_view(T):
    """retain_grad on the base, then an in-place op through a view: which gradient is retained?

    retain_grad moves to the base's new grad_fn when a view is written.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    y = x * 10
    y.retain_grad()
    v = y[0:1]
    v.mul_(3)
    (y * T.tensor([1.0, 100.0], dtype=T.float64)).sum().backward()
    return {"y.grad": y.grad, "x.grad": x.grad}


@case("must")
def case_integer_index_is_a_view(T):
    """Integer indexing of a 1-D tensor is a 0-d *view*: y[1].mul_(10) must write into y and into the graph.

    NumPy returns a scalar copy for a[1], and reductions return np.float64 - both lose in-place and view semantics.
    """
    x = T.tensor([1.0, 2.0, 3.0], dtype=T.float64, requires_grad=True)
    y = x * 1.0
    y[1].mul_(10)
    s = y.sum()
    s.mul_(2)
    s += 1
    s.backward()
    return {
        "y": y,
        "s": s,
        "x.grad": x.grad,
        "shapes": [list(s.shape), list(y[1].shape)],
        "iterate_0d": outcome(lambda: list(s), "0-d tensor"),
        "bool_of_many": outcome(lambda: bool(y), "ambiguous"),
    }


@case("must")
def case_second_derivative_through_setitem(T):
    """Second derivatives through slice assignment.

    The rewritten history of the base must itself be differentiable.
    """
    x = T.tensor([2.0, 3.0], dtype=T.float64, requires_grad=True)
    y = T.zeros(3, dtype=T.float64)
    y[0] = x[0] * x[1]
    y[1:] = x**2
    (g,) = T.autograd.grad((y**2).sum(), x, create_graph=True)
    return {"y": y, "grad": snapshot(g), "hessian": [T.autograd.grad(g[i], x, retain_graph=True)[0] for i in range(2)]}


@case("info")
def case_storage_swapped(T):
    """Swapping storage: set_ bumps the version (caught), .data = other does not; a .data of another shape breaks
    the next accumulation.

    The old .grad keeps the old shape, and the old graph silently uses the new values.
    """

    def run(edit):
        w = T.tensor([3.0], dtype=T.float64, requires_grad=True)
        loss = (w * w).sum()
        edit(w)
        return [outcome(lambda: loss.backward(), WRITTEN), snapshot(w.grad)]

    def use_set(w):
        with T.no_grad():
            w.set_(T.tensor([5.0], dtype=T.float64))

    w = T.tensor([3.0], dtype=T.float64, requires_grad=True)
    (w * w).sum().backward()
    w.data = T.tensor([5.0, 6.0], dtype=T.float64)
    return {
        "set_": run(use_set),
        "data_same_shape": run(lambda w: setattr(w, "data", T.tensor([5.0], dtype=T.float64))),
        "data_new_shape": outcome(lambda: (w * w).sum().backward(), "shape"),
    }


@case("must")
def case_augmented_setitem_or_two_steps(T):
    """h[0] *= v works, the 'equal' h[0] = h[0] * v fails in backward.

    The in-place formula knows the old value is about to be overwritten and keeps a copy; the two-step form saves a
    view that is then clobbered.
    """

    def run(step):
        x = T.tensor([2.0, 3.0], dtype=T.float64, requires_grad=True)
        v = T.tensor(5.0, dtype=T.float64, requires_grad=True)
        h = x * 1.0
        step(h, v)
        return [outcome(lambda: h.sum().backward(), WRITTEN), snapshot(x.grad), snapshot(v.grad)]

    def imul(h, v):
        h[0] *= v

    def assign(h, v):
        h[0] = h[0] * v

    def fixed(h, v):
        h[0] = h[0].clone() * v

    return {"h[0] *= v": run(imul), "h[0] = h[0] * v": run(assign), "with clone": run(fixed)}
