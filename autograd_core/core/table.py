"""The table of ops: a row is a call of `elementwise`, `linear`, `general` or `nondiff`, and becomes a function."""

from __future__ import annotations

from typing import Any

from .call import ForeignOperand, apply, general_function
from .primitive import PUBLIC_NAMES, Primitive, public_signature, registry, signature
from .source import is_written, written


def define(name: str, forward, inputs: str, kind: str, *rules, doc: str = "", example: str = "", **options) -> Any:
    """Make an op of the kind "elementwise", "linear", "general" or "nondiff" and return its public function.

    The function takes tensors (or arrays, then it returns arrays); a table row is one call of this.
    CONTRIBUTING.md walks through one.

    >>> import numpy as np, autograd_core as ac
    >>> from autograd_core.core.table import define
    >>> double = define("double", lambda x: 2 * x, "x", "linear", lambda g: 2 * g)
    >>> x = ac.tensor([1.0, 3.0], requires_grad=True)
    >>> double(x).sum().backward(); x.grad
    tensor([2., 2.])
    """
    primitive = Primitive(name, forward, inputs, kind, rules, **options)
    primitive.summary, primitive.example = doc, example
    op = _named(written(primitive) if is_written(primitive) else general_function(primitive), primitive)
    op.primitive, primitive.function, op.explain = primitive, op, primitive.explain
    registry[name] = primitive
    return op


def _named(function: Any, primitive: Primitive, signature=public_signature) -> Any:
    """A function as users meet it: with the name, a signature and the documentation of its row."""
    function.__name__ = function.__qualname__ = primitive.name
    function.__module__, function.__signature__ = "autograd_core", signature(primitive)
    function.__doc__ = docstring(primitive)
    return function


def elementwise(name, forward, inputs, *rules, promote="common", **options) -> Any:
    """An op that maps elements to elements; inputs broadcast. Its JVP is the sum of its rules."""
    return define(name, forward, inputs, "elementwise", *rules, promote=promote, **options)


def linear(name, forward, inputs, *rules, **options) -> Any:
    """An op that is linear in its inputs together. Its JVP is the op itself on the tangents."""
    return define(name, forward, inputs, "linear", *rules, **options)


def general(name, forward, inputs, *rules, **options) -> Any:
    """Any other differentiable op."""
    return define(name, forward, inputs, "general", *rules, **options)


def nondiff(name, forward, inputs, **options) -> Any:
    """An op whose result never requires gradients: comparisons, rounding to indices, tests."""
    return define(name, forward, inputs, "nondiff", **options)


_DTYPE_SENTENCES = {
    "common": "Inputs of unequal dtype are promoted as PyTorch does.",
    "float": "Integers become the default floating dtype.",
    "number": "Bools become int64.",
    "whole": "Inputs of unequal dtype are promoted as PyTorch does.",
    "signed": "Inputs of unequal dtype are promoted as PyTorch does; RuntimeError for bools.",
    None: "",
}
_SHAPE_SENTENCES = {
    "elementwise": "Any shapes that broadcast together; a result of the broadcast shape.",
    "nondiff": "The result does not require gradients.",
}


def docstring(primitive: Primitive) -> str:
    """Documentation of an op made from its table row.

    The summary, what shapes and dtypes do, what is saved, and an example.
    """
    parts = [primitive.summary or f"The op {primitive.name}."]
    shapes = _SHAPE_SENTENCES.get(primitive.kind, "")
    if primitive.kind == "elementwise" and len(primitive.inputs) == 1:
        shapes = "Any shape; the result has the same."
    facts = [shapes, _DTYPE_SENTENCES[primitive.promote]]
    if primitive.kind != "nondiff":
        values = primitive.value_names(len(primitive.inputs))
        saved = [values[j] for j in sorted(primitive.plan((1 << len(primitive.inputs)) - 1).saves)]
        names = ", ".join(PUBLIC_NAMES.get(n, n) for n in saved)
        facts.append(f"Saves for backward: {names or 'nothing'}.")
    parts.append(" ".join(fact for fact in facts if fact))
    if primitive.example:
        call, _, result = primitive.example.partition(" -> ")
        parts.append("\n".join([">>> import autograd_core as ac", f">>> {call}", *([result] if result else [])]))
    return "\n\n".join(part for part in parts if part)


def as_operator(op):
    """A two-operand op as an operator method.

    An operand it does not know is answered with NotImplemented, so that its own class may try.
    """

    def attempt(primitive, args, params):
        try:
            return apply(primitive, args, params)
        except ForeignOperand:
            return NotImplemented

    return _named(written(op.primitive, attempt), op.primitive, signature)
