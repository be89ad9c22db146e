"""Methods that give views of a tensor in other shapes where they are not the functions of their names: lengths come one by one or as a
sequence, and some are methods only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast, overload

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError, DType, ShapeError

from ...autograd.recording import recorded
from ...autograd.rules import RULES
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...tensor_fields import TensorFields, viewed
from ..memory.reinterpreting import view_dtype
from .sizes import lengths_of

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["ShapeMethods"]


class ShapeMethods(TensorFields):
    """Methods that return views of a tensor in other shapes.

    >>> x = torch.arange(6).view(2, 3)
    >>> x.shape, x.permute(1, 0).shape
    (lamina.Size([2, 3]), lamina.Size([3, 2]))
    """

    __slots__ = ()

    # -- other lengths ------------------------------------------------------------------------------------------------------

    @overload
    def view(self, dtype: DType, /) -> Tensor: ...
    @overload
    def view(self, size: Sequence[int], /) -> Tensor: ...
    @overload
    def view(self, *size: int) -> Tensor: ...
    @overload
    def view(self, *, size: Sequence[int]) -> Tensor: ...
    @overload
    def view(self, *, dtype: DType) -> Tensor: ...
    @torch_function
    def view(
        self, *lengths: int | Sequence[int] | DType, size: Sequence[int] | None = None, dtype: DType | None = None
    ) -> Tensor:
        """Read the same memory in another shape, or as items of another dtype.

        Args:
            lengths: the lengths, one by one or as one sequence, of which one may be -1; or a dtype.
            size: another name of the lengths as a sequence.
            dtype: a dtype by name.

        Returns:
            A view.

        Raises:
            ShapeError: the shape has another number of items, or strides do not allow it without a copy.
            ArgumentTypeError: there are both a shape and a dtype, or neither.

        >>> torch.arange(6).view(2, -1)
        tensor([[0, 1, 2],
                [3, 4, 5]])
        """
        shape: Any
        if lengths and lengths[0].__class__ is int:
            shape = lengths
        elif dtype is not None or (lengths and isinstance(lengths[0], DType)):
            if len(lengths) + (dtype is not None) + (size is not None) > 1:
                raise ArgumentTypeError("view() takes a shape or a dtype, not both")
            return view_dtype(self, cast(DType, lengths[0] if lengths else dtype))
        else:
            shape = lengths_of("view", "size", lengths, size)
        if not self.requires_grad:
            layout = self.array.layout.reshape(shape, "view")
            if layout is not None:
                return viewed(self, layout)
        return recorded(RULES["reshape"], nd.view(self.array, shape), (self,), self)

    @torch_function
    def view_as(self, other: Tensor) -> Tensor:
        """Read the same memory in the shape of another tensor.

        Args:
            other: the tensor whose shape to take, with as many items.

        Returns:
            A view.

        >>> torch.arange(4).view_as(torch.ones(2, 2))
        tensor([[0, 1],
                [2, 3]])
        """
        return self.view(other.array.layout.shape)

    @overload
    def reshape(self, shape: Sequence[int]) -> Tensor: ...
    @overload
    def reshape(self, *shape: int) -> Tensor: ...
    @torch_function(strict=True)
    def reshape(self, *lengths: int | Sequence[int], shape: Sequence[int] | None = None) -> Tensor:
        """Return the items in another shape: a view where strides allow it, else a copy.

        Args:
            lengths: the lengths, one by one or as one sequence; one may be -1, to be inferred.
            shape: another name of the lengths as a sequence.

        Returns:
            A tensor of that shape, with the items in the same row-major order.

        Raises:
            ShapeError: the shape has another number of items.

        >>> torch.arange(6).reshape(2, -1)
        tensor([[0, 1, 2],
                [3, 4, 5]])
        """
        if lengths and lengths[0].__class__ is int:
            return af.reshape(self, lengths)
        return af.reshape(self, lengths_of("reshape", "shape", lengths, shape))

    @torch_function(strict=True)
    def reshape_as(self, other: Tensor) -> Tensor:
        """Return the items in the shape of another tensor: a view where strides allow it, else a copy.

        Args:
            other: the tensor whose shape to take, with as many items.

        Returns:
            A tensor of that shape, with the items in the same row-major order.

        >>> torch.arange(4).reshape_as(torch.ones(2, 2))
        tensor([[0, 1],
                [2, 3]])
        """
        return af.reshape(self, other.array.layout.shape)

    @overload
    def squeeze(self) -> Tensor: ...
    @overload
    def squeeze(self, dim: int | Sequence[int]) -> Tensor: ...
    @overload
    def squeeze(self, *dim: int) -> Tensor: ...
    @torch_function
    def squeeze(self, *dims: int | Sequence[int], dim: int | Sequence[int] | None = None) -> Tensor:
        """Drop dims of length 1: those that are named, or all.

        Args:
            dims: the dims to drop, one by one or as one sequence; those of other lengths stay.
            dim: the dim or dims by name.

        Returns:
            A view.

        >>> torch.ones(1, 2, 1, 1).squeeze(0, 2).shape
        lamina.Size([2, 1])
        """
        if dims:
            dim = dims[0] if len(dims) == 1 else dims  # type: ignore[assignment]
        return af.squeeze(self, dim)

    # -- the dims in another order ------------------------------------------------------------------------------------------

    @overload
    def permute(self, dims: Sequence[int]) -> Tensor: ...
    @overload
    def permute(self, *dims: int) -> Tensor: ...
    @torch_function
    def permute(self, *order: int | Sequence[int], dims: Sequence[int] | None = None) -> Tensor:
        """Put the dims in another order.

        Args:
            order: all dims in their new order, one by one or as one sequence.
            dims: another name of the order as a sequence.

        Returns:
            A view.

        Raises:
            ShapeError: not every dim comes once.
            IndexOutOfRange: there is no such dim.

        >>> torch.ones(2, 3, 4).permute(2, 0, 1).shape
        lamina.Size([4, 2, 3])
        """
        return af.permute(self, lengths_of("permute", "dims", order, dims))

    @property
    @torch_function
    def T(self) -> Tensor:
        """All dims in reverse order: a view."""
        return af.permute(self, range(self.array.layout.ndim)[::-1])

    @property
    @torch_function
    def mT(self) -> Tensor:
        """The last two dims exchanged: a view.

        Raises:
            ShapeError: there is one dim.
        """
        ndim = self.array.layout.ndim
        if ndim == 1:
            raise ShapeError("tensor.mT is only supported on matrices or batches of matrices. Got 1-D tensor.")
        return af.transpose(self, -2, -1) if ndim else self  # type: ignore[return-value]  # what has these methods is a Tensor

    @property
    @torch_function
    def H(self) -> Tensor:
        """A matrix transposed and conjugated.

        Raises:
            ShapeError: there is another number of dims than 0 or 2.
        """
        ndim = self.array.layout.ndim
        if ndim not in (0, 2):
            raise ShapeError(f"tensor.H is only supported on matrices (2-D tensors). Got {ndim}-D tensor.")
        return af.adjoint(self)

    @property
    @torch_function
    def mH(self) -> Tensor:
        """The last two dims exchanged, and the items conjugated."""
        return af.adjoint(self)

    # -- larger and smaller --------------------------------------------------------------------------------------------------

    @overload
    def expand(self, size: Sequence[int], *, implicit: bool = False) -> Tensor: ...
    @overload
    def expand(self, *size: int, implicit: bool = False) -> Tensor: ...
    @torch_function
    def expand(self, *lengths: int | Sequence[int], size: Sequence[int] | None = None, implicit: bool = False) -> Tensor:
        """Broadcast a tensor to a shape.

        Args:
            lengths: the lengths, one by one or as one sequence; -1 keeps a length.
            size: another name of the lengths as a sequence.
            implicit: accepted; it changes nothing.

        Returns:
            A view; items that it shows several times share memory.

        Raises:
            ShapeError: the shape does not broadcast to it.

        >>> torch.tensor([[1], [2]]).expand(-1, 3)
        tensor([[1, 1, 1],
                [2, 2, 2]])
        """
        return af.broadcast_to(self, lengths_of("expand", "size", lengths, size), "expand")

    @overload
    def broadcast_to(self, size: Sequence[int]) -> Tensor: ...
    @overload
    def broadcast_to(self, *size: int) -> Tensor: ...
    @torch_function
    def broadcast_to(self, *lengths: int | Sequence[int], size: Sequence[int] | None = None) -> Tensor:
        """Broadcast a tensor to a shape.

        Args:
            lengths: the lengths, one by one or as one sequence; -1 keeps a length.
            size: another name of the lengths as a sequence.

        Returns:
            A view; items that it shows several times share memory.

        Raises:
            ShapeError: the shape does not broadcast to it.

        >>> torch.tensor([1, 2]).broadcast_to(2, 2)
        tensor([[1, 2],
                [1, 2]])
        """
        return af.broadcast_to(self, lengths_of("broadcast_to", "size", lengths, size))

    @torch_function
    def expand_as(self, other: Tensor) -> Tensor:
        """Broadcast a tensor to the shape of another.

        Args:
            other: the tensor whose shape to take.

        Returns:
            A view; items that it shows several times share memory.

        >>> torch.tensor([1, 2]).expand_as(torch.ones(2, 2))
        tensor([[1, 2],
                [1, 2]])
        """
        return af.broadcast_to(self, other.array.layout.shape, "expand_as")

    # -- windows -------------------------------------------------------------------------------------------------------------

    @torch_function
    def unfold(self, dimension: int, size: int, step: int) -> Tensor:
        """Return all windows along a dim.

        Args:
            dimension: the dim.
            size: how many items a window has.
            step: the distance between windows.

        Returns:
            A view: `dimension` counts the windows, and their items are a last dim.

        Raises:
            ShapeError: the window is longer than the dim, or the step is not positive.
            IndexOutOfRange: there is no such dim.

        >>> torch.arange(4).unfold(0, 2, 1)
        tensor([[0, 1],
                [1, 2],
                [2, 3]])
        """
        return af.unfold(self, dimension, size, step)
