"""Smooth activations."""

from __future__ import annotations

from lamina_flatarray import UsageError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af
from lamina_tensor.dispatch.torch_function import torch_function

from ..checking import check_floating, check_tensor
from .overwriting import written_over

__all__ = ["gelu", "logsigmoid", "mish", "sigmoid", "silu", "softplus", "softsign", "tanh", "tanhshrink"]


@torch_function
def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """Multiply by the standard normal distribution function: x * Phi(x) (Hendrycks & Gimpel 2016).

    Args:
        input: floating-point numbers of any shape.
        approximate: "none", or "tanh" for the approximation by a hyperbolic tangent.

    Returns:
        A tensor of the input's shape.

    Raises:
        UsageError: approximate is neither "none" nor "tanh".
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.gelu(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.0455,  0.0000,  2.9960])
    """
    check_floating("gelu", input)
    if approximate == "none":
        result: Tensor = af.gelu(input)
        return result
    if approximate != "tanh":
        raise UsageError("approximate argument must be either none or tanh.")
    return af.gelu_tanh(input)


@torch_function
def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """Multiply by the sigmoid: x * sigmoid(x).

    Args:
        input: floating-point numbers of any shape.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    Raises:
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.silu(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.2384,  0.0000,  2.8577])
    """
    check_floating("silu", input, complex=True)
    return written_over(silu, input) if inplace else af.silu(input)


@torch_function
def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """Multiply by tanh(softplus(x)) (Misra 2019).

    Args:
        input: floating-point numbers of any shape.
        inplace: whether the result is written over the input.

    Returns:
        A tensor of the input's shape; the input itself with `inplace`.

    Raises:
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.mish(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.2525,  0.0000,  2.9865])
    """
    check_floating("mish", input)
    return written_over(mish, input) if inplace else af.mish(input)


@torch_function
def softplus(input: Tensor, beta: float = 1, threshold: float = 20) -> Tensor:
    """Smooth `relu`: log(1 + exp(beta * x)) / beta, and x where beta * x is above the threshold.

    Args:
        input: floating-point numbers of any shape.
        beta: how sharp the bend is.
        threshold: where it becomes linear.

    Returns:
        A tensor of the input's shape.

    Raises:
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.softplus(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([0.1269, 0.6931, 3.0486])
    """
    check_floating("softplus", input)
    if beta == 1 and threshold >= 20 and input.array.flat.dtype.itemsize <= 4:
        result: Tensor = af.softplus(input)  # which is x there, to float32's last digit
        return result
    return af.scaled_softplus(input, beta, threshold)


@torch_function
def logsigmoid(input: Tensor) -> Tensor:
    """Take the logarithm of the sigmoid, without overflow.

    Args:
        input: floating-point numbers of any shape.

    Returns:
        A tensor of the input's shape.

    Raises:
        OpNotImplemented: input is not floating-point.

    >>> torch.nn.functional.logsigmoid(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-2.1269, -0.6931, -0.0486])
    """
    check_floating("logsigmoid", input)
    return af.logsigmoid(af.contiguous(input))  # PyTorch's result is row-major whatever order the input lies in


@torch_function
def softsign(input: Tensor) -> Tensor:
    """Divide by 1 + |x|.

    Args:
        input: floating-point numbers of any shape.

    Returns:
        A tensor of the input's shape.

    >>> torch.nn.functional.softsign(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.6667,  0.0000,  0.7500])
    """
    check_tensor("softsign", input)
    result: Tensor = input / (af.abs(input) + 1)
    return result


@torch_function
def tanhshrink(input: Tensor) -> Tensor:
    """Subtract the hyperbolic tangent: x - tanh(x).

    Args:
        input: floating-point numbers of any shape.

    Returns:
        A tensor of the input's shape.

    >>> torch.nn.functional.tanhshrink(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-1.0360,  0.0000,  2.0049])
    """
    check_tensor("tanhshrink", input)
    result: Tensor = input - af.tanh(input)
    return result


@torch_function
def sigmoid(input: Tensor) -> Tensor:
    """Apply the logistic function: 1 / (1 + exp(-x)).

    Args:
        input: floating-point numbers of any shape.

    Returns:
        A tensor of the input's shape.

    >>> torch.nn.functional.sigmoid(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([0.1192, 0.5000, 0.9526])
    """
    result: Tensor = af.sigmoid(input)
    return result


@torch_function
def tanh(input: Tensor) -> Tensor:
    """Apply the hyperbolic tangent.

    Args:
        input: floating-point numbers of any shape.

    Returns:
        A tensor of the input's shape.

    >>> torch.nn.functional.tanh(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.9640,  0.0000,  0.9951])
    """
    result: Tensor = af.tanh(input)
    return result
