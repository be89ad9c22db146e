"""A line search for a step length that meets the strong Wolfe conditions, by cubic interpolation."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from lamina_tensor import Tensor

__all__ = ["Point", "strong_wolfe"]

_DECREASE, _CURVATURE = 1e-4, 0.9


class Point(NamedTuple):
    """What is known at one step length.

    Attributes:
        length: how far along the direction.
        loss: the loss there.
        gradient: its gradient, one vector.
        slope: how the loss changes along the direction.
    """

    length: float
    loss: float
    gradient: Tensor
    slope: float


def strong_wolfe(
    evaluate: Callable[[float], Point], start: Point, length: float, direction_size: float, *,
    tolerance_change: float = 1e-9, max_evaluations: int = 25,
) -> tuple[Point, int]:  # fmt: skip
    """A point where the loss has decreased enough and is flat enough (Nocedal & Wright 2006, algorithms 3.5 and 3.6).

    Args:
        evaluate: the point at a step length.
        start: the point at length zero.
        length: the first length to try.
        direction_size: the greatest item of the direction.
        tolerance_change: a bracket whose ends are nearer than this is not divided.
        max_evaluations: after how many lengths the best one is taken.

    Returns:
        The point, and how many lengths were tried.
    """

    def too_high(point: Point) -> bool:
        return point.loss > start.loss + _DECREASE * point.length * start.slope

    def flat_enough(point: Point) -> bool:
        return abs(point.slope) <= -_CURVATURE * start.slope

    # Forward, until two points bracket one that meets the conditions.
    before, now = start, evaluate(length)
    tried, forward, bracket = 1, 0, []
    while forward < max_evaluations:
        if too_high(now) or (forward > 1 and now.loss >= before.loss):
            bracket = [before, now]
            break
        if flat_enough(now):
            return now, tried
        if now.slope >= 0:
            bracket = [before, now]
            break
        bounds = (now.length + 0.01 * (now.length - before.length), now.length * 10)
        before, now = now, evaluate(_cubic_minimum(before, now, bounds))
        tried, forward = tried + 1, forward + 1
    bracket = bracket or [start, now]

    # Inward, until one end meets the conditions.
    low, high = (0, 1) if bracket[0].loss <= bracket[1].loss else (1, 0)
    stuck = False
    while forward < max_evaluations:
        ends = sorted(point.length for point in bracket)
        width = ends[1] - ends[0]
        if width * direction_size < tolerance_change:
            break
        length, stuck = _inside(_cubic_minimum(bracket[0], bracket[1]), ends, stuck)
        now = evaluate(length)
        tried, forward = tried + 1, forward + 1
        if too_high(now) or now.loss >= bracket[low].loss:
            bracket[high] = now
            low, high = (0, 1) if bracket[0].loss <= bracket[1].loss else (1, 0)
            continue
        converged = flat_enough(now)
        if not converged and now.slope * (bracket[high].length - bracket[low].length) >= 0:
            bracket[high] = bracket[low]
        bracket[low] = now
        if converged:
            break
    return bracket[low], tried


def _inside(length: float, ends: list[float], stuck: bool) -> tuple[float, bool]:
    """A length away from both ends by a tenth of the bracket, if it is beyond one or was too near before as well; and
    whether it is too near."""
    least, greatest = ends
    margin = 0.1 * (greatest - least)
    if min(greatest - length, length - least) >= margin:
        return length, False
    if not (stuck or length >= greatest or length <= least):
        return length, True
    return (greatest - margin if abs(length - greatest) < abs(length - least) else least + margin), False


def _cubic_minimum(a: Point, b: Point, bounds: tuple[float, float] | None = None) -> float:
    """Where the cubic through two points with their slopes is least, within bounds, by default the points themselves."""
    least, greatest = bounds or (min(a.length, b.length), max(a.length, b.length))
    bend = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.length - b.length) if a.length != b.length else math.nan
    square = bend * bend - a.slope * b.slope
    if not square >= 0:
        return (least + greatest) / 2
    root = math.sqrt(square)
    left, right = (a, b) if a.length <= b.length else (b, a)
    divisor = right.slope - left.slope + 2 * root
    if divisor == 0:
        return (least + greatest) / 2
    place = right.length - (right.length - left.length) * ((right.slope + root - bend) / divisor)
    return min(max(place, least), greatest)
