"""Limits for code that somebody else wrote and that runs in this process.

An endless loop, a recursion without an end and an allocation of everything end as an exception that names the limit,
and the session goes on. What one process cannot promise: `os._exit` and a crash in compiled code take it along; code
that catches every exception in a loop may outlive its time; and threads or processes that the code starts go on. A
grader therefore runs each submission in a process of its own.
"""

import ctypes
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..wording import translate as _

_AGAIN = 0.1  # seconds after which a stop is repeated, in case the code caught it


@dataclass(frozen=True)
class AnswerLimits:
    """How far an answer may go.

    Parameters:
        seconds: of wall clock.
        megabytes: of address space beyond what the process holds already; where the system has no such limit (Windows,
            macOS, the browser) memory is not limited.
        depth: of calls inside each other, beyond where the answer is called.
    """

    seconds: float = 10.0
    megabytes: int = 2048
    depth: int = 1000


class OutOfTime(BaseException):
    """The time is over. No `Exception`, so that `except Exception` in a loop does not catch it."""


class LimitExceeded(RuntimeError):
    """An answer ran into a limit; the message says which."""


def limited(call: Callable[[], Any], limits: AnswerLimits) -> Any:
    """Return what ``call()`` returns, or raise what it raises; `LimitExceeded` when it goes beyond a limit.

    >>> limited(lambda: 1 + 1, AnswerLimits())
    2
    >>> def forever():
    ...     while True:
    ...         pass
    >>> limited(forever, AnswerLimits(seconds=0.1))
    Traceback (most recent call last):
    autograd_book.check.answer_limits.LimitExceeded: The answer was stopped after 0.1 seconds. ...
    """
    try:
        with _depth(limits.depth), _memory(limits.megabytes):
            return _timed(call, limits.seconds)
    except OutOfTime:
        message = _("The answer was stopped after {seconds:g} seconds. Does a loop or a wait never end?")
        raise LimitExceeded(message.format(seconds=limits.seconds)) from None
    except RecursionError:
        message = _("The answer made more than {depth} calls inside each other. Does a recursion never end?")
        raise LimitExceeded(message.format(depth=limits.depth)) from None
    except MemoryError:
        message = _("The answer needed more than {megabytes} MB. Is an array or a list larger than it was meant to be?")
        raise LimitExceeded(message.format(megabytes=limits.megabytes)) from None


@contextmanager
def _depth(calls: int) -> Iterator[None]:
    before, frame, here = sys.getrecursionlimit(), sys._getframe(), 0
    while frame is not None:
        frame, here = frame.f_back, here + 1  # type: ignore[assignment]
    sys.setrecursionlimit(here + calls)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _memory(megabytes: int):
    statm = Path("/proc/self/statm")
    return _address_space(statm, megabytes) if sys.platform == "linux" and statm.exists() else nullcontext()


@contextmanager
def _address_space(statm: Path, megabytes: int) -> Iterator[None]:
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    wanted = int(statm.read_text().split()[0]) * resource.getpagesize() + megabytes * 2**20
    resource.setrlimit(resource.RLIMIT_AS, (min([wanted, *(n for n in (soft, hard) if n >= 0)]), hard))  # -1: no limit
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def _timed(call: Callable[[], Any], seconds: float) -> Any:
    if sys.platform == "emscripten":
        return call()  # the page's stop button serves
    if hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        return _with_alarm(call, seconds)
    return _with_watchman(call, seconds)


def _with_alarm(call: Callable[[], Any], seconds: float) -> Any:
    """In the main thread: a signal, which ends a sleep as well."""

    def ring(*_: Any) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
        return call()
    finally:
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)  # a late ring is raised after it, no earlier
        finally:
            signal.signal(signal.SIGALRM, before)


def _with_watchman(call: Callable[[], Any], seconds: float) -> Any:
    """In another thread, or on Windows: an exception is left for the thread, which meets it at its next bytecode."""
    thread, running = ctypes.c_ulong(threading.get_ident()), threading.Lock()
    leave = ctypes.pythonapi.PyThreadState_SetAsyncExc

    def watch() -> None:
        wait = seconds
        while not running.acquire(timeout=wait):
            leave(thread, ctypes.py_object(OutOfTime))
            wait = _AGAIN

    watchman = threading.Thread(target=watch, daemon=True)
    running.acquire()
    watchman.start()
    try:
        return call()
    finally:
        try:
            running.release()  # a late exception is raised after it, no earlier
        finally:
            watchman.join()
            # One that is still on its way is met here. Taken back, it would leave Python waiting for it, and then a
            # function that is profiled or traced never gets beyond its first bytecode (CPython 3.11).
            with suppress(OutOfTime):
                leave(thread, ctypes.py_object(OutOfTime))
                while True:
                    pass
