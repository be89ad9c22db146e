"""Normalisations of layers, groups of channels and batches, with their gradients, as sums over axes that stay with length 1."""

from __future__ import annotations

from typing import Any

from ...dispatch.namespace import namespace
from ..registering import composed, widened

__all__: list[str] = []


def _last(x: Any, ndim: int) -> tuple[int, ...]:
    return tuple(range(x.ndim - ndim, x.ndim))


def _kept(statistic: Any, x: Any) -> Any:
    """A statistic of leading axes with as many axes as x."""
    statistic = widened(statistic)
    return namespace(statistic).reshape(statistic, [*statistic.shape, *(1,) * (x.ndim - statistic.ndim)])


def _of_channels(vector: Any, x: Any) -> Any:
    """A vector of channels along x's axis 1."""
    return namespace(x).reshape(widened(vector), [1, -1, *(1,) * (x.ndim - 2)])


def _moments(x: Any, axes: tuple[int, ...]) -> tuple[Any, Any]:
    """Mean, and mean squared distance from it."""
    xp = namespace(x)
    mean = xp.mean(x, axes, True)
    centred = x - mean
    return mean, xp.mean(centred * centred, axes, True)


def _affine(x: Any, weight: Any, bias: Any) -> Any:
    x = x if weight is None else x * weight
    return x if bias is None else x + bias


def _through(gradient: Any, scaled: Any, rstd: Any, axes: tuple[int, ...], centred: bool = True) -> Any:
    """The gradient of what `scaled` was made of: less what mean and deviation take from it."""
    xp = namespace(gradient)
    slope = gradient - scaled * xp.mean(gradient * scaled, axes, True)
    return rstd * (slope - xp.mean(gradient, axes, True) if centred else slope)


# -- over the last axes -------------------------------------------------------------------------------------------------


@composed("layer_norm")
def layer_norm(x: Any, weight: Any, bias: Any, ndim: int, eps: float) -> tuple[Any, Any, Any]:
    """Compute `(x - mean) / sqrt(variance + eps) * weight + bias` over the last axes, the mean and the inverse deviation."""
    xp, lead = namespace(x), x.shape[: x.ndim - ndim]
    x = widened(x)
    mean, variance = _moments(x, _last(x, ndim))
    rstd = xp.rsqrt(variance + eps)
    result = _affine((x - mean) * rstd, *(None if v is None else widened(v) for v in (weight, bias)))
    return result, xp.reshape(mean, lead), xp.reshape(rstd, lead)


@composed("layer_norm_gradient")
def layer_norm_gradient(
    gradient: Any, x: Any, weight: Any, mean: Any, rstd: Any, ndim: int, eps: float
) -> tuple[Any, Any, Any]:
    """Compute the gradients of `layer_norm` in x, weight and bias."""
    xp = namespace(x)
    gradient, x = widened(gradient), widened(x)
    axes = _last(x, ndim)
    if mean is None or rstd is None:
        mean, variance = _moments(x, axes)
        rstd = xp.rsqrt(variance + eps)
    else:
        mean, rstd = _kept(mean, x), _kept(rstd, x)
    scaled = (x - mean) * rstd
    rows = tuple(range(x.ndim - ndim))
    weighted = gradient if weight is None else gradient * widened(weight)
    return _through(weighted, scaled, rstd, axes), xp.sum(gradient * scaled, rows), xp.sum(gradient, rows)


@composed("rms_norm")
def rms_norm(x: Any, weight: Any, ndim: int, eps: float) -> tuple[Any, Any]:
    """Compute `x / sqrt(mean(x**2) + eps) * weight` over the last axes, and the inverse root."""
    xp, lead = namespace(x), x.shape[: x.ndim - ndim]
    x = widened(x)
    rstd = xp.rsqrt(xp.mean(x * x, _last(x, ndim), True) + eps)
    return _affine(x * rstd, None if weight is None else widened(weight), None), xp.reshape(rstd, lead)


@composed("rms_norm_gradient")
def rms_norm_gradient(gradient: Any, x: Any, weight: Any, rstd: Any, ndim: int, eps: float) -> tuple[Any, Any]:
    """Compute the gradients of `rms_norm` in x and weight."""
    xp = namespace(x)
    gradient, x = widened(gradient), widened(x)
    axes = _last(x, ndim)
    rstd = xp.rsqrt(xp.mean(x * x, axes, True) + eps) if rstd is None else _kept(rstd, x)
    scaled = x * rstd
    weighted = gradient if weight is None else gradient * widened(weight)
    return _through(weighted, scaled, rstd, axes, False), xp.sum(gradient * scaled, tuple(range(x.ndim - ndim)))


# -- of channels --------------------------------------------------------------------------------------------------------


def _grouped(x: Any, groups: int) -> Any:
    return namespace(x).reshape(x, [x.shape[0], groups, x.shape[1] // groups, *x.shape[2:]])


def _over_all_but_channels(x: Any) -> tuple[int, ...]:
    return (0, *range(2, x.ndim))


@composed("group_norm")
def group_norm(x: Any, weight: Any, bias: Any, groups: int, eps: float) -> tuple[Any, Any, Any]:
    """Compute `(x - mean) / sqrt(variance + eps) * weight + bias` over groups of channels, the mean and the inverse deviation."""
    xp, shape = namespace(x), x.shape
    grouped = _grouped(widened(x), groups)
    mean, variance = _moments(grouped, _last(grouped, grouped.ndim - 2))
    rstd = xp.rsqrt(variance + eps)
    scaled = xp.reshape((grouped - mean) * rstd, shape)
    result = _affine(scaled, *(None if v is None else _of_channels(v, x) for v in (weight, bias)))
    return result, xp.reshape(mean, (shape[0], groups)), xp.reshape(rstd, (shape[0], groups))


@composed("group_norm_gradient")
def group_norm_gradient(
    gradient: Any, x: Any, weight: Any, mean: Any, rstd: Any, groups: int, eps: float
) -> tuple[Any, Any, Any]:
    """Compute the gradients of `group_norm` in x, weight and bias."""
    xp, shape = namespace(x), x.shape
    gradient, grouped = widened(gradient), _grouped(widened(x), groups)
    axes = _last(grouped, grouped.ndim - 2)
    if mean is None or rstd is None:
        mean, variance = _moments(grouped, axes)
        rstd = xp.rsqrt(variance + eps)
    else:
        mean, rstd = _kept(mean, grouped), _kept(rstd, grouped)
    scaled = (grouped - mean) * rstd
    weighted = gradient if weight is None else gradient * _of_channels(weight, x)
    of_x = _through(_grouped(weighted, groups), scaled, rstd, axes)
    others = _over_all_but_channels(x)
    return xp.reshape(of_x, shape), xp.sum(gradient * xp.reshape(scaled, shape), others), xp.sum(gradient, others)


@composed("channel_moments")
def channel_moments(x: Any) -> tuple[Any, Any]:
    """Compute the mean and the biased variance of every channel."""
    xp, channels = namespace(x), x.shape[1]
    mean, variance = _moments(widened(x), _over_all_but_channels(x))
    return xp.reshape(mean, (channels,)), xp.reshape(variance, (channels,))


@composed("batch_norm")
def batch_norm(x: Any, mean: Any, variance: Any, weight: Any, bias: Any, eps: float) -> Any:
    """Compute `(x - mean) / sqrt(variance + eps) * weight + bias` with one number of each per channel."""
    scaled = (widened(x) - _of_channels(mean, x)) * namespace(x).rsqrt(_of_channels(variance, x) + eps)
    return _affine(scaled, *(None if v is None else _of_channels(v, x) for v in (weight, bias)))


@composed("batch_norm_gradient")
def batch_norm_gradient(
    gradient: Any, x: Any, mean: Any, variance: Any, weight: Any, eps: float, training: bool
) -> tuple[Any, Any, Any]:
    """Compute the gradients of `batch_norm` in x, weight and bias; in training, through the batch's own mean and variance too."""
    xp = namespace(x)
    gradient, x = widened(gradient), widened(x)
    axes = _over_all_but_channels(x)
    if mean is None or variance is None:
        mean, variance = _moments(x, axes)
    else:
        mean, variance = _of_channels(mean, x), _of_channels(variance, x)
    rstd = xp.rsqrt(variance + eps)
    scaled = (x - mean) * rstd
    weighted = gradient if weight is None else gradient * _of_channels(weight, x)
    of_x = _through(weighted, scaled, rstd, axes) if training else weighted * rstd
    return of_x, xp.sum(gradient * scaled, axes), xp.sum(gradient, axes)
