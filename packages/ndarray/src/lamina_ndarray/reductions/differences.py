"""Differences along an axis: of neighbours, and as estimates of derivatives."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import DTypeError, IndexOutOfRange, ShapeError, UsageError

from ..dispatch.namespace import Array, Functions, generic, namespace
from ..layouts.broadcast import integers, normalize_axis

__all__ = ["diff", "gradient"]


@generic
def diff(x: Array, n: int = 1, axis: int = -1, prepend: Array | None = None, append: Array | None = None) -> Array:
    """Compute the differences of neighbours along an axis, n times over; of booleans, whether they differ.

    Args:
        x: an array with one axis at least.
        n: how many times; 0 copies `x`.
        axis: along which.
        prepend: an array that is put in front of `x` on that axis first, or None.
        append: an array that is put behind `x` on that axis first, or None.

    Returns:
        An array of x's dtype, n shorter along the axis.

    Raises:
        UsageError: `n` is negative.
        ShapeError: `x` has no axes, or `prepend` or `append` does not fit.
        IndexOutOfRange: the axis does not exist.

    >>> nd.diff(nd.asarray([1, 4, 9, 16]))
    NDArray([3, 5, 7])
    >>> nd.diff(nd.asarray([1, 4, 9, 16]), 2)
    NDArray([2, 2])
    """
    xp = namespace(x)
    if not x.ndim:
        raise ShapeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise UsageError(f"diff: order must be non-negative but got {n}")
    at = normalize_axis(axis, x.ndim, "diff")
    if n == 0:
        return xp.copy(x)
    pieces = [p for p in (prepend, x, append) if p is not None]
    for piece in pieces:
        if piece.ndim != x.ndim:
            raise ShapeError(
                f"diff expects prepend or append to be the same dimension as input: {tuple(piece.shape)} for {tuple(x.shape)}"
            )
        if any(a != b for i, (a, b) in enumerate(zip(piece.shape, x.shape, strict=True)) if i != at):
            raise ShapeError(
                f"diff: {tuple(piece.shape)} and {tuple(x.shape)}: expects the shape of tensor to prepend or append to match "
                f"that of input except along the differencing dimension {at}"
            )
    result = xp.concat(pieces, at) if len(pieces) > 1 else x
    lead = (slice(None),) * at
    for _ in range(min(n, result.shape[at]) if result.shape[at] else 0):
        later, earlier = result[(*lead, slice(1, None))], result[(*lead, slice(None, -1))]
        result = xp.not_equal(later, earlier) if x.dtype.kind == "b" else later - earlier
    return result


@generic
def gradient(x: Array, *, spacing: Any = 1, axis: Any = None, edge_order: int = 1) -> tuple[Array, ...]:
    """Estimate the derivative of a sampled function along each axis: central differences inside, one-sided ones at the
    edges.

    Args:
        x: samples, at least `edge_order + 1` along each axis.
        spacing: the distance of samples: a number, one per axis, or per axis a vector of coordinates.
        axis: an axis or several; None for all.
        edge_order: 1 or 2, the order of accuracy at the edges.

    Returns:
        A tuple of arrays of x's shape, one per axis.

    Raises:
        DTypeError: x is boolean or unsigned.
        UsageError: `edge_order` is neither 1 nor 2, or there is not one spacing per axis.
        ShapeError: there are too few samples, coordinates do not fit, or an axis is named twice.
        IndexOutOfRange: an axis does not exist.

    The weights for uneven coordinates are those of the parabola through three neighbours (B. Fornberg, "Generation of
    Finite
    Difference Formulas on Arbitrarily Spaced Grids", 1988).

    >>> nd.gradient(nd.asarray([1.0, 4.0, 9.0, 16.0]))
    (NDArray([3., 4., 6., 7.]),)
    """
    xp = namespace(x)
    if x.dtype.kind in "bu":
        raise DTypeError(f"gradient: torch.gradient does not support {x.dtype.name} input; it wants signed numbers")
    if edge_order not in (1, 2):
        raise UsageError(f"gradient: torch.gradient only supports edge_order=1 and edge_order=2, got {edge_order}")
    axes = tuple(range(x.ndim)) if axis is None else integers(axis, "gradient")
    at = [normalize_axis(a, x.ndim, "gradient") for a in axes]
    if at and not x.ndim:
        raise IndexOutOfRange(f"gradient: Dimension specified as {axes[0]} but tensor has no dimensions")
    if len(set(at)) != len(at):
        raise ShapeError(f"gradient: dim {list(axes)} appears multiple times in the list of dims")
    spacing = 1 if spacing is None else spacing
    steps = list(spacing) if isinstance(spacing, (list, tuple)) else [spacing] * len(at)
    if isinstance(spacing, (list, tuple)) and len(steps) != len(at):
        raise UsageError(
            f"gradient: torch.gradient expected spacing to be unspecified, a scalar, or it's length to be equal to the number "
            f"of dims: spacings: {len(steps)}, dims: {len(at)}"
        )
    for a in at:
        if x.shape[a] < edge_order + 1:
            raise ShapeError(
                f"gradient: torch.gradient expected each dimension size to be at least edge_order+1; axis {a} has {x.shape[a]}"
            )
    gradients = []
    for a, step in zip(at, steps, strict=True):
        moved = xp.moveaxis(x, a, -1)  # what follows is written for the last axis
        if hasattr(step, "shape") and step.ndim:
            if step.ndim != 1 or step.shape[0] != moved.shape[-1]:
                raise ShapeError(
                    f"gradient: torch.gradient expected coordinates of each dimension to be as many as its size: "
                    f"{tuple(step.shape)} for {moved.shape[-1]} along axis {a}"
                )
            derivative = _uneven(xp, moved, step, edge_order)
        else:
            derivative = _even(xp, moved, step, edge_order)
        gradients.append(xp.contiguous(xp.moveaxis(derivative, -1, a)))
    return tuple(gradients)


def _even(xp: Functions[Array], x: Array, h: Any, edge_order: int) -> Array:
    inside = (x[..., 2:] - x[..., :-2]) / (h * 2)
    if edge_order == 1:
        first, last = (x[..., 1:2] - x[..., 0:1]) / h, (x[..., -1:] - x[..., -2:-1]) / h
    else:
        first = (x[..., 0:1] * -1.5 + x[..., 1:2] * 2 - x[..., 2:3] * 0.5) / h
        last = (x[..., -1:] * 1.5 - x[..., -2:-1] * 2 + x[..., -3:-2] * 0.5) / h
    return xp.concat([first, inside, last], -1)


def _uneven(xp: Functions[Array], x: Array, points: Any, edge_order: int) -> Array:
    gaps = points[1:] - points[:-1]
    before, after = gaps[:-1], gaps[1:]
    inside = (
        x[..., :-2] * (-after / (before * (before + after)))
        + x[..., 1:-1] * ((after - before) / (before * after))
        + x[..., 2:] * (before / (after * (before + after)))
    )
    if edge_order == 1:
        first, last = (x[..., 1:2] - x[..., 0:1]) / gaps[0], (x[..., -1:] - x[..., -2:-1]) / gaps[-1]
    else:
        a, b = gaps[0], gaps[1]
        first = (
            x[..., 0:1] * (-(a * 2 + b) / (a * (a + b))) + x[..., 1:2] * ((a + b) / (a * b)) - x[..., 2:3] * (a / (b * (a + b)))
        )
        a, b = gaps[-2], gaps[-1]
        last = (
            x[..., -3:-2] * (b / (a * (a + b))) - x[..., -2:-1] * ((a + b) / (a * b)) + x[..., -1:] * ((b * 2 + a) / (b * (a + b)))
        )
    return xp.concat([first, inside, last], -1)
