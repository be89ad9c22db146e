"""Losses between numbers and the numbers wanted, and between distributions given by their parameters or logarithms."""

from __future__ import annotations

import math
import warnings

import lamina_ndarray as nd
import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, ShapeError, UsageError
from lamina_flatarray.promotion import promote_types
from lamina_ndarray.batching import all_slices
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function

from ..checking import check_floating, check_pair
from .reduction import as_input, reduced, reduction_of, warn_of_sizes

__all__ = ["gaussian_nll_loss", "huber_loss", "kl_div", "l1_loss", "mse_loss", "poisson_nll_loss", "smooth_l1_loss"]


def _difference(op: str, input: Tensor, target: Tensor) -> Tensor:
    """`input - target`, where booleans count as 0 and 1 beside numbers, which `-` itself refuses, and a target without dims as any other.

    Raises:
        OpNotImplemented: both are integers or booleans.
        DTypeError: one is complex.
    """
    if input.dtype is not target.dtype:
        common = promote_types(input.dtype, target.dtype)
        input, target = input.to(common), target.to(common)
    difference = input if input.dtype.kind == "b" else af.subtract(input, target)
    check_floating(op, difference)
    return difference


def _distance(input: Tensor, target: Tensor) -> Tensor:
    """`|input - target|`, where one without dims has a say in the dtype, as in PyTorch, which broadcasts them first."""
    if input.dtype is not target.dtype:
        input, target = lt.broadcast_tensors(input, target)
    return af.abs(af.subtract(input, target))


def _weighted(losses: Tensor, weight: Tensor | None, input: Tensor, reduction: str, mean_of_weights: bool) -> Tensor:
    """Losses times weights of the input's shape, reduced; the mean is that of the weights, or of the items."""
    if weight is None:
        return reduced(losses, reduction)
    if tuple(weight.shape) != tuple(input.shape):
        raise ShapeError("Weights and input must have the same size.")
    losses = losses * weight
    if reduction == "mean" and mean_of_weights:
        return lt.sum(losses) / lt.sum(weight)
    return reduced(losses, reduction)


@torch_function(autocast="float32", strict=True)
def mse_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Take the squared difference, reduced.

    Args:
        input: predictions of any shape.
        target: what they should be, of input's shape.
        size_average, reduce: deprecated; use `reduction`.
        reduction: "mean", "sum" or "none".
        weight: factors of the items, of input's shape; the mean is then weighted.

    Returns:
        A tensor without dims, or one for each item with "none".

    Raises:
        ArgumentValueError: there is no such reduction.
        ShapeError: the weights have another shape than input, or in strict mode the shapes differ.
        ArgumentTypeError: an operand is no tensor.

    >>> torch.nn.functional.mse_loss(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
    tensor(2.)
    """
    check_pair("mse_loss", input, target)
    warn_of_sizes(input, target)
    kind = reduction_of(reduction, size_average, reduce)
    return _weighted(af.square(_difference("mse_loss", input, target)), weight, input, kind, True)


@torch_function(autocast="float32", strict=True)
def l1_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """Take the absolute difference, reduced.

    Args:
        input: predictions of any shape.
        target: what they should be, of input's shape.
        size_average, reduce: deprecated; use `reduction`.
        reduction: "mean", "sum" or "none".
        weight: factors of the items, of input's shape; the mean is then weighted.

    Returns:
        A tensor without dims, or one for each item with "none".

    Raises:
        ArgumentValueError: there is no such reduction.
        ShapeError: the weights have another shape than input, or in strict mode the shapes differ.
        ArgumentTypeError: an operand is no tensor.

    >>> torch.nn.functional.l1_loss(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
    tensor(1.)
    """
    check_pair("l1_loss", input, target)
    warn_of_sizes(input, target)
    kind = reduction_of(reduction, size_average, reduce)
    return _weighted(_distance(input, target), weight, input, kind, True)


@torch_function(autocast="float32", strict=True)
def smooth_l1_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:  # fmt: skip
    """Take the absolute difference less beta / 2, and its square over 2 * beta where it is below beta (Girshick 2015).

    Args:
        input: predictions of any shape.
        target: what they should be, of input's shape.
        size_average, reduce: deprecated; use `reduction`.
        reduction: "mean", "sum" or "none".
        beta: where the square ends.

    Returns:
        A tensor without dims, or one for each item with "none".

    Raises:
        ArgumentValueError: there is no such reduction.
        UsageError: beta is negative.
        ArgumentTypeError: an operand is no tensor.

    >>> torch.nn.functional.smooth_l1_loss(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
    tensor(0.7500)
    """
    check_pair("smooth_l1_loss", input, target)
    warn_of_sizes(input, target)
    kind = reduction_of(reduction, size_average, reduce)
    if beta < 0:
        raise UsageError("smooth_l1_loss does not support negative values for beta.")
    if beta == 0:
        return reduced(_distance(input, target), kind)
    difference = _difference("smooth_l1_loss", input, target)
    losses = af.huber(difference, beta)
    return reduced(losses if beta == 1 else losses / beta, kind)


@torch_function(autocast="float32", strict=True)
def huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0, weight: Tensor | None = None
) -> Tensor:
    """Take half of the squared difference, and delta * (|difference| - delta / 2) beyond delta (Huber 1964).

    Args:
        input: predictions of any shape.
        target: what they should be, of input's shape.
        reduction: "mean", "sum" or "none".
        delta: where the square ends.
        weight: factors of the items, of input's shape.

    Returns:
        A tensor of input's dtype, without dims, or with one item for each with "none".

    Raises:
        ArgumentValueError: there is no such reduction.
        UsageError: delta is not positive.
        ShapeError: the weights have another shape than input.
        DTypeError: the losses cannot be cast to input's dtype.
        ArgumentTypeError: an operand is no tensor.

    >>> torch.nn.functional.huber_loss(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 4.0]))
    tensor(0.7500)
    """
    check_pair("huber_loss", input, target)
    warn_of_sizes(input, target)
    kind = reduction_of(reduction)
    if delta <= 0:
        raise UsageError("huber_loss does not support non-positive values for delta.")
    losses = as_input("huber_loss", af.huber(_difference("huber_loss", input, target), delta), input)
    return _weighted(losses, weight, input, kind, False)


@torch_function(autocast="float32", strict=True)
def kl_div(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:  # fmt: skip
    """Take the Kullback-Leibler divergence of a target from a distribution given by its logarithms: target * (log(target) - input).

    Args:
        input: log-probabilities.
        target: probabilities; with `log_target`, their logarithms.
        size_average, reduce: of older programs.
        reduction: "mean" over all items, "batchmean" over the first dim, "sum" or "none".
        log_target: see target.

    Returns:
        A tensor without dims, or one for each item with "none".

    Raises:
        ArgumentValueError: there is no such reduction.
        ArgumentTypeError: an operand is no tensor.

    >>> torch.nn.functional.kl_div(torch.tensor([[0.5, 0.5]]).log(), torch.tensor([[1.0, 0.0]]), reduction="batchmean")
    tensor(0.6931)
    """
    check_pair("kl_div", input, target)
    legacy = size_average is not None or reduce is not None
    if reduction == "mean" and not legacy:
        warnings.warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size."
            "'batchmean' divides only by the batch size, and aligns with the KL div math definition."
            "'mean' will be changed to behave the same as 'batchmean' in the next major release.",
            stacklevel=2,
        )
    batchmean = reduction == "batchmean" and not legacy
    kind = "sum" if batchmean else reduction_of(reduction, size_average, reduce)
    losses = af.exp(target) * (target - input) if log_target else _xlogx(target) - target * input
    total = reduced(losses, kind)
    return total / input.shape[0] if batchmean and input.ndim else total


def _xlogx(x: Tensor) -> Tensor:
    """x * log(x), 0 at 0."""
    return lt.xlogy(x, x)


@torch_function(autocast="float32", strict=True)
def poisson_nll_loss(
    input: Tensor, target: Tensor, log_input: bool = True, full: bool = False, size_average: bool | None = None,
    eps: float = 1e-8, reduce: bool | None = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """Take the negated logarithm of Poisson's probability of a count.

    Args:
        input: the rate, or, with `log_input`, its logarithm.
        target: counts.
        log_input: see input.
        full: whether Stirling's approximation of log(target!) is added, where target > 1.
        size_average, reduce: of older programs.
        eps: added to a rate before its logarithm.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor without dims, or one for each item with "none".

    Raises:
        ArgumentValueError: there is no such reduction.
        ArgumentTypeError: an operand is no tensor.

    >>> torch.nn.functional.poisson_nll_loss(torch.tensor([0.0]), torch.tensor([2.0]))
    tensor(1.)
    """
    check_pair("poisson_nll_loss", input, target)
    kind = reduction_of(reduction, size_average, reduce)
    losses = af.exp(input) - target * input if log_input else input - target * af.log(input + eps)
    if full:
        stirling = target * af.log(target) - target + af.log(target * (2 * math.pi)) * 0.5
        losses = losses + lt.masked_fill(stirling, target <= 1, 0)
    return reduced(losses, kind)


@torch_function(strict=True)
def gaussian_nll_loss(
    input: Tensor, target: Tensor, var: Tensor | float, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Tensor:
    """Take the negated logarithm of the normal density with mean `input` and variance `var` at `target`.

    Args:
        input: means.
        target: where.
        var: variances, of the input's shape, or without its last dim, or with one dim of length 1; or one number.
        full: whether the constant log(2 pi) / 2 is added.
        eps: the least variance; gradients take no notice of it.
        reduction: "mean", "sum" or "none".

    Returns:
        A tensor without dims, or one for each item with "none".

    Raises:
        ArgumentValueError: a variance is negative, or its shape does not fit, or there is no such reduction.
        ArgumentTypeError: an operand is no tensor.

    >>> torch.nn.functional.gaussian_nll_loss(torch.tensor([1.0]), torch.tensor([3.0]), torch.tensor([1.0]))
    tensor(2.)
    """
    check_pair("gaussian_nll_loss", input, target)
    if isinstance(var, (int, float)):
        if var < 0:
            raise ArgumentValueError("var has negative entry/entries")
        var = lt.ones_like(input.detach()) * var
    elif bool(nd.any(all_slices(var.array) < 0)):
        raise ArgumentValueError("var has negative entry/entries")
    shape, own = tuple(input.shape), tuple(var.shape)
    if shape != own:
        if shape[:-1] == own:
            var = lt.unsqueeze(var, -1)
        elif len(shape) != len(own) or sum(b for a, b in zip(shape, own, strict=True) if a != b) != 1:
            raise ArgumentValueError("var is of incorrect size")
    if reduction not in ("none", "mean", "sum"):
        raise ArgumentValueError(f"{reduction} is not valid")
    floored = var + (lt.clamp(var.detach(), min=eps) - var.detach())
    losses = (af.log(floored) + af.square(input - target) / floored) * 0.5
    if full:
        losses = losses + 0.5 * math.log(2 * math.pi)
    return reduced(losses, reduction)
