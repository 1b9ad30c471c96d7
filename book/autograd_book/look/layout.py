"""Where the boxes of a graph stand: in columns from left to right, or in a list from top to bottom.

Both layouts take a trace (see :mod:`autograd_book.look.trace`), whose nodes are in the order in which the program made
them, so that every edge leads from a smaller number to a larger one.
"""

from dataclasses import dataclass
from itertools import pairwise

Point = tuple[float, float]


@dataclass(frozen=True)
class Style:
    """Sizes in SVG user units, which are CSS pixels at scale one."""

    box_width: float
    note_width: float
    saved_lines: int
    gap: float  # between two boxes of a row, where arithmetic is written
    box_height: float = 46
    line_height: float = 18
    slot_height: float = 26
    row_gap: float = 36

    @property
    def above(self) -> float:
        """Room above a box for what its node saved."""
        return self.saved_lines * self.line_height + 4

    @property
    def below(self) -> float:
        """Room below a box for the cotangent in transit and the slot."""
        return self.line_height + 6 + self.slot_height


@dataclass(frozen=True)
class Layout:
    """`boxes[i]` is the top left corner of node i, `paths[e]` the control points of edge e, a chain of cubic curves.

    With `beside`, the notes of a node stand to the right of its box, otherwise above and below it.
    """

    width: float
    height: float
    boxes: list[Point]
    paths: list[list[Point]]
    style: Style
    beside: bool


def in_columns(trace: dict, style: Style) -> Layout:
    """Columns by the longest path from a leaf; an edge that skips columns gets a lane of its own in each."""
    nodes, edges = trace["nodes"], trace["edges"]
    column = _columns(trace)
    members: list[list] = [[] for _ in range(max(column) + 1)]
    for i in range(len(nodes)):
        members[column[i]].append(i)
    followers: dict = {i: [] for i in range(len(nodes))}
    stations = []  # the items that each edge passes, both ends included
    for e, edge in enumerate(edges):
        between = range(column[edge["from"]] + 1, column[edge["to"]])
        stations.append([edge["from"], *((e, c) for c in between), edge["to"]])
        for c in between:
            members[c].append((e, c))
        for item, follower in pairwise(stations[-1]):
            nudge = _port(trace, edge) / 1000 if follower == edge["to"] else 0
            followers.setdefault(item, []).append((follower, nudge))

    rank: dict = {}
    for items in reversed(members):  # an item stands as high as the mean of the ports it leads to

        def height(item: object) -> float:
            ends = followers[item]
            return sum(rank[follower] + nudge for follower, nudge in ends) / max(1, len(ends))

        items.sort(key=height)
        rank.update((item, r - (len(items) - 1) / 2) for r, item in enumerate(items))

    cell = style.above + style.box_height + style.below
    heights = [sum(cell if isinstance(item, int) else style.line_height for item in items) for items in members]
    pitch = max(style.box_width + style.gap, style.note_width + 10)
    margin = (max(style.box_width, style.note_width) - style.box_width) / 2 + 4
    middle = {}
    for c, items in enumerate(members):
        y = (max(heights) - heights[c]) / 2
        for item in items:
            node = isinstance(item, int)
            middle[item] = (
                margin + c * pitch + style.box_width / 2,
                y + (style.above + style.box_height / 2 if node else 9),
            )
            y += cell if node else style.line_height

    half = style.box_width / 2
    boxes = [(middle[i][0] - half, middle[i][1] - style.box_height / 2) for i in range(len(nodes))]
    paths = []
    for edge, items in zip(edges, stations, strict=True):
        points = [middle[item] for item in items]
        (x0, y0), (x1, y1) = points[0], points[-1]
        points[0], points[-1] = (x0 + half, y0), (x1 - half, y1 + _port(trace, edge))
        paths.append(_smooth(points))
    return Layout(
        2 * margin + (len(members) - 1) * pitch + style.box_width, max(heights) + 4, boxes, paths, style, False
    )


def in_a_list(trace: dict, style: Style) -> Layout:
    """One row a node, in program order: fits a phone. Edges that skip rows pass through a gutter on the left."""
    edges = trace["edges"]
    longest = max((e["to"] - e["from"] for e in edges), default=1)
    gutter = 4.0 if longest == 1 else min(26.0 + 8 * longest, 90.0)
    pitch = max(style.box_height, (style.saved_lines + 1) * style.line_height + style.slot_height) + style.row_gap
    boxes = [(gutter, i * pitch + 4) for i in range(len(trace["nodes"]))]
    paths = []
    for edge in edges:
        (x, y0), (_, y1) = boxes[edge["from"]], boxes[edge["to"]]
        span = edge["to"] - edge["from"]
        if span == 1:
            x0, x1 = x + style.box_width / 2, x + style.box_width / 2 + 1.6 * _port(trace, edge)
            top, bottom = y0 + style.box_height, y1
            paths.append([(x0, top), (x0, top + 12), (x1, bottom - 12), (x1, bottom)])
        else:
            start, end = y0 + style.box_height / 2, y1 + style.box_height / 2 + _port(trace, edge)
            bulge = x - (gutter - 6) * (0.5 + 0.5 * span / longest) * 4 / 3
            paths.append([(x, start), (bulge, start), (bulge, end), (x, end)])
    width = gutter + style.box_width + 10 + style.note_width
    return Layout(width, len(boxes) * pitch - style.row_gap + 8, boxes, paths, style, True)


def _columns(trace: dict) -> list[int]:
    """The longest path from a leaf; leaves then move right, next to the first node that uses them."""
    column = [0] * len(trace["nodes"])
    for edge in sorted(trace["edges"], key=lambda e: e["to"]):
        column[edge["to"]] = max(column[edge["to"]], column[edge["from"]] + 1)
    for i, node in enumerate(trace["nodes"]):
        users = [column[e["to"]] for e in trace["edges"] if e["from"] == i]
        if node["op"] is None and users:
            column[i] = min(users) - 1
    return column


def _port(trace: dict, edge: dict) -> float:
    """How far from the middle of the consumer's side an edge arrives, so that x * x shows two edges."""
    inputs = sorted(e["input"] for e in trace["edges"] if e["to"] == edge["to"])
    return 14 * (inputs.index(edge["input"]) - (len(inputs) - 1) / 2) * min(1, 2 / len(inputs))


def _smooth(points: list[Point]) -> list[Point]:
    """Cubic control points of a curve through `points` that is level at each of them."""
    path = [points[0]]
    for (x0, y0), (x1, y1) in pairwise(points):
        bend = (x1 - x0) / 2
        path += [(x0 + bend, y0), (x1 - bend, y1), (x1, y1)]
    return path
