"""Messages about writing in place."""

from .entry import Section

SECTION = Section()
add = SECTION.add

add(
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
add(
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
add(
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
add(
    "one-of-several-views",
    "RuntimeError",
    "is a view and is being modified inplace. This view is the output of a function that returns multiple views",
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
add(
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
add(
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
add(
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
add(
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
add(
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
