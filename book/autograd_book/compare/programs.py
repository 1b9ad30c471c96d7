"""One experiment, several engines, one assert.

A chapter states what should come out of a small program. `compare` runs that program with autograd_core and with
PyTorch, puts the results beside the derivation by hand, and raises if any two of them disagree.
"""

import warnings
from collections.abc import Callable, Mapping
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from ..wording import translate as _
from . import engines, records
from .table import html_table, text_table
from .values import agree, show, snapshot

Results = dict[str, Any]


class Comparison:
    """What every engine answered, row by row; shown as a table.

    ``columns`` maps ``"by hand"``, ``"autograd_core"``, ``"PyTorch"``, ``"JAX"`` and the names of other programs to
    dictionaries of results (snapshots: arrays, numbers, bools, strings, None, lists). ``warnings`` maps an engine to
    the warnings that it gave, as text. ``recorded`` maps an engine that is not installed to the version whose recorded
    answers its column repeats, or to None where nothing was recorded and it has no column.
    """

    def __init__(
        self,
        columns: dict[str, Results],
        warnings: dict[str, list[str]],
        recorded: Mapping[str, str | None] | None = None,
    ):
        self.columns = columns
        self.warnings = warnings
        self.recorded = recorded or {}

    def table(self) -> tuple[list[str], list[list[str]]]:
        """The header and the rows, as text."""
        # A derivation by hand may leave rows out, so the order is that of the programs.
        columns = [column for name, column in self.columns.items() if name != "by hand"]
        names = dict.fromkeys(row for column in columns for row in column)
        rows = [[row, *(show(c[row]) if row in c else "" for c in self.columns.values())] for row in names]
        return ["", *map(self._title, self.columns)], rows

    def _title(self, column: str) -> str:
        if column not in self.recorded:
            return _("by hand") if column == "by hand" else column
        return _("{engine} {version} (recorded)").format(engine=column, version=self.recorded[column])

    def notes(self) -> list[str]:
        """A sentence for each warning, with those that gave it, and for each engine that has no record."""
        distinct = dict.fromkeys(text for texts in self.warnings.values() for text in texts)
        warned = [
            _("{engines} warned: {text}").format(
                engines=_(" and ").join(engine for engine, texts in self.warnings.items() if text in texts), text=text
            )
            for text in distinct
        ]
        lacking = [engine for engine, version in self.recorded.items() if version is None]
        sentence = _("{engine} is not installed, and there is no record of this version of the function.")
        return warned + [sentence.format(engine=engine) for engine in lacking]

    def __repr__(self) -> str:
        return "\n".join([text_table(*self.table()), *self.notes()])

    def _repr_html_(self) -> str:
        return html_table(*self.table(), self.notes())


def compare(
    experiment: Callable[[Any], Mapping[str, Any]],
    by_hand: Mapping[str, Any] | None = None,
    *,
    jax: Callable[[Any, Any], Mapping[str, Any]] | None = None,
    others: Mapping[str, Callable[[], Mapping[str, Any]]] | None = None,
    atol: float = 0.0,
    rtol: float | None = None,
) -> Comparison:
    """Run an experiment with several engines and require that they agree.

    Parameters:
        experiment: called as ``experiment(T)``, once with ``T = autograd_core`` and once with ``T = torch``. It
            returns a dictionary from the name of a row to a tensor, array, number, bool, string, None, or a list of
            these.
        by_hand: what a person derived, for some or all rows.
        jax: called as ``jax(jax, jax.numpy)``; returns some or all of the rows.
        others: programs that are not written as an experiment, by the names of their columns; each is called without
            arguments and returns some or all of the rows.
        atol, rtol: the tolerances of `values.agree`, which also says what it means to agree.

    Every two columns must agree on every row that both have; between autograd_core and PyTorch the dtypes must agree
    too. Warnings are caught, and shown below the table. Where an engine is not installed and `records` are read, its
    recorded answers stand in for it; a version of a function that has no record goes without that column.

    Raises `AssertionError` that lists every row on which two columns disagree, and `ValueError` when a row of
    another column is not a row of the experiment.

    >>> def square(T):
    ...     w = T.tensor(2.0, requires_grad=True)
    ...     w.square().backward()
    ...     return {"w.grad": w.grad}
    >>> compare(square, by_hand={"w.grad": 4.0}).columns["autograd_core"]["w.grad"]
    array(4., dtype=float32)
    """
    columns: dict[str, Results] = {}
    caught: dict[str, list[str]] = {}
    recorded: dict[str, str | None] = {}
    if by_hand is not None:
        columns["by hand"] = snapshot(by_hand)
    programs = {"autograd_core": experiment, "PyTorch": experiment} | ({"JAX": jax} if jax else {})
    for engine, program, digest in [(engine, p, _digest(engine, p)) for engine, p in programs.items()]:
        if records.reading() and not engines.installed(engine):
            record = records.lookup(digest, engine)
            recorded[engine] = record.version if record else None
            if record:
                columns[engine], caught[engine] = dict(record.rows), record.warnings
        else:
            columns[engine], caught[engine] = _answer(engine, program, digest)
    for name, other in (others or {}).items():
        columns[name], caught[name] = _result(name, other)
    _check_rows(columns)
    _check_values(columns, atol, rtol)
    return Comparison(columns, caught, recorded)


def contrast(
    programs: Mapping[str, Callable[[], Mapping[str, Any]]], expected: Mapping[str, Mapping[str, Any]]
) -> Comparison:
    """Run programs that are meant to answer differently, and require that each answers as expected.

    Parameters:
        programs: by the names of their columns. Each is called without arguments and returns a dictionary of rows, as
            an experiment of `compare` does.
        expected: for each column, what some or all of its rows must be.

    Raises `AssertionError` that lists every row that is not as expected, or is missing, and `ValueError` when
    something is expected of a column that no program has.

    >>> halves = {"Python": lambda: {"7 / 2": 7 / 2}, "C": lambda: {"7 / 2": 7 // 2}}
    >>> contrast(halves, {"Python": {"7 / 2": 3.5}, "C": {"7 / 2": 3}})
           Python  C
    7 / 2  3.5     3
    """
    unknown = [name for name in expected if name not in programs]
    if unknown:
        raise ValueError(f"there are no programs for the columns {unknown}, only for {list(programs)}")
    results = {name: _result(name, program) for name, program in programs.items()}
    columns = {name: rows for name, (rows, _) in results.items()}
    problems = [
        f"{name}, {row}: expected {show(value)}, got {show(columns[name][row]) if row in columns[name] else 'no row'}"
        for name, rows in expected.items()
        for row, value in snapshot(rows).items()
        if row not in columns[name] or not agree(columns[name][row], value)
    ]
    if problems:
        raise AssertionError("\n  ".join(["not as expected", *problems]))
    return Comparison(columns, {name: texts for name, (_, texts) in results.items()})


def raises(call: Callable[[], Any], error: type[BaseException], *words: str) -> str:
    """Call and return the name of the exception that came, or ``"no error"``.

    Raises `AssertionError` when the exception is not an ``error`` or when one of ``words`` is missing from its message
    (upper and lower case are alike). Meant for the rows of an experiment:
    ``{"second backward": raises(lambda: L.backward(), RuntimeError, "second time")}``.

    >>> raises(lambda: int("two"), ValueError, "invalid literal")
    'ValueError'
    >>> raises(lambda: int("2"), ValueError)
    'no error'
    """
    try:
        call()
    except Exception as caught:
        missing = [word for word in words if word.lower() not in str(caught).lower()]
        if not isinstance(caught, error) or missing:
            raise AssertionError(
                f"expected {error.__name__} with {list(words)} in its message, got {type(caught).__name__}: {caught}"
            ) from caught
        return type(caught).__name__
    return "no error"


def warns(call: Callable[[], Any], word: str) -> bool:
    """Call and say whether a warning that contains ``word`` was given (upper and lower case are alike).

    >>> warns(lambda: warnings.warn("not a leaf"), "leaf")
    True
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return any(word.lower() in str(warning.message).lower() for warning in caught)


def _digest(engine: str, program: Callable[..., Any]) -> str:
    """By what a program is recorded, if it is; taken before it runs, since it may write into what it reaches."""
    if engine == "autograd_core" or not (records.recording() or records.reading()):
        return ""
    try:
        return records.key(program)
    except TypeError:
        return ""


def _answer(engine: str, program: Callable[..., Mapping[str, Any]], digest: str) -> tuple[Results, list[str]]:
    """What an engine that is installed answers; kept, where records are made."""
    module = engines.load(engine)
    arguments = [module, module.numpy] if engine == "JAX" else [module]
    rows, texts = _result(engine, partial(program, *arguments))
    if records.recording() and digest:
        records.write(digest, engine, records.Record(module.__version__.partition("+")[0], rows, texts))
    return rows, texts


def _result(engine: str, program: Callable[[], Mapping[str, Any]]) -> tuple[Results, list[str]]:
    """The one place where an engine's answer comes from."""
    with warnings.catch_warnings(record=True) as caught, np.errstate(all="ignore"):
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", ".*torch.jit", DeprecationWarning)  # PyTorch's own use of its compiler
        try:
            results = snapshot(program())
        except Exception as error:
            error.add_note(f"raised while the experiment ran with {engine}")
            raise
    return results, [f"{warning.category.__name__}: {_first_sentence(str(warning.message))}" for warning in caught]


def _first_sentence(message: str) -> str:
    head, stop, _ = message.partition(". ")
    return head + stop.rstrip()


def _check_rows(columns: dict[str, Results]) -> None:
    rows = columns["autograd_core"].keys()
    if "PyTorch" in columns and rows != columns["PyTorch"].keys():
        raise AssertionError(f"autograd_core returned the rows {list(rows)}, PyTorch {list(columns['PyTorch'])}")
    for name, column in columns.items():
        unknown = [row for row in column if row not in rows]
        if unknown:
            raise ValueError(f"{name} has the rows {unknown}, which the experiment does not return: {list(rows)}")


def _check_values(columns: dict[str, Results], atol: float, rtol: float | None) -> None:
    problems = []
    for row in columns["autograd_core"]:
        answers = {name: column[row] for name, column in columns.items() if row in column}
        ours = getattr(answers["autograd_core"], "dtype", None)
        theirs = getattr(answers["PyTorch"], "dtype", None) if "PyTorch" in answers else ours
        if not all(agree(a, b, atol=atol, rtol=rtol) for a, b in combinations(answers.values(), 2)):
            problems.append(f"{row}: " + ", ".join(f"{name} {show(value)}" for name, value in answers.items()))
        elif ours != theirs:
            problems.append(f"{row}: dtype {ours} in autograd_core, {theirs} in PyTorch")
    if problems:
        raise AssertionError("\n  ".join(["the columns disagree", *problems]))
