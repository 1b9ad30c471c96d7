"""What a node does to the cotangent on its way back, written out: 3 · 2w.

A rule is a template for each input. `g` stands for the cotangent, a saved value's role for its name, or for its number
where it has no name.
"""

import re
from collections.abc import Container, Iterator, Mapping
from contextlib import suppress
from functools import cache, partial
from itertools import combinations
from types import CodeType
from typing import Any

import numpy as np

from autograd_core.ops.shapes.shape import sum_to

from .captions import number

RULES: dict[str, tuple[str, ...]] = {
    "add": ("{g}", "{g}"),
    "sub": ("{g}", "-{g}"),
    "rsub": ("-{g}", "{g}"),
    "neg": ("-{g}",),
    "mul": ("{g} · {other}", "{g} · {input}"),
    "div": ("{g} / {other}", "-{g} · {input} / {other}²"),
    "square": ("{g} · 2 · {input}",),
    "pow": ("{g} · {exponent} · {input}^{less}",),
    "reciprocal": ("-{g} · {out}²",),
    "sqrt": ("{g} / (2 · {out})",),
    "exp": ("{g} · {out}",),
    "log": ("{g} / {input}",),
    "sin": ("{g} · cos {input}",),
    "cos": ("-{g} · sin {input}",),
    "tanh": ("{g} · (1 − {out}²)",),
    "sigmoid": ("{g} · {out} · (1 − {out})",),
    "mean": ("{g} / {count}",),
    "dot": ("{g} · {tensor}", "{g} · {input}"),
}
LONGEST = 24  # characters
POWERS = {"1": "", "2": "²", "3": "³"}
FOUR_DIGITS = 1e-3  # what is shown; a rule must give what is sent as closely
PYTHON = str.maketrans({"·": "*", "−": "-", "²": "**2", "^": "**", "{": None, "}": None})
FUNCTIONS = {"__builtins__": {}, "cos": np.cos, "sin": np.sin}


def is_by_rule(op: str, position: int, g: np.ndarray, saved: Mapping[str, Any], sent: np.ndarray) -> bool:
    """Whether the rule of an op in `RULES` makes what is `sent` to an input, from the cotangent `g` and saved values.

    Not so where a parameter of the op takes part, or where a value that the rule names is not at hand.

    >>> one, two = np.ones(()), np.array(2.0)
    >>> is_by_rule("mul", 0, one, {"other": two}, two), is_by_rule("add", 1, one, {}, two)
    (True, False)
    """
    rules = RULES[op]
    if position >= len(rules):
        return False
    values = {**saved, "g": g, "count": _count(sent.shape, g.shape)}
    exponent = saved.get("exponent", saved.get("other"))
    if op == "pow" and exponent is not None:
        values |= {"exponent": exponent, "less": exponent - 1}
    try:
        made = np.asarray(eval(_code(rules[position]), FUNCTIONS, values))
    except NameError:
        return False
    close = partial(np.allclose, b=sent, rtol=FOUR_DIGITS, atol=0, equal_nan=True)
    return any(map(close, _fitted(made, sent.shape)))


@cache
def _code(rule: str) -> CodeType:
    """A rule as an expression of Python."""
    calls = re.sub(r"(cos|sin) (\{\w+\})", r"\1(\2)", rule)
    return compile(calls.translate(PYTHON), rule, "eval")


def _fitted(made: np.ndarray, shape: tuple[int, ...]) -> Iterator[np.ndarray]:
    """The gradients of a shape that `made` can stand for: summed over what was broadcast, or spread over lost axes."""
    if made.ndim > len(shape) or made.size > np.prod(shape, dtype=int):
        with suppress(ValueError):
            yield sum_to(made, shape)
        return
    for axes in combinations(range(len(shape)), len(shape) - made.ndim):
        with suppress(ValueError):
            yield np.broadcast_to(np.expand_dims(made, axes), shape)


def _count(wanted: Any, shape: Any) -> int:
    """How many elements an element of a mean is the mean of."""
    return int(np.prod(wanted, dtype=int) // max(1, np.prod(shape, dtype=int)))


def formulas(trace: dict, by_rule: Container[int]) -> Iterator[str | None]:
    """For each step, how the cotangent that arrives was made; None where no rule is short enough to show.

    `by_rule` has the numbers of the edges on which what is sent follows the rule.
    """
    received: dict[tuple[int, int], Any] = {}
    for step in trace["steps"]:
        if step["kind"] in ("seed", "arrive"):
            received[step["node"], step["output"]] = step["total"]
        shown = step["kind"] == "arrive" and step["edge"] in by_rule
        yield _formula(trace, trace["edges"][step["edge"]], received) if shown else None


def _formula(trace: dict, edge: dict, received: dict) -> str | None:
    node, source = trace["nodes"][edge["to"]], trace["nodes"][edge["from"]]
    parts = {entry["role"]: _operand(entry) for entry in node["saved"]}
    if node["op"] == "pow":
        parts |= _power(node)
    shape, wanted = node["shapes"][0], source["shapes"][edge["output"]]
    parts |= {"g": _signed(number(received[edge["to"], 0])), "count": str(_count(wanted, shape))}
    try:
        text = RULES[node["op"]][edge["input"]].format_map(parts)
    except KeyError:  # an exponent that is no number
        return None
    text = re.sub(r"\^([123])(?![\w.])", lambda power: POWERS[power[1]], text)
    text = re.sub(r"(?<=· )(\d+) · (?=[^\W\d](\b|[²³^]))", r"\1", text)  # 2w, but 2 · 3
    if node["op"] not in ("mean", "dot") and np.prod(wanted) < np.prod(shape):
        text = f"Σ {text}"  # the input was broadcast
    return text if len(text) <= LONGEST else None


def _operand(entry: dict) -> str:
    return entry["name"] if entry["name"] != entry["role"] else _signed(number(entry["value"]))


def _power(node: dict) -> dict[str, str]:
    """The exponent and one less, if the exponent is a number; `less` is missing otherwise."""
    entry = next((e for e in node["saved"] if e["role"] in ("exponent", "other")), None)
    if entry is None or not isinstance(entry["value"], (int, float)):
        return {}
    return {"exponent": _signed(number(entry["value"])), "less": number(entry["value"] - 1)}


def _signed(text: str) -> str:
    return f"({text})" if text.startswith("-") else text
