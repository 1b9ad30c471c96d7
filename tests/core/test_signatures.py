"""Public functions take their arguments as PyTorch's do: each parameter by the same name, in the same place, with the
same default.

What PyTorch's Python functions take is read from themselves, what those in C++ take from their stubs or, in `linalg`,
`special` and `nn.functional`, from the schemas of their operators. Functions with several forms differ where ours
agrees with none of them.
"""

import ast
import fnmatch
import functools
import importlib
import inspect
from pathlib import Path
from types import ModuleType

import pytest
import torch

import autograd_core as ac

SPACES = [
    *("", "Tensor", "amp", "autograd", "autograd.forward_ad", "autograd.functional", "autograd.graph", "cuda"),
    *("cpu", "distributions", "distributions.constraints", "distributions.kl", "distributions.transforms", "func"),
    *("jit", "linalg", "masked", "nn", "nn.attention", "nn.functional", "nn.init", "nn.modules.module"),
    *("nn.parameter", "nn.utils", "nn.utils.parametrizations", "nn.utils.parametrize", "nn.utils.prune"),
    *("nn.utils.rnn", "optim", "optim.lr_scheduler", "optim.swa_utils", "serialization", "special", "testing"),
    *("utils.checkpoint", "utils.data"),
]
REQUIRED = inspect.Parameter.empty
STUBS = Path(torch.__file__).parent / "_C"

# -- what PyTorch takes: for each form of a function a list of (name, kind, default)


def written(node):
    """A default in a stub."""
    if node is None:
        return REQUIRED
    return eval(ast.unparse(node), {"torch": torch, "inf": float("inf"), **vars(torch)})


def forms_in(body) -> dict[str, list]:
    """The forms of the functions in a stub, but for those with names of axes."""
    found: dict[str, list] = {}
    for node in body:
        if not isinstance(node, ast.FunctionDef) or "DimnameList" in ast.unparse(node.args):
            continue
        args = node.args
        places = [*args.posonlyargs, *args.args]
        defaults = [None] * (len(places) - len(args.defaults)) + args.defaults
        form = [(one.arg, "place", written(default)) for one, default in zip(places, defaults)]
        form += [(args.vararg.arg, "several", REQUIRED)] if args.vararg else []
        form += [(one.arg, "name", written(default)) for one, default in zip(args.kwonlyargs, args.kw_defaults)]
        found.setdefault(node.name, []).append(form)
    return found


@functools.cache
def stubs() -> tuple[dict, dict]:
    """The forms of functions, and of methods. Left out is what calls an operand `self`: a number, or the old orders."""
    functions = forms_in(ast.parse((STUBS / "_VariableFunctions.pyi").read_text()).body)
    body = ast.parse((STUBS / "__init__.pyi").read_text()).body
    methods = forms_in(next(n for n in body if isinstance(n, ast.ClassDef) and n.name == "TensorBase").body)
    for name, forms in functions.items():
        functions[name] = [form for form in forms if all(one != "self" for one, *_ in form)] or forms
    return functions, {name: [form[1:] for form in forms] for name, forms in methods.items()}


def schemas(operator: str) -> list:
    """The forms of an operator, but for those that write into a result."""
    found = []
    for schema in torch._C._jit_get_schemas_for_operator(f"aten::{operator}"):
        if not any(one.is_out for one in schema.arguments):
            found.append(
                [
                    (
                        "input" if one.name == "self" else one.name,
                        "name" if one.kwarg_only else "place",
                        one.default_value if one.has_default_value() else REQUIRED,
                    )
                    for one in schema.arguments
                ]
            )
    return found


KINDS = {
    inspect.Parameter.VAR_POSITIONAL: "several",
    inspect.Parameter.VAR_KEYWORD: "others",
    inspect.Parameter.KEYWORD_ONLY: "name",
}


def form_of(function) -> list:
    """The form that a Python function shows."""
    parameters = inspect.signature(function).parameters.values()
    return [(one.name, KINDS.get(one.kind, "place"), one.default) for one in parameters]


def forms_of(space: str, name: str, function) -> list | None:
    """All forms of PyTorch's function; None where it does not tell."""
    functions, methods = stubs()
    if space == "" and name in functions:
        return functions[name]
    if space == "Tensor":
        return [form_of(function)[1:]] if inspect.isfunction(function) else methods.get(name)
    if space in ("linalg", "special") and not inspect.isfunction(function):
        return schemas(f"{space}_{name}") or None
    either = getattr(torch.nn.functional, f"_{name}", None)
    if space == "nn.functional" and name.partition("_")[0] in ("max", "adaptive", "fractional") and either:
        return [form_of(either)]  # one of two, by whether indices are asked for
    try:
        return [form_of(function)]
    except (TypeError, ValueError):
        return None if inspect.isclass(function) else schemas(name) or None


# -- comparing


def plain(default):
    """A default in words that both libraries share. One number stands for a tuple of it, None for an empty one."""
    if default is REQUIRED:
        return "required"
    if isinstance(default, (list, tuple)):
        return (plain(default[0]) if len({*default}) == 1 else tuple(map(plain, default))) if default else None
    if type(default).__module__.partition(".")[0] in ("torch", "autograd_core"):
        word = str(default).rpartition(".")[2]
        return None if word in ("preserve_format", "contiguous_format") else word
    return getattr(default, "__name__", default) if callable(default) else default


def differences(function, theirs: list, is_method: bool) -> list[str]:
    """What is not alike, for each parameter."""
    ours = form_of(function)[is_method:]
    called = getattr(function, "other_names", {})
    places = [name for name, kind, _ in ours if kind == "place"]
    kinds, default_of = {kind for _, kind, _ in ours}, {name: default for name, _, default in ours}
    by_place = {called.get(name, name) for form in theirs for name, kind, _ in form if kind == "place"}
    seen: dict[str, list] = {}
    found = []
    for form in theirs:
        for place, (public, kind, default) in enumerate(form):
            name = called.get(public, public)
            if kind == "several":
                found += [] if "several" in kinds else [f"{public} one by one"]
            elif kind == "others" or public == "out":
                continue
            elif name not in default_of:
                found.append(f"{public} missing")
            else:
                seen.setdefault(name, []).append(plain(default))
                if kind == "place" and name not in places:
                    found += [] if "several" in kinds else [f"{public} by name only"]
                elif kind == "place" and places.index(name) != place:
                    found.append(f"{public} in place {places.index(name)}, not {place}")
                elif kind == "name" and name in places and name not in by_place:
                    found.append(f"{public} by place")
    for name, kind, default in ours:
        if kind in ("several", "others") or name == "out":
            continue
        if name not in seen:
            found.append(f"{name} besides")
        elif plain(default) not in seen[name] and not ("required" in seen[name] and len(seen[name]) < len(theirs)):
            found.append(f"{name}={plain(default)!r} for {seen[name][0]!r}")
    return list(dict.fromkeys(found))


INNER = ("autograd_core.core.dtypes", "autograd_core.core.device", "autograd_core.core.size")  # classes of C++ there


def pairs(space: str):
    """The functions and classes that both libraries have under a name, with PyTorch's forms of it."""
    ours = functools.reduce(getattr, space.split("."), ac) if space else ac
    theirs = torch.Tensor if space == "Tensor" else importlib.import_module(f"torch.{space}".rstrip("."))
    for name in dir(ours):
        mine, other = getattr(ours, name), getattr(theirs, name, None)
        if name[0] == "_" or other is None or isinstance(mine, ModuleType) or not callable(mine):
            continue
        if not getattr(mine, "__module__", "autograd_core").startswith("autograd_core"):
            continue
        if inspect.isclass(mine) and (issubclass(mine, BaseException) or mine.__module__.startswith(INNER)):
            continue
        forms = forms_of(space, name, other)
        if forms is not None:
            is_method = space == "Tensor" and not isinstance(
                inspect.getattr_static(ours, name), (classmethod, staticmethod)
            )
            yield name, mine, forms, is_method


# -- what differs on purpose: `space.name: what`, with * for anything

APART = {
    "a form of its own, chosen by what is given": [
        *(".arange: end*", ".normal: mean=0.0 *", ".randint: *", ".randint_like: *", ".repeat_interleave: repeats *"),
        *("*repeat_interleave: repeats=None *", ".result_type: *", "Tensor.random_: to *", "Tensor.set_: *"),
        *(".max: other by name only", ".min: other by name only", "Tensor.max: other *", "Tensor.min: other *"),
        *(".scatter: value *", "Tensor.scatter*: value *", "*std*: unbiased in place *", "*var*: unbiased in place *"),
        *(".full: names missing", ".rsub: alpha *"),
    ],
    "a dtype of its own for a product is for CUDA: torch refuses it on the CPU": ["*: out_dtype missing"],
    "taken one by one, as a test of each says": [
        *("Tensor.broadcast_to: *", "Tensor.count_nonzero: *", "Tensor.?split: *", "Tensor.expand: size *"),
        *("Tensor.flip: *", "Tensor.permute: *", "Tensor.repeat: *", "Tensor.reshape: *", "Tensor.squeeze*: *"),
        *("Tensor.sum_to_size: *", "Tensor.tile: *"),
    ],
    "an in-place method, which is a function too": [".*_: input missing", ".*_: self besides"],
    "what is for the compiler goes into *args and **kwargs": ["jit.trace: *"],
    "PyTorch's stub or signature does not say what is taken": [
        ".is_autocast_enabled: device_type besides",
        *("Tensor.*: memory_format besides", "Tensor.requires_grad_: *", "Tensor.new: *", "Tensor.new_tensor: *"),
        *(
            ".tensor: *",
            "*no_grad: orig_func besides",
            "Tensor.copy_: *",
            "Tensor.expand: implicit missing",
            ".numel: *",
        ),
    ],
    "PyTorch takes (*args, **kwargs) and looks into them": [
        *(".einsum: *", ".lu: *", ".unique*: *", "nn.LSTM: *", "nn.GRU: *", "nn.RNN: *"),
    ],
    "None says that nothing is given, and means PyTorch's default": [
        *(".trapezoid: dx=None *", ".trapz: dx=None *", ".cumulative_trapezoid: dx=None *"),
        *("utils.data.random_split: generator=None *",),
    ],
    "what saves memory for another library's files, or runs code from them": ["*load: *", "*save: *"],
    "one function under both names, of which the other takes it": [
        *(".max_pool?d*: return_indices besides", "special.log_softmax: dtype by place"),
    ],
    "inside of PyTorch": [
        *("nn.functional.elu_: *", "nn.functional.rrelu_: generator missing", "*GradientEdge: ownership_token *"),
        *("*RemovableHandle: *", ".UntypedStorage: *", ".Storage: *"),
    ],
    "CUDA is never there, whatever the device": ["cuda.*: device*"],
    "a keyword that PyTorch hides in **kwargs": ["utils.checkpoint.checkpoint: preserve_rng_state besides"],
    "the positions that sort a sequence are an operand": [".searchsorted: sorter by place"],
}


@pytest.mark.parametrize("space", SPACES)
def test_parameters_are_those_of_torch(space):
    listed = [pattern for patterns in APART.values() for pattern in patterns]
    unlike = [
        f"{space}.{name}: {what}"
        for name, function, forms, is_method in pairs(space)
        for what in differences(function, forms, is_method)
    ]
    assert [one for one in unlike if not any(fnmatch.fnmatchcase(one, pattern) for pattern in listed)] == []


def test_every_difference_that_is_listed_is_there_and_nothing_is_left_out():
    compared, unlike = 0, []
    for space in SPACES:
        for name, function, forms, is_method in pairs(space):
            compared += 1
            unlike += [f"{space}.{name}: {what}" for what in differences(function, forms, is_method)]
    listed = [pattern for patterns in APART.values() for pattern in patterns]
    assert [pattern for pattern in listed if not fnmatch.filter(unlike, pattern)] == []
    assert compared > 1600


# -- methods

METHODS_APART = {
    "what PyTorch takes as (*args, **kwargs), or any number of inputs, and looks into": [
        *("to *", "forward (*args, **kwargs) *", "forward (input, hx=None) *", "initialize_parameters *"),
        "__call__ (*args, **kwargs) *",
    ],
    "several classes share a method": ["extend *", "check (value) *"],
    "PyTorch's signature is that of an abstract class": ["register_hook *", "register_prehook *"],
}


def shown(form: list) -> str:
    """A form in one line."""
    marks = {"several": "*", "others": "**"}
    texts = [
        marks.get(kind, "=" if kind == "name" else "") + name + ("" if plain(d) == "required" else f"={plain(d)!r}")
        for name, kind, d in form
    ]
    return f"({', '.join(texts)})"


def unlike_methods(space: str):
    """The public methods that both libraries have, and differ."""
    for name, ours, *_ in pairs(space):
        theirs = getattr(importlib.import_module(f"torch.{space}"), name)
        if not (inspect.isclass(ours) and inspect.isclass(theirs)) or issubclass(ours, ac.Tensor):
            continue
        for method in dir(theirs):
            public = method[0] != "_" or method in ("__call__", "__getitem__", "__setitem__")
            pair = [getattr(kind, method, None) for kind in (ours, theirs)]
            if public and all(map(inspect.isroutine, pair)) and inspect.isfunction(pair[1]):
                mine, other = (shown(form_of(one)[1:]) for one in pair)
                if mine != other:
                    yield f"{method} {mine} for {other} in {name}"


@pytest.mark.parametrize(
    "space",
    [
        *("autograd.graph", "distributions", "distributions.constraints", "distributions.transforms", "nn"),
        *("nn.utils.prune", "optim", "optim.lr_scheduler", "optim.swa_utils", "utils.data"),
    ],
)
def test_methods_take_what_those_of_torch_take(space):
    listed = [pattern for patterns in METHODS_APART.values() for pattern in patterns]
    assert [one for one in unlike_methods(space) if not any(fnmatch.fnmatchcase(one, p) for p in listed)] == []
