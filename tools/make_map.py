"""Draw the imports of the project and count what some calls do in it, as it was at first and as it is now.

    python tools/make_map.py

`book/map/` gets four pictures, of the packages and of the modules of the core, each before and now, and `map.json` with
the numbers, which the page `book/tour.md` shows. The same table is printed. What was before is recorded in
`benchmarks/map_before.json`: the same measures, taken with the same definitions in the commit that it names.

In a picture a part stands above all that it imports. An arrow is an import; one that only repeats what other arrows
say is faint, and parts that import each other are joined by a dashed line.
"""

import json
from collections.abc import Callable, Iterator
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import grimp

import autograd_core as ac
from autograd_book.check import check
from autograd_book.compare.table import Table
from autograd_book.look.walk import Walk, walk
from autograd_core import eager

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "book" / "map"
BEFORE = ROOT / "benchmarks" / "map_before.json"
PACKAGES = ("autograd_core", "autograd_book", "autograd_teaching")
CORE = "autograd_core.core."

Imports = dict[str, list[str]]  # each part with the others that it imports


# -- the calls, and the way of a chain


def two() -> tuple[ac.Tensor, ac.Tensor]:
    """x and y, which require gradients."""
    return ac.tensor([1.0, 2.0, 3.0], requires_grad=True), ac.tensor([4.0, 5.0, 6.0], requires_grad=True)


def hooked() -> ac.Tensor:
    """A loss with a hook on the way to it."""
    x, y = two()
    h = x * y
    h.register_hook(lambda g: None)
    return ac.sum(h)


def in_session() -> tuple[Any, Any]:
    """A session that is open, and a variable of it."""
    runtime = eager.EagerRuntime()
    return runtime.session(eager.CpuEngine.serial()).__enter__(), runtime.variable_from([1.0, 2.0])


def eager_loss() -> tuple[Any, Any]:
    """A loss of the explicit runtime, and an engine for its backward."""
    runtime, engine = eager.EagerRuntime(), eager.CpuEngine.serial()
    x = runtime.variable_from([1.0, 2.0])
    with runtime.session(engine) as s:
        return s.reduce_sum(s.mul(x, x), None), engine


def lost(T) -> dict:
    """An answer to the exercise 02.lost, and not the right one."""
    x = T.tensor(2.0, requires_grad=True)
    (3 * x).backward()
    return {"x.grad": x.grad}


# What makes the operands, and the call that is watched.
CALLS: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
    "x * y": (two, lambda xy: xy[0] * xy[1]),
    "sum(x * y).backward()": (two, lambda xy: ac.sum(xy[0] * xy[1]).backward()),
    "grad(sum(x * y), x, create_graph=True)": (
        two,
        lambda xy: ac.autograd.grad(ac.sum(xy[0] * xy[1]), xy[0], create_graph=True),
    ),
    "backward() with one hook": (hooked, lambda loss: loss.backward()),
    "v.mul_(2), where v is a view": (lambda: (two()[0] * 1)[1:], lambda v: v.mul_(2)),
    "x[0]": (two, lambda xy: xy[0][0]),
    "func.jvp of a * a": (two, lambda xy: ac.func.jvp(lambda a: a * a, xy[:1], xy[1:])),
    "func.jvp of cumprod(a, 0)": (two, lambda xy: ac.func.jvp(lambda a: ac.cumprod(a, 0), xy[:1], xy[1:])),
    "eager: s.mul(x, x)": (in_session, lambda opened: opened[0].mul(opened[1], opened[1])),
    "eager: loss.backward(engine)": (eager_loss, lambda made: made[0].backward(made[1])),
    'check("02.lost", program)': (lambda: lost, lambda program: check("02.lost", program)),
}


def chain() -> ac.Tensor:
    """The chain whose way through the engine the tour follows."""
    w = ac.tensor(2.0, requires_grad=True)
    h = w * w
    loss = 3 * h
    loss.backward()
    return w.grad


def counted(way: Walk) -> dict[str, int]:
    """Moves from file to file, functions, files."""
    return {"moves": way.moves, "functions": len(way.steps), "files": len(way.files)}


def measured(way: Walk) -> dict[str, int]:
    """What there is to read on a way: functions and their lines, files and theirs."""
    files = way.files.values()
    return {"functions": len(way.steps), "lines": way.lines, "files": len(files), "lines of the files": sum(files)}


# -- imports


def imports(part: Callable[[str], str]) -> Imports:
    """The imports between the parts of the project; `part` says to which one a module belongs, or ""."""
    graph = grimp.build_graph(*PACKAGES, cache_dir=None, exclude_type_checking_imports=False)
    found: dict[str, set[str]] = {name: set() for module in graph.modules if (name := part(module))}
    for module in graph.modules:
        for imported in graph.find_modules_directly_imported_by(module):
            if (name := part(module)) and (other := part(imported)) and name != other:
                found[name].add(other)
    return {name: sorted(others) for name, others in sorted(found.items())}


def package(module: str) -> str:
    """Of the engine its parts, of the others the whole. The package itself, which offers all its parts, is none."""
    name, *below = module.split(".")
    return name if name != "autograd_core" else below[0] if below else ""


def in_core(module: str) -> str:
    return module.removeprefix(CORE) if module.startswith(CORE) else ""


def below(found: Imports) -> dict[str, set[str]]:
    """For each part all that it imports, directly or not."""
    reached = {name: set(others) for name, others in found.items()}
    for middle in found:
        for name in found:
            if middle in reached[name]:
                reached[name] |= reached[middle]
    return reached


def levels(found: Imports) -> list[list[str]]:
    """The parts in rows, from the top: each above what it imports, those that import each other side by side."""
    reached = below(found)

    @cache
    def level(name: str) -> int:
        return max((level(other) + 1 for other in reached[name] if name not in reached[other]), default=0)

    rows: list[list[str]] = [[] for _ in range(max(map(level, found)) + 1)]
    for name in found:
        rows[-1 - level(name)].append(name)
    return rows


# -- a picture

WIDTH, ROW, HEIGHT, CHARACTER, GAP = 640, 78, 30, 8.2, 26  # of the picture, of rows and of boxes, in its own units


def places(found: Imports) -> dict[str, tuple[float, float, float]]:
    """Middle, top and width of each box: a box stands below the mean of those that import it."""
    rows, middle = levels(found), {}
    widths = {name: CHARACTER * len(name) + 18 for name in found}
    whole = max(WIDTH, *(sum(widths[name] + GAP for name in row) for row in rows))

    def wish(name: str) -> float:
        above = [middle[other] for other in middle if name in found[other]]
        return sum(above) / len(above) if above else whole / 2

    for row in rows:
        row.sort(key=wish)
        left, gap = 0.0, (whole - sum(widths[name] for name in row)) / (len(row) + 1)
        for name in row:
            left += gap
            middle[name] = left + widths[name] / 2
            left += widths[name]
    return {name: (middle[name], y * ROW + 4.0, widths[name]) for y, row in enumerate(rows) for name in row}


def drawn(found: Imports, title: str) -> str:
    """The picture as SVG; within a page it takes the page's colors."""
    at, reached = places(found), below(found)
    parts = [f"<title>{escape(title)}</title>"]
    parts += [line(at[name], at[other], kind) for name, other, kind in arrows(found, reached)]
    for name, (x, y, width) in at.items():
        box = f'x="{x - width / 2:.1f}" y="{y:.1f}" width="{width:.1f}" height="{HEIGHT}" rx="5"'
        parts.append(f'<rect {box} fill="var(--paper, #f6f8fa)" stroke="var(--line, #8a929c)"/>')
        parts.append(
            f'<text x="{x:.1f}" y="{y + 20:.1f}" text-anchor="middle" fill="var(--ink, #1f2328)">{escape(name)}</text>'
        )
    width = max(WIDTH, *(x + width / 2 + 8 for x, _, width in at.values()))
    height = max(y for _, y, _ in at.values()) + HEIGHT + 4
    size = f'viewBox="0 0 {width:.0f} {height:.0f}" style="min-width: {0.85 * width:.0f}px; max-width: {width:.0f}px"'
    font = 'font-family="system-ui, sans-serif" font-size="13"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} {font}>'
    return "\n".join([head, *parts, "</svg>", ""])


def arrows(found: Imports, reached: dict[str, set[str]]) -> Iterator[tuple[str, str, str]]:
    """Each import with its kind: part of a "circle", "implied" by others, or "plain"."""
    for name, others in found.items():
        for other in others:
            if name in reached[other]:
                yield name, other, "circle"
            else:
                apart = (via for via in others if via not in reached[other] and name not in reached[via])
                yield name, other, "implied" if any(other in reached[via] for via in apart) else "plain"


LOOKS = {
    "plain": 'stroke="var(--ink, #1f2328)"',
    "implied": 'stroke="var(--line, #8a929c)" stroke-opacity="0.35"',
    "circle": 'stroke="var(--cotangent, #b04a00)" stroke-width="2" stroke-dasharray="5 3"',
}


def line(start: tuple[float, float, float], end: tuple[float, float, float], kind: str) -> str:
    """An arrow from the lower side of a box to the upper side of one below; an arc between boxes of one row."""
    (x0, y0, _), (x1, y1, _) = start, end
    y0, tip = y0 + HEIGHT, ""
    if y1 < y0:
        y1, bend = y1 + HEIGHT, 26.0
        curve = f"M{x0:.1f} {y0:.1f}C{x0:.1f} {y0 + bend:.1f} {x1:.1f} {y1 + bend:.1f} {x1:.1f} {y1:.1f}"
    else:
        bend = (y1 - y0) / 2
        curve = f"M{x0:.1f} {y0:.1f}C{x0:.1f} {y0 + bend:.1f} {x1:.1f} {y1 - bend:.1f} {x1:.1f} {y1:.1f}"
    if kind != "circle":
        tip = f"M{x1 - 4:.1f} {y1 - 7:.1f}L{x1:.1f} {y1:.1f}L{x1 + 4:.1f} {y1 - 7:.1f}"
    return f'<path d="{curve}{tip}" fill="none" {LOOKS[kind]}/>'


# -- the table


def side_by_side(before: dict, now: dict) -> Table:
    """The counts of the calls and of the chain, before and now."""
    rows = []
    for name, counts in now["calls"].items():
        rows.append([name, *(" / ".join(map(str, each.values())) for each in (before["calls"][name], counts))])
    for name, count in now["chain"].items():
        rows.append([f"the way of one chain: {name}", f"{before['chain'][name]:,}", f"{count:,}"])
    return Table(["moves / functions / files", before["commit"], "now"], rows)


def main() -> None:
    before = json.loads(BEFORE.read_text("utf-8"))
    now = {
        "calls": {name: counted(walk(call, start)) for name, (start, call) in CALLS.items()},
        "chain": measured(walk(chain)),
        "packages": imports(package),
        "core": imports(in_core),
    }
    PAGES.mkdir(exist_ok=True)
    for what, title in (("packages", "the packages of the project"), ("core", "the modules of the engine's core")):
        for when, found in (("before", before[what]), ("now", now[what])):
            above = "; ".join(", ".join(row) for row in levels(found))
            (PAGES / f"{what}-{when}.svg").write_text(drawn(found, f"Imports of {title}, top down: {above}."), "utf-8")
    table = side_by_side(before, now)
    (PAGES / "map.json").write_text(json.dumps({"header": table.header, "rows": table.rows}, indent=1), "utf-8")
    print(table)


if __name__ == "__main__":
    main()
