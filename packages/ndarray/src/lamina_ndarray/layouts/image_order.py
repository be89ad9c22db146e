"""Channels-last images and volumes: how they are told by their strides, and results that lie as they do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..array_fields import empty_of
from .layout import Layout

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["arranged", "format_told", "image_layout", "in_image_order"]

_FORMATS: Final = {4: "channels_last", 5: "channels_last_3d"}


def _channels_last(layout: Layout) -> bool:
    """Whether the strides grow in the order channels, columns, rows, images; gaps between them do not matter. Those of dims of length 1
    count: they tell images of one channel apart."""
    shape, strides, least = layout.shape, layout.strides, 0
    if layout.ndim not in _FORMATS or strides[-1] < strides[1] or strides[1] == 0 or layout.size == 0:
        return False
    for dim in (1, *range(layout.ndim - 1, 1, -1), 0):
        if strides[dim] < least or (dim == 0 and least == strides[1]):
            return False
        least = strides[dim] * max(shape[dim], 1)
    return True


def format_told(layout: Layout) -> str:
    """The memory format that strides tell: that of channels-last images or volumes, or "contiguous" for all others.

    Args:
        layout: of any number of dims.
    """
    return _FORMATS[layout.ndim] if _channels_last(layout) else "contiguous"


def image_layout(shape: tuple[int, ...], *operands: Layout) -> Layout:
    """The layout of what is made of images: channels-last if one of the operands is, else row-major.

    Args:
        shape: of the result.
        operands: layouts of as many dims.
    """
    if any(map(_channels_last, operands)):
        return Layout.formatted(shape, _FORMATS[len(shape)])
    return Layout.dense(shape)


def in_image_order(result: NDArray, *operands: NDArray) -> NDArray:
    """A row-major result of an op on images, in the order of memory that `image_layout` tells.

    Args:
        result: what the op made.
        operands: the images and filters that it was made of, of as many dims.
    """
    return arranged(result, image_layout(result.layout.shape, *[x.layout for x in operands]))


def arranged(result: NDArray, layout: Layout) -> NDArray:
    """An array that nobody else has, under another dense layout of its shape.

    Args:
        result: the array.
        layout: begins at offset 0.
    """
    if layout is result.layout:
        return result
    output = empty_of(result.flat.kernels, layout)
    output.flat.kernels["copy"](output, result)
    return output
