"""Factorizations and solutions are native in float32 and float64, for any layout and size, and agree with their definitions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_matrices import LAYOUTS
from native_matrices import called as results_of
from native_operands import BACKEND, Layout, alone, empty, flat_of, numpy_view, operand

from lamina_backend_cpp import threads
from lamina_flatarray import Strided

Array = np.ndarray[Any, Any]
RNG = np.random.default_rng(0)
OPS = ("lu_factor_ex", "cholesky_ex", "solve_triangular", "solve_ex", "inv_ex", "det", "slogdet")
SIZES = (0, 1, 2, 7, 8, 9, 17, 40, 130)  # one step, several, and products of the parts

called = partial(results_of, beside="int32")  # of which all but the first are pivots and info


@pytest.fixture(autouse=True)
def _alone() -> Iterator[None]:
    """Nothing is left to the inherited kernels."""
    with alone(OPS):
        yield


def given(shape: tuple[int, ...], dtype: str) -> Array:
    return RNG.standard_normal(shape).astype(dtype)


def near(found: Array, wanted: Array, scale: float = 1.0) -> None:
    """Within rounding of so many sums."""
    step = np.finfo(found.dtype).eps * max(8, *found.shape[-2:]) * scale
    np.testing.assert_allclose(found, wanted, rtol=step, atol=step * (np.abs(wanted).max() if wanted.size else 1))


def exchanged(x: Array, pivots: Array) -> Array:
    x = x.copy()
    for matrix, rows in zip(x, pivots, strict=True):
        for row, other in enumerate(rows - 1):
            matrix[[row, other]] = matrix[[other, row]]
    return x


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ("float32", "float64"))
@pytest.mark.parametrize("n", SIZES)
def test_lu(n: int, dtype: str, layout: str) -> None:
    for m in (n, n + 3, max(n - 3, 0)):
        a = LAYOUTS[layout](given((2, m, n), dtype))
        k = min(m, n)
        factors, pivots, info = called("lu_factor_ex", [a.shape, (2, k), (2,)], a, pivot=True)
        lower = np.tril(factors[..., :, :k], -1) + np.eye(m, k, dtype=dtype)
        near(lower @ np.triu(factors[..., :k, :]), exchanged(a, pivots), 4)
        assert not info.any()
        assert (np.abs(lower) <= 1).all()  # the greatest item of each column was taken


def test_a_singular_matrix_and_none_exchanged() -> None:
    a = np.array([[[1.0, 2.0, 1.0], [2.0, 4.0, 1.0], [4.0, 8.0, 2.0]]])
    _, _, info = called("lu_factor_ex", [a.shape, (1, 3), (1,)], a, pivot=True)
    assert info.tolist() == [2]
    factors, pivots, _ = called("lu_factor_ex", [a.shape, (1, 3), (1,)], a[:, ::-1].copy(), pivot=False)
    assert pivots.tolist() == [[1, 2, 3]]
    assert factors[0, 1, 0] == 1 / 2
    for op, inputs in (("solve_ex", (a, a)), ("inv_ex", (a,))):
        found, info = called(op, [a.shape, (1,)], *inputs)
        assert np.isnan(found).all()
        assert info.tolist() == [2]


@pytest.mark.parametrize("dtype", ("float32", "float64"))
@pytest.mark.parametrize("n", (4, 8, 20))
def test_what_is_not_finite_stays_where_it_belongs(n: int, dtype: str) -> None:
    """The columns to the left of a NaN, or of a quotient that overflows, are those of the matrix without it."""
    a = given((1, n, n), dtype) + 3 * n * np.eye(n, dtype=dtype)
    wanted, _, _ = called("lu_factor_ex", [a.shape, (1, n), (1,)], a, pivot=False)
    for value in (np.nan, np.inf, np.finfo(dtype).max):
        spoilt = a.copy()
        spoilt[0, -1, 2] = value
        spoilt[0, 2, 2] = 1 / 8 if value == np.finfo(dtype).max else spoilt[0, 2, 2]
        factors, _, info = called("lu_factor_ex", [a.shape, (1, n), (1,)], spoilt, pivot=False)
        near(factors[..., :2], wanted[..., :2], 4)
        assert not np.isfinite(factors[0, -1, 2])
        assert not info.any()


def test_a_pivot_whose_reciprocal_overflows() -> None:
    tiny = np.finfo("float32").smallest_subnormal * 4
    a = np.array([[[tiny, 2 * tiny], [tiny / 2, 8 * tiny]]], "float32")
    factors, _, info = called("lu_factor_ex", [a.shape, (1, 2), (1,)], a, pivot=True)
    np.testing.assert_array_equal(factors[0], [[tiny, 2 * tiny], [0.5, 7 * tiny]])
    assert not info.any()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ("float32", "float64"))
@pytest.mark.parametrize("n", SIZES)
def test_cholesky(n: int, dtype: str, layout: str) -> None:
    root = given((2, n, n), dtype)
    a = root @ root.swapaxes(-1, -2) + n * np.eye(n, dtype=dtype)
    for upper in (False, True):
        rubbish = np.where(np.tri(n, dtype=bool).T ^ upper ^ np.eye(n, dtype=bool), np.nan, 0).astype(dtype) if n else a[0]
        kept = LAYOUTS[layout](a + np.where(np.eye(n, dtype=bool), 0, rubbish))  # the other triangle is not read
        factor, info = called("cholesky_ex", [a.shape, (2,)], kept, upper=upper)
        wanted = np.linalg.cholesky(np.broadcast_to(a[:1], a.shape) if layout == "one for all" else a)
        near(factor, wanted.swapaxes(-1, -2) if upper else wanted, 4)
        assert not info.any()


@pytest.mark.parametrize("at", (0, 3, 11, 39))
def test_a_minor_that_is_not_positive(at: int) -> None:
    a = np.eye(40)[None].copy()
    a[0, at, at] = -1
    factor, info = called("cholesky_ex", [a.shape, (1,)], a, upper=False)
    assert info.tolist() == [at + 1]
    assert np.isnan(factor).all()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ("float32", "float64"))
@pytest.mark.parametrize("n", SIZES)
def test_triangular_systems(n: int, dtype: str, layout: str) -> None:
    a = given((2, n, n), dtype) / max(n, 1) + 2 * np.eye(n, dtype=dtype)
    for columns in (1, 2, 5, 8, 33):
        b = LAYOUTS[layout](given((2, n, columns), dtype))
        for upper in (False, True):
            for unit in (False, True):
                t = np.triu(a) if upper else np.tril(a)
                t = t - (t - 1) * np.eye(n, dtype=dtype) if unit else t
                [x] = called("solve_triangular", [b.shape], LAYOUTS[layout](a), b, upper=upper, unitriangular=unit)
                matrices = np.broadcast_to(t[:1], t.shape) if layout == "one for all" else t
                near(matrices @ x, b, 4)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ("float32", "float64"))
@pytest.mark.parametrize("n", SIZES)
def test_systems_and_inverses(n: int, dtype: str, layout: str) -> None:
    a = given((3, n, n), dtype) + 3 * n**0.5 * np.eye(n, dtype=dtype)[RNG.permutation(n)]
    lay = LAYOUTS[layout]
    b = lay(given((3, n, 4), dtype))
    x, info = called("solve_ex", [b.shape, (3,)], lay(a), b)
    near(lay(a) @ x, b, 8)
    inverse, other = called("inv_ex", [a.shape, (3,)], lay(a))
    near(lay(a) @ inverse, np.broadcast_to(np.eye(n, dtype=dtype), a.shape), 8)
    assert not info.any()
    assert not other.any()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ("float32", "float64"))
@pytest.mark.parametrize("n", SIZES)
def test_determinants(n: int, dtype: str, layout: str) -> None:
    a = LAYOUTS[layout](given((3, n, n), dtype) + 3 * n**0.5 * np.eye(n, dtype=dtype)[RNG.permutation(n)])
    sign, size = np.linalg.slogdet(a.astype("float64"))
    found_sign, found_size = (np.array(numpy_view(o)) for o in slogdets(a))
    assert (found_sign == sign).all()
    np.testing.assert_allclose(found_size, size, atol=2e3 * np.finfo(dtype).eps)
    [found] = called("det", [(3,)], a)
    if n < 20:
        np.testing.assert_allclose(found, sign * np.exp(size), rtol=1e4 * np.finfo(dtype).eps)


def slogdets(a: Array) -> tuple[Any, Any]:
    made = empty(a.shape[:-2], a.dtype), empty(a.shape[:-2], a.dtype)
    BACKEND.kernel("slogdet")(made, operand(a))
    return made


def test_determinants_that_are_special() -> None:
    a = np.array([np.diag([2.0, -3.0]), np.ones((2, 2)), np.diag([np.nan, 1.0]), np.diag([np.inf, -1.0]), np.eye(2)[::-1]])
    np.testing.assert_array_equal(called("det", [(5,)], a)[0], [-6, 0, np.nan, -np.inf, -1])
    sign, size = map(numpy_view, slogdets(a))
    np.testing.assert_array_equal(sign, [-1, 0, np.nan, -1, -1])
    np.testing.assert_array_equal(size, [np.log(6.0), -np.inf, np.nan, np.inf, 0])


def test_any_number_of_threads_gives_the_same_bits() -> None:
    a, b = given((1, 300, 300), "float32"), given((1, 300, 20), "float32")
    many = given((50, 24, 24), "float64")
    found, before = [], threads.get_num_threads()
    try:
        for number in (1, 2, 8):
            threads.set_num_threads(number)
            one = called("solve_ex", [b.shape, (1,)], a, b) + called("lu_factor_ex", [a.shape, (1, 300), (1,)], a, pivot=True)
            found.append([x.tobytes() for x in one + called("inv_ex", [many.shape, (50,)], many)])
    finally:
        threads.set_num_threads(before)
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("n", "columns"), [(2, 1), (40, 1), (5, 3), (70, 20)])
def test_results_that_lie_by_columns_or_apart(n: int, columns: int, dtype: str) -> None:
    """They are those of rows, and what lies between their items stays."""
    random = np.random.default_rng(n)
    a = (random.standard_normal((n, n)) + n * np.eye(n)[::-1]).astype(dtype)  # rows are exchanged
    b = random.standard_normal((n, columns)).astype(dtype)
    wanted, _ = results_of("solve_ex", [(n, columns), ()], a, b, beside="int32")
    for strides in ((1, n), (3 * columns, 3)):
        whole = flat_of(dtype, 3 * n * columns)
        memory = numpy_view(Strided(whole, Layout((whole.size,))))
        memory[...] = 7
        out = Strided(whole, Layout((n, columns), strides))
        BACKEND.kernel("solve_ex")((out, empty((), "int32")), operand(a), operand(b))
        np.testing.assert_array_equal(numpy_view(out), wanted)
        numpy_view(out)[...] = 7
        assert (memory == 7).all()


def test_what_does_not_fit_is_refused() -> None:
    a, b = given((2, 4, 4), "float32"), given((2, 4, 3), "float32")
    with pytest.raises(ValueError, match="solve_triangular: the shape of b"):
        called("solve_triangular", [(2, 4, 3)], a, b[:, :3], upper=True, unitriangular=False)
    with pytest.raises(ValueError, match="cholesky_ex: the shape of x"):
        called("cholesky_ex", [(2, 4, 3), (2,)], b, upper=True)
    with pytest.raises(ValueError, match="inv_ex: the shape of out"):
        called("inv_ex", [(2, 4, 3), (2,)], a)
    with pytest.raises(TypeError, match="solve_ex: b is float64"):
        called("solve_ex", [(2, 4, 3), (2,)], a, b.astype("float64"))
    with pytest.raises(ValueError, match="det: the shape of x"):
        called("det", [(2,)], b)
    with pytest.raises(ValueError, match="det: the shape of out"):
        called("det", [(2, 1)], a)
    with pytest.raises(TypeError, match="slogdet: the logarithm is int32"):
        called("slogdet", [(2,), (2,)], a)
    with pytest.raises(ValueError, match="lu_factor_ex: 1 axes"):
        called("lu_factor_ex", [(4,), (4,), ()], a[0, 0], pivot=True)
