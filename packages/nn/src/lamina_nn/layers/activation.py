"""Layers without parameters: activations, dropout, and changes of shape."""

from __future__ import annotations

from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ShapeError
from lamina_tensor import Tensor

from .. import functional as F
from ..module import Module

__all__ = [
    "Dropout", "Flatten", "GELU", "Identity", "LogSoftmax", "ReLU", "SiLU", "Sigmoid", "Softmax", "Softplus", "Tanh",
]  # fmt: skip


class Identity(Module):
    """Its input, whatever it was made with."""

    def __init__(self, *_: Any, **__: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        """The input."""
        return input


class ReLU(Module):
    """max(x, 0)."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.relu(input, self.inplace)

    def extra_repr(self) -> str:
        return "inplace=True" if self.inplace else ""


class Tanh(Module):
    """Hyperbolic tangent."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.tanh(input)


class Sigmoid(Module):
    """1 / (1 + exp(-x))."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.sigmoid(input)


class SiLU(Module):
    """x * sigmoid(x)."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.silu(input)


class GELU(Module):
    """x times the standard normal's cumulative distribution."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.gelu(input)

    def extra_repr(self) -> str:
        return "approximate='none'"


class Softplus(Module):
    """log(1 + exp(x))."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.softplus(input)


class _AlongDim(Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.dim = dim

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class Softmax(_AlongDim):
    """exp(x) / sum(exp(x)) along a dim."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.softmax(input, self.dim)


class LogSoftmax(_AlongDim):
    """The logarithm of softmax along a dim."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.log_softmax(input, self.dim)


class Dropout(Module):
    """While training, each item zeroed with probability p, the others divided by 1 - p."""

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ShapeError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.dropout(input, self.p, self.training)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Flatten(Module):
    """The dims from `start_dim` to `end_dim` as one."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Tensor) -> Tensor:
        """(N, a, b, ...) to (N, a * b * ...) by default."""
        return lt.flatten(input, self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"
