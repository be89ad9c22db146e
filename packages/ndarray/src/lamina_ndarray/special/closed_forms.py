"""Special functions in closed form over others, and what fills their holes: a limit, and its derivative."""

from __future__ import annotations

import math

from lamina_flatarray import DTypeError, ShapeError

from ..dispatch.namespace import Array, generic, namespace

__all__ = ["logit", "multigammaln", "ndtr", "spherical_bessel_j0"]


def logit(x: Array, eps: float | None = None) -> Array:
    """Compute the log-odds `log(x / (1 - x))`, the inverse of `sigmoid`: -inf at 0, inf at 1, NaN outside.

    Args:
        x: probabilities.
        eps: if given, what is below it becomes eps, and what else is above `1 - eps` becomes that.

    Returns:
        An array of x's shape, in x's dtype; integers give the default dtype.

    Raises:
        DTypeError: `x` is complex.

    >>> nd.special.logit(nd.asarray([0.5, 0.9, 1.0]))
    NDArray([0.0000, 2.1972,    inf])
    """
    xp = namespace(x)
    if x.dtype.is_complex:
        raise DTypeError(f"logit: not defined for {x.dtype!r}; it wants a real dtype")
    if eps is not None:
        x = xp.clip(x, eps, 1 - eps) if eps <= 0.5 else xp.where(x < eps, eps, xp.minimum(x, 1 - eps))
    return xp.log(x / (1 - x))


@generic
def ndtr(x: Array) -> Array:
    """Compute the normal distribution function: the probability that a standard normal variable is at most x.

    It is `erfc(-x / sqrt(2)) / 2`: 0 at -inf, 1 at inf, NaN at NaN.

    Args:
        x: a real array.

    Returns:
        An array of x's shape, in x's dtype; integers give the default dtype.

    Raises:
        DTypeError: `x` is complex.

    >>> nd.special.ndtr(nd.asarray([-1.0, 0.0, 1.96]))
    NDArray([0.1587, 0.5000, 0.9750])
    """
    return namespace(x).erfc(x * -math.sqrt(0.5)) * 0.5


@generic
def multigammaln(a: Array, p: int) -> Array:
    """Compute the logarithm of the multivariate gamma function of dimension p.

    It is `p (p - 1) / 4 * log(pi) + sum(lgamma(a - j / 2) for j in range(p))`, defined for a > (p - 1) / 2.

    Args:
        a: a real array.
        p: the dimension, 1 or more.

    Returns:
        An array of a's shape, in a's dtype; integers give the default dtype.

    Raises:
        ShapeError: p is less than 1.

    >>> nd.special.multigammaln(nd.asarray([2.0, 3.0]), 2)
    NDArray([0.4516, 1.5502])
    """
    if p < 1:
        raise ShapeError(f"multigammaln: p has to be greater than or equal to 1; it is {p}")
    xp = namespace(a)
    halves = xp.arange(0, p / 2, 0.5, dtype=a.dtype if a.dtype.is_inexact else None, device=a.device)
    return xp.sum(xp.lgamma(xp.unsqueeze(a, -1) - halves), -1) + p * (p - 1) / 4 * math.log(math.pi)


@generic
def spherical_bessel_j0(x: Array) -> Array:
    """Compute the spherical Bessel function of order 0: `sin(x) / x`, 1 at 0, and 0 at infinity.

    Args:
        x: a real array.

    Returns:
        An array of x's shape, in x's dtype; integers give the default dtype.

    Raises:
        DTypeError: `x` is complex.

    >>> nd.special.spherical_bessel_j0(nd.asarray([0.0, 1.0, 2.0]))
    NDArray([1.0000, 0.8415, 0.4546])
    """
    xp = namespace(x)
    if x.dtype.is_complex:
        raise DTypeError(f"spherical_bessel_j0: not defined for {x.dtype!r}; it wants a real dtype")
    far, zero = xp.equal(x, math.inf) | xp.equal(x, -math.inf), xp.equal(x, 0)
    y = xp.where(zero | far, 1.0, x)
    return xp.where(zero, 1.0, xp.where(far, 0.0, xp.sin(y) / y))
