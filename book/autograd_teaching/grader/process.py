"""Run a notebook's cells in a student's process, and outlive whatever it does.

Needs Linux: what bounds the process and finds its descendants are that system's calls.
"""

import contextlib
import ctypes
import json
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import psutil

from .confinement import kill_all_of, own_user
from .limits import Limits

MOST_ROWS = 2**20  # bytes that a notebook may send as rows
TEXTS = ("asks", "begin", "id", "stopped")  # the keys of an event whose values are text
PR_SET_CHILD_SUBREAPER = 36
COMMAND = [sys.executable, "-I", "-B", "-m", "autograd_teaching.grader.student"]


@dataclass(frozen=True)
class Run:
    """What a student's process did.

    Parameters:
        events: what it said, in order; see `student`.
        failure: why it did not come to its end; empty if it did.
        seconds: how long it lived.
    """

    events: list[dict[str, Any]]
    failure: str
    seconds: float


def run(cells: list[str], seed: int, limits: Limits, number: int) -> Run:
    """Run the cells that hold answers, under limits; under root, as a user of its own, chosen by `number`.

    When this returns, no process that the notebook started is alive, and its files are gone.
    """
    begin = time.monotonic()
    with own_user(number) as user, _scratch(user) as folder, _no_child_left(user):
        reading, writing = os.pipe()
        job = {"cells": cells, "seed": seed, "limits": asdict(limits), "user": user, "channel": writing}
        with subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=folder,
            env=_environment(folder),
            pass_fds=[writing],
            start_new_session=True,
        ) as process:
            os.close(writing)
            with os.fdopen(reading, "rb") as channel:
                try:
                    said, failure = _listen(process, channel, json.dumps(job).encode(), begin, limits)
                finally:
                    process.kill()
                    with contextlib.suppress(ProcessLookupError):
                        os.killpg(process.pid, signal.SIGKILL)
    events, garbled = _events(said)
    failure = failure or garbled or _ending(process.returncode, events)
    return Run(events, failure, time.monotonic() - begin)


def _environment(folder: str) -> dict[str, str]:
    """Nothing of the grader's own: a token or a password in its environment is not for students."""
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    places = dict.fromkeys(("HOME", "TMPDIR", "MPLCONFIGDIR"), folder)
    return {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "MPLBACKEND": "agg",
        "JAX_PLATFORMS": "none",  # its many threads meet the limit, and abort the process instead of raising
        **threads,
        **places,
    }


@contextlib.contextmanager
def _scratch(user: int | None) -> Iterator[str]:
    """A folder that the notebook may write to, removed afterwards, as is what a killed grader left to this user."""
    prefix = "submission-" if user is None else f"submission-{user}-"
    if user is not None:
        for left in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
            shutil.rmtree(left, ignore_errors=True)
    folder = tempfile.mkdtemp(prefix=prefix)
    try:
        if user is not None:
            os.chown(folder, user, user)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _no_child_left(user: int | None) -> Iterator[None]:
    """Kill what is left over: by its user where it has one, else whatever became this process's child meanwhile."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)  # orphans become children of this process
    here = psutil.Process()
    before = set(here.children(recursive=True))
    try:
        yield
    finally:
        if user is not None:
            kill_all_of(user)
        while left := [child for child in here.children(recursive=True) if child not in before]:
            for child in left:
                with contextlib.suppress(psutil.NoSuchProcess):
                    child.kill()
            psutil.wait_procs(left, timeout=1)


def _listen(process: subprocess.Popen, channel: Any, job: bytes, begin: float, limits: Limits) -> tuple[bytes, str]:
    """Everything that came through the channel, and which limit was hit, if one was."""
    assert process.stdin is not None and process.stdout is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(job)
        process.stdin.close()
    too_long = f"it ran longer than {limits.seconds:g} seconds"
    said, printed = bytearray(), 0
    with selectors.DefaultSelector() as selector, open(os.pidfd_open(process.pid), "rb") as end:
        for source in (channel, process.stdout, end):
            selector.register(source, selectors.EVENT_READ)
        while channel in {key.fileobj for key in selector.get_map().values()}:
            left = begin + limits.seconds - time.monotonic()
            ready: list[Any] = [key.fileobj for key, _ in selector.select(max(left, 0))]
            if ready == [end]:
                break  # a descendant may hold the pipes open, and there is nothing in them
            for source in ready:
                data = b"" if source is end else os.read(source.fileno(), 2**16)
                if source is channel:
                    said += data
                else:
                    printed += len(data)
                if not data and source is not end:
                    selector.unregister(source)
            if printed > limits.output:
                return bytes(said), f"it printed more than {limits.output} bytes"
            if len(said) > MOST_ROWS:
                return bytes(said), f"its answers have more than {MOST_ROWS} bytes"
            if left <= 0:
                return bytes(said), too_long
        try:
            process.wait(max(begin + limits.seconds - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            return bytes(said), too_long
    return bytes(said), ""


def _events(said: bytes) -> tuple[list[dict[str, Any]], str]:
    """The lines as events, up to the first that is none."""
    events: list[dict[str, Any]] = []
    for line in said.splitlines():
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            return events, "it wrote to the grader's channel"
        if not isinstance(event, dict) or not all(isinstance(event.get(key, ""), str) for key in TEXTS):
            return events, "it wrote to the grader's channel"
        events.append(event)
    return events, ""


def _ending(code: int, events: list[dict[str, Any]]) -> str:
    if code < 0:
        names = {each.value: each.name for each in signal.Signals}
        return f"it was killed by {names.get(-code, f'signal {-code}')}"
    ended = bool(events) and events[-1] == {"end": True}
    return "" if ended and code == 0 else f"its process ended with code {code} before the last cell"
