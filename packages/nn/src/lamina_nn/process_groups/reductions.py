"""Operations that combine tensors of all processes: all_reduce, reduce, and those that share out the result."""

from __future__ import annotations

from collections.abc import Sequence

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError, ShapeError
from lamina_tensor import Tensor

from . import moves
from .checking import agreed, alike, as_many, tensors_in
from .process_group import ProcessGroup, rank_in
from .progress import Steps
from .reduce_op import ReduceOp, check_combining
from .work import Work, run

__all__ = ["all_reduce", "all_reduce_coalesced", "reduce", "reduce_scatter", "reduce_scatter_tensor"]


def all_reduce(
    tensor: Tensor, op: ReduceOp = ReduceOp.SUM, group: ProcessGroup | None = None, async_op: bool = False
) -> Work | None:
    """Combine the tensors of all processes, in place.

    They are combined in the order of ranks, so that the result is the same, bit for bit, in all processes and in every run.

    Args:
        tensor: the tensor, of the same shape and dtype in all processes.
        op: how tensors are combined.
        group: the processes; by default all.
        async_op: whether a `Work` is returned at once.

    Returns:
        A `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError: there is no process group.
        ArgumentTypeError: an argument is not a tensor.
        DTypeError: the op has no meaning for the dtype: bits of fractions, averages of integers, the least of complex numbers.
        RankLost: a process was killed, is stopped or does not come.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.distributed.all_reduce(x)
    >>> x
    tensor([1., 2.])
    >>> torch.distributed.destroy_process_group()
    """
    return _all_reduced("all_reduce", [tensor], op, group, async_op)


def all_reduce_coalesced(
    tensors: Sequence[Tensor], op: ReduceOp = ReduceOp.SUM, group: ProcessGroup | None = None, async_op: bool = False
) -> Work | None:
    """Combine several tensors of all processes, in place.

    Args:
        tensors: the tensors, of the same shapes and dtypes in all processes.
        op: how tensors are combined.
        group: the processes; by default all.
        async_op: whether a `Work` is returned at once.

    Returns:
        A `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError, ArgumentTypeError, DTypeError, RankLost: as `all_reduce`.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.all_reduce_coalesced([torch.ones(2), torch.ones(3)])
    >>> torch.distributed.destroy_process_group()
    """
    if isinstance(tensors, Tensor):
        raise ArgumentTypeError("all_reduce_coalesced: a list of tensors wanted, not a Tensor")
    return _all_reduced("all_reduce_coalesced", tensors, op, group, async_op)


def _all_reduced(name: str, tensors: Sequence[Tensor], op: ReduceOp, group: ProcessGroup | None, async_op: bool) -> Work | None:
    members = tensors_in(name, group, *tensors)
    for tensor in tensors:
        check_combining(name, op, tensor.dtype)
    if members is None:
        return None
    arrays = [tensor.array for tensor in tensors]
    steps = agreed(name, members, moves.reduced(members, arrays, op), *arrays, details=op.name)
    return run(name, members, steps, async_op, arrays=arrays)


def reduce(
    tensor: Tensor, dst: int | None = None, op: ReduceOp = ReduceOp.SUM, group: ProcessGroup | None = None, async_op: bool = False,
    group_dst: int | None = None,
) -> Work | None:  # fmt: skip
    """Combine the tensors of all processes in one process; those of the others stay as they are.

    Args:
        tensor: the tensor, of the same shape and dtype in all processes.
        dst: the process with the result, by its index among all.
        op: how tensors are combined.
        group: the processes; by default all.
        async_op: whether a `Work` is returned at once.
        group_dst: in place of `dst`, the index of that process in the group.

    Returns:
        A `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError: there is no process group, or not one of `dst` and `group_dst`.
        ArgumentTypeError: an argument is not a tensor.
        RuntimeError: there is no such process.
        DTypeError: the op has no meaning for the dtype.
        RankLost: a process was killed, is stopped or does not come.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.distributed.reduce(x, 0)
    >>> x
    tensor([1., 2.])
    >>> torch.distributed.destroy_process_group()
    """
    members = tensors_in("reduce", group, tensor)
    if members is None:
        return None
    root = rank_in("reduce", members, dst, group_dst)
    check_combining("reduce", op, tensor.dtype)
    steps = moves.reduced_by_one(members, tensor.array, op, root)
    steps = agreed("reduce", members, steps, tensor.array, details=f"{op.name} in {root}")
    return run("reduce", members, steps, async_op, arrays=[tensor.array])


def reduce_scatter(
    output: Tensor, input_list: list[Tensor], op: ReduceOp = ReduceOp.SUM, group: ProcessGroup | None = None,
    async_op: bool = False,
) -> Work | None:  # fmt: skip
    """Combine the lists of all processes, and copy each result to the process of its index.

    Args:
        output: the tensor to overwrite.
        input_list: the tensors of this process, one for each process, of the output's shape.
        op: how tensors are combined.
        group: the processes; by default all.
        async_op: whether a `Work` is returned at once.

    Returns:
        A `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError: there is no process group, or the dtypes differ.
        ArgumentTypeError: an argument is not a tensor.
        RuntimeError: the list has not a tensor for each process.
        ShapeError: the shapes differ.
        DTypeError: the op has no meaning for the dtype.
        RankLost: a process was killed, is stopped or does not come.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> x = torch.tensor([1.0, 2.0])
    >>> copy = torch.zeros(2)
    >>> torch.distributed.reduce_scatter(copy, [x])
    >>> copy
    tensor([1., 2.])
    >>> torch.distributed.destroy_process_group()
    """
    members = tensors_in("reduce_scatter", group, output, *input_list)
    check_combining("reduce_scatter", op, output.dtype)
    if members is None:
        return None
    as_many("reduce_scatter", input_list, members.size(), "a list")
    alike("reduce_scatter", [output], input_list)
    row = nd.stack([tensor.array for tensor in input_list])
    steps = agreed("reduce_scatter", members, _shared(members, output, row, op), row, details=op.name)
    return run("reduce_scatter", members, steps, async_op, arrays=[row])


def reduce_scatter_tensor(
    output: Tensor, input: Tensor, op: ReduceOp = ReduceOp.SUM, group: ProcessGroup | None = None, async_op: bool = False
) -> Work | None:
    """Combine the tensors of all processes, and copy each part to the process of its index.

    Args:
        output: the tensor to overwrite.
        input: the tensor of this process, with as many items for each process.
        op: how tensors are combined.
        group: the processes; by default all.
        async_op: whether a `Work` is returned at once.

    Returns:
        A `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError: there is no process group, or the dtypes differ.
        ArgumentTypeError: an argument is not a tensor.
        ShapeError: the number of items is wrong.
        DTypeError: the op has no meaning for the dtype.
        RankLost: a process was killed, is stopped or does not come.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> x = torch.tensor([1.0, 2.0])
    >>> copy = torch.zeros(2)
    >>> torch.distributed.reduce_scatter_tensor(copy, x)
    >>> copy
    tensor([1., 2.])
    >>> torch.distributed.destroy_process_group()
    """
    name = "reduce_scatter_tensor"
    members = tensors_in(name, group, output, input)
    check_combining(name, op, output.dtype)
    if members is None:
        return None
    alike(name, [output], [input], shapes=False)
    if input.numel() != output.numel() * members.size():
        raise ShapeError(
            f"{name}: input tensor must be the same size as output size times world size: {tuple(input.shape)} for "
            f"{members.size()} of {tuple(output.shape)}"
        )
    row = nd.reshape(input.array, (members.size(), output.numel()))
    steps = agreed(name, members, _shared(members, output, row, op), row, details=op.name)
    return run(name, members, steps, async_op, arrays=[row])


def _shared(members: ProcessGroup, output: Tensor, row: nd.NDArray, op: ReduceOp) -> Steps:
    share = yield from moves.reduced_shares(members, row, op)
    moves.copied(output.array, nd.reshape(share, output.array.shape))
