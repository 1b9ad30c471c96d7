"""`size_average` and `reduce`, which losses took before `reduction`: they mean here what they mean in PyTorch."""

import inspect

import numpy as np
import pytest
import torch

import autograd_core as ac

OLD = [
    {"size_average": False},
    {"size_average": True},
    {"reduce": False},
    {"reduce": True, "size_average": False},
    {"reduce": False, "size_average": False},
    {"size_average": False, "reduction": "mean"},
]
LOSSES = sorted(
    name
    for name, loss in vars(torch.nn).items()
    if name.endswith("Loss") and "size_average" in inspect.signature(loss.__init__).parameters
)
FUNCTIONS = sorted(
    name
    for name, f in vars(torch.nn.functional).items()
    if inspect.isfunction(f) and "size_average" in inspect.signature(f).parameters
)
ARGUMENTS = {
    "classes": lambda T: (T.tensor([[0.2, -1.0], [0.5, 1.5]]), T.tensor([1, 0])),
    "pairs": lambda T: (T.tensor([[0.2, 0.9]]), T.tensor([[0.7, 1.0]]), T.tensor([1.0])),
    "triplets": lambda T: (T.tensor([[0.2, 0.9]]), T.tensor([[0.7, 1.0]]), T.tensor([[1.0, 0.0]])),
    "ranks": lambda T: (T.tensor([0.2, 0.9]), T.tensor([0.7, 1.0]), T.tensor([1.0, -1.0])),
    "values": lambda T: (T.tensor([[0.2, 0.9]]), T.tensor([[0.0, 1.0]])),
    "sets": lambda T: (T.tensor([[0.2, 0.9]]), T.tensor([[1, -1]])),
}
KINDS = {
    "cross_entropy": "classes",
    "nll_loss": "classes",
    "multi_margin_loss": "classes",
    "cosine_embedding_loss": "pairs",
    "margin_ranking_loss": "ranks",
    "triplet_margin_loss": "triplets",
    "multilabel_margin_loss": "sets",
}


@pytest.mark.parametrize("old", OLD, ids=str)
@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.filterwarnings("ignore:reduction. 'mean' divides:UserWarning")
def test_a_function_reduces_as_it_was_told_in_the_old_way(name, old):
    def value(T):
        with pytest.warns(UserWarning, match="size_average and reduce args will be deprecated, please use reduction="):
            return getattr(T.nn.functional, name)(*ARGUMENTS[KINDS.get(name, "values")](T), **old)

    np.testing.assert_allclose(value(ac).numpy(), value(torch).numpy(), rtol=1e-5)


@pytest.mark.parametrize("old", OLD, ids=str)
@pytest.mark.parametrize("name", LOSSES)
def test_a_module_keeps_the_reduction_that_is_meant(name, old):
    def reduction(T):
        with pytest.warns(UserWarning, match="size_average and reduce args will be deprecated, please use reduction="):
            return getattr(T.nn, name)(**old).reduction

    assert reduction(ac) == reduction(torch)


def test_without_them_nothing_is_said(T):
    assert T.nn.MSELoss(size_average=None, reduce=None).reduction == "mean"
    assert T.nn.functional.mse_loss(T.ones(2), T.zeros(2), size_average=None) == 1
    with pytest.raises(TypeError):
        T.nn.HuberLoss(size_average=False)
