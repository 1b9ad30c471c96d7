"""Losses as modules. Each takes a `reduction`: "mean" of all losses, their "sum", or "none"."""

from __future__ import annotations

import math
from collections.abc import Callable

from ..core.tensor import Tensor
from . import functional as F
from .distance import PairwiseDistance
from .functional.linear_loss import LinearCrossEntropyOptions
from .functional.old_reduction import with_old_reduction
from .linear import Linear
from .module import Module


class _Loss(Module):
    @with_old_reduction
    def __init__(self, *, reduction: str = "mean"):
        super().__init__()
        self.reduction = reduction


class _WeightedLoss(_Loss):
    """A loss whose `weight` is a buffer: it is saved and converted with the module."""

    weight: Tensor | None

    @with_old_reduction
    def __init__(self, weight: Tensor | None = None, *, reduction: str = "mean"):
        super().__init__(reduction=reduction)
        self.register_buffer("weight", weight)


class L1Loss(_Loss):
    """|x - target|.

    >>> import autograd_core as ac
    >>> ac.nn.L1Loss()(ac.tensor([1.0, 5.0]), ac.zeros(2))
    tensor(3.)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """`functional.l1_loss`."""
        return F.l1_loss(input, target, reduction=self.reduction)


class MSELoss(_Loss):
    """(x - target)².

    >>> import autograd_core as ac
    >>> ac.nn.MSELoss()(ac.tensor([1.0, 3.0]), ac.zeros(2))
    tensor(5.)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """`functional.mse_loss`."""
        return F.mse_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(_Loss):
    """(x - target)² / (2 beta) where |x - target| is below `beta`, else |x - target| - beta / 2.

    >>> import autograd_core as ac
    >>> ac.nn.SmoothL1Loss()(ac.tensor([1.0, 3.0]), ac.zeros(2))
    tensor(1.5000)
    """

    @with_old_reduction
    def __init__(self, *, reduction: str = "mean", beta: float = 1.0):
        super().__init__(reduction=reduction)
        self.beta = beta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """`functional.smooth_l1_loss`."""
        return F.smooth_l1_loss(input, target, beta=self.beta, reduction=self.reduction)


class HuberLoss(_Loss):
    """(x - target)² / 2 where |x - target| is at most `delta`, else delta (|x - target| - delta / 2).

    >>> import autograd_core as ac
    >>> ac.nn.HuberLoss()(ac.tensor([1.0, 3.0]), ac.zeros(2))
    tensor(1.5000)
    """

    def __init__(self, reduction: str = "mean", delta: float = 1.0):
        super().__init__(reduction=reduction)
        self.delta = delta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """`functional.huber_loss`."""
        return F.huber_loss(input, target, delta=self.delta, reduction=self.reduction)


class KLDivLoss(_Loss):
    """target (log(target) - x), x a log-probability, and with `log_target` the target too.

    The reduction "batchmean" divides the sum by the size of the batch, which makes it the divergence.

    >>> import autograd_core as ac
    >>> ac.nn.KLDivLoss(reduction="sum")(ac.tensor([0.5]).log(), ac.tensor([1.0]))
    tensor(0.6931)
    """

    @with_old_reduction
    def __init__(self, *, reduction: str = "mean", log_target: bool = False):
        super().__init__(reduction=reduction)
        self.log_target = log_target

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """`functional.kl_div`."""
        return F.kl_div(input, target, log_target=self.log_target, reduction=self.reduction)


class PoissonNLLLoss(_Loss):
    """rate - target log(rate), where x is log(rate), or the rate itself without `log_input`.

    `full` adds Stirling's approximation of log(target!); `eps` keeps log(rate) finite.

    >>> import autograd_core as ac
    >>> ac.nn.PoissonNLLLoss()(ac.zeros(1), ac.ones(1))
    tensor(1.)
    """

    @with_old_reduction
    def __init__(self, log_input: bool = True, full: bool = False, *, eps: float = 1e-8, reduction: str = "mean"):
        super().__init__(reduction=reduction)
        self.log_input, self.full, self.eps = log_input, full, eps

    def forward(self, log_input: Tensor, target: Tensor) -> Tensor:
        """`functional.poisson_nll_loss`."""
        return F.poisson_nll_loss(log_input, target, self.log_input, self.full, eps=self.eps, reduction=self.reduction)


class MultiLabelMarginLoss(_Loss):
    """Σ max(0, 1 - (x_y - x_i)) / C over the classes y of a row and the others i.

    Classes are listed in the target, up to the first -1.

    >>> import autograd_core as ac
    >>> ac.nn.MultiLabelMarginLoss()(ac.tensor([0.0, 2.0]), ac.tensor([1, -1]))
    tensor(0.)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """`functional.multilabel_margin_loss`."""
        return F.multilabel_margin_loss(input, target, reduction=self.reduction)


class SoftMarginLoss(_Loss):
    """log(1 + exp(-target x)), with targets 1 and -1.

    >>> import autograd_core as ac
    >>> ac.nn.SoftMarginLoss()(ac.zeros(1), ac.ones(1))
    tensor(0.6931)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """`functional.soft_margin_loss`."""
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class HingeEmbeddingLoss(_Loss):
    """x where the target is 1, and max(0, margin - x) where it is -1.

    >>> import autograd_core as ac
    >>> ac.nn.HingeEmbeddingLoss()(ac.tensor([3.0, 0.5]), ac.tensor([1.0, -1.0]))
    tensor(1.7500)
    """

    @with_old_reduction
    def __init__(self, margin: float = 1.0, *, reduction: str = "mean"):
        super().__init__(reduction=reduction)
        self.margin = margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """`functional.hinge_embedding_loss`."""
        return F.hinge_embedding_loss(input, target, self.margin, reduction=self.reduction)


class CTCLoss(_Loss):
    """-log of the probability of all alignments of the targets: see `functional.ctc_loss`.

    >>> import autograd_core as ac
    >>> loss = ac.nn.CTCLoss()
    >>> loss(ac.zeros(4, 1, 3).log_softmax(2), ac.tensor([[1, 2]]), ac.tensor([4]), ac.tensor([2]))
    tensor(0.8432)
    """

    def __init__(self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False):
        super().__init__(reduction=reduction)
        self.blank, self.zero_infinity = blank, zero_infinity

    def forward(self, log_probs: Tensor, targets: Tensor, input_lengths, target_lengths) -> Tensor:
        """`functional.ctc_loss`."""
        return F.ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction, self.zero_infinity
        )


class GaussianNLLLoss(_Loss):
    """(log(var) + (x - target)² / var) / 2, with a variance of at least `eps`; `full` adds log(2π) / 2.

    >>> import autograd_core as ac
    >>> ac.nn.GaussianNLLLoss()(ac.zeros(1), ac.ones(1), ac.ones(1))
    tensor(0.5000)
    """

    def __init__(self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean"):
        super().__init__(reduction=reduction)
        self.full, self.eps = full, eps

    def forward(self, input: Tensor, target: Tensor, var: Tensor) -> Tensor:
        """`functional.gaussian_nll_loss`."""
        return F.gaussian_nll_loss(input, target, var, full=self.full, eps=self.eps, reduction=self.reduction)


class NLLLoss(_WeightedLoss):
    """-x[target] of log-probabilities x, (N, C) or (N, C, d1, ...), with a `weight` for each class.

    The mean is weighted too; entries whose target is `ignore_index` do not count.

    >>> import autograd_core as ac
    >>> ac.nn.NLLLoss()(ac.tensor([[-1.0, -2.0]]), ac.tensor([1]))
    tensor(2.)
    """

    @with_old_reduction
    def __init__(self, weight: Tensor | None = None, *, ignore_index: int = -100, reduction: str = "mean"):
        super().__init__(weight, reduction=reduction)
        self.ignore_index = ignore_index

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """`functional.nll_loss`."""
        return F.nll_loss(input, target, self.weight, ignore_index=self.ignore_index, reduction=self.reduction)


class CrossEntropyLoss(_WeightedLoss):
    """`NLLLoss` of `log_softmax`: of any scores, with classes or their probabilities as targets.

    `label_smoothing` mixes the target with the uniform distribution.

    >>> import autograd_core as ac
    >>> ac.nn.CrossEntropyLoss()(ac.zeros(1, 2), ac.tensor([1]))
    tensor(0.6931)
    """

    @with_old_reduction
    def __init__(
        self,
        weight: Tensor | None = None,
        *,
        ignore_index: int = -100,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ):
        super().__init__(weight, reduction=reduction)
        self.ignore_index, self.label_smoothing = ignore_index, label_smoothing

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """`functional.cross_entropy`."""
        return F.cross_entropy(
            input,
            target,
            self.weight,
            ignore_index=self.ignore_index,
            label_smoothing=self.label_smoothing,
            reduction=self.reduction,
        )


class BCELoss(_WeightedLoss):
    """-(target log(x) + (1 - target) log(1 - x)), x a probability, times `weight`.

    >>> import autograd_core as ac
    >>> ac.nn.BCELoss()(ac.tensor([0.5]), ac.ones(1))
    tensor(0.6931)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """`functional.binary_cross_entropy`."""
        return F.binary_cross_entropy(input, target, self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(_WeightedLoss):
    """`BCELoss` of sigmoid(x), for any x. `pos_weight` multiplies the losses of positive targets.

    >>> import autograd_core as ac
    >>> ac.nn.BCEWithLogitsLoss()(ac.zeros(1), ac.ones(1))
    tensor(0.6931)
    """

    pos_weight: Tensor | None

    @with_old_reduction
    def __init__(self, weight: Tensor | None = None, *, reduction: str = "mean", pos_weight: Tensor | None = None):
        super().__init__(weight, reduction=reduction)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """`functional.binary_cross_entropy_with_logits`."""
        return F.binary_cross_entropy_with_logits(
            input, target, self.weight, pos_weight=self.pos_weight, reduction=self.reduction
        )


class MultiLabelSoftMarginLoss(_WeightedLoss):
    """The mean over the classes of `BCEWithLogitsLoss`, with a `weight` for each class.

    >>> import autograd_core as ac
    >>> ac.nn.MultiLabelSoftMarginLoss()(ac.zeros(1, 2), ac.ones(1, 2))
    tensor(0.6931)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """`functional.multilabel_soft_margin_loss`."""
        return F.multilabel_soft_margin_loss(input, target, self.weight, reduction=self.reduction)


class MultiMarginLoss(_WeightedLoss):
    """Σ max(0, margin - x_target + x_i)^p / C over the other classes i; `p` is 1 or 2.

    `weight` has an entry for each class.

    >>> import autograd_core as ac
    >>> ac.nn.MultiMarginLoss()(ac.tensor([[0.0, 2.0]]), ac.tensor([0]))
    tensor(1.5000)
    """

    @with_old_reduction
    def __init__(self, p: int = 1, margin: float = 1.0, weight: Tensor | None = None, *, reduction: str = "mean"):
        super().__init__(weight, reduction=reduction)
        self.p, self.margin = p, margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """`functional.multi_margin_loss`."""
        return F.multi_margin_loss(input, target, self.p, self.margin, self.weight, reduction=self.reduction)


class MarginRankingLoss(_Loss):
    """max(0, -target (x₁ - x₂) + margin): target 1 if x₁ should be larger, else -1.

    >>> import autograd_core as ac
    >>> ac.nn.MarginRankingLoss()(ac.zeros(1), ac.ones(1), ac.ones(1))
    tensor(1.)
    """

    @with_old_reduction
    def __init__(self, margin: float = 0.0, *, reduction: str = "mean"):
        super().__init__(reduction=reduction)
        self.margin = margin

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        """`functional.margin_ranking_loss`."""
        return F.margin_ranking_loss(input1, input2, target, self.margin, reduction=self.reduction)


class CosineEmbeddingLoss(_Loss):
    """1 - cos(x₁, x₂) where the target is 1, and max(0, cos(x₁, x₂) - margin) where it is -1.

    >>> import autograd_core as ac
    >>> ac.nn.CosineEmbeddingLoss()(ac.eye(2), ac.eye(2), ac.tensor([1.0, -1.0]))
    tensor(0.5000)
    """

    @with_old_reduction
    def __init__(self, margin: float = 0.0, *, reduction: str = "mean"):
        super().__init__(reduction=reduction)
        self.margin = margin

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        """`functional.cosine_embedding_loss`."""
        return F.cosine_embedding_loss(input1, input2, target, self.margin, reduction=self.reduction)


class TripletMarginLoss(_Loss):
    """max(0, d(anchor, positive) - d(anchor, negative) + margin), d the distance in the `p`-norm.

    With `swap` the negative is held against the anchor or the positive, whichever is nearer.

    >>> import autograd_core as ac
    >>> ac.nn.TripletMarginLoss()(ac.zeros(1, 2), ac.zeros(1, 2), ac.zeros(1, 2))
    tensor(1.)
    """

    @with_old_reduction
    def __init__(
        self, margin: float = 1.0, p: float = 2.0, eps: float = 1e-6, swap: bool = False, *, reduction: str = "mean"
    ):
        super().__init__(reduction=reduction)
        self.margin, self.p, self.eps, self.swap = margin, p, eps, swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        """`functional.triplet_margin_loss`."""
        return F.triplet_margin_loss(
            anchor, positive, negative, self.margin, self.p, self.eps, self.swap, reduction=self.reduction
        )


class TripletMarginWithDistanceLoss(_Loss):
    """`TripletMarginLoss` with another distance: a function of two tensors, `PairwiseDistance()` if None.

    >>> import autograd_core as ac
    >>> loss = ac.nn.TripletMarginWithDistanceLoss(distance_function=lambda x, y: (x - y).abs().sum(-1))
    >>> loss(ac.zeros(1, 2), ac.ones(1, 2), ac.zeros(1, 2))
    tensor(3.)
    """

    def __init__(
        self,
        *,
        distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
        margin: float = 1.0,
        swap: bool = False,
        reduction: str = "mean",
    ):
        super().__init__(reduction=reduction)
        self.distance_function = PairwiseDistance() if distance_function is None else distance_function
        self.margin, self.swap = margin, swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        """`functional.triplet_margin_with_distance_loss`."""
        return F.triplet_margin_with_distance_loss(
            anchor,
            positive,
            negative,
            distance_function=self.distance_function,
            margin=self.margin,
            swap=self.swap,
            reduction=self.reduction,
        )


class LinearCrossEntropyLoss(_WeightedLoss):
    """`CrossEntropyLoss` of a `Linear` layer, its child `linear`, for many classes.

    See `functional.linear_cross_entropy`. `out_features` are more axes of the scores: (N, num_classes, *out_features).
    `options` cut the batch into chunks. RuntimeError for a `weight` that has not an entry for each class, and a
    `label_smoothing` outside 0 to 1.

    >>> import autograd_core as ac
    >>> loss = ac.nn.LinearCrossEntropyLoss(3, 1000, options=ac.nn.LinearCrossEntropyOptions(batch_chunk_size=64))
    >>> loss(ac.ones(128, 3), ac.zeros(128, dtype=ac.int64)).shape
    Size([])
    """

    def __init__(
        self,
        in_features: int,
        num_classes: int,
        *,
        out_features: tuple[int, ...] = (),
        bias: bool = False,
        device=None,
        dtype=None,
        reduction: str = "mean",
        weight: Tensor | None = None,
        ignore_index: int | None = None,
        label_smoothing: float = 0.0,
        options: LinearCrossEntropyOptions | None = None,
    ):
        if weight is not None and tuple(weight.shape) != (num_classes,):
            raise RuntimeError(f"expected weight shape to be {(num_classes,)}, got {tuple(weight.shape)}")
        if not 0 <= label_smoothing <= 1:
            raise RuntimeError(f"expected label_smoothing to be in range [0, 1], got {label_smoothing}")
        super().__init__(weight, reduction=reduction)
        self.num_classes, self.out_features = num_classes, out_features
        self.ignore_index, self.label_smoothing, self.options = ignore_index, label_smoothing, options
        self.linear = Linear(in_features, num_classes * math.prod(out_features), bias=bias, device=device, dtype=dtype)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """`functional.linear_cross_entropy` with these parameters."""
        scores = (self.num_classes, *self.out_features)
        bias = self.linear.bias
        return F.linear_cross_entropy(
            input,
            self.linear.weight.reshape((*scores, self.linear.in_features)),
            target,
            linear_bias=None if bias is None else bias.reshape(scores),
            weight=self.weight,
            reduction=self.reduction,
            ignore_index=self.ignore_index,
            label_smoothing=self.label_smoothing,
            options=self.options,
        )

    def extra_repr(self) -> str:
        """The settings."""
        return (
            f"in_features={self.linear.in_features}, num_classes={self.num_classes}, "
            f"out_features={self.out_features}, bias={self.linear.bias is not None}, reduction={self.reduction}, "
            f"ignore_index={self.ignore_index}, label_smoothing={self.label_smoothing}, options={self.options}"
        )
