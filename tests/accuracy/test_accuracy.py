"""Every elementwise op against mpmath: values, first and second derivatives, in all three floating types."""

import json
import math

import numpy as np
import pytest
import torch

import autograd_core as ac
from tests.conformance.examiner import CLAIMED, named

from .claims import EXCUSED, EXCUSED_WHOLE, MOST, WORSE
from .conftest import RECORD
from .functions import LEFT_OUT, ONE, TWO
from .measure import KINDS, computed, in_library, largest_errors

pytestmark = pytest.mark.filterwarnings("ignore")
FUNCTIONS = {f.name: f for f in (*ONE, *TWO)}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_are_those_of_mathematics(name, whole, record_property):
    f, excused, found = FUNCTIONS[name], EXCUSED | (EXCUSED_WHOLE if whole else {}), {}
    for kind in KINDS:
        ours, theirs = (largest_errors(T, f, kind, whole) for T in (ac, torch))
        for order, (error, at) in ours.items():
            torch_s = math.inf if theirs is None else theirs[order][0]
            found.setdefault(order, []).append((error, torch_s))
            assert error <= MOST or (name, order) in excused, f"{kind}, {order}: {error:.3g} ulp at {at}"
            near_torch = error <= MOST * max(1.0, torch_s) or (name, order) in WORSE
            assert near_torch, f"{kind}, {order}: {error:.3g} ulp at {at}, and PyTorch {torch_s:.3g}"
        record_property(kind, {order: [error, theirs and theirs[order][0]] for order, (error, _) in ours.items()})
    for order, errors in found.items():
        is_stale = (name, order) in EXCUSED and max(error for error, _ in errors) <= MOST
        assert not is_stale, f"{order} keeps within {MOST} ulp: strike it out of the claims"
        is_worse = any(error > MOST * max(1.0, torch_s) for error, torch_s in errors)
        assert is_worse or (name, order) not in WORSE, f"{order} is near PyTorch: strike it out of the claims"


def test_claims_are_of_what_is_measured():
    assert {name for name, _ in (*EXCUSED, *WORSE, *EXCUSED_WHOLE)} <= set(FUNCTIONS)


def elementwise_entries():
    """The entries of PyTorch's database that are one elementwise row here, without their variants."""
    for op in CLAIMED.values():
        try:
            row = getattr(named(op.name), "primitive", None)
        except AttributeError:
            continue
        if row is not None and row.kind == "elementwise":
            yield op.name


def test_every_elementwise_op_is_measured_or_has_its_reason():
    operators = {"__radd__", "__rmul__", "__rsub__"}  # of add, mul and sub
    assert set(elementwise_entries()) - operators <= {f.path for f in FUNCTIONS.values()} | set(LEFT_OUT)


LIMITS = [math.inf, -math.inf, math.nan]
# Where PyTorch has a number and this NaN, since the value is NaN there: op -> (order, point).
OWN_LIMITS = {
    **{name: {("first", math.nan)} for name in ("logit (0.25,)", "special.i1", "special.i1e", "abs")},
}


@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("name", [f.name for f in ONE])
def test_at_infinities_and_nan_results_are_those_of_torch(name, kind):
    f = FUNCTIONS[name]
    ours, theirs = (computed(T, f, [(x,) for x in LIMITS], kind) for T in (ac, torch))
    for order in ("value", "first") if theirs else ():
        for x, a, b in zip(LIMITS, ours[order], theirs[order]):
            if (order, str(x)) in {(o, str(p)) for o, p in OWN_LIMITS.get(name, ())}:
                assert math.isnan(a)
            elif not (math.isnan(b) and not math.isnan(x)):
                assert np.array_equal(a, b, equal_nan=True) or math.isclose(a, b), f"{order} at {x}: {a}, torch has {b}"


@pytest.mark.parametrize("name", [f.name for f in ONE])
def test_a_nan_is_seen_in_every_derivative_that_torch_shows_it_in(name):
    f = FUNCTIONS[name]
    ours, theirs = (computed(T, f, [(math.nan,), (math.nan,)], "float64") for T in (ac, torch))
    for order, values in (theirs or {}).items():
        assert np.isnan(ours[order]).all() or not np.isnan(values).all(), order


def test_the_record_that_the_book_shows_is_of_these_functions():
    record = json.loads(RECORD.read_text())
    assert set(record["errors"]) == set(FUNCTIONS), "the functions have changed: run make conformance"
    assert all(in_library(ac, FUNCTIONS[name].path) for name in record["errors"])
