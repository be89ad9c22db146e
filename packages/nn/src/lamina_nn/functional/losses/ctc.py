"""Connectionist temporal classification: the likelihood of a label sequence over all its alignments (Graves et al. 2006)."""

from __future__ import annotations

import math
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import DTypeError, ShapeError, UsageError
from lamina_ndarray.dispatch.operands import same_device
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function
from lamina_tensor.transforms.function import Function, once_differentiable

from ..checking import check_floating
from .reduction import reduced, reduction_of

__all__ = ["ctc_loss"]

_NEVER = -math.inf


def _shifted(x: Tensor, by: int) -> Tensor:
    """Columns moved to the right (left, if negative), -inf moving in."""
    edge = lt.full([x.shape[0], abs(by)], _NEVER, dtype=x.dtype, device=x.device)
    return lt.cat([edge, x[:, :-by]] if by > 0 else [x[:, -by:], edge], 1)[:, : x.shape[1]]


class _CTC(Function):
    """Losses of a batch, (N,); the gradient is that of PyTorch, which takes the log-probabilities to be normalised."""

    @staticmethod
    def forward(ctx: Any, logs: Tensor, states: Tensor, lengths: Tensor, ends: Tensor, zero_infinity: bool) -> Tensor:
        """Of logs (T, N, C), states (N, 2 S + 1) with blanks between labels, input lengths and last states (N,)."""
        steps, _, width = logs.shape[0], logs.shape[1], states.shape[1]
        at = lt.arange(width, device=logs.device)
        two_back = lt.cat([states[:, :2] * 0 - 1, states[:, :-2]], 1)[:, :width]
        skips = af.logical_and(at % 2 == 1, af.logical_and(at > 1, states != two_back))
        inside = at <= lt.unsqueeze(ends, 1)
        emitted = af.where(inside, lt.gather(logs, 2, lt.broadcast_to(states, (steps, *states.shape))), _NEVER)
        within = lt.unsqueeze(lt.unsqueeze(lt.arange(steps, device=logs.device), 1) < lengths, 2)
        shortest = int(lt.min(lengths).item()) if lengths.numel() else steps
        skipping = af.where(skips, 0.0, _NEVER).to(logs.dtype)
        two_before = lt.full([states.shape[0], 2], _NEVER, dtype=logs.dtype, device=logs.device)
        alphas = [af.where(at < 2, emitted[0], _NEVER)]
        for t in range(1, steps):
            before = alphas[-1]
            further = af.concat([two_before, before], 1)
            reached = af.logaddexp(before, further[:, 1:-1])
            reached = af.logaddexp(reached, further[:, :-2] + skipping)
            reached = reached + emitted[t]
            alphas.append(reached if t < shortest else af.where(within[t], reached, before))
        final = af.where(at >= lt.unsqueeze(ends - 1, 1), alphas[-1], _NEVER)
        likelihood = lt.logsumexp(final, 1)
        likelihood = af.where(lengths > 0, likelihood, af.where(ends == 0, 0.0, _NEVER))
        losses = -likelihood
        ctx.kept = (logs, states, lengths, ends, emitted, alphas, likelihood, skipping, zero_infinity)
        result: Tensor = af.where(losses == math.inf, 0.0, losses) if zero_infinity else losses
        return result

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Tensor) -> Any:
        """Probabilities less those of the alignments, per step and class."""
        logs, states, lengths, ends, emitted, alphas, likelihood, skipping, zero_infinity = ctx.kept
        width = states.shape[1]
        at = lt.arange(width, device=logs.device)
        last = af.logical_and(at >= lt.unsqueeze(ends - 1, 1), at <= lt.unsqueeze(ends, 1))
        beta = lt.full(list(states.shape), _NEVER, dtype=logs.dtype, device=logs.device)
        gradients: list[Tensor] = []
        for t in reversed(range(len(alphas))):
            reached = af.logaddexp(beta, _shifted(beta, -1))
            reached = af.logaddexp(reached, _shifted(beta + skipping, -2)) + emitted[t]
            starts = lt.unsqueeze(lengths == t + 1, 1)
            beta = af.where(starts, af.where(last, emitted[t], _NEVER), reached)
            shown = alphas[t] + beta - emitted[t] - lt.unsqueeze(likelihood, 1)
            posterior = lt.zeros_like(logs[t]).scatter_add(1, states, af.exp(af.where(emitted[t] == _NEVER, _NEVER, shown)))
            gradients.append(af.where(lt.unsqueeze(lengths > t, 1), af.exp(logs[t]) - posterior, 0.0))
        gradient = lt.stack(gradients[::-1]) * lt.unsqueeze(g, 1)
        if zero_infinity:
            gradient = af.where(lt.unsqueeze(likelihood == _NEVER, 1), 0.0, gradient)
        return gradient, None, None, None, None


def _vector(op: str, lengths: Any, count: int, device: Any) -> Tensor:
    vector: Tensor = lt.as_tensor(lengths, device=device)
    if vector.dtype.kind not in "ui":
        raise DTypeError(f"{op} must be integral")
    if vector.numel() != count:
        raise ShapeError(f"{op} must be of size batch_size: {vector.numel()} instead of {count}")
    return vector.reshape([-1]).to(lt.arange(1).dtype)


@torch_function(autocast="float32")
def ctc_loss(
    log_probs: Tensor, targets: Tensor, input_lengths: Any, target_lengths: Any, blank: int = 0, reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:  # fmt: skip
    """Take the negated log-likelihood of target sequences over all their alignments, with blanks and repetitions (Graves et al. 2006).

    Args:
        log_probs: normalised log-probabilities, (T, N, C) or (T, C).
        targets: labels, (N, S), or all sequences behind one another.
        input_lengths: steps per sequence, (N,) or ().
        target_lengths: labels per sequence, (N,) or ().
        blank: the class that stands for no label.
        reduction: "mean" of losses over target lengths, "sum" or "none".
        zero_infinity: whether sequences that no alignment fits count for nothing.

    Returns:
        A tensor without dims, or one for each item with "none".

    Raises:
        ShapeError: a shape or a length does not fit.
        DTypeError: targets are not integers.
        UsageError: blank is no class, or a length is negative.
        ArgumentValueError: there is no such reduction.

    >>> torch.nn.functional.ctc_loss(torch.zeros(2, 1, 3).log_softmax(2), torch.tensor([[1]]), torch.tensor([2]), torch.tensor([1]))
    tensor(1.0986)
    """
    kind = reduction_of(reduction)
    check_floating("ctc_loss", log_probs)
    single = log_probs.ndim == 2
    logs = lt.unsqueeze(log_probs, 1) if single else log_probs
    if logs.ndim != 3:
        raise ShapeError(f"ctc_loss: log_probs wants (T, N, C) or (T, C), got {tuple(log_probs.shape)}")
    if not log_probs.numel():
        raise ShapeError(f"ctc_loss: log_probs tensor must not be empty, got shape {tuple(log_probs.shape)}")
    same_device("ctc_loss", log_probs, targets)
    steps, count, classes = logs.shape
    if targets.dtype.is_inexact:
        raise DTypeError(f"ctc_loss: targets must be integers, got {targets.dtype.name}")
    if not 0 <= blank < classes:
        raise UsageError("blank must be in label range")
    lengths = _vector("input_lengths", input_lengths, count, logs.device)
    sizes = _vector("target_lengths", target_lengths, count, logs.device)
    for name, v in (("input_lengths", lengths), ("target_lengths", sizes)):
        if count and int(lt.min(v).item()) < 0:
            raise UsageError(f"Expected {name} to have value at least 0, but got value {int(lt.min(v).item())}")
    longest = int(lt.max(sizes).item()) if count else 0
    if count and int(lt.max(lengths).item()) > steps:
        raise ShapeError(f"Expected input_lengths to have value at most {steps}, but got value {int(lt.max(lengths).item())}")
    labels = targets.to(sizes.dtype)
    place = lt.arange(max(longest, 1), device=logs.device)
    used = place < lt.unsqueeze(sizes, 1)
    if labels.ndim == 1 and not (single and labels.numel() == longest):
        if labels.numel() != int(lt.sum(sizes).item()):
            raise ShapeError(f"ctc_loss: targets of size {labels.numel()} for target_lengths that sum to {int(lt.sum(sizes).item())}")
        starts = lt.cumsum(sizes, 0) - sizes
        positions = af.where(used, lt.unsqueeze(starts, 1) + place, 0)
        labels = labels[positions] if labels.numel() else positions * 0
    else:
        labels = labels.reshape([count, -1])
        if labels.shape[1] < longest:
            raise ShapeError(f"Expected tensor to have size at least {longest} at dimension 1, but got size {labels.shape[1]}")
        labels = labels[:, :longest] if longest else lt.full([count, 1], blank, dtype=sizes.dtype, device=logs.device)
    labels = af.where(used, labels, blank)
    states = lt.stack([lt.full_like(labels, blank), labels], 2).reshape([count, -1])
    states = lt.cat([states, lt.full([count, 1], blank, dtype=sizes.dtype, device=logs.device)], 1)
    losses = _CTC.apply(logs, states, lengths, sizes * 2, zero_infinity)
    if kind == "mean":
        return lt.mean(losses / lt.clamp_min(sizes, 1).to(losses.dtype))
    if kind == "none" and single:
        return lt.squeeze(losses, 0)
    return reduced(losses, kind)
