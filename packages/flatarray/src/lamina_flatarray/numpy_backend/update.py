"""Steps of optimizers over all parameters, in place and block by block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ..contract import Kernel
from .blocks import updated_blocks
from .quiet import quiet
from .view import view

__all__ = ["KERNELS"]

Array = np.ndarray[Any, Any]


def sgd_step(
    out: Sequence[Any],
    *gradients: Any,
    lr: float,
    buffers: Sequence[Any] | None = None,
    momentum: float = 0.0,
    dampening: float = 0.0,
    weight_decay: float = 0.0,
    nesterov: bool = False,
    maximize: bool = False,
    first: bool = False,
) -> None:
    """As https://docs.pytorch.org/docs/stable/generated/torch.optim.SGD.html. `first`: buffers hold nothing yet."""
    for i, (parameter, gradient) in enumerate(zip(out, gradients, strict=True)):
        targets = [view(parameter)] if not momentum or buffers is None else [view(parameter), view(buffers[i])]
        for p, *buffer, g in updated_blocks(targets, view(gradient)):
            if maximize:
                g = -g
            if weight_decay:
                g = g + weight_decay * p
            for sums in buffer:  # one, or none without momentum
                if first:
                    sums[...] = g
                else:
                    sums *= momentum
                    sums += (1 - dampening) * g if dampening else g
                g = g + momentum * sums if nesterov else sums
            p -= lr * g


def adam_step(
    out: Sequence[Any],
    *gradients: Any,
    firsts: Sequence[Any],
    seconds: Sequence[Any],
    lr: float,
    step: int,
    maxima: Sequence[Any] | None = None,
    beta1: float = 0.9,
    beta2: float = 0.999,
    eps: float = 1e-8,
    weight_decay: float = 0.0,
    decoupled: bool = False,
    maximize: bool = False,
) -> None:
    """As https://docs.pytorch.org/docs/stable/generated/torch.optim.Adam.html, and AdamW where decoupled. `step`
    counts from 1. Real and imaginary parts are parameters of their own."""
    states = [out, firsts, seconds] if maxima is None else [out, firsts, seconds, maxima]
    root_correction, rate = (1 - beta2**step) ** 0.5, lr / (1 - beta1**step)
    for gradient, *targets in zip(gradients, *states, strict=True):
        for arrays in _real_parts([*map(view, targets), view(gradient)]):
            for p, mean, square, *greatest, g in updated_blocks(arrays[:-1], arrays[-1]):
                if maximize:
                    g = -g
                if weight_decay and decoupled:
                    p *= 1 - lr * weight_decay
                elif weight_decay:
                    g = g + weight_decay * p
                change = g - mean
                change *= 1 - beta1
                mean += change
                square *= beta2
                np.multiply(g, g, out=change)
                change *= 1 - beta2
                square += change
                for maximum in greatest:  # one with amsgrad, else none
                    square = np.maximum(maximum, square, out=maximum)
                root = np.sqrt(square, out=change)
                root /= root_correction
                root += eps
                np.divide(mean, root, out=root)
                root *= rate
                p -= root


def _real_parts(arrays: list[Array]) -> list[list[Array]]:
    if arrays[0].dtype.kind != "c":
        return [arrays]
    return [[x.real for x in arrays], [x.imag for x in arrays]]


KERNELS: Final[dict[str, Kernel]] = {function.__name__: quiet(function) for function in (sgd_step, adam_step)}
