"""Samples of losses and distances: what PyTorch's own samples miss, kinks above all."""

import numpy as np

from tests.ops.harness import Sample
from tests.ops.samples_functional import call, each_reduction

rng = np.random.default_rng(21)
X = rng.normal(size=(4, 3))
Y = rng.normal(size=(4, 3))
P = rng.uniform(0.1, 0.9, (4, 3))
SIGNS = np.array([[1.0, -1.0, 1.0]] * 4)
STEPS = np.array([-1.0, -0.5, 0.0, 0.5, 1.0, 1.5])  # a loss with its kinks at 0, ±1 and ±1/2
AGAINST = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0])
SOME = np.array([[2, 1, -1], [0, -1, 2], [1, 1, 0], [-1, 0, 1]])  # all before the first -1 count, also twice
EQUAL = np.array([[0.0, 1.0], [0.0, 1.0], [2.0, 2.0]])
LOG_PROBS = np.log(rng.dirichlet(np.ones(5), (6, 3)))
WORDS = np.array([[1, 2], [3, 3], [4, 0]])
MANY = rng.normal(size=(30, 2))


def cdist(**options):
    return lambda T, x, y: T.cdist(x, y, **options)


def ctc(lengths, sizes, *, targets=WORDS, **options):
    def f(T, x):
        return T.nn.functional.ctc_loss(x, T.from_numpy(targets), T.tensor(lengths), T.tensor(sizes), **options)

    return f


def in_chunks(size, **options):
    def f(T, x, weight, bias):
        chunks = T.nn.LinearCrossEntropyOptions(batch_chunk_size=size)
        labels = T.tensor([0, 4, -100, 2])
        return T.nn.functional.linear_cross_entropy(x, weight, labels, linear_bias=bias, options=chunks, **options)

    return f


SAMPLES = [
    Sample("smooth_l1_loss kinks", call("smooth_l1_loss", reduction="none"), (STEPS, np.zeros(6)), smooth=False),
    Sample(
        "smooth_l1_loss beta 0", call("smooth_l1_loss", reduction="none", beta=0), (STEPS, np.zeros(6)), smooth=False
    ),
    Sample("huber_loss kinks", call("huber_loss", reduction="none", delta=0.5), (STEPS, np.zeros(6)), smooth=False),
    Sample("huber_loss weight", call("huber_loss", weight=P, delta=0.5), (X, Y)),
    *each_reduction("mse_loss weight", "mse_loss", (X, Y), weight=P),
    Sample("l1_loss weight", call("l1_loss", weight=P), (X, Y)),
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
    Sample("kl_div 0-d", call("kl_div", reduction="batchmean"), (np.array(-1.0), np.array(0.5))),
    Sample("poisson_nll_loss full", call("poisson_nll_loss", np.array([0.5, 1.0, 4.0]), full=True), (X,)),
    Sample("gaussian_nll_loss number", call("gaussian_nll_loss", 2.0, full=True), (X, Y)),
    # the derivative by a variance that was raised is that of the formula
    Sample("gaussian_nll_loss raised", call("gaussian_nll_loss", eps=0.4), (X, Y, P), smooth=False),
    Sample("triplet_margin_loss swap", call("triplet_margin_loss", swap=True, p=1.5), (X, Y, P)),
    Sample(
        "cosine_embedding_loss zeros",
        call("cosine_embedding_loss", np.array([1, -1])),
        (np.zeros((2, 3)), X[:2]),
        smooth=False,
    ),
    Sample(
        "cosine_similarity zeros",
        lambda T, x, y: T.cosine_similarity(x, y, 0),
        (np.zeros(3), X[0]),
        second=False,
        smooth=False,
    ),
    Sample("cosine_similarity broadcast", lambda T, x, y: T.cosine_similarity(x, y, dim=-1), (X, Y[:, None])),
    *[
        Sample(f"cdist equal rows, p={p}", cdist(p=p), (EQUAL, EQUAL[:2]), second=False, smooth=False)
        for p in (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, np.inf)
    ],
    Sample("cdist batches", cdist(p=3.0), (X.reshape(2, 1, 2, 3), Y), second=False),
    Sample("cdist by a product", cdist(compute_mode="use_mm_for_euclid_dist"), (X, Y)),
    Sample("cdist many rows", cdist(), (MANY, MANY[:3] + 1.0)),
    Sample("cdist no columns", cdist(), (np.zeros((2, 0)), np.zeros((3, 0))), second=False),
    *[
        Sample(f"pdist equal rows, p={p}", lambda T, x, p=p: T.pdist(x, p), (EQUAL,), second=False, smooth=False)
        for p in (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, np.inf)
    ],
    Sample("pairwise_distance inf", lambda T, x, y: T.pairwise_distance(x, y, p=np.inf, keepdim=True), (X, Y[0])),
    # the gradient of ctc_loss is that by the scores, so a log_softmax is part of a sample with differences
    Sample("ctc_loss", lambda T, x: ctc([6, 5, 4], [2, 2, 1])(T, x.log_softmax(2)), (LOG_PROBS + 1.0,), second=False),
    Sample(
        "ctc_loss impossible", ctc([6, 2, 1], [2, 2, 1], reduction="none"), (LOG_PROBS,), second=False, smooth=False
    ),
    Sample(
        "ctc_loss zero_infinity",
        ctc([6, 2, 0], [2, 2, 1], zero_infinity=True),
        (LOG_PROBS,),
        second=False,
        smooth=False,
    ),
    Sample(
        "ctc_loss no time, no target",
        ctc([0, 6, 6], [0, 0, 1], blank=2, targets=WORDS[2, :1]),
        (LOG_PROBS,),
        second=False,
        smooth=False,
    ),
    Sample("linear_cross_entropy chunks", in_chunks(3), (X, rng.normal(size=(5, 3)), rng.normal(size=5)), second=False),
    Sample(
        "linear_cross_entropy chunks each",
        in_chunks(1, reduction="none"),
        (X, rng.normal(size=(5, 3)), rng.normal(size=5)),
        second=False,
    ),
]
