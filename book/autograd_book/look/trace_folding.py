"""Fold parts of a trace into one box each: what one module or one reverse pass recorded, else runs of ops, else leaves.

The parts are intervals of program order, or leaves alone, so no fold can make a cycle. A part has fewer ops than the
whole, so what is inside of it folds further, and comes to an end. A folded trace has the form of a trace (see
:mod:`autograd_book.look.trace`); a box that stands for several nodes has, beside the usual, the trace of its `inside`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from ..wording import ngettext
from ..wording import translate as _
from .captions import name

MOST_BOXES = 24  # leaves included: more than that is folded whether or not modules are known


def fold(trace: dict) -> dict:
    """The trace with each of its parts as one box; itself if there is nothing to fold."""
    parts = list(_numbered(part for part in _by_place(trace) if len(part[1]) > 1))
    folded = _contract(trace, parts) if parts else trace
    for surplus in (_by_runs, _of_leaves):
        if len(folded["nodes"]) > MOST_BOXES:
            folded = _contract(folded, surplus(folded))
    return folded


def _numbered(parts: Iterable[tuple[str, list[int]]]) -> Iterator[tuple[str, list[int]]]:
    """The parts, with labels that tell them apart: a second grad() is number 2."""
    found = Counter[str]()
    for label, members in parts:
        found[label] += 1
        again = _("{label}, number {number}").format(label=label, number=found[label])
        yield label if found[label] == 1 else again, members


def _ops(trace: dict) -> list[int]:
    return [i for i, node in enumerate(trace["nodes"]) if node["op"] is not None]


def _by_place(trace: dict) -> Iterator[tuple[str, list[int]]]:
    """Neighbors in program order that were made in one place, below the place that all have in common."""
    ops = _ops(trace)
    places = [trace["nodes"][i]["place"] for i in ops]
    depth = 0
    while len({tuple(place[: depth + 1]) for place in places}) == 1 and all(len(place) > depth for place in places):
        depth += 1

    for place, members in groupby(ops, lambda i: tuple(trace["nodes"][i]["place"][depth : depth + 1])):
        if place:
            yield place[0], list(members)


def _by_runs(trace: dict) -> list[tuple[str, list[int]]]:
    """Stretches of equal length in program order, few enough to draw; none if one would hold all."""
    ops = _ops(trace)
    length = max(2, -(-len(ops) // (MOST_BOXES // 2)))
    runs = {k: ops[k : k + length] for k in range(0, len(ops), length)}
    return [(_run_label(trace, run, k + 1), run) for k, run in runs.items() if 1 < len(run) < len(ops)]


def _of_leaves(trace: dict) -> list[tuple[str, list[int]]]:
    """The leaves, and the values from outside; none if there is nothing else."""
    if not _ops(trace):
        return []
    given = [i for i, node in enumerate(trace["nodes"]) if node["op"] is None]
    outside = [i for i in given if "outside" in trace["nodes"][i]]
    leaves = [i for i in given if "outside" not in trace["nodes"][i]]
    n, m = len(leaves), len(outside)
    parts = [
        (ngettext("{number} leaf", "{number} leaves", n).format(number=n), leaves),
        (ngettext("{number} value from outside", "{number} values from outside", m).format(number=m), outside),
    ]
    return [part for part in parts if len(part[1]) > 1]


def _run_label(trace: dict, run: list[int], number: int) -> str:
    """Its first and last module where these are boxes already, else its numbers."""
    first, last = trace["nodes"][run[0]], trace["nodes"][run[-1]]
    if "inside" in first and "inside" in last:
        return _("{first} to {last}").format(first=first["op"], last=last["op"])
    return _("ops {first} to {last}").format(first=number, last=number + len(run) - 1)


def _size(node: dict) -> int:
    return node.get("ops", 1)


def _contract(trace: dict, parts: list[tuple[str, list[int]]]) -> dict:
    """The trace with a box for each part."""
    nodes, edges = trace["nodes"], trace["edges"]
    part_of = {i: p for p, (_label, members) in enumerate(parts) for i in members}
    users: dict[int, set] = {}
    for edge in edges:
        users.setdefault(edge["from"], set()).add(part_of.get(edge["to"], -1))
    for i, parts_of_users in users.items():  # a leaf that one part alone uses goes with it
        if nodes[i]["op"] is None and len(parts_of_users) == 1 and -1 not in parts_of_users:
            part_of[i] = parts_of_users.pop()
    members_of: dict[int, list[int]] = {}
    for i, p in part_of.items():
        members_of.setdefault(p, []).append(i)
    at = {_stands_at(trace, members): p for p, (_label, members) in enumerate(parts)}
    outlets = _outlets(trace, part_of)

    boxes: list[dict] = []
    positions: dict[int, int] = {}
    place: dict[tuple[int, int], tuple[int, int]] = {}  # (node, output) -> (box, output)
    for i, node in enumerate(nodes):
        if i in at:
            p = at[i]
            positions[p] = len(boxes)
            place |= {outlet: (len(boxes), k) for k, outlet in enumerate(outlets[p])}
            boxes.append(_box(trace, parts[p][0], members_of[p], outlets[p]))
        elif i not in part_of:
            place |= {(i, k): (len(boxes), k) for k in range(len(node["names"]))}
            boxes.append(node)
    box_of = {i: positions[part_of[i]] if i in part_of else place[i, 0][0] for i in range(len(nodes))}

    crossing = [e for e, edge in enumerate(edges) if box_of[edge["from"]] != box_of[edge["to"]]]
    inputs: dict[int, int] = {}
    kept_edges: list[dict] = []
    edge_number = {}
    for e in crossing:
        source, output = place[edges[e]["from"], edges[e]["output"]]
        to = box_of[edges[e]["to"]]
        number = edges[e]["input"] if edges[e]["to"] not in part_of else inputs.get(to, 0)
        inputs[to] = inputs.get(to, 0) + 1
        edge_number[e] = len(kept_edges)
        kept_edges.append({"from": source, "output": output, "to": to, "input": number})
    return trace | {
        "nodes": boxes,
        "edges": kept_edges,
        "steps": list(_outer_steps(trace, part_of, box_of, place, edge_number)),
    }


def _stands_at(trace: dict, members: list[int]) -> int:
    """The node in whose place the box of a part stands: its last op, or the first of leaves."""
    return members[0] if trace["nodes"][members[0]]["op"] is None else members[-1]


def _outlets(trace: dict, part_of: dict[int, int]) -> dict[int, list[tuple[int, int]]]:
    """For each part the (node, output) pairs that others use, or where the pass starts."""
    found: dict[int, dict] = {p: {} for p in part_of.values()}
    for edge in trace["edges"]:
        p = part_of.get(edge["from"])
        if p is not None and part_of.get(edge["to"]) != p:
            found[p][edge["from"], edge["output"]] = None
    for step in trace["steps"]:
        if step["kind"] in ("seed", "enter") and step["node"] in part_of:
            found[part_of[step["node"]]][step["node"], step["output"]] = None
    return {p: list(pairs) for p, pairs in found.items()}


def _outer_steps(trace: dict, part_of: dict, box_of: dict, place: dict, edge_number: dict) -> Iterator[dict]:
    """The steps that show when the parts are closed: what enters and leaves them, and when all in them is done."""
    steps = trace["steps"]
    parts = [part_of.get(step.get("node")) for step in steps]
    made = {p: s for s, (p, step) in enumerate(zip(parts, steps)) if step["kind"] == "compute"}
    done = {p: s for s, (p, step) in enumerate(zip(parts, steps)) if step["kind"] in ("release", "accumulate", "drop")}
    for s, (p, step) in enumerate(zip(parts, steps)):
        if step["kind"] == "arrive":
            if step["edge"] not in edge_number:
                continue
            node, output = place[step["node"], step["output"]]
            whole = part_of.get(trace["edges"][step["edge"]]["to"]) is not None
            yield step | {
                "node": node,
                "output": output,
                "edge": edge_number[step["edge"]],
                "formula": None if whole else step["formula"],
            }
        elif p is None:
            yield step | ({"node": box_of[step["node"]]} if "node" in step else {})
        elif step["kind"] in ("seed", "enter"):
            node, output = place[step["node"], step["output"]]
            yield step | {"node": node, "output": output}
        elif step["kind"] == "refuse" or s == made.get(p):
            yield step | {"node": box_of[step["node"]]}
        elif s == done.get(p):
            yield {"kind": "release", "node": box_of[step["node"]]}


def _box(trace: dict, label: str, members: list[int], outlets: list[tuple[int, int]]) -> dict:
    """A box for some nodes, with the names and values of what leaves it."""
    nodes = [trace["nodes"][i] for i in sorted(members)]
    each = [(trace["nodes"][i], k) for i, k in outlets]
    return {
        "op": label,
        "label": label,
        "grad_fn": None,
        "line": nodes[-1]["line"],
        "place": [],
        "names": [node["names"][k] for node, k in each],
        "shapes": [node["shapes"][k] for node, k in each],
        "values": [node["values"][k] for node, k in each],
        "slots": [None for _pair in each],
        "hooks": sum(node["hooks"] for node in nodes),
        "saved": [],
        "ops": sum(_size(node) for node in nodes if node["op"] is not None),
        "saved_inside": sum(len(node["saved"]) + node.get("saved_inside", 0) for node in nodes),
        "slots_inside": [slot for node in nodes for slot in _slot_names(node)],
        "inside": _inside(trace, label, sorted(members)),
    } | ({"outside": True} if all("outside" in node for node in nodes) else {})


def _slot_names(node: dict) -> list[str]:
    own = [label or "" for label, slot in zip(node["names"], node["slots"], strict=True) if slot is not None]
    return own + node.get("slots_inside", [])


def _inside(trace: dict, label: str, members: list[int]) -> dict:
    """The trace of some nodes, with a box for each value that comes from outside."""
    within = set(members)
    edges = trace["edges"]
    sources = sorted({(e["from"], e["output"]) for e in edges if e["to"] in within and e["from"] not in within})
    nodes = [*(_source(trace, i, k) for i, k in sources), *(trace["nodes"][i] for i in members)]
    place = {source: (k, 0) for k, source in enumerate(sources)}
    for new, i in enumerate(members, len(sources)):
        place |= {(i, k): (new, k) for k in range(len(trace["nodes"][i]["names"]))}
    number = {i: place[i, 0][0] for i in members}
    inner = [e for e, edge in enumerate(edges) if edge["to"] in within]
    return trace | {
        "title": label,
        "nodes": nodes,
        "edges": [
            {
                "from": place[edge["from"], edge["output"]][0],
                "output": place[edge["from"], edge["output"]][1],
                "to": number[edge["to"]],
                "input": edge["input"],
            }
            for edge in (edges[e] for e in inner)
        ],
        "steps": list(_inner_steps(trace, within, place, {e: k for k, e in enumerate(inner)})),
    }


def _source(trace: dict, i: int, k: int) -> dict:
    node = trace["nodes"][i]
    parts: dict[str, Any] = {key: [node[key][k]] for key in ("names", "shapes", "values")}
    nothing = dict.fromkeys(("op", "label", "grad_fn", "line")) | {"place": [], "saved": [], "slots": [None]}
    called = [parts["names"][0] or name(trace, i, k)]
    return nothing | parts | {"names": called, "hooks": node["hooks"], "outside": True}


def _inner_steps(trace: dict, within: set, place: dict, edge_number: dict) -> Iterator[dict]:
    """The steps of some nodes. What another node sends them enters."""
    for step in trace["steps"]:
        if step["kind"] in ("leaves", "forward"):
            yield step
            continue
        key = step["node"], step.get("output", 0)
        if step["kind"] == "arrive" and step["edge"] in edge_number:
            node, output = place[key]
            yield step | {"node": node, "output": output, "edge": edge_number[step["edge"]]}
        elif step["node"] in within:
            moved = step | {"node": place[key][0]}
            if step["kind"] == "arrive":
                del moved["edge"], moved["formula"]
                sender = trace["nodes"][trace["edges"][step["edge"]]["to"]]["label"]
                moved |= {"kind": "enter", "op": sender}
            yield moved
