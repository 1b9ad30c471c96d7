"""A browser for the tests of this folder, and a page with figures in it."""

import shutil

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
ARGUMENTS += ["--disable-component-update", "--disable-sync"]


@pytest.fixture(scope="session")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="browser tests need playwright")
    if CHROMIUM is None:
        pytest.skip("browser tests need chromium on the PATH")
    with playwright.sync_playwright() as p:
        browser = p.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def show(browser, tmp_path):
    """Open figures in a page from a file; script errors and requests fail the test."""
    complaints, opened = [], []

    def open_page(*figures, width=1000, hash="", **options):
        file = tmp_path / "page.html"
        body = "".join(figure._repr_html_() for figure in figures)
        file.write_text(
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title><main>{body}</main></html>', "utf-8"
        )
        page = browser.new_page(viewport={"width": width, "height": 800}, **options)
        opened.append(page)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("request", lambda asked: complaints.append(asked.url) if not asked.url.startswith("file:") else None)
        page.goto(file.as_uri() + hash)
        return page

    yield open_page
    for page in opened:
        page.close()
    assert complaints == []
