"""Distances between points, in any vector norm."""

from __future__ import annotations

import math

from lamina_flatarray import ArgumentValueError, ShapeError, UsageError

from ..dispatch.namespace import Array, Functions, generic, namespace
from ..layouts.broadcast import broadcast_shapes

__all__ = ["cdist", "dist"]

_FEW = 25
"""Up to so many points the differences themselves are squared; beyond, PyTorch expands the square by default."""

_MODES = ("use_mm_for_euclid_dist_if_necessary", "use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist")


@generic(strict=True)
def dist(a: Array, b: Array, p: float = 2) -> Array:
    """Compute the p-norm of `a - b` over all axes.

    Args:
        a: an array.
        b: an array; both broadcast.
        p: the norm: 2 for the Euclidean one, 1 for the sum of magnitudes, infinity for the greatest.

    Returns:
        A real array of shape `()`.

    Raises:
        ShapeError: the shapes do not broadcast.

    >>> nd.dist(nd.asarray([0.0, 0.0]), nd.asarray([3.0, 4.0]))
    NDArray(5.)
    """
    difference = a - b
    if p == 2:
        return namespace(difference).two_norm(difference)
    return namespace(difference).linalg.vector_norm(difference, p)


@generic
def cdist(a: Array, b: Array, p: float = 2.0, compute_mode: str | None = _MODES[0]) -> Array:
    """Compute the distances between all pairs of two sets of points, in the p-norm.

    Args:
        a: P points, `(..., P, M)`.
        b: R points, `(..., R, M)`; leading axes broadcast.
        p: the norm, 0 or more.
        compute_mode: whether euclidean distances come from `|a|^2 + |b|^2 - 2 a.b`, which is fast but loses digits of
            near points: by default where there are more than 25 points on a side.

    Returns:
        An array of shape `(..., P, R)`, in the common dtype.

    Raises:
        ShapeError: fewer than two axes, or points of different lengths.
        UsageError: p is below 0.
        ArgumentValueError: there is no such mode.

    >>> nd.cdist(nd.asarray([[0.0, 0.0], [3.0, 0.0]]), nd.asarray([[0.0, 4.0]]))
    NDArray([[4.],
             [5.]])
    """
    if a.ndim < 2 or b.ndim < 2:
        raise ShapeError(f"cdist only supports at least 2D tensors, got shapes {tuple(a.shape)} and {tuple(b.shape)}")
    if a.shape[-1] != b.shape[-1]:
        raise ShapeError(
            f"X1 and X2 must have the same number of columns. X1: {a.shape[-1]} X2: {b.shape[-1]} "
            f"(cdist, shapes {tuple(a.shape)} and {tuple(b.shape)})"
        )
    if p < 0:
        raise UsageError(f"cdist only supports non-negative p values, got {p}")
    mode = compute_mode or _MODES[0]
    if mode not in _MODES:
        raise ArgumentValueError(f"cdist: {mode!r} is not a valid value for compute_mode; it wants one of {', '.join(_MODES)}")
    xp = namespace(a, b)
    broadcast_shapes(tuple(a.shape[:-2]), tuple(b.shape[:-2]), op="cdist")
    many = max(a.shape[-2], b.shape[-2]) > _FEW
    if p == 2 and a.shape[-1] and (mode == _MODES[1] or (mode == _MODES[0] and many)):
        return _expanded(xp, a, b)
    difference = xp.unsqueeze(a, -2) - xp.unsqueeze(b, -3)
    if not a.shape[-1]:
        return xp.sum(xp.abs(difference), -1)
    if p == 2:
        return xp.two_norm(difference, -1)
    return xp.linalg.vector_norm(difference, math.inf if math.isinf(p) else p, -1)


def _expanded(xp: Functions[Array], a: Array, b: Array) -> Array:
    squares = xp.sum(a * a, -1, True) + xp.transpose(xp.sum(b * b, -1, True), -2, -1)
    total = squares - 2 * (a @ xp.transpose(b, -2, -1))
    apart = total > 0
    return xp.where(apart, xp.sqrt(xp.where(apart, total, xp.ones_like(total))), xp.where(total < 0, xp.zeros_like(total), total))
