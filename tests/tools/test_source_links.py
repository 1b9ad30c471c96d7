"""Links from a page to the line of the repository that defines a name."""

import re
import sys
from pathlib import Path

import pytest

pytest.importorskip("sphinx", reason="the role belongs to an extension of Sphinx")
sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from docutils.core import publish_doctree
from docutils.parsers.rst import roles

import source_links

ROOT = Path(__file__).parents[2]
PAGES = "".join(page.read_text("utf-8") for page in (ROOT / "book").glob("*.md"))
NAMED = sorted(set(re.findall(r"\{source\}`([^`]+)`", PAGES)))


@pytest.mark.parametrize("name", NAMED)
def test_a_link_of_the_book_leads_to_the_line_that_defines_its_name(name):
    file, line = source_links.place(name)
    text = (ROOT / file).read_text("utf-8").splitlines()[line - 1]
    last = name.replace(":", ".").rpartition(".")[2]
    assert re.match(rf"\s*(def {last}\(|class {last}\b|{last}\s*(:[^=]+)?= )", text)


def test_the_tour_has_links():
    assert len(NAMED) > 8


@pytest.fixture
def read(monkeypatch):
    """A text in which the role stands, read with a repository or none."""

    def read(name, repository=""):
        launch = source_links.Launch(repository=repository, branch="notebooks", hub="", lite="")
        monkeypatch.setattr(source_links.Launch, "from_config", classmethod(lambda cls: launch))
        monkeypatch.setitem(roles._roles, "source", source_links.Source())
        return publish_doctree(f":source:`{name}`", settings_overrides={"report_level": 5})

    return read


def test_without_a_repository_the_place_is_text(read):
    tree = read("autograd_core.core.graph:schedule")
    file, line = source_links.place("autograd_core.core.graph:schedule")
    assert tree.astext() == f"{file}:{line}" and "reference" not in str(tree)


@pytest.mark.parametrize("repository", ["https://example.org/owner/name", "https://example.org/owner/name.git"])
def test_with_a_repository_it_is_a_link(read, repository):
    (link,) = read("autograd_core.core.graph:schedule", repository).findall(lambda node: node.tagname == "reference")
    file, line = source_links.place("autograd_core.core.graph:schedule")
    assert link["refuri"] == f"https://example.org/owner/name/blob/HEAD/{file}#L{line}"


def test_a_name_that_is_not_there_is_an_error(read):
    tree = read("autograd_core.core.graph:nothing")
    (message,) = tree.findall(lambda node: node.tagname == "system_message")
    assert message["type"] == "ERROR" and "autograd_core.core.graph defines no nothing" in message.astext()
