"""Messages of `backward()` and `grad()`."""

from .entry import Section

SECTION = Section()
add = SECTION.add

add(
    "no-history",
    "RuntimeError",
    "element 0 of tensors does not require grad",
    cause="The loss has no history: nothing that it was computed from requires gradients, or the way was cut by "
    "detach(), no_grad() or a plain number.",
    program="""
        w = T.tensor([1.0, 2.0])
        (w * w).sum().backward()
    """,
    mend="""
        w = T.tensor([1.0, 2.0], requires_grad=True)
        (w * w).sum().backward()
    """,
    unless="One tensor with a history is enough. A parameter that was cut off beside it goes without a word, and its "
    "gradient stays None.",
    silent="""
        w = T.tensor([1.0, 2.0], requires_grad=True)
        b = T.tensor([3.0, 4.0], requires_grad=True)
        (w.detach() * b).sum().backward()
        assert w.grad is None
    """,
    chapter="06_four_switches",
)
add(
    "needs-a-seed",
    "RuntimeError",
    "grad can be implicitly created only for scalar outputs",
    cause="backward() was called on a tensor of several elements, and it does not say how they are to be weighed "
    "against each other.",
    program="""
        w = T.ones(2, requires_grad=True)
        (w * w).backward()
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        (w * w).sum().backward()
    """,
    unless="One element is enough, whatever the shape.",
    silent="""
        w = T.ones(1, 1, requires_grad=True)
        (w * w).backward()
    """,
    chapter="03_seeds",
)
add(
    "seed-shape",
    "RuntimeError",
    "Mismatch in shape: grad_output",
    cause="The seed must have the shape of the output: one weight for each of its elements.",
    program="""
        w = T.ones(2, requires_grad=True)
        (w * w).backward(T.ones(3))
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        (w * w).backward(T.ones(2))
    """,
    unless="Only the shape is compared. A seed with other values, zeros for example, is as good as any.",
    silent="""
        w = T.ones(2, requires_grad=True)
        (w * w).backward(T.zeros(2))
    """,
    chapter="03_seeds",
)
add(
    "second-backward",
    "RuntimeError",
    "Trying to backward through the graph a second time",
    cause="A pass has run over this graph before, and released the values that it saved.",
    program="""
        w = T.ones(2, requires_grad=True)
        loss = (w * w).sum()
        loss.backward()
        loss.backward()
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        for _ in range(2):
            loss = (w * w).sum()
            loss.backward()
    """,
    unless="A graph of ops that saved nothing can be walked again and again.",
    silent="""
        w = T.ones(2, requires_grad=True)
        loss = (w + 1).sum()
        loss.backward()
        loss.backward()
    """,
    chapter="07_life_of_a_graph",
)
add(
    "not-used",
    "RuntimeError",
    "appears to not have been used in the graph",
    cause="grad() was asked about a tensor from which the outputs were not computed.",
    program="""
        w = T.ones(2, requires_grad=True)
        b = T.ones(2, requires_grad=True)
        T.autograd.grad(w.sum(), [w, b])
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        b = T.ones(2, requires_grad=True)
        T.autograd.grad((w * b).sum(), [w, b])
    """,
    unless="backward() does not ask who was meant to be reached: an unused parameter keeps its None.",
    silent="""
        w = T.ones(2, requires_grad=True)
        b = T.ones(2, requires_grad=True)
        w.sum().backward()
        assert b.grad is None
    """,
    chapter="03_seeds",
)
add(
    "input-without-grad",
    "RuntimeError",
    "One of the differentiated Tensors does not require grad",
    cause="grad() was asked about a tensor that does not require gradients.",
    program="""
        w = T.ones(2, requires_grad=True)
        x = T.ones(2)
        T.autograd.grad((w * x).sum(), x)
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        x = T.ones(2, requires_grad=True)
        T.autograd.grad((w * x).sum(), x)
    """,
    unless="A result in the middle of the graph may be asked about; it need not be a leaf.",
    silent="""
        w = T.ones(2, requires_grad=True)
        h = w * w
        T.autograd.grad(h.sum(), h)
    """,
    chapter="03_seeds",
)
add(
    "empty-inputs",
    "RuntimeError",
    "argument to `backward()` cannot be empty",
    "argument to backward cannot be empty",
    cause="inputs= limits a pass to the tensors in it, and the list is empty.",
    program="""
        w = T.ones(2, requires_grad=True)
        w.sum().backward(inputs=[])
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        w.sum().backward(inputs=[w])
    """,
    unless="Without inputs= every leaf of the graph that requires gradients is reached.",
    silent="""
        w = T.ones(2, requires_grad=True)
        w.sum().backward()
    """,
    chapter="03_seeds",
)
add(
    "create-graph-cycle",
    "UserWarning",
    "Using backward() with create_graph=True will create a reference cycle",
    cause="The gradient in .grad now has a history that leads back to the parameter that holds it, so neither is "
    "freed until the slot is emptied.",
    program="""
        w = T.ones(2, requires_grad=True)
        (w * w).sum().backward(create_graph=True)
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        (g,) = T.autograd.grad((w * w).sum(), w, create_graph=True)
        g.sum().backward()
    """,
    unless="grad() returns the gradient and stores nothing, so it has no cycle to warn of. retain_graph=True makes "
    "none either.",
    silent="""
        w = T.ones(2, requires_grad=True)
        loss = (w * w).sum()
        loss.backward(retain_graph=True)
        loss.backward()
    """,
    chapter="07_life_of_a_graph",
)
add(
    "nan-in-backward",
    "RuntimeError",
    "returned nan values in its",
    cause="Anomaly detection found that the backward of an op made a NaN. Here the derivative of the square root at "
    "0 is infinite, and infinity times 0 is NaN.",
    program="""
        w = T.zeros(1, requires_grad=True)
        with T.autograd.set_detect_anomaly(True):
            (w.sqrt() * 0.0).sum().backward()
    """,
    mend="""
        w = T.zeros(1, requires_grad=True)
        with T.autograd.set_detect_anomaly(True):
            ((w + 1e-6).sqrt() * 0.0).sum().backward()
    """,
    unless="Without anomaly detection a NaN is a number like any other, and goes on into the parameters.",
    silent="""
        w = T.zeros(1, requires_grad=True)
        (w.sqrt() * 0.0).sum().backward()
        assert w.grad.isnan().all()
    """,
    chapter="11_kinks",
)
