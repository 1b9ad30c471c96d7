"""One rule for a room: every row is in `ops`, in a family whose name stands once, and so are its samples."""

import ast
import json
from collections import Counter
from importlib import import_module
from inspect import signature
from pathlib import Path
from pkgutil import walk_packages

import pytest

import autograd_core as ac
from autograd_core.core.graph import schedule
from autograd_core.core.primitive import registry
from tests.ops.families import called, samples_of
from tests.ops.harness import ROOT, floating, leaves, sample_files, samples, samples_in

PACKAGE = Path(ac.__file__).parent
RECORD = ROOT / "benchmarks" / "conformance.json"
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
    here = path.relative_to(ROOT).as_posix()
    astray = {}
    for sample in samples_in(path):
        files = {samples_of(module) for module in called(sample)}
        if here not in files:
            astray[sample.name] = files
    assert astray == {}


def refuses(rule) -> bool:
    """Whether a rule answers every gradient with an error."""
    if tuple(signature(rule).parameters) != ("g",):
        return False
    try:
        rule(None)
    except RuntimeError:
        return True
    except Exception:
        return False
    return False


def rules_of_the_table() -> dict[tuple[str, int], str]:
    """The rules that compute gradients, each as its row and the number of its input, with the module that has it."""
    for module in walk_packages(ac.ops.__path__, ac.ops.__name__ + "."):
        import_module(module.name)
    return {
        (name, i): rule.__module__
        for name, row in registry.items()
        for i, rule in enumerate(row.rules)
        if rule is not None and rule.__module__.startswith(ac.ops.__name__) and not refuses(rule)
    }


def rules_in_the_graph_of(outputs) -> set[tuple[str, int]]:
    """The rules that a walk from these outputs calls."""
    rows = [node for node in schedule(out._edge for out in outputs) if node.op is not None]
    return {(row.op.name, min(i, len(row.op.inputs) - 1)) for row in rows for i, *_ in row.plan.rules}


def rules_that_samples_reach() -> set[tuple[str, int]]:
    """The rules that the checks of the samples call: in the graphs of the values, and in those of the gradients."""
    reached = set()
    for sample in samples():
        if sample.grad:
            inputs = leaves(ac, sample.inputs)
            outputs = floating(sample.function(ac)(*inputs))
            reached |= rules_in_the_graph_of(outputs)
            if sample.second:
                seeds = [ac.ones_like(out).requires_grad_() for out in outputs]
                sources = floating(inputs)
                grads = ac.autograd.grad(outputs, sources, seeds, create_graph=True, allow_unused=True)
                reached |= rules_in_the_graph_of(floating(grads))
    return reached


# Rules that no sample can reach, since what they differentiate is drawn: the tests that look at them.
OF_CHANCE = {
    "bernoulli": "tests/core/test_where_histories_end.py",
    "normal": "tests/ops/making/test_generator.py",
    "gamma_quantile": "tests/distributions/test_distributions.py",
}


@pytest.mark.filterwarnings("ignore")  # test_samples.py looks at what these calls warn of
def test_every_rule_of_a_row_is_reached_by_a_sample_or_examined_by_the_op_database():
    examined = {part for entry in json.loads(RECORD.read_text())["entries"] for part in entry.split(".")}
    reached = rules_that_samples_reach()
    missing = [
        f"{name}: nothing is compared with its gradient for {registry[name].inputs[i]}; "
        f"add a sample that has one to {samples_of(module)}"
        for (name, i), module in rules_of_the_table().items()
        if (name, i) not in reached and name not in examined and name not in OF_CHANCE
    ]
    assert not missing, "\n".join(missing)
