"""Grad modes: whether ops are recorded, per thread and per task.

The mode lives in a `ContextVar`, so threads and asyncio tasks are isolated. Generators are not: a bare `with
no_grad():` around a `yield` leaks into the caller until the generator goes on, as in PyTorch. A *decorated*
generator function switches around every step.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from contextvars import ContextVar
from functools import partial
from typing import Any

from .version import Version, VersionInside

PARTS = ("grad", "inference", "saved_hooks", "anomaly", "observers", "levels", "transform")  # what a mode is made of


class Mode:
    """How the code that runs now is treated.

    `grad`: ops are recorded. `inference`: what is made is outside autograd for good. `saved_hooks`: (pack, unpack,
    those around them), through which saved tensors go, or a message that forbids such hooks. `anomaly`: None, or
    whether NaN counts as an error beside exceptions. `observers` are told of each op and act: see `tell`. `levels` are
    those of forward mode whose tangents count, innermost last. `transform` is the innermost function transform, None
    outside of all, and `version` makes the version of a storage there.

    Most code runs in the two modes RECORDING and SILENT, which are `plain`: the functions written for ops ask for no
    more than that.
    """

    __slots__ = (
        "anomaly",
        "grad",
        "inference",
        "levels",
        "observers",
        "plain",
        "saved_hooks",
        "transform",
        "version",
    )

    def __init__(
        self, grad=True, inference=False, saved_hooks=None, anomaly=None, observers=(), levels=(), transform=None
    ):
        self.grad, self.inference, self.saved_hooks = grad, inference, saved_hooks
        self.anomaly, self.observers, self.levels, self.transform = anomaly, observers, levels, transform
        self.version = Version if transform is None else partial(VersionInside, transform.number)
        self.plain = not (inference or isinstance(saved_hooks, tuple) or anomaly is not None or observers or levels)

    def but(self, **changes) -> Mode:
        """The mode that differs from this one in the given parts."""
        if (self is RECORDING or self is SILENT) and "grad" in changes and len(changes) == 1:
            return RECORDING if changes["grad"] else SILENT
        parts = {name: getattr(self, name) for name in PARTS}
        return Mode(**{**parts, **changes})


RECORDING, SILENT = Mode(), Mode(grad=False)

_mode: ContextVar[Mode] = ContextVar("autograd_core.mode", default=RECORDING)
current_mode = _mode.get


def is_grad_enabled() -> bool:
    """True where ops on tensors that require gradients are recorded.

    >>> import autograd_core as ac
    >>> with ac.no_grad():
    ...     ac.is_grad_enabled()
    False
    """
    return current_mode().grad


def is_inference_mode_enabled() -> bool:
    """True inside `inference_mode()`.

    >>> import autograd_core as ac
    >>> ac.is_inference_mode_enabled()
    False
    """
    return current_mode().inference


class Transform:
    """One call of a function transform: its number, and the versions of the tensors that its function is given."""

    def __init__(self, number: int, given):
        self.number, self.given = number, frozenset(given)

    def captures(self, version: Version) -> bool:
        """Whether a storage with this version comes from outside, and not as an argument."""
        return version.born < self.number and version not in self.given


def refuse_in_transform(method: str, or_perhaps: str = "") -> None:
    """Raise where a function transform runs: to ask for gradients, or that they be kept, is its business there."""
    if current_mode().transform is not None:
        raise RuntimeError(
            f"You are attempting to call Tensor.{method}(){or_perhaps} inside of a function being transformed by a "
            f"functorch transform. {method}() called inside a functorch transform (grad, vjp, jvp, jacrev, jacfwd, "
            "hessian of func) is not supported: use transforms there, which nest, or call it outside of the function."
        )


class ModeSwitch:
    """A context manager that changes parts of the mode, and a decorator for functions, coroutines and generators.

    These parts are put back as they were, and no others: switches need not be left in the order they were entered in.
    It is done by value, since a token would refuse to be reset from another context.
    """

    def __init__(self):
        self._entered: list[tuple[Mode, Mode, dict]] = []

    def _changes(self, outside: Mode) -> dict:
        """The parts of the mode that are different inside, with their new values."""
        raise NotImplementedError

    def _copy(self):
        return type(self)()

    def __enter__(self) -> Any:
        outside = current_mode()
        changes = self._changes(outside)
        inside = outside.but(**changes)
        self._entered.append((outside, inside, changes))
        _mode.set(inside)

    def __exit__(self, *_exception) -> None:
        if not self._entered:
            raise RuntimeError(f"{type(self).__name__} is left more often than it was entered")
        (outside, inside, changes), now = self._entered.pop(), current_mode()
        _mode.set(outside if now is inside else now.but(**{part: getattr(outside, part) for part in changes}))

    def __call__(self, orig_func):
        if inspect.isclass(orig_func):
            warnings.warn(
                "Decorating classes is deprecated and will be disabled in future versions: only construction is "
                "inside, and the class becomes a function. Decorate its __init__, or other methods, instead.",
                FutureWarning,
                stacklevel=2,
            )
        if inspect.isgeneratorfunction(orig_func):
            return _switch_around_steps(orig_func, self._copy)
        if inspect.iscoroutinefunction(orig_func):

            @functools.wraps(orig_func)
            async def inside(*args, **kwargs):
                with self._copy():
                    return await orig_func(*args, **kwargs)

        else:

            @functools.wraps(orig_func)
            def inside(*args, **kwargs):
                with self._copy():
                    return orig_func(*args, **kwargs)

        return inside


def _switch_around_steps(orig_func, switch):
    """Wrap a generator orig_func so that its own code, and only that, runs inside `switch()`."""

    @functools.wraps(orig_func)
    def generator(*args, **kwargs):
        steps = orig_func(*args, **kwargs)
        resume = functools.partial(next, steps)
        while True:
            try:
                with switch():
                    item = resume()
            except StopIteration as stop:
                return stop.value
            try:
                sent = yield item
            except GeneratorExit:
                with switch():
                    steps.close()
                raise
            except BaseException as error:
                resume = functools.partial(steps.throw, error)
            else:
                resume = functools.partial(steps.send, sent)

    return generator


class _PlainSwitch(ModeSwitch):
    """A switch without arguments; `@no_grad` works like `@no_grad()`."""

    def __new__(cls, orig_func=None):
        return super().__new__(cls) if orig_func is None else cls()(orig_func)

    def __init__(self, orig_func=None):
        super().__init__()


class no_grad(_PlainSwitch):
    """Ops inside are not recorded: their results do not require gradients and have no `grad_fn`.

    Factories still honor `requires_grad=True`, existing graphs can still run backward, and writes still count
    as versions.

    >>> import autograd_core as ac
    >>> x = ac.tensor(2.0, requires_grad=True)
    >>> with ac.no_grad():
    ...     (x * x).requires_grad
    False
    """

    def _changes(self, outside):
        return {"grad": False}


class enable_grad(_PlainSwitch):
    """Ops inside are recorded again, within a `no_grad()`.

    >>> import autograd_core as ac
    >>> with ac.no_grad(), ac.enable_grad():
    ...     ac.is_grad_enabled()
    True
    """

    def _changes(self, outside):
        return {"grad": True}


class set_grad_enabled(ModeSwitch):
    """Switch recording on or off.

    At once when called, until the block ends in a `with`, around each call as a decorator.

    >>> import autograd_core as ac
    >>> with ac.set_grad_enabled(False):
    ...     ac.is_grad_enabled()
    False
    """

    def __init__(self, mode: bool):
        super().__init__()
        self.mode = checked_switch("set_grad_enabled", "mode", mode)
        self._outside = current_mode().grad
        _mode.set(current_mode().but(grad=self.mode))

    def __enter__(self):
        _mode.set(current_mode().but(grad=self._outside))
        super().__enter__()

    def _changes(self, outside):
        return {"grad": self.mode}

    def _copy(self):
        return _GradMode(self.mode)

    def __call__(self, orig_func):
        _mode.set(current_mode().but(grad=self._outside))
        return super().__call__(orig_func)


class _GradMode(ModeSwitch):
    """`set_grad_enabled` without the switch at construction."""

    def __init__(self, mode):
        super().__init__()
        self.mode = mode

    def _changes(self, outside):
        return {"grad": self.mode}


class inference_mode(ModeSwitch):
    """Like `no_grad()`, and what is made inside can never enter a graph that saves it.

    >>> import autograd_core as ac
    >>> with ac.inference_mode():
    ...     ac.ones(2).is_inference()
    True
    """

    def __new__(cls, mode=True):
        return cls()(mode) if callable(mode) else super().__new__(cls)

    def __init__(self, mode: bool = True):
        super().__init__()
        self.mode = checked_switch("inference_mode", "mode", mode)

    def _changes(self, outside):
        return {"grad": not self.mode, "inference": self.mode}

    def _copy(self):
        return type(self)(self.mode)


def checked_switch(name: str, argument: str, value: bool) -> bool:
    """A switch must be a bool: what is only true, such as "no", was meant otherwise."""
    if not isinstance(value, bool):
        raise TypeError(f"{name}(): argument '{argument}' must be bool, not {type(value).__name__} ({value!r})")
    return value


def tell(what: str, inputs=(), outputs=()) -> None:
    """Tell the observers of the mode what was done to tensors: an op by its name, or an act such as "detach".

    `inputs` and `outputs` may hold other things than tensors, and nested sequences. A reverse pass ("backward" or
    "grad") gives its outputs and seeds, and the tensors it is limited to; "ended" follows if it succeeds.
    """
    for observer in current_mode().observers:
        observer(what, inputs, outputs)


def set_mode(mode: Mode) -> Mode:
    """Set the mode and return the one before, for the reverse pass."""
    before = current_mode()
    _mode.set(mode)
    return before
