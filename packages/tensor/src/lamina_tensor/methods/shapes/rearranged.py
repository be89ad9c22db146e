"""Methods whose items are a tensor's, repeated, added up, turned round or chosen: lengths come one by one or as a sequence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

import lamina_ndarray as nd
from lamina_flatarray import ShapeError
from lamina_ndarray.array_fields import view_of

from ...autograd.recording import recorded
from ...autograd.rules import RULES
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...tensor_fields import TensorFields, tensor_of
from .sizes import lengths_of

if TYPE_CHECKING:
    from ...tensor_class import Tensor
    from ...tensor_fields import Number

__all__ = ["RearrangedMethods"]


class RearrangedMethods(TensorFields):
    """Methods that return a new tensor of the items of one.

    >>> torch.tensor([1, 2]).repeat(2), torch.tensor([1, 2]).flip(0)
    (tensor([1, 2, 1, 2]), tensor([2, 1]))
    """

    __slots__ = ()

    @overload
    def repeat(self, repeats: Sequence[int]) -> Tensor: ...
    @overload
    def repeat(self, *repeats: int) -> Tensor: ...
    @torch_function
    def repeat(self, *times: int | Sequence[int], repeats: Sequence[int] | None = None) -> Tensor:
        """Repeat a whole tensor along its dims.

        Args:
            times: how many times along each dim, one by one or as one sequence; where there are more numbers than dims, dims of
                length 1 are added in front.
            repeats: another name of the numbers as a sequence.

        Returns:
            A copy.

        Raises:
            ShapeError: there are fewer numbers than dims, or a number is negative.

        >>> torch.tensor([1, 2]).repeat(2, 2)
        tensor([[1, 2, 1, 2],
                [1, 2, 1, 2]])
        """
        numbers = lengths_of("repeat", "repeats", times, repeats)
        if len(numbers) < self.array.layout.ndim:
            raise ShapeError(
                "repeat: Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor: "
                f"{numbers} for {self.array.layout.shape}"
            )
        if min(numbers, default=0) < 0:
            raise ShapeError(f"repeat: Trying to create tensor with negative dimension: repeats {numbers}")
        return af.tile(self, numbers)

    @overload
    def tile(self, dims: Sequence[int]) -> Tensor: ...
    @overload
    def tile(self, *dims: int) -> Tensor: ...
    @torch_function
    def tile(self, *times: int | Sequence[int], dims: Sequence[int] | None = None) -> Tensor:
        """Repeat a whole tensor along its dims; see `torch.tile`.

        Args:
            times: how many times along each dim, one by one or as one sequence; where they are fewer than the dims, those in front are not
                repeated.
            dims: another name of the numbers as a sequence.

        Returns:
            A copy.

        >>> torch.tensor([1, 2]).tile(2, 2)
        tensor([[1, 2, 1, 2],
                [1, 2, 1, 2]])
        """
        return af.tile(self, lengths_of("tile", "dims", times, dims))

    @overload
    def sum_to_size(self, size: Sequence[int]) -> Tensor: ...
    @overload
    def sum_to_size(self, *size: int) -> Tensor: ...
    @torch_function
    def sum_to_size(self, *lengths: int | Sequence[int], size: Sequence[int] | None = None) -> Tensor:
        """Sum over all that broadcasting from a shape to the tensor's repeated.

        Args:
            lengths: the shape, one by one or as one sequence.
            size: another name of the shape as a sequence.

        Returns:
            The sums, of that shape.

        Raises:
            ShapeError: the shape does not broadcast to the tensor's.

        >>> torch.ones(2, 3).sum_to_size(1, 3)
        tensor([[2., 2., 2.]])
        """
        shape, own = lengths_of("sum_to_size", "size", lengths, size), self.array.layout.shape
        if nd.broadcast_shapes(shape, own, op="sum_to_size") != own:
            raise ShapeError(f"sum_to_size: size {shape} is not expandable to size {own}")
        kept = self.array.dtype.is_inexact or (shape == own and shape != ())  # else it is a sum, and those of integers are int64
        return af.sum_to_shape(self if kept else af.astype(self, nd.int64), shape)

    @overload
    def flip(self, dims: Sequence[int]) -> Tensor: ...
    @overload
    def flip(self, *dims: int) -> Tensor: ...
    @torch_function
    def flip(self, *axes: int | Sequence[int], dims: Sequence[int] | None = None) -> Tensor:
        """Reverse the order of the items along dims.

        Args:
            axes: the dims, one by one or as one sequence.
            dims: another name of the dims as a sequence.

        Returns:
            A copy.

        Raises:
            ShapeError: a dim is named twice.
            IndexOutOfRange: there is no such dim.

        >>> torch.tensor([[1, 2], [3, 4]]).flip(0, 1)
        tensor([[4, 3],
                [2, 1]])
        """
        along: Any = axes if len(axes) == 1 and axes[0].__class__ is int else lengths_of("flip", "dims", axes, dims)
        flipped = nd.copy(view_of(self.array, self.array.layout.flip(along)))
        return recorded(RULES["flip"], flipped, (self,), axes=along) if self.requires_grad else tensor_of(flipped)

    @torch_function(strict=True)
    def where(self, condition: Tensor, other: Tensor | Number) -> Tensor:
        """Keep the items where a condition holds, and take those of another tensor elsewhere; see `torch.where`.

        Args:
            condition: booleans that broadcast with this tensor.
            other: a tensor that broadcasts with this one, or a number.

        Returns:
            A tensor of the shape that all broadcast to, of the promoted dtype.

        >>> x = torch.tensor([-1.0, 2.0])
        >>> x.where(x > 0, 0.0)
        tensor([0., 2.])
        """
        return af.where(condition, self, other)
