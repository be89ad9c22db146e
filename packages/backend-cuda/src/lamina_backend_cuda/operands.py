"""Operands as kernels take them: addresses, dtypes, and layouts that are walked together."""

from __future__ import annotations

from typing import Any

from lamina_flatarray.dtypes import DType

from .device import CudaDevice
from .walks import Walk, walks

__all__ = ["address", "device_of", "dtype_of", "is_array", "walks_of"]


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
