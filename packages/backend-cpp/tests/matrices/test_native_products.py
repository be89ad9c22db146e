"""Native products on the sizes that take each of their ways, and in parts: no number of threads changes a bit."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_operands import assert_rounded_once, empty, operand, run

from lamina_backend_cpp import get_num_threads, set_num_threads
from lamina_testkit import error_bounds

Array = np.ndarray[Any, Any]

SIZES = [
    (1, 300, 4001), (3, 700, 1500), (4, 1000, 33),  # few rows
    (300, 77, 1), (500, 513, 3), (1000, 700, 2),  # few columns
    (50, 400, 200), (49, 64, 1000), (129, 129, 129), (13, 640, 2100),  # parts of rows, and of columns
    (200, 640, 330), (370, 1000, 97),  # panels for all threads
    (7, 9, 5), (6, 330, 16), (61, 3, 250),
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
@pytest.mark.parametrize("turned", ["", "a", "b", "ab"])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_products_in_parts(size: tuple[int, int, int], turned: str, dtype: str) -> None:
    m, k, n = size
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((m, k)) * 8, rng.standard_normal((k, n)) * 8
    a, b = a.astype(dtype), b.astype(dtype)
    a = np.ascontiguousarray(a.T).T if "a" in turned else a
    b = np.ascontiguousarray(b.T).T if "b" in turned else b
    before, found = get_num_threads(), []
    try:
        for threads in (1, 2, 8):
            set_num_threads(threads)
            found.append(run("matmul", empty((m, n), dtype), operand(a), operand(b)).copy())
    finally:
        set_num_threads(before)
    if dtype == "int64":
        np.testing.assert_array_equal(found[0], a @ b)
    else:
        a, b = a.astype("float64"), b.astype("float64")
        error_bounds.assert_within(found[0], a @ b, error_bounds.products_of_noise(dtype) * (np.abs(a) @ np.abs(b)))
    for other in found[1:]:
        np.testing.assert_array_equal(other, found[0])


NARROW = [np.dtype("float16"), np.dtype(ml_dtypes.bfloat16)]
NARROW_SIZES = [(1, 70, 33), (33, 47, 19), (40, 1, 9), (5, 0, 7), (129, 130, 131), (200, 640, 330), (3, 7, 1), (70, 2100, 600)]


@pytest.mark.parametrize("dtype", NARROW, ids=str)
@pytest.mark.parametrize("turned", ["", "a", "b", "ab", "apart"])
@pytest.mark.parametrize("size", NARROW_SIZES, ids=str)
def test_narrow_products(size: tuple[int, int, int], turned: str, dtype: Any) -> None:
    """Of any layout, of an odd number of terms, into rows and into columns."""
    m, k, n = size
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((m, k)).astype(dtype), rng.standard_normal((k, n)).astype(dtype)
    exact, sizes = a.astype("float64") @ b.astype("float64"), np.abs(a.astype("float64")) @ np.abs(b.astype("float64"))
    if turned == "apart":
        a, b = np.repeat(a, 3, 1)[:, ::3], np.repeat(b, 2, 1)[::-1, ::2][::-1]
    a = np.ascontiguousarray(a.T).T if "a" in turned else a
    b = np.ascontiguousarray(b.T).T if "b" in turned else b
    before, found = get_num_threads(), []
    try:
        for threads in (1, 2, 8):
            set_num_threads(threads)
            found.append(run("matmul", empty((m, n), dtype), operand(a), operand(b)).copy())
    finally:
        set_num_threads(before)
    found.append(run("matmul", empty((m, n), dtype, (1, m)), operand(a), operand(b)).copy())
    assert_rounded_once(found[0], exact, sizes)
    for other in found[1:]:
        np.testing.assert_array_equal(other.astype("float32"), found[0].astype("float32"))


@pytest.mark.parametrize("dtype", NARROW, ids=str)
def test_stacks_of_narrow_products(dtype: Any) -> None:
    """One matrix for all, one for each, and one for each of some."""
    rng = np.random.default_rng(0)
    many, one, some = (rng.standard_normal(shape).astype(dtype) for shape in ((3, 17, 9, 14), (14, 6), (3, 1, 14, 6)))
    for a, b in ((many, one), (many, some), (many, rng.standard_normal((3, 17, 14, 6)).astype(dtype)), (many[:1, :1], some)):
        shape = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        a, b = np.broadcast_to(a, (*shape, *a.shape[-2:])), np.broadcast_to(b, (*shape, *b.shape[-2:]))
        found = run("matmul", empty((*shape, 9, 6), dtype), operand(a), operand(b))
        assert_rounded_once(found, a.astype("float64") @ b.astype("float64"), np.abs(a.astype("float64")) @ np.abs(b.astype("float64")))


@pytest.mark.parametrize("dtype", NARROW, ids=str)
@pytest.mark.parametrize("rows", [1, 8, 9, 40])
def test_narrow_linear(rows: int, dtype: Any) -> None:
    rng = np.random.default_rng(0)
    x, weight, bias = (rng.standard_normal(shape).astype(dtype) for shape in ((2, rows, 71), (33, 71), 33))
    wide = [y.astype("float64") for y in (x, weight, bias)]
    sizes = np.abs(wide[0]) @ np.abs(wide[1].T) + np.abs(wide[2])
    for given in (x, np.repeat(x, 2, 2)[..., ::2]):
        found = run("linear", empty((2, rows, 33), dtype), operand(given), operand(weight), operand(bias))
        assert_rounded_once(found, wide[0] @ wide[1].T + wide[2], sizes)


@pytest.mark.parametrize("dtype", NARROW, ids=str)
def test_what_is_not_finite_goes_through_narrow_products(dtype: Any) -> None:
    a, b = np.ones((20, 31)).astype(dtype), np.ones((31, 20)).astype(dtype)
    a[3, 4], b[7, 2] = np.inf, np.nan
    found = run("matmul", empty((20, 20), dtype), operand(a), operand(b)).astype("float32")
    with np.errstate(invalid="ignore"):
        expected = a.astype("float32") @ b.astype("float32")
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("rows", [1, 3, 40, 300])
def test_a_bias_is_added_once(rows: int) -> None:
    rng = np.random.default_rng(0)
    x, weight, bias = rng.standard_normal((rows, 700)), rng.standard_normal((333, 700)), rng.standard_normal(333)
    for given in (bias, bias[::-1]):
        found = run("linear", empty((rows, 333), "float64"), operand(x), operand(weight), operand(given))
        np.testing.assert_allclose(found, x @ weight.T + given, rtol=1e-10, atol=1e-10)
