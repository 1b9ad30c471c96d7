"""Guards: while one is open, this thread does not record, or records constants too.

What counts is a depth in each thread, for all runtimes: guards nest, close in any order, and never touch other threads.
"""

from __future__ import annotations

import threading

from .errors import RuntimeState


class Depths:
    """How many guards of each kind are open in one thread."""

    no_grad = 0
    capture = 0


class _PerThread(threading.local):
    def __init__(self):
        self.depths = Depths()


_thread = _PerThread()


def depths() -> Depths:
    """The depths of the thread that asks."""
    return _thread.depths


class _Guard:
    """Open from its creation until `close()`, the end of its `with` block, or its own end, whichever comes first."""

    __slots__ = ("_depths",)

    _counter: str

    def __init__(self):
        self._depths: Depths | None = depths()
        self._count(1)

    def _count(self, step: int) -> None:
        setattr(self._depths, self._counter, getattr(self._depths, self._counter) + step)

    def close(self) -> None:
        """Close the guard; a second time changes nothing. RuntimeState in another thread than its own.

        >>> from autograd_core import eager
        >>> guard = eager.EagerRuntime().no_grad()
        >>> guard.close()
        """
        if self._depths is None:
            return
        if self._depths is not depths():
            raise RuntimeState(self._counter, "a guard counts in the thread that opened it; close it there")
        self._drop()

    def _drop(self) -> None:
        if self._depths is not None:
            self._count(-1)
            self._depths = None

    def __enter__(self):
        return self

    def __exit__(self, *_exception) -> None:
        self.close()

    def __del__(self):
        self._drop()


class EagerNoGradGuard(_Guard):
    """What `rt.no_grad()` returns: while it is open, operations of this thread are not recorded.

    Stands for the guard of `let _guard = rt.no_grad();`, which ends with its scope. Here it ends with its `with` block,
    with `close()`, or when nothing refers to it any more.

    >>> from autograd_core import eager
    >>> rt = eager.EagerRuntime()
    >>> s, x = rt.session(eager.CpuEngine.serial()), rt.variable_from(2.0)
    >>> guard = rt.no_grad()
    >>> s.mul(x, x).tracks_grad()
    False
    >>> guard.close()
    >>> s.mul(x, x).tracks_grad()
    True
    """

    __slots__ = ()
    _counter = "no_grad"


class EagerTraceCaptureGuard(_Guard):
    """What `rt.capture_trace()` returns: while it is open, operations on constants alone are recorded too.

    A constant leaf can then be asked for with `rt.vjp`; it has no slot, so `backward` still stores nothing in it. An
    open `no_grad()` outweighs it. Stands for `let _capture = rt.capture_trace();`.

    >>> from autograd_core import eager
    >>> rt, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
    >>> c = rt.constant_from(3.0)
    >>> with rt.session(engine) as s, rt.capture_trace():
    ...     y = s.mul(c, c)
    >>> rt.grad(engine, y, c).value(), c.grad()
    (array(6.), None)
    """

    __slots__ = ()
    _counter = "capture"
