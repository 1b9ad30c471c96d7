"""The process that runs one notebook: `python -I -B -m autograd_teaching.grader.student`.

It reads a job from stdin, puts the limits on itself, runs the cells that the answers need, and writes a line of JSON
for each event to the descriptor that the job names:

    {"asks": id}                          a cell checks an answer to this exercise; it may not come to that
    {"begin": id}                         an answer is about to be judged
    {"id": id, "rows": "...", ...}        what came of it: the fields of an `Attempt`, its rows as `wire` encodes them
    {"id": id, "unknown": true}           there is no such exercise
    {"stopped": why}                      a cell raised, so what follows it may be missing
    {"end": true}                         all cells have run
"""

import ast
import json
import linecache
import os
import sys
from collections.abc import Callable
from typing import Any

from autograd_book.check.attempt import attempt, described
from autograd_book.check.catalog import find
from autograd_book.check.verdict import Row, Verdict
from autograd_book.compare import engines
from autograd_book.compare.values import show
from autograd_book.compare.wire import encode

from ..bank import unkeyed
from .confinement import confine
from .limits import Limits
from .needed import asked, checked, needed, parse


def main() -> None:
    job = json.load(sys.stdin)
    channel = os.fdopen(job["channel"], "w")

    def say(**event: Any) -> None:
        channel.write(json.dumps(event) + "\n")
        channel.flush()

    confine(Limits(**job["limits"]), job["user"])
    _run(job["cells"], job["seed"], say)
    say(end=True)


def _run(cells: list[str], seed: int, say: Callable[..., None]) -> None:
    given = seed

    def answered(id: str, answer: Any, seed: Any = None) -> Verdict:  # the course's seed counts, not the notebook's
        return _answer(id, answer, given, say)

    names: dict[str, Any] = {"__name__": "__main__"}
    trees = [_parsed(number, source, say) for number, source in enumerate(cells)]
    for number in needed(trees):
        for call in checked(trees[number]):
            call.func = ast.Name("__answer__", ast.Load())
        names["__answer__"] = answered
        try:
            _execute(trees[number], number, names)
        except BaseException as error:  # sys.exit() and an interrupt end a cell, not the notebook
            say(stopped=f"cell {number + 1} raised {described(error)}")


def _file(number: int) -> str:
    return f"<cell {number + 1}>"


def _parsed(number: int, source: str, say: Callable[..., None]) -> ast.Module:
    """The tree of a cell; that of an empty cell where it cannot be parsed."""
    linecache.cache[_file(number)] = (len(source), None, source.splitlines(keepends=True), _file(number))
    try:
        tree = parse(source, _file(number))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        say(stopped=f"cell {number + 1} cannot be read: {described(error)}")
        return ast.Module([], [])
    for call in checked(tree):
        say(asks=asked(call))
    return tree


def _execute(tree: ast.Module, number: int, names: dict[str, Any]) -> None:
    code = compile(ast.fix_missing_locations(tree), _file(number), "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    waiting = eval(code, names)
    if waiting is not None:
        import asyncio

        asyncio.run(waiting)


def _answer(id: str, answer: Any, seed: int, say: Callable[..., None]) -> Verdict:
    """Send what comes of an answer; stands where the notebook calls `check`, and is true, so that the cell goes on."""
    say(begin=id)
    try:
        exercise = unkeyed(id) if id.startswith("bank.") else find(id)
    except KeyError:
        say(id=id, unknown=True)
        raise
    made = attempt(exercise, answer, engines.load("autograd_core"), seed)
    say(id=id, rows=encode(made.rows), failure=made.failure, open=made.open, open_rows=made.open_rows)
    rows = [Row(name, show(value), "", "", True) for name, value in made.rows.items()]
    return Verdict(exercise, "right", rows, [], seed=seed)


if __name__ == "__main__":
    main()
