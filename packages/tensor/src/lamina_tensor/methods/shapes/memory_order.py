"""Tensors with their dims in another order in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lamina_flatarray import ShapeError
from lamina_ndarray.layouts.image_order import image_layout
from lamina_ndarray.layouts.memory_formats import dim_order

from ...devices.memory_formats import contiguous_format, memory_format, preserve_format
from ...dispatch.tensor_functions import af
from ...tensor_fields import TensorFields

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["contiguous", "lies_as", "ordered"]


def ordered(x: Tensor, format: Any, op: str) -> Tensor:
    """x with its dims in memory as a format says, itself if they are so.

    Raises:
        TypeError: it is no memory format.
        ShapeError: the format wants another number of dims.
    """
    if not isinstance(format, memory_format):
        raise TypeError(f"{op}(): argument 'memory_format' must be memory_format, not {type(format).__name__}")
    if format is preserve_format or x.array.layout.is_contiguous(str(format)):
        return x
    if format is contiguous_format:
        return af.contiguous(x)
    order = dim_order(str(format), x.array.layout.ndim, op)
    if order is None:
        raise ShapeError(f"{op}: memory format {format!r} wants another number of dims than shape {x.array.layout.shape} has")
    back = sorted(range(len(order)), key=order.__getitem__)
    return af.permute(af.contiguous(af.permute(x, order)), back)


def lies_as(x: TensorFields, format: Any) -> bool:
    """Whether a conversion to this memory format leaves x as it is: PyTorch tells only channels-last images and volumes from all that
    lie in other orders, which pass for row-major."""
    if format is preserve_format or not isinstance(format, memory_format):
        return format is preserve_format
    layout = x.array.layout
    return layout.is_contiguous(str(format)) or (format is contiguous_format and image_layout(layout.shape, layout).contiguous)


def contiguous(input: Tensor, *, memory_format: Any = contiguous_format) -> Tensor:
    """Itself if its items lie in this order without gaps, else a copy that does."""
    if memory_format is not contiguous_format:
        return ordered(input, memory_format, "contiguous")
    return input if input.array.layout.contiguous else af.contiguous(input)
