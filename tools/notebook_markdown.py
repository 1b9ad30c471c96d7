"""The Markdown of a chapter in the words that every notebook program understands.

Sphinx knows directives and roles; JupyterLab and Colab show them as they are written. Here a directive becomes a
quotation or a `<details>`, a role becomes text or a link, and what is not known stops with an error, so that no chapter
reaches a reader half converted.
"""

import base64
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import indent

from markdown_it import MarkdownIt
from mdit_py_plugins.colon_fence import colon_fence_plugin
from pybtex.database import BibliographyData, Entry, parse_file

BOOK = Path(__file__).resolve().parent.parent / "book"
PARSER = MarkdownIt("commonmark").use(colon_fence_plugin)

DIRECTIVE = re.compile(r"\{([\w:-]+)\}\s*(.*)")
OPTION = re.compile(r":([\w-]+):\s*(.*)")
ANCHOR = re.compile(r"^\(([\w-]+)\)=\s*$", re.MULTILINE)
EQUATION = re.compile(r"^\$\$ \(([\w-]+)\)$", re.MULTILINE)  # the end of a formula that has a name
ROLE = re.compile(r"\{([a-z:]+)\}`([^`]+)`")
NAMED = re.compile(r"(.*?)\s*<([^<>]+)>", re.DOTALL)  # a role's `text <target>`
LINK = re.compile(r"\[([^\]]*)\]\(([\w./-]+)(#[\w-]+)?\)")
NOTES = {"note", "tip", "hint", "important", "warning", "caution", "seealso"}


def title_of(path: Path) -> str:
    """The first heading of a page."""
    return re.search(r"^# (.+)$", path.read_text("utf-8"), re.MULTILINE)[1]


@cache
def equations() -> dict[str, tuple[str, int]]:
    """The named formulas of the book: each with its page and its number there."""
    names = {path.stem: EQUATION.findall(path.read_text("utf-8")) for path in BOOK.glob("*.md")}
    return {name: (page, n) for page, found in names.items() for n, name in enumerate(found, start=1)}


@cache
def bibliography() -> BibliographyData:
    return parse_file(BOOK / "references.bib")


def authors(entry: Entry) -> str:
    names = [" ".join(person.last_names) for person in entry.persons["author"]]
    return f"{names[0]} et al." if len(names) > 2 else " and ".join(names)


def citation(keys: str, in_text: bool) -> str:
    """`Bolte (2020)`, or `(Bolte, 2020; Lee, 2020)`, each a link where the source has an address."""
    shown = []
    for key in keys.split(","):
        entry = bibliography().entries[key.strip()]
        text = authors(entry) + (f" ({entry.fields['year']})" if in_text else f", {entry.fields['year']}")
        doi = entry.fields.get("doi")
        address = f"https://doi.org/{doi}" if doi else entry.fields.get("url")
        shown.append(f"[{text}]({address})" if address else text)
    return ", ".join(shown) if in_text else f"({'; '.join(shown)})"


def split_options(body: str) -> tuple[dict[str, str], str]:
    """The `:name: value` lines that a directive begins with, and what follows them."""
    lines, options = body.splitlines(), {}
    while lines and (match := OPTION.fullmatch(lines[0].strip())):
        options[match[1]] = match[2]
        lines.pop(0)
    return options, "\n".join(lines).strip("\n")


def picture(file: Path) -> str:
    """An SVG inside the text: a notebook that was opened from an address has no neighboring files."""
    svg = file.read_text("utf-8")
    title = re.search(r"<title[^>]*>(.*?)</title>", svg, re.DOTALL)[1]
    return f"![{title}](data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()})"


@dataclass(frozen=True)
class Converter:
    """Converts the Markdown of one chapter.

    `anchors` are the names that the chapter gives to places of its own, and `notebooks` the pages that become
    notebooks. A link to another page leads to the book at the address `site`, and is plain text if the book has none.
    """

    chapter: str
    anchors: frozenset[str]
    notebooks: frozenset[str]
    site: str

    def convert(self, text: str) -> str:
        """The text with its directives, roles and links converted.

        Raises:
            ValueError: a directive or a role that is not known here.
        """
        lines = text.split("\n")
        pieces, prose = [], []
        blocks = {token.map[0]: token for token in PARSER.parse(text) if token.type in ("fence", "colon_fence")}
        row = 0
        while row < len(lines):
            block = blocks.get(row)
            if block is None:
                prose.append(lines[row])
                row += 1
                continue
            pieces.append(self.inline("\n".join(prose)))
            prose = []
            if directive := DIRECTIVE.fullmatch(block.info.strip()):
                pieces.append(self.directive(directive[1], directive[2], block.content))
            else:
                pieces.append("\n".join(lines[row : block.map[1]]))
            row = block.map[1]
        return "\n".join([*pieces, self.inline("\n".join(prose))]).strip("\n")

    def directive(self, name: str, argument: str, content: str) -> str:
        options, body = split_options(content)
        if name == "dropdown":
            summary = PARSER.renderInline(argument)
            return f"<details>\n<summary>{summary}</summary>\n\n{self.convert(body)}\n\n</details>"
        if name in NOTES | {"admonition", "margin", "sidebar"}:
            heading = argument or ("" if name == "margin" else name.capitalize())
            bold = f"**{heading}**\n\n" if heading else ""
            return indent(bold + self.convert(body), "> ", lambda line: True)
        if name == "raw" and "file" in options:
            return picture(BOOK / options["file"])
        raise ValueError(f"{self.chapter}: a notebook has no directive {{{name}}}; teach it to {Path(__file__).name}")

    def inline(self, text: str) -> str:
        text = ANCHOR.sub(r'<a id="\1"></a>', text)
        text = EQUATION.sub(lambda match: f"\\tag{{{equations()[match[1]][1]}}}\n$$", text)
        text = ROLE.sub(lambda match: self.role(match[1], match[2]), text)
        return LINK.sub(self.link, text)

    def role(self, name: str, content: str) -> str:
        text, target = NAMED.fullmatch(content).groups() if NAMED.fullmatch(content) else ("", content)
        roles: dict[str, Callable[[], str]] = {
            "cite:t": lambda: citation(content, in_text=True),
            "cite:p": lambda: citation(content, in_text=False),
            "eq": lambda: self.to_equation(content),
            "doc": lambda: self.to_page(target, "", text),
            "term": lambda: text or content,
        }
        if name not in roles:
            raise ValueError(f"{self.chapter}: a notebook has no role {{{name}}}; teach it to {Path(__file__).name}")
        return roles[name]()

    def link(self, match: re.Match) -> str:
        text, target, anchor = match[1], match[2], match[3] or ""
        if target.endswith(".md"):
            return self.to_page(target.removesuffix(".md"), anchor, text)
        return f"[{text}](#{target})" if target in self.anchors else match[0]

    def to_equation(self, name: str) -> str:
        page, number = equations()[name]
        return f"({number})" if f"{page}.md" == self.chapter else self.to_page(page, "", f"({number})")

    def to_page(self, stem: str, anchor: str, text: str) -> str:
        """A link to another page of the book, as a notebook if it is one."""
        text = text or title_of(BOOK / f"{stem}.md")
        if stem in self.notebooks:
            return f"[{text}]({stem}.ipynb{anchor})"
        return f"[{text}]({self.site}/book/{stem}.html{anchor})" if self.site else text
