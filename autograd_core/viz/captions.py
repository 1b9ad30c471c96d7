"""What a trace says in words: numbers as text, names of nodes, one sentence a step."""

from typing import Any

import numpy as np

LONGEST = 20  # characters a picture has room for


def number(value: Any) -> str:
    """A value of a trace as short text.

    >>> number(12.0), number([1.0, 2.5]), number("shape (64, 10)"), number(None)
    ('12', '[1, 2.5]', 'shape (64, 10)', 'not kept')
    """
    if value is None:
        return "not kept"
    if isinstance(value, list):
        return "[" + ", ".join(map(number, value)) + "]"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def short(value: Any) -> str:
    """`number(value)`, or the shape alone where that is too long for a picture.

    >>> short([0.1234, 0.2345, 0.3456])
    'shape (3,)'
    """
    text = number(value)
    return text if len(text) <= LONGEST else f"shape {np.shape(value)}"


def name(trace: dict, node: int, output: int = 0) -> str:
    """What to call a node in a sentence: the tensor's name, else the op."""
    found = trace["nodes"][node]
    if found["names"][output]:
        return found["names"][output]
    if found["op"] is None:
        return "a leaf"
    return f"the result of {found['op']}" if len(found["names"]) == 1 else f"output {output} of {found['op']}"


def cotangent_name(trace: dict, node: int, output: int = 0) -> str:
    """∂L/∂h where both have a name and L is one number, else the word."""
    end, at = trace["nodes"][trace["root"]["node"]], trace["nodes"][node]["names"][output]
    top = end["names"][trace["root"]["output"]]
    scalar = end["shapes"][trace["root"]["output"]] == []
    return f"∂{top}/∂{at}" if scalar and at and top else "cotangent"


def caption(trace: dict, step: dict) -> str:
    """One or two sentences that say what happens in a step."""
    return _SENTENCES[step["kind"]](trace, step)


def _forward(trace: dict, step: dict) -> str:
    known = [
        f"{label} = {number(value)}"
        for node in trace["nodes"]
        for label, value in zip(node["names"], node["values"], strict=True)
        if label and value is not None
    ]
    return "Forward: " + ", ".join(known) + "."


def _seed(trace: dict, step: dict) -> str:
    return f"Backward starts at {name(trace, step['node'], step['output'])} with the seed {number(step['cotangent'])}."


def _arrive(trace: dict, step: dict) -> str:
    edge = trace["edges"][step["edge"]]
    sender, to = trace["nodes"][edge["to"]]["op"], name(trace, step["node"], step["output"])
    sent = f"{sender} sends {number(step['cotangent'])} back to {to}."
    return sent if step["first"] else f"{sent} With what had already arrived, that makes {number(step['total'])}."


def _retain(trace: dict, step: dict) -> str:
    at = name(trace, step["node"], step["output"])
    return f"{at} is not a leaf, but retain_grad() made a slot for it: {at}.grad = {_sum(step)}."


def _release(trace: dict, step: dict) -> str:
    node = trace["nodes"][step["node"]]
    values = " and ".join(f"{label} = {number(value)}" for label, value in node["saved"])
    saved = f"It lets go of {values}, which it had saved." if values else "It had saved nothing."
    slots = [f"{name(trace, step['node'], k)}.grad" for k, slot in enumerate(node["slots"]) if slot is not None]
    kept = f"is kept in {' and '.join(slots)} alone" if slots else "is forgotten"
    return f"{node['op']} is done. The cotangent it received {kept}. {saved}"


def _accumulate(trace: dict, step: dict) -> str:
    at = name(trace, step["node"])
    verb = "stored" if step["old"] is None else "added to its slot"
    return f"{at} is a leaf, so what arrived is {verb}: {at}.grad = {_sum(step)}."


def _drop(trace: dict, step: dict) -> str:
    return f"The tensor of the leaf {name(trace, step['node'])} is gone, so what arrived is dropped."


def _sum(step: dict) -> str:
    new = number(step["grad"])
    return new if step["old"] is None else f"{number(step['old'])} + {number(step['cotangent'])} = {new}"


_SENTENCES = {
    "forward": _forward,
    "seed": _seed,
    "arrive": _arrive,
    "retain": _retain,
    "release": _release,
    "accumulate": _accumulate,
    "drop": _drop,
}
