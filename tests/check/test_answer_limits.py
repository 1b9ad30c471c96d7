"""Code that runs under limits is stopped by them, and leaves the process as it was."""

import signal
import subprocess
import sys
import threading
from textwrap import dedent

import pytest

from autograd_book.check.answer_limits import AnswerLimits, LimitExceeded, limited

SHORT = AnswerLimits(seconds=0.2)  # for what never ends


def forever():
    while True:
        pass


def state():
    resource = pytest.importorskip("resource")
    alarm = signal.getsignal(signal.SIGALRM), signal.getitimer(signal.ITIMER_REAL)
    return sys.getrecursionlimit(), resource.getrlimit(resource.RLIMIT_AS), alarm


@pytest.fixture
def odd_depth():
    """A limit of recursion that nothing else sets."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(12345)
    yield
    sys.setrecursionlimit(before)


def raised(call):
    try:
        call()
    except BaseException as error:
        return error


@pytest.mark.parametrize("call", [lambda: 1, lambda: 1 / 0, forever, lambda: [0] * 10**12])
def test_the_process_is_left_as_it_was(odd_depth, call):
    before = state()
    raised(lambda: limited(call, SHORT))
    assert state() == before


def test_what_the_code_raises_is_raised():
    with pytest.raises(ZeroDivisionError):
        limited(lambda: 1 / 0, AnswerLimits())


def test_a_thread_is_stopped_too():
    found = []
    thread = threading.Thread(target=lambda: found.append(raised(lambda: limited(forever, SHORT))))
    thread.start()
    thread.join()
    assert isinstance(found[0], LimitExceeded)


def test_a_thread_that_is_done_in_time_is_left_alone():
    """Nothing that could stop it later is left over."""
    found = []

    def work():
        before = threading.enumerate()
        found.append(limited(lambda: len(threading.enumerate()) - len(before), AnswerLimits(seconds=600)))
        found.append(threading.enumerate() == before)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [1, True]


def test_a_profiler_works_after_a_thread_was_limited():
    """In a process of its own: what is wrong here never ends."""
    program = """
        import sys, threading
        from autograd_book.check.answer_limits import AnswerLimits, limited
        thread = threading.Thread(target=lambda: limited(int, AnswerLimits(seconds=600)))
        thread.start()
        thread.join()
        sys.setprofile(lambda *_: None)
        (lambda: print("profiled"))()
    """
    done = subprocess.run([sys.executable, "-c", dedent(program)], capture_output=True, text=True, timeout=300)
    assert done.stdout == "profiled\n", done.stderr


def test_the_depth_counts_from_the_call():
    def down(n):
        return n and down(n - 1)

    def at(depth):
        return limited(lambda: down(150), AnswerLimits(depth=200)) if depth == 0 else at(depth - 1)

    assert at(300) == 0
    with pytest.raises(LimitExceeded, match="more than 200 calls"):
        limited(lambda: down(250), AnswerLimits(depth=200))
