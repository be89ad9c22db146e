"""Native products on the sizes that take each of their ways, and in parts: no number of threads changes a bit."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_operands import empty, operand, run

from lamina_backend_cpp import get_num_threads, set_num_threads
from lamina_testkit import error_bounds

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


@pytest.mark.parametrize("rows", [1, 3, 40, 300])
def test_a_bias_is_added_once(rows: int) -> None:
    rng = np.random.default_rng(0)
    x, weight, bias = rng.standard_normal((rows, 700)), rng.standard_normal((333, 700)), rng.standard_normal(333)
    for given in (bias, bias[::-1]):
        found = run("linear", empty((rows, 333), "float64"), operand(x), operand(weight), operand(given))
        np.testing.assert_allclose(found, x @ weight.T + given, rtol=1e-10, atol=1e-10)
