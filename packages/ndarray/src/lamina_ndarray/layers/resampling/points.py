"""Images and volumes at points given by coordinates from -1 to 1, and the points that an affine map makes of an even grid."""

from __future__ import annotations

from itertools import product
from typing import Any

from lamina_flatarray import ArgumentValueError, DTypeError, ShapeError
from lamina_flatarray import dtypes as dt

from ...dispatch.namespace import Array, generic, namespace
from .interpolation import cubic_weights

__all__ = ["affine_grid", "grid_sample"]


def _reflected(xp: Any, at: Any, low: float, span: float) -> Any:
    """Coordinates folded back into low .. low + span."""
    if span <= 0:
        return at * 0
    distance = xp.abs(at - low)
    flips = xp.floor(distance / span)
    rest = distance - flips * span
    return xp.where(flips % 2 == 0, rest, span - rest) + low


def _held(xp: Any, at: Any, length: int, padding: str, align_corners: bool) -> Any:
    """Coordinates within the image, as the padding mode has it."""
    if padding == "zeros":
        return at
    if padding == "reflection":
        at = _reflected(xp, at, 0.0, length - 1.0) if align_corners else _reflected(xp, at, -0.5, float(length))
    inside = (at > 0) & (at < length - 1)
    return xp.where(inside, at, xp.clip(xp.floor(at), 0, length - 1))


def _picked(xp: Any, flat: Any, places: list[Any], lengths: tuple[int, ...]) -> Any:
    """Items at whole coordinates given as floats, (n, points) per axis; 0 outside."""
    inside, position = None, None
    for at, length in zip(places, lengths, strict=True):
        within = (at >= 0) & (at <= length - 1)
        inside = within if inside is None else inside & within
        whole = xp.astype(xp.clip(xp.where(within, at, xp.zeros_like(at)), 0, length - 1), dt.int64)
        position = whole if position is None else position * length + whole
    n, channels, _ = flat.shape
    shape = (n, channels, position.shape[1])  # type: ignore[union-attr]
    values = xp.gather(flat, xp.broadcast_to(xp.unsqueeze(position, 1), shape), 2)
    return xp.where(xp.unsqueeze(inside, 1), values, xp.zeros_like(values))


@generic
def grid_sample(
    x: Array, grid: Array, mode: str = "bilinear", padding: str = "zeros", align_corners: bool = False
) -> Array:
    """Sample images or volumes at the points of a grid, by interpolation between items.

    Args:
        x: `(n, channels, *spatial)`, two or three spatial axes.
        grid: `(n, *counts, d)`, the coordinates of points, that along the last spatial axis first; x lies within -1 .. 1.
        mode: "bilinear" (with three axes trilinear), "nearest", or with two axes "bicubic".
        padding: what lies outside: "zeros", the "border", or by "reflection".
        align_corners: whether -1 and 1 are the centres of the outermost items instead of their outer borders.

    Returns:
        `(n, channels, *counts)`, in x's dtype.

    Raises:
        ShapeError: the shapes do not fit, or bicubic interpolation is wanted of volumes.
        DTypeError: the dtypes differ.
        ArgumentValueError: there is no such mode or padding.

    >>> image = nd.asarray([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> points = nd.asarray([[[[0.0, 0.0], [-1.0, 1.0]]]])
    >>> nd.grid_sample(image, points, align_corners=True)
    NDArray([[[[2.5000, 3.0000]]]])
    """
    xp = namespace(x, grid)
    lengths = tuple(x.shape[2:])
    rank = len(lengths)
    if rank not in (2, 3) or grid.ndim != x.ndim:
        raise ShapeError(
            "grid_sample: expected 4D or 5D input and grid with same number of dimensions, but got input with sizes "
            f"{list(x.shape)} and grid with sizes {list(grid.shape)}"
        )
    if x.shape[0] != grid.shape[0] or grid.shape[-1] != rank or 0 in lengths:
        raise ShapeError(
            "grid_sample: expected grid and input to have same batch size, grid to have size "
            f"{rank} in last dimension, and input to have non-empty spatial dimensions, but got input with sizes "
            f"{list(x.shape)} and grid with sizes {list(grid.shape)}"
        )
    if x.dtype is not grid.dtype:
        raise DTypeError(f"grid_sample: expected input and grid to have same dtype, but got {x.dtype} and {grid.dtype}")
    if mode not in ("bilinear", "nearest", "bicubic") or padding not in ("zeros", "border", "reflection"):
        raise ArgumentValueError(f"grid_sample: unknown mode {mode!r} or padding {padding!r}")
    if mode == "bicubic" and rank == 3:
        raise ShapeError("grid_sample: bicubic interpolation only supports 4D input")
    counts = tuple(grid.shape[1:-1])
    points = xp.reshape(grid, (grid.shape[0], _product(counts), rank))
    flat = xp.reshape(x, (*x.shape[:2], _product(lengths)))
    places = []
    for i, length in enumerate(lengths):
        at = points[:, :, rank - 1 - i]
        places.append((at + 1) * ((length - 1) / 2) if align_corners else ((at + 1) * length - 1) / 2)
    if mode == "bicubic":
        samples = _cubic(xp, flat, places, lengths, padding, align_corners)
    else:
        coordinates = [_held(xp, at, n, padding, align_corners) for at, n in zip(places, lengths, strict=True)]
        if mode == "nearest":
            samples = _picked(xp, flat, [xp.round(at) for at in coordinates], lengths)
        else:
            samples = _linear(xp, flat, coordinates, lengths)
    return xp.reshape(samples, (*x.shape[:2], *counts))


def _product(lengths: tuple[int, ...]) -> int:
    result = 1
    for length in lengths:
        result *= length
    return result


def _linear(xp: Any, flat: Any, places: list[Any], lengths: tuple[int, ...]) -> Any:
    """The corners of the cell that each point lies in, by how near they are."""
    lows = [xp.floor(at) for at in places]
    parts = [at - low for at, low in zip(places, lows, strict=True)]
    result = None
    for corner in product((0, 1), repeat=len(lengths)):
        weight = None
        for part, side in zip(parts, corner, strict=True):
            share = part if side else 1 - part
            weight = share if weight is None else weight * share
        values = _picked(xp, flat, [low + side for low, side in zip(lows, corner, strict=True)], lengths)
        term = values * xp.unsqueeze(weight, 1)
        result = term if result is None else result + term
    return result


def _cubic(
    xp: Any, flat: Any, places: list[Any], lengths: tuple[int, ...], padding: str, align_corners: bool
) -> Any:
    lows = [xp.floor(at) for at in places]
    weights = [cubic_weights(at - low, -0.75) for at, low in zip(places, lows, strict=True)]
    result = None
    for taps in product(range(4), repeat=2):
        coordinates = [
            _held(xp, low + (tap - 1), n, padding, align_corners)
            for low, tap, n in zip(lows, taps, lengths, strict=True)
        ]
        weight = weights[0][taps[0]] * weights[1][taps[1]]
        term = _picked(xp, flat, [xp.trunc(at) for at in coordinates], lengths) * xp.unsqueeze(weight, 1)
        result = term if result is None else result + term
    return result


@generic
def affine_grid(theta: Array, size: Any, align_corners: bool = False) -> Array:
    """Compute the points of an even grid over -1 .. 1, each moved by an affine map, for `grid_sample`.

    Args:
        theta: `(n, d, d + 1)`, a map for each example, d being 2 or 3.
        size: `(n, channels, *spatial)` of the wanted images.
        align_corners: whether -1 and 1 are the centres of the outermost items instead of their outer borders.

    Returns:
        `(n, *spatial, d)`, in theta's dtype.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: theta is not floating.

    >>> identity = nd.asarray([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])
    >>> nd.affine_grid(identity, (1, 1, 2, 2), align_corners=True)
    NDArray([[[[-1., -1.],
               [ 1., -1.]],
    <BLANKLINE>
              [[-1.,  1.],
               [ 1.,  1.]]]])
    """
    xp = namespace(theta)
    if not theta.dtype.is_floating_point:
        raise DTypeError(f"affine_grid: Expected theta to have floating point type, but got {theta.dtype}")
    n, _, *lengths = tuple(size)
    rank = len(lengths)
    if rank not in (2, 3) or tuple(theta.shape) != (n, rank, rank + 1) or min(n, *size) < 1:
        raise ShapeError(
            f"affine_grid: Expected a batch of {rank}D affine matrices of shape {n}x{rank}x{rank + 1} for size {list(size)}. Got "
            f"{list(theta.shape)}."
        )
    columns = []
    for i, length in reversed(list(enumerate(lengths))):
        line = xp.linspace(-1, 1, length, dtype=theta.dtype, device=theta.device) if length > 1 else xp.zeros(
            1, dtype=theta.dtype, device=theta.device
        )
        line = line if align_corners else line * ((length - 1) / length)
        columns.append(xp.broadcast_to(xp.reshape(line, [length if j == i else 1 for j in range(rank)]), lengths))
    columns.append(xp.ones(lengths, dtype=theta.dtype, device=theta.device))
    base = xp.reshape(xp.stack(columns, -1), (1, _product(tuple(lengths)), rank + 1))
    return xp.reshape(base @ xp.transpose(theta), (n, *lengths, rank))
