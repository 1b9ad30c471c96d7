"""What the questions of this package are answered with: a verdict, and the causes that it names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class Cause:
    """One reason: its `kind` (a short name), a sentence that gives it, the remedy, and the line it happened at.

    `line` is "file:line: text", or None where it is not known.
    """

    kind: str
    sentence: str
    remedy: str
    line: str | None = None

    def __str__(self) -> str:
        where = f"\n    at {self.line}" if self.line else ""
        return f"{self.sentence} {self.remedy}{where}"

    def html(self) -> str:
        """The same as HTML, all of it escaped."""
        where = f"<br><code>{escape(self.line)}</code>" if self.line else ""
        return f"{escape(self.sentence)} <em>{escape(self.remedy)}</em>{where}"


@dataclass(frozen=True)
class Verdict:
    """The answer to a question: the causes, none where all is well, several where several are possible.

    `facts` are sentences about what was looked at. `str()` and a notebook show all of it.
    """

    question: str
    causes: tuple[Cause, ...] = ()
    facts: tuple[str, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of the causes, in order."""
        return tuple(cause.kind for cause in self.causes)

    def __repr__(self) -> str:
        marks = ["-"] * len(self.causes) if len(self.causes) > 1 else [""]
        causes = [f"{mark} {cause}".strip() for mark, cause in zip(marks, self.causes)]
        return "\n".join([self.question, *self.facts, *causes])

    def _repr_html_(self) -> str:
        parts = [f"<strong>{escape(self.question)}</strong>", *map(escape, self.facts)]
        parts += [cause.html() for cause in self.causes]
        return "".join(f"<p>{part}</p>" for part in parts)


@dataclass(frozen=True)
class Table:
    """Rows under a header, and notes below; shown as aligned text, and as a table in a notebook."""

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()

    def __str__(self) -> str:
        lines = [self.header, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines)]
        text = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in lines]
        return "\n".join([*(text if self.rows else ()), *self.notes])

    def html(self) -> str:
        """The table as HTML, every cell escaped."""
        head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in self.header)
        body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in self.rows)
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if self.rows else ""
        return table + "".join(f"<p>{escape(note)}</p>" for note in self.notes)
