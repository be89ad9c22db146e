"""What a program that knows only the Array API standard may ask: the devices, the element types, what goes into what.

https://data-apis.org/array-api/2025.12/API_specification/inspection.html
"""

from __future__ import annotations

from typing import Any, Final

from lamina_flatarray import BackendError, Device, DType, DTypeError, dtypes, get_default_dtype
from lamina_flatarray import backends as registry
from lamina_flatarray.backends.kernel_table import origin
from lamina_flatarray.devices import UNNUMBERED
from lamina_flatarray.dtypes import dtype_of
from lamina_flatarray.promotion import promote_types
from lamina_flatarray.promotion import result_type as ranked_result_type

__all__ = ["NamespaceInfo", "__array_namespace_info__", "can_cast", "finfo", "iinfo", "isdtype", "result_type"]

_KINDS: Final = {
    "bool": "b",
    "signed integer": "i",
    "unsigned integer": "u",
    "integral": "iu",
    "real floating": "f",
    "complex floating": "c",
    "numeric": "iufc",
}
_STANDARD: Final = tuple(d for d in dtypes.DTYPES.values() if d.name not in ("float16", "bfloat16"))


def _kinds(op: str, kind: str | tuple[str, ...]) -> str:
    """The letters of one or several kinds.

    Raises:
        ValueError: there is no such kind.
    """
    names = kind if isinstance(kind, tuple) else (kind,)
    unknown = [name for name in names if name not in _KINDS]
    if unknown:
        raise ValueError(f"{op}: kind {unknown[0]!r} given; it wants one of {', '.join(_KINDS)}")
    return "".join(_KINDS[name] for name in names)


class NamespaceInfo:
    """What `__array_namespace_info__()` gives."""

    __slots__ = ()

    def capabilities(self) -> dict[str, Any]:
        """That masks may index, that shapes may depend on data, and how many axes there may be."""
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": None}

    def default_device(self) -> Device:
        """Where arrays are made that name no device."""
        return registry.get_default_device()

    def default_dtypes(self, *, device: Any = None) -> dict[str, DType]:
        """The dtypes that Python numbers and positions become; they are the same on all devices."""
        real = get_default_dtype()
        return {
            "real floating": real,
            "complex floating": real.to_complex(),
            "integral": dtypes.int64,
            "indexing": dtypes.int64,
        }

    def dtypes(self, *, device: Any = None, kind: str | tuple[str, ...] | None = None) -> dict[str, DType]:
        """The standard's dtypes that a device serves, by name.

        Args:
            device: by default, the default device.
            kind: which of them: a kind of the standard, or several.

        Raises:
            ValueError: there is no such kind.
            BackendError: nobody serves the device.
        """
        letters = "biufc" if kind is None else _kinds("dtypes", kind)
        served = registry.kernels(device, dtypes.float32).backend
        return {d.name: d for d in _STANDARD if d.kind in letters and origin(served, "copy", d) != "missing"}

    def devices(self) -> tuple[Device, ...]:
        """Every device that a backend serves here; installed plug-ins are loaded to find out."""
        devices: dict[Device, None] = {}
        for name in registry.names():
            try:
                backend = registry.backend(name)
            except BackendError:  # what is broken or has no hardware serves no device; `doctor` tells why
                continue
            if backend.unavailable() is None:
                indices = (None,) if backend.device_type in UNNUMBERED else range(backend.device_count())
                devices |= dict.fromkeys(Device(backend.device_type, i) for i in indices)
        return tuple(devices)


_INFO: Final = NamespaceInfo()


def __array_namespace_info__() -> NamespaceInfo:
    """The object that tells what this namespace can do."""
    return _INFO


def isdtype(dtype: DType, kind: DType | str | tuple[DType | str, ...]) -> bool:
    """Check whether a dtype is of a kind.

    Args:
        dtype: the dtype.
        kind: a dtype, one of the Array API standard's names of kinds ("bool", "signed integer", "unsigned integer", "integral",
            "real floating", "complex floating", "numeric"), or a tuple of such.

    Returns:
        A Python bool.

    Raises:
        ValueError: there is no such kind.

    >>> nd.isdtype(nd.float32, "real floating"), nd.isdtype(nd.float32, ("integral", nd.float64))
    (True, False)
    """
    return any(
        dtype is entry if isinstance(entry, DType) else dtype.kind in _kinds("isdtype", entry)
        for entry in (kind if isinstance(kind, tuple) else (kind,))
    )


def _dtype(value: Any) -> DType:
    return value.dtype if isinstance(getattr(value, "dtype", None), DType) else dtype_of(value)


def can_cast(from_: Any, to: Any, /) -> bool:
    """Check whether type promotion leads from one dtype (or an array's) to another.

    PyTorch's `can_cast` is `lamina.can_cast`: it compares only the kinds.

    Args:
        from_: a dtype or an array.
        to: a dtype.

    Returns:
        A Python bool.

    >>> nd.can_cast(nd.int32, nd.int64), nd.can_cast(nd.int64, nd.int32)
    (True, False)
    """
    target = dtype_of(to)
    try:
        return promote_types(_dtype(from_), target) is target
    except DTypeError:
        return False


def result_type(*arrays_and_dtypes: Any) -> DType:
    """Find the dtype that arrays, dtypes and Python numbers have together; arrays without axes count like others.

    Args:
        arrays_and_dtypes: arrays, dtypes and Python numbers, at least one of which is no number.

    Returns:
        The dtype.

    Raises:
        DTypeError: no dtype holds them all, or there are only numbers.

    >>> nd.result_type(nd.asarray([1, 2]), nd.float32, 2.5)
    lamina.float32
    """
    plain = (bool, int, float, complex)
    if all(isinstance(x, plain) for x in arrays_and_dtypes):
        raise DTypeError(f"result_type: {arrays_and_dtypes} given; it wants at least one array or dtype")
    return ranked_result_type(*[x if isinstance(x, plain) else _dtype(x) for x in arrays_and_dtypes])


class finfo(dtypes.finfo):
    """Limits of a floating-point dtype, or of an array's; `dtype` is the dtype itself (of its parts, for a complex one).

    Args:
        type: the dtype, or an array.

    Raises:
        DTypeError: it is not a floating-point type.

    >>> nd.finfo(nd.float32).eps, nd.finfo(nd.complex128).dtype
    (1.1920928955078125e-07, lamina.float64)
    """

    def __init__(self, type: Any, /) -> None:
        super().__init__(_dtype(type))
        self.dtype: Any = dtype_of(self.dtype)  # PyTorch has a name there


class iinfo(dtypes.iinfo):
    """Limits of an integer dtype, or of an array's; `dtype` is the dtype itself.

    Args:
        type: the dtype, or an array.

    Raises:
        DTypeError: it is not an integer type.

    >>> nd.iinfo(nd.int8).min, nd.iinfo(nd.int8).max
    (-128, 127)
    """

    def __init__(self, type: Any, /) -> None:
        super().__init__(_dtype(type))
        self.dtype: Any = dtype_of(self.dtype)
