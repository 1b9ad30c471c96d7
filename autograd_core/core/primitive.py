"""What an op is: a forward computation on arrays, and one rule for each input that says what its gradient is.

    mul = elementwise("mul", np.multiply, "x y", lambda g, y: g * y, lambda g, x: g * x)

**A rule saves what it names.** Its parameters are

* `g`, the incoming cotangent (`g_<output>` for an op with several outputs, None if nothing arrived there);
* the name of an input, of an output, or of a residual (an extra array the forward returns for the rules):
  that value is saved;
* `<input>_shape` and `<input>_dtype`, and the op's parameters: these cost nothing;
* `position`, for a rule of a `*inputs` op, which is called once an input.

The names are read once, when the op is defined; an unknown one is an error. An array that a rule needs is an
input or a residual, never a parameter, so that it has a version and is released with the graph.

**One rule text, two interpretations.** An op called on arrays returns arrays; called on tensors, tensors. A
first-order backward runs the rules on arrays. With `create_graph` the same text runs on tensors, and is
recorded.

**A rule does not think about broadcasting or dtype.** The reverse pass brings each gradient to its input's
shape and dtype.
"""

from __future__ import annotations

import inspect
from collections import namedtuple
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from .calling import PUBLIC_NAMES, binary_function, general_function, one_input_function, unary_function
from .graph import Node
from .recording import COMMON_SAVES

registry: dict[str, Primitive] = {}


class Plan:
    """What one set of wanted gradients needs: the values to save, the shapes to note, and the rules to run.

    Values are numbered inputs first, then outputs, then residuals. `rules` holds (edge number, rule, pick):
    `pick` is the position of the one saved value that the rule takes after g, ONLY_G if it takes none,
    FIRST_TWO_SAVED if it takes these, or LOOK_UP if `arguments` says what it takes.
    """

    __slots__ = ("arguments", "extras", "rules", "saved_names", "saves")

    def __init__(self, primitive: Primitive, wanted: Sequence[int], n_inputs: int):
        names = primitive.value_names(n_inputs)
        rules = {i: rule for i in wanted if (rule := primitive.rules[min(i, len(primitive.inputs) - 1)]) is not None}
        asked = {name for rule in rules.values() for name in primitive.rule_names[rule]}
        saves = tuple(j for j, name in enumerate(names) if name in asked)
        self.saves = COMMON_SAVES.get(saves, saves)
        self.saved_names = tuple(names[j] for j in self.saves)
        self.extras: dict = {}
        self.rules, self.arguments = [], {}
        for i, rule in rules.items():
            arguments = [self._argument(name, primitive, names, i) for name in primitive.rule_names[rule]]
            kinds = [kind for kind, _ in arguments]
            pick = LOOK_UP
            if arguments[:1] == [("g", 0)] and kinds[1:] in ([], ["saved"]):
                pick = arguments[1][1] if kinds[1:] else ONLY_G
            elif arguments == [("g", 0), ("saved", 0), ("saved", 1)]:
                pick = FIRST_TWO_SAVED
            self.rules.append((i, rule, pick))
            self.arguments[i] = arguments

    def _argument(self, name: str, primitive: Primitive, names: list[str], i: int) -> tuple:
        if name == "g" or name.startswith("g_"):
            return "g", primitive.outputs.index(name[2:]) if name != "g" else 0
        if name == "gs":
            return "gs", None
        if name == "position":
            return "constant", i - len(primitive.inputs) + 1
        if primitive.star and name == primitive.inputs[-1]:
            return "group", [self.saves.index(j) for j, n in enumerate(names) if n == name]
        if name in names:
            return "saved", self.saves.index(names.index(name))
        if name in primitive.params:
            return "param", (name, primitive.params[name])
        owner, what = name.rsplit("_", 1)
        if owner == names[i] and not (primitive.star and owner == primitive.inputs[-1]):
            return "own", what  # the edge knows the shape and dtype of the value it belongs to
        self.extras[name] = (what, primitive.inputs.index(owner), primitive.star and owner == primitive.inputs[-1])
        return "extra", name


def op(name: str):
    """The public function of a row, for what stands below the table."""
    return registry[name].function


ONLY_G, LOOK_UP, FIRST_TWO_SAVED = -1, -2, -3
KINDS = ("elementwise", "linear", "general", "nondiff")


class Primitive:
    """An op: its forward, its rules, and the plans made of them.

    `define` makes one together with its public function.

    `inputs` are the names of its array inputs (the last is a group if `star`), `params` the other parameters
    with their defaults. `promote` says how inputs of unequal type meet: None (the forward decides), "common",
    "float" (common, and integers float) or "signed" (common, and bools are refused). `kinks` says which derivative a
    function of one number takes where it has none: point -> subgradient.
    """

    function: Any
    summary: str
    example: str

    def __init__(
        self,
        name,
        forward,
        inputs,
        kind,
        rules,
        *,
        outputs="out",
        residuals="",
        promote=None,
        view=False,
        node_name=None,
        kinks=None,
    ):
        if kind not in KINDS:
            raise ValueError(f"{name}: an op is {', '.join(KINDS[:-1])} or {KINDS[-1]}, not {kind!r}")
        self.name, self.forward, self.kind = name, forward, kind
        self.star = "*" in inputs
        self.inputs = tuple(inputs.replace("*", "").split())
        self.many = outputs.startswith("*")
        self.outputs = tuple(outputs.replace("*", "").split())
        self.residuals = tuple(residuals.split())
        self.promote, self.view, self.kinks = promote, view, kinks or {}
        self.params = self._read_params(forward)
        title = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
        self.node_name = node_name or title + "Backward0"
        self.rules = tuple(rules) or (None,) * len(self.inputs)
        self.rule_names = {rule: tuple(inspect.signature(rule).parameters) for rule in rules if rule is not None}
        self._check_rules()
        self.plans: dict = {}
        self.result_type = namedtuple(name, self.outputs) if len(self.outputs) > 1 else None

    @cached_property
    def node_class(self) -> type[Node]:
        """The class that the nodes of this op show: see `graph.shown`."""
        return type(self.node_name, (Node,), {"__slots__": ()})

    def _read_params(self, forward) -> dict:
        self.optional: set[str] = set()
        self.required: set[str] = set()  # parameters without a default
        if isinstance(forward, np.ufunc):
            return {}
        parameters = list(inspect.signature(forward).parameters.values())
        self.optional = {self.inputs[i] for i, p in enumerate(parameters[: len(self.inputs)]) if p.default is None}
        own = parameters[len(self.inputs) :]
        self.required = {p.name for p in own if p.default is p.empty}
        return {p.name: p.default for p in own}

    def _check_rules(self) -> None:
        if len(self.rules) != len(self.inputs):
            raise TypeError(
                f"{self.name} has {len(self.inputs)} inputs but {len(self.rules)} rules; give None where no "
                "gradient flows"
            )
        values = {*self.inputs, *self.outputs, *self.residuals}
        if reserved := {name for name in values if name in ("g", "gs", "position") or name.startswith("g_")}:
            raise TypeError(
                f"{self.name}: {sorted(reserved)} stand for cotangents and positions; name the values otherwise"
            )
        known = values | set(self.params) | {f"{i}_{what}" for i in self.inputs for what in ("shape", "dtype")}
        known |= {"g", "gs", "position"} | {f"g_{o}" for o in self.outputs}
        for names in self.rule_names.values():
            if unknown := set(names) - known:
                raise TypeError(f"a rule of {self.name} names {sorted(unknown)}; it may name {sorted(known)}")

    def value_names(self, n_inputs: int) -> list[str]:
        """Names of all values in their numbering; the group of a star op repeats its name."""
        inputs = list(self.inputs)
        if self.star:
            inputs = inputs[:-1] + [inputs[-1]] * (n_inputs - len(inputs) + 1)
        return [*inputs, *self.outputs, *self.residuals]

    def plan(self, mask: int, n_inputs: int | None = None) -> Plan:
        """The plan for the inputs whose bits are set in `mask`."""
        n = len(self.inputs) if n_inputs is None else n_inputs
        plan = self.plans.get((mask, n))
        if plan is None:
            plan = self.plans[mask, n] = Plan(self, [i for i in range(n) if mask >> i & 1], n)
        return plan

    def explain(self) -> str:
        """What this op saves for each of its gradients."""
        lines = [f"{self.name}: {self.kind}"]
        for i, name in enumerate(self.inputs if self.kind != "nondiff" else ()):
            plan = self.plan(1 << i)
            wants = ", ".join(self.rule_names.get(self.rules[i], ()))
            lines.append(f"  gradient for {name}: rule({wants}), saves {', '.join(plan.saved_names) or 'nothing'}")
        return "\n".join(lines)


# -- defining an op


def define(name: str, forward, inputs: str, kind: str, *rules, doc: str = "", example: str = "", **options) -> Any:
    """Make an op of the kind "elementwise", "linear", "general" or "nondiff" and return its public function.

    The function takes tensors (or arrays, then it returns arrays); a table row is one call of this.
    CONTRIBUTING.md walks through one.

    >>> import numpy as np, autograd_core as ac
    >>> from autograd_core.core.primitive import define
    >>> double = define("double", lambda x: 2 * x, "x", "linear", lambda g: 2 * g)
    >>> x = ac.tensor([1.0, 3.0], requires_grad=True)
    >>> double(x).sum().backward(); x.grad
    tensor([2., 2.])
    """
    primitive = Primitive(name, forward, inputs, kind, rules, **options)
    takes_params = (
        bool(primitive.params) or primitive.star or len(primitive.outputs) > 1 or primitive.residuals or primitive.view
    )
    n = len(primitive.inputs)
    if kind == "elementwise" and not takes_params and None not in rules and n <= 2:
        make = unary_function if n == 1 else binary_function
    elif n == 1 and not (
        primitive.star or primitive.promote or primitive.residuals or len(primitive.outputs) > 1 or primitive.many
    ):
        make = one_input_function
    else:
        make = general_function
    op = make(primitive)
    op.__name__ = op.__qualname__ = name
    op.__module__ = "autograd_core"
    op.primitive, primitive.function, op.explain = primitive, op, primitive.explain
    op.__signature__ = signature(primitive)
    primitive.summary, primitive.example = doc, example
    op.__doc__ = docstring(primitive)
    registry[name] = primitive
    return op


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


def signature(primitive: Primitive) -> inspect.Signature:
    """The public parameters: inputs under PyTorch's names, then the forward's own."""
    kinds = inspect.Parameter
    shown = [
        kinds(
            PUBLIC_NAMES.get(name, name),
            kinds.POSITIONAL_OR_KEYWORD,
            default=None if name in primitive.optional else kinds.empty,
        )
        for name in primitive.inputs
    ]
    if not isinstance(primitive.forward, np.ufunc):
        shown += list(inspect.signature(primitive.forward).parameters.values())[len(primitive.inputs) :]
    return inspect.Signature(shown)


_DTYPE_SENTENCES = {
    "common": "Inputs of unequal dtype are promoted as PyTorch does.",
    "float": "Integers become the default floating dtype.",
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
