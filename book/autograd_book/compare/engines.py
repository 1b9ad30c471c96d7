"""Where the engines come from, and the settings under which they are comparable.

This is the only module that imports PyTorch or JAX for a comparison, so that JAX's flags are set before its first
import. JAX runs on the CPU, on one thread, in 64 bits, and nobody calls ``jit``; PyTorch runs on one thread.

A machine may have no PyTorch or no JAX; `load` then says which extra brings it.
"""

import importlib
import os
from importlib.util import find_spec
from types import ModuleType

MODULES = {"autograd_core": "autograd_core", "PyTorch": "torch", "JAX": "jax"}


def installed(engine: str) -> bool:
    """Whether `load` would find the module of an engine.

    >>> installed("autograd_core")
    True
    """
    return find_spec(MODULES[engine]) is not None


def load(engine: str) -> ModuleType:
    """Return the module of an engine, imported and set up.

    Parameters: ``engine`` is ``"autograd_core"``, ``"PyTorch"`` or ``"JAX"``.

    Raises `ValueError` for another name and `ModuleNotFoundError` for an engine that is not installed.

    >>> load("autograd_core").__name__
    'autograd_core'
    """
    if engine not in MODULES:
        raise ValueError(f"no engine is called {engine!r}; choose one of {', '.join(MODULES)}")
    if engine == "JAX":
        os.environ.setdefault("JAX_PLATFORMS", "cpu")
        os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
    try:
        module = importlib.import_module(MODULES[engine])
    except ModuleNotFoundError as error:
        if error.name != MODULES[engine]:
            raise
        raise ModuleNotFoundError(
            f"{engine} is not installed; in a copy of the repository, `pip install -e '.[book]'` brings it",
            name=error.name,
        ) from None
    if engine == "PyTorch":
        module.set_num_threads(1)
    elif engine == "JAX":
        module.config.update("jax_enable_x64", True)
    return module
