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

from .version import Version, VersionInside

PARTS = ("grad", "inference", "saved_hooks", "anomaly", "observers", "levels", "transform")  # what a mode is made of


class Mode:
    """How the code that runs now is treated.

    `grad`: ops are recorded. `inference`: what is made is outside autograd for good. `saved_hooks`: a (pack, unpack)
    pair through which saved tensors go, or a message that forbids such pairs. `anomaly`: None, or whether NaN counts
    as an error beside exceptions. `observers` are told of each op and act: see `tell`. `levels` are those of forward
    mode whose tangents count, innermost last. `transform` is the innermost function transform, None outside of all, and
    `version` makes the version of a storage there.

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
        self.plain = not (inference or saved_hooks is not None or anomaly is not None or observers or levels)

    def but(self, **changes) -> Mode:
        """The mode that differs from this one in the given parts."""
        if self.plain and self.transform is None and changes.keys() == {"grad"}:
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


class ModeSwitch:
    """A context manager that sets a mode, and a decorator for functions, coroutines and generator functions.

    The mode that was there before is put back by value: a token would refuse to be reset from another context.
    """

    def __init__(self):
        self._before: list[Mode] = []

    def _mode_inside(self, outside: Mode) -> Mode:
        raise NotImplementedError

    def _copy(self):
        return type(self)()

    def __enter__(self) -> None:
        outside = current_mode()
        self._before.append(outside)
        _mode.set(self._mode_inside(outside))

    def __exit__(self, *_exception) -> None:
        _mode.set(self._before.pop())

    def __call__(self, function):
        if inspect.isclass(function):
            warnings.warn(
                "Decorating classes is deprecated and will be disabled in future versions: only construction is "
                "inside, and the class becomes a function. Decorate its __init__, or other methods, instead.",
                FutureWarning,
                stacklevel=2,
            )
        if inspect.isgeneratorfunction(function):
            return _switch_around_steps(function, self._copy)
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def inside(*args, **kwargs):
                with self._copy():
                    return await function(*args, **kwargs)

        else:

            @functools.wraps(function)
            def inside(*args, **kwargs):
                with self._copy():
                    return function(*args, **kwargs)

        return inside


def _switch_around_steps(function, switch):
    """Wrap a generator function so that its own code, and only that, runs inside `switch()`."""

    @functools.wraps(function)
    def generator(*args, **kwargs):
        steps = function(*args, **kwargs)
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

    def __new__(cls, function=None):
        return super().__new__(cls) if function is None else cls()(function)

    def __init__(self, function=None):
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

    def _mode_inside(self, outside):
        return outside.but(grad=False)


class enable_grad(_PlainSwitch):
    """Ops inside are recorded again, within a `no_grad()`.

    >>> import autograd_core as ac
    >>> with ac.no_grad(), ac.enable_grad():
    ...     ac.is_grad_enabled()
    True
    """

    def _mode_inside(self, outside):
        return outside.but(grad=True)


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
        self._outside = current_mode()
        _mode.set(self._mode_inside(self._outside))

    def _mode_inside(self, outside):
        return outside.but(grad=self.mode)

    def __enter__(self):
        self._before.append(self._outside)
        _mode.set(self._mode_inside(self._outside))

    def _copy(self):
        return _GradMode(self.mode)

    def __call__(self, function):
        _mode.set(self._outside)
        return super().__call__(function)


class _GradMode(ModeSwitch):
    """`set_grad_enabled` without the switch at construction."""

    def __init__(self, mode):
        super().__init__()
        self.mode = mode

    def _mode_inside(self, outside):
        return outside.but(grad=self.mode)


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

    def _mode_inside(self, outside):
        return outside.but(grad=not self.mode, inference=self.mode)

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
