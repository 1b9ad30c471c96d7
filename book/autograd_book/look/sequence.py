"""`sequence`: who calls whom, in order, as one SVG picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from textwrap import wrap

from .page import figure, fresh_id, wide_or_narrow

WIDTHS = {"wide": 680, "narrow": 340}  # pixels
CHARACTER = 7.2  # about the width of one, in text of 13 pixels
LINE = 17  # from one line of text to the next
HEAD = 30  # the height of an actor's box


@dataclass(frozen=True)
class Message:
    """An arrow from one actor to another; a `reply` is drawn dashed."""

    sender: str
    receiver: str
    text: str
    reply: bool = False

    def __str__(self) -> str:
        return f"{self.sender} {'answers' if self.reply else 'to'} {self.receiver}: {self.text}"


class SequenceDiagram:
    """Actors side by side, time downwards; `print` gives the steps as sentences."""

    def __init__(self, title: str, actors: Sequence[str], steps: Sequence[Message | str]):
        self.title, self.actors, self.steps = title, list(actors), list(steps)

    @property
    def sentences(self) -> list[str]:
        """One sentence a step; a note is a sentence already."""
        return [str(step) for step in self.steps]

    def __repr__(self) -> str:
        return "\n".join(f"{k}. {sentence}" for k, sentence in enumerate(self.sentences, 1))

    def _repr_html_(self) -> str:
        ident = fresh_id()
        pictures = "".join(
            f'<div class="{kind}">{self._picture(width, f"{ident}-{kind}")}</div>' for kind, width in WIDTHS.items()
        )
        return figure(wide_or_narrow(ident, WIDTHS["wide"] * 0.85) + pictures, ident)

    def _picture(self, width: int, ident: str) -> str:
        column = width / len(self.actors)
        at = {actor: (k + 0.5) * column for k, actor in enumerate(self.actors)}
        rows, y = [], HEAD + 12.0
        for step in self.steps:
            row, y = _note(step, width, y) if isinstance(step, str) else _arrow(step, at, width, y)
            rows.append(row)
        heads = "".join(_head(actor, x, min(column - 6, 170), y) for actor, x in at.items())
        words = f'<title id="{ident}-t">{escape(self.title)}</title><desc id="{ident}-d">{escape(repr(self))}</desc>'
        return (
            f'<svg role="img" aria-labelledby="{ident}-t {ident}-d" '
            f'viewBox="0 0 {width} {y:.0f}" style="max-width: {width}px">{words}{heads}{"".join(rows)}</svg>'
        )


def sequence(title: str, actors: Sequence[str], steps: Sequence[Message | str]) -> SequenceDiagram:
    """A sequence diagram.

    Parameters:
        title: what the picture is about, for those who hear it.
        actors: from left to right.
        steps: in order, each a `Message` between two actors or, as a string, a note across the picture.

    Raises `ValueError` for a diagram without actors, and for a message whose sender or receiver is not an actor.

    >>> sequence("A loan", ["you", "library"], [Message("you", "library", "lend(book)"), "The shelf has a gap."])
    1. you to library: lend(book)
    2. The shelf has a gap.
    """
    if not actors:
        raise ValueError("a sequence diagram needs at least one actor, and actors is empty")
    for step in steps:
        for name in () if isinstance(step, str) else (step.sender, step.receiver):
            if name not in actors:
                raise ValueError(f"{name!r} is not among the actors {', '.join(actors)}")
    return SequenceDiagram(title, actors, steps)


def _head(actor: str, x: float, width: float, bottom: float) -> str:
    """The box of an actor and its line of life."""
    return (
        f'<path class="ac-life" d="M{x:.1f},{HEAD} V{bottom:.1f}"/>'
        f'<rect class="ac-box" x="{x - width / 2:.1f}" y="1" width="{width:.1f}" height="{HEAD - 2}" rx="6"/>'
        f'<text class="ac-name" x="{x:.1f}" y="20" text-anchor="middle">{escape(actor)}</text>'
    )


def _arrow(message: Message, at: dict[str, float], width: float, y: float) -> tuple[str, float]:
    """A message with its text above it, and where the next step begins."""
    start, end = at[message.sender], at[message.receiver]
    lines = wrap(message.text, int(width / CHARACTER))
    half = max(map(len, lines), default=0) * CHARACTER / 2
    middle = min(max((start + end) / 2, half), width - half)
    text = "".join(_line(line, middle, y + 14 + k * LINE) for k, line in enumerate(lines))
    y += LINE * len(lines) + 6
    back = 9 if end > start else -9
    down, around = (12, "h22 v12 ") if start == end else (0, "")
    line = f"M{start:.1f},{y:.1f} {around}H{end - back / 2:.1f}"
    head = f"M{end:.1f},{y + down:.1f} l{-back},-4.5 v9 z"
    kind = "ac-edge ac-reply" if message.reply else "ac-edge"
    return f'<g class="{kind}"><path d="{line}"/><path d="{head}"/></g>' + text, y + down + 12


def _note(text: str, width: float, y: float) -> tuple[str, float]:
    """A note across the picture, and where the next step begins."""
    lines = wrap(text, int((width - 24) / CHARACTER))
    height = LINE * len(lines) + 9
    box = f'<rect class="ac-box" x="4" y="{y + 2:.1f}" width="{width - 8}" height="{height}" rx="3"/>'
    words = "".join(_line(line, width / 2, y + 18 + k * LINE, "ac-op") for k, line in enumerate(lines))
    return box + words, y + height + 12


def _line(text: str, x: float, y: float, kind: str = "ac-said") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{escape(text)}</text>'
