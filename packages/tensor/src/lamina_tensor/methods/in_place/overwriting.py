"""Items of a tensor overwritten by others, by one value, or by zeros."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from lamina_flatarray import ShapeError
from lamina_ndarray.creation.scalars import HELD_BY_ALL

from ...dispatch.torch_function import torch_function
from ...tensor_fields import AnyTensor, TensorFields
from .history import copied_into
from .rewriting import fill_diagonal

if TYPE_CHECKING:
    from ...tensor_class import Tensor
    from ...tensor_fields import Number

__all__ = ["OverwritingMethods"]



def _filled(tensor: TensorFields, number: float) -> None:
    """Fill a tensor with a number that its dtype holds: by the kernel at once where nothing is to be recorded or checked."""
    array = tensor.array
    if tensor.requires_grad or (tensor.base is not None and tensor.base.requires_grad) or not array.layout.contiguous:
        copied_into(tensor, number)
        return
    array.flat.version += 1
    array.flat.kernels["fill"](array, value=number)


class OverwritingMethods(TensorFields):
    """Methods that write a tensor whatever it holds.

    All return the tensor itself, and refuse a leaf that requires gradients, and a view of one, with an AutogradError.

    >>> x = torch.empty(3)
    >>> x.fill_(2.0)
    tensor([2., 2., 2.])
    >>> x[:2].zero_()
    tensor([0., 0.])
    >>> x
    tensor([0., 0., 2.])
    """

    __slots__ = ()

    @torch_function(strict=True)
    def copy_(self, other: Tensor | Number, non_blocking: bool = False) -> Self:
        """Copy the items of another tensor into this one, broadcast and cast.

        Args:
            other: the tensor to copy from, or a number.
            non_blocking: may be given, and changes nothing.

        Returns:
            The tensor itself.

        Raises:
            ShapeError: the other tensor does not broadcast to this one.

        >>> torch.zeros(2).copy_(torch.tensor([1, 2]))
        tensor([1., 2.])
        """
        if not isinstance(other, AnyTensor):
            return self.fill_(other)
        return copied_into(self, other)

    @torch_function(strict=True)
    def fill_(self, value: Tensor | Number) -> Self:
        """Fill the tensor with one value.

        Args:
            value: a number, or a tensor without dims.

        Returns:
            The tensor itself.

        Raises:
            ShapeError: the value has dims.

        >>> torch.zeros(2).fill_(3)
        tensor([3., 3.])
        """
        if isinstance(value, (int, float)) and self.array.dtype.is_inexact and -HELD_BY_ALL <= value <= HELD_BY_ALL:
            _filled(self, value)
            return self
        if isinstance(value, AnyTensor) and value.array.layout.ndim:
            ndim = value.array.layout.ndim
            raise ShapeError(f"fill_ only supports 0-dimension value tensor but got tensor with {ndim} dimensions.")
        return copied_into(self, value)

    @torch_function
    def fill_diagonal_(self, fill_value: Number, wrap: bool = False) -> Self:
        """Fill the main diagonal with one value.

        Args:
            fill_value: the value.
            wrap: whether the diagonal of a tall matrix begins anew below a row that is left out.

        Returns:
            The tensor itself.

        Raises:
            ShapeError: there are fewer than two dims, or more of different lengths.

        >>> torch.zeros(2, 2).fill_diagonal_(1)
        tensor([[1., 0.],
                [0., 1.]])
        """
        return fill_diagonal(self, fill_value, wrap)

    @torch_function
    def zero_(self) -> Self:
        """Fill the tensor with zeros.

        Returns:
            The tensor itself.

        >>> torch.ones(2).zero_()
        tensor([0., 0.])
        """
        array = self.array
        if self.requires_grad or self.base is not None or not array.layout.contiguous:
            _filled(self, 0)
            return self
        flat = array.flat  # a gradient, most often: without a frame in between
        flat.version += 1
        flat.kernels["fill"](array, value=0)
        return self
