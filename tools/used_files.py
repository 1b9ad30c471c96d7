"""Which files of this project a program used, and whether they have changed since.

    python tools/used_files.py REPORT SCRIPT

runs a script and writes to REPORT what it used. The kernel of a chapter does the same with a `Watch` of its own.

What counts is what the interpreter opens and lists, told by its audit events: modules when they are imported, however
late, sources that a page prints, data, and folders in which somebody looks for files. So no module has to be named
anywhere, and a module that moves is followed. The answer is an approximation:

* It is as coarse as a file. A module that is imported counts whole, also where a program never calls what changed in
  it; `import autograd_core` alone opens the engine, so a change of the engine concerns every chapter.
* A process of its own is not watched. A program that starts another Python, or forks, is taken to use all files of the
  packages that it imported from.
* Not seen are: a file that was looked for without being opened (`Path.exists`), and files that a library opens beneath
  the interpreter. Environment variables, installed packages and the machine are not files of the project; who keeps
  results asks about them apart.
* A file that changed while the program ran counts as changed.
"""

import hashlib
import json
import os
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from importlib.util import source_from_cache
from pathlib import Path
from runpy import run_path
from stat import S_ISDIR
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
STARTS = {"os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system", "subprocess.Popen"}
BUILT = {"_build", "build", "dist"}  # at the top of the project
WRITING = os.O_WRONLY | os.O_RDWR
CHANGING = "changed while it was read"  # no digest


class Watch:
    """Notes from now on what this interpreter opens below a folder."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = os.path.realpath(root)
        self.used: set[str] = set()
        self.made: set[str] = set()
        self.starts_python = False
        self._see = {"open": self._open, "os.listdir": self._list, "os.scandir": self._list}
        sys.addaudithook(self._hear)

    def report(self) -> dict[str, list[str]]:
        """What was used and what was made, as paths relative to the folder."""
        used = set(self.used)
        if self.starts_python or any(name.startswith("multiprocessing.popen_") for name in sys.modules):
            for package in _packages(Path(self.root, name) for name in self.used if name.endswith(".py")):
                used |= {self._name(path) for path in [package, *package.rglob("*")]}
        used = {name for name in used - self.made if name and not _is_built(Path(name))}
        return {"used": sorted(used), "made": sorted(name for name in self.made if Path(self.root, name).is_file())}

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event in self._see:
            self._see[event](arguments)
        elif event in STARTS:
            self.starts_python |= event != "subprocess.Popen" or "python" in repr(arguments[:2]).lower()

    def _open(self, arguments: tuple[Any, ...]) -> None:
        path, mode, flags = arguments
        if isinstance(path, int):
            return
        name = self._name(path)
        if (flags or 0) & WRITING or set(mode or "") & set("wax+"):
            self.made.add(name)
        else:
            self.used.add(name)

    def _list(self, arguments: tuple[Any, ...]) -> None:
        asks = sys._getframe(2).f_code.co_filename
        folder = arguments[0] or "."
        # importlib looks into every entry of sys.path, some of which are no folders.
        if not isinstance(folder, int) and "importlib" not in asks and os.path.isdir(folder):
            self.used.add(self._name(folder))

    def _name(self, path: Any) -> str:
        """The path relative to the folder; empty where it lies elsewhere, or in an environment or a cache."""
        whole = os.path.realpath(os.fsdecode(path))
        if whole.endswith(".pyc"):
            with suppress(ValueError):  # compiled by somebody else
                whole = source_from_cache(whole)
        if whole != self.root and not whole.startswith(self.root + os.sep):
            return ""
        name = Path(os.path.relpath(whole, self.root))
        return "" if _is_cached(name) else name.as_posix()


def _is_cached(name: Path) -> bool:
    return any(part.startswith(".") or part == "__pycache__" for part in name.parts)


def _is_built(name: Path) -> bool:
    return name.parts[:1] in {(built,) for built in BUILT} or name.suffix == ".egg-info"


def _packages(modules: Iterable[Path]) -> set[Path]:
    """The outermost packages that modules belong to."""
    found = set()
    for module in modules:
        folder = module.parent
        while (folder / "__init__.py").exists():
            folder = folder.parent
        if folder != module.parent:
            found.add(folder / module.relative_to(folder).parts[0])
    return found


# -- since then


def state(path: str | Path) -> str:
    """A digest of a file, or of the names in a folder; the empty string where there is neither."""
    try:
        found = os.stat(path)
    except OSError:
        return ""
    if S_ISDIR(found.st_mode):
        entries = [Path(name) for name in os.listdir(path)]
        names = sorted(entry.name for entry in entries if not _is_cached(entry) and not _is_built(entry))
        return _digest("\0".join(names).encode())
    return _contents(path, found.st_size, found.st_mtime_ns)


@cache
def _contents(path: str | Path, size: int, modified: int) -> str:
    return _digest(Path(path).read_bytes())


def _digest(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()[:24]


def states(names: Iterable[str], root: Path = ROOT, since: float = float("inf")) -> dict[str, str]:
    """The state of each file, for a comparison later; one that was written after `since` will never compare equal."""
    paths = {name: root / name for name in names}
    late = {name for name, path in paths.items() if path.is_file() and path.stat().st_mtime > since}
    return {name: CHANGING if name in late else state(path) for name, path in paths.items()}


def unchanged(then: Mapping[str, str], root: Path = ROOT) -> bool:
    """Whether every file is as it was."""
    return all(state(f"{root}/{name}") == seen for name, seen in then.items())


if __name__ == "__main__":
    report, *sys.argv = sys.argv[1:]
    watch = Watch()
    try:
        run_path(sys.argv[0], run_name="__main__")
    finally:
        Path(report).write_text(json.dumps(watch.report()))
