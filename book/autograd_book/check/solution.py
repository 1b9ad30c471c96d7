"""The solution that a chapter shows: as an answer, and as the wrong answers that differ from it in a few words."""

import ast
from collections.abc import Mapping
from typing import Any


def answer_in(solution: str, instead: Mapping[str, str] | None = None) -> Any:
    """What a cell answers whose last act is `assert check(id, answer)`, with some of its words replaced.

    The cell is run without the ones above it.

    Raises `ValueError` unless each text to be replaced stands in the cell, once.

    >>> cell = "def twice(x):\\n    return 2 * x\\n\\n\\nassert check('99.twice', twice)"
    >>> answer_in(cell)(3), answer_in(cell, {"2 * x": "2 + x"})(3)
    (6, 5)
    """
    for right, wrong in (instead or {}).items():
        if (times := solution.count(right)) != 1:
            raise ValueError(f"{right!r} is to be replaced, and stands {times} times in the solution:\n{solution}")
        solution = solution.replace(right, wrong)
    tree = ast.parse(solution)
    end, checked = next((n, line.test) for n, line in enumerate(tree.body) if isinstance(line, ast.Assert))
    assert isinstance(checked, ast.Call)
    names = names_in(ast.Module(tree.body[:end], []))
    return eval(compile(ast.Expression(checked.args[1]), "<chapter>", "eval"), names)


def names_in(program: str | ast.Module) -> dict[str, Any]:
    """The names that a cell binds, run without the ones above it."""
    names: dict[str, Any] = {"__name__": "chapter"}
    exec(compile(program, "<chapter>", "exec"), names)
    return names
