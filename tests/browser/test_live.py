"""Live cells: the reader's browser runs them, and nothing is loaded before the first click."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.browser.axe import violations
from tests.browser.pyodide_host import PyodideHost
from tests.browser.server import Quiet, serving
from tools import live_analysis

ROOT = Path(__file__).parents[2]
SITE = ROOT / "_build" / "html"
LIVE = SITE / "_static" / "live"
if not (LIVE / "place.json").exists():
    pytest.skip(f"the book is not built: there is no {LIVE / 'place.json'}", allow_module_level=True)

pytestmark = pytest.mark.slow
CHAPTER = "book/04_accumulation.html"
MINUTE = 60_000
CHAPTERS = sorted(
    page.relative_to(SITE).as_posix()
    for page in (SITE / "book").glob("*.html")
    if " live docutils" in page.read_text("utf-8")
)


class Isolating(Quiet):
    """A server that isolates pages lets Python be interrupted."""

    def end_headers(self):
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()


@pytest.fixture(scope="module")
def serve():
    """Start a server of the site; give its address."""
    with ExitStack() as servers:
        yield lambda handler=Quiet: servers.enter_context(serving(SITE, handler))


@pytest.fixture(scope="module")
def pyodide():
    return PyodideHost(LIVE / "place.json")


@pytest.fixture(scope="module")
def visit(browser, serve, pyodide):
    """Open a page of the site in a context of its own, where Pyodide's host is answered for."""
    contexts, addresses = [], {}

    def open_page(name, handler=Quiet, **options):
        if handler not in addresses:
            addresses[handler] = serve(handler)
        contexts.append(browser.new_context(**options))
        pyodide.answers(contexts[-1])
        page = contexts[-1].new_page()
        page.set_default_timeout(MINUTE)
        page.goto(addresses[handler] + name)
        return page

    yield open_page
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def chapter(visit):
    """One page for the tests that leave no trace but a cell's."""
    return visit(CHAPTER)


def cell_with(page, text):
    return page.locator("div.cell.live", has=page.locator(".cell_input", has_text=text)).first


def press(cell, action):
    cell.get_by_role("button", name=action, exact=True).click()


def finish(cell, words):
    cell.get_by_role("status").filter(has_text=words).wait_for()


def write(cell, text):
    """Edit a cell as a person does: by the keyboard alone."""
    cell.get_by_role("button", name="Edit", exact=True).press("Enter")
    cell.get_by_role("textbox").press("Control+a")
    cell.page.keyboard.insert_text(text)


def output(cell):
    return cell.locator(".cell_output")


def test_nothing_is_loaded_before_the_first_click(visit):
    page = visit("book/index.html")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(page.url.replace("book/index.html", CHAPTER))
    page.wait_for_load_state("networkidle")
    assert [Path(url.partition("?")[0]).name for url in asked if "/live/" in url] == ["live.css"]
    assert all(url.startswith(page.url.partition("book/")[0]) for url in asked if not url.startswith("data:"))


def test_a_cell_runs_and_shows_its_table_beside_what_was_recorded(chapter):
    cell = cell_with(chapter, "def three_walks")
    printed = output(cell).locator("td").all_inner_texts()
    press(cell, "Run")
    finish(cell, "Done in")
    assert output(cell).locator("td").all_inner_texts() == printed
    headers = output(cell).locator("thead th").all_inner_texts()
    assert headers[2] == "autograd_core" and headers[3].endswith("(recorded)")


def test_a_cell_runs_those_above_it_first(visit):
    page = visit(CHAPTER)
    cell = cell_with(page, "def parts(T)")
    press(cell, "Run")
    finish(cell, "Done in")
    assert output(cell).locator("thead th").last.inner_text().startswith("JAX")


def test_an_edited_function_has_no_record_and_reset_restores_everything(visit):
    cell = cell_with(visit(CHAPTER), "def three_walks")
    code, shown = cell.locator(".cell_input").inner_text(), output(cell).inner_text()
    source = cell.locator(".cell_input pre").inner_text()
    write(cell, source.replace("w.square()", "w.pow(2)"))
    cell.get_by_role("textbox").press("Shift+Enter")
    finish(cell, "Done in")
    assert "no record of this version" in output(cell).inner_text()
    assert len(output(cell).locator("thead th").all()) == 3
    cell.get_by_role("textbox").press("Escape")
    assert cell.get_by_role("button", name="Run").evaluate("button => button === document.activeElement")
    press(cell, "Reset")
    assert (cell.locator(".cell_input").inner_text(), output(cell).inner_text()) == (code, shown)


def test_a_comment_does_not_lose_the_record(chapter):
    cell = cell_with(chapter, "def three_walks")
    source = cell.locator(".cell_input pre").inner_text()
    write(cell, "# mine\n" + source)
    press(cell, "Run")
    finish(cell, "Done in")
    assert output(cell).locator("thead th").last.inner_text().endswith("(recorded)")
    press(cell, "Reset")


def test_a_double_click_opens_one_editor(visit):
    cell = cell_with(visit(CHAPTER), "def three_walks")
    cell.get_by_role("button", name="Edit", exact=True).dblclick()
    cell.get_by_role("button", name="Reset").wait_for()
    assert cell.get_by_role("textbox").count() == 1
    press(cell, "Reset")
    assert cell.get_by_role("textbox").count() == 0


def test_editing_begins_at_the_end_of_the_code_beside_the_buttons(visit):
    page = visit(CHAPTER, viewport={"width": 1280, "height": 300})
    cell = cell_with(page, "def three_walks")
    cell.get_by_role("button", name="Edit", exact=True).evaluate(
        "button => button.scrollIntoView({ block: 'center', behavior: 'instant' })"
    )
    before = page.evaluate("scrollY")
    press(cell, "Edit")
    cell.get_by_role("textbox").wait_for()
    assert page.evaluate("scrollY") == before
    page.keyboard.type("# mine")
    assert cell.get_by_role("textbox").input_value().endswith("# mine")


def test_the_output_of_the_book_outlives_an_edit_and_a_reset_during_a_run(visit):
    cell = cell_with(visit(CHAPTER), "def three_walks")
    shown = output(cell).inner_text()
    write(cell, "import time\nfor tick in range(30):\n    print('tick', tick)\n    time.sleep(0.1)")
    press(cell, "Run")
    output(cell).filter(has_text="tick 1\n").wait_for()
    press(cell, "Reset")
    finish(cell, "This cell is running")
    press(cell, "Edit")
    finish(cell, "Done in")
    assert output(cell).inner_text().split() == [word for tick in range(30) for word in ("tick", str(tick))]
    press(cell, "Reset")
    assert output(cell).inner_text() == shown and cell.get_by_role("textbox").count() == 0


def test_the_editor_colors_python_and_keeps_indentation(chapter):
    cell = cell_with(chapter, "def three_walks")
    write(cell, "def f():")
    cell.page.keyboard.press("Enter")
    cell.page.keyboard.type("return 1")
    assert cell.get_by_role("textbox").input_value() == "def f():\n    return 1"
    colors = {
        kind: cell.locator(f".token.{kind}").first.evaluate("token => getComputedStyle(token).color")
        for kind in ("keyword", "function", "number")
    }
    assert len(set(colors.values())) == 3
    press(cell, "Reset")


@pytest.mark.parametrize(
    ("source", "status", "shown"),
    [
        ("print('a'); print('b')\n3 * 4", "Done in", "a\nb\n12"),
        ("def f():\n    return 1 / 0\n\nf()", "ZeroDivisionError was raised", "line 2, in f\n    return 1 / 0"),
        ("1 +", "SyntaxError was raised", "1 +"),
        ("import torch", "ModuleNotFoundError was raised", "torch"),
        ("raise SystemExit", "SystemExit was raised", "SystemExit"),
        (
            "from autograd_book.compare.engines import load\nload('JAX')",
            "ModuleNotFoundError was raised",
            "pip install",
        ),
    ],
)
def test_what_a_cell_prints_returns_and_raises(chapter, source, status, shown):
    cell = cell_with(chapter, "import autograd_core as ac")
    write(cell, source)
    press(cell, "Run")
    finish(cell, status)
    assert shown in output(cell).inner_text()
    press(cell, "Reset")


@pytest.mark.parametrize(
    ("length", "ending"), [(200_000, ""), (200_001, "\n… The rest of what this cell prints is too long to be shown.\n")]
)
def test_what_is_too_long_to_be_shown_is_cut_and_the_page_says_so(chapter, length, ending):
    cell = cell_with(chapter, "import autograd_core as ac")
    write(cell, f"print('x' * {length}, end='')\nprint(end='')")
    press(cell, "Run")
    finish(cell, "Done in")
    assert output(cell).locator("pre").text_content() == "x" * 200_000 + ending
    press(cell, "Reset")


def test_a_figure_with_a_script_comes_to_life(chapter):
    cell = cell_with(chapter, "microscope(L")
    press(cell, "Run")
    finish(cell, "Done in")
    before = output(cell).locator("[aria-live]").first.inner_text()
    output(cell).get_by_role("button", name="Next").click()
    assert output(cell).locator("[aria-live]").first.inner_text() != before


def test_a_plot_is_drawn_with_the_words_of_the_book(visit, pyodide):
    if pyodide.without_matplotlib():
        pytest.skip("PYODIDE_WHEELS holds no build of Matplotlib for Pyodide")
    cell = cell_with(visit(CHAPTER), "plt.subplots")
    drawn = output(cell).get_by_role("img")
    words = drawn.get_attribute("aria-label")
    drawn.evaluate("drawing => drawing.remove()")
    cell.locator("summary").click()
    press(cell, "Run")
    finish(cell, "Done in")
    assert drawn.get_attribute("aria-label") == words
    assert not output(cell).locator("img").count()  # the figure is closed, and not shown a second time


def test_a_figure_that_is_sent_is_an_image_with_words(chapter):
    cell = cell_with(chapter, "def three_walks")
    write(cell, "import session\nsession.send('image', '<svg xmlns=\"http://www.w3.org/2000/svg\"/>')")
    press(cell, "Run")
    finish(cell, "Done in")
    image = output(cell).get_by_role("img", name="Figure made by this cell")
    assert image.get_attribute("src").startswith("data:image/svg+xml")


def test_an_engine_that_no_browser_runs_is_named(chapter):
    cell = cell_with(chapter, "def three_walks")
    write(cell, "import torch")
    press(cell, "Run")
    finish(cell, "ModuleNotFoundError was raised")
    assert "PyTorch does not run in a browser." in output(cell).inner_text()


def test_python_speaks_the_language_of_the_page(visit):
    page = visit(CHAPTER)
    page.evaluate("document.documentElement.lang = 'zh-CN'")
    cell = cell_with(page, "def three_walks")
    write(cell, "import os\nprint(os.environ['AUTOGRAD_CORE_LANGUAGE'])")
    press(cell, "Run")
    finish(cell, "Done in")
    assert output(cell).inner_text().strip() == "zh_CN"


@pytest.mark.parametrize(("handler", "sentence", "kept"), [(Quiet, "is lost", False), (Isolating, "is kept", True)])
def test_an_endless_loop_is_stopped(visit, handler, sentence, kept):
    page = visit(CHAPTER, handler)
    cell, other = cell_with(page, "def three_walks"), cell_with(page, "def parts(T)")
    write(cell, "kept = 1\nprint('so far')\nwhile True: pass")
    press(cell, "Run")
    output(cell).filter(has_text="so far").wait_for()
    press(other, "Run")
    finish(other, "Another cell is running")
    press(cell, "Stop")
    finish(cell, sentence)
    write(cell, "print('kept' in globals())")
    press(cell, "Run")
    finish(cell, "Done in")
    assert output(cell).inner_text().strip() == str(kept)


def test_a_stop_is_heard_while_the_page_asks_where_python_is(visit):
    page = visit(CHAPTER)
    page.route("**/place.json", lambda route: None)  # no answer yet
    cell = cell_with(page, "def three_walks")
    with page.expect_request("**/place.json"):
        press(cell, "Run")
    press(cell, "Stop")
    finish(cell, "Stopped.")
    page.unroute("**/place.json")
    press(cell, "Run")
    finish(cell, "Done in")


def test_without_the_host_the_cell_says_what_to_do_and_keeps_its_output(browser, serve, pyodide):
    with browser.new_context() as context:
        pyodide.is_away(context)
        page = context.new_page()
        page.set_default_timeout(MINUTE)
        page.goto(serve() + CHAPTER)
        cell = cell_with(page, "def three_walks")
        printed = output(cell).inner_html()
        press(cell, "Run")
        finish(cell, "What is printed below is from the book.")
        assert output(cell).inner_html() == printed
        silent = cell_with(page, "def parts(T)")
        output(silent).evaluate("output => output.remove()")
        press(silent, "Run")
        finish(silent, "connect and run again")
        assert "printed below" not in silent.get_by_role("status").inner_text()
        pyodide.is_back(context)
        press(cell, "Run")
        finish(cell, "Done in")


def test_a_page_opened_as_a_file_says_what_to_do(browser):
    with browser.new_page() as page:
        page.goto((SITE / CHAPTER).as_uri())
        cell = cell_with(page, "def three_walks")
        printed = output(cell).inner_html()
        for action in ("Run", "Edit"):
            press(cell, action)
            finish(cell, "python -m http.server")
        assert output(cell).inner_html() == printed


def test_the_buttons_are_not_printed(chapter):
    chapter.emulate_media(media="print")
    assert not chapter.locator(".live-bar").first.is_visible()
    chapter.emulate_media(media="screen")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_live_cells_are_accessible_and_fit(visit, scheme, width):
    page = visit(CHAPTER, color_scheme=scheme, viewport={"width": width, "height": 800})
    cell = cell_with(page, "def three_walks")
    write(cell, "@decorate\ndef f(x):  # a comment\n    return f'{x}' + \"text\" * 12 if None else True")
    press(cell, "Run")
    finish(cell, "NameError was raised")
    assert violations(page, ".live-bar", ".live-editor", ".traceback") == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_live_cell_of_the_book_runs(visit, pyodide, name, monkeypatch):
    page = visit(name)
    cells = page.locator("div.cell.live")
    sources = [cell.evaluate("cell => cell.querySelector('.cell_input pre').textContent") for cell in cells.all()]
    if pyodide.without_matplotlib():
        monkeypatch.setattr(live_analysis, "PRESENT", live_analysis.PRESENT - {"matplotlib"})
    # All of them, or those that need no Matplotlib where there is none.
    expected = live_analysis.live((source, {}) for source in sources)
    failed = {}
    for cell, runs in zip(cells.all(), expected, strict=True):
        cell.evaluate("cell => cell.querySelector('.live-bar button').click()")
        said = cell.locator(".live-bar [role=status]")
        said.filter(has_text="Done in").or_(said.filter(has_text="raised")).wait_for(state="attached")
        text = "".join(output(cell).all_text_contents())
        if runs and ("Done in" not in said.text_content() or "no record of this version" in text):
            failed[cell.locator(".cell_input pre").text_content()] = text
    assert failed == {}
