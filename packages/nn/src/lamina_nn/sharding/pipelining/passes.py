"""In which order a process passes micro-batches through its stages: one rule, of which each schedule gives two numbers."""

from __future__ import annotations

from itertools import zip_longest
from typing import Literal, NamedTuple

__all__ = ["Pass", "passes"]


class Pass(NamedTuple):
    """One micro-batch through one stage, forward or back."""

    kind: Literal["forward", "backward"]
    stage: int
    chunk: int


def passes(rank: int, processes: int, stages: int, count: int, in_a_round: int, ahead: int) -> list[Pass]:
    """Return the passes of a process, which has the stages rank, rank + processes, and so on.

    Micro-batches go in rounds: those of a round pass forward through the process's first stage, then through its second one, and back
    through the last one first. After some passes forward there is one back behind each, and the rest goes back when none is left.

    Args:
        rank: the process.
        processes: how many there are.
        stages: how many stages they have, together.
        count: how many micro-batches a batch has.
        in_a_round: how many of them are in a round, of which there is a whole number.
        ahead: how many passes forward come before the first pair of one forward and one back; more than there are mean all.
    """
    own = range(rank, stages, processes)
    rounds = [range(begin, begin + in_a_round) for begin in range(0, count, in_a_round)]
    forward = [Pass("forward", stage, chunk) for chunks in rounds for stage in own for chunk in chunks]
    back = [Pass("backward", stage, chunk) for chunks in rounds for stage in reversed(own) for chunk in chunks]
    pairs = zip_longest(forward[ahead:], back)
    return forward[:ahead] + [each for pair in pairs for each in pair if each is not None]
