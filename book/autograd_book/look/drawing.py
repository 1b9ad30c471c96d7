"""A trace as one SVG picture that holds every step.

Whatever comes or goes is drawn once and marked with the steps in which it shows: `data-from` up to, not including,
`data-to`. A reader without JavaScript sees the graph as the forward pass leaves it; the script only switches what is
marked.
"""

from html import escape
from math import atan2, degrees

from ..wording import ngettext
from ..wording import translate as _
from .captions import cotangent_name, deposit, holds_leaves, is_stale, sent, short, slot_name
from .layout import Layout, Point, Style

CHARACTER = 7  # about the width of one, in text of 13 pixels
LONGEST_SUM = 18  # characters of arithmetic on an edge
LEAST_SCALE = 0.85  # keeps text of 13 pixels at 11 or more
ARRIVALS, DEPOSITS = ("seed", "enter", "arrive"), ("retain", "accumulate")


def opening(trace: dict) -> int:
    """The step at which a picture opens: forward is done, backward has not begun."""
    return next(s for s, step in enumerate(trace["steps"]) if step["kind"] == "forward")


def style_for(trace: dict) -> Style:
    """Sizes that hold the longest text of a trace."""
    boxes, notes, sums = [_("leaf")], ["∂L/∂w = 12"], [""]
    for i, node in enumerate(trace["nodes"]):
        boxes += [f"{_names(node)} {_kind(node)}", _values(node)]
        notes += _saved(node)
        for output, slot in enumerate(node["slots"]):
            notes.append(_slot_name(trace, i, output) + _slot_before(slot) if slot else "")
    for step in trace["steps"]:
        if step["kind"] in ARRIVALS:
            notes.append(_cotangent(trace, step) if step["before"] is None else _addition(trace, step))
        elif step["kind"] in DEPOSITS:
            notes.append(_slot_name(trace, step["node"], step["output"]) + deposit(step, short))
        if step["kind"] == "arrive":
            sums.append(sent(step, short, LONGEST_SUM))
    return Style(
        box_width=CHARACTER * max(map(len, boxes)) + 16,
        note_width=CHARACTER * max(map(len, notes)) + 14,
        saved_lines=max(len(_saved(node)) for node in trace["nodes"]),
        gap=max(44, CHARACTER * max(map(len, sums)) + 22),
    )


def draw(trace: dict, layout: Layout, title: str, description: str, ident: str) -> str:
    """The picture as an SVG element; `ident` makes its ids unique on a page."""
    parts = [f'<title id="{ident}-t">{escape(title)}</title><desc id="{ident}-d">{escape(description)}</desc>']
    last, at_rest = len(trace["steps"]), opening(trace)
    arrivals = {step["edge"]: s for s, step in enumerate(trace["steps"]) if step["kind"] == "arrive"}
    drawn = []
    for e, path in enumerate(layout.paths):
        forward, back = _arrow(path, "ac-edge"), _arrow(path[::-1], "ac-back")
        s = arrivals.get(e, last)
        drawn += [(0, s, forward), (s, s + 1, back), (s + 1, last, forward)]
    for i in range(len(trace["nodes"])):
        drawn += _node(trace, layout, i)
    for e, s in arrivals.items():
        drawn.append((s, s + 1, _sent(trace, layout, e, s)))
    parts += [_during(begin, end, shape, at_rest, last) for begin, end, shape in drawn]
    width = f"min-width: {LEAST_SCALE * layout.width:.0f}px; max-width: {layout.width:.0f}px"
    size = f'viewBox="0 0 {layout.width:.0f} {layout.height:.0f}" style="{width}"'
    return f'<svg role="img" aria-labelledby="{ident}-t {ident}-d" {size}>{"".join(parts)}</svg>'


Timed = tuple[int, int, str]  # a shape and the steps in which it shows, from and until before


def _node(trace: dict, layout: Layout, i: int) -> list[Timed]:
    """A box, what its node saved, the cotangent in transit and the slot, each over the steps in which it shows."""
    node, style, (x, y) = trace["nodes"][i], layout.style, layout.boxes[i]
    middle, last = x + style.box_width / 2, len(trace["steps"])
    events = [(s, step) for s, step in enumerate(trace["steps"]) if step.get("node") == i]
    made = next((s for s, step in events if step["kind"] == "compute"), 0)
    frame = f'x="{x:.1f}" y="{y:.1f}" width="{style.box_width}" height="{style.box_height}" rx="8"'
    kind = "ac-box ac-outside" if "outside" in node else "ac-box"
    drawn = [(0, made, f'<rect class="ac-box ac-coming" {frame}/>'), (made, last, f'<rect class="{kind}" {frame}/>')]
    if "inside" in node:
        inner = f'x="{x + 4:.1f}" y="{y + 4:.1f}" width="{style.box_width - 8}" height="{style.box_height - 8}" rx="5"'
        drawn.append((0, last, f'<rect class="ac-fold" {inner}/>'))
    drawn += [(s, s + 1, f'<rect class="ac-now" {frame}/>') for s, _step in events]
    op = f'<tspan class="ac-op">{escape(_kind(node))}</tspan>'
    drawn.append((0, last, _text((middle, y + 19), "ac-name", f"{escape(_names(node))} {op}", "middle")))
    drawn.append((made, last, _text((middle, y + 37), "ac-value", escape(_values(node)), "middle")))

    lines = _saved(node)
    left, anchor = (x + style.box_width + 10, "start") if layout.beside else (middle, "middle")
    top = y + 14 if layout.beside else y - 7 - style.line_height * (len(lines) - 1)
    done = next((s for s, step in events if step["kind"] == "release"), last)
    for line, text in enumerate(lines):
        at = (left, top + line * style.line_height)
        stale = bool(node["saved"]) and is_stale(node["saved"][line])
        kind = "ac-saved ac-stale" if stale else "ac-saved"
        drawn.append((made, done, _text(at, kind, escape(text), anchor)))
        drawn.append((done, last, _text(at, f"{kind} ac-gone", escape(text), anchor)))

    below = top + style.line_height * len(lines) if layout.beside else y + style.box_height + 17
    ends = [s for s, step in events if step["kind"] not in ("compute", "seed", "retain")] + [last]
    for s, step in events:
        if step["kind"] in ARRIVALS:
            until = next(end for end in ends if end > s)
            first = s if step["before"] is None else s + 1
            text = escape(_cotangent(trace, step))
            drawn.append((first, until, _text((left, below), "ac-cotangent", text, anchor)))
            if step["before"] is not None:
                text = escape(_addition(trace, step))
                drawn.append((s, s + 1, _text((left, below), "ac-cotangent", text, anchor)))
    for output, slot in enumerate(node["slots"]):
        if slot is not None:
            drawn += _slot(trace, layout, (i, output), (left, below + 6))
    return drawn


def _slot(trace: dict, layout: Layout, place: tuple[int, int], at: Point) -> list[Timed]:
    """The place of `.grad`: what it held before, the addition, what it holds after."""
    name, slot = _slot_name(trace, *place), trace["nodes"][place[0]]["slots"][place[1]]
    states, last = [(0, _slot_before(slot))], len(trace["steps"])
    for s, step in enumerate(trace["steps"]):
        if step["kind"] in DEPOSITS and (step["node"], step["output"]) == place:
            states += [(s, deposit(step, short)), (s + 1, short(step["grad"]))]
    width = CHARACTER * max(len(name + text) for _s, text in states) + 14
    x, y = (at[0] if layout.beside else at[0] - width / 2), at[1]
    frame = f'x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{layout.style.slot_height}" rx="3"'
    stored = states[1][0] if len(states) > 1 else last
    empty, full = f'<rect class="ac-slot" {frame}/>', f'<rect class="ac-slot ac-full" {frame}/>'
    drawn = [(0, stored, empty if slot["grad"] is None else full), (stored, last, full)]
    label = f'<tspan class="ac-op">{escape(name)}</tspan>'
    for (begin, text), (end, _next) in zip(states, [*states[1:], (last, "")], strict=True):
        drawn.append((begin, end, _text((x + width / 2, y + 17), "ac-grad", label + escape(text), "middle")))
    return drawn


def _sent(trace: dict, layout: Layout, e: int, s: int) -> str:
    """The arithmetic of what travels back on an edge, beside the box that receives it."""
    style, (x, y) = layout.style, layout.boxes[trace["edges"][e]["from"]]
    if layout.beside:
        at, anchor = (x + style.box_width / 2 + 12, y + style.box_height + 22), "start"
    else:
        at, anchor = (x + style.box_width + style.gap / 2, y + style.box_height / 2 - 9), "middle"
    return _text(at, "ac-cotangent ac-sent", escape(sent(trace["steps"][s], short, LONGEST_SUM)), anchor)


def _during(begin: int, end: int, shape: str, at_rest: int, last: int) -> str:
    """`shape`, visible from step `begin` until before step `end`; as it is, if that is always."""
    if begin >= end:
        return ""
    if (begin, end) == (0, last):
        return shape
    hidden = "" if begin <= at_rest < end else ' display="none"'
    return f'<g data-from="{begin}" data-to="{end}"{hidden}>{shape}</g>'


def _text(at: Point, kind: str, content: str, anchor: str) -> str:
    return f'<text class="{kind}" x="{at[0]:.1f}" y="{at[1]:.1f}" text-anchor="{anchor}">{content}</text>'


def _arrow(path: list[Point], kind: str) -> str:
    """A chain of cubic curves with a head at its end."""
    start, *rest = (f"{x:.1f},{y:.1f}" for x, y in path)
    (x0, y0), (x1, y1) = path[-2:]
    turn = f"translate({x1:.1f} {y1:.1f}) rotate({degrees(atan2(y1 - y0, x1 - x0)):.0f})"
    return (
        f'<g class="{kind}"><path pathLength="1" d="M{start} C{" ".join(rest)}"/>'
        f'<path transform="{turn}" d="M0,0 l-9,-4.5 v9 z"/></g>'
    )


def _kind(node: dict) -> str:
    if "inside" in node:
        return _("{op} (folded)").format(op=node["label"])
    if "outside" in node:
        return _("from outside")
    return node["label"] or _("leaf")


def _names(node: dict) -> str:
    return "" if holds_leaves(node) else ", ".join(filter(None, node["names"]))


def _values(node: dict) -> str:
    return "" if holds_leaves(node) else "; ".join(map(short, node["values"]))


def _saved(node: dict) -> list[str]:
    """One line for each saved value; for a folded box, how many there are."""
    if "inside" in node:
        number = node["saved_inside"]
        text = ngettext("saved {number} value", "saved {number} values", number).format(number=number)
        return [text] if number else []
    return [_saved_line(entry) for entry in node["saved"]]


def _saved_line(entry: dict) -> str:
    if is_stale(entry):
        return _("saved {name}, v{version}; now v{now}: stale").format(**entry)
    text = _("saved {name} = {value}").format(name=entry["name"], value=short(entry["value"]))
    return f"{text}, v{entry['version']}" if entry["version"] else text


def _cotangent(trace: dict, step: dict) -> str:
    return f"{cotangent_name(trace, step['node'], step['output'])} = {short(step['total'])}"


def _addition(trace: dict, step: dict) -> str:
    total = f"{short(step['before'])} + {short(step['cotangent'])} = {short(step['total'])}"
    if len(total) > LONGEST_SUM:
        return _cotangent(trace, step)
    return f"{cotangent_name(trace, step['node'], step['output'])} = {total}"


def _slot_name(trace: dict, node: int, output: int) -> str:
    return f"{slot_name(trace, node, output)} = "


def _slot_before(slot: dict) -> str:
    return "None" if slot["grad"] is None else short(slot["grad"])
