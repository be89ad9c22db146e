"""Numbers and matrices that are functions of a square matrix: determinants, powers, the exponential."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ..dispatch.namespace import Array, Functions, generic, namespace
from ..dispatch.results import SlogdetResult
from .stacks import check_factorable, check_inexact, check_square, factored

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["det", "logdet", "matrix_exp", "matrix_power", "slogdet"]


def det(x: NDArray, /) -> NDArray:
    """Compute the determinants of square matrices, by LU.

    Args:
        x: (..., n, n), floating-point or complex.

    Returns:
        (...) of x's dtype.

    Raises:
        ShapeError: the matrices are not square.
        DTypeError: they are integers, or of 16 bits.

    >>> nd.linalg.det(nd.asarray([[2.0, 0.0], [0.0, 3.0]]))
    NDArray(6.)
    """
    check_square("linalg.det", x)
    return factored("det", [x], [(x.shape[:-2], "compute")])[0]


def slogdet(x: NDArray, /) -> SlogdetResult[NDArray]:
    """Compute the signs of determinants and the logarithms of their absolute values, by LU.

    Args:
        x: (..., n, n), floating-point or complex.

    Returns:
        `sign` (...) of x's dtype, a number of absolute value 1, or 0 for a singular matrix; and real `logabsdet` (...),
        then -inf.

    Raises:
        ShapeError: the matrices are not square.
        DTypeError: they are integers, or of 16 bits.

    >>> nd.linalg.slogdet(nd.asarray([[-1.0, 0.0], [0.0, 1.0]]))
    SlogdetResult(sign=NDArray(-1.), logabsdet=NDArray(0.))
    """
    check_square("linalg.slogdet", x)
    return SlogdetResult._make(factored("slogdet", [x], [(x.shape[:-2], "compute"), (x.shape[:-2], "real")]))


@generic
def logdet(x: Array, /) -> Array:
    """Compute the logarithms of the determinants of square matrices.

    Args:
        x: (..., n, n), floating-point or complex.

    Returns:
        (...) of x's dtype: NaN where a determinant is negative, -inf where it is 0.

    Raises:
        ShapeError: the matrices are not square.
        DTypeError: they are integers, or of 16 bits.

    >>> nd.linalg.logdet(nd.asarray([[1.0, 0.0], [0.0, 1.0]]))
    NDArray(0.)
    """
    check_square("logdet", x)
    check_factorable("logdet", x)
    xp = namespace(x)
    sign, size = xp.linalg.slogdet(x)
    if x.dtype.is_complex:
        return xp.log(sign) + size
    return xp.where(sign < 0, xp.full_like(size, math.nan), size)


@generic
def matrix_power(x: Array, n: int, /) -> Array:
    """Raise square matrices to an integer power, by repeated squaring.

    Args:
        x: (..., m, m), of any dtype but bool.
        n: the power; a negative one is that of the inverse.

    Returns:
        (..., m, m) of x's dtype.

    Raises:
        ShapeError: the matrices are not square.
        LinAlgError: n is negative, and a matrix is singular.
        DTypeError: n is negative, and x is of integers, or of 16 bits.

    >>> nd.linalg.matrix_power(nd.asarray([[1.0, 1.0], [0.0, 1.0]]), 3)
    NDArray([[1., 3.],
             [0., 1.]])
    """
    check_square("linalg.matrix_power", x)
    xp = namespace(x)
    if n == 0:
        identity = xp.eye(x.shape[-1], dtype=x.dtype, device=x.device)
        return xp.where(xp.ones_like(identity, dtype=xp.bool), identity, x)  # has a gradient, which is 0
    if n < 0:
        check_factorable("linalg.matrix_power", x)
        x, n = xp.linalg.inv(x), -n
    while n % 2 == 0:
        x, n = x @ x, n // 2
    result = x
    while n > 1:
        x, n = x @ x, n // 2
        if n % 2:
            result = result @ x
    return result


_TAYLOR = {4: (4, 4, 2.5), 8: (5, 4, 1.4)}
"""By bytes of a real number: q and r of a Taylor polynomial of degree q * r, and a 1-norm of its argument up to which the
next term is below rounding: 2.5**17 / 17! = 1.6e-8, and 1.4**21 / 21! = 2.3e-17."""


@generic
def matrix_exp(x: Array, /) -> Array:
    """Compute the exponentials of square matrices.

    Args:
        x: (..., n, n), floating-point or complex.

    Returns:
        (..., n, n) of x's dtype.

    Raises:
        ShapeError: the matrices are not square.
        DTypeError: they are boolean or integer.

    By scaling and squaring of a Taylor polynomial, so that products suffice (Higham, Functions of Matrices, 2008,
    section
    10.3; evaluated as Paterson and Stockmeyer do, section 4.2).

    >>> nd.linalg.matrix_exp(nd.asarray([[0.0, 1.0], [0.0, 0.0]]))
    NDArray([[1., 1.],
             [0., 1.]])
    """
    check_square("linalg.matrix_exp", x)
    check_inexact("linalg.matrix_exp", x)
    xp = namespace(x)
    if 0 in x.shape:  # nothing, of which every gradient has a gradient again
        return xp.exp(x @ x)
    narrow = x.dtype if x.dtype.itemsize < 4 else None
    if narrow is not None:
        x = xp.astype(x, xp.float32)
    real = x.dtype.to_real()
    q, r, reach = _TAYLOR[real.itemsize]
    size = xp.max(xp.sum(xp.abs(x), -2), -1) / reach
    halvings = xp.where(xp.isfinite(size) & (size > 1), xp.ceil(xp.log2(size)), xp.zeros_like(size))
    halvings = xp.astype(halvings, xp.int32)  # integers carry no gradient
    result = _taylor(xp, x * _per_matrix(xp, xp.exp2(-xp.astype(halvings, real))), q, r)
    for i in range(0 if x.device.type == "meta" else int(xp.max(xp.all_slices(halvings)))):
        result = xp.where(_per_matrix(xp, halvings > i), result @ result, result)
    return result if narrow is None else xp.astype(result, narrow)


def _per_matrix(xp: Functions[Array], x: Array) -> Array:
    return xp.reshape(x, (*x.shape, 1, 1))


def _taylor(xp: Functions[Array], x: Array, q: int, r: int) -> Array:
    """sum(x**k / k!) up to degree q * r: Horner's scheme in x**q, whose coefficients are polynomials of lower degree."""
    powers = [xp.eye(x.shape[-1], dtype=x.dtype, device=x.device), x]
    while len(powers) <= q:
        powers.append(powers[-1] @ x)
    result = powers[q] / math.factorial(q * r)
    for block in reversed(range(r)):
        terms = [power / math.factorial(block * q + i) for i, power in enumerate(powers[:q])]
        result = sum(terms, result if block == r - 1 else result @ powers[q])
    return result
