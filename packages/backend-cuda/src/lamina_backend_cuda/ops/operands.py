"""Operands as kernels take them: addresses, dtypes, and layouts that are walked together."""

from __future__ import annotations

from math import prod
from typing import Any

from lamina_flatarray.contract import Strided
from lamina_flatarray.dtypes import DType

from ..device import CudaDevice
from .walks import Walk, dense, walks

__all__ = ["RowMajor", "address", "blank", "device_of", "dtype_of", "is_array", "part", "spread", "walks_of"]


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
