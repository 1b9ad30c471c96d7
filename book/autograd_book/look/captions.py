"""What a trace says in words: numbers as text, names of nodes, one sentence a step."""

from typing import Any

import numpy as np

from ..wording import ngettext
from ..wording import translate as _

LONGEST = 20  # characters a picture has room for


def number(value: Any) -> str:
    """A value of a trace as short text.

    >>> number(12.0), number([1.0, 2.5]), number("shape (64, 10)"), number(None)
    ('12', '[1, 2.5]', 'shape (64, 10)', 'not kept')
    """
    if value is None:
        return _("not kept")
    if isinstance(value, list):
        return "[" + ", ".join(map(number, value)) + "]"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def short(value: Any) -> str:
    """`number(value)`, or the shape alone where that is too long for a picture.

    >>> short([0.1234, 0.2345, 0.3456])
    'shape (3,)'
    """
    text = number(value)
    return text if len(text) <= LONGEST or isinstance(value, str) else _("shape {shape}").format(shape=np.shape(value))


def name(trace: dict, node: int, output: int = 0) -> str:
    """What to call a node in a sentence: the tensor's name, else the op."""
    found = trace["nodes"][node]
    if found["names"][output]:
        return found["names"][output]
    if len(found["names"]) == 1:
        return _("the result of {op}").format(op=found["label"])
    return _("output {number} of {op}").format(number=output, op=found["label"])


def slot_name(trace: dict, node: int, output: int = 0) -> str:
    """What to call the place of a gradient: h.grad, or .grad where the tensor has no name.

    >>> slot_name({"nodes": [{"names": ["h", None]}]}, 0), slot_name({"nodes": [{"names": ["h", None]}]}, 0, 1)
    ('h.grad', '.grad')
    """
    return f"{trace['nodes'][node]['names'][output] or ''}.grad"


def title(trace: dict) -> str:
    """What the picture is of."""
    start = trace["title"] or _("an unnamed tensor")
    return _("The graph of {name}, forward and in reverse").format(name=start)


def cotangent_name(trace: dict, node: int, output: int = 0) -> str:
    """∂L/∂h where both have a name and L is one number, else the word."""
    at, top = trace["nodes"][node]["names"][output], trace["top"]
    return f"∂{top}/∂{at}" if at and top and "outside" not in trace["nodes"][node] else _("cotangent")


def is_stale(entry: dict) -> bool:
    """Whether a saved value was overwritten after it was saved."""
    return entry["version"] != entry["now"]


def holds_leaves(node: dict) -> bool:
    """Whether a node is a folded box with leaves, or values from outside, and no op in it."""
    return node.get("ops") == 0


def caption(trace: dict, step: dict) -> str:
    """One or two sentences that say what happens in a step."""
    return _SENTENCES[step["kind"]](trace, step)


def _known(trace: dict, nodes: list[dict]) -> str:
    return ", ".join(
        f"{label} = {short(value)}"
        for node in nodes
        if not holds_leaves(node)
        for label, value in zip(node["names"], node["values"], strict=True)
        if label and value is not None
    )


def _leaves(trace: dict, step: dict) -> str:
    leaves = [node for node in trace["nodes"] if node["op"] is None]
    known = _known(trace, leaves)
    if not known:
        return _("The forward pass begins.")
    return _("The forward pass begins with {leaves}.").format(leaves=known)


def _compute(trace: dict, step: dict) -> str:
    node = trace["nodes"][step["node"]]
    values = _known(trace, [node]) or ", ".join(number(value) for value in node["values"] if value is not None)
    if values:
        made = _("{op} computes {values}.").format(op=node["label"], values=values)
    else:
        made = _("{op} computes its value, which nobody kept.").format(op=node["label"])
    if "inside" in node:
        inside = node["saved_inside"]
        saved = ngettext("Its {ops} ops save {number} value.", "Its {ops} ops save {number} values.", inside)
        saved = saved.format(ops=node["ops"], number=inside)
    elif node["saved"]:
        saved = _("For the way back its node saves {values}.").format(values=_saved(node))
    else:
        saved = _("Its node saves nothing.")
    return f"{made} {saved}"


def _saved(node: dict) -> str:
    return _(" and ").join(map(_saved_value, node["saved"]))


def _saved_value(entry: dict) -> str:
    """A saved value, with its version if anything was written there."""
    text = entry["name"] if is_stale(entry) else f"{entry['name']} = {number(entry['value'])}"
    if not entry["version"]:
        return text
    return _("{value} (version {version})").format(value=text, version=entry["version"])


def _forward(trace: dict, step: dict) -> str:
    values = _known(trace, trace["nodes"])
    return _("Forward is done: {values}.").format(values=values) if values else _("Forward is done.")


def _seed(trace: dict, step: dict) -> str:
    at, seed = name(trace, step["node"], step["output"]), number(step["cotangent"])
    return _arrived(_("Backward starts at {name} with the seed {seed}.").format(name=at, seed=seed), trace, step)


def _enter(trace: dict, step: dict) -> str:
    at, sent = name(trace, step["node"], step["output"]), number(step["cotangent"])
    text = _("From outside, {op} sends {cotangent} to {name}.").format(op=step["op"], cotangent=sent, name=at)
    return _arrived(text, trace, step)


def _arrive(trace: dict, step: dict) -> str:
    sender = trace["nodes"][trace["edges"][step["edge"]]["to"]]["label"]
    at = name(trace, step["node"], step["output"])
    text = _("{op} sends {cotangent} back to {name}.").format(op=sender, cotangent=sent(step, number), name=at)
    return _arrived(text, trace, step)


def sent(step: dict, write: Any, longest: int = 60) -> str:
    """What a node sends: with its arithmetic where that is known and not too long, as 3 · 2w = 12."""
    result = write(step["cotangent"])
    text = f"{step['formula']} = {result}"
    return result if step["formula"] in (None, result) or len(text) > longest else text


def _arrived(text: str, trace: dict, step: dict) -> str:
    """What arrived, the sum that it makes, and what waits for it."""
    return " ".join(filter(None, (text, _together(step), _hooks(trace, step))))


def _hooks(trace: dict, step: dict) -> str:
    """That hooks wait for a cotangent, if any do."""
    waiting = trace["nodes"][step["node"]]["hooks"]
    if not waiting:
        return ""
    return ngettext(
        "A hook waits there. It does not run here; in backward() it may replace the cotangent.",
        "{number} hooks wait there. They do not run here; in backward() they may replace the cotangent.",
        waiting,
    ).format(number=waiting)


def _together(step: dict) -> str:
    if step["before"] is None:
        return ""
    total = f"{number(step['before'])} + {number(step['cotangent'])} = {number(step['total'])}"
    return _("With what had already arrived, that makes {sum}.").format(sum=total)


def _retain(trace: dict, step: dict) -> str:
    at, slot = name(trace, step["node"], step["output"]), slot_name(trace, step["node"], step["output"])
    return _("{name} is not a leaf, but retain_grad() made a slot for it: {slot} = {sum}.").format(
        name=at, slot=slot, sum=deposit(step, number)
    )


def _release(trace: dict, step: dict) -> str:
    node = trace["nodes"][step["node"]]
    if "inside" in node:
        return _released_inside(node)
    slots = [slot_name(trace, step["node"], k) for k, slot in enumerate(node["slots"]) if slot is not None]
    if slots:
        kept = _("The cotangent it received is kept in {slots} alone.").format(slots=_(" and ").join(slots))
    else:
        kept = _("The cotangent it received is forgotten.")
    if node["saved"]:
        saved = _("It lets go of {values}, which it had saved.").format(values=_saved(node))
    else:
        saved = _("It had saved nothing.")
    return f"{_('{op} is done.').format(op=node['op'])} {kept} {saved}"


def _released_inside(node: dict) -> str:
    if holds_leaves(node):
        done = _("Nothing more goes to {op}.").format(op=node["label"])
    else:
        done = _("All of {op} is done, and lets go of what it had saved.").format(op=node["label"])
    slots = [f"{slot}.grad" for slot in node["slots_inside"]]
    if not slots:
        return done
    many = ngettext("{number} slot", "{number} slots", len(slots)).format(number=len(slots))
    shown = ", ".join(slots) if len(slots) <= 4 else many
    return f"{done} {_('Inside, {slots} received their sums.').format(slots=shown)}"


def _accumulate(trace: dict, step: dict) -> str:
    at, total = name(trace, step["node"]), deposit(step, number)
    if step["old"] is None:
        return _("{name} is a leaf, so what arrived is stored: {name}.grad = {sum}.").format(name=at, sum=total)
    return _("{name} is a leaf, so what arrived is added to its slot: {name}.grad = {sum}.").format(name=at, sum=total)


def deposit(step: dict, write: Any) -> str:
    """What a slot shows in the step that fills it: 8, or 4 + 4 = 8."""
    new = write(step["grad"])
    return new if step["old"] is None else f"{write(step['old'])} + {write(step['cotangent'])} = {new}"


def _drop(trace: dict, step: dict) -> str:
    at = name(trace, step["node"])
    return _("The tensor of the leaf {name} is gone, so what arrived is dropped.").format(name=at)


def _refuse(trace: dict, step: dict) -> str:
    node = trace["nodes"][step["node"]]
    entry = next((entry for entry in node["saved"] if is_stale(entry)), None)
    if entry is None:
        return _("A value saved inside {op} is stale: the pass raises an error.").format(op=node["label"])
    return _(
        "{op} saved {value} at version {version}, but it is at version {now}: it was overwritten. The pass raises an "
        "error."
    ).format(op=node["label"], value=entry["name"], version=entry["version"], now=entry["now"])


_SENTENCES = {
    "leaves": _leaves,
    "compute": _compute,
    "forward": _forward,
    "seed": _seed,
    "enter": _enter,
    "arrive": _arrive,
    "retain": _retain,
    "release": _release,
    "accumulate": _accumulate,
    "drop": _drop,
    "refuse": _refuse,
}
