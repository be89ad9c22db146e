"""Pooling into a given number of bins, of nearly equal length or drawn at random."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import lamina_tensor as lt
from lamina_flatarray import ShapeError, float32
from lamina_ndarray.layers.pooling.bins import places_in_bins
from lamina_tensor import Tensor, no_grad
from lamina_tensor.dispatch import array_functions as af
from lamina_tensor.functions import fused

from .spatial_dims import batched, like, named, per_dim, settled

__all__ = [
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "adaptive_max_pool1d",
    "adaptive_max_pool1d_with_indices", "adaptive_max_pool2d", "adaptive_max_pool2d_with_indices", "adaptive_max_pool3d",
    "adaptive_max_pool3d_with_indices", "fractional_max_pool2d", "fractional_max_pool2d_with_indices",
    "fractional_max_pool3d", "fractional_max_pool3d_with_indices",
]  # fmt: skip

Lengths = tuple[int, ...]


@settled
def _counts(op: str, rank: int, shape: Lengths, output_size: Any) -> tuple[Lengths, Lengths | None]:
    """How many bins along each dim, of which None keeps its length; and how long they are, if they are all alike."""
    if isinstance(output_size, int) or output_size is None:
        wanted: tuple[Any, ...] = (output_size,) * rank
    else:
        wanted = tuple(output_size)
    if len(shape) < rank + 1 and rank > 1:
        raise ShapeError(f"{op}: Input dimension should be at least {rank + 1}, got {list(shape)}")
    if len(wanted) != rank:
        raise ShapeError(f"{op}: output_size must be {rank}: 'output_size' should contain {'one int' if rank == 1 else rank}")
    if len(shape) not in (rank + 1, rank + 2) or 0 in shape[-rank - 1 :]:
        raise ShapeError(
            f"{op}: Expected {rank + 1}D or {rank + 2}D tensor with non-zero size for non-batch dimensions, got {list(shape)}"
        )
    counts = tuple(n if w is None else w for n, w in zip(shape[-rank:], wanted, strict=True))
    if min(counts) < 0:
        raise ShapeError(
            f"{op}: elements of output_size must be greater than or equal to 0 (Trying to create tensor with negative dimension), "
            f"got {counts}"
        )
    if all(count and n % count == 0 for n, count in zip(shape[-rank:], counts, strict=True)):
        return counts, tuple(n // count for n, count in zip(shape[-rank:], counts, strict=True))
    return counts, None


def _means(rank: int) -> Callable[..., Tensor]:
    op = f"adaptive_avg_pool{rank}d"

    def adaptive_avg_pool(input: Tensor, output_size: Any) -> Tensor:
        shape = input.array.layout.shape
        counts, kernel = _counts(op, rank, shape, output_size)
        x = batched(input, rank)
        if kernel is not None:
            made = fused.average_pool(x, kernel, kernel, (0,) * rank, False, True, None)
            return made if x is input else af.squeeze(made, 0)
        if input.dtype.itemsize < 4:
            x = af.astype(x, float32)  # rounded once
        for i, (n, count) in enumerate(zip(shape[-rank:], counts, strict=True)):
            if n != count:
                x = af.mean_bins(x, 2 + i, count)
        return like(af.astype(x, input.dtype), input)

    return named(
        adaptive_avg_pool, op,
        f"""The means of bins of nearly equal length; where they do not fit, neighbours share items.

        Args:
            input: (N, C, *spatial) or (C, *spatial), {rank} spatial dims.
            output_size: how many bins along each spatial dim; None for as many as items.

        Raises:
            ShapeError: the shapes do not fit.
        """,
    )  # fmt: skip


adaptive_avg_pool1d, adaptive_avg_pool2d, adaptive_avg_pool3d = map(_means, (1, 2, 3))


def _greatest_of(x: Tensor, places: Tensor, counts: Lengths) -> tuple[Tensor, Tensor]:
    """The greatest items among those at places, (n or 1, channels or 1, bins, items), within flattened spatial dims."""
    lead = tuple(x.shape[:2])
    _, _, bins_of_all, items = places.shape
    flat = af.reshape(x, (*lead, math.prod(x.shape[2:])))
    with no_grad():
        every = af.broadcast_to(places, (*lead, bins_of_all, items))
        seen = af.gather(flat, af.reshape(every, (*lead, bins_of_all * items)), 2)
        which = af.FUNCTIONS["argmax"](af.reshape(seen, (*lead, bins_of_all, items)), -1, True)
        positions = af.squeeze(af.gather(every, which, 3), 3)
    values = af.gather(flat, positions, 2)
    return af.reshape(values, (*lead, *counts)), af.reshape(positions, (*lead, *counts))


def _greatest(rank: int, always: bool) -> Callable[..., Any]:
    op = f"adaptive_max_pool{rank}d" + ("_with_indices" if always else "")

    def adaptive_max_pool(input: Tensor, output_size: Any, return_indices: bool = always) -> Any:
        shape = input.array.layout.shape
        counts, kernel = _counts(op, rank, shape, output_size)
        x = batched(input, rank)
        if kernel is not None:
            found = fused.max_pool(x, kernel, kernel, (0,) * rank, (1,) * rank, False)
        else:
            found = fused.adaptive_max_pool(x, counts)
        if x is not input:
            found = tuple([af.squeeze(y, 0) for y in found])
        return found if return_indices else found[0]

    return named(
        adaptive_max_pool, op,
        f"""The greatest items of bins of nearly equal length; where they do not fit, neighbours share items.

        Args:
            input: (N, C, *spatial) or (C, *spatial), {rank} spatial dims.
            output_size: how many bins along each spatial dim; None for as many as items.
            return_indices: whether positions within the flattened spatial dims come, too.

        Raises:
            ShapeError: the shapes do not fit.
        """,
    )  # fmt: skip


adaptive_max_pool1d, adaptive_max_pool2d, adaptive_max_pool3d = (_greatest(rank, False) for rank in (1, 2, 3))
adaptive_max_pool1d_with_indices, adaptive_max_pool2d_with_indices, adaptive_max_pool3d_with_indices = (
    _greatest(rank, True) for rank in (1, 2, 3)
)


def _drawn_starts(samples: np.ndarray[Any, Any], length: int, count: int, kernel: int) -> np.ndarray[Any, Any]:
    """Where bins begin, (n, channels, count): steps of two lengths in a random order (Graham 2014)."""
    step = samples.dtype.type((length - kernel) / (count - 1)) if count > 1 else samples.dtype.type(0)
    i = np.arange(count).astype(samples.dtype)
    starts = ((i + samples[..., None]) * step).astype(np.int64) - (samples[..., None] * step).astype(np.int64)
    starts[..., -1] = length - kernel
    return starts


def _fractional(rank: int, always: bool) -> Callable[..., Any]:
    op = f"fractional_max_pool{rank}d" + ("_with_indices" if always else "")

    def fractional_max_pool(
        input: Tensor,
        kernel_size: int | Sequence[int],
        output_size: int | Sequence[int] | None = None,
        output_ratio: float | Sequence[float] | None = None,
        return_indices: bool = always,
        _random_samples: Tensor | None = None,
    ) -> Any:
        if output_size is None and output_ratio is None:
            raise ValueError(f"{op} requires specifying either an output_size or an output_ratio")
        lengths = tuple(input.shape[-rank:])
        if output_size is None:
            ratios = (output_ratio,) * rank if isinstance(output_ratio, (int, float)) else tuple(output_ratio or ())
            counts = tuple(int(n * ratio) for n, ratio in zip(lengths, ratios, strict=True))
        else:
            counts = per_dim(op, "output_size", output_size, rank)
        kernel = per_dim(op, "kernel_size", kernel_size, rank)
        x = batched(input, rank)
        if x.ndim != rank + 2 or 0 in x.shape[1:]:
            raise ShapeError(f"{op}: Expected {rank + 1}D or {rank + 2}D input with non-empty dims, got {list(input.shape)}")
        for n, count, k in zip(lengths, counts, kernel, strict=True):
            if count < 1 or count + k - 1 > n:
                raise ShapeError(f"{op}: pool size {k} and output size {count} too large relative to input length {n}")
        if _random_samples is None:
            _random_samples = lt.rand(*x.shape[:2], rank, dtype=x.dtype, device=x.device)
        if len(_random_samples.shape) != 3 or any(n < m for n, m in zip(_random_samples.shape, (*x.shape[:2], rank), strict=True)):
            raise ShapeError(f"{op}: _random_samples {list(_random_samples.shape)} are too few for input {list(x.shape)}")
        samples = _random_samples.detach().numpy(force=True)[: x.shape[0], : x.shape[1]]
        order = range(rank) if rank == 3 else reversed(range(rank))  # whose number comes first
        starts = [_drawn_starts(samples[..., i], *each) for i, *each in zip(order, lengths, counts, kernel, strict=True)]
        stops = [start + k for start, k in zip(starts, kernel, strict=True)]
        places = lt.asarray(places_in_bins(starts, stops, lengths), device=x.device)
        values, positions = _greatest_of(x, places, counts)
        return (like(values, input), like(positions, input)) if return_indices else like(values, input)

    return named(
        fractional_max_pool, op,
        f"""The greatest item of windows that begin at random distances.

        Args:
            input: (N, C, *spatial) or (C, *spatial), {rank} spatial dims.
            kernel_size: the shape of a window.
            output_size: how many windows along each spatial dim.
            output_ratio: the same as a part of the length.
            return_indices: whether positions within the flattened spatial dims come, too.

        Raises:
            ShapeError: the shapes do not fit.
            ValueError: neither a size nor a ratio is given.
        """,
    )  # fmt: skip


fractional_max_pool2d, fractional_max_pool3d = (_fractional(rank, False) for rank in (2, 3))
fractional_max_pool2d_with_indices, fractional_max_pool3d_with_indices = (_fractional(rank, True) for rank in (2, 3))
