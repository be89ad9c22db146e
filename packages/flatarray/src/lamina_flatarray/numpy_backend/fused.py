"""Softmax kernels, random fills, and the steps of optimizers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from .. import random
from ..contract import Kernel
from .view import view, wide

__all__ = ["KERNELS"]


def softmax(out: Any, x: Any, axis: int) -> None:
    """exp(x - max) over its sum."""
    source = wide(view(x))
    if not source.size:
        return
    with np.errstate(all="ignore"):
        e = np.exp(source - source.max(axis, keepdims=True))
        view(out)[...] = e / e.sum(axis, keepdims=True)


def log_softmax(out: Any, x: Any, axis: int) -> None:
    """x - max - log of the sum of exp(x - max)."""
    source = wide(view(x))
    if not source.size:
        return
    with np.errstate(all="ignore"):
        shifted = source - source.max(axis, keepdims=True)
        view(out)[...] = shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))


def _drawn(fill: Callable[..., Any]) -> Kernel:
    """A fill of contiguous memory as a kernel for any layout: draws follow the row-major order of out's items."""

    def kernel(out: Any, generator: Any, **params: Any) -> None:
        target = view(out)
        if target.flags.c_contiguous:
            fill(target.reshape(-1), generator, *params.values())
            return
        drawn = np.empty(target.size, target.dtype)
        fill(drawn, generator, *params.values())
        target[...] = drawn.reshape(target.shape)

    return kernel


def _integers(out: Any, generator: Any, low: int, high: int | None) -> None:
    if high is None:
        random.random_full(out, generator)
    else:
        random.random_integers(out, generator, low, high)


def sgd_step(
    out: Sequence[Any],
    *gradients: Any,
    buffers: Sequence[Any] | None,
    lr: float,
    momentum: float,
    dampening: float,
    weight_decay: float,
    nesterov: bool,
    maximize: bool,
    first: bool,
) -> None:
    """As https://docs.pytorch.org/docs/stable/generated/torch.optim.SGD.html."""
    with np.errstate(all="ignore"):
        for i, (parameter, gradient) in enumerate(zip(out, gradients, strict=True)):
            p, g = view(parameter), view(gradient)
            if maximize:
                g = -g
            if weight_decay:
                g = g + weight_decay * p
            if momentum and buffers is not None:
                buffer = view(buffers[i])
                if first:
                    buffer[...] = g
                else:
                    buffer *= momentum
                    buffer += (1 - dampening) * g
                g = g + momentum * buffer if nesterov else buffer
            p -= lr * g


def adam_step(
    out: Sequence[Any],
    *gradients: Any,
    firsts: Sequence[Any],
    seconds: Sequence[Any],
    maxima: Sequence[Any] | None,
    lr: float,
    beta1: float,
    beta2: float,
    eps: float,
    weight_decay: float,
    decoupled: bool,
    maximize: bool,
    step: int,
) -> None:
    """As https://docs.pytorch.org/docs/stable/generated/torch.optim.Adam.html, and AdamW where decoupled."""
    with np.errstate(all="ignore"):
        for i, (parameter, gradient) in enumerate(zip(out, gradients, strict=True)):
            p, g, mean, square = view(parameter), view(gradient), view(firsts[i]), view(seconds[i])
            if maximize:
                g = -g
            if weight_decay and decoupled:
                p *= 1 - lr * weight_decay
            elif weight_decay:
                g = g + weight_decay * p
            mean += (1 - beta1) * (g - mean)
            square *= beta2
            square += (1 - beta2) * (g * g.conj()).real.astype(square.dtype)
            if maxima is not None:
                square = np.maximum(view(maxima[i]), square, out=view(maxima[i]))
            root = np.sqrt(square)
            root *= 1 / (1 - beta2**step) ** 0.5
            root += eps
            p -= (lr / (1 - beta1**step)) * (mean / root)


KERNELS: Final[dict[str, Kernel]] = {
    "softmax": softmax,
    "log_softmax": log_softmax,
    "sgd_step": sgd_step,
    "adam_step": adam_step,
    "random_uniform": _drawn(random.uniform),
    "random_normal": _drawn(random.normal),
    "random_integers": _drawn(_integers),
    "random_permutation": _drawn(random.permutation),
    "random_bernoulli": _drawn(random.bernoulli),
}
