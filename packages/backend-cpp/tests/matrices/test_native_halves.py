"""Eigenvalues and singular values of matrices of any size are native: whatever makes halves, squares or deflation hard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_matrices import LAYOUTS, called
from native_spectra import check_eigenvectors, check_singular_vectors, near, random, with_eigenvalues

from lamina_backend_cpp import threads
from lamina_flatarray import LinAlgError

Array = np.ndarray[Any, Any]
RNG = np.random.default_rng(1)


def _tridiagonal(diagonal: Any, beside: float) -> Array:
    n = len(diagonal)
    return np.diag(np.asarray(diagonal, float)) + beside * (np.eye(n, k=1) + np.eye(n, k=-1))


def _glued(n: int) -> Array:
    """Wilkinson's matrices, whose eigenvalues are pairs that nearly agree, next to each other, almost apart."""
    a = _tridiagonal(np.zeros(n), 1e-9)
    for i in range(0, n, 21):
        block = a[i : i + 21, i : i + 21]
        block[...] = _tridiagonal(np.abs(np.arange(21) - 10)[: len(block)], 1.0)
    return a


HARD: Final[dict[str, Callable[[int], Array]]] = {
    "equal": lambda n: with_eigenvalues(np.ones(n), "float64"),
    "two": lambda n: with_eigenvalues(np.where(np.arange(n) % 2, 1, -1), "float64"),
    "nearly equal": lambda n: with_eigenvalues(1 + 1e-8 * np.arange(n), "float64"),
    "graded": lambda n: with_eigenvalues(10 ** (-np.arange(n) / 4), "float64"),
    "half of them 0": lambda n: with_eigenvalues(np.where(np.arange(n) < n // 2, 0, np.arange(n)), "float64"),
    "zeros": lambda n: np.zeros((n, n)),
    "ones": lambda n: np.ones((n, n)),
    "diagonal": lambda n: np.diag(RNG.standard_normal(n)),
    "identity": lambda n: np.eye(n),
    "Laplace": lambda n: _tridiagonal(np.full(n, 2), -1),
    "Wilkinson": lambda n: _tridiagonal(np.abs(np.arange(n) - n // 2), 1),
    "glued": _glued,
    "of rank 3": lambda n: (lambda a: a @ a.T)(RNG.integers(-2, 3, (n, 3)).astype(float)),
    "scaled rows": lambda n: (lambda d, a: d[:, None] * (a + a.T) * d)(10 ** (-np.arange(n) / 10), RNG.standard_normal((n, n))),
}


@pytest.mark.parametrize("dtype", ("float32", "float64"))
@pytest.mark.parametrize("n", (15, 33, 100))
@pytest.mark.parametrize("kind", HARD)
def test_eigenvalues_that_are_hard(kind: str, n: int, dtype: str, left: list[str]) -> None:
    check_eigenvectors(HARD[kind](n).astype(dtype)[None])
    assert not left


@pytest.mark.parametrize("n", (15, 33, 100))
@pytest.mark.parametrize("kind", HARD)
def test_singular_values_that_are_hard(kind: str, n: int, left: list[str]) -> None:
    a = HARD[kind](n).astype("float32")
    for some in (a, a[:, :-3], a[: 2 * n // 3]):
        check_singular_vectors(some[None])
    assert not left


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ("float32", "float64"))
@pytest.mark.parametrize(("count", "n"), [(1, 12), (2, 17), (3, 40), (1, 64), (1, 129)])
def test_eigenvectors(count: int, n: int, dtype: str, layout: str, left: list[str]) -> None:
    for upper in (False, True):  # the other triangle is not read
        check_eigenvectors(LAYOUTS[layout](random((count, n, n), dtype)), upper)
    assert not left


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("count", "m", "n"), [(1, 12, 12), (2, 40, 40), (1, 129, 20), (3, 20, 65), (1, 300, 9)])
def test_singular_vectors(count: int, m: int, n: int, layout: str, left: list[str]) -> None:
    check_singular_vectors(LAYOUTS[layout](random((count, m, n), "float32")))
    assert not left


@pytest.mark.parametrize(("m", "n"), [(40, 12), (12, 40), (70, 69)])
def test_all_vectors(m: int, n: int, left: list[str]) -> None:
    """Those that belong to no singular value, too."""
    a = random((2, m, n), "float32")
    u, s, vh = called("svd", [(2, m, m), (2, min(m, n)), (2, n, n)], a, full_matrices=True)
    k = min(m, n)
    near(u.mT @ u, np.broadcast_to(np.eye(m), u.shape))
    near(vh @ vh.mT, np.broadcast_to(np.eye(n), vh.shape))
    near((u[..., :k] * s[:, None]) @ vh[:, :k], a, max(m, n) * np.abs(a).max())
    assert not left


@pytest.mark.parametrize("dtype", ("float32", "float64"))
def test_sizes(dtype: str, left: list[str]) -> None:
    """Numbers whose squares are not finite, or 0."""
    info, a = np.finfo(dtype), random((30, 30), dtype)
    for scale in (info.max / 512, info.tiny * 64, info.tiny):
        w, v = called("eigh", [(30,), (30, 30)], a * scale, upper=False)
        near(w / scale, np.linalg.eigvalsh(a), 64)
        near(v.T @ v, np.eye(30))
        if dtype == "float32":
            near(called("svdvals", [(30,)], a * scale)[0] / scale, np.linalg.svd(a, compute_uv=False), 64)
    assert not left


def test_vectors_of_values_that_are_not_finite(left: list[str]) -> None:
    """As large as float32 goes: the greatest value is larger."""
    a = np.full((30, 30), np.finfo("float32").max, "float32")
    u, s, vh = called("svd", [(30, 30), (30,), (30, 30)], a, full_matrices=True)
    assert np.isinf(s[0]) and not left
    near(np.abs(u[:, 0]), np.full(30, 30**-0.5))
    near(np.abs(vh[0]), np.full(30, 30**-0.5))
    near(u.T @ u, np.eye(30))


@pytest.mark.parametrize("dtype", ("float32", "float64"))
def test_threads_change_no_bit(dtype: str) -> None:
    a, before, found = random((400, 400), dtype), threads.get_num_threads(), []
    try:
        for number in (1, 2, 8):
            threads.set_num_threads(number)
            found.append(called("eigh", [(400,), (400, 400)], a, upper=False) + called("svdvals", [(400,)], a))
    finally:
        threads.set_num_threads(before)
    for others in found[1:]:
        assert all((x == y).all() for x, y in zip(found[0], others, strict=True))


def test_what_is_not_finite_is_refused(left: list[str]) -> None:
    a = random((2, 20, 20), "float32")
    a[1, 2, 1] = np.nan
    with pytest.raises(LinAlgError, match=r"linalg.eigh: \(Batch element 1\)"):
        called("eigh", [(2, 20), (2, 20, 20)], a, upper=False)
    with pytest.raises(LinAlgError, match=r"linalg.svdvals: \(Batch element 1\)"):
        called("svdvals", [(2, 20)], a)
    called("eigvalsh", [(2, 20)], a, upper=True)  # the other triangle
    assert left == ["eigh", "svdvals"]
