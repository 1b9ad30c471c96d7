"""Build JupyterLab as a site that needs no server, with the chapters as notebooks, in `_build/lite`.

    python tools/make_lite.py .venv-lite [ADDRESS OF PYODIDE]

The first argument is the environment of `lite.txt`. Python itself comes from Pyodide's own address unless another is
given, such as `../pyodide/`; this package and the widgets are part of the site. PyTorch and JAX do not run in a
browser: `compare` shows what they answered when the book was executed, if it was, and a cell that calls them itself
is text.
"""

import json
import shutil
import subprocess
import sys
from html import escape
from pathlib import Path
from urllib.parse import urlsplit

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from autograd_book.compare import records
from autograd_book.wording import translate as _
from book_wheel import wheel
from launch import Launch
from live_analysis import live
from live_cells import PYODIDE
from make_notebooks import ROOT, chapters, write

HERE = ROOT / "tools"
BUILD = ROOT / "_build"
GATHERED = BUILD / "gathered_for_lite"  # JupyterLite overlooks files whose path begins like that of the site
CONTENTS, WHEELS, CONFIG = GATHERED / "contents", GATHERED / "wheels", GATHERED / "config"
RECORDS = BUILD / "records"
SITE = BUILD / "lite"
IN_THE_BROWSER = ("ipywidgets", "jupyterlab-widgets", "comm")  # of lite.txt; all are pure Python

FIRST_CELL = """%pip install --quiet autograd-core ipywidgets

import os
from importlib.metadata import version

os.environ["AUTOGRAD_CORE_RECORDS"] = "records.json"  # PyTorch and JAX do not run here: what they answered elsewhere
for package in ("autograd-core", "numpy"):
    print(f"{package:14} {version(package)}")"""


PROGRAM = """<details{open}>
<summary>{reason}</summary>

```python
{source}
```

</details>"""


def collect_wheels() -> None:
    """Fill a folder with what the browser installs from the site: this package, and what shows widgets."""
    WHEELS.mkdir(parents=True)
    shutil.copy(wheel(BUILD / "wheel"), WHEELS)
    pins = [line for line in (HERE / "lite.txt").read_text().splitlines() if line.split("==")[0] in IN_THE_BROWSER]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([*command, "--only-binary", ":all:", "--dest", WHEELS, *pins], check=True)


def in_the_browser(notebook: NotebookNode, pyodide: str = PYODIDE) -> NotebookNode:
    """A notebook with the first cell and the kernel that belong to this site.

    "Run All Cells" ends at the first error, so a cell that can only fail here becomes text.
    """
    first, *others = notebook.cells
    first.source = FIRST_CELL
    programs = [cell for cell in others if cell.cell_type == "code"]
    runs = live((cell.source, cell.metadata) for cell in programs)
    failing = {cell.id for cell, well in zip(programs, runs, strict=True) if not well}
    welcome = _("*Your browser loads Python from {host}. If a cell stays at `[*]`, that host cannot be reached.*")
    above = new_markdown_cell(welcome.format(host=urlsplit(pyodide).netloc or _("this site")), id="welcome")
    notebook.cells = [above, first, *(as_text(cell) if cell.id in failing else cell for cell in others)]
    notebook.metadata.kernelspec = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}
    return notebook


def as_text(cell: NotebookNode) -> NotebookNode:
    """The program of a cell to be read, folded where the book folds it."""
    folded = "jupyter" in cell.metadata
    reason = _("A program that a browser cannot run: it, or one above it, needs more, such as PyTorch.")
    text = PROGRAM.format(open="" if folded else " open", reason=escape(reason), source=cell.source)
    return new_markdown_cell(text, id=cell.id)


def write_contents(pyodide: str) -> None:
    """Fill a folder with the notebooks and the files that they read."""
    write(CONTENTS, Launch.from_config(), "", chapters())
    for path in CONTENTS.glob("*.ipynb"):
        nbformat.write(in_the_browser(nbformat.read(path, 4), pyodide), path)
    (CONTENTS / "records.json").write_text(records.gather(RECORDS), "utf-8")


def settings(pyodide: str) -> dict:
    kernel = {"pyodideUrl": f"{pyodide}pyodide.js"}
    return {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "The gradient was computed",
            "litePluginSettings": {"@jupyterlite/pyodide-kernel-extension:kernel": kernel},
        },
    }


def build(environment: Path, pyodide: str) -> None:
    """Run JupyterLite on what the other functions gathered."""
    CONFIG.mkdir()
    (CONFIG / "jupyter-lite.json").write_text(json.dumps(settings(pyodide), indent=1))
    command = [environment / "bin" / "jupyter", "lite", "build", "--lite-dir", CONFIG, "--contents", CONTENTS]
    command += ["--output-dir", SITE, "--no-unused-shared-packages", "--no-sourcemaps"]
    for path in sorted(WHEELS.glob("*.whl")):
        command += ["--piplite-wheels", path]
    done = subprocess.run(command, cwd=CONFIG, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"JupyterLite was not built:\n{done.stdout}{done.stderr}")


def main(environment: str, pyodide: str = PYODIDE) -> None:
    for folder in (GATHERED, SITE):
        shutil.rmtree(folder, ignore_errors=True)
    collect_wheels()
    write_contents(pyodide)
    build(Path(environment).absolute(), pyodide)
    print(
        f"JupyterLite is in {SITE.relative_to(ROOT)}, and its readers load Python from {pyodide}.\n"
        "Serve that folder: python -m http.server --directory _build/lite"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
