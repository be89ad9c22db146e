"""Divergences between distributions of different classes, and of those that are made of others.

Between classes, the divergence is -entropy(p) - E[log q(x)] under p, and the expectation follows from a few of p: E[x], E[x**2],
E[log x] and E[exp(-t x)].
"""

from __future__ import annotations

import math
from typing import Any, Final, TypeAlias

import lamina_tensor as lt
from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af

from ..cauchy import Cauchy
from ..continuous_bernoulli import ContinuousBernoulli
from ..counts.trials import Bernoulli, Binomial, Poisson
from ..counts.waiting import Geometric
from ..distribution import Distribution
from ..exponential_family import ExponentialFamily
from ..gamma_family import Exponential, Gamma
from ..location_scale import Laplace, Normal, Uniform
from ..made_of_others import EULER, Gumbel, HalfNormal, Pareto
from ..shares import Beta
from ..vectors.low_rank_normal import LowRankMultivariateNormal
from ..vectors.multivariate_normal import MultivariateNormal
from .same_class import _normal, register_kl

__all__: list[str] = []

_BOUNDED: Final = (Beta, ContinuousBernoulli)
_HALF_LINE: Final = (Exponential, Gamma)
_LINE: Final = (Gumbel, Laplace, Normal)
_p: Any
_q: Any
Vectors: TypeAlias = LowRankMultivariateNormal | MultivariateNormal


def _never(p: Any, q: Any) -> Tensor:
    """Samples of p may lie where q has none."""
    return lt.full(
        lt.broadcast_shapes(p.batch_shape, q.batch_shape), math.inf, dtype=p.mean.dtype, device=p.mean.device
    )


def _only_of_p(p: Any, q: Any) -> Tensor:
    """The same, in the shape of p, as PyTorch has it."""
    return lt.full(p.batch_shape, math.inf, dtype=p.mean.dtype, device=p.mean.device)


for _p, _qs in (
    *((kind, (Pareto,)) for kind in _BOUNDED),
    *((kind, (Beta, ContinuousBernoulli, Pareto, Uniform)) for kind in _HALF_LINE),
    *((kind, (Beta, ContinuousBernoulli, Exponential, Gamma, Pareto, Uniform)) for kind in _LINE),
    (Pareto, (Beta, ContinuousBernoulli, Uniform)),
    (Poisson, (Bernoulli, Binomial)),
):
    for _q in _qs:
        register_kl(_p, _q)(_never)


# -- what is expected under p --------------------------------------------------------------------------------------------


def _mean(p: Any) -> Tensor:
    """E[x]; of Pareto's distributions the closed form also where there is none, for the sake of gradients."""
    return p.alpha * p.scale / (p.alpha - 1) if isinstance(p, Pareto) else p.mean


def _variance(p: Any) -> Tensor:
    """E[x**2] - E[x]**2, likewise."""
    return _mean(p) ** 2 / (p.alpha * (p.alpha - 2)) if isinstance(p, Pareto) else p.variance


def _x_log_x(x: Tensor) -> Tensor:
    return af.xlogy(x, x)


def _expected_log(p: Any) -> Tensor:
    """E[log x]."""
    if isinstance(p, Beta):
        return af.digamma(p.concentration1) - af.digamma(p.concentration1 + p.concentration0)
    if isinstance(p, Pareto):
        return af.log(p.scale) + af.reciprocal(p.alpha)
    width: Tensor = p.high - p.low  # Uniform
    return (_x_log_x(p.high) - _x_log_x(p.low) - width) / width


def _expected_decay(p: Any, t: Tensor) -> Tensor:
    """E[exp(-t x)]."""
    if isinstance(p, Exponential):
        return p.rate / (p.rate + t)
    if isinstance(p, Gamma):
        return (1 + t / p.rate) ** -p.concentration
    if isinstance(p, Normal):
        return af.exp(-t * p.loc + 0.5 * (t * p.scale) ** 2)
    low: Tensor = p.low
    high: Tensor = p.high
    return (af.exp(-t * low) - af.exp(-t * high)) / (t * (high - low))  # Uniform


def _unless(divergence: Tensor, outside: Tensor) -> Tensor:
    """Infinite where samples of p may lie outside."""
    return lt.where(outside, math.inf, divergence)


def _to_exponential(p: Any, q: Any) -> Tensor:
    divergence = -p.entropy() - af.log(q.rate) + q.rate * _mean(p)
    return _unless(divergence, p.low < 0) if isinstance(p, Uniform) else divergence


def _to_normal(p: Any, q: Any) -> Tensor:
    distance = (_variance(p) + (_mean(p) - q.loc) ** 2) / (2 * q.scale**2)
    divergence = -p.entropy() + 0.5 * math.log(2 * math.pi) + af.log(q.scale) + distance
    return _unless(divergence, p.alpha <= 2) if isinstance(p, Pareto) else divergence


def _to_gamma(p: Any, q: Any) -> Tensor:
    a = q.concentration
    divergence = -p.entropy() + af.lgamma(a) - a * af.log(q.rate) - (a - 1) * _expected_log(p) + q.rate * _mean(p)
    return _unless(divergence, p.low < 0) if isinstance(p, Uniform) else divergence


def _to_gumbel(p: Distribution, q: Gumbel) -> Tensor:
    decay = _expected_decay(p, af.reciprocal(q.scale)) * af.exp(q.loc / q.scale)
    return -p.entropy() + af.log(q.scale) + (p.mean - q.loc) / q.scale + decay


def _to_continuous_bernoulli(p: Distribution, q: ContinuousBernoulli) -> Tensor:
    return -p.entropy() - p.mean * q.logits - af.log1p(-q.probs) - q._cont_bern_log_norm()


for _p in (Beta, ContinuousBernoulli, Pareto, Uniform):
    register_kl(_p, Exponential)(_to_exponential)
for _p in (Beta, ContinuousBernoulli, Exponential, Gamma, Gumbel, Laplace, Pareto):
    register_kl(_p, Normal)(_to_normal)
for _p in (Beta, Pareto, Uniform):
    register_kl(_p, Gamma)(_to_gamma)
for _p in (Exponential, Gamma, Normal, Uniform):
    register_kl(_p, Gumbel)(_to_gumbel)
register_kl(Beta, ContinuousBernoulli)(_to_continuous_bernoulli)


@register_kl(Pareto, Exponential)
def _pareto_exponential(p: Pareto, q: Exponential) -> Tensor:
    return _unless(_to_exponential(p, q), p.alpha <= 1)


@register_kl(Pareto, Gamma)
def _pareto_gamma(p: Pareto, q: Gamma) -> Tensor:
    return _unless(_to_gamma(p, q), p.alpha <= 1)


@register_kl(Beta, Uniform)
def _beta_uniform(p: Beta, q: Uniform) -> Tensor:
    return _unless(-p.entropy() + af.log(q.high - q.low), (q.low > 0) | (q.high < 1))


@register_kl(ContinuousBernoulli, Uniform)
def _continuous_bernoulli_uniform(p: ContinuousBernoulli, q: Uniform) -> Tensor:
    return _unless(-p.entropy() + af.log(q.high - q.low), (q.low >= 0) | (q.high <= 1))


@register_kl(Uniform, ContinuousBernoulli)
def _uniform_continuous_bernoulli(p: Uniform, q: ContinuousBernoulli) -> Tensor:
    return _unless(_to_continuous_bernoulli(p, q), (p.high >= 1) | (p.low <= 0))


@register_kl(Uniform, Beta)
def _uniform_beta(p: Uniform, q: Beta) -> Tensor:
    a, b = q.concentration1, q.concentration0
    mirrored = Uniform(1 - p.high, 1 - p.low, validate_args=False)
    logs = (a - 1) * _expected_log(p) + (b - 1) * _expected_log(mirrored)
    divergence = -p.entropy() + af.lgamma(a) + af.lgamma(b) - af.lgamma(a + b) - logs
    return _unless(divergence, (p.high > 1) | (p.low < 0))


@register_kl(Uniform, Pareto)
def _uniform_pareto(p: Uniform, q: Pareto) -> Tensor:
    divergence = -p.entropy() - af.log(q.alpha) - q.alpha * af.log(q.scale) + (q.alpha + 1) * _expected_log(p)
    return _unless(divergence, p.low < q.scale)


@register_kl(Normal, Laplace)
def _normal_laplace(p: Normal, q: Laplace) -> Tensor:
    distance = (p.loc - q.loc) / p.scale
    spread_term = math.sqrt(2 / math.pi) * p.scale * af.exp(-0.5 * distance**2)
    location_term = (p.loc - q.loc) * af.erf(math.sqrt(0.5) * distance)
    return -p.entropy() + af.log(2 * q.scale) + (spread_term + location_term) / q.scale


@register_kl(Bernoulli, Poisson)
def _bernoulli_poisson(p: Bernoulli, q: Poisson) -> Tensor:
    return -p.entropy() - (p.probs * af.log(q.rate) - q.rate)


# -- of one class --------------------------------------------------------------------------------------------------------


@register_kl(Cauchy, Cauchy)
def _cauchy(p: Cauchy, q: Cauchy) -> Tensor:
    return af.log((p.scale + q.scale) ** 2 + (p.loc - q.loc) ** 2) - af.log(4 * p.scale * q.scale)


@register_kl(ContinuousBernoulli, ContinuousBernoulli)
def _continuous_bernoulli(p: ContinuousBernoulli, q: ContinuousBernoulli) -> Tensor:
    return _to_continuous_bernoulli(p, q)


@register_kl(Geometric, Geometric)
def _geometric(p: Geometric, q: Geometric) -> Tensor:
    return -p.entropy() - af.log1p(-q.probs) / p.probs - q.logits


@register_kl(Gumbel, Gumbel)
def _gumbel(p: Gumbel, q: Gumbel) -> Tensor:
    ratio, shift = p.scale / q.scale, (q.loc - p.loc) / q.scale
    return -af.log(ratio) - shift + ratio * EULER + af.exp(shift + af.lgamma(1 + ratio)) - (1 + EULER)


@register_kl(HalfNormal, HalfNormal)
def _half_normal(p: HalfNormal, q: HalfNormal) -> Tensor:
    return _normal(p.base_dist, q.base_dist)


@register_kl(Pareto, Pareto)
def _pareto(p: Pareto, q: Pareto) -> Tensor:
    ratio = q.alpha / p.alpha
    divergence = q.alpha * af.log(p.scale / q.scale) - af.log(ratio) + ratio - 1
    return _unless(divergence, p.scale < q.scale)


@register_kl(ExponentialFamily, ExponentialFamily)
def _exponential_family(p: ExponentialFamily, q: ExponentialFamily) -> Tensor:
    return p._divergence(q)


def _vectors(p: Vectors, q: Vectors) -> Tensor:
    """Normal vectors, at least one of both with a covariance of low rank."""
    if p.event_shape != q.event_shape:
        raise ArgumentValueError("KL-divergence between Multivariate Normals with different event shapes cannot be computed")
    difference = q.loc - p.loc
    precision = q.precision_matrix
    spread = lt.sum(precision * p.covariance_matrix, (-2, -1))
    distance = lt.sum(difference * lt.squeeze(precision @ lt.unsqueeze(difference, -1), -1), -1)
    return q._half_log_det() - p._half_log_det() + 0.5 * (spread + distance - p.event_shape[0])


for _p, _q in (
    (LowRankMultivariateNormal, LowRankMultivariateNormal),
    (LowRankMultivariateNormal, MultivariateNormal),
    (MultivariateNormal, LowRankMultivariateNormal),
):
    register_kl(_p, _q)(_vectors)
