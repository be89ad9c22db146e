"""Exponential linear units: exponentials below 0, and lines above."""

from __future__ import annotations

from lamina_flatarray import UsageError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function

from ..checking import check_floating
from .overwriting import written_over

__all__ = ["celu", "celu_", "elu", "elu_", "selu", "selu_"]

_SELU_ALPHA = 1.6732632423543772848170429916717  # Klambauer et al. 2017, arXiv:1706.02515
_SELU_SCALE = 1.0507009873554804934193349852946


@torch_function
def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Apply the exponential linear unit: x where it is positive, else alpha * (exp(x) - 1) (Clevert et al. 2016).

    Args:
        input: floating-point numbers of any shape.
        alpha: the negative limit.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    Raises:
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.elu(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.8647,  0.0000,  3.0000])
    """
    check_floating("elu", input)
    return written_over(elu, input, alpha) if inplace else af.elu(input, 1.0, alpha, 1.0)


@torch_function
def elu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """Apply `elu` in place.

    Args:
        input: the tensor to overwrite.
        alpha: the negative limit.

    Returns:
        The input.

    >>> torch.nn.functional.elu_(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.8647,  0.0000,  3.0000])
    """
    return elu(input, alpha, inplace=True)


@torch_function
def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """Apply `elu` with the constants that keep mean 0 and variance 1 from layer to layer (Klambauer et al. 2017).

    Args:
        input: floating-point numbers of any shape.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    Raises:
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.selu(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-1.5202,  0.0000,  3.1521])
    """
    check_floating("selu", input)
    return written_over(selu, input) if inplace else af.elu(input, _SELU_SCALE, _SELU_ALPHA * _SELU_SCALE, 1.0)


@torch_function
def selu_(input: Tensor) -> Tensor:
    """Apply `selu` in place.

    Args:
        input: the tensor to overwrite.

    Returns:
        The input.

    >>> torch.nn.functional.selu_(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-1.5202,  0.0000,  3.1521])
    """
    return selu(input, inplace=True)


@torch_function
def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Apply the continuously differentiable `elu`: x where it is positive, else alpha * (exp(x / alpha) - 1) (Barron 2017).

    Args:
        input: floating-point numbers of any shape.
        alpha: the negative limit.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    Raises:
        UsageError: alpha is 0.
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.celu(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.8647,  0.0000,  3.0000])
    """
    if alpha == 0:
        raise UsageError("ZeroDivisionError: alpha cannot be 0 for CELU")
    check_floating("celu", input)
    return written_over(celu, input, alpha) if inplace else af.elu(input, 1.0, alpha, 1.0 / alpha)


@torch_function
def celu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """Apply `celu` in place.

    Args:
        input: the tensor to overwrite.
        alpha: the negative limit.

    Returns:
        The input.

    >>> torch.nn.functional.celu_(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.8647,  0.0000,  3.0000])
    """
    return celu(input, alpha, inplace=True)
