"""The processes that train together: a group of one, this process, whose collective operations leave its tensors as they are."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from lamina_flatarray import ArgumentTypeError, ArgumentValueError, DTypeError, OpNotImplemented, ShapeError
from lamina_tensor import Tensor, no_grad
from lamina_tensor.methods.in_place.history import check_writable

__all__ = [
    "ProcessGroup", "ReduceOp", "Work", "all_gather", "all_gather_into_tensor", "all_gather_object", "all_reduce", "all_to_all",
    "barrier", "broadcast", "broadcast_object_list", "destroy_process_group", "gather", "get_backend", "get_rank",
    "get_world_size", "group", "init_process_group", "is_available", "is_gloo_available", "is_initialized", "is_mpi_available",
    "is_nccl_available", "is_torchelastic_launched", "monitored_barrier", "new_group", "reduce", "reduce_scatter",
    "reduce_scatter_tensor", "scatter",
]  # fmt: skip

_BACKENDS: Final = {"gloo", "mpi", "nccl", "ucc", "xccl"}


@dataclass(frozen=True)
class ProcessGroup:
    """A group of processes, which holds this process only.

    Args:
        name: the backend that was asked for; nothing passes through it.

    Attributes:
        name: as given.

    >>> torch.distributed.ProcessGroup("gloo").size()
    1
    """

    name: str

    def size(self) -> int:
        """Return the number of processes.

        Returns:
            1.

        >>> torch.distributed.ProcessGroup("gloo").size()
        1
        """
        return 1

    def rank(self) -> int:
        """Return the index of this process in the group.

        Returns:
            0.

        >>> torch.distributed.ProcessGroup("gloo").rank()
        0
        """
        return 0


class group:
    """Hold the group of all processes.

    Attributes:
        WORLD: the default group; None before `init_process_group`.

    >>> torch.distributed.group.WORLD is None
    True
    """

    WORLD: ProcessGroup | None = None


_Groups = group  # under a name that no parameter hides


class ReduceOp(Enum):
    """Name the ways to combine tensors of several processes; one tensor stays as it is.

    Args:
        value: the number of one of them.

    >>> torch.distributed.ReduceOp.SUM.name
    'SUM'
    """

    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR = range(8)


class Work:
    """Stand for an operation of the group, which is finished.

    >>> torch.distributed.Work().wait()
    True
    """

    def wait(self, timeout: Any = None) -> bool:
        """Wait until the operation is finished: not at all.

        Args:
            timeout: without effect.

        Returns:
            True.

        >>> torch.distributed.Work().wait()
        True
        """
        return True

    def is_completed(self) -> bool:
        """Tell whether the operation is finished.

        Returns:
            True.

        >>> torch.distributed.Work().is_completed()
        True
        """
        return True

    is_success = is_completed


# -- the group -----------------------------------------------------------------------------------------------------------


def is_available() -> bool:
    """Tell whether processes can work together: they cannot, as a group has one process here.

    Programs that ask go on in one process; those that make a group without asking get one of one process.

    Returns:
        False.

    >>> torch.distributed.is_available()
    False
    """
    return False


def is_initialized() -> bool:
    """Tell whether there is a process group.

    Returns:
        A bool.

    >>> torch.distributed.is_initialized()
    False
    """
    return _Groups.WORLD is not None


def is_nccl_available() -> bool:
    """Tell whether a backend that sends tensors is available: none is.

    Returns:
        False.

    >>> torch.distributed.is_nccl_available()
    False
    """
    return False


is_gloo_available = is_mpi_available = is_nccl_available


def is_torchelastic_launched() -> bool:
    """Tell whether `torchrun` started this process.

    Returns:
        A bool.

    >>> import os
    >>> torch.distributed.is_torchelastic_launched() == ("TORCHELASTIC_RUN_ID" in os.environ)
    True
    """
    return "TORCHELASTIC_RUN_ID" in os.environ


def _backend(function: str, backend: str) -> str:
    """The name of a backend, or of one for each type of device (`cpu:gloo,cuda:nccl`), in small letters."""
    name = str(backend).lower()
    if not {part.rpartition(":")[2] for part in name.split(",")} <= _BACKENDS:
        raise ArgumentValueError(f"{function}: {backend!r} is none of {sorted(_BACKENDS)}")
    return name


def _known(what: str, value: int, where: str | None) -> int:
    """The rank or the world size: as given, else, if the place to meet is the environment, what that says."""
    if value >= 0:
        return value
    if where is not None and where != "env://":
        raise ArgumentValueError(f"init_process_group({where!r}): the {what} is missing")
    if (variable := what.upper().replace(" ", "_")) not in os.environ:
        raise ArgumentValueError(f"init_process_group: environment variable {variable} expected, but not set")
    return int(os.environ[variable])


def init_process_group(
    backend: str | None = None, init_method: str | None = None, timeout: Any = None, world_size: int = -1, rank: int = -1,
    store: Any = None, group_name: str = "", pg_options: Any = None, device_id: Any = None, _ranks: list[int] | None = None,
) -> None:  # fmt: skip
    """Make the default process group, of this process only.

    Args:
        backend: the name that `get_backend` then returns: "gloo", "mpi", "nccl", "ucc" or "xccl"; by default "gloo".
        init_method: where processes meet: None and "env://" mean the environment.
        timeout: without effect.
        world_size: the number of processes, 1; by default that of WORLD_SIZE in the environment.
        rank: the index of this process, 0; by default that of RANK in the environment.
        store, group_name, pg_options, device_id, _ranks: without effect.

    Raises:
        ArgumentValueError: there is a group already, the backend is unknown, or the world size or the rank is not
            known.
        OpNotImplemented: there are several processes.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.get_backend()
    'gloo'
    >>> torch.distributed.destroy_process_group()
    """
    if _Groups.WORLD is not None:
        raise ArgumentValueError("trying to initialize the default process group twice!")
    name = _backend("init_process_group", "gloo" if backend is None else backend)
    where = None if store is not None and init_method is None else init_method
    which, count = _known("rank", rank, where), _known("world size", world_size, where)
    if count != 1:
        raise OpNotImplemented(
            f"init_process_group: {count} processes; lamina trains in one: run the program with WORLD_SIZE=1"
        )
    if which != 0:
        raise ArgumentValueError(f"init_process_group: rank {which} of 1 process")
    _Groups.WORLD = ProcessGroup(name)


def _default() -> ProcessGroup:
    if _Groups.WORLD is None:
        raise ArgumentValueError("Default process group has not been initialized, please make sure to call init_process_group.")
    return _Groups.WORLD


def destroy_process_group(group: ProcessGroup | None = None) -> None:
    """Remove the default process group.

    Args:
        group: the group; by default the default one. Another group is left as it is.

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


def new_group(
    ranks: Sequence[int] | None = None, timeout: Any = None, backend: str | None = None, pg_options: Any = None,
    use_local_synchronization: bool = False, group_desc: str | None = None, device_id: Any = None, sort_ranks: bool = True,
) -> ProcessGroup:  # fmt: skip
    """Make another group, of this process.

    Args:
        ranks: [0]; by default all processes.
        backend: the name that `get_backend` then returns; by default that of the default group.
        timeout, pg_options, use_local_synchronization, group_desc, device_id, sort_ranks: without effect.

    Returns:
        A `ProcessGroup`.

    Raises:
        ArgumentValueError: there is no default group, ranks is not [0], or the backend is unknown.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.new_group([0]).size()
    1
    >>> torch.distributed.destroy_process_group()
    """
    default = _default().name
    if ranks is not None and list(ranks) != [0]:
        raise ArgumentValueError(f"new_group: the only rank is 0, not {list(ranks)}")
    return ProcessGroup(default if backend is None else _backend("new_group", backend))


def get_rank(group: ProcessGroup | None = None) -> int:
    """Return the index of this process in a group.

    Args:
        group: by default the default one.

    Returns:
        0.

    Raises:
        ArgumentValueError: there is no process group.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.get_rank()
    0
    >>> torch.distributed.destroy_process_group()
    """
    return (group or _default()).rank()


def get_world_size(group: ProcessGroup | None = None) -> int:
    """Return the number of processes in a group.

    Args:
        group: by default the default one.

    Returns:
        1.

    Raises:
        ArgumentValueError: there is no process group.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.get_world_size()
    1
    >>> torch.distributed.destroy_process_group()
    """
    return (group or _default()).size()


def get_backend(group: ProcessGroup | None = None) -> str:
    """Return the name of the backend that a group was made with.

    Args:
        group: by default the default one.

    Returns:
        The name.

    Raises:
        ArgumentValueError: there is no process group.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.get_backend()
    'gloo'
    >>> torch.distributed.destroy_process_group()
    """
    return (group or _default()).name


# -- operations ----------------------------------------------------------------------------------------------------------


def _checked(name: str, rank: int, *tensors: Any) -> None:
    _default()
    for tensor in tensors:
        if not isinstance(tensor, Tensor):
            raise ArgumentTypeError(f"{name}: a Tensor wanted, not {type(tensor).__name__}")
    if rank != 0:
        raise RuntimeError(f"{name}: invalid root rank: {rank}")


def _root(given: int | None, in_group: int | None) -> int:
    """The one process of an operation, by its index among all processes or in the group: with one process these are the same."""
    if given is not None and in_group is not None:
        raise ArgumentValueError("Can't specify both group_rank and global_rank")
    if in_group is not None:
        return in_group
    if given is None:
        raise ArgumentValueError("Must specify global_rank or group_rank")
    return given


def _combined(name: str, op: ReduceOp, tensor: Tensor) -> None:
    if op in (ReduceOp.BAND, ReduceOp.BOR, ReduceOp.BXOR) and tensor.dtype.is_inexact:
        raise DTypeError(f"{name}: Cannot use ReduceOp.{op.name} with non-integral dtype {tensor.dtype.name}")


def _gathered(name: str, targets: Sequence[Tensor], sources: Sequence[Tensor]) -> None:
    """Copied as by a program: not into a leaf that wants gradients."""
    for target in targets:
        check_writable(name, target)
    _copied(name, targets, sources)


def _copied(name: str, targets: Any, sources: Any) -> None:
    """One tensor of each side, and the second's items in the first."""
    if len(targets) != 1 or len(sources) != 1:
        raise RuntimeError(
            f"{name}: a list of 1 tensor wanted, as there are processes; given {len(targets)} and {len(sources)}"
        )
    (target,), (source,) = targets, sources
    if target.dtype is not source.dtype:
        raise ArgumentValueError(f"{name}: invalid usage of tensors with different dtypes, {target.dtype.name} and {source.dtype.name}")
    if target.shape != source.shape:
        raise ShapeError(f"{name}: invalid tensor size (expected {tuple(source.shape)}, got {tuple(target.shape)})")
    with no_grad():
        target.copy_(source)


def all_reduce(
    tensor: Tensor, op: ReduceOp = ReduceOp.SUM, group: ProcessGroup | None = None, async_op: bool = False
) -> Work | None:
    """Combine the tensors of all processes, in place: with one process the tensor stays as it is.

    Args:
        tensor: the tensor.
        op: how tensors are combined.
        group: the processes; by default all.
        async_op: whether a `Work` is returned.

    Returns:
        A finished `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError: there is no process group.
        ArgumentTypeError: an argument is not a tensor.
        DTypeError: a bitwise op is asked for, and the tensor does not hold integers.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.distributed.all_reduce(x)
    >>> x
    tensor([1., 2.])
    >>> torch.distributed.destroy_process_group()
    """
    _checked("all_reduce", 0, tensor)
    _combined("all_reduce", op, tensor)
    return Work() if async_op else None


def reduce(
    tensor: Tensor, dst: int | None = None, op: ReduceOp = ReduceOp.SUM, group: ProcessGroup | None = None, async_op: bool = False,
    group_dst: int | None = None,
) -> Work | None:  # fmt: skip
    """Combine the tensors of all processes in one process: with one process the tensor stays as it is.

    Args:
        tensor: the tensor.
        dst: the process with the result: 0.
        op: how tensors are combined.
        group: the processes; by default all.
        async_op: whether a `Work` is returned.
        group_dst: in place of `dst`, the index of that process in the group: 0.

    Returns:
        A finished `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError: there is no process group, or not one of `dst` and `group_dst`.
        ArgumentTypeError: an argument is not a tensor.
        RuntimeError: dst is not 0.
        DTypeError: a bitwise op is asked for, and the tensor does not hold integers.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.distributed.reduce(x, 0)
    >>> x
    tensor([1., 2.])
    >>> torch.distributed.destroy_process_group()
    """
    _checked("reduce", _root(dst, group_dst), tensor)
    _combined("reduce", op, tensor)
    return Work() if async_op else None


def broadcast(
    tensor: Tensor, src: int | None = None, group: ProcessGroup | None = None, async_op: bool = False, group_src: int | None = None
) -> Work | None:
    """Copy the tensor of one process to all: with one process it stays as it is.

    Args:
        tensor: the tensor.
        src: the process that has it: 0.
        group: the processes; by default all.
        async_op: whether a `Work` is returned.
        group_src: in place of `src`, the index of that process in the group: 0.

    Returns:
        A finished `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError: there is no process group, or not one of `src` and `group_src`.
        ArgumentTypeError: an argument is not a tensor.
        RuntimeError: src is not 0.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> x = torch.tensor([1.0, 2.0])
    >>> torch.distributed.broadcast(x, 0)
    >>> x
    tensor([1., 2.])
    >>> torch.distributed.destroy_process_group()
    """
    _checked("broadcast", _root(src, group_src), tensor)
    return Work() if async_op else None


def all_gather(
    tensor_list: list[Tensor], tensor: Tensor, group: ProcessGroup | None = None, async_op: bool = False
) -> Work | None:
    """Copy the tensors of all processes into a list of tensors.

    Args:
        tensor_list: the tensors to overwrite, one for each process.
        tensor: the tensor of this process.
        group: the processes; by default all.
        async_op: whether a `Work` is returned.

    Returns:
        A finished `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError: there is no process group.
        ArgumentTypeError: an argument is not a tensor.
        RuntimeError: a list has another length than 1.
        ShapeError: the shapes differ.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> x = torch.tensor([1.0, 2.0])
    >>> copies = [torch.zeros(2)]
    >>> torch.distributed.all_gather(copies, x)
    >>> copies
    [tensor([1., 2.])]
    >>> torch.distributed.destroy_process_group()
    """
    _checked("all_gather", 0, tensor, *tensor_list)
    _gathered("all_gather", tensor_list, [tensor])
    return Work() if async_op else None


def all_gather_into_tensor(
    output_tensor: Tensor, input_tensor: Tensor, group: ProcessGroup | None = None, async_op: bool = False
) -> Work | None:
    """Copy the tensors of all processes into one tensor, one after another.

    Args:
        output_tensor: the tensor to overwrite.
        input_tensor: the tensor of this process, with as many items.
        group: the processes; by default all.
        async_op: whether a `Work` is returned.

    Returns:
        A finished `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError: there is no process group.
        ArgumentTypeError: an argument is not a tensor.
        ShapeError: the number of items differs.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> x = torch.tensor([1.0, 2.0])
    >>> copy = torch.zeros(2)
    >>> torch.distributed.all_gather_into_tensor(copy, x)
    >>> copy
    tensor([1., 2.])
    >>> torch.distributed.destroy_process_group()
    """
    _checked("all_gather_into_tensor", 0, output_tensor, input_tensor)
    _gathered("all_gather_into_tensor", [output_tensor], [input_tensor.reshape(output_tensor.shape)])
    return Work() if async_op else None


def gather(
    tensor: Tensor, gather_list: list[Tensor] | None = None, dst: int | None = None, group: ProcessGroup | None = None,
    async_op: bool = False, group_dst: int | None = None,
) -> Work | None:  # fmt: skip
    """Copy the tensors of all processes into a list of tensors of one process.

    Args:
        tensor: the tensor of this process.
        gather_list: the tensors to overwrite, one for each process.
        dst: the process with the list: 0, by default, too.
        group: the processes; by default all.
        async_op: whether a `Work` is returned.
        group_dst: in place of `dst`, the index of that process in the group: 0.

    Returns:
        A finished `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError: there is no process group, or no list; or `dst` and `group_dst` are given.
        ArgumentTypeError: an argument is not a tensor.
        RuntimeError: a list has another length than 1.
        ShapeError: the shapes differ.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> x = torch.tensor([1.0, 2.0])
    >>> copies = [torch.zeros(2)]
    >>> torch.distributed.gather(x, copies)
    >>> copies
    [tensor([1., 2.])]
    >>> torch.distributed.destroy_process_group()
    """
    root = 0 if dst is None and group_dst is None else _root(dst, group_dst)
    _checked("gather", root, tensor, *(gather_list or ()))
    if gather_list is None:
        raise ArgumentValueError("Argument ``gather_list`` must be specified on destination rank.")
    _gathered("gather", gather_list, [tensor])
    return Work() if async_op else None


def scatter(
    tensor: Tensor, scatter_list: list[Tensor] | None = None, src: int | None = None, group: ProcessGroup | None = None,
    async_op: bool = False, group_src: int | None = None,
) -> Work | None:  # fmt: skip
    """Copy each tensor of a list of one process to the process of its index.

    Args:
        tensor: the tensor to overwrite.
        scatter_list: the tensors, one for each process.
        src: the process with the list: 0, by default, too.
        group: the processes; by default all.
        async_op: whether a `Work` is returned.
        group_src: in place of `src`, the index of that process in the group: 0.

    Returns:
        A finished `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError: there is no process group, or no list; or `src` and `group_src` are given.
        ArgumentTypeError: an argument is not a tensor.
        RuntimeError: a list has another length than 1.
        ShapeError: the shapes differ.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> x = torch.tensor([1.0, 2.0])
    >>> copy = torch.zeros(2)
    >>> torch.distributed.scatter(copy, [x])
    >>> copy
    tensor([1., 2.])
    >>> torch.distributed.destroy_process_group()
    """
    root = 0 if src is None and group_src is None else _root(src, group_src)
    _checked("scatter", root, tensor, *(scatter_list or ()))
    if scatter_list is None:
        raise ArgumentValueError("Argument ``scatter_list`` must be specified on source rank.")
    _copied("scatter", [tensor], scatter_list)
    return Work() if async_op else None


def reduce_scatter(
    output: Tensor, input_list: list[Tensor], op: ReduceOp = ReduceOp.SUM, group: ProcessGroup | None = None,
    async_op: bool = False,
) -> Work | None:  # fmt: skip
    """Combine the lists of all processes, and copy each result to the process of its index.

    Args:
        output: the tensor to overwrite.
        input_list: the tensors of this process, one for each process.
        op: how tensors are combined.
        group: the processes; by default all.
        async_op: whether a `Work` is returned.

    Returns:
        A finished `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError: there is no process group.
        ArgumentTypeError: an argument is not a tensor.
        RuntimeError: a list has another length than 1.
        ShapeError: the shapes differ.
        DTypeError: a bitwise op is asked for, and the tensor does not hold integers.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> x = torch.tensor([1.0, 2.0])
    >>> copy = torch.zeros(2)
    >>> torch.distributed.reduce_scatter(copy, [x])
    >>> copy
    tensor([1., 2.])
    >>> torch.distributed.destroy_process_group()
    """
    _checked("reduce_scatter", 0, output, *input_list)
    _combined("reduce_scatter", op, output)
    _copied("reduce_scatter", [output], input_list)
    return Work() if async_op else None


def reduce_scatter_tensor(
    output: Tensor,
    input: Tensor,
    op: ReduceOp = ReduceOp.SUM,
    group: ProcessGroup | None = None,
    async_op: bool = False,
) -> Work | None:
    """Combine the tensors of all processes, and copy each part to the process of its index.

    Args:
        output: the tensor to overwrite.
        input: the tensor of this process, with as many items.
        op: how tensors are combined.
        group: the processes; by default all.
        async_op: whether a `Work` is returned.

    Returns:
        A finished `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError: there is no process group.
        ArgumentTypeError: an argument is not a tensor.
        DTypeError: a bitwise op is asked for, and the tensor does not hold integers.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> x = torch.tensor([1.0, 2.0])
    >>> copy = torch.zeros(2)
    >>> torch.distributed.reduce_scatter_tensor(copy, x)
    >>> copy
    tensor([1., 2.])
    >>> torch.distributed.destroy_process_group()
    """
    _checked("reduce_scatter_tensor", 0, output, input)
    _combined("reduce_scatter_tensor", op, output)
    _copied("reduce_scatter_tensor", [output], [input.reshape(output.shape)])
    return Work() if async_op else None


def all_to_all(
    output_tensor_list: list[Tensor],
    input_tensor_list: list[Tensor],
    group: ProcessGroup | None = None,
    async_op: bool = False,
) -> Work | None:
    """Copy a tensor from each process to each.

    Args:
        output_tensor_list: the tensors to overwrite, one for each process.
        input_tensor_list: the tensors of this process, one for each process.
        group: the processes; by default all.
        async_op: whether a `Work` is returned.

    Returns:
        A finished `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError: there is no process group.
        ArgumentTypeError: an argument is not a tensor.
        RuntimeError: a list has another length than 1.
        ShapeError: the shapes differ.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> x = torch.tensor([1.0, 2.0])
    >>> copies = [torch.zeros(2)]
    >>> torch.distributed.all_to_all(copies, [x])
    >>> copies
    [tensor([1., 2.])]
    >>> torch.distributed.destroy_process_group()
    """
    _checked("all_to_all", 0, *output_tensor_list, *input_tensor_list)
    _copied("all_to_all", output_tensor_list, input_tensor_list)
    return Work() if async_op else None


def barrier(
    group: ProcessGroup | None = None, async_op: bool = False, device_ids: Any = None, timeout: Any = None
) -> Work | None:
    """Wait for all processes: with one, not at all.

    Args:
        group: the processes; by default all.
        async_op: whether a `Work` is returned.
        device_ids, timeout: without effect.

    Returns:
        A finished `Work` with `async_op`, else None.

    Raises:
        ArgumentValueError: there is no process group.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.barrier()
    >>> torch.distributed.destroy_process_group()
    """
    _default()
    return Work() if async_op else None


def monitored_barrier(group: ProcessGroup | None = None, timeout: Any = None, wait_all_ranks: bool = False) -> None:
    """Wait for all processes: with one, not at all.

    Args:
        group: the processes; by default all.
        timeout, wait_all_ranks: without effect.

    Raises:
        ArgumentValueError: there is no process group.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> torch.distributed.monitored_barrier()
    >>> torch.distributed.destroy_process_group()
    """
    _default()


def all_gather_object(object_list: list[Any], obj: Any, group: ProcessGroup | None = None) -> None:
    """Collect the objects of all processes in a list.

    Args:
        object_list: the list to overwrite, with an item for each process.
        obj: the object of this process.
        group: the processes; by default all.

    Raises:
        ArgumentValueError: there is no process group.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> objects = [None]
    >>> torch.distributed.all_gather_object(objects, "a")
    >>> objects
    ['a']
    >>> torch.distributed.destroy_process_group()
    """
    _default()
    object_list[0] = obj


def broadcast_object_list(
    object_list: list[Any], src: int | None = None, group: ProcessGroup | None = None, device: Any = None, group_src: int | None = None
) -> None:
    """Copy the objects of one process to all: with one process the list stays as it is.

    Args:
        object_list: the list.
        src: the process that has it: 0, by default, too.
        group: the processes; by default all.
        device: without effect.
        group_src: in place of `src`, the index of that process in the group: 0.

    Raises:
        ArgumentValueError: there is no process group; or `src` and `group_src` are given.
        RuntimeError: src is not 0.

    >>> torch.distributed.init_process_group(world_size=1, rank=0, store=object())
    >>> objects = ["a"]
    >>> torch.distributed.broadcast_object_list(objects, src=0)
    >>> objects
    ['a']
    >>> torch.distributed.destroy_process_group()
    """
    root = 0 if src is None and group_src is None else _root(src, group_src)
    _checked("broadcast_object_list", root)
