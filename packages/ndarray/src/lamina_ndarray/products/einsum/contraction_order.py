"""In which order to multiply several labelled arrays, two at a time, so that it costs least.

A product of two costs as many multiplications as its labels have index values together, and keeps those labels that the
others or the result still need. For up to 8 operands the cheapest tree of all is found by dynamic programming over sets
of operands (as in Pfeifer, Haegeman & Verstraete 2014); for more, the pair whose product grows memory least comes next.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Final

__all__ = ["contraction_order"]

_EXHAUSTIVE: Final = 8
Pairs = tuple[tuple[int, int], ...]


def contraction_order(
    terms: Sequence[Sequence[Hashable]], result: Sequence[Hashable], sizes: Mapping[Any, int]
) -> Pairs:
    """Pairs of positions to multiply, the lesser first: each is taken out of the list, and its product put at the end."""
    if len(terms) < 3:
        return ((0, 1),) * (len(terms) - 1)
    numbers = {label: i for i, label in enumerate(sizes)}
    sets = tuple(sum(1 << numbers[label] for label in set(term)) for term in terms)  # a label is a bit
    search = _optimal if len(terms) <= _EXHAUSTIVE else _greedy
    return search(sets, sum(1 << numbers[label] for label in result), tuple(sizes.values()))


def _extent(labels: int, sizes: tuple[int, ...]) -> int:
    return math.prod(n for i, n in enumerate(sizes) if labels >> i & 1)


def _optimal(terms: tuple[int, ...], result: int, sizes: tuple[int, ...]) -> Pairs:
    n = len(terms)
    everything = (1 << n) - 1
    union = [0] * (everything + 1)  # set of operands -> their labels
    for members in range(1, everything + 1):
        low = members & -members
        union[members] = union[members ^ low] | terms[low.bit_length() - 1]
    remaining = [union[m] & (union[everything ^ m] | result) for m in range(everything + 1)]
    for i in range(n):
        remaining[1 << i] = terms[i]
    cost = [0] * (everything + 1)
    split = [0] * (everything + 1)
    extents: dict[int, int] = {}
    for members in range(1, everything + 1):
        if not members & (members - 1):
            continue
        best = -1
        part = (members - 1) & members
        while part:
            other = members ^ part
            if part > other:  # each split once
                labels = remaining[part] | remaining[other]
                step = extents.get(labels)
                if step is None:
                    step = extents[labels] = _extent(labels, sizes)
                total = cost[part] + cost[other] + step
                if best < 0 or total < best:
                    best, split[members] = total, part
            part = (part - 1) & members
        cost[members] = best
    return _listed(split, n)


def _listed(split: list[int], n: int) -> Pairs:
    """The tree of splits as pairs of positions, children before parents."""
    steps, stack = [], [(1 << n) - 1]
    while stack:
        members = stack.pop()
        if members & (members - 1):
            parts = split[members], members ^ split[members]
            steps.append((members, parts))
            stack.extend(parts)
    present = [1 << i for i in range(n)]
    pairs = []
    for members, (a, b) in reversed(steps):
        i, j = sorted((present.index(a), present.index(b)))
        pairs.append((i, j))
        present = [m for k, m in enumerate(present) if k not in (i, j)] + [members]
    return tuple(pairs)


def _greedy(terms: tuple[int, ...], result: int, sizes: tuple[int, ...]) -> Pairs:
    present, pairs = list(terms), []
    while len(present) > 1:
        best: tuple[int, int] | None = None
        choice = (0, 1, 0)
        for i in range(len(present)):
            for j in range(i + 1, len(present)):
                others = result
                for k, labels in enumerate(present):
                    if k not in (i, j):
                        others |= labels
                together = present[i] | present[j]
                contracted = together & others
                growth = _extent(contracted, sizes) - _extent(present[i], sizes) - _extent(present[j], sizes)
                rank = growth, _extent(together, sizes)
                if best is None or rank < best:
                    best, choice = rank, (i, j, contracted)
        i, j, contracted = choice
        pairs.append((i, j))
        present = [m for k, m in enumerate(present) if k not in (i, j)] + [contracted]
    return tuple(pairs)
