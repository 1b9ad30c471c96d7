"""The error gallery: every message that a reader of the book meets, in one table.

Chapter 22 shows it and runs every program of it with both engines; `python -m autograd_core.explain` looks a traceback
up in it.
"""

from .entry import Entry

GALLERY: list[Entry] = []


def _add(key: str, error: str, *says: str, **facts: str) -> None:
    GALLERY.append(Entry(key, error, says, **facts))


# -- backward() and grad()

_add(
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
_add(
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
_add(
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
_add(
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
_add(
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
_add(
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
_add(
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
_add(
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
_add(
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

# -- leaves, flags and slots

_add(
    "integers",
    "RuntimeError",
    "only Tensors of floating point",
    cause="Gradients are real numbers, and a tensor of integers or bools cannot take a small step.",
    program="""
        w = T.tensor([1, 2], requires_grad=True)
    """,
    mend="""
        w = T.tensor([1.0, 2.0], requires_grad=True)
    """,
    unless="Integers may take part in a computation. They are constants there, and indices.",
    silent="""
        w = T.tensor([1.0, 2.0], requires_grad=True)
        (w * T.tensor([3, 4])).sum().backward()
    """,
    chapter="01_carry",
)
_add(
    "not-a-leaf-flag",
    "RuntimeError",
    "you can only change requires_grad flags of leaf variables",
    cause="The flag of a computed tensor follows from what it was computed from, and cannot be switched off.",
    program="""
        w = T.ones(2, requires_grad=True)
        h = w * 2
        h.requires_grad = False
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        h = (w * 2).detach()
        assert not h.requires_grad
    """,
    unless="Setting the flag to what it is already is allowed, and changes nothing.",
    silent="""
        w = T.ones(2, requires_grad=True)
        h = w * 2
        h.requires_grad_(True)
    """,
    chapter="06_four_switches",
)
_add(
    "retain-without-grad",
    "RuntimeError",
    "can't retain_grad on Tensor that has requires_grad=False",
    cause="No gradient will pass through this tensor, so there will be none to keep.",
    program="""
        x = T.ones(2)
        x.retain_grad()
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        h = w * 2
        h.retain_grad()
    """,
    unless="On a leaf that requires gradients it does nothing, because a leaf keeps its gradient anyway.",
    silent="""
        w = T.ones(2, requires_grad=True)
        w.retain_grad()
    """,
    chapter="02_chain",
)
_add(
    "grad-of-a-non-leaf",
    "UserWarning",
    ".grad attribute of a Tensor that is not a leaf",
    cause="The gradient passed through this tensor on its way to the leaves and was not kept. Reading .grad gives "
    "None.",
    program="""
        w = T.ones(2, requires_grad=True)
        h = w * 2
        h.sum().backward()
        h.grad
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        h = w * 2
        h.retain_grad()
        h.sum().backward()
        h.grad
    """,
    unless="A leaf that holds None gives no warning. None is then the answer to another question: nothing has arrived.",
    silent="""
        w = T.ones(2, requires_grad=True)
        assert w.grad is None
    """,
    chapter="02_chain",
)
_add(
    "grad-of-another-size",
    "RuntimeError",
    "attempting to assign a gradient of size",
    "assigned grad has data of a different size",
    cause="A slot holds nothing, or a tensor of the shape of its parameter.",
    program="""
        w = T.ones(2, requires_grad=True)
        w.grad = T.zeros(3)
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        w.grad = T.zeros(2)
    """,
    unless="A tensor of the right shape is taken as it is, even before any pass has run.",
    silent="""
        w = T.ones(2, requires_grad=True)
        w.grad = T.full((2,), 5.0)
    """,
    chapter="04_accumulation",
)
_add(
    "grad-is-a-number",
    "TypeError",
    "assigned grad expected to be a Tensor or None",
    "expected a Tensor or None as grad",
    cause="A number was put in a slot that holds a tensor or None.",
    program="""
        w = T.ones(2, requires_grad=True)
        w.grad = 0.0
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        w.grad = None
    """,
    unless="zero_() fills a slot with zeros, where there is a tensor in it.",
    silent="""
        w = T.ones(2, requires_grad=True)
        w.sum().backward()
        w.grad.zero_()
    """,
    chapter="04_accumulation",
)
_add(
    "grad-of-another-dtype",
    "RuntimeError",
    "attempting to assign a gradient with dtype",
    "assigned grad has data of a different type",
    cause="The tensor put in the slot has another dtype than the parameter.",
    program="""
        w = T.ones(2, requires_grad=True)
        w.grad = T.ones(2, dtype=T.float64)
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        w.grad = T.ones(2, dtype=w.dtype)
    """,
    unless="backward() converts: the gradient arrives in the dtype of its parameter, whatever the loss was computed "
    "in.",
    silent="""
        w = T.ones(2, requires_grad=True)
        (w * T.ones(2, dtype=T.float64)).sum().backward()
        assert w.grad.dtype == T.float32
    """,
    chapter="04_accumulation",
)
_add(
    "data-of-another-dtype",
    "RuntimeError",
    "data set to a tensor that requires gradients must be floating point",
    cause="The values of a tensor that requires gradients were replaced by integers.",
    program="""
        w = T.ones(2, requires_grad=True)
        w.data = T.tensor([1, 2])
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        w.data = T.tensor([1.0, 2.0])
    """,
    unless="copy_() converts to the dtype that is there.",
    silent="""
        w = T.ones(2, requires_grad=True)
        with T.no_grad():
            w.copy_(T.tensor([1, 2]))
    """,
    chapter="08_in_place",
)
_add(
    "none-as-an-operand",
    "TypeError",
    "unsupported operand type(s) for *: 'NoneType'",
    "'NoneType' and '",
    "' and 'NoneType'",
    "bad operand type for unary -: 'NoneType'",
    "must be a tensor, an array or a number, not NoneType",
    "must be Tensor, not NoneType",
    cause="One of the two operands is None. Beside tensors that is most often a .grad: no pass has reached the tensor, "
    "or zero_grad() has emptied the slot.",
    program="""
        w = T.ones(2, requires_grad=True)
        loss = (w * w).sum()
        w.grad * 2
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        loss = (w * w).sum()
        loss.backward()
        w.grad * 2
    """,
    unless="An optimizer passes over a parameter whose .grad is None, without a word: it is just never trained.",
    silent="""
        w = T.ones(2, requires_grad=True)
        T.optim.SGD([w], lr=0.1).step()
        assert w.grad is None
    """,
    chapter="21_when_grad_is_none",
)
_add(
    "none-has-no-attribute",
    "AttributeError",
    "'NoneType' object has no attribute",
    cause="What stands before the dot is None. If it is a .grad, no pass has reached its tensor yet, or zero_grad() "
    "has emptied the slot; if it is a .grad_fn, its tensor is a leaf.",
    program="""
        w = T.ones(2, requires_grad=True)
        w.grad.zero_()
        (w * w).sum().backward()
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        w.grad = None
        (w * w).sum().backward()
    """,
    unless="zero_grad() passes over the slots that are empty.",
    silent="""
        w = T.ones(2, requires_grad=True)
        T.optim.SGD([w], lr=0.1).zero_grad(set_to_none=False)
        (w * w).sum().backward()
    """,
    chapter="21_when_grad_is_none",
)
_add(
    "deepcopy-of-a-result",
    "RuntimeError",
    "Only Tensors created explicitly by the user",
    cause="deepcopy was asked for a tensor with a history, and a history is not copied.",
    program="""
        import copy

        w = T.ones(2, requires_grad=True)
        copy.deepcopy(w * 2)
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        (w * 2).detach().clone()
    """,
    unless="A leaf is copied, with its flag.",
    silent="""
        import copy

        w = T.ones(2, requires_grad=True)
        assert copy.deepcopy(w).requires_grad
    """,
    chapter="06_four_switches",
)

# -- leaving the graph

_add(
    "numpy-of-a-parameter",
    "RuntimeError",
    "Can't call numpy() on Tensor that requires grad",
    cause="NumPy records nothing, so what it computes of this tensor would be cut off from it.",
    program="""
        w = T.ones(2, requires_grad=True)
        w.numpy()
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        w.detach().numpy()
    """,
    unless="item() and tolist() leave the graph too, and say nothing.",
    silent="""
        w = T.ones(2, requires_grad=True)
        w.tolist()
        w.sum().item()
    """,
    chapter="06_four_switches",
)
_add(
    "tensor-of-a-tensor",
    "UserWarning",
    "To copy construct from a tensor, it is recommended to use",
    cause="tensor(...) copies values and leaves the history behind.",
    program="""
        w = T.ones(2, requires_grad=True)
        T.tensor(w)
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        w.detach().clone()
    """,
    unless="A list of numbers that were tensors a moment ago raises no suspicion.",
    silent="""
        w = T.ones(2, requires_grad=True)
        assert not T.tensor([w[0].item(), w[1].item()]).requires_grad
    """,
    chapter="06_four_switches",
)
_add(
    "one-number-of-several",
    "RuntimeError",
    "cannot be converted to Scalar",
    cause="item() gives the one number that a tensor holds, and this one holds several.",
    program="""
        w = T.ones(2)
        w.item()
    """,
    mend="""
        w = T.ones(2)
        w.sum().item()
    """,
    unless="The shape does not matter as long as there is one element.",
    silent="""
        T.ones(1, 1, 1).item()
    """,
    chapter="06_four_switches",
)
_add(
    "truth-of-several",
    "RuntimeError",
    "Boolean value of Tensor with more than one value is ambiguous",
    cause="if and while want one truth value, and the comparison has given one for each element.",
    program="""
        w = T.ones(2)
        if w > 0:
            pass
    """,
    mend="""
        w = T.ones(2)
        if (w > 0).all():
            pass
    """,
    unless="With one element it is taken silently. The branch is then part of what this forward recorded, and the "
    "condition is not differentiated.",
    silent="""
        w = T.ones(1)
        if w > 0:
            pass
    """,
    chapter="07_life_of_a_graph",
)
_add(
    "inference-saved",
    "RuntimeError",
    "Inference tensors cannot be saved for backward",
    cause="A tensor made in inference_mode() takes part in a recorded op whose backward needs its value. It is "
    "marked for good.",
    program="""
        w = T.ones(2, requires_grad=True)
        with T.inference_mode():
            x = T.ones(2)
        w * x
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        with T.inference_mode():
            x = T.ones(2)
        w * x.clone()
    """,
    unless="An op that saves nothing does not mind.",
    silent="""
        w = T.ones(2, requires_grad=True)
        with T.inference_mode():
            x = T.ones(2)
        w + x
    """,
    chapter="06_four_switches",
)
_add(
    "inference-write",
    "RuntimeError",
    "Inplace update to inference tensor outside InferenceMode",
    cause="A tensor made in inference_mode() counts no writes, so nobody could notice this one.",
    program="""
        with T.inference_mode():
            x = T.ones(2)
        x.add_(1)
    """,
    mend="""
        with T.inference_mode():
            x = T.ones(2)
        x = x.clone()
        x.add_(1)
    """,
    unless="Inside the mode writes are free.",
    silent="""
        with T.inference_mode():
            x = T.ones(2)
            x.add_(1)
    """,
    chapter="06_four_switches",
)
_add(
    "inference-flag",
    "RuntimeError",
    "Setting requires_grad=True on inference tensor outside InferenceMode",
    cause="A tensor made in inference_mode() stands outside autograd for good.",
    program="""
        with T.inference_mode():
            x = T.ones(2)
        x.requires_grad_()
    """,
    mend="""
        with T.inference_mode():
            x = T.ones(2)
        x = x.clone().requires_grad_()
    """,
    unless="A tensor made under no_grad() is an ordinary one.",
    silent="""
        with T.no_grad():
            x = T.ones(2)
        x.requires_grad_()
    """,
    chapter="06_four_switches",
)

# -- writing in place

_add(
    "overwritten",
    "RuntimeError",
    "modified by an inplace operation",
    cause="A value that the backward needs was overwritten after the forward had saved it.",
    program="""
        w = T.ones(2, requires_grad=True)
        h = w.exp()
        loss = h.sum()
        h.add_(1)
        loss.backward()
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        h = w.exp()
        loss = h.sum()
        h = h + 1
        loss.backward()
    """,
    unless="It depends on what the op saved. The sum here saved nothing of h, and neither did the product with a "
    "number.",
    silent="""
        w = T.ones(2, requires_grad=True)
        h = w * 2
        loss = h.sum()
        h.add_(1)
        loss.backward()
    """,
    chapter="08_in_place",
)
_add(
    "leaf-in-place",
    "RuntimeError",
    "a leaf Variable that requires grad is being used in an in-place operation",
    cause="A recorded write would turn the leaf into a result, and its gradient would have nowhere to go.",
    program="""
        w = T.ones(2, requires_grad=True)
        w.sub_(0.1)
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        with T.no_grad():
            w.sub_(0.1)
    """,
    unless="A result may be written to: it stays a result.",
    silent="""
        w = T.ones(2, requires_grad=True)
        h = w * 2
        h.sub_(0.1)
    """,
    chapter="08_in_place",
)
_add(
    "leaf-view-in-place",
    "RuntimeError",
    "a view of a leaf Variable that requires grad is being used in an in-place operation",
    cause="w[0] = ... writes through a view of a leaf, and so into the leaf.",
    program="""
        w = T.ones(2, requires_grad=True)
        w[0] = 0.0
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        h = w.clone()
        h[0] = 0.0
    """,
    unless="Under no_grad() the leaf is data, and may be written to.",
    silent="""
        w = T.ones(2, requires_grad=True)
        with T.no_grad():
            w[0] = 0.0
    """,
    chapter="08_in_place",
)
_add(
    "one-of-several-views",
    "RuntimeError",
    "is a view and is being modified inplace. This view is the output of a function that returns multiple views",
    "is a view and is being modified inplace with grad mode enabled",
    cause="unbind() and split() give several views by one op, and the history of one of them cannot be rewritten "
    "alone.",
    program="""
        w = T.ones(2, requires_grad=True)
        a, b = (w * 1).unbind()
        a.add_(1)
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        a, b = (w * 1).unbind()
        a = a + 1
    """,
    unless="A view that an op gave alone may be written to.",
    silent="""
        w = T.ones(2, requires_grad=True)
        a = (w * 1)[0]
        a.add_(1)
    """,
    chapter="18_views_and_writes",
)
_add(
    "view-from-no-grad",
    "RuntimeError",
    "A view was created in no_grad mode and is being modified inplace with grad mode enabled",
    cause="It is not clear whether the write should be recorded: the view was made unrecorded, the write is made "
    "recorded.",
    program="""
        w = T.ones(2, requires_grad=True)
        h = w * 1
        with T.no_grad():
            v = h[:1]
        v.mul_(w[:1])
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        h = w * 1
        v = h[:1]
        v.mul_(w[:1])
    """,
    unless="Both inside no_grad() is clear too: the write is not recorded.",
    silent="""
        w = T.ones(2, requires_grad=True)
        h = w * 1
        with T.no_grad():
            v = h[:1]
            v.mul_(2)
    """,
    chapter="18_views_and_writes",
)
_add(
    "detach-a-view-in-place",
    "RuntimeError",
    "Can't detach views in-place",
    cause="A view shares its history with its base, and detach_() would cut only one of them.",
    program="""
        w = T.ones(2, requires_grad=True)
        v = (w * 2)[:1]
        v.detach_()
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        v = (w * 2)[:1]
        v = v.detach()
    """,
    unless="A result that is no view can be detached in place.",
    silent="""
        w = T.ones(2, requires_grad=True)
        h = w * 2
        h.detach_()
    """,
    chapter="18_views_and_writes",
)
_add(
    "one-memory-location",
    "RuntimeError",
    "more than one element of the written-to tensor refers to a single memory location",
    cause="expand() shows one number in several places; a write would not know which of the results to keep.",
    program="""
        x = T.ones(1).expand(2)
        x.add_(1)
    """,
    mend="""
        x = T.ones(1).expand(2).clone()
        x.add_(1)
    """,
    unless="Reading is always possible, and gradients add up over the places.",
    silent="""
        w = T.ones(1, requires_grad=True)
        w.expand(2).sum().backward()
        assert w.grad.item() == 2.0
    """,
    chapter="18_views_and_writes",
)
_add(
    "write-enlarges",
    "RuntimeError",
    "doesn't match the broadcast shape",
    cause="The result is larger than the tensor that it is to be written into.",
    program="""
        x = T.ones(2)
        x += T.ones(3, 2)
    """,
    mend="""
        x = T.ones(2)
        x = x + T.ones(3, 2)
    """,
    unless="The other way round the operand is spread over the tensor.",
    silent="""
        x = T.ones(3, 2)
        x += T.ones(2)
    """,
    chapter="08_in_place",
)
_add(
    "write-changes-dtype",
    "RuntimeError",
    "can't be cast to the desired output type",
    cause="A write cannot change the dtype of its tensor, and integers cannot hold this result.",
    program="""
        x = T.ones(2, dtype=T.int64)
        x += 0.5
    """,
    mend="""
        x = T.ones(2, dtype=T.int64)
        x = x + 0.5
    """,
    unless="Among floating types a write rounds, and says nothing.",
    silent="""
        x = T.ones(2)
        x += T.full((2,), 0.1, dtype=T.float64)
    """,
    chapter="08_in_place",
)

# -- custom functions and hooks

_add(
    "number-of-gradients",
    "RuntimeError",
    "returned an incorrect number of gradients",
    cause="backward returns one gradient for each argument of forward, None where there is none to give.",
    program="""
        class Scale(T.autograd.Function):
            @staticmethod
            def forward(ctx, x, factor):
                ctx.factor = factor
                return x * factor

            @staticmethod
            def backward(ctx, g):
                return g * ctx.factor


        w = T.ones(2, requires_grad=True)
        Scale.apply(w, 3.0).sum().backward()
    """,
    mend="""
        class Scale(T.autograd.Function):
            @staticmethod
            def forward(ctx, x, factor):
                ctx.factor = factor
                return x * factor

            @staticmethod
            def backward(ctx, g):
                return g * ctx.factor, None


        w = T.ones(2, requires_grad=True)
        Scale.apply(w, 3.0).sum().backward()
    """,
    unless="Too many are no error as long as the rest are None.",
    silent="""
        class Scale(T.autograd.Function):
            @staticmethod
            def forward(ctx, x, factor):
                ctx.factor = factor
                return x * factor

            @staticmethod
            def backward(ctx, g):
                return g * ctx.factor, None, None


        w = T.ones(2, requires_grad=True)
        Scale.apply(w, 3.0).sum().backward()
    """,
    chapter="20_custom_functions",
)
_add(
    "shape-of-a-gradient",
    "RuntimeError",
    "returned an invalid gradient at index",
    cause="backward returned a gradient that has not the shape of its argument.",
    program="""
        class Double(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            @staticmethod
            def backward(ctx, g):
                return 2 * g[:1]


        w = T.ones(2, requires_grad=True)
        Double.apply(w).sum().backward()
    """,
    mend="""
        class Double(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            @staticmethod
            def backward(ctx, g):
                return 2 * g


        w = T.ones(2, requires_grad=True)
        Double.apply(w).sum().backward()
    """,
    unless="The shape is checked, the values are not. Only gradcheck() compares those.",
    silent="""
        class Double(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            @staticmethod
            def backward(ctx, g):
                return 100 * g


        w = T.ones(2, requires_grad=True)
        Double.apply(w).sum().backward()
    """,
    chapter="20_custom_functions",
)
_add(
    "function-called-as-object",
    "RuntimeError",
    "legacy autograd function with non-static forward",
    cause="A Function is not instantiated; its apply is called on the class.",
    program="""
        class Double(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            @staticmethod
            def backward(ctx, g):
                return 2 * g


        Double()(T.ones(2, requires_grad=True))
    """,
    mend="""
        class Double(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            @staticmethod
            def backward(ctx, g):
                return 2 * g


        Double.apply(T.ones(2, requires_grad=True))
    """,
    unless="A module is an object that is called; its forward is not static.",
    silent="""
        class Double(T.nn.Module):
            def forward(self, x):
                return x * 2


        Double()(T.ones(2, requires_grad=True))
    """,
    chapter="20_custom_functions",
)
_add(
    "backward-not-written",
    "NotImplementedError",
    "You must implement either the backward or vjp method",
    cause="A pass came to a custom Function that has only a forward.",
    program="""
        class Double(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2


        w = T.ones(2, requires_grad=True)
        Double.apply(w).sum().backward()
    """,
    mend="""
        class Double(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2

            @staticmethod
            def backward(ctx, g):
                return 2 * g


        w = T.ones(2, requires_grad=True)
        Double.apply(w).sum().backward()
    """,
    unless="The forward alone does not ask for it.",
    silent="""
        class Double(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                return x * 2


        Double.apply(T.ones(2, requires_grad=True))
    """,
    chapter="20_custom_functions",
)
_add(
    "save-a-number",
    "TypeError",
    "save_for_backward can only save variables",
    cause="save_for_backward takes tensors. Anything else is set as an attribute of ctx.",
    program="""
        class Scale(T.autograd.Function):
            @staticmethod
            def forward(ctx, x, factor):
                ctx.save_for_backward(factor)
                return x * factor


        Scale.apply(T.ones(2, requires_grad=True), 3.0)
    """,
    mend="""
        class Scale(T.autograd.Function):
            @staticmethod
            def forward(ctx, x, factor):
                ctx.factor = factor
                return x * factor


        Scale.apply(T.ones(2, requires_grad=True), 3.0)
    """,
    unless="A tensor set as an attribute is no error, and a trap: if it is overwritten before the backward, nobody "
    "notices.",
    silent="""
        class Square(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.x = x
                return x * x

            @staticmethod
            def backward(ctx, g):
                return g * 2 * ctx.x


        w = T.ones(2, requires_grad=True)
        h = w.clone()
        loss = Square.apply(h).sum()
        h.zero_()
        loss.backward()
        assert w.grad.tolist() == [0.0, 0.0]  # 2 would be right
    """,
    chapter="20_custom_functions",
)
_add(
    "once-differentiable",
    "RuntimeError",
    "trying to differentiate twice a function that was marked with @once_differentiable",
    cause="A second derivative goes through a backward that its author has marked as not to be differentiated again.",
    program="""
        class Square(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            @T.autograd.function.once_differentiable
            def backward(ctx, g):
                (x,) = ctx.saved_tensors
                return g * 2 * x


        w = T.ones(2, requires_grad=True)
        (g,) = T.autograd.grad(Square.apply(w).exp().sum(), w, create_graph=True)
        g.sum().backward()
    """,
    mend="""
        class Square(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            def backward(ctx, g):
                (x,) = ctx.saved_tensors
                return g * 2 * x


        w = T.ones(2, requires_grad=True)
        (g,) = T.autograd.grad(Square.apply(w).exp().sum(), w, create_graph=True)
        g.sum().backward()
    """,
    unless="The first derivative is not concerned.",
    silent="""
        class Square(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            @T.autograd.function.once_differentiable
            def backward(ctx, g):
                (x,) = ctx.saved_tensors
                return g * 2 * x


        w = T.ones(2, requires_grad=True)
        Square.apply(w).exp().sum().backward()
    """,
    chapter="12_second_order",
)
_add(
    "checkpoint-ran-differently",
    "CheckpointError",
    "A different number of tensors was saved during the original forward and recomputation",
    cause="checkpoint() runs the function again in backward(), and this time it took another branch.",
    program="""
        runs = []


        def block(x):
            runs.append(x)
            return x.exp() if len(runs) == 1 else x * 2


        w = T.ones(2, requires_grad=True)
        T.utils.checkpoint.checkpoint(block, w, use_reentrant=False).sum().backward()
    """,
    mend="""
        def block(x):
            return x.exp()


        w = T.ones(2, requires_grad=True)
        T.utils.checkpoint.checkpoint(block, w, use_reentrant=False).sum().backward()
    """,
    unless="If the second run saves values of the same number and shape, other values go unnoticed, and the gradient "
    "is wrong.",
    silent="""
        runs = []


        def block(x):
            runs.append(x)
            return (x * len(runs)).exp()


        w = T.ones(2, requires_grad=True)
        T.utils.checkpoint.checkpoint(block, w, use_reentrant=False).sum().backward()
    """,
    chapter="20_custom_functions",
)
_add(
    "hook-on-a-constant",
    "RuntimeError",
    "cannot register a hook on a tensor that doesn't require gradient",
    cause="No gradient will come by, so the hook would never run.",
    program="""
        T.ones(2).register_hook(print)
    """,
    mend="""
        T.ones(2, requires_grad=True).register_hook(print)
    """,
    unless="Whether a pass will ever reach the tensor is not asked.",
    silent="""
        w = T.ones(2, requires_grad=True)
        w.register_hook(print)  # and nobody uses w
    """,
    chapter="17_reverse_pass",
)
_add(
    "hook-returned-a-number",
    "TypeError",
    "expected Variable, but hook returned",
    "expected hook to return a Tensor or None",
    cause="What a hook returns takes the place of the gradient, so it is a tensor or None.",
    program="""
        w = T.ones(2, requires_grad=True)
        w.register_hook(lambda g: g.sum().item())
        w.sum().backward()
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        w.register_hook(lambda g: g * g.sum().item())
        w.sum().backward()
    """,
    unless="A hook without a return statement returns None, which leaves the gradient as it is.",
    silent="""
        norms = []


        def note(g):
            norms.append(g.sum().item())


        w = T.ones(2, requires_grad=True)
        w.register_hook(note)
        w.sum().backward()
    """,
    chapter="17_reverse_pass",
)
_add(
    "stored-hook-on-a-result",
    "RuntimeError",
    "post accumulate grad hooks cannot be registered on non-leaf tensors",
    cause="These hooks run once a gradient has been stored, and in the result of an operation none is stored.",
    program="""
        w = T.ones(2, requires_grad=True)
        h = w * 2
        h.register_post_accumulate_grad_hook(print)
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        w.register_post_accumulate_grad_hook(print)
        h = w * 2
    """,
    unless="register_hook() is for both: it runs when the gradient comes by.",
    silent="""
        w = T.ones(2, requires_grad=True)
        h = w * 2
        h.register_hook(print)
    """,
    chapter="17_reverse_pass",
)
_add(
    "pack-hook-writes",
    "RuntimeError",
    "A saved tensor pack hook is modifying its input in place",
    cause="The hook is given the very tensor that the computation goes on with, and changed it.",
    program="""
        hooks = T.autograd.graph.saved_tensors_hooks
        w = T.ones(2, requires_grad=True)
        with hooks(lambda t: t.mul_(2), lambda t: t / 2):
            w.exp()
    """,
    mend="""
        hooks = T.autograd.graph.saved_tensors_hooks
        w = T.ones(2, requires_grad=True)
        with hooks(lambda t: t * 2, lambda t: t / 2):
            w.exp()
    """,
    unless="What the hook returns is its own affair: a copy, a number, the name of a file.",
    silent="""
        hooks = T.autograd.graph.saved_tensors_hooks
        w = T.ones(2, requires_grad=True)
        with hooks(lambda t: t.tolist(), T.tensor):
            w.exp().sum().backward()
    """,
    chapter="20_custom_functions",
)
_add(
    "hook-changed-the-shape",
    "RuntimeError",
    "has changed the size of value",
    "hook changed the shape of the gradient",
    cause="What a hook returns takes the place of the gradient, and must have its shape.",
    program="""
        w = T.ones(2, requires_grad=True)
        w.register_hook(lambda g: g.sum())
        w.sum().backward()
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        w.register_hook(lambda g: g.sum().expand(2))
        w.sum().backward()
    """,
    unless="A hook that returns None only looks.",
    silent="""
        w = T.ones(2, requires_grad=True)
        w.register_hook(lambda g: None)
        w.sum().backward()
    """,
    chapter="17_reverse_pass",
)

# -- checking, and other ways to differentiate

_add(
    "jacobian-mismatch",
    "GradcheckError",
    "Jacobian mismatch for output",
    cause="The derivative by backward and the one by small steps differ. The rule is wrong, or the function has a "
    "kink here, or the step is too coarse for the dtype.",
    program="""
        class Square(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            def backward(ctx, g):
                (x,) = ctx.saved_tensors
                return g * x


        w = T.ones(2, dtype=T.float64, requires_grad=True)
        T.autograd.gradcheck(Square.apply, w)
    """,
    mend="""
        class Square(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            def backward(ctx, g):
                (x,) = ctx.saved_tensors
                return g * 2 * x


        w = T.ones(2, dtype=T.float64, requires_grad=True)
        T.autograd.gradcheck(Square.apply, w)
    """,
    unless="A wrong rule passes at a point where it happens to be right: here at 0.",
    silent="""
        class Square(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x * x

            @staticmethod
            def backward(ctx, g):
                (x,) = ctx.saved_tensors
                return g * x


        w = T.zeros(2, dtype=T.float64, requires_grad=True)
        T.autograd.gradcheck(Square.apply, w)
    """,
    chapter="10_gradcheck",
)
_add(
    "gradcheck-of-constants",
    "ValueError",
    "gradcheck expects at least one input tensor to require gradient",
    cause="There is nothing to check: no input requires gradients.",
    program="""
        T.autograd.gradcheck(T.exp, T.ones(2, dtype=T.float64))
    """,
    mend="""
        T.autograd.gradcheck(T.exp, T.ones(2, dtype=T.float64, requires_grad=True))
    """,
    unless="Inputs that require none beside one that does are held fixed.",
    silent="""
        w = T.ones(2, dtype=T.float64, requires_grad=True)
        T.autograd.gradcheck(T.mul, (w, T.ones(2, dtype=T.float64)))
    """,
    chapter="10_gradcheck",
)
_add(
    "gradcheck-in-float32",
    "UserWarning",
    "requires gradient and is not a double precision floating point",
    cause="In float32 the rounding of a small step is as large as the difference that it is to measure.",
    program="""
        w = T.ones(2, requires_grad=True)
        T.autograd.gradcheck(T.exp, w, eps=1e-2, atol=1e-1)
    """,
    mend="""
        w = T.ones(2, dtype=T.float64, requires_grad=True)
        T.autograd.gradcheck(T.exp, w)
    """,
    unless="Only inputs that require gradients count.",
    silent="""
        w = T.ones(2, dtype=T.float64, requires_grad=True)
        T.autograd.gradcheck(T.mul, (w, T.ones(2)))
    """,
    chapter="10_gradcheck",
)
_add(
    "hessian-of-several",
    "RuntimeError",
    "The Tensor returned by the function given to hessian should contain a single element",
    cause="A Hessian is the second derivative of one number.",
    program="""
        T.autograd.functional.hessian(lambda x: x * x, T.ones(2))
    """,
    mend="""
        T.autograd.functional.hessian(lambda x: (x * x).sum(), T.ones(2))
    """,
    unless="jacobian() takes a function of any shape.",
    silent="""
        T.autograd.functional.jacobian(lambda x: x * x, T.ones(2))
    """,
    chapter="12_second_order",
)
_add(
    "grad-of-several",
    "RuntimeError",
    "to return a scalar Tensor, got tensor with",
    cause="func.grad makes the gradient function of a function with one number as its value.",
    program="""
        T.func.grad(lambda x: x * x)(T.ones(2))
    """,
    mend="""
        T.func.grad(lambda x: (x * x).sum())(T.ones(2))
    """,
    unless="func.vjp takes any function, and asks for the seed.",
    silent="""
        y, vjp = T.func.vjp(lambda x: x * x, T.ones(2))
        vjp(T.ones(2))
    """,
    chapter="19_forward_mode",
)
_add(
    "no-forward-level",
    "RuntimeError",
    "Trying to create a dual Tensor for forward AD but no level exists",
    cause="A tangent lives within a dual_level() block, and none is open.",
    program="""
        T.autograd.forward_ad.make_dual(T.ones(2), T.ones(2))
    """,
    mend="""
        with T.autograd.forward_ad.dual_level():
            T.autograd.forward_ad.make_dual(T.ones(2), T.ones(2))
    """,
    unless="func.jvp opens a level by itself.",
    silent="""
        T.func.jvp(T.exp, (T.ones(2),), (T.ones(2),))
    """,
    chapter="19_forward_mode",
)
_add(
    "level-in-a-level",
    "RuntimeError",
    "Nested forward mode AD is not supported",
    cause="dual_level() was opened within another.",
    program="""
        with T.autograd.forward_ad.dual_level():
            with T.autograd.forward_ad.dual_level():
                pass
    """,
    mend="""
        T.func.jvp(lambda x: T.func.jvp(T.exp, (x,), (T.ones(2),))[1], (T.ones(2),), (T.ones(2),))
    """,
    unless="One after the other is no nesting.",
    silent="""
        for _ in range(2):
            with T.autograd.forward_ad.dual_level():
                pass
    """,
    chapter="19_forward_mode",
)
_add(
    "dual-of-a-dual",
    "RuntimeError",
    "Making a dual Tensor based on a Tensor that already has a",
    cause="The tensor has a tangent at this level, and would get a second one.",
    program="""
        fw = T.autograd.forward_ad
        with fw.dual_level():
            dual = fw.make_dual(T.ones(2), T.ones(2))
            fw.make_dual(dual, T.ones(2))
    """,
    mend="""
        fw = T.autograd.forward_ad
        with fw.dual_level():
            dual = fw.make_dual(T.ones(2), T.ones(2))
            fw.make_dual(fw.unpack_dual(dual).primal, T.ones(2))
    """,
    unless="The same values may be made dual as often as you like.",
    silent="""
        fw = T.autograd.forward_ad
        x = T.ones(2)
        with fw.dual_level():
            fw.make_dual(x, T.ones(2))
            fw.make_dual(x, T.zeros(2))
    """,
    chapter="19_forward_mode",
)

# -- layers, losses and optimizers

_add(
    "non-leaf-in-optimizer",
    "ValueError",
    "can't optimize a non-leaf Tensor",
    cause="The optimizer was given the result of an operation. No gradient is stored there, and the next forward "
    "computes it anew.",
    program="""
        w = T.ones(2, requires_grad=True) * 0.1
        T.optim.SGD([w], lr=0.1)
    """,
    mend="""
        w = (T.ones(2) * 0.1).requires_grad_()
        T.optim.SGD([w], lr=0.1)
    """,
    unless="A leaf that requires no gradients is taken, and never moves.",
    silent="""
        T.optim.SGD([T.ones(2)], lr=0.1)
    """,
    chapter="09_training_loop",
)
_add(
    "no-parameters",
    "ValueError",
    "optimizer got an empty parameter list",
    cause="The iterator of parameters was used up before, or the layers are in a plain list, where a module does not"
    " find them.",
    program="""
        parameters = T.nn.Linear(2, 1).parameters()
        count = len(list(parameters))
        T.optim.SGD(parameters, lr=0.1)
    """,
    mend="""
        parameters = list(T.nn.Linear(2, 1).parameters())
        T.optim.SGD(parameters, lr=0.1)
    """,
    unless="If some parameters are found and others are not, nothing is said, and those others never move.",
    silent="""
        class Model(T.nn.Module):
            def __init__(self):
                super().__init__()
                self.first = T.nn.Linear(2, 2)
                self.rest = [T.nn.Linear(2, 1)]


        assert len(list(Model().parameters())) == 2
    """,
    chapter="09_training_loop",
)
_add(
    "parameters-are-a-tensor",
    "TypeError",
    "params argument given to the optimizer should be an iterable of Tensors or dicts",
    cause="An optimizer takes a list of parameters, also where there is one.",
    program="""
        w = T.ones(2, requires_grad=True)
        T.optim.SGD(w, lr=0.1)
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        T.optim.SGD([w], lr=0.1)
    """,
    unless="Any iterable will do.",
    silent="""
        w = T.ones(2, requires_grad=True)
        T.optim.SGD(iter([w]), lr=0.1)
    """,
)
_add(
    "parameter-twice",
    "ValueError",
    "some parameters appear in more than one parameter group",
    cause="One parameter is in two groups, and would be moved twice by each step.",
    program="""
        w = T.ones(2, requires_grad=True)
        T.optim.SGD([{"params": [w], "lr": 0.1}, {"params": [w], "lr": 0.2}], lr=0.1)
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        b = T.ones(2, requires_grad=True)
        T.optim.SGD([{"params": [w], "lr": 0.1}, {"params": [b], "lr": 0.2}], lr=0.1)
    """,
    unless="Two optimizers may hold the same parameter; they do not know of each other.",
    silent="""
        w = T.ones(2, requires_grad=True)
        first, second = T.optim.SGD([w], lr=0.1), T.optim.SGD([w], lr=0.1)
    """,
)
_add(
    "negative-rate",
    "ValueError",
    "Invalid learning rate",
    cause="A step goes against the gradient already; a negative rate would climb.",
    program="""
        w = T.ones(2, requires_grad=True)
        T.optim.SGD([w], lr=-0.1)
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        T.optim.SGD([w], lr=0.1)
    """,
    unless="Zero is allowed, and moves nothing. To climb, say maximize=True.",
    silent="""
        w = T.ones(2, requires_grad=True)
        T.optim.SGD([w], lr=0.0)
        T.optim.SGD([w], lr=0.1, maximize=True)
    """,
)
_add(
    "scheduler-first",
    "UserWarning",
    "Detected call of `lr_scheduler.step()` before `optimizer.step()`",
    cause="The scheduler was stepped before the optimizer, so the first learning rate is never used.",
    program="""
        w = T.ones(2, requires_grad=True)
        optimizer = T.optim.SGD([w], lr=0.1)
        scheduler = T.optim.lr_scheduler.StepLR(optimizer, 1)
        scheduler.step()
        optimizer.step()
    """,
    mend="""
        w = T.ones(2, requires_grad=True)
        optimizer = T.optim.SGD([w], lr=0.1)
        scheduler = T.optim.lr_scheduler.StepLR(optimizer, 1)
        optimizer.step()
        scheduler.step()
    """,
    unless="Only the first round is looked at.",
    silent="""
        w = T.ones(2, requires_grad=True)
        optimizer = T.optim.SGD([w], lr=0.1)
        scheduler = T.optim.lr_scheduler.StepLR(optimizer, 1)
        optimizer.step()
        scheduler.step()
        scheduler.step()
        optimizer.step()
    """,
)
_add(
    "groups-of-a-state",
    "ValueError",
    "loaded state dict contains a parameter group that doesn't match the size of optimizer's group",
    cause="The saved state belongs to an optimizer of more or fewer parameters.",
    program="""
        w, b = (T.ones(2, requires_grad=True) for _ in range(2))
        saved = T.optim.SGD([w, b], lr=0.1).state_dict()
        T.optim.SGD([w], lr=0.1).load_state_dict(saved)
    """,
    mend="""
        w, b = (T.ones(2, requires_grad=True) for _ in range(2))
        saved = T.optim.SGD([w, b], lr=0.1).state_dict()
        T.optim.SGD([w, b], lr=0.1).load_state_dict(saved)
    """,
    unless="Parameters are known by their place, so the same number in another order is taken, momenta and all.",
    silent="""
        w, b = (T.ones(2, requires_grad=True) for _ in range(2))
        saved = T.optim.SGD([w, b], lr=0.1).state_dict()
        T.optim.SGD([b, w], lr=0.1).load_state_dict(saved)
    """,
)
_add(
    "not-a-parameter",
    "TypeError",
    "as parameter 'weight'",
    cause="A plain tensor was put where a module keeps a parameter.",
    program="""
        layer = T.nn.Linear(2, 1)
        layer.weight = T.ones(1, 2)
    """,
    mend="""
        layer = T.nn.Linear(2, 1)
        layer.weight = T.nn.Parameter(T.ones(1, 2))
    """,
    unless="A tensor under a new name is an ordinary attribute: no optimizer will find it.",
    silent="""
        layer = T.nn.Linear(2, 1)
        layer.extra = T.ones(1, 2, requires_grad=True)
        assert len(list(layer.parameters())) == 2
    """,
)
_add(
    "module-not-begun",
    "AttributeError",
    "cannot assign module before Module.__init__() call",
    cause="The __init__ of a module sets layers before it has called super().__init__(), which makes the place for "
    "them.",
    program="""
        class Model(T.nn.Module):
            def __init__(self):
                self.layer = T.nn.Linear(2, 1)


        Model()
    """,
    mend="""
        class Model(T.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = T.nn.Linear(2, 1)


        Model()
    """,
    unless="Numbers and lists can be set before, since nobody keeps a record of them.",
    silent="""
        class Model(T.nn.Module):
            def __init__(self):
                self.width = 2
                super().__init__()


        Model()
    """,
)
_add(
    "no-forward",
    "NotImplementedError",
    'is missing the required "forward" function',
    cause="A module was called that has no forward. Often the name is misspelled, or indented into __init__.",
    program="""
        class Model(T.nn.Module):
            def foward(self, x):
                return x


        Model()(T.ones(2))
    """,
    mend="""
        class Model(T.nn.Module):
            def forward(self, x):
                return x


        Model()(T.ones(2))
    """,
    unless="A module that is never called may do without.",
    silent="""
        class Model(T.nn.Module):
            pass


        Model()
    """,
)
_add(
    "keys-of-a-state",
    "RuntimeError",
    "Missing key(s) in state_dict",
    "Unexpected key(s) in state_dict",
    cause="The saved state belongs to a module with other names: the same layers in another container, for example.",
    program="""
        layer = T.nn.Linear(2, 1)
        model = T.nn.Sequential(layer)
        model.load_state_dict(layer.state_dict())
    """,
    mend="""
        layer = T.nn.Linear(2, 1)
        model = T.nn.Sequential(layer)
        model[0].load_state_dict(layer.state_dict())
    """,
    unless="strict=False loads what fits and only reports the rest: here nothing fits, and nothing is loaded.",
    silent="""
        layer = T.nn.Linear(2, 1)
        model = T.nn.Sequential(layer)
        model.load_state_dict(layer.state_dict(), strict=False)
    """,
)
_add(
    "shape-of-a-state",
    "RuntimeError",
    "size mismatch for",
    cause="A saved parameter has another shape than the one it is to be loaded into.",
    program="""
        T.nn.Linear(2, 1).load_state_dict(T.nn.Linear(3, 1).state_dict())
    """,
    mend="""
        T.nn.Linear(3, 1).load_state_dict(T.nn.Linear(3, 1).state_dict())
    """,
    unless="The same shape with another meaning goes through.",
    silent="""
        T.nn.Linear(2, 2).load_state_dict(T.nn.Linear(2, 2).state_dict())
    """,
)
_add(
    "target-broadcasts",
    "UserWarning",
    "that is different to the input size",
    cause="Prediction and target have different shapes and are spread over each other: every prediction is compared "
    "with every target.",
    program="""
        prediction, target = T.ones(3, 1), T.ones(3)
        T.nn.functional.mse_loss(prediction, target)
    """,
    mend="""
        prediction, target = T.ones(3, 1), T.ones(3)
        T.nn.functional.mse_loss(prediction.squeeze(1), target)
    """,
    unless="Written by hand, the same mistake is an ordinary broadcast.",
    silent="""
        prediction, target = T.ones(3, 1), T.ones(3)
        assert (prediction - target).shape == (3, 3)
    """,
    chapter="09_training_loop",
)
_add(
    "class-out-of-bounds",
    "IndexError",
    "is out of bounds.",
    "out of bounds: there are",
    cause="A class index is as large as the number of classes, or larger, or negative. They are counted from 0.",
    program="""
        logits = T.ones(1, 2)
        T.nn.functional.cross_entropy(logits, T.tensor([2]))
    """,
    mend="""
        logits = T.ones(1, 2)
        T.nn.functional.cross_entropy(logits, T.tensor([1]))
    """,
    unless="The index given as ignore_index is skipped: -100, unless you say otherwise.",
    silent="""
        logits = T.ones(2, 2)
        T.nn.functional.cross_entropy(logits, T.tensor([1, -100]))
    """,
    chapter="05_microbatches",
)
_add(
    "batch-of-a-target",
    "ValueError",
    "to match target batch_size",
    cause="There are not as many targets as predictions.",
    program="""
        logits = T.ones(2, 3)
        T.nn.functional.cross_entropy(logits, T.tensor([0, 1, 2]))
    """,
    mend="""
        logits = T.ones(3, 3)
        T.nn.functional.cross_entropy(logits, T.tensor([0, 1, 2]))
    """,
    unless="Swapped dimensions go unnoticed where both have the same size.",
    silent="""
        logits = T.ones(3, 3).T
        T.nn.functional.cross_entropy(logits, T.tensor([0, 1, 2]))
    """,
)
_add(
    "dtype-of-a-target",
    "RuntimeError",
    "expected target dtype to be",
    cause="Class indices are integers, and these are floating point numbers.",
    program="""
        logits = T.ones(1, 2)
        T.nn.functional.cross_entropy(logits, T.tensor([1.0]))
    """,
    mend="""
        logits = T.ones(1, 2)
        T.nn.functional.cross_entropy(logits, T.tensor([1]))
    """,
    unless="Floating targets of the shape of the logits are probabilities.",
    silent="""
        logits = T.ones(1, 2)
        T.nn.functional.cross_entropy(logits, T.tensor([[0.0, 1.0]]))
    """,
)
_add(
    "not-probabilities",
    "RuntimeError",
    "all elements of input should be between 0 and 1",
    cause="binary_cross_entropy takes probabilities, and was given scores.",
    program="""
        score = T.tensor([1.5])
        T.nn.functional.binary_cross_entropy(score, T.tensor([1.0]))
    """,
    mend="""
        score = T.tensor([1.5])
        T.nn.functional.binary_cross_entropy_with_logits(score, T.tensor([1.0]))
    """,
    unless="Scores that happen to lie between 0 and 1 go through, and the loss is not the one that was meant.",
    silent="""
        score = T.tensor([0.5])
        T.nn.functional.binary_cross_entropy(score, T.tensor([1.0]))
    """,
)
_add(
    "index-of-an-embedding",
    "IndexError",
    "index out of range in self",
    cause="An index is as large as the table of the embedding, or larger, or negative.",
    program="""
        table = T.nn.Embedding(3, 2)
        table(T.tensor([3]))
    """,
    mend="""
        table = T.nn.Embedding(4, 2)
        table(T.tensor([3]))
    """,
    unless="Indices within the table are fine. Rows that are never looked up get a zero gradient.",
    silent="""
        table = T.nn.Embedding(3, 2)
        table(T.tensor([2])).sum().backward()
        assert table.weight.grad[0].tolist() == [0.0, 0.0]
    """,
)
_add(
    "one-value-per-channel",
    "ValueError",
    "Expected more than 1 value per channel when training",
    cause="Batch normalization subtracts the mean of the batch, and of one value nothing would be left.",
    program="""
        layer = T.nn.BatchNorm1d(2)
        layer(T.ones(1, 2))
    """,
    mend="""
        layer = T.nn.BatchNorm1d(2)
        layer(T.ones(2, 2))
    """,
    unless="In eval() it uses the statistics that it has kept.",
    silent="""
        layer = T.nn.BatchNorm1d(2).eval()
        layer(T.ones(1, 2))
    """,
)

# -- shapes, types and indices

_add(
    "inner-sizes",
    "RuntimeError",
    "mat1 and mat2 shapes cannot be multiplied",
    cause="In a product of matrices the columns of the first must be as many as the rows of the second.",
    program="""
        T.ones(2, 3) @ T.ones(2, 3)
    """,
    mend="""
        T.ones(2, 3) @ T.ones(2, 3).T
    """,
    unless="Square matrices can always be multiplied, also when one of them should have been transposed.",
    silent="""
        T.ones(2, 2) @ T.ones(2, 2)
    """,
)
_add(
    "channels",
    "RuntimeError",
    "expected input[",
    cause="A convolution is made for a number of channels, and the input has another one. Images come as batch, "
    "channels, height and width.",
    program="""
        image, weight = T.ones(1, 4, 4, 3), T.ones(1, 3, 2, 2)
        T.nn.functional.conv2d(image, weight)
    """,
    mend="""
        image, weight = T.ones(1, 4, 4, 3), T.ones(1, 3, 2, 2)
        T.nn.functional.conv2d(image.permute(0, 3, 1, 2), weight)
    """,
    unless="An input without the batch dimension is taken as one image.",
    silent="""
        image, weight = T.ones(3, 4, 4), T.ones(1, 3, 2, 2)
        T.nn.functional.conv2d(image, weight)
    """,
)
_add(
    "no-broadcast",
    "RuntimeError",
    "at non-singleton dimension",
    cause="Two shapes are compared from the right; sizes must be equal, or one of them 1.",
    program="""
        T.ones(2, 3) + T.ones(2)
    """,
    mend="""
        T.ones(2, 3) + T.ones(2, 1)
    """,
    unless="Shapes that fit by accident give a larger result without a word.",
    silent="""
        assert (T.ones(2, 1) + T.ones(2)).shape == (2, 2)
    """,
)
_add(
    "dtypes-of-a-product",
    "RuntimeError",
    "to have the same dtype, but got",
    "must have the same dtype, but got",
    cause="A matrix product does not convert, and the two have different dtypes. An array from NumPy is float64 "
    "unless told otherwise.",
    program="""
        T.ones(2, 2) @ T.ones(2, 2, dtype=T.float64)
    """,
    mend="""
        T.ones(2, 2) @ T.ones(2, 2, dtype=T.float64).float()
    """,
    unless="Elementwise operations convert to the wider of the two.",
    silent="""
        assert (T.ones(2) * T.ones(2, dtype=T.float64)).dtype == T.float64
    """,
)
_add(
    "mean-of-integers",
    "RuntimeError",
    "could not infer output dtype",
    cause="The mean of integers is no integer, and the dtype of the result was not said.",
    program="""
        T.tensor([1, 2]).mean()
    """,
    mend="""
        T.tensor([1, 2]).float().mean()
    """,
    unless="A sum of integers is an integer.",
    silent="""
        T.tensor([1, 2]).sum()
    """,
)
_add(
    "maximum-of-nothing",
    "RuntimeError",
    "Expected reduction dim to be specified for input.numel() == 0",
    "to have non-zero size",
    cause="The tensor has no elements, and of none there is no largest one. Often a mask has left nothing over.",
    program="""
        x = T.tensor([1.0, 2.0])
        kept = x[x > 3]
        kept.max()
    """,
    mend="""
        x = T.tensor([1.0, 2.0])
        kept = x[x > 3]
        if kept.numel() > 0:
            kept.max()
    """,
    unless="The sum of no numbers is 0, and their mean is NaN, which shows only later.",
    silent="""
        kept = T.zeros(0)
        assert kept.sum() == 0
        assert kept.mean().isnan()
    """,
)
_add(
    "not-positive-definite",
    "LinAlgError",
    "the input is not positive-definite",
    cause="A Cholesky factor exists only of a matrix whose eigenvalues are all above 0. A covariance of fewer samples "
    "than variables has one that is 0, and rounding can bring a small one below it.",
    program="""
        x = T.tensor([[1.0, 2.0]])
        T.linalg.cholesky(x.mT @ x)
    """,
    mend="""
        x = T.tensor([[1.0, 2.0]])
        T.linalg.cholesky(x.mT @ x + 1e-3 * T.eye(2))
    """,
    unless="Only the lower triangle is read. That the matrix is not symmetric goes unnoticed.",
    silent="""
        T.linalg.cholesky(T.tensor([[2.0, 5.0], [1.0, 2.0]]))
    """,
)
_add(
    "minus-a-bool",
    "RuntimeError",
    "Subtraction, the `-` operator, with",
    cause="1 - mask was meant to turn a mask around.",
    program="""
        mask = T.tensor([True, False])
        1 - mask
    """,
    mend="""
        mask = T.tensor([True, False])
        ~mask
    """,
    unless="A sum and a product of bools are counted as numbers.",
    silent="""
        mask = T.tensor([True, False])
        1 + mask, 2 * mask
    """,
)
_add(
    "index-out-of-bounds",
    "IndexError",
    "is out of bounds for dimension",
    "is out of bounds for axis",
    cause="An index is as large as the dimension, or larger. They are counted from 0.",
    program="""
        T.ones(2)[2]
    """,
    mend="""
        T.ones(2)[1]
    """,
    unless="A slice is cut to what is there, down to nothing.",
    silent="""
        assert T.ones(2)[2:5].numel() == 0
    """,
)
_add(
    "too-many-indices",
    "IndexError",
    "too many indices for tensor of dimension",
    cause="More dimensions were indexed than there are.",
    program="""
        T.ones(2)[0, 0]
    """,
    mend="""
        T.ones(2)[0]
    """,
    unless="None in an index adds a dimension, and takes none away.",
    silent="""
        T.ones(2)[0, None]
    """,
)
_add(
    "no-such-dimension",
    "IndexError",
    "Dimension out of range",
    cause="An operation along a dimension was asked for one that the tensor does not have.",
    program="""
        T.ones(2).sum(1)
    """,
    mend="""
        T.ones(2).sum(0)
    """,
    unless="Negative dimensions count from the end: -1 is always the last.",
    silent="""
        T.ones(2).sum(-1)
    """,
)
_add(
    "reshape",
    "RuntimeError",
    "is invalid for input of size",
    cause="A reshape keeps the number of elements.",
    program="""
        T.ones(4).reshape(3)
    """,
    mend="""
        T.ones(4).reshape(2, 2)
    """,
    unless="One size may be left to be computed, as -1.",
    silent="""
        T.ones(4).reshape(2, -1)
    """,
)
_add(
    "not-a-view",
    "RuntimeError",
    "at least one dimension spans across two contiguous subspaces",
    cause="view() never copies, and these elements do not lie in memory as the new shape would need them.",
    program="""
        T.ones(2, 3).T.view(6)
    """,
    mend="""
        T.ones(2, 3).T.reshape(6)
    """,
    unless="reshape() copies where it must, so a write into its result may or may not reach the tensor.",
    silent="""
        T.ones(2, 3).view(6)
    """,
    chapter="18_views_and_writes",
)
_add(
    "stack-of-unequal",
    "RuntimeError",
    "stack expects each tensor to be equal size",
    cause="stack() puts tensors of one shape side by side in a new dimension.",
    program="""
        T.stack([T.ones(2), T.ones(3)])
    """,
    mend="""
        T.cat([T.ones(2), T.ones(3)])
    """,
    unless="cat() joins along a dimension that is there, and may have different sizes in it.",
    silent="""
        T.stack([T.ones(2), T.ones(2)])
    """,
)
_add(
    "cat-of-unequal",
    "RuntimeError",
    "Sizes of tensors must match except in dimension",
    cause="cat() joins along one dimension; in all others the sizes must be the same.",
    program="""
        T.cat([T.ones(2, 2), T.ones(2, 3)])
    """,
    mend="""
        T.cat([T.ones(2, 2), T.ones(2, 3)], dim=1)
    """,
    unless="An empty tensor of one dimension is passed over.",
    silent="""
        T.cat([T.ones(2, 2), T.ones(0)])
    """,
)
_add(
    "a-number-for-a-tensor",
    "TypeError",
    "must be Tensor, not",
    cause="A function of tensors was given a Python number.",
    program="""
        T.exp(1.0)
    """,
    mend="""
        T.exp(T.tensor(1.0))
    """,
    unless="Beside a tensor a number is welcome.",
    silent="""
        T.ones(2) * 2.0
    """,
)
_add(
    "loop-over-one-number",
    "TypeError",
    "iteration over a 0-d tensor",
    cause="A tensor without dimensions holds one number, and has no parts to go through.",
    program="""
        for loss in T.tensor(1.0):
            pass
    """,
    mend="""
        for loss in T.tensor([1.0]):
            pass
    """,
    unless="Where there is one dimension or more, the loop goes through the first.",
    silent="""
        for row in T.ones(2, 3):
            assert row.shape == (3,)
    """,
)
_add(
    "no-such-name",
    "AttributeError",
    "module 'torch' has no attribute",
    "'Tensor' object has no attribute",
    "autograd_core has no",
    cause="The name is misspelled, or it is one of PyTorch's that autograd_core has not taken over; its message then"
    " says so.",
    program="""
        T.squared(T.ones(2))
    """,
    mend="""
        T.square(T.ones(2))
    """,
    unless="A module and its optimizer take new attributes of any name, so a misspelled one is set without a word.",
    silent="""
        layer = T.nn.Linear(2, 1)
        layer.wieght = None
    """,
)
