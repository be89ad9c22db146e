"""Sampling at points as a sum over the items around each, by weights that follow from its coordinates; and the gradient."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod
from typing import Any, NamedTuple

from lamina_flatarray import dtypes as dt

from ...dispatch.namespace import namespace
from ...layers.resampling.interpolation import cubic_weights
from ..registering import composed, widened

__all__: list[str] = []


class Tap(NamedTuple):
    """One item on an axis that each point takes: where it is, its weight, and how this grows with the grid's coordinate."""

    place: Any
    weight: Any
    slope: Any


def _reflected(xp: Any, at: Any, low: float, span: float) -> tuple[Any, Any]:
    """Coordinates folded back into low .. low + span, and how they grow with what is given: by 1 or -1."""
    if span <= 0:
        return at * 0, xp.zeros_like(at)
    distance = xp.abs(at - low)
    flips = xp.floor(distance / span)
    rest = distance - flips * span
    even = flips % 2 == 0
    ones = xp.ones_like(at)
    return xp.where(even, rest, span - rest) + low, xp.where(even == (at >= low), ones, -ones)


def _held(xp: Any, at: Any, length: int, padding: str, align_corners: bool) -> tuple[Any, Any]:
    """Coordinates within the image, as the padding mode has it, and how they grow with what is given."""
    if padding == "zeros":
        return at, xp.ones_like(at)
    sign = xp.ones_like(at)
    if padding == "reflection":
        at, sign = _reflected(xp, at, 0.0, length - 1.0) if align_corners else _reflected(xp, at, -0.5, float(length))
    inside = (at > 0) & (at < length - 1)
    return xp.where(inside, at, xp.clip(xp.floor(at), 0, length - 1)), xp.where(inside, sign, xp.zeros_like(at))


def _cubic_slopes(part: Any, a: float) -> list[Any]:
    """The derivatives of `cubic_weights` in `part`."""
    near = [(3 * (a + 2) * t - 2 * (a + 3)) * t for t in (part, 1 - part)]
    far = [(3 * a * t - 10 * a) * t + 8 * a for t in (1 + part, 2 - part)]
    return [far[0], near[0], -near[1], -far[1]]


def _taps(xp: Any, at: Any, length: int, mode: str, padding: str, align_corners: bool) -> list[Tap]:
    """The taps of one axis of points with these coordinates, (n, points)."""
    scale = (length - 1) / 2 if align_corners else length / 2
    at = (at + 1) * scale if align_corners else ((at + 1) * length - 1) / 2
    if mode == "bicubic":
        low = xp.floor(at)
        part = at - low
        places = [xp.trunc(_held(xp, low + step, length, padding, align_corners)[0]) for step in (-1, 0, 1, 2)]
        slopes = [slope * scale for slope in _cubic_slopes(part, -0.75)]
        return [Tap(*tap) for tap in zip(places, cubic_weights(part, -0.75), slopes, strict=True)]
    at, slope = _held(xp, at, length, padding, align_corners)
    if mode == "nearest":
        return [Tap(xp.round(at), xp.ones_like(at), xp.zeros_like(at))]
    low = xp.floor(at)
    part = at - low
    return [Tap(low, 1 - part, -slope * scale), Tap(low + 1, part, slope * scale)]


def _points(
    xp: Any, grid: Any, lengths: tuple[int, ...], mode: str, padding: str, align_corners: bool
) -> Iterator[tuple[Any, Any, Any, list[Any]]]:
    """For each item that every point takes: its place among all of an image, whether there is one, its weight, and how that grows
    with each of the grid's coordinates; each (n, points)."""
    rank = len(lengths)
    axes = [
        _taps(xp, grid[:, :, rank - 1 - axis], length, mode, padding, align_corners) for axis, length in enumerate(lengths)
    ]
    for chosen in product(*axes):
        inside, place, weight = None, None, None
        for tap, length in zip(chosen, lengths, strict=True):
            within = (tap.place >= 0) & (tap.place <= length - 1)
            whole = xp.astype(xp.clip(xp.where(within, tap.place, xp.zeros_like(tap.place)), 0, length - 1), dt.int64)
            inside = within if inside is None else inside & within
            place = whole if place is None else place * length + whole
            weight = tap.weight if weight is None else weight * tap.weight
        slopes = []
        for axis in reversed(range(rank)):
            slope = chosen[axis].slope
            for other in range(rank):
                slope = slope if other == axis else slope * chosen[other].weight
            slopes.append(slope)
        yield place, inside, weight, slopes


def _items(xp: Any, images: Any, place: Any, inside: Any) -> tuple[Any, Any]:
    """The items at places, (n, channels, points), 0 where there is none; and the places of each channel."""
    places = xp.broadcast_to(xp.unsqueeze(place, 1), (*images.shape[:2], place.shape[1]))
    items = xp.gather(images, places, 2)
    return xp.where(xp.unsqueeze(inside, 1), items, xp.zeros_like(items)), places


@composed("grid_sample")
def grid_sample(x: Any, grid: Any, mode: str, padding: str, align_corners: bool) -> Any:
    """The weighted sum of what each point takes, item by item."""
    xp = namespace(x, grid)
    x, grid = widened(x), widened(grid)
    lengths, counts = tuple(x.shape[2:]), tuple(grid.shape[1:-1])
    images = xp.reshape(x, (*x.shape[:2], prod(lengths)))
    points = xp.reshape(grid, (grid.shape[0], prod(counts), len(lengths)))
    result = None
    for place, inside, weight, _ in _points(xp, points, lengths, mode, padding, align_corners):
        term = _items(xp, images, place, inside)[0] * xp.unsqueeze(weight, 1)
        result = term if result is None else result + term
    return xp.reshape(result, (*x.shape[:2], *counts))


@composed("grid_sample_gradient")
def grid_sample_gradient(gradient: Any, x: Any, grid: Any, mode: str, padding: str, align_corners: bool) -> tuple[Any, Any]:
    """Each item's gradient by its weight goes back to where it was taken; that of a coordinate is over all channels."""
    xp = namespace(gradient, x, grid)
    gradient, x, grid = widened(gradient), widened(x), widened(grid)
    lengths, counts = tuple(x.shape[2:]), tuple(grid.shape[1:-1])
    images = xp.reshape(x, (*x.shape[:2], prod(lengths)))
    points = xp.reshape(grid, (grid.shape[0], prod(counts), len(lengths)))
    gradients = xp.reshape(gradient, (*x.shape[:2], prod(counts)))
    of_items = xp.zeros_like(images)
    of_points: list[Any] = []
    for place, inside, weight, slopes in _points(xp, points, lengths, mode, padding, align_corners):
        items, places = _items(xp, images, place, inside)
        shares = gradients * xp.unsqueeze(weight, 1)
        shares = xp.where(xp.unsqueeze(inside, 1), shares, xp.zeros_like(shares))
        of_items = xp.scatter_add(of_items, places, shares, 2)
        along = xp.sum(gradients * items, 1)
        terms = [along * slope for slope in slopes]
        of_points = [before + term for before, term in zip(of_points, terms, strict=True)] if of_points else terms
    return xp.reshape(of_items, tuple(x.shape)), xp.reshape(xp.stack(of_points, -1), tuple(grid.shape))
