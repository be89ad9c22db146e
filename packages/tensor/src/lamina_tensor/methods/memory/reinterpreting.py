"""The same bytes read as items of another dtype: `view(dtype)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina_flatarray import DType, ShapeError
from lamina_ndarray import NDArray
from lamina_ndarray.layouts.layout import Layout

from ...tensor_fields import TensorFields, tensor_of

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["view_dtype"]


def view_dtype(input: TensorFields, dtype: DType) -> Tensor:
    """The same bytes read as items of another dtype; the last dim becomes longer or shorter if their sizes differ.

    Raises:
        ShapeError: the sizes differ, and the last dim's items do not lie next to each other, or not in whole new items.
    """
    array = input.array
    layout, old, new = array.layout, array.flat.dtype.itemsize, dtype.itemsize
    if old == new:
        return tensor_of(NDArray(array.flat.reinterpret(dtype), layout))
    if not layout.ndim:
        raise ShapeError(f"view: a tensor without dims cannot go from {array.dtype.name} to {dtype.name}, of another size")
    if layout.strides[-1] != 1 and layout.shape[-1] != 1:
        raise ShapeError(f"view: self.stride(-1) must be 1 to view {array.dtype.name} as {dtype.name}, not {layout.strides[-1]}")
    if new > old and any(n * old % new for n in (layout.shape[-1], layout.offset, *layout.strides[:-1])):
        raise ShapeError(
            f"view: the last length {layout.shape[-1]}, the offset {layout.offset} and the strides {layout.strides[:-1]} of "
            f"{array.dtype.name} items must be divisible by {new // old} to view them as {dtype.name}"
        )
    shape = (*layout.shape[:-1], layout.shape[-1] * old // new)
    strides = (*(n * old // new for n in layout.strides[:-1]), 1)
    reach = layout.extent()[1] + 1 if layout.size else layout.offset
    part = array.flat[layout.offset : reach]
    return tensor_of(NDArray(part.reinterpret(dtype), Layout.of(shape, strides)))
