"""Write every chapter as a notebook into `_build/notebooks`, with what it needs to run in JupyterLab, Colab or Binder.

    python tools/make_notebooks.py

The folder is complete: published as a branch of its own it is what the launch links of the book open. A notebook holds
no output; its first cell says what is installed, and installs this package where it is missing, and nothing else.
A chapter whose front matter lists files that it `reads` gets them beside it.
"""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import jupytext
import nbformat
import yaml
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from launch import Launch
from notebook_markdown import ANCHOR, BOOK, Converter

ROOT = BOOK.parent
OUT = ROOT / "_build" / "notebooks"
FRONT_MATTER = re.compile(r"---\n(.*?)\n---\n", re.DOTALL)

Change = Callable[[list[NotebookNode]], list[NotebookNode]]
FOLDED = {"hide-cell": ("source", "outputs"), "hide-input": ("source",), "hide-output": ("outputs",)}

WITHOUT_ADDRESS = """raise ModuleNotFoundError(
        "autograd_core is not installed. In a copy of the repository: python -m pip install -e ."
    )"""

FIRST_CELL = """import importlib.util
from importlib.metadata import PackageNotFoundError, version

if importlib.util.find_spec("autograd_core") is None:
    {install}

for package in ("autograd-core", "numpy", "torch", "jax"):
    try:
        print(f"{{package:14}} {{version(package)}}")
    except PackageNotFoundError:
        print(f"{{package:14}} not installed")"""


def chapters() -> list[Path]:
    return sorted(BOOK.glob("[0-9][0-9]_*.md"))


def files_read(chapter: Path) -> list[str]:
    """The files that a chapter says it reads, relative to the folder of the book."""
    return yaml.safe_load(FRONT_MATTER.match(chapter.read_text("utf-8"))[1]).get("reads", [])


def notebook(chapter: Path, launch: Launch, requirement: str) -> NotebookNode:
    """A chapter as a notebook whose first cell installs `requirement` where the package is missing."""
    source = jupytext.read(chapter)
    anchors = frozenset(ANCHOR.findall(chapter.read_text("utf-8")))
    stems = frozenset(path.stem for path in chapters())
    converter = Converter(chapter.name, anchors, stems, launch.site)

    install = f'%pip install --quiet "{requirement}"' if requirement else WITHOUT_ADDRESS
    cells = [new_code_cell(FIRST_CELL.format(install=install))]
    for cell in source.cells:
        if cell.cell_type == "markdown":
            cell.source = converter.convert(cell.source)
        else:
            if label := cell.metadata.get("tab"):
                cells.append(new_markdown_cell(f"**{label}**"))
            fold(cell)
        cells.append(cell)
    for number, cell in enumerate(cells):
        cell.id = f"cell-{number}"  # else two builds of one chapter differ

    made = nbformat.v4.new_notebook(cells=cells)
    made.metadata = {"kernelspec": source.metadata.kernelspec, "language_info": {"name": "python"}}
    nbformat.validate(made)
    return made


def fold(cell: NotebookNode) -> None:
    """Say in JupyterLab's words what the tags of a cell fold."""
    parts = {part for tag in cell.metadata.get("tags", ()) for part in FOLDED.get(tag, ())}
    if parts:
        cell.metadata["jupyter"] = {f"{part}_hidden": True for part in sorted(parts)}


def binder_files(requirement: str) -> dict[str, str]:
    """The files by which Binder makes an environment for the notebooks."""
    pins = [line for line in (ROOT / "requirements.txt").read_text().splitlines() if "==" in line]
    wanted = ("numpy", "scipy", "torch", "jax", "matplotlib", "ipywidgets", "jupyterlab")
    needed = [pin for pin in pins if pin.split("==")[0] in wanted]
    return {"requirements.txt": "\n".join([*needed, requirement, ""]), "runtime.txt": "python-3.12\n"}


def write(
    folder: Path, launch: Launch, requirement: str, pages: list[Path], change: Change = lambda cells: cells
) -> None:
    """Write the notebooks of some chapters, their cells changed, and the files that they read, into a fresh folder."""
    shutil.rmtree(folder, ignore_errors=True)
    for chapter in pages:
        add(folder, chapter, launch, requirement, change)
        add_files(folder, chapter)


def add(folder: Path, chapter: Path, launch: Launch, requirement: str, change: Change = lambda cells: cells) -> None:
    """Write the notebook of one chapter into a folder."""
    made = notebook(chapter, launch, requirement)
    made.cells = change(made.cells)
    folder.mkdir(parents=True, exist_ok=True)
    nbformat.write(made, folder / f"{chapter.stem}.ipynb")


def add_files(folder: Path, chapter: Path) -> None:
    """Copy the files that a chapter reads into a folder."""
    for name in files_read(chapter):
        if not name.startswith(".."):  # of the repository: it does not travel
            (folder / name).parent.mkdir(exist_ok=True)
            shutil.copy(BOOK / name, folder / name)


def main() -> None:
    launch = Launch.from_config()
    write(OUT, launch, launch.requirement, chapters())
    if launch.requirement:
        for name, text in binder_files(launch.requirement).items():
            (OUT / name).write_text(text)
    print(f"{len(chapters())} notebooks are in {OUT.relative_to(ROOT)}.")


if __name__ == "__main__":
    main()
