"""`save` and `load` of PyTorch's .pt files, without PyTorch and without Python's pickle module."""

from __future__ import annotations

import os
from typing import IO, Any

from lamina_flatarray import ArgumentValueError, CheckpointError
from lamina_ndarray.files.replacing import replacing

from .archive_reading import Archive
from .archive_writing import write_archive
from .opcodes import run
from .pickle_writing import pickled
from .storages import Place, Storages

__all__ = ["load", "save"]


def save(obj: Any, f: str | os.PathLike[str] | IO[bytes]) -> None:
    """Write tensors, and containers of them, to a file that PyTorch's `torch.load(f, weights_only=True)` reads, too.

    Tensors that share memory will share it when they are loaded; the memory under a view is written whole, and once. What
    is written: tensors, parameters, None, bool, int, float, complex, str, bytes, bytearray, dtypes, devices, Size, and
    list, tuple, dict, OrderedDict, Counter and set of these. Gradients, hooks and attributes of tensors are left out. A
    tensor with negative strides, which PyTorch does not have, is written as a copy without them.

    Args:
        obj: what to save; of a module or an optimizer, its `state_dict()`.
        f: a path, where the old file is replaced at once or not at all; or an open binary file.

    Raises:
        CheckpointError: `obj` holds something else. Nothing has been written then.
        OSError: the file cannot be written.

    >>> torch.save({"weight": torch.ones(2), "epoch": 3}, "checkpoint.pt")
    >>> torch.load("checkpoint.pt")
    {'weight': tensor([1., 1.]), 'epoch': 3}
    """
    program, storages = pickled(obj)
    if not isinstance(f, (str, os.PathLike)):
        write_archive(f, program, storages)
        return
    with replacing(f) as file:
        write_archive(file, program, storages)


def load(
    f: str | os.PathLike[str] | IO[bytes],
    map_location: Place = None,
    *,
    mmap: bool = False,
    weights_only: bool = True,
) -> Any:
    """Read a file of `save`, here or in PyTorch (1.6 and later).

    Tensors that share a storage share memory. Hooks and attributes of tensors are left out. What PyTorch marks to be
    conjugated or negated later is so at once, in memory of its own.

    The file cannot run anything: only what is on a closed list is made, and what the file claims of sizes is checked before
    memory is asked for.

    Args:
        f: a path, or an open binary file that can seek.
        map_location: where storages go: None, to the device that they were saved on; a device, all to this one; a mapping
            from such devices to others; or a function, which is given a storage on the CPU and the text of where it was,
            and gives the storage as it is to be, or None.
        mmap: map the file into memory instead of reading it (for a path): parts are read when they are looked at, and
            without a look at their checksums. What is written to the tensors does not go to the file.
        weights_only: accepted; there is no other mode.

    Returns:
        What was saved: a tensor, or a container of tensors and plain values.

    Raises:
        CheckpointError: the file is damaged, of another format, or holds what is not on the list.
        ValueError: a file object is to be mapped.
        OSError: the file cannot be opened.

    >>> torch.save([torch.tensor([1.0, 2.0]), "text"], "tensors.pt")
    >>> torch.load("tensors.pt", map_location="cpu")
    [tensor([1., 2.]), 'text']
    """
    if not isinstance(f, (str, os.PathLike)):
        if mmap:
            raise ArgumentValueError("load: mmap=True wants a path, not a file object")
        return _load(f, str(getattr(f, "name", "the file")), map_location, False)
    with open(f, "rb") as file:
        return _load(file, os.fspath(f), map_location, mmap)


def _load(file: IO[bytes], name: str, place: Place, mmap: bool) -> Any:
    if not file.seekable():
        raise CheckpointError(f"load: {name} cannot seek, as the archive's directory at its end wants")
    archive = Archive(file, name, mmap)
    return run(archive.read("data.pkl").tobytes(), name, Storages(archive, place))
