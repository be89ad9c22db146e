"""Losses as `torch.*` has them: the reduction is a number, 0 for none (the default where there is one), 1 for the mean, 2 for the sum."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.torch_function import torch_function

from .. import functional as F


def _named(op: str, reduction: int) -> str:
    if reduction not in (0, 1, 2):
        raise ArgumentValueError(f"{op}: reduction {reduction!r} is none of 0 (none), 1 (mean) and 2 (sum)")
    return ("none", "mean", "sum")[reduction]


@torch_function
def binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Tensor | None = None, pos_weight: Tensor | None = None, reduction: int = 0
) -> Tensor:
    """Compute the cross entropy of logits x: -(pos_weight * t * log(sigmoid(x)) + (1 - t) * log(1 - sigmoid(x))).

    Args:
        input: logits of any shape.
        target: probabilities, of the same shape.
        weight: of each item; its shape broadcasts to the input's.
        pos_weight: of the positive class; its shape broadcasts to the input's.
        reduction: 0 for none, 1 for the mean, 2 for the sum.

    Returns:
        The losses, or a tensor without dims for their mean or sum.

    Raises:
        ArgumentValueError: reduction is none of 0, 1 and 2.

    >>> torch.binary_cross_entropy_with_logits(torch.tensor([0.0]), torch.tensor([1.0]))
    tensor([0.6931])
    """
    kind = _named("binary_cross_entropy_with_logits", reduction)
    return F.binary_cross_entropy_with_logits(input, target, weight, reduction=kind, pos_weight=pos_weight)


@torch_function
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = 0
) -> Tensor:
    """Compute 1 - cos(input1, input2) where the target is 1, and max(0, cos(input1, input2) - margin) where it is -1.

    Args:
        input1, input2: (N, D), or (D,).
        target: 1 or -1, (N,), or ().
        margin: the cosine that unlike vectors may have.
        reduction: 0 for none, 1 for the mean, 2 for the sum.

    Returns:
        The losses, or a tensor without dims for their mean or sum.

    Raises:
        ArgumentValueError: reduction is none of 0, 1 and 2.

    >>> x, y = torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0]])
    >>> torch.cosine_embedding_loss(x, y, torch.tensor([1.0]))
    tensor([1.])
    """
    return F.cosine_embedding_loss(input1, input2, target, margin, reduction=_named("cosine_embedding_loss", reduction))


@torch_function
def ctc_loss(
    log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, blank: int = 0, reduction: int = 0,
    zero_infinity: bool = False,
) -> Tensor:  # fmt: skip
    """Compute the negative log-likelihood of label sequences, summed over all alignments to the time steps.

    Args:
        log_probs: log-probabilities, (T, N, C), or (T, C).
        targets: labels, (N, S), or all of them in a row.
        input_lengths, target_lengths: of each sequence, (N,): a tensor or a tuple.
        blank: the class that stands for no label.
        reduction: 0 for none, 1 for the mean, 2 for the sum. The mean is of losses divided by target lengths.
        zero_infinity: whether infinite losses, and their gradients, are replaced by 0.

    Returns:
        The losses, or a tensor without dims for their mean or sum.

    Raises:
        ArgumentValueError: reduction is none of 0, 1 and 2.

    >>> log_probs = torch.full((2, 1, 2), 0.5).log()
    >>> torch.ctc_loss(log_probs, torch.tensor([[1]]), (2,), (1,))
    tensor([0.2877])
    """
    kind = _named("ctc_loss", reduction)
    return F.ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, kind, zero_infinity)


@torch_function(strict=True)
def hinge_embedding_loss(input: Tensor, target: Tensor, margin: float = 1.0, reduction: int = 0) -> Tensor:
    """Return the input, a distance, where the target is 1, and max(0, margin - input) where it is -1.

    Args:
        input: distances of any shape.
        target: 1 or -1, of the same shape.
        margin: the distance that unlike pairs should have.
        reduction: 0 for none, 1 for the mean, 2 for the sum.

    Returns:
        The losses, or a tensor without dims for their mean or sum.

    Raises:
        ArgumentValueError: reduction is none of 0, 1 and 2.

    >>> torch.hinge_embedding_loss(torch.tensor([0.5, 0.25]), torch.tensor([1.0, -1.0]))
    tensor([0.5000, 0.7500])
    """
    return F.hinge_embedding_loss(input, target, margin, reduction=_named("hinge_embedding_loss", reduction))


@torch_function(strict=True)
def kl_div(input: Tensor, target: Tensor, reduction: int = 0, *, log_target: bool = False) -> Tensor:
    """Compute the Kullback-Leibler divergence from log-probabilities to a target: target * (log(target) - input).

    Args:
        input: log-probabilities of any shape.
        target: probabilities, or with `log_target` their logarithms, of the same shape.
        reduction: 0 for none, 1 for the mean, 2 for the sum.
        log_target: whether targets are log-probabilities, too.

    Returns:
        The losses, or a tensor without dims for their mean or sum.

    Raises:
        ArgumentValueError: reduction is none of 0, 1 and 2.

    >>> torch.kl_div(torch.tensor([0.5, 0.5]).log(), torch.tensor([1.0, 0.0]))
    tensor([0.6931, 0.0000])
    """
    losses = F.kl_div(input, target, reduction="none", log_target=log_target)
    kind = _named("kl_div", reduction)  # the mean is meant here, of which `functional` warns
    return losses if kind == "none" else losses.mean() if kind == "mean" else losses.sum()


@torch_function(strict=True)
def margin_ranking_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = 0
) -> Tensor:
    """Compute max(0, -target * (input1 - input2) + margin), for targets 1, where input1 should rank higher, and -1.

    Args:
        input1, input2: scores of one shape.
        target: 1 or -1, of this shape.
        margin: the difference that is wanted.
        reduction: 0 for none, 1 for the mean, 2 for the sum.

    Returns:
        The losses, or a tensor without dims for their mean or sum.

    Raises:
        ArgumentValueError: reduction is none of 0, 1 and 2.

    >>> torch.margin_ranking_loss(torch.tensor([1.0]), torch.tensor([3.0]), torch.tensor([1.0]))
    tensor([2.])
    """
    return F.margin_ranking_loss(input1, input2, target, margin, reduction=_named("margin_ranking_loss", reduction))


@torch_function(strict=True)
def poisson_nll_loss(input: Tensor, target: Tensor, log_input: bool, full: bool, eps: float, reduction: int) -> Tensor:
    """Compute the negative log-likelihood of counts under Poisson distributions.

    Args:
        input: rates, or their logarithms, of any shape.
        target: the counts, of the same shape.
        log_input: whether inputs are logarithms of rates.
        full: whether Stirling's approximation of log(target!) is added where the target is above 1.
        eps: keeps the logarithm finite, where `log_input` is not set.
        reduction: 0 for none, 1 for the mean, 2 for the sum.

    Returns:
        The losses, or a tensor without dims for their mean or sum.

    Raises:
        ArgumentValueError: reduction is none of 0, 1 and 2.

    >>> torch.poisson_nll_loss(torch.tensor([0.0]), torch.tensor([2.0]), True, False, 1e-8, 0)
    tensor([1.])
    """
    kind = _named("poisson_nll_loss", reduction)
    return F.poisson_nll_loss(input, target, log_input, full, eps=eps, reduction=kind)


@torch_function
def triplet_margin_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2.0, eps: float = 1e-6,
    swap: bool = False, reduction: int = 0,
) -> Tensor:  # fmt: skip
    """Compute max(0, d(anchor, positive) - d(anchor, negative) + margin), d being the p-norm of the difference.

    Args:
        anchor, positive, negative: (N, D), or (D,).
        margin: the difference of distances that is wanted.
        p: the exponent of the norm.
        eps: added to each difference of items.
        swap: whether d(positive, negative) is used where it is less than d(anchor, negative).
        reduction: 0 for none, 1 for the mean, 2 for the sum.

    Returns:
        The losses, or a tensor without dims for their mean or sum.

    Raises:
        ArgumentValueError: reduction is none of 0, 1 and 2.

    >>> x, y, z = torch.zeros(1, 2), torch.tensor([[3.0, 4.0]]), torch.tensor([[0.0, 2.0]])
    >>> torch.triplet_margin_loss(x, y, z, eps=0.0)
    tensor([4.])
    """
    kind = _named("triplet_margin_loss", reduction)
    return F.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, reduction=kind)
