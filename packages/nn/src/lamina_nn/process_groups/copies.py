"""Operations that copy tensors between processes: broadcast, gather, scatter, and all to all."""

from __future__ import annotations

from collections.abc import Sequence

from lamina_flatarray import ArgumentValueError, ShapeError
from lamina_ndarray import NDArray
from lamina_tensor import Tensor

from . import moves
from .checking import agreed, alike, as_many, tensors_in, writable
from .process_group import ProcessGroup, rank_in
from .work import Work, run

__all__ = [
    "all_gather", "all_gather_into_tensor", "all_to_all", "all_to_all_single", "broadcast", "gather", "scatter",
]  # fmt: skip


def broadcast(
    tensor: Tensor, src: int | None = None, group: ProcessGroup | None = None, async_op: bool = False, group_src: int | None = None
) -> Work | None:
    """Copy the tensor of one process to all.

    Args:
        tensor: the tensor, of the same shape and dtype in all processes.
        src: the process that has it, by its index among all.
        group: the processes; by default all.
        async_op: whether a `Work` is returned at once.
        group_src: in place of `src`, the index of that process in the group.

    Returns:
        A `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError: there is no process group, or not one of `src` and `group_src`.
        ArgumentTypeError: an argument is not a tensor.
        RuntimeError: there is no such process.
        RankLost: a process was killed, is stopped or does not come.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.distributed.broadcast(x, 0)
    >>> x
    tensor([1., 2.])
    >>> torch.distributed.destroy_process_group()
    """
    members = tensors_in("broadcast", group, tensor)
    if members is None:
        return None
    root = rank_in("broadcast", members, src, group_src)
    steps = agreed("broadcast", members, moves.broadcast(members, [tensor.array], root), tensor.array, details=f"from {root}")
    return run("broadcast", members, steps, async_op, arrays=[tensor.array])


def all_gather(
    tensor_list: list[Tensor], tensor: Tensor, group: ProcessGroup | None = None, async_op: bool = False
) -> Work | None:
    """Copy the tensors of all processes into a list of tensors.

    Args:
        tensor_list: the tensors to overwrite, one for each process.
        tensor: the tensor of this process, of the same shape and dtype in all processes.
        group: the processes; by default all.
        async_op: whether a `Work` is returned at once.

    Returns:
        A `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError: there is no process group, or the dtypes differ.
        ArgumentTypeError: an argument is not a tensor.
        RuntimeError: the list has not a tensor for each process.
        ShapeError: the shapes differ.
        RankLost: a process was killed, is stopped or does not come.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> x = torch.tensor([1.0, 2.0])
    >>> copies = [torch.zeros(2)]
    >>> torch.distributed.all_gather(copies, x)
    >>> copies
    [tensor([1., 2.])]
    >>> torch.distributed.destroy_process_group()
    """
    members = tensors_in("all_gather", group, tensor, *tensor_list)
    if members is None:
        return None
    as_many("all_gather", tensor_list, members.size(), "a list")
    writable("all_gather", *tensor_list)
    alike("all_gather", tensor_list, [tensor])
    steps = moves.gathered(members, [target.array for target in tensor_list], tensor.array)
    return run("all_gather", members, agreed("all_gather", members, steps, tensor.array), async_op, arrays=[tensor.array])


def all_gather_into_tensor(
    output_tensor: Tensor, input_tensor: Tensor, group: ProcessGroup | None = None, async_op: bool = False
) -> Work | None:
    """Copy the tensors of all processes into one tensor, one after another.

    Args:
        output_tensor: the tensor to overwrite, with as many items for each process.
        input_tensor: the tensor of this process, of the same shape and dtype in all processes.
        group: the processes; by default all.
        async_op: whether a `Work` is returned at once.

    Returns:
        A `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError: there is no process group, or the dtypes differ.
        ArgumentTypeError: an argument is not a tensor.
        ShapeError: the number of items is wrong.
        RankLost: a process was killed, is stopped or does not come.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> x = torch.tensor([1.0, 2.0])
    >>> copy = torch.zeros(2)
    >>> torch.distributed.all_gather_into_tensor(copy, x)
    >>> copy
    tensor([1., 2.])
    >>> torch.distributed.destroy_process_group()
    """
    name = "all_gather_into_tensor"
    members = tensors_in(name, group, output_tensor, input_tensor)
    if members is None:
        return None
    writable(name, output_tensor)
    alike(name, [output_tensor], [input_tensor], shapes=False)
    if output_tensor.numel() != input_tensor.numel() * members.size():
        raise ShapeError(
            f"{name}: output tensor size must be equal to world_size times input tensor size: {tuple(output_tensor.shape)} for "
            f"{members.size()} of {tuple(input_tensor.shape)}"
        )
    steps = moves.gathered(members, [output_tensor.array], input_tensor.array)
    return run(name, members, agreed(name, members, steps, input_tensor.array), async_op, arrays=[input_tensor.array])


def gather(
    tensor: Tensor, gather_list: list[Tensor] | None = None, dst: int | None = None, group: ProcessGroup | None = None,
    async_op: bool = False, group_dst: int | None = None,
) -> Work | None:  # fmt: skip
    """Copy the tensors of all processes into a list of tensors of one process.

    Args:
        tensor: the tensor of this process, of the same shape and dtype in all processes.
        gather_list: on that process, the tensors to overwrite, one for each process.
        dst: the process with the list, by its index among all; by default 0.
        group: the processes; by default all.
        async_op: whether a `Work` is returned at once.
        group_dst: in place of `dst`, the index of that process in the group.

    Returns:
        A `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError: there is no process group, or no list where it is wanted, or one where it is not; both `dst` and
            `group_dst` are given; or the dtypes differ.
        ArgumentTypeError: an argument is not a tensor.
        RuntimeError: the list has not a tensor for each process, or there is no such process.
        ShapeError: the shapes differ.
        RankLost: a process was killed, is stopped or does not come.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> x = torch.tensor([1.0, 2.0])
    >>> copies = [torch.zeros(2)]
    >>> torch.distributed.gather(x, copies)
    >>> copies
    [tensor([1., 2.])]
    >>> torch.distributed.destroy_process_group()
    """
    members = tensors_in("gather", group, tensor, *(gather_list or ()))
    if members is None:
        return None
    root = rank_in("gather", members, dst, group_dst, 0)
    targets = _listed("gather", "gather_list", "destination", members, root, gather_list, tensor)
    writable("gather", *targets)
    steps = moves.gathered_by_one(members, [target.array for target in targets], tensor.array, root)
    return run("gather", members, agreed("gather", members, steps, tensor.array, details=f"in {root}"), async_op, arrays=[tensor.array])


def scatter(
    tensor: Tensor, scatter_list: list[Tensor] | None = None, src: int | None = None, group: ProcessGroup | None = None,
    async_op: bool = False, group_src: int | None = None,
) -> Work | None:  # fmt: skip
    """Copy each tensor of a list of one process to the process of its index.

    Args:
        tensor: the tensor to overwrite, of the same shape and dtype in all processes.
        scatter_list: on that process, the tensors, one for each process.
        src: the process with the list, by its index among all; by default 0.
        group: the processes; by default all.
        async_op: whether a `Work` is returned at once.
        group_src: in place of `src`, the index of that process in the group.

    Returns:
        A `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError: there is no process group, or no list where it is wanted, or one where it is not; both `src` and
            `group_src` are given; or the dtypes differ.
        ArgumentTypeError: an argument is not a tensor.
        RuntimeError: the list has not a tensor for each process, or there is no such process.
        ShapeError: the shapes differ.
        RankLost: a process was killed, is stopped or does not come.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> x = torch.tensor([1.0, 2.0])
    >>> copy = torch.zeros(2)
    >>> torch.distributed.scatter(copy, [x])
    >>> copy
    tensor([1., 2.])
    >>> torch.distributed.destroy_process_group()
    """
    members = tensors_in("scatter", group, tensor, *(scatter_list or ()))
    if members is None:
        return None
    root = rank_in("scatter", members, src, group_src, 0)
    sources = _listed("scatter", "scatter_list", "source", members, root, scatter_list, tensor)
    steps = moves.scattered(members, tensor.array, [source.array for source in sources], root)
    return run("scatter", members, agreed("scatter", members, steps, tensor.array, details=f"from {root}"), async_op, arrays=[tensor.array])


def _listed(
    name: str, argument: str, role: str, members: ProcessGroup, root: int, tensors: list[Tensor] | None, tensor: Tensor
) -> Sequence[Tensor]:
    """The list of the one process that has one."""
    if members.rank() != root:
        if tensors:
            raise ArgumentValueError(f"Argument ``{argument}`` must NOT be specified on non-{role} ranks.")
        return ()
    if tensors is None:
        raise ArgumentValueError(f"Argument ``{argument}`` must be specified on {role} rank.")
    as_many(name, tensors, members.size(), argument)
    alike(name, tensors, [tensor])
    return tensors


def all_to_all(
    output_tensor_list: list[Tensor], input_tensor_list: list[Tensor], group: ProcessGroup | None = None, async_op: bool = False
) -> Work | None:
    """Copy a tensor from each process to each.

    Args:
        output_tensor_list: the tensors to overwrite, one for each process.
        input_tensor_list: the tensors of this process, one for each process; that for another process has the shape and dtype of
            the tensor for this one there.
        group: the processes; by default all.
        async_op: whether a `Work` is returned at once.

    Returns:
        A `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError: there is no process group, or the dtypes differ.
        ArgumentTypeError: an argument is not a tensor.
        RuntimeError: a list has not a tensor for each process.
        ShapeError: the shapes of what this process keeps differ.
        RankLost: a process was killed, is stopped or does not come.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> x = torch.tensor([1.0, 2.0])
    >>> copies = [torch.zeros(2)]
    >>> torch.distributed.all_to_all(copies, [x])
    >>> copies
    [tensor([1., 2.])]
    >>> torch.distributed.destroy_process_group()
    """
    members = tensors_in("all_to_all", group, *output_tensor_list, *input_tensor_list)
    if members is None:
        return None
    as_many("all_to_all", output_tensor_list, members.size(), "a list")
    as_many("all_to_all", input_tensor_list, members.size(), "a list")
    alike("all_to_all", output_tensor_list, input_tensor_list, shapes=False)
    mine = members.rank()
    alike("all_to_all", [output_tensor_list[mine]], [input_tensor_list[mine]])
    targets, sources = ([tensor.array for tensor in tensors] for tensors in (output_tensor_list, input_tensor_list))
    return run("all_to_all", members, agreed("all_to_all", members, moves.exchanged(members, targets, sources)), async_op, arrays=sources)


def all_to_all_single(
    output: Tensor, input: Tensor, output_split_sizes: list[int] | None = None, input_split_sizes: list[int] | None = None,
    group: ProcessGroup | None = None, async_op: bool = False,
) -> Work | None:  # fmt: skip
    """Copy a part of a tensor from each process to each.

    Args:
        output: the tensor to overwrite with the parts of all processes, one after another along the first dim.
        input: the tensor of this process, of a part for each process along the first dim.
        output_split_sizes: the lengths of the parts of `output`; by default they are equal.
        input_split_sizes: the lengths of the parts of `input`; by default they are equal.
        group: the processes; by default all.
        async_op: whether a `Work` is returned at once.

    Returns:
        A `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError: there is no process group, or the dtypes differ.
        ArgumentTypeError: an argument is not a tensor.
        ShapeError: the parts do not fit the first dim.
        RankLost: a process was killed, is stopped or does not come.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> copy = torch.zeros(2)
    >>> torch.distributed.all_to_all_single(copy, torch.tensor([1.0, 2.0]))
    >>> copy
    tensor([1., 2.])
    >>> torch.distributed.destroy_process_group()
    """
    name = "all_to_all_single"
    members = tensors_in(name, group, output, input)
    if members is None:
        return None
    alike(name, [output], [input], shapes=False)
    writable(name, output)
    targets = _parts(name, "output", output.array, output_split_sizes, members.size())
    sources = _parts(name, "input", input.array, input_split_sizes, members.size())
    mine = members.rank()
    if targets[mine].shape != sources[mine].shape:
        raise ShapeError(
            f"{name}: the part that stays here is {tuple(sources[mine].shape)} of the input and {tuple(targets[mine].shape)} of the output"
        )
    return run(name, members, agreed(name, members, moves.exchanged(members, targets, sources)), async_op, arrays=sources)


def _parts(name: str, what: str, array: NDArray, lengths: list[int] | None, size: int) -> list[NDArray]:
    """The parts of an array along its first axis, as views."""
    long = array.shape[0] if array.shape else 0
    if not lengths:
        if not array.shape or long % size:
            raise ShapeError(f"{name}: Tensor's dim 0 does not divide equally across group size: {what} {tuple(array.shape)} for {size}")
        lengths = [long // size] * size
    if len(lengths) != size or sum(lengths) != long or min(lengths) < 0:
        raise ShapeError(f"{name}: Split sizes doesn't match total dim 0 size: {what} {tuple(array.shape)} in {lengths} for {size}")
    ends = [sum(lengths[: i + 1]) for i in range(size)]
    return [array[end - length : end] for end, length in zip(ends, lengths, strict=True)]
