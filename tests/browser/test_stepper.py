"""The figures in a browser: buttons, arrow keys, sliders, switches, no script errors."""

import shutil

import pytest

import autograd_core as ac
from autograd_core.viz import Message, microscope, seed_explorer, sequence, split_explorer, switchboard

playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need playwright")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="browser tests need chromium on the PATH")

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
ARGUMENTS += ["--disable-component-update", "--disable-sync"]


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as p:
        browser = p.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def show(browser, tmp_path):
    """Open figures in a page from a file; script errors and requests fail the test."""
    complaints = []

    def open_page(*figures, width=1000, **options):
        file = tmp_path / "page.html"
        body = "".join(figure._repr_html_() for figure in figures)
        file.write_text(f'<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title>{body}</html>', "utf-8")
        page = browser.new_page(viewport={"width": width, "height": 800}, **options)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on(
            "request", lambda request: complaints.append(request.url) if not request.url.startswith("file:") else None
        )
        page.goto(file.as_uri())
        return page

    yield open_page
    assert complaints == []


def chain():
    w = ac.tensor(2.0, requires_grad=True)
    h = w.square()
    L = 3 * h
    return microscope(L)


def test_buttons_step_forwards_and_back(show):
    page = show(chain())
    say, count = page.locator(".ac-say"), page.locator(".ac-count")
    assert count.inner_text() == "1 / 7"
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Next").click()
    assert say.inner_text().startswith("mul sends 3 back to h.")
    assert page.locator(".wide svg").get_by_text("∂L/∂h = 3").is_visible()
    page.get_by_role("button", name="Back").click()
    assert count.inner_text() == "2 / 7"
    assert not page.locator(".wide svg").get_by_text("∂L/∂h = 3").is_visible()
    page.get_by_role("button", name="First").click()
    assert say.inner_text().startswith("Forward")


def test_arrow_keys_step_and_stop_at_the_ends(show):
    page = show(chain())
    page.get_by_role("group").focus()
    page.keyboard.press("ArrowLeft")
    assert page.locator(".ac-count").inner_text() == "1 / 7"
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    assert page.locator(".ac-count").inner_text() == "7 / 7"
    assert page.locator(".ac-say").inner_text().endswith("w.grad = 12.")
    assert page.locator(".ac-say").get_attribute("aria-live") == "polite"
    page.keyboard.press("Home")
    assert page.locator(".ac-count").inner_text() == "1 / 7"


def test_two_steppers_on_a_page_step_on_their_own(show):
    page = show(chain(), chain())
    page.get_by_role("group").nth(1).focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".ac-count").all_inner_texts() == ["1 / 7", "2 / 7"]


@pytest.mark.parametrize("width, shown, hidden", [(1000, ".wide", ".narrow"), (360, ".narrow", ".wide")])
def test_the_picture_fits_and_its_text_is_never_small(show, width, shown, hidden):
    page = show(chain(), width=width)
    assert page.locator(shown).is_visible() and not page.locator(hidden).is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    scale = page.evaluate(f"document.querySelector('{shown} svg').getScreenCTM().a")
    assert 13 * scale >= 11


def test_without_javascript_the_first_frame_and_all_sentences_show(show):
    page = show(chain(), java_script_enabled=False)
    assert page.locator(".wide .ac-grad:visible").all_text_contents() == ["w.grad = None"]
    assert page.locator("li").all_inner_texts()[-1].endswith("w.grad = 12.")
    assert not page.get_by_role("button").first.is_visible()


def test_the_seed_follows_its_sliders_and_the_drag(show):
    page = show(seed_explorer())
    say = page.locator(".ac-say")
    assert say.inner_text().endswith("= 10")
    page.get_by_label("seed v₂").focus()
    page.keyboard.press("ArrowLeft")
    assert say.inner_text() == "v = (1, 1.5): vᵀJ = 1 × 4 + 1.5 × 3 = 8.5"
    handle = page.locator(".ac-v circle").bounding_box()
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 72, y + 54)
    page.mouse.up()
    assert say.inner_text().startswith("v = (-1, 0): ")
    assert page.get_by_label("seed v₁").input_value() == "-1"


@pytest.mark.parametrize("width", [1000, 360])
def test_the_split_follows_its_slider(show, width):
    page = show(split_explorer(), width=width)
    say = page.locator(".ac-say")
    assert say.inner_text().startswith("6 + 2: ")
    page.get_by_label("split after").focus()
    page.keyboard.press("ArrowRight")
    assert say.inner_text().startswith("7 + 1: the means are 12 and 44. Their mean is 28.")
    assert page.locator("svg").get_by_text("of means: 28").is_visible()
    assert page.get_by_role("img").get_attribute("aria-label") == say.inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert min(text.bounding_box()["height"] for text in page.locator("svg text").all()) >= 11


def test_without_javascript_a_split_and_all_sentences_show(show):
    page = show(split_explorer(), java_script_enabled=False)
    assert page.locator("svg").is_visible() and page.locator("li").count() == 7
    assert not page.get_by_role("slider").is_visible()


def board():
    return switchboard(
        {"first": ["1", "2"], "second": ["10", "20"]},
        {name: lambda first, second: {"sum": int(first) + int(second)} for name in ("one system", "another")},
    )


@pytest.mark.parametrize("options", [{}, {"java_script_enabled": False}])
def test_switches_choose_the_state_that_shows_and_need_no_script(show, options):
    page = show(board(), **options)
    shown = page.locator(".ac-state:visible")
    assert shown.locator("td").all_inner_texts() == ["11", "11"]
    page.get_by_role("group", name="second").get_by_role("radio", name="20").check()
    assert shown.locator("td").all_inner_texts() == ["21", "21"]
    page.get_by_role("group", name="first").get_by_role("radio", name="1").focus()
    page.keyboard.press("ArrowRight")
    assert shown.locator("td").all_inner_texts() == ["22", "22"]
    assert shown.locator("caption").inner_text() == "first: 2; second: 20"


def test_a_board_on_a_phone_names_the_system_of_each_cell_and_is_still_a_table(show):
    page = show(board(), width=360)
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    table = page.get_by_role("table")
    assert table.get_by_role("cell").count() == 2 and table.get_by_role("rowheader", name="sum").is_visible()
    labels = "[...document.querySelectorAll('.ac-state td')].map(cell => getComputedStyle(cell, '::before').content)"
    assert page.evaluate(labels)[:2] == ['"one system"', '"another"']


@pytest.mark.parametrize(("width", "shown"), [(1000, ".wide"), (360, ".narrow")])
def test_a_sequence_fits_and_its_text_is_never_small(show, width, shown):
    page = show(
        sequence("A loan", ["you", "library"], [Message("you", "library", "lend(book)"), "A gap."]), width=width
    )
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    picture = page.locator(f"{shown} svg")
    heights = [text.bounding_box()["height"] for text in picture.locator("text").all()]
    assert len(heights) == 4 and min(heights) >= 11
    assert page.get_by_role("img", name="A loan").count() == 1
