"""The reference's reductions, scans and products: narrow floats, nothing to fold, NaN."""

from __future__ import annotations

import math

import numpy as np
import pytest
from reference_operands import (
    ALL,
    FLOATS,
    INEXACT,
    INTEGERS,
    LAYOUTS,
    READ_ONLY,
    TOLERANCE,
    Layout,
    filled,
    made,
    operand,
    run,
    table,
)

from lamina_flatarray import DTYPES, result_dtypes
from lamina_flatarray.numpy_backend.view import view

pytestmark = pytest.mark.usefixtures("no_warnings")


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("name", [*LAYOUTS, *READ_ONLY])
def test_sums_over_every_layout(name: str, dtype: str) -> None:
    layout, memory = {**LAYOUTS, **READ_ONLY}[name]
    x = filled(dtype, layout, memory)
    result = result_dtypes("sum", DTYPES[dtype])[1]
    for axes in [(0,), (1,), (0, 1)] if layout.ndim else [()]:
        shape = tuple(n for i, n in enumerate(layout.shape) if i not in axes)
        wide = np.complex128 if DTYPES[dtype].is_complex else np.float64
        found = run("sum", x, shape=shape, axes=axes)
        assert found.dtype == result.numpy
        np.testing.assert_allclose(found.astype(wide), view(x).astype(wide).sum(axes), 1e-2, 1e-6)


def test_narrow_floats_accumulate_in_float32() -> None:
    x = operand([60000, 60000, -60000], "float16")
    assert run("sum", x, shape=(), axes=(0,)) == 60000
    assert run("cumsum", x, axis=0).tolist() == [60000, math.inf, 60000]
    ones = operand(np.ones(3000), "bfloat16")
    assert run("sum", ones, shape=(), axes=(0,)) == 3008  # 3000 rounded; one by one it would stop at 256
    assert run("mean", ones, shape=(), axes=(0,)) == 1


def test_folds_of_nothing() -> None:
    empty = operand(np.zeros((0, 2), np.float32))
    expected = {"sum": 0, "prod": 1, "any": False, "all": True, "mean": math.nan, "logsumexp": -math.inf}
    for op, value in expected.items():
        np.testing.assert_array_equal(run(op, empty, shape=(2,), axes=(0,)), [value, value])
    np.testing.assert_array_equal(run("var", empty, shape=(2,), axes=(0,), correction=1), [math.nan] * 2)


@pytest.mark.parametrize("dtype", INEXACT)
def test_variance(dtype: str) -> None:
    x = operand([[1, 2, 4, 9], [3, 3, 3, 3]], dtype)
    for correction in (0, 1, 0.5):
        expected = [38 / (4 - correction), 0]
        found = run("var", x, shape=(2,), axes=(1,), correction=correction)
        np.testing.assert_allclose(found.astype(float), expected, 1e-2)
    found = run("var", x, shape=(2,), axes=(1,), correction=5).astype(float)
    np.testing.assert_array_equal(found, [math.inf, math.nan])
    assert np.isnan(run("var", operand(3, dtype), shape=(), axes=(), correction=1).astype(float))


@pytest.mark.parametrize("dtype", FLOATS)
def test_nan_wins_and_the_first_position_counts(dtype: str) -> None:
    x = operand([[1, math.nan, math.nan], [2, 5, 5], [2, 1, 1]], dtype)
    assert run("argmax", x, shape=(3,), axes=(1,)).tolist() == [1, 1, 0]
    assert run("argmin", x, shape=(3,), axes=(1,)).tolist() == [1, 0, 1]
    assert run("argmax", x, shape=(), axes=(0, 1)) == 1
    assert run("argmax", operand(3, dtype), shape=(), axes=()) == 0
    for op in ("max", "min"):
        found = run(op, x, shape=(3,), axes=(1,)).astype(float)
        np.testing.assert_array_equal(found, [math.nan, 5 if op == "max" else 2, 2 if op == "max" else 1])
    assert run("any", x, shape=(3,), axes=(1,)).tolist() == [True] * 3


def test_logsumexp_does_not_overflow() -> None:
    x = operand([[1000, 1000], [-math.inf, -math.inf], [math.inf, -math.inf], [math.nan, 0]], "float32")
    found = run("logsumexp", x, shape=(4,), axes=(1,))
    np.testing.assert_allclose(found, [1000 + math.log(2), -math.inf, math.inf, math.nan])


@pytest.mark.parametrize("dtype", ALL)
def test_scans(dtype: str) -> None:
    x = operand([[1, 1, 0], [1, 0, 1]], dtype)
    result = DTYPES[dtype].numpy if DTYPES[dtype].is_inexact else np.int64
    for axis in (0, 1):
        for op, function in (("cumsum", np.cumsum), ("cumprod", np.cumprod)):
            found = run(op, x, axis=axis)
            assert found.dtype == result
            assert np.array_equal(found, function(view(x).astype(result), axis=axis))
    assert run("cumsum", operand(1, dtype), axis=0) == 1


@pytest.mark.parametrize("dtype", [d for d in ALL if d != "bool"])
def test_matmul_reads_and_writes_views(dtype: str) -> None:
    a = filled(dtype, Layout((2, 3, 4), (0, 1, 3)), 12)  # transposed, and the same in both batches
    b = filled(dtype, Layout((2, 4, 5), (-20, 5, 1), 20), 40)
    out = made(dtype, Layout((2, 3, 5), (15, 1, 3)), 30)
    table(dtype)["matmul"](out, a, b)
    kind = np.float32 if out.flat.itemsize == 2 and dtype not in INTEGERS else DTYPES[dtype].numpy
    expected = np.einsum("bij,bjk->bik", view(a).astype(kind), view(b).astype(kind))
    np.testing.assert_allclose(view(out).astype(complex), expected.astype(complex), TOLERANCE.get(dtype, 1e-12))
    for x in (view(a), view(a)[0], view(a)[0, 0], view(a)[:0]):
        rows, weight, bias = operand(x, dtype), operand(view(b)[0].T, dtype), operand([1, 2, 3, 4, 5], dtype)
        for given in (None, bias):
            found = run("linear", rows, weight, given, shape=(*x.shape[:-1], 5))
            expected = x.astype(kind) @ view(b)[0].astype(kind) + (0 if given is None else view(bias).astype(kind))
            np.testing.assert_allclose(found.astype(complex), expected.astype(complex), TOLERANCE.get(dtype, 1e-12))


def test_a_product_over_nothing_is_zero() -> None:
    a, b = operand(np.zeros((2, 0), np.float32)), operand(np.zeros((0, 3), np.float32))
    assert run("matmul", a, b, shape=(2, 3)).tolist() == [[0] * 3] * 2
    bias = operand([1, 2, 3], "float32")
    assert run("linear", operand(np.zeros((1, 2, 0), np.float32)), operand(np.zeros((3, 0), np.float32)), bias,
               shape=(1, 2, 3)).tolist() == [[[1, 2, 3]] * 2]  # fmt: skip
