"""Fisher and Snedecor's distribution of the ratio of two variances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
import lamina_tensor.dispatch.array_functions as af
from lamina_flatarray import finfo
from lamina_tensor import Tensor

from .distribution import Distribution
from .domains import constraints
from .domains.parameters import broadcast_all
from .gamma_family import Gamma

__all__ = ["FisherSnedecor"]


class FisherSnedecor(Distribution):
    """The ratio of two means of squares, of `df1` and `df2` standard normal numbers."""

    arg_constraints = {"df1": constraints.positive, "df2": constraints.positive}
    support = constraints.positive
    has_rsample = True

    def __init__(self, df1: Any, df2: Any, validate_args: bool | None = None) -> None:
        self.df1, self.df2 = broadcast_all(df1, df2)
        super().__init__(self.df1.shape, (), validate_args)

    @property
    def mean(self) -> Tensor:
        b = lt.masked_fill(self.df2, self.df2 <= 2, float("nan"))
        return b / (b - 2)

    @property
    def mode(self) -> Tensor:
        mode = (self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2)
        return lt.where(self.df1 <= 2, float("nan"), mode)

    @property
    def variance(self) -> Tensor:
        a, b = self.df1, lt.masked_fill(self.df2, self.df2 <= 4, float("nan"))
        return 2 * b**2 * (a + b - 2) / (a * (b - 2) ** 2 * (b - 4))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        above, below = (Gamma(df * 0.5, df, validate_args=False).rsample(sample_shape) for df in (self.df1, self.df2))
        return lt.clamp(above / below, min=finfo(below.dtype).tiny)

    def log_prob(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        a, b, ratio = self.df1 * 0.5, self.df2 * 0.5, self.df1 / self.df2
        ways = af.lgamma(a + b) - af.lgamma(a) - af.lgamma(b)
        return ways + a * af.log(ratio) + (a - 1) * af.log(value) - (a + b) * af.log1p(ratio * value)
