"""Medians, quantiles, modes, counts and histograms against NumPy and known values."""

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


@pytest.mark.parametrize("length", [1, 2, 5, 40, 101])
@pytest.mark.parametrize("keepdims", [False, True])
def test_median_is_the_lower_of_two(length, keepdims):
    a = RNG.uniform(-2, 2, (3, length))
    for x, axis in ((nd.asarray(a), 1), (nd.asarray(a.T), 0)):
        values, indices = nd.median(x, axis, keepdims)
        middle = np.sort(a, 1)[:, (length - 1) // 2]
        np.testing.assert_array_equal(np.asarray(values).reshape(-1), middle)
        np.testing.assert_array_equal(a[range(3), np.asarray(indices).reshape(-1)], middle)
        assert values.ndim == indices.ndim == (2 if keepdims else 1)
    assert nd.median(nd.asarray(a)).item() == np.sort(a, None)[(a.size - 1) // 2]


def test_median_with_nan():
    x = nd.asarray([[3.0, NAN, 1.0, NAN], [4.0, 2.0, 1.0, 3.0]])
    values, indices = nd.median(x, 1)
    assert np.isnan(values[0].item())
    assert values[1].item() == 2
    assert indices.tolist() == [1, 1]
    values, indices = nd.nanmedian(x, 1)
    assert values.tolist() == [1, 2]
    assert indices.tolist() == [2, 1]
    assert nd.median(nd.asarray([3, 1, 2, 2])).item() == 2
    assert nd.median(nd.zeros((0,), dtype="int64")).item() == -(2**63)
    assert np.isnan(nd.median(nd.zeros((0,))).item())


def test_mode_is_the_smallest_of_the_most_frequent_and_its_last_place():
    values, indices = nd.mode(nd.asarray([[2, 1, 2, 1, 3], [5, 5, 5, 0, 0], [4, 3, 2, 1, 0]]), 1)
    assert values.tolist() == [1, 5, 0]
    assert indices.tolist() == [3, 2, 4]
    values, indices = nd.mode(nd.asarray([[1.0, 2.0], [1.0, 3.0]]), 0, True)
    assert values.tolist() == [[1.0, 2.0]]
    assert indices.tolist() == [[1, 0]]


@pytest.mark.parametrize("interpolation", ["linear", "lower", "higher", "midpoint", "nearest"])
@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("keepdims", [False, True])
def test_quantile(interpolation, axis, keepdims):
    a = RNG.uniform(-2, 2, (5, 7))
    x, q = nd.asarray(a), np.array([0.0, 0.3, 0.5, 0.99, 1.0])
    expected = np.quantile(a, q, axis=axis, keepdims=keepdims, method=interpolation)
    same(nd.quantile(x, nd.asarray(q), axis, keepdims, interpolation=interpolation), expected)
    same(nd.quantile(x, 0.3, axis, keepdims, interpolation=interpolation), expected[1])
    with_nan = np.where(RNG.uniform(size=a.shape) < 0.3, NAN, a)
    expected = np.nanquantile(with_nan, q, axis=axis, keepdims=keepdims, method=interpolation)
    same(nd.nanquantile(nd.asarray(with_nan), nd.asarray(q), axis, keepdims, interpolation=interpolation), expected)


def test_quantiles_of_nan_and_what_is_refused():
    x = nd.asarray([[1.0, NAN], [2.0, 3.0]])
    np.testing.assert_array_equal(np.asarray(nd.quantile(x, 0.0, 1)), [NAN, 2])
    for bad in (1.5, -0.1, nd.asarray([0.5, 2.0])):
        with pytest.raises(UsageError):
            nd.quantile(x, bad)
    with pytest.raises(ShapeError):
        nd.quantile(x, nd.asarray([[0.5]]))
    with pytest.raises(DTypeError):
        nd.quantile(x, nd.asarray([0.5], dtype="float64"))
    with pytest.raises(DTypeError):
        nd.quantile(nd.arange(3), 0.5)
    with pytest.raises(UsageError, match="cubic"):
        nd.quantile(x, 0.5, interpolation="cubic")
    with pytest.raises(ShapeError):
        nd.quantile(nd.zeros((0,)), 0.5)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int32", "int64"])
def test_bincount(dtype):
    a = RNG.integers(0, 9, 50).astype(dtype)
    x, w = nd.asarray(a), RNG.uniform(size=50)
    assert nd.bincount(x).tolist() == np.bincount(a).tolist()
    assert nd.bincount(x, minlength=20).tolist() == np.bincount(a, minlength=20).tolist()
    same(nd.bincount(x, nd.asarray(w)), np.bincount(a, w))
    assert nd.bincount(x, nd.ones((50,))).dtype is nd.float32
    assert nd.bincount(x, nd.ones((50,), dtype="int64")).dtype is nd.float64


def test_bincount_of_nothing_and_what_is_refused():
    none = nd.zeros((0,), dtype="int64")
    assert nd.bincount(none).tolist() == []
    assert nd.bincount(none, nd.zeros((0,)), 2).tolist() == [0, 0]
    for bad in (nd.asarray([-1]), nd.asarray([[1]])):
        with pytest.raises(ShapeError):
            nd.bincount(bad)
    with pytest.raises(ShapeError):
        nd.bincount(nd.arange(3), nd.ones((2,)))
    with pytest.raises(ShapeError):
        nd.bincount(nd.arange(3), minlength=-1)
    with pytest.raises(DTypeError):
        nd.bincount(nd.ones((2,)))


@pytest.mark.parametrize("density", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_histograms(density, weighted):
    a, w = RNG.normal(size=(40, 2)), RNG.uniform(size=40)
    x, weights, weight = nd.asarray(a), w if weighted else None, nd.asarray(w) if weighted else None
    edges = [np.array([-1.0, 0.0, 0.25, 2.0]), np.array([-2.0, 0.0, 1.0])]
    for bins, theirs in ((5, 5), ([4, 3], [4, 3]), ([nd.asarray(e) for e in edges], edges)):
        found = nd.histogramdd(x, bins, weight=weight, density=density)
        hist, along = np.histogramdd(a, theirs, weights=weights, density=density)
        same(found.hist, hist, 1e-9)
        for ours, expected in zip(found.bin_edges, along, strict=True):
            same(ours, expected, 1e-9)
    for bins, theirs, ends in ((7, 7, None), (7, 7, (-1.0, 1.5)), (nd.asarray(edges[0]), edges[0], None)):
        found = nd.histogram(x[:, 0], bins, range=ends, weight=weight, density=density)
        hist, along = np.histogram(a[:, 0], theirs, ends, weights=weights, density=density)
        same(found.hist, hist, 1e-9)
        same(found.bin_edges, along, 1e-9)


def test_the_last_interval_contains_its_right_edge_and_nan_none():
    assert nd.histc(nd.asarray([0.0, 1.0, 1.5, 3.0, 4.0, NAN]), 3, 0, 3).tolist() == [1, 2, 1]
    assert nd.histogram(nd.asarray([0.0, 3.0, 3.0]), 3, range=(0.0, 3.0)).hist.tolist() == [1, 0, 2]
    assert nd.histc(nd.asarray([2.0, 2.0]), 4).tolist() == [0, 0, 2, 0]
    a = RNG.normal(size=500)
    same(nd.histc(nd.asarray(a), 20), np.histogram(a, 20)[0])


def test_histograms_refuse():
    x = nd.asarray([1.0, 2.0])
    for call in (
        lambda: nd.histc(x, 0), lambda: nd.histc(x, 3, 2, 1), lambda: nd.histc(nd.asarray([NAN]), 3), lambda: nd.histogram(x, 0),
        lambda: nd.histogram(x, nd.asarray([1.0])), lambda: nd.histogram(nd.asarray([NAN]), 2),
        lambda: nd.histogram(x, 3, range=(0.0, INF)), lambda: nd.histogram(x, 3, range=(1.0, 0.0)),
        lambda: nd.histogram(x, 3, weight=nd.ones((3,))), lambda: nd.histogramdd(x, 3), lambda: nd.histogramdd(x[:, None], [2, 2]),
    ):  # fmt: skip
        with pytest.raises(ShapeError):
            call()
    for call in (lambda: nd.histogram(nd.arange(3), 3), lambda: nd.histogram(x, nd.asarray([1.0, 2.0], dtype="float64"))):
        with pytest.raises(DTypeError):
            call()
    with pytest.raises(IndexOutOfRange):
        nd.median(x, 1)
