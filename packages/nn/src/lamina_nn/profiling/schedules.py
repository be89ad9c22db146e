"""When a profiler waits, warms up and records, step by step.

https://docs.pytorch.org/docs/stable/profiler.html#torch.profiler.schedule
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from lamina_flatarray import ArgumentValueError

__all__ = ["ProfilerAction", "schedule"]


class ProfilerAction(Enum):
    """What a profiler does in a step.

    >>> list(torch.profiler.ProfilerAction.__members__)
    ['NONE', 'WARMUP', 'RECORD', 'RECORD_AND_SAVE']
    """

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


def schedule(
    *, wait: int, warmup: int, active: int, repeat: int = 0, skip_first: int = 0, skip_first_wait: int = 0
) -> Callable[[int], ProfilerAction]:
    """Define what a profiler does in each step.

    Steps come in cycles: `wait` steps without a profiler, `warmup` steps that count for nothing, and `active` steps that are
    recorded, in the last of which the trace is ready.

    Args:
        wait, warmup, active: lengths of the parts of a cycle.
        repeat: how many cycles there are; 0 for no end.
        skip_first: steps before the first cycle.
        skip_first_wait: whether (1) the first cycle does not wait.

    Returns:
        A function from the number of a step to a `ProfilerAction`.

    Raises:
        ValueError: a number is negative, or nothing is ever recorded.

    >>> action = torch.profiler.schedule(wait=1, warmup=1, active=2)
    >>> [action(step).name for step in range(5)]
    ['NONE', 'WARMUP', 'RECORD', 'RECORD_AND_SAVE', 'NONE']
    """
    if min(wait, warmup, repeat, skip_first) < 0 or active < 1:
        raise ArgumentValueError(
            f"schedule: wait, warmup, repeat and skip_first must not be negative, and active must be positive: {wait=}, "
            f"{warmup=}, {active=}, {repeat=}, {skip_first=}"
        )

    def action(step: int) -> ProfilerAction:
        if step < 0:
            raise ArgumentValueError(f"schedule: there is no step {step}")
        if step < skip_first:
            return ProfilerAction.NONE
        step -= skip_first
        if skip_first_wait:
            step += wait
        cycle, place = divmod(step, wait + warmup + active)
        if (repeat and cycle >= repeat) or place < wait:
            return ProfilerAction.NONE
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD if place < wait + warmup + active - 1 else ProfilerAction.RECORD_AND_SAVE

    return action
