"""Initial values for parameters, drawn or set in place, from PyTorch's random stream."""

from __future__ import annotations

import math
import warnings
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, ShapeError
from lamina_tensor import Tensor, no_grad
from lamina_tensor.dispatch.tensor_functions import af

__all__ = [
    "calculate_gain", "constant_", "dirac_", "eye_", "kaiming_normal_",
    "kaiming_uniform_", "normal_", "ones_", "orthogonal_", "sparse_",
    "trunc_normal_", "uniform_", "xavier_normal_", "xavier_uniform_",
    "zeros_",
]  # fmt: skip

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


@no_grad()
def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Fill a tensor with numbers that are uniform in [a, b).

    Args:
        tensor: the tensor to overwrite.
        a, b: the bounds.
        generator: the random generator; by default the global one.

    Returns:
        The tensor itself.

    >>> torch.nn.init.uniform_(torch.empty(2), 1.0, 1.0)
    tensor([1., 1.])
    """
    return tensor.uniform_(a, b, generator=generator)


@no_grad()
def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Fill a tensor with normally distributed numbers.

    Args:
        tensor: the tensor to overwrite.
        mean: their mean.
        std: their standard deviation.
        generator: the random generator; by default the global one.

    Returns:
        The tensor itself.

    >>> torch.nn.init.normal_(torch.empty(2), mean=1.0, std=0.0)
    tensor([1., 1.])
    """
    return tensor.normal_(mean, std, generator=generator)


def trunc_normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, generator: Any = None
) -> Tensor:
    """Fill a tensor with normally distributed numbers, drawn again where they are outside of [a, b].

    Args:
        tensor: the tensor to overwrite.
        mean: the mean before truncation.
        std: the standard deviation before truncation.
        a, b: the bounds.
        generator: the random generator; by default the global one.

    Returns:
        The tensor itself.

    Raises:
        ArgumentValueError: std is 0.

    >>> x = torch.nn.init.trunc_normal_(torch.empty(100), a=-1.0, b=1.0)
    >>> bool((x.abs() <= 1).all())
    True
    """
    return _no_grad_trunc_normal_(tensor, mean, std, a, b, generator)


@no_grad()
def _no_grad_trunc_normal_(tensor: Tensor, mean: float, std: float, a: float, b: float, generator: Any = None) -> Tensor:
    """Do what `trunc_normal_` does; published code calls it by this name."""
    if std == 0:
        raise ArgumentValueError("trunc_normal_: std must not be 0")
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be incorrect.",
            stacklevel=4,  # past trunc_normal_ and no_grad
        )
    if tensor.is_meta:
        return tensor
    inside = (math.erf((b - mean) / std / math.sqrt(2)) - math.erf((a - mean) / std / math.sqrt(2))) / 2
    return (_redrawn if inside > 0.3 else _accepted)(tensor, mean, std, a, b, generator)


def _redrawn(tensor: Tensor, mean: float, std: float, a: float, b: float, generator: Any) -> Tensor:
    """Normal numbers; all are drawn again, and those that were outside replaced, until none is."""
    low, high = (lt.tensor(v, device="cpu", dtype=tensor.dtype).item() for v in (a, b))
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
        candidates = lt.empty_like(tensor.detach()).uniform_(a, b, generator=generator)
        tensor.copy_(candidates if pending is None else af.where(pending, candidates, tensor.detach()))
        density = candidates.sub_(mean).div_(std).pow_(2).mul_(-0.5).sub_(peak)
        refused = af.log(lt.empty_like(candidates).uniform_(generator=generator)) > density
        pending = refused if pending is None else af.logical_and(pending, refused)
    return tensor


@no_grad()
def constant_(tensor: Tensor, val: float) -> Tensor:
    """Fill a tensor with one value.

    Args:
        tensor: the tensor to overwrite.
        val: the value.

    Returns:
        The tensor itself.

    >>> torch.nn.init.constant_(torch.empty(2), 0.5)
    tensor([0.5000, 0.5000])
    """
    return tensor.fill_(val)


def zeros_(tensor: Tensor) -> Tensor:
    """Fill a tensor with zeros.

    Args:
        tensor: the tensor to overwrite.

    Returns:
        The tensor itself.

    >>> torch.nn.init.zeros_(torch.empty(2))
    tensor([0., 0.])
    """
    return constant_(tensor, 0.0)


def ones_(tensor: Tensor) -> Tensor:
    """Fill a tensor with ones.

    Args:
        tensor: the tensor to overwrite.

    Returns:
        The tensor itself.

    >>> torch.nn.init.ones_(torch.empty(2))
    tensor([1., 1.])
    """
    return constant_(tensor, 1.0)


@no_grad()
def eye_(tensor: Tensor) -> Tensor:
    """Fill a matrix with ones on its diagonal and zeros elsewhere.

    Args:
        tensor: the tensor to overwrite, 2-D.

    Returns:
        The tensor itself.

    Raises:
        ShapeError: the tensor is not 2-D.

    >>> torch.nn.init.eye_(torch.empty(2, 3))
    tensor([[1., 0., 0.],
            [0., 1., 0.]])
    """
    if tensor.ndim != 2:
        raise ShapeError("Only tensors with 2 dimensions are supported")
    return tensor.copy_(lt.eye(*tensor.shape, device=tensor.device))


@no_grad()
def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Fill the weight of a convolution so that it passes as many channels of each group as it can unchanged.

    Args:
        tensor: the tensor to overwrite: (out, in / groups, ...), 3-D to 5-D.
        groups: the groups of the convolution.

    Returns:
        The tensor itself.

    Raises:
        ShapeError: the tensor has other dims, or groups does not divide the first.

    >>> torch.nn.init.dirac_(torch.empty(1, 1, 3))
    tensor([[[0., 1., 0.]]])
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


@no_grad()
def orthogonal_(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """Fill a matrix with orthonormal rows or columns, whichever are fewer, times a gain (Saxe et al. 2013).

    It is uniform among all such matrices (Mezzadri 2007).

    Args:
        tensor: the tensor to overwrite, at least 2-D; the dims behind the first count as one.
        gain: the factor.
        generator: the random generator; by default the global one.

    Returns:
        The tensor itself.

    Raises:
        ShapeError: the tensor has fewer than 2 dims, or no view reads it as a matrix.

    >>> q = torch.nn.init.orthogonal_(torch.empty(2, 3))
    >>> torch.allclose(q @ q.T, torch.eye(2), atol=1e-6)
    True
    """
    if tensor.ndim < 2:
        raise ShapeError("Only tensors with 2 or more dimensions are supported")
    if not tensor.numel():
        return tensor
    rows = tensor.shape[0]
    normal = lt.empty(rows, tensor.numel() // rows, dtype=tensor.dtype, device=tensor.device)
    normal.normal_(0, 1, generator=generator)
    wide = rows < normal.shape[1]
    q, r = af.linalg.qr(normal.t() if wide else normal)
    q = q * af.sign(lt.diag(r))
    tensor.view(normal.shape).copy_(q.t() if wide else q)
    return tensor.mul_(gain)


@no_grad()
def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Any = None) -> Tensor:
    """Fill a matrix with normal numbers, then set a fraction of each column to zero at random (Martens 2010).

    Args:
        tensor: the tensor to overwrite, 2-D.
        sparsity: the fraction of each column that is zero, rounded up to whole items.
        std: the standard deviation of the others.
        generator: the random generator; by default the global one.

    Returns:
        The tensor itself.

    Raises:
        ShapeError: the tensor is not 2-D.

    >>> (torch.nn.init.sparse_(torch.empty(4, 2), sparsity=0.5) == 0).sum(0)
    tensor([2, 2])
    """
    if tensor.ndim != 2:
        raise ShapeError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    zeros = math.ceil(sparsity * rows)
    tensor.normal_(0, std, generator=generator)
    for column in range(columns):
        tensor[lt.randperm(rows)[:zeros], column] = 0
    return tensor


def _no_grad_uniform_(tensor: Tensor, a: float, b: float, generator: Any = None) -> Tensor:
    """Do what `uniform_` does; published code calls it by this name."""
    return uniform_(tensor, a, b, generator)


def _no_grad_normal_(tensor: Tensor, mean: float, std: float, generator: Any = None) -> Tensor:
    """Do what `normal_` does; published code calls it by this name."""
    return normal_(tensor, mean, std, generator)


def _no_grad_fill_(tensor: Tensor, val: float) -> Tensor:
    """Do what `constant_` does; published code calls it by this name."""
    return constant_(tensor, val)


def _no_grad_zero_(tensor: Tensor) -> Tensor:
    """Do what `zeros_` does; published code calls it by this name."""
    return zeros_(tensor)
