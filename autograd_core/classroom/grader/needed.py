"""Which cells of a notebook an answer needs.

A chapter's notebook runs its experiments with three engines, which takes seconds and no part in any answer. A cell is
run when it checks an answer, or when it binds or changes a name that such a cell needs, directly or through others.
"""

import ast
from collections.abc import Iterator, Sequence
from symtable import Symbol, symtable

CHECKS = {"check", "hand_in"}


def parse(source: str, filename: str) -> ast.Module:
    """The syntax tree of a cell; lines for IPython (`%…`, `!…`) are left out. Raises SyntaxError."""
    lines = ("" if line.startswith(("%", "!")) else line for line in source.splitlines())
    return ast.parse("\n".join(lines), filename)


def checked(tree: ast.AST) -> list[ast.Call]:
    """The calls `check("NN.name", answer)` and `hand_in("bank.name", answer)` of a cell, in order."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_check(node)]
    return sorted(calls, key=lambda call: (call.lineno, call.col_offset))


def _is_check(call: ast.Call) -> bool:
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", None)
    first = call.args[0] if call.args else None
    return name in CHECKS and len(call.args) == 2 and isinstance(first, ast.Constant) and isinstance(first.value, str)


def needed(trees: Sequence[ast.AST]) -> list[int]:
    """The numbers of the cells to run, in order.

    >>> cells = ["import math", "n = 3", "m = n", "print(m)", "check('01.x', m)"]
    >>> needed([ast.parse(cell) for cell in cells])
    [1, 2, 4]
    """
    answers = {number for number, tree in enumerate(trees) if checked(tree)}
    chosen: set[int] = set()
    more = answers
    while more:  # a function may use a name that is bound below it
        chosen |= more
        wanted = set().union(*(_read(trees[number]) for number in chosen))
        more = {number for number in range(max(answers)) if _written(trees[number]) & wanted} - chosen
    return sorted(chosen)


def _globals(tree: ast.AST) -> Iterator[Symbol]:
    """The names of the notebook that a cell uses, also inside its functions; not the functions' own."""
    tables = [symtable(ast.unparse(tree), "<cell>", "exec")]
    for table in tables:
        tables += table.get_children()
        yield from filter(Symbol.is_global, table.get_symbols())


def _read(tree: ast.AST) -> set[str]:
    return {symbol.get_name() for symbol in _globals(tree) if symbol.is_referenced()}


def _written(tree: ast.AST) -> set[str]:
    """The names a cell binds, and those whose objects its statements may change: `xs.append(1)`, `w.grad = None`."""
    names = {symbol.get_name() for symbol in _globals(tree) if symbol.is_assigned() or symbol.is_imported()}
    read = _read(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()):
                names |= _root(node) & read
            case ast.Expr(value=ast.Call(func=ast.Attribute() as method)):
                names |= _root(method) & read
    return names


def _root(node: ast.AST) -> set[str]:
    """The variable at the start of `a.b[c].d`."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return {node.id} if isinstance(node, ast.Name) else set()
