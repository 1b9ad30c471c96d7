"""A small table as text and as HTML, for results that sit under a notebook cell."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

_LINE = 40
_STYLE = """<style>
.ac-result {overflow-x: auto; margin: .5rem 0}
.ac-result table {border-collapse: collapse; margin: 0; width: auto; color: inherit; background: transparent}
.ac-result th, .ac-result td {padding: .25rem .6rem .25rem .2rem; border: 0; background: transparent; color: inherit;
  border-bottom: 1px solid rgba(128, 128, 128, .35); font-size: .84rem; text-align: left; vertical-align: baseline}
.ac-result thead th {font-weight: 600; white-space: nowrap}
.ac-result tbody th {font-weight: 400; font-family: monospace}
.ac-result td {font-variant-numeric: tabular-nums; white-space: pre}
.ac-result td.ac-text {min-width: 12rem; white-space: normal}
@media (max-width: 480px) {
  .ac-result th, .ac-result td {padding: .25rem .3rem .25rem 0; font-size: .7rem}
  .ac-result :is(th, td):last-child {padding-right: 0}
  .ac-result table {width: max-content}
  .ac-result tbody th {max-width: 5rem; overflow-wrap: break-word}
  .ac-result td.ac-text {max-width: 12rem}
}
.ac-result p {margin: .4rem 0; font-size: .9rem}
</style>"""


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return an aligned table of text cells.

    >>> print(text_table(["row", "value"], [["w", "2"], ["w.grad", "12"]]))
    row     value
    w       2
    w.grad  12
    """
    lines = [header, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
    )


def html_table(header: Sequence[str], rows: Sequence[Sequence[str]], notes: Sequence[str] = ()) -> str:
    """Return an HTML table whose first column names the rows, with ``notes`` as paragraphs below it.

    The cells and notes are text: ``<`` and ``&`` in them are escaped. A column wraps if a cell has more than `_LINE`
    characters.
    """
    head = " ".join(f'<th scope="col">{escape(cell)}</th>' for cell in header)
    wraps = [max(map(len, column)) > _LINE for column in zip(*rows, strict=True)]
    body = "\n".join(
        f'<tr><th scope="row">{escape(name)}</th> {" ".join(map(_data, cells, wraps[1:]))}</tr>'
        for name, *cells in rows
    )
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if rows else ""
    paragraphs = "".join(f"<p>{escape(note)}</p>" for note in notes)
    return f'{_STYLE}<div class="ac-result">{table}{paragraphs}</div>'


def _data(cell: str, wraps: bool) -> str:
    kind = ' class="ac-text"' if wraps else ""
    return f"<td{kind}>{escape(cell)}</td>"


@dataclass(frozen=True)
class Table:
    """A table of text cells that shows itself, in a notebook as HTML.

    >>> Table(["", "here"], [["w.grad", "12"]], ["Recomputed for every page."])
            here
    w.grad  12
    Recomputed for every page.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()

    def __repr__(self) -> str:
        return "\n".join([text_table(self.header, self.rows), *self.notes])

    def _repr_html_(self) -> str:
        return html_table(self.header, self.rows, self.notes)
