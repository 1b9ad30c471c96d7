"""What a trace asks of a graph, answered for PyTorch's. Imported only where a tensor of PyTorch is looked at.

Each node is run by hand on cotangents of the trace's own, as PyTorch's engine would run it, newest first. So no
`.grad` changes, nothing is released and no hook on a tensor or node runs. What PyTorch does not show stays unseen: the
source lines (except inside `explain.watch()`), hooks on nodes, and hooks and `retain_grad()` of results that no
variable of the caller holds.
"""

import re
from typing import Any

import numpy as np
import torch

from autograd_core.explain import graphs

from ..wording import translate as _
from .graph_reading import Edge, Kept

ROLES = {"self": "input", "result": "out"}  # PyTorch's names for what the rules here call by others
STALE = re.compile(r"is at version (\d+); expected version (\d+)")


class TorchGraph:
    """A graph of PyTorch. Its engine looks at a node when the pass comes to it, after others have stored."""

    tensor_type = torch.Tensor
    checks_first = False

    def start(self, output: torch.Tensor, seed: Any) -> tuple[Edge, Any]:
        """The edge where the pass begins and the cotangent it begins with; raises as `backward` does."""
        if not output.requires_grad:
            raise RuntimeError("element 0 of tensors does not require grad and does not have a grad_fn")
        if seed is None:
            if output.numel() != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            return self.edge(output), torch.ones_like(output.detach())
        seed = torch.as_tensor(seed, dtype=output.dtype).detach()
        if seed.shape != output.shape:
            raise RuntimeError(
                f"Mismatch in shape: grad_output[0] has a shape of {seed.shape} and output[0] has a shape of "
                f"{output.shape}."
            )
        return self.edge(output), seed

    def edge(self, tensor: torch.Tensor) -> Edge:
        """The edge of a tensor that requires a gradient."""
        return graphs.top(tensor)

    def age(self, node: Any) -> int:
        """A number that grows from node to node as the program makes them."""
        return node._sequence_nr()

    def op(self, node: Any) -> str:
        """The op, as the node's class names it."""
        return graphs.op_name(node)

    def line(self, node: Any) -> str | None:
        """The source line that made a node, known inside `explain.watch()` only."""
        line = graphs.line_of(node)
        return line.partition(": ")[2] if line else None

    def reverse_pass(self, node: Any) -> list[str]:
        """PyTorch does not keep the call that made a node."""
        return []

    def notes(self, node: Any) -> dict:
        """What was noted with a node."""
        return node.metadata

    def now(self) -> int:
        """The age that the next node exceeds."""
        with torch.enable_grad():
            return self.age(torch.ones((), requires_grad=True).clone().grad_fn)

    def shapes(self, node: Any) -> list[list[int]]:
        """The shape of each output."""
        if graphs.is_accumulator(node):
            return [list(node.variable.shape)]
        return [list(metadata.shape) for metadata in node._input_metadata]

    def identity(self, tensor: torch.Tensor) -> int:
        """The id under which a constant lies in what a node saved."""
        return id(tensor)

    def array(self, value: torch.Tensor) -> np.ndarray:
        """A tensor's or a cotangent's numbers. Raises TypeError unless they are real and dense."""
        if value.is_complex() or value.layout is not torch.strided:
            remedy = "compute with real and imaginary parts" if value.is_complex() else "use sparse=False or to_dense()"
            raise TypeError(
                f"the microscope shows real and dense tensors, and met one of {value.dtype}, {value.layout} and shape "
                f"{list(value.shape)}: {remedy}"
            )
        value = value.detach().cpu()
        return (value.float() if value.dtype == torch.bfloat16 else value).numpy()

    def kept(self, node: Any) -> list[Kept]:
        """What a node saved. Raises RuntimeError if it was released."""
        found = []
        if isinstance(getattr(node, "_saved_exponent", None), (int, float)):
            found.append(Kept("exponent", node._saved_exponent, None, 0, 0))
        for name in filter(lambda name: name.startswith("_raw_saved_"), dir(node)):
            found += _kept_as(node, name.removeprefix("_raw_saved_"), getattr(node, name))
        return found

    def receiver(self, edge: Edge, held: torch.Tensor | None) -> torch.Tensor | None:
        """The tensor whose `.grad` stores what arrives at an edge, if there is one; a result must be `held`."""
        if graphs.is_accumulator(edge[0]):
            return edge[0].variable
        return held if held is not None and held.retains_grad else None

    def hooks(self, node: Any, held: list[torch.Tensor | None]) -> int:
        """How many of the program's hooks run when a pass comes to a node; those of a result if it is `held`."""
        tensors = [node.variable] if graphs.is_accumulator(node) else [tensor for tensor in held if tensor is not None]
        return sum(len(hooks or ()) for t in tensors for hooks in (t._backward_hooks, t._post_accumulate_grad_hooks))

    def tensor(self, leaf: Any) -> torch.Tensor:
        """The tensor of a leaf."""
        return leaf.variable

    def pull_back(self, node: Any, cotangents: list) -> list:
        """What a node makes of the cotangents of its outputs: one an input. No hook on it runs, nothing is released."""
        return graphs.give_back(node, cotangents)


def _kept_as(node: Any, name: str, slots: Any) -> list[Kept]:
    """The values in PyTorch's slots of one name; a slot that the node had no use for is empty."""
    role = ROLES.get(name, name)
    if any(slot.unpack_hook is not None for slot in (slots if isinstance(slots, (tuple, list)) else [slots])):
        return [Kept(role, _("packed"), None, 0, 0)]
    try:
        values = getattr(node, "saved_tensors" if name == "tensors" else f"_saved_{name}")
    except RuntimeError as error:
        versions = STALE.search(str(error))
        if versions is None:
            raise
        now, expected = map(int, versions.groups())
        return [Kept(role, None, _edge_by_role(node, role), expected, now)]
    if not isinstance(values, (tuple, list)):
        values = [values]
    return [
        Kept(role, value, graphs.top(value) if value.requires_grad else None, value._version, value._version)
        for value in values
        if isinstance(value, torch.Tensor)
    ]


def _edge_by_role(node: Any, role: str) -> Edge | None:
    """Whose value a stale one was, for the roles that tell; PyTorch does not hand out the value to ask."""
    if role == "out":
        return node, 0
    inputs = dict(zip(("input", "other"), node.next_functions, strict=False))
    edge = inputs.get(role, (None, 0))
    return None if edge[0] is None else edge
