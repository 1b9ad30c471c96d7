"""404.html in a browser."""

from pathlib import Path

import pytest

TEMPLATES = Path(__file__).parents[2] / "book" / "_templates"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_takes_the_colors_of_the_system_where_the_browser_keeps_nothing(browser, tmp_path, scheme):
    jinja2 = pytest.importorskip("jinja2", reason="404.html is a template of Jinja")
    template = jinja2.Environment(loader=jinja2.FileSystemLoader(TEMPLATES)).get_template("404.html")
    file = tmp_path / "404.html"
    file.write_text(template.render(language="en", book="A book", root="/", first="index", parts=[], words={}), "utf-8")
    with browser.new_page(color_scheme=scheme) as page:
        complaints = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('blocked'); }})")
        page.goto(file.as_uri())
        assert page.locator("html").get_attribute("data-theme") == scheme and complaints == []
