"""`backward` and `grad`: the two ways to run a reverse pass.

Both compute vector-Jacobian products from outputs and seeds. `backward` adds the results to `.grad` of the
leaves; `grad` returns those that were asked for and stores nothing.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..core import engine
from ..core.dtypes import OF_NUMPY
from ..core.graph import Leaf
from ..core.modes import current_mode, tell
from ..core.tensor import Size, Tensor, edge_of, wrap
from .graph import GradientEdge

CYCLE = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter and its "
    "gradient, which can cause a memory leak. Use autograd.grad, or reset the .grad fields to None after use."
)


def backward(
    tensors, grad_tensors=None, retain_graph=None, create_graph: bool = False, grad_variables=None, inputs=None
) -> None:
    """Add to `.grad` of every leaf the gradient of `tensors`, weighted by `grad_tensors` (vᵀJ).

    `tensors` and `grad_tensors` are a tensor (or a gradient edge) or a sequence; a seed has its output's shape and may
    be left out (None) for an output of one element, where it is 1. `inputs` limits what is stored, and may name
    non-leaves. `retain_graph` (default: `create_graph`) keeps the saved values for another pass;
    `create_graph` records the pass itself.

    Raises RuntimeError where an output does not require gradients, a seed is missing or misshapen, or a saved value was
    overwritten; the graph and every `.grad` are then as before. A saved value that an earlier pass released raises when
    the pass comes to it, as in PyTorch: what it has already reached has its gradient by then.

    >>> import autograd_core as ac
    >>> w = ac.tensor(2.0, requires_grad=True)
    >>> ac.autograd.backward(3 * w * w); w.grad
    tensor(12.)
    """
    if grad_variables is not None:
        warnings.warn("`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning, stacklevel=2)
        if grad_tensors is not None:
            raise RuntimeError("backward() got `grad_tensors` and `grad_variables`, its old name. Give only the first")
        grad_tensors = grad_variables
    if inputs is not None:
        inputs = _sequence(_values(inputs))
        if not inputs:
            raise RuntimeError("'inputs' argument to backward cannot be empty; leave it out to reach every leaf")
    if current_mode().observers:
        tell("backward", (tensors, grad_tensors), inputs)
    roots = checked_roots(tensors, grad_tensors)
    targets = None
    if inputs is not None:
        targets = {_target_edge(t, i): t if isinstance(t, Tensor) else None for i, t in enumerate(inputs)}
    if create_graph:
        warnings.warn(CYCLE, UserWarning, stacklevel=2)
    engine.backward(
        roots, targets, retain_graph=create_graph if retain_graph is None else retain_graph, create_graph=create_graph
    )
    if current_mode().observers:
        tell("ended", tensors)


def grad(
    outputs,
    inputs,
    grad_outputs=None,
    retain_graph=None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> Any:
    """The gradients of `outputs` with respect to `inputs`, weighted by `grad_outputs` (vᵀJ), as a tuple.

    For a dict of inputs it is a dict with the same keys. `.grad` is not touched.

    Arguments are tensors (or gradient edges) or sequences of them. An input that the outputs do not depend on is an
    error; with `allow_unused` it gives None, with `materialize_grads` zeros. Other arguments and errors as in
    `backward`. `only_inputs` is always true: False warns. `is_grads_batched` raises NotImplementedError: there is no
    vmap; call `grad` for each seed.

    >>> import autograd_core as ac
    >>> w = ac.tensor(2.0, requires_grad=True)
    >>> ac.autograd.grad(w * w, w), w.grad
    ((tensor(4.),), None)
    """
    if not only_inputs:
        warnings.warn(
            "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for "
            "other parts of the graph, please use backward().",
            FutureWarning,
            stacklevel=2,
        )
    if is_grads_batched:
        raise NotImplementedError("grad(is_grads_batched=True) needs vmap, which autograd_core does not have")
    if allow_unused is False and materialize_grads:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    if type(inputs) is dict:
        gs = grad(
            outputs,
            list(inputs.values()),
            grad_outputs,
            retain_graph,
            create_graph,
            allow_unused=allow_unused,
            materialize_grads=materialize_grads,
        )
        return dict(zip(inputs, gs))
    inputs = _sequence(_values(inputs))
    if not inputs:
        raise RuntimeError("'inputs' argument to grad() cannot be empty; name the tensors whose gradients are wanted")
    if current_mode().observers:
        tell("grad", (outputs, grad_outputs), inputs)
    roots = checked_roots(outputs, grad_outputs)
    targets = [_target_edge(t, i) for i, t in enumerate(inputs)]
    found = engine.gradients(
        roots, targets, retain_graph=create_graph if retain_graph is None else retain_graph, create_graph=create_graph
    )
    if current_mode().observers:
        tell("ended", outputs)
    results = []
    for i, (x, edge) in enumerate(zip(inputs, targets)):
        g = found.get(edge)
        if g is None and materialize_grads:
            zeros = np.zeros_like(x._array) if isinstance(x, Tensor) else np.zeros(edge.shape, edge.dtype)
            g = wrap(zeros).requires_grad_(create_graph)
        elif g is None and not allow_unused:
            raise RuntimeError(
                f"One of the differentiated Tensors appears to not have been used in the graph (inputs[{i}], "
                f"of shape {list(edge.shape)}). Set allow_unused=True if this is the desired behavior."
            )
        results.append(g)
    return tuple(results)


def _values(inputs):
    """The tensors of a dict, such as that of the named parameters of a model. TypeError for another mapping."""
    if isinstance(inputs, Mapping) and type(inputs) is not dict:
        raise TypeError(f"`inputs` argument must be a dict, not {type(inputs).__name__}; pass its values")
    return inputs.values() if type(inputs) is dict else inputs


def _sequence(value) -> list:
    return list(value) if isinstance(value, Iterable) and not isinstance(value, (Tensor, GradientEdge)) else [value]


def _target_edge(tensor: Tensor | GradientEdge, i: int):
    if isinstance(tensor, GradientEdge):
        return tensor.edge
    if not isinstance(tensor, Tensor):
        raise RuntimeError(f"all inputs have to be Tensors, but inputs[{i}] is {type(tensor).__name__}")
    edge = edge_of(tensor)
    if edge is None:
        raise RuntimeError(
            f"One of the differentiated Tensors does not require grad (inputs[{i}], of shape {list(tensor.shape)}). "
            "Create it with requires_grad=True."
        )
    return Leaf(None, edge.shape, edge.dtype) if _ends_here(tensor, edge) else edge  # one that nothing reaches


def checked_roots(outputs, seeds) -> list[tuple]:
    """Pairs (edge, seed) for the engine, where a missing seed is the number 1. Raises as `backward` does."""
    if isinstance(outputs, Tensor) and (seeds is None or isinstance(seeds, Tensor)):
        return [_root(0, outputs, seeds)]
    outputs = _sequence(outputs)
    seeds = [None] * len(outputs) if seeds is None else _sequence(seeds)
    if len(seeds) != len(outputs):
        raise RuntimeError(
            f"got {len(outputs)} tensors and {len(seeds)} gradients; give one gradient (or None) for each tensor"
        )
    return [_root(i, output, seed) for i, (output, seed) in enumerate(zip(outputs, seeds))]


def _ends_here(tensor: Tensor, edge) -> bool:
    """Whether this is a view made under `no_grad()` of a tracked tensor: no pass can start or arrive at it."""
    return type(edge) is Leaf and edge.tensor is None and tensor._is_view()


def _root(i: int, output: Tensor | GradientEdge, seed: Tensor | None) -> tuple:
    if isinstance(output, GradientEdge):
        edge = output.edge
    elif isinstance(output, Tensor):
        edge = edge_of(output)
        edge = None if _ends_here(output, edge) else edge
    else:
        raise TypeError(f"expected every output to be a Tensor, but element {i} is {type(output).__name__}")
    if edge is None:
        raise RuntimeError(
            f"element {i} of tensors does not require grad and does not have a grad_fn: nothing it was "
            "computed from requires gradients, or it was computed under no_grad() or from a detach()."
        )
    if seed is None:
        if math.prod(edge.shape) != 1:
            raise RuntimeError(
                f"grad can be implicitly created only for scalar outputs, not for shape {list(edge.shape)}; "
                "pass gradient=v, the weights of the outputs, or reduce with sum() or mean() first"
            )
        return edge, 1
    if not isinstance(seed, Tensor):
        raise TypeError(f"gradients can be either Tensors or None, but got {type(seed).__name__}")
    if seed._array.shape != edge.shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[{i}] has a shape of {seed.shape} and output[{i}] has a shape of "
            f"{Size(edge.shape)}."
        )
    return edge, seed if seed._array.dtype == edge.dtype else seed.to(OF_NUMPY[edge.dtype])


def tensor_backward(self: Tensor, gradient=None, retain_graph=None, create_graph: bool = False, inputs=None) -> None:
    """Add to `.grad` of every leaf the gradient of this tensor, seeded with `gradient`: see `autograd.backward`."""
    backward(self, gradient, retain_graph, create_graph, inputs=inputs)
