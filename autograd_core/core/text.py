"""The text of an op's function: one template, filled in from the op's row. `source` makes a function of it.

The templates come first, and read as what they become. A slot `{...}` that has a line to itself takes any number of
lines, also none. Variables are called as in the row: its rules speak of `x` and `y`, and so does the text.
"""

from __future__ import annotations

from collections.abc import Iterable
from inspect import Parameter
from itertools import groupby
from keyword import iskeyword
from math import isfinite
from typing import Any

import numpy as np

from .primitive import NUMBERS_FIRST, PUBLIC_NAMES, Primitive, signature

ABSENT = Parameter.empty  # stands for a required parameter that was not given

FUNCTION = """
def {name}({parameters}):
    {rare}
    grad_mode = current_mode()
    {operands}
    {compute}
    out = wrap(array)
    {record}
    {view}
    return out
"""
NUMPY_NAMES = """
if {absent}:
    return apply(primitive, {args}, given(primitive, {params}, numpy_names))
"""
OTHER_RESULT = """
if {given}:
    return apply(primitive, {args}, {others})
"""
MORE = """
if more:
    return apply(primitive, {args}, given(primitive, {params}, {{}} if out is None else {{"out": out}}))
"""
FIRST = """
if not isinstance({p}, Tensor) or {p}._meta is not None or not grad_mode.plain:
    {on_arrays}
    return {apply}
{unpack}
{floats}
"""
ON_ARRAYS = """
if {arrays}:
    return forward({arguments})
"""
FLOATS = """
if {constant}{x}.dtype.kind != "f":
    return {apply}
"""
WIDE_FLOATS = """
kind = {x}.dtype
if kind not in WIDE:
    return {apply}
"""
NO_HALF = """
if {x}.dtype == HALF:
    return {apply}
"""
OTHER = """
if isinstance({p}, Tensor) and {p}._meta is None{alike}:
    {unpack}
{number}
{nothing}
else:
    return {apply}
"""
NUMBER = """
elif type({p}) is float or type({p}) is int:
    {constant}
"""
NOTHING = """
elif {p} is None:
    {constant}
"""
GROUP = """
{x} = arrays_of({p}) if grad_mode.plain else None
if {x} is None{unlike}:
    return {apply}
{edges}
"""
COMPUTE = """
{setting}
try:
    {mute}
    {results} = {forward}({arguments})
except (ValueError, TypeError) as error:
    raise explained(primitive, {arrays}, error) from None
{unmute}
"""
COMPUTE_QUIETLY = """
{results} = {forward}({arguments})
"""
COMPUTE_GROUP = """
{setting}
try:
    {mute}
    {results} = {forward}({arguments})
{unmute}
"""
SETTING = "setting = current_errors()"
MUTE = "set_errors(QUIET if setting is USUAL else muted(setting))"
UNMUTE = """
finally:
    set_errors(setting)
"""
RECORD = """
if grad_mode.grad and {tracked}{carries}:
    array = out._array
    {plan_and_saved}
    out._edge = new_node(
        primitive, plan, {edges}, saved, {params}, {extra}, array.shape, array.dtype, getframe(1)
    )
"""
OF_TWO = """
if {second} is None:
    plan, saved = plan_of_first, {of_first}
elif {first} is None:
    plan, saved = plan_of_second, {of_second}
else:
    plan, saved = plan_of_both, {of_both}
"""
# Parameters for which nothing is given that its owner may write to later; an index is read before the op runs.
NO_LIST = {"dim0", "dim1", "dim2", "dtype", "index"}
# What the text of any op names.
OWN_NAMES = {
    *("array", "error", "grad_mode", "kind", "numpy_names", "out", "plan", "plans", "saved", "setting"),
    *("HALF", "QUIET", "USUAL", "WIDE", "current_errors", "muted", "set_errors", "UNCHANGING", "fixed", "refuse_dtype"),
    *("ABSENT", "FROZEN", "Tensor", "ndarray", "apply", "arrays_of", "compile_text", "current_mode", "explained"),
    *("extras", "forward", "getframe", "given", "itself", "make_view", "new_node", "of_wide", "primitive", "wrap"),
    *("any", "enumerate", "float", "int", "isinstance", "len", "more", "sum", "type"),
}


def fill(template: str, **slots: str) -> str:
    """A template with its slots filled. One that has a line to itself takes any number of lines, also none."""
    lines = []
    for line in template.strip("\n").splitlines():
        slot = line.strip()
        if slot[0] == "{" and slot[1:-1] in slots:
            indent = line.removesuffix(slot)
            lines += [indent + inner for inner in slots[slot[1:-1]].splitlines()]
        else:
            lines.append(line.format(**slots))
    return "\n".join(lines)


def tuple_of(items: Iterable[str]) -> str:
    """The text of a tuple."""
    texts = list(items)
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"


class Operand:
    """One input in the text: what the user calls it, and the variables for its array, edge and version."""

    def __init__(self, primitive: Primitive, i: int, kept: bool):
        name = primitive.inputs[i]
        self.number, self.kept = i, kept
        self.public = PUBLIC_NAMES.get(name, name)
        self.array = name if name != self.public else f"{name}_array"
        self.edge, self.cell, self.owner = f"{name}_edge", f"{name}_cell", f"{name}_owner"
        self.has_rule = primitive.rules[i] is not None
        self.is_group = primitive.star and i == len(primitive.inputs) - 1
        self.may_be_none = name in primitive.optional
        self.may_be_number = i > 0 and primitive.promote is not None and not self.is_group

    @property
    def may_be_constant(self) -> bool:
        """Whether something else than a tensor may stand here, which has no version."""
        return self.may_be_none or self.may_be_number

    @property
    def is_tracked(self) -> str:
        """The condition for a gradient to be wanted."""
        return f"any({self.edge})" if self.is_group else f"{self.edge} is not None"

    def unpack(self) -> str:
        """Read what the text needs of a tensor."""
        p = self.public
        pairs = [(self.array, f"{p}._array"), (self.edge, f"{p}._edge")][: 1 + self.has_rule]
        if self.kept and self.may_be_constant:
            pairs += [(self.cell, f"{p}._cell"), (self.owner, p)]
        return _assign(pairs)

    def constant(self, value: str) -> str:
        """The same for a number or for None."""
        pairs = [(self.array, value), (self.edge, "None")][: 1 + self.has_rule]
        if self.kept:
            pairs += [(self.cell, "FROZEN"), (self.owner, "None")]
        return _assign(pairs)

    def entry(self) -> str:
        """What a node saves of it: see `Node`."""
        if self.is_group:
            return f"*((t._array, t._cell, t._cell.count, t) for t in {self.public})"
        if self.may_be_constant:
            return f"({self.array}, {self.cell}, {self.cell}.count, {self.owner})"
        return f"({self.array}, {self.public}._cell, {self.public}._cell.count, {self.public})"


def _has_literal(value) -> bool:
    return value is None or type(value) in (bool, int, str) or (type(value) is float and isfinite(value))


def _assign(pairs: list[tuple[str, str]]) -> str:
    return f"{', '.join(target for target, _ in pairs)} = {', '.join(value for _, value in pairs)}"


class Text:
    """The text of one row, in parts. `constants` are what it names of its own, beside `source.SHARED`."""

    def __init__(self, primitive: Primitive):
        self.primitive = primitive
        self.constants: dict[str, Any] = {}
        self.name = primitive.name if primitive.name.isidentifier() and not iskeyword(primitive.name) else "op"
        n = len(primitive.inputs)
        everything = primitive.plan((1 << n) - 1, n)
        self.saves, self.has_extras = everything.saves, bool(everything.extras)
        self.operands = [Operand(primitive, i, i in self.saves) for i in range(n)]
        self.tracked = [x for x in self.operands if x.has_rule]
        self.refuse_clashes()
        self.takes_numbers_first = primitive.name in NUMBERS_FIRST
        # Where half precision goes another way (see `ops.precision`) the text tells it apart, and calls what is left.
        of_wide = getattr(primitive.forward, "of_wide", None)
        self.splits_half = bool(of_wide) and not primitive.star and (primitive.widens or primitive.promote is None)
        self.constants |= {"of_wide": of_wide} if self.splits_half else {}
        self.takes_numpy_names = not {"dim", "keepdim"}.isdisjoint(primitive.params)
        number = {int, float}
        if primitive.kind == "elementwise":  # no parameter is a list of axes: one without a default, or with None too
            number |= {type, type(None)}  # ABSENT is a class
        self.numbers = [name for name, default in primitive.params.items() if type(default) in number]
        self.bools = [name for name, default in primitive.params.items() if type(default) is bool]
        self.params = "{" + ", ".join(f'"{name}": {name}' for name in primitive.params) + "}"
        self.args = tuple_of(x.public for x in self.operands)
        self.apply = f"apply(primitive, {self.args}, {self.params})"

    def refuse_clashes(self) -> None:
        """Raise TypeError where a parameter or residual is called as something else in the text."""
        given = [*self.primitive.params, *self.primitive.residuals]
        own = {name for x in self.operands for name in (x.public, x.array, x.edge, x.cell, x.owner)}
        clash = {name for name in given if name in OWN_NAMES | own or name.startswith("plan_of_")}
        clash |= OWN_NAMES & {x.public for x in self.operands}
        if clash or len(set(given)) < len(given):
            raise TypeError(f"{self.primitive.name}: {sorted(clash or given)} mean two things in the text of the op")

    def function(self) -> str:
        """All of it."""
        return fill(
            FUNCTION,
            name=self.name,
            parameters=", ".join(self.parameters()),
            rare=self.numpy_names() if self.takes_numpy_names else self.other_call(),
            operands="\n".join(self.operand(x) for x in self.operands),
            compute=self.compute(),
            record=self.record(),
            view=f"make_view(out, {self.operands[0].public}, primitive, {self.kept_params()}, False)"
            if self.primitive.view
            else "",
        )

    def parameters(self) -> list[str]:
        """The signature. What NumPy calls otherwise may be left out, to come as one of `numpy_names`."""
        texts, star = [], "*more" if self.takes_numbers_first else "*"
        for name, parameter in signature(self.primitive).parameters.items():
            if parameter.kind is parameter.KEYWORD_ONLY and star not in texts:
                texts.append(star)
            if parameter.default is ABSENT:
                texts.append(f"{name}=ABSENT" if self.takes_numpy_names and name in self.primitive.params else name)
            elif _has_literal(parameter.default):
                texts.append(f"{name}={parameter.default!r}")
            else:
                self.constants[f"{name}_default"] = parameter.default
                texts.append(f"{name}={name}_default")
        if self.takes_numpy_names:
            return [*texts, "**numpy_names"]
        if self.primitive.takes_out:
            texts += ["out=None"] if star in texts else [star, "out=None"]
        return texts

    def numpy_names(self) -> str:
        """Send a call with `axis` or `keepdims` to where names are sorted out."""
        absent = ["numpy_names", *(f"{name} is ABSENT" for name in self.primitive.params if self.is_required(name))]
        absent += [f"type({name}) not in UNCHANGING" for name in self.numbers if name != "dim"] + self.no_bools()
        return fill(NUMPY_NAMES, absent=" or ".join(absent), args=self.args, params=self.params)

    @property
    def is_exact(self) -> bool:
        """Whether NumPy's own loop computes the row, and rounds half precision but once."""
        return isinstance(self.primitive.forward, np.ufunc) and len(self.operands) == 1

    @property
    def of_floats(self) -> str:
        """What the dtype of a first operand must be like."""
        return "dtype in WIDE" if self.primitive.widens and not self.is_exact else 'dtype.kind == "f"'

    def other_call(self) -> str:
        """Leave with a call of more arguments than operands, or what `other_result` is for."""
        if not self.takes_numbers_first:
            return self.other_result()
        more = fill(MORE, args=f"{self.args[:-1]}, *more)", params=self.params)
        return f"{more}\n{self.other_result()}"

    def other_result(self) -> str:
        """Leave with a call that has `out=`, for where results are written, or that gives a number in another form."""
        tests = [f"type({name}) not in UNCHANGING" for name in self.numbers] + self.no_bools()
        others = self.params
        if self.primitive.takes_out:
            tests = ["out is not None", *tests]
            others = "{" + ", ".join(f'"{name}": {name}' for name in ["out", *self.primitive.params]) + "}"
        return fill(OTHER_RESULT, given=" or ".join(tests), args=self.args, others=others) if tests else ""

    def no_bools(self) -> list[str]:
        """The conditions for what should be True or False to be neither."""
        return [f"({name} is not False and {name} is not True)" for name in self.bools]

    def is_required(self, name: str) -> bool:
        """Whether a parameter has no default."""
        return name in self.primitive.required

    # -- the operands

    def operand(self, x: Operand) -> str:
        """Read the operand if it is a plain one, else leave."""
        if x.is_group:
            return self.group(x)
        return self.first(x) if x.number == 0 else self.other(x)

    def first(self, x: Operand) -> str:
        """Read the first operand: a plain tensor, or an array, on which the forward alone is run."""
        floats = ""
        if self.primitive.widens and not self.is_exact:
            floats = fill(WIDE_FLOATS, x=x.array, apply=self.apply)
        elif self.primitive.promote is not None:
            constant = f"{x.edge} is None and " if x.has_rule else ""
            floats = fill(FLOATS, constant=constant, x=x.array, apply=self.apply)
        elif self.splits_half:
            floats = fill(NO_HALF, x=x.array, apply=self.apply)
        return fill(FIRST, p=x.public, on_arrays=self.on_arrays(), apply=self.apply, unpack=x.unpack(), floats=floats)

    def on_arrays(self) -> str:
        """Called on arrays, as rules are, an op returns an array."""
        x, *others = self.operands
        promote = self.primitive.promote is not None
        if self.primitive.residuals or self.primitive.star or (promote and others):
            return ""
        conditions = [f"type({x.public}) is ndarray"]
        conditions += [f"{x.public}.{self.of_floats}"] if promote else []
        conditions += [f"not isinstance({other.public}, Tensor)" for other in others]
        return fill(
            ON_ARRAYS, arrays=" and ".join(conditions), arguments=self.arguments(x.public for x in self.operands)
        )

    def other(self, x: Operand) -> str:
        """Read a later operand, which may also be a number or None where the forward takes them."""
        kind = "kind" if self.primitive.widens and not self.is_exact else f"{self.operands[0].array}.dtype"
        alike = f" and {x.public}._array.dtype is {kind}" if x.may_be_number else ""
        number = fill(NUMBER, p=x.public, constant=x.constant(x.public)) if x.may_be_number else ""
        nothing = fill(NOTHING, p=x.public, constant=x.constant("None")) if x.may_be_none else ""
        return fill(OTHER, p=x.public, alike=alike, unpack=x.unpack(), number=number, nothing=nothing, apply=self.apply)

    def group(self, x: Operand) -> str:
        unlike = f' or {{a.dtype for a in {x.array}}} != {{{x.array}[0].dtype}} or {x.array}[0].dtype.kind != "f"'
        edges = f"{x.edge} = [t._edge for t in {x.public}]" if x.has_rule else ""
        return fill(
            GROUP,
            x=x.array,
            p=x.public,
            unlike=unlike if self.primitive.promote is not None else "",
            apply=self.apply,
            edges=edges,
        )

    # -- the computation

    def arguments(self, operands: Iterable[str]) -> str:
        """What the forward is called with."""
        return ", ".join([*operands, *(f"{name}={name}" for name in self.primitive.params)])

    def compute(self) -> str:
        """Run the forward on arrays."""
        arrays = [x.array for x in self.operands]
        results = ", ".join(["array", *self.primitive.residuals])
        silenced = self.primitive.is_silent
        return fill(
            COMPUTE if not self.primitive.star else COMPUTE_QUIETLY if silenced else COMPUTE_GROUP,
            setting="" if silenced else SETTING,
            mute="" if silenced else MUTE,
            unmute="" if silenced else UNMUTE.strip(),
            results=results,
            forward="of_wide" if self.splits_half else "forward",
            arguments=self.arguments(arrays),
            arrays=tuple_of(arrays),
        )

    # -- the node

    def record(self) -> str:
        """Leave a node where a gradient may be wanted."""
        if not self.tracked:
            return ""
        tracked = " or ".join(x.is_tracked for x in self.tracked)
        arrays = tuple_of(f"*{x.array}" if x.is_group else x.array for x in self.operands)
        return fill(
            RECORD,
            tracked=f"({tracked})" if len(self.tracked) > 1 else tracked,
            carries=self.carries(),
            plan_and_saved=self.plan_and_saved(),
            edges=tuple_of(map(self.edges, self.operands)),
            params=self.kept_params() if self.primitive.params else "None",
            extra=f"extras(plan, {arrays})" if self.has_extras else "None",
        )

    def carries(self) -> str:
        """The condition for the result to carry gradients."""
        if self.primitive.kind == "elementwise":
            return ""
        of_float = 'out._array.dtype.kind == "f"'
        return f" and ({of_float} or refuse_dtype(primitive, out._array.dtype))"

    def kept_params(self) -> str:
        """The parameters for a node or a view, which outlive the call: without what the caller may still change."""
        texts = []
        for name, default in self.primitive.params.items():
            plain = name in NO_LIST or type(default) in (bool, float, str)
            texts.append(f'"{name}": {name}' + ("" if plain else f" if type({name}) in UNCHANGING else fixed({name})"))
        return "{" + ", ".join(texts) + "}"

    def edges(self, x: Operand) -> str:
        """What an operand adds to the edges of the node."""
        if x.is_group:
            return f"*{x.edge}" if x.has_rule else f"*[None for t in {x.public}]"
        return x.edge if x.has_rule else "None"

    def plan_and_saved(self) -> str:
        """Choose the plan for the inputs that are tracked, and keep what its rules name."""
        if self.primitive.star:
            return "\n".join([self.plan_of_group(), *self.saved()])
        if len(self.tracked) == 1:
            self.constants["plan"] = self.primitive.plans[1 << self.tracked[0].number]
            return "\n".join(self.saved())
        if len(self.tracked) == 2:
            return self.of_two(*self.tracked)
        self.constants["plans"] = self.primitive.plans
        return "\n".join([f"plan = plans[{self.mask()}]", *self.saved()])

    def mask(self) -> str:
        """The tracked inputs as bits."""
        factors = ["" if x.number == 0 else f"{1 << x.number} * " for x in self.tracked]
        return " + ".join(f"{factor}({x.is_tracked})" for factor, x in zip(factors, self.tracked))

    def plan_of_group(self) -> str:
        """Choose the plan of an op whose last operands are a group: its length is part of the key."""
        *others, last = self.operands
        mask = self.mask()
        if last.has_rule:
            mask = f"sum(1 << i for i, edge in enumerate({last.edge}) if edge is not None)"
        count = f"len({last.public})" if not others else f"{len(others)} + len({last.public})"
        return f"plan = primitive.plan({mask}, {count})"

    def of_two(self, first: Operand, second: Operand) -> str:
        """The usual case in straight lines: it is a tenth faster than the general one below."""
        masks = {"first": 1 << first.number, "second": 1 << second.number}
        masks["both"] = masks["first"] | masks["second"]
        plans = {name: self.primitive.plans[mask] for name, mask in masks.items()}
        self.constants |= {f"plan_of_{name}": plan for name, plan in plans.items()}
        kept = {f"of_{name}": tuple_of(map(self.entry, plan.saves)) for name, plan in plans.items()}
        return fill(OF_TWO, first=first.edge, second=second.edge, **kept)

    def saved(self) -> list[str]:
        """Keep each value that a rule which is going to run names: in their order, with one condition for neighbors."""
        groups = [(condition, list(js)) for condition, js in groupby(self.saves, self.condition)]
        lines = ["saved = ()"] if not groups or groups[0][0] else []
        for k, (condition, js) in enumerate(groups):
            keep = f"saved {'+=' if k else '='} {tuple_of(map(self.entry, js))}"
            lines += [f"if {condition}:", f"    {keep}"] if condition else [keep]
        return lines

    def condition(self, j: int) -> str:
        """When value `j` is saved: where an input is tracked whose rule names it. Empty: always."""
        asking = [x for x in self.tracked if j in self.primitive.plan(1 << x.number, len(self.operands)).saves]
        return "" if asking == self.tracked else " or ".join(x.is_tracked for x in asking)

    def entry(self, j: int) -> str:
        """What is saved as value number `j`: inputs first, then the output, then residuals."""
        n = len(self.operands)
        if j < n:
            return self.operands[j].entry()
        return "(array, out._cell, 0, None)" if j == n else f"({self.primitive.residuals[j - n - 1]}, FROZEN, 0, None)"
