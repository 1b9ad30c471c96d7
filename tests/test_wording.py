"""The catalog of sentences: complete, up to date, and used by what a reader sees."""

import ast
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import make_messages  # noqa: E402
import pseudo  # noqa: E402
from autograd_book import wording  # noqa: E402
from autograd_book.check import check  # noqa: E402
from autograd_book.compare import compare  # noqa: E402

FIELD = re.compile(r"\{[^{}]*\}")
SENTENCES = {"_": 1, "ngettext": 2}  # how many sentences a function takes first
# These translate what make_messages.words_of and edition.words give to the catalog.
TRANSLATE_A_VARIABLE = {"catalog.py", "grading.py", "verdict.py"}


@pytest.fixture
def in_another_language(tmp_path, monkeypatch):
    """Every sentence comes from the pretended translation."""
    pseudo.write(make_messages.TEMPLATE, pseudo.catalog_path(tmp_path, "autograd_core"))
    monkeypatch.setattr(wording, "LOCALE", tmp_path)
    monkeypatch.setenv("AUTOGRAD_CORE_LANGUAGE", pseudo.LANGUAGE)
    wording._catalog.cache_clear()
    yield
    wording._catalog.cache_clear()


def test_the_catalog_lists_what_the_code_says():
    assert make_messages.TEMPLATE.read_text("utf-8") == make_messages.text(make_messages.template()), (
        "the catalog is out of step: run make messages"
    )


def test_a_sentence_stands_where_it_is_translated():
    """`_(variable)` finds nothing to translate unless the catalog got the sentence in another way."""
    found = set()
    for path in (ROOT / "book" / "autograd_book").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SENTENCES:
                sentences = node.args[: SENTENCES[node.func.id]]
                found |= {path.name for sentence in sentences if not isinstance(sentence, ast.Constant)}
    assert found <= TRANSLATE_A_VARIABLE


def test_sentences_are_found_in_f_strings_too():
    assert list(make_messages.sentences("f\"{_('It is {x}.')} and {y}\"")) == ["It is {x}."]


def test_a_sentence_for_one_and_for_many_is_one_message():
    pair = ("{n} leaf", "{n} leaves")
    assert list(make_messages.sentences(f"ngettext{(*pair, 2)}")) == [pair]
    assert any(message.pluralizable for message in make_messages.template())


def test_a_number_decides_between_the_forms_of_the_language(in_another_language):
    pair = ("saved {number} value", "saved {number} values")
    assert [wording.ngettext(*pair, n) for n in (1, 2)] == [pseudo.pseudo(text) for text in pair]


def test_a_translation_keeps_the_fields_of_its_sentence():
    for message in make_messages.template():
        for sentence in message.id if message.pluralizable else [message.id]:
            assert FIELD.findall(pseudo.pseudo(sentence)) == FIELD.findall(sentence)


@pytest.mark.parametrize(
    "kept",
    ["`h.grad`", "$w^2$", "{doc}`the chain <02_chain>`", "[](02_chain.md)", "<code>x</code>", "https://example.org"],
)
def test_the_pretended_translation_leaves_code_and_formulas_alone(kept):
    assert kept in pseudo.pseudo(f"Read {kept}, and then this.") or "<code>" in pseudo.pseudo(kept)


def test_what_a_catalog_lacks_stays_english(in_another_language):
    assert wording.translate("No catalog has this.") == "No catalog has this."
    assert wording.translate("Next").startswith("⟦")


def test_a_comparison_speaks_the_language(in_another_language):
    def first(T):
        w = T.tensor(2.0, requires_grad=True)
        (w * w).backward()
        return {"w.grad": w.grad}

    header, _ = compare(first, by_hand={"w.grad": 4.0}).table()
    assert header[1].startswith("⟦")


@pytest.mark.parametrize("answer", [..., {"w.grad": 0.0}, "no answer of this kind"])
def test_a_verdict_speaks_the_language(answer, in_another_language):
    shown = str(check("00.warm_up", answer))
    outside = re.sub(r"⟦[^⟦⟧]*⟧", "", shown)
    while outside != (outside := re.sub(r"⟦[^⟦⟧]*⟧", "", outside)):
        pass
    assert "⟦" in shown
    assert not re.findall(r"\b[A-Za-z]{3,} [a-z]{2,}\b", outside), outside
