"""How groups begin and end: what the environment tells, which transport carries them, and what a process does at its end."""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Sequence
from time import sleep
from typing import Any, ClassVar, cast

from lamina_flatarray import ArgumentValueError, OpNotImplemented, ProcessGroupError, process_groups
from lamina_flatarray.process_groups import Communicator
from lamina_flatarray.process_groups.heartbeat import Heartbeat

from . import progress
from .availability import TRANSPORTS, is_served, launched_place
from .barriers import barrier
from .process_group import DEFAULT_TIMEOUT, GroupMember, ProcessGroup, default_group, group
from .progress import Operation
from .work import seconds

__all__ = ["destroy_process_group", "init_process_group", "new_group"]

_Groups = group  # under a name that no parameter hides


class _Connection:
    """The communicator of all processes, which outlives groups, and who tells that they are alive.

    Attributes:
        worlds: by the transport that made them.
        world: the one of the last group; with heartbeat, None until there is one.
        groups: how many groups there have been: the number of the next.
    """

    worlds: ClassVar[dict[str, Communicator]] = {}
    world: Communicator | None = None
    heartbeat: Heartbeat | None = None
    groups: int = 0


# -- beginning -----------------------------------------------------------------------------------------------------------


def _backend(function: str, backend: str) -> str:
    """The name of a backend, or of one for each type of device (`cpu:gloo,cuda:nccl`), in small letters."""
    name = str(backend).lower()
    if not {part.rpartition(":")[2] for part in name.split(",")} <= set(TRANSPORTS):
        raise ArgumentValueError(f"{function}: {backend!r} is none of {sorted(TRANSPORTS)}")
    return name


def _serving(name: str) -> str:
    """The transport for a backend's name. That of CUDA's arrays serves the host's, too; of two that are named, it may be missing."""
    by_device = {part.rpartition(":")[0]: TRANSPORTS[part.rpartition(":")[2]] for part in name.split(",")}
    if by_device.get("cuda") == "nccl" and is_served("nccl"):
        return "nccl"
    transport = by_device.get("", by_device.get("cpu", by_device.get("cuda")))
    if transport is not None:
        return transport
    raise OpNotImplemented(
        f"init_process_group: several processes are not served by {name!r} here; "
        "use 'gloo' or 'mpi', which move what lies in the host's memory, or 'nccl', which moves what lies on CUDA's devices, too"
    )


def _known(what: str, value: int, where: str | None, started: int | None) -> int:
    """The rank or the world size: as given, else, if the place to meet is the environment, what that says."""
    if value >= 0:
        return value
    if where is not None and where != "env://":
        raise ArgumentValueError(f"init_process_group({where!r}): the {what} is missing")
    variable = what.upper().replace(" ", "_")
    if variable in os.environ:
        return int(os.environ[variable])
    if started is None:
        raise ArgumentValueError(f"init_process_group: environment variable {variable} expected, but not set")
    return started


def init_process_group(
    backend: str | None = None, init_method: str | None = None, timeout: Any = None, world_size: int = -1, rank: int = -1,
    store: Any = None, group_name: str = "", pg_options: Any = None, device_id: Any = None, _ranks: list[int] | None = None,
) -> None:  # fmt: skip
    """Make the default process group, of all processes that were started together.

    Several processes are started by `python -m lamina launch`, mpiexec or srun, with lamina-process-mpi installed; one needs nothing.

    Args:
        backend: the name that `get_backend` then returns: "gloo" (the default) and "mpi" are served by MPI, "nccl" by MPI and,
            for arrays on CUDA's devices, NCCL; "ucc" and "xccl" by the group of one process only. "cpu:gloo,cuda:nccl" does without NCCL
            where it is missing.
        init_method: where processes meet: None and "env://" mean the environment. Processes of MPI have met already.
        timeout: a `datetime.timedelta` or seconds that an operation may take; by default half an hour. Processes that were killed or
            stopped are named within 10 seconds all the same.
        world_size: the number of processes; by default that of WORLD_SIZE in the environment, or of what started them.
        rank: the index of this process; by default that of RANK in the environment, or of what started it.
        store, group_name, pg_options, device_id, _ranks: without effect.

    Raises:
        ArgumentValueError: there is a group already, the backend is unknown, the world size or the rank is not known, or not that of MPI.
        OpNotImplemented: there are several processes, and the backend serves one.
        UnknownBackend: there are several processes, and lamina-process-mpi or lamina-process-nccl is not installed.
        NoHardware: what the backend wants is missing: CuPy, NCCL, a device.
        ProcessGroupError: there are several processes, and they were not started by what starts MPI.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.get_backend()
    'gloo'
    >>> torch.distributed.destroy_process_group()
    """
    if _Groups.WORLD is not None:
        raise ArgumentValueError("trying to initialize the default process group twice!")
    name = _backend("init_process_group", "gloo" if backend is None else backend)
    limit = DEFAULT_TIMEOUT if timeout is None else seconds("init_process_group", timeout)
    where = None if store is not None and init_method is None else init_method
    started = launched_place()
    which = _known("rank", rank, where, started and started.rank)
    count = _known("world size", world_size, where, started and started.size)
    if not 0 <= which < count:
        raise ArgumentValueError(f"init_process_group: rank {which} of a world of size {count}")
    if count == 1:
        _Groups.WORLD = ProcessGroup(name, timeout=limit)
        return
    world, heartbeat = _connected(name, which, count, limit)
    _Groups.WORLD = ProcessGroup(name, world, range(count), _next_number(), limit, heartbeat)
    progress.forget_failure()


def _connected(name: str, which: int, count: int, limit: float) -> tuple[Communicator, Heartbeat]:
    served = _serving(name)
    transport = process_groups.transport(served)
    place = transport.place()
    if place is None:
        raise ProcessGroupError(
            f"init_process_group: RANK or WORLD_SIZE tells of {count} processes, but nothing has connected this one to the others: "
            f"start them by `python -m lamina launch -n {count} program.py` or by mpiexec (torchrun starts no MPI)"
        )
    if (place.rank, place.size) != (which, count):
        raise ArgumentValueError(
            f"init_process_group: rank {which} of {count} wanted, but what started this process made it rank {place.rank} of {place.size}"
        )
    if served not in _Connection.worlds:
        _Connection.worlds[served] = transport.world()
    world = _Connection.world = _Connection.worlds[served]
    if _Connection.heartbeat is None:
        _Connection.heartbeat = Heartbeat(world, lambda request: progress.wait_for_request(request, limit))
        atexit.register(_leave, os.getpid())
    return world, _Connection.heartbeat


def _next_number() -> int:
    _Connection.groups += 1
    return _Connection.groups


def _leave(pid: int) -> None:
    """Wait for the others at the end of the process, unless it ends by an error or something has failed: then nobody is waited for."""
    world, heartbeat = _Connection.world, _Connection.heartbeat
    if os.getpid() != pid or world is None or heartbeat is None:
        return
    if progress.has_failed() or getattr(sys, "last_value", None) is not None:
        heartbeat.stop()
        return
    heartbeat.leave()
    members = ProcessGroup("", world, range(world.size), heartbeat=heartbeat)
    operation = Operation("exit", members, iter([world.barrier()]), DEFAULT_TIMEOUT)
    progress.begin(operation, background=False)
    while not progress.finished(operation):
        if heartbeat.lost(ended_too=False):
            heartbeat.stop()
            return
        sleep(0.005)
    heartbeat.stop()
    if operation.error is None:
        for one in _Connection.worlds.values():
            one.finish()


def destroy_process_group(group: ProcessGroup | None = None) -> None:
    """Remove a process group.

    Args:
        group: the group; by default the default one, and with it all others.

    Raises:
        AssertionError: there is no default group.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.destroy_process_group()
    >>> torch.distributed.is_initialized()
    False
    """
    if _Groups.WORLD is None:
        raise AssertionError("Process group cannot be None")
    if group is None or group is _Groups.WORLD:
        _Groups.WORLD = None
    elif isinstance(group, ProcessGroup):
        group.communicator.free()


def new_group(
    ranks: Sequence[int] | None = None, timeout: Any = None, backend: str | None = None, pg_options: Any = None,
    use_local_synchronization: bool = False, group_desc: str | None = None, device_id: Any = None, sort_ranks: bool = True,
) -> ProcessGroup:  # fmt: skip
    """Make another group, of some of the processes. All processes call it, those that it leaves out, too.

    Args:
        ranks: the processes, by their indices among all; by default all.
        timeout: a `datetime.timedelta` or seconds that an operation may take; by default that of the default group.
        backend: the name that `get_backend` then returns; by default that of the default group.
        pg_options, use_local_synchronization, group_desc, device_id: without effect.
        sort_ranks: whether the processes' indices in the group are in the order of those among all; else they are in that of `ranks`.

    Returns:
        A `ProcessGroup`; `GroupMember.NON_GROUP_MEMBER` for a process that is not in it.

    Raises:
        ArgumentValueError: there is no default group, there are no such processes, or the backend is unknown.
        RankLost: a process was killed, is stopped or does not come.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.new_group([0]).size()
    1
    >>> torch.distributed.destroy_process_group()
    """
    world = default_group()
    name = world.name if backend is None else _backend("new_group", backend)
    wanted = list(world.ranks) if ranks is None else list(ranks)
    if not wanted or len(set(wanted)) != len(wanted) or not set(wanted) <= set(world.ranks):
        raise ArgumentValueError(f"new_group: ranks are some of {list(world.ranks)}, each once, not {wanted}")
    if sort_ranks:
        wanted.sort()
    limit = world.timeout if timeout is None else seconds("new_group", timeout)
    barrier(world)  # the parting itself waits for all, so all must be there
    with progress.alone():
        part = world.communicator.part(wanted)
    number = _next_number()
    if part is None:
        return cast(ProcessGroup, GroupMember.NON_GROUP_MEMBER)
    return ProcessGroup(name, part, wanted, number, limit, world.heartbeat)
