"""Tensors in memory that processes share: with those that are forked later, and those that the tensors are sent to."""

from __future__ import annotations

import os
import pickle
import warnings
import weakref
from copy import copy
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

import lamina_ndarray as nd
from lamina_flatarray import ArgumentValueError, AutogradError, DeviceError, DType, ShapeError
from lamina_flatarray.dtypes import dtype_of
from lamina_ndarray.layouts.layout import Layout

from .. import tensor_fields
from ..tensor_fields import TensorFields, alike, tensor_of

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["get_all_sharing_strategies", "get_sharing_strategy", "init_reductions", "is_shared", "set_sharing_strategy", "share_memory"]

T = TypeVar("T", bound=TensorFields)


def is_shared(memory: Any) -> bool:
    """Whether a flat array's memory is shared with other processes."""
    import mmap  # few programs share memory, and the import counts

    return isinstance(_owner(memory), mmap.mmap)


def _owner(memory: Any) -> Any:
    """The object that a NumPy array's memory belongs to."""
    while isinstance(memory, np.ndarray) and memory.base is not None:
        memory = memory.base
    return memory.obj if isinstance(memory, memoryview) else memory


def share_memory(self: T) -> T:
    """Move the items, and those of all views of them, to memory that is shared with processes forked from now on. What is
    sent to a process that starts otherwise, as an argument of it or through a queue, shares it, too, where the system has
    files in memory (Linux); elsewhere, to send it is an error.

    Raises:
        DeviceError: they are not on the host.
        ShapeError: the tensor is a part of memory that belongs together.
    """
    flat = getattr(self.array.flat, "whole", self.array.flat)
    if not flat.backend.host:
        raise DeviceError(f"share_memory_: the items are on {flat.device}; only host memory is shared between processes")
    if is_shared(flat.memory) or not flat.nbytes:
        return self
    if flat is not self.array.flat:
        raise ShapeError("share_memory_: the tensor is a slice of flat memory; share the whole")
    shared = np.frombuffer(_mapped(flat.nbytes), np.uint8)
    shared[:] = flat.bytes_view()
    flat.memory, flat.offset = shared, 0
    root = self if self.base is None else self.base
    for tensor in (self, root, *(view() for view in root.views or ())):
        if tensor is not None:
            tensor.array.native = None  # the backend's own handle knows the old memory
    _sent_as_memory(type(self))
    return self


def get_all_sharing_strategies() -> set[str]:
    """Return the ways in which processes find shared memory.

    Returns:
        "file_descriptor" alone: memory that no name is left of when its last process has ended.

    >>> torch.multiprocessing.get_all_sharing_strategies()
    {'file_descriptor'}
    """
    return {"file_descriptor"}


def get_sharing_strategy() -> str:
    """Return the way in which processes find shared memory.

    Returns:
        "file_descriptor".

    >>> torch.multiprocessing.get_sharing_strategy()
    'file_descriptor'
    """
    return "file_descriptor"


def set_sharing_strategy(new_strategy: str) -> None:
    """Ask for the way in which processes find shared memory, of which there is one.

    Args:
        new_strategy: "file_descriptor"; "file_system", which PyTorch has, too, is warned of and changes nothing.

    Raises:
        ArgumentValueError: it is another one.

    >>> torch.multiprocessing.set_sharing_strategy("file_descriptor")
    """
    if new_strategy == "file_system":
        warnings.warn("set_sharing_strategy: memory is shared by file descriptors; 'file_system' changes nothing", stacklevel=2)
    elif new_strategy not in get_all_sharing_strategies():
        raise ArgumentValueError(f"set_sharing_strategy: {new_strategy!r} given; there is 'file_descriptor'")


def _mapped(nbytes: int, file: int | None = None) -> Any:
    """Shared memory that knows by which number its file is open, if it has one; a new one, or that of a file."""
    from mmap import mmap

    class Mapped(mmap):
        file: int = -1

        def __del__(self) -> None:
            if self.file >= 0:
                os.close(self.file)

    if file is None and hasattr(os, "memfd_create"):
        file = os.memfd_create("lamina")
        os.ftruncate(file, nbytes)
    result = Mapped(-1 if file is None else file, nbytes)
    result.file = -1 if file is None else file
    return result


# -- sent to other processes ------------------------------------------------------------------------------------------------


def init_reductions() -> None:
    """Have multiprocessing send tensors by the rules of PyTorch, as the import of `torch.multiprocessing` does: those in shared memory as
    that, and none that has a gradient graph behind it.

    >>> torch.multiprocessing.init_reductions()
    """
    _sent_as_memory(tensor_fields.tensor_class)


def _sent_as_memory(kind: type[TensorFields]) -> None:
    """Let multiprocessing send shared tensors of a class, and views of them, as the memory that they are in."""
    from multiprocessing.reduction import ForkingPickler

    for sent in (kind, tensor_fields.tensor_class):
        ForkingPickler.register(sent, _reduce)


def _reduce(tensor: Tensor) -> Any:
    if tensor.requires_grad and not tensor.is_leaf:
        raise AutogradError(
            "a tensor that requires gradients and is no leaf cannot be sent to another process: gradients do not go from one process to "
            "another; send x.detach()"
        )
    flat = getattr(tensor.array.flat, "whole", tensor.array.flat)
    if not is_shared(flat.memory):
        if tensor.array.layout.size < flat.size:  # of memory that cannot be shared, only what it shows is sent
            tensor = copy(tensor)
            tensor.array = nd.copy(tensor.array)
        return tensor.__reduce_ex__(pickle.HIGHEST_PROTOCOL)
    file = getattr(_owner(flat.memory), "file", -1)
    if file < 0:
        raise ShapeError("a tensor in shared memory cannot be sent to another process here; let the process be forked")
    layout = tensor.array.layout
    layout_parts = (tuple(layout.shape), tuple(layout.strides), layout.offset)
    return (
        _received, (type(tensor), _sent(file), flat.nbytes, flat.dtype.name, layout_parts, tensor.requires_grad),
        tensor.__dict__ or None,
    )  # fmt: skip


def _sent(file: int) -> Any:
    """An open file as multiprocessing sends it: to a process that is just being started, only once under one number."""
    from multiprocessing.context import get_spawning_popen
    from multiprocessing.reduction import DupFd

    starting = get_spawning_popen()
    if starting is not None:
        file = os.dup(file)
        weakref.finalize(starting, os.close, file)
    return DupFd(file)


def _received(
    kind: type[Tensor], file: Any, nbytes: int, dtype: str, layout: tuple[tuple[int, ...], tuple[int, ...], int], wants: bool
) -> Tensor:
    from ..functions.creation import empty

    items: DType = dtype_of(dtype)
    array = empty(nbytes // items.itemsize, dtype=items, device="cpu").array
    array.flat.memory, array.flat.offset = np.frombuffer(_mapped(nbytes, file.detach()), np.uint8), 0
    array.native = None
    _sent_as_memory(kind)
    return alike(kind, tensor_of(type(array)(array.flat, Layout.of(*layout))), wants)
