"""Several results by name, as the Array API and PyTorch call them. The fields hold arrays of whichever storey asked."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = [
    "Histogram", "HistogramDD", "MinMax", "StdMean", "UniqueAll", "UniqueCounts", "UniqueInverse", "ValuesIndices", "VarMean",
]  # fmt: skip


class ValuesIndices(NamedTuple):
    """Items and where along the axis they came from."""

    values: Any
    indices: Any


class MinMax(NamedTuple):
    """The smallest and the greatest item."""

    min: Any
    max: Any


class VarMean(NamedTuple):
    """The variance and the mean."""

    var: Any
    mean: Any


class StdMean(NamedTuple):
    """The standard deviation and the mean."""

    std: Any
    mean: Any


class UniqueAll(NamedTuple):
    """Each value once, where it first is, which value each item has, and how often each occurs."""

    values: Any
    indices: Any
    inverse_indices: Any
    counts: Any


class UniqueCounts(NamedTuple):
    """Each value once, and how often it occurs."""

    values: Any
    counts: Any


class UniqueInverse(NamedTuple):
    """Each value once, and which of them each item has."""

    values: Any
    inverse_indices: Any


class Histogram(NamedTuple):
    """What lies between edges, and the edges."""

    hist: Any
    bin_edges: Any


class HistogramDD(NamedTuple):
    """What lies in boxes, and the edges of each coordinate."""

    hist: Any
    bin_edges: tuple[Any, ...]
