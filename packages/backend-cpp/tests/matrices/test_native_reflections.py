"""QR and products of reflections are native in float32 and float64, for any layout, size and scale, with LAPACK's signs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_matrices import LAYOUTS, called
from native_operands import alone

from lamina_backend_cpp import threads

Array = np.ndarray[Any, Any]
RNG = np.random.default_rng(0)
OPS = ("qr", "geqrf", "householder_product")
SHAPES = ((0, 0), (0, 3), (3, 0), (1, 1), (5, 5), (8, 8), (40, 8), (3, 8), (9, 9), (7, 20), (20, 7), (64, 64), (70, 65), (65, 130),
          (140, 40), (150, 150))  # fmt: skip


@pytest.fixture(autouse=True, scope="module")
def _alone() -> Iterator[None]:
    """Nothing is left to the inherited kernels."""
    with alone(OPS):
        yield


def random(shape: tuple[int, ...], dtype: str) -> Array:
    return RNG.standard_normal(shape).astype(dtype)


def factored(a: Array, mode: str = "reduced") -> tuple[Array, Array]:
    *lead, m, n = a.shape
    k = m if mode == "complete" else min(m, n)
    q, r = called("qr", [(0,) if mode == "r" else (*lead, m, k), (*lead, k, n)], a, mode=mode)
    return q, r


def near(found: Array, wanted: Array, size: float = 1.0) -> None:
    """Within rounding of so many sums."""
    step = 8 * np.finfo(found.dtype).eps * max(8, *found.shape[-2:], *wanted.shape[-2:])
    np.testing.assert_allclose(found, wanted, rtol=0, atol=step * size * (np.abs(wanted).max() if wanted.size else 1))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ("float32", "float64"))
@pytest.mark.parametrize("shape", SHAPES)
def test_qr(shape: tuple[int, int], dtype: str, layout: str) -> None:
    a = LAYOUTS[layout](random((2, *shape), dtype))
    for mode in ("reduced", "complete", "r"):
        q, r = factored(a, mode)
        assert not np.tril(r, -1).any()
        for i in range(2):  # the very factors of LAPACK, signs and all, as far as they are the matrix's own
            expected = np.linalg.qr(a[i].astype("float64"), mode)
            near(r[i], expected if mode == "r" else expected[1], 8)
        if mode != "r":
            near(q @ r, a)
            near(q.swapaxes(-1, -2) @ q, np.broadcast_to(np.eye(q.shape[-1]), (2, q.shape[-1], q.shape[-1])))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ("float32", "float64"))
@pytest.mark.parametrize("shape", SHAPES)
def test_packed_reflections_and_their_product(shape: tuple[int, int], dtype: str, layout: str) -> None:
    (m, n), k = shape, min(shape)
    a = LAYOUTS[layout](random((2, m, n), dtype))
    packed, scales = called("geqrf", [a.shape, (2, k)], a)
    for i in range(2):
        expected, taus = np.linalg.qr(a[i].astype("float64"), "raw")
        near(packed[i], expected.T, 8)
        near(scales[i, None], taus[None], 8)
    square = np.concatenate([packed[..., :k], np.zeros((2, m, m - k), dtype)], -1)
    [q] = called("householder_product", [square.shape], LAYOUTS[layout](square), scales)
    near(q @ np.triu(packed), a if layout != "one for all" else np.array(a))


@pytest.mark.parametrize("dtype", ("float32", "float64"))
def test_reflections_of_any_scale(dtype: str) -> None:
    """They need not be orthogonal, nor as many as there are columns."""
    for m, n, k in ((6, 5, 3), (9, 9, 0), (90, 80, 70)):
        x, tau = random((m, n), dtype), random((2 * k,), dtype)[::2] * 0.1
        tau[: k // 3] = 0
        expected = np.eye(m)
        for i in range(k):
            v = np.concatenate([np.zeros(i), [1], x[i + 1 :, i]])
            expected = expected @ (np.eye(m) - float(tau[i]) * np.outer(v, v))
        [found] = called("householder_product", [(m, n)], x, tau)
        near(found, expected[:, :n], 8)


@pytest.mark.parametrize("dtype", ("float32", "float64"))
@pytest.mark.parametrize("n", (4, 20))
def test_items_that_cannot_be_squared(n: int, dtype: str) -> None:
    info = np.finfo(dtype)
    a = random((n + 3, n), dtype)
    near(factored(a)[0], np.linalg.qr(a)[0], 64)
    for scale in (info.max / 64, info.tiny, info.smallest_subnormal * 2**12):
        q, r = factored(a * scale)
        near(q.T @ q, np.eye(n))
        lost = 0 if scale > info.tiny else info.smallest_subnormal * 64
        np.testing.assert_allclose(q @ (r / scale), (a * scale) / scale, atol=200 * info.eps + lost / scale)
    mixed = a * (10.0 ** np.linspace(-30, 30, n)).astype(dtype)  # columns of all sizes
    q, r = factored(mixed)
    near(q.T @ q, np.eye(n))
    sizes = np.abs(mixed).max(0)
    np.testing.assert_allclose((q @ r) / sizes, mixed / sizes, atol=200 * info.eps)
    a[1:, 0] = 0  # nothing to take to zero: LAPACK leaves the sign
    assert factored(a)[1][0, 0] == a[0, 0]
    a[:, 0] = 0
    q, r = factored(a)
    assert r[0, 0] == 0
    near(q @ r, a)
    near(q.T @ q, np.eye(n))


@pytest.mark.parametrize("n", (5, 30))
@pytest.mark.parametrize("bad", (np.nan, np.inf))
def test_what_is_not_finite_spreads(bad: float, n: int) -> None:
    a = random((n, n), "float32")
    a[2, 1] = bad
    q, r = factored(a)
    assert np.isfinite(r[0, 0])
    assert np.isnan(r[1:, 2:]).any()
    assert np.isnan(q).any()


@given(st.integers(0, 80), st.integers(0, 80), st.integers(0, 3), st.booleans(), st.integers(0, 2**32))
@settings(max_examples=80, deadline=None)
def test_any_shape(m: int, n: int, rank: int, wide: bool, seed: int) -> None:
    """Of matrices of full and of low rank."""
    rng = np.random.default_rng(seed)
    a = rng.integers(-3, 4, (m, rank)) @ rng.integers(-3, 4, (rank, n)) if rank else rng.standard_normal((m, n))
    a = a.astype("float64" if wide else "float32")
    q, r = factored(a, "complete")
    near(q @ r, a)
    near(q.T @ q, np.eye(m))


def test_any_number_of_threads_gives_the_same_bits() -> None:
    one, many = random((1, 300, 290), "float32"), random((50, 24, 20), "float64")
    found, before = [], threads.get_num_threads()
    try:
        for number in (1, 2, 8):
            threads.set_num_threads(number)
            found.append([x.tobytes() for x in (*factored(one), *factored(many), *called("geqrf", [one.shape, (1, 290)], one))])
    finally:
        threads.set_num_threads(before)
    assert found[0] == found[1] == found[2]


def test_what_does_not_fit_is_refused() -> None:
    a, tau = random((2, 4, 3), "float32"), random((2, 3), "float32")
    with pytest.raises(ValueError, match="qr: 'raw' given for `mode`"):
        called("qr", [(2, 4, 3), (2, 3, 3)], a, mode="raw")
    with pytest.raises(ValueError, match="qr: the shape of q"):
        called("qr", [(2, 4, 4), (2, 3, 3)], a, mode="reduced")
    with pytest.raises(ValueError, match="qr: the shape of r"):
        called("qr", [(2, 4, 4), (2, 3, 3)], a, mode="complete")
    with pytest.raises(TypeError, match="qr: out is no tuple"):
        called("qr", [(2, 4, 3)], a, mode="reduced")
    with pytest.raises(ValueError, match="geqrf: the shape of the scales"):
        called("geqrf", [(2, 4, 3), (2, 4)], a)
    with pytest.raises(ValueError, match="geqrf: 1 axes"):
        called("geqrf", [(4,), (4,)], a[0, :, 0])
    with pytest.raises(ValueError, match="householder_product: 4 scales for 4 x 3"):
        called("householder_product", [(2, 4, 3)], a, random((2, 4), "float32"))
    with pytest.raises(ValueError, match="householder_product: 2 scales for 3 x 4"):
        called("householder_product", [(2, 3, 4)], a.swapaxes(-1, -2).copy(), tau[:, :2].copy())
    with pytest.raises(ValueError, match="householder_product: the shape of tau"):
        called("householder_product", [(2, 4, 3)], a, tau[:1])
    with pytest.raises(TypeError, match="householder_product: tau is float64"):
        called("householder_product", [(2, 4, 3)], a, tau.astype("float64"))
    with pytest.raises(TypeError, match="householder_product: 2 arrays given"):
        called("householder_product", [(2, 4, 3)], a)
