"""ProcessGroup: some of the processes that run together, the group of all, and what refuses a wrong one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from lamina_flatarray import ArgumentTypeError, ArgumentValueError
from lamina_flatarray.process_groups import Communicator
from lamina_flatarray.process_groups.heartbeat import Heartbeat
from lamina_flatarray.process_groups.single import SingleCommunicator

__all__ = ["DEFAULT_TIMEOUT", "GroupMember", "ProcessGroup", "default_group", "group", "member_group", "rank_in"]

DEFAULT_TIMEOUT: Final = 1800.0
"""Seconds that an operation may take unless `init_process_group` says otherwise."""


class ProcessGroup:
    """A group of processes.

    Args:
        name: the backend that was asked for.
        communicator: what moves bytes between its processes; by default, this process is the only one.
        ranks: the index of each process among all; by default, of this one.
        number: of the group, the same in all processes.
        timeout: seconds that an operation may take.
        heartbeat: what knows who is alive.

    Attributes:
        name: as given.
        communicator, ranks, number, timeout, heartbeat: as given.
        count: how many operations of it this process has begun.

    >>> torch.distributed.ProcessGroup("gloo").size()
    1
    """

    def __init__(
        self, name: str, communicator: Communicator | None = None, ranks: Sequence[int] = (0,), number: int = 0,
        timeout: float = DEFAULT_TIMEOUT, heartbeat: Heartbeat | None = None,
    ) -> None:  # fmt: skip
        self.name = name
        self.communicator = SingleCommunicator() if communicator is None else communicator
        self.ranks = tuple(ranks)
        self.number = number
        self.timeout = timeout
        self.heartbeat = heartbeat
        self.count = 0

    def size(self) -> int:
        """Return the number of processes.

        Returns:
            An int.

        >>> torch.distributed.ProcessGroup("gloo").size()
        1
        """
        return self.communicator.size

    def rank(self) -> int:
        """Return the index of this process in the group.

        Returns:
            An int.

        >>> torch.distributed.ProcessGroup("gloo").rank()
        0
        """
        return self.communicator.rank

    def __deepcopy__(self, memo: Any) -> ProcessGroup:
        return self  # processes are not copied with a module

    def __repr__(self) -> str:
        return f"ProcessGroup({self.name!r}, ranks={list(self.ranks)})"


class group:
    """Hold the group of all processes.

    Attributes:
        WORLD: the default group; None before `init_process_group`.

    >>> torch.distributed.group.WORLD is None
    True
    """

    WORLD: ProcessGroup | None = None


class GroupMember(group):
    """Hold the group of all processes, and what stands for a group that this process is not in.

    Attributes:
        NON_GROUP_MEMBER: what `new_group` gives to processes that it leaves out.

    >>> torch.distributed.GroupMember.NON_GROUP_MEMBER
    -100
    """

    NON_GROUP_MEMBER: Final = -100


_Groups = group  # under a name that no parameter hides


def default_group() -> ProcessGroup:
    """Return the group of all processes.

    Raises:
        ArgumentValueError: there is none.
    """
    if _Groups.WORLD is None:
        raise ArgumentValueError("Default process group has not been initialized, please make sure to call init_process_group.")
    return _Groups.WORLD


def member_group(name: str, group: Any) -> ProcessGroup | None:
    """Return a group as an operation is given it.

    Args:
        name: the function that was called.
        group: a group, or None for the default one.

    Returns:
        A `ProcessGroup`, or None if this process is not in it.

    Raises:
        ArgumentValueError: there is no default group.
        ArgumentTypeError: it is no group.
    """
    default = default_group()
    if group is None:
        return default
    if isinstance(group, ProcessGroup):
        return group
    if group is GroupMember.NON_GROUP_MEMBER or (isinstance(group, int) and group == GroupMember.NON_GROUP_MEMBER):
        return None
    raise ArgumentTypeError(f"{name}: a ProcessGroup wanted, not {type(group).__name__}")


def rank_in(name: str, group: ProcessGroup, given: int | None, in_group: int | None, default: int | None = None) -> int:
    """Return the index in a group of the one process of an operation.

    Args:
        name: the function that was called.
        group: the group.
        given: the process's index among all.
        in_group: instead, its index in the group.
        default: its index among all where neither is given.

    Returns:
        The index in the group.

    Raises:
        ArgumentValueError: both are given, or neither without a default; or the process is not in the group.
        RuntimeError: there is no process of this index in the group.
    """
    if given is not None and in_group is not None:
        raise ArgumentValueError("Can't specify both group_rank and global_rank")
    if in_group is None:
        given = default if given is None else given
        if given is None:
            raise ArgumentValueError("Must specify global_rank or group_rank")
        if group is _Groups.WORLD or group.size() == 1:
            in_group = given
        elif given in group.ranks:
            return group.ranks.index(given)
        else:
            raise ArgumentValueError(f"{name}: Global rank {given} is not part of group {list(group.ranks)}")
    if not isinstance(in_group, int) or not 0 <= in_group < group.size():
        raise RuntimeError(f"{name}: invalid root rank: {in_group}")
    return in_group
