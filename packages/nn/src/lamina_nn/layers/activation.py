"""Activations as modules: shape in, the same shape out (but GLU, which halves a dim)."""

from __future__ import annotations

import warnings
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

from .. import functional as F
from .. import init as initial
from ..module import Module
from ..parameter import Parameter

__all__ = [
    "CELU", "ELU", "GELU", "GLU", "Hardshrink", "Hardsigmoid", "Hardswish", "Hardtanh", "LeakyReLU", "LogSigmoid",
    "LogSoftmax", "Mish", "PReLU", "RReLU", "ReLU", "ReLU6", "SELU", "SiLU", "Sigmoid", "Softmax", "Softmax2d", "Softmin",
    "Softplus", "Softshrink", "Softsign", "Tanh", "Tanhshrink", "Threshold",
]  # fmt: skip


class _InPlace(Module):
    """An activation that may overwrite its input."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def _shown(self, *settings: str) -> str:
        return ", ".join([*settings, *(["inplace=True"] if self.inplace else [])])

    def extra_repr(self) -> str:
        """Describe the module's settings.

        Returns:
            The text between the parentheses where the module is printed.
        """
        return self._shown()


class ReLU(_InPlace):
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


class RReLU(_InPlace):
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


class Threshold(_InPlace):
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


class Hardtanh(_InPlace):
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


class Hardsigmoid(_InPlace):
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


class Hardswish(_InPlace):
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


class _WithAlpha(_InPlace):
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


class SELU(_InPlace):
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


class SiLU(_InPlace):
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


class Mish(_InPlace):
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


class LeakyReLU(_InPlace):
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
