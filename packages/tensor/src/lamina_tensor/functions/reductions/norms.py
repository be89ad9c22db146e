"""Norms over dims, and slices scaled down to one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina_flatarray import UsageError

from ...dispatch.out import written
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from .dims import Dims

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ...tensor_class import Tensor

__all__ = ["norm", "renorm"]


@torch_function
def norm(
    input: Tensor, p: float | str | None = "fro", dim: Dims = None, keepdim: bool = False, out: Tensor | None = None,
    dtype: DType | None = None,
) -> Tensor:  # fmt: skip
    """Compute a norm over dims: of vectors, or the nuclear norm of matrices.

    Args:
        input: floating-point or complex items.
        p: the order of the vector norm; "fro" or None for 2, "nuc" for the sum of the singular values of matrices.
        dim: the dim or dims to reduce; all for None. For "nuc" two dims, the last two for None.
        keepdim: whether reduced dims stay, with length 1.
        out: a tensor to write the result to.
        dtype: the dtype that items are cast to first.

    Returns:
        The norms, real: input's shape without the reduced dims.

    Raises:
        UsageError: p is another word.
        DTypeError: input is neither floating-point nor complex.

    >>> x = torch.tensor([[3.0, 4.0], [6.0, 8.0]])
    >>> torch.norm(x, dim=1)
    tensor([ 5., 10.])
    >>> torch.norm(x, 1)
    tensor(21.)
    """
    dims = None if dim is None or (not isinstance(dim, int) and not len(dim)) else dim
    if p == "nuc":
        result = af.linalg.matrix_norm(input, "nuc", (-2, -1) if dims is None else dims, keepdim, dtype=dtype)
    elif isinstance(p, str) and p != "fro":
        raise UsageError(f"norm(): order {p!r} given; it wants a number, 'fro' or 'nuc'")
    else:
        order = 2 if p is None or p == "fro" else p
        result = af.linalg.vector_norm(input, order, dims, keepdim, dtype=dtype)
    return result if out is None else written("norm", out, result)


@torch_function
def renorm(input: Tensor, p: float, dim: int, maxnorm: float, *, out: Tensor | None = None) -> Tensor:
    """Scale down the slices of a dim whose p-norm is greater than `maxnorm`, to that norm.

    Args:
        input: floating-point or complex items of two dims or more.
        p: the order of the norm, above 0.
        dim: the dim of the slices `input[..., i, ...]`.
        maxnorm: the greatest norm that a slice may have.
        out: a tensor to write the result to.

    Returns:
        A tensor of input's shape.

    Raises:
        ShapeError: input has fewer than two dims, p is not positive, or maxnorm is negative.
        DTypeError: input is neither floating-point nor complex.
        IndexOutOfRange: input has no such dim.

    >>> torch.renorm(torch.tensor([[3.0, 4.0], [0.6, 0.8]]), 2, 0, 1.0)
    tensor([[0.6000, 0.8000],
            [0.6000, 0.8000]])
    """
    result = af.renorm(input, p, dim, maxnorm)
    return result if out is None else written("renorm", out, result)
