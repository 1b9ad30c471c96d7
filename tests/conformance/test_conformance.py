"""Every claimed entry of PyTorch's op database, on its own samples: values, VJPs, second order, JVPs and errors."""

import json

import numpy as np
import pytest
import torch

import autograd_core as ac

from .claims import EXCEPTIONS, LEFT_OUT
from .conftest import RECORD
from .examiner import (
    CLAIMED,
    DIFFERENTIABLE,
    Call,
    NotReal,
    array_of,
    assert_same,
    error_samples,
    floating,
    generator,
    samples,
)

pytestmark = pytest.mark.filterwarnings("ignore")  # samples reach deprecated and degenerate cases on purpose


def entries(check: str, supported=lambda op: True):
    """Parametrize a check over the claimed entries that PyTorch supports it for, less the exceptions."""
    names = [n for n, op in CLAIMED.items() if supported(op) and (n, check) not in EXCEPTIONS]
    return pytest.mark.parametrize("name", names)


def both(name, sample, wrap=None):
    """The call of a sample in autograd_core and in PyTorch."""
    return Call(ac, name, sample, wrap and wrap(ac)), Call(torch, name, sample, wrap and wrap(torch))


def random_like(outputs, rng) -> list[np.ndarray]:
    """An array of normal random numbers for each tensor."""
    return [rng.normal(size=tuple(out.shape)).astype(array_of(out).dtype) for out in outputs]


def gradients(T, outputs, inputs, seeds, **options) -> list:
    """vᵀJ for each input."""
    if not outputs:
        return [None] * len(inputs)
    return list(T.autograd.grad(outputs, inputs, seeds, allow_unused=True, **options))


@entries("values")
def test_values(name, number):
    for i, sample in enumerate(samples(name, number)):
        calls = both(name, sample)
        ours, theirs = (call.run() for call in calls)
        assert_same(ours, theirs, f"sample {i}, output", calls[1].leaves)
        assert [o.requires_grad for o in ours] == [o.requires_grad for o in theirs], f"sample {i}: requires_grad"


@entries("vjps")
def test_vjps(name, number):
    for i, sample in enumerate(samples(name, number)):
        rng, results, seeds = generator(name, i), [], None
        for call in reversed(both(name, sample)):
            outputs = floating(call.run())
            seeds = random_like(outputs, rng) if seeds is None else seeds
            results.append(gradients(call.T, outputs, call.leaves, [call.T.from_numpy(v) for v in seeds]))
        assert_same(results[1], results[0], f"sample {i}, gradient", call.leaves)


@entries("second_order", lambda op: op.supports_gradgrad)
def test_second_order(name, number):
    for i, sample in enumerate(samples(name, number)):
        rng, results, seeds, weights = generator(name, i), [], None, None
        for call in reversed(both(name, sample)):
            outputs = floating(call.run())
            seeds = random_like(outputs, rng) if seeds is None else seeds
            vs = [call.T.from_numpy(v.copy()).requires_grad_() for v in seeds]
            first = gradients(call.T, outputs, call.leaves, vs, create_graph=True)
            weights = [None if g is None else random_like([g], rng)[0] for g in first] if weights is None else weights
            pairs = [(g, call.T.from_numpy(w)) for g, w in zip(first, weights) if g is not None and g.requires_grad]
            inputs = [*call.leaves, *vs]
            second = gradients(call.T, [g for g, _ in pairs], inputs, [w for _, w in pairs])
            results.append([g if g is not None else call.T.zeros_like(x) for g, x in zip(second, inputs)])
        assert_same(results[1], results[0], f"sample {i}, second gradient", call.leaves)


def pushed(T, name, sample, directions, rng):
    """The tangents of the outputs, zeros where there is none, and the directions, drawn where they are None."""
    forward_ad = T.autograd.forward_ad
    drawn = iter(directions) if directions is not None else None
    used = []

    def dual(x):
        x = x.detach()
        direction = next(drawn) if drawn else random_like([x], rng)[0]
        used.append(direction)
        return forward_ad.make_dual(x, T.from_numpy(direction))

    with forward_ad.dual_level():
        outputs = [o for o in Call(T, name, sample, dual).run() if o.is_floating_point()]
        unpacked = [forward_ad.unpack_dual(o) for o in outputs]
        return [T.zeros_like(p) if t is None else t for p, t in unpacked], used


@entries("jvps", lambda op: op.supports_forward_ad)
def test_jvps(name, number):
    for i, sample in enumerate(samples(name, number)):
        rng = generator(name, i)
        ours, directions = pushed(ac, name, sample, None, rng)
        theirs, _ = pushed(torch, name, sample, directions, rng)
        assert_same(ours, theirs, f"sample {i}, tangent", [ac.from_numpy(v) for v in directions])


@entries("adjoint")
def test_adjoint(name, number):
    """Forward and reverse mode are transposes: ⟨u, J v⟩ = ⟨Jᵀ u, v⟩."""
    for i, sample in enumerate(samples(name, number)):
        rng = generator(name, i)
        tangents, directions = pushed(ac, name, sample, None, rng)
        call = Call(ac, name, sample)
        outputs = [o for o in call.run() if o.is_floating_point()]
        seeds = random_like(outputs, rng)
        pairs = [(o, ac.from_numpy(u)) for o, u in zip(outputs, seeds) if o.requires_grad]
        pulled = gradients(ac, [o for o, _ in pairs], call.leaves, [u for _, u in pairs])
        left = [u * array_of(t) for u, t in zip(seeds, tangents)]
        right = [array_of(g) * v for g, v in zip(pulled, directions) if g is not None]
        size = max(sum(np.abs(p).sum() for p in side) for side in (left, right))
        difference = sum(p.sum() for p in left) - sum(p.sum() for p in right)
        precision = max(np.finfo(array_of(x).dtype).eps for x in outputs + call.leaves)
        tolerance = max(1e-10, 16 * precision) * max(size, 1.0)
        assert not abs(difference) > tolerance, f"sample {i}: ⟨u, J v⟩ - ⟨Jᵀ u, v⟩ = {difference}"


@entries("errors", lambda op: op.error_inputs_func is not None)
def test_errors(name):
    for i, wrong in enumerate(error_samples(name)):
        if wrong.error_type is Exception or "out" in wrong.sample_input.kwargs:
            continue  # names no type of error; no function here takes out=
        try:
            call = Call(ac, name, wrong.sample_input)
        except NotReal:
            continue
        with pytest.raises(wrong.error_type):
            pytest.fail(f"sample {i} ({wrong.error_regex}) raised nothing: {call.run()}")


def test_what_is_left_out_exists():
    assert set(LEFT_OUT) <= set(DIFFERENTIABLE)
    assert {name for name, _ in EXCEPTIONS} <= set(CLAIMED)


def test_the_record_that_the_book_shows_is_of_these_claims():
    record = json.loads(RECORD.read_text())
    assert record["entries"].keys() == CLAIMED.keys() and record["left out"] == LEFT_OUT, (
        "the claims have changed since the record was made: run make conformance"
    )
    assert all(all(checks.values()) for checks in record["entries"].values())
