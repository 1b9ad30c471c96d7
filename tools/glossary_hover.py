"""Links the first use of a glossary term in a chapter, and collects the definitions that its page shows on hover.

The first paragraph of an entry is what a hover shows. A chapter that sets a term in bold explains it itself and gets no
link for it. Headings, code, tables, boxes and folded texts are left alone.
"""

import re

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from fresh_pages import differs

GLOSSARY = "book/glossary"
DETERMINER = re.compile(r"\b(?:the|of|all|only|its|no|these|those) $", re.IGNORECASE)
CHAPTER = re.compile(r"book/\d\d_")
LEFT_ALONE = (nodes.reference, nodes.title, nodes.literal, nodes.strong, nodes.emphasis, nodes.table, nodes.Admonition,
              nodes.container, nodes.figure, nodes.math, nodes.raw, nodes.rubric, addnodes.pending_xref)  # fmt: skip


def definitions(app: Sphinx) -> dict[str, tuple[str, nodes.paragraph]]:
    """Each term in lower case, with the anchor of its entry and the paragraph that defines it."""
    found = {}
    for item in app.env.get_doctree(GLOSSARY).findall(nodes.definition_list_item):
        explained = next(item.findall(nodes.paragraph))
        for term in item.findall(nodes.term):
            found[term.astext().lower()] = (term["ids"][0], explained)
    return found


def inflected(term: str) -> str:
    """A pattern for a term and its plural: leaf, leaves; release, releases; in-place write, in-place writes."""
    stem = re.escape(term)
    return rf"{stem[:-1]}(?:f|ves)" if term.endswith("f") else rf"{stem}(?:e?s)?"


def is_meant(found: re.Match) -> bool:
    """Whether a word stands for its term: leaves is also a verb, which follows no determiner."""
    return found[0].lower() != "leaves" or DETERMINER.search(found.string[: found.start()]) is not None


def is_prose(text: nodes.Text) -> bool:
    """Whether a text belongs to a running paragraph."""
    node = text.parent
    while not isinstance(node, nodes.section | nodes.document):
        if node is None or isinstance(node, LEFT_ALONE) or "sd-dropdown" in node["classes"]:
            return False  # sphinx-design leaves the labels of tabs without a parent
        node = node.parent
    return True


def after_other_definitions(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """All chapters, where the glossary changed: any may link to any entry, and shows it."""
    if GLOSSARY not in env.found_docs or not differs(app, GLOSSARY, env.get_doctree(GLOSSARY).pformat()):
        return []
    return [page for page in env.found_docs if CHAPTER.match(page)]


def link_first_uses(app: Sphinx, doctree: nodes.document, page: str) -> None:
    if not CHAPTER.match(page) or GLOSSARY not in app.env.found_docs:
        return
    terms = definitions(app)
    bold = " ".join(strong.astext().lower() for strong in doctree.findall(nodes.strong))
    waiting = {term for term in terms if not re.search(rf"\b{inflected(term)}\b", bold)}
    address = app.builder.get_relative_uri(page, GLOSSARY)
    for text in [text for text in doctree.findall(nodes.Text) if is_prose(text)]:
        if waiting:
            text.parent.replace(text, linked(text.astext(), waiting, terms, address))


def linked(text: str, waiting: set[str], terms: dict, address: str) -> list[nodes.Node]:
    """A text whose first uses of waiting terms are links; what was linked waits no longer."""
    longest_first = sorted(waiting, key=len, reverse=True)
    pattern = "|".join(f"({inflected(term)})" for term in longest_first)
    pieces, end = [], 0
    for match in re.finditer(rf"(?<![\w-])(?:{pattern})(?![\w-])", text, re.IGNORECASE):
        term = longest_first[match.lastindex - 1]
        if term not in waiting or not is_meant(match):
            continue
        same_entry = {other for other in waiting if terms[other][0] == terms[term][0]}
        waiting -= same_entry
        anchor = terms[term][0]
        pieces.append(nodes.Text(text[end : match.start()]))
        pieces.append(nodes.reference("", match[0], internal=True, refuri=f"{address}#{anchor}", classes=["term"]))
        end = match.end()
    return [*pieces, nodes.Text(text[end:])]


def shown_on(app: Sphinx, doctree: nodes.document) -> dict[str, str]:
    """For each anchor of the glossary that a page links to, the definition as HTML."""
    anchors = {node["refuri"].partition("#")[2] for node in doctree.findall(nodes.reference)
               if "term" in node["classes"]}  # fmt: skip
    explained = (
        {anchor: paragraph for anchor, paragraph in definitions(app).values() if anchor in anchors} if anchors else {}
    )
    return {anchor: app.builder.render_partial(explained[anchor])["fragment"].strip() for anchor in sorted(explained)}
