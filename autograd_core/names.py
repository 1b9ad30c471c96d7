"""What a public namespace shows, and what it says about a name that it does not have."""

from __future__ import annotations

import sys


def missing(owner, path: str, name: str) -> AttributeError:
    """The error for a name that `owner`, known to users as `path` ("ac.nn"), does not have.

    Python adds the nearest name that there is.
    """
    known = f"{path}.{name}".removeprefix("ac.")
    return AttributeError(
        f"autograd_core has no {known}: it follows PyTorch's names, and has the part of them that dir({path}) lists",
        name=name,
        obj=owner,
    )


def facade(module: str, public: list[str]) -> tuple:
    """`__getattr__` and `__dir__` of a module: `dir` lists what is public, and a name that is missing says so."""
    path = module.replace("autograd_core", "ac", 1)

    def __getattr__(name: str):
        raise missing(sys.modules[module], path, name)

    def __dir__() -> list[str]:
        return sorted(public)

    return __getattr__, __dir__
