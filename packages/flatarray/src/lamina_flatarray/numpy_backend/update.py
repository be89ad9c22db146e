"""Steps of optimizers over all parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ..contract import Kernel
from .view import view

__all__ = ["KERNELS"]


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


KERNELS: Final[dict[str, Kernel]] = {"sgd_step": sgd_step, "adam_step": adam_step}
