"""Operations on Python objects that are plain data. Nothing is pickled: what others send runs no code here."""

from __future__ import annotations

from typing import Any

import numpy as np

from lamina_flatarray import ArgumentValueError

from .plain_data import decoded, encoded
from .process_group import ProcessGroup, member_group, rank_in
from .progress import Steps
from .work import run

__all__ = ["all_gather_object", "broadcast_object_list", "gather_object", "scatter_object_list"]


def all_gather_object(object_list: list[Any], obj: Any, group: ProcessGroup | None = None) -> None:
    """Collect the objects of all processes in a list.

    Args:
        object_list: the list to overwrite, with an item for each process.
        obj: the object of this process: plain data, that is numbers, texts, bytes, lists, tuples, sets, dicts, arrays, tensors.
        group: the processes; by default all.

    Raises:
        ArgumentValueError: there is no process group.
        ArgumentTypeError: the object is not plain data.
        RuntimeError: the list has not an item for each process.
        RankLost: a process was killed, is stopped or does not come.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> objects = [None]
    >>> torch.distributed.all_gather_object(objects, {"a": 1})
    >>> objects
    [{'a': 1}]
    >>> torch.distributed.destroy_process_group()
    """
    members = member_group("all_gather_object", group)
    if members is not None:
        _fits("all_gather_object", "object_list", object_list, members)
        object_list[:] = _gathered("all_gather_object", members, obj)


def gather_object(
    obj: Any, object_gather_list: list[Any] | None = None, dst: int | None = None, group: ProcessGroup | None = None,
    group_dst: int | None = None,
) -> None:  # fmt: skip
    """Collect the objects of all processes in a list of one process.

    Args:
        obj: the object of this process, plain data.
        object_gather_list: on that process, the list to overwrite, with an item for each process.
        dst: that process, by its index among all; by default 0.
        group: the processes; by default all.
        group_dst: in place of `dst`, its index in the group.

    Raises:
        ArgumentValueError: there is no process group, or no list where it is wanted; or both `dst` and `group_dst` are given.
        ArgumentTypeError: the object is not plain data.
        RuntimeError: the list has not an item for each process, or there is no such process.
        RankLost: a process was killed, is stopped or does not come.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> objects = [None]
    >>> torch.distributed.gather_object("a", objects)
    >>> objects
    ['a']
    >>> torch.distributed.destroy_process_group()
    """
    members = member_group("gather_object", group)
    if members is None:
        return
    root = rank_in("gather_object", members, dst, group_dst, 0)
    if members.rank() == root:
        if object_gather_list is None:
            raise ArgumentValueError("Argument ``gather_list`` must be specified on destination rank.")
        _fits("gather_object", "object_gather_list", object_gather_list, members)
    found = _gathered("gather_object", members, obj)
    if members.rank() == root and object_gather_list is not None:
        object_gather_list[:] = found


def broadcast_object_list(
    object_list: list[Any], src: int | None = None, group: ProcessGroup | None = None, device: Any = None, group_src: int | None = None
) -> None:
    """Copy the objects of one process to all.

    Args:
        object_list: the list, of the same length in all processes; its items are plain data.
        src: the process that has it, by its index among all; by default 0.
        group: the processes; by default all.
        device: without effect.
        group_src: in place of `src`, the index of that process in the group.

    Raises:
        ArgumentValueError: there is no process group; or `src` and `group_src` are given.
        ArgumentTypeError: an object is not plain data.
        RuntimeError: there is no such process.
        RankLost: a process was killed, is stopped or does not come.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> objects = ["a"]
    >>> torch.distributed.broadcast_object_list(objects, src=0)
    >>> objects
    ['a']
    >>> torch.distributed.destroy_process_group()
    """
    name = "broadcast_object_list"
    members = member_group(name, group)
    if members is not None:
        root = rank_in(name, members, src, group_src, 0)
        if members.size() > 1:
            found = _broadcast(name, members, object_list, root)
            if len(found) != len(object_list):
                raise RuntimeError(f"{name}: a list of length {len(found)} came; this one has length {len(object_list)}")
            object_list[:] = found


def scatter_object_list(
    scatter_object_output_list: list[Any], scatter_object_input_list: list[Any] | None = None, src: int | None = None,
    group: ProcessGroup | None = None, group_src: int | None = None,
) -> None:  # fmt: skip
    """Copy each object of a list of one process to the process of its index.

    Args:
        scatter_object_output_list: a list, whose first item is overwritten.
        scatter_object_input_list: on that process, the objects, one for each process; plain data.
        src: that process, by its index among all; by default 0.
        group: the processes; by default all.
        group_src: in place of `src`, its index in the group.

    Raises:
        ArgumentValueError: there is no process group, or no list where it is wanted; or both `src` and `group_src` are given.
        ArgumentTypeError: an object is not plain data.
        RuntimeError: a list has another length, or there is no such process.
        RankLost: a process was killed, is stopped or does not come.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> objects = [None]
    >>> torch.distributed.scatter_object_list(objects, ["a"])
    >>> objects
    ['a']
    >>> torch.distributed.destroy_process_group()
    """
    name = "scatter_object_list"
    members = member_group(name, group)
    if members is None:
        return
    if not isinstance(scatter_object_output_list, list) or not scatter_object_output_list:
        raise RuntimeError("Expected argument scatter_object_output_list to be a list of size at least 1.")
    root = rank_in(name, members, src, group_src, 0)
    if members.rank() == root:
        if scatter_object_input_list is None:
            raise ArgumentValueError("source rank must provide non-None scatter_object_input_list")
        _fits(name, "scatter_object_input_list", scatter_object_input_list, members)
    scatter_object_output_list[0] = _broadcast(name, members, scatter_object_input_list, root)[members.rank()]


def _fits(name: str, argument: str, given: list[Any], members: ProcessGroup) -> None:
    if len(given) != members.size():
        raise RuntimeError(f"{name}: {argument} of length {members.size()} wanted, an item for each process; given {len(given)}")


def _gathered(name: str, members: ProcessGroup, obj: Any) -> list[Any]:
    mine = np.frombuffer(encoded(name, obj), np.uint8)
    found: list[Any] = []

    def steps() -> Steps:
        lengths = np.empty(members.size(), np.int64)
        yield members.communicator.all_gather(lengths, np.array([mine.size]))
        longest = int(lengths.max())
        every = np.empty((members.size(), longest), np.uint8)
        yield members.communicator.all_gather(every, np.resize(mine, longest))
        found.extend(decoded(every[i, :length].tobytes()) for i, length in enumerate(lengths.tolist()))

    run(name, members, steps(), arrays=[mine])
    return found


def _broadcast(name: str, members: ProcessGroup, obj: Any, root: int) -> Any:
    data = np.frombuffer(encoded(name, obj), np.uint8) if members.rank() == root else np.empty(0, np.uint8)
    found: list[Any] = []

    def steps() -> Steps:
        length = np.array([data.size])
        yield members.communicator.broadcast(length, root)
        whole = data.copy() if members.rank() == root else np.empty(int(length[0]), np.uint8)
        yield members.communicator.broadcast(whole, root)
        found.append(decoded(whole.tobytes()))

    run(name, members, steps(), arrays=[data])
    return found[0]
