"""Orthogonal polynomials of any degree, by their three-term recurrences (DLMF 18.9.1).

The degree may be an array: then the recurrence runs to the greatest one (read on the host), and each item keeps the
value of its own. Degrees are truncated to integers; the value is 0 for a negative one, NaN for one that is not finite.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import UsageError
from lamina_flatarray.dtype_rules import result_dtypes

from ..array_fields import ArrayFields
from ..batching import all_slices
from ..creation.constructors import full
from ..dispatch.operands import as_operand, cast, common_kernels, promoted
from ..elementwise import choosing, comparison, rounding
from ..elementwise.operands.general import kept_order
from ..layouts.image_order import arranged
from ..reductions.extremes import max as greatest
from ..reductions.logic import all as every

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = [
    "chebyshev_polynomial_t",
    "chebyshev_polynomial_u",
    "chebyshev_polynomial_v",
    "chebyshev_polynomial_w",
    "hermite_polynomial_h",
    "hermite_polynomial_he",
    "laguerre_polynomial_l",
    "legendre_polynomial_p",
    "shifted_chebyshev_polynomial_t",
    "shifted_chebyshev_polynomial_u",
    "shifted_chebyshev_polynomial_v",
    "shifted_chebyshev_polynomial_w",
]

where, trunc = choosing.where, rounding.trunc

_MOST: Final = 1 << 24
"""The highest degree: beyond, float32 does not tell one from the next, and the recurrence comes to no end."""

Step = Callable[[int, Any, Any, Any], Any]
"""From (k, x, p[k], p[k - 1]) to p[k + 1]."""


def _operands(op: str, x: Any, n: Any) -> tuple[NDArray, NDArray]:
    """x and n as float arrays of the result's dtype.

    Raises:
        DTypeError: one is complex, or neither is an array.
    """
    operands = [as_operand(op, x), as_operand(op, n)]
    kernels = common_kernels(op, operands)
    dtype = result_dtypes("erf", promoted(op, operands))[0]  # float, as for any special function
    table = kernels.sibling(dtype)
    x, n = (cast(v, table) if isinstance(v, ArrayFields) else full((), v, dtype=dtype, device=kernels.device)
            for v in operands)
    return x, n


def _by_recurrence(op: str, x: Any, n: Any, first: Callable[[Any], Any], step: Step, shifted: bool = False) -> NDArray:
    x, n = _operands(op, x, n)
    degree, argument = trunc(n), 2 * x - 1 if shifted else x
    before, now = argument * 0 + 1, first(argument)
    result = where(degree == 0, 1.0, where(degree == 1, now, where(degree < 0, 0.0, degree * 0)))
    degrees = all_slices(where(degree < math.inf, degree, 0.0))
    last = int(greatest(degrees).item()) if degrees.size and degrees.flat.backend.holds_items else 0
    if last > _MOST:
        raise UsageError(f"{op}: a degree of {last:g} given; each takes a step, and there may be {_MOST} of them")
    for k in range(1, last):
        if k % 256 == 0 and every(comparison.isnan(all_slices(now))).item():
            return where(degree > k, math.nan, result)  # all that follow are made of these
        before, now = now, step(k, argument, now, before)
        result = where(degree == k + 1, now, result)
    return arranged(result, kept_order([x.layout, n.layout], result.layout.shape))  # as one op of x and n


def _doubling(k: int, x: Any, now: Any, before: Any) -> Any:
    return 2 * x * now - before


def chebyshev_polynomial_t(x: Any, n: Any) -> NDArray:
    """Compute Chebyshev polynomials of the first kind, T_n(x): `cos(n acos(x))` on [-1, 1].

    Args:
        x: where to evaluate them, a real array or a number.
        n: the degrees, an array or a number, truncated to integers; both broadcast. One of both is an array.

    Returns:
        An array of the broadcast shape, in the common dtype; integers give the default dtype. It is 0 where n is negative
        and NaN where n is not finite.

    Raises:
        DTypeError: an operand is complex.

    >>> nd.special.chebyshev_polynomial_t(nd.asarray([-1.0, 0.5, 2.0]), 3)
    NDArray([-1., -1., 26.])
    """
    return _by_recurrence("chebyshev_polynomial_t", x, n, lambda x: x, _doubling)


def chebyshev_polynomial_u(x: Any, n: Any) -> NDArray:
    """Compute Chebyshev polynomials of the second kind, U_n(x): U_0 = 1, U_1 = 2 x, U_{k+1} = 2 x U_k - U_{k-1}.

    Args:
        x: where to evaluate them, a real array or a number.
        n: the degrees, an array or a number, truncated to integers; both broadcast. One of both is an array.

    Returns:
        An array of the broadcast shape, in the common dtype; integers give the default dtype. It is 0 where n is negative
        and NaN where n is not finite.

    Raises:
        DTypeError: an operand is complex.

    >>> nd.special.chebyshev_polynomial_u(nd.asarray([-1.0, 0.5, 2.0]), 3)
    NDArray([-4., -1., 56.])
    """
    return _by_recurrence("chebyshev_polynomial_u", x, n, lambda x: 2 * x, _doubling)


def chebyshev_polynomial_v(x: Any, n: Any) -> NDArray:
    """Compute Chebyshev polynomials of the third kind, V_n(x): V_0 = 1, V_1 = 2 x - 1, V_{k+1} = 2 x V_k - V_{k-1}.

    Args:
        x: where to evaluate them, a real array or a number.
        n: the degrees, an array or a number, truncated to integers; both broadcast. One of both is an array.

    Returns:
        An array of the broadcast shape, in the common dtype; integers give the default dtype. It is 0 where n is negative
        and NaN where n is not finite.

    Raises:
        DTypeError: an operand is complex.

    >>> nd.special.chebyshev_polynomial_v(nd.asarray([-1.0, 0.5, 2.0]), 2)
    NDArray([ 5., -1., 11.])
    """
    return _by_recurrence("chebyshev_polynomial_v", x, n, lambda x: 2 * x - 1, _doubling)


def chebyshev_polynomial_w(x: Any, n: Any) -> NDArray:
    """Compute Chebyshev polynomials of the fourth kind, W_n(x): W_0 = 1, W_1 = 2 x + 1, W_{k+1} = 2 x W_k - W_{k-1}.

    Args:
        x: where to evaluate them, a real array or a number.
        n: the degrees, an array or a number, truncated to integers; both broadcast. One of both is an array.

    Returns:
        An array of the broadcast shape, in the common dtype; integers give the default dtype. It is 0 where n is negative
        and NaN where n is not finite.

    Raises:
        DTypeError: an operand is complex.

    >>> nd.special.chebyshev_polynomial_w(nd.asarray([-1.0, 0.5, 2.0]), 2)
    NDArray([ 1.,  1., 19.])
    """
    return _by_recurrence("chebyshev_polynomial_w", x, n, lambda x: 2 * x + 1, _doubling)


def shifted_chebyshev_polynomial_t(x: Any, n: Any) -> NDArray:
    """Compute shifted Chebyshev polynomials of the first kind, T_n(2 x - 1), which are orthogonal on [0, 1].

    Args:
        x: where to evaluate them, a real array or a number.
        n: the degrees, an array or a number, truncated to integers; both broadcast. One of both is an array.

    Returns:
        An array of the broadcast shape, in the common dtype; integers give the default dtype. It is 0 where n is negative
        and NaN where n is not finite.

    Raises:
        DTypeError: an operand is complex.

    >>> nd.special.shifted_chebyshev_polynomial_t(nd.asarray([0.0, 0.75, 1.0]), 3)
    NDArray([-1., -1.,  1.])
    """
    return _by_recurrence("shifted_chebyshev_polynomial_t", x, n, lambda x: x, _doubling, shifted=True)


def shifted_chebyshev_polynomial_u(x: Any, n: Any) -> NDArray:
    """Compute shifted Chebyshev polynomials of the second kind, U_n(2 x - 1), which are orthogonal on [0, 1].

    Args:
        x: where to evaluate them, a real array or a number.
        n: the degrees, an array or a number, truncated to integers; both broadcast. One of both is an array.

    Returns:
        An array of the broadcast shape, in the common dtype; integers give the default dtype. It is 0 where n is negative
        and NaN where n is not finite.

    Raises:
        DTypeError: an operand is complex.

    >>> nd.special.shifted_chebyshev_polynomial_u(nd.asarray([0.0, 0.75, 1.0]), 3)
    NDArray([-4., -1.,  4.])
    """
    return _by_recurrence("shifted_chebyshev_polynomial_u", x, n, lambda x: 2 * x, _doubling, shifted=True)


def shifted_chebyshev_polynomial_v(x: Any, n: Any) -> NDArray:
    """Compute shifted Chebyshev polynomials of the third kind, V_n(2 x - 1), which are orthogonal on [0, 1].

    Args:
        x: where to evaluate them, a real array or a number.
        n: the degrees, an array or a number, truncated to integers; both broadcast. One of both is an array.

    Returns:
        An array of the broadcast shape, in the common dtype; integers give the default dtype. It is 0 where n is negative
        and NaN where n is not finite.

    Raises:
        DTypeError: an operand is complex.

    >>> nd.special.shifted_chebyshev_polynomial_v(nd.asarray([0.0, 0.75, 1.0]), 3)
    NDArray([-7., -1.,  1.])
    """
    return _by_recurrence("shifted_chebyshev_polynomial_v", x, n, lambda x: 2 * x - 1, _doubling, shifted=True)


def shifted_chebyshev_polynomial_w(x: Any, n: Any) -> NDArray:
    """Compute shifted Chebyshev polynomials of the fourth kind, W_n(2 x - 1), which are orthogonal on [0, 1].

    Args:
        x: where to evaluate them, a real array or a number.
        n: the degrees, an array or a number, truncated to integers; both broadcast. One of both is an array.

    Returns:
        An array of the broadcast shape, in the common dtype; integers give the default dtype. It is 0 where n is negative
        and NaN where n is not finite.

    Raises:
        DTypeError: an operand is complex.

    >>> nd.special.shifted_chebyshev_polynomial_w(nd.asarray([0.0, 0.75, 1.0]), 3)
    NDArray([-1., -1.,  7.])
    """
    return _by_recurrence("shifted_chebyshev_polynomial_w", x, n, lambda x: 2 * x + 1, _doubling, shifted=True)


def hermite_polynomial_h(x: Any, n: Any) -> NDArray:
    """Compute physicists' Hermite polynomials, H_n(x): H_0 = 1, H_1 = 2 x, H_{k+1} = 2 x H_k - 2 k H_{k-1}.

    Args:
        x: where to evaluate them, a real array or a number.
        n: the degrees, an array or a number, truncated to integers; both broadcast. One of both is an array.

    Returns:
        An array of the broadcast shape, in the common dtype; integers give the default dtype. It is 0 where n is negative
        and NaN where n is not finite.

    Raises:
        DTypeError: an operand is complex.

    >>> nd.special.hermite_polynomial_h(nd.asarray([0.0, 1.0, 2.0]), 2)
    NDArray([-2.,  2., 14.])
    """
    return _by_recurrence(
        "hermite_polynomial_h", x, n, lambda x: 2 * x, lambda k, x, now, before: 2 * (x * now - k * before)
    )


def hermite_polynomial_he(x: Any, n: Any) -> NDArray:
    """Compute probabilists' Hermite polynomials, He_n(x): He_0 = 1, He_1 = x, He_{k+1} = x He_k - k He_{k-1}.

    Args:
        x: where to evaluate them, a real array or a number.
        n: the degrees, an array or a number, truncated to integers; both broadcast. One of both is an array.

    Returns:
        An array of the broadcast shape, in the common dtype; integers give the default dtype. It is 0 where n is negative
        and NaN where n is not finite.

    Raises:
        DTypeError: an operand is complex.

    >>> nd.special.hermite_polynomial_he(nd.asarray([0.0, 1.0, 2.0]), 2)
    NDArray([-1.,  0.,  3.])
    """
    return _by_recurrence("hermite_polynomial_he", x, n, lambda x: x, lambda k, x, now, before: x * now - k * before)


def laguerre_polynomial_l(x: Any, n: Any) -> NDArray:
    """Compute Laguerre polynomials, L_n(x): L_0 = 1, L_1 = 1 - x, (k + 1) L_{k+1} = (2 k + 1 - x) L_k - k L_{k-1}.

    Args:
        x: where to evaluate them, a real array or a number.
        n: the degrees, an array or a number, truncated to integers; both broadcast. One of both is an array.

    Returns:
        An array of the broadcast shape, in the common dtype; integers give the default dtype. It is 0 where n is negative
        and NaN where n is not finite.

    Raises:
        DTypeError: an operand is complex.

    >>> nd.special.laguerre_polynomial_l(nd.asarray([0.0, 1.0, 2.0]), 2)
    NDArray([ 1.0000, -0.5000, -1.0000])
    """
    return _by_recurrence(
        "laguerre_polynomial_l", x, n, lambda x: 1 - x,
        lambda k, x, now, before: ((2 * k + 1 - x) * now - k * before) / (k + 1),
    )  # fmt: skip


def legendre_polynomial_p(x: Any, n: Any) -> NDArray:
    """Compute Legendre polynomials, P_n(x): P_0 = 1, P_1 = x, (k + 1) P_{k+1} = (2 k + 1) x P_k - k P_{k-1}.

    Args:
        x: where to evaluate them, a real array or a number.
        n: the degrees, an array or a number, truncated to integers; both broadcast. One of both is an array.

    Returns:
        An array of the broadcast shape, in the common dtype; integers give the default dtype. It is 0 where n is negative
        and NaN where n is not finite.

    Raises:
        DTypeError: an operand is complex.

    >>> nd.special.legendre_polynomial_p(nd.asarray([0.0, 0.5, 1.0]), 2)
    NDArray([-0.5000, -0.1250,  1.0000])
    """
    return _by_recurrence(
        "legendre_polynomial_p", x, n, lambda x: x,
        lambda k, x, now, before: ((2 * k + 1) * x * now - k * before) / (k + 1),
    )  # fmt: skip
