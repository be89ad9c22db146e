"""Eigenvalues and singular values of small matrices are native, and as exact as LAPACK's; what is not served is LAPACK's still."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_matrices import LAYOUTS, called
from native_spectra import check_eigenvectors, check_singular_vectors, near, random, with_eigenvalues

from lamina_backend_cpp import threads
from lamina_flatarray import LinAlgError

Array = np.ndarray[Any, Any]
RNG = np.random.default_rng(0)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ("float32", "float64"))
@pytest.mark.parametrize(("count", "n"), [(1, 1), (1, 2), (3, 5), (1, 8), (20, 8), (33, 16), (7, 24)])
def test_eigenvectors(count: int, n: int, dtype: str, layout: str, left: list[str]) -> None:
    for upper in (False, True):  # the other triangle is not read
        a = random((count, n, n), dtype)
        check_eigenvectors(LAYOUTS[layout](a), upper)
    assert not left


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ("float32", "float64"))
@pytest.mark.parametrize(("count", "m", "n"), [(1, 1, 1), (1, 5, 5), (2, 7, 3), (2, 3, 7), (19, 8, 8), (40, 20, 12), (7, 12, 32)])
def test_singular_vectors(count: int, m: int, n: int, dtype: str, layout: str, left: list[str]) -> None:
    check_singular_vectors(LAYOUTS[layout](random((count, m, n), dtype)))
    assert not left


@pytest.mark.parametrize("dtype", ("float32", "float64"))
def test_eigenvalues_that_are_hard(dtype: str, left: list[str]) -> None:
    """Equal ones, nearly equal ones, zeros, and some of very different size."""
    for values in ([1] * 6, [1, 1, 1, 2, 2, 2], [0, 0, 0, 0, 0, 5], [0] * 6, [-1, -1, 1, 1, 1e-9, 0],
                   1 + np.arange(6) * np.finfo(dtype).eps, 10.0 ** -np.arange(8), [-3, 3, -3, 3]):  # fmt: skip
        check_eigenvectors(with_eigenvalues(np.array(values, float), dtype)[None])
        check_eigenvectors(np.diag(values).astype(dtype)[None])
    check_eigenvectors(np.ones((1, 8, 8), dtype))
    check_eigenvectors((np.eye(8, k=1) + np.eye(8, k=-1)).astype(dtype)[None])
    info = np.finfo(dtype)
    for scale in (info.max / 64, info.tiny * 64, info.tiny):
        a = random((3, 6, 6), dtype)
        w, v = called("eigh", [(3, 6), (3, 6, 6)], a * scale, upper=False)
        near(w / scale, np.linalg.eigvalsh(a), 64)
        near(np.swapaxes(v, -1, -2) @ v, np.broadcast_to(np.eye(6), v.shape))
        s = called("svdvals", [(3, 6)], a * scale)[0]
        near(s / scale, np.linalg.svd(a, compute_uv=False), 64)
    assert not left


@pytest.mark.parametrize("dtype", ("float32", "float64"))
def test_singular_values_that_are_hard(dtype: str) -> None:
    """Of those that have no direction, LAPACK chooses one."""
    for values in ([1] * 6, [1, 1, 1, 2, 2, 2], [0, 0, 0, 0, 0, 5], [0] * 6, 10.0 ** -np.arange(8), 10.0 ** -np.arange(0, 40, 5)):
        q = np.linalg.qr(RNG.standard_normal((len(values), len(values))))[0]
        check_singular_vectors((q @ with_eigenvalues(np.array(values, float), "float64")).astype(dtype)[None])
        check_singular_vectors(np.diag(values).astype(dtype)[None])
    check_singular_vectors(np.ones((1, 8, 5), dtype))
    check_singular_vectors(np.zeros((1, 4, 4), dtype))
    check_singular_vectors((RNG.integers(-3, 4, (9, 8, 2)) @ RNG.integers(-3, 4, (9, 2, 6))).astype(dtype))


@given(st.integers(1, 8), st.integers(1, 8), st.integers(0, 3), st.booleans(), st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_small_integers(m: int, n: int, rank: int, wide: bool, seed: int) -> None:
    """With many zeros and equal numbers, of low rank or not."""
    rng = np.random.default_rng(seed)
    a = rng.integers(-2, 3, (3, m, rank)) @ rng.integers(-2, 3, (3, rank, n)) if rank else rng.integers(-1, 2, (3, m, n))
    a = a.astype("float64" if wide else "float32")
    check_singular_vectors(a)
    check_eigenvectors(a @ np.swapaxes(a, -1, -2))


@pytest.mark.parametrize("dtype", ("float32", "float64"))
def test_a_matrix_does_not_know_its_neighbours(dtype: str) -> None:
    """Nor how many threads there are: the very bits."""
    a, before, found = random((50, 8, 8), dtype), threads.get_num_threads(), []
    try:
        for number in (1, 2, 8):
            threads.set_num_threads(number)
            found.append(
                called("eigh", [(50, 8), (50, 8, 8)], a, upper=False)
                + called("svd", [(50, 8, 8), (50, 8), (50, 8, 8)], a, full_matrices=True)
            )
    finally:
        threads.set_num_threads(before)
    for others in found[1:]:
        assert all((x == y).all() for x, y in zip(found[0], others, strict=True))
    for i in (0, 17, 49):
        alone = called("eigh", [(8,), (8, 8)], a[i], upper=False) + called("svd", [(8, 8), (8,), (8, 8)], a[i], full_matrices=True)
        assert all((x[i] == y).all() for x, y in zip(found[0], alone, strict=True))


def test_what_is_not_finite_is_left_to_the_reference_which_refuses_it(left: list[str]) -> None:
    a = random((3, 4, 4), "float32")
    a[1, 2, 1] = np.nan
    with pytest.raises(LinAlgError, match=r"linalg.eigh: \(Batch element 1\)"):
        called("eigh", [(3, 4), (3, 4, 4)], a, upper=False)
    with pytest.raises(LinAlgError, match=r"linalg.svd: \(Batch element 1\)"):
        called("svd", [(3, 4, 4), (3, 4), (3, 4, 4)], a, full_matrices=True)
    called("eigvalsh", [(3, 4)], a, upper=True)  # the other triangle
    assert left == ["eigh", "svd"]
    a[1, 2, 1] = np.inf
    with pytest.raises(LinAlgError, match=r"linalg.svdvals: \(Batch element 1\)"):
        called("svdvals", [(3, 4)], a)
    assert left == ["eigh", "svd", "svdvals"]


def test_what_is_large_or_wants_more_vectors_is_left(left: list[str]) -> None:
    called("svd", [(60, 60), (60,), (60, 60)], random((60, 60), "float64"), full_matrices=False)
    called("svd", [(5, 5), (3,), (3, 3)], random((5, 3), "float32"), full_matrices=True)
    called("svdvals", [(40,)], random((40, 40), "float64"))
    called("svdvals", [(2, 0)], random((2, 0, 3), "float32"))
    assert left == ["svd", "svd", "svdvals", "svdvals"]


def test_what_does_not_fit_is_refused() -> None:
    a = random((2, 4, 3), "float32")
    with pytest.raises(ValueError, match="eigh: the shape of x"):
        called("eigh", [(2, 4), (2, 4, 3)], a, upper=False)
    with pytest.raises(ValueError, match="eigh: the shape of the eigenvectors"):
        called("eigh", [(2, 3), (2, 3, 4)], a[:, :3], upper=False)
    with pytest.raises(ValueError, match="eigvalsh: the shape of the eigenvalues"):
        called("eigvalsh", [(2, 4)], a[:, :3], upper=False)
    with pytest.raises(ValueError, match="svd: the shape of u"):
        called("svd", [(2, 4, 4), (2, 3), (2, 3, 3)], a, full_matrices=False)
    with pytest.raises(ValueError, match="svd: the shape of vh"):
        called("svd", [(2, 4, 3), (2, 3), (2, 4, 3)], a, full_matrices=False)
    with pytest.raises(ValueError, match="svdvals: the shape of the singular values"):
        called("svdvals", [(2, 4)], a)
    with pytest.raises(ValueError, match="svdvals: 1 axes"):
        called("svdvals", [(4,)], a[0, :, 0])
