"""Messages from one process to another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lamina_flatarray import ArgumentTypeError, ArgumentValueError
from lamina_tensor import Tensor

from . import moves
from .checking import tensors_in, writable
from .moves import MESSAGE_TAGS
from .process_group import ProcessGroup, default_group, rank_in
from .work import Work, run

__all__ = ["P2POp", "batch_isend_irecv", "irecv", "isend", "recv", "send"]


def send(
    tensor: Tensor, dst: int | None = None, group: ProcessGroup | None = None, tag: int = 0, group_dst: int | None = None
) -> None:
    """Send a tensor to one process, and wait until it is on its way.

    Args:
        tensor: the tensor.
        dst: the process that receives it, by its index among all.
        group: the processes; by default all.
        tag: the receiver's must be equal.
        group_dst: in place of `dst`, its index in the group.

    Raises:
        ArgumentValueError: there is no process group, not one of `dst` and `group_dst`, or it is this process.
        ArgumentTypeError: it is not a tensor.
        RankLost: that process was killed, is stopped or does not come.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.send(torch.ones(2), 0)
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.ArgumentValueError: send: Invalid destination rank: this process, 0, cannot send to itself
    >>> torch.distributed.destroy_process_group()
    """
    _send("send", tensor, dst, group, tag, group_dst, False)


def isend(
    tensor: Tensor, dst: int | None = None, group: ProcessGroup | None = None, tag: int = 0, group_dst: int | None = None
) -> Work | None:
    """Begin to send a tensor to one process; it must not be written to until that is finished.

    Args:
        tensor: the tensor.
        dst: the process that receives it, by its index among all.
        group: the processes; by default all.
        tag: the receiver's must be equal.
        group_dst: in place of `dst`, its index in the group.

    Returns:
        A `Work`; None for a process that is not in the group.

    Raises:
        ArgumentValueError, ArgumentTypeError: as `send`.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.isend(torch.ones(2), 0)
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.ArgumentValueError: isend: Invalid destination rank: this process, 0, cannot send to itself
    >>> torch.distributed.destroy_process_group()
    """
    return _send("isend", tensor, dst, group, tag, group_dst, True)


def _send(
    name: str, tensor: Tensor, dst: int | None, group: ProcessGroup | None, tag: int, group_dst: int | None, async_op: bool
) -> Work | None:
    members = tensors_in(name, group, tensor)
    if members is None:
        return None
    to = rank_in(name, members, dst, group_dst)
    if to == members.rank():
        raise ArgumentValueError(f"{name}: Invalid destination rank: this process, {members.ranks[to]}, cannot send to itself")
    steps = moves.sent(members.communicator, tensor.array, to, _checked(name, tag))
    return run(name, members, steps, async_op, arrays=[tensor.array], message=True)


def recv(
    tensor: Tensor, src: int | None = None, group: ProcessGroup | None = None, tag: int = 0, group_src: int | None = None
) -> int:
    """Receive a tensor from one process.

    Args:
        tensor: the tensor to overwrite, of as many bytes as were sent.
        src: the process that sends, by its index among all; by default any.
        group: the processes; by default all.
        tag: the sender's must be equal.
        group_src: in place of `src`, its index in the group.

    Returns:
        The sender, by its index among all; -1 for a process that is not in the group.

    Raises:
        ArgumentValueError: there is no process group, both `src` and `group_src` are given, or it is this process.
        ArgumentTypeError: it is not a tensor.
        ProcessGroupError: another number of bytes came.
        RankLost: that process was killed, is stopped or does not come.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.recv(torch.ones(2), 0)
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.ArgumentValueError: recv: Invalid source rank: this process, 0, cannot receive from itself
    >>> torch.distributed.destroy_process_group()
    """
    work = _receive("recv", tensor, src, group, tag, group_src)
    if work is None:
        return -1
    work.wait()
    return work.source_rank()


def irecv(
    tensor: Tensor, src: int | None = None, group: ProcessGroup | None = None, tag: int = 0, group_src: int | None = None
) -> Work | None:
    """Begin to receive a tensor from one process; it must not be read until that is finished.

    Args:
        tensor: the tensor to overwrite, of as many bytes as were sent.
        src: the process that sends, by its index among all; by default any.
        group: the processes; by default all.
        tag: the sender's must be equal.
        group_src: in place of `src`, its index in the group.

    Returns:
        A `Work`; None for a process that is not in the group.

    Raises:
        ArgumentValueError, ArgumentTypeError: as `recv`.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.irecv(torch.ones(2), 0)
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.ArgumentValueError: irecv: Invalid source rank: this process, 0, cannot receive from itself
    >>> torch.distributed.destroy_process_group()
    """
    return _receive("irecv", tensor, src, group, tag, group_src)


def _receive(
    name: str, tensor: Tensor, src: int | None, group: ProcessGroup | None, tag: int, group_src: int | None
) -> Work | None:
    members = tensors_in(name, group, tensor)
    if members is None:
        return None
    writable(name, tensor)
    source = -1 if src is None and group_src is None else rank_in(name, members, src, group_src)
    if source == members.rank():
        raise ArgumentValueError(f"{name}: Invalid source rank: this process, {members.ranks[source]}, cannot receive from itself")
    steps = moves.received(members.communicator, tensor.array, source, _checked(name, tag), name)
    return run(name, members, steps, True, arrays=[tensor.array], message=True)


def _checked(name: str, tag: int) -> int:
    if not isinstance(tag, int) or not 0 <= tag < MESSAGE_TAGS:
        raise ArgumentValueError(f"{name}: tag {tag!r} given; it wants one from 0 to {MESSAGE_TAGS - 1}")
    return tag


class P2POp:
    """Describe one message of `batch_isend_irecv`.

    Args:
        op: `isend` or `irecv`.
        tensor: what is sent or overwritten.
        peer: the other process, by its index among all.
        group: the processes; by default all.
        tag: the other's must be equal.
        group_peer: in place of `peer`, its index in the group.

    Raises:
        ArgumentValueError: `op` is another function.

    >>> torch.distributed.P2POp(torch.distributed.isend, torch.ones(2), 1).peer
    1
    """

    def __init__(
        self, op: Callable[..., Any], tensor: Tensor, peer: int | None = None, group: ProcessGroup | None = None, tag: int = 0,
        group_peer: int | None = None,
    ) -> None:  # fmt: skip
        if op not in (isend, irecv):
            raise ArgumentValueError(
                "Invalid ``op``. Expected ``op`` to be of type ``torch.distributed.isend`` or ``torch.distributed.irecv``."
            )
        self.op, self.tensor, self.peer, self.group, self.tag, self.group_peer = op, tensor, peer, group, tag, group_peer


def batch_isend_irecv(p2p_op_list: Sequence[P2POp]) -> list[Work]:
    """Begin several messages.

    Args:
        p2p_op_list: what to send and to receive.

    Returns:
        A `Work` for each.

    Raises:
        ArgumentValueError: there is no process group.
        ArgumentTypeError: it is no list of `P2POp`.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.batch_isend_irecv([])
    []
    >>> torch.distributed.destroy_process_group()
    """
    default_group()
    if not all(isinstance(message, P2POp) for message in p2p_op_list):
        raise ArgumentTypeError("Invalid ``p2p_op_list``. Each op is expected to be of type ``torch.distributed.P2POp``.")
    works = [m.op(m.tensor, m.peer, m.group, m.tag, m.group_peer) for m in p2p_op_list]
    return [work for work in works if work is not None]
