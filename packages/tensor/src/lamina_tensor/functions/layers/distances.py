"""Distances and angles between points and vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lamina_flatarray import ArgumentValueError

from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["cdist", "cosine_similarity", "dist"]

_COMPUTE_MODES: Final = (
    "use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist",
)  # fmt: skip


@torch_function(strict=True)
def dist(input: Tensor, other: Tensor, p: float = 2) -> Tensor:
    """Compute the p-norm of the difference of two tensors.

    Args:
        input: a tensor.
        other: another, whose shape broadcasts with input's.
        p: the order of the norm.

    Returns:
        The norm over all dims: a tensor without dims.

    Raises:
        ShapeError: the shapes do not broadcast.

    >>> torch.dist(torch.tensor([1.0, 2.0]), torch.tensor([4.0, 6.0]))
    tensor(5.)
    """
    return af.dist(input, other, p)


@torch_function(autocast="float32")
def cdist(
    x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: str | None = "use_mm_for_euclid_dist_if_necessary"
) -> Tensor:
    """Compute the p-norm distance of each pair of points from two sets.

    Args:
        x1: points (..., P, M).
        x2: points (..., R, M); leading dims broadcast.
        p: the order of the norm, 0 or more.
        compute_mode: whether Euclidean distances are computed by a matrix product, as `|a|^2 + |b|^2 - 2 a.b`, which is
            fast but loses digits of near points: "use_mm_for_euclid_dist_if_necessary" (where a set has more than 25
            points; also None), "use_mm_for_euclid_dist" or "donot_use_mm_for_euclid_dist".

    Returns:
        The distances (..., P, R).

    Raises:
        ShapeError: there are fewer than two dims, the points differ in length, or p is negative.
        ArgumentValueError: the mode is none of these.

    >>> torch.cdist(torch.tensor([[0.0, 0.0]]), torch.tensor([[3.0, 4.0], [1.0, 0.0]]))
    tensor([[5., 1.]])
    """
    if compute_mode is not None and compute_mode not in _COMPUTE_MODES:
        raise ArgumentValueError(
            f"cdist(): {compute_mode!r} is not a valid value for compute_mode; it wants one of {', '.join(_COMPUTE_MODES)}"
        )
    return af.cdist(x1, x2, p, compute_mode)


@torch_function
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """Compute the cosine of the angle between vectors along a dim.

    Args:
        x1: vectors.
        x2: others, whose shape broadcasts with x1's.
        dim: the dim of the vectors.
        eps: the least length that a vector counts as, against division by 0.

    Returns:
        The cosines: the broadcast shape without `dim`.

    Raises:
        ShapeError: the shapes do not broadcast.
        DTypeError: both tensors hold integers.
        IndexOutOfRange: there is no such dim.

    >>> torch.cosine_similarity(torch.tensor([[1.0, 0.0]]), torch.tensor([[1.0, 0.0], [0.0, 2.0], [-3.0, 0.0]]))
    tensor([ 1.,  0., -1.])
    """
    return af.cosine_similarity(x1, x2, dim, eps)
