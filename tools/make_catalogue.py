"""Write the op catalogue of the book from the op table and the records of the conformance and accuracy tests.

    python tools/make_catalogue.py

`book/catalogue/` gets one page for each family of functions, and `functions.json`, from which chapter 24 makes its
table. A function is described by its row of the op table, or, where it is composed of others, by its docstring and by
the graph that its own example leaves. A function of one number is plotted, with the derivative that the engine
computes.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import io
import json
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from doctest import DocTestParser
from functools import cached_property
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType, SimpleNamespace
from typing import Any

import matplotlib
import numpy as np
from matplotlib.figure import Figure

import autograd_core as ac
from autograd_core.core.graph import Node, schedule
from autograd_core.core.primitive import Primitive

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "book" / "catalogue"
RECORD = ROOT / "benchmarks" / "conformance.json"
ACCURACY = ROOT / "benchmarks" / "accuracy.json"

CHECKS = {
    "values": "values",
    "vjps": "gradient",
    "second_order": "second order",
    "jvps": "forward mode",
    "adjoint": "adjoint identity",
    "errors": "errors",
}


# -- which functions there are


@dataclass
class Function:
    """A public function, under all the names it has: paths in `ac`, such as `nn.functional.relu` or `Tensor.mul_`."""

    value: Callable
    family: str
    paths: list[str]
    record: dict = field(default_factory=dict)
    twin: str = ""  # a function of the same name in another namespace, where the entry is that one's

    @property
    def name(self) -> str:
        return self.paths[0]

    @property
    def primitive(self) -> Primitive | None:
        """Its row of the op table, or None for a composition."""
        return getattr(self.value, "primitive", None)

    @cached_property
    def graph(self) -> list[Node]:
        """What the function records: on the numbers of its plot, or else in its own example."""
        if self.plot is not None:
            return schedule([self.plot.out._edge])
        with quiet():
            return graph_of_example(self)

    @cached_property
    def plot(self) -> SimpleNamespace | None:
        """Points, values and derivatives of a function of one number, else None."""
        with quiet():
            return None if is_in_place(self.name) else sample(self)

    @property
    def kinks(self) -> dict[float, float]:
        """Point -> the derivative promised there, for a function that is a row, or records one."""
        if self.primitive is not None:
            return self.primitive.kinks
        return self.graph[0].op.kinks if self.plot is not None and len(self.graph) == 1 else {}


@contextmanager
def quiet() -> Iterator[None]:
    """Without warnings: functions are tried where they are undefined or deprecated."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def families() -> Iterator[ModuleType]:
    """The modules that define the calculus."""
    for package in (ac.ops, ac.nn.functional, ac.linalg):
        for module in walk_packages(package.__path__, package.__name__ + "."):
            if module.name != "autograd_core.ops.interop":  # NumPy's protocols, not functions
                yield importlib.import_module(module.name)
    yield importlib.import_module("autograd_core.masked")


def defined_in(module: ModuleType) -> Iterator[Any]:
    """The functions that a module makes, not those that it imports."""
    imported = {
        alias.asname or alias.name
        for statement in ast.walk(ast.parse(inspect.getsource(module)))
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }
    for name, value in vars(module).items():
        if name in imported or not inspect.isfunction(value):
            continue
        if hasattr(value, "primitive") or value.__module__ == module.__name__:  # else it is another module's, renamed
            yield value


def public() -> Iterator[tuple[str, Any]]:
    """Every public path and what it names; for a property, the function that reads it."""
    spaces = {"": ac, "nn.functional.": ac.nn.functional, "linalg.": ac.linalg, "special.": ac.special}
    for prefix, space in {**spaces, "masked.": ac.masked}.items():
        for name in dir(space):
            yield prefix + name, getattr(space, name)
    for name, value in vars(ac.Tensor).items():
        value = value.fget if isinstance(value, property) else value
        yield f"Tensor.{name}", inspect.unwrap(value) if callable(value) else value


def functions() -> list[Function]:
    """All public functions of the calculus, by family and name; a method or in-place form belongs to its function."""
    home = {id(value): module.__name__ for module in families() for value in defined_in(module)}
    found: dict[int, Function] = {}
    owners: dict[str, Function] = {}
    for path, value in sorted(public(), key=lambda item: is_in_place(item[0])):
        owner = (
            owners.get(path.removeprefix("Tensor.")) or owners.get(plain(path)) or owners.get("Tensor." + plain(path))
        )
        if id(value) in found:
            owner = found[id(value)]
        elif owner is None or not (path.startswith("Tensor.") or is_in_place(path)):
            if id(value) not in home or not inspect.isfunction(value):
                continue
            family = family_of(home[id(value)])
            owner = found[id(value)] = Function(value, family, [])
        owner.paths.append(path)
        owners[path] = owner
    for function in found.values():
        own = getattr(function.primitive, "name", function.value.__name__)
        function.paths.sort(key=lambda path: path.rpartition(".")[2] != own)  # the others are its aliases
    return sorted(found.values(), key=lambda f: (f.family, f.name.removeprefix("Tensor.").strip("_").lower(), f.name))


def family_of(module: str) -> str:
    """What a module is called here: one of `ops` by its name alone, whatever folder it is in."""
    return module.rpartition(".")[2] if module.startswith("autograd_core.ops.") else module.partition(".")[2]


def is_in_place(path: str) -> bool:
    return path.endswith("_") and not path.endswith("__")


def plain(path: str) -> str:
    """The path of the function that an in-place form belongs to."""
    return path.removeprefix("Tensor.").removesuffix("_")


# -- what each function records


class Watched:
    """`autograd_core` for an example: what it makes requires gradients."""

    def __getattr__(self, name: str):
        value = getattr(ac, name)
        if name not in ("tensor", "arange", "ones", "eye", "linspace", "randn", "rand"):
            return value
        return lambda *args, **kwargs: requiring_gradients(value(*args, **kwargs))


def requiring_gradients(x):
    return x.requires_grad_() if x.dtype.is_floating_point else x


def graph_of_example(function: Function) -> list[Node]:
    """The nodes behind the results of the example in a docstring; none if it does not run with gradients."""
    scope: dict[str, Any] = {}
    results = []
    for example in DocTestParser().get_examples(inspect.getdoc(function.value) or ""):
        source = example.source.replace("import autograd_core as ac", "pass")
        try:
            scope["ac"] = Watched()
            for statement in ast.parse(source).body:
                if isinstance(statement, ast.Expr):
                    results.append(eval(ast.unparse(statement.value), scope))
                else:
                    exec(ast.unparse(statement), scope)
        except Exception:  # a leaf that requires gradients cannot be written to, an integer has none
            return []
    return schedule([t._edge for t in tensors(results) if t.requires_grad and t.grad_fn is not None])


def tensors(result) -> Iterator:
    if isinstance(result, ac.Tensor):
        yield result
    elif isinstance(result, (tuple, list)):
        for part in result:
            yield from tensors(part)


def saved_by(primitive: Primitive) -> str:
    """What the rules of a row save, under the names of its public parameters."""
    values = primitive.value_names(len(primitive.inputs))
    plan = primitive.plan((1 << len(primitive.inputs)) - 1)
    shown = dict(zip(primitive.inputs, inspect.signature(primitive.function).parameters))
    names = [shown.get(values[j], values[j]) for j in sorted(plan.saves)]
    return ", ".join(f"`{name}`" for name in dict.fromkeys(names)) or "nothing"


# -- plots

POINTS = 161
# The first range is taken in which a function and its derivative are finite; these have a pole or a bend elsewhere.
RANGES = ((-4.0, 4.0), (-0.98, 0.98), (0.1, 4.0), (0.02, 0.98), (1.02, 5.0))
OWN = {name for family in ac.ops.FAMILIES for name in getattr(family, "OWN", ())}  # PyTorch does not have them
OWN_RANGES = {"tan": (-1.3, 1.3), "nn.functional.relu6": (-2.0, 8.0), "sinc": (-4.0, 4.0)}


def sample(function: Function) -> SimpleNamespace | None:
    """A function of one number on the points of its plot, by the engine itself."""
    parameters = list(inspect.signature(function.value).parameters.values())
    if not parameters or any(p.default is p.empty and p.kind != p.VAR_KEYWORD for p in parameters[1:]):
        return None
    for low, high in [OWN_RANGES[function.name]] if function.name in OWN_RANGES else RANGES:
        x = ac.tensor(np.linspace(low, high, POINTS), requires_grad=True)
        try:
            out = function.value(x)
            if not is_function_of_one_number(function.value, x, out):
                return None
            (slope,) = ac.autograd.grad(out.sum(), x, retain_graph=True)
        except Exception:
            return None
        y, dy = out.detach().numpy(), slope.numpy()
        if np.isfinite(y).all() and np.isfinite(dy).all():
            return SimpleNamespace(x=x.detach().numpy(), y=y, dy=dy, out=out, low=low, high=high)
    return None


def is_function_of_one_number(function: Callable, x, out) -> bool:
    """Whether each element of the result comes from its own element alone, and is not that element itself."""
    if not isinstance(out, ac.Tensor) or out.shape != x.shape or out.dtype != x.dtype or not out.requires_grad:
        return False
    if np.array_equal(out.detach().numpy(), x.detach().numpy()):
        return False
    again, part = function(x.detach()).numpy(), function(x.detach()[5:10].flip(0)).numpy()
    same = np.array_equal(again, out.detach().numpy(), equal_nan=True)  # dropout is not
    return same and np.array_equal(part, again[5:10][::-1], equal_nan=True)


def broken(values: np.ndarray, x: np.ndarray, kinks) -> np.ndarray:
    """The values with a gap wherever they jump, so that no line is drawn across."""
    shown, jump = values.copy(), 0.08 * np.ptp(values)
    for i in np.searchsorted(x, list(kinks)):
        if 0 < i < len(x) - 1 and abs(values[i + 1] - values[i - 1]) > jump:
            shown[i] = np.nan
    step = np.abs(np.diff(values))
    for i in range(1, len(step) - 1):
        if step[i] > max(jump, 2.5 * step[i - 1], 2.5 * step[i + 1]):
            shown[i] = np.nan
    return shown


INK, ACCENT = "#010203", "#040506"  # stand for the colors of the page


def drawn(function: Function) -> str:
    """The plot as SVG to set into a page: its colors are the page's, and f and f′ differ by line and label."""
    plot, name = function.plot, function.name
    style = {
        "svg.fonttype": "none",
        "svg.hashsalt": name,
        "font.size": 8,
        "axes.spines.top": False,
        "axes.spines.right": False,
        **dict.fromkeys(("text.color", "axes.edgecolor", "xtick.color", "ytick.color"), INK),
    }
    with matplotlib.rc_context(style):
        figure = Figure(figsize=(3.3, 2.1), layout="constrained")
        axes = figure.subplots()
        x, kinks = plot.x, {k: v for k, v in function.kinks.items() if plot.low <= k <= plot.high}
        axes.axhline(0, color=INK, linewidth=0.5, alpha=0.5)
        axes.plot(x, broken(plot.y, x, kinks), color=INK, linewidth=1.4)
        axes.plot(x, broken(plot.dy, x, kinks), color=ACCENT, linewidth=1.8, linestyle=(0, (4, 2)))
        axes.plot(list(kinks), list(kinks.values()), "o", color=ACCENT, markersize=4)
        both = np.concatenate([plot.y, plot.dy])
        low, high = np.percentile(both, 1.5), np.percentile(both, 98.5)
        margin = 0.08 * (high - low) or 1.0
        low, high = low - margin, high + margin
        axes.set(xlim=(plot.low, plot.high), ylim=(low, high))
        axes.locator_params(axis="x", nbins=5)
        ends = np.clip([plot.y[-1], plot.dy[-1]], low, high)
        apart = 0.1 * (high - low)
        if abs(ends[0] - ends[1]) < apart:
            first = 1 if ends[1] > ends[0] else 0
            middle = ends.mean()
            ends[first], ends[1 - first] = middle + apart / 2, middle - apart / 2
        for text, at, color in (("f", ends[0], INK), ("f′", ends[1], ACCENT)):
            place = {"xytext": (4, 0), "textcoords": "offset points", "annotation_clip": False}
            axes.annotate(text, (plot.high, at), color=color, va="center", size=10, **place)
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None})
    label = f"{name} (solid) and its derivative (dashed), for x from {plot.low:g} to {plot.high:g}"
    return embedded(buffer.getvalue(), label)


def embedded(svg: str, label: str) -> str:
    """A matplotlib SVG without what would leak into the page: its style sheet, metadata, size and font."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>\s*|<defs>\s*<style.*?</defs>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r'<svg [^>]*?viewBox="([^"]+)"[^>]*>', rf'<svg viewBox="\1" role="img" aria-label="{label}">', svg)
    svg = re.sub(r"font: ([\d.]+px)[^;\"]*", r"font-size: \1", svg)
    svg = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    return svg.replace(INK, "currentColor").replace(ACCENT, "var(--pst-color-primary, currentColor)").strip()


# -- what PyTorch's samples said


def assign(record: dict, found: list[Function]) -> list[str]:
    """Give every entry of the record to the function it examines; return the entries that found none.

    An entry is named after a function or a method and, after a dot, a variant.
    """
    owners = {path: function for function in found for path in reversed(function.paths)}
    owners = {path.removeprefix("Tensor."): f for path, f in owners.items() if path.startswith("Tensor.")} | owners
    owners = {f"__r{path}__": f for path, f in owners.items()} | owners  # an operator with its operands swapped
    lost = []
    for entry in [*record["entries"], *record["left out"]]:
        name = entry
        while name not in owners and "." in name:
            name = name.rpartition(".")[0]
        if name not in owners:
            lost.append(entry)
        elif entry in record["entries"]:
            owners[name].record.setdefault("entries", {})[entry] = record["entries"][entry]
        else:
            owners[name].record.setdefault("left out", {})[entry] = record["left out"][entry]
    examined_as = {function.name.rpartition(".")[2]: function.name for function in found if function.record}
    for function in found:
        function.twin = "" if function.record else examined_as.get(function.name.rpartition(".")[2], "")
    return lost


def mark(check: str, function: Function, record: dict) -> str:
    """The outcome of one check, for all variants of a function together: pass, fail, excused, none or blank."""
    entries = function.record.get("entries", {})
    if not entries:
        return ""
    outcomes = [result[check] for result in entries.values() if check in result]
    if outcomes:
        return "pass" if all(outcomes) else f"fail ({outcomes.count(False)} of {len(outcomes)})"
    return "excused" if any(f"{entry}, {check}" in record["excused"] for entry in entries) else "none"


def unexamined(function: Function) -> str:
    """Why a function has no outcomes: left out, examined as another, or without an entry; blank if it has some."""
    if function.record.get("entries"):
        return ""
    if reasons := function.record.get("left out"):
        return "left out: " + "; ".join(dict.fromkeys(reasons.values()))
    return f"see {function.twin}" if function.twin else "no entry"


def examined(function: Function, record: dict) -> list[str]:
    """Sentences on what PyTorch's samples said of a function."""
    entries = function.record.get("entries", {})
    left_out = [f"`{entry}` is left out: {reason}." for entry, reason in function.record.get("left out", {}).items()]
    if not entries:
        twin = f"; see `{function.twin}`" if function.twin else ""
        return left_out or [f"not among the differentiable entries of PyTorch's database{twin}"]
    marks = {check: mark(check, function, record) for check in CHECKS}
    shown = "✓ passed: " + ", ".join(CHECKS[c] for c, m in marks.items() if m == "pass")
    lines = [shown] if "pass" in marks.values() else []
    lines += [f"✗ {CHECKS[c]}: {m}" for c, m in marks.items() if m.startswith("fail")]
    if none := [CHECKS[c] for c, m in marks.items() if m == "none"]:
        lines.append("– PyTorch asks nothing about: " + ", ".join(none))
    for entry in entries:
        for check, title in CHECKS.items():
            if reason := record["excused"].get(f"{entry}, {check}"):
                lines.append(f"○ `{entry}` is excused from {title}: {escaped(reason)}")
    if len(entries) > 1:
        lines.append(f"{len(entries)} entries, counted together: " + ", ".join(f"`{entry}`" for entry in entries))
    return [*lines, *left_out]


# -- pages


def escaped(text: str) -> str:
    """Plain text as Markdown; code between backticks stays as it is."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(p if p.startswith("`") else re.sub(r"([\\*_\[\]<>$#|~{}])", r"\\\1", p) for p in parts)


GRADIENT = re.compile(r"\s*\bGradients?\b[^.:]*: (.+?)\.(?=\s+[A-Z`(]|\s*$)", re.DOTALL)
SAVED = re.compile(r"\s*Saves (?:for backward: [^.]*|nothing[^.]*)\.")


def described(function: Function) -> tuple[list[str], list[str]]:
    """The paragraphs of a docstring without its example, and the sentences in it that give the gradient."""
    doc = inspect.getdoc(function.value) or ""
    doc = re.split(r"^>>> ", doc, maxsplit=1, flags=re.MULTILINE)[0]
    doc = SAVED.sub("", doc)
    gradients = [" ".join(g.split()) for g in GRADIENT.findall(doc)]
    doc = GRADIENT.sub("", doc)
    if not gradients and function.primitive is None and len({node.op for node in function.graph}) == 1:
        gradients = [" ".join(g.split()) for g in GRADIENT.findall(function.graph[0].op.summary)]
    return [" ".join(p.split()) for p in doc.split("\n\n") if p.strip()], gradients


def signature(function: Function) -> str:
    """The call, with names and defaults and without annotations."""
    shown = inspect.signature(function.value)
    plain = [p.replace(annotation=p.empty) for p in shown.parameters.values()]
    return f"ac.{function.name}{shown.replace(parameters=plain, return_annotation=shown.empty)}"


def anchors(found: list[Function]) -> dict[str, str]:
    """The HTML id of each function on its page, by name; two that differ in case alone are told apart."""
    taken: dict[tuple[str, str], str] = {}
    for function in found:
        plain = re.sub(r"[^a-z0-9]+", "-", function.name.lower()).strip("-")
        ident = f"op-{plain}"
        while (function.family, ident) in taken:
            ident += "-again"
        taken[function.family, ident] = function.name
    return {name: ident for (_, ident), name in taken.items()}


def accuracy(function: Function, errors: dict) -> str:
    """The largest errors of a function, and PyTorch's, in units in the last place, a line for each floating type."""
    lines = []
    for name, kinds in errors.items():
        path, _, arguments = name.partition(" ")
        if path not in function.paths:
            continue
        for kind, orders in kinds.items():
            pairs = [(order, ours, "none" if theirs is None else theirs) for order, (ours, theirs) in orders.items()]
            shown = ", ".join(f"{order} {ours} ({theirs})" for order, ours, theirs in pairs)
            lines.append(f"{kind}{f' with {arguments}' if arguments else ''}: {shown}")
    return "\n\n    ".join(["In units in the last place, PyTorch's in parentheses.", *lines]) if lines else ""


def facts(function: Function, record: dict, gradients: list[str]) -> dict[str, str]:
    """The rows below a function's description."""
    rows = {"Gradient": "; ".join(map(escaped, gradients))} if gradients else {}
    primitive = function.primitive
    if primitive is not None:
        rows["Saved"] = saved_by(primitive) if primitive.kind != "nondiff" else "nothing; it has no gradient"
    elif function.graph:
        nodes = {node.op: node for node in function.graph}
        what = "The plotted curve" if function.plot is not None else "The example"
        rows["Saved"] = f"{what} records " + ", ".join(f"`{op.node_name}` ({saved_by(op)})" for op in nodes)
    if function.kinks:
        points = ", ".join(f"{value:g} at x = {point:g}" for point, value in function.kinks.items())
        rows["Kinks"] = f"f′ is promised to be {points}"
    if others := function.paths[1:]:
        rows["Also"] = ", ".join(f"`{'' if p.startswith('Tensor.') else 'ac.'}{p}`" for p in others)
    rows["PyTorch's samples"] = "\n\n    ".join(examined(function, record))
    if errors := accuracy(function, record.get("accuracy", {})):
        rows["Largest error"] = errors
    return rows


def section(function: Function, record: dict, ident: str) -> str:
    """One function on the page of its family."""
    paragraphs, gradients = described(function)
    lines = [f"({ident})=", f"## {escaped(function.name)}", "", "```python", signature(function), "```", ""]
    lines += [line for paragraph in paragraphs for line in (escaped(paragraph), "")]
    if function.plot is not None:
        lines += ["```{raw} html", f'<div class="curve">{drawn(function)}</div>', "```", ""]
    lines += [":::{list-table}", ":stub-columns: 1", ":widths: 20 80", ":class: facts", ""]
    for title, text in facts(function, record, gradients).items():
        lines += [f"* - {title}", f"  - {text}"]
    return "\n".join([*lines, ":::", ""])


def title(family: str) -> str:
    """The heading of a family: the name of its module in words."""
    package, _, module = family.rpartition(".")
    words = module.replace("_", " ")
    words = {"matmul": "matrix products", "lu": "LU", "ctc": "CTC", "avg pooling": "average pooling"}.get(words, words)
    return words[0].upper() + words[1:] + (f" ({package})" if package else "")


def file_of(family: str) -> str:
    return family.replace(".", "_")


def page(family: str, members: list[Function], record: dict, idents: dict[str, str]) -> str:
    """The page of one family."""
    about = " ".join((inspect.getdoc(module_of(family)) or "").split("\n\n")[0].split())
    lines = [f"# {title(family)}", "", escaped(about), ""]
    lines.append("How to read an entry: [](../24_catalogue.md).\n")
    return "\n".join(lines) + "\n" + "\n".join(section(f, record, idents[f.name]) for f in members)


def module_of(family: str) -> ModuleType:
    """The module of a family."""
    return next(module for module in families() if family_of(module.__name__) == family)


def table(found: list[Function], record: dict, idents: dict[str, str]) -> dict:
    """What chapter 24 shows: every function with its family, its page and its marks."""
    return {
        "families": {family: title(family) for family in dict.fromkeys(f.family for f in found)},
        "samples": record["samples"],
        "functions": [
            {
                "name": f.name,
                "others": f.paths[1:],
                "family": f.family,
                "page": f"catalogue/{file_of(f.family)}.html#{idents[f.name]}",
                "row": f.primitive is not None,
                "marks": {shown: mark(check, f, record) for check, shown in CHECKS.items()},
                "unexamined": unexamined(f),
                "own": f.name in OWN,
                "points": f.plot and [f.plot.low, f.plot.high, POINTS],
            }
            for f in found
        ],
    }


def write(made: dict[str, str], folder: Path) -> None:
    """Bring a folder to these files; one that says the same already is left as it is, and is not rendered again."""
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        path = folder / name
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")


def main() -> None:
    for path in (RECORD, ACCURACY):
        if not path.exists():
            sys.exit(f"{path.relative_to(ROOT)} is missing. Make it: make conformance")
    record = json.loads(RECORD.read_text()) | {"accuracy": json.loads(ACCURACY.read_text())["errors"]}
    found = functions()
    if lost := assign(record, found):
        known = [entry for entry in lost if entry in record["entries"]]
        if known:
            sys.exit(f"no function is known for these entries of {RECORD.name}: {', '.join(known)}")
    idents = anchors(found)
    made = {"functions.json": json.dumps(table(found, record, idents), indent=1, ensure_ascii=False)}
    for family in dict.fromkeys(f.family for f in found):
        members = [f for f in found if f.family == family]
        made[f"{file_of(family)}.md"] = page(family, members, record, idents)
    write(made, PAGES)


if __name__ == "__main__":
    main()
