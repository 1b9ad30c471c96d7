"""Programs that a figure shows as text, and runs as it shows them."""

import linecache
from typing import Any

FILE = "program"  # what an error message calls the place of a line


def run(source: str, names: dict[str, Any]) -> Exception | None:
    """Run a program among `names`, which it changes. What it raises is returned.

    The messages of the engine quote the program's lines.

    >>> names = {}
    >>> run("a = 1\\nb = a / 0", names), names["a"]
    (ZeroDivisionError('division by zero'), 1)
    """
    linecache.cache[FILE] = (len(source), None, source.splitlines(keepends=True), FILE)
    try:
        exec(compile(source, FILE, "exec"), names)
    except Exception as raised:
        return raised
    return None
