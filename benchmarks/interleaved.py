"""Timing two functions against each other on a machine that others use: they take turns, and the fastest run of each counts."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["fastest"]

REST = 1e-2
"""Seconds between runs, in which the other library's threads stop waiting for work and leave the cores."""


def fastest(functions: Sequence[Callable[[], Any]], seconds: float = 0.6, run: float = 2e-3) -> list[float]:
    """Per function, the least seconds of a call.

    Args:
        functions: what is timed.
        seconds: how long all of them together are repeated; at least 5 rounds are made.
        run: how long one run of a function is to last at least: short calls are repeated within it.
    """
    clock, numbers = time.perf_counter, []
    for function in functions:
        function()
        begin = clock()
        function()
        numbers.append(max(1, int(run / max(clock() - begin, 1e-7))))
    best = [float("inf")] * len(functions)
    rounds, until = 0, clock() + seconds
    while rounds < 5 or clock() < until:
        rounds += 1
        for i, function in enumerate(functions):
            number = range(numbers[i])
            time.sleep(REST)
            function()
            begin = clock()
            for _ in number:
                function()
            best[i] = min(best[i], (clock() - begin) / len(number))
    return best
