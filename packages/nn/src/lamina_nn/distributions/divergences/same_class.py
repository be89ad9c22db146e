"""The Kullback-Leibler divergence between two distributions: a rule per pair of classes, the nearest one taken."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import lamina_tensor as lt
from lamina_flatarray import ArgumentTypeError, ArgumentValueError
from lamina_tensor import Tensor
from lamina_tensor.dispatch.tensor_functions import af

from ..counts.categories import Categorical, OneHotCategorical
from ..counts.trials import Bernoulli, Binomial, Poisson
from ..distribution import Distribution
from ..domains.covariance import solved
from ..domains.parameters import sum_rightmost
from ..gamma_family import Exponential, Gamma
from ..independent import Independent
from ..location_scale import Laplace, Normal, Uniform
from ..maps.transformed_distribution import TransformedDistribution
from ..shares import Beta, Dirichlet
from ..vectors.multivariate_normal import MultivariateNormal

__all__ = ["kl_divergence", "register_kl"]

_RULES: Final[dict[tuple[type, type], Callable[[Any, Any], Tensor]]] = {}
_INF: Final = float("inf")


def register_kl(type_p: type, type_q: type) -> Callable[[Callable[[Any, Any], Tensor]], Callable[[Any, Any], Tensor]]:
    """Register, as a decorator, a function that computes the Kullback-Leibler divergence for a pair of classes.

    `kl_divergence` takes the function of the pair that is nearest to its arguments' classes in their method resolution orders.

    Args:
        type_p: the class of the first distribution, or a base class of it.
        type_q: the class of the second one.

    Returns:
        A decorator that registers a function of p and q and returns it.

    Raises:
        TypeError: an argument is not a class of distributions.

    >>> class Unit(torch.distributions.Normal):
    ...     def __init__(self, loc):
    ...         super().__init__(loc, 1.0)
    >>> @torch.distributions.register_kl(Unit, Unit)
    ... def half_of_squares(p, q):
    ...     return (p.loc - q.loc) ** 2 / 2
    >>> torch.distributions.kl_divergence(Unit(3.0), Unit(1.0))
    tensor(2.)
    """
    for kind in (type_p, type_q):
        if not (isinstance(kind, type) and issubclass(kind, Distribution)):
            raise ArgumentTypeError(f"Expected a Distribution subclass but got {kind}")

    def register(function: Callable[[Any, Any], Tensor]) -> Callable[[Any, Any], Tensor]:
        _RULES[type_p, type_q] = function
        return function

    return register


def kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    """Compute the Kullback-Leibler divergence of `q` from `p`: the expectation under p of log p(x) - log q(x).

    Args:
        p: the distribution that the expectation is taken over.
        q: the distribution that it is compared with; the batches broadcast.

    Returns:
        A tensor of the broadcast batch shape, in nats; infinite where p has values that q has not.

    Raises:
        NotImplementedError: no function is registered for the classes of `p` and `q`.

    >>> normal = torch.distributions.Normal(0.0, 1.0)
    >>> torch.distributions.kl_divergence(normal, torch.distributions.Normal(torch.tensor([0.0, 1.0]), 2.0))
    tensor([0.3181, 0.4431])
    """
    matches = [(p_kind, q_kind) for p_kind, q_kind in _RULES if isinstance(p, p_kind) and isinstance(q, q_kind)]
    if not matches:
        raise NotImplementedError(f"No KL(p || q) is implemented for p type {type(p).__name__} and q type {type(q).__name__}")
    nearest = min(matches, key=lambda kinds: (type(p).__mro__.index(kinds[0]), type(q).__mro__.index(kinds[1])))
    return _RULES[nearest](p, q)


@register_kl(Bernoulli, Bernoulli)
def _bernoulli(p: Bernoulli, q: Bernoulli) -> Tensor:
    t1 = p.probs * (af.softplus(-q.logits) - af.softplus(-p.logits))
    t2 = (1 - p.probs) * (af.softplus(q.logits) - af.softplus(p.logits))
    return t1 + t2


@register_kl(Binomial, Binomial)
def _binomial(p: Binomial, q: Binomial) -> Tensor:
    kl = p.total_count * (p.probs * (p.logits - q.logits) + af.log1p(-p.probs) - af.log1p(-q.probs))
    if bool((p.total_count < q.total_count).any().item()):
        raise NotImplementedError("KL between Binomials where q.total_count > p.total_count is not implemented")
    return lt.where(p.total_count > q.total_count, _INF, kl)


@register_kl(Categorical, Categorical)
def _categorical(p: Categorical, q: Categorical) -> Tensor:
    terms = p.probs * (p.logits - q.logits)
    terms = lt.masked_fill(terms, (q.probs == 0).expand(terms.shape), _INF)
    return lt.sum(lt.masked_fill(terms, (p.probs == 0).expand(terms.shape), 0.0), -1)


@register_kl(OneHotCategorical, OneHotCategorical)
def _one_hot(p: OneHotCategorical, q: OneHotCategorical) -> Tensor:
    return _categorical(p._index(), q._index())


@register_kl(Dirichlet, Dirichlet)
def _dirichlet(p: Dirichlet, q: Dirichlet) -> Tensor:
    a, b = p.concentration, q.concentration
    total = lt.sum(a, -1)
    t1 = af.lgamma(total) - af.lgamma(lt.sum(b, -1))
    t2 = lt.sum(af.lgamma(a) - af.lgamma(b), -1)
    t3 = lt.sum((a - b) * (af.digamma(a) - lt.unsqueeze(af.digamma(total), -1)), -1)
    return t1 - t2 + t3


@register_kl(Beta, Beta)
def _beta(p: Beta, q: Beta) -> Tensor:
    return _dirichlet(p._shares(), q._shares())


@register_kl(Exponential, Exponential)
def _exponential(p: Exponential, q: Exponential) -> Tensor:
    ratio = q.rate / p.rate
    return -af.log(ratio) + ratio - 1


@register_kl(Gamma, Gamma)
def _gamma(p: Gamma, q: Gamma) -> Tensor:
    a, b = p.concentration, q.concentration
    return (b * af.log(p.rate / q.rate) + af.lgamma(b) - af.lgamma(a) + (a - b) * af.digamma(a) + (q.rate - p.rate) * (a / p.rate))


@register_kl(Exponential, Gamma)
def _exponential_gamma(p: Exponential, q: Gamma) -> Tensor:
    ratio = q.rate / p.rate
    euler = 0.57721566490153286
    return -q.concentration * af.log(ratio) + ratio + af.lgamma(q.concentration) + q.concentration * euler - (1 + euler)


@register_kl(Gamma, Exponential)
def _gamma_exponential(p: Gamma, q: Exponential) -> Tensor:
    return -p.entropy() - af.log(q.rate) + q.rate * p.concentration / p.rate


@register_kl(Laplace, Laplace)
def _laplace(p: Laplace, q: Laplace) -> Tensor:
    ratio, distance = p.scale / q.scale, af.abs(p.loc - q.loc)
    return -af.log(ratio) + distance / q.scale + ratio * af.exp(-distance / p.scale) - 1


@register_kl(Normal, Normal)
def _normal(p: Normal, q: Normal) -> Tensor:
    ratio = (p.scale / q.scale) ** 2
    return 0.5 * (ratio + ((p.loc - q.loc) / q.scale) ** 2 - 1 - af.log(ratio))


@register_kl(Poisson, Poisson)
def _poisson(p: Poisson, q: Poisson) -> Tensor:
    return p.rate * (af.log(p.rate) - af.log(q.rate)) - (p.rate - q.rate)


@register_kl(Uniform, Uniform)
def _uniform(p: Uniform, q: Uniform) -> Tensor:
    divergence = af.log((q.high - q.low) / (p.high - p.low))
    return lt.where((q.low > p.low) | (q.high < p.high), _INF, divergence)


@register_kl(Uniform, Normal)
def _uniform_normal(p: Uniform, q: Normal) -> Tensor:
    width = p.high - p.low
    t2 = (width**2) / 12 + ((p.high + p.low - 2 * q.loc) / 2) ** 2
    return af.log(math.sqrt(2 * math.pi) * q.scale / width) + 0.5 * t2 / q.scale**2


@register_kl(MultivariateNormal, MultivariateNormal)
def _multivariate_normal(p: MultivariateNormal, q: MultivariateNormal) -> Tensor:
    if p.event_shape != q.event_shape:
        raise ArgumentValueError("KL-divergence between two Multivariate Normals with different event shapes cannot be computed")
    batch = af.broadcast_arrays(p.loc, q.loc)[0].shape
    upper, lower = (x.scale_tril.expand((*batch, batch[-1])) for x in (p, q))
    spread = lt.sum(solved(lower, upper) ** 2, (-2, -1))
    difference = lt.unsqueeze((q.loc - p.loc).expand(batch), -1)
    distance = lt.sum(solved(lower, difference) ** 2, (-2, -1))
    return q._half_log_det() - p._half_log_det() + 0.5 * (spread + distance - batch[-1])


@register_kl(Independent, Independent)
def _independent(p: Independent, q: Independent) -> Tensor:
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError("KL between Independents of different numbers of dims is not implemented")
    return sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)


@register_kl(TransformedDistribution, TransformedDistribution)
def _transformed(p: TransformedDistribution, q: TransformedDistribution) -> Tensor:
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError("KL between distributions of different transforms is not implemented")
    further_dims = len(p.event_shape) - len(p.base_dist.event_shape)
    return sum_rightmost(kl_divergence(p.base_dist, q.base_dist), further_dims)
