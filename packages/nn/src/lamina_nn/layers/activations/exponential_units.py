"""Exponential linear units: exponentials below 0, and lines above."""

from __future__ import annotations

from lamina_tensor import Tensor

from ... import functional as F
from .overwriting import InPlace

__all__ = ["CELU", "ELU", "SELU"]


class _WithAlpha(InPlace):
    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.alpha = alpha

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return self._shown(f"alpha={self.alpha}")


class ELU(_WithAlpha):
    """Apply the exponential linear unit: x where x is positive, else alpha * (exp(x) - 1) (Clevert et al. 2016).

    Args:
        alpha: minus the limit of negative items.
        inplace: whether the result is written over the input.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.ELU()(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.8647,  0.0000,  3.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply the activation to each item.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape; the input itself with `inplace`.
        """
        return F.elu(input, self.alpha, self.inplace)


class CELU(_WithAlpha):
    """Apply the continuously differentiable `ELU`: x where x is positive, else alpha * (exp(x / alpha) - 1) (Barron
    2017).

    Args:
        alpha: minus the limit of negative items; not 0.
        inplace: whether the result is written over the input.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.CELU(alpha=2.0)(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-1.2642,  0.0000,  3.0000])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply the activation to each item.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape; the input itself with `inplace`.
        """
        return F.celu(input, self.alpha, self.inplace)


class SELU(InPlace):
    """Apply `ELU` with the constants that keep mean 0 and variance 1 from layer to layer (Klambauer et al. 2017).

    Args:
        inplace: whether the result is written over the input.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.SELU()(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-1.5202,  0.0000,  3.1521])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply the activation to each item.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape; the input itself with `inplace`.
        """
        return F.selu(input, self.inplace)
