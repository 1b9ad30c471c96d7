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

import functools
import inspect
from collections import namedtuple
from collections.abc import Callable, Sequence
from copy import copy
from functools import cached_property
from typing import Any

import numpy as np

from .dtypes import HALF, SINGLE
from .graph import Node, ShownNode
from .silence import is_nameless, nameless

PUBLIC_NAMES = {"x": "input", "y": "other", "xs": "tensors"}  # rules speak of x and y; signatures use PyTorch's names
# The ops that once took numbers before an operand, and still do: with a warning.
NUMBERS_FIRST = {
    **dict.fromkeys(("addcdiv", "addcmul"), ("value",)),
    **dict.fromkeys(("addbmm", "addmm", "addmv", "addr", "baddbmm"), ("beta", "alpha")),
}

registry: dict[str, Primitive] = {}


@nameless
def widened(value):
    """A value, or those of a list, in single precision where it is in half: an array or a tensor."""
    if isinstance(value, list):
        return [widened(v) for v in value]
    if getattr(value, "_array", value) is value:
        return value.astype(SINGLE) if getattr(value, "dtype", None) == HALF else value
    return value.to(SINGLE) if value._array.dtype == HALF else value


@nameless
def narrowed(value):
    """A value, or those of a tuple, in half precision where it is in single: an array or a tensor."""
    if isinstance(value, tuple):
        return tuple(map(narrowed, value))
    if getattr(value, "_array", value) is value:
        return value.astype(HALF) if getattr(value, "dtype", None) == SINGLE else value
    return value.to(HALF) if value._array.dtype == SINGLE else value


def in_single(function: Callable) -> Callable:
    """A function, such as a rule, that is given half precision as single. It may return single."""

    @functools.wraps(function)
    def wide(*args, **params):
        return function(*[widened(value) for value in args], **params)

    return wide


class Plan:
    """What one set of wanted gradients needs: the values to save, the shapes to note, and the rules to run.

    Values are numbered inputs first, then outputs, then residuals. `rules` holds (edge number, rule, pick):
    `pick` is the position of the one saved value that the rule takes after g, ONLY_G if it takes none,
    FIRST_TWO_SAVED if it takes these, or LOOK_UP if `arguments` says what it takes.
    """

    __slots__ = ("_wide", "arguments", "extras", "rules", "saved_names", "saves")

    def __init__(self, primitive: Primitive, wanted: Sequence[int], n_inputs: int):
        names = primitive.value_names(n_inputs)
        rules = {i: rule for i in wanted if (rule := primitive.rules[min(i, len(primitive.inputs) - 1)]) is not None}
        asked = {name for rule in rules.values() for name in primitive.rule_names[rule]}
        self.saves = tuple(j for j, name in enumerate(names) if name in asked)
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
        self._wide: Plan | None = None

    @property
    def wide(self) -> Plan:
        """This plan with rules that compute half precision in single; the reverse pass rounds what they return."""
        if self._wide is None:
            self._wide = copy(self)
            self._wide._wide = self._wide
            self._wide.rules = [(i, in_single(rule), pick) for i, rule, pick in self.rules]
        return self._wide

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


class Plans(dict):
    """The plans of an op, made when first asked for: mask of the wanted inputs -> plan; (mask, inputs) of a star op."""

    def __init__(self, primitive: Primitive):
        self.primitive = primitive

    def __missing__(self, key) -> Plan:
        mask, n = key if type(key) is tuple else (key, len(self.primitive.inputs))
        plan = self[key] = Plan(self.primitive, [i for i in range(n) if mask >> i & 1], n)
        return plan


def function_of(name: str):
    """The function of a row, for what stands below the table."""
    return registry[name].function


ONLY_G, LOOK_UP, FIRST_TWO_SAVED = -1, -2, -3
KINDS = ("elementwise", "linear", "general", "nondiff")


class Primitive:
    """An op: its forward, its rules, and the plans made of them.

    `define` makes one together with its public function.

    `inputs` are the names of its array inputs (the last is a group if `star`), `params` the other parameters
    with their defaults. `promote` says how inputs of unequal type meet: None (the forward decides), "common",
    "float" (common, and integers float), "number" (common, and bools count), "signed" (common, and bools are
    refused) or "whole" (common, and a Python integer comes as it is, even where the type does not hold it). `kinks`
    says which derivative a function of one number takes where it has none: point -> subgradient.

    Half precision is computed in single, numbers included, and rounded once: that of a row that promotes, unless it is
    `in_type`, made of the numbers that its type has, and that of all rules.
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
        in_type=False,
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
        self.widens = promote is not None and not in_type
        self.takes_out = not view
        # Whether NumPy warns of nothing in the forward, called from code without a name: see `silence`.
        self.is_silent = isinstance(forward, np.ufunc) or view or is_nameless(forward)
        self.params = self._read_params(forward)
        title = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
        self.node_name = node_name or title + "Backward0"
        self.rules = tuple(rules) or (None,) * len(self.inputs)
        self.rule_names = {rule: tuple(inspect.signature(rule).parameters) for rule in rules if rule is not None}
        self._check_rules()
        self.plans = Plans(self)
        self.result_type = namedtuple(name, self.outputs) if len(self.outputs) > 1 else None

    @cached_property
    def node_class(self) -> type[Node]:
        """The class that the nodes of this op show: see `graph.shown`."""
        return type(self.node_name, (ShownNode,), {"__slots__": ()})

    def _read_params(self, forward) -> dict:
        self.optional: set[str] = set()
        self.required: set[str] = set()  # parameters without a default
        self.keyword_only: set[str] = set()
        if isinstance(forward, np.ufunc):
            return {}
        parameters = list(inspect.signature(forward).parameters.values())
        self.optional = {self.inputs[i] for i, p in enumerate(parameters[: len(self.inputs)]) if p.default is None}
        own = parameters[len(self.inputs) :]
        self.required = {p.name for p in own if p.default is p.empty}
        self.keyword_only = {p.name for p in own if p.kind is p.KEYWORD_ONLY}
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
        if twice := values & set(self.params):
            raise TypeError(f"{self.name}: {sorted(twice)} are values and parameters; rename one of each")
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
        return self.plans[(mask, n) if self.star else mask]

    def explain(self) -> str:
        """What this op saves for each of its gradients."""
        lines = [f"{self.name}: {self.kind}"]
        for i, name in enumerate(self.inputs if self.kind != "nondiff" else ()):
            plan = self.plan(1 << i)
            wants = ", ".join(self.rule_names.get(self.rules[i], ()))
            lines.append(f"  gradient for {name}: rule({wants}), saves {', '.join(plan.saved_names) or 'nothing'}")
        return "\n".join(lines)


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


def public_signature(primitive: Primitive) -> inspect.Signature:
    """The same for the function of an op, which takes `out` too."""
    shown = signature(primitive)
    if not primitive.takes_out:
        return shown
    out = inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None)
    return shown.replace(parameters=[*shown.parameters.values(), out])
