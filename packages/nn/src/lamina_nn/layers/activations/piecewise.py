"""Activations of pieces, most of them straight."""

from __future__ import annotations

from lamina_tensor import Tensor

from ... import functional as F
from ...module import Module
from .overwriting import InPlace

__all__ = ["Hardshrink", "Hardsigmoid", "Hardswish", "Softshrink"]


class Hardsigmoid(InPlace):
    """Apply the piecewise linear sigmoid: min(max(x + 3, 0), 6) / 6.

    Args:
        inplace: whether the result is written over the input.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.Hardsigmoid()(torch.tensor([-3.0, 0.0, 3.0]))
    tensor([0.0000, 0.5000, 1.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply the activation to each item.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape; the input itself with `inplace`.
        """
        return F.hardsigmoid(input, self.inplace)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return ""


class Hardswish(InPlace):
    """Multiply by the piecewise linear sigmoid: x * min(max(x + 3, 0), 6) / 6 (Howard et al. 2019).

    Args:
        inplace: whether the result is written over the input.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.Hardswish()(torch.tensor([-1.0, 0.0, 3.0]))
    tensor([-0.3333,  0.0000,  3.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply the activation to each item.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape; the input itself with `inplace`.
        """
        return F.hardswish(input, self.inplace)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return ""


class _Shrinking(Module):
    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return str(self.lambd)


class Hardshrink(_Shrinking):
    """Set items in [-lambd, lambd] to 0, and leave all others.

    Args:
        lambd: the bound.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.Hardshrink()(torch.tensor([-2.0, 0.25, 3.0]))
    tensor([-2.,  0.,  3.])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply the activation to each item.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape.
        """
        return F.hardshrink(input, self.lambd)


class Softshrink(_Shrinking):
    """Move items towards 0 by lambd: sign(x) * max(abs(x) - lambd, 0).

    Args:
        lambd: the distance, not negative.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.Softshrink()(torch.tensor([-2.0, 0.25, 3.0]))
    tensor([-1.5000,  0.0000,  2.5000])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply the activation to each item.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape.
        """
        return F.softshrink(input, self.lambd)
