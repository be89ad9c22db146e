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
    """A group, which holds this process only.

    Attributes:
        name: of the backend that was asked for; nothing passes through it.
    """

    name: str

    def size(self) -> int:
        """1."""
        return 1

    def rank(self) -> int:
        """0."""
        return 0


class _Groups:
    """Where programs find the group of all processes.

    Attributes:
        WORLD: None before `init_process_group`.
    """

    WORLD: ProcessGroup | None = None


group = _Groups


class ReduceOp(Enum):
    """What a reduction over processes makes of their tensors; of one tensor each makes itself."""

    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR = range(8)


class Work:
    """An operation that a program may wait for; it is over."""

    def wait(self, timeout: Any = None) -> bool:
        """True, at once."""
        return True

    def is_completed(self) -> bool:
        """True."""
        return True

    is_success = is_completed


# -- the group -----------------------------------------------------------------------------------------------------------


def is_available() -> bool:
    """True: a group of one process is."""
    return True


def is_initialized() -> bool:
    """Whether there is a group."""
    return _Groups.WORLD is not None


def is_nccl_available() -> bool:
    """False: nothing is sent anywhere."""
    return False


is_gloo_available = is_mpi_available = is_nccl_available


def is_torchelastic_launched() -> bool:
    """Whether `torchrun` started this process."""
    return "TORCHELASTIC_RUN_ID" in os.environ


def _known(what: str, given: int, where: str | None) -> int:
    """The rank or the world size: as given, else, if the place to meet is the environment, what that says."""
    if given >= 0:
        return given
    if where is not None and where != "env://":
        raise ArgumentValueError(f"init_process_group({where!r}): the {what} is missing")
    if (variable := what.upper().replace(" ", "_")) not in os.environ:
        raise ArgumentValueError(f"init_process_group: environment variable {variable} expected, but not set")
    return int(os.environ[variable])


def init_process_group(
    backend: str | None = None, init_method: str | None = None, timeout: Any = None, world_size: int = -1, rank: int = -1,
    store: Any = None, group_name: str = "", pg_options: Any = None, device_id: Any = None,
) -> None:  # fmt: skip
    """Make the group, of this process only.

    Args:
        backend: the name that `get_backend` then tells.
        init_method: where processes meet: the environment, if it is "env://" or None.
        world_size, rank: how many processes there are, and which this is; if they meet in the environment, WORLD_SIZE and RANK.
        timeout, store, group_name, pg_options, device_id: without effect.

    Raises:
        ValueError: there is a group, no such backend, or the world size or the rank is not known.
        OpNotImplemented: there are several processes.
    """
    if _Groups.WORLD is not None:
        raise ArgumentValueError("trying to initialize the default process group twice!")
    name = "gloo" if backend is None else str(backend).lower()
    if not {part.rpartition(":")[2] for part in name.split(",")} <= _BACKENDS:
        raise ArgumentValueError(f"init_process_group: {backend!r} is none of {sorted(_BACKENDS)}")
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
    """Let the group go.

    Raises:
        AssertionError: there is none.
    """
    if _Groups.WORLD is None:
        raise AssertionError("Process group cannot be None")
    if group is None or group is _Groups.WORLD:
        _Groups.WORLD = None


def new_group(ranks: Sequence[int] | None = None, *args: Any, **options: Any) -> ProcessGroup:
    """A further group, of this process.

    Raises:
        ValueError: there is no default group, or another rank is named.
    """
    name = _default().name
    if ranks is not None and list(ranks) != [0]:
        raise ArgumentValueError(f"new_group: the only rank is 0, not {list(ranks)}")
    return ProcessGroup(name)


def get_rank(group: ProcessGroup | None = None) -> int:
    """0: which process this is.

    Raises:
        ValueError: there is no group.
    """
    return (group or _default()).rank()


def get_world_size(group: ProcessGroup | None = None) -> int:
    """1: how many processes there are.

    Raises:
        ValueError: there is no group.
    """
    return (group or _default()).size()


def get_backend(group: ProcessGroup | None = None) -> str:
    """The name that was asked for.

    Raises:
        ValueError: there is no group.
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
    """What all processes' tensors make together, in place: the tensor's own items.

    Raises:
        ValueError: there is no group; so in what follows.
    """
    _checked("all_reduce", 0, tensor)
    _combined("all_reduce", op, tensor)
    return Work() if async_op else None


def reduce(
    tensor: Tensor, dst: int = 0, op: ReduceOp = ReduceOp.SUM, group: ProcessGroup | None = None, async_op: bool = False
) -> Work | None:
    """The same in process `dst`."""
    _checked("reduce", dst, tensor)
    _combined("reduce", op, tensor)
    return Work() if async_op else None


def broadcast(tensor: Tensor, src: int = 0, group: ProcessGroup | None = None, async_op: bool = False) -> Work | None:
    """The items of process `src`'s tensor, in place: its own."""
    _checked("broadcast", src, tensor)
    return Work() if async_op else None


def all_gather(
    tensor_list: list[Tensor], tensor: Tensor, group: ProcessGroup | None = None, async_op: bool = False
) -> Work | None:
    """Every process's tensor, written into those of a list of one."""
    _checked("all_gather", 0, tensor, *tensor_list)
    _gathered("all_gather", tensor_list, [tensor])
    return Work() if async_op else None


def all_gather_into_tensor(
    output_tensor: Tensor, input_tensor: Tensor, group: ProcessGroup | None = None, async_op: bool = False
) -> Work | None:
    """Every process's tensor, one after the other."""
    _checked("all_gather_into_tensor", 0, output_tensor, input_tensor)
    _gathered("all_gather_into_tensor", [output_tensor], [input_tensor.reshape(output_tensor.shape)])
    return Work() if async_op else None


def gather(
    tensor: Tensor, gather_list: list[Tensor] | None = None, dst: int = 0, group: ProcessGroup | None = None,
    async_op: bool = False,
) -> Work | None:  # fmt: skip
    """`all_gather` in process `dst`."""
    _checked("gather", dst, tensor, *(gather_list or ()))
    if gather_list is None:
        raise ArgumentValueError("Argument ``gather_list`` must be specified on destination rank.")
    _gathered("gather", gather_list, [tensor])
    return Work() if async_op else None


def scatter(
    tensor: Tensor, scatter_list: list[Tensor] | None = None, src: int = 0, group: ProcessGroup | None = None,
    async_op: bool = False,
) -> Work | None:  # fmt: skip
    """A tensor for each process, from a list in process `src`."""
    _checked("scatter", src, tensor, *(scatter_list or ()))
    if scatter_list is None:
        raise ArgumentValueError("Argument ``scatter_list`` must be specified on source rank.")
    _copied("scatter", [tensor], scatter_list)
    return Work() if async_op else None


def reduce_scatter(
    output: Tensor, input_list: list[Tensor], op: ReduceOp = ReduceOp.SUM, group: ProcessGroup | None = None,
    async_op: bool = False,
) -> Work | None:  # fmt: skip
    """What all processes' lists make together, a tensor for each process."""
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
    """What all processes' tensors make together, a piece for each process."""
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
    """A tensor from each process to each other."""
    _checked("all_to_all", 0, *output_tensor_list, *input_tensor_list)
    _copied("all_to_all", output_tensor_list, input_tensor_list)
    return Work() if async_op else None


def barrier(group: ProcessGroup | None = None, async_op: bool = False, device_ids: Any = None) -> Work | None:
    """Wait for all processes: not at all."""
    _default()
    return Work() if async_op else None


def monitored_barrier(group: ProcessGroup | None = None, timeout: Any = None, wait_all_ranks: bool = False) -> None:
    """The same."""
    _default()


def all_gather_object(object_list: list[Any], obj: Any, group: ProcessGroup | None = None) -> None:
    """Every process's object, into a list of one."""
    _default()
    object_list[0] = obj


def broadcast_object_list(
    object_list: list[Any], src: int = 0, group: ProcessGroup | None = None, device: Any = None
) -> None:
    """The objects of process `src`: the list's own."""
    _checked("broadcast_object_list", src)
