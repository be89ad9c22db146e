"""Several results by name, as the Array API and PyTorch call them. The fields hold arrays of whichever storey asked."""

from __future__ import annotations

from typing import Generic, NamedTuple

from .array_types import Array

__all__ = [
    "CholeskyResult", "EigResult", "EighResult", "GeqrfResult", "Histogram", "HistogramDD", "InverseResult",
    "LDLFactorExResult", "LDLFactorResult", "LUFactorExResult", "LUFactorResult", "LUResult", "LeastSquaresResult",
    "MantissaExponent", "MinMax", "QRResult", "SVDResult", "SlogdetResult", "SolveResult", "StdMean", "UniqueAll",
    "UniqueCounts", "UniqueInverse", "ValuesIndices", "VarMean",
]  # fmt: skip


class ValuesIndices(NamedTuple, Generic[Array]):
    """Items and where along the axis they came from."""

    values: Array
    indices: Array


class MinMax(NamedTuple, Generic[Array]):
    """The smallest and the greatest item."""

    min: Array
    max: Array


class VarMean(NamedTuple, Generic[Array]):
    """The variance and the mean."""

    var: Array
    mean: Array


class StdMean(NamedTuple, Generic[Array]):
    """The standard deviation and the mean."""

    std: Array
    mean: Array


class UniqueAll(NamedTuple, Generic[Array]):
    """Each value once, where it first is, which value each item has, and how often each occurs."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCounts(NamedTuple, Generic[Array]):
    """Each value once, and how often it occurs."""

    values: Array
    counts: Array


class UniqueInverse(NamedTuple, Generic[Array]):
    """Each value once, and which of them each item has."""

    values: Array
    inverse_indices: Array


class Histogram(NamedTuple, Generic[Array]):
    """What lies between edges, and the edges."""

    hist: Array
    bin_edges: Array


class HistogramDD(NamedTuple, Generic[Array]):
    """What lies in boxes, and the edges of each coordinate."""

    hist: Array
    bin_edges: tuple[Array, ...]


# -- of linear algebra --------------------------------------------------------------------------------------------------


class CholeskyResult(NamedTuple, Generic[Array]):
    """The Cholesky factor, and per matrix the order of the first leading minor that is not positive, or 0."""

    L: Array
    info: Array


class QRResult(NamedTuple, Generic[Array]):
    """Orthonormal columns and an upper triangle: `x = Q @ R`."""

    Q: Array
    R: Array


class GeqrfResult(NamedTuple, Generic[Array]):
    """R and Householder vectors packed into one matrix, and the scales of the reflections."""

    a: Array
    tau: Array


class LUFactorResult(NamedTuple, Generic[Array]):
    """L and U packed into one matrix, and with which row (from 1) each row was exchanged."""

    LU: Array
    pivots: Array


class LUFactorExResult(NamedTuple, Generic[Array]):
    """As LUFactorResult, and per matrix which pivot (from 1) is 0, or 0."""

    LU: Array
    pivots: Array
    info: Array


class LUResult(NamedTuple, Generic[Array]):
    """A permutation, a unit lower and an upper triangle: `x = P @ L @ U`."""

    P: Array
    L: Array
    U: Array


class LDLFactorResult(NamedTuple, Generic[Array]):
    """L and D packed into one matrix, and the exchanges of rows as LAPACK's sytrf writes them."""

    LD: Array
    pivots: Array


class LDLFactorExResult(NamedTuple, Generic[Array]):
    """As LDLFactorResult, and per matrix which block of D (from 1) is 0, or 0."""

    LD: Array
    pivots: Array
    info: Array


class SVDResult(NamedTuple, Generic[Array]):
    """`x = U @ diag(S) @ Vh`, singular values descending."""

    U: Array
    S: Array
    Vh: Array


class EighResult(NamedTuple, Generic[Array]):
    """Ascending real eigenvalues, and orthonormal eigenvectors as columns."""

    eigenvalues: Array
    eigenvectors: Array


class EigResult(NamedTuple, Generic[Array]):
    """Complex eigenvalues, and eigenvectors as columns."""

    eigenvalues: Array
    eigenvectors: Array


class SolveResult(NamedTuple, Generic[Array]):
    """The solution, and per matrix which pivot (from 1) is 0, or 0."""

    result: Array
    info: Array


class InverseResult(NamedTuple, Generic[Array]):
    """The inverse, and per matrix which pivot (from 1) is 0, or 0."""

    inverse: Array
    info: Array


class LeastSquaresResult(NamedTuple, Generic[Array]):
    """The solution of least norm, the squared residuals, and the rank and singular values where they were computed."""

    solution: Array
    residuals: Array
    rank: Array
    singular_values: Array


class SlogdetResult(NamedTuple, Generic[Array]):
    """The sign (of complex numbers: the phase) of determinants, and the logarithm of their absolute values."""

    sign: Array
    logabsdet: Array


class MantissaExponent(NamedTuple, Generic[Array]):
    """Numbers as mantissa * 2**exponent."""

    mantissa: Array
    exponent: Array
