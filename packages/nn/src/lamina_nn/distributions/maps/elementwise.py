"""Maps of single numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
import lamina_tensor.dispatch.array_functions as af
from lamina_flatarray import finfo
from lamina_tensor import Tensor

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
    """exp(x)."""

    codomain = constraints.positive

    def _call(self, x: Tensor) -> Tensor:
        return af.exp(x)

    def _inverse(self, y: Tensor) -> Tensor:
        return af.log(y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return x


def clipped_sigmoid(x: Tensor) -> Tensor:
    """1 / (1 + exp(-x)), held off 0 and 1."""
    limits = finfo(x.dtype)
    return lt.clamp(af.sigmoid(x), min=limits.tiny, max=1.0 - limits.eps)


class SigmoidTransform(_Simple):
    """1 / (1 + exp(-x)), held off 0 and 1."""

    codomain = constraints.unit_interval

    def _call(self, x: Tensor) -> Tensor:
        return clipped_sigmoid(x)

    def _inverse(self, y: Tensor) -> Tensor:
        limits = finfo(y.dtype)
        y = lt.clamp(y, min=limits.tiny, max=1.0 - limits.eps)
        return af.log(y) - af.log1p(-y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return -af.softplus(-x) - af.softplus(x)


class SoftplusTransform(_Simple):
    """log(1 + exp(x))."""

    codomain = constraints.positive

    def _call(self, x: Tensor) -> Tensor:
        return af.softplus(x)

    def _inverse(self, y: Tensor) -> Tensor:
        return af.log(-af.expm1(-y)) + y

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return -af.softplus(-x)


class TanhTransform(_Simple):
    """tanh(x)."""

    codomain = constraints.interval(-1.0, 1.0)

    def _call(self, x: Tensor) -> Tensor:
        return af.tanh(x)

    def _inverse(self, y: Tensor) -> Tensor:
        return af.atanh(y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return 2.0 * (math.log(2.0) - x - af.softplus(-2.0 * x))


class AbsTransform(Transform):
    """|x|, whose way back takes the positive one of both numbers."""

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
    """x to the power of an exponent, a number or a tensor that broadcasts."""

    domain = codomain = constraints.positive
    bijective = True

    def __init__(self, exponent: Any, cache_size: int = 0) -> None:
        super().__init__(cache_size)
        (self.exponent,) = broadcast_all(exponent)

    @property
    def sign(self) -> Any:
        return af.sign(self.exponent)

    def _call(self, x: Tensor) -> Tensor:
        return x**self.exponent

    def _inverse(self, y: Tensor) -> Tensor:
        return y ** (1 / self.exponent)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return af.log(af.abs(self.exponent * y / x))

    def forward_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        return tuple(lt.broadcast_shapes(tuple(shape), tuple(self.exponent.shape)))

    inverse_shape = forward_shape

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PowerTransform) and _equal(self.exponent, other.exponent)

    def __hash__(self) -> int:
        return id(self)


def _equal(a: Any, b: Any) -> bool:
    return bool((lt.as_tensor(a) == lt.as_tensor(b)).all().item())


class AffineTransform(Transform):
    """loc + scale * x.

    Args:
        loc, scale: numbers, or tensors that broadcast.
        event_dim: how many last dims make one value.
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
        return self._event_dim

    @property
    def sign(self) -> Any:
        if isinstance(self.scale, Tensor):
            return af.sign(self.scale)
        return (self.scale > 0) - (self.scale < 0)

    def _call(self, x: Tensor) -> Tensor:
        return self.loc + self.scale * x

    def _inverse(self, y: Tensor) -> Tensor:
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        scale = self.scale
        found = af.log(af.abs(scale)) if isinstance(scale, Tensor) else lt.full_like(x, math.log(abs(scale)))
        if isinstance(scale, Tensor):
            found = af.broadcast_arrays(found, x)[0]
        return sum_rightmost(found, self._event_dim)

    def forward_shape(self, shape: Sequence[int]) -> tuple[int, ...]:
        sizes = [tuple(v.shape) for v in (self.loc, self.scale) if isinstance(v, Tensor)]
        return tuple(lt.broadcast_shapes(tuple(shape), *sizes))

    inverse_shape = forward_shape

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AffineTransform) and _equal(self.loc, other.loc) and _equal(self.scale, other.scale)

    def __hash__(self) -> int:
        return id(self)


class CumulativeDistributionTransform(Transform):
    """The cumulative distribution function of a distribution, which makes its samples uniform."""

    codomain = constraints.unit_interval
    bijective = True
    sign = 1

    def __init__(self, distribution: Any, cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.distribution = distribution

    @property
    def domain(self) -> constraints.Constraint:  # type: ignore[override]
        return self.distribution.support  # type: ignore[no-any-return]

    def _call(self, x: Tensor) -> Tensor:
        return self.distribution.cdf(x)  # type: ignore[no-any-return]

    def _inverse(self, y: Tensor) -> Tensor:
        return self.distribution.icdf(y)  # type: ignore[no-any-return]

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return self.distribution.log_prob(x)  # type: ignore[no-any-return]
