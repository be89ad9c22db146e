"""How far from the exact result a right algorithm may end: by the arithmetic, whichever processor it runs on.

u is the unit roundoff, half of a dtype's eps: an operation errs by at most u of its result. [H] is N. Higham, Accuracy and
Stability of Numerical Algorithms, second edition, SIAM 2002. Terms in u squared are left out.
"""

from __future__ import annotations

from math import log2, sqrt
from typing import Any

import numpy as np

from lamina_flatarray import dtype_of, finfo

__all__ = ["assert_within", "distance", "normal_numbers", "products_of_noise", "sums", "transform", "unit_roundoff"]


def unit_roundoff(dtype: Any) -> float:
    """u; of complex dtypes, that of their parts."""
    return float(finfo(dtype_of(dtype).to_real()).eps) / 2


def distance(found: Any, exact: Any) -> float:
    """How far arrays lie apart, in the 2-norm, as a share of the second one's size."""
    found, exact = np.asarray(found), np.asarray(exact)
    return float(np.linalg.norm((found - exact).ravel()) / np.linalg.norm(exact.ravel()))


def assert_within(found: Any, exact: Any, bound: Any) -> None:
    """Each item as near to the exact one as its bound says; NaN and infinities where they are.

    Raises:
        AssertionError: an item is farther, or the shapes differ.
    """
    assert np.shape(found) == np.shape(exact), f"shape {np.shape(found)} instead of {np.shape(exact)}"
    near = np.isclose(found, exact, rtol=0, atol=bound, equal_nan=True)
    assert near.all(), f"{np.argwhere(~near)[0]}: {np.asarray(found)[~near][0]} is not within its bound of {np.asarray(exact)[~near][0]}"


def normal_numbers(dtype: Any) -> float:
    """Of a pair of right normals by Box and Muller, std sqrt(-2 log(u)) cos(2 pi v) + mean, as a share of |it| + |mean|: 14 u.

    Each of the two is off by 7 u at most: a logarithm and a cosine are right to an ulp, which is 2 u, a root halves the error of
    what it is taken of, and the root, two products and the sum are rounded.
    """
    return 14 * unit_roundoff(dtype)


def sums(n: int, dtype: Any, block: int = 128) -> float:
    """Of n terms, as a share of the sum of their magnitudes: (b + log2(n / b)) u.

    Blocks of b terms are added up one after another, and then in pairs: [H], section 4.2. NumPy's b is 128.
    """
    return (min(n, block) + log2(max(n / block, 1))) * unit_roundoff(dtype)


def products_of_noise(dtype: Any) -> float:
    """Of any number of products of terms whose mean is 0, as a share of the sum of their magnitudes: 16 u.

    Rounding errors and partial sums both walk at random, so the share does not grow with the number of terms: N. Higham and
    T. Mary, Sharper probabilistic backward error analysis for basic linear algebra kernels with random data, SIAM J. Sci. Comput.
    42 (2020). In the mean it is 0.6 u, and more where one product is above all others.
    """
    return 16 * unit_roundoff(dtype)


def transform(n: int, dtype: Any) -> float:
    """Of a Fourier transform of n items, in the 2-norm, as a share of the result's size: 3 log2(4 n) (1 + 4 sqrt(2)) u.

    A pass of butterflies with weights right to u loses (1 + 4 sqrt(2)) u, a transform has log2(n) of them: [H], theorem 24.2.
    A length that is no product of small primes is a convolution, which is three transforms of less than 4 n items (Bluestein
    1970). Errors that do not conspire stay at about log2(n) u / 2 (Schatzman, SIAM J. Sci. Comput. 17, 1996).
    """
    return 3 * log2(4 * n) * (1 + 4 * sqrt(2)) * unit_roundoff(dtype)
