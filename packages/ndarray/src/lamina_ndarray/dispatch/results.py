"""Several results by name, as the Array API and PyTorch call them. The fields hold arrays of whichever storey asked."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = [
    "CholeskyResult", "EigResult", "EighResult", "GeqrfResult", "Histogram", "HistogramDD", "InverseResult",
    "LDLFactorExResult", "LDLFactorResult", "LUFactorExResult", "LUFactorResult", "LUResult", "LeastSquaresResult",
    "MantissaExponent", "MinMax", "QRResult", "SVDResult", "SlogdetResult", "SolveResult", "StdMean", "UniqueAll",
    "UniqueCounts", "UniqueInverse", "ValuesIndices", "VarMean",
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


# -- of linear algebra --------------------------------------------------------------------------------------------------


class CholeskyResult(NamedTuple):
    """The Cholesky factor, and per matrix the order of the first leading minor that is not positive, or 0."""

    L: Any
    info: Any


class QRResult(NamedTuple):
    """Orthonormal columns and an upper triangle: `x = Q @ R`."""

    Q: Any
    R: Any


class GeqrfResult(NamedTuple):
    """R and Householder vectors packed into one matrix, and the scales of the reflections."""

    a: Any
    tau: Any


class LUFactorResult(NamedTuple):
    """L and U packed into one matrix, and with which row (from 1) each row was exchanged."""

    LU: Any
    pivots: Any


class LUFactorExResult(NamedTuple):
    """As LUFactorResult, and per matrix which pivot (from 1) is 0, or 0."""

    LU: Any
    pivots: Any
    info: Any


class LUResult(NamedTuple):
    """A permutation, a unit lower and an upper triangle: `x = P @ L @ U`."""

    P: Any
    L: Any
    U: Any


class LDLFactorResult(NamedTuple):
    """L and D packed into one matrix, and the exchanges of rows as LAPACK's sytrf writes them."""

    LD: Any
    pivots: Any


class LDLFactorExResult(NamedTuple):
    """As LDLFactorResult, and per matrix which block of D (from 1) is 0, or 0."""

    LD: Any
    pivots: Any
    info: Any


class SVDResult(NamedTuple):
    """`x = U @ diag(S) @ Vh`, singular values descending."""

    U: Any
    S: Any
    Vh: Any


class EighResult(NamedTuple):
    """Ascending real eigenvalues, and orthonormal eigenvectors as columns."""

    eigenvalues: Any
    eigenvectors: Any


class EigResult(NamedTuple):
    """Complex eigenvalues, and eigenvectors as columns."""

    eigenvalues: Any
    eigenvectors: Any


class SolveResult(NamedTuple):
    """The solution, and per matrix which pivot (from 1) is 0, or 0."""

    result: Any
    info: Any


class InverseResult(NamedTuple):
    """The inverse, and per matrix which pivot (from 1) is 0, or 0."""

    inverse: Any
    info: Any


class LeastSquaresResult(NamedTuple):
    """The solution of least norm, the squared residuals, and the rank and singular values where they were computed."""

    solution: Any
    residuals: Any
    rank: Any
    singular_values: Any


class SlogdetResult(NamedTuple):
    """The sign (of complex numbers: the phase) of determinants, and the logarithm of their absolute values."""

    sign: Any
    logabsdet: Any


class MantissaExponent(NamedTuple):
    """Numbers as mantissa * 2**exponent."""

    mantissa: Any
    exponent: Any
