"""Layers that map the last dim linearly, and the layer that does nothing."""

from __future__ import annotations

import math
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError, UsageError
from lamina_tensor import Tensor

from .. import functional as F
from .. import init
from ..lazy_parameter import UninitializedParameter, is_lazy
from ..module import Module
from ..parameter import Parameter
from .convolutions.lazy import LazyModuleMixin

__all__ = ["Bilinear", "Identity", "LazyLinear", "Linear"]


class Identity(Module):
    """Return the input unchanged.

    Args:
        args, kwargs: accepted and without effect.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.Identity(54, unused=True)(torch.tensor([1.0, 2.0]))
    tensor([1., 2.])
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        """Return the input.

        Args:
            input: anything.

        Returns:
            The input itself.
        """
        return input


class Linear(Module):
    """Map the last dim linearly: x @ weight.T + bias.

    Args:
        in_features: the length of the last dim of the input.
        out_features: the length of the last dim of the output.
        bias: whether a bias is added.
        device, dtype: of the parameters.

    Shape:
        (..., in_features) to (..., out_features).

    Weight (out_features, in_features) and bias (out_features,) begin uniform within 1/sqrt(in_features), drawn in
    PyTorch's order.

    >>> layer = torch.nn.Linear(3, 2)
    >>> layer
    Linear(in_features=3, out_features=2, bias=True)
    >>> layer(torch.zeros(4, 3)).shape
    lamina.Size([4, 2])
    """

    weight: Parameter
    bias: Parameter

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(lt.empty(out_features, in_features, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(lt.empty(out_features, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new initial values, uniform within 1/sqrt(in_features).

        >>> layer = torch.nn.Linear(4, 2)
        >>> layer.reset_parameters()
        >>> bool((layer.weight.abs() <= 0.5).all())
        True
        """
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Tensor:
        """Map the last dim.

        Args:
            input: (..., in_features).

        Returns:
            (..., out_features).
        """
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class LazyLinear(LazyModuleMixin, Linear):
    """Map the last dim linearly, its length taken from the first input; the module then becomes a `Linear`.

    Args:
        out_features: the length of the last dim of the output.
        bias: whether a bias is added.
        device, dtype: of the parameters.

    Shape:
        (..., in_features) to (..., out_features).

    >>> layer = torch.nn.LazyLinear(2)
    >>> layer(torch.zeros(4, 3)).shape
    lamina.Size([4, 2])
    >>> layer
    Linear(in_features=3, out_features=2, bias=True)
    """

    cls_to_become = Linear

    def __init__(self, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None) -> None:
        super().__init__(0, 0, False)
        self.out_features = out_features
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self) -> None:
        """Draw new initial values; without effect before the parameters have their shapes."""
        if not self.has_uninitialized_params() and self.in_features:
            super().reset_parameters()

    def initialize_parameters(self, input: Tensor) -> None:
        """Give the parameters their shapes.

        Args:
            input: the first input, (..., in_features).

        Raises:
            UsageError: a weight that was loaded is for another number of features.
        """
        if self.has_uninitialized_params():
            self.in_features = input.shape[-1]
            if is_lazy(self.weight):
                self.weight.materialize((self.out_features, self.in_features))
            if is_lazy(self.bias):
                self.bias.materialize((self.out_features,))
            self.reset_parameters()
        if not self.in_features:
            if input.shape[-1] != self.weight.shape[-1]:
                raise UsageError(
                    f"The in_features inferred from input: {input.shape[-1]} is not equal to in_features from self.weight: "
                    f"{self.weight.shape[-1]}"
                )
            self.in_features = input.shape[-1]


class Bilinear(Module):
    """Compute x1 @ weight[k] @ x2 + bias[k] for each output feature k.

    Args:
        in1_features, in2_features: the lengths of the last dims of the inputs.
        out_features: the length of the last dim of the output.
        bias: whether a bias is added.
        device, dtype: of the parameters.

    Shape:
        (..., in1_features) and (..., in2_features) to (..., out_features).

    Weight (out_features, in1_features, in2_features) and bias (out_features,) begin uniform within
    1/sqrt(in1_features).

    Raises:
        ArgumentValueError: in1_features is not positive.

    >>> torch.nn.Bilinear(2, 3, 4)(torch.zeros(5, 2), torch.zeros(5, 3)).shape
    lamina.Size([5, 4])
    """

    bias: Parameter

    def __init__(
        self, in1_features: int, in2_features: int, out_features: int, bias: bool = True, device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if in1_features <= 0:
            raise ArgumentValueError(f"in1_features must be > 0, but got {in1_features}")
        self.in1_features, self.in2_features, self.out_features = in1_features, in2_features, out_features
        self.weight = Parameter(lt.empty(out_features, in1_features, in2_features, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(lt.empty(out_features, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new initial values, uniform within 1/sqrt(in1_features).

        >>> layer = torch.nn.Bilinear(4, 3, 2)
        >>> layer.reset_parameters()
        >>> bool((layer.weight.abs() <= 0.5).all())
        True
        """
        bound = 1 / math.sqrt(self.weight.shape[1])
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        """Combine two inputs.

        Args:
            input1: (..., in1_features).
            input2: (..., in2_features), the other dims those of input1.

        Returns:
            (..., out_features).
        """
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )
