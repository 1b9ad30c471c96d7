"""Switches of PyTorch that decide how it computes, for programs that set them: here they change no result.

There is one way to compute: op by op, on this machine's processor, the same each time.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable

_threads = {"set_num_threads": 1, "set_num_interop_threads": 1}
_deterministic = {"mode": False, "warn_only": False}
_precision = "highest"


def compile(
    model: Callable | None = None,
    *,
    fullgraph: bool = False,
    dynamic: bool | None = None,
    backend: str | Callable | None = None,
    mode: str | None = None,
    options: dict | None = None,
    name: str | None = None,
    disable: bool = False,
    recompile_limit: int | None = None,
    isolate_recompiles: bool = False,
    shapes_spec=None,
) -> Callable:
    """The function or the module itself, which runs op by op as it is, with a UserWarning that says so.

    Without `model`, a decorator. TypeError for what is not callable, RuntimeError for `mode` with `options`.

    >>> import autograd_core as ac
    >>> @ac.compile(disable=True)
    ... def square(x):
    ...     return x * x
    >>> square(ac.tensor(3.0))
    tensor(9.)
    """
    if mode is not None and options is not None:
        raise RuntimeError("Either mode or options can be specified, but both can't be specified at the same time.")
    if model is None:
        return lambda model: compile(model, mode=mode, options=options, disable=disable)
    if not callable(model):
        raise TypeError(f"compile: A callable function is expected, but {type(model)} is provided.")
    if not disable:
        warnings.warn("autograd_core does not compile: the program runs eagerly, with the same results", stacklevel=2)
    return model


def _set_threads(name: str, n: int) -> None:
    if not isinstance(n, int):
        raise RuntimeError(f"{name} expects an int, but got {type(n).__name__}")
    if n <= 0:
        raise RuntimeError(f"{name} expects a positive integer, got {n}")
    _threads[name] = n


def set_num_threads(num: int) -> None:
    """Take a number of threads, which `get_num_threads` returns. NumPy's own are set before Python starts.

    The variables OMP_NUM_THREADS and OPENBLAS_NUM_THREADS of the environment say how many threads a matrix product
    takes. RuntimeError for what is no positive int.

    >>> import autograd_core as ac
    >>> ac.set_num_threads(1)
    """
    _set_threads("set_num_threads", num)


def get_num_threads() -> int:
    """The number that `set_num_threads` took; 1 before.

    >>> import autograd_core as ac
    >>> ac.get_num_threads()
    1
    """
    return _threads["set_num_threads"]


def set_num_interop_threads(num: int) -> None:
    """Take a number of threads for ops side by side, of which there are none. RuntimeError for no positive int.

    >>> import autograd_core as ac
    >>> ac.set_num_interop_threads(1)
    """
    _set_threads("set_num_interop_threads", num)


def get_num_interop_threads() -> int:
    """The number that `set_num_interop_threads` took; 1 before.

    >>> import autograd_core as ac
    >>> ac.get_num_interop_threads()
    1
    """
    return _threads["set_num_interop_threads"]


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Ask for results that are the same each time, which they always are. TypeError unless `mode` is a bool.

    >>> import autograd_core as ac
    >>> ac.use_deterministic_algorithms(True); ac.are_deterministic_algorithms_enabled()
    True
    >>> ac.use_deterministic_algorithms(False)
    """
    if not isinstance(mode, bool):
        raise TypeError(f"use_deterministic_algorithms(): argument 'mode' must be bool, not {type(mode).__name__}")
    _deterministic.update(mode=mode, warn_only=warn_only)


def are_deterministic_algorithms_enabled() -> bool:
    """Whether `use_deterministic_algorithms(True)` was called last.

    >>> import autograd_core as ac
    >>> ac.are_deterministic_algorithms_enabled()
    False
    """
    return _deterministic["mode"]


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Whether `use_deterministic_algorithms` was last called with `warn_only`.

    >>> import autograd_core as ac
    >>> ac.is_deterministic_algorithms_warn_only_enabled()
    False
    """
    return _deterministic["warn_only"]


def set_float32_matmul_precision(precision: str) -> None:
    """Allow products of float32 matrices less precision, "high" or "medium", which they never take; or "highest".

    Another word is warned of, and changes nothing.

    >>> import autograd_core as ac
    >>> ac.set_float32_matmul_precision("highest")
    """
    global _precision
    if precision not in ("highest", "high", "medium"):
        warnings.warn(
            f"{precision} is not one of 'highest', 'high', or 'medium'; set_float32_matmul_precision has no effect",
            stacklevel=2,
        )
        return
    _precision = precision


def get_float32_matmul_precision() -> str:
    """The word that `set_float32_matmul_precision` took.

    >>> import autograd_core as ac
    >>> ac.get_float32_matmul_precision()
    'highest'
    """
    return _precision
