"""Several groups at once, of which each process is in one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lamina_flatarray import ArgumentValueError

from .process_group import ProcessGroup, default_group
from .starting import new_group

__all__ = ["new_subgroups", "new_subgroups_by_enumeration"]


def new_subgroups(
    group_size: int | None = None, group: ProcessGroup | None = None, timeout: Any = None, backend: str | None = None,
    pg_options: Any = None, group_desc: str | None = None,
) -> tuple[ProcessGroup | None, list[ProcessGroup]]:  # fmt: skip
    """Make groups of as many processes each, one after the other. All processes call it.

    Args:
        group_size: how many processes are in each, such as those of a machine.
        group: the processes that are divided; by default all.
        timeout: as of `new_group`.
        backend: as of `new_group`.
        pg_options, group_desc: without effect.

    Returns:
        This process's group, and all groups; for those that it is not in, `GroupMember.NON_GROUP_MEMBER` stands there.

    Raises:
        ArgumentValueError: there is no default group, or the processes do not go up in groups of that size.
        RankLost: a process was killed, is stopped or does not come.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> mine, every = torch.distributed.new_subgroups(1)
    >>> mine.size(), len(every)
    (1, 1)
    >>> torch.distributed.destroy_process_group()
    """
    ranks = (group or default_group()).ranks
    if group_size is None:
        raise ArgumentValueError("new_subgroups: give group_size; how many processes a machine has is not known")
    if group_size <= 0:
        raise ArgumentValueError(f"new_subgroups: The arg 'group_size' ({group_size}) must be positive")
    if len(ranks) % group_size:
        raise ArgumentValueError(f"new_subgroups: {len(ranks)} processes do not go up in groups of {group_size}")
    parts = [list(ranks[begin : begin + group_size]) for begin in range(0, len(ranks), group_size)]
    return _made(parts, timeout, backend)


def new_subgroups_by_enumeration(
    ranks_per_subgroup_list: Sequence[Sequence[int]], timeout: Any = None, backend: str | None = None, pg_options: Any = None,
    group_desc: str | None = None,
) -> tuple[ProcessGroup | None, list[ProcessGroup]]:  # fmt: skip
    """Make groups of given processes, of which each is in one at most. All processes call it.

    Args:
        ranks_per_subgroup_list: for each group its processes, by their indices among all.
        timeout: as of `new_group`.
        backend: as of `new_group`.
        pg_options, group_desc: without effect.

    Returns:
        This process's group, or None if it is in none, and all groups; for those that it is not in, `GroupMember.NON_GROUP_MEMBER`
        stands there.

    Raises:
        ArgumentValueError: there is no default group, no list or no such process, or one is in two groups.
        RankLost: a process was killed, is stopped or does not come.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> mine, every = torch.distributed.new_subgroups_by_enumeration([[0]])
    >>> mine.size(), len(every)
    (1, 1)
    >>> torch.distributed.destroy_process_group()
    """
    default_group()
    if not ranks_per_subgroup_list:
        raise ArgumentValueError("new_subgroups_by_enumeration: The arg 'ranks_per_subgroup_list' cannot be empty")
    every = [rank for ranks in ranks_per_subgroup_list for rank in ranks]
    for rank in every:
        if every.count(rank) > 1:
            raise ArgumentValueError(f"new_subgroups_by_enumeration: Rank {rank} has appeared in two subgroups")
    return _made(ranks_per_subgroup_list, timeout, backend)


def _made(parts: Sequence[Sequence[int]], timeout: Any, backend: str | None) -> tuple[ProcessGroup | None, list[ProcessGroup]]:
    groups = [new_group(ranks, timeout, backend) for ranks in parts]
    return next((one for one in groups if isinstance(one, ProcessGroup)), None), groups
