"""Questions about groups: who belongs to them, and which of them a process is."""

from __future__ import annotations

import os

from lamina_flatarray import ArgumentValueError

from .availability import launched_place
from .process_group import ProcessGroup, member_group

__all__ = [
    "get_backend", "get_global_rank", "get_group_rank", "get_node_local_rank", "get_process_group_ranks", "get_rank", "get_world_size",
]  # fmt: skip


def get_rank(group: ProcessGroup | None = None) -> int:
    """Return the index of this process in a group.

    Args:
        group: by default the default one.

    Returns:
        The index; -1 if it is not in the group.

    Raises:
        ArgumentValueError: there is no process group.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.get_rank()
    0
    >>> torch.distributed.destroy_process_group()
    """
    members = member_group("get_rank", group)
    return -1 if members is None else members.rank()


def get_world_size(group: ProcessGroup | None = None) -> int:
    """Return the number of processes in a group.

    Args:
        group: by default the default one.

    Returns:
        The number; -1 if this process is not in the group.

    Raises:
        ArgumentValueError: there is no process group.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.get_world_size()
    1
    >>> torch.distributed.destroy_process_group()
    """
    members = member_group("get_world_size", group)
    return -1 if members is None else members.size()


def get_backend(group: ProcessGroup | None = None) -> str:
    """Return the name of the backend that a group was made with.

    Args:
        group: by default the default one.

    Returns:
        The name.

    Raises:
        ArgumentValueError: there is no process group, or this process is not in it.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.get_backend()
    'gloo'
    >>> torch.distributed.destroy_process_group()
    """
    members = member_group("get_backend", group)
    if members is None:
        raise ArgumentValueError("Invalid process group specified")
    return members.name


def get_process_group_ranks(group: ProcessGroup | None) -> list[int]:
    """Return the processes of a group.

    Args:
        group: the group; None for the default one.

    Returns:
        Their indices among all processes, in the order of those in the group.

    Raises:
        ArgumentValueError: there is no process group.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.get_process_group_ranks(None)
    [0]
    >>> torch.distributed.destroy_process_group()
    """
    members = member_group("get_process_group_ranks", group)
    return [] if members is None else list(members.ranks)


def get_global_rank(group: ProcessGroup, group_rank: int) -> int:
    """Return the index among all processes of one of a group.

    Args:
        group: the group.
        group_rank: its index there.

    Returns:
        An int.

    Raises:
        ArgumentValueError: there is no such process in the group.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.get_global_rank(torch.distributed.group.WORLD, 0)
    0
    >>> torch.distributed.destroy_process_group()
    """
    ranks = get_process_group_ranks(group)
    if not 0 <= group_rank < len(ranks):
        raise ArgumentValueError(f"Group rank {group_rank} is not part of group {ranks}")
    return ranks[group_rank]


def get_group_rank(group: ProcessGroup, global_rank: int) -> int:
    """Return the index in a group of one of all processes.

    Args:
        group: the group.
        global_rank: its index among all.

    Returns:
        An int.

    Raises:
        ArgumentValueError: the process is not in the group.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.get_group_rank(torch.distributed.group.WORLD, 0)
    0
    >>> torch.distributed.destroy_process_group()
    """
    ranks = get_process_group_ranks(group)
    if global_rank not in ranks:
        raise ArgumentValueError(f"Global rank {global_rank} is not part of group {ranks}")
    return ranks.index(global_rank)


def get_node_local_rank(fallback_rank: int | None = None) -> int:
    """Return the index of this process among those of its machine.

    Args:
        fallback_rank: what is returned where nothing tells.

    Returns:
        An int.

    Raises:
        RuntimeError: nothing tells, and there is no `fallback_rank`.

    >>> torch.distributed.get_node_local_rank(0)
    0
    """
    if "LOCAL_RANK" in os.environ:
        return int(os.environ["LOCAL_RANK"])
    place = launched_place()
    if place is not None:
        return place.local_rank
    if fallback_rank is None:
        raise RuntimeError("LOCAL_RANK is not in the environment. Consider passing fallback_rank to allow `get_node_local_rank` to work.")
    return int(fallback_rank)
