"""torch.distributed.checkpoint.load: each process reads the pieces that its own parts overlap."""

from __future__ import annotations

import os
from collections.abc import Sequence
from math import prod
from typing import Any

from lamina_flatarray import CheckpointError, ShapeError
from lamina_ndarray import NDArray
from lamina_ndarray.files import open_safetensors
from lamina_ndarray.files.safetensors_files import SafetensorsFile
from lamina_tensor import Tensor

from ...files.json_trees import decoded
from ...process_groups import moves
from ...process_groups.process_group import ProcessGroup
from ..distributed_tensor import DTensor
from ..placements import Shard, own_slice
from .index import Piece, leaves_of, read_index
from .saving import folder_of, refuse

__all__ = ["load"]


def load(
    state_dict: dict[str, Any], *, checkpoint_id: str | os.PathLike[str] | None = None, storage_reader: Any = None, planner: Any = None,
    process_group: ProcessGroup | None = None, no_dist: bool = False,
) -> None:  # fmt: skip
    """Read a checkpoint into tensors that are there, shards or whole ones, whatever number of processes wrote it.

    Args:
        state_dict: nested dicts as they were saved, or a part of them; tensors are overwritten, and so are other values in their dicts.
        checkpoint_id: the folder.
        storage_reader, planner: None; others are not served.
        process_group, no_dist: without effect: each process reads for itself.

    Raises:
        CheckpointError: the checkpoint is damaged, or has not what is wanted.
        ShapeError: a tensor has another shape.
        OpNotImplemented: an option is not served.
        OSError: there is no checkpoint, or it cannot be read.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> torch.distributed.checkpoint.save({"w": torch.ones(2)}, checkpoint_id=folder)
    >>> state = {"w": torch.zeros(2)}
    >>> torch.distributed.checkpoint.load(state, checkpoint_id=folder)
    >>> state["w"]
    tensor([1., 1.])
    """
    refuse("load", storage_reader=storage_reader, planner=planner)
    folder = folder_of("load", checkpoint_id)
    index = read_index(folder, "load")
    leaves = list(leaves_of(state_dict, "load"))
    for path, _, value in leaves:
        if path not in (index.tensors if isinstance(value, Tensor) else index.values):
            raise CheckpointError(f"load: Missing key in checkpoint state_dict: {'.'.join(map(str, path))}.")
        if isinstance(value, Tensor) and index.tensors[path][0] != tuple(value.shape):
            raise ShapeError(
                f"load: Size mismatch between saved {list(index.tensors[path][0])} and current: {list(value.shape)} for "
                f"{'.'.join(map(str, path))}"
            )
    files: dict[str, SafetensorsFile] = {}
    try:
        for path, container, value in leaves:
            if isinstance(value, Tensor):
                _read(value, index.tensors[path][1], os.path.join(folder, index.folder), files)
            else:
                container[path[-1]] = decoded(index.values[path], {})
    finally:
        for file in files.values():
            file.close()


def _read(target: Tensor, pieces: list[Piece], folder: str, files: dict[str, SafetensorsFile]) -> None:
    """Copy what pieces have of this process's part of a tensor.

    Raises:
        CheckpointError: they have not all of it.
    """
    begin = [0] * target.ndim
    if isinstance(target, DTensor) and isinstance(placement := target.placements[0], Shard):
        group = target.device_mesh.get_group()
        begin[placement.dim], _ = own_slice(target.shape[placement.dim], group.size(), group.rank())
    array, copied = target.array, 0
    for piece in pieces:
        starts = [max(mine, other) for mine, other in zip(begin, piece.begin, strict=True)]
        ends = [min(b + n, p + m) for b, n, p, m in zip(begin, array.shape, piece.begin, piece.shape, strict=True)]
        if all(start < end for start, end in zip(starts, ends, strict=True)):
            source = _piece(piece, folder, files)
            moves.copied(array[_box(starts, ends, begin)], source[_box(starts, ends, piece.begin)])
            copied += prod(end - start for start, end in zip(starts, ends, strict=True))
    if copied != array.layout.size:
        raise CheckpointError(f"load: pieces in {folder} have {copied} of {array.layout.size} items of a tensor of {tuple(target.shape)}")


def _box(starts: Sequence[int], ends: Sequence[int], offsets: Sequence[int]) -> tuple[slice, ...]:
    """A box of a tensor, in a part of it that begins at `offsets`."""
    return tuple(slice(start - o, end - o) for start, end, o in zip(starts, ends, offsets, strict=True))


def _piece(piece: Piece, folder: str, files: dict[str, SafetensorsFile]) -> NDArray:
    if piece.file not in files:
        try:
            files[piece.file] = open_safetensors(os.path.join(folder, piece.file))
        except FileNotFoundError as error:
            raise CheckpointError(f"load: {folder} lacks {piece.file}, which the index names") from error
    if piece.name not in files[piece.file]:
        raise CheckpointError(f"load: {piece.file} in {folder} has no tensor {piece.name!r:.80}, which the index names")
    array = files[piece.file][piece.name]
    if tuple(array.shape) != piece.shape:
        raise CheckpointError(f"load: {piece.name!r:.80} of {piece.file} in {folder} is {tuple(array.shape)}; the index says {piece.shape}")
    return array
