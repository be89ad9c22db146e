"""Distributions of how many trials come before something happens: Geometric, NegativeBinomial."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
import lamina_tensor.dispatch.array_functions as af
from lamina_flatarray import ArgumentValueError, finfo
from lamina_tensor import Tensor, no_grad

from ..domains import constraints
from ..domains.parameters import broadcast_all
from ..gamma_family import Gamma
from .trials import _Trial

__all__ = ["Geometric", "NegativeBinomial"]


class Geometric(_Trial):
    """How many trials fail before the first success."""

    support = constraints.nonnegative_integer
    has_enumerate_support = False

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        (value,) = self._kept(probs, logits)
        super().__init__(value.shape, (), validate_args)
        if self._validate_args and probs is not None and not bool(lt.all(value > 0).item()):
            raise ArgumentValueError(f"Expected parameter probs of {self!r} to be positive but found invalid values:\n{value}")

    @property
    def mean(self) -> Tensor:
        return 1.0 / self.probs - 1.0

    @property
    def mode(self) -> Tensor:
        return lt.zeros_like(self.probs)

    @property
    def variance(self) -> Tensor:
        return (1.0 / self.probs - 1.0) / self.probs

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        with no_grad():
            u = self.probs.new_empty(self._extended_shape(sample_shape)).uniform_(finfo(self.probs.dtype).tiny, 1)
            return af.floor(af.log(u) / af.log1p(-self.probs))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        value, probs = broadcast_all(value, self.probs)
        failing = lt.masked_fill(probs, (probs == 1) & (value == 0), 0.0)  # 0 * log(0) is to be 0
        return value * af.log1p(-failing) + af.log(self.probs)

    def entropy(self) -> Tensor:
        return (af.softplus(self.logits) - self.logits * self.probs) / self.probs


class NegativeBinomial(_Trial):
    """How many trials succeed before `total_count` fail, which need not be an integer."""

    arg_constraints = {
        "total_count": constraints.greater_than_eq(0),
        "probs": constraints.half_open_interval(0.0, 1.0),
        "logits": constraints.real,
    }
    support = constraints.nonnegative_integer
    has_enumerate_support = False

    def __init__(
        self, total_count: Any, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        total, value = self._kept(probs, logits, total_count)
        self.total_count = total.to(value.dtype)
        super().__init__(value.shape, (), validate_args)

    @property
    def mean(self) -> Tensor:
        return self.total_count * af.exp(self.logits)

    @property
    def mode(self) -> Tensor:
        return lt.clamp(af.floor((self.total_count - 1) * af.exp(self.logits)), min=0.0)

    @property
    def variance(self) -> Tensor:
        return self.mean / af.sigmoid(-self.logits)

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        with no_grad():
            rates = Gamma(self.total_count, af.exp(-self.logits), validate_args=False)
            return lt.poisson(rates.sample(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        n, x = self.total_count, self.logits
        ways = af.lgamma(n + value) - af.lgamma(1.0 + value) - af.lgamma(n)
        ways = lt.masked_fill(ways, n + value == 0.0, 0.0)  # nothing out of nothing is certain
        return ways - n * af.softplus(x) - value * af.softplus(-x)
