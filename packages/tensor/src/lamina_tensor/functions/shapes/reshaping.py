"""Other lengths for the same items in the same order: dims merged, split, added and dropped."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, overload

import lamina_ndarray as nd

from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...methods.shapes.sizes import int_tuple

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["atleast_1d", "atleast_2d", "atleast_3d", "flatten", "ravel", "reshape", "squeeze", "unflatten", "unsqueeze"]


@torch_function(strict=True)
def reshape(input: Tensor, shape: Sequence[int]) -> Tensor:
    """Return the items in another shape: a view where strides allow it, else a copy.

    Args:
        input: the tensor.
        shape: the lengths; one of them may be -1, to be inferred.

    Returns:
        A tensor of that shape, with the items in the same row-major order.

    Raises:
        ShapeError: the shape has another number of items.

    >>> torch.reshape(torch.arange(6), (2, -1))
    tensor([[0, 1, 2],
            [3, 4, 5]])
    """
    return af.reshape(input, shape if shape.__class__ is tuple else int_tuple("reshape", "shape", shape))


@torch_function(strict=True)
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Merge the dims from `start_dim` to `end_dim` into one.

    Args:
        input: the tensor; one without dims becomes a vector of one item.
        start_dim: the first dim to merge.
        end_dim: the last dim to merge.

    Returns:
        A view where strides allow it, else a copy; the tensor itself where there is only one dim to merge.

    Raises:
        ShapeError: `start_dim` comes after `end_dim`.
        IndexOutOfRange: there is no such dim.

    >>> torch.flatten(torch.ones(2, 3, 4), start_dim=1).shape
    lamina.Size([2, 12])
    """
    array = nd.flatten(input.array, start_dim, end_dim)
    return input if array is input.array else af.reshape(input, array.layout.shape)


@torch_function
def ravel(input: Tensor) -> Tensor:
    """Return all items as a vector, in row-major order.

    Args:
        input: the tensor.

    Returns:
        A view where the items lie in that order, else a copy.

    >>> torch.ravel(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 2, 3, 4])
    """
    return af.ravel(input)


@torch_function
def unflatten(input: Tensor, dim: int, sizes: Sequence[int]) -> Tensor:
    """Split a dim into several.

    Args:
        input: the tensor.
        dim: the dim to split.
        sizes: the lengths of the new dims, whose product is the dim's length; one may be -1, to be inferred.

    Returns:
        A view with the new dims in the place of `dim`.

    Raises:
        ShapeError: the lengths do not multiply to that of the dim, or there are none.
        IndexOutOfRange: there is no such dim.

    >>> torch.unflatten(torch.ones(2, 6), 1, (3, -1)).shape
    lamina.Size([2, 3, 2])
    """
    return af.unflatten(input, dim, sizes)


@overload
def squeeze(input: Tensor) -> Tensor: ...
@overload
def squeeze(input: Tensor, dim: int | Sequence[int]) -> Tensor: ...
@torch_function(left_out=("dim",))
def squeeze(input: Tensor, dim: int | Sequence[int] | None = None) -> Tensor:
    """Drop dims of length 1.

    Args:
        input: the tensor.
        dim: the dim, or dims, to drop where their length is 1; None for all dims.

    Returns:
        A view.

    Raises:
        IndexOutOfRange: there is no such dim.

    >>> x = torch.ones(1, 2, 1)
    >>> torch.squeeze(x).shape, torch.squeeze(x, 0).shape, torch.squeeze(x, 1).shape
    (lamina.Size([2]), lamina.Size([2, 1]), lamina.Size([1, 2, 1]))
    """
    return af.squeeze(input, dim)


@torch_function
def unsqueeze(input: Tensor, dim: int) -> Tensor:
    """Add a dim of length 1.

    Args:
        input: the tensor.
        dim: which dim of the result it is.

    Returns:
        A view.

    Raises:
        IndexOutOfRange: the result has no such dim.

    >>> torch.unsqueeze(torch.tensor([1, 2]), 1)
    tensor([[1],
            [2]])
    """
    return af.unsqueeze(input, dim)


@overload
def atleast_1d(tensor: Tensor, /) -> Tensor: ...
@overload
def atleast_1d(tensors: Sequence[Tensor], /) -> tuple[Tensor, ...]: ...
@overload
def atleast_1d(first: Tensor, second: Tensor, /, *others: Tensor) -> tuple[Tensor, ...]: ...
@torch_function
def atleast_1d(*tensors: Tensor | Sequence[Tensor]) -> Tensor | tuple[Tensor, ...]:
    """Give tensors without dims one dim of length 1.

    Args:
        tensors: one tensor, several, or one sequence of them.

    Returns:
        A view for the one tensor, or a tuple of them; a tensor that has dims is itself.

    >>> torch.atleast_1d(torch.tensor(1.0), torch.tensor([2.0, 3.0]))
    (tensor([1.]), tensor([2., 3.]))
    """
    return af.atleast_1d(*tensors)


@overload
def atleast_2d(tensor: Tensor, /) -> Tensor: ...
@overload
def atleast_2d(tensors: Sequence[Tensor], /) -> tuple[Tensor, ...]: ...
@overload
def atleast_2d(first: Tensor, second: Tensor, /, *others: Tensor) -> tuple[Tensor, ...]: ...
@torch_function
def atleast_2d(*tensors: Tensor | Sequence[Tensor]) -> Tensor | tuple[Tensor, ...]:
    """Give tensors at least two dims: a vector becomes a row.

    Args:
        tensors: one tensor, several, or one sequence of them.

    Returns:
        A view for the one tensor, or a tuple of them; a tensor that has two dims is itself.

    >>> torch.atleast_2d(torch.tensor([2.0, 3.0]))
    tensor([[2., 3.]])
    """
    return af.atleast_2d(*tensors)


@overload
def atleast_3d(tensor: Tensor, /) -> Tensor: ...
@overload
def atleast_3d(tensors: Sequence[Tensor], /) -> tuple[Tensor, ...]: ...
@overload
def atleast_3d(first: Tensor, second: Tensor, /, *others: Tensor) -> tuple[Tensor, ...]: ...
@torch_function
def atleast_3d(*tensors: Tensor | Sequence[Tensor]) -> Tensor | tuple[Tensor, ...]:
    """Give tensors at least three dims: shape (n,) becomes (1, n, 1), and (m, n) becomes (m, n, 1).

    Args:
        tensors: one tensor, several, or one sequence of them.

    Returns:
        A view for the one tensor, or a tuple of them; a tensor that has three dims is itself.

    >>> torch.atleast_3d(torch.ones(2, 3)).shape
    lamina.Size([2, 3, 1])
    """
    return af.atleast_3d(*tensors)
