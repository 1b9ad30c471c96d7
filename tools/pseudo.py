"""A pretended translation, in which a sentence that was never given to a translator can be told by its looks.

A sentence gets accents, brackets, and a third more length, since other languages take more room than English. Code,
formulas, links and placeholders stay as they are.
"""

import re
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

LANGUAGE = "xx"
ACCENTS = str.maketrans("aceilnorsuyACEILNORSUY", "áçéîľñöřšüýÁÇÉÎĽÑÖŘŠÜÝ")

# What is no prose: fields, roles, code, formulas, link targets, tags, entities, addresses.
KEPT = re.compile(
    r"\{[^{}]*\}(?:`[^`]*`)?|(`+).+?\1|\$\$.+?\$\$|\$[^$]+\$|\]\([^)]*\)|\[\]\([^)]*\)|<[^<>]+>|&\w+;|https?://\S+",
    re.DOTALL,
)
TEX = re.compile(r"\\[a-zA-Z]+")  # outside of dollars: a formula that is a paragraph of its own


def pseudo(text: str) -> str:
    """The pretended translation of a sentence.

    >>> pseudo("{name} is released")
    '⟦{name} îš řéľéášéd ~~~~ ⟧'
    """
    if TEX.search(KEPT.sub("", text)):
        return text
    pieces, end = [], 0
    for match in KEPT.finditer(text):
        pieces += [text[end : match.start()].translate(ACCENTS), match[0]]
        end = match.end()
    pieces.append(text[end:].translate(ACCENTS))
    longer = ("~~~~ " * len(text))[: len(text) * 3 // 10]
    return f"⟦{''.join(pieces)} {longer}⟧"


def pseudo_catalog(template: Catalog) -> Catalog:
    catalog = Catalog(locale=None, charset="utf-8")
    for message in template:
        if message.id:
            text = tuple(map(pseudo, message.id)) if message.pluralizable else pseudo(message.id)
            catalog.add(message.id, text, context=message.context)
    return catalog


def write(template: Path, target: Path) -> None:
    """Write the pretended translation of a template: a file `.po` at the target, and a compiled one beside it."""
    with template.open("rb") as file:
        catalog = pseudo_catalog(read_po(file))
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as file:
        write_po(file, catalog, width=0)
    with target.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalog)


def catalog_path(locale: Path, domain: str) -> Path:
    """Where gettext looks for the translations of a domain, below a folder of locales."""
    return locale / LANGUAGE / "LC_MESSAGES" / f"{domain}.po"
