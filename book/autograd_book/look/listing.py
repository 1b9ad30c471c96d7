"""Show a piece of the engine in a chapter, from its own source."""

import ast
import inspect
import textwrap
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType, ModuleType

SCREEN = 60  # lines


class Listing:
    """Source text and where it stands; a notebook shows it highlighted."""

    def __init__(self, text: str, place: str):
        self.text, self.place = text, place

    def __repr__(self) -> str:
        return f"# {self.place}\n{self.text}"

    def _repr_markdown_(self) -> str:
        return f"`{self.place}`\n\n```python\n{self.text}\n```"


def listing(owner: ModuleType | type | FunctionType, *names: str) -> Listing:
    """The source of a function, class or module, or of what it defines under `names`, in the order of the file.

    Of an op it is the text that the engine wrote for it and that runs. Raises `LookupError` for a name that `owner`
    does not define at its top level, and `ValueError` for an excerpt of more than 60 lines: that is more than a screen.

    >>> from autograd_core.core import graph
    >>> listing(graph.Output, "__hash__")
    # autograd_core/core/graph.py
    def __hash__(self) -> int:
        return hash((self.node, self.index))
    """
    written = getattr(owner, "source", None) if isinstance(owner, FunctionType) else None
    source = written or textwrap.dedent(inspect.getsource(owner))
    text = "\n\n".join(_defined(source, owner.__name__, names)) if names else source.rstrip()
    if len(text.splitlines()) > SCREEN:
        raise ValueError(f"this excerpt has {len(text.splitlines())} lines, a screen {SCREEN}; name a part of it")
    if written:
        return Listing(text, f"ac.{owner.__name__}.source, written by {_file('autograd_core.core.text')}")
    return Listing(text, _file(owner.__name__ if isinstance(owner, ModuleType) else owner.__module__))


def place(name: str) -> tuple[str, int]:
    """The file in the repository and the line where a name is defined, given as `module:name` or `module:Class.name`.

    Raises `LookupError` where the module defines no such name.

    >>> place("autograd_core.core.graph:Leaf")[0]
    'autograd_core/core/graph.py'
    """
    module, _, path = name.partition(":")
    spec = find_spec(module)
    if spec is None or spec.origin is None:
        raise LookupError(f"there is no module {module}")
    body, line = ast.parse(Path(spec.origin).read_text("utf-8")).body, 1
    for part in path.split("."):
        found = [statement for statement in body if part in _names(statement)]
        if not found:
            raise LookupError(f"{module} defines no {path}")
        body, line = getattr(found[0], "body", []), found[0].lineno
    return _file(module), line


def _file(module: str) -> str:
    """A module as a path in the repository."""
    folder = "" if module.startswith("autograd_core") else "book/"
    return folder + module.replace(".", "/") + ".py"


def _defined(source: str, owner: str, names: tuple[str, ...]) -> list[str]:
    """The statements of a module or class body that define the names, each dedented."""
    tree, lines = ast.parse(source), source.splitlines()
    first = tree.body[0]
    body = first.body if isinstance(first, ast.ClassDef) and len(tree.body) == 1 else tree.body
    found = {name: statement for statement in body for name in _names(statement) if name in names}
    if missing := [name for name in names if name not in found]:
        raise LookupError(f"{owner} defines no {', '.join(missing)}")
    statements = sorted(set(found.values()), key=lambda statement: statement.lineno)
    return [textwrap.dedent("\n".join(lines[_first(s) - 1 : s.end_lineno])) for s in statements]


def _names(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return [statement.name]
    if isinstance(statement, ast.Assign):
        return [node.id for target in statement.targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    return []


def _first(statement: ast.stmt) -> int:
    decorators = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])
