"""Waiting for all processes."""

from __future__ import annotations

from typing import Any

from .process_group import ProcessGroup, member_group
from .progress import Steps
from .work import Work, run, seconds

__all__ = ["barrier", "monitored_barrier"]


def barrier(
    group: ProcessGroup | None = None, async_op: bool = False, device_ids: Any = None, timeout: Any = None
) -> Work | None:
    """Wait for all processes.

    Args:
        group: the processes; by default all.
        async_op: whether a `Work` is returned at once.
        device_ids: without effect.
        timeout: a `datetime.timedelta` or seconds; by default the group's.

    Returns:
        A `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError: there is no process group.
        RankLost: a process was killed, is stopped or did not come in time; the message names it.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.barrier()
    >>> torch.distributed.destroy_process_group()
    """
    members = member_group("barrier", group)
    if members is None:
        return None
    limit = None if timeout is None else seconds("barrier", timeout)
    return run("barrier", members, _met(members), async_op, timeout=limit)


def monitored_barrier(group: ProcessGroup | None = None, timeout: Any = None, wait_all_ranks: bool = False) -> None:
    """Wait for all processes, and name those that do not come.

    Args:
        group: the processes; by default all.
        timeout: a `datetime.timedelta` or seconds; by default the group's.
        wait_all_ranks: without effect: all that are missing are named.

    Raises:
        ArgumentValueError: there is no process group.
        RankLost: a process was killed, is stopped or did not come in time; the message names it.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.monitored_barrier()
    >>> torch.distributed.destroy_process_group()
    """
    members = member_group("monitored_barrier", group)
    if members is not None:
        run("monitored_barrier", members, _met(members), timeout=None if timeout is None else seconds("monitored_barrier", timeout))


def _met(members: ProcessGroup) -> Steps:
    yield members.communicator.barrier()
