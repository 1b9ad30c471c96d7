"""The reader of PyTorch's graphs. Imported only where a tensor or a module of PyTorch is at hand.

A node is run by hand as PyTorch's engine would run it. What PyTorch does not show stays unseen: the source lines
(except inside `watch()`), hooks on nodes, and hooks and `retain_grad()` of results that no variable of the caller
holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

from .reader import Edge, GraphReader, Saved
from .surface import is_accumulator

LINE = "autograd_core.line"  # the key under which watch() notes a line with a node
ROLES = {"self": "input", "result": "out"}  # PyTorch's rules speak of self and result; its signatures do not
STALE = re.compile(r"is at version (\d+); expected version (\d+)")


class TorchReader(GraphReader):
    """Reads a graph of PyTorch."""

    tensor_type = torch.Tensor
    checks_first = False

    def is_leaf(self, tensor: torch.Tensor) -> bool:
        try:
            return tensor.is_leaf
        except RuntimeError:
            return True

    def edge(self, tensor: torch.Tensor) -> Edge:
        if self.is_leaf(tensor):
            return torch.autograd.graph.get_gradient_edge(tensor).node, 0
        return tensor.grad_fn, tensor.output_nr

    def start(self, output: torch.Tensor, seed: Any) -> tuple[Edge, torch.Tensor]:
        if not output.requires_grad:
            raise RuntimeError("element 0 of tensors does not require grad and does not have a grad_fn")
        if seed is None:
            if output.numel() != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            return self.edge(output), self.ones_like(output)
        seed = torch.as_tensor(seed, dtype=output.dtype).detach()
        if seed.shape != output.shape:
            raise RuntimeError(
                f"Mismatch in shape: grad_output[0] has a shape of {seed.shape} and output[0] has a shape of "
                f"{output.shape}."
            )
        return self.edge(output), seed

    def array(self, value: torch.Tensor) -> np.ndarray:
        if value.is_complex() or value.layout is not torch.strided:
            remedy = "compute with real and imaginary parts" if value.is_complex() else "use sparse=False or to_dense()"
            raise TypeError(
                f"real and dense tensors can be shown, and the graph met one of {value.dtype}, {value.layout} and "
                f"shape {list(value.shape)}: {remedy}"
            )
        value = value.detach().cpu()
        return (value.float() if value.dtype == torch.bfloat16 else value).numpy()

    def identity(self, tensor: torch.Tensor) -> int:
        return id(tensor)

    def storage(self, value: torch.Tensor) -> tuple[int, int]:
        return value.untyped_storage().data_ptr(), value.untyped_storage().nbytes()

    def has_accumulate_hooks(self, leaf: torch.Tensor) -> bool:
        return bool(leaf._post_accumulate_grad_hooks)

    def age(self, node: Any) -> int:
        return node._sequence_nr()

    def now(self) -> int:
        with torch.enable_grad():
            return self.age(torch.ones((), requires_grad=True).clone().grad_fn)

    def is_custom(self, node: Any) -> bool:
        return isinstance(node, torch.autograd.function.BackwardCFunction)

    def shapes(self, node: Any) -> list[list[int]]:
        if is_accumulator(node):
            return [list(node.variable.shape)]
        return [list(metadata.shape) for metadata in node._input_metadata]

    def line(self, node: Any) -> str | None:
        return None if is_accumulator(node) else node.metadata.get(LINE)

    def reverse_pass(self, node: Any) -> list[str]:
        """PyTorch does not keep the call that made a node."""
        return []

    def notes(self, node: Any) -> dict:
        return node.metadata

    def saved(self, node: Any) -> list[Saved]:
        found = []
        if isinstance(getattr(node, "_saved_exponent", None), (int, float)):
            found.append(Saved("exponent", "exponent", node._saved_exponent))
        for name in filter(lambda name: name.startswith("_raw_saved_"), dir(node)):
            found += _saved_as(node, name.removeprefix("_raw_saved_"), getattr(node, name))
        return found

    def stores_nowhere(self, leaf: Any) -> bool:
        """PyTorch's accumulator holds its tensor."""
        return False

    def receiver(self, edge: Edge, held: torch.Tensor | None) -> torch.Tensor | None:
        """A result must be `held`."""
        if is_accumulator(edge[0]):
            return edge[0].variable
        return held if held is not None and held.retains_grad else None

    def hooks(self, node: Any, held: list[torch.Tensor | None]) -> int:
        """Those of a result are seen if it is `held`."""
        tensors = [node.variable] if is_accumulator(node) else [tensor for tensor in held if tensor is not None]
        return sum(len(hooks or ()) for t in tensors for hooks in (t._backward_hooks, t._post_accumulate_grad_hooks))

    def pull_back(self, node: Any, cotangents: list) -> list:
        with torch.no_grad():
            given = _by_users_backward(node, cotangents) if self.is_custom(node) else node(*cotangents)
        given = given if isinstance(given, tuple) else (given,)
        return [_as_wide_as(edge, value) for edge, value in zip(node.next_functions, given)]

    def cotangent(self, tensor: torch.Tensor) -> torch.Tensor:
        return tensor.detach()

    def ones_like(self, tensor: torch.Tensor) -> torch.Tensor:
        return torch.ones_like(tensor.detach())

    def converted(self, numbers: np.ndarray, cotangent: torch.Tensor) -> torch.Tensor:
        return torch.as_tensor(numbers).to(cotangent)


# -- saved values


def _saved_as(node: Any, name: str, slots: Any) -> Iterator[Saved]:
    """The values in the slots of one name. A slot can be looked at without unpacking, and is empty if it had no use."""
    called, role = "saved_tensors" if name == "tensors" else name, ROLES.get(name, name)
    slots = slots if isinstance(slots, (tuple, list)) else [slots]
    if any(slot.unpack_hook is not None for slot in slots):
        yield from (Saved(called, role, slot.data, packed=True) for slot in slots if slot.unpack_hook is not None)
        return
    try:
        values = getattr(node, "saved_tensors" if name == "tensors" else f"_saved_{name}")
    except RuntimeError as error:
        versions = STALE.search(str(error))
        if versions is None:
            raise
        now, expected = map(int, versions.groups())
        yield Saved(called, role, None, _edge_by_role(node, role), expected, now)
        return
    for k, value in enumerate(values if isinstance(values, (tuple, list)) else [values]):
        if isinstance(value, torch.Tensor):
            edge = TORCH.edge(value) if value.requires_grad else None
            shown = f"{called}[{k}]" if name == "tensors" else called
            yield Saved(shown, role, value, edge, value._version, value._version)


def _edge_by_role(node: Any, role: str) -> Edge | None:
    """Whose value a stale one was, for the roles that tell; PyTorch does not hand out the value to ask."""
    if role == "out":
        return node, 0
    inputs = dict(zip(("input", "other"), node.next_functions, strict=False))
    edge = inputs.get(role, (None, 0))
    return None if edge[0] is None else edge


# -- one node, by hand


def _by_users_backward(node: Any, cotangents: list) -> tuple:
    """What the backward of a custom Function returns for the arguments that are tensors: the engine picks them.

    An output that nothing reached has a cotangent of zeros.
    """
    outputs = node._input_metadata
    given = node.apply(
        *[torch.zeros(o.shape, dtype=o.dtype, device=o.device) if g is None else g for g, o in zip(cotangents, outputs)]
    )
    given = given if isinstance(given, tuple) else (given,)
    wanted = iter([value for value, needed in zip(given, node.needs_input_grad) if needed])
    return tuple(None if above is None else next(wanted, None) for above, _ in node.next_functions)


def _as_wide_as(edge: Edge, value: Any) -> Any:
    """A contribution, summed over what the input was broadcast along: the engine does that later."""
    above, k = edge
    if above is None or value is None:
        return value
    shape = above._input_metadata[k].shape
    return value if value.shape == shape else value.sum_to_size(shape)


TORCH = TorchReader()
