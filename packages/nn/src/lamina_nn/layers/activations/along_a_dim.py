"""Gates and probabilities along a dim."""

from __future__ import annotations

from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

from ... import functional as F
from ...module import Module

__all__ = ["GLU", "LogSoftmax", "Softmax", "Softmax2d", "Softmin"]


class _AlongDim(Module):
    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return f"dim={self.dim}"


class GLU(Module):
    """Gate: multiply the first half along a dim by the sigmoid of the second (Dauphin et al. 2017).

    Args:
        dim: the dim to halve; its length is even.

    Shape:
        (..., 2 * n, ...) to (..., n, ...).

    >>> torch.nn.GLU()(torch.tensor([1.0, 2.0, 0.0, 0.0]))
    tensor([0.5000, 1.0000])
    """

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Tensor) -> Tensor:
        """Gate the first half along the dim.

        Args:
            input: floating-point numbers, an even number of them along the dim.

        Returns:
            The input's shape with half the length at the dim.
        """
        return F.glu(input, self.dim)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return f"dim={self.dim}"


class Softmax(_AlongDim):
    """Normalise exponentials along a dim: exp(x) / sum(exp(x)).

    Args:
        dim: the dim along which the output sums to 1; None is deprecated.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.Softmax(dim=0)(torch.tensor([0.0, 0.0]))
    tensor([0.5000, 0.5000])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Normalise along the dim.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape.
        """
        return F.softmax(input, self.dim, _stacklevel=5)


class LogSoftmax(_AlongDim):
    """Take the logarithm of softmax along a dim: x - log(sum(exp(x))).

    Args:
        dim: the dim to normalise along; None is deprecated.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.LogSoftmax(dim=0)(torch.tensor([0.0, 0.0]))
    tensor([-0.6931, -0.6931])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Normalise along the dim.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape.
        """
        return F.log_softmax(input, self.dim, _stacklevel=5)


class Softmin(_AlongDim):
    """Apply softmax to -x along a dim: exp(-x) / sum(exp(-x)).

    Args:
        dim: the dim along which the output sums to 1; None is deprecated.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.Softmin(dim=0)(torch.tensor([0.0, 0.0]))
    tensor([0.5000, 0.5000])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Normalise along the dim.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape.
        """
        return F.softmin(input, self.dim, _stacklevel=5)


class Softmax2d(Module):
    """Apply softmax over the channels of images.

    Args:
        args, kwargs: none are accepted.

    Shape:
        (N, C, H, W) or (C, H, W); the output has the input's.

    >>> torch.nn.Softmax2d()(torch.zeros(4, 1, 2))[:, 0, 0]
    tensor([0.2500, 0.2500, 0.2500, 0.2500])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Normalise over the channels.

        Args:
            input: (N, C, H, W) or (C, H, W).

        Returns:
            A tensor of the input's shape.

        Raises:
            ArgumentValueError: the input has another number of dims.
        """
        if input.ndim not in (3, 4):
            raise ArgumentValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.ndim}D instead")
        return F.softmax(input, -3)
