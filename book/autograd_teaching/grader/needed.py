"""Which cells of a notebook an answer needs.

A chapter's notebook runs its experiments with three engines, which takes seconds and no part in any answer. A cell is
run when it checks an answer; when it binds or changes a name that such a cell reads, directly or through others; and
when it uses a variable that such a cell uses: `fill(d)` and `loss.backward()` change what lies under another name.
"""

import ast
import re
from collections.abc import Iterator, Sequence
from symtable import Symbol, symtable

CHECKS = {"check", "hand_in"}
FOR_IPYTHON = re.compile(r"\s*([%!?]|[\w.]+\?\??\s*$)")  # a magic, a command of the shell, a call for help


def parse(source: str, filename: str) -> ast.Module:
    """The syntax tree of a cell, in which lines that are for IPython and no Python do nothing. Raises SyntaxError."""
    lines = source.split("\n")
    while True:
        try:
            tree = ast.parse("\n".join(lines), filename)
            break
        except SyntaxError as error:
            number = (error.lineno or 0) - 1
            if not (0 <= number < len(lines) and FOR_IPYTHON.match(lines[number])):
                raise
            lines[number] = re.sub(r"\S.*", "pass", lines[number])
    symtable(ast.unparse(tree), filename, "exec")  # refuses what the parser does not, such as `def f(x, x)`
    return tree


def checked(tree: ast.AST) -> list[ast.Call]:
    """The calls `check("NN.name", answer)` and `hand_in("bank.name", answer)` of a cell, in order."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_check(node)]
    return sorted(calls, key=lambda call: (call.lineno, call.col_offset))


def asked(call: ast.Call) -> str | None:
    """The id in such a call; None where it is not written out."""
    id = _argument(call, 0, "id")
    return id.value if isinstance(id, ast.Constant) and isinstance(id.value, str) else None


def _is_check(call: ast.Call) -> bool:
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", None)
    return name in CHECKS and asked(call) is not None and _argument(call, 1, "answer") is not None


def _argument(call: ast.Call, position: int, name: str) -> ast.expr | None:
    if len(call.args) > position:
        return call.args[position]
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def needed(trees: Sequence[ast.Module]) -> list[int]:
    """The numbers of the cells to run, in order.

    >>> cells = ["import math", "n = [3]", "m = n", "n.append(4)", "print(1)", "check('01.x', m)"]
    >>> needed([ast.parse(cell) for cell in cells])
    [1, 2, 3, 5]
    """
    answers = [number for number, tree in enumerate(trees) if checked(tree)]
    before = range(max(answers, default=0))
    variables = _variables(trees)
    chosen: set[int] = set()
    more = {*answers, *(number for number in before if _imports_all(trees[number]))}
    while more:  # a function may use a name that is bound below it
        chosen |= more
        read = set().union(*(_read(trees[number]) for number in chosen))
        tied = variables.intersection(read.union(*(_bound(trees[number]) for number in chosen)))
        more = {n for n in before if _written(trees[n]) & read or (_read(trees[n]) | _bound(trees[n])) & tied} - chosen
    return sorted(chosen)


def _variables(trees: Sequence[ast.Module]) -> set[str]:
    """The names whose objects may change: not those of imports, and of functions that use no variable."""
    functions: list[ast.FunctionDef | ast.AsyncFunctionDef] = []
    found: set[str] = set()
    for statement in (statement for tree in trees for statement in tree.body):
        bound = _bound(statement)
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef) and not _keeps_objects(statement):
            functions.append(statement)
            bound.discard(statement.name)
        found |= bound
    while more := {function.name for function in functions if _read(function) & found} - found:
        found |= more
    return found


def _keeps_objects(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether something may live on between its calls: in a decorator, or as a default."""
    defaults = [*function.args.defaults, *function.args.kw_defaults]
    return bool(function.decorator_list) or any(d and not isinstance(d, ast.Constant) for d in defaults)


def _imports_all(tree: ast.Module) -> bool:
    return any(isinstance(node, ast.ImportFrom) and node.names[0].name == "*" for node in ast.walk(tree))


def _globals(tree: ast.AST) -> Iterator[Symbol]:
    """The names of the notebook that a cell uses, also inside its functions; not the functions' own."""
    tables = [symtable(ast.unparse(tree), "<cell>", "exec")]
    for table in tables:
        tables += table.get_children()
        yield from filter(Symbol.is_global, table.get_symbols())


def _read(tree: ast.AST) -> set[str]:
    return {symbol.get_name() for symbol in _globals(tree) if symbol.is_referenced()}


def _bound(tree: ast.AST) -> set[str]:
    return {symbol.get_name() for symbol in _globals(tree) if symbol.is_assigned()}


def _written(tree: ast.AST) -> set[str]:
    """The names a cell binds or imports, and the imported ones that its statements may change: `np.random.seed(0)`."""
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
