"""A trace as one SVG picture that holds every step.

Whatever comes or goes is drawn once and marked with the steps in which it shows: `data-from` up to, not including,
`data-to`. A reader without JavaScript sees step 0; the script only switches what is marked.
"""

from html import escape
from math import atan2, degrees

from .captions import cotangent_name, short
from .layout import Layout, Point, Style

CHARACTER = 7  # about the width of one, in text of 13 pixels
LEAST_SCALE = 0.85  # keeps text of 13 pixels at 11 or more
ARRIVALS, DEPOSITS = ("seed", "arrive"), ("retain", "accumulate")


def style_for(trace: dict) -> Style:
    """Sizes that hold the longest text of a trace."""
    boxes, notes = ["leaf and op"], ["∂L/∂w = 12"]
    for i, node in enumerate(trace["nodes"]):
        boxes += [f"{_names(node)} {node['op'] or 'leaf'}", _values(node)]
        notes += map(_saved, node["saved"])
        for output, slot in enumerate(node["slots"]):
            notes.append(_slot_name(trace, i, output) + _slot_before(slot) if slot else "")
    for step in trace["steps"]:
        if step["kind"] in ARRIVALS:
            notes.append(_cotangent(trace, step))
        elif step["kind"] in DEPOSITS:
            notes.append(_slot_name(trace, step["node"], step["output"]) + _slot_text(step))
    return Style(
        box_width=CHARACTER * max(map(len, boxes)) + 16,
        note_width=CHARACTER * max(map(len, notes)) + 14,
        saved_lines=max(len(node["saved"]) for node in trace["nodes"]),
    )


def draw(trace: dict, layout: Layout, title: str, description: str, ident: str) -> str:
    """The picture as an SVG element; `ident` makes its ids unique on a page."""
    parts = [f'<title id="{ident}-t">{escape(title)}</title><desc id="{ident}-d">{escape(description)}</desc>']
    last = len(trace["steps"])
    for e, path in enumerate(layout.paths):
        forward, back = _arrow(path, "ac-edge"), _arrow(path[::-1], "ac-back")
        s = next((s for s, step in enumerate(trace["steps"]) if step.get("edge") == e), last)
        parts += [_during(0, s, forward), _during(s, s + 1, back), _during(s + 1, last, forward)]
    for i in range(len(trace["nodes"])):
        parts += _node(trace, layout, i)
    width = f"min-width: {LEAST_SCALE * layout.width:.0f}px; max-width: {layout.width:.0f}px"
    size = f'viewBox="0 0 {layout.width:.0f} {layout.height:.0f}" style="{width}"'
    return f'<svg role="img" aria-labelledby="{ident}-t {ident}-d" {size}>{"".join(parts)}</svg>'


def _node(trace: dict, layout: Layout, i: int) -> list[str]:
    """A box, what its node saved, the cotangent in transit and the slot, each over the steps in which it shows."""
    node, style, (x, y) = trace["nodes"][i], layout.style, layout.boxes[i]
    middle, last = x + style.box_width / 2, len(trace["steps"])
    events = [(s, step) for s, step in enumerate(trace["steps"]) if step.get("node") == i]
    frame = f'x="{x:.1f}" y="{y:.1f}" width="{style.box_width}" height="{style.box_height}" rx="8"'
    parts = [f'<rect class="ac-box" {frame}/>']
    parts += [_during(s, s + 1, f'<rect class="ac-now" {frame}/>') for s, _ in events]
    op = f'<tspan class="ac-op">{escape(node["op"] or "leaf")}</tspan>'
    parts.append(_text((middle, y + 19), "ac-name", f"{escape(_names(node))} {op}", "middle"))
    parts.append(_text((middle, y + 37), "ac-value", escape(_values(node)), "middle"))

    left, anchor = (x + style.box_width + 10, "start") if layout.beside else (middle, "middle")
    top = y + 14 if layout.beside else y - 7 - style.line_height * (len(node["saved"]) - 1)
    done = next((s for s, step in events if step["kind"] == "release"), last)
    for line, entry in enumerate(node["saved"]):
        at, text = (left, top + line * style.line_height), escape(_saved(entry))
        parts.append(_during(0, done, _text(at, "ac-saved", text, anchor)))
        parts.append(_during(done, last, _text(at, "ac-saved ac-gone", text, anchor)))

    below = top + style.line_height * len(node["saved"]) if layout.beside else y + style.box_height + 17
    ends = [s for s, step in events if step["kind"] not in ("seed", "retain")] + [last]
    for s, step in events:
        if step["kind"] in ARRIVALS:
            until = next(end for end in ends if end > s)
            parts.append(
                _during(s, until, _text((left, below), "ac-cotangent", escape(_cotangent(trace, step)), anchor))
            )
    for output, slot in enumerate(node["slots"]):
        if slot is not None:
            parts += _slot(trace, layout, (i, output), (left, below + 6))
    return parts


def _slot(trace: dict, layout: Layout, place: tuple[int, int], at: Point) -> list[str]:
    """The place of `.grad`: what it held before, the addition, what it holds after."""
    name, slot = _slot_name(trace, *place), trace["nodes"][place[0]]["slots"][place[1]]
    states, last = [(0, _slot_before(slot))], len(trace["steps"])
    for s, step in enumerate(trace["steps"]):
        if step["kind"] in DEPOSITS and (step["node"], step["output"]) == place:
            states += [(s, _slot_text(step)), (s + 1, short(step["grad"]))]
    width = CHARACTER * max(len(name + text) for _, text in states) + 14
    x, y = (at[0] if layout.beside else at[0] - width / 2), at[1]
    frame = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{layout.style.slot_height}" rx="3"'
    stored = states[1][0] if len(states) > 1 else last
    empty, full = f'<rect class="ac-slot" {frame}/>', f'<rect class="ac-slot ac-full" {frame}/>'
    parts = [_during(0, stored, empty if slot["grad"] is None else full), _during(stored, last, full)]
    label = f'<tspan class="ac-op">{escape(name)}</tspan>'
    for (begin, text), (end, _) in zip(states, [*states[1:], (last, "")], strict=True):
        parts.append(_during(begin, end, _text((x + width / 2, y + 17), "ac-grad", label + escape(text), "middle")))
    return parts


def _during(begin: int, end: int, shape: str) -> str:
    """`shape`, visible from step `begin` until before step `end`."""
    if begin >= end:
        return ""
    hidden = "" if begin == 0 else ' display="none"'
    return f'<g data-from="{begin}" data-to="{end}"{hidden}>{shape}</g>'


def _text(at: Point, kind: str, content: str, anchor: str) -> str:
    return f'<text class="{kind}" x="{at[0]:.1f}" y="{at[1]:.1f}" text-anchor="{anchor}">{content}</text>'


def _arrow(path: list[Point], kind: str) -> str:
    """A chain of cubic curves with a head at its end."""
    start, *rest = (f"{x:.1f},{y:.1f}" for x, y in path)
    (x0, y0), (x1, y1) = path[-2:]
    turn = f"translate({x1:.1f} {y1:.1f}) rotate({degrees(atan2(y1 - y0, x1 - x0)):.0f})"
    return (
        f'<g class="{kind}"><path d="M{start} C{" ".join(rest)}"/><path transform="{turn}" d="M0,0 l-9,-4.5 v9 z"/></g>'
    )


def _names(node: dict) -> str:
    return ", ".join(filter(None, node["names"]))


def _values(node: dict) -> str:
    return "; ".join(map(short, node["values"]))


def _saved(entry: list) -> str:
    label, value = entry
    return f"saved {label} = {short(value)}"


def _cotangent(trace: dict, step: dict) -> str:
    return f"{cotangent_name(trace, step['node'], step['output'])} = {short(step['total'])}"


def _slot_name(trace: dict, node: int, output: int) -> str:
    return f"{trace['nodes'][node]['names'][output] or ''}.grad = "


def _slot_before(slot: dict) -> str:
    return "None" if slot["grad"] is None else short(slot["grad"])


def _slot_text(step: dict) -> str:
    """What a slot shows in the step that fills it: 8, or 4 + 4 = 8."""
    new = short(step["grad"])
    return new if step["old"] is None else f"{short(step['old'])} + {short(step['cotangent'])} = {new}"
