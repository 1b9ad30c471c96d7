"""Losses and distances where samples do not reach: refusals, warnings, zeros, and what is not differentiable."""

import numpy as np
import pytest
import torch

import autograd_core as ac
from tests.nn.test_functional import LIBRARIES, refused, z

inf = float("inf")


def F(T):
    return T.nn.functional


def int64(T, *values):
    return T.tensor(values, dtype=T.int64)


def ctc(T, targets=((1, 2), (1, 1)), steps=(5, 4), sizes=(2, 2), **options):
    """A call with one argument out of order, for log-probabilities of 5 steps, 2 rows and 4 classes."""
    return F(T).ctc_loss(z(T, 5, 2, 4), T.tensor(targets), T.tensor(steps), T.tensor(sizes), **options)


REFUSALS = {
    "mse integers": (lambda T: F(T).mse_loss(int64(T, 1), int64(T, 2)), "mse_loss", "int64", "float()"),
    "smooth_l1 integers": (lambda T: F(T).smooth_l1_loss(int64(T, 1), int64(T, 2)), "smooth_l1_loss", "int64"),
    "smooth_l1 beta": (lambda T: F(T).smooth_l1_loss(z(T, 2), z(T, 2), beta=-1.0), "negative", "-1.0"),
    "huber delta": (lambda T: F(T).huber_loss(z(T, 2), z(T, 2), delta=0), "non-positive", "0"),
    "mse weight": (lambda T: F(T).mse_loss(z(T, 2), z(T, 2), weight=T.ones(3)), "[3]", "[2]"),
    "huber weight": (lambda T: F(T).huber_loss(z(T, 2), z(T, 2), weight=T.ones(1)), "[1]", "[2]"),
    "kl_div integers": (lambda T: F(T).kl_div(z(T, 2), int64(T, 1, 2), reduction="sum"), "Integral", "int64"),
    "kl_div reduction": (lambda T: F(T).kl_div(z(T, 2), z(T, 2), reduction="batch"), "batch", "batchmean"),
    "gaussian variance": (lambda T: F(T).gaussian_nll_loss(z(T, 2), z(T, 2), -T.ones(2)), "negative"),
    "gaussian number": (lambda T: F(T).gaussian_nll_loss(z(T, 2), z(T, 2), -1.0), "negative"),
    "gaussian shape": (lambda T: F(T).gaussian_nll_loss(z(T, 4, 2), z(T, 4, 2), T.ones(4, 3)), "[4, 3]", "[4, 2]"),
    "soft_margin target": (lambda T: F(T).soft_margin_loss(z(T, 2), z(T, 2)), "target", "detach"),
    "multi_margin p": (lambda T: F(T).multi_margin_loss(z(T, 1, 3), int64(T, 0), p=3), "3"),
    "multi_margin class": (lambda T: F(T).multi_margin_loss(z(T, 1, 3), int64(T, 3)), "out of range", "3"),
    "multi_margin integers": (lambda T: F(T).multi_margin_loss(int64(T, 1, 2), int64(T, 0)), "int64"),
    "multi_margin axes": (lambda T: F(T).multi_margin_loss(z(T, 1, 2, 3), int64(T, 0)), "[1, 2, 3]"),
    "multi_margin weight": (lambda T: F(T).multi_margin_loss(z(T, 1, 3), int64(T, 0), weight=z(T, 3)), "weight"),
    "multilabel class": (lambda T: F(T).multilabel_margin_loss(z(T, 2), int64(T, 0, -2)), "out of range"),
    "multilabel dtype": (lambda T: F(T).multilabel_margin_loss(z(T, 2), T.ones(2)), "Long", "float32"),
    "multilabel_soft 0-d": (lambda T: F(T).multilabel_soft_margin_loss(T.tensor(1.0), T.tensor(1.0)), "0-d"),
    "cosine_embedding 2-d": (lambda T: F(T).cosine_embedding_loss(z(T, 2, 3), z(T, 2, 3), T.ones(2, 1)), "[2, 1]"),
    "cosine_embedding 1-d": (lambda T: F(T).cosine_embedding_loss(z(T, 3), z(T, 3), T.ones(3)), "[3]", "2D"),
    "triplet margin": (lambda T: F(T).triplet_margin_loss(z(T, 2), z(T, 2), z(T, 2), margin=0), "greater than 0"),
    "cosine_similarity dim": (lambda T: T.cosine_similarity(z(T, 3), z(T, 3)), "out of range"),
    "cosine_similarity shapes": (lambda T: T.cosine_similarity(z(T, 2, 3), z(T, 2, 4)), "[2, 3]", "[2, 4]"),
    "cosine_similarity integers": (lambda T: T.cosine_similarity(int64(T, 1), int64(T, 1), 0), "floating"),
    "cdist axes": (lambda T: T.cdist(z(T, 3), z(T, 2, 3)), "X1", "1D"),
    "cdist columns": (lambda T: T.cdist(z(T, 2, 3), z(T, 2, 4)), "X1: 3", "X2: 4"),
    "cdist batches": (lambda T: T.cdist(z(T, 2, 2, 3), z(T, 3, 2, 3)), "[2]", "[3]"),
    "cdist dtypes": (lambda T: T.cdist(z(T, 2, 3), z(T, 2, 3).double()), "float32", "float64"),
    "cdist integers": (lambda T: T.cdist(T.ones(2, 3).long(), T.ones(2, 3).long()), "X1", "int64"),
    "cdist p": (lambda T: T.cdist(z(T, 2, 3), z(T, 2, 3), -1.0), "-1.0"),
    "cdist mode": (lambda T: T.cdist(z(T, 2, 3), z(T, 2, 3), compute_mode="fast"), "fast", "use_mm_for_euclid_dist"),
    "pdist axes": (lambda T: T.pdist(z(T, 3)), "1D"),
    "pdist p": (lambda T: T.pdist(z(T, 3, 2), -1.0), "-1.0"),
    "pairwise_distance shapes": (lambda T: T.pairwise_distance(z(T, 2, 3), z(T, 2, 4)), "[2, 3]", "[2, 4]"),
    "ctc blank": (lambda T: ctc(T, blank=4), "blank", "4"),
    "ctc too long": (lambda T: ctc(T, steps=(6, 4)), "at most 5", "6"),
    "ctc negative": (lambda T: ctc(T, steps=(5, -1)), "at least 0", "-1"),
    "ctc sizes": (lambda T: ctc(T, sizes=(2, 3)), "[2, 3]", "[2, 2]"),
    "ctc batch": (lambda T: ctc(T, steps=(5, 4, 1)), "input_lengths", "3"),
    "ctc fractions": (lambda T: ctc(T, steps=(5.0, 4.0)), "input_lengths", "integral"),
    "ctc one vector": (lambda T: ctc(T, targets=(1, 2, 1)), "size 4", "size 3"),
    "ctc half": (lambda T: F(T).ctc_loss(z(T, 5, 1, 4).half(), T.tensor([[1]]), (5,), (1,)), "float16"),
    "linear_cross_entropy class": (
        lambda T: F(T).linear_cross_entropy(z(T, 1, 2), z(T, 3, 2), int64(T, 3)),
        "Target 3",
    ),
    "chunks": (lambda T: T.nn.LinearCrossEntropyOptions(batch_chunk_size=0), "batch_chunk_size", "0"),
    "chunking_method": (lambda T: T.nn.LinearCrossEntropyOptions(chunking_method="ratio"), "ratio"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals_have_the_type_of_torch_and_name_the_values(name):
    call, *words = REFUSALS[name]
    assert refused(call, ac, *words) == refused(call, torch)


@LIBRARIES
@pytest.mark.parametrize("name", ["l1_loss", "smooth_l1_loss", "huber_loss"])
def test_unequal_sizes_warn_and_broadcast(T, name):
    with pytest.warns(UserWarning, match="different to the input size"):
        losses = getattr(F(T), name)(T.zeros(3, 1), T.ones(2), reduction="none")
    assert losses.shape == (3, 2)


@LIBRARIES
def test_the_mean_of_kl_div_warns_that_it_is_not_the_divergence(T):
    with pytest.warns(UserWarning, match="'batchmean' divides only by the batch size"):
        F(T).kl_div(T.zeros(2), T.ones(2))


@LIBRARIES
def test_kl_div_of_a_probability_of_zero(T):
    """0 log 0 is 0; its derivative by the target is not finite."""
    logp = T.tensor([-1.0, -2.0], requires_grad=True)
    target = T.tensor([0.0, 1.0], requires_grad=True)
    with np.errstate(all="ignore"):
        losses = F(T).kl_div(logp, target, reduction="none")
        losses.sum().backward()
    assert losses.tolist() == [0.0, 2.0] and logp.grad.tolist() == [0.0, -1.0]
    assert np.isnan(target.grad.tolist()[0]) and target.grad.tolist()[1] == 3.0


@LIBRARIES
def test_the_target_of_a_poisson_loss_may_be_zero(T):
    rate = T.tensor([0.0, 0.0], requires_grad=True)
    with np.errstate(all="ignore"):
        losses = F(T).poisson_nll_loss(rate, T.tensor([0.0, 1.0]), full=True, reduction="none")
        losses.sum().backward()
    assert losses.tolist() == [1.0, 1.0] and rate.grad.tolist() == [1.0, 0.0]


def test_soft_margin_loss_does_not_overflow():
    """exp(1000) does; PyTorch's loss there is infinite and its gradient NaN."""
    x = ac.tensor([-1000.0, 1000.0], requires_grad=True)
    losses = F(ac).soft_margin_loss(x, ac.ones(2), reduction="none")
    losses.sum().backward()
    assert losses.tolist() == [1000.0, 0.0] and x.grad.tolist() == [-1.0, 0.0]


@LIBRARIES
def test_a_second_derivative_of_ctc_loss_is_refused(T):
    scores = z(T, 5, 1, 4)
    loss = F(T).ctc_loss(scores.log_softmax(2), T.tensor([[1, 2]]), (5,), (2,))
    (first,) = T.autograd.grad(loss, scores, create_graph=True)
    with pytest.raises(RuntimeError, match="not implemented"):
        first.sum().backward()


def test_ctc_loss_sums_the_probabilities_of_all_alignments():
    """Every way to label 4 steps with 3 classes, with repetitions and then blanks taken out."""
    rng = np.random.default_rng(3)
    p = rng.dirichlet(np.ones(3), 4)
    for target in ([], [1], [1, 2], [1, 1], [2, 1, 2]):
        total = 0.0
        for path in np.ndindex(*[3] * 4):
            kept = [a for a, before in zip(path, (None, *path)) if a != before and a != 0]
            total += np.prod(p[np.arange(4), path]) if kept == target else 0.0
        loss = F(ac).ctc_loss(
            ac.tensor(np.log(p)), ac.tensor(target, dtype=ac.int64), (4,), (len(target),), reduction="sum"
        )
        np.testing.assert_allclose(np.exp(-loss.item()), total, rtol=1e-12)


@pytest.mark.parametrize("method", [None, "aspect_ratio", "aspect_ratio:3", "auto"])
def test_chunks_do_not_change_a_linear_cross_entropy(method):
    rng = np.random.default_rng(4)
    x, w = (ac.tensor(rng.normal(size=size), requires_grad=True) for size in ((7, 3), (20, 3)))
    labels = ac.tensor(rng.integers(0, 20, 7))
    options = ac.nn.LinearCrossEntropyOptions(chunking_method=method)
    results = []
    for chosen in (None, options):
        loss = F(ac).linear_cross_entropy(x, w, labels, options=chosen)
        first = ac.autograd.grad(loss, (x, w), create_graph=True)
        second = ac.autograd.grad((first[0] ** 2).sum() + (first[1] ** 2).sum(), (x, w))
        results.append([loss.item(), *[g.detach().numpy() for g in (*first, *second)]])
    for whole, chunked in zip(*results):
        np.testing.assert_allclose(chunked, whole, rtol=1e-10, atol=1e-13)


@LIBRARIES
def test_options_that_cannot_be_used_warn(T):
    options = T.nn.LinearCrossEntropyOptions(batch_chunk_size=2)
    with pytest.warns(UserWarning, match="ignored"):
        F(T).linear_cross_entropy(z(T, 2, 3), z(T, 4, 3), T.tensor([0, 1]), label_smoothing=0.1, options=options)


@pytest.mark.parametrize("elements", [1, 40, 1 << 18])
def test_blocks_do_not_change_distances(elements, monkeypatch):
    monkeypatch.setattr("autograd_core.ops.large_arrays.CACHE", elements)
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(2, 7, 3)), rng.normal(size=(5, 3))
    found = []
    for T in (ac, torch):
        leaves = [T.tensor(a, requires_grad=True) for a in (x, y)]
        distances = T.cdist(*leaves, p=3.0)
        weights = T.arange(70.0, dtype=T.float64).reshape(2, 7, 5)
        found.append([t.detach().numpy() for t in (distances, *T.autograd.grad((distances * weights).sum(), leaves))])
    for ours, theirs in zip(*found):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)


def test_losses_of_half_precision_are_summed_in_single():
    x = ac.full((4096,), 2.0, dtype=ac.float16)
    zero = ac.zeros_like(x)
    for name in ("mse_loss", "smooth_l1_loss", "huber_loss"):
        loss = getattr(F(ac), name)(x, zero, reduction="sum")
        wanted = 4096 * {"mse_loss": 4.0, "smooth_l1_loss": 1.5, "huber_loss": 1.5}[name]
        assert loss.dtype == ac.float16 and loss.item() == wanted
