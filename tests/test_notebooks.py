"""The chapters as notebooks, and the links that open them: nothing of Sphinx is left, and no link is dead."""

import os
import re
import sys
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tools"))

import launch_links  # noqa: E402
import make_lite  # noqa: E402
import make_notebooks  # noqa: E402
from launch import Launch, git_pull  # noqa: E402
from notebook_markdown import BOOK, Converter  # noqa: E402

NOWHERE = Launch(repository="", branch="notebooks", hub="", lite="")
PUBLISHED = Launch(
    repository="https://github.com/someone/gradients",
    branch="notebooks",
    hub="https://hub.example.org",
    lite="https://someone.example.org/lite/",
    site="https://someone.example.org",
)
CHAPTERS = make_notebooks.chapters()
PIECE_OF_CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)


def made(chapter, launch=NOWHERE):
    return make_notebooks.notebook(chapter, launch, launch.requirement)


def prose(notebook):
    return "\n\n".join(PIECE_OF_CODE.sub("", cell.source) for cell in notebook.cells if cell.cell_type == "markdown")


def converted(text):
    return Converter("test.md", frozenset({"here"}), frozenset({"02_chain"}), "https://example.org").convert(text)


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_a_notebook_is_valid_and_holds_no_word_of_sphinx(chapter):
    notebook = made(chapter)
    nbformat.validate(notebook)
    text = prose(notebook)
    assert not re.findall(r"^\s*:::.*|\{[\w:]+\}`.*|^\([\w-]+\)=$|^\$\$ \(.*|\]\([\w./-]+\.md", text, re.MULTILINE)
    assert not [cell for cell in notebook.cells if "```{" in cell.source and cell.cell_type == "markdown"]


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_a_notebook_links_to_notebooks_that_exist(chapter):
    targets = re.findall(r"\]\(([\w./-]+\.ipynb)", prose(made(chapter)))
    assert set(targets) <= {f"{path.stem}.ipynb" for path in CHAPTERS}


def test_two_builds_of_a_notebook_are_the_same():
    assert made(CHAPTERS[4]) == made(CHAPTERS[4])


@pytest.mark.parametrize(
    ("source", "result"),
    [
        (
            ":::{dropdown} Why `3` tempts\nIt *is* 3.\n:::",
            "<summary>Why <code>3</code> tempts</summary>\n\nIt *is* 3.\n",
        ),
        (":::{admonition} Predict\n:class: predict answer-1\nHow many?\n:::", "> **Predict**\n> \n> How many?"),
        ("```{note}\nOne line.\n```", "> **Note**\n> \n> One line."),
        ("See [](02_chain.md).", "See [One chain](02_chain.ipynb)."),
        ("See {doc}`the chain <02_chain>`.", "See [the chain](02_chain.ipynb)."),
        ("See [](glossary.md).", "See [Glossary](https://example.org/book/glossary.html)."),
        ("(here)=\nText, and [back](here).", '<a id="here"></a>\nText, and [back](#here).'),
        ("{cite:t}`bolte2020` say", "Bolte and Pauwels (2020) say"),
        ("as shown {cite:p}`griewank1992`", "as shown ([Griewank, 1992]("),
        ("```python\n:::{note}\n```", "```python\n:::{note}\n```"),
    ],
)
def test_what_becomes_of_directives_roles_and_links(source, result):
    assert result in converted(source)


def test_a_named_formula_keeps_its_number():
    text = prose(made(BOOK / "10_gradcheck.md"))
    assert "\\tag{1}\n$$" in text
    assert "The central difference (1) assumes" in text
    assert "[(1)](13_three_programs.ipynb)" in prose(made(BOOK / "14_three_answers.md"))


@pytest.mark.parametrize("source", [":::{mystery} x\ny\n:::", "a {mystery}`x`"])
def test_what_a_notebook_cannot_show_stops_with_its_name(source):
    with pytest.raises(ValueError, match=r"test.md: .*\{mystery\}"):
        converted(source)


def test_the_first_cell_installs_this_package_alone():
    first = made(CHAPTERS[1], PUBLISHED).cells[0].source
    assert first.count("%pip") == 1
    assert '%pip install --quiet "autograd-core @ git+https://github.com/someone/gradients"' in first
    assert "%pip" not in made(CHAPTERS[1]).cells[0].source


def test_a_solution_is_folded_in_jupyterlab():
    solutions = [cell for cell in made(BOOK / "02_chain.md").cells if "solution" in cell.metadata.get("tags", ())]
    assert solutions
    assert all(cell.metadata.jupyter == {"source_hidden": True, "outputs_hidden": True} for cell in solutions)


def test_in_the_browser_what_can_only_fail_there_is_a_text_and_folded_where_the_book_folds_it():
    chapter = made(BOOK / "13_three_programs.md")
    before = {cell.id: cell for cell in chapter.cells}
    after = {cell.id: cell for cell in make_lite.in_the_browser(chapter).cells}
    assert list(after) == ["welcome", *before]
    assert "from cdn.jsdelivr.net" in after.pop("welcome").source
    changed = [id for id, cell in after.items() if cell.cell_type != before[id].cell_type]
    programs = [id for id, cell in before.items() if cell.cell_type == "code" and "torch.tensor(X)" in cell.source]
    assert programs and set(programs) <= set(changed) < {id for id, cell in before.items() if cell.cell_type == "code"}
    for id in changed:
        assert f"```python\n{before[id].source}\n```" in after[id].source
        assert after[id].source.startswith("<details>" if "jupyter" in before[id].metadata else "<details open>")


def test_without_an_address_there_is_no_link_to_a_service():
    assert NOWHERE.links("02_chain.ipynb", []) == {}
    assert launch_links.row_of_links("book/02_chain", NOWHERE).count("<a ") == 1


def test_the_links_have_the_forms_that_the_services_read():
    links = PUBLISHED.links("02_chain.ipynb", [])
    assert links["Colab"] == "https://colab.research.google.com/github/someone/gradients/blob/notebooks/02_chain.ipynb"
    assert links["Binder"] == "https://mybinder.org/v2/gh/someone/gradients/notebooks?labpath=02_chain.ipynb"
    assert links["JupyterLite"] == "https://someone.example.org/lite/lab/index.html?path=02_chain.ipynb"

    hub = urlsplit(links["JupyterHub"])
    assert (hub.hostname, hub.path) == ("hub.example.org", "/hub/user-redirect/git-pull")
    assert parse_qs(hub.query) == {
        "repo": ["https://github.com/someone/gradients"],
        "branch": ["notebooks"],
        "urlpath": ["lab/tree/gradients/02_chain.ipynb"],
    }


def test_a_repository_elsewhere_has_no_colab_and_a_folder_without_git():
    elsewhere = replace(PUBLISHED, repository="https://git.example.org/a/b.git")
    assert set(elsewhere.links("x.ipynb", [])) == {"JupyterHub", "JupyterLite"}
    assert "lab%2Ftree%2Fb%2Fx.ipynb" in git_pull("https://h.example.org/", elsewhere.repository, "main", "x.ipynb")


def test_a_chapter_that_reads_files_is_opened_where_they_are():
    assert "Colab" not in PUBLISHED.links("x.ipynb", ["_static/filter_table.mjs"])
    assert PUBLISHED.links("x.ipynb", ["../benchmarks"]) == {}


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_names_the_files_that_it_reads(chapter):
    """A chapter that opens files and does not say so would be offered where they are not."""
    code = "\n".join(cell.source for cell in made(chapter).cells[1:] if cell.cell_type == "code")
    opened = re.findall(r"Path\(\"([\w./]+)\"\)|ROOT / \"(\w+)\"", code)
    named = make_notebooks.files_read(chapter)
    for inside, outside in opened:
        assert inside in named or f"../{outside}" in named


def test_every_launched_notebook_is_written_with_what_it_reads(tmp_path):
    chapters = [path for path in CHAPTERS if "catalogue/functions.json" not in make_notebooks.files_read(path)]
    make_notebooks.write(tmp_path, PUBLISHED, PUBLISHED.requirement, chapters)
    for chapter in chapters:
        links = PUBLISHED.links(f"{chapter.stem}.ipynb", make_notebooks.files_read(chapter)).values()
        assert all((tmp_path / f"{chapter.stem}.ipynb").exists() for _ in links)
    assert (tmp_path / "_static" / "filter_table.mjs").exists()


def test_binder_gets_the_package_and_pinned_engines():
    files = make_notebooks.binder_files(PUBLISHED.requirement)
    lines = files["requirements.txt"].split("\n")
    assert PUBLISHED.requirement in lines
    assert any(line.startswith("torch==") for line in lines)
    assert not any("#" in line for line in lines)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["02_chain", "06_four_switches", "15_sixty_lines"])
def test_a_notebook_runs_from_top_to_bottom(name, tmp_path, monkeypatch):
    monkeypatch.setitem(os.environ, "PYTHONPATH", str(ROOT))
    notebook = made(BOOK / f"{name}.md")
    client = NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": tmp_path}})
    client.execute()
    assert "torch" in notebook.cells[0].outputs[0].text
