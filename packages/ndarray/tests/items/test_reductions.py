"""What the reductions do with narrow, complex, whole, missing and equal items, without items, and without axes."""

import numpy as np
import pytest

import lamina_ndarray as nd
from lamina_flatarray import DTypeError, IndexOutOfRange, ShapeError

RNG = np.random.default_rng(0)
NAN, INF = float("nan"), float("inf")


def same(ours, theirs, tolerance=1e-12):
    theirs = np.asarray(theirs)
    assert ours.shape == theirs.shape
    np.testing.assert_allclose(np.asarray(ours), theirs, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "int16", "int32", "int64"])
def test_whole_numbers_add_and_multiply_in_64_bits(dtype):
    x = nd.full((300,), 1, dtype=dtype)
    wide = nd.uint64 if dtype == "uint8" else nd.int64
    assert (nd.sum(x).item(), nd.sum(x).dtype) == (300, wide)
    assert nd.prod(x).dtype is wide
    assert nd.sum(x, dtype="uint8").item() == 44
    with pytest.raises(DTypeError, match="mean"):
        nd.mean(x)
    assert nd.mean(x, dtype="float32").item() == 1.0


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_narrow_floats_accumulate_in_float32(dtype):
    """Added one by one in their own width, ones would stop at 2048 or 256."""
    x = nd.ones((4096,), dtype=dtype)
    for function in (nd.sum, nd.nansum):
        assert function(x).item() == 4096
    assert nd.mean(x).item() == nd.nanmean(x).item() == 1
    assert nd.var(x).item() == 0
    assert nd.sum(x).dtype is x.dtype


@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1)])
def test_complex_numbers(axis):
    a = RNG.uniform(-2, 2, (3, 4)) + 1j * RNG.uniform(-2, 2, (3, 4))
    x = nd.asarray(a)
    for name in ("sum", "prod", "mean", "var", "std"):
        same(getattr(nd, name)(x, axis), getattr(np, name)(a, axis))
    assert nd.var(x).dtype is nd.float64
    same(nd.exp(nd.logsumexp(x, axis)), np.exp(a).sum(axis))
    for function in (nd.max, nd.min, nd.argmax, nd.nansum, nd.median, nd.aminmax):
        with pytest.raises(DTypeError):
            function(x)


@pytest.mark.parametrize("correction", [0, 1, 2.5])
def test_moments(correction):
    a = RNG.uniform(-2, 2, (3, 4)) + 1e6
    x = nd.asarray(a)
    same(nd.var(x, 1, correction=correction), ((a - a.mean(1, keepdims=True)) ** 2).sum(1) / (4 - correction), 1e-8)
    var, mean = nd.var_mean(x, 0, True, correction=correction)
    same(var, nd.var(x, 0, True, correction=correction))
    same(mean, a.mean(0, keepdims=True))
    same(nd.std_mean(x, correction=correction).std, nd.std(x, correction=correction))
    assert np.isnan(nd.var(nd.asarray([1.0]), correction=1).item())
    with pytest.raises(DTypeError):
        nd.var_mean(nd.arange(3))


def test_the_first_of_equals_and_nan_is_both_greatest_and_smallest():
    x = nd.asarray([[1.0, 3.0, 3.0], [NAN, 0.0, NAN]])
    assert nd.argmax(x, 1).tolist() == [1, 0]
    assert nd.argmin(x, 1).tolist() == [0, 0]
    assert nd.argmax(x).item() == 3
    for function in (nd.max, nd.min, lambda z: nd.aminmax(z).min, lambda z: nd.aminmax(z).max, nd.median):
        assert np.isnan(function(x).item())


@pytest.mark.parametrize("keepdims", [False, True])
def test_aminmax(keepdims):
    a = RNG.integers(0, 99, (3, 4))
    for axis in (None, 0, -1):
        low, high = nd.aminmax(nd.asarray(a), axis, keepdims)
        same(low, a.min(axis, keepdims=keepdims))
        same(high, a.max(axis, keepdims=keepdims))


@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_without_nan(axis, keepdims):
    a = RNG.choice([NAN, 1.0, -2.0, 0.5], (4, 5))
    x = nd.asarray(a)
    same(nd.nansum(x, axis, keepdims), np.nansum(a, axis, keepdims=keepdims))
    same(nd.nanmean(x, axis, keepdims), np.nanmean(a, axis, keepdims=keepdims))
    same(nd.count_nonzero(x, axis, keepdims), np.count_nonzero(a, axis, keepdims=keepdims))


def test_only_nan():
    x = nd.asarray([NAN, NAN])
    assert nd.nansum(x).item() == 0
    assert np.isnan(nd.nanmean(x).item())
    assert np.isnan(nd.nanmedian(x).item())
    with pytest.raises(DTypeError):
        nd.nanmean(nd.arange(3))
    with pytest.raises(DTypeError):
        nd.nanmean(x, dtype="int64")


def test_no_items():
    x = nd.zeros((0, 3))
    assert nd.sum(x, 0).tolist() == [0, 0, 0]
    assert nd.prod(x).item() == 1
    assert nd.any(x).item() is False
    assert nd.all(x).item() is True
    assert np.isnan(nd.mean(x).item())
    assert nd.logsumexp(x, 0).tolist() == [-INF] * 3
    assert nd.max(x, 1).shape == nd.argmax(x, 1).shape == (0,)
    for function in (nd.max, nd.min, nd.argmax, nd.argmin, nd.median, nd.mode, nd.aminmax):
        for wanted in (ShapeError, IndexOutOfRange):  # PyTorch's programs expect either
            with pytest.raises(wanted):
                function(x, 0)


def test_no_axes():
    x = nd.asarray(3.0)
    assert nd.sum(x, 0).item() == nd.max(x, -1).item() == nd.median(x, 0).values.item() == nd.mode(x).values.item() == 3
    assert nd.argmax(x).item() == nd.argmax(x, 0).item() == 0
    a = RNG.uniform(size=(2, 3))
    for name in ("sum", "mean", "max", "prod"):  # no axes named: nothing is reduced, as in NumPy and the Array API
        same(getattr(nd, name)(nd.asarray(a), ()), a)
    assert nd.any(nd.asarray([0.0, 2.0]), ()).tolist() == [False, True]


def test_logsumexp_of_great_and_infinite_numbers():
    same(nd.logsumexp(nd.asarray([1000.0, 1000.0], dtype="float64")), 1000 + np.log(2))
    assert nd.logsumexp(nd.asarray([-INF, -INF])).item() == -INF
    assert nd.logsumexp(nd.asarray([INF, 1.0])).item() == INF
    same(nd.logsumexp(nd.asarray([0, 0])), np.log(2), 1e-6)
