"""Maps of single numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import finfo
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af

from ..domains import constraints
from ..domains.parameters import broadcast_all, sum_rightmost
from .transforms import Transform

__all__ = [
    "AbsTransform", "AffineTransform", "CumulativeDistributionTransform", "ExpTransform", "PowerTransform", "SigmoidTransform",
    "SoftplusTransform", "TanhTransform",
]  # fmt: skip


class _Simple(Transform):
    """Of single numbers, one to one, rising, and without parameters: all of a class are equal."""

    bijective = True
    sign = 1

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))


class ExpTransform(_Simple):
    """The map y = exp(x) from real to positive numbers.

    Args:
        cache_size: 1 to keep the last pair of input and output, else 0.

    >>> transform = torch.distributions.ExpTransform()
    >>> transform(torch.tensor([0.0, 1.0])), transform.inv(torch.tensor([1.0, 2.0]))
    (tensor([1.0000, 2.7183]), tensor([0.0000, 0.6931]))
    """

    codomain = constraints.positive

    def _call(self, x: Tensor) -> Tensor:
        return af.exp(x)

    def _inverse(self, y: Tensor) -> Tensor:
        return af.log(y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """Return log |dy / dx|, which is `x` itself.

        Args:
            x: where the derivative is taken.
            y: what `x` is mapped to.

        Returns:
            A tensor of the shape of `x`.
        """
        return x


def clipped_sigmoid(x: Tensor) -> Tensor:
    """Compute 1 / (1 + exp(-x)), clamped to what the dtype resolves above 0 and below 1.

    Args:
        x: real numbers.

    Returns:
        A tensor of the same shape and dtype, in (0, 1).
    """
    limits = finfo(x.dtype)
    return lt.clamp(af.sigmoid(x), min=limits.tiny, max=1.0 - limits.eps)


class SigmoidTransform(_Simple):
    """The map y = 1 / (1 + exp(-x)) from real numbers to (0, 1), clamped to what the dtype resolves between 0 and 1.

    Args:
        cache_size: 1 to keep the last pair of input and output, else 0.

    >>> transform = torch.distributions.SigmoidTransform()
    >>> y = transform(torch.tensor([-1.0, 0.0, 200.0]))
    >>> y, bool(y[2] < 1)
    (tensor([0.2689, 0.5000, 1.0000]), True)
    """

    codomain = constraints.unit_interval

    def _call(self, x: Tensor) -> Tensor:
        return clipped_sigmoid(x)

    def _inverse(self, y: Tensor) -> Tensor:
        limits = finfo(y.dtype)
        y = lt.clamp(y, min=limits.tiny, max=1.0 - limits.eps)
        return af.log(y) - af.log1p(-y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """Compute log |dy / dx| = -log(1 + exp(-x)) - log(1 + exp(x)).

        Args:
            x: where the derivative is taken.
            y: what `x` is mapped to.

        Returns:
            A tensor of the shape of `x`.
        """
        return -af.softplus(-x) - af.softplus(x)


class SoftplusTransform(_Simple):
    """The map y = log(1 + exp(x)) from real to positive numbers.

    Args:
        cache_size: 1 to keep the last pair of input and output, else 0.

    >>> transform = torch.distributions.SoftplusTransform()
    >>> transform(torch.tensor([-1.0, 0.0, 2.0]))
    tensor([0.3133, 0.6931, 2.1269])
    """

    codomain = constraints.positive

    def _call(self, x: Tensor) -> Tensor:
        return af.softplus(x)

    def _inverse(self, y: Tensor) -> Tensor:
        return af.log(-af.expm1(-y)) + y

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """Compute log |dy / dx| = -log(1 + exp(-x)).

        Args:
            x: where the derivative is taken.
            y: what `x` is mapped to.

        Returns:
            A tensor of the shape of `x`.
        """
        return -af.softplus(-x)


class TanhTransform(_Simple):
    """The map y = tanh(x) from real numbers to (-1, 1).

    Args:
        cache_size: 1 to keep the last pair of input and output, else 0.

    >>> transform = torch.distributions.TanhTransform()
    >>> transform(torch.tensor([-1.0, 2.0]))
    tensor([-0.7616,  0.9640])
    """

    codomain = constraints.interval(-1.0, 1.0)

    def _call(self, x: Tensor) -> Tensor:
        return af.tanh(x)

    def _inverse(self, y: Tensor) -> Tensor:
        return af.atanh(y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """Compute log |dy / dx| = 2 * (log(2) - x - log(1 + exp(-2 * x))), which stays exact for great |x|.

        Args:
            x: where the derivative is taken.
            y: what `x` is mapped to.

        Returns:
            A tensor of the shape of `x`.
        """
        return 2.0 * (math.log(2.0) - x - af.softplus(-2.0 * x))


class AbsTransform(Transform):
    """The map y = abs(x), which is not bijective: its inverse returns the positive of both numbers.

    Args:
        cache_size: 1 to keep the last pair of input and output, else 0.

    >>> transform = torch.distributions.AbsTransform()
    >>> transform(torch.tensor([-1.0, 2.0])), transform.inv(torch.tensor([1.0]))
    (tensor([1., 2.]), tensor([1.]))
    """

    codomain = constraints.positive

    def _call(self, x: Tensor) -> Tensor:
        return af.abs(x)

    def _inverse(self, y: Tensor) -> Tensor:
        return y

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AbsTransform)

    def __hash__(self) -> int:
        return hash(AbsTransform)


class PowerTransform(Transform):
    """The map y = x**exponent of positive numbers.

    Args:
        exponent: a number other than 0, or a tensor that broadcasts with `x`.
        cache_size: 1 to keep the last pair of input and output, else 0.

    >>> transform = torch.distributions.PowerTransform(2.0)
    >>> transform(torch.tensor([1.0, 3.0])), transform.inv(torch.tensor([4.0]))
    (tensor([1., 9.]), tensor([2.]))
    """

    domain = codomain = constraints.positive
    bijective = True

    def __init__(self, exponent: Any, cache_size: int = 0) -> None:
        super().__init__(cache_size)
        (self.exponent,) = broadcast_all(exponent)

    @property
    def sign(self) -> Any:
        """The sign of the exponent: 1 where the map rises, -1 where it falls."""
        return af.sign(self.exponent)

    def _call(self, x: Tensor) -> Tensor:
        return x**self.exponent

    def _inverse(self, y: Tensor) -> Tensor:
        return y ** (1 / self.exponent)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """Compute log |dy / dx| = log(abs(exponent * y / x)).

        Args:
            x: where the derivative is taken.
            y: what `x` is mapped to.

        Returns:
            A tensor of the shape to which `x` and the exponent broadcast.
        """
        return af.log(af.abs(self.exponent * y / x))

    def forward_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Broadcast a shape with that of the exponent, in both directions.

        Args:
            shape: the shape of the input, or of the output for `inverse_shape`.

        Returns:
            The broadcast shape.
        """
        return tuple(lt.broadcast_shapes(tuple(shape), tuple(self.exponent.shape)))

    inverse_shape = forward_shape

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PowerTransform) and _equal(self.exponent, other.exponent)

    def __hash__(self) -> int:
        return id(self)


def _equal(a: Any, b: Any) -> bool:
    return bool((lt.as_tensor(a) == lt.as_tensor(b)).all().item())


class AffineTransform(Transform):
    """The map y = loc + scale * x.

    Args:
        loc: a number, or a tensor that broadcasts with `x`.
        scale: a factor other than 0, likewise.
        event_dim: how many of the last dims make up one value: 0 for numbers, 1 for vectors, 2 for matrices.
        cache_size: 1 to keep the last pair of input and output, else 0.

    Attributes:
        domain, codomain: the real numbers, checked for whole values.

    >>> transform = torch.distributions.AffineTransform(1.0, -2.0)
    >>> transform(torch.tensor([0.0, 2.0])), transform.inv(torch.tensor([-3.0])), transform.sign
    (tensor([ 1., -3.]), tensor([2.]), -1)
    """

    bijective = True

    def __init__(self, loc: Tensor | float, scale: Tensor | float, event_dim: int = 0, cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.loc, self.scale, self._event_dim = loc, scale, event_dim
        self.domain = self.codomain = (
            constraints.independent(constraints.real, event_dim) if event_dim else constraints.real
        )

    @property
    def event_dim(self) -> int:
        """The argument `event_dim`: how many of the last dims make up one value."""
        return self._event_dim

    @property
    def sign(self) -> Any:
        """The sign of `scale`, an int for a number."""
        if isinstance(self.scale, Tensor):
            return af.sign(self.scale)
        return (self.scale > 0) - (self.scale < 0)

    def _call(self, x: Tensor) -> Tensor:
        return self.loc + self.scale * x

    def _inverse(self, y: Tensor) -> Tensor:
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """Compute log |dy / dx| = log(abs(scale)), summed over the dims of an event.

        Args:
            x: where the derivative is taken.
            y: what `x` is mapped to.

        Returns:
            A tensor of the shape of `x` without the last `event_dim` dims.
        """
        scale = self.scale
        log_scale = af.log(af.abs(scale)) if isinstance(scale, Tensor) else lt.full_like(x, math.log(abs(scale)))
        if isinstance(scale, Tensor):
            log_scale = af.broadcast_arrays(log_scale, x)[0]
        return sum_rightmost(log_scale, self._event_dim)

    def forward_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        """Broadcast a shape with those of `loc` and `scale`, in both directions.

        Args:
            shape: the shape of the input, or of the output for `inverse_shape`.

        Returns:
            The broadcast shape.
        """
        sizes = [tuple(v.shape) for v in (self.loc, self.scale) if isinstance(v, Tensor)]
        return tuple(lt.broadcast_shapes(tuple(shape), *sizes))

    inverse_shape = forward_shape

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AffineTransform) and _equal(self.loc, other.loc) and _equal(self.scale, other.scale)

    def __hash__(self) -> int:
        return id(self)


class CumulativeDistributionTransform(Transform):
    """The cumulative distribution function of a distribution as a map, which makes its samples uniform in [0, 1].

    Args:
        distribution: a distribution of numbers with `cdf`, `icdf` and `log_prob`.
        cache_size: 1 to keep the last pair of input and output, else 0.

    >>> transform = torch.distributions.CumulativeDistributionTransform(torch.distributions.Normal(0.0, 1.0))
    >>> transform(torch.tensor([-1.0, 0.0])), transform.inv(torch.tensor(0.975))
    (tensor([0.1587, 0.5000]), tensor(1.9600))
    """

    codomain = constraints.unit_interval
    bijective = True
    sign = 1

    def __init__(self, distribution: Any, cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.distribution = distribution

    @property
    def domain(self) -> constraints.Constraint:  # type: ignore[override]
        """The support of the distribution."""
        return self.distribution.support  # type: ignore[no-any-return]

    def _call(self, x: Tensor) -> Tensor:
        return self.distribution.cdf(x)  # type: ignore[no-any-return]

    def _inverse(self, y: Tensor) -> Tensor:
        return self.distribution.icdf(y)  # type: ignore[no-any-return]

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """Compute log |dy / dx|, the logarithm of the density at `x`.

        Args:
            x: where the derivative is taken.
            y: what `x` is mapped to.

        Returns:
            A tensor of the shape of `x`.
        """
        return self.distribution.log_prob(x)  # type: ignore[no-any-return]
