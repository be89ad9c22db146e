"""Polynomials of sizes: those through the values that a number had at some sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import lcm, prod
from operator import mul
from typing import Any, Final, NamedTuple

__all__ = ["MOST_SIZES", "Number", "Polynomial", "Polynomials", "Undetermined"]

MOST_SIZES: Final = 2
"""How many sizes may change, each by itself."""

_POWERS: Final = {1: 2, 2: 3}
"""The highest degree, by how many sizes there are; that of one size alone is 2 at most."""
_MOST_TERMS: Final = {1: 3, 2: 4}
"""Likewise: all of one size; of two, those of a product of two sums."""


class Undetermined(Exception):
    """At these sizes, a number would not be whole, or may be this or that."""


class Polynomial(NamedTuple):
    """A sum of products of sizes.

    Attributes:
        powers: of each term, the power of each size in it.
        coefficients: of each term, what it is multiplied by.
    """

    powers: tuple[tuple[int, ...], ...]
    coefficients: tuple[Fraction, ...]

    def at(self, sizes: Sequence[int]) -> Fraction:
        """Return its value.

        Args:
            sizes: as many as it is of.

        >>> Polynomial(((1, 0), (1, 2)), (Fraction(3), Fraction(1))).at((2, 5))
        Fraction(56, 1)
        """
        terms = zip(self.coefficients, self.powers, strict=True)
        return sum((coefficient * _term(powers, sizes) for coefficient, powers in terms), Fraction())


class Number(NamedTuple):
    """A number that depends on sizes.

    Attributes:
        fits: the polynomials that it may be.
        made: what is made of their value, which is whole.
    """

    fits: tuple[Polynomial, ...]
    made: Callable[[int], Any] = int

    def at(self, sizes: Sequence[int]) -> Any:
        """Return the number.

        Args:
            sizes: as many as the polynomials are of.

        Raises:
            Undetermined: they have several values, or a fraction.
        """
        values = {fit.at(sizes) for fit in self.fits}
        value = values.pop()
        if values or value.denominator != 1:
            raise Undetermined
        return self.made(int(value))


class Polynomials:
    """The polynomials with the fewest terms that have given values at some sizes.

    One more value than there are terms must fit for each size: that tells what is a polynomial from what is not.

    Args:
        sizes: the sizes at which values will be given; each time 1 of them, or 2.

    >>> area, = Polynomials([(2, 3), (4, 5), (4, 9), (7, 3)]).through([6, 20, 36, 21])
    >>> area.at((5, 5))
    Fraction(25, 1)
    """

    def __init__(self, sizes: Sequence[tuple[int, ...]]) -> None:
        self.sizes = [*sizes]
        count = len(self.sizes[0])
        self._powers = [each for each in product(range(3), repeat=count) if sum(each) <= _POWERS[count]]
        self._most_terms = min(_MOST_TERMS[count], len(self.sizes) - count)
        self._known: dict[tuple[int, ...], tuple[Polynomial, ...]] = {}
        self._systems: dict[int, list[_System]] = {}

    def terms(self) -> Iterator[list[int]]:
        """Yield the values of each product of sizes, at all of these."""
        for powers in self._powers:
            if any(powers):
                yield [_term(powers, each) for each in self.sizes]

    def through(self, values: Sequence[int]) -> tuple[Polynomial, ...]:
        """Return those with the fewest terms that have these values.

        Args:
            values: one for each of the sizes.

        Returns:
            The polynomials; none where all that fit have too many terms to be trusted.
        """
        given = (*values,)
        if given not in self._known:
            self._known[given] = next(filter(None, (self._of(count, given) for count in range(self._most_terms + 1))), ())
        return self._known[given]

    def _of(self, count: int, values: Sequence[int]) -> tuple[Polynomial, ...]:
        """Those of so many terms."""
        if count not in self._systems:
            systems = [_System.of(powers, self.sizes) for powers in combinations(self._powers, count)]
            self._systems[count] = [system for system in systems if system is not None]
        found = [system.solved(values) for system in self._systems[count]]
        return tuple(polynomial for polynomial in found if polynomial is not None)


class _System(NamedTuple):
    """The equations that some terms at some sizes have one value each, solved for all values.

    Attributes:
        powers: of the terms.
        checks: sums of the values, each times a number, that are 0 where there is a solution.
        unknowns: what gives the coefficients: a divisor, and the numbers that the values are multiplied by.
    """

    powers: tuple[tuple[int, ...], ...]
    checks: list[list[int]]
    unknowns: list[tuple[int, list[int]]]

    @classmethod
    def of(cls, powers: tuple[tuple[int, ...], ...], sizes: Sequence[Sequence[int]]) -> _System | None:
        """The system; None where it leaves a choice between coefficients."""
        rows = [
            [*(Fraction(_term(each, at)) for each in powers), *(Fraction(i == j) for j in range(len(sizes)))]
            for i, at in enumerate(sizes)
        ]
        for i in range(len(powers)):
            pivot = next((row for row in rows[i:] if row[i]), None)
            if pivot is None:
                return None
            rows.remove(pivot)
            for row in rows:
                share = row[i] / pivot[i]
                if share:
                    row[:] = [x - share * y for x, y in zip(row, pivot, strict=True)]
            rows.insert(i, pivot)
        whole = [[int(x * lcm(*(x.denominator for x in row))) for x in row] for row in rows]
        unknowns = [(row[i], row[len(powers) :]) for i, row in enumerate(whole[: len(powers)])]
        return cls(powers, [row[len(powers) :] for row in whole[len(powers) :]], unknowns)

    def solved(self, values: Sequence[int]) -> Polynomial | None:
        """The polynomial that has these values; None where none has."""
        if any(_dot(check, values) for check in self.checks):
            return None
        return Polynomial(self.powers, tuple(Fraction(_dot(shares, values), divisor) for divisor, shares in self.unknowns))


def _term(powers: Sequence[int], sizes: Sequence[int]) -> int:
    return prod(size**power for size, power in zip(sizes, powers, strict=True))


def _dot(numbers: Sequence[int], values: Sequence[int]) -> int:
    return sum(map(mul, numbers, values))
