"""Smooth activations."""

from __future__ import annotations

from lamina_tensor import Tensor

from ... import functional as F
from ...module import Module
from .overwriting import InPlace

__all__ = ["GELU", "LogSigmoid", "Mish", "SiLU", "Sigmoid", "Softplus", "Softsign", "Tanh", "Tanhshrink"]


class SiLU(InPlace):
    """Multiply by the logistic function: x * sigmoid(x).

    Args:
        inplace: whether the result is written over the input.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.SiLU()(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.2384,  0.0000,  2.8577])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply the activation to each item.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape; the input itself with `inplace`.
        """
        return F.silu(input, self.inplace)


class Mish(InPlace):
    """Multiply by the hyperbolic tangent of softplus: x * tanh(log(1 + exp(x))) (Misra 2019).

    Args:
        inplace: whether the result is written over the input.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.Mish()(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.2525,  0.0000,  2.9865])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply the activation to each item.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape; the input itself with `inplace`.
        """
        return F.mish(input, self.inplace)


class GELU(Module):
    """Multiply by the standard normal distribution function: x * Phi(x) (Hendrycks & Gimpel 2016).

    Args:
        approximate: "none", or "tanh" for the approximation by a hyperbolic tangent.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.GELU()(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.0455,  0.0000,  2.9960])
    """

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        """Apply the activation to each item.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape.
        """
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return f"approximate={self.approximate!r}"


class Softplus(Module):
    """Apply the smooth rectifier: log(1 + exp(beta * x)) / beta.

    Args:
        beta: the sharpness.
        threshold: x itself is returned where beta * x is above it.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.Softplus()(torch.tensor([-2.0, 0.0, 30.0]))
    tensor([ 0.1269,  0.6931, 30.0000])
    """

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta, self.threshold = beta, threshold

    def forward(self, input: Tensor) -> Tensor:
        """Apply the activation to each item.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape.
        """
        return F.softplus(input, self.beta, self.threshold)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return f"beta={self.beta}, threshold={self.threshold}"


class Tanh(Module):
    """Apply the hyperbolic tangent: (exp(x) - exp(-x)) / (exp(x) + exp(-x)).

    Args:
        args, kwargs: none are accepted.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.Tanh()(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.9640,  0.0000,  0.9951])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply the activation to each item.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape.
        """
        return F.tanh(input)


class Sigmoid(Module):
    """Apply the logistic function: 1 / (1 + exp(-x)).

    Args:
        args, kwargs: none are accepted.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.Sigmoid()(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([0.1192, 0.5000, 0.9526])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply the activation to each item.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape.
        """
        return F.sigmoid(input)


class LogSigmoid(Module):
    """Take the logarithm of the logistic function: -log(1 + exp(-x)).

    Args:
        args, kwargs: none are accepted.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.LogSigmoid()(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-2.1269, -0.6931, -0.0486])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply the activation to each item.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape.
        """
        return F.logsigmoid(input)


class Softsign(Module):
    """Divide by one more than the absolute value: x / (1 + abs(x)).

    Args:
        args, kwargs: none are accepted.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.Softsign()(torch.tensor([-1.0, 0.0, 3.0]))
    tensor([-0.5000,  0.0000,  0.7500])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply the activation to each item.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape.
        """
        return F.softsign(input)


class Tanhshrink(Module):
    """Subtract the hyperbolic tangent: x - tanh(x).

    Args:
        args, kwargs: none are accepted.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.Tanhshrink()(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-1.0360,  0.0000,  2.0049])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply the activation to each item.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape.
        """
        return F.tanhshrink(input)
