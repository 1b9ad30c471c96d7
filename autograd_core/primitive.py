"""What an op is: a forward computation on arrays, and one rule for each input that says what its gradient is.

    mul = elementwise("mul", np.multiply, "x y", lambda g, y: g * y, lambda g, x: g * x)

**A rule saves what it names.** Its parameters are

* `g`, the incoming cotangent (`g_<output>` for an op with several outputs, None if nothing arrived there);
* the name of an input, of an output, or of a residual (an extra array the forward returns for the rules): that value is saved;
* `<input>_shape` and `<input>_dtype`, and the op's parameters: these cost nothing;
* `position`, for a rule of a `*inputs` op, which is called once an input.

The names are read once, when the op is defined; an unknown one is an error. An array that a rule needs is an input or a residual,
never a parameter, so that it has a version and is released with the graph.

**One rule text, two interpretations.** An op called on arrays returns arrays; called on tensors, tensors. A first-order backward runs
the rules on arrays. With `create_graph` the same text runs on tensors, and is recorded.

**A rule does not think about broadcasting or dtype.** The reverse pass brings each gradient to its input's shape and dtype.
"""

from __future__ import annotations

import inspect
from collections import namedtuple
from collections.abc import Callable, Sequence
from sys import _getframe

import numpy as np

from . import dtypes
from .graph import PACKAGE_FILES, Node, Output, Rare, tick, user_position
from .modes import current_mode
from .tensor import Meta, Tensor, Version, edge_of, wrap

ndarray = np.ndarray
new = object.__new__

FROZEN = Version()  # the version of values nobody can write: numbers and residuals
PUBLIC_NAMES = {"x": "input", "y": "other", "xs": "tensors"}  # rules speak of x and y; signatures use PyTorch's names

registry: dict[str, Primitive] = {}
on_view: list[Callable] = []  # called as f(result, source, primitive, params) when a view was made; `views` joins here


class Plan:
    """What one set of wanted gradients needs: the values to save, the extras to note, and the rules to run.

    Values are numbered inputs first, then outputs, then residuals. `rules` holds (edge number, rule, picks): `picks` are positions
    in the saved values if the rule names nothing else, and None if its arguments have to be looked up by `arguments`.
    """

    __slots__ = ("arguments", "extras", "rules", "saved_names", "saves")

    def __init__(self, primitive: Primitive, wanted: Sequence[int], n_inputs: int):
        names = primitive.value_names(n_inputs)
        self.saves: tuple[int, ...] = ()
        self.extras: tuple = ()
        self.rules, self.arguments = [], {}
        for i in wanted:
            rule = primitive.rules[min(i, len(primitive.inputs) - 1)]
            if rule is None:
                continue
            arguments = [self._argument(name, primitive, names, i) for name in primitive.rule_names[rule]]
            plain = arguments[:1] == [("g", 0)] and all(kind == "saved" for kind, _ in arguments[1:])
            picks = tuple(j for _, j in arguments[1:]) if plain else None
            self.rules.append((i, rule, picks))
            self.arguments[i] = arguments
        self.saved_names = tuple(names[j] for j in self.saves)

    def _save(self, value: int) -> int:
        if value not in self.saves:
            self.saves += (value,)
        return self.saves.index(value)

    def _argument(self, name: str, primitive: Primitive, names: list[str], i: int):
        if name == "g" or name.startswith("g_"):
            return "g", primitive.outputs.index(name[2:]) if name != "g" else 0
        if name == "gs":
            return "gs", None
        if name == "position":
            return "constant", i - len(primitive.inputs) + 1
        if primitive.star and name == primitive.inputs[-1]:
            return "group", [self._save(j) for j, n in enumerate(names) if n == name]
        if name in names:
            return "saved", self._save(names.index(name))
        if all(name != noted for noted, _, _ in self.extras):
            self.extras += (primitive.extra(name),)
        return "extra", name


class Primitive:
    """An op: its forward, its rules, and the plans made of them. `define` makes one together with its public function.

    `inputs` are the names of its array inputs (the last is a group if `star`), `params` the other parameters with their defaults.
    `promote` says how inputs of unequal type meet: None (the forward decides), "common" or "float" (common, and integers float).
    """

    def __init__(self, name, forward, inputs, kind, rules, *, outputs="out", residuals="", promote=None, view=False, jvp=None):
        self.name, self.forward, self.kind, self.jvp = name, forward, kind, jvp
        self.star = "*" in inputs
        self.inputs = tuple(inputs.replace("*", "").split())
        self.many = outputs.startswith("*")
        self.outputs = tuple(outputs.replace("*", "").split())
        self.residuals = tuple(residuals.split())
        self.promote, self.view = promote, view
        self.params = self._read_params(forward)
        self.backward_name = "".join(part[:1].upper() + part[1:] for part in name.split("_")) + "Backward0"
        self.rules = tuple(rules)
        self.rule_names = {rule: tuple(inspect.signature(rule).parameters) for rule in rules if rule is not None}
        self._check_rules()
        self.plans: dict = {}
        self.result_type = namedtuple(name, self.outputs) if len(self.outputs) > 1 else None

    def _read_params(self, forward) -> dict:
        if isinstance(forward, np.ufunc):
            return {}
        parameters = list(inspect.signature(forward).parameters.values())
        self.optional = {self.inputs[i] for i, p in enumerate(parameters[: len(self.inputs)]) if p.default is None}
        return {p.name: p.default for p in parameters[len(self.inputs) :]}

    def _check_rules(self) -> None:
        if self.kind != "nondiff" and len(self.rules) != len(self.inputs):
            raise TypeError(f"{self.name} has {len(self.inputs)} inputs but {len(self.rules)} rules; give None where no gradient flows")
        values = {*self.inputs, *self.outputs, *self.residuals}
        known = values | set(self.params) | {f"{i}_{what}" for i in self.inputs for what in ("shape", "dtype")}
        known |= {"g", "gs", "position"} | {f"g_{o}" for o in self.outputs}
        for rule, names in self.rule_names.items():
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

    def extra(self, name: str):
        """How to find what a rule names beside values: (name, None, default) for a parameter, (name, function, input) otherwise."""
        if name in self.params:
            return name, None, self.params[name]
        owner, what = name.rsplit("_", 1)
        i = self.inputs.index(owner)
        if self.star and i == len(self.inputs) - 1:
            return name, _shapes_from, i
        return name, _shape_of if what == "shape" else _dtype_of, i

    def explain(self) -> str:
        """What this op saves for each of its gradients."""
        lines = [f"{self.name}: {self.kind}"]
        for i, name in enumerate(self.inputs if self.kind != "nondiff" else ()):
            plan = self.plan(1 << i)
            wants = ", ".join(self.rule_names.get(self.rules[i], ()))
            lines.append(f"  gradient for {name}: rule({wants}), saves {', '.join(plan.saved_names) or 'nothing'}")
        return "\n".join(lines)

    # -- calling

    def bind(self, args: tuple, params: dict) -> tuple[list, dict]:
        """Split a call into the inputs, the star group flattened, and the parameters by name."""
        n = len(self.inputs)
        inputs = list(args[:n])
        if len(args) > n:
            extra = args[n:]
            if len(extra) > len(self.params):
                raise TypeError(f"{self.name}() takes at most {n + len(self.params)} arguments, got {len(args)}")
            params = {**dict(zip(self.params, extra)), **params}
        for name in self.inputs[len(inputs) :]:
            public = PUBLIC_NAMES.get(name, name)
            if public in params:
                params = dict(params)
                inputs.append(params.pop(public))
            elif name in self.optional:
                inputs.append(None)
            else:
                raise TypeError(f"{self.name}() missing required argument: '{public}'")
        for name in params:
            if name not in self.params:
                raise TypeError(f"{self.name}() got an unexpected keyword argument '{name}'")
        if self.star:
            group = inputs.pop()
            if isinstance(group, (Tensor, ndarray)) or not hasattr(group, "__iter__"):
                raise TypeError(f"{self.name}(): '{PUBLIC_NAMES.get(self.inputs[-1], self.inputs[-1])}' must be a tuple or list of tensors")
            inputs += group
        return inputs, params

    def run(self, arrays: list, params: dict):
        """The forward on plain values, types promoted; a result of several parts is a tuple."""
        if self.promote:
            arrays = promote(arrays, self.promote)
        if self.star:
            n = len(self.inputs) - 1
            return self.forward(*arrays[:n], arrays[n:], **params)
        return self.forward(*arrays, **params)

    def apply(self, args: tuple, params: dict):
        """Any call that the short paths do not serve."""
        inputs, params = self.bind(args, params)
        if not any(isinstance(t, Tensor) for t in inputs):
            return self._apply_to_arrays(inputs, params)
        inputs = [self.operand(t) for t in inputs]
        arrays = [t._array if isinstance(t, Tensor) else t for t in inputs]
        edges = self.edges_of(inputs)
        mode = current_mode()
        raw = self.run(arrays, params)
        n_out = len(raw) - len(self.residuals) if type(raw) is tuple else 1
        values = list(raw) if type(raw) is tuple else [raw]
        outs = [wrap(value) for value in values[:n_out]]
        if mode.grad and any(e is not None for e in edges):
            if any(o._array.dtype.kind == "f" for o in outs):
                record(self, inputs, edges, arrays, outs, values[n_out:], params)
        if self.view:
            for out in outs:
                on_view[0](out, inputs[0], self, params, len(outs) > 1 or self.many)
        if self.result_type is not None:
            return self.result_type(*outs)
        return tuple(outs) if self.many else outs[0]

    def edges_of(self, inputs: list) -> list:
        """The edges that gradients will flow along: those of the tensors for which there is a rule."""
        last = len(self.rules) - 1
        return [
            edge_of(t) if isinstance(t, Tensor) and last >= 0 and self.rules[min(i, last)] is not None else None
            for i, t in enumerate(inputs)
        ]

    def _apply_to_arrays(self, inputs: list, params: dict):
        if not any(isinstance(t, (ndarray, np.generic)) for t in inputs):
            given = ", ".join(type(t).__name__ for t in inputs)
            raise TypeError(f"{self.name}(): argument 'input' must be Tensor, not {given}; wrap it in ac.tensor(...)")
        raw = self.run(inputs, params)
        if self.residuals:
            raw = raw[: len(raw) - len(self.residuals)]
            return raw if self.many or len(raw) > 1 else raw[0]
        return raw

    def operand(self, value):
        """An operand as given, except that an array becomes a constant tensor and a NumPy scalar a Python number."""
        if isinstance(value, Tensor) or value is None or type(value) in (int, float, bool):
            return value
        if isinstance(value, ndarray):
            dtypes.as_dtype(value.dtype)
            return wrap(value)
        if isinstance(value, np.generic):
            return value.item()
        raise TypeError(
            f"{self.name}(): operands must be tensors, arrays or numbers, not {type(value).__name__}; wrap it in ac.tensor(...)"
        )


def promote(arrays: list, how: str) -> list:
    """Bring arrays of unequal type to their common one. Python numbers stay numbers: NumPy lets them adapt."""
    common = dtypes.result_type(*arrays)
    if how == "float" and common.kind != "f":
        common = dtypes.get_default_dtype().numpy
    cast = [a.astype(common) if hasattr(a, "dtype") and a.dtype != common else a for a in arrays]
    return cast if any(hasattr(a, "dtype") for a in cast) else [np.asarray(a, common) for a in cast]


def record(primitive, inputs, edges, arrays, outs, residuals, params, *, out_count=0) -> Node:
    """Make the node of a computation that has just run, and hang the outputs on it.

    `out_count` is the version at which a saved output will be valid: a write in place passes the one it is about to make.
    """
    mask = sum(1 << i for i, e in enumerate(edges) if e is not None)
    plan = primitive.plan(mask, len(inputs))
    node = new(Node)
    node.op, node.plan, node.edges = primitive, plan, tuple(edges)
    node.saved = _saved(primitive, plan, inputs, arrays, outs, residuals, out_count) if plan.saves else ()
    node.extra = extras(plan, arrays, params) if plan.extras else None
    node.seq, node.source = tick(), user_position(3)
    if len(primitive.outputs) == 1 and not primitive.many:
        (out,) = outs
        node.rare = None
        node.shape, node.dtype = out._array.shape, out._array.dtype
        out._edge = node
    else:
        node.rare = Rare(tuple([(o._array.shape, o._array.dtype) for o in outs]))
        node.shape = node.dtype = None
        for k, out in enumerate(outs):
            if out._array.dtype.kind == "f":
                out._edge = Output(node, k)
    return node


def _saved(primitive, plan, inputs, arrays, outs, residuals, out_count) -> tuple:
    """The saved values of a plan: what the forward saw, and the version it had."""
    n = len(inputs)
    saved = []
    for j in plan.saves:
        if j < n:
            owner = inputs[j]
            version = owner._cell if isinstance(owner, Tensor) else FROZEN
            if isinstance(owner, Tensor) and owner.is_inference():
                raise RuntimeError(
                    f"Inference tensors cannot be saved for backward: {primitive.name} needs "
                    f"`{primitive.value_names(n)[j]}` for a gradient. Make a normal tensor of it with clone()."
                )
            saved.append((arrays[j], version, version.count))
        elif j < n + len(outs):
            out = outs[j - n]
            saved.append((out._array, out._cell, out_count))
        else:
            saved.append((residuals[j - n - len(outs)], FROZEN, 0))
    return tuple(saved)


def extras(plan: Plan, arrays: list, params: dict) -> dict:
    """The values of the parameters, shapes and dtypes that the rules of a plan name."""
    return {name: params.get(name, where) if what is None else what(arrays, where) for name, what, where in plan.extras}


def _shape_of(arrays, i):
    return getattr(arrays[i], "shape", ())


def _dtype_of(arrays, i):
    return getattr(arrays[i], "dtype", None)


def _shapes_from(arrays, i):
    return [getattr(a, "shape", ()) for a in arrays[i:]]


# -- defining an op


def define(name: str, forward, inputs: str, kind: str, *rules, doc: str = "", example: str = "", **options):
    """Make an op of the kind "elementwise", "linear", "general" or "nondiff" and return its public function.

    The function takes tensors (or arrays, then it returns arrays); a table row is one call of this. The README's page on adding an op
    walks through one.

    >>> import numpy as np, autograd_core as ac
    >>> from autograd_core.primitive import define
    >>> double = define("double", lambda x: 2 * x, "x", "linear", lambda g: 2 * g)
    >>> x = ac.tensor([1.0, 3.0], requires_grad=True)
    >>> double(x).sum().backward(); x.grad
    tensor([2., 2.])
    """
    primitive = Primitive(name, forward, inputs, kind, rules, **options)
    takes_params = bool(primitive.params) or primitive.star or len(primitive.outputs) > 1 or primitive.residuals or primitive.view
    n = len(primitive.inputs)
    if kind == "elementwise" and not takes_params and None not in rules and n <= 2:
        make = _unary if n == 1 else _binary
    elif n == 1 and not (primitive.star or primitive.promote or primitive.residuals or len(primitive.outputs) > 1 or primitive.many):
        make = _one_input
    else:
        make = _general
    op = make(primitive)
    op.__name__ = op.__qualname__ = name
    op.__module__ = "autograd_core"
    op.primitive, primitive.function = primitive, op
    op.__signature__ = signature(primitive)
    primitive.summary, primitive.example = doc, example
    op.__doc__ = docstring(primitive)
    registry[name] = primitive
    return op


def elementwise(name, forward, inputs, *rules, promote="common", **options):
    """An op that maps elements to elements; inputs broadcast. Its JVP is the sum of its rules."""
    return define(name, forward, inputs, "elementwise", *rules, promote=promote, **options)


def linear(name, forward, inputs, *rules, **options):
    """An op that is linear in its inputs together. Its JVP is the op itself on the tangents."""
    return define(name, forward, inputs, "linear", *rules, **options)


def general(name, forward, inputs, *rules, **options):
    """Any other differentiable op."""
    return define(name, forward, inputs, "general", *rules, **options)


def nondiff(name, forward, inputs, **options):
    """An op whose result never requires gradients: comparisons, rounding to indices, tests."""
    return define(name, forward, inputs, "nondiff", **options)


def signature(primitive: Primitive) -> inspect.Signature:
    """The public parameters: inputs under PyTorch's names, then the forward's own."""
    kinds = inspect.Parameter
    shown = [
        kinds(
            PUBLIC_NAMES.get(name, name),
            kinds.POSITIONAL_OR_KEYWORD,
            default=None if name in getattr(primitive, "optional", ()) else kinds.empty,
        )
        for name in primitive.inputs
    ]
    if not isinstance(primitive.forward, np.ufunc):
        shown += list(inspect.signature(primitive.forward).parameters.values())[len(primitive.inputs) :]
    return inspect.Signature(shown)


_DTYPE_SENTENCES = {
    "common": "Inputs of unequal dtype are promoted as PyTorch does.",
    "float": "Integers become the default floating dtype.",
    None: "",
}
_SHAPE_SENTENCES = {
    "elementwise": "Any shapes that broadcast together; a result of the broadcast shape.",
    "nondiff": "The result does not require gradients.",
}


def docstring(primitive: Primitive) -> str:
    """Documentation of an op made from its table row: the summary, what shapes and dtypes do, what is saved, and an example."""
    parts = [primitive.summary or f"The op {primitive.name}."]
    facts = [_SHAPE_SENTENCES.get(primitive.kind, ""), _DTYPE_SENTENCES[primitive.promote]]
    if primitive.kind != "nondiff":
        saved = primitive.plan((1 << len(primitive.inputs)) - 1).saved_names
        names = ", ".join(PUBLIC_NAMES.get(n, n) for n in saved)
        facts.append(f"Saves for backward: {names or 'nothing'}.")
    parts.append(" ".join(fact for fact in facts if fact))
    if primitive.example:
        call, _, result = primitive.example.partition(" -> ")
        parts.append("\n".join([">>> import autograd_core as ac", f">>> {call}", *([result] if result else [])]))
    return "\n\n".join(part for part in parts if part)


# -- the public functions: a general one, and short paths for one and two plain float operands


def _general(primitive: Primitive):
    forward, apply = primitive.forward, primitive.apply
    direct = not primitive.residuals and not primitive.promote and not primitive.star

    def op(*args, **params):
        if direct and args and type(args[0]) is ndarray and not any(isinstance(a, Tensor) for a in args):
            return forward(*args, **params)
        return apply(args, params)

    return op


def _one_input(primitive: Primitive):
    """The function of an op with one input, one output, and parameters: reductions, views, casts."""
    forward, apply, plan = primitive.forward, primitive.apply, primitive.plan(1)
    names, is_view, has_rule = tuple(primitive.params), primitive.view, bool(plan.rules)

    def op(input, *args, **params):
        if type(input) is ndarray:
            return forward(input, *args, **params)
        mode = current_mode()
        if type(input) is not Tensor or input._meta is not None or mode.inference or len(args) > len(names):
            return apply((input, *args), params)
        if args:
            params = {**dict(zip(names, args)), **params}
        if params and not params.keys() <= primitive.params.keys():
            return apply((input,), params)
        x, edge = input._array, input._edge
        out = wrap(forward(x, **params))
        if edge is not None and mode.grad and has_rule and out._array.dtype.kind == "f":
            saved = pack_one(plan.saves, x, input._cell, out) if plan.saves else ()
            extra = extras(plan, (x,), params) if plan.extras else None
            out._edge = short_node(primitive, plan, (edge,), saved, extra, out._array, _getframe(1))
        if is_view:
            on_view[0](out, input, primitive, params, False)
        return out

    return op


def _unary(primitive: Primitive):
    forward, apply, plan = primitive.forward, primitive.apply, primitive.plan(1)
    saves = plan.saves

    def op(input):
        if type(input) is not Tensor or input._meta is not None:
            return forward(input) if type(input) is ndarray and input.dtype.kind == "f" else apply((input,), {})
        x, edge, mode = input._array, input._edge, current_mode()
        if mode.inference or (edge is None and x.dtype.kind != "f"):
            return apply((input,), {})
        array = forward(x)
        out = new(Tensor)
        out._array = array = array if type(array) is ndarray else np.asarray(array)
        out._cell = Version()
        out._edge = out._grad = out._meta = None
        if edge is not None and mode.grad:
            saved = pack_one(saves, x, input._cell, out) if saves else ()
            out._edge = short_node(primitive, plan, (edge,), saved, None, array, _getframe(1))
        return out

    return op


def _binary(primitive: Primitive):
    forward, apply = primitive.forward, primitive.apply
    plans = (None, primitive.plan(1), primitive.plan(2), primitive.plan(3))

    def op(input, other):
        if type(input) is not Tensor or input._meta is not None:
            return apply((input, other), {})
        x, x_edge, mode = input._array, input._edge, current_mode()
        kind = type(other)
        if kind is Tensor and other._meta is None:
            y, y_edge, y_cell = other._array, other._edge, other._cell
            plain = x.dtype is y.dtype
        else:
            y, y_edge, y_cell = other, None, FROZEN
            plain = kind is float or kind is int
        if not plain or mode.inference or (x_edge is None and x.dtype.kind != "f"):
            return apply((input, other), {})
        array = forward(x, y)
        out = new(Tensor)
        out._array = array = array if type(array) is ndarray else np.asarray(array)
        out._cell = cell = Version()
        out._edge = out._grad = out._meta = None
        if mode.grad and (x_edge is not None or y_edge is not None):
            plan = plans[(x_edge is not None) + 2 * (y_edge is not None)]
            saved = ()
            for j in plan.saves:
                if j == 0:
                    saved += ((x, input._cell, input._cell.count),)
                elif j == 1:
                    saved += ((y, y_cell, y_cell.count),)
                else:
                    saved += ((array, cell, 0),)
            out._edge = short_node(primitive, plan, (x_edge, y_edge), saved, None, array, _getframe(1))
        return out

    return op


def pack_one(saves, x, x_cell, out) -> tuple:
    """The saved values of an op with one input."""
    if saves == (0,):
        return ((x, x_cell, x_cell.count),)
    if saves == (1,):
        return ((out._array, out._cell, 0),)
    values = ((x, x_cell, x_cell.count), (out._array, out._cell, 0))
    return tuple([values[j] for j in saves])


def short_node(primitive, plan, edges, saved, extra, array, frame) -> Node:
    """The node of an op with one output: `record` for the short paths."""
    node = new(Node)
    node.op, node.plan, node.edges, node.saved, node.extra, node.seq = primitive, plan, edges, saved, extra, tick()
    node.shape, node.dtype, node.rare = array.shape, array.dtype, None
    code = frame.f_code
    node.source = user_position(3) if code.co_filename in PACKAGE_FILES else (code, frame.f_lasti)
    return node
