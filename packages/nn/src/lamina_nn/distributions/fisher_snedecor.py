"""Fisher and Snedecor's distribution of the ratio of two variances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import finfo
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af

from .distribution import Distribution
from .domains import constraints
from .domains.parameters import broadcast_all
from .gamma_family import Gamma

__all__ = ["FisherSnedecor"]


class FisherSnedecor(Distribution):
    """The F-distribution of the ratio of two mean squares, of `df1` and `df2` standard normal numbers.

    Density, with a = df1 / 2, b = df2 / 2, r = df1 / df2 and x > 0:
    gamma(a + b) / (gamma(a) * gamma(b)) * r**a * x**(a - 1) / (1 + r * x)**(a + b).

    Args:
        df1: the degrees of freedom of the numerator, positive, a number or a tensor (*batch_shape,).
        df2: the degrees of freedom of the denominator, positive, likewise; both broadcast.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: a parameter is not positive.

    >>> f = torch.distributions.FisherSnedecor(4.0, torch.tensor([2.0, 6.0]))
    >>> f.mean, f.log_prob(torch.tensor(1.0))
    (tensor([   nan, 1.5000]), tensor([-1.2164, -0.8802]))
    """

    arg_constraints = {"df1": constraints.positive, "df2": constraints.positive}
    support = constraints.positive
    has_rsample = True

    def __init__(self, df1: Any, df2: Any, validate_args: bool | None = None) -> None:
        self.df1, self.df2 = broadcast_all(df1, df2)
        super().__init__(self.df1.shape, (), validate_args)

    @property
    def mean(self) -> Tensor:
        """The mean df2 / (df2 - 2), or NaN for df2 <= 2."""
        b = lt.masked_fill(self.df2, self.df2 <= 2, float("nan"))
        return b / (b - 2)

    @property
    def mode(self) -> Tensor:
        """The mode (df1 - 2) / df1 * df2 / (df2 + 2), or NaN for df1 <= 2."""
        mode = (self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2)
        return lt.where(self.df1 <= 2, float("nan"), mode)

    @property
    def variance(self) -> Tensor:
        """The variance in closed form, or NaN for df2 <= 4."""
        a, b = self.df1, lt.masked_fill(self.df2, self.df2 <= 4, float("nan"))
        return 2 * b**2 * (a + b - 2) / (a * (b - 2) ** 2 * (b - 4))

    def rsample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw ratios of two gamma numbers of mean 1, with gradients to both parameters.

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        above, below = (Gamma(df * 0.5, df, validate_args=False).rsample(sample_shape) for df in (self.df1, self.df2))
        return lt.clamp(above / below, min=finfo(below.dtype).tiny)

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the density, item by item.

        Args:
            value: positive numbers, (*sample_shape, *batch_shape) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        a, b, ratio = self.df1 * 0.5, self.df2 * 0.5, self.df1 / self.df2
        ways = af.lgamma(a + b) - af.lgamma(a) - af.lgamma(b)
        return ways + a * af.log(ratio) + (a - 1) * af.log(value) - (a + b) * af.log1p(ratio * value)
