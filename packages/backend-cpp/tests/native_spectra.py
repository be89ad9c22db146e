"""Whether eigenvalues, singular values and their vectors are as exact as LAPACK's."""

from __future__ import annotations

from typing import Any

import numpy as np
from native_matrices import called

Array = np.ndarray[Any, Any]
RNG = np.random.default_rng(0)


def random(shape: tuple[int, ...], dtype: str) -> Array:
    return RNG.standard_normal(shape).astype(dtype)


def near(found: Array, wanted: Array, size: Any = 1.0) -> None:
    """Within some units of rounding of numbers of this size."""
    steps = 4 * np.finfo(found.dtype).eps * max(8, *found.shape[-2:])
    np.testing.assert_array_less(np.abs(found - wanted), np.broadcast_to(steps * size + np.finfo(found.dtype).tiny, wanted.shape))


def check_eigenvectors(a: Array, upper: bool = False) -> None:
    n = a.shape[-1]
    w, v = called("eigh", [a.shape[:-1], a.shape], a, upper=upper)
    part = np.triu(a) if upper else np.tril(a)
    whole = (part + np.swapaxes(part, -1, -2) * (1 - np.eye(n))).astype(a.dtype)
    size = np.abs(whole).max((-1, -2), initial=0)[..., None]
    assert (np.diff(w, axis=-1) >= 0).all()
    near(w, np.linalg.eigvalsh(whole.astype("float64")), n * size)
    near(whole @ v, v * w[..., None, :], n * size[..., None])
    near(np.swapaxes(v, -1, -2) @ v, np.broadcast_to(np.eye(n), a.shape))
    near(called("eigvalsh", [a.shape[:-1]], a, upper=upper)[0], w, n * size)


def check_singular_vectors(a: Array) -> None:
    *lead, m, n = a.shape
    k = min(m, n)
    u, s, vh = called("svd", [(*lead, m, k), (*lead, k), (*lead, k, n)], a, full_matrices=False)
    size = np.abs(a).max((-1, -2), initial=0)[..., None]
    assert (np.diff(s, axis=-1) <= 0).all()
    near(s, np.linalg.svd(a.astype("float64"), compute_uv=False), max(m, n) * size)
    near((u * s[..., None, :]) @ vh, a, max(m, n) * size[..., None])
    near(np.swapaxes(u, -1, -2) @ u, np.broadcast_to(np.eye(k), (*lead, k, k)))
    near(vh @ np.swapaxes(vh, -1, -2), np.broadcast_to(np.eye(k), (*lead, k, k)))
    near(called("svdvals", [(*lead, k)], a)[0], s, max(m, n) * size)


def with_eigenvalues(values: Any, dtype: str) -> Array:
    q = np.linalg.qr(RNG.standard_normal((len(values), len(values))))[0]
    return ((q * values) @ q.T).astype(dtype)
