"""Which words of a chapter become links to the glossary."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import glossary_hover

TERMS = {"leaf": ("term-leaf", None), "saved value": ("term-saved", None)}


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("A leaf, and another leaf.", {"leaf": "A "}),
        ("It leaves a node behind. Only the leaves store.", {"leaves": "It leaves a node behind. Only the "}),
        ("A pass leaves everything as it was.", {}),
        ("Saved values of a leaf", {"Saved values": "", "leaf": "Saved values of a "}),
    ],
)
def test_the_first_use_of_a_term_is_linked_and_the_verb_is_not(text, links):
    pieces = glossary_hover.linked(text, set(TERMS), TERMS, "glossary.html")
    shown = [piece.astext() for piece in pieces]
    assert "".join(shown) == text
    linked = [i for i, piece in enumerate(pieces) if "term" in getattr(piece, "attributes", {}).get("classes", ())]
    assert {shown[i]: "".join(shown[:i]) for i in linked} == links
