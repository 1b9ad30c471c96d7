"""Print the whole book into `_build/book.pdf`, with an outline and with tags for a screen reader.

    python tools/make_pdf.py

Sphinx writes all chapters on one page, from the outputs that `make book` has left in the cache, and Chromium prints it.
Solutions and explanations are open; the code of figures is left out.
"""

import re
import subprocess
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import yaml
from playwright.sync_api import sync_playwright

import chromium

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "_build"
PAGES = BUILD / "singlehtml"
PDF = BUILD / "book.pdf"
CONFIG = ROOT / "_config.yml"
SCREEN_ONLY = re.compile(r'<script type="module".*?</script>', re.DOTALL)  # what answers a reader's clicks
OPEN = "() => document.querySelectorAll('details:not(.tag_hide-input > *)').forEach(each => { each.open = true })"
# Sphinx writes links between pages; here all pages are one, and what is nowhere in it is no link.
LINKS = """() => {
  for (const link of document.querySelectorAll("a[href]")) {
    const url = new URL(link.href);
    if (url.origin !== location.origin) continue;
    const page = url.pathname.replace(/^\\/(book\\/)?/, "document-book/").replace(/\\.html$/, "");
    const target = document.getElementById(decodeURIComponent(url.hash.slice(1))) ?? document.getElementById(page);
    if (target) link.setAttribute("href", `#${target.id}`);
    else link.removeAttribute("href");
  }
}"""
STYLE = """
    details:not([open]) { display: none }
    [id^="document-"] + section { break-before: page }
"""
FOOTER = """<p style="width: 100%; text-align: center; font: 8pt sans-serif"><span class="pageNumber"></span></p>"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


def write_one_page() -> None:
    jupyter_book = Path(sys.executable).with_name("jupyter-book")
    command = [jupyter_book, "build", "--builder", "singlehtml", "--all", "--quiet", ROOT]
    if code := subprocess.run(command, stdout=subprocess.DEVNULL).returncode:
        sys.exit(code)
    # Sphinx takes the page to lie at the top; it lies where the first page of the book does.
    text = (PAGES / "book" / "index.html").read_text("utf-8")
    (PAGES / "print.html").write_text(SCREEN_ONLY.sub("", text), "utf-8")


def print_it(browser_path: str) -> None:
    with (
        ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=PAGES)) as server,
        sync_playwright() as playwright,
    ):
        Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(color_scheme="light")
        page.goto(f"http://127.0.0.1:{server.server_port}/print.html")
        page.evaluate("() => window.MathJax?.startup?.promise.then(() => null)")
        page.evaluate(OPEN)
        page.evaluate(LINKS)
        page.evaluate("title => { document.title = title }", yaml.safe_load(CONFIG.read_text("utf-8"))["title"])
        page.add_style_tag(content=STYLE)
        page.pdf(path=PDF, format="A4", prefer_css_page_size=True, outline=True, tagged=True, print_background=True,
                 display_header_footer=True, header_template="<p></p>", footer_template=FOOTER)  # fmt: skip
        browser.close()
        server.shutdown()


if __name__ == "__main__":
    if (browser := chromium.find()) is None:
        sys.exit("The PDF is printed by Chromium, which is not on the PATH.")
    write_one_page()
    print_it(browser)
    print(f"The book is in {PDF.relative_to(ROOT)}, {PDF.stat().st_size / 1e6:.1f} MB.")
