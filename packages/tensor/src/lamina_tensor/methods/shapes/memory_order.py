"""Tensors with their dims in another order in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lamina_ndarray.layouts.image_order import arranged, format_told
from lamina_ndarray.layouts.layout import Layout
from lamina_ndarray.layouts.memory_formats import format_strides

from ...autograd.recording import recorded
from ...autograd.rules import RULES
from ...devices.memory_formats import contiguous_format, preserve_format
from ...devices.memory_formats import memory_format as Format
from ...dispatch.tensor_functions import af

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["contiguous", "converted", "formatted", "lying", "ordered"]


def ordered(x: Tensor, format: Any, op: str) -> Tensor:
    """x with the strides that a format says; itself if it has them.

    Raises:
        TypeError: it is no memory format.
        ShapeError: the format wants another number of dims.
    """
    if not isinstance(format, Format):
        raise TypeError(f"{op}(): argument 'memory_format' must be memory_format, not {type(format).__name__}")
    return x if format is preserve_format else formatted(x, str(format), op)


def formatted(x: Tensor, name: str, op: str) -> Tensor:
    """x with the strides of a memory format of arrays, also those of dims of length 1; itself if it has them.

    Raises:
        ShapeError: the format wants another number of dims.
    """
    layout = x.array.layout
    return x if layout.strides == format_strides(layout.shape, name, op) else lying(x, Layout.formatted(layout.shape, name))


def lying(x: Tensor, layout: Layout) -> Tensor:
    """x under another dense layout of its shape; itself if it lies so."""
    return x if x.array.layout is layout else recorded(RULES["copy"], arranged(x.array, layout), (x,))


def converted(x: Tensor, format: Any, op: str) -> Tensor:
    """x itself where it lies as a memory format says, else a copy that does.

    PyTorch tells only channels-last images and volumes from all that lie in other orders, which pass for row-major: so do images of one
    item, which it copies each time.

    Raises:
        TypeError: it is no memory format.
        ShapeError: the format wants another number of dims.
    """
    if format is preserve_format or (isinstance(format, Format) and format_told(x.array.layout) == str(format)):
        return x
    result = ordered(x, format, op)
    return af.copy(x) if result is x else result


def contiguous(input: Tensor, *, memory_format: Any = contiguous_format) -> Tensor:
    """Itself if its items lie in this order without gaps, else a copy that does."""
    if memory_format is contiguous_format:
        return input if input.array.layout.contiguous else af.contiguous(input)
    if isinstance(memory_format, Format) and memory_format is not preserve_format and input.array.layout.is_contiguous(str(memory_format)):
        return input
    return ordered(input, memory_format, "contiguous")
