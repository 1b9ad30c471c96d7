"""The catalog of reasons: for each kind a sentence that says what happened and one that says what to do."""

from __future__ import annotations

from .answers import Cause

# -- why nothing was stored

NONE = {
    "integer": (
        "This tensor holds {dtype}; only floating point tensors carry gradients.",
        "Make it a floating one, with requires_grad=True, before the forward.",
    ),
    "inference": (
        "This tensor was made in inference_mode(), outside autograd for good.",
        "Make it outside that block, or make a normal tensor of it with clone() outside.",
    ),
    "no-requires-grad": (
        "This tensor was made without requires_grad=True, so no op on it was recorded for its sake.",
        "Pass requires_grad=True, or call requires_grad_() before the forward.",
    ),
    "frozen": (
        "requires_grad was switched off for this tensor, and ops since then were not recorded for its sake.",
        "Call requires_grad_() before the forward if it should get a gradient.",
    ),
    "asked-too-late": (
        "The forward used this tensor before it required gradients; the flag is sampled op by op.",
        "Call requires_grad_() first, then run the forward again.",
    ),
    "detached": (
        "{op} returned a tensor that shares the memory but has no history: gradients stop there.",
        "Use the tensor as it was before, or clone() for a copy that keeps its history.",
    ),
    "no-grad": (
        "{op} ran under {mode}(), so it was not recorded and gradients stop there.",
        "Compute what leads to the loss outside {mode}().",
    ),
    "left-graph": (
        "The value went through {op}, which gives plain numbers: whatever was made of them is a constant.",
        "Stay with tensor operations; make one tensor of several with stack() or cat().",
    ),
    "nondiff": (
        "{op} has no derivative, so its result has no way back.",
        "Use a differentiable operation on the way to the loss; keep this one for what only reports or indexes.",
    ),
    "constant": (
        "Nothing that this tensor was computed from requires gradients.",
        "Set requires_grad=True on the tensors to be trained before the forward.",
    ),
    "copied": (
        "{op} made a new leaf, with a gradient of its own; the loss was computed from that one.",
        "Read .grad of the new leaf, or use the tensor itself; clone() keeps the history.",
    ),
    "non-leaf": (
        "This tensor is the result of {op}, not a leaf: its gradient passed through and was not kept.",
        "Read .grad of the leaf it was computed from, or call retain_grad() on this tensor before backward().",
    ),
    "rebound": (
        "The name was bound anew to the result of {op}, so it no longer means the leaf that you made.",
        "Update in place under no_grad(), or make the finished value a leaf with detach().requires_grad_().",
    ),
    "retained-too-late": (
        "retain_grad() was called after the backward pass, which had passed through and kept nothing.",
        "Call retain_grad() before backward().",
    ),
    "no-grad-view": (
        "This is a view made under no_grad() of a tensor that requires gradients: it says that it is a leaf that "
        "requires them, but nothing is ever stored in it.",
        "Make the view outside no_grad().",
    ),
    "no-backward": (
        "No backward pass has stored anything yet: gradients exist only after backward().",
        "Call backward() on the loss.",
    ),
    "backward-failed": (
        "The last backward() raised an error before it stored a gradient here.",
        "Mend that error first.",
    ),
    "cleared": (
        "The gradient was stored and then cleared.",
        "Read it after backward() and before zero_grad(), or before .grad is set to None.",
    ),
    "cleared-by-hook": (
        "The gradient was stored and then cleared, within backward(), by a hook that runs once it is stored.",
        "Read the gradient in the hook, or have the hook leave .grad as it is.",
    ),
    "grad-returned": (
        "autograd.grad() computed the gradient and returned it; it stores nothing in .grad.",
        "Use what it returned, or call backward().",
    ),
    "inputs": (
        "backward() was called with inputs=..., which limits what is stored, and this tensor is not among them.",
        "Add it to inputs, or leave inputs out.",
    ),
    "unused": (
        "The loss was not computed from this tensor; another tensor of the same name or value may have been used.",
        "Use this very tensor in the forward, and ask about the one that the forward used.",
    ),
    "not-produced": (
        "A pass reached this tensor, but the op it feeds ({op}) returned no gradient for it.",
        "Have the backward of that op return a gradient for this input.",
    ),
    # -- when it was cleared, and what the optimizer makes of it
    "never-cleared": (
        "The gradient of this pass was added to that of an earlier one, which a step had already used.",
        "Call zero_grad() once in each step, before backward().",
    ),
    "thrown-away": (
        "The gradient of the pass before was cleared before a step had used it.",
        "Call step() after backward() and before the next zero_grad().",
    ),
    "not-in-optimizer": (
        "The optimizer does not hold this tensor, so no step will move it.",
        "Make the optimizer once the model is complete, of its parameters as they are now.",
    ),
    "rate-zero": (
        "The learning rate is zero: a step leaves everything where it is.",
        "Set the learning rate of the group, or look at the scheduler that brought it down.",
    ),
    # -- what is wrong with a loss
    "loss-is-leaf": (
        "This loss requires gradients because the flag was set on it by hand: its graph is the loss alone, and "
        "no parameter will get a gradient.",
        "Take the flag away and find where the loss lost its history: detach(), no_grad(), item() or tensor(...).",
    ),
    "stale": (
        "A value that the backward of {op} needs was overwritten in place.",
        "Write out of place or to a clone(), or move the write after backward().",
    ),
    "dropped": (
        "Part of the gradient goes to a view made under no_grad(), which stores nothing: that part will be lost.",
        "Make the view outside no_grad().",
    ),
}

# -- why what was stored is zero

ZERO = {
    "relu": (
        "Every input of {op} was at or below zero where the gradient arrived: the unit is dead there.",
        "Lower the learning rate, check the bias and the scale of the inputs, or use leaky_relu().",
    ),
    "clamp": (
        "{op} holds the value at a bound, and there its derivative is zero.",
        "Widen the bounds, or penalize what lies outside instead of cutting it off.",
    ),
    "mask": (
        "{op} took these entries from elsewhere, so they do not matter for the loss.",
        "Check the mask or condition; it may be inverted or everywhere false.",
    ),
    "times-zero": (
        "{op} multiplied the gradient by zero: the other operand is zero.",
        "Check the mask, the weight or the initial value that is zero.",
    ),
    "not-chosen": (
        "{op} chose another entry; only a chosen entry gets a gradient.",
        "Use mean(), logsumexp() or softmax() if every entry should get one.",
    ),
    "not-selected": (
        "{op} picked other entries; those left out do not matter for the loss.",
        "Check the index.",
    ),
    "step": (
        "{op} is a step function: its derivative is zero wherever it exists.",
        "Use a smooth function instead, or pass the gradient straight through on purpose.",
    ),
    "saturated": (
        "{op} is saturated: its derivative is zero to this precision at such large inputs.",
        "Scale the inputs down, or use a loss that takes logits.",
    ),
    "flat": (
        "The derivative of {op} is zero at these values.",
        "Start from other values if this is not a minimum.",
    ),
    "normalized": (
        "{op} does not change when its inputs all move together, and the gradient that arrived has no other part.",
        "Weight the outputs unequally; their plain sum or mean is a constant.",
    ),
    "cancels": (
        "Several contributions to this gradient cancel to zero.",
        "Check for a term that is subtracted from itself, such as a mean taken from its own mean.",
    ),
    "underflow": (
        "{op} made a product too small for the dtype: it was rounded to zero.",
        "Scale the loss or the values up, or compute in a wider dtype such as float64.",
    ),
    "hook": (
        "A hook returned zero in place of the gradient.",
        "Look at what was registered with register_hook() on the tensors on the way.",
    ),
    "custom": (
        "The backward of a custom Function returned zero; the user's own code is not run once more to see.",
        "Look at what its backward returns.",
    ),
    "zero-seed": (
        "The backward pass started from a zero gradient.",
        "Pass other weights to backward().",
    ),
    "zeroed": (
        "The gradient was set to zero after it had been stored.",
        "Read it before zero_grad(set_to_none=False).",
    ),
    "not-finite": (
        "The gradient holds infinity or NaN, and a step will carry it into the parameter.",
        "Find the op under set_detect_anomaly(True): a root, logarithm or quotient at zero, or a loss that overflows.",
    ),
    "none": ("There is no gradient at all: .grad is None, which is not zero.", "Ask why_none()."),
    "unknown": (
        "{op} returned zero for a gradient that was not.",
        "Look at the values that it was given.",
    ),
}

OF_OP = {
    "relu": "relu",
    "threshold": "relu",
    **dict.fromkeys(("clamp", "clamp_min", "clamp_max", "hardtanh", "hardsigmoid", "clip"), "clamp"),
    **dict.fromkeys(("where", "masked_fill", "fill", "zero", "masked_scatter", "native_dropout", "dropout"), "mask"),
    **dict.fromkeys(("copy_slices", "clear_slices", "scatter", "setitem"), "mask"),
    **dict.fromkeys(("mul", "matmul", "mm", "bmm", "addmm", "dot", "mv", "linear", "div", "einsum"), "times-zero"),
    **dict.fromkeys(("max", "min", "amax", "amin", "maximum", "minimum", "median", "sort", "topk"), "not-chosen"),
    **dict.fromkeys(("kthvalue", "mode"), "not-chosen"),
    **dict.fromkeys(("getitem", "index", "select", "slice", "gather", "index_select", "masked_select"), "not-selected"),
    **dict.fromkeys(("take", "embedding", "unbind", "split", "nll_loss", "narrow", "diagonal"), "not-selected"),
    **dict.fromkeys(("floor", "ceil", "round", "trunc", "sign", "sgn", "fix"), "step"),
    **dict.fromkeys(("sigmoid", "tanh", "erf", "gelu", "log_sigmoid", "logsigmoid", "exp", "softplus"), "saturated"),
    **dict.fromkeys(("softmax", "log_softmax"), "normalized"),
    **dict.fromkeys(("std", "var", "pow", "square", "abs", "cos", "sin", "cosh", "norm", "linalg_vector_norm"), "flat"),
    **dict.fromkeys(("mse_loss", "smooth_l1_loss", "huber_loss", "l1_loss"), "flat"),
}


IN_GENERAL = {
    "detached": "detach() or .data",
    "no-grad": "An operation on the way",
    "not-produced": "a custom Function, say",
    "left-graph": "item(), float(), numpy() or tensor(...)",
    "nondiff": "An operation on the way, such as argmax() or a comparison,",
    "relu": "relu()",
    "clamp": "clamp()",
    "mask": "where() or a mask",
    "not-chosen": "A maximum or minimum",
    "not-selected": "Indexing",
    "step": "Rounding or sign()",
    "saturated": "sigmoid(), tanh() or the like",
}


def cause(kind: str, line: str | None = None, **words) -> Cause:
    """The cause of a kind, its blanks filled in."""
    sentence, remedy = (NONE if kind in NONE else ZERO)[kind]
    an_operation = "An operation" if sentence.startswith("{op}") else "an operation"
    words = {"op": IN_GENERAL.get(kind, an_operation), "mode": "no_grad", **words}
    return Cause(kind, sentence.format(**words), remedy.format(**words), line)
