"""The CPU engine: what a caller owns and lends to every call that computes. It holds no state of differentiation."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from ..core.modes import RECORDING, current_mode, set_mode
from ..ops.linear_algebra.matmul import LinAlgError
from .errors import EagerError, InvalidArgument, NumericalFailure, RuntimeState, Unsupported

REFUSALS = (RuntimeError, ValueError, TypeError, IndexError)  # by which ops of this package refuse their arguments


def refused_operation(op: str, error: Exception) -> EagerError:
    """What the caller of an operation is told where an op of this package refuses."""
    if isinstance(error, LinAlgError):
        return NumericalFailure(f"{op}: {error}")
    if isinstance(error, NotImplementedError):
        return Unsupported(op, str(error))
    return InvalidArgument(op, str(error))


class CpuEngine:
    """Threads to compute with. `CpuEngine.serial()` has the calling one alone, `CpuEngine(threads=n)` n in all.

    One computation uses an engine at a time: a session holds it until it closes, `backward` and `rt.grad` while they
    run. To lend it twice is an error (RuntimeState), where Rust's borrow checker would refuse `&mut engine`. So is any
    use after an operation failed half way, for instance out of memory; an operation that was refused breaks nothing.

    Large elementwise operations and reductions are cut into blocks, which the threads share. The cuts depend on the
    size of the arrays and on nothing else, so every engine computes the same bits.

    >>> from autograd_core import eager
    >>> eager.CpuEngine.serial().num_threads(), eager.CpuEngine(threads=2).num_threads()
    (1, 2)
    """

    def __init__(self, threads: int = 1):
        if type(threads) is not int or threads < 1:
            raise InvalidArgument("CpuEngine", f"invalid argument threads: {threads!r} is not a positive int")
        self._threads = threads
        self._pool = ThreadPoolExecutor(threads - 1, "CpuEngine") if threads > 1 else None
        self._lent = threading.Lock()
        self._broken: str | None = None

    @classmethod
    def serial(cls) -> CpuEngine:
        """An engine without a pool: everything runs on the calling thread. Stands for `CpuEngine::serial()`.

        >>> from autograd_core import eager
        >>> eager.CpuEngine.serial()
        CpuEngine(threads=1)
        """
        return cls()

    def num_threads(self) -> int:
        """How many threads compute, the calling one among them.

        >>> from autograd_core import eager
        >>> eager.CpuEngine(threads=2).num_threads()
        2
        """
        return self._threads

    def __repr__(self) -> str:
        return f"CpuEngine(threads={self._threads})"

    def _refuse_if_broken(self, op: str) -> None:
        if self._broken is not None:
            raise RuntimeState(op, f"use after a failed operation: {self._broken}. Make a new CpuEngine.")

    def _lend(self, op: str) -> Loan:
        """Borrow the engine for `op`, until the loan closes. RuntimeState where it is lent already, or broken."""
        self._refuse_if_broken(op)
        if not self._lent.acquire(blocking=False):
            raise RuntimeState(
                op,
                "the engine is already lent to a session or another call; use that session, or wait for it to close",
            )
        return Loan(self)

    def _run(self, op: str, compute: Callable, *args, refusal: Callable = refused_operation, **params):
        """`compute(*args, **params)` for the operation `op`. What it refuses is an EagerError; all else breaks the
        engine.

        It runs in a mode that records and makes ordinary tensors, whatever `ac.no_grad()` is around; anomaly mode and
        observers stay. What is not to be recorded gets inputs without history.
        """
        self._refuse_if_broken(op)
        outside = current_mode()
        inside = RECORDING if outside.plain else outside.but(grad=True, inference=False)
        if inside is not outside:
            set_mode(inside)
        try:
            return compute(*args, **params)
        except EagerError:
            raise
        except REFUSALS as error:
            raise refusal(op, error) from error
        except BaseException as error:
            self._broken = f"{op} raised {type(error).__name__}"
            raise
        finally:
            if inside is not outside:
                set_mode(outside)

    def _each(self, work: Callable, parts: Iterable) -> None:
        """Run `work(part)` for every part, shared among the threads; returns, or raises, when all have ended."""
        queue = deque(parts)

        def share() -> None:
            while queue:
                try:
                    part = queue.popleft()
                except IndexError:  # another thread took the last one
                    return
                work(part)

        helpers = []
        if self._pool is not None:
            helpers = [self._pool.submit(copy_context().run, share) for _ in range(min(self._threads, len(queue)) - 1)]
        try:
            share()
        finally:
            queue.clear()
            started = [helper for helper in helpers if not helper.cancel()]
            failures = [helper.exception() for helper in started]
        for failure in failures:
            if failure is not None:
                raise failure


class Loan:
    """An engine that is lent, until `close()`, or until nothing refers to the loan any more."""

    __slots__ = ("_engine",)

    def __init__(self, engine: CpuEngine):
        self._engine: CpuEngine | None = engine

    def close(self) -> None:
        """Give the engine back; a second time changes nothing."""
        if self._engine is not None:
            self._engine._lent.release()
            self._engine = None

    def __enter__(self) -> Loan:
        return self

    def __exit__(self, *_exception) -> None:
        self.close()

    def __del__(self):
        self.close()


def borrowed(engine, op: str) -> Loan:
    """Lend what a caller gave as an engine; InvalidArgument where it is none."""
    if not isinstance(engine, CpuEngine):
        raise InvalidArgument(
            op,
            f"invalid argument engine: {type(engine).__name__} is no engine; pass CpuEngine.serial()",
        )
    return engine._lend(op)
