"""DLPack both ways for host memory: https://dmlc.github.io/dlpack/latest/python_spec.html.

NumPy makes and reads the capsules, which gives them deleters that are safe at any time and from any thread.
It has no bfloat16 there, so such items travel as uint16, and the type field in the capsule is set on the way.
"""

from __future__ import annotations

from struct import calcsize
from typing import Any, Final

import numpy as np

from . import dtypes
from .contract import Flat

__all__ = ["HOST", "device", "exported", "imported"]

_CPU: Final = 1
HOST: Final = (_CPU, 0)
"""DLPack's name of the host."""
_UINT: Final = 1  # type codes of DLDataType
_BFLOAT: Final = 4
_VERSION: Final = (1, 0)

# DLTensor is data (a pointer), device (8 bytes), ndim (4), dtype (4), ...; it begins DLManagedTensor,
# but behind version (8), context and deleter (pointers) and flags (8) in DLManagedTensorVersioned.
_POINTER: Final = calcsize("P")
_DTYPE_AT: Final = {b"dltensor": _POINTER + 12, b"dltensor_versioned": 16 + 2 * _POINTER + _POINTER + 12}


def device(flat: Flat) -> tuple[int, int]:
    """DLPack's name of the place where the items are.

    Raises:
        BufferError: the memory is not on the host.
    """
    if not flat.backend.host:
        raise BufferError(f"dlpack: the items are on {flat.device}; copy them with .to('cpu') first")
    return _CPU, 0


def exported(
    flat: Flat,
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    offset_items: int,
    *,
    stream: Any = None,
    max_version: tuple[int, int] | None = None,
    dl_device: tuple[int, int] | None = None,
    copy: bool | None = None,
) -> Any:
    """A capsule over `flat`'s memory, which it keeps alive.

    Args:
        flat: where the items are.
        shape, strides, offset_items: how they are read, in items.
        stream: must be None, as the host has no streams.
        max_version: the newest DLPack that the consumer reads; from (1, 0) on the capsule says its version.
        dl_device: where the consumer wants the items: None or the host.
        copy: True for a copy; otherwise the memory is shared.

    Raises:
        BufferError: the memory is not on the host, or the consumer wants it elsewhere or on a stream.
    """
    here = device(flat)
    if stream is not None:
        raise BufferError(f"dlpack: stream {stream!r} given; memory on the host wants None")
    if dl_device is not None and (int(getattr(dl_device[0], "value", dl_device[0])), dl_device[1]) != here:
        raise BufferError(f"dlpack: device {tuple(dl_device)} wanted; the items can only go to {here}, the host")
    itemsize = flat.itemsize
    brain = flat.dtype is dtypes.bfloat16
    array: np.ndarray[Any, Any] = np.ndarray(
        shape,
        np.uint16 if brain else flat.dtype.numpy,
        flat.bytes_view(),
        offset_items * itemsize if _size(shape) else 0,
        tuple(stride * itemsize for stride in strides),
    )
    versioned = max_version is not None and max_version[0] >= 1
    try:
        capsule = array.__dlpack__(max_version=_VERSION if versioned else None, copy=copy)
    except TypeError:  # NumPy before 2.1 knows neither, and a producer may answer with the older capsule
        capsule = (array.copy() if copy else array).__dlpack__()
    if brain:
        _set_type(capsule, _BFLOAT)
    return capsule


def imported(source: Any, *, to_host: bool = False, copy: bool | None = None) -> np.ndarray[Any, Any]:
    """A NumPy view of the host memory that another library hands over by DLPack.

    It is read-only where the producer says so, or speaks the DLPack of before 1.0, which could not tell.

    Args:
        source: an object with `__dlpack__` and `__dlpack_device__`.
        to_host: whether the producer may be asked to bring the items to the host.
        copy: what the producer is asked for: True for memory that nobody else has, False for its own or an error.

    Raises:
        BufferError: the memory is not on the host, or the items have no NumPy type.
    """
    where = tuple(source.__dlpack_device__())
    asked: dict[str, Any] = {} if copy is None else {"copy": copy}
    if where[0] != _CPU and to_host:
        asked["dl_device"] = (_CPU, 0)
    elif where[0] != _CPU:
        raise BufferError(f"from_dlpack: the memory is on DLPack device {where}; it wants the host, ({_CPU}, 0)")
    try:
        capsule = source.__dlpack__(max_version=_VERSION, **asked)
    except TypeError:  # a producer of before DLPack 1.0
        if "dl_device" in asked:
            raise
        capsule = source.__dlpack__()
    brain = _type_of(capsule) == (_BFLOAT, 16, 1)
    if brain:
        _set_type(capsule, _UINT)
    try:
        array: np.ndarray[Any, Any] = np.from_dlpack(_Handed(capsule))
    except (RuntimeError, TypeError) as cause:
        raise BufferError(f"from_dlpack: NumPy cannot read these items: {cause}") from cause
    return array.view(dtypes.bfloat16.numpy) if brain else array


class _Handed:
    """A capsule as the object that consumers ask for it."""

    __slots__ = ("capsule",)

    def __init__(self, capsule: Any) -> None:
        self.capsule = capsule

    def __dlpack__(self, **asked: Any) -> Any:
        return self.capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return _CPU, 0


def _size(shape: tuple[int, ...]) -> int:
    """How many items an array of this shape has."""
    return int(np.prod(shape, dtype=np.int64))


def _type_field(capsule: Any) -> Any:
    """The DLDataType inside a capsule, as writable bytes: code, bits, and lanes (2 bytes)."""
    import ctypes  # only where DLPack is used at all

    name_of = ctypes.pythonapi.PyCapsule_GetName
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    name = name_of(capsule)
    if name not in _DTYPE_AT:
        raise BufferError(
            f"from_dlpack: a capsule {name!r} came; it wants an unused 'dltensor' or 'dltensor_versioned'"
        )
    return (ctypes.c_uint8 * 4).from_address(pointer_of(capsule, name) + _DTYPE_AT[name])


def _type_of(capsule: Any) -> tuple[int, int, int]:
    code, bits, low, high = _type_field(capsule)
    return code, bits, low + 256 * high


def _set_type(capsule: Any, code: int) -> None:
    _type_field(capsule)[0] = code
