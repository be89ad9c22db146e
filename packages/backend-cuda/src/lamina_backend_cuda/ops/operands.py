"""Operands as kernels take them: addresses, dtypes, layouts that are walked together, and units of neighbours that are moved as one."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, prod
from typing import Any, Final

from lamina_flatarray.contract import Strided
from lamina_flatarray.dtypes import DTYPES, DType

from ..device import CudaDevice
from .walks import Walk, dense, walks

__all__ = [
    "RowMajor", "Shape", "address", "blank", "device_of", "dtype_of", "in_units", "is_array", "part", "spread", "unit_of", "units",
    "walks_of",
]  # fmt: skip

Shape = tuple[int, ...]

_BYTES: Final = 16  # of a unit, at most
_UNITS: Final = {16: "complex128", 8: "uint64", 4: "uint32", 2: "uint16", 1: "uint8"}  # by bytes, what is moved


class RowMajor:
    """The row-major layout of a shape, without gaps.

    Args:
        shape: the number of items along each axis.
        offset: where the first item is.
    """

    __slots__ = ("ndim", "offset", "shape", "size", "strides")

    contiguous = True

    def __init__(self, shape: tuple[int, ...], offset: int = 0) -> None:
        self.shape = shape
        self.offset = offset
        self.size = prod(shape)
        self.strides = dense(shape)
        self.ndim = len(shape)


def blank(like: Any, shape: tuple[int, ...], dtype: DType | None = None) -> Strided:
    """Return a new operand of uninitialised items, on the device of another one.

    Args:
        like: the other one.
        shape: its shape; it is row-major.
        dtype: its dtype; that of the other one for None.

    Returns:
        An operand.
    """
    kernels = None if dtype is None else like.flat.kernels.sibling(dtype)
    return Strided(like.flat.like(prod(shape), kernels), RowMajor(shape))


class _Repeated:
    """A layout in which an operand is read again and again along its leading axes."""

    __slots__ = ("ndim", "offset", "shape", "size", "strides")

    contiguous = False

    def __init__(self, shape: tuple[int, ...], strides: tuple[int, ...], offset: int) -> None:
        self.shape, self.strides, self.offset = shape, strides, offset
        self.ndim, self.size = len(shape), prod(shape)


def part(operand: Any, shape: tuple[int, ...], begin: int) -> Strided:
    """Return neighbouring items of an operand that has no gaps.

    Args:
        operand: the operand.
        shape: of the part.
        begin: how many items come before it.

    Returns:
        An operand of the same memory.
    """
    return Strided(operand.flat, RowMajor(shape, operand.layout.offset + begin))


def spread(operand: Any, shape: tuple[int, ...]) -> Strided:
    """Return an operand of one axis as one of a shape that ends with it, of the same memory.

    Args:
        operand: the one.
        shape: the shape, whose last length is that of the operand.

    Returns:
        An operand.
    """
    layout = operand.layout
    return Strided(operand.flat, _Repeated(shape, (*(0,) * (len(shape) - 1), *layout.strides), layout.offset))


def is_array(x: Any) -> bool:
    """Return whether an input is an operand, and no Python number."""
    return hasattr(x, "layout")


def dtype_of(operand: Any) -> DType:
    """Return the dtype of an operand's items."""
    dtype: DType = operand.flat.dtype
    return dtype


def device_of(operand: Any) -> CudaDevice:
    """Return the device that an operand is on."""
    device: CudaDevice = operand.flat.memory.device
    return device


def address(operand: Any, begin: int = 0) -> int:
    """Return the address of an operand's first item, or of one `begin` items behind it."""
    flat = operand.flat
    first: int = flat.memory.address + flat.offset + (operand.layout.offset + begin) * flat.dtype.itemsize
    return first


def walks_of(*operands: Any, ordered: bool = False) -> tuple[Walk, ...]:
    """Return the walks over operands of one shape.

    Args:
        operands: the result and the inputs.
        ordered: whether indices must count items in row-major order.

    Returns:
        Walks, none where there are no items.
    """
    layouts = [operand.layout for operand in operands]
    return walks(tuple(layouts[0].shape), tuple(tuple(layout.strides) for layout in layouts), ordered)


def units(shape: Shape, operands: Sequence[Any], strides: Sequence[Shape], apart: Shape = ()) -> int:
    """Return how many items of the last axis make one unit, for all operands that are moved.

    Args:
        shape: of what is moved.
        operands: of one dtype.
        strides: those of each in the axes of the shape.
        apart: other distances that may be gone, in items.

    Returns:
        A power of two, or 1.
    """
    if not shape or any(own[-1] != 1 for own in strides):
        return 1
    itemsize = dtype_of(operands[0]).itemsize
    begins = (address(operand) // itemsize for operand in operands)
    return gcd(_BYTES // itemsize, shape[-1], *begins, *apart, *(step for own in strides for step in own[:-1]))


def unit_of(dtype: DType, count: int) -> DType:
    """Return the dtype that so many items of a dtype are moved as."""
    return DTYPES[_UNITS[dtype.itemsize * count]]


def in_units(strides: Shape, count: int) -> Shape:
    """Return strides, the last of which is 1, in units of so many items."""
    return (*(step // count for step in strides[:-1]), 1)
