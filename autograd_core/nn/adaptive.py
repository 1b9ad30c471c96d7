"""A softmax over many classes that computes most of them seldom."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence

from ..core.tensor import Tensor
from ..ops.reductions.selection import argmax
from ..ops.shapes.joining import cat
from . import functional as F
from .containers import ModuleList, Sequential
from .linear import Linear
from .module import Module

_ASMoutput = namedtuple("_ASMoutput", "output loss")


class AdaptiveLogSoftmaxWithLoss(Module):
    """The log-probabilities of targets among `n_classes`, the frequent ones first, and their mean loss.

    The classes below the first of `cutoffs` are computed always, beside one number for each cluster of the others; a
    cluster's classes only for the rows whose target is there, in a space that is `div_value` times smaller with each.

    Input (N, in_features) and target (N), or both without N. Returns `output` (N), and `loss`.

    Raises ValueError for cutoffs that do not increase between 1 and n_classes - 1, RuntimeError for shapes that do not
    fit and for targets that are no class. Source: Grave et al., Efficient softmax approximation for GPUs, 2017.

    >>> import autograd_core as ac
    >>> model = ac.nn.AdaptiveLogSoftmaxWithLoss(8, 20, cutoffs=[5, 10])
    >>> out, loss = model(ac.ones(3, 8), ac.tensor([0, 7, 19]))
    >>> out.shape, model.log_prob(ac.ones(3, 8)).shape
    (Size([3]), Size([3, 20]))
    """

    def __init__(
        self,
        in_features: int,
        n_classes: int,
        cutoffs: Sequence[int],
        div_value: float = 4.0,
        head_bias: bool = False,
        device=None,
        dtype=None,
    ):
        super().__init__()
        cutoffs = list(cutoffs)
        if not cutoffs:
            raise ValueError("cutoffs should be a sequence of length larger than 0")
        if cutoffs != sorted({int(cut) for cut in cutoffs}) or cutoffs[0] <= 0 or cutoffs[-1] > n_classes - 1:
            raise ValueError(
                "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each "
                f"value is between 1 and n_classes-1, got {cutoffs} for {n_classes} classes"
            )
        made: dict = {"device": device, "dtype": dtype}
        self.in_features, self.n_classes, self.cutoffs = in_features, n_classes, [*cutoffs, n_classes]
        self.div_value, self.head_bias = div_value, head_bias
        self.shortlist_size, self.n_clusters = cutoffs[0], len(cutoffs)
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(in_features, self.head_size, head_bias, **made)
        self.tail = ModuleList()
        for number, (low, high) in enumerate(self._clusters()):
            width = int(in_features // div_value ** (number + 1))
            self.tail.append(
                Sequential(Linear(in_features, width, False, **made), Linear(width, high - low, False, **made))
            )

    def _clusters(self) -> list[tuple[int, int]]:
        """The first class of each cluster and the first behind it."""
        return list(zip(self.cutoffs, self.cutoffs[1:]))

    def reset_parameters(self) -> None:
        """Draw new initial values."""
        for layer in (self.head, *(layer for cluster in self.tail for layer in cluster)):
            layer.reset_parameters()

    def _check(self, input: Tensor, target: Tensor) -> None:
        if target.ndim > 1:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        if target.ndim == 1 and len(input) != len(target):
            raise RuntimeError(
                "Input and target should have the same size in the batch dimension, got "
                f"{list(input.shape)} and {list(target.shape)}"
            )
        if input.ndim != target.ndim + 1:
            raise RuntimeError(
                f"{target.ndim}D target tensor expects {target.ndim + 1}D input tensors, but found inputs with size "
                f"{list(input.shape)}"
            )
        if target.numel() and not 0 <= target.min().item() <= target.max().item() < self.n_classes:
            raise RuntimeError(
                f"Target values should be in [0, {self.n_classes - 1}], but values in range [{target.min().item()}, "
                f"{target.max().item()}] were found."
            )

    def forward(self, input_: Tensor, target_: Tensor) -> _ASMoutput:
        """The log-probability of each target, and minus their mean."""
        self._check(input_, target_)
        x, labels = (input_, target_) if target_.ndim else (input_.unsqueeze(0), target_.unsqueeze(0))
        in_head, parts, rows = labels.clone(), [], []
        for number, (low, high) in enumerate(self._clusters()):
            here = ((labels >= low) & (labels < high)).nonzero().squeeze(1)
            if len(here):
                in_head[here] = self.shortlist_size + number
                log_p = F.log_softmax(self.tail[number](x[here]), 1)
                parts.append(log_p.gather(1, (labels[here] - low).unsqueeze(1)).squeeze(1))
                rows.append(here)
        output = F.log_softmax(self.head(x), 1).gather(1, in_head.unsqueeze(1)).squeeze(1)
        if parts:
            output = output.index_add(0, cat(rows), cat(parts))
        loss = (-output).mean()
        return _ASMoutput(output if target_.ndim else output.squeeze(0), loss)

    def log_prob(self, input: Tensor) -> Tensor:
        """The log-probabilities of all classes: (N, n_classes)."""
        return self._all(input, self.head(input))

    def _all(self, input: Tensor, head: Tensor) -> Tensor:
        log_p = F.log_softmax(head, 1)
        parts = [log_p[:, : self.shortlist_size]]
        for number, cluster in enumerate(self.tail):
            of_cluster = log_p[:, self.shortlist_size + number].unsqueeze(1)
            parts.append(F.log_softmax(cluster(input), 1) + of_cluster)
        return cat(parts, 1)

    def predict(self, input: Tensor) -> Tensor:
        """The likeliest class of each row: `log_prob(input).argmax(1)`, with clusters computed only where needed."""
        head = self.head(input)
        found = argmax(head, 1)
        beyond = (found >= self.shortlist_size).nonzero().squeeze(1)
        if len(beyond):
            found[beyond] = argmax(self._all(input[beyond], head[beyond]), 1)
        return found
