"""What a public namespace shows, and what it says about a name that it does not have."""

from __future__ import annotations

import sys


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


def facade(module: str, public: list[str]) -> tuple:
    """`__getattr__` and `__dir__` of a module: `dir` lists what is public, and a name that is missing says so."""
    path = module.replace("autograd_core", "ac", 1)

    def __getattr__(name: str):
        if name[:2] == "__":  # Python asks, at each `from module import name`, whether the module has a __path__
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        raise missing(sys.modules[module], path, name)

    def __dir__() -> list[str]:
        return sorted(public)

    return __getattr__, __dir__
