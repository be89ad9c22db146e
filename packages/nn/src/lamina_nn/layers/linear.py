"""The affine layer."""

from __future__ import annotations

import math
from typing import Any

import lamina_tensor as lt
from lamina_tensor import Tensor

from .. import init
from ..functional import linear
from ..module import Module
from ..parameter import Parameter

__all__ = ["Linear"]


class Linear(Module):
    """`x @ weight.T + bias`, for x of shape (..., in_features).

    Args:
        in_features: the length of the last dim that comes in.
        out_features: the length of the last dim that goes out.
        bias: whether there is a bias.
        device, dtype: of the parameters.

    Weight (out_features, in_features) and bias (out_features,) begin uniform within 1/sqrt(in_features), drawn in
    PyTorch's order.
    """

    weight: Parameter
    bias: Parameter | None

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
        """Draw new initial values."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Tensor) -> Tensor:
        """(..., in_features) to (..., out_features)."""
        return linear(input, self._parameters["weight"], self._parameters["bias"])

    def extra_repr(self) -> str:
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"
