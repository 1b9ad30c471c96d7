"""Messages on the way out of the graph: numbers, arrays, None."""

from .entry import Section

SECTION = Section()
add = SECTION.add

add(
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
add(
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
add(
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
add(
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
add(
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
add(
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
add(
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
