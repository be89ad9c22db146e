"""Cross entropies of scores and classes, the gradients of softmax, and what both are made of."""

from __future__ import annotations

from typing import Any, Final

from lamina_flatarray import DType

from ...dispatch.namespace import namespace
from ..registering import composed, widened

__all__: list[str] = []

_BEYOND: Final = 2**63 - 1
"""A position that no axis has."""


@composed("binary_cross_entropy")
def binary_cross_entropy(x: Any, target: Any) -> Any:
    """Compute `-(target * log(x) + (1 - target) * log(1 - x))`, logarithms held above -100."""
    xp, x, target = namespace(x), widened(x), widened(target)
    return (target - 1) * xp.clip(xp.log1p(-x), -100.0, None) - target * xp.clip(xp.log(x), -100.0, None)


@composed("binary_cross_entropy_with_logits")
def binary_cross_entropy_with_logits(x: Any, target: Any) -> Any:
    """Compute `softplus(x) - x * target` as `(1 - target) * x - min(x, 0) + log1p(exp(-|x|))`, in which nothing of a small loss is lost."""
    xp, x = namespace(x), widened(x)
    return ((1 - widened(target)) * x - xp.clip(x, None, 0.0)) + xp.softplus(-xp.abs(x))


@composed("binary_cross_entropy_with_logits_gradient")
def binary_cross_entropy_with_logits_gradient(gradient: Any, x: Any, target: Any) -> Any:
    """Compute `gradient * (sigmoid(x) - target)`."""
    return widened(gradient) * (namespace(x).sigmoid(widened(x)) - widened(target))


@composed("softmax_gradient")
def softmax_gradient(gradient: Any, result: Any, axis: int) -> Any:
    """Compute `result * (gradient - sum(gradient * result))` along an axis."""
    gradient, result = widened(gradient), widened(result)
    return result * (gradient - namespace(result).sum(gradient * result, axis, True))


@composed("log_softmax_gradient")
def log_softmax_gradient(gradient: Any, result: Any, axis: int) -> Any:
    """Compute `gradient - exp(result) * sum(gradient)` along an axis."""
    xp = namespace(result)
    gradient, result = widened(gradient), widened(result)
    return gradient - xp.exp(result) * xp.sum(gradient, axis, True)


def _counted(x: Any, target: Any, weight: Any, ignored: int) -> tuple[Any, Any, Any]:
    """Which targets are ignored, the others (0 in the place of these), and their weights in the dtype of x. A negative target is
    no class, rather than one counted from the end."""
    xp = namespace(x)
    out = target == ignored
    classes = xp.where(out, 0, xp.where(target < 0, _BEYOND, target))
    factors = xp.ones_like(x, dtype=x.dtype) if weight is None else widened(weight)[classes]
    return out, classes, xp.where(out, 0.0, factors)


def _item(x: Any, classes: Any, axis: int) -> Any:
    xp = namespace(x)
    return xp.squeeze(xp.gather(x, xp.expand_dims(classes, axis), axis), axis)


def _reduced(losses: Any, factors: Any, reduction: str) -> Any:
    if reduction == "none":
        return losses
    total = namespace(losses).sum(losses)
    return total / namespace(losses).sum(factors) if reduction == "mean" else total


def _along(weight: Any, axis: int, ndim: int) -> Any:
    """A vector that broadcasts along one axis."""
    return namespace(weight).reshape(widened(weight), [-1 if i == axis else 1 for i in range(ndim)])


def _widest(x: Any) -> DType:
    widest: DType = getattr(x, "array", x).flat.kernels.widest
    return widest


def _logsumexp(x: Any, axis: int) -> Any:
    """In float64 where there is one: the difference from a score keeps the score's digits. NaN where a score is infinite, as in
    PyTorch."""
    xp, wide = namespace(x), _widest(x)
    if not x.shape[axis]:
        return xp.sum(xp.astype(x, wide), axis)
    greatest = xp.max(x.detach() if hasattr(x, "detach") else x, axis, True)
    sums = xp.astype(xp.log(xp.sum(xp.exp(x - greatest), axis)), wide)
    return sums + xp.astype(xp.squeeze(greatest, axis), wide)


@composed("cross_entropy")
def cross_entropy(
    x: Any, target: Any, weight: Any, axis: int, smoothing: float, ignored: int, reduction: str
) -> tuple[Any, Any]:
    """Compute `weight * (logsumexp(x) - x[target])`, mixed with the mean over all classes by `smoothing`, and the logsumexp."""
    xp = namespace(x)
    x = widened(x)
    logs = _logsumexp(x, axis)
    out, classes, factors = _counted(xp.astype(logs, x.dtype), target, weight, ignored)
    losses = xp.astype(logs - _item(x, classes, axis), x.dtype) * factors
    if smoothing:
        spread = xp.astype(xp.expand_dims(logs, axis), x.dtype) - x
        spread = spread if weight is None else spread * _along(weight, axis, x.ndim)
        losses = losses * (1 - smoothing) + xp.sum(spread, axis) * (smoothing / x.shape[axis])
    losses = xp.where(out, 0.0, losses)
    return _reduced(losses, factors, reduction), logs


@composed("cross_entropy_gradient")
def cross_entropy_gradient(
    gradient: Any, x: Any, target: Any, weight: Any, logsumexp: Any, axis: int, smoothing: float, ignored: int, reduction: str
) -> Any:
    """Compute `softmax(x)` less 1 at the targets (less their share of all classes with `smoothing`), times weights and gradient."""
    xp = namespace(x)
    x, gradient = widened(x), widened(gradient)
    logs = _logsumexp(x, axis) if logsumexp is None else logsumexp
    high = xp.astype(logs, x.dtype)
    low = xp.astype(logs - high, x.dtype)
    chances = xp.exp(x - xp.expand_dims(high, axis) - xp.expand_dims(low, axis))
    out, classes, factors = _counted(high, target, weight, ignored)
    each = xp.where(out, 0.0, gradient / xp.sum(factors) if reduction == "mean" else gradient)
    hard, even = each * factors * (1 - smoothing), each * (smoothing / max(1, x.shape[axis]))
    total = x.shape[axis] if weight is None else xp.sum(widened(weight))
    result = chances * xp.expand_dims(hard + even * total, axis)
    if smoothing:
        spread = xp.expand_dims(even, axis)
        result = result - (spread if weight is None else spread * _along(weight, axis, x.ndim))
    result = xp.scatter_add(result, xp.expand_dims(classes, axis), xp.expand_dims(-hard, axis), axis)
    return xp.where(xp.expand_dims(out, axis), 0.0, result)


@composed("nll_loss")
def nll_loss(x: Any, target: Any, weight: Any, axis: int, ignored: int, reduction: str) -> Any:
    """Compute `-weight[target] * x[target]` along the axis of classes, and 0 for ignored targets."""
    x = widened(x)
    first = x[(*(slice(None),) * axis, 0)] if x.shape[axis] else namespace(x).sum(x, axis)
    out, classes, factors = _counted(first, target, weight, ignored)
    losses = namespace(x).where(out, 0.0, -_item(x, classes, axis) * factors)
    return _reduced(losses, factors, reduction)


@composed("nll_loss_gradient")
def nll_loss_gradient(
    gradient: Any, target: Any, weight: Any, axis: int, classes: int, ignored: int, reduction: str
) -> Any:
    """Compute `-weight[target] * gradient` at the targets, and 0 elsewhere."""
    xp = namespace(gradient)
    gradient = widened(gradient)
    shape = tuple(target.shape)
    out, indices, factors = _counted(xp.broadcast_to(gradient, shape), target, weight, ignored)
    each = gradient / xp.sum(factors) if reduction == "mean" else gradient
    zeros = xp.new_zeros(gradient, (*shape[:axis], classes, *shape[axis:]))
    part = xp.where(out, 0.0, -each * factors)
    return xp.scatter_add(zeros, xp.expand_dims(indices, axis), xp.expand_dims(part, axis), axis)


def _missed(x: Any, target: Any, margin: float) -> tuple[Any, Any]:
    """By how much each score of a row comes too near to the target's, of which 0 is its own; and where the targets are."""
    xp = namespace(x)
    places = xp.expand_dims(xp.where(target < 0, _BEYOND, target), 1)
    apart = margin - xp.gather(x, places, 1) + x
    missed = xp.where(apart > 0, apart, 0.0)
    return xp.scatter(missed, places, xp.zeros_like(places, dtype=x.dtype), 1), places


@composed("multi_margin_loss")
def multi_margin_loss(x: Any, target: Any, weight: Any, p: int, margin: float, reduction: str) -> Any:
    """Compute `weight[target] * sum(max(0, margin - x[target] + x) ** p) / classes` over the other classes."""
    xp, x = namespace(x), widened(x)
    missed, _ = _missed(x, target, margin)
    losses = xp.sum(missed * missed if p == 2 else missed, 1) / x.shape[1]
    losses = losses if weight is None else losses * widened(weight)[target]
    return xp.mean(losses) if reduction == "mean" else xp.sum(losses) if reduction == "sum" else losses


@composed("multi_margin_loss_gradient")
def multi_margin_loss_gradient(
    gradient: Any, x: Any, target: Any, weight: Any, p: int, margin: float, reduction: str
) -> Any:
    """Compute `weight[target] * gradient / classes`, times `2 * missed` for p 2, of the scores that are too near; less their sum at the
    targets."""
    xp, x, gradient = namespace(x), widened(x), widened(gradient)
    missed, places = _missed(x, target, margin)
    each = gradient / (x.shape[1] * x.shape[0] if reduction == "mean" else x.shape[1])
    each = each if weight is None else each * widened(weight)[target]
    each = xp.expand_dims(xp.broadcast_to(each, tuple(target.shape)), 1)
    slopes = xp.where(missed > 0, 2 * missed * each if p == 2 else each, 0.0)
    return xp.scatter(slopes, places, -xp.sum(slopes, 1, True), 1)
