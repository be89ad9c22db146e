"""Tensors in another dtype, by a method named after it. They are a class of their own since `bool`, `float` and `int` would hide
the types of these names from the signatures of other methods."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lamina_ndarray as nd

from ...devices.memory_formats import preserve_format
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...tensor_fields import TensorFields
from ..shapes.memory_order import converted, ordered

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ...devices.memory_formats import memory_format as MemoryFormat
    from ...tensor_class import Tensor

__all__ = ["CastMethods"]


def _cast(tensor: TensorFields, dtype: DType, memory_format: MemoryFormat) -> Tensor:
    if tensor.array.flat.dtype is dtype:
        return converted(tensor, memory_format, dtype.name)  # type: ignore[arg-type]
    result = af.astype(tensor, dtype)
    return result if memory_format is preserve_format else ordered(result, memory_format, dtype.name)


class CastMethods(TensorFields):
    """Methods that convert a tensor to the dtype they are named after.

    Each returns the tensor itself where neither its dtype nor its order in memory changes.

    >>> x = torch.tensor([1.7, -2.0])
    >>> x.int()
    tensor([ 1, -2], dtype=lamina.int32)
    >>> x.float() is x
    True
    """

    __slots__ = ()

    @torch_function
    def bfloat16(self, memory_format: MemoryFormat = preserve_format) -> Tensor:
        """Convert the items to bfloat16.

        Args:
            memory_format: the order of the dims in memory; by default it stays as it is.

        Returns:
            A tensor of dtype bfloat16: the tensor itself where nothing changes.

        >>> torch.tensor([1.0]).bfloat16()
        tensor([1.], dtype=lamina.bfloat16)
        """
        return _cast(self, nd.bfloat16, memory_format)

    @torch_function
    def bool(self, memory_format: MemoryFormat = preserve_format) -> Tensor:
        """Convert the items to bool: True where they are not 0.

        Args:
            memory_format: the order of the dims in memory; by default it stays as it is.

        Returns:
            A tensor of dtype bool: the tensor itself where nothing changes.

        >>> torch.tensor([0.0, 2.0]).bool()
        tensor([False,  True])
        """
        return _cast(self, nd.bool, memory_format)

    @torch_function
    def byte(self, memory_format: MemoryFormat = preserve_format) -> Tensor:
        """Convert the items to uint8; fractions are cut off.

        Args:
            memory_format: the order of the dims in memory; by default it stays as it is.

        Returns:
            A tensor of dtype uint8: the tensor itself where nothing changes.

        >>> torch.tensor([1.5]).byte()
        tensor([1], dtype=lamina.uint8)
        """
        return _cast(self, nd.uint8, memory_format)

    @torch_function
    def cdouble(self, memory_format: MemoryFormat = preserve_format) -> Tensor:
        """Convert the items to complex128; real ones get an imaginary part of 0.

        Args:
            memory_format: the order of the dims in memory; by default it stays as it is.

        Returns:
            A tensor of dtype complex128: the tensor itself where nothing changes.

        >>> torch.tensor([1.0, 2.0]).cdouble()
        tensor([1.+0.j, 2.+0.j], dtype=lamina.complex128)
        """
        return _cast(self, nd.complex128, memory_format)

    @torch_function
    def cfloat(self, memory_format: MemoryFormat = preserve_format) -> Tensor:
        """Convert the items to complex64; real ones get an imaginary part of 0.

        Args:
            memory_format: the order of the dims in memory; by default it stays as it is.

        Returns:
            A tensor of dtype complex64: the tensor itself where nothing changes.

        >>> torch.tensor([1.0, 2.0]).cfloat()
        tensor([1.+0.j, 2.+0.j])
        """
        return _cast(self, nd.complex64, memory_format)

    @torch_function
    def char(self, memory_format: MemoryFormat = preserve_format) -> Tensor:
        """Convert the items to int8; fractions are cut off.

        Args:
            memory_format: the order of the dims in memory; by default it stays as it is.

        Returns:
            A tensor of dtype int8: the tensor itself where nothing changes.

        >>> torch.tensor([100.7]).char()
        tensor([100], dtype=lamina.int8)
        """
        return _cast(self, nd.int8, memory_format)

    @torch_function
    def double(self, memory_format: MemoryFormat = preserve_format) -> Tensor:
        """Convert the items to float64.

        Args:
            memory_format: the order of the dims in memory; by default it stays as it is.

        Returns:
            A tensor of dtype float64: the tensor itself where nothing changes.

        >>> torch.tensor([1.0]).double()
        tensor([1.], dtype=lamina.float64)
        """
        return _cast(self, nd.float64, memory_format)

    @torch_function
    def float(self, memory_format: MemoryFormat = preserve_format) -> Tensor:
        """Convert the items to float32.

        Args:
            memory_format: the order of the dims in memory; by default it stays as it is.

        Returns:
            A tensor of dtype float32: the tensor itself where nothing changes.

        >>> torch.tensor([1, 2]).float()
        tensor([1., 2.])
        """
        return _cast(self, nd.float32, memory_format)

    @torch_function
    def half(self, memory_format: MemoryFormat = preserve_format) -> Tensor:
        """Convert the items to float16.

        Args:
            memory_format: the order of the dims in memory; by default it stays as it is.

        Returns:
            A tensor of dtype float16: the tensor itself where nothing changes.

        >>> torch.tensor([1.0]).half()
        tensor([1.], dtype=lamina.float16)
        """
        return _cast(self, nd.float16, memory_format)

    @torch_function
    def int(self, memory_format: MemoryFormat = preserve_format) -> Tensor:
        """Convert the items to int32; fractions are cut off.

        Args:
            memory_format: the order of the dims in memory; by default it stays as it is.

        Returns:
            A tensor of dtype int32: the tensor itself where nothing changes.

        >>> torch.tensor([1.5]).int()
        tensor([1], dtype=lamina.int32)
        """
        return _cast(self, nd.int32, memory_format)

    @torch_function
    def long(self, memory_format: MemoryFormat = preserve_format) -> Tensor:
        """Convert the items to int64; fractions are cut off.

        Args:
            memory_format: the order of the dims in memory; by default it stays as it is.

        Returns:
            A tensor of dtype int64: the tensor itself where nothing changes.

        >>> torch.tensor([1.5, -1.5]).long()
        tensor([ 1, -1])
        """
        return _cast(self, nd.int64, memory_format)

    @torch_function
    def short(self, memory_format: MemoryFormat = preserve_format) -> Tensor:
        """Convert the items to int16; fractions are cut off.

        Args:
            memory_format: the order of the dims in memory; by default it stays as it is.

        Returns:
            A tensor of dtype int16: the tensor itself where nothing changes.

        >>> torch.tensor([-1.5, 300.0]).short()
        tensor([ -1, 300], dtype=lamina.int16)
        """
        return _cast(self, nd.int16, memory_format)
