"""Dropping at random, as `torch.dropout` and its kin: `train` must be told."""

from __future__ import annotations

from lamina_tensor import Tensor
from lamina_tensor.dispatch.torch_function import torch_function

from .. import functional as F
from ..functional.dropping import _dropped


@torch_function
def dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """Zero items at random with probability p, and multiply the others by 1 / (1 - p).

    Args:
        input: a tensor of any shape.
        p: the probability of being dropped, in [0, 1].
        train: whether to drop; otherwise the input is returned.

    Returns:
        A tensor of the input's shape.

    Raises:
        RandomError: p is not in [0, 1].

    >>> torch.dropout(torch.ones(2), 0.5, train=False)
    tensor([1., 1.])
    """
    return F.dropout(input, p, train)


@torch_function
def dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """Apply `dropout` in place.

    Args:
        input: a tensor of any shape, to overwrite.
        p: the probability of being dropped, in [0, 1].
        train: whether to drop; otherwise the input is returned.

    Returns:
        The input.

    Raises:
        RandomError: p is not in [0, 1].

    >>> torch.dropout_(torch.ones(2), 0.5, train=False)
    tensor([1., 1.])
    """
    return F.dropout(input, p, train, True)


@torch_function
def alpha_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """Set items to the negative limit of `selu` at random, then scale and shift all to keep mean and variance.

    Args:
        input: a tensor of any shape.
        p: the probability of being dropped, in [0, 1].
        train: whether to drop; otherwise the input is returned.

    Returns:
        A tensor of the input's shape.

    Raises:
        RandomError: p is not in [0, 1].

    >>> torch.alpha_dropout(torch.ones(2), 0.5, train=False)
    tensor([1., 1.])
    """
    return F.alpha_dropout(input, p, train)


@torch_function
def alpha_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """Apply `alpha_dropout` in place.

    Args:
        input: a tensor of any shape, to overwrite.
        p: the probability of being dropped, in [0, 1].
        train: whether to drop; otherwise the input is returned.

    Returns:
        The input.

    Raises:
        RandomError: p is not in [0, 1].

    >>> torch.alpha_dropout_(torch.ones(2), 0.5, train=False)
    tensor([1., 1.])
    """
    return F.alpha_dropout(input, p, train, True)


@torch_function
def feature_alpha_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """Apply `alpha_dropout` to whole channels.

    Args:
        input: (N, C, ...).
        p: the probability of being dropped, in [0, 1].
        train: whether to drop; otherwise the input is returned.

    Returns:
        A tensor of the input's shape.

    Raises:
        RandomError: p is not in [0, 1].

    >>> torch.feature_alpha_dropout(torch.ones(1, 2, 1), 0.5, train=False)
    tensor([[[1.],
             [1.]]])
    """
    return F.feature_alpha_dropout(input, p, train)


@torch_function
def feature_alpha_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """Apply `feature_alpha_dropout` in place.

    Args:
        input: (N, C, ...), to overwrite.
        p: the probability of being dropped, in [0, 1].
        train: whether to drop; otherwise the input is returned.

    Returns:
        The input.

    Raises:
        RandomError: p is not in [0, 1].

    >>> torch.feature_alpha_dropout_(torch.ones(1, 2, 1), 0.5, train=False)
    tensor([[[1.],
             [1.]]])
    """
    return F.feature_alpha_dropout(input, p, train, True)


@torch_function
def feature_dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """Zero whole channels at random with probability p, and multiply the others by 1 / (1 - p).

    Args:
        input: (N, C, ...).
        p: the probability of being dropped, in [0, 1].
        train: whether to drop; otherwise the input is returned.

    Returns:
        A tensor of the input's shape.

    Raises:
        RandomError: p is not in [0, 1].

    >>> torch.feature_dropout(torch.ones(1, 2, 1), 0.5, train=False)
    tensor([[[1.],
             [1.]]])
    """
    return _dropped(input, p, train, False, channels=True, alpha=False)


@torch_function
def feature_dropout_(input: Tensor, p: float, train: bool) -> Tensor:
    """Apply `feature_dropout` in place.

    Args:
        input: (N, C, ...), to overwrite.
        p: the probability of being dropped, in [0, 1].
        train: whether to drop; otherwise the input is returned.

    Returns:
        The input.

    Raises:
        RandomError: p is not in [0, 1].

    >>> torch.feature_dropout_(torch.ones(1, 2, 1), 0.5, train=False)
    tensor([[[1.],
             [1.]]])
    """
    return _dropped(input, p, train, True, channels=True, alpha=False)
