"""Jacobians and Hessians of a function, and their products with vectors, by the reverse pass.

For y = f(x), with the Jacobian J = ∂y/∂x and, for one number y, the Hessian H = ∂²y/∂x²:

    vjp       vᵀJ    one reverse pass
    jvp       J v    two reverse passes: u ↦ uᵀJ is linear, and the transpose of that map is v ↦ J v
    jacobian  J      one reverse pass for each element of y
    vhp, hvp  vᵀH, H v     the same products, of the function x ↦ ∂y/∂x
    hessian   H      the Jacobian of that function

Every function gets stand-ins for its inputs, so a tensor that it captures is a constant, be it one of the inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from ..core.graph import Leaf
from ..core.modes import enable_grad
from ..core.tensor import Tensor, wrap
from ..ops.shapes.joining import stack
from .gradient import grad

NO_GRADIENT = (
    "Output {} of the user-provided function does not require gradients. The outputs must be computed in a "
    "differentiable manner from the input when running in strict mode."
)
INDEPENDENT = "The {} of the user-provided function is independent of input {{}}. This is not allowed in strict mode."
CONSTANT = (
    "The {} of the user-provided function is independent of input {}. This is not allowed in strict mode when "
    "create_graph=True."
)
LINEAR = (
    "While computing the hessian, found that the jacobian of the user-provided function with respect to input {} is "
    "independent of the input, as that of a linear function is. This is not allowed in strict mode."
)
OUTPUT_INDEPENDENT, JACOBIAN_INDEPENDENT = INDEPENDENT.format("output"), INDEPENDENT.format("jacobian")


def vjp(func, inputs, v=None, create_graph: bool = False, strict: bool = False) -> tuple:
    """`func(*inputs)` and the product vᵀJ of a vector with its Jacobian.

    `inputs` is a tensor or a tuple of them, and so is what `func` returns. `v` is shaped like the outputs, and may be
    left out for one output of one element, where it is 1. The product is shaped like `inputs`. Neither result requires
    gradients, unless `create_graph` records the computation. Where the outputs do not depend on an input the product is
    zero; `strict` makes that an error.

    Raises TypeError for anything but tensors, RuntimeError for a `v` of another shape.

    >>> import autograd_core as ac
    >>> ac.autograd.functional.vjp(lambda x: x * x, ac.tensor([1.0, 2.0]), ac.tensor([1.0, 10.0]))
    (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    with enable_grad():
        inputs, one_input = _stand_ins(inputs, "vjp", create_graph)
        outputs, one_output = _outputs(func, inputs, "vjp", strict)
        seeds = _vector(v, outputs, one_output, "vjp", "user-provided function returns")
        found = gradients(outputs, inputs, seeds, create_graph=create_graph)
        products = _complete(found, inputs, strict, create_graph, OUTPUT_INDEPENDENT, "jacobian")
    return _result(outputs, one_output, create_graph), _result(products, one_input, create_graph)


def jvp(func, inputs, v=None, create_graph: bool = False, strict: bool = False) -> tuple:
    """`func(*inputs)` and the product J v of its Jacobian with a vector.

    `v` is shaped like `inputs`, and may be left out for one input of one element, where it is 1. The product is shaped
    like the outputs. Everything else as in `vjp`.

    >>> import autograd_core as ac
    >>> ac.autograd.functional.jvp(lambda x: x * x, ac.tensor([1.0, 2.0]), ac.tensor([1.0, 10.0]))
    (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    with enable_grad():
        inputs, one_input = _stand_ins(inputs, "jvp", create_graph)
        tangents = _vector(v, inputs, one_input, "jvp", "input to the user-provided function is")
        outputs, one_output = _outputs(func, inputs, "jvp", strict)
        products = _push(outputs, inputs, tangents, strict, create_graph, OUTPUT_INDEPENDENT, "jacobian")
    return _result(outputs, one_output, create_graph), _result(products, one_output, create_graph)


def jacobian(
    func,
    inputs,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
):
    """The Jacobian of `func` at `inputs`: J[i..., j...] = ∂y[i...] / ∂x[j...], of shape `y.shape + x.shape`.

    One tensor for one input and one output; a tuple with one Jacobian an input (an output) where `inputs` (the outputs)
    are a tuple; a tuple an output of tuples an input where both are. `create_graph` and `strict` as in `vjp`.
    `vectorize` promises the same result and here changes nothing: the rows are computed one by one.
    `strategy="forward-mode"` computes column after column, less work where inputs are fewer than outputs.

    Raises RuntimeError for `strict` with `vectorize` or forward mode, and NotImplementedError for forward mode without
    `vectorize` or with `create_graph`, as PyTorch does.

    >>> import autograd_core as ac
    >>> ac.autograd.functional.jacobian(lambda x: x * x.sum(), ac.tensor([1.0, 2.0]))
    tensor([[4., 1.],
            [2., 5.]])
    """
    _check_strategy("jacobian", strategy, strict, vectorize)
    if strategy == "forward-mode" and create_graph:
        raise NotImplementedError(
            'functional.jacobian: `create_graph=True` and `strategy="forward-mode"` are not supported together; '
            "use func.jacfwd, which can be differentiated"
        )
    with enable_grad():
        inputs, one_input = _stand_ins(inputs, "jacobian", create_graph)
        outputs, one_output = _outputs(func, inputs, "jacobian", strict)
        if strategy == "forward-mode":
            _, push = pushforward(outputs, inputs)
            jacobians = columns(lambda tangents: push(tangents, False), inputs, outputs)
        else:
            jacobians = [_jacobian_of(i, y, inputs, strict, create_graph) for i, y in enumerate(outputs)]
    rows = tuple(_result(row, one_input, create_graph) for row in jacobians)
    return rows[0] if one_output else rows


def hessian(
    func,
    inputs,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
):
    """The Hessian of `func`, which returns one number: H[i..., j...] = ∂²y / ∂x[i...]∂x[j...].

    One tensor of shape `x.shape + x.shape` for one input; for a tuple of inputs a tuple of tuples, block [a][b] of
    shape `inputs[a].shape + inputs[b].shape`. Arguments as in `jacobian`.

    Raises RuntimeError where `func` returns more than one element.

    >>> import autograd_core as ac
    >>> ac.autograd.functional.hessian(lambda x: x[0] * x[0] * x[1], ac.tensor([2.0, 3.0]))
    tensor([[6., 4.],
            [4., 0.]])
    """
    _check_strategy("hessian", outer_jacobian_strategy, strict, vectorize)
    one_input = isinstance(inputs, Tensor)

    def gradient(*values):
        found = _gradient_of(func, *_stand_ins(values, "hessian", True)[:1], "hessian", strict)[1]
        return found[0] if one_input else tuple(found)

    _as_tuple(inputs, "inputs", "hessian")
    return jacobian(gradient, inputs, create_graph, strict, vectorize, outer_jacobian_strategy)


def vhp(func, inputs, v=None, create_graph: bool = False, strict: bool = False) -> tuple:
    """`func(*inputs)`, which is one number, and the product vᵀH of a vector with its Hessian.

    `v` is shaped like `inputs`, and may be left out for one input of one element; so is the product. Everything else as
    in `vjp`. Where second derivatives are continuous H is symmetric: this is H v too, in one pass less than `hvp`.

    >>> import autograd_core as ac
    >>> ac.autograd.functional.vhp(lambda x: (x**3).sum(), ac.tensor([1.0, 2.0]), ac.tensor([1.0, 10.0]))
    (tensor(9.), tensor([  6., 120.]))
    """
    with enable_grad():
        inputs, one_input = _stand_ins(inputs, "vhp", create_graph)
        v = _vector(v, inputs, one_input, "vhp", "input to the user-provided function is")
        output, gradient = _gradient_of(func, inputs, "vhp", strict)
        found = gradients(gradient, inputs, v, create_graph=create_graph)
        products = _complete(found, inputs, strict, create_graph, JACOBIAN_INDEPENDENT, "hessian")
    return _result([output], True, create_graph), _result(products, one_input, create_graph)


def hvp(func, inputs, v=None, create_graph: bool = False, strict: bool = False) -> tuple:
    """`func(*inputs)`, which is one number, and the product H v of its Hessian with a vector: arguments as in `vhp`.

    >>> import autograd_core as ac
    >>> ac.autograd.functional.hvp(lambda x: (x**3).sum(), ac.tensor([1.0, 2.0]), ac.tensor([1.0, 10.0]))
    (tensor(9.), tensor([  6., 120.]))
    """
    with enable_grad():
        inputs, one_input = _stand_ins(inputs, "hvp", create_graph)
        v = _vector(v, inputs, one_input, "hvp", "input to the user-provided function is")
        output, gradient = _gradient_of(func, inputs, "hvp", strict)
        products = _push(gradient, inputs, v, strict, create_graph, JACOBIAN_INDEPENDENT, "hessian")
    return _result([output], True, create_graph), _result(products, one_input, create_graph)


# -- the passes, also used by `autograd_core.func`


def gradients(outputs, inputs, seeds, *, create_graph: bool, retain_graph: bool | None = None) -> list:
    """vᵀJ for the outputs that require gradients and their seeds; None for an input they do not depend on."""
    roots = [(y, v) for y, v in zip(outputs, seeds) if y.requires_grad]
    if not roots:
        return [None] * len(inputs)
    ys, vs = zip(*roots)
    return list(grad(ys, inputs, vs, retain_graph, create_graph, allow_unused=True))


def pushforward(outputs, inputs) -> tuple[list, Callable]:
    """The map v ↦ J v, by two reverse passes: also returns the first one, the linear map u ↦ uᵀJ at some u.

    The push maps tangents of the inputs (one each) and `create_graph` to a tangent for each output, or None.
    """
    seeds = [wrap(np.zeros_like(y._array), Leaf(None, y._array.shape, y._array.dtype)) for y in outputs]
    rows = gradients(outputs, inputs, seeds, create_graph=True)

    def push(tangents, create_graph: bool) -> list:
        pairs = [(row, v) for row, v in zip(rows, tangents) if row is not None]
        ys, vs = zip(*pairs) if pairs else ((), ())
        return gradients(ys, seeds, vs, create_graph=create_graph, retain_graph=True)

    return rows, push


def columns(push, inputs, outputs) -> list[list[Tensor]]:
    """The Jacobians of each output for each input, column by column; `push` maps tangents to those of the outputs."""
    blocks: list[list] = [[] for _ in outputs]
    for k, x in enumerate(inputs):
        still = [zeros_like(other) for other in inputs]
        pushed = [push([*still[:k], unit, *still[k + 1 :]]) for unit in unit_vectors(x)]
        for i, (block, y) in enumerate(zip(blocks, outputs)):
            column = [zeros_like(y) if tangents[i] is None else tangents[i] for tangents in pushed]
            block.append(stacked(column, -1, (*y.shape, *x.shape), y))
    return blocks


def unit_vectors(like: Tensor) -> Iterator[Tensor]:
    """The tensors of the shape and dtype of `like` with a single 1, in row-major order."""
    for k in range(like.numel()):
        unit = np.zeros(like._array.shape, like._array.dtype)
        unit.reshape(-1)[k] = 1
        yield wrap(unit)


def zeros_like(tensor: Tensor) -> Tensor:
    """Zeros without history, of the shape and dtype of `tensor`."""
    return wrap(np.zeros(tensor._array.shape, tensor._array.dtype))


def stacked(parts: list, dim: int, shape: tuple, like: Tensor) -> Tensor:
    """A Jacobian of the given shape from its rows (`dim` 0) or columns (-1); zeros where there are none."""
    if not parts:
        return wrap(np.zeros(shape, like._array.dtype))
    return stack(parts, dim=dim).reshape(shape)


# -- the steps


def _stand_ins(inputs, name: str, create_graph: bool) -> tuple[list, bool]:
    """Other tensors of the same values, tied to the inputs' histories only for `create_graph`; was there just one?"""
    inputs, single = _as_tuple(inputs, "inputs", name)
    if not inputs:
        raise RuntimeError(f"the inputs given to {name} are empty: there is nothing to differentiate with respect to")
    return [x.view_as(x) if create_graph and x.requires_grad else x.detach().requires_grad_() for x in inputs], single


def _outputs(func, inputs, name: str, strict: bool) -> tuple[tuple, bool]:
    outputs, single = _as_tuple(func(*inputs), "outputs of the user-provided function", name)
    if strict:
        for i, y in enumerate(outputs):
            if not y.requires_grad:
                raise RuntimeError(NO_GRADIENT.format(i))
    return outputs, single


def _gradient_of(func, inputs, name: str, strict: bool) -> tuple[Tensor, list]:
    """The one number that `func` returns and its gradient, recorded."""
    outputs, single = _outputs(func, inputs, name, strict)
    if not single:
        raise RuntimeError(f"The function given to {name} should return a single Tensor, not a tuple")
    (output,) = outputs
    if output.numel() != 1:
        raise RuntimeError(
            f"The Tensor returned by the function given to {name} should contain a single element, but has shape "
            f"{list(output.shape)}; reduce it with sum() or mean() first"
        )
    found = gradients(outputs, inputs, [None], create_graph=True)
    gradient = _complete(found, inputs, strict and name != "hessian", False, OUTPUT_INDEPENDENT, "")
    for i, g in enumerate(gradient):
        if strict and not g.requires_grad:
            raise RuntimeError(LINEAR.format(i))
    return output, gradient


def _push(outputs, inputs, tangents, strict: bool, create_graph: bool, independent: str, order: str) -> list:
    """J v for each output, complete with zeros, or refused in strict mode."""
    rows, push = pushforward(outputs, inputs)
    _complete(rows, inputs, strict, False, independent, order)
    lost = f"Entry {{}} of the product with the {order} does not depend on v. This is not allowed in strict mode."
    return _complete(push(tangents, create_graph), outputs, strict, create_graph, lost, order)


def _jacobian_of(i: int, output: Tensor, inputs, strict: bool, create_graph: bool) -> list:
    """The Jacobian of output number `i` for each input."""
    rows = []
    independent = OUTPUT_INDEPENDENT.replace("The output", f"Output {i}")
    for unit in unit_vectors(output):
        found = gradients([output], inputs, [unit], create_graph=create_graph, retain_graph=True)
        rows.append(_complete(found, inputs, strict, create_graph, independent, "jacobian"))
    return [stacked([row[k] for row in rows], 0, (*output.shape, *x.shape), x) for k, x in enumerate(inputs)]


def _complete(found: list, like, strict: bool, create_graph: bool, independent: str, order: str) -> list:
    """What was found, and zeros elsewhere. Strict mode raises for what is missing, or constant where a graph is wanted.

    `independent` is the message for what is missing; `order` names what is constant.
    """
    for i, g in enumerate(found):
        if strict and g is None:
            raise RuntimeError(independent.format(i))
        if strict and create_graph and not g.requires_grad:
            raise RuntimeError(CONSTANT.format(order, i))
    return [zeros_like(x) if g is None else g for g, x in zip(found, like)]


def _result(values, single: bool, create_graph: bool):
    """A tensor or a tuple of them, without history unless it is wanted."""
    values = tuple(values) if create_graph else tuple(value.detach() for value in values)
    return values[0] if single else values


# -- what users pass


def _as_tuple(values, what: str, name: str) -> tuple[tuple, bool]:
    """A tuple of tensors, and whether there was just one tensor. Raises TypeError."""
    single = not isinstance(values, tuple)
    found = (values,) if single else values
    for i, value in enumerate(found):
        if not isinstance(value, Tensor):
            which = f"the given {what}" if single else f"the value at index {i}"
            raise TypeError(
                f"The {what} given to {name} must be either a Tensor or a tuple of Tensors but {which} has type "
                f"{type(value)}."
            )
    return found, single


def _vector(v, like, single: bool, name: str, whose: str) -> tuple:
    """The vector of a product, checked against the tensors it is shaped like."""
    if v is None:
        if not single or like[0].numel() != 1:
            raise RuntimeError(f"The vector v can only be None if the {whose} a single Tensor with a single element.")
        return (wrap(np.ones(like[0]._array.shape, like[0]._array.dtype)),)
    v, _ = _as_tuple(v, "v", name)
    if len(v) != len(like):
        raise RuntimeError(
            f"The given v should contain a single Tensor, but has {len(v)}."
            if single
            else f"v is a tuple of invalid length: should be {len(like)} but got {len(v)}."
        )
    for i, (entry, x) in enumerate(zip(v, like)):
        if entry.shape != x.shape:
            prefix = "" if single else f"Entry {i} in "
            raise RuntimeError(
                f"{prefix}v has invalid size: should be torch.Size({list(x.shape)}) but got "
                f"torch.Size({list(entry.shape)})."
            )
    return v


def _check_strategy(name: str, strategy: str, strict: bool, vectorize: bool) -> None:
    if strategy == "forward-mode" and strict:
        raise RuntimeError(
            f'autograd.functional.{name}: `strict=True` and `strategy="forward-mode"` are not supported together'
        )
    if strategy == "forward-mode" and not vectorize:
        raise NotImplementedError(
            f'functional.{name}: `strategy="forward-mode"` is offered with `vectorize=True` only, as in PyTorch'
        )
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(f'Expected strategy to be either "forward-mode" or "reverse-mode", not {strategy!r}')
    if strict and vectorize:
        raise RuntimeError(
            f"autograd.functional.{name}: `strict=True` and `vectorize=True` are not supported together; leave one out"
        )
