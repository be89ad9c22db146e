"""Initial values for parameters, drawn or set in place, from PyTorch's random stream."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, ShapeError
from lamina_tensor import Tensor, no_grad
from lamina_tensor.dispatch import array_functions as af

__all__ = [
    "calculate_gain", "constant", "constant_", "dirac", "dirac_", "eye", "eye_", "kaiming_normal", "kaiming_normal_",
    "kaiming_uniform", "kaiming_uniform_", "normal", "normal_", "ones_", "orthogonal", "orthogonal_", "sparse", "sparse_",
    "trunc_normal_", "uniform", "uniform_", "xavier_normal", "xavier_normal_", "xavier_uniform", "xavier_uniform_",
    "zeros_",
]  # fmt: skip

_GAINS = {"tanh": 5.0 / 3, "relu": math.sqrt(2.0), "selu": 3.0 / 4}
_LINEAR = ("linear", "sigmoid", *(f"conv{kind}{n}d" for kind in ("", "_transpose") for n in (1, 2, 3)))


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The factor that keeps the variance of activations through a nonlinearity.

    Args:
        nonlinearity: the name of its function.
        param: the slope of `leaky_relu`.

    Raises:
        ValueError: the nonlinearity is not known, or the slope is no number.
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


def _fans(tensor: Tensor) -> tuple[int, int]:
    """How many inputs one output item sees, and how many outputs one input item reaches."""
    shape = tensor.shape
    if len(shape) < 2:
        raise ShapeError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


_calculate_fan_in_and_fan_out = _fans  # by this name programs written for PyTorch know it


@no_grad()
def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Uniform in [a, b)."""
    return tensor.uniform_(a, b, generator=generator)


@no_grad()
def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Normal with this mean and deviation."""
    return tensor.normal_(mean, std, generator=generator)


@no_grad()
def trunc_normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, generator: Any = None
) -> Tensor:
    """Normal with this mean and deviation, drawn again where outside of [a, b]."""
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be incorrect.",
            stacklevel=2,
        )
    inside = (math.erf((b - mean) / std / math.sqrt(2)) - math.erf((a - mean) / std / math.sqrt(2))) / 2
    return (_redrawn if inside > 0.3 else _accepted)(tensor, mean, std, a, b, generator)


def _redrawn(tensor: Tensor, mean: float, std: float, a: float, b: float, generator: Any) -> Tensor:
    """Normal numbers; all are drawn again, and those that were outside replaced, until none is."""
    low, high = (lt.tensor(v, dtype=tensor.dtype).item() for v in (a, b))
    tensor.normal_(mean, std, generator=generator)
    while True:
        outside = af.logical_or(tensor < low, tensor > high)
        if not bool(outside.any()):
            return tensor
        tensor.copy_(af.where(outside, lt.empty_like(tensor.detach()).normal_(mean, std, generator=generator), tensor.detach()))


def _accepted(tensor: Tensor, mean: float, std: float, a: float, b: float, generator: Any) -> Tensor:
    """Uniform numbers, kept with a probability that is the density over its peak, until all are."""
    peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2
    pending: Tensor | None = None
    while pending is None or bool(pending.any()):
        drawn = lt.empty_like(tensor.detach()).uniform_(a, b, generator=generator)
        tensor.copy_(drawn if pending is None else af.where(pending, drawn, tensor.detach()))
        density = drawn.sub_(mean).div_(std).pow_(2).mul_(-0.5).sub_(peak)
        refused = af.log(lt.empty_like(drawn).uniform_(generator=generator)) > density
        pending = refused if pending is None else af.logical_and(pending, refused)
    return tensor


@no_grad()
def constant_(tensor: Tensor, val: float) -> Tensor:
    """One value everywhere."""
    return tensor.fill_(val)


def zeros_(tensor: Tensor) -> Tensor:
    """Zeros."""
    return constant_(tensor, 0.0)


def ones_(tensor: Tensor) -> Tensor:
    """Ones."""
    return constant_(tensor, 1.0)


@no_grad()
def eye_(tensor: Tensor) -> Tensor:
    """Ones on the diagonal of a matrix, zeros elsewhere.

    Raises:
        ValueError: it is no matrix.
    """
    if tensor.ndim != 2:
        raise ShapeError("Only tensors with 2 dimensions are supported")
    return tensor.copy_(lt.eye(*tensor.shape, device=tensor.device))


@no_grad()
def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """A convolution's weight that passes as many channels of each group as it can.

    Args:
        tensor: (out, in / groups, ...), with one to three more dims.
        groups: of the convolution.

    Raises:
        ValueError: there are other dims, or the groups do not divide the first.
    """
    if tensor.ndim not in (3, 4, 5):
        raise ShapeError("Only tensors with 3, 4, or 5 dimensions are supported")
    if tensor.shape[0] % groups:
        raise ShapeError("dim 0 must be divisible by groups")
    outs = tensor.shape[0] // groups
    middle = tuple(n // 2 for n in tensor.shape[2:])
    tensor.zero_()
    for group in range(groups):
        for channel in range(min(outs, tensor.shape[1])):
            tensor[(group * outs + channel, channel, *middle)] = 1
    return tensor


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Uniform with variance 2 gain^2 / (fan in + fan out) (Glorot & Bengio 2010)."""
    bound = math.sqrt(3.0) * (gain * math.sqrt(2.0 / sum(_fans(tensor))))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Normal with variance 2 gain^2 / (fan in + fan out) (Glorot & Bengio 2010)."""
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / sum(_fans(tensor))), generator)


def _kaiming_std(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float:
    modes = ["fan_in", "fan_out"]
    if mode.lower() not in modes:
        raise ArgumentValueError(f"Mode {mode} not supported, please use one of {modes}")
    return calculate_gain(nonlinearity, a) / math.sqrt(_fans(tensor)[modes.index(mode.lower())])


def _has_none(tensor: Tensor) -> bool:
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
        return True
    return False


def kaiming_uniform_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    """Uniform with variance gain^2 / fan (He et al. 2015)."""
    if _has_none(tensor):
        return tensor
    bound = math.sqrt(3.0) * _kaiming_std(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    """Normal with variance gain^2 / fan (He et al. 2015)."""
    if _has_none(tensor):
        return tensor
    return normal_(tensor, 0.0, _kaiming_std(tensor, a, mode, nonlinearity), generator)


@no_grad()
def orthogonal_(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """Orthonormal rows or columns, whichever are fewer, times a gain (Saxe et al. 2013); uniform among all (Mezzadri 2007).

    Args:
        tensor: of two dims or more; those behind the first count as one.

    Raises:
        ValueError: there are fewer.
    """
    if tensor.ndim < 2:
        raise ShapeError("Only tensors with 2 or more dimensions are supported")
    if not tensor.numel():
        return tensor
    rows = tensor.shape[0]
    drawn = lt.empty(rows, tensor.numel() // rows, dtype=tensor.dtype, device=tensor.device)
    drawn.normal_(0, 1, generator=generator)
    wide = rows < drawn.shape[1]
    q, r = af.linalg.qr(drawn.t() if wide else drawn)
    q = q * af.sign(lt.diag(r))
    return tensor.copy_((q.t() if wide else q).reshape(tensor.shape)).mul_(gain)


@no_grad()
def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Any = None) -> Tensor:
    """A normal matrix with a share of each column, drawn at random, set to zero (Martens 2010).

    Raises:
        ValueError: it is no matrix.
    """
    if tensor.ndim != 2:
        raise ShapeError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    tensor.normal_(0, std, generator=generator)
    for column in range(columns):
        tensor[lt.randperm(rows)[:zeros], column] = 0
    return tensor


def _deprecated(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    new = function.__name__
    old = new.removesuffix("_")

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Tensor:
        warnings.warn(
            f"`nn.init.{old}` is now deprecated in favor of `nn.init.{new}`.", FutureWarning, stacklevel=2
        )
        return function(*args, **kwargs)

    call.__name__ = call.__qualname__ = old
    call.__doc__ = f"Deprecated: `{new}`."
    return call


uniform, normal, constant, eye, dirac = map(_deprecated, (uniform_, normal_, constant_, eye_, dirac_))
xavier_uniform, xavier_normal = map(_deprecated, (xavier_uniform_, xavier_normal_))
kaiming_uniform, kaiming_normal = map(_deprecated, (kaiming_uniform_, kaiming_normal_))
orthogonal, sparse = map(_deprecated, (orthogonal_, sparse_))
