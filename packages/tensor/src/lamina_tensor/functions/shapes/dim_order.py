"""The dims in another order: views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError, ShapeError

from ...autograd.recording import recorded
from ...autograd.rules import RULES
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...methods.shapes.sizes import int_tuple

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["adjoint", "moveaxis", "movedim", "permute", "swapaxes", "swapdims", "t", "transpose"]


@torch_function
def permute(input: Tensor, dims: Sequence[int]) -> Tensor:
    """Put the dims in another order.

    Args:
        input: the tensor.
        dims: all dims, in their new order.

    Returns:
        A view.

    Raises:
        ShapeError: not every dim comes once.
        IndexOutOfRange: there is no such dim.

    >>> torch.permute(torch.ones(2, 3, 4), (2, 0, 1)).shape
    lamina.Size([4, 2, 3])
    """
    return af.permute(input, dims if dims.__class__ is tuple else int_tuple("permute", "dims", dims))


@torch_function
def transpose(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Exchange two dims.

    Args:
        input: the tensor.
        dim0: one of them.
        dim1: the other.

    Returns:
        A view.

    Raises:
        IndexOutOfRange: there is no such dim.

    >>> torch.transpose(torch.tensor([[1, 2], [3, 4]]), 0, 1)
    tensor([[1, 3],
            [2, 4]])
    """
    return af.transpose(input, dim0, dim1)


@torch_function
def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """Exchange two dims: NumPy's name of `transpose`.

    Args:
        input: the tensor.
        axis0: one of them.
        axis1: the other.

    Returns:
        A view.

    Raises:
        IndexOutOfRange: there is no such dim.

    >>> torch.swapaxes(torch.ones(2, 3, 4), 0, 2).shape
    lamina.Size([4, 3, 2])
    """
    return af.transpose(input, axis0, axis1)


@torch_function
def swapdims(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """Exchange two dims: another name of `transpose`.

    Args:
        input: the tensor.
        dim0: one of them.
        dim1: the other.

    Returns:
        A view.

    Raises:
        IndexOutOfRange: there is no such dim.

    >>> torch.swapdims(torch.ones(2, 3, 4), 0, 2).shape
    lamina.Size([4, 3, 2])
    """
    return af.transpose(input, dim0, dim1)


@torch_function
def t(input: Tensor) -> Tensor:
    """Transpose a matrix.

    Args:
        input: a matrix; or a vector or a tensor without dims, whose view has the same shape.

    Returns:
        A view.

    Raises:
        ShapeError: there are more than two dims.

    >>> torch.t(torch.tensor([[1, 2], [3, 4]]))
    tensor([[1, 3],
            [2, 4]])
    """
    ndim = input.array.layout.ndim
    if ndim > 2:
        raise ShapeError(f"t() expects a tensor with <= 2 dimensions, but self is {ndim}D")
    return recorded(RULES["t"], nd.permute(input.array, (1, 0) if ndim == 2 else tuple(range(ndim))), (input,), input)


@torch_function
def movedim(input: Tensor, source: int | Sequence[int], destination: int | Sequence[int]) -> Tensor:
    """Move dims elsewhere; the others keep their order.

    Args:
        input: the tensor.
        source: the dim, or dims, to move.
        destination: where each of them stands in the result: as many dims as `source`.

    Returns:
        A view.

    Raises:
        ShapeError: the numbers of dims differ, or a dim is named twice.
        IndexOutOfRange: there is no such dim.
        ArgumentTypeError: one is an integer, the other a sequence.

    >>> torch.movedim(torch.ones(2, 3, 4), 0, -1).shape
    lamina.Size([3, 4, 2])
    """
    if hasattr(source, "__index__") is not hasattr(destination, "__index__"):
        raise ArgumentTypeError(f"movedim(): source {source} and destination {destination} must both be integers or both sequences")
    return af.moveaxis(input, source, destination)


moveaxis = movedim


@torch_function
def adjoint(input: Tensor) -> Tensor:
    """Transpose the last two dims, and conjugate the items.

    Args:
        input: a matrix or a stack of them; a tensor without dims is only conjugated.

    Returns:
        A view where the items are real, else a copy.

    Raises:
        ShapeError: there is exactly one dim.

    >>> torch.adjoint(torch.tensor([[1 + 2j, 3 - 1j]]))
    tensor([[1.-2.j],
            [3.+1.j]])
    """
    return af.adjoint(input)
