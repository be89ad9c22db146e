"""Pooling as functions: over sliding windows, into a given number of bins, and back to the places of the greatest."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ShapeError
from lamina_tensor import Tensor
from lamina_tensor.dispatch import array_functions as af
from lamina_tensor.functions import fused

from .spatial_dims import batched, like, named, per_dim, settled

__all__ = [
    "avg_pool1d", "avg_pool2d", "avg_pool3d", "lp_pool1d", "lp_pool2d", "lp_pool3d", "max_pool1d",
    "max_pool1d_with_indices", "max_pool2d", "max_pool2d_with_indices", "max_pool3d", "max_pool3d_with_indices",
    "max_unpool1d", "max_unpool2d", "max_unpool3d",
]  # fmt: skip

Numbers = int | Sequence[int]
_RANKS = (1, 2, 3)
sign, relu, magnitude = (af.FUNCTIONS[name] for name in ("sign", "relu", "abs"))


@settled
def _settings(
    op: str, rank: int, shape: tuple[int, ...], kernel_size: Any, stride: Any, padding: Any, dilation: Any
) -> tuple[tuple[int, ...], ...]:
    kernel = per_dim(op, "kernel_size", kernel_size, rank)
    steps = kernel if stride is None or stride in ([], ()) else per_dim(op, "stride", stride, rank)
    margins, dilations = per_dim(op, "padding", padding, rank), per_dim(op, "dilation", dilation, rank)
    for name, numbers in (("kernel_size", kernel), ("stride", steps), ("dilation", dilations)):
        if min(numbers) <= 0:
            raise ShapeError(f"{op}: {name} must be greater than zero, but got {min(numbers)}")
    for k, p, d in zip(kernel, margins, dilations, strict=True):
        if p < 0:
            raise ShapeError(f"{op}: pad must be non-negative, but got pad: {p}")
        if p > ((k - 1) * d + 1) // 2:
            raise ShapeError(
                f"{op}: pad should be at most half of effective kernel size, but got pad={p}, kernel_size={k} and dilation={d}"
            )
    if len(shape) not in (rank + 1, rank + 2) or 0 in shape[-rank - 1 :]:
        raise ShapeError(
            f"{op}: Expected {rank + 1}D or {rank + 2}D (batch mode) tensor with optional 0 dim batch size for input (non-empty "
            f"{rank + 1}D or {rank + 2}D). Expected input's non-batch dimensions to have positive length, but got {list(shape)}"
        )
    return kernel, steps, margins, dilations


def _greatest(rank: int, always: bool) -> Callable[..., Any]:
    op = f"max_pool{rank}d" + ("_with_indices" if always else "")

    def max_pool(
        input: Tensor,
        kernel_size: Numbers,
        stride: Numbers | None = None,
        padding: Numbers = 0,
        dilation: Numbers = 1,
        ceil_mode: bool = False,
        return_indices: bool = always,
    ) -> Any:
        shape = input.array.layout.shape
        kernel, steps, margins, dilations = _settings(op, rank, shape, kernel_size, stride, padding, dilation)
        x = input if len(shape) == rank + 2 else af.unsqueeze(input, 0)
        found = fused.max_pool(x, kernel, steps, margins, dilations, ceil_mode)
        if x is not input:
            found = tuple([af.squeeze(y, 0) for y in found])
        return found if return_indices else found[0]

    return named(
        max_pool, op,
        f"""The greatest item of every window.

        Args:
            input: (N, C, *spatial) or (C, *spatial), {rank} spatial dims.
            kernel_size: the shape of a window; this and the next three are a number, or one for each spatial dim.
            stride: from one window to the next; by default the kernel's size.
            padding: how far windows begin before the input and end behind it, at most half a kernel.
            dilation: from one item of a window to the next.
            ceil_mode: whether a last window may jut out.
            return_indices: whether positions within the flattened spatial dims come, too.

        Raises:
            ShapeError: the shapes do not fit, or a number is out of range.
        """,
    )  # fmt: skip


max_pool1d, max_pool2d, max_pool3d = (_greatest(rank, False) for rank in _RANKS)
max_pool1d_with_indices, max_pool2d_with_indices, max_pool3d_with_indices = (_greatest(rank, True) for rank in _RANKS)


def _mean(rank: int) -> Callable[..., Tensor]:
    op = f"avg_pool{rank}d"

    def pooled(
        input: Tensor, kernel_size: Any, stride: Any, padding: Any, ceil_mode: bool, count: bool, divisor: int | None
    ) -> Tensor:
        kernel, steps, margins, _ = _settings(op, rank, input.array.layout.shape, kernel_size, stride, padding, 1)
        if divisor == 0:
            raise ShapeError(f"{op}: divisor must be not zero")
        x = input if input.array.layout.ndim == rank + 2 else af.unsqueeze(input, 0)
        made = fused.average_pool(x, kernel, steps, margins, ceil_mode, count, divisor)
        return made if x is input else af.squeeze(made, 0)

    def avg_pool(
        input: Tensor,
        kernel_size: Numbers,
        stride: Numbers | None = None,
        padding: Numbers = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> Tensor:
        return pooled(input, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)

    def avg_pool_of_lines(
        input: Tensor,
        kernel_size: Numbers,
        stride: Numbers | None = None,
        padding: Numbers = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> Tensor:
        return pooled(input, kernel_size, stride, padding, ceil_mode, count_include_pad, None)

    return named(
        avg_pool if rank > 1 else avg_pool_of_lines, op,
        f"""The mean of every window.

        Args:
            input: (N, C, *spatial) or (C, *spatial), {rank} spatial dims.
            kernel_size, stride, padding, ceil_mode: as for `max_pool{rank}d`.
            count_include_pad: whether zeros of the padding count.
            divisor_override: what sums are divided by instead (with two and three spatial dims).

        Raises:
            ShapeError: the shapes do not fit, or a number is out of range.
        """,
    )  # fmt: skip


avg_pool1d, avg_pool2d, avg_pool3d = map(_mean, _RANKS)


def _norm(rank: int) -> Callable[..., Tensor]:
    mean = (avg_pool1d, avg_pool2d, avg_pool3d)[rank - 1]

    def lp_pool(
        input: Tensor, norm_type: float, kernel_size: Numbers, stride: Numbers | None = None, ceil_mode: bool = False
    ) -> Tensor:
        kernel = per_dim(f"lp_pool{rank}d", "kernel_size", kernel_size, rank)
        means = mean(input**norm_type, kernel, stride, 0, ceil_mode)
        return (sign(means) * relu(magnitude(means)) * math.prod(kernel)) ** (1.0 / norm_type)

    return named(
        lp_pool, f"lp_pool{rank}d",
        f"""The p-norm of every window: the p-th root of the sum of the items to the power p.

        Args:
            input: (N, C, *spatial) or (C, *spatial), {rank} spatial dims.
            norm_type: p.
            kernel_size, stride, ceil_mode: as for `max_pool{rank}d`.

        Raises:
            ShapeError: the shapes do not fit, or a number is out of range.
        """,
    )  # fmt: skip


lp_pool1d, lp_pool2d, lp_pool3d = map(_norm, _RANKS)


def _unpool(rank: int) -> Callable[..., Tensor]:
    op = f"max_unpool{rank}d"

    def max_unpool(
        input: Tensor,
        indices: Tensor,
        kernel_size: Numbers,
        stride: Numbers | None = None,
        padding: Numbers = 0,
        output_size: Sequence[int] | None = None,
    ) -> Tensor:
        kernel = per_dim(op, "kernel_size", kernel_size, rank)
        steps = kernel if stride is None or stride in ([], ()) else per_dim(op, "stride", stride, rank)
        margins = per_dim(op, "padding", padding, rank)
        if tuple(indices.shape) != tuple(input.shape):
            raise ShapeError(
                f"{op}: Expected shape of indices to be same as that of the input tensor ({list(input.shape)}), but got "
                f"indices tensor with shape: {list(indices.shape)}"
            )
        if input.ndim not in (rank + 1, rank + 2):
            raise ShapeError(f"{op}: Input to {op} should be a {rank + 1}d or {rank + 2}d Tensor, got {list(input.shape)}")
        lengths = _unpooled(op, tuple(input.shape[-rank:]), kernel, steps, margins, output_size)
        x, places = batched(input, rank), batched(indices, rank)
        lead, count = tuple(x.shape[:2]), math.prod(x.shape[2:])
        held = lt.zeros(*lead, math.prod(lengths), dtype=x.dtype, device=x.device)
        made = af.scatter(held, af.reshape(places, (*lead, count)), af.reshape(x, (*lead, count)), 2)
        return like(af.reshape(made, (*lead, *lengths)), input)

    return named(
        max_unpool, op,
        f"""Each item put where the greatest of its window was, and zeros everywhere else.

        Args:
            input: (N, C, *spatial) or (C, *spatial), {rank} spatial dims: what `max_pool{rank}d` gave.
            indices: its positions.
            kernel_size, stride, padding: what it was given.
            output_size: the shape of its input, or of its spatial dims; by default what the last windows just reach.

        Raises:
            ShapeError: the shapes do not fit.
            IndexOutOfRange: a position lies outside.
        """,
    )  # fmt: skip


def _unpooled(
    op: str, lengths: tuple[int, ...], kernel: Any, stride: Any, padding: Any, output_size: Sequence[int] | None
) -> tuple[int, ...]:
    default = tuple((n - 1) * s + k - 2 * p for n, k, s, p in zip(lengths, kernel, stride, padding, strict=True))
    if output_size is None:
        return default
    wanted = tuple(output_size)[-len(lengths) :]
    if len(output_size) not in (len(lengths), len(lengths) + 1, len(lengths) + 2):
        raise ShapeError(f"{op}: output_size should be a sequence containing {len(lengths)} elements, but it has {len(output_size)}")
    for n, d, s in zip(wanted, default, stride, strict=True):
        if not d - s < n < d + s:
            raise ShapeError(f"{op}: invalid output_size {wanted} (dim {n} must be between {d - s} and {d + s})")
    return wanted


max_unpool1d, max_unpool2d, max_unpool3d = map(_unpool, _RANKS)
