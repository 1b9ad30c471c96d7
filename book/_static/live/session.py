"""Runs the cells of a page, one after the other, in one namespace. It lives in a worker of the reader's browser.

What a cell prints and shows goes out as it comes, as items of a kind and a text: "text", "html", "again" (HTML in
place of what has its id), "image" (SVG), "error" or "cut" (more was printed than is shown).
"""

import ast
import builtins
import io
import linecache
import sys
import time
import traceback
from collections.abc import Callable
from itertools import count
from types import ModuleType

import __main__

PAUSE = 0.1  # seconds between two messages to the page, which a loop that prints would drown
MOST = 200_000  # characters that a cell may print

ENGINES = {"torch": "PyTorch", "jax": "JAX"}

runs = 0
numbers = count()  # of places


class Printed(io.TextIOBase):
    """What a cell prints."""

    def __init__(self, emit: Callable[[str, str], None]) -> None:
        self.emit, self.waiting, self.sent, self.length = emit, [], 0.0, 0

    def write(self, text: str) -> int:
        before, self.length = self.length, self.length + len(text)
        self.waiting.append(text[: max(0, MOST - before)])
        if before <= MOST < self.length:
            self.flush()
            self.emit("cut", "")
        elif time.monotonic() - self.sent > PAUSE:
            self.flush()
        return len(text)

    def flush(self) -> None:
        if text := "".join(self.waiting):
            self.emit("text", text)
        self.waiting, self.sent = [], time.monotonic()


class HTML:
    """Stands in for IPython's."""

    def __init__(self, data: str) -> None:
        self._data = data

    def _repr_html_(self) -> str:
        return self._data


def send(kind: str, text: str) -> None:
    """Replaced by `run` while a cell runs."""
    raise RuntimeError("no cell is running")


class Place:
    """Where a value is shown, for another to take its place: what IPython calls a display handle."""

    def __init__(self) -> None:
        self.id = f"place-{next(numbers)}"

    def show(self, value: HTML, kind: str) -> None:
        send(kind, f'<div id="{self.id}">{value._repr_html_()}</div>')

    def update(self, value: HTML) -> None:
        self.show(value, "again")


def display(*values: object, display_id: bool = False) -> Place | None:
    """Show values as a notebook would: as HTML where they know how."""
    sys.stdout.flush()
    if display_id:
        place = Place()
        place.show(values[0], "html")
        return place
    for value in values:
        as_html = getattr(value, "_repr_html_", None)
        send(*(("html", as_html()) if as_html else ("text", f"{value!r}\n")))
    return None


def run(source: str, emit: Callable[[str, str], None]) -> str | None:
    """Run a cell; return the name of what it raised, or None.

    Its source is kept under a name of its own, so that tracebacks and `inspect` find it.
    """
    global runs, send
    runs, send = runs + 1, emit
    name = f"<run {runs}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    before = sys.stdout, sys.stderr
    sys.stdout = sys.stderr = Printed(emit)
    try:
        _execute(source, name)
        return None
    except BaseException as error:  # the cell is somebody else's code, and may raise anything
        sys.stdout.flush()
        _explain(error)
        inside = error.__traceback__ and error.__traceback__.tb_next and error.__traceback__.tb_next.tb_next
        emit("error", "".join(traceback.format_exception(type(error), error, inside)).rstrip())
        return type(error).__name__
    finally:
        sys.stdout.flush()
        sys.stdout, sys.stderr = before


def _explain(error: BaseException) -> None:
    """Say of what is missing why it is, and what to do."""
    if not isinstance(error, ModuleNotFoundError):
        return
    from autograd_book.wording import translate as _  # here, since the first cell waits for it

    missing = str(error.name).partition(".")[0]  # it may be None, or whatever a cell put there
    if missing in ENGINES:
        note = _("{engine} does not run in a browser. Run the chapter's notebook on a computer that has it.")
        error.add_note(note.format(engine=ENGINES[missing]))
    elif missing == "matplotlib":
        error.add_note(_("This copy of the book came without Matplotlib. Reset brings back the figure of the book."))


def ask(prompt: object = "") -> str:
    """Stands in for `input`: a worker cannot wait for an answer of the page."""
    from autograd_book.wording import translate as _

    raise RuntimeError(_("A cell of a page cannot ask for input. Write the answer into its code."))


def _execute(source: str, name: str) -> None:
    tree = ast.parse(source, name)
    last = tree.body[-1] if tree.body else None
    shown = isinstance(last, ast.Expr) and not source.rstrip().endswith(";")
    if shown:
        tree.body.pop()
    exec(compile(tree, name, "exec"), __main__.__dict__)
    if shown:
        value = eval(compile(ast.Expression(last.value), name, "eval"), __main__.__dict__)
        if value is not None:
            display(value)
    if "figures" in sys.modules:
        sys.modules["figures"].show()


def _stand_in_for_ipython() -> None:
    """The two names that chapters take from IPython, which is too large to load for them."""
    package, part = ModuleType("IPython"), ModuleType("IPython.display")
    package.get_ipython, package.version_info = (lambda: None), (9, 0)  # Matplotlib asks
    package.display, part.display, part.HTML = part, display, HTML
    sys.modules |= {"IPython": package, "IPython.display": part}


_stand_in_for_ipython()
builtins.input = ask
