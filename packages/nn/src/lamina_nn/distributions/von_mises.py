"""The von Mises distribution: angles around a mean."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import lamina_tensor as lt
from lamina_flatarray import bool as bool_
from lamina_flatarray import float64
from lamina_tensor import Tensor, no_grad
from lamina_tensor.dispatch.tensor_functions import af

from .distribution import Distribution
from .domains import constraints
from .domains.parameters import broadcast_all, lazy_property

__all__ = ["VonMises"]


class VonMises(Distribution):
    """The von Mises distribution of angles, the counterpart of the normal distribution on the circle.

    Density: exp(concentration * cos(x - loc)) / (2 * pi * I0(concentration)), with the modified Bessel function I0.

    Args:
        loc: the mean direction in radians, a number or a tensor (*batch_shape,).
        concentration: how closely angles gather around `loc`, positive, likewise; both broadcast.
        validate_args: whether parameters and values are checked; see `Distribution`.

    Raises:
        ValueError: `loc` is NaN, or `concentration` is not positive.

    >>> angles = torch.distributions.VonMises(0.0, 4.0)
    >>> angles.log_prob(torch.tensor(0.0)), angles.variance
    (tensor(-0.2628), tensor(0.1365))
    >>> angles.sample((5,)).shape
    lamina.Size([5])
    """

    arg_constraints = {"loc": constraints.real, "concentration": constraints.positive}
    support = constraints.real
    has_rsample = False

    def __init__(self, loc: Any, concentration: Any, validate_args: bool | None = None) -> None:
        self.loc, self.concentration = broadcast_all(loc, concentration)
        super().__init__(self.loc.shape, (), validate_args)

    def _scaled_bessel(self, order: int) -> Tensor:
        """exp(-x) times the modified Bessel function of the concentration."""
        return (af.special.i0e, af.special.i1e)[order](self.concentration)

    def log_prob(self, value: Tensor) -> Tensor:
        """Compute the logarithm of the density, with exponentially scaled Bessel functions that do not overflow.

        Args:
            value: angles in radians, (*sample_shape, *batch_shape) or any shape that broadcasts with the batch.

        Returns:
            (*sample_shape, *batch_shape).
        """
        if self._validate_args:
            self._validate_sample(value)
        k = self.concentration
        return k * (af.cos(value - self.loc) - 1) - math.log(2 * math.pi) - af.log(self._scaled_bessel(0))

    @property
    def mean(self) -> Tensor:
        """The circular mean `loc`."""
        return self.loc

    mode = mean

    @property
    def variance(self) -> Tensor:
        """The circular variance 1 - I1(concentration) / I0(concentration), in [0, 1]."""
        return 1 - self._scaled_bessel(1) / self._scaled_bessel(0)

    @lazy_property
    def _proposal_r(self) -> Tensor:
        """The parameter of the wrapped Cauchy distribution that samples are proposed from."""
        k = self.concentration.to(float64)
        tau = 1 + af.sqrt(1 + 4 * k**2)
        rho = (tau - af.sqrt(2 * tau)) / (2 * k)
        return lt.where(k < 1e-5, 1 / k + k, (1 + rho**2) / (2 * rho))

    def sample(self, sample_shape: Sequence[int] = ()) -> Tensor:
        """Draw angles in [-pi, pi) by rejection from a wrapped Cauchy distribution, in float64 (Best and Fisher, 1979,
        https://doi.org/10.2307/2346732).

        Args:
            sample_shape: how many samples, as dims before those of the batch.

        Returns:
            (*sample_shape, *batch_shape), in the dtype of `loc`.
        """
        with no_grad():
            shape = self._extended_shape(sample_shape)
            loc, k, r = self.loc.to(float64), self.concentration.to(float64), self._proposal_r
            angles = lt.zeros(shape, dtype=float64, device=loc.device)
            settled = lt.zeros(shape, dtype=bool_, device=loc.device)
            while not bool(lt.all(settled).item()):
                u1, u2, u3 = lt.unbind(lt.rand((3, *shape), dtype=float64, device=loc.device), 0)
                z = af.cos(math.pi * u1)
                f = (1 + r * z) / (r + z)
                c = k * (r - f)
                accepted = ((c * (2 - c) - u2) > 0) | (af.log(c / u2) + 1 - c >= 0)
                angles = lt.where(accepted, af.sign(u3 - 0.5) * af.acos(f), angles)
                settled = settled | accepted
            return ((angles + math.pi + loc) % (2 * math.pi) - math.pi).to(self.loc.dtype)
