"""Samples of `nn.functional.margin`."""

import numpy as np

from tests.ops.calls import call, each_reduction
from tests.ops.harness import Sample

rng = np.random.default_rng(21)
X = rng.normal(size=(4, 3))
P = rng.uniform(0.1, 0.9, (4, 3))
SIGNS = np.array([[1.0, -1.0, 1.0]] * 4)
STEPS = np.array([-1.0, -0.5, 0.0, 0.5, 1.0, 1.5])  # a loss with its kinks at 0, ±1 and ±1/2
AGAINST = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0])
SOME = np.array([[2, 1, -1], [0, -1, 2], [1, 1, 0], [-1, 0, 1]])  # all before the first -1 count, also twice

SAMPLES = [
    Sample(
        "hinge_embedding_loss kink",
        call("hinge_embedding_loss", AGAINST, margin=0.5, reduction="none"),
        (STEPS,),
        smooth=False,
    ),
    Sample(
        "margin_ranking_loss kink", call("margin_ranking_loss", AGAINST, margin=0.5), (STEPS, np.zeros(6)), smooth=False
    ),
    *each_reduction("soft_margin_loss", "soft_margin_loss", (X,), SIGNS),
    Sample("soft_margin_loss broadcast", call("soft_margin_loss", SIGNS[0]), (X,)),
    Sample(
        "multi_margin_loss kink",
        call("multi_margin_loss", np.array(4), margin=0.5),
        (STEPS,),
        second=False,
        smooth=False,
    ),
    Sample(
        "multi_margin_loss squared",
        call("multi_margin_loss", np.array([0, 2, 1, 1]), p=2, weight=P[0]),
        (X,),
        second=False,
    ),
    *each_reduction("multilabel_margin_loss", "multilabel_margin_loss", (X,), SOME, second=False),
    Sample(
        "multilabel_margin_loss kink",
        call("multilabel_margin_loss", np.array([4, 2, -1, 0, 0, 0])),
        (STEPS,),
        second=False,
        smooth=False,
    ),
    Sample("multilabel_soft_margin_loss weight", call("multilabel_soft_margin_loss", P, weight=P[0]), (X,)),
]
