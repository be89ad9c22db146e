"""`save` and `load` of PyTorch's .pt files, without PyTorch and without Python's pickle module."""

from __future__ import annotations

import os
from contextlib import nullcontext
from typing import IO, Any

from lamina_flatarray import ArgumentValueError, CheckpointError
from lamina_ndarray.files.replacing import Path, replacing

from .archive_reading import Archive
from .archive_writing import write_archive
from .opcodes import run
from .pickle_writing import pickled
from .storages import Place, Storages
from .streams import is_stream, load_stream, write_stream

__all__ = ["load", "save"]


_PICKLES_OPTIONS = ("fix_imports", "encoding", "errors", "buffers")


def save(
    obj: Any, f: Path | IO[bytes], pickle_module: Any = None, pickle_protocol: int = 2,
    _use_new_zipfile_serialization: bool = True, _disable_byteorder_record: bool = False,
) -> None:  # fmt: skip
    """Write tensors, and containers of them, to a file that PyTorch's `torch.load(f, weights_only=True)` reads, too.

    Tensors that share memory will share it when they are loaded; the memory under a view is written whole, and once. What
    is written: tensors, parameters, None, bool, int, float, complex, str, bytes, bytearray, dtypes, devices, Size, and
    list, tuple, dict, OrderedDict, Counter and set of these; and NumPy's numeric arrays and scalars, which PyTorch reads with
    `weights_only=False`, or where they are among its safe globals. Gradients, hooks and attributes of tensors are left out. A
    tensor with negative strides, which PyTorch does not have, is written as a copy without them.

    Args:
        obj: what to save; of a module or an optimizer, its `state_dict()`.
        f: a path, where the old file is replaced at once or not at all (a link is followed; a device or a pipe is written to as
            it is); or an open binary file.
        pickle_module: None, or Python's pickle: the program that is written is one of its.
        pickle_protocol: accepted; protocol 2 is written, which every reader knows.
        _use_new_zipfile_serialization: whether the format is that of PyTorch 1.6 and later, or the one before.
        _disable_byteorder_record: whether the order of bytes is not noted in the file.

    Raises:
        CheckpointError: `obj` holds something else. Nothing has been written then.
        ValueError: another module than pickle is asked for; or there is no such protocol.
        OSError: the file cannot be written.

    >>> torch.save({"weight": torch.ones(2), "epoch": 3}, "checkpoint.pt")
    >>> torch.load("checkpoint.pt")
    {'weight': tensor([1., 1.]), 'epoch': 3}
    """
    _check_pickle("save", pickle_module)
    if not (isinstance(pickle_protocol, int) and pickle_protocol <= 5):
        raise ArgumentValueError(f"save: pickle_protocol must be an integer up to 5, not {pickle_protocol!r}")
    program, storages, item_sizes = pickled(obj, not _use_new_zipfile_serialization)
    with nullcontext(f) if not isinstance(f, (str, bytes, os.PathLike)) else replacing(f) as file:
        if _use_new_zipfile_serialization:
            write_archive(file, program, storages, not _disable_byteorder_record)
        else:
            write_stream(file, program, storages, item_sizes)


def load(
    f: Path | IO[bytes],
    map_location: Place = None,
    pickle_module: Any = None,
    *,
    weights_only: bool | None = None,
    mmap: bool | None = None,
    **pickle_load_args: Any,
) -> Any:
    """Read a file of `save`, here or in PyTorch (also in its format before 1.6, but for tar archives).

    Tensors that share a storage share memory. Hooks and attributes of tensors are left out. What PyTorch marks to be
    conjugated or negated later is so at once, in memory of its own.

    The file cannot run anything: only what is on a closed list is made, and what the file claims of sizes is checked before
    memory is asked for.

    Args:
        f: a path, or an open binary file that can seek.
        map_location: where storages go: None, to the device that they were saved on; a device, all to this one; a mapping
            from such devices to others; or a function, which is given a storage on the CPU and the text of where it was,
            and gives the storage as it is to be, or None.
        pickle_module: None, or Python's pickle, which is not called: no module that unpickles has a say in what is made.
        weights_only: accepted; there is no other mode than True.
        mmap: map the file into memory instead of reading it (for a path): parts are read when they are looked at, and
            without a look at their checksums. What is written to the tensors does not go to the file.
        **pickle_load_args: accepted as Python's pickle takes them: `encoding` and `errors`, `fix_imports` and `buffers`.

    Returns:
        What was saved: a tensor, or a container of tensors and plain values.

    Raises:
        CheckpointError: the file is damaged, of another format, or holds what is not on the list.
        ValueError: a file object is to be mapped; or another module than pickle is asked for.
        RuntimeError: pickle is asked for with `weights_only=True`.
        TypeError: pickle takes no argument of such a name.
        OSError: the file cannot be opened.

    >>> torch.save([torch.tensor([1.0, 2.0]), "text"], "tensors.pt")
    >>> torch.load("tensors.pt", map_location="cpu")
    [tensor([1., 2.]), 'text']
    """
    _check_pickle("load", pickle_module)
    if weights_only and pickle_module is not None:
        raise RuntimeError("load: weights_only=True wants no pickle_module")
    unknown = pickle_load_args.keys() - set(_PICKLES_OPTIONS)
    if unknown:
        raise TypeError(f"load() got an unexpected keyword argument {min(unknown)!r}")
    if not isinstance(f, (str, bytes, os.PathLike)):
        if mmap:
            raise ArgumentValueError("load: mmap=True wants a path, not a file object")
        return _load(f, str(getattr(f, "name", "the file")), map_location, False)
    with open(f, "rb") as file:
        return _load(file, os.fsdecode(f), map_location, bool(mmap))


def _check_pickle(function: str, module: Any) -> None:
    """What programs name by habit is taken. Another module would make or run what is not on the list, so it is refused."""
    if module is not None and getattr(module, "__name__", None) != "pickle":
        raise ArgumentValueError(
            f"{function}: pickle_module must be None or Python's pickle, not {module!r}: files are read and written without running code"
        )


def _load(file: IO[bytes], name: str, place: Place, mmap: bool) -> Any:
    if not file.seekable():
        raise CheckpointError(f"load: {name} cannot seek, as the archive's directory at its end wants")
    if is_stream(file):
        if mmap:
            raise CheckpointError(f"load: {name} is of PyTorch's format before 1.6, which is not mapped: mmap=False")
        return load_stream(file, name, place)
    archive = Archive(file, name, mmap)
    return run(archive.read("data.pkl").tobytes(), name, Storages(archive, place))[0]
