"""Normalisations over the last axes, over groups of channels and over a batch, and their gradients: one kernel call each."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from lamina_flatarray import ShapeError, float32

from ..array_fields import empty_of
from ..dispatch.operands import cast, copy_to, fused_kernels
from ..layouts.image_order import arranged, format_told, image_layout, in_image_order
from ..layouts.layout import Layout
from ..shapes.views import contiguous

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = [
    "batch_norm", "batch_norm_gradient", "channel_moments", "group_norm", "group_norm_gradient", "layer_norm",
    "layer_norm_gradient", "rms_norm", "rms_norm_gradient",
]  # fmt: skip

Shape = tuple[int, ...]


def _of_sums(kernels: Any) -> Any:
    """The table of what sums over many items give: in float32 at least."""
    return kernels.sibling(float32) if kernels.itemsize < 4 else kernels


def _statistic(kernels: Any, shape: Shape) -> NDArray:
    """Room for it."""
    return empty_of(_of_sums(kernels), Layout.dense(shape))


def _fitted(op: str, kernels: Any, shape: Shape, *vectors: NDArray | None) -> list[NDArray | None]:
    """Vectors of one shape, some of which may be left out, contiguous and next to what they go with."""
    result = []
    for vector in vectors:
        if vector is not None:
            layout = vector.layout
            if layout.shape != shape:
                raise ShapeError(f"{op}: a weight or bias {list(layout.shape)} given where it wants {list(shape)}")
            if vector.flat.kernels is not kernels or not layout.contiguous:
                vector = contiguous(cast(vector, kernels))
        result.append(vector)
    return result


def _alike(op: str, kernels: Any, gradient: NDArray, x: NDArray) -> NDArray:
    if gradient.layout.shape != x.layout.shape:
        raise ShapeError(f"{op}: a gradient {list(gradient.layout.shape)} does not fit an input {list(x.layout.shape)}")
    return cast(gradient, kernels)


def _rows(x: NDArray, ndim: int) -> NDArray:
    """x, or a copy of it, whose last axes step evenly, as if they were one."""
    layout = x.layout
    if not layout.contiguous:
        shape, strides = layout.shape, layout.strides
        if any(strides[d] != strides[d + 1] * shape[d + 1] for d in range(layout.ndim - ndim, layout.ndim - 1)):
            return contiguous(x)
    return x


def _by_channel(x: NDArray) -> NDArray:
    """x, or a copy of it, row-major or, of images and volumes as in PyTorch, with the channels innermost."""
    layout = x.layout
    if layout.contiguous or (layout.ndim > 3 and layout.permute((0, *range(2, layout.ndim), 1)).contiguous):
        return x
    return arranged(x, image_layout(layout.shape, layout))


def _lying_as(x: NDArray, other: NDArray) -> NDArray:
    """x, or a copy of it, with the strides of another array."""
    if x.layout.strides == other.layout.strides or (x.layout.contiguous and other.layout.contiguous):
        return x
    result = empty_of(x.flat.kernels, other.layout.result)
    copy_to(result, x)
    return result


@lru_cache(1024)
def _split(op: str, shape: Shape, ndim: int) -> tuple[Layout, Shape]:
    """How one number for each of the first axes lies, and the lengths of the last ones."""
    if not 1 <= ndim <= len(shape):
        raise ShapeError(f"{op}: the last axes, {ndim} of them, of an array {list(shape)}")
    at = len(shape) - ndim
    return Layout.dense(shape[:at]), shape[at:]


def layer_norm(
    x: NDArray, weight: NDArray | None, bias: NDArray | None, ndim: int, eps: float
) -> tuple[NDArray, NDArray, NDArray]:
    """x less its mean, over its deviation, times a weight, plus a bias, over the last axes (Ba et al. 2016).

    Args:
        x: (..., *last).
        weight, bias: (*last), or None.
        ndim: how many axes the last ones are.
        eps: added to the variance.

    Returns:
        The result, the means and 1 / deviation; the latter without the last axes.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: x is not floating.
    """
    op = "layer_norm"
    kernels = fused_kernels(op, x, weight, bias)
    lead, last = _split(op, x.layout.shape, ndim)
    wide = kernels if kernels.itemsize >= 4 else kernels.sibling(float32)
    outs = empty_of(kernels, x.layout.compact), empty_of(wide, lead), empty_of(wide, lead)
    kernels[op](outs, x if x.layout.contiguous else _rows(x, ndim), *_fitted(op, kernels, last, weight, bias), ndim=ndim, eps=eps)
    return outs


def layer_norm_gradient(
    gradient: NDArray, x: NDArray, weight: NDArray | None, mean: NDArray | None, rstd: NDArray | None, ndim: int, eps: float
) -> tuple[NDArray, ...]:
    """The gradients of `layer_norm` in x, weight and bias.

    Args:
        gradient: of the result.
        mean, rstd: what `layer_norm` gave beside it, or None.
        x, weight, ndim, eps: as for `layer_norm`.

    Raises:
        ShapeError: the shapes do not fit.
    """
    op = "layer_norm_gradient"
    kernels = fused_kernels(op, x, gradient, weight)
    _, last = _split(op, x.layout.shape, ndim)
    vector = Layout.dense(last)
    outs = empty_of(kernels, x.layout.compact), empty_of(kernels, vector), empty_of(kernels, vector)
    operands = _rows(_alike(op, kernels, gradient, x), ndim), _rows(x, ndim)
    kernels[op](outs, *operands, *_fitted(op, kernels, last, weight), mean, rstd, ndim=ndim, eps=eps)
    return outs


def rms_norm(x: NDArray, weight: NDArray | None, ndim: int, eps: float) -> tuple[NDArray, NDArray]:
    """x over the root of its mean square, times a weight, over the last axes (Zhang & Sennrich 2019).

    Args:
        x: (..., *last).
        weight: (*last), or None.
        ndim: how many axes the last ones are.
        eps: added to the mean square.

    Returns:
        The result, and 1 / root without the last axes.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: x is not floating.
    """
    op = "rms_norm"
    kernels = fused_kernels(op, x, weight)
    lead, last = _split(op, x.layout.shape, ndim)
    outs = empty_of(kernels, x.layout.compact), empty_of(_of_sums(kernels), lead)
    kernels[op](outs, _rows(x, ndim), *_fitted(op, kernels, last, weight), ndim=ndim, eps=eps)
    return outs if x.layout.row_major else (in_image_order(outs[0], x), outs[1])


def rms_norm_gradient(
    gradient: NDArray, x: NDArray, weight: NDArray | None, rstd: NDArray | None, ndim: int, eps: float
) -> tuple[NDArray, NDArray]:
    """The gradients of `rms_norm` in x and weight.

    Args:
        gradient: of the result.
        rstd: what `rms_norm` gave beside it, or None.
        x, weight, ndim, eps: as for `rms_norm`.

    Raises:
        ShapeError: the shapes do not fit.
    """
    op = "rms_norm_gradient"
    kernels = fused_kernels(op, x, gradient, weight)
    _, last = _split(op, x.layout.shape, ndim)
    outs = empty_of(kernels, x.layout.compact), empty_of(kernels, Layout.dense(last))
    operands = _rows(_alike(op, kernels, gradient, x), ndim), _rows(x, ndim)
    kernels[op](outs, *operands, *_fitted(op, kernels, last, weight), rstd, ndim=ndim, eps=eps)
    return outs


def _channels(op: str, x: NDArray) -> Shape:
    if x.layout.ndim < 2:
        raise ShapeError(f"{op}: expected (batch, channels, ...), got {list(x.layout.shape)}")
    return x.layout.shape[1:2]


def group_norm(
    x: NDArray, weight: NDArray | None, bias: NDArray | None, groups: int, eps: float
) -> tuple[NDArray, NDArray, NDArray]:
    """As `layer_norm`, over groups of channels and all places (Wu & He 2018).

    Args:
        x: (batch, channels, ...).
        weight, bias: (channels,), or None.
        groups: into how many the channels are split.
        eps: added to the variance.

    Returns:
        The result, and means and 1 / deviation, (batch, groups).

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: x is not floating.
    """
    op = "group_norm"
    kernels = fused_kernels(op, x, weight, bias)
    channels = _channels(op, x)
    shape = (x.layout.shape[0], groups)
    told = format_told(x.layout) != "contiguous"  # to PyTorch, by the strides of images and volumes, that of one image, too
    by_channel = _by_channel(x) if told else contiguous(x)
    lies = by_channel.layout
    outs = empty_of(kernels, lies.result if lies.row_major else lies.like), _statistic(kernels, shape), _statistic(kernels, shape)
    kernels[op](outs, by_channel, *_fitted(op, kernels, channels, weight, bias), groups=groups, eps=eps)
    return outs


def group_norm_gradient(
    gradient: NDArray, x: NDArray, weight: NDArray | None, mean: NDArray | None, rstd: NDArray | None, groups: int, eps: float
) -> tuple[NDArray, ...]:
    """The gradients of `group_norm` in x, weight and bias.

    Args:
        gradient: of the result.
        mean, rstd: what `group_norm` gave beside it, or None.
        x, weight, groups, eps: as for `group_norm`.

    Raises:
        ShapeError: the shapes do not fit.
    """
    op = "group_norm_gradient"
    kernels = fused_kernels(op, x, gradient, weight)
    channels = _channels(op, x)
    by_channel, vector = _by_channel(x), Layout.dense(channels)
    outs = empty_of(kernels, by_channel.layout.result), empty_of(kernels, vector), empty_of(kernels, vector)
    around = _lying_as(_alike(op, kernels, gradient, x), by_channel)
    kernels[op](outs, around, by_channel, *_fitted(op, kernels, channels, weight), mean, rstd, groups=groups, eps=eps)
    return outs


def channel_moments(x: NDArray) -> tuple[NDArray, NDArray]:
    """Mean and variance (over all items) of each channel.

    Args:
        x: (batch, channels, ...).

    Raises:
        ShapeError: x has fewer axes.
        DTypeError: x is not floating.
    """
    kernels = fused_kernels("channel_moments", x)
    wide, vector = _of_sums(kernels), Layout.dense(_channels("channel_moments", x))
    outs = empty_of(wide, vector), empty_of(wide, vector)
    kernels["channel_moments"](outs, _by_channel(x))
    return outs


def batch_norm(
    x: NDArray, mean: NDArray, variance: NDArray, weight: NDArray | None, bias: NDArray | None, eps: float
) -> NDArray:
    """x less a mean, over a deviation, times a weight, plus a bias, all of them per channel (Ioffe & Szegedy 2015).

    Args:
        x: (batch, channels, ...).
        mean, variance, weight, bias: (channels,); the latter two may be None.
        eps: added to the variance.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: x is not floating.
    """
    op = "batch_norm"
    kernels = fused_kernels(op, x, mean, variance, weight, bias)
    channels = _channels(op, x)
    by_channel = _by_channel(x)
    result = empty_of(kernels, by_channel.layout.result)
    statistics = _fitted(op, _of_sums(kernels), channels, mean, variance)
    kernels[op](result, by_channel, *statistics, *_fitted(op, kernels, channels, weight, bias), eps=eps)
    return result


def batch_norm_gradient(
    gradient: NDArray, x: NDArray, mean: NDArray | None, variance: NDArray | None, weight: NDArray | None, eps: float,
    training: bool,
) -> tuple[NDArray, ...]:  # fmt: skip
    """The gradients of `batch_norm` in x, weight and bias.

    Args:
        gradient: of the result.
        x, mean, variance, weight, eps: as for `batch_norm`; without mean and variance they are x's own.
        training: whether mean and variance are x's own, so that the gradient flows through them.

    Raises:
        ShapeError: the shapes do not fit.
    """
    op = "batch_norm_gradient"
    kernels = fused_kernels(op, x, gradient, mean, variance, weight)
    channels = _channels(op, x)
    by_channel = _by_channel(x)
    vector = Layout.dense(channels)
    outs = empty_of(kernels, by_channel.layout.result), empty_of(kernels, vector), empty_of(kernels, vector)
    statistics = _fitted(op, _of_sums(kernels), channels, mean, variance)
    around = _lying_as(_alike(op, kernels, gradient, x), by_channel)
    kernels[op](outs, around, by_channel, *statistics, *_fitted(op, kernels, channels, weight), eps=eps, training=training)
    return outs
