"""Running results, differences and estimates of derivatives against NumPy and known values."""

import numpy as np
import pytest

import lamina_ndarray as nd
from lamina_flatarray import DTypeError, IndexOutOfRange, ShapeError, UsageError

RNG = np.random.default_rng(0)
NAN, INF = float("nan"), float("inf")


def same(ours, theirs, tolerance=1e-12):
    theirs = np.asarray(theirs)
    assert ours.shape == theirs.shape
    np.testing.assert_allclose(np.asarray(ours), theirs, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_running_sums_and_products(axis):
    a = RNG.uniform(-2, 2, (4, 5))
    same(nd.cumsum(nd.asarray(a), axis), np.cumsum(a, axis))
    same(nd.cumprod(nd.asarray(a), axis), np.cumprod(a, axis))
    same(nd.cumsum(nd.asarray(a).T, axis), np.cumsum(a.T, axis))
    whole = RNG.integers(0, 200, (4, 5)).astype(np.uint8)
    assert nd.cumsum(nd.asarray(whole), axis).dtype is nd.int64
    same(nd.cumsum(nd.asarray(whole), axis), np.cumsum(whole.astype(np.int64), axis))
    assert nd.cumsum(nd.asarray(whole), axis, dtype="float32").dtype is nd.float32


def test_narrow_sums_run_in_float32():
    """In float16 the sum would stay at 2048, where its neighbours are 2 apart."""
    x = nd.ones((3000,), dtype="float16")
    assert nd.cumsum(x)[-1].item() == 3000
    assert nd.sum(x).item() == 3000


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint8", "bool", "bfloat16"])
@pytest.mark.parametrize("axis", [0, 1])
def test_running_extremes(dtype, axis):
    a = RNG.integers(0, 2 if dtype == "bool" else 9, (20, 30))
    x = nd.astype(nd.asarray(a), dtype)
    for name, ufunc, hits in (("cummax", np.maximum, np.maximum), ("cummin", np.minimum, np.maximum)):
        values, indices = getattr(nd, name)(x, axis)
        expected = ufunc.accumulate(a, axis)
        np.testing.assert_array_equal(np.asarray(nd.astype(values, "int64")), expected)
        places = np.where(a == expected, np.arange(a.shape[axis]).reshape((-1, 1) if axis == 0 else (1, -1)), 0)
        np.testing.assert_array_equal(np.asarray(indices), hits.accumulate(places, axis))
        assert values.dtype is x.dtype


def test_the_last_of_equals_and_nan_wins():
    x = nd.asarray([1.0, 1.0, NAN, 5.0, NAN])
    for function in (nd.cummax, nd.cummin):
        values, indices = function(x)
        np.testing.assert_array_equal(np.asarray(values), [1, 1, NAN, NAN, NAN])
        assert indices.tolist() == [0, 1, 2, 2, 4]
    assert nd.cummax(nd.asarray(3.0)).indices.item() == 0
    assert nd.cummax(nd.zeros((0, 2)), 0).values.shape == (0, 2)


def test_logcumsumexp():
    a = RNG.uniform(-3, 3, (3, 6))
    same(nd.logcumsumexp(nd.asarray(a), 1), np.log(np.cumsum(np.exp(a), 1)))
    same(nd.logcumsumexp(nd.asarray(a), 0), np.log(np.cumsum(np.exp(a), 0)))
    same(nd.logcumsumexp(nd.asarray([1000.0, 1000.0, -INF], dtype="float64")), 1000 + np.log([1, 2, 2]))
    same(nd.logcumsumexp(nd.asarray([-INF, -INF, 0.0])), [-INF, -INF, 0])
    z = a + 1j * RNG.uniform(-1, 1, a.shape)
    same(nd.exp(nd.logcumsumexp(nd.asarray(z), 1)), np.cumsum(np.exp(z), 1))
    with pytest.raises(DTypeError):
        nd.logcumsumexp(nd.arange(3))


def test_cumulative_functions_of_the_array_api():
    x = nd.asarray([1, 2, 3])
    assert nd.cumulative_sum(x, include_initial=True).tolist() == [0, 1, 3, 6]
    assert nd.cumulative_prod(x, include_initial=True).tolist() == [1, 1, 2, 6]
    assert nd.cumulative_sum(x, dtype="float64").dtype is nd.float64
    for function in (nd.cumulative_sum, nd.cumulative_prod):
        assert function(nd.asarray([200, 100], dtype="uint8")).dtype is nd.uint64
    assert nd.cumulative_sum(nd.ones((2, 3)), axis=1, include_initial=True).shape == (2, 4)
    with pytest.raises(ValueError, match="axis"):
        nd.cumulative_sum(nd.ones((2, 3)))


def test_scans_name_themselves_when_they_refuse():
    for name in ("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp"):
        with pytest.raises(IndexOutOfRange, match=name):
            getattr(nd, name)(nd.ones((2,)), 1)
    for name in ("cummax", "cummin"):
        with pytest.raises(DTypeError, match=name):
            getattr(nd, name)(nd.asarray([1j]))


@pytest.mark.parametrize("n", [0, 1, 2, 5, 9])
@pytest.mark.parametrize("axis", [0, 1])
def test_differences(n, axis):
    a, b = RNG.uniform(-2, 2, (5, 6)), RNG.uniform(-2, 2, (5, 6))
    x, y = nd.asarray(a), nd.asarray(b)
    same(nd.diff(x, n, axis), np.diff(a, n, axis))
    if n:
        same(nd.diff(x, n, axis, prepend=y), np.diff(a, n, axis, prepend=b))
        same(nd.diff(x, n, axis, append=y), np.diff(a, n, axis, append=b))


def test_differences_of_booleans_and_what_is_refused():
    assert nd.diff(nd.asarray([True, True, False])).tolist() == [False, True]
    with pytest.raises(ShapeError):
        nd.diff(nd.asarray(1.0))
    with pytest.raises(UsageError):
        nd.diff(nd.ones((2,)), -1)
    with pytest.raises(ShapeError):
        nd.diff(nd.ones((2, 3)), prepend=nd.ones((3, 1)))


@pytest.mark.parametrize("edge_order", [1, 2])
def test_gradient(edge_order):
    a = RNG.uniform(-2, 2, (5, 6))
    x, rows, columns = nd.asarray(a), np.cumsum(RNG.uniform(0.5, 2, 5)), np.cumsum(RNG.uniform(0.5, 2, 6))
    for ours, theirs in zip(nd.gradient(x, edge_order=edge_order), np.gradient(a, edge_order=edge_order), strict=True):
        same(ours, theirs)
    found = nd.gradient(x, spacing=(nd.asarray(rows), nd.asarray(columns)), edge_order=edge_order)
    for ours, theirs in zip(found, np.gradient(a, rows, columns, edge_order=edge_order), strict=True):
        same(ours, theirs)
    same(nd.gradient(x, spacing=0.5, axis=1, edge_order=edge_order)[0], np.gradient(a, 0.5, axis=1, edge_order=edge_order))


def test_a_parabola_has_the_second_order_gradient_everywhere():
    x = np.cumsum(RNG.uniform(0.5, 2, 9))
    (slope,) = nd.gradient(nd.asarray(x * x), spacing=(nd.asarray(x),), edge_order=2)
    same(slope, 2 * x, 1e-10)
    with pytest.raises(ShapeError):
        nd.gradient(nd.ones((2,)), edge_order=2)
    with pytest.raises(UsageError):
        nd.gradient(nd.ones((4,)), edge_order=3)
    with pytest.raises(UsageError):
        nd.gradient(nd.ones((4, 4)), spacing=(1, 2, 3))
    with pytest.raises(DTypeError):
        nd.gradient(nd.ones((4,), dtype=nd.bool))
