"""A line search: how far to go along a direction so that the strong Wolfe conditions hold.

Source: Nocedal and Wright, Numerical Optimization, 2nd edition, algorithms 3.5 and 3.6, with the safeguards of minFunc.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

ENOUGH = 1e-4  # a step must bring this part of the decrease that the slope at its start promises
FLATTER = 0.9  # and reach a point whose slope is at most this part of that slope


class Point(NamedTuple):
    """A place on the line: how far along it is, the value there, the gradient, and the slope of the value."""

    t: float
    value: float
    gradient: np.ndarray
    slope: float


def strong_wolfe(
    at: Callable[[float], Point], start: Point, t: float, length: float, narrow: float, most: int
) -> tuple[Point, int]:
    """A point of the line with a lower value and a flatter slope than at `start`, and how many points were computed.

    The first one is at `t`. The search gives up after `most` more of them, or between points that are closer than
    `narrow` / `length`, and returns the lowest point then.
    """

    def too_high(point: Point) -> bool:
        return point.value > start.value + ENOUGH * point.t * start.slope

    def flat(point: Point) -> bool:
        return abs(point.slope) <= -FLATTER * start.slope

    ends, computed = _around_a_minimum(at, start, t, most, too_high, flat)
    if len(ends) == 1:
        return ends[0], computed
    low, stuck = int(ends[0].value > ends[1].value), False
    while computed <= most and abs(ends[1].t - ends[0].t) * length >= narrow:
        t, stuck = _between(ends[0], ends[1], stuck)
        point = at(t)
        computed += 1
        if too_high(point) or point.value >= ends[low].value:
            ends[1 - low] = point
            low = int(ends[0].value > ends[1].value)
            continue
        if flat(point):
            return point, computed
        if point.slope * (ends[1 - low].t - ends[low].t) >= 0:
            ends[1 - low] = ends[low]
        ends[low] = point
    return ends[low], computed


def _around_a_minimum(at, start: Point, t: float, most: int, too_high, flat) -> tuple[list[Point], int]:
    """Two points with a minimum between them, or one that is good already."""
    before, point = start, at(t)
    for n in range(most):
        if too_high(point) or (n > 1 and point.value >= before.value):
            return [before, point], n + 1
        if flat(point):
            return [point], n + 1
        if point.slope >= 0:
            return [before, point], n + 1
        t = cubic_minimum(before, point, (point.t + 0.01 * (point.t - before.t), 10 * point.t))
        before, point = point, at(t)
    return [start, point], most + 1


def _between(a: Point, b: Point, stuck: bool) -> tuple[float, bool]:
    """Where to look next between two points, and whether that is close to one of them.

    The second time that it is, or where it is not between them at all, it is moved a tenth of their distance inward.
    """
    near, far = min(a.t, b.t), max(a.t, b.t)
    t, margin = cubic_minimum(a, b, (near, far)), 0.1 * (far - near)
    if min(far - t, t - near) >= margin:
        return t, False
    if not stuck and near < t < far:
        return t, True
    return (far - margin if abs(t - far) < abs(t - near) else near + margin), False


def cubic_minimum(a: Point, b: Point, bounds: tuple[float, float]) -> float:
    """Where the cubic through two points with their slopes is least, kept within bounds; their middle if it has none.

    Source: Nocedal and Wright, equation 3.59.
    """
    if a.t > b.t:
        a, b = b, a
    bend = a.slope + b.slope - 3 * (a.value - b.value) / (a.t - b.t)
    square = bend**2 - a.slope * b.slope
    if not square >= 0:
        return (bounds[0] + bounds[1]) / 2
    root = math.sqrt(square)
    t = b.t - (b.t - a.t) * ((b.slope + root - bend) / (b.slope - a.slope + 2 * root))
    return min(max(t, bounds[0]), bounds[1])
