"""Methods that tell how a tensor lies in memory: lengths, strides, and whether they are in order."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from lamina_flatarray import IndexOutOfRange
from lamina_ndarray.layouts.broadcast import normalize_axis

from ...devices.memory_formats import contiguous_format
from ...dispatch.torch_function import torch_function
from ...tensor_fields import TensorFields
from .sizes import Size

if TYPE_CHECKING:
    from ...devices.memory_formats import memory_format as MemoryFormat

__all__ = ["ExtentMethods"]


def _along(lengths: tuple[int, ...], dim: int, op: str) -> int:
    """The item for one dim.

    Raises:
        IndexOutOfRange: there is no such dim.
    """
    if not lengths:
        raise IndexOutOfRange(f"{op}: Dimension specified as {dim} but tensor has no dimensions")
    return lengths[normalize_axis(dim, len(lengths), op)]


class ExtentMethods(TensorFields):
    """Methods that return the shape and strides of a tensor.

    >>> x = torch.arange(6).view(2, 3)
    >>> x.size(), x.stride(), x.dim()
    (lamina.Size([2, 3]), (3, 1), 2)
    """

    __slots__ = ()

    @overload
    def size(self, dim: None = None) -> Size: ...
    @overload
    def size(self, dim: int) -> int: ...
    @torch_function
    def size(self, dim: int | None = None) -> Size | int:
        """Return the shape, or the length of one dim.

        Args:
            dim: the dim whose length is wanted; None for all.

        Returns:
            A Size, or an int.

        >>> torch.ones(2, 3).size(), torch.ones(2, 3).size(-1)
        (lamina.Size([2, 3]), 3)
        """
        shape = self.array.layout.shape
        return Size(shape) if dim is None else _along(shape, dim, "size")

    @overload
    def stride(self, dim: None = None) -> tuple[int, ...]: ...
    @overload
    def stride(self, dim: int) -> int: ...
    @torch_function
    def stride(self, dim: int | None = None) -> tuple[int, ...] | int:
        """Return how many items of the memory lie between neighbours along each dim, or along one.

        Args:
            dim: the dim whose stride is wanted; None for all.

        Returns:
            A tuple of ints, or an int.

        >>> torch.ones(2, 3).stride(), torch.ones(2, 3).stride(0)
        ((3, 1), 3)
        """
        strides = self.array.layout.strides
        return strides if dim is None else _along(strides, dim, "stride")

    @torch_function
    def storage_offset(self) -> int:
        """Return at which item of the memory the first one lies.

        Returns:
            An int.

        >>> torch.arange(4)[2:].storage_offset()
        2
        """
        return self.array.layout.offset

    @torch_function
    def dim(self) -> int:
        """Return the number of dims.

        Returns:
            An int.

        >>> torch.ones(2, 3).dim()
        2
        """
        return self.array.layout.ndim

    @torch_function
    def is_contiguous(self, memory_format: MemoryFormat = contiguous_format) -> bool:
        """Tell whether the items lie without gaps in the order of a memory format, by default row-major.

        Args:
            memory_format: the order of dims, such as `torch.channels_last`.

        Returns:
            A bool.

        >>> torch.ones(2, 3).is_contiguous(), torch.ones(2, 3).t().is_contiguous()
        (True, False)
        """
        layout = self.array.layout
        return layout.contiguous if memory_format is contiguous_format else layout.is_contiguous(str(memory_format))
