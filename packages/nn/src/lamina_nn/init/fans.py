"""Draws whose spread keeps the variance of activations, by how many inputs and outputs an item has."""

from __future__ import annotations

import math
import warnings
from typing import Any

from lamina_flatarray import ArgumentValueError, ShapeError
from lamina_tensor import Tensor

from .fills import normal_, uniform_

__all__ = ["calculate_gain", "kaiming_normal_", "kaiming_uniform_", "xavier_normal_", "xavier_uniform_"]

_GAINS = {"tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4}
_LINEAR = ("linear", "sigmoid", *(f"conv{kind}{n}d" for kind in ("", "_transpose") for n in (1, 2, 3)))


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """Return the factor that keeps the variance of activations through a nonlinearity.

    Args:
        nonlinearity: the name of its function in `torch.nn.functional`.
        param: the slope of `leaky_relu`; by default 0.01.

    Returns:
        A float.

    Raises:
        ArgumentValueError: the nonlinearity is unknown, or the slope is not a number.

    >>> torch.nn.init.calculate_gain("selu")
    0.75
    """
    if nonlinearity == "leaky_relu":
        if isinstance(param, bool) or not isinstance(param, (int, float, type(None))):
            raise ArgumentValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + (0.01 if param is None else param) ** 2))
    if nonlinearity in _LINEAR:
        return 1
    if nonlinearity not in _GAINS:
        raise ArgumentValueError(f"Unsupported nonlinearity {nonlinearity}")
    return _GAINS[nonlinearity]


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    """Return how many inputs one output item sees, and how many outputs one input item reaches; published code calls it, too."""
    if tensor.dim() < 2:
        raise ShapeError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    shape = tensor.shape
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    """Return the fan in or the fan out, as `mode` ("fan_in" or "fan_out", in any case) says."""
    modes = ["fan_in", "fan_out"]
    if mode.lower() not in modes:
        raise ArgumentValueError(f"Mode {mode} not supported, please use one of {modes}")
    return _calculate_fan_in_and_fan_out(tensor)[modes.index(mode.lower())]


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fill a weight with numbers that are uniform within gain * sqrt(6 / (fan_in + fan_out)) (Glorot & Bengio 2010).

    Args:
        tensor: the tensor to overwrite: (out, in, ...).
        gain: the factor of the bound; see `calculate_gain`.
        generator: the random generator; by default the global one.

    Returns:
        The tensor itself.

    Raises:
        ShapeError: the tensor has fewer than 2 dims.

    >>> bool((torch.nn.init.xavier_uniform_(torch.empty(3, 3)).abs() <= 1).all())
    True
    """
    bound = math.sqrt(3.0) * (gain * math.sqrt(2.0 / sum(_calculate_fan_in_and_fan_out(tensor))))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fill a weight with normal numbers of standard deviation gain * sqrt(2 / (fan_in + fan_out)) (Glorot & Bengio
    2010).

    Args:
        tensor: the tensor to overwrite: (out, in, ...).
        gain: the factor of the deviation; see `calculate_gain`.
        generator: the random generator; by default the global one.

    Returns:
        The tensor itself.

    Raises:
        ShapeError: the tensor has fewer than 2 dims.

    >>> torch.nn.init.xavier_normal_(torch.empty(3, 3)).shape
    lamina.Size([3, 3])
    """
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / sum(_calculate_fan_in_and_fan_out(tensor))), generator)


def _kaiming_std(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float:
    fan = _calculate_correct_fan(tensor, mode)
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def _has_none(tensor: Tensor) -> bool:
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
        return True
    return False


def kaiming_uniform_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    """Fill a weight with numbers that are uniform within gain * sqrt(3 / fan) (He et al. 2015).

    Args:
        tensor: the tensor to overwrite: (out, in, ...).
        a: the negative slope, for the nonlinearity "leaky_relu".
        mode: "fan_in" to keep the variance of the forward pass, or "fan_out" for the backward pass.
        nonlinearity: the function that follows; it sets the gain (see `calculate_gain`).
        generator: the random generator; by default the global one.

    Returns:
        The tensor itself.

    Raises:
        ShapeError: the tensor has fewer than 2 dims.
        ArgumentValueError: the mode or the nonlinearity is unknown.

    >>> bool((torch.nn.init.kaiming_uniform_(torch.empty(3, 6)).abs() <= 1).all())
    True
    """
    if _has_none(tensor):
        return tensor
    bound = math.sqrt(3.0) * _kaiming_std(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    """Fill a weight with normal numbers of standard deviation gain / sqrt(fan) (He et al. 2015).

    Args:
        tensor: the tensor to overwrite: (out, in, ...).
        a: the negative slope, for the nonlinearity "leaky_relu".
        mode: "fan_in" to keep the variance of the forward pass, or "fan_out" for the backward pass.
        nonlinearity: the function that follows; it sets the gain (see `calculate_gain`).
        generator: the random generator; by default the global one.

    Returns:
        The tensor itself.

    Raises:
        ShapeError: the tensor has fewer than 2 dims.
        ArgumentValueError: the mode or the nonlinearity is unknown.

    >>> torch.nn.init.kaiming_normal_(torch.empty(3, 6)).shape
    lamina.Size([3, 6])
    """
    if _has_none(tensor):
        return tensor
    return normal_(tensor, 0.0, _kaiming_std(tensor, a, mode, nonlinearity), generator)
