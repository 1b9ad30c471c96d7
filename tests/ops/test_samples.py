"""The checks that hold for every op, on every sample of every family."""

import numpy as np
import pytest
import torch

import autograd_core as ac
from tests.ops.harness import (
    assert_same,
    floating,
    laid_out_otherwise,
    leaves,
    samples,
    second_backward,
    second_order,
    seeds_for,
    vjp,
)

ALL = samples()
WITH_GRADIENTS = [s for s in ALL if s.grad]


def over(some):
    return pytest.mark.parametrize("sample", some, ids=lambda s: s.name)


def outputs_of(T, sample, arrays):
    return sample.function(T)(*leaves(T, arrays))


def single(arrays):
    return [a.astype(np.float32) if a.dtype == np.float64 else a for a in arrays]


def test_sample_names_are_unique():
    names = [s.name for s in ALL]
    assert sorted(names) == sorted(set(names))


@over(ALL)
def test_values_are_those_of_torch(sample):
    got, wanted = outputs_of(ac, sample, sample.inputs), outputs_of(torch, sample, sample.inputs)
    assert_same(got, wanted, "value")
    if sample.grad:
        tracked = [[getattr(o, "requires_grad", None) for o in outputs] for outputs in (got, wanted)]
        assert tracked[0] == tracked[1], "requires_grad of the outputs"


@over(WITH_GRADIENTS)
def test_gradients_are_those_of_torch(sample):
    seeds = seeds_for(outputs_of(torch, sample, sample.inputs), sample.generator())
    assert_same(vjp(ac, sample, sample.inputs, seeds), vjp(torch, sample, sample.inputs, seeds), "gradient")


@over([s for s in WITH_GRADIENTS if s.smooth])
def test_gradients_are_those_of_central_differences(sample):
    def tracked(*tensors):
        return tuple(floating(sample.function(ac)(*tensors)))

    assert ac.autograd.gradcheck(tracked, leaves(ac, sample.inputs))


@over([s for s in WITH_GRADIENTS if s.second])
def test_second_order_is_that_of_torch(sample):
    rng = sample.generator()
    seeds = seeds_for(outputs_of(torch, sample, sample.inputs), rng)
    weights = [rng.uniform(0.5, 1.5, a.shape) for a in sample.inputs if a.dtype.kind == "f"]
    assert_same(
        second_order(ac, sample, sample.inputs, seeds, weights),
        second_order(torch, sample, sample.inputs, seeds, weights),
        "second order",
    )


@over(ALL)
def test_float32_stays_float32(sample):
    arrays = single(sample.inputs)
    got, wanted = outputs_of(ac, sample, arrays), outputs_of(torch, sample, arrays)
    assert_same(got, wanted, "value")
    if floating(wanted) and sample.grad:
        seeds = seeds_for(wanted, sample.generator())
        assert_same(vjp(ac, sample, arrays, seeds), vjp(torch, sample, arrays, seeds), "gradient")


@over([s for s in ALL if any(a.ndim for a in s.inputs)])
def test_memory_layout_does_not_matter(sample):
    arrays = [laid_out_otherwise(a) for a in sample.inputs]
    wanted = outputs_of(torch, sample, sample.inputs)
    assert_same(outputs_of(ac, sample, arrays), wanted, "value")
    if sample.grad:
        seeds = seeds_for(wanted, sample.generator())
        assert_same(vjp(ac, sample, arrays, seeds), vjp(torch, sample, sample.inputs, seeds), "gradient")


@over(WITH_GRADIENTS)
def test_second_backward_raises_where_torch_raises(sample):
    assert second_backward(ac, sample, sample.inputs) == second_backward(torch, sample, sample.inputs)
