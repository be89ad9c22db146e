"""Products of tensors over dims that are named, of vectors in space, and of several matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import lamina_ndarray as nd
from lamina_flatarray import DTypeError, ShapeError

from ...dispatch.out import written
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...tensor_fields import AnyTensor

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["bilinear", "chain_matmul", "cross", "einsum", "kron", "tensordot"]


@torch_function
def kron(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the Kronecker product: each item of one tensor times the whole other, as blocks.

    Args:
        input: a tensor.
        other: a tensor; the one with fewer dims gets new ones of length 1 in front.
        out: where to write the result.

    Returns:
        The product, whose lengths are the products of the lengths.

    >>> torch.kron(torch.eye(2), torch.tensor([[1.0, 2.0]]))
    tensor([[1., 2., 0., 0.],
            [0., 0., 1., 2.]])
    """
    result: Tensor = af.kron(input, other)
    return result if out is None else written("kron", out, result, row_major=True, casts=True)


@torch_function
def tensordot(
    a: Tensor, b: Tensor, dims: int | Sequence[Sequence[int]] | Tensor = 2, out: Tensor | None = None
) -> Tensor:
    """Multiply two tensors and sum over dims of both.

    Args:
        a: a tensor.
        b: a tensor of the same dtype.
        dims: how many of a's last and b's first dims to sum over, or two lists of dims that belong together.
        out: where to write the result.

    Returns:
        The sums, with a's other dims and then b's.

    Raises:
        DTypeError: the dtypes differ.
        ShapeError: lengths differ, or the lists do.
        IndexOutOfRange: there is no such dim.

    >>> torch.tensordot(torch.ones(2, 3, 4), torch.ones(4, 3), dims=([1, 2], [1, 0]))
    tensor([12., 12.])
    """
    if a.array.dtype is not b.array.dtype:
        raise DTypeError(
            f"tensordot: both inputs should have same dtype, but got {a.array.dtype.name} and {b.array.dtype.name}"
        )
    result: Tensor = af.tensordot(a, b, dims.tolist() if isinstance(dims, AnyTensor) else dims)
    return result if out is None else written("tensordot", out, result)


@torch_function(autocast="lower")  # its products run in the lower precision
def einsum(*args: Any) -> Tensor:
    """Multiply tensors and sum over dims, by an equation that labels the dims.

    Args:
        args: an equation and then the tensors, or one list of them; or each tensor followed by the list of its dims'
            labels, whole numbers below 52, and at last perhaps the list of the result's labels.

    An equation has one letter per dim, a comma between tensors, and the result's labels after `->`. Dims with the same
    letter have the same length, or 1. A letter that comes twice for one tensor takes its diagonal; letters that the
    result lacks are summed over. `...` stands for the dims that broadcast. Without `->`, the result has the broadcast
    dims, and then the letters that come once in alphabetical order, capitals first.

    Returns:
        The sums.

    Raises:
        ShapeError: the equation is malformed or does not suit the dims, or lengths differ.
        DTypeError: tensors of different dtypes share a label that is summed over.

    >>> torch.einsum("ij,jk->ik", torch.tensor([[1, 2], [3, 4]]), torch.tensor([[0, 1], [1, 0]]))
    tensor([[2, 1],
            [4, 3]])
    >>> torch.einsum("ii", torch.tensor([[1, 2], [3, 4]]))
    tensor(5)
    """
    result: Tensor = nd.einsum(*args)
    return result


@torch_function
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Compute `input1 @ weight[k] @ input2 + bias[k]` for each k.

    Args:
        input1: (..., i).
        input2: (..., j), with the same leading dims.
        weight: (k, i, j).
        bias: (k,).

    Returns:
        The sums (..., k).

    Raises:
        ShapeError: the shapes do not fit.

    >>> torch.bilinear(torch.ones(2), torch.ones(3), torch.ones(4, 2, 3))
    tensor([6., 6., 6., 6.])
    """
    result: Tensor = af.bilinear(input1, input2, weight, bias)
    return result


@torch_function
def cross(input: Tensor, other: Tensor, dim: int | None = None, *, out: Tensor | None = None) -> Tensor:
    """Compute the cross products of vectors of length 3.

    Args:
        input: vectors along `dim`.
        other: vectors along `dim`; the other dims broadcast.
        dim: the dim of the vectors; by default `input`'s first of length 3.
        out: where to write the result.

    Returns:
        The products, of the broadcast shape.

    Raises:
        ShapeError: no dim has length 3, or the shapes do not broadcast.
        IndexOutOfRange: there is no such dim.
        DTypeError: they are boolean.

    >>> torch.cross(torch.tensor([1.0, 0.0, 0.0]), torch.tensor([0.0, 1.0, 0.0]), dim=0)
    tensor([0., 0., 1.])
    """
    if dim is None:
        dim = next((i for i, n in enumerate(input.shape) if n == 3), None)
        if dim is None:
            raise ShapeError(f"no dimension of size 3 in input: cross of shapes {input.shape} and {other.shape}")
    result: Tensor = af.linalg.cross(input, other, dim)
    return result if out is None else written("cross", out, result)


@torch_function
def chain_matmul(*matrices: Tensor, out: Tensor | None = None) -> Tensor:
    """Multiply matrices in the cheapest order; see `linalg.multi_dot`.

    Args:
        matrices: one matrix or more.
        out: where to write the result.

    Returns:
        The product.

    Raises:
        ShapeError: there are none, one is no matrix, or lengths do not fit.
        DTypeError: the dtypes differ.

    >>> torch.chain_matmul(torch.ones(2, 3), torch.ones(3, 4), torch.ones(4, 1))
    tensor([[12.],
            [12.]])
    """
    if not matrices:
        raise ShapeError("chain_matmul(): Expected one or more matrices")
    for i, matrix in enumerate(matrices):
        if matrix.ndim != 2:
            raise ShapeError(f"chain_matmul: Tensor dimension is {matrix.ndim}, expected 2 instead (tensor {i})")
    result = matrices[0] if len(matrices) == 1 else af.linalg.multi_dot(matrices)
    return result if out is None else written("chain_matmul", out, result)
