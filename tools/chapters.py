"""Execute chapters, each when something changed that it depends on, and keep the results in the cache of Jupyter Book.

That cache recognizes a chapter by its code cells. It does not see what stands behind them, so this module keeps with
each result which files of the project were used (`used_files` says how they are found, and what is not seen), and takes
the result as long as they are as they were. The result goes too where the answers that the chapter recorded for the
reader's browser are gone.
"""

import hashlib
import json
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import dataclass
from functools import cache as memo
from pathlib import Path

from jupyter_cache import get_cache
from jupyter_cache.base import CacheBundleIn
from jupyter_cache.cache.db import NbCacheRecord
from jupyter_cache.cache.main import JupyterCacheBase
from jupyter_cache.executors.utils import single_nb_execution
from myst_nb.core.read import myst_nb_reader_plugin
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell

from used_files import ROOT, states, unchanged

CELL_TIMEOUT = 120  # seconds
TOOLS = Path(__file__).parent
# Cells around those of a chapter. What they name begins with _, so that no chapter leans on it.
WATCH = "_watch = __import__('runpy').run_path({tool!r})['Watch'](__import__('pathlib').Path({root!r}))"
COUNT = f"__import__('runpy').run_path({str(TOOLS / 'count_checks.py')!r}, run_name='__main__');"
TELL = "print(__import__('json').dumps({**_checks, **_watch.report()}))"


@dataclass(frozen=True)
class Chapter:
    """A page with cells, and the project that its files belong to."""

    path: Path
    root: Path = ROOT

    @property
    def notebook(self) -> NotebookNode:
        """The cells; whoever changes them takes a copy."""
        return _read(self.path, self.path.stat().st_mtime_ns)

    def kept(self, cache: JupyterCacheBase) -> NbCacheRecord | None:
        """What the cache holds for these cells."""
        try:
            return NbCacheRecord.record_from_hashkey(_key(self.path, self.path.stat().st_mtime_ns, cache), cache.db)
        except KeyError:
            return None

    def result(self, cache: JupyterCacheBase) -> NbCacheRecord | None:
        """What the cache holds for these cells, if it would come out the same today."""
        record = self.kept(cache)
        if record is None or not all((self.root / name).exists() for name in record.data["made"]):
            return None
        return record if unchanged(record.data["used"], self.root) else None

    def execute(self) -> tuple[CacheBundleIn | None, str]:
        """Run the cells in a kernel of their own; return what the cache keeps, or else None and the traceback."""
        sys.stdout.write(f"executing {self.path.name}\n")
        watch = WATCH.format(tool=str(TOOLS / "used_files.py"), root=str(self.root))
        notebook = deepcopy(self.notebook)
        notebook.cells = [*map(new_code_cell, (watch, COUNT)), *notebook.cells, new_code_cell(TELL)]
        started = time.time()
        result = single_nb_execution(
            notebook,
            cwd=str(self.path.parent),
            timeout=CELL_TIMEOUT,
            allow_errors=False,
            extra_arguments=["--log-level=ERROR"],  # else every kernel warns that it talks over a local TCP port
        )
        if result.err is not None:
            return None, str(result.err)
        _watch, _count, *cells, told = notebook.cells
        notebook.cells = cells
        report = json.loads(told.outputs[0].text)
        report["used"] = states(report["used"], self.root, since=started)
        data = {"execution_seconds": result.time, "shown": shown(notebook), **report}
        return CacheBundleIn(notebook, str(self.path), data=data), ""


@memo
def _read(path: Path, modified: int) -> NotebookNode:
    return myst_nb_reader_plugin(str(path))


@memo
def _key(path: Path, modified: int, cache: JupyterCacheBase) -> str:
    return cache.create_hashed_notebook(_read(path, modified))[1]


@memo
def opened(folder: Path) -> JupyterCacheBase:
    """The cache in a folder, one object for all who ask: it remembers what it was asked about."""
    return get_cache(folder)


def shown(notebook: NotebookNode) -> str:
    """A digest of what the cells of a notebook show."""
    outputs = [cell.get("outputs") for cell in notebook.cells]
    told = json.dumps([outputs, notebook.metadata.get("widgets")], sort_keys=True)
    return hashlib.sha256(told.encode()).hexdigest()[:24]


def chapters(folder: Path, root: Path = ROOT) -> Iterator[Chapter]:
    """The pages of a folder that have cells."""
    for path in sorted(folder.glob("*.md")):
        if "\nkernelspec:" in path.read_text("utf-8"):
            yield Chapter(path, root)


def execute(wanted: Iterable[Chapter], folder: Path) -> tuple[list[Chapter], list[str]]:
    """Execute the chapters whose results a cache does not hold; return them, and the names of those that failed."""
    cache = opened(folder)
    pending = [chapter for chapter in wanted if chapter.result(cache) is None]
    failed = []
    with ThreadPoolExecutor(max_workers=2) as pool:
        for chapter, (bundle, error) in zip(pending, pool.map(Chapter.execute, pending), strict=True):
            if bundle is None:
                print(f"\n{chapter.path.name} failed\n{error}", file=sys.stderr)
                failed.append(chapter.path.name)
            else:
                cache.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
    return pending, failed


def forget_other_answers(wanted: Iterable[Chapter], folder: Path, records: Path) -> None:
    """Remove from a folder of recorded answers what no result of the cache speaks of."""
    results = {chapter: chapter.kept(opened(folder)) for chapter in wanted}
    spoken_of = {chapter.root / name for chapter, result in results.items() if result for name in result.data["made"]}
    for answer in records.glob("*.json"):
        if answer not in spoken_of:
            answer.unlink()
