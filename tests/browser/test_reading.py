"""Pages that answer their reader, in a browser: a small book is built with the extension `tools/reading.py`."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.browser.motion import settle
from tests.browser.server import serving

pytest.importorskip("sphinx_book_theme", reason="the pages of the book need what requirements.txt lists")
ROOT = Path(__file__).parents[2]

CONF = f"""
project = "A small book"
extensions = ["myst_nb", "sphinx_copybutton", "reading"]
myst_enable_extensions = ["colon_fence"]
nb_execution_mode = "off"
suppress_warnings = ["myst-nb.lexer"]  # only an execution would tell
sd_tabs_storage_prefix = ""
html_theme = "sphinx_book_theme"
html_static_path = [{str(ROOT / "book" / "_static")!r}]
"""

HEAD = """---
jupytext: {text_representation: {extension: .md, format_name: myst}}
kernelspec: {name: python3, display_name: Python 3}
---

"""

CHAPTER = (
    HEAD
    + """# One

A leaf is at hand, and two leaves are no more than a leaf. A version counter counts.

:::{admonition} Predict
:class: predict answer-2
What is it?

- `12.0`
- By 6.75.
- Nothing: there is **an error**.
:::

Now the text goes on.

:::{dropdown} Why 12 tempts
Because of the value.
:::

:::{dropdown} Why the error tempts
Because of the mode.
:::

```{code-cell} python
:tab: PyTorch and autograd_core
tensors = 1
```

```{code-cell} python
:tab: JAX
functions = 2
```

:::{dropdown} Hint
Think.
:::

:::{dropdown} Second hint
It is a needle.
:::

:::{admonition} What you chose stays with you
:class: kept
Nothing leaves the device.
:::
"""
)

OTHER = HEAD + CHAPTER[CHAPTER.index("# One") :].replace("# One", "# Two")

GLOSSARY = """# Glossary

```{glossary}
leaf
  A tensor that nothing made.

  More about it.

counter
version counter
  A number that *grows*.
```
"""


def build(folder, chapter=CHAPTER):
    """Build the small book; what Sphinx complained about comes back as text."""
    (folder / "book").mkdir()
    pages = {"conf.py": CONF, "book/01_one.md": chapter, "book/02_two.md": OTHER, "book/glossary.md": GLOSSARY}
    pages["index.md"] = "# Start\n\n```{toctree}\nbook/01_one\nbook/02_two\nbook/glossary\n```\n"
    for name, text in pages.items():
        (folder / name).write_text(text, "utf-8")
    command = [sys.executable, "-m", "sphinx", "-q", "-b", "html", folder, folder / "html"]
    path = os.pathsep.join([str(ROOT / "tools"), str(ROOT)])
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path})
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("book")
    assert build(folder) == ""
    return folder / "html"


@pytest.fixture(scope="module")
def address(site):
    with serving(site) as root:
        yield f"{root}book/"


@pytest.fixture
def reader(browser, address):
    """Opens pages as one reader, whose browser keeps what it is given; errors of scripts fail the test."""
    complaints, contexts = [], []

    def open_page(name="01_one.html", **options):
        if not contexts or options:
            contexts.append(browser.new_context(viewport={"width": 1000, "height": 800}, **options))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address + name)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def opened(page):
    return [each.locator("summary").inner_text().strip() for each in page.locator("details.tempts[open]").all()]


def test_a_wrong_choice_opens_its_own_explanation_and_says_what_happens(reader):
    page = reader()
    group = page.get_by_role("group", name="What is it?")
    assert group.get_by_role("radio").count() == 3
    assert not page.locator(".verdict").is_visible()
    group.get_by_role("radio", name="Nothing: there is an error.").check()
    assert "You said Nothing: there is an error." in page.locator(".said").inner_text()
    assert "What happens: By 6.75." in page.locator(".verdict").inner_text()
    assert opened(page) == ["Why the error tempts"]
    group.get_by_role("radio", name="12.0").check()
    assert opened(page) == ["Why 12 tempts"]


def test_a_right_choice_opens_nothing(reader):
    page = reader()
    page.get_by_role("radio", name="By 6.75.").check()
    assert page.locator(".verdict").inner_text() == "You said By 6.75, and so it is."
    assert opened(page) == []


def test_a_choice_is_made_with_the_keyboard_and_announced(reader):
    page = reader()
    page.get_by_role("radio", name="12.0").focus()
    page.keyboard.press("Space")
    assert opened(page) == ["Why 12 tempts"]
    page.keyboard.press("ArrowDown")
    assert page.get_by_role("radio", name="By 6.75.").is_checked()
    assert "By 6.75" in page.get_by_role("status").first.inner_text()


def test_a_choice_is_still_there_after_a_reload_and_belongs_to_its_page(reader):
    page = reader()
    page.get_by_role("radio", name="12.0").check()
    page.reload()
    assert page.get_by_role("radio", name="12.0").is_checked()
    assert opened(page) == ["Why 12 tempts"]
    assert reader("02_two.html").locator("input[type=radio][name=prediction]:checked").count() == 0


def test_choices_are_saved_to_a_file_cleared_and_read_again(reader, tmp_path):
    page = reader()
    page.get_by_role("radio", name="12.0").check()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save to a file").click()
    download.value.save_as(file := tmp_path / "saved.json")
    assert json.loads(file.read_text())["kept"] == {"predictions": {"book/01_one": 1}}

    page.get_by_role("button", name="Clear").click()
    assert not page.get_by_role("radio", name="12.0").is_checked()
    assert opened(page) == []
    assert not page.locator(".verdict").is_visible()

    page.locator("input[type=file]").set_input_files(file)
    page.get_by_text("Predictions read: 1.").wait_for()
    assert page.get_by_role("radio", name="12.0").is_checked()


@pytest.mark.parametrize("text", ["no JSON", "[]", "null", '{"kept": {}}', '{"format": "autograd-book 1", "kept": 3}'])
def test_a_file_of_another_kind_is_refused_and_changes_nothing(reader, tmp_path, text):
    page = reader()
    page.get_by_role("radio", name="12.0").check()
    (file := tmp_path / "other.json").write_text(text)
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_text("Nothing was read").wait_for()
    assert page.get_by_role("radio", name="12.0").is_checked()


def test_what_another_hand_left_in_the_store_does_no_harm(reader):
    page = reader()
    page.evaluate("localStorage.setItem('autograd-book', '{\"predictions\": {\"book/01_one\": 99}}')")
    page.reload()
    assert page.locator("input[name=prediction]:checked").count() == 0
    page.evaluate("localStorage.setItem('autograd-book', 'no JSON')")
    page.reload()
    page.get_by_role("radio", name="12.0").check()
    assert opened(page) == ["Why 12 tempts"]


def test_a_page_answers_where_the_browser_keeps_nothing(reader):
    page = reader()
    page.add_init_script(
        """for (const name of ["getItem", "setItem"]) {
          const original = Storage.prototype[name];
          Storage.prototype[name] = function (key, ...rest) {
            if (key === "autograd-book") throw new Error("blocked");  // the theme does not survive that
            return original.call(this, key, ...rest);
          };
        }"""
    )
    page.reload()
    page.get_by_role("radio", name="12.0").check()
    assert opened(page) == ["Why 12 tempts"]


def test_a_choice_is_kept_for_the_page_where_the_store_is_full(reader):
    page = reader()
    page.get_by_role("radio", name="12.0").check()
    page.evaluate(
        """() => {
          const original = Storage.prototype.setItem;
          Storage.prototype.setItem = function (key, value) {
            if (key === "autograd-book") throw new Error("full");  // what the theme keeps is not ours to mend
            original.call(this, key, value);
          };
        }"""
    )
    page.get_by_role("radio", name="By 6.75.").click()
    assert page.get_by_role("radio", name="By 6.75.").is_checked()
    assert page.locator(".verdict").inner_text() == "You said By 6.75, and so it is."
    page.reload()
    assert page.get_by_role("radio", name="12.0").is_checked()


def test_a_page_answers_when_it_is_opened_from_a_folder(browser, site):
    with browser.new_page() as page:
        page.goto((site / "book" / "01_one.html").as_uri())
        page.get_by_role("radio", name="12.0").check()
        assert opened(page) == ["Why 12 tempts"]


def test_without_scripts_everything_is_there(reader):
    page = reader(java_script_enabled=False)
    assert page.locator(".admonition.predict ul > li").all_inner_texts() == [
        "12.0",
        "By 6.75.",
        "Nothing: there is an error.",
    ]
    page.locator("summary", has_text="Second hint").click()
    assert page.get_by_text("It is a needle.").is_visible()
    page.locator("a.term").first.click()
    assert page.url.endswith("glossary.html#term-leaf")


def test_the_explanations_and_all_tabs_are_on_paper(reader):
    page = reader()
    page.emulate_media(media="print")
    for text in ("Because of the value.", "tensors", "functions"):
        assert page.get_by_text(text).first.bounding_box()["height"] > 0


def test_the_second_hint_waits_for_the_first(reader):
    page = reader()
    first, second = (page.locator("summary", has_text=text) for text in ("Hint", "Second hint"))
    first = first.first
    needle = page.get_by_text("It is a needle.")
    assert second.get_attribute("aria-disabled") == "true"
    second.click()
    second.press("Enter")
    assert not needle.is_visible()
    assert "(open the first one first)" in second.inner_text()
    first.click()
    page.locator("summary", has_text="open the first").wait_for(state="detached")
    first.click()  # it may be folded again
    second.press("Enter")
    assert needle.is_visible()
    assert second.get_attribute("aria-disabled") is None


def test_a_second_hint_that_a_search_unfolded_is_open_to_its_reader(reader):
    page = reader()
    page.locator("details.second-hint").evaluate("details => (details.open = true)")
    page.locator("summary", has_text="open the first").wait_for(state="detached")
    assert page.get_by_text("It is a needle.").is_visible()


def test_tabs_stay_in_step_from_page_to_page(reader):
    page = reader()
    assert page.locator(".sd-tab-content", has_text="tensors").is_visible()
    page.locator("label", has_text="JAX").click()
    assert page.locator(".sd-tab-content", has_text="functions").is_visible()
    other = reader("02_two.html")
    assert other.locator(".sd-tab-content", has_text="functions").is_visible()
    assert not other.locator(".sd-tab-content", has_text="tensors").is_visible()
    other.get_by_role("radio", name="JAX").focus()
    other.keyboard.press("ArrowLeft")
    page.reload()
    assert page.locator(".sd-tab-content", has_text="tensors").is_visible()


def test_the_first_use_of_a_term_is_a_link_with_its_definition(reader):
    page = reader()
    assert page.locator("a.term").all_inner_texts() == ["leaf", "version counter"]
    tip = page.get_by_role("tooltip")

    page.locator("a.term").first.hover()
    tip.wait_for()
    assert tip.inner_text() == "A tensor that nothing made."
    tip.hover()
    page.wait_for_timeout(400)  # longer than the pause after which a tip that was left goes away
    assert tip.is_visible()
    page.keyboard.press("Escape")
    assert not tip.is_visible()

    page.locator("a.term").last.focus()
    assert tip.inner_text() == "A number that grows."
    described = page.locator("a.term").last.get_attribute("aria-describedby")
    assert described == tip.get_attribute("id")
    page.keyboard.press("Tab")
    assert not tip.is_visible()


def test_a_tap_shows_the_definition_and_a_second_one_follows_the_link(reader):
    page = reader(has_touch=True)
    link, tip = page.locator("a.term").first, page.get_by_role("tooltip")
    link.tap()
    assert tip.is_visible()
    page.get_by_text("Now the text goes on.").tap()
    assert not tip.is_visible()
    link.tap()
    link.tap()
    page.wait_for_url("**/glossary.html#term-leaf")


def test_a_key_follows_a_link_that_was_tapped(reader):
    page = reader(has_touch=True)
    page.locator("a.term").first.tap()
    assert page.get_by_role("tooltip").is_visible()
    page.keyboard.press("Enter")
    page.wait_for_url("**/glossary.html#term-leaf")


def test_code_is_copied_by_a_button_that_has_a_name_and_is_seen_when_focused(reader):
    page = reader(permissions=["clipboard-read", "clipboard-write"])
    button = page.locator(".sd-tab-content", has_text="tensors").get_by_role("button", name="Copy")
    button.focus()
    assert button.evaluate("button => getComputedStyle(button).visibility") == "visible"
    settle(page)  # the theme fades it in
    assert button.evaluate("button => getComputedStyle(button).opacity") == "1"
    page.keyboard.press("Enter")
    page.locator(".copybtn.success").wait_for()
    assert page.evaluate("navigator.clipboard.readText()").strip() == "tensors = 1"


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("predict answer-2", "predict", "names the right item"),
        ("predict answer-2", "predict answer-4", "answer-1 to answer-3"),
        ("Why the error tempts", "Why the error lures", "3 options need 2 dropdowns"),
    ],
)
def test_a_box_that_does_not_fit_its_explanations_is_reported(tmp_path, old, new, complaint):
    assert complaint in build(tmp_path, CHAPTER.replace(old, new))
