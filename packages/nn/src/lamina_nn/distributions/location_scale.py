"""Distributions on the line that are a standard one moved and stretched: Normal, Laplace, Uniform, StudentT."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
import lamina_tensor.dispatch.array_functions as af
from lamina_flatarray import ArgumentValueError, finfo
from lamina_tensor import Tensor, no_grad

from .distribution import Distribution
from .domains import constraints
from .domains.parameters import broadcast_all
from .gamma_family import Chi2

__all__ = ["Laplace", "Normal", "StudentT", "Uniform"]


class _Symmetric(Distribution):
    """Symmetric around `loc`, where most of it lies, and stretched by `scale`."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(self.loc.shape, (), validate_args)

    @property
    def mean(self) -> Tensor:
        return self.loc

    mode = mean


class Normal(_Symmetric):
    """The normal distribution with a mean `loc` and a deviation `scale`."""

    @property
    def stddev(self) -> Tensor:
        return self.scale

    @property
    def variance(self) -> Tensor:
        return self.scale**2

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        with no_grad():
            return lt.normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        return self.loc + _standard_normal(self.loc, self._extended_shape(sample_shape)) * self.scale

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return -((value - self.loc) ** 2) / (2 * self.scale**2) - af.log(self.scale) - math.log(math.sqrt(2 * math.pi))

    def cdf(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return 0.5 * (1 + af.erf((value - self.loc) / (self.scale * math.sqrt(2))))

    def icdf(self, value: Tensor) -> Tensor:
        return self.loc + self.scale * af.erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self) -> Tensor:
        return 0.5 + 0.5 * math.log(2 * math.pi) + af.log(self.scale)


def _standard_normal(like: Tensor, shape: Sequence[int]) -> Tensor:
    return lt.empty(shape, dtype=like.dtype, device=like.device).normal_()


class Laplace(_Symmetric):
    """The double exponential distribution around `loc`."""

    @property
    def variance(self) -> Tensor:
        return 2 * self.scale**2

    @property
    def stddev(self) -> Tensor:
        return self.scale.mul(math.sqrt(2))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        u = self.loc.detach().new_empty(self._extended_shape(sample_shape)).uniform_(finfo(self.loc.dtype).eps - 1, 1)
        return self.loc - self.scale * af.sign(u) * af.log1p(-af.abs(u))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return -af.log(2 * self.scale) - af.abs(value - self.loc) / self.scale

    def cdf(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        off = value - self.loc
        return 0.5 - 0.5 * af.sign(off) * af.expm1(-af.abs(off) / self.scale)

    def icdf(self, value: Tensor) -> Tensor:
        off = value - 0.5
        return self.loc - self.scale * af.sign(off) * af.log1p(-2 * af.abs(off))

    def entropy(self) -> Tensor:
        return 1 + af.log(2 * self.scale)


class Uniform(Distribution):
    """Every number in [low, high) alike.

    Raises:
        ValueError: low is not below high.
    """

    arg_constraints = {"low": constraints.dependent, "high": constraints.dependent}
    has_rsample = True

    def __init__(self, low: Any, high: Any, validate_args: bool | None = None) -> None:
        self.low, self.high = broadcast_all(low, high)
        super().__init__(self.low.shape, (), validate_args)
        if self._validate_args and not bool(lt.all(self.low < self.high).item()):
            raise ArgumentValueError("Uniform is not defined when low>= high")

    @property
    def support(self) -> constraints.Constraint:
        return constraints.interval(self.low, self.high)

    @property
    def mean(self) -> Tensor:
        return (self.high + self.low) / 2

    @property
    def mode(self) -> Tensor:
        return self.high.mul(float("nan"))

    @property
    def stddev(self) -> Tensor:
        return (self.high - self.low) / math.sqrt(12)

    @property
    def variance(self) -> Tensor:
        return (self.high - self.low) ** 2 / 12

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        u = lt.rand(self._extended_shape(sample_shape), dtype=self.low.dtype, device=self.low.device)
        return self.low + u * (self.high - self.low)

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        inside = (self.low <= value) & (self.high > value)
        return af.log(inside.to(self.low.dtype)) - af.log(self.high - self.low)

    def cdf(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        return lt.clamp((value - self.low) / (self.high - self.low), min=0, max=1)

    def icdf(self, value: Tensor) -> Tensor:
        return value * (self.high - self.low) + self.low

    def entropy(self) -> Tensor:
        return af.log(self.high - self.low)


class StudentT(Distribution):
    """Student's t with `df` degrees of freedom, moved and stretched."""

    arg_constraints = {"df": constraints.positive, "loc": constraints.real, "scale": constraints.positive}
    support = constraints.real
    has_rsample = True

    def __init__(self, df: Any, loc: Any = 0.0, scale: Any = 1.0, validate_args: bool | None = None) -> None:
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        super().__init__(self.df.shape, (), validate_args)

    @property
    def mean(self) -> Tensor:
        return lt.where(self.df <= 1, float("nan"), self.loc)

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        finite = self.scale**2 * self.df / (self.df - 2)
        return lt.where(self.df > 2, finite, lt.where(self.df > 1, float("inf"), float("nan")).to(finite.dtype))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        x = _standard_normal(self.df, self._extended_shape(sample_shape))
        z = Chi2(self.df, validate_args=False).rsample(sample_shape)
        return self.loc + self.scale * (x * af.rsqrt(z / self.df))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        y = (value - self.loc) / self.scale
        norm = (af.log(self.scale) + 0.5 * af.log(self.df) + 0.5 * math.log(math.pi) + af.lgamma(0.5 * self.df)
                - af.lgamma(0.5 * (self.df + 1)))  # fmt: skip
        return -0.5 * (self.df + 1) * af.log1p(y**2 / self.df) - norm

    def entropy(self) -> Tensor:
        half, more = 0.5 * self.df, 0.5 * (self.df + 1)
        log_beta = af.lgamma(half) + math.lgamma(0.5) - af.lgamma(more)
        return af.log(self.scale) + more * (af.digamma(more) - af.digamma(half)) + 0.5 * af.log(self.df) + log_beta
