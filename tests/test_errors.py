"""The texts of errors, word by word: each names the thing, the values and the remedy.

Positions are shown as `here:` and the source line. After a deliberate change, `python tests/test_errors.py` prints the
texts as they are now.
"""

import re

import pytest

import autograd_core as ac


def leaf(*values):
    return ac.tensor(list(values), dtype=ac.float64, requires_grad=True)


# -- reverse pass


def stale_input():
    x = leaf(1.0, 2.0)
    h = x * 1
    y = h * h
    h.add_(1)
    y.sum().backward()


def stale_output():
    x = leaf(1.0, 2.0)
    y = x.exp()
    y[0] = 5.0
    y.sum().backward()


def stale_through_a_view():
    x = leaf(1.0, 2.0)
    h = x * 1
    y = h.sin()
    h[:1].zero_()
    y.sum().backward()


def stale_in_the_second_derivative():
    x = leaf(1.0, 2.0)
    h = x * 1
    (g,) = ac.autograd.grad(h.sin().sum(), x, create_graph=True)
    h.mul_(2)
    ac.autograd.grad(g.sum(), x)


def stale_by_an_optimizer():
    w = leaf(1.0, 2.0)
    loss = (w * w).sum()
    loss.backward(retain_graph=True)
    ac.optim.SGD([w], lr=0.1).step()
    loss.backward()


def second_backward():
    x = leaf(1.0, 2.0)
    loss = x.exp().sum()
    loss.backward()
    loss.backward()


def second_backward_through_a_shared_part():
    x = leaf(1.0, 2.0)
    h = x.exp()
    first = (h * 2.0).sum()
    second = (h + 1.0).sum()
    first.backward()
    second.backward()


def second_backward_after_grad():
    x = leaf(1.0, 2.0)
    y = (x * x).sum()
    ac.autograd.grad(y, x)
    y.backward()


def not_a_scalar():
    leaf(1.0, 2.0).exp().backward()


def nothing_to_differentiate():
    leaf(1.0).detach().sum().backward()


def seed_of_another_shape():
    leaf(1.0, 2.0).exp().backward(ac.ones(3, dtype=ac.float64))


def unused_input():
    ac.autograd.grad(leaf(1.0).sum(), leaf(2.0, 3.0))


def input_without_gradient():
    ac.autograd.grad(leaf(1.0).sum(), ac.ones(2))


# -- writes


def write_to_a_leaf():
    leaf(1.0, 2.0).add_(1)


def write_to_a_view_of_a_leaf():
    leaf(1.0, 2.0)[0] = 1.0


def write_to_one_of_several_views():
    (leaf(1.0, 2.0) * 1).unbind()[0].mul_(2)


def use_of_one_of_several_views():
    h = leaf(1.0, 2.0) * 1
    part = h.unbind()[0]
    h.mul_(2)
    part.exp()


def write_to_a_view_made_under_no_grad():
    h = leaf(1.0, 2.0) * 1
    with ac.no_grad():
        v = h[0]
    v.mul_(2)


def write_to_a_view_made_in_inference_mode():
    h = leaf(1.0, 2.0) * 1
    with ac.inference_mode():
        v = h[0]
    v.mul_(2)


def write_to_an_expanded_tensor():
    ac.ones(3).expand(2, 3).add_(1)


def write_over_an_operand():
    y = ac.ones(4)
    y[1:].mul_(y[:-1])


def write_of_another_shape():
    ac.ones(1, 3).add_(ac.ones(2, 3))


def write_of_another_type():
    ac.tensor([1, 2]).add_(1.5)


def detach_a_view():
    ac.ones(3)[0].detach_()


def requires_grad_of_a_result():
    leaf(1.0).exp().requires_grad_(False)


# -- inference tensors


def inference():
    with ac.inference_mode():
        return ac.ones(2, dtype=ac.float64)


def save_an_inference_tensor():
    leaf(1.0, 2.0) * inference()


def write_to_an_inference_tensor():
    inference().add_(1)


def version_of_an_inference_tensor():
    _ = inference()._version


def inference_tensor_that_requires_grad():
    inference().requires_grad_()


# -- hooks


def hook_without_gradient():
    ac.ones(1).register_hook(print)


def hook_after_accumulation_on_a_result():
    leaf(1.0).exp().register_post_accumulate_grad_hook(print)


def hook_that_changes_the_shape():
    y = leaf(1.0, 2.0).exp()
    y.register_hook(lambda g: g.sum())
    y.sum().backward()


def node_hook_with_too_few():
    def hook(grad_inputs, grad_outputs):
        return grad_inputs[:1]

    y = leaf(1.0) * leaf(2.0)
    y.grad_fn.register_hook(hook)
    y.sum().backward()


def pack_hook_that_writes():
    with ac.autograd.graph.saved_tensors_hooks(lambda t: t.mul_(2), lambda t: t):
        leaf(1.0) * ac.ones(1, dtype=ac.float64)


def unpack_hook_without_tensor():
    with ac.autograd.graph.saved_tensors_hooks(lambda t: t.item(), lambda v: v):
        y = leaf(1.0).exp()
    y.backward()


def mutation_outside():
    with ac.autograd.graph.allow_mutation_on_saved_tensors():
        y = leaf(1.0).exp()
    y.backward()


# -- shapes and types


def shapes_that_do_not_broadcast():
    ac.ones(2, 3) * ac.ones(2, 4)


def shapes_that_do_not_multiply():
    ac.ones(2, 3) @ ac.ones(4, 5)


def batches_that_do_not_multiply():
    ac.ones(5, 2, 3) @ ac.ones(5, 4, 5)


def vectors_that_do_not_multiply():
    ac.ones(3) @ ac.ones(4)


def shapes_that_do_not_join():
    ac.cat([ac.ones(2, 3), ac.ones(2, 4)])


def shapes_that_do_not_stack():
    ac.stack([ac.ones(2), ac.ones(3)])


def view_of_another_size():
    ac.ones(2, 3).view(4)


def view_across_strides():
    ac.ones(2, 3).T.view(6)


def expand_to_another_size():
    ac.ones(2, 3).expand(4, 3)


def integers_with_gradient():
    ac.tensor([1, 2], requires_grad=True)


def outside_of_the_memory():
    ac.ones(2, 2).as_strided((3, 3), (1, 2))


TEXTS = {
    "stale_input": (
        "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace "
        "operation: [float64 [2]], saved by MulBackward0 (as its `input`) at here: y = h * h, is at version 1; "
        "expected version 0 instead. It was overwritten by add_ at here: h.add_(1). Write to a clone() "
        "instead, or move the write after backward()."
    ),
    "stale_output": (
        "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace "
        "operation: [float64 [2]], saved by ExpBackward0 (as its `out`) at here: y = x.exp(), is at version 1; "
        "expected version 0 instead. It was overwritten by fill_ at here: y[0] = 5.0. Write to a clone() "
        "instead, or move the write after backward()."
    ),
    "stale_through_a_view": (
        "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace "
        "operation: [float64 [2]], saved by SinBackward0 (as its `input`) at here: y = h.sin(), is at version "
        "1; expected version 0 instead. It was overwritten by zero_ at here: h[:1].zero_(). Write to a clone() "
        "instead, or move the write after backward()."
    ),
    "stale_in_the_second_derivative": (
        "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace "
        "operation: [float64 [2]], saved by CosBackward0 (as its `input`) at here: (g,) = "
        "ac.autograd.grad(h.sin().sum(), x, create_graph=True), is at version 1; expected version 0 instead. "
        "It was overwritten by mul_ at here: h.mul_(2). Write to a clone() instead, or move the write after "
        "backward()."
    ),
    "stale_by_an_optimizer": (
        "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace "
        "operation: [float64 [2]], saved by MulBackward0 (as its `input`) at here: loss = (w * w).sum(), is at "
        "version 1; expected version 0 instead. It was overwritten by SGD.step at here: ac.optim.SGD([w], "
        "lr=0.1).step(). Write to a clone() instead, or move the write after backward()."
    ),
    "second_backward": (
        "RuntimeError: Trying to backward through the graph a second time: ExpBackward0, recorded at here: "
        "loss = x.exp().sum(), has already released the values it saved (out): nothing can go through it again, or "
        "directly access saved tensors after they have already been freed. Specify retain_graph=True in the first "
        "backward() or grad(), or run the forward again."
    ),
    "second_backward_through_a_shared_part": (
        "RuntimeError: Trying to backward through the graph a second time: ExpBackward0, recorded at here: h = "
        "x.exp(), has already released the values it saved (out): nothing can go through it again, or directly "
        "access saved tensors after they have already been freed. They went with the backward pass of "
        "SumBackward0, recorded at here: first = (h * 2.0).sum(): the two losses share this part of the graph. "
        "Add the losses and call backward() once. Specify retain_graph=True in the first pass if you need both. "
        "Where this part was computed before a loop or in an earlier step of it, compute it again in each step, or "
        "detach() it."
    ),
    "second_backward_after_grad": (
        "RuntimeError: Trying to backward through the graph a second time: MulBackward0, recorded at here: y = "
        "(x * x).sum(), has already released the values it saved (input, other): nothing can go through it again, "
        "or directly access saved tensors after they have already been freed. Specify retain_graph=True in the "
        "first backward() or grad(), or run the forward again."
    ),
    "not_a_scalar": (
        "RuntimeError: grad can be implicitly created only for scalar outputs, not for shape [2]; pass "
        "gradient=v, the weights of the outputs, or reduce with sum() or mean() first"
    ),
    "nothing_to_differentiate": (
        "RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn: nothing it was "
        "computed from requires gradients, or it was computed under no_grad() or from a detach()."
    ),
    "seed_of_another_shape": (
        "RuntimeError: Mismatch in shape: grad_output[0] has a shape of Size([3]) and output[0] has a shape of "
        "Size([2])."
    ),
    "unused_input": (
        "RuntimeError: One of the differentiated Tensors appears to not have been used in the graph "
        "(inputs[0], of shape [2]). Set allow_unused=True if this is the desired behavior."
    ),
    "input_without_gradient": (
        "RuntimeError: One of the differentiated Tensors does not require grad (inputs[0], of shape [2]). "
        "Create it with requires_grad=True."
    ),
    "write_to_a_leaf": (
        "RuntimeError: a leaf Variable that requires grad is being used in an in-place operation (add_). Write "
        "under no_grad(), or to a clone()."
    ),
    "write_to_a_view_of_a_leaf": (
        "RuntimeError: a view of a leaf Variable that requires grad is being used in an in-place operation "
        "(fill_). Write under no_grad(), or to a clone()."
    ),
    "write_to_one_of_several_views": (
        "RuntimeError: mul_: Output 0 of Unbind is a view and is being modified inplace. This view is "
        "the output of a function that returns multiple views. Such functions do not allow the output views to "
        "be modified inplace. Write out of place, or index the base, which gives one view."
    ),
    "use_of_one_of_several_views": (
        "RuntimeError: Output 0 of Unbind is a view and its base or another view of its base has been "
        "modified inplace. This view is the output of a function that returns multiple views. Such functions do "
        "not allow the output views to be modified inplace. Write out of place, or index the base, which gives "
        "one view."
    ),
    "write_to_a_view_made_under_no_grad": (
        "RuntimeError: mul_: A view was created in no_grad mode and is being modified inplace with grad mode "
        "enabled. Given that this use case is ambiguous and error-prone, it is forbidden. Make the view and write "
        "to it both inside the no_grad block, where the write is not tracked, or both outside."
    ),
    "write_to_a_view_made_in_inference_mode": (
        "RuntimeError: mul_: A view was created in inference mode and is being modified inplace in normal "
        "mode. Given that this use case is ambiguous and error-prone, it is forbidden. Make the view and write "
        "to it both inside the inference_mode block, where the write is not tracked, or both outside."
    ),
    "write_to_an_expanded_tensor": (
        "RuntimeError: unsupported operation: more than one element of the written-to tensor refers to a "
        "single memory location (add_ on a tensor of shape [2, 3] with strides (0, 1)). Please clone() the "
        "tensor before performing the operation."
    ),
    "write_over_an_operand": (
        "RuntimeError: unsupported operation: some elements of the input tensor and the written-to tensor "
        "refer to a single memory location (mul_ into shape [3], with an operand of shape [3]). Please clone() "
        "the tensor before performing the operation."
    ),
    "write_of_another_shape": (
        "RuntimeError: add_: output with shape [1, 3] doesn't match the broadcast shape [2, 3]; a write cannot "
        "enlarge its tensor, so use the op out of place"
    ),
    "write_of_another_type": (
        "RuntimeError: add_: result type float32 can't be cast to the desired output type int64; use the op "
        "out of place, or convert the tensor first"
    ),
    "detach_a_view": "RuntimeError: Can't detach views in-place: the base keeps its history. Use detach() instead.",
    "requires_grad_of_a_result": (
        "RuntimeError: you can only change requires_grad flags of leaf variables. If you want to use a "
        "computed variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
    ),
    "save_an_inference_tensor": (
        "RuntimeError: Inference tensors cannot be saved for backward: mul needs one of shape [2] for a "
        "gradient. Make a normal tensor of it with clone()."
    ),
    "write_to_an_inference_tensor": (
        "RuntimeError: Inplace update to inference tensor outside InferenceMode is not allowed (add_). You can "
        "make a clone() to get a normal tensor before doing inplace update."
    ),
    "version_of_an_inference_tensor": (
        "RuntimeError: Inference tensors do not track version counter; make a normal tensor of it with clone()"
    ),
    "inference_tensor_that_requires_grad": (
        "RuntimeError: Setting requires_grad=True on inference tensor outside InferenceMode is not allowed; "
        "clone() it first."
    ),
    "hook_without_gradient": (
        "RuntimeError: cannot register a hook on a tensor that doesn't require gradient; create it with "
        "requires_grad=True, or compute it from one that has it"
    ),
    "hook_after_accumulation_on_a_result": (
        "RuntimeError: post accumulate grad hooks cannot be registered on non-leaf tensors, and this one is "
        "a result of ExpBackward0; use register_hook() or retain_grad()"
    ),
    "hook_that_changes_the_shape": "RuntimeError: hook changed the shape of the gradient from [2] to []",
    "node_hook_with_too_few": (
        "RuntimeError: hook 'hook' has returned an incorrect number of values (got 1, but expected 2)"
    ),
    "pack_hook_that_writes": (
        "RuntimeError: A saved tensor pack hook is modifying its input in place (what MulBackward0 saves). It "
        "is the tensor of the computation itself; return a changed copy instead."
    ),
    "unpack_hook_without_tensor": "TypeError: Output of saved tensor unpack_hook expected to be a Tensor but got float",
    "mutation_outside": (
        "AssertionError: Trying to backward outside of the 'allow_mutation_on_saved_tensors' context in which "
        "the graph was originally recorded. The copies of the saved tensors end with the block: move "
        "backward() into it."
    ),
    "shapes_that_do_not_broadcast": (
        "RuntimeError: mul: The size of tensor a (3) must match the size of tensor b (4) at non-singleton "
        "dimension 1. The shapes are [2, 3] and [2, 4]."
    ),
    "shapes_that_do_not_multiply": "RuntimeError: mm(): mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)",
    "batches_that_do_not_multiply": (
        "RuntimeError: bmm(): batches of matrices of shapes [5, 2, 3] and [5, 4, 5] cannot be multiplied: the "
        "last axis of the first must equal the last but one of the second, and the axes before them must "
        "broadcast"
    ),
    "vectors_that_do_not_multiply": (
        "RuntimeError: dot(): inconsistent tensor size, expected tensor [3] and src [4] to have the same "
        "number of elements"
    ),
    "shapes_that_do_not_join": (
        "RuntimeError: Sizes of tensors must match except in dimension 0. Expected sizes [2, 3] but got [2, 4] "
        "for tensor number 1 in the list."
    ),
    "shapes_that_do_not_stack": (
        "RuntimeError: stack expects each tensor to be equal size, but got [2] at entry 0 and [3] at entry 1"
    ),
    "view_of_another_size": "RuntimeError: shape '[4]' is invalid for input of size 6",
    "view_across_strides": (
        "RuntimeError: view size [6] is not compatible with the size [3, 2] and strides of the input (at least "
        "one dimension spans across two contiguous subspaces). Use .reshape(...) instead."
    ),
    "expand_to_another_size": (
        "RuntimeError: expand: The expanded size of the tensor (4) must match the existing size (2) at non-singleton "
        "dimension 0. Target sizes: [4, 3]. Tensor sizes: [2, 3]; only axes of length 1 can be stretched"
    ),
    "integers_with_gradient": (
        "RuntimeError: only Tensors of floating point dtype can require gradients, not int64; write the "
        "numbers with a decimal point, or pass dtype=ac.float32"
    ),
    "outside_of_the_memory": (
        "RuntimeError: as_strided: sizes [3, 3], strides [1, 2], storage offset 0, and itemsize 4 requiring a "
        "storage size of 28 are out of bounds for storage of size 16"
    ),
}


def normalized(error: Exception) -> str:
    """The type and text of an error, file and line numbers left out."""
    text = re.sub(r"\S+?test_errors\.py:\d+", "here", str(error))
    return f"{type(error).__name__}: {text}"


PROGRAMS = {
    name: f
    for name, f in list(globals().items())
    if callable(f) and getattr(f, "__module__", None) == __name__ and name not in ("leaf", "inference", "normalized")
}


def text_of(program) -> str:
    try:
        program()
    except Exception as error:
        return normalized(error)
    return "nothing was raised"


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_text(name):
    assert text_of(PROGRAMS[name]) == TEXTS[name]


if __name__ == "__main__":
    for name, program in PROGRAMS.items():
        print(f"    {name!r}: {text_of(program)!r},")
