"""The function of an op, written out: one text for every op, filled in from its row.

    >>> import autograd_core as ac
    >>> print(ac.mul.source)
    def mul(input, other):
        mode = current_mode()
        if not isinstance(input, Tensor) or input._meta is not None or not mode.plain:
            return apply(primitive, (input, other), {})
        x, x_edge = input._array, input._edge
        if x_edge is None and x.dtype.kind != "f":
            return apply(primitive, (input, other), {})
        ...

`dataclasses` makes `__init__` in this way, and PyTorch its functions from `derivatives.yaml`. What comes out is
straight code about one op: it reads the arrays of its operands, computes, and leaves a node if a gradient may be
wanted. It serves the calls in which nothing has to be looked up, and hands every other to `call.apply`, which does the
same for all ops. A debugger steps through it.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from keyword import iskeyword
from sys import _getframe
from types import FunctionType
from typing import Any

import numpy as np

from .call import ABSENT, apply, explained, given
from .graph import PACKAGE_FILES, new_node
from .modes import current_mode
from .primitive import PUBLIC_NAMES, Primitive, signature
from .record import FROZEN, extras
from .tensor import Tensor, wrap
from .view import make_view

# What the texts name beside their own op.
SHARED = {
    **{"current_mode": current_mode, "explained": explained, "wrap": wrap, "new_node": new_node, "extras": extras},
    **{"make_view": make_view, "given": given, "ABSENT": ABSENT, "FROZEN": FROZEN},
    **{"Tensor": Tensor, "ndarray": np.ndarray, "getframe": _getframe},
}
WIDTH = 112  # of a line inside a block of a function
NUMPY_NAMES = "numpy_names"  # what collects `axis` and `keepdims`


def is_written(primitive: Primitive) -> bool:
    """Whether a row has a text of its own: one output, and inputs that can be counted."""
    return len(primitive.outputs) == 1 and not primitive.many and not primitive.star and bool(primitive.inputs)


def written(primitive: Primitive, apply: Callable = apply) -> Any:
    """The function of a row. `apply` serves the calls that are not plain."""
    text = Text(primitive)
    own = {"__name__": __name__, "apply": apply, "primitive": primitive, "forward": primitive.forward}
    function: Any = FunctionType(first_call.__code__, {**SHARED, **own, **text.constants}, text.name)
    function.__globals__.update(op=function, compile_text=compile_text)
    function.source = "\n".join(text.lines()) + "\n"
    return function


op: Any = None  # in the globals of each op, the op itself


def first_call(*args, **params):
    """Stands in for an op until its first call: to compile all texts takes a third of the time of the whole import."""
    compile_text(op)
    return op(*args, **params)


def compile_text(function: Any) -> None:
    """Put the text of an op in the place of its first call, where tracebacks, debuggers and `inspect` find it."""
    source, file = function.source, f"<autograd_core {function.__name__}>"
    linecache.cache[file] = len(source), None, source.splitlines(keepends=True), file
    PACKAGE_FILES.add(file)
    made: dict[str, Any] = {}
    exec(compile(source, file, "exec"), function.__globals__, made)
    (result,) = made.values()
    function.__defaults__, function.__kwdefaults__ = result.__defaults__, result.__kwdefaults__
    function.__code__ = result.__code__


class Operand:
    """The names of one input in the text: what the user calls it, and the variables for its array, edge and version."""

    def __init__(self, primitive: Primitive, i: int, free: Callable[[str], str]):
        name = primitive.inputs[i]
        self.public = PUBLIC_NAMES.get(name, name)
        self.array = free(name if name != self.public else f"{name}_array")
        self.edge, self.cell, self.owner = (free(f"{name}_{part}") for part in ("edge", "cell", "owner"))
        self.has_rule = primitive.rules[i] is not None
        self.may_be_none = name in primitive.optional
        self.may_be_number = i > 0 and primitive.promote is not None
        self.is_kept = False  # for some rule


class Text:
    """Writes the text of one row. `constants` are what it names beside `SHARED`."""

    def __init__(self, primitive: Primitive):
        self.primitive = primitive
        self.signature = signature(primitive)
        self.name = primitive.name if primitive.name.isidentifier() and not iskeyword(primitive.name) else "op"
        taken = {*self.signature.parameters, *SHARED, "apply", "primitive", "forward"}

        def free(name: str) -> str:
            return name if name not in taken else free(name + "_")

        self.mode, self.out, self.mask, self.saved = (free(name) for name in ("mode", "out", "mask", "saved"))
        self.result, self.error, self.plan = (free(name) for name in ("array", "error", "plan"))
        self.residuals = [free(name) for name in primitive.residuals]
        self.operands = [Operand(primitive, i, free) for i in range(len(primitive.inputs))]
        self.wanted = [x for x in self.operands if x.has_rule]
        everything = primitive.plan((1 << len(self.operands)) - 1)
        self.saves, self.has_extras = everything.saves, bool(everything.extras)
        for j in self.saves:
            if j < len(self.operands):
                self.operands[j].is_kept = True
        self.takes_numpy_names = not {"dim", "keepdim"}.isdisjoint(primitive.params)
        self.params = "{" + ", ".join(f'"{name}": {name}' for name in primitive.params) + "}"
        self.args = _tuple(x.public for x in self.operands)
        self.constants: dict = {}
        if len(self.wanted) == 1:
            self.constants[self.plan] = primitive.plan(1 << self.operands.index(self.wanted[0]))
        else:
            self.constants[self.plan + "s"] = primitive.plans

    def lines(self) -> Iterator[str]:
        yield f"def {self.name}({', '.join(self._parameters())}):"
        parts = [self._numpy_names(), self._first(), *map(self._other, self.operands[1:])]
        for line in chain(*parts, self._compute(), self._record(), self._view()):
            yield "    " + line
        yield f"    return {self.out}"

    # -- the head

    def _parameters(self) -> Iterator[str]:
        keyword_only = False
        for name, parameter in self.signature.parameters.items():
            if parameter.kind is parameter.KEYWORD_ONLY and not keyword_only:
                keyword_only = True
                yield "*"
            default = parameter.default
            if default is ABSENT:
                yield f"{name}=ABSENT" if self.takes_numpy_names and name in self.primitive.params else name
            elif type(default) in (bool, int, float, str, tuple, type(None)):
                yield f"{name}={default!r}"
            else:
                self.constants[f"{name}_default"] = default
                yield f"{name}={name}_default"
        if self.takes_numpy_names:
            yield f"**{NUMPY_NAMES}"

    def _numpy_names(self) -> Iterator[str]:
        if self.takes_numpy_names:
            absent = [f"{name} is ABSENT" for name in self.primitive.params if name in self.primitive.required]
            yield f"if {' or '.join([NUMPY_NAMES, *absent])}:"
            yield f"    return apply(primitive, {self.args}, given(primitive, {self.params}, {NUMPY_NAMES}))"

    # -- the operands

    def _elsewhere(self) -> str:
        return f"return apply(primitive, {self.args}, {self.params})"

    def _first(self) -> Iterator[str]:
        x, promote = self.operands[0], self.primitive.promote
        yield f"{self.mode} = current_mode()"
        yield f"if not isinstance({x.public}, Tensor) or {x.public}._meta is not None or not {self.mode}.plain:"
        yield from ("    " + line for line in self._arrays(x))
        yield f"    {self._elsewhere()}"
        yield self._unpack(x)
        if promote is not None:
            may_carry = f"{x.edge} is None and " if x.has_rule else ""
            yield f'if {may_carry}{x.array}.dtype.kind != "f":'
            yield f"    {self._elsewhere()}"

    def _arrays(self, x: Operand) -> Iterator[str]:
        """Called on arrays, as rules are, an op returns an array."""
        if self.primitive.residuals or (self.primitive.promote is not None and len(self.operands) > 1):
            return
        conditions = [f"type({x.public}) is ndarray"]
        if self.primitive.promote is not None:
            conditions.append(f'{x.public}.dtype.kind == "f"')
        conditions += [f"not isinstance({other.public}, Tensor)" for other in self.operands[1:]]
        yield f"if {' and '.join(conditions)}:"
        yield f"    return forward({', '.join([*(x.public for x in self.operands), *self._keywords()])})"

    def _unpack(self, x: Operand) -> str:
        targets, values = [x.array], [f"{x.public}._array"]
        if x.has_rule:
            targets, values = [*targets, x.edge], [*values, f"{x.public}._edge"]
        if x.is_kept and (x.may_be_number or x.may_be_none):
            targets, values = [*targets, x.cell, x.owner], [*values, f"{x.public}._cell", x.public]
        return f"{', '.join(targets)} = {', '.join(values)}"

    def _other(self, x: Operand) -> Iterator[str]:
        alike = f" and {x.public}._array.dtype is {self.operands[0].array}.dtype" if x.may_be_number else ""
        yield f"if isinstance({x.public}, Tensor) and {x.public}._meta is None{alike}:"
        yield f"    {self._unpack(x)}"
        if x.may_be_number:
            yield f"elif type({x.public}) is float or type({x.public}) is int:"
            yield from self._constant(x, x.public)
        if x.may_be_none:
            yield f"elif {x.public} is None:"
            yield from self._constant(x, "None")
        yield "else:"
        yield f"    {self._elsewhere()}"

    def _constant(self, x: Operand, value: str) -> Iterator[str]:
        targets, values = [x.array], [value]
        if x.has_rule:
            targets, values = [*targets, x.edge], [*values, "None"]
        if x.is_kept:
            targets, values = [*targets, x.cell, x.owner], [*values, "FROZEN", "None"]
        yield f"    {', '.join(targets)} = {', '.join(values)}"

    # -- the computation

    def _keywords(self) -> list[str]:
        return [f"{name}={name}" for name in self.primitive.params]

    def _compute(self) -> Iterator[str]:
        arrays = [x.array for x in self.operands]
        yield "try:"
        yield f"    {', '.join([self.result, *self.residuals])} = forward({', '.join([*arrays, *self._keywords()])})"
        yield f"except (ValueError, TypeError) as {self.error}:"
        yield f"    raise explained(primitive, {_tuple(arrays)}, {self.error}) from None"
        yield f"{self.out} = wrap({self.result})"

    # -- the node

    def _record(self) -> Iterator[str]:
        if not self.wanted:
            return
        edges = [x.edge if x.has_rule else "None" for x in self.operands]
        tracked = " or ".join(f"{x.edge} is not None" for x in self.wanted)
        carries = "" if self.primitive.kind == "elementwise" else f' and {self.out}._array.dtype.kind == "f"'
        yield f"if {self.mode}.grad and {f'({tracked})' if len(self.wanted) > 1 else tracked}{carries}:"
        yield f"    {self.result} = {self.out}._array"
        plan = self.plan
        if len(self.wanted) > 1:
            bits = [f"{1 << self.operands.index(x)} * ({x.edge} is not None)" for x in self.wanted]
            yield f"    {self.plan} = {self.plan}s[{' + '.join(bits).replace('1 * ', '')}]"
        yield from ("    " + line for line in self._save())
        node = [
            *("primitive", plan, _tuple(edges), self.saved if self.saves else "()"),
            self.params if self.primitive.params else "None",
            f"extras({plan}, {_tuple(x.array for x in self.operands)})" if self.has_extras else "None",
            *(f"{self.result}.shape", f"{self.result}.dtype", "getframe(1)"),
        ]
        made = f"{self.out}._edge = new_node({', '.join(node)})"
        yield from (
            [f"    {made}"]
            if len(made) < WIDTH
            else [
                f"    {self.out}._edge = new_node(",
                f"        {', '.join(node)}",
                "    )",
            ]
        )

    def _save(self) -> Iterator[str]:
        """Keep each value that a rule which is going to run names."""
        groups: list[tuple[str | None, list[str]]] = []
        for j in self.saves:
            condition = self._condition(j)
            if groups and groups[-1][0] == condition:
                groups[-1][1].append(self._entry(j))
            else:
                groups.append((condition, [self._entry(j)]))
        for k, (condition, entries) in enumerate(groups):
            kept = _tuple(entries)
            if condition is not None:
                if k == 0:
                    yield f"{self.saved} = ()"
                yield f"if {condition}:"
            yield f"{'    ' if condition else ''}{self.saved} {'+=' if k else '='} {kept}"

    def _condition(self, j: int) -> str | None:
        """When a value is saved: where one of the inputs whose rules name it is tracked; None: always."""
        primitive, n = self.primitive, len(self.operands)
        asking = [x for x in self.wanted if j in primitive.plan(1 << self.operands.index(x), n).saves]
        return None if asking == self.wanted else " or ".join(f"{x.edge} is not None" for x in asking)

    def _entry(self, j: int) -> str:
        n = len(self.operands)
        if j < n:
            x = self.operands[j]
            if x.may_be_number or x.may_be_none:
                return f"({x.array}, {x.cell}, {x.cell}.count, {x.owner})"
            return f"({x.array}, {x.public}._cell, {x.public}._cell.count, {x.public})"
        if j == n:
            return f"({self.out}._array, {self.out}._cell, 0, None)"
        return f"({self.residuals[j - n - 1]}, FROZEN, 0, None)"

    def _view(self) -> Iterator[str]:
        if self.primitive.view:
            yield f"make_view({self.out}, {self.operands[0].public}, primitive, {self.params}, False)"


def _tuple(items: Iterable[str]) -> str:
    items = list(items)
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
