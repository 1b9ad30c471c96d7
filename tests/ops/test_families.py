"""One rule for a room: every row is in `ops`, in a family whose name stands once, and so are a family's samples."""

import ast
from collections import Counter
from pathlib import Path

import pytest

import autograd_core as ac
from tests.ops.families import called, samples_of
from tests.ops.harness import sample_files, samples_in

PACKAGE = Path(ac.__file__).parent
MAKERS = {"define", "elementwise", "linear", "general", "nondiff"}
HOMES = {"primitive", "table"}  # the modules of the core that have them


def rows_in(path: Path) -> set[str]:
    """The rows that a module makes, by the names it gives them: calls of what the core makes rows with."""
    tree = ast.parse(path.read_text())
    names = [
        (node.module or "", alias.name, alias.asname or alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    makers = {local for module, name, local in names if module.rpartition(".")[2] in HOMES and name in MAKERS}
    modules = {local for module, name, local in names if module.rpartition(".")[2] in ("core", "") and name in HOMES}
    made = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            f = node.func
            through = isinstance(f, ast.Attribute) and f.attr in MAKERS and isinstance(f.value, ast.Name)
            if (isinstance(f, ast.Name) and f.id in makers) or (through and f.value.id in modules):
                made.add(node.args[0].value if isinstance(node.args[0], ast.Constant) else ast.unparse(node.args[0]))
    return made


def test_every_row_is_in_ops():
    outside = {
        str(path.relative_to(PACKAGE)): rows
        for path in PACKAGE.rglob("*.py")
        if PACKAGE / "ops" not in path.parents and (rows := rows_in(path))
    }
    assert outside == {}
    assert "mul" in rows_in(PACKAGE / "ops" / "elementwise" / "arithmetic.py")


def test_a_family_has_a_name_of_its_own():
    # A layer and its function have the same in PyTorch: nn/activation.py and nn/functional/activation.py.
    layers = {path.name for path in (PACKAGE / "nn").glob("*.py")}
    functions = {path.name for path in (PACKAGE / "nn" / "functional").glob("*.py")}
    names = Counter(path.name for path in PACKAGE.rglob("*.py"))
    names.subtract(layers & functions)
    families = {path.name for room in ("ops", "linalg", "nn/functional") for path in (PACKAGE / room).rglob("*.py")}
    assert {name for name in families - {"__init__.py"} if names[name] > 1} == set()


@pytest.mark.parametrize("path", sample_files(), ids=lambda path: path.stem)
def test_a_sample_is_in_the_file_of_a_family_that_it_calls(path):
    pytest.importorskip("matplotlib")  # the catalogue, which knows the families, draws
    here = path.relative_to(Path(__file__).parent).as_posix()
    astray = {}
    for sample in samples_in(path):
        files = {samples_of(module) for module in called(sample)}
        if here not in files:
            astray[sample.name] = files
    assert astray == {}
