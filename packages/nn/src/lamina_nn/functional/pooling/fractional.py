"""Max pooling over windows that begin at random distances, as functions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, overload

import numpy as np

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, ShapeError
from lamina_ndarray.layers.pooling.bins import places_in_bins
from lamina_tensor import Tensor, no_grad
from lamina_tensor.dispatch.tensor_functions import FUNCTIONS, af
from lamina_tensor.dispatch.torch_function import torch_function

from ..spatial_dims import Lengths, Numbers, batched, like, per_dim

__all__ = [
    "fractional_max_pool2d", "fractional_max_pool2d_with_indices", "fractional_max_pool3d", "fractional_max_pool3d_with_indices",
]  # fmt: skip

Ratios = float | Sequence[float]


def _greatest_of(x: Tensor, places: Tensor, counts: Lengths) -> tuple[Tensor, Tensor]:
    """The greatest items among those at places, (n or 1, channels or 1, bins, items), within flattened spatial dims."""
    lead = tuple(x.shape[:2])
    _, _, bins_of_all, items = places.shape
    flat = af.reshape(x, (*lead, math.prod(x.shape[2:])))
    with no_grad():
        every = af.broadcast_to(places, (*lead, bins_of_all, items))
        gathered = af.gather(flat, af.reshape(every, (*lead, bins_of_all * items)), 2)
        which = FUNCTIONS["argmax"](af.reshape(gathered, (*lead, bins_of_all, items)), -1, True)
        indices = af.squeeze(af.gather(every, which, 3), 3)
    values = af.gather(flat, indices, 2)
    return af.reshape(values, (*lead, *counts)), af.reshape(indices, (*lead, *counts))


def _random_starts(samples: np.ndarray[Any, Any], length: int, count: int, kernel: int) -> np.ndarray[Any, Any]:
    """Where bins begin, (n, channels, count): steps of two lengths in a random order (Graham 2014)."""
    step = samples.dtype.type((length - kernel) / (count - 1)) if count > 1 else samples.dtype.type(0)
    i = np.arange(count).astype(samples.dtype)
    starts: np.ndarray[Any, Any] = ((i + samples[..., None]) * step).astype(np.int64) - (samples[..., None] * step).astype(np.int64)
    starts[..., -1] = length - kernel
    return starts


def _pooled(
    op: str, rank: int, input: Tensor, kernel_size: Numbers, output_size: Numbers | None, output_ratio: Ratios | None,
    random_samples: Tensor | None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    if output_size is None and output_ratio is None:
        raise ArgumentValueError(f"{op} requires specifying either an output_size or an output_ratio")
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
    if random_samples is None:
        random_samples = lt.rand(*x.shape[:2], rank, dtype=x.dtype, device=x.device)
    if len(random_samples.shape) != 3 or any(n < m for n, m in zip(random_samples.shape, (*x.shape[:2], rank), strict=True)):
        raise ShapeError(f"{op}: _random_samples {list(random_samples.shape)} are too few for input {list(x.shape)}")
    samples = random_samples.detach().numpy(force=True)[: x.shape[0], : x.shape[1]]
    order = range(rank) if rank == 3 else reversed(range(rank))  # whose number comes first
    starts = [_random_starts(samples[..., i], *each) for i, *each in zip(order, lengths, counts, kernel, strict=True)]
    stops = [start + k for start, k in zip(starts, kernel, strict=True)]
    places = lt.asarray(places_in_bins(starts, stops, lengths), device=x.device)
    values, indices = _greatest_of(x, places, counts)
    return like(values, input), like(indices, input)


@overload
def fractional_max_pool2d(
    input: Tensor, kernel_size: Numbers, output_size: Numbers | None = None, output_ratio: Ratios | None = None,
    return_indices: Literal[False] = False, _random_samples: Tensor | None = None,
) -> Tensor: ...  # fmt: skip
@overload
def fractional_max_pool2d(
    input: Tensor, kernel_size: Numbers, output_size: Numbers | None = None, output_ratio: Ratios | None = None,
    *, return_indices: Literal[True], _random_samples: Tensor | None = None,
) -> tuple[Tensor, Tensor]: ...  # fmt: skip
@overload
def fractional_max_pool2d(
    input: Tensor, kernel_size: Numbers, output_size: Numbers | None = None, output_ratio: Ratios | None = None,
    return_indices: bool = False, _random_samples: Tensor | None = None,
) -> Tensor | tuple[Tensor, Tensor]: ...  # fmt: skip
@torch_function(autocast="float32")
def fractional_max_pool2d(
    input: Tensor, kernel_size: Numbers, output_size: Numbers | None = None, output_ratio: Ratios | None = None,
    return_indices: bool = False, _random_samples: Tensor | None = None,
) -> Tensor | tuple[Tensor, Tensor]:  # fmt: skip
    """Take the greatest item of windows that begin at random distances (Graham 2014, arXiv:1412.6071).

    Args:
        input: (N, C, H, W) or (C, H, W).
        kernel_size: the shape of a window; one number, or one for each of the two spatial dims, like the next two.
        output_size: the number of windows.
        output_ratio: the number of windows as a fraction of the length.
        return_indices: whether the indices within the flattened spatial dims are returned, too.
        _random_samples: numbers in [0, 1) that set where windows begin, (N, C, 2); by default random.

    Returns:
        (N, C, *output_size), without N where the input has none; with `return_indices`, a pair with int64 indices.

    Raises:
        ShapeError: the shapes do not fit.
        ArgumentValueError: neither `output_size` nor `output_ratio` is given.

    >>> torch.nn.functional.fractional_max_pool2d(torch.ones(1, 8, 8), 2, output_ratio=0.5).shape
    lamina.Size([1, 4, 4])
    """
    pair = _pooled(
        "fractional_max_pool2d", 2, input, kernel_size, output_size, output_ratio, _random_samples
    )
    return pair if return_indices else pair[0]


@torch_function(autocast="float32")
def fractional_max_pool2d_with_indices(
    input: Tensor, kernel_size: Numbers, output_size: Numbers | None = None, output_ratio: Ratios | None = None,
    return_indices: bool = False, _random_samples: Tensor | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Take the greatest item of random windows and its index: `fractional_max_pool2d` with `return_indices=True`.

    Args:
        input, kernel_size, output_size, output_ratio, _random_samples: as of `fractional_max_pool2d`.
        return_indices: without effect; the indices are always returned.

    Returns:
        The items and their int64 indices within the flattened spatial dims, both (N, C, *output_size).

    Raises:
        ShapeError: the shapes do not fit.
        ArgumentValueError: neither `output_size` nor `output_ratio` is given.

    >>> torch.nn.functional.fractional_max_pool2d_with_indices(torch.arange(4.0).reshape(1, 2, 2), 2, output_size=1)
    (tensor([[[3.]]]), tensor([[[3]]]))
    """
    return _pooled(
        "fractional_max_pool2d_with_indices", 2, input, kernel_size, output_size, output_ratio, _random_samples
    )


@overload
def fractional_max_pool3d(
    input: Tensor, kernel_size: Numbers, output_size: Numbers | None = None, output_ratio: Ratios | None = None,
    return_indices: Literal[False] = False, _random_samples: Tensor | None = None,
) -> Tensor: ...  # fmt: skip
@overload
def fractional_max_pool3d(
    input: Tensor, kernel_size: Numbers, output_size: Numbers | None = None, output_ratio: Ratios | None = None,
    *, return_indices: Literal[True], _random_samples: Tensor | None = None,
) -> tuple[Tensor, Tensor]: ...  # fmt: skip
@overload
def fractional_max_pool3d(
    input: Tensor, kernel_size: Numbers, output_size: Numbers | None = None, output_ratio: Ratios | None = None,
    return_indices: bool = False, _random_samples: Tensor | None = None,
) -> Tensor | tuple[Tensor, Tensor]: ...  # fmt: skip
@torch_function(autocast="float32")
def fractional_max_pool3d(
    input: Tensor, kernel_size: Numbers, output_size: Numbers | None = None, output_ratio: Ratios | None = None,
    return_indices: bool = False, _random_samples: Tensor | None = None,
) -> Tensor | tuple[Tensor, Tensor]:  # fmt: skip
    """Take the greatest item of windows that begin at random distances (Graham 2014, arXiv:1412.6071).

    Args:
        input: (N, C, D, H, W) or (C, D, H, W).
        kernel_size: the shape of a window; one number, or one for each of the three spatial dims, like the next two.
        output_size: the number of windows.
        output_ratio: the number of windows as a fraction of the length.
        return_indices: whether the indices within the flattened spatial dims are returned, too.
        _random_samples: numbers in [0, 1) that set where windows begin, (N, C, 3); by default random.

    Returns:
        (N, C, *output_size), without N where the input has none; with `return_indices`, a pair with int64 indices.

    Raises:
        ShapeError: the shapes do not fit.
        ArgumentValueError: neither `output_size` nor `output_ratio` is given.

    >>> torch.nn.functional.fractional_max_pool3d(torch.ones(1, 8, 8, 8), 2, output_ratio=0.5).shape
    lamina.Size([1, 4, 4, 4])
    """
    pair = _pooled(
        "fractional_max_pool3d", 3, input, kernel_size, output_size, output_ratio, _random_samples
    )
    return pair if return_indices else pair[0]


@torch_function(autocast="float32")
def fractional_max_pool3d_with_indices(
    input: Tensor, kernel_size: Numbers, output_size: Numbers | None = None, output_ratio: Ratios | None = None,
    return_indices: bool = False, _random_samples: Tensor | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """Take the greatest item of random windows and its index: `fractional_max_pool3d` with `return_indices=True`.

    Args:
        input, kernel_size, output_size, output_ratio, _random_samples: as of `fractional_max_pool3d`.
        return_indices: without effect; the indices are always returned.

    Returns:
        The items and their int64 indices within the flattened spatial dims, both (N, C, *output_size).

    Raises:
        ShapeError: the shapes do not fit.
        ArgumentValueError: neither `output_size` nor `output_ratio` is given.

    >>> torch.nn.functional.fractional_max_pool3d_with_indices(torch.arange(8.0).reshape(1, 2, 2, 2), 2, output_size=1)
    (tensor([[[[7.]]]]), tensor([[[[7]]]]))
    """
    return _pooled(
        "fractional_max_pool3d_with_indices", 3, input, kernel_size, output_size, output_ratio, _random_samples
    )
