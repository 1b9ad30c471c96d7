"""Pickles, for what is no plain data: read with all that they ask for, or so that they run nothing that is not allowed.

A pickle names classes and functions, which are called where it is read. `read` looks each name up among what tensors
are made of and what a program has declared safe, by `add_safe_globals` or in a `with safe_globals(...)`.
"""

from __future__ import annotations

import io
import pickle
from collections import OrderedDict

import numpy as np

from .core import dtypes
from .core.device import device
from .core.size import Size
from .core.tensor import Parameter, Tensor

MARK = b"pickle of autograd_core\n"  # what stands before one, so that no other is taken for ours
SAFE: list = []
BUILDERS = [value.__reduce__()[0] for value in (np.ones(1), Tensor([]))]
BASIC = [Tensor, Parameter, np.ndarray, np.dtype, Size, device, OrderedDict, set, *BUILDERS]
DTYPES = {(dtypes.__name__, value.__reduce__()) for value in vars(dtypes).values() if isinstance(value, dtypes.dtype)}


def add_safe_globals(safe_globals: list) -> None:
    """Let pickles name these classes and functions also where `load` reads weights only.

    >>> import autograd_core as ac, io
    >>> from autograd_core.serialization import add_safe_globals, clear_safe_globals
    >>> add_safe_globals([ac.nn.Linear])
    >>> file = io.BytesIO(); ac.save(ac.nn.Linear(2, 1), file); _ = file.seek(0)
    >>> ac.load(file)
    Linear(in_features=2, out_features=1, bias=True)
    >>> clear_safe_globals()
    """
    SAFE.extend(safe_globals)


def get_safe_globals() -> list:
    """What has been declared safe."""
    return list(SAFE)


def clear_safe_globals() -> None:
    """Forget all that has been declared safe."""
    SAFE.clear()


class safe_globals:
    """A `with` block in which pickles may name these classes and functions, too.

    >>> import autograd_core as ac, io
    >>> from autograd_core.serialization import safe_globals
    >>> file = io.BytesIO(); ac.save(ac.nn.Linear(2, 1), file); _ = file.seek(0)
    >>> with safe_globals([ac.nn.Linear]):
    ...     ac.load(file)
    Linear(in_features=2, out_features=1, bias=True)
    """

    def __init__(self, safe_globals: list):
        self.listed = list(safe_globals)

    def __enter__(self) -> None:
        self.before = get_safe_globals()
        add_safe_globals(self.listed)

    def __exit__(self, *exception) -> None:
        SAFE[:] = self.before


class Reader(pickle.Unpickler):
    """Reads a pickle that names nothing but what is known to be safe."""

    def find_class(self, module: str, name: str):
        """What stands under a name, if it is safe: UnpicklingError otherwise, before any module is imported."""
        if (module, name) not in DTYPES | {(known.__module__, known.__qualname__) for known in (*BASIC, *SAFE)}:
            raise pickle.UnpicklingError(f"{module}.{name} was not an allowed global by default")
        return super().find_class(module, name)


def written(obj) -> bytes:
    """An object as a pickle."""
    return MARK + pickle.dumps(obj)


def read(contents: bytes, name: str, weights_only: bool):
    """The object in a file called `name` that `written` made."""
    stream = io.BytesIO(contents)
    stream.seek(len(MARK))
    if not weights_only:
        return pickle.load(stream)
    try:
        return Reader(stream).load()
    except pickle.UnpicklingError as error:
        remedy = "list in add_safe_globals what it may name, or load it with weights_only=False"
        raise refusal(f"{name} ({error})", remedy) from None


def refusal(name: str, remedy: str) -> pickle.UnpicklingError:
    """The error for a pickle that is not read."""
    return pickle.UnpicklingError(
        f"Weights only load failed: {name} holds a pickle, and loading a pickle runs any code that its author put "
        f"there. If you trust it, {remedy}"
    )
