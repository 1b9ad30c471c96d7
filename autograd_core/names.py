"""What a public namespace shows, and what it says about a name that it does not have."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Mapping


def missing(owner, path: str, name: str) -> AttributeError:
    """The error for a name that `owner`, known to users as `path` ("ac.nn"), does not have.

    It says whether PyTorch has the name. Python adds the nearest name that there is.
    """
    from ._torch_names import MISSING, VERSION  # read only when a name is missing

    space = path.removeprefix("ac").removeprefix(".")
    known = f"{space}.{name}".removeprefix(".")
    where = f"dir({path}) lists what there is"
    if name in MISSING.get(space, "").split():
        text = f"autograd_core has no {known}: PyTorch has it, and it is not among the names taken over; {where}"
    elif name[0] == "_":
        text = f"autograd_core has no {known}, a name that is nobody's promise, in PyTorch neither; {where}"
    else:
        text = f"autograd_core has no {known}, and neither has PyTorch {VERSION}; {where}"
    return AttributeError(text, name=name, obj=owner)


def facade(module: str, public: Iterable[str]) -> tuple:
    """`__getattr__` and `__dir__` of a module: `dir` lists what is public, and a name that is missing says so."""
    path = module.replace("autograd_core", "ac", 1)

    def __getattr__(name: str):
        if name[:2] == "__":  # Python asks, at each `from module import name`, whether the module has a __path__
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        raise missing(sys.modules[module], path, name)

    def __dir__() -> list[str]:
        return sorted(public)

    return __getattr__, __dir__


def on_demand(module: str, homes: Mapping[str, str]) -> tuple:
    """`__getattr__`, `__dir__` and `__all__` of a package that imports a module when one of its names is asked for.

    `homes` has, for each module, the names that the package shows from it; "." stands for the package, whose modules
    are public names themselves. A module with the name of something in it would stand in its place, and is imported
    at once.
    """
    places = {name: home for home, names in homes.items() for name in names.split()}
    public = sorted(name for name in places if name[0] != "_")
    missing_name, __dir__ = facade(module, public)

    def take_over(home: str) -> dict:
        found = importlib.import_module(home, module)
        shown = vars(sys.modules[module])
        shown.update({name: getattr(found, name) for name in homes[home].split()})
        return shown

    def __getattr__(name: str):
        home = places.get(name)
        if home == "." or f".{name}" in homes:
            return importlib.import_module(f".{name}", module)
        return take_over(home)[name] if home else missing_name(name)

    for home, names in homes.items():
        if home.rpartition(".")[2] in names.split():
            take_over(home)
    return __getattr__, __dir__, public
