"""DLPack both ways: https://dmlc.github.io/dlpack/latest/python_spec.html.

NumPy makes and reads the capsules, which gives them deleters that are safe at any time and from any thread. It has no
bfloat16 there, so such items travel as uint16, and the type field in the capsule is set on the way. Nor has it devices:
their addresses travel as an array's that nobody reads, and the device field is set on the way.
"""

from __future__ import annotations

from struct import calcsize
from typing import Any, Final, NamedTuple

import numpy as np

from . import dtypes
from .contract import Backend, Flat, Row, Strided
from .dtypes import DType, dtype_of

__all__ = ["HOST", "Shared", "device", "exported", "imported", "place", "place_of", "shared"]

_CPU: Final = 1
HOST: Final = (_CPU, 0)
"""DLPack's name of the host."""
_DEVICE_TYPES: Final = {2: "cuda", 4: "opencl", 7: "vulkan", 8: "metal", 10: "rocm", 14: "oneapi"}  # DLDeviceType, by our names
_UINT: Final = 1  # type codes of DLDataType
_BFLOAT: Final = 4
_VERSION: Final = (1, 0)

# DLTensor is data (a pointer), device (8 bytes), ndim (4), dtype (4), ...; it begins DLManagedTensor,
# but behind version (8), context and deleter (pointers) and flags (8) in DLManagedTensorVersioned.
_POINTER: Final = calcsize("P")
_DEVICE_AT: Final = {b"dltensor": _POINTER, b"dltensor_versioned": 16 + 2 * _POINTER + _POINTER}
_TYPE_BEHIND_DEVICE: Final = 12


def device(flat: Flat) -> tuple[int, int]:
    """DLPack's name of the place where the items are.

    Raises:
        BufferError: the memory is not on the host, and its backend does not hand it over.
    """
    if flat.backend.host:
        return HOST
    location = flat.backend.dlpack_device(flat.kernels.index)
    if location is None:
        raise BufferError(f"dlpack: the items are on {flat.device}; copy them with .to('cpu') first")
    return location


def place(source: Any) -> tuple[int, int]:
    """DLPack's name of the place where another library's items are: two integers, which it may give as an enumeration."""
    kind, index = source.__dlpack_device__()
    return int(getattr(kind, "value", kind)), int(index)


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
        stream: the consumer's, which will wait for what is queued on ours; None on the host, which has no streams.
        max_version: the newest DLPack that the consumer reads; from (1, 0) on the capsule says its version.
        dl_device: where the consumer wants the items: None or where they are.
        copy: True for a copy; otherwise the memory is shared.

    Raises:
        BufferError: the backend does not hand its memory over, or the consumer wants it elsewhere, or on a stream of the host.
    """
    location = device(flat)
    on_host = flat.backend.host
    if on_host and stream is not None:
        raise BufferError(f"dlpack: stream {stream!r} given; memory on the host wants None")
    if dl_device is not None and (int(getattr(dl_device[0], "value", dl_device[0])), dl_device[1]) != location:
        destination = "the host" if on_host else str(flat.device)
        raise BufferError(f"dlpack: device {tuple(dl_device)} wanted; the items can only go to {location}, {destination}")
    itemsize = flat.itemsize
    brain = flat.dtype is dtypes.bfloat16
    kind = np.dtype(np.uint16 if brain else flat.dtype.numpy)
    begin = offset_items * itemsize if _size(shape) else 0
    steps = tuple(stride * itemsize for stride in strides)
    array: np.ndarray[Any, Any]
    if on_host:
        array = np.ndarray(shape, kind, flat.bytes_view(), begin, steps)
    else:
        if copy:
            flat, copy = _copied(flat), None
        array = np.asarray(_Far(flat, flat.backend.address(flat.memory) + flat.offset + begin, kind.str, shape, steps))
        flat.backend.hand_over(flat.kernels.index, stream)
    versioned = max_version is not None and max_version[0] >= 1
    try:
        capsule = array.__dlpack__(max_version=_VERSION if versioned else None, copy=copy)
    except TypeError:  # NumPy before 2.1 knows neither, and a producer may answer with the older capsule
        capsule = (array.copy() if copy else array).__dlpack__()
    if brain:
        _set_type(capsule, _BFLOAT)
    if not on_host:
        _set_place(capsule, location)
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
    location = place(source)
    keywords: dict[str, Any] = {} if copy is None else {"copy": copy}
    if location[0] != _CPU and to_host:
        keywords["dl_device"] = HOST
    elif location[0] != _CPU:
        raise BufferError(f"from_dlpack: the memory is on DLPack device {location}; it wants the host, {HOST}")
    array, dtype = _read(_asked(source, keywords))
    return array.view(dtype.numpy) if dtype is dtypes.bfloat16 else array


class Shared(NamedTuple):
    """Items of another library on a device, in its own memory.

    Attributes:
        memory: as the backend's `allocate` returns; its first byte is that of the lowest item.
        size: how many items lie from the lowest to the highest.
        device: a text such as "cuda:0".
        dtype: the items' type.
        shape, strides, offset: how they are read, in items.
        writable: whether they may be written to, as far as the producer tells.
    """

    memory: Any
    size: int
    device: str
    dtype: DType
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    writable: bool


def shared(source: Any, *, copy: bool | None = None) -> Shared:
    """Items that another library hands over by DLPack on a device, ordered before what is queued from now on.

    Args:
        source: an object with `__dlpack__` and `__dlpack_device__`.
        copy: what the producer is asked for: True for memory that nobody else has, False for its own or an error.

    Raises:
        BufferError: no backend takes over memory of this device.
    """
    location = place(source)
    backend = _taking_over(location)
    index = location[1]
    keywords: dict[str, Any] = {"stream": backend.stream_number(index), **({} if copy is None else {"copy": copy})}
    array, dtype = _read(_asked(source, keywords))
    strides = tuple(step // dtype.itemsize for step in array.strides)
    far = [(n - 1) * s for n, s in zip(array.shape, strides, strict=True)] if array.size else []
    low, high = sum(d for d in far if d < 0), sum(d for d in far if d > 0)
    size = high - low + 1 if array.size else 0
    begin = array.__array_interface__["data"][0] + low * dtype.itemsize
    memory = backend.adopt(begin, size * dtype.itemsize, index, array)
    writable = bool(array.flags.writeable)
    return Shared(memory, size, f"{backend.device_type}:{index}", dtype, array.shape, strides, -low, writable)


def _taking_over(where: tuple[int, int]) -> Backend:
    from .backends import registry
    from .errors import BackendError

    try:
        backend = registry.backend_for(_DEVICE_TYPES[where[0]])
        if where[1] < backend.device_count() and backend.dlpack_device(where[1]) == where:
            return backend
        cause: Exception | None = None
    except (KeyError, BackendError) as failure:
        cause = failure
    raise BufferError(
        f"from_dlpack: the memory is on DLPack device {where}, which no backend here takes over; ask for it with device='cpu'"
    ) from cause


def _asked(source: Any, keywords: dict[str, Any]) -> Any:
    try:
        return source.__dlpack__(max_version=_VERSION, **keywords)
    except TypeError:  # a producer of before DLPack 1.0
        if "dl_device" in keywords:
            raise
        return source.__dlpack__(**{name: keywords[name] for name in ("stream",) if name in keywords})


def _read(capsule: Any) -> tuple[np.ndarray[Any, Any], DType]:
    """A capsule's items as NumPy's, and their dtype. Those of a device are nowhere that may be read."""
    brain = _type_of(capsule) == (_BFLOAT, 16, 1)
    if brain:
        _set_type(capsule, _UINT)
    if place_of(capsule) != HOST:
        _set_place(capsule, HOST)
    try:
        array: np.ndarray[Any, Any] = np.from_dlpack(_Handed(capsule))
    except (RuntimeError, TypeError) as cause:
        raise BufferError(f"from_dlpack: NumPy cannot read these items: {cause}") from cause
    return array, dtypes.bfloat16 if brain else dtype_of(array.dtype)


def _copied(flat: Flat) -> Flat:
    copied = flat.like(flat.size)
    flat.kernels["copy"](Strided(copied, Row(flat.size)), Strided(flat, Row(flat.size)))
    return copied


class _Far:
    """Items on a device as NumPy takes them for an array's: it never reads where they are, and keeps this object."""

    __slots__ = ("__array_interface__", "flat")

    def __init__(self, flat: Flat, address: int, kind: str, shape: tuple[int, ...], steps: tuple[int, ...]) -> None:
        self.flat = flat
        self.__array_interface__ = {"version": 3, "data": (address, False), "typestr": kind, "shape": shape, "strides": steps}


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


def _fields(capsule: Any) -> Any:
    """What stands behind the pointer in a capsule's DLTensor, as writable bytes: device (8 bytes), ndim (4) and dtype (4)."""
    import ctypes  # only where DLPack is used at all

    name_of = ctypes.pythonapi.PyCapsule_GetName
    name_of.restype, name_of.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
    pointer_of.restype, pointer_of.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    name = name_of(capsule)
    if name not in _DEVICE_AT:
        raise BufferError(
            f"from_dlpack: got a capsule {name!r}; expected an unused 'dltensor' or 'dltensor_versioned'"
        )
    return memoryview((ctypes.c_uint8 * 16).from_address(pointer_of(capsule, name) + _DEVICE_AT[name])).cast("B")


def place_of(capsule: Any) -> tuple[int, int]:
    """DLPack's name of the place where an unused capsule's items are.

    Raises:
        BufferError: it is used, or no capsule of DLPack.
    """
    kind, index = _fields(capsule)[:8].cast("i")
    return kind, index


def _set_place(capsule: Any, where: tuple[int, int]) -> None:
    field = _fields(capsule)[:8].cast("i")
    field[0], field[1] = where


def _type_of(capsule: Any) -> tuple[int, int, int]:
    code, bits, low, high = _fields(capsule)[_TYPE_BEHIND_DEVICE:]
    return code, bits, low + 256 * high


def _set_type(capsule: Any, code: int) -> None:
    _fields(capsule)[_TYPE_BEHIND_DEVICE] = code
