"""The limits of a student's process, which it puts on itself before it runs a line of the student's.

As root it becomes an unprivileged user of its own, since the kernel's limit on processes does not bind root and counts
by user. Elsewhere it stays the user who grades, and the limit is that user's processes at the start plus the few that
are allowed.
"""

import ctypes
import fcntl
import os
import pwd
import resource
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .limits import Limits

FIRST_USER, USERS = 20_000, 40_000  # the ids that submissions get under root
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 1, 4, 38


@contextmanager
def own_user(number: int) -> Iterator[int | None]:
    """A user id that no other submission has, from `number` on; None where only root could give it one.

    A lock keeps it from the other graders of this machine, since all its processes are killed: at the end, and at the
    start those that a killed grader left. An id that has an account is somebody's, and not taken.

    Raises PermissionError if the folder of the locks is not root's.
    """
    if os.geteuid() != 0:
        yield None
        return
    folder = Path(tempfile.gettempdir(), "autograd-core-users")
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.lstat().st_uid != 0:
        raise PermissionError(f"{folder} belongs to somebody else: remove it")
    for user in (FIRST_USER + (number + more) % USERS for more in range(USERS)):
        if _has_account(user):
            continue
        with open(folder / str(user), "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            kill_all_of(user)
            yield user
            return
    raise RuntimeError(f"all {USERS} users are taken")


def _has_account(user: int) -> bool:
    try:
        pwd.getpwuid(user)
    except KeyError:
        return False
    return True


def confine(limits: Limits, user: int | None) -> None:
    """Limit this process, for good. Raises OSError where the system refuses."""
    parent = os.getppid()
    interpreter = os.open(sys.base_prefix, os.O_PATH | os.O_DIRECTORY)
    _limit(resource.RLIMIT_AS, _size() + limits.memory)
    _limit(resource.RLIMIT_CPU, int(limits.seconds) + 1)
    _limit(resource.RLIMIT_FSIZE, limits.file)
    _limit(resource.RLIMIT_NOFILE, 64)
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_NPROC, limits.processes + (_tasks_of_this_user() if user is None else 0))
    if user is not None:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    # A change of user clears the first two, so they come last.
    _prctl(PR_SET_DUMPABLE, 1)
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    if os.getppid() != parent:
        sys.exit("the grader has ended")
    if not os.access(os.__file__, os.R_OK):
        _reach_through(interpreter)


def _limit(kind: int, most: int) -> None:
    _, hard = resource.getrlimit(kind)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(kind, (most, most))


def _prctl(option: int, value: int) -> None:
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0):
        raise OSError(ctypes.get_errno(), f"prctl({option}, {value}) failed")


def _size() -> int:
    """The bytes of this process's address space."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()


def _tasks_of_this_user() -> int:
    return sum(len(list(Path(process, "task").iterdir())) for process in _processes_of(os.geteuid()))


def _processes_of(user: int) -> Iterator[Path]:
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if process.stat().st_uid == user:
                yield process
        except FileNotFoundError:
            continue  # it has ended


def kill_all_of(user: int) -> None:
    """Kill every process of a submission's user, also those that left its process group, until none is left."""
    while alive := [process for process in _processes_of(user) if not _is_zombie(process)]:
        for process in alive:
            try:
                os.kill(int(process.name), signal.SIGKILL)
            except ProcessLookupError:
                continue


def _is_zombie(process: Path) -> bool:
    try:
        return process.joinpath("stat").read_text().rpartition(") ")[2].startswith(("Z", "X"))
    except (FileNotFoundError, ProcessLookupError):
        return True


def _reach_through(interpreter: int) -> None:
    """Find the standard library through an open descriptor, when its path leads through a folder closed to others.

    That is so for an interpreter in the home of root; what is not loaded yet could not be imported.
    """
    inside = f"/proc/self/fd/{interpreter}"

    def moved(path: str) -> str:
        return inside + path.removeprefix(sys.base_prefix) if path.startswith(sys.base_prefix) else path

    sys.path[:] = map(moved, sys.path)
    for module in list(sys.modules.values()):
        if isinstance(getattr(module, "__path__", None), list):
            module.__path__[:] = map(moved, module.__path__)
    sys.path_importer_cache.clear()
