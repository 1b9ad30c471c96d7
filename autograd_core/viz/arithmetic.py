"""What a node does to the cotangent on its way back, written out: 3 · 2w.

A rule is a template for each input. `g` stands for the cotangent, a saved value's role for its name, or for its number
where it has no name.
"""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

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


def formulas(trace: dict) -> Iterator[str | None]:
    """For each step, how the cotangent that arrives was made; None where no rule is short enough to show."""
    received: dict[tuple[int, int], Any] = {}
    for step in trace["steps"]:
        if step["kind"] in ("seed", "arrive"):
            received[step["node"], step["output"]] = step["total"]
        yield _formula(trace, trace["edges"][step["edge"]], received) if step["kind"] == "arrive" else None


def _formula(trace: dict, edge: dict, received: dict) -> str | None:
    node, source = trace["nodes"][edge["to"]], trace["nodes"][edge["from"]]
    rules = RULES.get(node["op"], ())
    if edge["input"] >= len(rules):
        return None
    parts = {entry["role"]: _operand(entry) for entry in node["saved"]}
    if node["op"] == "pow":
        parts |= _power(node)
    shape, wanted = node["shapes"][0], source["shapes"][edge["output"]]
    parts |= {"g": _signed(number(received[edge["to"], 0])), "count": str(np.prod(wanted, dtype=int))}
    try:
        text = rules[edge["input"]].format_map(parts)
    except KeyError:  # a value that this op did not save
        return None
    text = re.sub(r"\^1\b", "", text).replace("^2", "²").replace("^3", "³")
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
