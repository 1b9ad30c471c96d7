"""Losses, layers, dropout, embeddings, optimizers."""

from tests.corpus.corpus import WRITTEN, case, outcome, snapshot


@case("must")
def case_cross_entropy_ignores_an_index(T):
    """cross_entropy(ignore_index): mean is over the *valid* targets; if all are ignored the loss is NaN but the
    gradient is 0.

    0/0 in the value, zero numerator in the gradient.
    """
    F = T.nn.functional

    def g(t, **k):
        z = T.tensor([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]], dtype=T.float64, requires_grad=True)
        loss = F.cross_entropy(z, T.tensor(t), **k)
        loss.backward()
        return [snapshot(loss), snapshot(z.grad)]

    return {
        "one_ignored": g([0, 1, -100]),
        "custom_index": g([0, 1, 1], ignore_index=1),
        "all_ignored": g([-100, -100, -100]),
        "all_ignored_sum": g([-100, -100, -100], reduction="sum"),
    }


@case("must")
def case_ignored_class_in_the_denominator(T):
    """A class equal to ignore_index still sits in the softmax denominator of the other rows.

    ignore_index drops rows (targets), not columns (classes).
    """
    F = T.nn.functional
    out = []
    for c0 in (0.0, 5.0):
        z = T.tensor([[c0, 1.0, 1.0], [c0, 1.0, 1.0]], dtype=T.float64, requires_grad=True)
        loss = F.cross_entropy(z, T.tensor([1, 0]), ignore_index=0)
        loss.backward()
        out.append([snapshot(loss), snapshot(z.grad)])
    return {"class0_logit_0": out[0], "class0_logit_5": out[1]}


@case("must")
def case_dropout_in_eval_mode(T):
    """F.dropout stays active after model.eval(); nn.Dropout does not. p=1 must give zeros, not 0/0.

    The functional form has its own training flag, default True.
    """
    F = T.nn.functional
    m = T.nn.Dropout(1.0)
    x = T.ones(3, dtype=T.float64, requires_grad=True)
    a = F.dropout(x, 1.0)
    a.sum().backward()
    tr = snapshot(m(x))
    m.eval()
    ev = snapshot(m(x))
    half = F.dropout(T.ones(1000, dtype=T.float64), 0.5)
    return {
        "F_default_is_training": a,
        "x.grad_p1": x.grad,
        "module_train": tr,
        "module_eval": ev,
        "kept_values_scaled": snapshot(half.max()),
        "p0": F.dropout(x, 0.0),
        "F_training_False": F.dropout(x, 0.9, training=False),
    }


@case("must")
def case_batch_norm_variances(T):
    """BatchNorm: training normalises with the biased variance but stores the unbiased one; eval uses the stored
    numbers.

    train() and eval() are different functions with different gradients; neither is about no_grad.
    """
    bn = T.nn.BatchNorm1d(1).to(T.float64)
    x = T.tensor([[0.0], [2.0]], dtype=T.float64, requires_grad=True)
    y = bn(x)
    (y * T.tensor([[1.0], [3.0]], dtype=T.float64)).sum().backward()
    tr = [
        snapshot(y),
        snapshot(x.grad),
        snapshot(bn.running_mean),
        snapshot(bn.running_var),
        bn.num_batches_tracked.item(),
    ]
    x.grad = None
    bn.eval()
    z = bn(x)
    z.sum().backward()
    return {
        "train": tr,
        "eval": [snapshot(z), snapshot(x.grad)],
        "running_var_requires_grad": bn.running_var.requires_grad,
    }


@case("must")
def case_running_statistics_under_no_grad(T):
    """no_grad does not freeze running statistics; only eval() does.

    Two independent switches: grad mode (recording) and train/eval (behaviour).
    """
    bn = T.nn.BatchNorm1d(1).to(T.float64)
    x = T.tensor([[0.0], [2.0]], dtype=T.float64)
    with T.no_grad():
        bn(x)
    a = snapshot(bn.running_mean)
    bn.eval()
    y = bn(x)
    return {
        "after_no_grad_train_forward": a,
        "after_eval_forward": snapshot(bn.running_mean),
        "eval_still_records": y.requires_grad,
        "flags": [bn.training, T.is_grad_enabled()],
    }


@case("info")
def case_running_statistics_change_before_backward(T):
    """Eval-mode BatchNorm output, then a train-mode forward before backward: the running stats changed underneath.

    torch 2.13 does not bump the version here, so the gradient is silently computed from the new stats (0.9535
    instead of 1.0). An engine may raise instead.
    """
    bn = T.nn.BatchNorm1d(1).to(T.float64)
    x = T.tensor([[0.0], [2.0]], dtype=T.float64, requires_grad=True)
    bn.eval()
    y = bn(x)
    bn.train()
    bn(x)
    r = outcome(lambda: y.sum().backward(), WRITTEN)
    return {"result": r, "x.grad": x.grad, "correct_would_be": (1 + 1e-5) ** -0.5}


@case("must")
def case_embedding_repeats_and_padding(T):
    """Embedding: repeated indices accumulate; the padding_idx row gets no gradient.

    Lookup backward is scatter-add; assignment instead of add loses repeated words.
    """
    F = T.nn.functional
    w = T.ones(4, 2, dtype=T.float64, requires_grad=True)
    F.embedding(T.tensor([[1, 1, 0], [3, 1, 0]]), w, padding_idx=0).sum().backward()
    return {"w.grad": w.grad}


@case("must")
def case_one_module_used_twice(T):
    """The same module/parameter used twice: gradients add up and parameters() lists it once.

    Sharing is just reuse of a leaf.
    """
    layer = T.nn.Linear(1, 1, bias=False).to(T.float64)
    with T.no_grad():
        layer.weight.fill_(3.0)
    net = T.nn.Sequential(layer, layer)
    x = T.tensor([[2.0]], dtype=T.float64)
    net(x).sum().backward()
    return {"n_params": len(list(net.parameters())), "grad": layer.weight.grad}


@case("must")
def case_frozen_parameter_has_no_grad(T):
    """Training loop over parameters() hits a frozen parameter whose grad is None.

    Frozen or unused parameters have None, and optimizers skip them.
    """
    a, b = T.nn.Parameter(T.ones(1, dtype=T.float64)), T.nn.Parameter(T.ones(1, dtype=T.float64), requires_grad=False)
    c = T.nn.Parameter(T.ones(1, dtype=T.float64))
    opt = T.optim.SGD([a, c], lr=0.5)
    (a * 3 * b).sum().backward()
    opt.step()
    return {"grads": [a.grad, b.grad, c.grad], "values": [a, b, c]}


@case("must")
def case_optimizer_keeps_the_replaced_parameter(T):
    """After 'w = w.clone()...' the optimizer still updates the old tensor; replacing .data keeps the link.

    Optimizers hold references to tensor objects, not names.
    """
    w = T.nn.Parameter(T.tensor([1.0], dtype=T.float64))
    old = w
    opt = T.optim.SGD([w], lr=1.0)
    w = T.nn.Parameter(w.detach() * 10)
    (w * 2).sum().backward()
    opt.step()
    r1 = [snapshot(w), snapshot(old)]
    old.data = T.tensor([7.0], dtype=T.float64)
    opt.zero_grad()
    (old * 2).sum().backward()
    opt.step()
    return {"rebound": r1, "data_swapped": old}


@case("info")
def case_sparse_embedding_gradient(T):
    """embedding(sparse=True) yields a sparse gradient equal to the dense one.

    Optional for a NumPy engine: listed so that the deviation is a decision, not an accident.
    """
    F = T.nn.functional
    w = T.ones(4, 2, dtype=T.float64, requires_grad=True)
    F.embedding(T.tensor([1, 1, 3]), w, sparse=True).sum().backward()
    return {"is_sparse": w.grad.is_sparse, "dense": w.grad.to_dense()}


@case("must")
def case_pad_modes(T):
    """F.pad: constant, negative (cropping), reflect, replicate and circular gradients.

    Copied border pixels receive extra gradient; cropped ones receive none.
    """
    F = T.nn.functional

    def g(**k):
        x = T.tensor([[1.0, 2.0, 3.0, 4.0]], dtype=T.float64, requires_grad=True)
        y = F.pad(x, **k)
        w = T.arange(1, 1 + y.numel(), dtype=T.float64).view(y.shape)
        return [snapshot(y[0]), snapshot(T.autograd.grad((y * w).sum(), x)[0][0])]

    return {
        "constant": g(pad=(1, 2)),
        "crop": g(pad=(-1, 1)),
        "reflect": g(pad=(2, 1), mode="reflect"),
        "replicate": g(pad=(1, 1), mode="replicate"),
        "circular": g(pad=(1, 2), mode="circular"),
    }
