"""Products of vectors, of matrices, and of stacks of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import lamina_ndarray as nd
from lamina_flatarray import DTypeError, ShapeError

from ...autograd.recording import out_array
from ...dispatch.array_functions import matrix_product
from ...dispatch.elementwise import binary, elementwise
from ...dispatch.out import written
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...tensor_fields import AnyTensor

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ...tensor_class import Tensor

__all__ = ["bmm", "dot", "ger", "inner", "matmul", "mm", "mv", "outer", "vdot"]


_MATMUL = elementwise("matmul", 2)


@torch_function(autocast="lower")
def matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Multiply two matrices, or stacks of them.

    Args:
        input: (..., n, m); a vector counts as a row.
        other: (..., m, k); a vector counts as a column. Leading dims broadcast.
        out: where to write the result.

    Returns:
        The products (..., n, k), without the dims that vectors lacked.

    Raises:
        ShapeError: a factor has no dims, the inner lengths differ, or leading dims do not broadcast.
        DTypeError: the factors are boolean, or their dtypes differ.

    >>> torch.matmul(torch.tensor([[1, 2], [3, 4]]), torch.tensor([1, 1]))
    tensor([3, 7])
    """
    if input.array.flat.dtype is not other.array.flat.dtype:
        raise DTypeError(
            f"matmul: expected both factors to have the same dtype, but got {input.array.flat.dtype!r} and {other.array.flat.dtype!r}"
        )
    return matrix_product(input, other) if out is None else binary(_MATMUL, input, other, out)


def in_dtype(op: str, out_dtype: DType, factors: Sequence[Tensor]) -> list[Tensor]:
    """Factors in the dtype that their product is wanted in.

    Raises:
        DTypeError: it is neither theirs nor, for those of 16 bits, float32.
    """
    for factor in factors:
        if factor.dtype is not out_dtype and not (out_dtype is nd.float32 and factor.dtype in (nd.float16, nd.bfloat16)):
            raise DTypeError(f"{op}(): out_dtype must be the same as input dtype or fp32 for fp16/bf16 inputs, not {out_dtype!r}")
    return [af.astype(factor, out_dtype) for factor in factors]


def product(op: str, a: Any, b: Any, ndim: int, other: int, out: Any = None) -> Tensor | None:
    """`a @ b` of tensors of one dtype with so many dims that fit, written to an `out` of the product's shape and dtype, if there is one;
    None for all else: the function itself says what is wrong.

    Raises:
        AutogradError: gradients would have to flow through `out`.
    """
    if not (isinstance(a, AnyTensor) and isinstance(b, AnyTensor)):
        return None
    x, y = a.array, b.array
    if x.layout.ndim != ndim or y.layout.ndim != other or x.flat.dtype is not y.flat.dtype:
        return None
    try:
        if out is None:
            return matrix_product(a, b)
        shape = x.layout.shape[:-1] + y.layout.shape[max(other - 1, 1) :]
        if not isinstance(out, AnyTensor) or out.array.layout.shape != shape or out.dtype is not a.dtype:
            return None
        out_array(op, out, (a, b))
        return binary(_MATMUL, a, b, out)
    except ShapeError:
        return None


@torch_function(autocast="lower")
def mm(input: Tensor, mat2: Tensor, out_dtype: DType | None = None, *, out: Tensor | None = None) -> Tensor:
    """Multiply two matrices, without broadcasting.

    Args:
        input: (n, m).
        mat2: (m, k), of the same dtype.
        out_dtype: what to compute the product in: float32 for factors of 16 bits; None for theirs.
        out: where to write the result.

    Returns:
        The product (n, k).

    Raises:
        ShapeError: they are not matrices, or the inner lengths differ.
        DTypeError: the dtypes differ, or are bool; or `out_dtype` is another.

    >>> torch.mm(torch.tensor([[1, 2], [3, 4]]), torch.tensor([[0, 1], [1, 0]]))
    tensor([[2, 1],
            [4, 3]])
    """
    if out_dtype is not None:
        input, mat2 = in_dtype("mm", out_dtype, (input, mat2))
    result = product("mm", input, mat2, 2, 2, out)
    if result is None:
        result = af.mm(input, mat2)
    return result if out is None or result is out else written("mm", out, result)


@torch_function(autocast="lower")
def bmm(input: Tensor, mat2: Tensor, out_dtype: DType | None = None, *, out: Tensor | None = None) -> Tensor:
    """Multiply two stacks of as many matrices, without broadcasting.

    Args:
        input: (b, n, m).
        mat2: (b, m, k), of the same dtype.
        out_dtype: what to compute the products in: float32 for factors of 16 bits; None for theirs.
        out: where to write the result.

    Returns:
        The products (b, n, k).

    Raises:
        ShapeError: they are not such stacks, or the inner lengths differ.
        DTypeError: the dtypes differ, or are bool; or `out_dtype` is another.

    >>> torch.bmm(torch.ones(2, 1, 3), torch.ones(2, 3, 1)).shape
    lamina.Size([2, 1, 1])
    """
    if out_dtype is not None:
        input, mat2 = in_dtype("bmm", out_dtype, (input, mat2))
    both = isinstance(input, AnyTensor) and isinstance(mat2, AnyTensor)
    as_many = both and input.array.layout.shape[:1] == mat2.array.layout.shape[:1]
    result = product("bmm", input, mat2, 3, 3, out) if as_many else None
    if result is None:
        result = af.bmm(input, mat2)
    return result if out is None or result is out else written("bmm", out, result)


@torch_function(autocast="as they come")
def mv(input: Tensor, vec: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Multiply a matrix and a vector.

    Args:
        input: (n, m).
        vec: (m,), of the same dtype.
        out: where to write the result.

    Returns:
        The product (n,).

    Raises:
        ShapeError: they are not a matrix and a vector, or the inner lengths differ.
        DTypeError: the dtypes differ, or are bool.

    >>> torch.mv(torch.tensor([[1, 2], [3, 4]]), torch.tensor([1, 1]))
    tensor([3, 7])
    """
    result = product("mv", input, vec, 2, 1, out)
    if result is None:
        result = af.mv(input, vec)
    return result if out is None or result is out else written("mv", out, result)


@torch_function(autocast="as they come")
def dot(input: Tensor, tensor: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the inner product of two vectors, neither of them conjugated.

    Args:
        input: (n,).
        tensor: (n,), of the same dtype.
        out: where to write the result.

    Returns:
        The sum of the products, with no dims.

    Raises:
        ShapeError: they are not vectors of one length.
        DTypeError: the dtypes differ, or are bool.

    >>> torch.dot(torch.tensor([1, 2]), torch.tensor([3, 4]))
    tensor(11)
    """
    result = product("dot", input, tensor, 1, 1)
    if result is None:
        result = af.dot(input, tensor)
    return result if out is None else written("dot", out, result)


@torch_function(autocast="as they come")
def vdot(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the inner product of two vectors, the first conjugated.

    Args:
        input: (n,).
        other: (n,), of the same dtype.
        out: where to write the result.

    Returns:
        The sum of the products, with no dims.

    Raises:
        ShapeError: they are not vectors of one length.
        DTypeError: the dtypes differ, or are bool.

    >>> torch.vdot(torch.tensor([1j, 2]), torch.tensor([1j, 2]))
    tensor(5.+0.j)
    """
    result: Tensor = af.vdot(input, other)
    return result if out is None else written("vdot", out, result)


@torch_function
def inner(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the inner products of vectors along the last dims.

    Args:
        input: (..., n).
        other: (***, n), of the same dtype. If either has no dims, the product is item by item.
        out: where to write the result.

    Returns:
        The sums of the products (..., ***).

    Raises:
        ShapeError: the last lengths differ.
        DTypeError: the dtypes differ, or are bool.

    >>> torch.inner(torch.tensor([[1, 2], [3, 4]]), torch.tensor([1, 1]))
    tensor([3, 7])
    """
    result: Tensor = af.inner(input, other)
    return result if out is None else written("inner", out, result)


@torch_function
def outer(input: Tensor, vec2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute all products of an item of one vector and an item of another.

    Args:
        input: (n,).
        vec2: (m,).
        out: where to write the result.

    Returns:
        The products (n, m).

    Raises:
        ShapeError: they are not vectors.

    >>> torch.outer(torch.tensor([1, 2]), torch.tensor([3, 4]))
    tensor([[3, 4],
            [6, 8]])
    """
    result: Tensor = af.outer(input, vec2)
    return result if out is None else written("outer", out, result, casts=True)


ger = outer
