"""Counts what a chapter checks while it runs.

tools/build_book.py runs this file in the kernel before the first cell, and reads `_checks` after the last one. Counted
are the assert statements that passed, each as often as it ran, and the rows that `compare` and `contrast` held side by
side.
"""

import ast
from collections.abc import Callable
from functools import wraps
from typing import Any

from IPython import get_ipython

from autograd_book import compare

checks = {"asserts": 0, "rows": 0}


class CountAsserts(ast.NodeTransformer):
    """Puts a count behind every assert."""

    def visit_Assert(self, node: ast.Assert) -> list[ast.stmt]:
        return [node, *ast.parse('_checks["asserts"] += 1').body]


def counting_rows(function: Callable, number: Callable[..., int]) -> Callable:
    """`function`, which counts as `number(result, *args)` rows when it returns."""

    @wraps(function)
    def counted(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        checks["rows"] += number(result, *args)
        return result

    return counted


def start() -> None:
    """Count in this kernel from now on."""
    shell = get_ipython()
    shell.user_ns["_checks"] = checks
    shell.ast_transformers.append(CountAsserts())
    compare.compare = counting_rows(compare.compare, lambda result, *_: len(result.columns["PyTorch"]))
    compare.contrast = counting_rows(
        compare.contrast, lambda result, programs, expected: sum(map(len, expected.values()))
    )


if __name__ == "__main__":
    start()
