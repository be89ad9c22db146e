"""Tensors in the shape of larger ones, by strides of 0: views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import lamina_ndarray as nd
from lamina_flatarray import ShapeError

from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...methods.shapes.sizes import Size, int_tuple

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["broadcast_shapes", "broadcast_tensors", "broadcast_to", "meshgrid"]


@torch_function
def broadcast_to(input: Tensor, size: Sequence[int]) -> Tensor:
    """Broadcast a tensor to a shape.

    Args:
        input: the tensor.
        size: the lengths; -1 keeps a length.

    Returns:
        A view; items that it shows several times share memory.

    Raises:
        ShapeError: the shape does not broadcast to `size`.

    >>> torch.broadcast_to(torch.tensor([1, 2]), (2, 2))
    tensor([[1, 2],
            [1, 2]])
    """
    return af.broadcast_to(input, size if size.__class__ is tuple else int_tuple("broadcast_to", "size", size))


@torch_function
def broadcast_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Broadcast tensors to the shape of all.

    Args:
        tensors: the tensors.

    Returns:
        A view of each, all of one shape; a tensor that has this shape is returned itself.

    Raises:
        ShapeError: their shapes do not broadcast.

    >>> torch.broadcast_tensors(torch.tensor([1, 2]), torch.tensor([[3], [4]]))
    (tensor([[1, 2],
            [1, 2]]), tensor([[3, 3],
            [4, 4]]))
    """
    return af.broadcast_arrays(*tensors)


def broadcast_shapes(*shapes: int | Sequence[int]) -> Size:
    """Return the shape to which all shapes broadcast.

    Args:
        shapes: shapes; an integer is the length of a vector.

    Returns:
        The shape.

    Raises:
        ShapeError: they do not broadcast.

    >>> torch.broadcast_shapes((2, 1), (3,), 1)
    lamina.Size([2, 3])
    """
    return Size(nd.broadcast_shapes(*((shape,) if isinstance(shape, int) else tuple(shape) for shape in shapes), op="broadcast_shapes"))


@torch_function
def meshgrid(*tensors: Tensor | Sequence[Tensor], indexing: str = "ij") -> tuple[Tensor, ...]:
    """Make the grids of coordinates that vectors span.

    Args:
        tensors: vectors of one dtype, or one sequence of them; a tensor without dims counts as a vector of one item.
        indexing: "ij" for one dim per vector in their order; "xy" for the first two exchanged, as the columns and rows of a picture.

    Returns:
        One view per vector, all of the shape of all lengths; it varies along its own vector's dim.

    Raises:
        ShapeError: there are no tensors, one has more than one dim, or `indexing` is another string.
        DTypeError: the dtypes differ.

    >>> torch.meshgrid(torch.tensor([1, 2]), torch.tensor([3, 4, 5]), indexing="ij")
    (tensor([[1, 1, 1],
            [2, 2, 2]]), tensor([[3, 4, 5],
            [3, 4, 5]]))
    """
    if not tensors:
        raise ShapeError("meshgrid: expects a non-empty TensorList")
    return af.meshgrid(*tensors, indexing=indexing)
