"""Norms, the distances that they measure, and slices scaled to one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import lamina_ndarray as nd
from lamina_flatarray import UsageError

from ...dispatch import array_functions as af
from ...dispatch.spelling import written
from ...dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ...tensor import Tensor

__all__ = ["cdist", "dist", "norm", "renorm"]


@torch_function
def norm(
    input: Tensor,
    p: float | str | None = "fro",
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    out: Tensor | None = None,
    dtype: DType | None = None,
) -> Tensor:
    """Compute the p-norm over dims; see `linalg.vector_norm`.

    Args:
        input: a tensor of floating-point or complex numbers.
        p: the order; "fro" and None for 2, "nuc" for the nuclear norm of matrices.
        dim: the dims; None, or none, for all.
        keepdim: whether to keep the dims, with length 1.
        out: where to write the result.
        dtype: what to compute in.

    Returns:
        The norms, real: `input`'s shape without the dims.

    Raises:
        UsageError: p is another word.
        DTypeError: `input` is boolean or integer, or `dtype` narrows it.

    >>> torch.norm(torch.tensor([[3.0, 4.0], [6.0, 8.0]]), dim=1)
    tensor([ 5., 10.])
    """
    axis = None if dim is None or (not isinstance(dim, int) and not len(dim)) else dim
    result: Tensor
    if p == "nuc":
        result = af.linalg.matrix_norm(input, "nuc", (-2, -1) if axis is None else axis, keepdim, dtype=dtype)
    elif isinstance(p, str) and p != "fro":
        raise UsageError(f"norm: order {p!r} given; it wants a number, 'fro' or 'nuc'")
    else:
        order = 2 if p is None or p == "fro" else p
        result = af.linalg.vector_norm(input, order, axis, keepdim, dtype=dtype)
    return result if out is None else written("norm", out, result)


@torch_function(strict=True)
def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    """Compute the p-norm of `input - other` over all dims.

    Args:
        input: a tensor.
        other: a tensor; the shapes broadcast.
        p: the order.

    Returns:
        The norm, with no dims.

    Raises:
        ShapeError: the shapes do not broadcast.

    >>> torch.dist(torch.tensor([3.0, 4.0]), torch.zeros(2))
    tensor(5.)
    """
    result: Tensor = nd.dist(input, other, p)
    return result


@torch_function(autocast="float32")
def cdist(
    x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str | None = "use_mm_for_euclid_dist_if_necessary"
) -> Tensor:
    """Compute the distances between all points of one set and all of another.

    Args:
        x1: points (..., n, m).
        x2: points (..., k, m). Leading dims broadcast.
        p: the order of the norm, 0 or more.
        compute_mode: whether Euclidean distances come from `|a|**2 + |b|**2 - 2 * a @ b`, which is faster but loses
            digits where points are near: "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist", or, by default,
            where either set has more than 25 points.

    Returns:
        The distances (..., n, k).

    Raises:
        ShapeError: the shapes do not fit, p is negative, or there is no such mode.

    >>> torch.cdist(torch.tensor([[0.0, 0.0]]), torch.tensor([[3.0, 4.0], [0.0, 1.0]]))
    tensor([[5., 1.]])
    """
    result: Tensor = nd.cdist(x1, x2, p, compute_mode)
    return result


@torch_function
def renorm(input: Tensor, p: float, dim: int, maxnorm: float, *, out: Tensor | None = None) -> Tensor:
    """Scale slices down to a greatest p-norm.

    Args:
        input: a tensor of two dims or more.
        p: the order of the norm.
        dim: the dim that numbers the slices.
        maxnorm: the greatest norm; a slice whose norm is less stays as it is.
        out: where to write the result.

    Returns:
        The slices, of `input`'s shape.

    Raises:
        ShapeError: there are fewer than two dims, p is not positive, or `maxnorm` is negative.
        DTypeError: `input` is neither floating-point nor complex.
        IndexOutOfRange: there is no such dim.

    >>> torch.renorm(torch.tensor([[3.0, 4.0], [0.0, 1.0]]), p=2, dim=0, maxnorm=2.5)
    tensor([[1.5000, 2.0000],
            [0.0000, 1.0000]])
    """
    result: Tensor = nd.renorm(input, p, dim, maxnorm)
    return result if out is None else written("renorm", out, result)
