"""The general road of a call: bind the arguments, compute on arrays, wrap the result, and record it if need be.

`apply` serves every call of every op. The function written for an op comes here with what is not plain: see `source`.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from . import dtypes
from .dtypes import HALF, SINGLE
from .modes import current_mode, tell
from .primitive import NUMBERS_FIRST, PUBLIC_NAMES, Primitive, narrowed, widened
from .record import has_half, record
from .silence import nameless, quiet
from .size import Size
from .tensor import Parameter, Tensor, edge_of, kind_of_results, of_kind, wrap
from .view import make_view

ndarray = np.ndarray

AXIS_NAMES = {"axis": "dim", "keepdims": "keepdim"}  # what else PyTorch lets these parameters be called
# Where forward mode joins: called with (primitive, inputs, params) for an op of which an input has a tangent.
on_dual: list[Callable] = []
# Where results are written into tensors of the caller's: called with (primitive, args, params) if `out` is given.
on_out: list[Callable] = []


UNCHANGING = frozenset({type(None), bool, int, float, str, tuple, Size, dtypes.dtype})  # what is kept as it is


class ForeignOperand(TypeError):
    """An operand of a type that no op takes; an operator answers it with NotImplemented."""


def explained(primitive: Primitive, arrays, error: Exception) -> Exception:
    """NumPy's error from a forward as PyTorch's, if shapes do not broadcast or a ufunc does not take the types."""
    shapes = [a.shape for a in arrays if isinstance(a, ndarray)]
    if isinstance(error, ValueError) and "broadcast" in str(error):
        rank = max(map(len, shapes))
        padded = [(1,) * (rank - len(shape)) + shape for shape in shapes]
        for dim in reversed(range(rank)):
            sizes = [shape[dim] for shape in padded if shape[dim] != 1]
            if len(set(sizes)) > 1:
                return RuntimeError(
                    f"{primitive.name}: The size of tensor a ({sizes[0]}) must match the size of tensor b "
                    f"({sizes[1]}) at non-singleton dimension {dim}. The shapes are "
                    f"{' and '.join(str(list(shape)) for shape in shapes)}."
                )
    if isinstance(error, TypeError) and isinstance(primitive.forward, np.ufunc):
        given = ", ".join(a.dtype.name if isinstance(a, ndarray) else type(a).__name__ for a in arrays)
        return RuntimeError(f"{primitive.name} is not defined for {given}")
    return error


@nameless
def promote(arrays: list, how: str, widens: bool = False) -> list:
    """Bring arrays of unequal type to their common one.

    Python numbers stay numbers, since NumPy lets them adapt, and integers wrap, unless they are to stay "whole"; None
    stays None. Where half precision is going to be
    widened, an array without axes keeps its digits, as a number does.
    """
    floats = {a.dtype for a in arrays if isinstance(a, ndarray)}
    if len(floats) == 1 and all(isinstance(a, ndarray) for a in arrays) and floats.pop().kind == "f":
        return arrays
    common = dtypes.result_type(*[a for a in arrays if a is not None])
    if how == "signed":
        refuse_bools(arrays)
    if how == "float" and common.kind != "f":
        common = dtypes.get_default_dtype().numpy
    if how == "number" and common.kind == "b":
        common = dtypes.int64.numpy
    alone = SINGLE if widens and common == HALF else common
    cast = [a.astype(common if a.ndim else alone) if hasattr(a, "dtype") and a.dtype != common else a for a in arrays]
    if common is not None and common.kind in "iu" and how != "whole":
        cast = [dtypes.wrapped(a, common) if type(a) is int else a for a in cast]
    return cast if any(hasattr(a, "dtype") for a in cast) else [np.asarray(a, common) for a in cast]


def refuse_bools(arrays: list) -> None:
    """Raise RuntimeError where an operand of a difference, or of a negation, is a bool."""
    bools = [dtypes.category(a) == dtypes.BOOL for a in arrays]
    if not any(bools):
        return
    if len(bools) == 2 and all(bools):
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
            "operator instead."
        )
    what = "Negation, the `-` operator, on" if len(bools) == 1 else "Subtraction, the `-` operator, with"
    raise RuntimeError(
        f"{what} a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` "
        "operator instead; to compute with 0 and 1, convert it with .int()."
    )


def with_torch_names(params: dict, known) -> dict:
    """Keyword arguments with NumPy's `axis` and `keepdims` under the names of the parameters they stand for.

    A name stays as it is where no parameter in `known` answers to it, or where that one is given too.
    """
    if AXIS_NAMES.keys().isdisjoint(params):
        return params
    renamed = dict(params)
    for name in AXIS_NAMES.keys() & params.keys():
        meant = AXIS_NAMES[name]
        if meant in known and meant not in renamed:
            renamed[meant] = renamed.pop(name)
    return renamed


def given(primitive: Primitive, params: dict, numpy_names: dict) -> dict:
    """The parameters of a call that had some under NumPy's names: without those that were left at their defaults."""
    return {name: v for name, v in params.items() if v is not primitive.params[name]} | numpy_names


def fixed(value):
    """A parameter as it is now, whatever the caller does later to a list, an array or a tensor given for it.

    A NumPy scalar is the Python number that it holds: as an operand is, so that its own type promotes nothing.
    """
    if isinstance(value, list):
        return tuple(map(fixed, value))
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, ndarray):
        return value.copy()
    return wrap(value._array.copy()) if isinstance(value, Tensor) else value


def takes_numpy_names(function):
    """Decorate a function made of ops so that it too may be called with `axis` and `keepdims`."""
    known = inspect.signature(function).parameters

    @functools.wraps(function)
    def call(*args, **params):
        if not params:
            return function(*args)
        return function(*args, **with_torch_names(params, known))

    return call


def also_called(**others: str):
    """Decorate a function so that parameters may be given under PyTorch's other names for them.

    `also_called(axis0="dim0")` lets a call say `axis0=1` and mean `dim0`.
    """

    def decorate(function):
        @functools.wraps(function)
        def call(*args, **params):
            if not params:
                return function(*args)
            return function(*args, **{others.get(name, name): value for name, value in params.items()})

        call.other_names = others  # type: ignore[attr-defined]
        return call

    return decorate


# Where they stand: `x.addmm(beta, alpha, ...)` has them behind x, `addmm(beta, x, alpha, ...)` around it.
NUMBER_PLACES: dict[tuple[str, ...], set[tuple[int, ...]]] = {
    ("alpha",): {(0,)},
    ("value",): {(1,)},
    ("beta", "alpha"): {(0,), (0, 2), (1,), (1, 2)},
}


def numbers_first(name: str, numbers: tuple[str, ...], args: tuple) -> tuple[list, dict]:
    """The operands and the numbers of a call that gives a number before an operand, as PyTorch once took it.

    It warns. TypeError where the arguments are not of that form.
    """
    operands = [arg for arg in args if isinstance(arg, Tensor)]
    given = {i: arg for i, arg in enumerate(args) if not isinstance(arg, Tensor)}
    if tuple(given) not in NUMBER_PLACES[numbers]:
        raise TypeError(f"{name}() got {len(args)} positional arguments; {' and '.join(numbers)} by name")
    named = dict(zip(numbers, given.values()))
    warnings.warn(
        f"This overload of {name} is deprecated: {', '.join(named)} before an operand. Write the operands first, then "
        f"{', '.join(f'{number}={value}' for number, value in named.items())}",
        UserWarning,
        stacklevel=4,
    )
    return operands, named


def bind(primitive: Primitive, args: tuple, params: dict) -> tuple[list, dict]:
    """Split a call into the inputs, the star group flattened, and the parameters by name.

    Raises TypeError for an argument that is missing, unknown, or given twice.
    """
    n = len(primitive.inputs)
    if len(args) == n and not params and not primitive.star and not primitive.required:
        return list(args), params
    if len(args) > n and primitive.name in NUMBERS_FIRST:
        operands, numbers = numbers_first(primitive.name, NUMBERS_FIRST[primitive.name], args)
        for name in numbers.keys() & params:
            raise TypeError(f"{primitive.name}() got multiple values for argument '{name}'")
        args, params = tuple(operands), {**numbers, **params}
    inputs = list(args[:n])
    if params:
        params = with_torch_names(params, primitive.params)
    if len(args) > n:
        extra = args[n:]
        most = len(primitive.params) - len(primitive.keyword_only)
        if len(extra) > most:
            raise TypeError(f"{primitive.name}() takes at most {n + most} positional arguments, got {len(args)}")
        positional = dict(zip(primitive.params, extra))
        for name in positional.keys() & params if params else ():
            raise TypeError(f"{primitive.name}() got multiple values for argument '{name}'")
        params = {**positional, **params}
    for name in primitive.inputs[len(inputs) :]:
        public = PUBLIC_NAMES.get(name, name)
        if public in params:
            params = dict(params)
            inputs.append(params.pop(public))
        elif name in primitive.optional:
            inputs.append(None)
        else:
            raise TypeError(f"{primitive.name}() missing required argument: '{public}'")
    for name in params:
        if name not in primitive.params:
            raise TypeError(f"{primitive.name}() got an unexpected keyword argument '{name}'")
        if isinstance(params[name], Tensor):
            params = {**params, name: as_number(primitive, name, params[name])}
        if type(primitive.params[name]) is bool and not isinstance(params[name], bool):
            raise TypeError(f"{primitive.name}(): argument '{name}' must be bool, not {type_name(params[name])}")
    for name in primitive.required:
        if name not in params:
            raise TypeError(f"{primitive.name}() missing required argument: '{name}'")
    if primitive.star:
        group = inputs.pop()
        if isinstance(group, (Tensor, ndarray)) or not hasattr(group, "__iter__"):
            name = PUBLIC_NAMES.get(primitive.inputs[-1], primitive.inputs[-1])
            raise TypeError(f"{primitive.name}(): '{name}' must be a tuple or list of tensors")
        inputs += group
    return inputs, params


def as_number(primitive: Primitive, name: str, value: Tensor):
    """A parameter that is given as a 0-d tensor. TypeError for a tensor with axes."""
    if value._array.ndim:
        shape = list(value._array.shape)
        raise TypeError(f"{primitive.name}(): argument '{name}' must be Number, not Tensor (its shape is {shape})")
    return value._array.item()


def unwrap(primitive: Primitive, inputs: list) -> tuple[list, list, bool]:
    """The arrays (or numbers) of the inputs, the edges that gradients will flow along, and whether there is any.

    While nothing is recorded there is none, and none where all are inference tensors. `inputs` itself is
    changed where an array becomes a constant tensor and a NumPy scalar a Python number.
    """
    arrays: list = []
    edges: list = []
    tracked = watched = False
    mode = current_mode()
    recording = mode.grad and not mode.inference
    rules, last = primitive.rules, len(primitive.rules) - 1
    for i, value in enumerate(inputs):
        if not isinstance(value, Tensor):
            value = inputs[i] = operand(primitive, i, value)
            if not isinstance(value, Tensor):
                arrays.append(value)
                edges.append(None)
                watched = watched or value is not None
                continue
        edge, meta = None, value._meta
        if recording and rules[i if i < last else last] is not None:
            edge = value._edge if meta is None else edge_of(value)
            tracked = tracked or edge is not None
        watched = watched or meta is None or not meta.inference
        arrays.append(value._array)
        edges.append(edge)
    return (arrays, edges, True) if tracked and watched else (arrays, [None] * len(edges), False)


def run(primitive, arrays: list, params: dict):
    """The forward on plain values, types promoted; a result of several parts is a tuple."""
    call = compute if primitive.is_silent else compute_quietly
    if primitive.promote:
        arrays = promote(arrays, primitive.promote, primitive.widens)
        if primitive.widens and has_half(arrays):
            return narrowed(call(primitive, [widened(a) for a in arrays], params))
    return call(primitive, arrays, params)


@nameless
def compute(primitive, arrays: list, params: dict):
    """The forward on plain values of their final types."""
    if primitive.star:
        n = len(primitive.inputs) - 1
        return primitive.forward(*arrays[:n], arrays[n:], **params)
    try:
        return primitive.forward(*arrays, **params)
    except (ValueError, TypeError) as error:
        raise explained(primitive, arrays, error) from None


compute_quietly = quiet(compute)


def apply(primitive: Primitive, args: tuple, params: dict):
    """Any call of any op."""
    if "out" in params:
        return on_out[0](primitive, args, params)
    inputs, params = bind(primitive, args, params)
    if params and not UNCHANGING.issuperset(map(type, params.values())):
        params = {name: v if type(v) in UNCHANGING else fixed(v) for name, v in params.items()}
    if not has_tensor(inputs):
        return _apply_to_arrays(primitive, inputs, params)
    special = has_meta(inputs)
    if special and has_dual(inputs):
        return on_dual[0](primitive, inputs, params)
    arrays, edges, tracked = unwrap(primitive, inputs)
    raw = run(primitive, arrays, params)
    values = raw if type(raw) is tuple else (raw,)
    n_out = len(values) - len(primitive.residuals)
    outs = [wrap(value) for value in values[:n_out]]
    if special and has_subclass(inputs):
        kind = kind_of_results(inputs)
        outs = [of_kind(out, kind) for out in outs]
    if tracked and (has_floats(outs) or (outs and refuse_dtype(primitive, outs[0]._array.dtype))):
        record(primitive, inputs, edges, arrays, outs, values[n_out:], params)
    if primitive.view:
        for out in outs:
            make_view(out, inputs[0], primitive, params, len(outs) > 1 or primitive.many)
    if current_mode().observers:
        tell(primitive.name, inputs, outs)
    if primitive.result_type is not None:
        return primitive.result_type(*outs)
    return tuple(outs) if primitive.many else outs[0]


def has_tensor(values) -> bool:
    """Whether any of the values is a tensor."""
    for value in values:  # noqa: SIM110 (`any` with a generator takes twice as long)
        if isinstance(value, Tensor):
            return True
    return False


def arrays_of(group) -> list | None:
    """The arrays of a group of tensors of which nothing has to be looked up; None for any other or empty one."""
    if not isinstance(group, (list, tuple)):
        return None
    for tensor in group:
        if not isinstance(tensor, Tensor) or tensor._meta is not None:
            return None
    return [tensor._array for tensor in group] or None


def has_meta(values) -> bool:
    """Whether any of the values is a tensor with a `Meta`, as those with a tangent or of a user's class are."""
    for value in values:  # noqa: SIM110 (as above)
        if isinstance(value, Tensor) and value._meta is not None:
            return True
    return False


def has_dual(values) -> bool:
    """Whether any of the values is a tensor with a tangent, or a view of one."""
    for value in values:
        meta = value._meta if isinstance(value, Tensor) else None
        if meta is not None:
            if meta.dual is not None:
                return True
            if meta.view is not None and meta.view.base._meta is not None and meta.view.base._meta.dual is not None:
                return True
    return False


def has_subclass(values) -> bool:
    """Whether any of the values is of a class that a user made of Tensor."""
    for value in values:
        kind = type(value)
        if kind is not Tensor and kind is not Parameter and isinstance(value, Tensor):
            return True
    return False


def has_floats(tensors) -> bool:
    """Whether any of the tensors has a type that carries gradients."""
    for tensor in tensors:  # noqa: SIM110 (as above)
        if tensor._array.dtype.kind == "f":
            return True
    return False


def refuse_dtype(primitive: Primitive, dtype) -> bool:
    """Raise RuntimeError where the result of a tracked input is of a type that takes the gradient from it.

    Only a conversion may: it says so by its name.
    """
    if primitive.name == "to_copy" or primitive.view:
        return False
    instead = "leave the dtype out and convert the result" if "dtype" in primitive.params else "convert the other one"
    raise RuntimeError(
        f"{primitive.name}(): Autograd not support dtype: {dtypes.OF_NUMPY[dtype].name} carries no gradients, and an "
        f"input requires them. Call it on input.detach(), or {instead}."
    )


def _apply_to_arrays(primitive, inputs: list, params: dict):
    if inputs and not any(isinstance(t, (ndarray, np.generic)) for t in inputs):
        given = ", ".join(map(type_name, inputs))
        raise TypeError(f"{primitive.name}(): argument 'input' must be Tensor, not {given}; wrap it in ac.tensor(...)")
    raw = run(primitive, inputs, params)
    if primitive.residuals:
        raw = raw[: len(raw) - len(primitive.residuals)]
        return raw if primitive.many or len(raw) > 1 else raw[0]
    return raw


def operand(primitive: Primitive, i: int, value):
    """Input `i` as given, except that an array becomes a constant tensor and a NumPy scalar a Python number."""
    if type(value) in (int, float, bool):
        return value
    if value is None and (primitive.star or primitive.inputs[i] in primitive.optional):
        return None
    if isinstance(value, ndarray):
        dtypes.as_dtype(value.dtype)
        return wrap(value)
    if isinstance(value, np.generic):
        return value.item()
    name = primitive.inputs[min(i, len(primitive.inputs) - 1)]
    raise ForeignOperand(
        f"{primitive.name}(): argument '{PUBLIC_NAMES.get(name, name)}' must be a tensor, an array or a number, not "
        f"{type_name(value)}; wrap it in ac.tensor(...)"
    )


def type_name(value) -> str:
    """The type of an operand in an error message; a tensor of another library with the library's name."""
    kind = type(value)
    return f"{kind.__module__.partition('.')[0]}.Tensor" if kind.__name__ == "Tensor" else kind.__name__


def general_function(primitive: Primitive) -> Any:
    forward = primitive.forward
    direct = not primitive.residuals and not primitive.promote and not primitive.star

    def op(*args, **params):
        if direct and args and type(args[0]) is ndarray and not has_tensor(args):
            try:
                return forward(*args, **params)
            except TypeError:
                bind(primitive, args, params)  # where an argument is wrong, this names it and the op
                raise
        return apply(primitive, args, params)

    return op
