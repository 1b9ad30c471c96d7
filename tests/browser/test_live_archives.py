"""What a page with live cells loads of the library, and when. A site of two pages is built."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.browser.pyodide_host import PyodideHost
from tests.browser.server import serving

pytest.importorskip("myst_nb", reason="the site is built by Sphinx with myst-nb")
pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
MINUTE = 60_000

CONF = f"""\
extensions = ["sphinx_external_toc", "myst_nb", "live_cells"]
project = "A book"
nb_execution_mode = "off"
suppress_warnings = ["myst-nb.lexer"]
html_static_path = [{str(ROOT / "book" / "_static")!r}]
"""
PAGE = """\
---
jupytext: {{text_representation: {{extension: .md, format_name: myst}}}}
kernelspec: {{name: python3, display_name: Python 3}}
---

# A page

```{{code-cell}} python
{}
```
"""
CELLS = {
    "engine": """\
from importlib.metadata import version
import autograd_core as ac
from autograd_book.check import check
from autograd_book.compare import compare
from autograd_book.look import listing, microscope

x = ac.tensor(2.0, requires_grad=True)
print(version("autograd-core"), microscope(x.square()))
listing(ac.enable_grad)""",
    "layers": "import autograd_core as T\nprint(T.nn.Linear(1, 1, bias=False))",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    book = tmp_path_factory.mktemp("book")
    (book / "conf.py").write_text(CONF, "utf-8")
    (book / "index.md").write_text("# Start\n", "utf-8")
    (book / "_toc.yml").write_text("root: index\nentries: [{file: engine}, {file: layers}]\n", "utf-8")
    for name, cell in CELLS.items():
        (book / f"{name}.md").write_text(PAGE.format(cell), "utf-8")
    paths = os.pathsep.join(map(str, (ROOT, ROOT / "book", ROOT / "tools")))
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "-b", "html", book, book / "html"]
    subprocess.run(command, check=True, timeout=120, env=os.environ | {"PYTHONPATH": paths})
    return book / "html"


@pytest.fixture
def open_page(browser, site):
    """Open a page; the second value fills with the names of the archives that it asks for."""
    pyodide = PyodideHost(site / "_static" / "live" / "place.json")
    with serving(site) as address, browser.new_context() as context:
        pyodide.answers(context)

        def opened(name):
            page, asked = context.new_page(), []
            page.set_default_timeout(MINUTE)
            context.on("request", lambda request: asked.extend(re.findall(r"(\w+)-\w+\.tar\.bz2$", request.url)))
            page.goto(f"{address}{name}.html")
            return page, asked

        yield opened


def run(page, source=None):
    """Run the cell of a page, or something else in its place; return what it shows."""
    cell = page.locator("div.cell.live")
    if source is not None:
        if not cell.get_by_role("textbox").count():
            cell.get_by_role("button", name="Edit", exact=True).click()
        cell.get_by_role("textbox").fill(source)
    cell.get_by_role("button", name="Run", exact=True).click()
    cell.get_by_role("status").filter(has_text=re.compile("Done in|was raised")).wait_for()
    return cell.locator(".cell_output").inner_text()


def test_a_page_loads_the_library_and_a_part_when_it_is_imported(open_page):
    page, asked = open_page("engine")
    shown = run(page)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert version in shown and "class enable_grad" in shown and asked == ["library"]
    assert "Linear(in_features=1, out_features=2, bias=True)" in run(page, "ac.nn.Linear(1, 2)")
    assert run(page, "from autograd_core import func, special\nfunc.grad(lambda x: 3 * x)(x)").strip() == "tensor(3.)"
    assert run(page, "import autograd_core.eager\nac.eager.EagerRuntime.__name__").strip() == "'EagerRuntime'"
    assert asked == ["library", "nn", "more", "eager"]


def test_a_part_that_the_cells_speak_of_comes_with_the_library(open_page):
    page, asked = open_page("layers")
    page.route("**/nn-*", lambda route: route.continue_() if route.request.resource_type == "fetch" else route.abort())
    assert run(page).strip() == "Linear(in_features=1, out_features=1, bias=False)"
    assert sorted(asked) == ["library", "nn"]


def test_a_part_that_cannot_be_loaded_is_named_and_comes_when_it_can(open_page):
    page, _ = open_page("engine")
    run(page)
    page.route("**/optim-*", lambda route: route.abort())
    raised = run(page, "from autograd_core.optim import SGD")
    assert "ImportError: autograd_core.optim could not be loaded" in raised and "run the cell again" in raised
    page.unroute("**/optim-*")
    assert run(page, "from autograd_core.optim import SGD\nSGD.__name__").strip() == "'SGD'"
