"""Uneven inputs: a process whose batches have run out takes part in the exchange of the others until theirs have, too."""

from __future__ import annotations

from typing import Final

import numpy as np

from lamina_flatarray import UsageError

from ...process_groups.process_group import ProcessGroup
from ...process_groups.progress import Steps
from ...process_groups.work import run

__all__ = ["ACCUMULATES", "EXCHANGES", "JOINED", "told_by_all"]

JOINED: Final = 0
ACCUMULATES: Final = 1
EXCHANGES: Final = 2
"""What a process is about to do: nothing any more; a pass whose gradients stay its own; one whose gradients are exchanged."""


def told_by_all(group: ProcessGroup, mine: int, strict: bool) -> list[int]:
    """Tell the others what this process is about to do, and hear the same of each.

    Args:
        group: the processes.
        mine: `JOINED`, `ACCUMULATES` or `EXCHANGES`.
        strict: whether it is an error if one has come to its end before others.

    Returns:
        What each does, by its index.

    Raises:
        UsageError: it is an error, and some have.
    """
    own, every = np.array([mine], np.uint8), np.empty(group.size(), np.uint8)

    def steps() -> Steps:
        yield group.communicator.all_gather(every, own)

    run("DistributedDataParallel.join", group, steps(), arrays=[own])
    told: list[int] = every.tolist()
    if strict and JOINED in told and any(told):
        ended = [group.ranks[i] for i, one in enumerate(told) if one == JOINED]
        raise UsageError(f"Detected at least one rank that exhausted inputs: {ended}. Throwing across all ranks.")
    return told
