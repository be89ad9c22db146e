"""Rectifiers: items below a bound are cut off, or scaled."""

from __future__ import annotations

import warnings
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

from ... import functional as F
from ... import init as initial
from ...module import Module
from ...parameter import Parameter
from .overwriting import InPlace

__all__ = ["Hardtanh", "LeakyReLU", "PReLU", "RReLU", "ReLU", "ReLU6", "Threshold"]


class ReLU(InPlace):
    """Rectify: max(x, 0), item by item.

    Args:
        inplace: whether the result is written over the input.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.ReLU()(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([0., 0., 3.])
    """

    def forward(self, input: Tensor) -> Tensor:
        """Apply the activation to each item.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape; the input itself with `inplace`.
        """
        return F.relu(input, self.inplace)


class RReLU(InPlace):
    """Scale negative items by random slopes in training, and by the middle of the bounds otherwise (Xu et al. 2015).

    The output is x where x is positive, else slope * x, where slope is uniform in [lower, upper) for each item.

    Args:
        lower, upper: the bounds of the slopes.
        inplace: whether the result is written over the input.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.RReLU(0.25, 0.75).eval()(torch.tensor([-2.0, 3.0]))
    tensor([-1.,  3.])
    """

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.lower, self.upper = lower, upper

    def forward(self, input: Tensor) -> Tensor:
        """Apply the activation to each item.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape; the input itself with `inplace`.
        """
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return self._shown(f"lower={self.lower}", f"upper={self.upper}")


class Threshold(InPlace):
    """Replace items that are not above a threshold: x where x > threshold, else value.

    Args:
        threshold: the threshold.
        value: what replaces the other items.
        inplace: whether the result is written over the input.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.Threshold(1.0, 20.0)(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([20., 20.,  3.])
    """

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.threshold, self.value = threshold, value

    def forward(self, input: Tensor) -> Tensor:
        """Apply the activation to each item.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape; the input itself with `inplace`.
        """
        return F.threshold(input, self.threshold, self.value, self.inplace)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return self._shown(f"threshold={self.threshold}", f"value={self.value}")


class Hardtanh(InPlace):
    """Clamp items to an interval: min(max(x, min_val), max_val).

    Args:
        min_val, max_val: the bounds.
        inplace: whether the result is written over the input.
        min_value, max_value: deprecated names of the bounds.

    Shape:
        Any shape; the output has the input's.

    Raises:
        ArgumentValueError: max_val is not greater than min_val.

    >>> torch.nn.Hardtanh()(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-1.,  0.,  1.])
    """

    def __init__(
        self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False, min_value: float | None = None,
        max_value: float | None = None,
    ) -> None:  # fmt: skip
        super().__init__(inplace)
        for name, old in (("min", min_value), ("max", max_value)):
            if old is not None:
                warnings.warn(
                    f"keyword argument `{name}_value` is deprecated and rename to `{name}_val`", FutureWarning, stacklevel=2
                )
        self.min_val = min_val if min_value is None else min_value
        self.max_val = max_val if max_value is None else max_value
        if self.max_val <= self.min_val:
            raise ArgumentValueError(f"max_val {self.max_val} must be greater than min_val {self.min_val}")

    def forward(self, input: Tensor) -> Tensor:
        """Apply the activation to each item.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape; the input itself with `inplace`.
        """
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return self._shown(f"min_val={self.min_val}", f"max_val={self.max_val}")


class ReLU6(Hardtanh):
    """Clamp items to [0, 6]: min(max(x, 0), 6).

    Args:
        inplace: whether the result is written over the input.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.ReLU6()(torch.tensor([-2.0, 3.0, 8.0]))
    tensor([0., 3., 6.])
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return self._shown()


class LeakyReLU(InPlace):
    """Scale negative items: x where x is positive, else negative_slope * x.

    Args:
        negative_slope: the factor.
        inplace: whether the result is written over the input.

    Shape:
        Any shape; the output has the input's.

    >>> torch.nn.LeakyReLU(0.25)(torch.tensor([-2.0, 0.0, 3.0]))
    tensor([-0.5000,  0.0000,  3.0000])
    """

    def __init__(self, negative_slope: float = 1e-2, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.negative_slope = negative_slope

    def forward(self, input: Tensor) -> Tensor:
        """Apply the activation to each item.

        Args:
            input: floating-point numbers of any shape.

        Returns:
            A tensor of the input's shape; the input itself with `inplace`.
        """
        return F.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return self._shown(f"negative_slope={self.negative_slope}")


class PReLU(Module):
    """Scale negative items by learned slopes: x where x is positive, else weight * x (He et al. 2015).

    Args:
        num_parameters: the number of slopes: 1, or the number of channels.
        init: the initial slope.
        device, dtype: of the slopes.

    Shape:
        (N, C, ...), or any shape with a single slope; the output has the input's.

    >>> torch.nn.PReLU()(torch.tensor([-2.0, 3.0])).detach()
    tensor([-0.5000,  3.0000])
    """

    def __init__(self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None) -> None:
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        self.weight = Parameter(lt.empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set every slope to its initial value.

        >>> slopes = torch.nn.PReLU(2, init=0.5)
        >>> slopes.reset_parameters()
        >>> slopes.weight.detach()
        tensor([0.5000, 0.5000])
        """
        initial.constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Tensor:
        """Apply the activation to each item.

        Args:
            input: (N, C, ...), or any shape with a single slope.

        Returns:
            A tensor of the input's shape.
        """
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return f"num_parameters={self.num_parameters}"
