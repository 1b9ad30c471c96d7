"""Fetch MathJax, write the op catalogue, execute every chapter, two at a time, then render the site into `_build/html`.

    python tools/build_book.py

The execution cache of Jupyter Book recognizes a chapter by its code cells. It does not see that the package behind
them changed, so this script keeps a fingerprint beside the cache and starts afresh when the fingerprint moves.
A chapter that fails is printed with its traceback, and nothing is rendered. Where nothing changed since the last site,
nothing is done.
"""

import hashlib
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

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "_build"
FINGERPRINT = BUILD / "fingerprint"  # of the package and what else the cells read
SITE = BUILD / "html"
RENDERED = BUILD / "rendered"  # of all that the site was made from
CELL_TIMEOUT = 120  # seconds


def fingerprint(paths: Iterable[Path]) -> str:
    """Return a digest of files and of the Python that reads them."""
    digest = hashlib.sha256(sys.version.encode())
    for path in sorted(paths):
        digest.update(path.relative_to(ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


def behind_the_cells() -> list[Path]:
    """All that decides what a cell prints, apart from the cell itself."""
    package = [path for path in (ROOT / "autograd_core").rglob("*") if path.suffix in {".py", ".js", ".css"}]
    shown = [*(ROOT / "benchmarks").glob("*.json"), *(ROOT / "book" / "_static").glob("*.mjs")]
    tools = [*(ROOT / "tools").glob("*.py"), *(ROOT / "tests" / "conformance").glob("*.py")]
    return [ROOT / "requirements.txt", ROOT / "constraints.txt", *package, *shown, *tools]


def behind_the_site() -> list[Path]:
    """All that decides what the site shows; the catalogue is made from what is listed here."""
    static = [path for path in (ROOT / "book" / "_static").rglob("*") if path.is_file()]
    return [*behind_the_cells(), ROOT / "_config.yml", ROOT / "_toc.yml", *(ROOT / "book").glob("*.md"), *static]


def forget_outputs_of_another_engine() -> None:
    """Remove `_build` when it was made with another state of the package."""
    current = fingerprint(behind_the_cells())
    if not FINGERPRINT.exists() or FINGERPRINT.read_text() != current:
        shutil.rmtree(BUILD, ignore_errors=True)
        BUILD.mkdir()
        FINGERPRINT.write_text(current)


def execute(chapter: tuple[Path, NotebookNode]) -> ExecutionResult:
    """Run one chapter in a kernel of its own."""
    path, notebook = chapter
    sys.stdout.write(f"executing {path.name}\n")
    return single_nb_execution(
        notebook,
        cwd=str(path.parent),
        timeout=CELL_TIMEOUT,
        allow_errors=False,
        extra_arguments=["--log-level=ERROR"],  # else every kernel warns that it talks over a local TCP port
    )


def execute_chapters() -> list[str]:
    """Execute the chapters that the cache does not hold; return the names of those that failed."""
    cache = get_cache(BUILD / ".jupyter_cache")
    pending = []
    for path in sorted((ROOT / "book").glob("[0-9][0-9]_*.md")):
        notebook = myst_nb_reader_plugin(str(path))
        try:
            cache.match_cache_notebook(notebook)
        except KeyError:
            pending.append((path, notebook))

    failed = []
    with ThreadPoolExecutor(max_workers=2) as pool:
        for (path, _), result in zip(pending, pool.map(execute, pending), strict=True):
            if result.err is None:
                bundle = CacheBundleIn(result.nb, str(path), data={"execution_seconds": result.time})
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
