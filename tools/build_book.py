"""Fetch MathJax, write the op catalogue, execute every chapter, two at a time, then render the site into `_build/html`.

    python tools/build_book.py

The execution cache of Jupyter Book recognizes a chapter by its code cells. It does not see that the package behind
them changed, so this script keeps a fingerprint beside the cache and starts afresh when the fingerprint moves.
A chapter that fails is printed with its traceback, and nothing is rendered. Where nothing changed since the last site,
nothing is done.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.executors.utils import ExecutionResult, single_nb_execution
from myst_nb.core.read import myst_nb_reader_plugin
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

import book_wheel

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "_build"
FINGERPRINT = BUILD / "fingerprint"  # of the package and what else the cells read
SITE = BUILD / "html"
RECORDS = BUILD / "records"  # what other engines answered, for the cells that run in a reader's browser
RENDERED = BUILD / "rendered"  # of all that the site was made from
OTHERS = {"npm", "hub", "nbgrader-venv"}  # fetched, and made from nothing of the package
CELL_TIMEOUT = 120  # seconds
COUNT = f"__import__('runpy').run_path({str(ROOT / 'tools' / 'count_checks.py')!r}, run_name='__main__');"
TELL = "print(__import__('json').dumps(_checks))"  # neither cell leaves a name for a chapter to lean on


def fingerprint(paths: Iterable[Path]) -> str:
    """Return a digest of files, of the Python that reads them and of the language that it speaks."""
    digest = hashlib.sha256(f"{sys.version} {os.environ.get('AUTOGRAD_CORE_LANGUAGE')}".encode())
    for path in sorted(paths):
        digest.update(path.relative_to(ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def behind_the_cells() -> list[Path]:
    """All that decides what a cell prints, apart from the cell itself."""
    shown = [*(ROOT / "benchmarks").glob("*.json"), *(ROOT / "book" / "_static").glob("*.mjs")]
    tools = [*(ROOT / "tools").glob("*.py"), *(ROOT / "tests" / "conformance").glob("*.py")]
    return [ROOT / "requirements.txt", ROOT / "constraints.txt", *book_wheel.package(), *shown, *tools]


def behind_the_site() -> list[Path]:
    """All that decides what the site shows; the catalogue is made from what is listed here."""
    static = [path for path in (ROOT / "book" / "_static").rglob("*") if path.is_file()]
    sources = [*(ROOT / "book").glob("*.md"), ROOT / "book" / "references.bib"]
    templates = [path for path in (ROOT / "book" / "_templates").rglob("*") if path.is_file()]
    translations = (ROOT / "locale").rglob("*.po")
    settings = [ROOT / "_config.yml", ROOT / "_toc.yml", *book_wheel.BESIDE]
    return [*behind_the_cells(), *settings, *sources, *static, *templates, *translations]


def forget_outputs_of_another_engine() -> None:
    """Empty `_build` when it was made with another state of the package."""
    current = fingerprint(behind_the_cells())
    if not FINGERPRINT.exists() or FINGERPRINT.read_text() != current:
        BUILD.mkdir(exist_ok=True)
        for made in BUILD.iterdir():
            if made.name not in OTHERS:
                shutil.rmtree(made) if made.is_dir() else made.unlink()
        FINGERPRINT.write_text(current)


def execute(chapter: tuple[Path, NotebookNode]) -> tuple[ExecutionResult, dict[str, int]]:
    """Run one chapter in a kernel of its own, and count what it checks."""
    path, notebook = chapter
    sys.stdout.write(f"executing {path.name}\n")
    notebook.cells = [new_code_cell(COUNT), *notebook.cells, new_code_cell(TELL)]
    result = single_nb_execution(
        notebook,
        cwd=str(path.parent),
        timeout=CELL_TIMEOUT,
        allow_errors=False,
        extra_arguments=["--log-level=ERROR"],  # else every kernel warns that it talks over a local TCP port
    )
    _count, *result.nb.cells, told = result.nb.cells
    return result, json.loads(told.outputs[0].text) if result.err is None else {}


def execute_chapters() -> list[str]:
    """Execute the chapters that the cache does not hold; return the names of those that failed."""
    cache = get_cache(BUILD / ".jupyter_cache")
    pending = []
    for path in sorted((ROOT / "book").glob("*.md")):
        if "\nkernelspec:" not in path.read_text("utf-8"):
            continue  # a page without cells
        notebook = myst_nb_reader_plugin(str(path))
        try:
            cache.match_cache_notebook(notebook)
        except KeyError:
            pending.append((path, notebook))

    failed = []
    with ThreadPoolExecutor(max_workers=2) as pool:
        for (path, _), (result, checks) in zip(pending, pool.map(execute, pending), strict=True):
            if result.err is None:
                bundle = CacheBundleIn(result.nb, str(path), data={"execution_seconds": result.time, **checks})
                cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
            else:
                print(f"\n{path.relative_to(ROOT)} failed\n{result.err}", file=sys.stderr)
                failed.append(path.name)
    return failed


def run(script: str) -> None:
    """Run a script of this folder; stop the build where it fails."""
    if code := subprocess.run([sys.executable, ROOT / "tools" / script]).returncode:
        print(f"The book was not built: {script} failed.", file=sys.stderr)
        sys.exit(code)


def main() -> None:
    forget_outputs_of_another_engine()
    run("vendor.py")
    current = fingerprint(behind_the_site())
    if (SITE / "index.html").exists() and RENDERED.exists() and RENDERED.read_text() == current:
        print(f"Nothing changed: the book is in {SITE.relative_to(ROOT)}.")
        return

    os.environ["AUTOGRAD_CORE_RECORD"] = str(RECORDS)
    run("make_catalogue.py")
    RENDERED.unlink(missing_ok=True)
    if failed := execute_chapters():
        sys.exit(f"The book was not built. Failed: {', '.join(failed)}")
    jupyter_book = Path(sys.executable).with_name("jupyter-book")
    # --all, because Sphinx does not refresh a page whose neighbors in the table of contents changed.
    command = [jupyter_book, "build", "-W", "-n", "--keep-going", "--all", "--quiet", ROOT]
    if code := subprocess.run(command).returncode:
        sys.exit(code)
    RENDERED.write_text(current)


if __name__ == "__main__":
    main()
