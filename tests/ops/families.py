"""Which families of the calculus a sample calls."""

from __future__ import annotations

import functools
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import autograd_core as ac
from tests.ops.harness import Sample, leaves

TOOL = Path(__file__).parents[2] / "tools" / "make_catalogue.py"


@functools.cache
def catalogue() -> ModuleType:
    """The tool that knows which module makes a function."""
    spec = importlib.util.spec_from_file_location("make_catalogue", TOOL)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # a dataclass looks its module up
    spec.loader.exec_module(module)
    return module


def samples_of(module: str) -> str:
    """The file with the samples of a module: it lies in `tests` where the module lies in the package."""
    _, *folders, family = module.split(".")
    return "/".join(["tests", *folders, f"samples_{family}.py"])


@functools.cache
def homes() -> dict[str, str]:
    """Every public path, such as `nn.functional.relu` or `Tensor.mul_`, with the module that makes it."""
    made = {id(op): module.__name__ for module in catalogue().families() for op in catalogue().defined_in(module)}
    operators = {f"__{name}__": getattr(ac, name) for name in ("eq", "ne", "lt", "le", "gt", "ge")}
    for name, (op, swapped) in ac.ops.ARITHMETIC.items():
        operators |= {f"__{name}__": op, f"__r{name}__": swapped, f"__i{name}__": op}
    written = {
        name + "_": getattr(family, name) for family in ac.ops.FAMILIES for name in getattr(family, "IN_PLACE", ())
    }
    methods = {**operators, **written, **ac.ops.OTHER_METHODS}
    return {
        **{f"Tensor.{name}": made[id(op)] for name, op in methods.items() if id(op) in made},
        **{path: made[id(function.value)] for function in catalogue().functions() for path in function.paths},
    }


class Calls:
    """Records which public functions are called from outside of all others."""

    def __init__(self):
        self.paths: list[str] = []
        self.inside = False

    def watched(self, path: str, function: Callable) -> Callable:
        def call(*args, **kwargs):
            if self.inside:
                return function(*args, **kwargs)
            self.paths.append(path)
            self.inside = True
            try:
                return function(*args, **kwargs)
            finally:
                self.inside = False

        return call


class Watched:
    """A namespace whose functions are watched, and the namespaces below it."""

    def __init__(self, calls: Calls, space, prefix: str = ""):
        self.calls, self.space, self.prefix = calls, space, prefix

    def __getattr__(self, name: str):
        value, path = getattr(self.space, name), self.prefix + name
        if isinstance(value, ModuleType):
            return Watched(self.calls, value, path + ".")
        return self.calls.watched(path, value) if path in homes() else value


@contextmanager
def watched_methods(calls: Calls) -> Iterator[None]:
    """The methods, properties and operators of `Tensor` are watched."""
    names = [path.removeprefix("Tensor.") for path in homes() if path.startswith("Tensor.")]
    before = {name: vars(ac.Tensor)[name] for name in names if name in vars(ac.Tensor)}
    for name, value in before.items():
        if isinstance(value, property):
            setattr(ac.Tensor, name, property(calls.watched(f"Tensor.{name}", value.fget)))
        elif inspect.isfunction(value):
            setattr(ac.Tensor, name, calls.watched(f"Tensor.{name}", value))
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(ac.Tensor, name, value)


def called(sample: Sample) -> set[str]:
    """The modules whose functions a sample calls."""
    calls = Calls()
    tensors = leaves(ac, sample.inputs, requires_grad=False)
    with watched_methods(calls):
        sample.f(Watched(calls, ac), *tensors)
    return {homes()[path] for path in calls.paths}
