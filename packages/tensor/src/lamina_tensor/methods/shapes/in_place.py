"""Views that a tensor can become: it stays the same object over the same memory, read by other lengths and strides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeVar, overload

from lamina_flatarray.modes import NO_GRAD, switched, word

from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...functions import shapes
from ...tensor_fields import TensorFields
from ..in_place.history import check_writable, renew, rewritten

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["ShapesInPlace"]

T = TypeVar("T", bound=TensorFields)


def _become(tensor: T, view: Callable[..., Tensor], *arguments: Any) -> T:
    """Have a tensor go on as a view of it, which counts as a write. Of what has a history the view is recorded in any case: the history
    would not fit the new lengths. Other views of it are views of what it has become."""
    with switched(NO_GRAD, tensor.node is None and bool(word.get() & NO_GRAD)):
        became = view(tensor, *arguments)
    tensor.array, node = became.array, became.node
    del became  # else it is one of those views
    if node is not None:
        if tensor.base is None and view is not af.as_strided:  # which may leave out what its views have
            rewritten(tensor, node)
        else:
            renew(tensor, node)
    tensor.array.flat.version += 1
    return tensor


class ShapesInPlace(TensorFields):
    """The in-place twins of views: the tensor gets other lengths and strides over the same memory.

    All refuse a leaf that requires gradients, and a view of one, with an AutogradError.

    >>> x = torch.ones(2, 3)
    >>> x.t_().unsqueeze_(0).shape
    lamina.Size([1, 3, 2])
    >>> x.shape
    lamina.Size([1, 3, 2])
    """

    __slots__ = ()

    @overload
    def squeeze_(self) -> Self: ...
    @overload
    def squeeze_(self, dim: int | Sequence[int]) -> Self: ...
    @overload
    def squeeze_(self, *dim: int) -> Self: ...
    @torch_function(left_out=("dim",))
    def squeeze_(self, *dims: int | Sequence[int], dim: int | Sequence[int] | None = None) -> Self:
        """Drop dims of length 1 in place: those that are named, or all.

        Args:
            dims: the dims to drop, one by one or as one sequence; those of other lengths stay.
            dim: the dim or dims by name.

        Returns:
            The tensor itself.

        >>> torch.ones(1, 2, 1).squeeze_(0).shape
        lamina.Size([2, 1])
        """
        check_writable("squeeze", self)
        if dims:
            dim = dims[0] if len(dims) == 1 else dims  # type: ignore[assignment]
        return _become(self, af.squeeze, dim)

    @torch_function
    def unsqueeze_(self, dim: int) -> Self:
        """Add a dim of length 1 in place.

        Args:
            dim: where the new dim is to be, from `-ndim - 1` to `ndim`.

        Returns:
            The tensor itself.

        >>> torch.ones(2).unsqueeze_(1).shape
        lamina.Size([2, 1])
        """
        check_writable("unsqueeze", self)
        return _become(self, af.unsqueeze, dim)

    @torch_function
    def transpose_(self, dim0: int, dim1: int) -> Self:
        """Exchange two dims in place.

        Args:
            dim0: one dim.
            dim1: the other one.

        Returns:
            The tensor itself.

        >>> torch.ones(2, 3).transpose_(0, 1).shape
        lamina.Size([3, 2])
        """
        check_writable("transpose", self)
        return _become(self, af.transpose, dim0, dim1)

    @torch_function
    def swapaxes_(self, axis0: int, axis1: int) -> Self:
        """Exchange two dims in place: NumPy's name of `transpose_`.

        Args:
            axis0: one dim.
            axis1: the other one.

        Returns:
            The tensor itself.

        >>> torch.ones(2, 3).swapaxes_(0, 1).shape
        lamina.Size([3, 2])
        """
        check_writable("swapaxes", self)
        return _become(self, af.transpose, axis0, axis1)

    @torch_function
    def swapdims_(self, dim0: int, dim1: int) -> Self:
        """Exchange two dims in place: another name of `transpose_`.

        Args:
            dim0: one dim.
            dim1: the other one.

        Returns:
            The tensor itself.

        >>> torch.ones(2, 3).swapdims_(0, 1).shape
        lamina.Size([3, 2])
        """
        check_writable("swapdims", self)
        return _become(self, af.transpose, dim0, dim1)

    @torch_function
    def t_(self) -> Self:
        """Transpose a matrix in place; a tensor of fewer than two dims stays as it is.

        Returns:
            The tensor itself.

        >>> torch.ones(2, 3).t_().shape
        lamina.Size([3, 2])
        """
        check_writable("t", self)
        return _become(self, shapes.t)

    @torch_function
    def as_strided_(self, size: Sequence[int], stride: Sequence[int], storage_offset: int | None = None) -> Self:
        """Read a tensor's memory by any lengths and strides, in place.

        Args:
            size: the lengths of the dims.
            stride: how many items of memory lie from one index of each dim to the next.
            storage_offset: at which item of the memory to begin; None to begin where the tensor does.

        Returns:
            The tensor itself.

        >>> torch.arange(4).as_strided_((2,), (2,))
        tensor([0, 2])
        """
        check_writable("as_strided", self)
        return _become(self, af.as_strided, tuple(size), tuple(stride), storage_offset)
