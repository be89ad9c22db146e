"""Methods that change the shape of a tensor where they are not the functions of their names: lengths one by one, and views that are
methods only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast, overload

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError, DType, IndexOutOfRange, ShapeError
from lamina_ndarray.array_fields import view_of
from lamina_ndarray.layouts.broadcast import normalize_axis

from ...autograd.recording import recorded
from ...autograd.rules import RULES
from ...devices.memory_formats import contiguous_format
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...functions import shapes
from ...tensor_fields import TensorFields, tensor_of, viewed
from ..memory.reinterpreting import view_dtype
from .sizes import Size, sizes

if TYPE_CHECKING:
    from ...devices.memory_formats import memory_format as MemoryFormat
    from ...tensor_class import Tensor
    from ...tensor_fields import Number

__all__ = ["ShapeMethods"]


def _lengths(op: str, name: str, lengths: tuple[Any, ...], sequence: Sequence[int] | None) -> tuple[int, ...]:
    """Integers that were given one by one, as one sequence, or as that by its name.

    Raises:
        ArgumentTypeError: they were given in no way, or in two.
    """
    if sequence is None:
        if lengths:
            return lengths if lengths[0].__class__ is int else sizes(lengths)
        raise ArgumentTypeError(f"{op}() missing 1 required positional argument: '{name}'")
    if lengths:
        raise ArgumentTypeError(f"{op}() got multiple values for argument '{name}'")
    return tuple(sequence)


def _along(lengths: tuple[int, ...], dim: int, op: str) -> int:
    """The item for one dim.

    Raises:
        IndexOutOfRange: there is no such dim.
    """
    if not lengths:
        raise IndexOutOfRange(f"{op}: Dimension specified as {dim} but tensor has no dimensions")
    return lengths[normalize_axis(dim, len(lengths), op)]


class ShapeMethods(TensorFields):
    """Methods that return the shape and strides of a tensor, or views of it in other shapes.

    >>> x = torch.arange(6).view(2, 3)
    >>> x.size(), x.stride(), x.permute(1, 0).shape
    (lamina.Size([2, 3]), (3, 1), lamina.Size([3, 2]))
    """

    __slots__ = ()

    # -- what they are ------------------------------------------------------------------------------------------------------

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
            shape = _lengths("view", "size", lengths, size)
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
        return af.reshape(self, _lengths("reshape", "shape", lengths, shape))

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
        return af.permute(self, _lengths("permute", "dims", order, dims))

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
        return af.broadcast_to(self, _lengths("expand", "size", lengths, size), "expand")

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
        return af.broadcast_to(self, _lengths("broadcast_to", "size", lengths, size))

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
        numbers = _lengths("repeat", "repeats", times, repeats)
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
        return af.tile(self, _lengths("tile", "dims", times, dims))

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
        shape, own = _lengths("sum_to_size", "size", lengths, size), self.array.layout.shape
        if nd.broadcast_shapes(shape, own, op="sum_to_size") != own:
            raise ShapeError(f"sum_to_size: size {shape} is not expandable to size {own}")
        kept = self.array.dtype.is_inexact or (shape == own and shape != ())  # else it is a sum, and those of integers are int64
        return af.sum_to_shape(self if kept else af.astype(self, nd.int64), shape)

    # -- turned and cut ------------------------------------------------------------------------------------------------------

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
        along: Any = axes if len(axes) == 1 and axes[0].__class__ is int else _lengths("flip", "dims", axes, dims)
        flipped = nd.copy(view_of(self.array, self.array.layout.flip(along)))
        return recorded(RULES["flip"], flipped, (self,), axes=along) if self.requires_grad else tensor_of(flipped)

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

    @torch_function
    def split(self: Any, split_size: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
        """Split a tensor along a dim into parts of given lengths; see `torch.split`.

        Args:
            split_size: the length of the parts, of which the last one may be shorter; or the length of each.
            dim: the dim to split.

        Returns:
            The parts, as views.

        >>> torch.arange(5).split(2)
        (tensor([0, 1]), tensor([2, 3]), tensor([4]))
        """
        return shapes.split(self, split_size, dim)

    @overload
    def hsplit(self: Any, indices_or_sections: int | Sequence[int], /) -> tuple[Tensor, ...]: ...
    @overload
    def hsplit(self: Any, *indices: int) -> tuple[Tensor, ...]: ...
    @torch_function
    def hsplit(
        self: Any, *ends: int | Sequence[int], indices: Sequence[int] | None = None, sections: int | None = None
    ) -> tuple[Tensor, ...]:
        """Split a tensor along its second dim (a vector along its only one); see `torch.hsplit`.

        Args:
            ends: how many parts of equal length; or the indices at which a new part begins, one by one or as one sequence.
            indices: these indices by name.
            sections: the number of parts by name.

        Returns:
            The parts, as views.

        >>> torch.arange(6).hsplit(1, 3)
        (tensor([0]), tensor([1, 2]), tensor([3, 4, 5]))
        """
        return shapes.hsplit(self, _ends(ends), indices=indices, sections=sections)

    @overload
    def vsplit(self: Any, indices_or_sections: int | Sequence[int], /) -> tuple[Tensor, ...]: ...
    @overload
    def vsplit(self: Any, *indices: int) -> tuple[Tensor, ...]: ...
    @torch_function
    def vsplit(
        self: Any, *ends: int | Sequence[int], indices: Sequence[int] | None = None, sections: int | None = None
    ) -> tuple[Tensor, ...]:
        """Split a tensor along its first dim; see `torch.vsplit`.

        Args:
            ends: how many parts of equal length; or the indices at which a new part begins, one by one or as one sequence.
            indices: these indices by name.
            sections: the number of parts by name.

        Returns:
            The parts, as views.

        >>> torch.arange(6).reshape(3, 2).vsplit(3)
        (tensor([[0, 1]]), tensor([[2, 3]]), tensor([[4, 5]]))
        """
        return shapes.vsplit(self, _ends(ends), indices=indices, sections=sections)

    @overload
    def dsplit(self: Any, indices_or_sections: int | Sequence[int], /) -> tuple[Tensor, ...]: ...
    @overload
    def dsplit(self: Any, *indices: int) -> tuple[Tensor, ...]: ...
    @torch_function
    def dsplit(
        self: Any, *ends: int | Sequence[int], indices: Sequence[int] | None = None, sections: int | None = None
    ) -> tuple[Tensor, ...]:
        """Split a tensor along its third dim; see `torch.dsplit`.

        Args:
            ends: how many parts of equal length; or the indices at which a new part begins, one by one or as one sequence.
            indices: these indices by name.
            sections: the number of parts by name.

        Returns:
            The parts, as views.

        >>> [part.shape for part in torch.ones(1, 2, 4).dsplit(2)]
        [lamina.Size([1, 2, 2]), lamina.Size([1, 2, 2])]
        """
        return shapes.dsplit(self, _ends(ends), indices=indices, sections=sections)

    # -- chosen --------------------------------------------------------------------------------------------------------------

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


def _ends(ends: tuple[Any, ...]) -> Any:
    """The argument of `hsplit` and its kin: one number or sequence, or indices one by one."""
    return ends or None if len(ends) != 1 else ends[0]
