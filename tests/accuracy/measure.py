"""How far a result is from the right one, in units in the last place of its type."""

from __future__ import annotations

import functools
import itertools
import math

import mpmath as mp
import numpy as np

import autograd_core as ac
from tests.conformance.examiner import array_of

from .functions import Function

DIGITS = 250  # a second difference at 1e-30 takes 180 of them
KINDS = {"float16": np.float16, "float32": np.float32, "float64": np.float64}
SMALLEST = {"float16": 0.0, "float32": 0.0, "float64": 1e-30}  # what the differences can look at
MIDDLE = [0.0, 0.125, 0.5, 1.0, 1.5, 2.75, 5.0, 9.0, 20.0]
MORE = [0.03125, 0.25, 0.75, 1.25, 2.0, 3.5, 7.0, 12.5, 16.0, 29.5, 40.0, 80.0]
EXTREME = {
    "float16": [2.0**-24, 2.0**-14, 1e-3, 500.0, 60000.0],
    "float32": [1e-44, 1e-30, 1e-10, 1e-6, 1e-3, 1e4, 1e10, 1e30],
    "float64": [1e-30, 1e-20, 1e-10, 1e-8, 1e-5, 1e-3, 1e4, 1e10, 1e30],
}
PAIRS = [0.0, 0.5, 1.0, 2.75, 20.0, 1e-3, 1e4]
ORDERS = {1: ["value", "first", "second"], 2: ["value", "by x", "by y", "by x twice", "by x and y", "by y twice"]}


def points(f: Function, kind: str, whole: bool) -> list[tuple[float, ...]]:
    """Where a function is looked at: numbers of its type inside its domain, beside kinks and at all orders of size."""
    of = KINDS[kind]
    sizes = [*MIDDLE, *EXTREME[kind], *(MORE if whole else ())] if f.operands == 1 else PAIRS
    found = {float(of(sign * size)) for size in sizes for sign in (1, -1)}
    for center in map(of, (*f.kinks, *f.near)):
        step = of(1e-3)
        beside = [np.nextafter(center, of(math.inf)), np.nextafter(center, of(-math.inf)), center + step, center - step]
        found |= {float(x) for x in beside}
    low, high = f.domain
    found = {x for x in found if not 0 < abs(x) < SMALLEST[kind]}
    kept = sorted(x for x in found if low < x < high and x not in f.kinks and not (f.poles and x <= 0 and x == int(x)))
    return (
        [(x,) for x in kept]
        if f.operands == 1
        else [(x, y) for x, y in itertools.product(kept, repeat=2) if x and y and abs(x) != abs(y)]
    )


@functools.cache
def reference(f: Function, at: tuple[float, ...], order: str):
    """The value or a derivative at a point, by central differences with many digits; None where there is none.

    What is no larger than the rounding of a difference is 0.
    """
    with mp.workdps(DIGITS):
        x = [mp.mpf(v) for v in at]
        steps = [min(abs(v), 1) * mp.mpf(10) ** -25 or mp.mpf(10) ** -40 for v in x]

        def moved(*by):
            return f.exact(*[v + k * h for v, k, h in zip(x, by, steps)])

        try:
            value = mp.re(f.exact(*x))
            if order == "value":
                return value
            if order == "by x and y":
                total, step = moved(1, 1) - moved(1, -1) - moved(-1, 1) + moved(-1, -1), 4 * steps[0] * steps[1]
            else:
                axis = 1 if "by y" in order else 0
                unit = [int(k == axis) for k in range(len(x))]
                above, below = moved(*unit), moved(*[-k for k in unit])
                if order in ("first", "by x", "by y"):
                    total, step = above - below, 2 * steps[axis]
                else:
                    total, step = above - 2 * value + below, steps[axis] ** 2
            return mp.re(total / step) if abs(total) > abs(value) * mp.mpf(10) ** (10 - DIGITS) else mp.mpf(0)
        except (ValueError, ZeroDivisionError):
            return None


def error(got: float, right, kind: str) -> float:
    """The distance in units in the last place of the right number; infinite for a NaN and for a false infinity."""
    limits = np.finfo(KINDS[kind])
    if right is None or mp.isnan(right):
        return 0.0
    if math.isnan(got):
        return math.inf
    if abs(right) >= mp.mpf(float(limits.max)) * (1 + mp.mpf(float(limits.eps)) / 4):
        return 0.0 if abs(got) >= float(limits.max) and (got > 0) == (right > 0) else math.inf
    if math.isinf(got):
        return math.inf
    exponent = max(mp.frexp(right)[1] - 1 if right else limits.minexp, limits.minexp)
    return float(abs(mp.mpf(got) - right) / mp.ldexp(1, int(exponent - limits.nmant)))


def in_library(T, path: str):
    for part in path.split("."):
        T = getattr(T, part)
    return T


def computed(T, f: Function, at: list[tuple[float, ...]], kind: str) -> dict[str, np.ndarray] | None:
    """What a library makes of a function and its derivatives at the points; None where it has no such function."""
    xs = [T.tensor(list(column), dtype=getattr(T, kind), requires_grad=True) for column in zip(*at)]
    words = {"approximate": f.arguments[0]} if f.path.endswith("gelu") and f.arguments else {}
    try:
        value = in_library(T, f.path)(*xs, *(() if words else f.arguments), **words)
        first = T.autograd.grad(value.sum(), xs, create_graph=True)
        found = [value, *first]
        for i, g in enumerate(first):
            second = [None] * len(xs)
            if g.requires_grad:
                second = T.autograd.grad(g.sum(), xs, retain_graph=True, allow_unused=True)
            found += [T.zeros_like(x) if h is None else h for x, h in zip(xs[i:], second[i:])]
    except (NotImplementedError, RuntimeError):
        if T is ac:
            raise
        return None
    return dict(zip(ORDERS[len(xs)], (array_of(v).astype(np.float64) for v in found)))


def largest_errors(T, f: Function, kind: str, whole: bool) -> dict[str, tuple[float, tuple]] | None:
    """For the value and each derivative the largest error, and the point where it is."""
    at = points(f, kind, whole)
    results = computed(T, f, at, kind)
    if results is None:
        return None
    found = {}
    for order, values in results.items():
        errors = [(error(v, reference(f, x, order), kind), x) for v, x in zip(values.tolist(), at)]
        found[order] = max(errors, key=lambda pair: pair[0])
    return found
