"""A tensor plus a product of vectors or matrices, both weighted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...dispatch.out import written
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from .products import in_dtype

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ...tensor_class import Tensor
    from ...tensor_fields import Number

__all__ = ["addbmm", "addmm", "addmv", "addr", "baddbmm"]


@torch_function(autocast="lower")
def addmm(
    input: Tensor, mat1: Tensor, mat2: Tensor, out_dtype: DType | None = None, *, beta: Number = 1, alpha: Number = 1,
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Compute `beta * input + alpha * (mat1 @ mat2)`.

    Args:
        input: what broadcasts to (n, k); it does not count, not even a NaN, where `beta` is 0.
        mat1: (n, m).
        mat2: (m, k).
        out_dtype: what to compute the sums in: float32 for matrices of 16 bits, and `input` in either; None for theirs.
        beta: the weight of `input`.
        alpha: the weight of the product.
        out: where to write the result.

    Returns:
        The sums (n, k).

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the dtypes differ, or a weight is complex and the tensors are not; or `out_dtype` is another.

    >>> torch.addmm(torch.ones(2), torch.eye(2), torch.eye(2), alpha=2)
    tensor([[3., 1.],
            [1., 3.]])
    """
    if out_dtype is not None:
        input, mat1, mat2 = in_dtype("addmm", out_dtype, (input, mat1, mat2))
    result: Tensor = af.addmm(input, mat1, mat2, beta=beta, alpha=alpha)
    return result if out is None else written("addmm", out, result)


@torch_function(autocast="as they come")
def addmv(
    input: Tensor, mat: Tensor, vec: Tensor, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None
) -> Tensor:
    """Compute `beta * input + alpha * (mat @ vec)`.

    Args:
        input: what broadcasts to (n,); it does not count, not even a NaN, where `beta` is 0.
        mat: (n, m).
        vec: (m,).
        beta: the weight of `input`.
        alpha: the weight of the product.
        out: where to write the result.

    Returns:
        The sums (n,).

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the dtypes differ, or a weight is complex and the tensors are not.

    >>> torch.addmv(torch.ones(2), torch.eye(2), torch.tensor([1.0, 2.0]))
    tensor([2., 3.])
    """
    result: Tensor = af.addmv(input, mat, vec, beta=beta, alpha=alpha)
    return result if out is None else written("addmv", out, result)


@torch_function
def addr(
    input: Tensor, vec1: Tensor, vec2: Tensor, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None
) -> Tensor:
    """Compute `beta * input + alpha * outer(vec1, vec2)`.

    Args:
        input: what broadcasts to (n, m); it does not count, not even a NaN, where `beta` is 0.
        vec1: (n,).
        vec2: (m,).
        beta: the weight of `input`.
        alpha: the weight of the product.
        out: where to write the result.

    Returns:
        The sums (n, m), in the dtype that the three are promoted to.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: a weight does not suit the dtype.

    >>> torch.addr(torch.zeros(2, 2), torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))
    tensor([[3., 4.],
            [6., 8.]])
    """
    result: Tensor = af.addr(input, vec1, vec2, beta=beta, alpha=alpha)
    return result if out is None else written("addr", out, result, casts=True)


@torch_function(autocast="lower")
def addbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, *, beta: Number = 1, alpha: Number = 1, out: Tensor | None = None
) -> Tensor:
    """Compute `beta * input + alpha * (batch1 @ batch2).sum(0)`.

    Args:
        input: what broadcasts to (n, k); it does not count, not even a NaN, where `beta` is 0.
        batch1: (b, n, m).
        batch2: (b, m, k).
        beta: the weight of `input`.
        alpha: the weight of the product.
        out: where to write the result.

    Returns:
        The sums (n, k).

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the dtypes differ, or a weight is complex and the tensors are not.

    >>> torch.addbmm(torch.ones(1, 1), torch.ones(5, 1, 2), torch.ones(5, 2, 1))
    tensor([[11.]])
    """
    result: Tensor = af.addbmm(input, batch1, batch2, beta=beta, alpha=alpha)
    return result if out is None else written("addbmm", out, result)


@torch_function(autocast="lower")
def baddbmm(
    input: Tensor, batch1: Tensor, batch2: Tensor, out_dtype: DType | None = None, *, beta: Number = 1, alpha: Number = 1,
    out: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Compute `beta * input + alpha * (batch1 @ batch2)`.

    Args:
        input: what broadcasts to (b, n, k); it does not count, not even a NaN, where `beta` is 0.
        batch1: (b, n, m).
        batch2: (b, m, k).
        out_dtype: what to compute the sums in: float32 for stacks of 16 bits, and `input` in either; None for theirs.
        beta: the weight of `input`.
        alpha: the weight of the product.
        out: where to write the result.

    Returns:
        The sums (b, n, k).

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the dtypes differ, or a weight is complex and the tensors are not; or `out_dtype` is another.

    >>> torch.baddbmm(torch.ones(2, 1, 1), torch.ones(2, 1, 3), torch.ones(2, 3, 1))
    tensor([[[4.]],
    <BLANKLINE>
            [[4.]]])
    """
    if out_dtype is not None:
        input, batch1, batch2 = in_dtype("baddbmm", out_dtype, (input, batch1, batch2))
    result: Tensor = af.baddbmm(input, batch1, batch2, beta=beta, alpha=alpha)
    return result if out is None else written("baddbmm", out, result)
