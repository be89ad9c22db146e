"""Dropout: items or whole channels zeroed at random in training, the others scaled so that the mean stays."""

from __future__ import annotations

import math
import warnings
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ShapeError
from lamina_flatarray.errors import RandomError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.torch_function import torch_function
from lamina_tensor.functions.layers import fused

from .checking import check_floating, check_tensor

__all__ = ["alpha_dropout", "dropout", "dropout1d", "dropout2d", "dropout3d", "feature_alpha_dropout"]

_ALPHA = 1.7580993408473766  # minus the limit of selu: its alpha times its scale


def check_probability(p: float) -> None:
    """Raise an error unless a number is a probability.

    Args:
        p: the number.

    Raises:
        RandomError: p is not in [0, 1].
    """
    if not 0 <= p <= 1:
        raise RandomError(f"dropout probability has to be between 0 and 1, but got {p}")


def _dropped(input: Tensor, p: float, training: bool, inplace: bool, *, channels: bool, alpha: bool) -> Tensor:
    """Dropout of items or of channels (dims 0 and 1), to 0 or to the value that keeps selu's mean and variance."""
    check_tensor("dropout", input)
    check_probability(p)
    if not training or p == 0 or not input.numel():
        return input
    if p != 1:
        check_floating("dropout", input, complex=True)
    if channels and input.ndim < 2:
        raise ShapeError(f"Feature dropout requires at least 2 dimensions in the input, got {input.ndim}")
    if p == 1:
        result: Any = input * lt.zeros((), dtype=input.dtype, device=input.device)
    elif not (channels or alpha or input.is_complex()):
        result = fused.dropout(input, p)
    else:
        shape = [*input.shape[:2], *(1,) * (input.ndim - 2)] if channels else None
        blank = lt.empty_like(input.detach()) if shape is None else input.detach().new_empty(shape)
        mask = blank.bernoulli_(1 - p)
        if alpha:
            scale = 1.0 / math.sqrt((_ALPHA**2 * p + 1) * (1 - p))
            result = input * (mask * scale) + ((mask - 1) * (_ALPHA * scale) + _ALPHA * scale * p)
        else:
            result = input * (mask / (1 - p))
    return input.copy_(result) if inplace else result


@torch_function
def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zero items at random and divide the others by 1 - p, in training (Srivastava et al. 2014).

    Args:
        input: a tensor of any shape.
        p: the probability of an item to be zeroed, in [0, 1].
        training: whether there is dropout.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    Raises:
        RandomError: p is not in [0, 1].

    >>> torch.nn.functional.dropout(torch.ones(3), p=0.5, training=False)
    tensor([1., 1., 1.])
    """
    return _dropped(input, p, training, inplace, channels=False, alpha=False)


@torch_function
def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """Set items to selu's lower limit at random, then scale and shift to keep mean and variance (Klambauer et al. 2017).

    Args:
        input: a tensor of any shape.
        p: the probability of an item to be zeroed, in [0, 1].
        training: whether there is dropout.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    Raises:
        RandomError: p is not in [0, 1].

    >>> torch.nn.functional.alpha_dropout(torch.ones(3), p=0.5)
    tensor([1., 1., 1.])
    """
    return _dropped(input, p, training, inplace, channels=False, alpha=True)


@torch_function
def feature_alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """Apply `alpha_dropout` to whole channels.

    Args:
        input: (N, C, ...).
        p: the probability of a channel to be zeroed, in [0, 1].
        training: whether there is dropout.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    Raises:
        RandomError: p is not in [0, 1].

    >>> torch.nn.functional.feature_alpha_dropout(torch.ones(1, 3), p=0.5)
    tensor([[1., 1., 1.]])
    """
    return _dropped(input, p, training, inplace, channels=True, alpha=True)


def _batched(input: Tensor, p: float, training: bool, inplace: bool, ndim: int) -> Tensor:
    """Dropout of channels of an input that may lack its batch dim."""
    if input.ndim >= ndim:
        return _dropped(input, p, training, inplace, channels=True, alpha=False)
    result = _dropped(lt.unsqueeze(input, 0), p, training, False, channels=True, alpha=False)
    result = lt.squeeze(result, 0)
    return input.copy_(result) if inplace and (training and p) else result


@torch_function
def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zero whole channels at random and divide the others by 1 - p, in training (Tompson et al. 2015).

    Args:
        input: (N, C, L) or (C, L).
        p: the probability of a channel to be zeroed, in [0, 1].
        training: whether there is dropout.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    Raises:
        RandomError: p is not in [0, 1].
        ShapeError: input has another number of dims.

    >>> torch.nn.functional.dropout1d(torch.ones(1, 1, 2), training=False).shape
    lamina.Size([1, 1, 2])
    """
    check_probability(p)
    if input.ndim not in (2, 3):
        raise ShapeError(
            f"dropout1d: Expected 2D or 3D input, but received a {input.ndim}D input. It zeroes channels of inputs with one "
            "spatial dimension, a channel dimension, and an optional batch dimension."
        )
    return _batched(input, p, training, inplace, 3)


def _warn_of_dims(name: str, ndim: int, spatial: int) -> None:
    if ndim not in (spatial + 1, spatial + 2):
        warnings.warn(
            f"{name}: Received a {ndim}-D input to {name}, which is deprecated and will result in an error in a future "
            "release. To retain the behavior and silence this warning, please use dropout instead. Note that "
            f"{name} exists to provide channel-wise dropout on inputs with {spatial} spatial dimensions, a channel dimension, "
            f"and an optional batch dimension (i.e. {spatial + 1}D or {spatial + 2}D inputs).",
            stacklevel=3,
        )


@torch_function
def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zero whole channels at random and divide the others by 1 - p, in training (Tompson et al. 2015).

    Args:
        input: (N, C, H, W).
        p: the probability of a channel to be zeroed, in [0, 1].
        training: whether there is dropout.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    Raises:
        RandomError: p is not in [0, 1].

    >>> torch.nn.functional.dropout2d(torch.ones(1, 1, 1, 2), training=False).shape
    lamina.Size([1, 1, 1, 2])
    """
    check_probability(p)
    _warn_of_dims("dropout2d", input.ndim, 2)
    if input.ndim == 3:
        warnings.warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout behavior is desired: it is "
            "read as (N, C, L). To keep that, use dropout1d.",
            stacklevel=2,
        )
    return _dropped(input, p, training, inplace, channels=True, alpha=False)


@torch_function
def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zero whole channels at random and divide the others by 1 - p, in training (Tompson et al. 2015).

    Args:
        input: (N, C, D, H, W) or (C, D, H, W).
        p: the probability of a channel to be zeroed, in [0, 1].
        training: whether there is dropout.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    Raises:
        RandomError: p is not in [0, 1].

    >>> torch.nn.functional.dropout3d(torch.ones(1, 1, 1, 1, 2), training=False).shape
    lamina.Size([1, 1, 1, 1, 2])
    """
    check_probability(p)
    _warn_of_dims("dropout3d", input.ndim, 3)
    return _batched(input, p, training, inplace, 5)
