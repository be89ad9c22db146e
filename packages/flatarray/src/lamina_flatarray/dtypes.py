"""The element types: interned values, compared by identity, each with its NumPy twin; the default one, and limits."""

from __future__ import annotations

import builtins
import struct
from collections import ChainMap
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from .errors import DTypeError
from .twins import forget_plans

__all__ = [
    "DTYPES",
    "NAMED",
    "STORED",
    "DType",
    "bfloat16",
    "bool",
    "complex64",
    "complex128",
    "dtype_of",
    "finfo",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "float8_e8m0fnu",
    "float16",
    "float32",
    "float64",
    "get_default_dtype",
    "iinfo",
    "int8",
    "int16",
    "int32",
    "int64",
    "set_default_dtype",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]


def _unpacker(format: str) -> Callable[[Any, int], tuple[Any, ...]] | None:
    try:
        return struct.Struct(format).unpack_from
    except struct.error:
        return None


DTYPES: Final[dict[str, DType]] = {}
"""The dtypes that ops compute with by name, in the order of their `code`."""

STORED: Final[dict[str, DType]] = {}
"""Further dtypes by name, of 8 bits, which hold numbers for others to be cast from and to; ops refuse them."""

NAMED: Final = ChainMap(STORED, DTYPES)
"""Both, those that ops compute with first (a ChainMap lists its last mapping first)."""


class DType:
    """An element type; there is one object per type, so `is` compares them.

    Args:
        name: the dtype's name.
        kind: see the attribute.
        scalar: the NumPy scalar type of an item; None for one of ml_dtypes, which is imported when it is first wanted.
        stored_only: see the attribute.

    Attributes:
        name: `"float32"`, `"bool"`, ...
        kind: `b` bool, `u` unsigned, `i` signed, `f` floating, `c` complex.
        itemsize: bytes of one item.
        code: a small integer that never changes, for native kernels.
        numpy: the NumPy dtype (`bfloat16` is that of ml_dtypes).
        unpack: reads an item of a buffer at a byte offset, as a tuple of one Python number; None where Python has no such format.
        is_floating_point, is_complex, is_signed: as in PyTorch.
        is_inexact: floating point or complex.
        stored_only: whether it holds numbers that are cast from and to others, and no op computes with it.

    >>> from lamina_flatarray import bfloat16, float32
    >>> float32.itemsize, float32.is_floating_point, bfloat16.name
    (4, True, 'bfloat16')
    """

    __slots__ = ("code", "is_complex", "is_floating_point", "is_inexact", "is_signed", "itemsize", "kind", "name", "numpy",
                 "stored_only", "unpack")  # fmt: skip

    name: str
    kind: str
    itemsize: int
    code: int
    numpy: np.dtype[Any]
    unpack: Callable[[Any, int], tuple[Any, ...]] | None
    is_floating_point: builtins.bool
    is_complex: builtins.bool
    is_inexact: builtins.bool
    is_signed: builtins.bool
    stored_only: builtins.bool

    def __init__(self, name: str, kind: str, scalar: type[np.generic] | None, *, stored_only: builtins.bool = False) -> None:
        self.name = name
        self.kind = kind
        self.stored_only = stored_only
        self.itemsize = 1 if stored_only else 2  # of bfloat16
        self.unpack = None
        if scalar is not None:
            self.numpy = np.dtype(scalar)
            self.itemsize = self.numpy.itemsize
            self.unpack = _unpacker(self.numpy.char)
        self.is_floating_point = kind == "f"
        self.is_complex = kind == "c"
        self.is_inexact = kind in "fc"
        self.is_signed = kind in "ifc"
        self.code = len(DTYPES) + len(STORED)
        (STORED if stored_only else DTYPES)[name] = self

    def __getattr__(self, name: str) -> Any:  # of a slot that is empty
        if name != "numpy":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        import ml_dtypes

        self.numpy = np.dtype(getattr(ml_dtypes, self.name))
        return self.numpy

    def __repr__(self) -> str:
        return f"lamina.{self.name}"

    def __reduce__(self) -> str:
        return self.name  # copy, deepcopy and pickle give the one object back

    def to_real(self) -> DType:
        """Return the dtype of the real part; the dtype itself if it is not complex.

        Returns:
            A dtype; float32 for complex64.
        """
        return {"complex64": float32, "complex128": float64}.get(self.name, self)

    def to_complex(self) -> DType:
        """Return the complex dtype that holds this one: complex128 for float64, otherwise complex64.

        Returns:
            A complex dtype.
        """
        return self if self.is_complex else (complex128 if self is float64 else complex64)


bool = DType("bool", "b", np.bool_)
uint8 = DType("uint8", "u", np.uint8)
int8 = DType("int8", "i", np.int8)
int16 = DType("int16", "i", np.int16)
int32 = DType("int32", "i", np.int32)
int64 = DType("int64", "i", np.int64)
float16 = DType("float16", "f", np.float16)
float32 = DType("float32", "f", np.float32)
float64 = DType("float64", "f", np.float64)
complex64 = DType("complex64", "c", np.complex64)
complex128 = DType("complex128", "c", np.complex128)
bfloat16 = DType("bfloat16", "f", None)
uint16 = DType("uint16", "u", np.uint16)
uint32 = DType("uint32", "u", np.uint32)
uint64 = DType("uint64", "u", np.uint64)
float8_e4m3fn = DType("float8_e4m3fn", "f", None, stored_only=True)
float8_e5m2 = DType("float8_e5m2", "f", None, stored_only=True)
float8_e4m3fnuz = DType("float8_e4m3fnuz", "f", None, stored_only=True)
float8_e5m2fnuz = DType("float8_e5m2fnuz", "f", None, stored_only=True)
float8_e8m0fnu = DType("float8_e8m0fnu", "f", None, stored_only=True)

_by_numpy: Final[dict[np.dtype[Any], DType]] = {dtype.numpy: dtype for dtype in DTYPES.values() if dtype is not bfloat16}


def dtype_of(value: Any) -> DType:
    """Return the DType that a value names.

    Args:
        value: a DType, its name, or a NumPy dtype or scalar type.

    Returns:
        The one object for this element type.

    Raises:
        DTypeError: no such element type exists.

    >>> dtype_of("int32"), dtype_of(np.float64)
    (lamina.int32, lamina.float64)
    """
    if isinstance(value, DType):
        return value
    if isinstance(value, str) and value in NAMED:
        return NAMED[value]
    try:
        native = np.dtype(value).newbyteorder("=")
    except TypeError:
        dtype = None
    else:
        dtype = _by_numpy.get(native) or next((d for d in (bfloat16, *STORED.values()) if native == d.numpy), None)
    if dtype is None:
        raise DTypeError(f"no element type corresponds to {value!r}; there are {', '.join(NAMED)}")
    return dtype


default: DType = float32
"""What `get_default_dtype` gives, for those that make arrays: read without a call, and written by `set_default_dtype` alone."""


def get_default_dtype() -> DType:
    """Return the dtype that Python floats become, and true division of integers gives: float32 at first.

    Returns:
        A floating-point dtype.

    >>> get_default_dtype()
    lamina.float32
    """
    return default


def set_default_dtype(dtype: Any, /) -> None:
    """Set the dtype that Python floats become, for the whole process.

    Args:
        dtype: a floating-point dtype, or its name.

    Raises:
        DTypeError: `dtype` is not a floating-point type.

    >>> set_default_dtype("float64")
    >>> get_default_dtype()
    lamina.float64
    >>> set_default_dtype(float32)
    """
    global default
    dtype = dtype_of(dtype)
    if not dtype.is_floating_point:
        raise DTypeError(f"set_default_dtype: {dtype!r} given; only floating-point types are supported")
    default = dtype
    forget_plans()


class finfo:
    """The numerical limits of a floating-point dtype, or of the parts of a complex one.

    Args:
        dtype: the dtype, or its name; None for the default dtype.

    Attributes:
        bits: how many bits a number has.
        eps: the distance from 1 to the next greater number.
        max, min: the greatest and the least finite number.
        tiny, smallest_normal: the least positive number of full precision.
        resolution: ten to the power of minus the number of decimal digits.
        dtype: the name of the dtype.

    Raises:
        DTypeError: the dtype is not a floating-point or complex one.

    >>> finfo("float16").max, finfo("float32").bits
    (65504.0, 32)
    """

    def __init__(self, dtype: Any = None) -> None:
        dtype = get_default_dtype() if dtype is None else dtype_of(dtype)
        if not dtype.is_inexact:
            raise DTypeError(f"finfo: {dtype!r} is not a floating-point type; iinfo describes integers")
        real = dtype.to_real()
        if real is bfloat16 or real.stored_only:
            import ml_dtypes

            info: Any = ml_dtypes.finfo(real.numpy)  # type: ignore[no-untyped-call]
        else:
            info = np.finfo(real.numpy)
        self.bits = real.itemsize * 8
        self.eps = float(info.eps)
        self.max = float(info.max)
        self.min = float(info.min)
        self.tiny = self.smallest_normal = float(info.smallest_normal)
        self.resolution = float(10.0**-info.precision)
        self.dtype = real.name

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
            f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})"
        )


class iinfo:
    """The numerical limits of an integer dtype.

    Args:
        dtype: the dtype, or its name.

    Attributes:
        bits: how many bits a number has.
        max, min: the greatest and the least number.
        dtype: the name of the dtype.

    Raises:
        DTypeError: the dtype is not an integer one.

    >>> iinfo("int8").min, iinfo("uint16").max
    (-128, 65535)
    """

    def __init__(self, dtype: Any) -> None:
        dtype = dtype_of(dtype)
        if dtype.kind not in "ui":
            raise DTypeError(f"iinfo: {dtype!r} is not an integer type; finfo describes floating point")
        info = np.iinfo(dtype.numpy)
        self.bits = int(info.bits)
        self.max = int(info.max)
        self.min = int(info.min)
        self.dtype = dtype.name

    def __repr__(self) -> str:
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"
