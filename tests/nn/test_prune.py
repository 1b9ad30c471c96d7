"""Pruning, on both engines: masks, what is trained and saved, and several methods one after the other."""

import numpy as np
import pytest
import torch
import torch.nn.utils.prune

import autograd_core as ac

WEIGHT = np.array([[0.5, -3.0, 1.0, 0.25], [2.0, -0.1, 0.0, 4.0], [-1.5, 0.75, 0.2, -0.3]])


def layer(T):
    made = T.nn.Linear(4, 3, dtype=T.float64)
    made.weight.data = T.tensor(WEIGHT)
    made.bias.data = T.tensor([1.1, -2.2, 0.6], dtype=T.float64)
    return made


SCORES = -WEIGHT[::-1].copy()
CALLS = {
    "identity": lambda T, P, m: P.identity(m, "weight"),
    "l1, share": lambda T, P, m: P.l1_unstructured(m, "weight", 0.4),
    "l1, number": lambda T, P, m: P.l1_unstructured(m, "weight", amount=5),
    "l1, none": lambda T, P, m: P.l1_unstructured(m, "weight", 0),
    "l1, scores": lambda T, P, m: P.l1_unstructured(m, "weight", 4, importance_scores=T.tensor(SCORES)),
    "l1, bias": lambda T, P, m: P.l1_unstructured(m, "bias", 1),
    "ln, rows": lambda T, P, m: P.ln_structured(m, "weight", 1, n=2, dim=0),
    "ln, columns": lambda T, P, m: P.ln_structured(m, "weight", 0.5, n=1, dim=-1),
    "ln, inf": lambda T, P, m: P.ln_structured(m, "weight", 2, n=float("inf"), dim=1),
    "ln, scores": lambda T, P, m: P.ln_structured(m, "weight", 1, 2, 0, importance_scores=T.tensor(SCORES)),
    "mask": lambda T, P, m: P.custom_from_mask(m, "weight", T.tensor(WEIGHT > 0)),
    "twice": lambda T, P, m: P.l1_unstructured(P.l1_unstructured(m, "weight", 3), "weight", 0.5),
    "rows, then elements": lambda T, P, m: P.l1_unstructured(P.ln_structured(m, "weight", 1, 2, 0), "weight", 2),
    "rows, then rows": lambda T, P, m: P.ln_structured(P.ln_structured(m, "weight", 1, 2, 0), "weight", 1, 2, 0),
    "three": lambda T, P, m: P.custom_from_mask(
        P.l1_unstructured(P.identity(m, "weight"), "weight", 2), "weight", T.tensor(WEIGHT < 1)
    ),
    "two parameters": lambda T, P, m: P.l1_unstructured(P.l1_unstructured(m, "weight", 2), "bias", 1),
    "global": lambda T, P, m: P.global_unstructured([(m, "weight"), (m, "bias")], P.L1Unstructured, amount=6),
    "global, scores": lambda T, P, m: P.global_unstructured(
        [(m, "weight"), (m, "bias")],
        P.L1Unstructured,
        importance_scores={(m, "weight"): T.tensor(SCORES)},
        amount=0.3,
    ),
    "removed": lambda T, P, m: P.remove(P.l1_unstructured(m, "weight", 4), "weight"),
}


def watched(T, call):
    """What a step of training with the pruned layer shows."""
    made = layer(T)
    returned = call(T, T.nn.utils.prune, made)
    assert returned is made or returned is None
    optimizer = T.optim.SGD(made.parameters(), lr=0.5)
    made(T.tensor([[1.0, 2.0, -1.0, 0.5]], dtype=T.float64)).square().sum().backward()
    gradients = {name: value.grad.tolist() for name, value in made.named_parameters()}
    optimizer.step()
    out = made(T.ones(1, 4, dtype=T.float64)).tolist()
    state = {name: value.tolist() for name, value in made.state_dict().items()}
    return gradients, out, state, made.weight.tolist(), T.nn.utils.prune.is_pruned(T.nn.Sequential(made))


@pytest.mark.parametrize("call", CALLS)
def test_a_pruned_layer_trains_as_in_torch(call):
    theirs, ours = (watched(T, CALLS[call]) for T in (torch, ac))
    for right, found in zip(theirs[:1] + theirs[2:3], ours[:1] + ours[2:3]):
        assert list(found) == list(right)
        for name in right:
            np.testing.assert_allclose(found[name], right[name], rtol=1e-12)
    np.testing.assert_allclose(ours[1], theirs[1], rtol=1e-12)
    np.testing.assert_allclose(ours[3], theirs[3], rtol=1e-12)
    assert ours[4] == theirs[4]


@pytest.mark.parametrize("amount, pruned", [(5, 5), (0.25, 3), (0, 0), (1.0, 12)])
def test_random_pruning_takes_as_many_as_asked_for(T, amount, pruned):
    made = T.nn.utils.prune.random_unstructured(layer(T), "weight", amount)
    assert (made.weight_mask == 0).sum().item() == pruned
    rows = T.nn.utils.prune.random_structured(layer(T), "weight", 1, dim=0)
    assert sorted(rows.weight_mask.sum(1).tolist()) == [0.0, 4.0, 4.0]


def test_methods_collect_in_a_container(T):
    prune, made = T.nn.utils.prune, layer(T)
    first = prune.L1Unstructured.apply(made, "weight", 1)
    both = prune.LnStructured.apply(made, "weight", 1, 2, 0)
    assert isinstance(both, prune.PruningContainer) and next(iter(both)) is first and len(both) == 2
    assert isinstance(both[1], prune.LnStructured) and len(made._forward_pre_hooks) == 1
    with pytest.raises(TypeError, match="is not a BasePruningMethod"):
        both.add_pruning_method("l1")
    with pytest.raises(ValueError, match="Can only add pruning methods acting on the parameter named 'weight'"):
        both.add_pruning_method(prune.Identity.apply(layer(T), "bias"))


def test_a_method_prunes_a_tensor_without_a_module(T):
    t = T.tensor([3.0, -1.0, 2.0])
    assert T.nn.utils.prune.L1Unstructured(1).prune(t).tolist() == [3.0, 0.0, 2.0]
    method = T.nn.utils.prune.L1Unstructured(amount=2)
    assert method.prune(t, importance_scores=T.tensor([1.0, 3.0, 2.0])).tolist() == [0.0, -1.0, 0.0]
    assert T.nn.utils.prune.L1Unstructured(1).prune(t, default_mask=T.tensor([0.0, 1.0, 1.0])).tolist() == [0, 0, 2]


REFUSED = {
    "word": (TypeError, "Invalid type for amount", lambda P, m: P.l1_unstructured(m, "weight", "half")),
    "negative": (ValueError, "non-negative integer", lambda P, m: P.l1_unstructured(m, "weight", -1)),
    "share": (ValueError, "in the range", lambda P, m: P.random_unstructured(m, "weight", 1.5)),
    "too many": (ValueError, "amount=20 should be smaller", lambda P, m: P.l1_unstructured(m, "weight", 20)),
    "vector": (ValueError, "multidimensional", lambda P, m: P.ln_structured(m, "bias", 1, 2, 0)),
    "axis": (IndexError, "Invalid index 2", lambda P, m: P.random_structured(m, "weight", 1, 2)),
    "no parameter": (AttributeError, "no attribute", lambda P, m: P.identity(m, "kernel")),
    "not pruned": (ValueError, "has to be pruned before", lambda P, m: P.remove(m, "weight")),
    "global type": (
        TypeError,
        'Only "unstructured"',
        lambda P, m: P.global_unstructured([(m, "weight")], P.LnStructured, amount=1, n=2),
    ),
    "global scores": (
        TypeError,
        "must be of type dict",
        lambda P, m: P.global_unstructured([(m, "weight")], P.L1Unstructured, [1], amount=1),
    ),
    "global pairs": (
        TypeError,
        "not an Iterable",
        lambda P, m: P.global_unstructured(3, P.L1Unstructured, amount=1),
    ),
    "mask": (
        AssertionError,
        "must match",
        lambda P, m: P.custom_from_mask(m, "weight", m.bias.detach()),
    ),
    "scores": (
        AssertionError,
        "same shape",
        lambda P, m: P.l1_unstructured(m, "weight", 1, importance_scores=m.bias),
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_pruned_is_refused_and_nothing_changes(T, case):
    kind, words, call = REFUSED[case]
    made = layer(T)
    with pytest.raises(kind, match=words):
        call(T.nn.utils.prune, made)
    assert sorted(made.state_dict()) == ["bias", "weight"] and not made._forward_pre_hooks


def test_a_second_method_that_fails_leaves_the_first():
    prune, made = ac.nn.utils.prune, layer(ac)
    method = prune.L1Unstructured.apply(made, "weight", 2)
    before = made.weight_mask.tolist()
    with pytest.raises(ValueError, match="amount=50"):
        prune.l1_unstructured(made, "weight", 50)
    assert list(made._forward_pre_hooks.values()) == [method] and made.weight_mask.tolist() == before
