"""Whether indices reach the same item of memory: bounded linear Diophantine equations, solved with bounded work.

Items i, j, ... of a layout lie at offset + i*s0 + j*s1 + ...; that two of them meet is an equation in integers
between bounds. Deciding such equations is NP-complete in general (Karp 1972: subset sum is one), and for two
unknowns a matter of the extended Euclidean algorithm (Knuth, TAOCP vol. 2, 4.5.2): so the search here is exact for
layouts with two interleaved dims, and for others until its work is used up. What it then says errs on the safe side.
"""

from itertools import accumulate
from math import gcd

from .strides import Shape, extent

__all__ = ["WORK", "between", "solvable", "within"]

WORK = 20_000
"""How many values of unknowns a search tries before it gives up."""

Term = tuple[int, int]
"""A coefficient > 0, and the greatest value of its unknown, which starts at 0."""


def within(shape: Shape, strides: Shape) -> bool:
    """Tell whether two indices of one layout reach the same item; True also where the search gave up."""
    dims = sorted([(abs(s), n) for s, n in zip(strides, shape, strict=True) if n != 1])
    if 0 in shape:
        return False
    reach, nested = 0, True
    for stride, n in dims:
        if stride == 0:
            return True
        nested &= stride > reach
        reach += stride * (n - 1)
    if nested:  # each dim steps over all that the smaller ones reach
        return False
    # Two indices differ by d, -n < d < n in each dim, and d is not 0. Let dim k be the first with a difference, and
    # that one positive: k's difference is 1 + x with 0 <= x <= n - 2, a later one's x - (n - 1), 0 <= x <= 2n - 2.
    for k, (stride, n) in enumerate(dims):
        later = dims[k + 1 :]
        terms = [(stride, n - 2), *[(s, 2 * m - 2) for s, m in later]]
        if solvable(sum(s * (m - 1) for s, m in later) - stride, terms) is not False:
            return True
    return False


def between(
    shape: Shape, strides: Shape, offset: int, other_shape: Shape, other_strides: Shape, other_offset: int
) -> bool:
    """Tell whether an item of one layout is one of another's; True also where the search gave up."""
    low, high = extent(shape, strides, offset)
    other_low, other_high = extent(other_shape, other_strides, other_offset)
    if high < low or other_high < other_low or high < other_low or other_high < low:
        return False
    # Both counted from the lowest item with positive strides, theirs backwards from the highest:
    # low + sum s*x = other_high - sum t*y.
    sizes = [*zip(strides, shape, strict=True), *zip(other_strides, other_shape, strict=True)]
    terms = [(abs(s), n - 1) for s, n in sizes if s and n > 1]
    return solvable(other_high - low, terms) is not False


def solvable(total: int, terms: list[Term], work: int = WORK) -> bool | None:
    """Tell whether sum c*x == total for some 0 <= x <= bound in each of the terms; None where the work ran out.

    Depth first over the unknowns from the greatest coefficient down. An unknown takes only values with which the
    rest can still make up the difference: within the rest's reach, and divisible by the gcd of its coefficients.
    """
    if not terms:
        return total == 0
    terms = sorted(terms, reverse=True)
    reaches = [*accumulate([c * n for c, n in reversed(terms)], initial=0)][::-1]
    gcds = [*accumulate([c for c, _ in reversed(terms)], gcd, initial=0)][::-1]
    if total < 0 or total > reaches[0] or total % gcds[0]:
        return False
    stack = [(0, total)]
    while stack:
        k, rest = stack.pop()
        c, bound = terms[k]
        if k == len(terms) - 1:  # the checks before have left a multiple of c within reach
            return True
        low, high = max(0, -((reaches[k + 1] - rest) // c)), min(bound, rest // c)
        # c*x == rest modulo g: every (g / gcd(c, g))-th x, from the first above `low`.
        g = gcds[k + 1]
        shared = gcd(c, g)
        step = g // shared
        first = rest // shared * pow(c // shared, -1, step) % step if step > 1 else 0
        x = low + (first - low) % step
        if k == len(terms) - 2 and x <= high:
            return True
        work -= max(0, (high - x) // step + 1)
        if work < 0:
            return None
        stack.extend((k + 1, rest - c * at) for at in range(x, high + 1, step))
    return False
