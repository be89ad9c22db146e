"""Losses of scores against the classes wanted, and their gradients: shapes checked, one kernel call each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import IndexOutOfRange, ShapeError, int64
from lamina_flatarray.errors import PositionOutOfRange

from ..array_fields import empty_of
from ..batching import all_slices
from ..dispatch.operands import cast, fused_kernels, refuse_undefined
from ..layouts.layout import Layout

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = [
    "cross_entropy", "cross_entropy_gradient", "multi_margin_loss", "multi_margin_loss_gradient", "nll_loss", "nll_loss_gradient",
]  # fmt: skip

Shape = tuple[int, ...]
_ONE: Final = Layout.dense(())


def _prepared(
    op: str, x: NDArray, shape: Shape, target: NDArray, weight: NDArray | None, axis: int
) -> tuple[Any, NDArray, Any]:
    """The kernels of x, the target in int64, and the weight in x's dtype; `shape` is that of the scores."""
    if target.layout.shape != shape[:axis] + shape[axis + 1 :]:
        raise ShapeError(f"{op}: scores {list(shape)} want a target of their shape without axis {axis}, not {list(target.shape)}")
    if weight is not None and weight.layout.shape != (shape[axis],):
        raise ShapeError(f"{op}: weights {[shape[axis]]} wanted, one for each class, not {list(weight.layout.shape)}")
    kernels = x.flat.kernels
    refuse_undefined(op, kernels.dtype)
    if target.flat.kernels is kernels.sibling(int64) and (weight is None or weight.flat.kernels is kernels):
        return kernels, target, weight
    kernels = fused_kernels(op, x, target, weight)
    return kernels, cast(target, kernels.sibling(int64)), cast(weight, kernels)


def _tell_target(op: str, target: NDArray, length: int, ignored: int | None) -> None:
    """Say which target is no class, of those that a kernel refused; where none is ignored, as PyTorch's margins do."""
    items = all_slices(target).to_device("cpu").numpy()
    counted = items if ignored is None else items[items != ignored]
    outside = counted[(counted < 0) | (counted >= length)]
    if outside.size:
        error = PositionOutOfRange if ignored is None else IndexOutOfRange
        raise error(f"{op}: Target {outside[0]} is out of bounds; there are {length} classes") from None


def cross_entropy(
    x: NDArray, target: NDArray, weight: NDArray | None, axis: int, smoothing: float, ignored: int, reduction: str
) -> tuple[NDArray, NDArray]:
    """The cross entropy of logits and classes.

    Args:
        x: logits, with the classes along `axis`.
        target: classes, of x's shape without `axis`.
        weight: per class, or None.
        axis: from 0 on.
        smoothing: how much of each target is spread evenly over all classes.
        ignored: targets of this value count for nothing.
        reduction: "none", "mean" (over the weights of the targets) or "sum".

    Returns:
        The losses, of the target's shape or of none, and the logarithm of the sum of exponentials, of the target's shape, in
        float64, or in float32 where the device has no float64.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: x is not floating.
        IndexOutOfRange: a target is no class.
    """
    kernels, target, weight = _prepared("cross_entropy", x, x.layout.shape, target, weight, axis)
    losses = empty_of(kernels, target.layout.compact if reduction == "none" else _ONE)
    logs = empty_of(kernels.sibling(kernels.widest), target.layout.compact)
    try:
        kernels["cross_entropy"](
            (losses, logs), x, target, weight, axis=axis, smoothing=smoothing, ignored=ignored, reduction=reduction
        )
    except IndexError:
        _tell_target("cross_entropy", target, x.layout.shape[axis], ignored)
        raise
    return losses, logs


def cross_entropy_gradient(
    gradient: NDArray, x: NDArray, target: NDArray, weight: NDArray | None, logsumexp: NDArray | None, axis: int,
    smoothing: float, ignored: int, reduction: str,
) -> NDArray:  # fmt: skip
    """The gradient of `cross_entropy` in x.

    Args:
        gradient: of the losses.
        logsumexp: what `cross_entropy` gave beside them, or None.
        x, target, weight, axis, smoothing, ignored, reduction: as for `cross_entropy`.

    Raises:
        ShapeError: the shapes do not fit.
    """
    op = "cross_entropy_gradient"
    kernels, target, weight = _prepared(op, x, x.layout.shape, target, weight, axis)
    kernels = fused_kernels(op, x, gradient, target)
    if gradient.layout.shape != (target.layout.shape if reduction == "none" else ()):
        raise ShapeError(f"{op}: a gradient {list(gradient.layout.shape)} does not fit targets {list(target.layout.shape)}")
    result = empty_of(kernels, x.layout.compact)
    upstream = cast(gradient, kernels)
    try:
        kernels[op](
            result, upstream, x, target, weight, logsumexp, axis=axis, smoothing=smoothing, ignored=ignored, reduction=reduction
        )
    except IndexError:
        _tell_target(op, target, x.layout.shape[axis], ignored)
        raise
    return result


def nll_loss(x: NDArray, target: NDArray, weight: NDArray | None, axis: int, ignored: int, reduction: str) -> NDArray:
    """The negated log-probability of the target class.

    Args:
        x: log-probabilities, with the classes along `axis`.
        target, weight, axis, ignored, reduction: as for `cross_entropy`.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: x is not floating.
        IndexOutOfRange: a target is no class.
    """
    kernels, target, weight = _prepared("nll_loss", x, x.layout.shape, target, weight, axis)
    result = empty_of(kernels, target.layout.compact if reduction == "none" else _ONE)
    try:
        kernels["nll_loss"](result, x, target, weight, axis=axis, ignored=ignored, reduction=reduction)
    except IndexError:
        _tell_target("nll_loss", target, x.layout.shape[axis], ignored)
        raise
    return result


def nll_loss_gradient(
    gradient: NDArray, target: NDArray, weight: NDArray | None, axis: int, classes: int, ignored: int, reduction: str
) -> NDArray:
    """The gradient of `nll_loss` in x.

    Args:
        gradient: of the losses.
        classes: how many there are.
        target, weight, axis, ignored, reduction: as for `nll_loss`.

    Raises:
        ShapeError: the shapes do not fit.
    """
    target_shape = target.layout.shape
    shape = (*target_shape[:axis], classes, *target_shape[axis:])
    kernels, target, weight = _prepared("nll_loss_gradient", gradient, shape, target, weight, axis)
    if gradient.layout.shape != (target.layout.shape if reduction == "none" else ()):
        raise ShapeError(f"nll_loss_gradient: a gradient {list(gradient.layout.shape)} does not fit targets {list(target_shape)}")
    result = empty_of(kernels, Layout.dense(shape))
    params = {"axis": axis, "classes": classes, "ignored": ignored, "reduction": reduction}
    try:
        kernels["nll_loss_gradient"](result, gradient, target, weight, **params)
    except IndexError:
        _tell_target("nll_loss_gradient", target, classes, ignored)
        raise
    return result


def multi_margin_loss(x: NDArray, target: NDArray, weight: NDArray | None, p: int, margin: float, reduction: str) -> NDArray:
    """By how much the scores of other classes come nearer to that of the target than a margin, to a power; the mean over classes.

    Args:
        x: scores, of shape (N, C).
        target: classes, of shape (N,).
        weight: per class, or None: what a row counts for.
        p: 1 or 2.
        margin: see above.
        reduction: "none", "mean" (over rows) or "sum".

    Returns:
        The losses, of the target's shape or of none.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: x is not floating.
        IndexOutOfRange: a target is no class.
    """
    kernels, target, weight = _prepared("multi_margin_loss", x, x.layout.shape, target, weight, 1)
    result = empty_of(kernels, target.layout.compact if reduction == "none" else _ONE)
    try:
        kernels["multi_margin_loss"](result, x, target, weight, p=p, margin=margin, reduction=reduction)
    except IndexError:
        _tell_target("multi_margin_loss", target, x.layout.shape[1], None)
        raise
    return result


def multi_margin_loss_gradient(
    gradient: NDArray, x: NDArray, target: NDArray, weight: NDArray | None, p: int, margin: float, reduction: str
) -> NDArray:
    """The gradient of `multi_margin_loss` in x.

    Args:
        gradient: of the losses.
        x, target, weight, p, margin, reduction: as for `multi_margin_loss`.

    Raises:
        ShapeError: the shapes do not fit.
    """
    op = "multi_margin_loss_gradient"
    kernels, target, weight = _prepared(op, x, x.layout.shape, target, weight, 1)
    kernels = fused_kernels(op, x, gradient)
    if gradient.layout.shape != (target.layout.shape if reduction == "none" else ()):
        raise ShapeError(f"{op}: a gradient {list(gradient.layout.shape)} does not fit targets {list(target.layout.shape)}")
    result = empty_of(kernels, x.layout.compact)
    try:
        kernels[op](result, cast(gradient, kernels), x, target, weight, p=p, margin=margin, reduction=reduction)
    except IndexError:
        _tell_target(op, target, x.layout.shape[1], None)
        raise
    return result
