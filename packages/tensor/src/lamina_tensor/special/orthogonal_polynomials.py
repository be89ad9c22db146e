"""Orthogonal polynomials of any degree, by their three-term recurrences.

https://dlmf.nist.gov/18.9
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dispatch.out import written
from ..dispatch.tensor_functions import af
from ..dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ..tensor_class import Tensor
    from ..tensor_fields import Number

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


@torch_function
def chebyshev_polynomial_t(x: Tensor | Number, n: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Evaluate Chebyshev polynomials of the first kind, T_n: `cos(n * acos(x))` between -1 and 1.

    Args:
        x: where to evaluate them.
        n: the degrees; the shapes broadcast. Fractions are dropped, and negative degrees give 0.
        out: where to write the result.

    Returns:
        The values, of the broadcast shape.

    Raises:
        DTypeError: an operand is complex, or neither is a tensor.

    >>> torch.special.chebyshev_polynomial_t(torch.tensor([0.0, 0.5, 2.0]), 2)
    tensor([-1.0000, -0.5000,  7.0000])
    """
    result: Tensor = af.special.chebyshev_polynomial_t(x, n)
    return result if out is None else written("special.chebyshev_polynomial_t", out, result, casts=True)


@torch_function
def chebyshev_polynomial_u(x: Tensor | Number, n: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Evaluate Chebyshev polynomials of the second kind: U_0 = 1, U_1 = 2x.

    Args:
        x: where to evaluate them.
        n: the degrees; the shapes broadcast. Fractions are dropped, and negative degrees give 0.
        out: where to write the result.

    Returns:
        The values, of the broadcast shape.

    Raises:
        DTypeError: an operand is complex, or neither is a tensor.

    >>> torch.special.chebyshev_polynomial_u(torch.tensor([0.0, 0.5, 2.0]), 2)
    tensor([-1.,  0., 15.])
    """
    result: Tensor = af.special.chebyshev_polynomial_u(x, n)
    return result if out is None else written("special.chebyshev_polynomial_u", out, result, casts=True)


@torch_function
def chebyshev_polynomial_v(x: Tensor | Number, n: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Evaluate Chebyshev polynomials of the third kind: V_0 = 1, V_1 = 2x - 1.

    Args:
        x: where to evaluate them.
        n: the degrees; the shapes broadcast. Fractions are dropped, and negative degrees give 0.
        out: where to write the result.

    Returns:
        The values, of the broadcast shape.

    Raises:
        DTypeError: an operand is complex, or neither is a tensor.

    >>> torch.special.chebyshev_polynomial_v(torch.tensor([0.0, 0.5, 2.0]), 2)
    tensor([-1., -1., 11.])
    """
    result: Tensor = af.special.chebyshev_polynomial_v(x, n)
    return result if out is None else written("special.chebyshev_polynomial_v", out, result, casts=True)


@torch_function
def chebyshev_polynomial_w(x: Tensor | Number, n: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Evaluate Chebyshev polynomials of the fourth kind: W_0 = 1, W_1 = 2x + 1.

    Args:
        x: where to evaluate them.
        n: the degrees; the shapes broadcast. Fractions are dropped, and negative degrees give 0.
        out: where to write the result.

    Returns:
        The values, of the broadcast shape.

    Raises:
        DTypeError: an operand is complex, or neither is a tensor.

    >>> torch.special.chebyshev_polynomial_w(torch.tensor([0.0, 0.5, 2.0]), 2)
    tensor([-1.,  1., 19.])
    """
    result: Tensor = af.special.chebyshev_polynomial_w(x, n)
    return result if out is None else written("special.chebyshev_polynomial_w", out, result, casts=True)


@torch_function
def shifted_chebyshev_polynomial_t(x: Tensor | Number, n: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Evaluate shifted Chebyshev polynomials of the first kind: `chebyshev_polynomial_t(2 * x - 1, n)`.

    Args:
        x: where to evaluate them.
        n: the degrees; the shapes broadcast. Fractions are dropped, and negative degrees give 0.
        out: where to write the result.

    Returns:
        The values, of the broadcast shape.

    Raises:
        DTypeError: an operand is complex, or neither is a tensor.

    >>> torch.special.shifted_chebyshev_polynomial_t(torch.tensor([0.0, 0.5, 2.0]), 2)
    tensor([ 1., -1., 17.])
    """
    result: Tensor = af.special.shifted_chebyshev_polynomial_t(x, n)
    return result if out is None else written("special.shifted_chebyshev_polynomial_t", out, result, casts=True)


@torch_function
def shifted_chebyshev_polynomial_u(x: Tensor | Number, n: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Evaluate shifted Chebyshev polynomials of the second kind: `chebyshev_polynomial_u(2 * x - 1, n)`.

    Args:
        x: where to evaluate them.
        n: the degrees; the shapes broadcast. Fractions are dropped, and negative degrees give 0.
        out: where to write the result.

    Returns:
        The values, of the broadcast shape.

    Raises:
        DTypeError: an operand is complex, or neither is a tensor.

    >>> torch.special.shifted_chebyshev_polynomial_u(torch.tensor([0.0, 0.5, 2.0]), 2)
    tensor([ 3., -1., 35.])
    """
    result: Tensor = af.special.shifted_chebyshev_polynomial_u(x, n)
    return result if out is None else written("special.shifted_chebyshev_polynomial_u", out, result, casts=True)


@torch_function
def shifted_chebyshev_polynomial_v(x: Tensor | Number, n: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Evaluate shifted Chebyshev polynomials of the third kind: `chebyshev_polynomial_v(2 * x - 1, n)`.

    Args:
        x: where to evaluate them.
        n: the degrees; the shapes broadcast. Fractions are dropped, and negative degrees give 0.
        out: where to write the result.

    Returns:
        The values, of the broadcast shape.

    Raises:
        DTypeError: an operand is complex, or neither is a tensor.

    >>> torch.special.shifted_chebyshev_polynomial_v(torch.tensor([0.0, 0.5, 2.0]), 2)
    tensor([ 5., -1., 29.])
    """
    result: Tensor = af.special.shifted_chebyshev_polynomial_v(x, n)
    return result if out is None else written("special.shifted_chebyshev_polynomial_v", out, result, casts=True)


@torch_function
def shifted_chebyshev_polynomial_w(x: Tensor | Number, n: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Evaluate shifted Chebyshev polynomials of the fourth kind: `chebyshev_polynomial_w(2 * x - 1, n)`.

    Args:
        x: where to evaluate them.
        n: the degrees; the shapes broadcast. Fractions are dropped, and negative degrees give 0.
        out: where to write the result.

    Returns:
        The values, of the broadcast shape.

    Raises:
        DTypeError: an operand is complex, or neither is a tensor.

    >>> torch.special.shifted_chebyshev_polynomial_w(torch.tensor([0.0, 0.5, 2.0]), 2)
    tensor([ 1., -1., 41.])
    """
    result: Tensor = af.special.shifted_chebyshev_polynomial_w(x, n)
    return result if out is None else written("special.shifted_chebyshev_polynomial_w", out, result, casts=True)


@torch_function
def hermite_polynomial_h(x: Tensor | Number, n: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Evaluate Hermite polynomials as physicists define them: H_0 = 1, H_1 = 2x.

    Args:
        x: where to evaluate them.
        n: the degrees; the shapes broadcast. Fractions are dropped, and negative degrees give 0.
        out: where to write the result.

    Returns:
        The values, of the broadcast shape.

    Raises:
        DTypeError: an operand is complex, or neither is a tensor.

    >>> torch.special.hermite_polynomial_h(torch.tensor([0.0, 0.5, 2.0]), 2)
    tensor([-2., -1., 14.])
    """
    result: Tensor = af.special.hermite_polynomial_h(x, n)
    return result if out is None else written("special.hermite_polynomial_h", out, result, casts=True)


@torch_function
def hermite_polynomial_he(x: Tensor | Number, n: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Evaluate Hermite polynomials as probabilists define them: He_0 = 1, He_1 = x.

    Args:
        x: where to evaluate them.
        n: the degrees; the shapes broadcast. Fractions are dropped, and negative degrees give 0.
        out: where to write the result.

    Returns:
        The values, of the broadcast shape.

    Raises:
        DTypeError: an operand is complex, or neither is a tensor.

    >>> torch.special.hermite_polynomial_he(torch.tensor([0.0, 0.5, 2.0]), 2)
    tensor([-1.0000, -0.7500,  3.0000])
    """
    result: Tensor = af.special.hermite_polynomial_he(x, n)
    return result if out is None else written("special.hermite_polynomial_he", out, result, casts=True)


@torch_function
def laguerre_polynomial_l(x: Tensor | Number, n: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Evaluate Laguerre polynomials: L_0 = 1, L_1 = 1 - x.

    Args:
        x: where to evaluate them.
        n: the degrees; the shapes broadcast. Fractions are dropped, and negative degrees give 0.
        out: where to write the result.

    Returns:
        The values, of the broadcast shape.

    Raises:
        DTypeError: an operand is complex, or neither is a tensor.

    >>> torch.special.laguerre_polynomial_l(torch.tensor([0.0, 0.5, 2.0]), 2)
    tensor([ 1.0000,  0.1250, -1.0000])
    """
    result: Tensor = af.special.laguerre_polynomial_l(x, n)
    return result if out is None else written("special.laguerre_polynomial_l", out, result, casts=True)


@torch_function
def legendre_polynomial_p(x: Tensor | Number, n: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Evaluate Legendre polynomials: P_0 = 1, P_1 = x.

    Args:
        x: where to evaluate them.
        n: the degrees; the shapes broadcast. Fractions are dropped, and negative degrees give 0.
        out: where to write the result.

    Returns:
        The values, of the broadcast shape.

    Raises:
        DTypeError: an operand is complex, or neither is a tensor.

    >>> torch.special.legendre_polynomial_p(torch.tensor([0.0, 0.5, 2.0]), 2)
    tensor([-0.5000, -0.1250,  5.5000])
    """
    result: Tensor = af.special.legendre_polynomial_p(x, n)
    return result if out is None else written("special.legendre_polynomial_p", out, result, casts=True)
