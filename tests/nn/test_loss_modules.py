"""Every loss as a module, with every reduction, against PyTorch's: values, gradients, printed form and state."""

import numpy as np
import pytest
import torch

import autograd_core as ac

RNG = np.random.default_rng(0)  # drawn once: the same numbers for all losses


def normal(*shape):
    return RNG.normal(size=shape).astype(np.float32)


def positive(*shape):
    return RNG.uniform(0.1, 0.9, shape).astype(np.float32)


X, Y, P, SIGNS = normal(4, 3), normal(4, 3), positive(4, 3), np.where(normal(4, 3) > 0, 1, -1).astype(np.float32)
BITS, CLASSES = (SIGNS > 0).astype(np.float32), np.array([0, 2, 1, 2])
CLASS_WEIGHT = np.array([1.0, 2.0, 0.5], np.float32)

# name -> a function that makes the loss from a library and a reduction; inputs that get gradients; those that do not
LOSSES = {
    "L1Loss": (lambda T, **r: T.nn.L1Loss(**r), [X, Y], []),
    "MSELoss": (lambda T, **r: T.nn.MSELoss(**r), [X, Y], []),
    "SmoothL1Loss": (lambda T, **r: T.nn.SmoothL1Loss(beta=0.7, **r), [X, Y], []),
    "HuberLoss": (lambda T, **r: T.nn.HuberLoss(delta=0.7, **r), [X, Y], []),
    "KLDivLoss": (lambda T, **r: T.nn.KLDivLoss(**r), [np.log(P), P[::-1].copy()], []),
    "KLDivLoss, log_target": (lambda T, **r: T.nn.KLDivLoss(log_target=True, **r), [np.log(P), -P], []),
    "PoissonNLLLoss": (lambda T, **r: T.nn.PoissonNLLLoss(full=True, **r), [X], [3 * P]),
    "PoissonNLLLoss, of the rate": (lambda T, **r: T.nn.PoissonNLLLoss(log_input=False, eps=1e-3, **r), [P], [P]),
    "GaussianNLLLoss": (lambda T, **r: T.nn.GaussianNLLLoss(full=True, eps=1e-3, **r), [X, Y, P], []),
    "NLLLoss": (lambda T, **r: T.nn.NLLLoss(T.tensor(CLASS_WEIGHT), ignore_index=1, **r), [X], [CLASSES]),
    "CrossEntropyLoss": (
        lambda T, **r: T.nn.CrossEntropyLoss(T.tensor(CLASS_WEIGHT), label_smoothing=0.1, **r),
        [X],
        [CLASSES],
    ),
    "CrossEntropyLoss, ignoring": (lambda T, **r: T.nn.CrossEntropyLoss(ignore_index=2, **r), [X], [CLASSES]),
    "BCELoss": (lambda T, **r: T.nn.BCELoss(T.tensor(CLASS_WEIGHT), **r), [P], [BITS]),
    "BCEWithLogitsLoss": (
        lambda T, **r: T.nn.BCEWithLogitsLoss(T.tensor(P), pos_weight=T.tensor(CLASS_WEIGHT), **r),
        [X],
        [BITS],
    ),
    "MultiLabelSoftMarginLoss": (
        lambda T, **r: T.nn.MultiLabelSoftMarginLoss(T.tensor(CLASS_WEIGHT), **r),
        [X],
        [BITS],
    ),
    "MultiMarginLoss": (
        lambda T, **r: T.nn.MultiMarginLoss(p=2, margin=0.5, weight=T.tensor(CLASS_WEIGHT), **r),
        [X],
        [CLASSES],
    ),
    "MultiLabelMarginLoss": (
        lambda T, **r: T.nn.MultiLabelMarginLoss(**r),
        [X],
        [np.array([[0, -1, 1], [2, 1, -1], [-1, 0, 0], [0, 1, 2]])],
    ),
    "SoftMarginLoss": (lambda T, **r: T.nn.SoftMarginLoss(**r), [X], [SIGNS]),
    "HingeEmbeddingLoss": (lambda T, **r: T.nn.HingeEmbeddingLoss(margin=0.4, **r), [X], [SIGNS]),
    "MarginRankingLoss": (lambda T, **r: T.nn.MarginRankingLoss(margin=0.4, **r), [X, Y], [SIGNS]),
    "CosineEmbeddingLoss": (lambda T, **r: T.nn.CosineEmbeddingLoss(margin=-0.4, **r), [X, Y], [SIGNS[:, 0].copy()]),
    "TripletMarginLoss": (lambda T, **r: T.nn.TripletMarginLoss(2.0, p=3.0, swap=True, **r), [X, Y, P], []),
    "TripletMarginWithDistanceLoss": (
        lambda T, **r: T.nn.TripletMarginWithDistanceLoss(margin=3.0, swap=True, **r),
        [X, Y, P],
        [],
    ),
    "CTCLoss": (
        lambda T, **r: T.nn.CTCLoss(blank=1, zero_infinity=True, **r),
        [np.log(P.reshape(4, 1, 3))],
        [np.array([[2, 0]]), np.array([4]), np.array([2])],
    ),
}


@pytest.mark.parametrize("reduction", ["mean", "sum", "none", "batchmean"])
@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.filterwarnings("ignore:reduction. 'mean'.*divides:UserWarning", "ignore:.*'batchmean'.*:UserWarning")
def test_a_loss_is_that_of_torch(name, reduction):
    make, inputs, constants = LOSSES[name]
    if reduction == "batchmean" and "KLDiv" not in name:
        for T in (ac, torch):
            with pytest.raises(ValueError, match="batchmean"):
                make(T, reduction=reduction)(*[T.tensor(x) for x in (*inputs, *constants)])
        return
    found = []
    for T in (ac, torch):
        loss = make(T, reduction=reduction)
        leaves = [T.tensor(x, requires_grad=True) for x in inputs]
        out = loss(*leaves, *[T.tensor(x) for x in constants])
        out.backward(T.arange(1.0, 1 + out.numel()).reshape(out.shape))
        found.append([out.detach().numpy(), *(leaf.grad.numpy() for leaf in leaves)])
    for ours, theirs in zip(*found):
        assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
        assert np.abs(ours - theirs).max() <= 1e-5 * max(np.abs(theirs).max(), 1e-30)
    assert repr(make(ac)) == repr(make(torch))
    assert list(make(ac).state_dict()) == list(make(torch).state_dict())


@pytest.mark.parametrize("options", [{}, {"bias": True, "reduction": "sum"}, {"out_features": (2,)}])
def test_a_linear_layer_and_its_loss_in_one(options):
    theirs, ours = (T.nn.LinearCrossEntropyLoss(3, 5, weight=T.ones(5) * 2, **options) for T in (torch, ac))
    assert repr(ours) == repr(theirs)
    ours.load_state_dict(theirs.state_dict())
    shape = (4, *options.get("out_features", ()))
    target = np.arange(np.prod(shape)).reshape(shape) % 5
    found = []
    for T, module in ((ac, ours), (torch, theirs)):
        loss = module(T.tensor(X), T.tensor(target))
        loss.backward()
        found.append([loss.detach().numpy(), *(p.grad.numpy() for p in module.parameters())])
    for a, b in zip(*found):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
    for T in (ac, torch):
        with pytest.raises(RuntimeError, match="weight shape"):
            T.nn.LinearCrossEntropyLoss(3, 5, weight=T.ones(3))
        with pytest.raises(RuntimeError, match="label_smoothing"):
            T.nn.LinearCrossEntropyLoss(3, 5, label_smoothing=2.0)


def test_weights_of_a_loss_are_converted_and_saved_with_it():
    model = ac.nn.Sequential(ac.nn.BCEWithLogitsLoss(ac.ones(2), pos_weight=ac.ones(2))).double()
    assert {name: value.dtype for name, value in model.state_dict().items()} == {
        "0.weight": ac.float64,
        "0.pos_weight": ac.float64,
    }


# -- a softmax over many classes


@pytest.mark.parametrize("cutoffs, bias", [([5, 10, 15], True), ([2], False)])
@pytest.mark.parametrize("batched", [True, False])
def test_adaptive_softmax_is_that_of_torch(cutoffs, bias, batched):
    print("seed 1")
    theirs = torch.nn.AdaptiveLogSoftmaxWithLoss(8, 20, cutoffs, 2.0, bias).double()
    ours = ac.nn.AdaptiveLogSoftmaxWithLoss(8, 20, cutoffs, 2.0, bias).double()
    ours.load_state_dict(theirs.state_dict())
    random = np.random.default_rng(1)
    x, y = random.normal(size=(40, 8)), random.integers(0, 20, 40)
    if not batched:
        x, y = x[0], y[0]
    found = []
    for T, model in ((ac, ours), (torch, theirs)):
        output, loss = model(T.tensor(x), T.tensor(y))
        loss.backward()
        grads = [None if p.grad is None else p.grad.tolist() for p in model.parameters()]
        rows = T.tensor(x if batched else x[None])
        found.append((output, loss, grads, model.log_prob(rows).exp().sum(1), model.predict(rows)))
    for mine, torchs in zip(found[0][:2], found[1][:2]):
        np.testing.assert_allclose(mine.detach().numpy(), torchs.detach().numpy(), rtol=1e-10)
    for (name, _), mine, torchs in zip(ours.named_parameters(), found[0][2], found[1][2]):
        assert (mine is None) == (torchs is None), name
        if mine is not None:
            np.testing.assert_allclose(mine, torchs, atol=1e-12, err_msg=name)
    np.testing.assert_allclose(found[0][3].detach().numpy(), 1.0, rtol=1e-10)
    assert found[0][4].tolist() == found[1][4].tolist()


@pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])
def test_refused_adaptive_softmaxes(T):
    make = T.nn.AdaptiveLogSoftmaxWithLoss
    for cutoffs in ([], [5, 15, 15], [5, 15, 10], [5, 25], [5, 20], [0, 5]):
        with pytest.raises(ValueError, match="cutoffs should be a sequence"):
            make(16, 20, cutoffs)
    model = make(16, 20, [5, 10])
    for x, y, words in (
        (T.ones(2, 16), T.tensor([0, 1, 2]), "Input and target should have the same size"),
        (T.ones(2, 16), T.tensor([0, 20]), "Target values should be in"),
        (T.ones(2, 16), T.tensor([[0, 2]]), "multi-target not supported"),
        (T.ones(2, 16), T.tensor(1), "0D target tensor expects 1D input"),
    ):
        with pytest.raises(RuntimeError, match=words):
            model(x, y)
