"""Every page of the built book in a browser: nothing from another host, no errors, no sideways scroll, math typeset."""

import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from tests.browser.axe import violations
from tests.browser.motion import settle
from tests.browser.server import serving

SITE = Path(__file__).parents[2] / "_build" / "html"
if not (SITE / "index.html").exists():
    pytest.skip(f"the book is not built: there is no {SITE / 'index.html'}", allow_module_level=True)

pytestmark = pytest.mark.slow
FILES = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html") if "_static" not in path.parts)
PAGES = [file for file in FILES if file != "index.html"]  # which sends the reader on to the first page
CHAPTERS = [page for page in PAGES if page.startswith("book/")]
CATALOGUE = [page for page in CHAPTERS if "catalogue/" in page]  # made alike: two of them are looked at closely
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1280, "height": 900}


class Outline(HTMLParser):
    """What a page holds, read without a browser: its anchors, what it points to, and how many formulas."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors, self.targets, self.formulas = {"", "top"}, set(), 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.anchors |= {given.get("id"), given.get("name") if tag == "a" else None}
        self.targets |= {given[key] for key in ("href", "src", "data") if given.get(key)}
        self.formulas += "math" in (given.get("class") or "").split() and tag in {"div", "span"}


@cache
def outline(page: str) -> Outline:
    return Outline((SITE / page).read_text("utf-8"))


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving(SITE) as root:
        yield root


@pytest.fixture(scope="module")
def context(browser):
    """One browser context of each kind for all pages, so that what they share is loaded once."""
    made = {}

    def give(**options):
        kind = str(options)
        if kind not in made:
            made[kind] = browser.new_context(**options)
        return made[kind]

    yield give
    for each in made.values():
        each.close()


@pytest.fixture
def visit(context, address):
    """Open a page of the site; requests to another host, failed requests and script errors fail the test."""
    complaints, opened = [], []

    def note_request(request):
        if not request.url.startswith((address, "data:", "blob:")):
            complaints.append(f"asked another host: {request.url}")
        if "fontawesome" in request.url:
            complaints.append(f"the icons are drawn by icons.css, and the page loads {request.url}")

    def note_response(response):
        if response.status >= 400:
            complaints.append(f"{response.status} {response.url}")

    def open_page(name, **options):
        page = context(**options).new_page()
        opened.append(page)
        page.on("request", note_request)
        page.on("response", note_response)
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address + name)
        return page

    yield open_page
    for page in opened:
        page.close()
    assert complaints == []


def typeset(page) -> int:
    """Wait for MathJax, where the page has it, and return the number of formulas typeset without an error."""
    page.evaluate("() => window.MathJax?.startup?.promise.then(() => null)")
    assert page.locator("mjx-merror").count() == 0
    return page.locator("mjx-container").count()


def check_width(page) -> None:
    """The page is no wider than its window, at the latest when the theme's animations have ended; half a minute."""
    for _ in range(300):
        wide, window = page.evaluate(
            "() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        if wide <= window:
            return
        page.wait_for_timeout(100)
    pytest.fail(f"the page is {wide} pixels wide in a window of {window}: it scrolls sideways")


@pytest.mark.parametrize("name", PAGES)
def test_a_page_shows_whole_on_a_desk_and_on_a_phone_by_day_and_by_night(visit, name):
    page = visit(name, viewport=DESK)
    assert typeset(page) == outline(name).formulas
    has_mathjax = page.evaluate("() => performance.getEntriesByType('resource').some(e => e.name.includes('mathjax'))")
    assert has_mathjax == (outline(name).formulas > 0), "MathJax is for pages with formulas"
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.locator(f"html[data-theme={scheme}]").wait_for(state="attached")
        for size in (DESK, PHONE):
            page.set_viewport_size(size)
            check_width(page)


@pytest.mark.parametrize("name", [name for name in PAGES if "catalogue/" not in name] + CATALOGUE[:2])
def test_a_page_meets_wcag_by_day_and_by_night_on_a_desk_and_on_a_phone(visit, name):
    page = visit(name, viewport=DESK)
    typeset(page)
    found = []
    for scheme, size in product(("light", "dark"), (DESK, PHONE)):
        page.emulate_media(color_scheme=scheme)
        page.locator(f"html[data-theme={scheme}]").wait_for(state="attached")
        page.set_viewport_size(size)
        settle(page)  # the theme's colors change over a third of a second
        found += [f"{scheme} {size['width']}: {violation}" for violation in violations(page)]
    assert found == []


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_page_reads_without_javascript(visit, name):
    page = visit(name, viewport=PHONE, java_script_enabled=False)
    assert page.locator("article h1").is_visible()
    assert len(page.locator("article").inner_text().split()) > 20
    check_width(page)


@pytest.mark.parametrize("name", FILES)
def test_what_a_page_points_to_is_there(name):
    missing = []
    for target in outline(name).targets:
        url = urlsplit(urljoin(f"http://site/{name}", target))
        if url.netloc != "site":
            continue
        file = unquote(url.path).lstrip("/")
        if not (SITE / file).is_file() or (file in FILES and unquote(url.fragment) not in outline(file).anchors):
            missing.append(target)
    assert missing == []


BROKEN = """() => [...document.querySelectorAll("article mjx-container")].filter(formula => {
  const after = document.createRange(), before = formula.getClientRects();
  const mark = formula.parentElement.nextSibling ?? formula.parentElement.parentElement.nextSibling;
  if (mark?.nodeType !== Node.TEXT_NODE || !/^[.,;:?!)]/.test(mark.data)) return false;
  after.setStart(mark, 0);
  after.setEnd(mark, 1);
  return after.getBoundingClientRect().top >= before[before.length - 1].bottom;
}).map(formula => formula.parentElement.parentElement.textContent)"""


@pytest.mark.parametrize("name", [name for name in CHAPTERS if outline(name).formulas])
def test_no_line_begins_with_the_mark_that_follows_a_formula(visit, name):
    page = visit(name, viewport=PHONE)
    typeset(page)
    assert page.evaluate(BROKEN) == []


def test_the_search_finds_a_term_and_quotes_the_text_around_it(visit):
    page = visit("search.html?q=gradcheck", viewport=DESK)
    page.locator("#search-results li .context").first.wait_for()
    assert any("gradcheck" in title for title in page.locator("#search-results li a").all_inner_texts())
    page.evaluate("""() => {
      const article = `<nav>Contents</nav><article><h1>Title</h1><p>\\\\(w\\\\)<a class="headerlink">#</a></p><p>and</p>
        <style>p {}</style><div class="launch">Notebook</div><div class="ac-viz">Figure</div>
        <details class="hide"><summary>Show</summary><pre>code</pre></details>
        <section id="2nd"><table><tr><th>a</th><td>12</td></tr></table></section></article>`.replace(/\\n */g, "");
      window.quoted = ["", "#2nd"].map((anchor) => Search.htmlToText(article, anchor).trim());
    }""")
    assert page.evaluate("quoted") == ["Title w and code a 12", "a 12"]


def test_results_of_one_weight_come_in_the_order_of_the_book(visit):
    page = visit("search.html?q=retain_graph", viewport=DESK)
    results = page.locator("#search-results li > a")
    page.get_by_text("Search finished").wait_for()
    chapters = [name for name in map(chapter_of, (each.get_attribute("href") for each in results.all())) if name]
    assert len(chapters) > 3 and chapters == sorted(chapters)


def chapter_of(address):
    found = re.search(r"book/(\d\d_\w+)\.html", address)
    return found and found[1]


def test_code_has_the_colors_of_the_figures(visit):
    page = visit("book/02_chain.html", viewport=DESK)
    number, text, name, value = page.evaluate("""() => {
      const color = (kind) => getComputedStyle(document.querySelector(`.cell_input .highlight ${kind}`)).color;
      const sample = document.createElement("i");
      sample.style.color = "var(--value)";
      document.body.append(sample);
      return [color(".mf"), color(".s2"), color(".n"), getComputedStyle(sample).color];
    }""")
    assert number == value
    assert len({number, text, name}) == 3


@pytest.mark.parametrize(("term", "hides"), [("gradcheck", True), ("microbatches", False)])
def test_matches_of_a_search_can_be_hidden_where_the_article_has_some(visit, term, hides):
    page = visit("search.html", viewport=DESK)
    page.evaluate(f"localStorage.setItem('sphinx_highlight_terms', '{term}')")
    page.goto(page.url.replace("search.html", "book/10_gradcheck.html"))
    page.locator(".highlighted").first.wait_for(state="attached")
    assert page.locator(".highlight-link").is_visible() == hides


@pytest.mark.parametrize(
    ("page", "neighbor", "other"),
    [
        ("24_catalogue", "right-next", "25_conformance_and_speed"),
        ("25_conformance_and_speed", "left-prev", "24_catalogue"),
        ("00_how_to", "left-prev", "index"),
    ],
)
def test_the_neighbor_of_a_chapter_is_a_chapter(page, neighbor, other):
    text = (SITE / "book" / f"{page}.html").read_text("utf-8")
    assert re.search(rf'class="{neighbor}"\s+href="(.*?)"', text)[1] == f"{other}.html"


def test_a_chapter_opens_as_a_file(browser):
    name = next(name for name in CHAPTERS if outline(name).formulas)
    with browser.new_page() as page:
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto((SITE / name).as_uri())
        assert typeset(page) == outline(name).formulas
        assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
