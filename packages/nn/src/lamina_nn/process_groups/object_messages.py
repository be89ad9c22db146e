"""Objects that one process sends to another: plain data, never pickled."""

from __future__ import annotations

from typing import Any

import numpy as np

import lamina_ndarray as nd
from lamina_tensor.tensor_fields import tensor_of

from .plain_data import decoded, encoded
from .point_to_point import recv, send
from .process_group import ProcessGroup, member_group

__all__ = ["recv_object_list", "send_object_list"]


def send_object_list(
    object_list: list[Any], dst: int | None = None, group: ProcessGroup | None = None, device: Any = None, group_dst: int | None = None,
    use_batch: bool = False,
) -> None:  # fmt: skip
    """Send objects to one process, which receives them by `recv_object_list`.

    Args:
        object_list: the objects; plain data.
        dst: the process that receives them, by its index among all.
        group: the processes; by default all.
        device, use_batch: without effect.
        group_dst: in place of `dst`, its index in the group.

    Raises:
        ArgumentValueError: there is no process group, not one of `dst` and `group_dst`, or it is this process.
        ArgumentTypeError: an object is not plain data.
        RankLost: that process was killed, is stopped or does not come.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.send_object_list(["a"], 0)
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.ArgumentValueError: send: Invalid destination rank: this process, 0, cannot send to itself
    >>> torch.distributed.destroy_process_group()
    """
    if member_group("send_object_list", group) is None:
        return
    data = encoded("send_object_list", list(object_list))
    for part in (np.array([len(data)], np.int64), np.frombuffer(bytearray(data), np.uint8)):
        send(tensor_of(nd.from_numpy(part)), dst, group, group_dst=group_dst)


def recv_object_list(
    object_list: list[Any], src: int | None = None, group: ProcessGroup | None = None, device: Any = None, group_src: int | None = None,
    use_batch: bool = False,
) -> int:  # fmt: skip
    """Receive the objects that one process sends by `send_object_list`.

    Args:
        object_list: the list to overwrite, of as many items as were sent.
        src: the process that sends, by its index among all; by default any.
        group: the processes; by default all.
        device, use_batch: without effect.
        group_src: in place of `src`, its index in the group.

    Returns:
        The sender, by its index among all; -1 for a process that is not in the group.

    Raises:
        ArgumentValueError: there is no process group, both `src` and `group_src` are given, or it is this process.
        RuntimeError: another number of objects came.
        RankLost: that process was killed, is stopped or does not come.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.recv_object_list([None], 0)
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.ArgumentValueError: recv: Invalid source rank: this process, 0, cannot receive from itself
    >>> torch.distributed.destroy_process_group()
    """
    length = tensor_of(nd.zeros(1, dtype="int64"))
    source = recv(length, src, group, group_src=group_src)
    if source < 0:
        return source
    data = tensor_of(nd.zeros(int(length.item()), dtype="uint8"))
    recv(data, source, group)
    found = decoded(data.numpy().tobytes())
    if len(found) != len(object_list):
        raise RuntimeError(f"recv_object_list: {len(found)} objects came; the list has {len(object_list)}")
    object_list[:] = found
    return source
