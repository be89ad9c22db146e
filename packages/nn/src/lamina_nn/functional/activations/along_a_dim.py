"""Gates and probabilities along a dim."""

from __future__ import annotations

import warnings
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ShapeError
from lamina_ndarray.layouts.broadcast import normalize_axis
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function

from ..checking import check_floating

__all__ = ["glu", "gumbel_softmax", "log_softmax", "softmax", "softmin"]


@torch_function
def glu(input: Tensor, dim: int = -1) -> Tensor:
    """Gate: multiply the first half along a dim by the sigmoid of the second (Dauphin et al. 2017).

    Args:
        input: floating-point numbers of any shape.
        dim: the dim to halve.

    Returns:
        The input's shape with half the length at `dim`.

    Raises:
        ShapeError: input has no dims, or the length is odd.
        IndexOutOfRange: there is no such dim.
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.glu(torch.tensor([1.0, 2.0, 0.0, 0.0]))
    tensor([0.5000, 1.0000])
    """
    check_floating("glu", input)
    if not input.ndim:
        raise ShapeError("glu does not support scalars because halving size must be even")
    size = input.shape[normalize_axis(dim, input.ndim, "glu")]
    if size % 2:
        raise ShapeError(f"Halving dimension must be even, but dimension {dim} is size {size}")
    half = size // 2
    result: Tensor = lt.narrow(input, dim, 0, half) * af.sigmoid(lt.narrow(input, dim, half, half))
    return result


def _dim_of(name: str, input: Tensor, dim: int | None, stacklevel: int) -> int:
    if dim is not None:
        return dim
    warnings.warn(
        f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",
        stacklevel=stacklevel + 1,
    )
    return 0 if input.ndim in (0, 1, 3) else 1


@torch_function
def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """Normalise exponentials along a dim: exp(x) / sum(exp(x)).

    Args:
        input: floating-point numbers of any shape.
        dim: the dim to normalise along; None is deprecated.
        _stacklevel: without effect but on the warning's place where dim is None.
        dtype: what input is cast to first; by default its own dtype.

    Returns:
        A tensor of the input's shape.

    >>> torch.nn.functional.softmax(torch.tensor([0.0, 0.0]), dim=0)
    tensor([0.5000, 0.5000])
    """
    return lt.softmax(input, _dim_of("softmax", input, dim, _stacklevel), dtype=dtype)


@torch_function
def log_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """Take the logarithm of `softmax` along a dim, without overflow.

    Args:
        input: floating-point numbers of any shape.
        dim: the dim to normalise along; None is deprecated.
        _stacklevel: without effect but on the warning's place where dim is None.
        dtype: what input is cast to first; by default its own dtype.

    Returns:
        A tensor of the input's shape.

    >>> torch.nn.functional.log_softmax(torch.tensor([0.0, 0.0]), dim=0)
    tensor([-0.6931, -0.6931])
    """
    return lt.log_softmax(input, _dim_of("log_softmax", input, dim, _stacklevel), dtype=dtype)


@torch_function
def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """Apply `softmax` to -x along a dim.

    Args:
        input: floating-point numbers of any shape.
        dim: the dim to normalise along; None is deprecated.
        _stacklevel: without effect but on the warning's place where dim is None.
        dtype: what input is cast to first; by default its own dtype.

    Returns:
        A tensor of the input's shape.

    >>> torch.nn.functional.softmin(torch.tensor([0.0, 0.0]), dim=0)
    tensor([0.5000, 0.5000])
    """
    return lt.softmax(-input, _dim_of("softmin", input, dim, _stacklevel), dtype=dtype)


@torch_function
def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
    """Sample a categorical distribution so that gradients flow: softmax of logits with Gumbel noise (Jang et al. 2017).

    Args:
        logits: unnormalised log-probabilities, (..., classes).
        tau: the temperature.
        hard: whether the sample is one-hot; its gradient is that of the soft one.
        eps: without effect, deprecated.
        dim: the dim of the classes.

    Returns:
        A tensor of the logits' shape that sums to 1 along `dim`.

    >>> torch.nn.functional.gumbel_softmax(torch.zeros(2, 3), hard=True).sum(-1)
    tensor([1., 1.])
    """
    if eps != 1e-10:
        warnings.warn("`eps` parameter is deprecated and has no effect.", stacklevel=2)
    noise = -lt.empty_like(logits.detach(), memory_format=lt.contiguous_format).exponential_().log()  # row by row, as PyTorch draws
    soft = lt.softmax((logits + noise) / tau, dim)
    if not hard:
        return soft
    place = soft.detach().argmax(dim, keepdim=True)
    return lt.zeros_like(soft.detach()).scatter(dim, place, 1.0) - soft.detach() + soft
