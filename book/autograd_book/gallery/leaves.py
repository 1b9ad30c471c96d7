"""Messages about leaves, their flags and their slots."""

from .entry import Section

SECTION = Section()
add = SECTION.add

add(
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
add(
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
add(
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
add(
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
add(
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
add(
    "grad-is-a-number",
    "TypeError",
    "assigned grad expected to be a Tensor or None",
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
add(
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
add(
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
add(
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
add(
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
add(
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
