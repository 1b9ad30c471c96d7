"""The questions that can be asked of a graph, and the answers that do not depend on whose it is.

An edge is a pair (node, output number). A leaf is a node too, its AccumulateGrad: it has one output, no inputs, and
the tensor as its `variable`.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np

from .surface import is_accumulator

Edge = tuple[Any, int]


class Saved(NamedTuple):
    """A value that a node keeps for its backward.

    `name` is what the engine calls it, `role` what the signature of the op does; `edge` is whose value it is (None for
    a constant, and where that is not known), and `wanted_for` names the inputs whose rules want it (empty for PyTorch,
    which does not tell). `version` is that of the memory when it was saved, `now` that of today; if they differ the
    value is stale, and None if the engine does not hand it out. Of one that a saved-tensors hook `packed`, `value` is
    what the hook made of it: the unpack hook is not run.
    """

    name: str
    role: str
    value: Any
    edge: Edge | None = None
    version: int = 0
    now: int = 0
    wanted_for: str = ""
    packed: bool = False

    @property
    def stale(self) -> bool:
        """Whether the value was overwritten after it was saved."""
        return self.version != self.now


class GraphReader(ABC):
    """What reads the graphs of one engine. A look changes nothing, stores nothing and releases nothing.

    `checks_first` says that a backward looks at every node before the first rule runs; else it does when it comes to
    the node, after others have stored.
    """

    tensor_type: type
    checks_first: bool

    # -- tensors

    @abstractmethod
    def is_leaf(self, tensor) -> bool:
        """`.is_leaf`, but it never raises: a view made under no_grad refuses to say once its base was written.

        Such a view has no history, so it counts as a leaf.
        """

    @abstractmethod
    def edge(self, tensor) -> Edge:
        """The edge of a tensor that requires gradients."""

    @abstractmethod
    def start(self, output, seed) -> tuple[Edge, Any]:
        """The edge where a pass begins and the cotangent it begins with; raises as `backward` does."""

    @abstractmethod
    def array(self, value) -> np.ndarray:
        """A tensor's or a cotangent's numbers. Raises TypeError unless they are real and dense."""

    @abstractmethod
    def identity(self, tensor) -> int:
        """The id of what a node saves of a constant tensor."""

    @abstractmethod
    def storage(self, value) -> tuple[int, int]:
        """The identity and the size in bytes of the memory behind a tensor or array."""

    @abstractmethod
    def has_accumulate_hooks(self, leaf) -> bool:
        """Whether the user's hooks run when a gradient has been stored in a leaf."""

    def is_view_without_history(self, tensor) -> bool:
        """Whether this is a view, made under no_grad, of a tensor that requires gradients."""
        return self.is_leaf(tensor) and tensor.requires_grad and tensor._is_view() and tensor._base.requires_grad

    # -- nodes

    @abstractmethod
    def age(self, node) -> int:
        """A number that grows from node to node as the program makes them."""

    @abstractmethod
    def now(self) -> int:
        """The age that the next node exceeds."""

    @abstractmethod
    def is_custom(self, node) -> bool:
        """Whether the backward of a node is the user's own code, which may store or print when it is run once more."""

    @abstractmethod
    def shapes(self, node) -> list[list[int]]:
        """The shape of each output."""

    @abstractmethod
    def line(self, node) -> str | None:
        """The user's line that recorded an op, as "file:line: text"; of a PyTorch node known inside `watch()` only."""

    @abstractmethod
    def reverse_pass(self, node) -> list[str]:
        """The call of the program whose reverse pass recorded a node, such as grad(), if it is known that one did."""

    @abstractmethod
    def notes(self, node) -> dict:
        """What the program noted with a node."""

    @abstractmethod
    def saved(self, node) -> list[Saved]:
        """What a node keeps for its backward. Raises the engine's RuntimeError if it was released."""

    @abstractmethod
    def stores_nowhere(self, leaf) -> bool:
        """Whether an accumulator is that of a view made under no_grad, which has no tensor to store in."""

    @abstractmethod
    def receiver(self, edge: Edge, held) -> Any:
        """The tensor whose `.grad` stores what arrives at an edge, if there is one; `held` is the caller's, if any."""

    @abstractmethod
    def hooks(self, node, held: list) -> int:
        """How many of the program's hooks run when a pass comes to a node; `held` are the caller's of its outputs."""

    def op_name(self, node) -> str:
        """The op of a node by its ordinary name: max_pool2d for MaxPool2DBackward0; a custom Function by its own."""
        stem = re.sub(r"(Backward)?\d*$", "", node.name().rsplit(":", 1)[-1])
        if self.is_custom(node):
            return stem
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", re.sub(r"(?<=\d)D", "d", stem)).lower()

    def trouble(self, node) -> str | None:
        """ "released" or "stale" where the backward of this node would raise."""
        if is_accumulator(node):
            return None
        try:
            stale = any(entry.stale for entry in self.saved(node))
        except RuntimeError as error:
            return "released" if "a second time" in str(error) else "stale"
        return "stale" if stale else None

    def has_packed(self, node) -> bool:
        """Whether a saved-tensors hook packed what a node keeps: unpacking it would run the user's code."""
        return any(entry.packed for entry in self.saved(node))

    # -- one node, by hand

    @abstractmethod
    def pull_back(self, node, cotangents: list) -> list:
        """What the rules of a node make of the cotangents of its outputs: one an input, or None. No hook on it runs."""

    @abstractmethod
    def cotangent(self, tensor) -> Any:
        """A tensor as a cotangent, as `pull_back` takes it."""

    @abstractmethod
    def ones_like(self, tensor) -> Any:
        """A cotangent of ones for a tensor."""

    @abstractmethod
    def converted(self, numbers: np.ndarray, cotangent) -> Any:
        """Numbers as a cotangent of the kind of another one."""

    def uneven_like(self, cotangent) -> Any:
        """A cotangent of the same shape whose entries do not cancel by accident, between 1/2 and 1."""
        steps = np.arange(1, 1 + np.prod(cotangent.shape, dtype=int)) * 0.6180339887
        return self.converted((0.5 + np.modf(steps)[0] / 2).reshape(cotangent.shape), cotangent)
