"""The JupyterLite site: the chapters open as notebooks and run in the browser, with no server behind them.

Pyodide is served from a folder: its core from npm, NumPy from the folder that PYODIDE_WHEELS names, and pure Python
wheels from pip. What the kernel asks for and no chapter uses, ssl and sqlite3, are stand-ins that do nothing.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.browser.server import Quiet, serving

ROOT = Path(__file__).parents[2]
SITE = ROOT / "_build" / "lite"
CORE = ROOT / "_build" / "npm" / "node_modules" / "pyodide"
PYODIDE = "https://cdn.jsdelivr.net/pyodide/v0.27.7/full/"
CHAPTERS = sorted(path.stem for path in (ROOT / "book").glob("[0-9][0-9]_*.md"))
STAND_INS = {
    "openssl": "",
    "ssl": "",
    "sqlite3": """PARSE_DECLTYPES = PARSE_COLNAMES = 0
class Connection: pass
class DatabaseError(Exception): pass
class OperationalError(DatabaseError): pass
class IntegrityError(DatabaseError): pass
""",
}
KERNEL_NEEDS = ("micropip", "ipython", "jedi", "ssl", "sqlite3", "numpy")

pytestmark = pytest.mark.slow


def needed(packages):
    """The packages of Pyodide that a kernel with NumPy loads."""
    found, waiting = set(), list(KERNEL_NEEDS)
    while waiting:
        name = waiting.pop().replace("_", "-").lower()
        if name not in found:
            found.add(name)
            waiting += packages[name]["depends"]
    return found


def stand_in(name, folder):
    """A wheel with a module that has the names IPython's history mentions; the kernel keeps no history."""
    path = folder / f"{name}-1.0.0-py3-none-any.whl"
    with ZipFile(path, "w") as archive:
        archive.writestr(f"{name}.py", STAND_INS[name])
        archive.writestr(f"{name}-1.0.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0.0\n")
        archive.writestr(
            f"{name}-1.0.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        archive.writestr(f"{name}-1.0.0.dist-info/RECORD", "")
    return path.name


@pytest.fixture(scope="session")
def pyodide(tmp_path_factory):
    """A folder with Pyodide and the packages that a kernel with NumPy loads."""
    if not CORE.exists():
        pytest.skip("Pyodide's core from npm is not in _build/npm")
    wheels = os.environ.get("PYODIDE_WHEELS")
    if not wheels:
        pytest.skip("PYODIDE_WHEELS names no folder with NumPy's wheel for Pyodide")

    folder = tmp_path_factory.mktemp("pyodide")
    shutil.copytree(CORE, folder, dirs_exist_ok=True)
    shutil.copytree(wheels, folder, dirs_exist_ok=True)
    lock = json.loads((folder / "pyodide-lock.json").read_text())
    packages = {name.replace("_", "-").lower(): entry for name, entry in lock["packages"].items()}
    kept = {name: packages[name] for name in needed(packages)}
    pins = [f"{name}=={entry['version']}" for name, entry in kept.items() if name not in {*STAND_INS, "numpy"}]
    command = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        "--no-deps",
        "--only-binary",
        ":all:",
        "--dest",
        folder,
    ]
    command += ["--python-version", "3.12"]
    if subprocess.run([*command, *pins]).returncode:
        pytest.skip("the pure Python wheels that Pyodide's kernel needs could not be downloaded")
    for name in STAND_INS.keys() & kept:
        kept[name] |= {"file_name": stand_in(name, folder), "package_type": "package", "depends": []}
    for entry in kept.values():
        entry["sha256"] = hashlib.sha256((folder / entry["file_name"]).read_bytes()).hexdigest()
    lock["packages"] = kept
    (folder / "pyodide-lock.json").write_text(json.dumps(lock))
    return folder


class LiteWithPyodide(Quiet):
    """Serves the site as it was built, but for the address of Pyodide, and with JupyterLab open to the tests."""

    def __init__(self, *args, pyodide, **rest):
        self.pyodide = pyodide
        super().__init__(*args, **rest)

    def translate_path(self, path):
        if path.startswith("/pyodide/"):
            return str(self.pyodide / path.removeprefix("/pyodide/").partition("?")[0])
        return super().translate_path(path)

    def do_GET(self):
        if self.path.partition("?")[0] != "/jupyter-lite.json":
            return super().do_GET()
        text = (SITE / "jupyter-lite.json").read_text()
        assert PYODIDE in text, f"the site does not take Pyodide from {PYODIDE}"
        settings = json.loads(text.replace(PYODIDE, "../pyodide/"))
        settings["jupyter-config-data"]["exposeAppInBrowser"] = True
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(settings).encode())


@pytest.fixture(scope="session")
def address(pyodide):
    if not SITE.exists():
        pytest.skip("the site is built by `make lite`")
    with serving(SITE, partial(LiteWithPyodide, pyodide=pyodide)) as root:
        yield root


@pytest.fixture
def opened(address, browser):
    """Open a chapter in a browser that has not seen the site; also give the addresses that it asks for."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    requested = []
    page.on("request", lambda request: requested.append(request.url))

    def open_chapter(name):
        page.goto(f"{address}lab/index.html?path={name}.ipynb")
        page.locator(".jp-CodeCell").first.wait_for(timeout=60_000)
        page.get_by_text("Python (Pyodide) | Idle").wait_for(timeout=120_000)  # before, what is to run is forgotten
        return page, requested

    yield open_chapter
    context.close()


def test_a_chapter_runs_in_the_browser(address, opened):
    page, requested = opened("02_chain")
    first = page.locator(".jp-CodeCell").first
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    # JupyterLab hides cells that are scrolled away, so what is awaited is attached, not visible.
    first.locator(".jp-OutputArea-output", has_text="autograd-core").wait_for(state="attached", timeout=120_000)
    table = page.locator(".jp-OutputArea-output table").first
    table.wait_for(state="attached", timeout=60_000)
    cells = table.locator("tr", has_text="w.grad").first.locator("th, td").all_text_contents()
    assert cells[:3] == ["w.grad", "12", "12"]
    assert [url for url in requested if not url.startswith((address, "blob:", "data:"))] == []


RUN_ALL = """async () => {
  const app = window.jupyterapp;
  await app.commands.execute("notebook:run-all-cells");
  return app.shell.currentWidget.content.model.toJSON().cells;
}"""


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_cell_of_a_chapter_runs_without_an_error(name, opened, pyodide):
    page, _ = opened(name)
    cells = [cell for cell in page.evaluate(RUN_ALL) if cell["cell_type"] == "code"]
    if not list(pyodide.glob("matplotlib-*")):  # there is none in PYODIDE_WHEELS: the chapter runs up to its first plot
        plots = [number for number, cell in enumerate(cells) if "import matplotlib" in "".join(cell["source"])]
        cells = cells[: min(plots, default=len(cells))]
    assert all(cell["execution_count"] for cell in cells)
    assert [output for cell in cells for output in cell["outputs"] if output["output_type"] == "error"] == []
