"""Vectors by their length: brought to a greatest one, or compared by the angle between them."""

from __future__ import annotations

from lamina_flatarray import DTypeError, ShapeError, UsageError

from ..dispatch.namespace import Array, generic, namespace
from ..layouts.broadcast import normalize_axis
from ..linalg.norms import vector_norm

__all__ = ["cosine_similarity", "renorm"]


@generic
def cosine_similarity(x1: Array, x2: Array, axis: int = 1, eps: float = 1e-8) -> Array:
    """Compute the cosines of the angles between vectors along an axis.

    Args:
        x1: an array of vectors.
        x2: an array of vectors, which broadcasts with x1.
        axis: along which the vectors lie.
        eps: what lengths count as at least.

    Returns:
        An array of the broadcast shape without the axis, in the dtype of both together.

    Raises:
        ShapeError: the shapes do not broadcast.
        DTypeError: both are integers or boolean.
        IndexOutOfRange: the axis does not exist.

    >>> nd.cosine_similarity(nd.asarray([[1.0, 0.0], [0.0, 2.0]]), nd.asarray([[0.0, 1.0], [0.0, 1.0]]))
    NDArray([0., 1.])
    """
    xp = namespace(x1, x2)
    dtype = xp.promote_types(x1.dtype, x2.dtype)
    if not dtype.is_inexact:
        raise DTypeError(f"cosine_similarity: expected common dtype to be floating point, yet common dtype is {dtype}")
    wide = xp.promote_types(dtype, xp.float32)
    a, b = (x if x.dtype is wide else xp.astype(x, wide) for x in (x1, x2))
    if tuple(a.shape) != tuple(b.shape):  # a length of 1 may be repeated along the axis
        a, b = xp.broadcast_arrays(a, b)
    lengths = [xp.clip(xp.two_norm(x, axis, True), eps) for x in (a, b)]
    cosines = xp.sum((a / lengths[0]) * (b / lengths[1]), axis)
    return cosines if wide is dtype else xp.astype(cosines, dtype)


@generic
def renorm(x: Array, p: float, axis: int, maxnorm: float) -> Array:
    """Scale down each slice `x[..., i, ...]` of an axis whose p-norm is greater than `maxnorm`, to that norm.

    Args:
        x: a floating-point or complex array with two axes at least.
        p: the order of the norm, above 0; it may be infinite.
        axis: the axis whose slices are scaled.
        maxnorm: the greatest norm that is kept, 0 or more.

    Returns:
        A new array of x's shape and dtype.

    Raises:
        UsageError: p is not positive, or maxnorm is negative.
        ShapeError: x has fewer than 2 axes.
        DTypeError: x is boolean or integer, or p or maxnorm is complex.
        IndexOutOfRange: the axis does not exist.

    >>> nd.renorm(nd.asarray([[3.0, 4.0], [0.3, 0.4]]), 2, 0, 5.0)
    NDArray([[3.0000, 4.0000],
             [0.3000, 0.4000]])
    """
    xp = namespace(x)
    if isinstance(p, complex) or isinstance(maxnorm, complex):
        raise DTypeError(f"renorm: p = {p} and maxnorm = {maxnorm} given; it wants real-valued ones")
    if p <= 0:
        raise UsageError(f"renorm: non-positive-norm not supported: p = {p}")
    if maxnorm < 0:
        raise UsageError(f"renorm: expected maxnorm to be >= 0 but got {maxnorm}")
    if x.ndim < 2:
        raise ShapeError(f"renorm: input needs at least 2 dimensions, got {x.ndim}")
    if not x.dtype.is_inexact:
        raise DTypeError(f"renorm: not defined for {x.dtype!r}; it wants a floating or complex dtype")
    at = normalize_axis(axis, x.ndim, "renorm")
    others = tuple(i for i in range(x.ndim) if i != at)
    sizes = xp.abs(x)
    if sizes.dtype.itemsize < 4:
        sizes = xp.astype(sizes, xp.float32)
    norms = vector_norm(sizes, p, others, True)
    factors = xp.where(norms > maxnorm, maxnorm / (norms + 1e-7), 1.0)
    scaled = xp.contiguous(x * factors)  # as in PyTorch, whatever order x lies in
    return scaled if scaled.dtype is x.dtype else xp.astype(scaled, x.dtype)
