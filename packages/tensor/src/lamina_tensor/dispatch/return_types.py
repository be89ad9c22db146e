"""Named results of functions: one class per PyTorch name, a tuple whose parts can also be reached by name.

https://docs.pytorch.org/docs/stable/generated/torch.max.html and others; the names of the fields are PyTorch's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from lamina_ndarray.dispatch import named_result
from lamina_ndarray.dispatch.named_result import field

if TYPE_CHECKING:
    from ..tensor_class import Tensor
else:  # for `typing.get_type_hints`: the class that tensors are made of
    from ..tensor_fields import TensorFields as Tensor

__all__ = [
    "NamedResult", "aminmax", "cummax", "cummin", "frexp", "geqrf", "histogram", "histogramdd", "kthvalue",
    "linalg_cholesky_ex", "linalg_eig", "linalg_eigh", "linalg_inv_ex", "linalg_ldl_factor", "linalg_ldl_factor_ex",
    "linalg_lstsq", "linalg_lu", "linalg_lu_factor", "linalg_lu_factor_ex", "linalg_qr", "linalg_slogdet",
    "linalg_solve_ex", "linalg_svd", "lu_unpack", "max", "median", "min", "mode", "nanmedian", "qr", "slogdet", "sort",
    "svd", "topk", "triangular_solve",
]  # fmt: skip

Part = TypeVar("Part", covariant=True)


class NamedResult(named_result.NamedResult[Part]):
    """Several results of one function, by index and by name.

    Args:
        parts: the results in the order of the class's fields, or one sequence of them.

    Raises:
        TypeError: they are more or fewer than the class has fields.

    >>> result = torch.max(torch.tensor([1.0, 3.0]), dim=0)
    >>> result.indices
    tensor(1)
    >>> values, indices = result
    """

    __slots__ = ()

    def __repr__(self) -> str:
        parts = ",\n".join(f"{name}={part!r}" for name, part in self._asdict().items())
        return f"lamina.return_types.{type(self).__name__}(\n{parts})"


class aminmax(NamedResult["Tensor"]):
    """The least and the greatest item, from `torch.aminmax`.

    Args:
        min: the least items, of the reduced shape.
        max: the greatest items, of the same shape.

    >>> result = torch.aminmax(torch.tensor([3.0, 1.0, 2.0]))
    >>> result.min, result.max
    (tensor(1.), tensor(3.))
    """

    __slots__ = ()
    _fields = __match_args__ = ("min", "max")
    min: Tensor = field(0)
    max: Tensor = field(1)


class cummax(NamedResult["Tensor"]):
    """The greatest item so far along a dim and its index, from `torch.cummax`.

    Args:
        values: the greatest items so far, of the input's shape.
        indices: where along the dim each of them is, of dtype int64.

    >>> torch.cummax(torch.tensor([1.0, 3.0, 2.0]), dim=0).values
    tensor([1., 3., 3.])
    """

    __slots__ = ()
    _fields = __match_args__ = ("values", "indices")
    values: Tensor = field(0)
    indices: Tensor = field(1)


class cummin(NamedResult["Tensor"]):
    """The least item so far along a dim and its index, from `torch.cummin`.

    Args:
        values: the least items so far, of the input's shape.
        indices: where along the dim each of them is, of dtype int64.

    >>> torch.cummin(torch.tensor([2.0, 3.0, 1.0]), dim=0).indices
    tensor([0, 0, 2])
    """

    __slots__ = ()
    _fields = __match_args__ = ("values", "indices")
    values: Tensor = field(0)
    indices: Tensor = field(1)


class frexp(NamedResult["Tensor"]):
    """Numbers as `mantissa * 2**exponent`, from `torch.frexp`.

    Args:
        mantissa: numbers from 0.5 to 1 in absolute value, or 0, of the input's shape and dtype.
        exponent: the powers of 2 that belong to them, of dtype int32.

    >>> result = torch.frexp(torch.tensor([6.0, 0.5]))
    >>> result.mantissa, result.exponent
    (tensor([0.7500, 0.5000]), tensor([3, 0], dtype=lamina.int32))
    """

    __slots__ = ()
    _fields = __match_args__ = ("mantissa", "exponent")
    mantissa: Tensor = field(0)
    exponent: Tensor = field(1)


class geqrf(NamedResult["Tensor"]):
    """R and the Householder vectors in one matrix, and the scales of the reflections, from `torch.geqrf`.

    Args:
        a: matrices (..., m, n): R in the upper triangle, the Householder vectors below it.
        tau: the scales of the reflections, (..., min(m, n)).

    >>> result = torch.geqrf(torch.tensor([[3.0, 1.0], [4.0, 2.0]]))
    >>> result.a.shape, result.tau.shape
    (lamina.Size([2, 2]), lamina.Size([2]))
    """

    __slots__ = ()
    _fields = __match_args__ = ("a", "tau")
    a: Tensor = field(0)
    tau: Tensor = field(1)


class histogram(NamedResult["Tensor"]):
    """How much lies in each bin, and the edges of the bins, from `torch.histogram`.

    Args:
        hist: the counts, or the sums of weights, or their densities: one number per bin.
        bin_edges: the edges of the bins, one more than there are bins.

    >>> result = torch.histogram(torch.tensor([1.0, 2.0, 2.0, 4.0]), bins=2)
    >>> result.hist, result.bin_edges
    (tensor([3., 1.]), tensor([1.0000, 2.5000, 4.0000]))
    """

    __slots__ = ()
    _fields = __match_args__ = ("hist", "bin_edges")
    hist: Tensor = field(0)
    bin_edges: Tensor = field(1)


class histogramdd(NamedResult[Any]):
    """How much lies in each bin, and the edges of the bins in each dimension, from `torch.histogramdd`.

    Args:
        hist: one number per bin, with a dim for each coordinate of the samples.
        bin_edges: the edges along each of these dims: a tuple of tensors.

    >>> points = torch.tensor([[0.0, 0.0], [1.0, 1.0], [1.0, 0.0]])
    >>> torch.histogramdd(points, bins=[2, 2]).hist
    tensor([[1., 0.],
            [1., 1.]])
    """

    __slots__ = ()
    _fields = __match_args__ = ("hist", "bin_edges")
    hist: Tensor = field(0)
    bin_edges: tuple[Tensor, ...] = field(1)


class kthvalue(NamedResult["Tensor"]):
    """The k-th smallest items along a dim and their indices, from `torch.kthvalue`.

    Args:
        values: the k-th smallest items, of the reduced shape.
        indices: where along the dim each of them is, of dtype int64.

    >>> torch.kthvalue(torch.tensor([5.0, 1.0, 3.0]), k=2).values
    tensor(3.)
    """

    __slots__ = ()
    _fields = __match_args__ = ("values", "indices")
    values: Tensor = field(0)
    indices: Tensor = field(1)


class linalg_cholesky_ex(NamedResult["Tensor"]):
    """The Cholesky factor and whether the factorization succeeded, from `torch.linalg.cholesky_ex`.

    Args:
        L: lower triangular matrices (..., n, n), or upper triangular ones with `upper=True`.
        info: per matrix 0, or the order of the first leading minor that is not positive; int32.

    >>> torch.linalg.cholesky_ex(torch.tensor([[1.0, 0.0], [0.0, -1.0]])).info
    tensor(2, dtype=lamina.int32)
    """

    __slots__ = ()
    _fields = __match_args__ = ("L", "info")
    L: Tensor = field(0)
    info: Tensor = field(1)


class linalg_eig(NamedResult["Tensor"]):
    """Complex eigenvalues, and eigenvectors as columns, from `torch.linalg.eig`.

    Args:
        eigenvalues: complex numbers (..., n).
        eigenvectors: complex matrices (..., n, n), whose columns have norm 1.

    >>> torch.linalg.eig(torch.tensor([[0.0, -1.0], [1.0, 0.0]])).eigenvalues.imag.abs()
    tensor([1., 1.])
    """

    __slots__ = ()
    _fields = __match_args__ = ("eigenvalues", "eigenvectors")
    eigenvalues: Tensor = field(0)
    eigenvectors: Tensor = field(1)


class linalg_eigh(NamedResult["Tensor"]):
    """Real eigenvalues in ascending order, and orthonormal eigenvectors as columns, from `torch.linalg.eigh`.

    Args:
        eigenvalues: real numbers (..., n), in ascending order.
        eigenvectors: matrices (..., n, n), of the input's dtype.

    >>> torch.linalg.eigh(torch.tensor([[2.0, 0.0], [0.0, 1.0]])).eigenvalues
    tensor([1., 2.])
    """

    __slots__ = ()
    _fields = __match_args__ = ("eigenvalues", "eigenvectors")
    eigenvalues: Tensor = field(0)
    eigenvectors: Tensor = field(1)


class linalg_inv_ex(NamedResult["Tensor"]):
    """The inverse, and which pivot (from 1) is 0, or 0 if none is, from `torch.linalg.inv_ex`.

    Args:
        inverse: matrices (..., n, n).
        info: per matrix 0, or the number of the pivot (from 1) that is 0; int32.

    >>> torch.linalg.inv_ex(torch.tensor([[1.0, 1.0], [1.0, 1.0]])).info
    tensor(2, dtype=lamina.int32)
    """

    __slots__ = ()
    _fields = __match_args__ = ("inverse", "info")
    inverse: Tensor = field(0)
    info: Tensor = field(1)


class linalg_ldl_factor(NamedResult["Tensor"]):
    """L and D in one matrix, and LAPACK's record of the row exchanges, from `torch.linalg.ldl_factor`.

    Args:
        LD: matrices (..., n, n): D on and beside the diagonal, L below it.
        pivots: the exchanges as LAPACK's `sytrf` numbers them, (..., n), int32.

    >>> result = torch.linalg.ldl_factor(torch.tensor([[2.0, 1.0], [1.0, 3.0]]))
    >>> result.LD.shape, result.pivots.shape
    (lamina.Size([2, 2]), lamina.Size([2]))
    """

    __slots__ = ()
    _fields = __match_args__ = ("LD", "pivots")
    LD: Tensor = field(0)
    pivots: Tensor = field(1)


class linalg_ldl_factor_ex(NamedResult["Tensor"]):
    """The factors L and D in one matrix, the row exchanges and whether D is singular, from `torch.linalg.ldl_factor_ex`.

    Args:
        LD: matrices (..., n, n): D on and beside the diagonal, L below it.
        pivots: the exchanges as LAPACK's `sytrf` numbers them, (..., n), int32.
        info: per matrix 0, or the number of the block of D (from 1) that is 0; int32.

    >>> torch.linalg.ldl_factor_ex(torch.tensor([[2.0, 1.0], [1.0, 3.0]])).info
    tensor(0, dtype=lamina.int32)
    """

    __slots__ = ()
    _fields = __match_args__ = ("LD", "pivots", "info")
    LD: Tensor = field(0)
    pivots: Tensor = field(1)
    info: Tensor = field(2)


class linalg_lstsq(NamedResult["Tensor"]):
    """The least squares solution, the squared residuals, the rank and the singular values, from `torch.linalg.lstsq`.

    Args:
        solution: matrices (..., n, k).
        residuals: the sums of squares of `A @ solution - B`, (..., k); empty unless m > n and A has full rank, and from "gelsy".
        rank: the ranks of A, (...), int64; empty from "gels".
        singular_values: those of A, (..., min(m, n)), from "gelsd" and "gelss"; otherwise empty.

    >>> A = torch.tensor([[1.0, 0.0], [0.0, 2.0], [0.0, 0.0]])
    >>> result = torch.linalg.lstsq(A, torch.tensor([[3.0], [4.0], [1.0]]))
    >>> result.solution
    tensor([[3.],
            [2.]])
    """

    __slots__ = ()
    _fields = __match_args__ = ("solution", "residuals", "rank", "singular_values")
    solution: Tensor = field(0)
    residuals: Tensor = field(1)
    rank: Tensor = field(2)
    singular_values: Tensor = field(3)


class linalg_lu(NamedResult["Tensor"]):
    """A permutation matrix, a unit lower and an upper triangular matrix, `A = P @ L @ U`, from `torch.linalg.lu`.

    Args:
        P: permutation matrices (..., m, m).
        L: unit lower triangular matrices (..., m, k), where k is min(m, n).
        U: upper triangular matrices (..., k, n).

    >>> result = torch.linalg.lu(torch.tensor([[0.0, 1.0], [2.0, 3.0]]))
    >>> result.P, result.U
    (tensor([[0., 1.],
            [1., 0.]]), tensor([[2., 3.],
            [0., 1.]]))
    """

    __slots__ = ()
    _fields = __match_args__ = ("P", "L", "U")
    P: Tensor = field(0)
    L: Tensor = field(1)
    U: Tensor = field(2)


class linalg_lu_factor(NamedResult["Tensor"]):
    """L and U in one matrix, and the row (from 1) each row was exchanged with, from `torch.linalg.lu_factor`.

    Args:
        LU: matrices (..., m, n): U in the upper triangle, L below the diagonal.
        pivots: the exchanges, (..., min(m, n)), int32.

    >>> torch.linalg.lu_factor(torch.tensor([[0.0, 1.0], [2.0, 3.0]])).pivots
    tensor([2, 2], dtype=lamina.int32)
    """

    __slots__ = ()
    _fields = __match_args__ = ("LU", "pivots")
    LU: Tensor = field(0)
    pivots: Tensor = field(1)


class linalg_lu_factor_ex(NamedResult["Tensor"]):
    """The factors L and U in one matrix, the row exchanges and whether U is singular, from `torch.linalg.lu_factor_ex`.

    Args:
        LU: matrices (..., m, n): U in the upper triangle, L below the diagonal.
        pivots: the row (from 1) that each row was exchanged with, (..., min(m, n)), int32.
        info: per matrix 0, or the number of the pivot (from 1) that is 0; int32.

    >>> torch.linalg.lu_factor_ex(torch.tensor([[1.0, 1.0], [1.0, 1.0]])).info
    tensor(2, dtype=lamina.int32)
    """

    __slots__ = ()
    _fields = __match_args__ = ("LU", "pivots", "info")
    LU: Tensor = field(0)
    pivots: Tensor = field(1)
    info: Tensor = field(2)


class linalg_qr(NamedResult["Tensor"]):
    """Orthonormal columns and an upper triangular matrix, `A = Q @ R`, from `torch.linalg.qr`.

    Args:
        Q: matrices (..., m, k) with orthonormal columns; k is m in the mode "complete", else min(m, n).
        R: upper triangular matrices (..., k, n).

    >>> result = torch.linalg.qr(torch.tensor([[3.0, 1.0], [4.0, 2.0]]))
    >>> torch.allclose(result.Q @ result.R, torch.tensor([[3.0, 1.0], [4.0, 2.0]]))
    True
    """

    __slots__ = ()
    _fields = __match_args__ = ("Q", "R")
    Q: Tensor = field(0)
    R: Tensor = field(1)


class linalg_slogdet(NamedResult["Tensor"]):
    """The sign of determinants and the logarithm of their absolute values, from `torch.linalg.slogdet`.

    Args:
        sign: 1, -1 or 0, or a complex number of modulus 1, per matrix.
        logabsdet: the logarithms, real; minus infinity for singular matrices.

    >>> torch.linalg.slogdet(torch.tensor([[0.0, 1.0], [1.0, 0.0]])).sign
    tensor(-1.)
    """

    __slots__ = ()
    _fields = __match_args__ = ("sign", "logabsdet")
    sign: Tensor = field(0)
    logabsdet: Tensor = field(1)


class linalg_solve_ex(NamedResult["Tensor"]):
    """The solution, and which pivot (from 1) is 0, or 0 if none is, from `torch.linalg.solve_ex`.

    Args:
        result: the solutions, of the shape of the right-hand sides.
        info: per matrix 0, or the number of the pivot (from 1) that is 0; int32.

    >>> torch.linalg.solve_ex(torch.tensor([[2.0, 0.0], [0.0, 4.0]]), torch.tensor([2.0, 2.0])).result
    tensor([1.0000, 0.5000])
    """

    __slots__ = ()
    _fields = __match_args__ = ("result", "info")
    result: Tensor = field(0)
    info: Tensor = field(1)


class linalg_svd(NamedResult["Tensor"]):
    """Singular vectors and descending singular values, `A = U @ diag(S) @ Vh`, from `torch.linalg.svd`.

    Args:
        U: left singular vectors as columns, (..., m, k), or (..., m, m) with `full_matrices`.
        S: the singular values, real, (..., k), where k is min(m, n).
        Vh: right singular vectors as rows, (..., k, n), or (..., n, n) with `full_matrices`.

    >>> torch.linalg.svd(torch.tensor([[3.0, 0.0], [0.0, 4.0]])).S
    tensor([4., 3.])
    """

    __slots__ = ()
    _fields = __match_args__ = ("U", "S", "Vh")
    U: Tensor = field(0)
    S: Tensor = field(1)
    Vh: Tensor = field(2)


class lu_unpack(NamedResult["Tensor"]):
    """A permutation matrix, a unit lower and an upper triangular matrix, from `torch.lu_unpack`.

    Args:
        P: permutation matrices (..., m, m); empty with `unpack_pivots=False`.
        L: unit lower triangular matrices (..., m, k), where k is min(m, n); empty with `unpack_data=False`.
        U: upper triangular matrices (..., k, n); empty with `unpack_data=False`.

    >>> factors = torch.linalg.lu_factor(torch.tensor([[0.0, 1.0], [2.0, 3.0]]))
    >>> torch.lu_unpack(*factors).U
    tensor([[2., 3.],
            [0., 1.]])
    """

    __slots__ = ()
    _fields = __match_args__ = ("P", "L", "U")
    P: Tensor = field(0)
    L: Tensor = field(1)
    U: Tensor = field(2)


class max(NamedResult["Tensor"]):
    """The greatest items along a dim and their indices, from `torch.max`.

    Args:
        values: the greatest items, of the reduced shape.
        indices: where along the dim each of them is, of dtype int64.

    >>> torch.max(torch.tensor([[1.0, 3.0], [4.0, 2.0]]), dim=1).values
    tensor([3., 4.])
    """

    __slots__ = ()
    _fields = __match_args__ = ("values", "indices")
    values: Tensor = field(0)
    indices: Tensor = field(1)


class median(NamedResult["Tensor"]):
    """The medians along a dim and their indices, from `torch.median`.

    Args:
        values: the medians, of the reduced shape: the lower one of two in the middle.
        indices: where along the dim each of them is, of dtype int64.

    >>> torch.median(torch.tensor([[1.0, 5.0, 3.0]]), dim=1).values
    tensor([3.])
    """

    __slots__ = ()
    _fields = __match_args__ = ("values", "indices")
    values: Tensor = field(0)
    indices: Tensor = field(1)


class min(NamedResult["Tensor"]):
    """The least items along a dim and their indices, from `torch.min`.

    Args:
        values: the least items, of the reduced shape.
        indices: where along the dim each of them is, of dtype int64.

    >>> torch.min(torch.tensor([[1.0, 3.0], [4.0, 2.0]]), dim=1).indices
    tensor([0, 1])
    """

    __slots__ = ()
    _fields = __match_args__ = ("values", "indices")
    values: Tensor = field(0)
    indices: Tensor = field(1)


class mode(NamedResult["Tensor"]):
    """The most frequent items along a dim and their indices, from `torch.mode`.

    Args:
        values: the most frequent items, of the reduced shape: the least of those equally frequent.
        indices: where along the dim such an item is, of dtype int64.

    >>> torch.mode(torch.tensor([2, 1, 2, 3])).values
    tensor(2)
    """

    __slots__ = ()
    _fields = __match_args__ = ("values", "indices")
    values: Tensor = field(0)
    indices: Tensor = field(1)


class nanmedian(NamedResult["Tensor"]):
    """The medians of what is not NaN along a dim and their indices, from `torch.nanmedian`.

    Args:
        values: the medians, of the reduced shape; NaN where all items are NaN.
        indices: where along the dim each of them is, of dtype int64.

    >>> torch.nanmedian(torch.tensor([[1.0, float("nan"), 3.0]]), dim=1).values
    tensor([1.])
    """

    __slots__ = ()
    _fields = __match_args__ = ("values", "indices")
    values: Tensor = field(0)
    indices: Tensor = field(1)


class qr(NamedResult["Tensor"]):
    """Orthonormal columns and an upper triangular matrix, `input = Q @ R`, from `torch.qr`.

    Args:
        Q: matrices (..., m, k) with orthonormal columns; k is min(m, n), or m with `some=False`.
        R: upper triangular matrices (..., k, n).

    >>> result = torch.qr(torch.eye(2))
    >>> torch.allclose(result.Q @ result.R, torch.eye(2))
    True
    """

    __slots__ = ()
    _fields = __match_args__ = ("Q", "R")
    Q: Tensor = field(0)
    R: Tensor = field(1)


class slogdet(NamedResult["Tensor"]):
    """The sign of determinants and the logarithm of their absolute values, from `torch.slogdet`.

    Args:
        sign: 1, -1 or 0, or a complex number of modulus 1, per matrix.
        logabsdet: the logarithms, real; minus infinity for singular matrices.

    >>> torch.slogdet(torch.eye(3)).logabsdet
    tensor(0.)
    """

    __slots__ = ()
    _fields = __match_args__ = ("sign", "logabsdet")
    sign: Tensor = field(0)
    logabsdet: Tensor = field(1)


class sort(NamedResult["Tensor"]):
    """The items in order along a dim and their indices before, from `torch.sort`.

    Args:
        values: the items in order, of the input's shape.
        indices: where along the dim each of them was, of dtype int64.

    >>> result = torch.sort(torch.tensor([3.0, 1.0, 2.0]))
    >>> result.values, result.indices
    (tensor([1., 2., 3.]), tensor([1, 2, 0]))
    """

    __slots__ = ()
    _fields = __match_args__ = ("values", "indices")
    values: Tensor = field(0)
    indices: Tensor = field(1)


class svd(NamedResult["Tensor"]):
    """Singular vectors and descending singular values, `input = U @ diag(S) @ V.mH`, from `torch.svd`.

    Args:
        U: left singular vectors as columns, (..., m, k), or (..., m, m) with `some=False`.
        S: the singular values, real, in descending order, (..., k), where k is min(m, n).
        V: right singular vectors as columns, (..., n, k), or (..., n, n) with `some=False`.

    >>> torch.svd(torch.tensor([[3.0, 0.0], [0.0, 4.0]])).S
    tensor([4., 3.])
    """

    __slots__ = ()
    _fields = __match_args__ = ("U", "S", "V")
    U: Tensor = field(0)
    S: Tensor = field(1)
    V: Tensor = field(2)


class topk(NamedResult["Tensor"]):
    """The greatest (or least) k items along a dim and their indices, from `torch.topk`.

    Args:
        values: k items along the dim, in order unless `sorted` is False.
        indices: where along the dim each of them is, of dtype int64.

    >>> result = torch.topk(torch.tensor([1.0, 4.0, 2.0]), k=2)
    >>> result.values, result.indices
    (tensor([4., 2.]), tensor([1, 2]))
    """

    __slots__ = ()
    _fields = __match_args__ = ("values", "indices")
    values: Tensor = field(0)
    indices: Tensor = field(1)


class triangular_solve(NamedResult["Tensor"]):
    """The solution, and a copy of the matrix, from `torch.triangular_solve`.

    Args:
        solution: the solutions (..., n, k).
        cloned_coefficient: a copy of the matrices, with the leading dims of the solution.

    >>> torch.triangular_solve(torch.tensor([[2.0], [4.0]]), torch.tensor([[1.0, 1.0], [0.0, 2.0]])).solution
    tensor([[0.],
            [2.]])
    """

    __slots__ = ()
    _fields = __match_args__ = ("solution", "cloned_coefficient")
    solution: Tensor = field(0)
    cloned_coefficient: Tensor = field(1)


RETURN_TYPES: Final[dict[str, type[NamedResult[Any]]]] = {kind.__name__: kind for kind in NamedResult.__subclasses__()}
"""PyTorch's name of a function (of `linalg`: with that in front) -> the class of its results."""
