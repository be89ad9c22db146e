"""torch.distributed.checkpoint.save: each process writes its pieces, and the index, which comes last, makes them the checkpoint."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable
from typing import Any

from lamina_flatarray import ArgumentTypeError, CheckpointError, OpNotImplemented
from lamina_ndarray import NDArray
from lamina_ndarray.files import save_safetensors
from lamina_tensor import Tensor

from ...files.json_trees import Arrays, encoded
from ...process_groups.availability import is_initialized
from ...process_groups.objects import all_gather_object
from ...process_groups.process_group import ProcessGroup, default_group
from ..distributed_tensor import DTensor
from ..placements import Shard, own_slice
from .index import FOLDER, Index, Path, Piece, leaves_of, write_index

__all__ = ["folder_of", "refuse", "save"]


def save(
    state_dict: dict[str, Any], *, checkpoint_id: str | os.PathLike[str] | None = None, storage_writer: Any = None, planner: Any = None,
    process_group: ProcessGroup | None = None, no_dist: bool = False, use_collectives: bool = True,
) -> None:  # fmt: skip
    """Write a checkpoint, of which each process writes what it has. All processes call it.

    Tensors go to safetensors files, one of each process, in a new folder; the index is replaced when all are on disk, and then the
    former folder is removed. A process that is killed meanwhile leaves the former checkpoint as it was. Any number of processes can
    load it. Nothing is pickled.

    Args:
        state_dict: nested dicts of tensors and plain data. Of what is no shard, the first process writes its own.
        checkpoint_id: the folder, which all processes see.
        storage_writer, planner: None; others are not served.
        process_group: the processes; by default all, or this one where there is no group.
        no_dist: whether this process writes alone.
        use_collectives: without effect.

    Raises:
        ArgumentTypeError: a key is neither a text nor an integer, or a value is not plain data.
        CheckpointError: a process could not write; all raise it, and the former checkpoint is as it was.
        OpNotImplemented: an option is not served.
        RankLost: a process was killed, is stopped or does not come.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> torch.distributed.checkpoint.save({"w": torch.ones(2), "step": 3}, checkpoint_id=folder)
    >>> state = {"w": torch.zeros(2), "step": 0}
    >>> torch.distributed.checkpoint.load(state, checkpoint_id=folder)
    >>> state
    {'w': tensor([1., 1.]), 'step': 3}
    """
    refuse("save", storage_writer=storage_writer, planner=planner)
    folder = folder_of("save", checkpoint_id)
    group = None if no_dist or not is_initialized() else process_group or default_group()
    first = group is None or group.rank() == 0
    name = _told_by_all(group, lambda: _new_folder(folder) if first else "")[0]
    written = _told_by_all(group, lambda: _write(state_dict, os.path.join(folder, name), 0 if group is None else group.rank(), first))
    _told_by_all(group, lambda: _commit(folder, name, written) if first else None)


def refuse(function: str, **options: Any) -> None:
    """Refuse options that are not served.

    Raises:
        OpNotImplemented: one is given.
    """
    for option, value in options.items():
        if value is not None:
            raise OpNotImplemented(f"{function}: {option}={value!r:.80} is not served; leave it out")


def folder_of(function: str, checkpoint_id: Any) -> str:
    """Return the folder of a checkpoint.

    Raises:
        ArgumentTypeError: it is no path.
    """
    if not isinstance(checkpoint_id, (str, os.PathLike)):
        raise ArgumentTypeError(f"{function}: checkpoint_id is the path of a folder, not {type(checkpoint_id).__name__}")
    return os.fsdecode(checkpoint_id)


def _told_by_all(group: ProcessGroup | None, act: Callable[[], Any]) -> list[Any]:
    """What each process answers; an error of one is an error of all.

    Raises:
        CheckpointError: one has failed.
    """
    if group is None:
        return [act()]
    failure: Exception | None = None
    try:
        mine: Any = ("done", act())
    except Exception as error:
        failure, mine = error, ("failed", f"{type(error).__name__}: {error}")
    told: list[Any] = [None] * group.size()
    all_gather_object(told, mine, group)
    if failure is not None:
        raise failure
    for rank, (how, what) in zip(group.ranks, told, strict=True):
        if how == "failed":
            raise CheckpointError(f"save: rank {rank} could not write: {what}")
    return [what for _, what in told]


def _new_folder(folder: str) -> str:
    name = FOLDER + secrets.token_hex(8)
    os.makedirs(os.path.join(folder, name))
    return name


def _write(state: Any, folder: str, rank: int, first: bool) -> tuple[list[Any], list[Any]]:
    """Write this process's pieces, and return them, and the values that are no tensors."""
    file = f"rank-{rank}.safetensors"
    arrays: dict[str, NDArray] = {}
    tensors: list[Any] = []
    values: list[Any] = []
    for path, _, value in leaves_of(state, "save"):
        if isinstance(value, Tensor):
            part = _part_of(value, first)
            pieces = []
            if part is not None:
                key = _free_name(path, arrays)
                arrays[key] = part[0]
                pieces.append((file, key, part[1], tuple(part[0].shape)))
            tensors.append((path, tuple(value.shape), pieces))
        elif first:
            values.append((path, _plain(path, value)))
    save_safetensors(arrays, os.path.join(folder, file))
    return tensors, values


def _part_of(value: Tensor, first: bool) -> tuple[NDArray, tuple[int, ...]] | None:
    """What this process writes of a tensor, and where that begins."""
    begin = [0] * value.ndim
    if isinstance(value, DTensor) and isinstance(placement := value.placements[0], Shard):
        group = value.device_mesh.get_group()
        begin[placement.dim], end = own_slice(value.shape[placement.dim], group.size(), group.rank())
        return (value.array, tuple(begin)) if end > begin[placement.dim] else None
    return (value.array, tuple(begin)) if first else None


def _free_name(path: Path, taken: dict[str, NDArray]) -> str:
    name = ".".join(map(str, path))
    while name in taken or name == "__metadata__":
        name += "'"
    return name


def _plain(path: Path, value: Any) -> Any:
    inside = Arrays()
    try:
        result = encoded(value, inside, "")
    except CheckpointError as error:
        raise ArgumentTypeError(f"save: what is at {list(path)} is not plain data: {error}") from error
    if inside.by_name:
        raise ArgumentTypeError(f"save: {list(path)} is a {type(value).__name__} with tensors; they may be in dicts and lists")
    return result


def _commit(folder: str, name: str, written: list[Any]) -> None:
    """Write the index, and remove the pieces that it no longer names."""
    index = Index(name, {}, {})
    for tensors, values in written:
        for path, shape, pieces in tensors:
            index.tensors.setdefault(path, (shape, []))[1].extend(Piece(*piece) for piece in pieces)
        index.values.update(values)
    write_index(index, folder)
    for other in os.listdir(folder):
        if other.startswith(FOLDER) and other != name:
            shutil.rmtree(os.path.join(folder, other), ignore_errors=True)
