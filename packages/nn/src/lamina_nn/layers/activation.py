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
        return self._shown()


class ReLU(_InPlace):
    """max(x, 0)."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.relu(input, self.inplace)


class RReLU(_InPlace):
    """x where it is positive, else x times a slope, in training drawn between two bounds for each item."""

    def __init__(self, lower: float = 1.0 / 8, upper: float = 1.0 / 3, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.lower, self.upper = lower, upper

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.rrelu(input, self.lower, self.upper, self.training, self.inplace)

    def extra_repr(self) -> str:
        return self._shown(f"lower={self.lower}", f"upper={self.upper}")


class Threshold(_InPlace):
    """x where it is above a threshold, else a value."""

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.threshold, self.value = threshold, value

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.threshold(input, self.threshold, self.value, self.inplace)

    def extra_repr(self) -> str:
        return self._shown(f"threshold={self.threshold}", f"value={self.value}")


class Hardtanh(_InPlace):
    """x held between two bounds.

    Raises:
        ValueError: the lower one is not the smaller.
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
        """Any shape to the same."""
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self) -> str:
        return self._shown(f"min_val={self.min_val}", f"max_val={self.max_val}")


class ReLU6(Hardtanh):
    """min(max(x, 0), 6)."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)

    def extra_repr(self) -> str:
        return self._shown()


class Hardsigmoid(_InPlace):
    """relu6(x + 3) / 6."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.hardsigmoid(input, self.inplace)

    def extra_repr(self) -> str:
        return ""


class Hardswish(_InPlace):
    """x * relu6(x + 3) / 6."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.hardswish(input, self.inplace)

    def extra_repr(self) -> str:
        return ""


class _WithAlpha(_InPlace):
    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.alpha = alpha

    def extra_repr(self) -> str:
        return self._shown(f"alpha={self.alpha}")


class ELU(_WithAlpha):
    """x where it is positive, else alpha * (exp(x) - 1)."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.elu(input, self.alpha, self.inplace)


class CELU(_WithAlpha):
    """x where it is positive, else alpha * (exp(x / alpha) - 1)."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.celu(input, self.alpha, self.inplace)


class SELU(_InPlace):
    """`ELU` scaled so that activations normalise themselves (Klambauer et al. 2017)."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.selu(input, self.inplace)


class SiLU(_InPlace):
    """x * sigmoid(x)."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.silu(input, self.inplace)


class Mish(_InPlace):
    """x * tanh(softplus(x))."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.mish(input, self.inplace)


class LeakyReLU(_InPlace):
    """x where it is positive, else x times a slope."""

    def __init__(self, negative_slope: float = 1e-2, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.negative_slope = negative_slope

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self) -> str:
        return self._shown(f"negative_slope={self.negative_slope}")


class PReLU(Module):
    """x where it is positive, else x times a learned slope: one, or one per channel (dim 1).

    Args:
        num_parameters: how many slopes.
        init: what they begin with.
        device, dtype: of the slopes.
    """

    def __init__(self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None) -> None:
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        self.weight = Parameter(lt.empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set the slopes to what they begin with."""
        initial.constant_(self.weight, self.init)

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"


class GELU(Module):
    """x times the standard normal's cumulative distribution; with `approximate="tanh"`, by a hyperbolic tangent."""

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self) -> str:
        return f"approximate={self.approximate!r}"


class Softplus(Module):
    """log(1 + exp(beta * x)) / beta, and x where beta * x is above a threshold."""

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta, self.threshold = beta, threshold

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.softplus(input, self.beta, self.threshold)

    def extra_repr(self) -> str:
        return f"beta={self.beta}, threshold={self.threshold}"


class _Shrinking(Module):
    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def extra_repr(self) -> str:
        return str(self.lambd)


class Hardshrink(_Shrinking):
    """x where it is outside of [-lambd, lambd], else 0."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.hardshrink(input, self.lambd)


class Softshrink(_Shrinking):
    """x moved towards 0 by `lambd`, and 0 where it would cross it."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.softshrink(input, self.lambd)


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


class LogSigmoid(Module):
    """The logarithm of the sigmoid."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.logsigmoid(input)


class Softsign(Module):
    """x / (1 + |x|)."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.softsign(input)


class Tanhshrink(Module):
    """x - tanh(x)."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.tanhshrink(input)


class _AlongDim(Module):
    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def extra_repr(self) -> str:
        return f"dim={self.dim}"


class GLU(_AlongDim):
    """The first half along a dim times the sigmoid of the second."""

    def __init__(self, dim: int = -1) -> None:
        super().__init__(dim)

    def forward(self, input: Tensor) -> Tensor:
        """(..., 2 n, ...) to (..., n, ...)."""
        return F.glu(input, self.dim)


class Softmax(_AlongDim):
    """exp(x) / sum(exp(x)) along a dim."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.softmax(input, self.dim, _stacklevel=5)


class LogSoftmax(_AlongDim):
    """The logarithm of softmax along a dim."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.log_softmax(input, self.dim, _stacklevel=5)


class Softmin(_AlongDim):
    """Softmax of -x along a dim."""

    def forward(self, input: Tensor) -> Tensor:
        """Any shape to the same."""
        return F.softmin(input, self.dim, _stacklevel=5)


class Softmax2d(Module):
    """Softmax over the channels of (N, C, H, W) or (C, H, W)."""

    def forward(self, input: Tensor) -> Tensor:
        """Any such shape to the same.

        Raises:
            ValueError: there are other dims.
        """
        if input.ndim not in (3, 4):
            raise ArgumentValueError(f"Softmax2d: expected input to be 3D or 4D, got {input.ndim}D instead")
        return F.softmax(input, -3)
