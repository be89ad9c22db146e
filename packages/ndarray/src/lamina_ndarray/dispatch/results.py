"""Several results by name, as the Array API and PyTorch call them. The fields hold arrays of whichever storey asked."""

from __future__ import annotations

from .array_types import Array
from .named_result import NamedResult, field

__all__ = [
    "CholeskyResult", "EigResult", "EighResult", "GeqrfResult", "Histogram", "HistogramDD", "InverseResult",
    "LDLFactorExResult", "LDLFactorResult", "LUFactorExResult", "LUFactorResult", "LUResult", "LeastSquaresResult",
    "MantissaExponent", "MinMax", "QRResult", "SVDResult", "SlogdetResult", "SolveResult", "StdMean", "UniqueAll",
    "UniqueCounts", "UniqueInverse", "ValuesIndices", "VarMean",
]  # fmt: skip


class ValuesIndices(NamedResult[Array]):
    """Items and where along the axis they came from."""

    __slots__ = ()
    _fields = __match_args__ = ("values", "indices")
    values: Array = field(0)
    indices: Array = field(1)


class MinMax(NamedResult[Array]):
    """The smallest and the greatest item."""

    __slots__ = ()
    _fields = __match_args__ = ("min", "max")
    min: Array = field(0)
    max: Array = field(1)


class VarMean(NamedResult[Array]):
    """The variance and the mean."""

    __slots__ = ()
    _fields = __match_args__ = ("var", "mean")
    var: Array = field(0)
    mean: Array = field(1)


class StdMean(NamedResult[Array]):
    """The standard deviation and the mean."""

    __slots__ = ()
    _fields = __match_args__ = ("std", "mean")
    std: Array = field(0)
    mean: Array = field(1)


class UniqueAll(NamedResult[Array]):
    """Each value once, where it first is, which value each item has, and how often each occurs."""

    __slots__ = ()
    _fields = __match_args__ = ("values", "indices", "inverse_indices", "counts")
    values: Array = field(0)
    indices: Array = field(1)
    inverse_indices: Array = field(2)
    counts: Array = field(3)


class UniqueCounts(NamedResult[Array]):
    """Each value once, and how often it occurs."""

    __slots__ = ()
    _fields = __match_args__ = ("values", "counts")
    values: Array = field(0)
    counts: Array = field(1)


class UniqueInverse(NamedResult[Array]):
    """Each value once, and which of them each item has."""

    __slots__ = ()
    _fields = __match_args__ = ("values", "inverse_indices")
    values: Array = field(0)
    inverse_indices: Array = field(1)


class Histogram(NamedResult[Array]):
    """What lies between edges, and the edges."""

    __slots__ = ()
    _fields = __match_args__ = ("hist", "bin_edges")
    hist: Array = field(0)
    bin_edges: Array = field(1)


class HistogramDD(NamedResult[Array]):
    """What lies in boxes, and the edges of each coordinate."""

    __slots__ = ()
    _fields = __match_args__ = ("hist", "bin_edges")
    hist: Array = field(0)
    bin_edges: tuple[Array, ...] = field(1)


# -- of linear algebra --------------------------------------------------------------------------------------------------


class CholeskyResult(NamedResult[Array]):
    """The Cholesky factor, and per matrix the order of the first leading minor that is not positive, or 0."""

    __slots__ = ()
    _fields = __match_args__ = ("L", "info")
    L: Array = field(0)
    info: Array = field(1)


class QRResult(NamedResult[Array]):
    """Orthonormal columns and an upper triangle: `x = Q @ R`."""

    __slots__ = ()
    _fields = __match_args__ = ("Q", "R")
    Q: Array = field(0)
    R: Array = field(1)


class GeqrfResult(NamedResult[Array]):
    """R and Householder vectors packed into one matrix, and the scales of the reflections."""

    __slots__ = ()
    _fields = __match_args__ = ("a", "tau")
    a: Array = field(0)
    tau: Array = field(1)


class LUFactorResult(NamedResult[Array]):
    """L and U packed into one matrix, and with which row (from 1) each row was exchanged."""

    __slots__ = ()
    _fields = __match_args__ = ("LU", "pivots")
    LU: Array = field(0)
    pivots: Array = field(1)


class LUFactorExResult(NamedResult[Array]):
    """As LUFactorResult, and per matrix which pivot (from 1) is 0, or 0."""

    __slots__ = ()
    _fields = __match_args__ = ("LU", "pivots", "info")
    LU: Array = field(0)
    pivots: Array = field(1)
    info: Array = field(2)


class LUResult(NamedResult[Array]):
    """A permutation, a unit lower and an upper triangle: `x = P @ L @ U`."""

    __slots__ = ()
    _fields = __match_args__ = ("P", "L", "U")
    P: Array = field(0)
    L: Array = field(1)
    U: Array = field(2)


class LDLFactorResult(NamedResult[Array]):
    """L and D packed into one matrix, and the exchanges of rows as LAPACK's sytrf writes them."""

    __slots__ = ()
    _fields = __match_args__ = ("LD", "pivots")
    LD: Array = field(0)
    pivots: Array = field(1)


class LDLFactorExResult(NamedResult[Array]):
    """As LDLFactorResult, and per matrix which block of D (from 1) is 0, or 0."""

    __slots__ = ()
    _fields = __match_args__ = ("LD", "pivots", "info")
    LD: Array = field(0)
    pivots: Array = field(1)
    info: Array = field(2)


class SVDResult(NamedResult[Array]):
    """`x = U @ diag(S) @ Vh`, singular values descending."""

    __slots__ = ()
    _fields = __match_args__ = ("U", "S", "Vh")
    U: Array = field(0)
    S: Array = field(1)
    Vh: Array = field(2)


class EighResult(NamedResult[Array]):
    """Ascending real eigenvalues, and orthonormal eigenvectors as columns."""

    __slots__ = ()
    _fields = __match_args__ = ("eigenvalues", "eigenvectors")
    eigenvalues: Array = field(0)
    eigenvectors: Array = field(1)


class EigResult(NamedResult[Array]):
    """Complex eigenvalues, and eigenvectors as columns."""

    __slots__ = ()
    _fields = __match_args__ = ("eigenvalues", "eigenvectors")
    eigenvalues: Array = field(0)
    eigenvectors: Array = field(1)


class SolveResult(NamedResult[Array]):
    """The solution, and per matrix which pivot (from 1) is 0, or 0."""

    __slots__ = ()
    _fields = __match_args__ = ("result", "info")
    result: Array = field(0)
    info: Array = field(1)


class InverseResult(NamedResult[Array]):
    """The inverse, and per matrix which pivot (from 1) is 0, or 0."""

    __slots__ = ()
    _fields = __match_args__ = ("inverse", "info")
    inverse: Array = field(0)
    info: Array = field(1)


class LeastSquaresResult(NamedResult[Array]):
    """The solution of least norm, the squared residuals, and the rank and singular values where they were computed."""

    __slots__ = ()
    _fields = __match_args__ = ("solution", "residuals", "rank", "singular_values")
    solution: Array = field(0)
    residuals: Array = field(1)
    rank: Array = field(2)
    singular_values: Array = field(3)


class SlogdetResult(NamedResult[Array]):
    """The sign (of complex numbers: the phase) of determinants, and the logarithm of their absolute values."""

    __slots__ = ()
    _fields = __match_args__ = ("sign", "logabsdet")
    sign: Array = field(0)
    logabsdet: Array = field(1)


class MantissaExponent(NamedResult[Array]):
    """Numbers as mantissa * 2**exponent."""

    __slots__ = ()
    _fields = __match_args__ = ("mantissa", "exponent")
    mantissa: Array = field(0)
    exponent: Array = field(1)
