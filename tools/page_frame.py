"""What all pages of the site have in common, and what decides how anything here is executed.

A page is rendered again when its own text or results changed. Where one of the files named here changed, every page is.
Among them are the modules of the Sphinx extensions, found by their import statements: those in this folder with all
that they import, and of the project's packages the modules that they name (`wording`), but not what is loaded along
with them, such as the engine, of which a page shows nothing that a cell did not print.
"""

import ast
import hashlib
import os
import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

import yaml

from used_files import ROOT, state

TOOLS = ROOT / "tools"
EXECUTION = [TOOLS / name for name in ("chapters.py", "count_checks.py", "used_files.py")]
PINS = [ROOT / "requirements.txt", ROOT / "constraints.txt"]


def digest(paths: Iterable[Path], *also: str) -> str:
    """A digest of files, and of some words."""
    told = [*also, *(f"{path.relative_to(ROOT).as_posix()} {state(path)}" for path in sorted(paths))]
    return hashlib.sha256("\n".join(told).encode()).hexdigest()


def environment() -> str:
    """A digest of what every execution stands on beside the project's modules: Python, the pins, the language."""
    return digest([*PINS, *EXECUTION], sys.version, os.environ.get("AUTOGRAD_CORE_LANGUAGE", ""))


def pages() -> list[Path]:
    return [*(ROOT / "book").glob("*.md"), *(ROOT / "book" / "catalogue").glob("*.md")]


def frame() -> str:
    """A digest of what every page stands on; which pages there are belongs to it, since each page lists them."""
    book = ROOT / "book"
    shown = [path for folder in ("_static", "_templates") for path in (book / folder).rglob("*") if path.is_file()]
    settings = [ROOT / "_config.yml", ROOT / "_toc.yml", book / "references.bib", TOOLS / "vendor.txt"]
    translations = [*(ROOT / "locale").rglob("*.po"), *(ROOT / "locale").rglob("*.mo")]
    names = [path.relative_to(ROOT).as_posix() for path in sorted(pages())]
    return digest([*settings, *shown, *translations, *extensions()], environment(), *names)


def extensions() -> set[Path]:
    """The modules of the local extensions, and what they import of the project."""
    config = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))
    waiting = [TOOLS / f"{name}.py" for name in config["sphinx"]["local_extensions"]]
    found: set[Path] = set()
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            waiting += imported(module) if module.parent == TOOLS else []
    return found


def imported(module: Path) -> Iterator[Path]:
    """The files of the project that the import statements of a module name."""
    for statement in ast.walk(ast.parse(module.read_text("utf-8"))):
        names = []
        if isinstance(statement, ast.Import):
            names = [alias.name for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom) and statement.module:
            names = [statement.module, *(f"{statement.module}.{alias.name}" for alias in statement.names)]
        yield from filter(None, map(source, names))


def source(name: str) -> Path | None:
    """The file of a module of the project, by its dotted name; None for a package and for what others wrote."""
    top, *below = name.split(".")
    try:
        spec = find_spec(top)
    except ValueError:  # __main__
        return None
    if spec is None or not spec.origin or not Path(spec.origin).is_relative_to(ROOT):
        return None
    path = Path(spec.origin).parent.joinpath(*below).with_suffix(".py") if below else Path(spec.origin)
    environments = any(part.startswith(".") for part in path.relative_to(ROOT).parts)
    return path if path.is_file() and path.name != "__init__.py" and not environments else None
