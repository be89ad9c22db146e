"""Singular values and eigenvalues of matrices, with and without their vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina_flatarray import OpNotImplemented

from ..dispatch import return_types
from ..dispatch.out import written
from ..dispatch.tensor_functions import af
from ..dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ..tensor_class import Tensor

    Pair = tuple[Tensor, Tensor]
    Triple = tuple[Tensor, Tensor, Tensor]

__all__ = ["eig", "eigh", "eigvals", "eigvalsh", "svd", "svdvals"]


@torch_function(autocast="float32")
def svd(
    A: Tensor, full_matrices: bool = True, *, driver: str | None = None, out: Triple | None = None
) -> return_types.linalg_svd:
    """Compute the singular value decomposition of matrices: `A = U @ diag(S) @ Vh`.

    Args:
        A: matrices (..., m, n).
        full_matrices: whether U and Vh are square; otherwise they have only the k = min(m, n) columns and rows that
            belong to singular values.
        driver: one of cuSOLVER's methods; None, as there are none here.
        out: where to write U, S and Vh.

    Returns:
        U (..., m, m), the singular values S (..., k), real and descending, and Vh (..., n, n); without
        `full_matrices`, U (..., m, k) and Vh (..., k, n).

    Raises:
        ShapeError: there are fewer than two dims.
        LinAlgError: it did not converge: a matrix is not finite.
        OpNotImplemented: a driver is given.

    >>> torch.linalg.svd(torch.tensor([[3.0, 0.0], [0.0, -4.0]])).S
    tensor([4., 3.])
    """
    refuse_driver("svd", driver)
    result = return_types.linalg_svd(*af.linalg.svd(A, full_matrices))
    return result if out is None else written("linalg.svd", out, result)


@torch_function(autocast="float32")
def svdvals(A: Tensor, *, driver: str | None = None, out: Tensor | None = None) -> Tensor:
    """Compute the singular values of matrices.

    Args:
        A: matrices (..., m, n).
        driver: one of cuSOLVER's methods; None, as there are none here.
        out: where to write the result.

    Returns:
        The singular values (..., min(m, n)), real and descending.

    Raises:
        ShapeError: there are fewer than two dims.
        LinAlgError: it did not converge: a matrix is not finite.
        OpNotImplemented: a driver is given.

    >>> torch.linalg.svdvals(torch.tensor([[3.0, 0.0], [0.0, -4.0]]))
    tensor([4., 3.])
    """
    refuse_driver("svdvals", driver)
    result: Tensor = af.linalg.svdvals(A)
    return result if out is None else written("linalg.svdvals", out, result)


def refuse_driver(op: str, driver: str | None) -> None:
    """Raise if one of cuSOLVER's methods is asked for.

    Raises:
        OpNotImplemented: `driver` is not None.
    """
    if driver is not None:
        raise OpNotImplemented(
            f"linalg.{op}: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER"
        )


@torch_function(autocast="float32")
def eigh(input: Tensor, UPLO: str = "L", *, out: Pair | None = None) -> return_types.linalg_eigh:
    """Compute the eigenvalues and eigenvectors of Hermitian or symmetric matrices.

    Args:
        input: matrices (..., n, n).
        UPLO: which triangle to read: "L", the lower one, or "U", the upper one.
        out: where to write the eigenvalues and eigenvectors.

    Returns:
        The eigenvalues (..., n), real and ascending, and orthonormal eigenvectors (..., n, n) as columns.

    Raises:
        ShapeError: the matrices are not square, or UPLO is neither "L" nor "U".
        LinAlgError: it did not converge.

    >>> torch.linalg.eigh(torch.tensor([[2.0, 0.0], [0.0, 1.0]])).eigenvalues
    tensor([1., 2.])
    """
    result = return_types.linalg_eigh(*af.linalg.eigh(input, UPLO))
    return result if out is None else written("linalg.eigh", out, result)


@torch_function(autocast="float32")
def eigvalsh(input: Tensor, UPLO: str = "L", *, out: Tensor | None = None) -> Tensor:
    """Compute the eigenvalues of Hermitian or symmetric matrices.

    Args:
        input: matrices (..., n, n).
        UPLO: which triangle to read: "L", the lower one, or "U", the upper one.
        out: where to write the result.

    Returns:
        The eigenvalues (..., n), real and ascending.

    Raises:
        ShapeError: the matrices are not square, or UPLO is neither "L" nor "U".
        LinAlgError: it did not converge.

    >>> torch.linalg.eigvalsh(torch.tensor([[2.0, 0.0], [0.0, 1.0]]))
    tensor([1., 2.])
    """
    result: Tensor = af.linalg.eigvalsh(input, UPLO)
    return result if out is None else written("linalg.eigvalsh", out, result)


@torch_function(autocast="float32")
def eig(input: Tensor, *, out: Pair | None = None) -> return_types.linalg_eig:
    """Compute the eigenvalues and eigenvectors of square matrices.

    Args:
        input: matrices (..., n, n).
        out: where to write the eigenvalues and eigenvectors.

    Returns:
        The eigenvalues (..., n) and eigenvectors (..., n, n) as columns, both complex, in no order.

    Raises:
        ShapeError: the matrices are not square.
        LinAlgError: it did not converge, or a matrix is not finite.

    >>> torch.linalg.eig(torch.tensor([[2.0, 1.0], [0.0, 3.0]])).eigenvalues
    tensor([2.+0.j, 3.+0.j])
    """
    result = return_types.linalg_eig(*af.linalg.eig(input))
    return result if out is None else written("linalg.eig", out, result, casts=True)


@torch_function(autocast="float32")
def eigvals(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the eigenvalues of square matrices.

    Args:
        input: matrices (..., n, n).
        out: where to write the result.

    Returns:
        The eigenvalues (..., n), complex, in no order.

    Raises:
        ShapeError: the matrices are not square.
        LinAlgError: it did not converge, or a matrix is not finite.

    >>> torch.linalg.eigvals(torch.tensor([[2.0, 1.0], [0.0, 3.0]]))
    tensor([2.+0.j, 3.+0.j])
    """
    result: Tensor = af.linalg.eigvals(input)
    return result if out is None else written("linalg.eigvals", out, result, casts=True)
