"""Tensors by name in safetensors files, one or several with an index; a write replaces the file at once or not at all."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lamina_flatarray import ArgumentTypeError, CheckpointError
from lamina_ndarray import NDArray
from lamina_ndarray.files import load_safetensors, open_safetensors, save_safetensors
from lamina_ndarray.files.replacing import Path
from lamina_tensor import Tensor

__all__ = ["load_file", "load_sharded", "save_file"]

_NO_SUCH_FILE = (errno.ENOENT, errno.EISDIR, errno.ENAMETOOLONG)


def save_file(
    tensors: Mapping[str, Tensor], path: Path, metadata: dict[str, str] | None = None
) -> None:
    """Write tensors by name to a safetensors file. If writing fails, what was there before is still there.

    Raises:
        CheckpointError: a dtype has no place in the format.
        OSError: the file cannot be written.
    """
    save_safetensors({name: t.array for name, t in tensors.items()}, path, metadata)


def load_file(path: Path, device: Any = "cpu", mmap: bool | None = None) -> dict[str, Tensor]:
    """The tensors of a safetensors file by name.

    Args:
        path: the file.
        device: where the tensors go.
        mmap: whether they are parts of the file mapped into memory, read when they are looked at, as the safetensors library
            does it; what is written to them stays in this process, and the file must not be cut or written over (it may be
            replaced) as long as one of them lives. False gives each tensor memory of its own. None: True, but on Windows, where
            what is mapped cannot be replaced.

    Raises:
        CheckpointError: the file is damaged, or holds a dtype that lamina does not have.
    """
    return {name: Tensor(array) for name, array in load_safetensors(path, device=device, mmap=mmap).items()}


def load_sharded(index: Path, device: Any = "cpu", mmap: bool | None = None) -> dict[str, Tensor]:
    """The tensors of several safetensors files by name, as an index beside them says: JSON, with a `weight_map` from the
    names of tensors to names of files (https://huggingface.co/docs/safetensors, "model.safetensors.index.json").

    Args:
        index: the file beside the others.
        device: where the tensors go.
        mmap: whether they are parts of the mapped files; see `load_file`.

    Raises:
        CheckpointError: the index or a file is damaged, a tensor is not where the index says, or a file not beside it.
        OSError: a file cannot be opened.
    """
    name = os.fsdecode(index)
    try:
        with open(name, encoding="utf-8") as opened:
            places = json.load(opened)["weight_map"]
        if not all(isinstance(place, str) for place in places.values()):
            raise ArgumentTypeError("a file's name is no text")
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise CheckpointError(f"load_sharded: {name} is not an index of safetensors files: {error!r:.200}") from error
    wanted: dict[str, list[str]] = {}
    for key, file in places.items():
        wanted.setdefault(file, []).append(key)
    tensors: dict[str, Tensor] = {}
    for file, keys in sorted(wanted.items()):
        for key, array in _of_one_file(name, file, keys, device, mmap):
            tensors[key] = Tensor(array)
    return {key: tensors[key] for key in places}


def _of_one_file(index: str, file: str, keys: Sequence[str], device: Any, mmap: bool | None) -> Iterator[tuple[str, NDArray]]:
    if file != os.path.basename(file) or file in ("", ".", "..") or "\0" in file:
        raise CheckpointError(f"load_sharded: {index} names the file {file[:80]!a}, which is not beside it")
    try:
        opened = open_safetensors(os.path.join(os.path.dirname(index), file), device=device, mmap=mmap)
    except (OSError, UnicodeEncodeError) as error:
        if isinstance(error, OSError) and error.errno not in _NO_SUCH_FILE:
            raise
        raise CheckpointError(f"load_sharded: {index} names the file {file[:80]!a}, which is not beside it") from error
    with opened as shard:
        for key in keys:
            if key not in shard:
                raise CheckpointError(f"load_sharded: {file} has no tensor {key[:80]!a}, which {index} says it has")
            yield key, shard[key]
