"""Order along an axis against NumPy's: whole, by ranks, as sets, and searched."""

import numpy as np
import pytest

import lamina_ndarray as nd
from lamina_flatarray import DTypeError, IndexOutOfRange, ShapeError
from lamina_flatarray.backends.kernel_table import decompositions

RNG = np.random.default_rng(0)
NAN = float("nan")
DTYPES = ["float16", "bfloat16", "float32", "float64", "uint8", "int8", "int16", "int32", "int64", "bool"]


def numbers(dtype, shape):
    """Small whole numbers, so that there are many equals; among floats also NaN, infinities and both zeros."""
    made = RNG.integers(0, 2 if dtype == "bool" else 6, shape).astype(np.float32)
    if "float" in dtype:
        made = RNG.choice(np.array([NAN, np.inf, -np.inf, 0.0, -0.0, 1, -1, 2.5], np.float32), shape)
    return nd.astype(nd.asarray(made), dtype)


def wide(x):
    return np.asarray(nd.astype(x, "float64"))


def expected_order(x, axis, descending):
    keys = wide(x)
    if not descending:
        return np.argsort(keys, axis=axis, kind="stable")
    back = np.argsort(np.flip(keys, axis), axis=axis, kind="stable")
    return np.flip(keys.shape[axis] - 1 - back, axis)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_order_and_positions(dtype, descending):
    x = numbers(dtype, (7, 50))
    for axis in (0, 1, -1):
        expected = expected_order(x, axis, descending)
        values, positions = nd.order(x, axis, descending)
        np.testing.assert_array_equal(np.asarray(positions), expected)
        np.testing.assert_array_equal(wide(values), np.take_along_axis(wide(x), expected, axis))
        np.testing.assert_array_equal(wide(nd.sort(x, axis, descending)), wide(values))
        np.testing.assert_array_equal(np.asarray(nd.argsort(x, axis, descending)), expected)
        assert nd.sort(x, axis, descending).dtype is x.dtype


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(("start", "stop"), [(0, 1), (0, 10), (99, 100), (49, 51), (30, 30), (0, 100), (50, 51)])
def test_ranks_are_a_part_of_the_order(dtype, descending, start, stop):
    x = numbers(dtype, (3, 100))
    for y, axis in ((x, 1), (nd.transpose(x), 0), (x[1], 0)):
        whole = nd.order(y, axis, descending)
        found = nd.ranked(y, start, stop, axis, descending)
        part = (*(slice(None),) * axis, slice(start, stop))
        np.testing.assert_array_equal(np.asarray(found.indices), np.asarray(whole.indices[part]))
        np.testing.assert_array_equal(wide(found.values), wide(whole.values[part]))


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int64", "bool"])
@pytest.mark.parametrize("descending", [False, True])
def test_compositions_mean_the_same_as_kernels(dtype, descending):
    """What a backend without these kernels runs."""
    x = numbers(dtype, (3, 80))
    for start, stop in ((0, 5), (40, 41), (10, 10)):
        kernel = nd.ranked(x, start, stop, 1, descending)
        outs = tuple(nd.zeros((3, stop - start), dtype=d) for d in (x.dtype, "int64"))
        decompositions["ranked"](outs, x, axis=1, start=start, stop=stop, descending=descending)
        for ours, theirs in zip(outs, kernel, strict=True):
            np.testing.assert_array_equal(wide(ours), wide(theirs))
    out = nd.zeros((3, 80), dtype=x.dtype)
    decompositions["sorted_values"](out, x, axis=1, descending=descending)
    np.testing.assert_array_equal(wide(out), wide(nd.sort(x, 1, descending)))
    line, places = nd.sort(x[0]), nd.zeros((3, 80), dtype="int64")
    decompositions["searchsorted"](places, line, x, right=descending)
    np.testing.assert_array_equal(np.asarray(places), np.asarray(nd.searchsorted(line, x, right=descending)))


def test_the_first_of_equals_and_nan_the_greatest():
    x = nd.asarray([2.0, NAN, 3.0, 3.0, 1.0, 1.0])
    assert nd.topk(x, 3).indices.tolist() == [1, 2, 3]
    assert nd.topk(x, 3, largest=False).indices.tolist() == [4, 5, 0]
    assert [nd.kthvalue(x, k).indices.item() for k in range(1, 7)] == [4, 5, 0, 2, 3, 1]
    assert nd.kthvalue(x, 2, keepdims=True).values.tolist() == [1.0]
    assert nd.msort(nd.asarray([[3, 1], [2, 4]])).tolist() == [[2, 1], [3, 4]]


def test_sort_of_no_axes_and_of_no_items():
    assert nd.sort(nd.asarray(3.0)).item() == 3.0
    assert nd.topk(nd.asarray(3.0), 1).indices.item() == 0
    assert nd.order(nd.zeros((0, 3)), 0).indices.shape == (0, 3)
    assert nd.topk(nd.zeros((0, 3)), 2).values.shape == (0, 2)
    assert nd.topk(nd.zeros((2, 3)), 0).values.shape == (2, 0)


def test_what_is_refused():
    x = nd.zeros((2, 3))
    for call in (lambda: nd.topk(x, 4), lambda: nd.kthvalue(x, 0), lambda: nd.kthvalue(x, 4), lambda: nd.ranked(x, 2, 1)):
        with pytest.raises(ShapeError):
            call()
    with pytest.raises(IndexOutOfRange):
        nd.kthvalue(nd.zeros((2, 0)), 1)
    with pytest.raises(IndexOutOfRange):
        nd.sort(x, 2)
    for function in (nd.sort, nd.argsort, nd.order, lambda z: nd.ranked(z, 0, 1), lambda z: nd.searchsorted(z, z)):
        with pytest.raises(DTypeError):
            function(nd.asarray([1j, 2j]))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint8"])
def test_sets(dtype):
    a = RNG.integers(0, 9, (5, 20)).astype(dtype)
    x = nd.asarray(a)
    values, indices, inverse, counts = np.unique(a, return_index=True, return_inverse=True, return_counts=True)
    found = nd.unique_all(x)
    for ours, theirs in zip(found, (values, indices, inverse, counts), strict=True):
        np.testing.assert_array_equal(np.asarray(ours), theirs)
    assert (nd.unique_values(x) == found.values).tolist() == [True] * len(values)
    assert nd.unique_counts(x).counts.tolist() == counts.tolist()
    assert nd.unique_inverse(x).inverse_indices.shape == (5, 20)
    assert [part.shape for part in nd.unique(x, return_inverse=True, return_counts=True)] == [(9,), (5, 20), (9,)]


def test_every_nan_is_a_value_of_its_own():
    found = nd.unique_all(nd.asarray([NAN, 1.0, NAN, -0.0, 0.0]))
    np.testing.assert_array_equal(np.asarray(found.values), [0.0, 1.0, NAN, NAN])
    assert found.counts.tolist() == [2, 1, 1, 1]
    assert found.inverse_indices.tolist() == [2, 1, 3, 0, 0]
    assert nd.unique(nd.asarray([[NAN], [NAN]]), axis=0).shape == (2, 1)


def test_complex_sets_are_ordered_by_the_real_part_first():
    found = nd.unique_all(nd.asarray([2 + 1j, 1 + 5j, 2 - 1j, 1 + 5j]))
    assert found.values.tolist() == [1 + 5j, 2 - 1j, 2 + 1j]
    assert found.counts.tolist() == [2, 1, 1]
    assert found.inverse_indices.tolist() == [2, 0, 1, 0]


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
def test_slices_once(axis):
    a = RNG.integers(0, 2, (6, 7, 2))
    values, inverse, counts = np.unique(a, return_inverse=True, return_counts=True, axis=axis)
    ours = nd.unique(nd.asarray(a), return_inverse=True, return_counts=True, axis=axis)
    for o, e in zip(ours, (values, inverse.reshape(-1), counts), strict=True):
        np.testing.assert_array_equal(np.asarray(o), e)


def test_runs():
    x = nd.asarray([1, 1, 2, 2, 3, 1, 1, 2])
    values, inverse, counts = nd.unique_consecutive(x, True, True)
    assert values.tolist() == [1, 2, 3, 1, 2]
    assert inverse.tolist() == [0, 0, 1, 1, 2, 3, 3, 4]
    assert counts.tolist() == [2, 2, 1, 2, 1]
    rows = nd.asarray([[1, 2], [1, 2], [0, 0], [1, 2]])
    values, inverse, counts = nd.unique_consecutive(rows, True, True, axis=0)
    assert values.tolist() == [[1, 2], [0, 0], [1, 2]]
    assert inverse.tolist() == [0, 0, 1, 2]
    assert counts.tolist() == [2, 1, 1]


def test_sets_of_nothing():
    for part in nd.unique(nd.zeros((0,)), return_inverse=True, return_counts=True):
        assert part.shape == (0,)
    assert nd.unique(nd.zeros((0, 3)), axis=0).shape == (0, 3)
    for function in (nd.unique, nd.unique_consecutive):
        with pytest.raises(ShapeError):
            function(nd.zeros((2, 0)), axis=0)
        with pytest.raises(IndexOutOfRange):
            function(nd.asarray(1.0), axis=0)


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_search(dtype, right):
    line, wanted = numbers(dtype, (33,)), numbers(dtype, (4, 9))
    line = nd.sort(line)
    side = "right" if right else "left"
    expected = np.searchsorted(wide(line), wide(wanted), side=side)
    np.testing.assert_array_equal(np.asarray(nd.searchsorted(line, wanted, right=right)), expected)
    rows = nd.sort(numbers(dtype, (4, 33)))
    found = nd.searchsorted(rows, wanted, side=side, out_int32=True)
    assert found.dtype is nd.int32
    each = [np.searchsorted(r, w, side=side) for r, w in zip(wide(rows), wide(wanted), strict=True)]
    np.testing.assert_array_equal(np.asarray(found), each)


def test_search_with_a_sorter_numbers_and_nothing():
    x = nd.asarray([3.0, 1.0, 2.0])
    assert nd.searchsorted(x, nd.asarray([1.5, 3.0]), sorter=nd.argsort(x)).tolist() == [1, 2]
    assert nd.searchsorted(nd.asarray([1, 3, 5]), 4).item() == 2
    assert nd.searchsorted(nd.asarray([1, 3, 5]), 3.5).item() == 2
    assert nd.searchsorted(nd.zeros((0,)), nd.asarray([1.0])).tolist() == [0]
    assert nd.searchsorted(nd.zeros((2, 0)), nd.zeros((2, 3))).tolist() == [[0] * 3] * 2
    assert nd.bucketize(nd.asarray([0.5, 1.0, 9.0]), nd.asarray([1.0, 2.0])).tolist() == [0, 0, 2]
    assert nd.bucketize(nd.asarray([1, 2]), nd.asarray([0.5, 1.0, 1.5]), right=True).tolist() == [2, 3]
    with pytest.raises(ShapeError):
        nd.searchsorted(nd.zeros((2, 3)), nd.zeros((3, 3)))
    with pytest.raises(DTypeError):
        nd.searchsorted(nd.zeros((3,)), nd.zeros((3,), dtype="float64"))
    with pytest.raises(ShapeError):
        nd.searchsorted(nd.zeros((3,)), nd.zeros((3,)), side="left", right=True)


@pytest.mark.parametrize("count", [0, 3, 40])
@pytest.mark.parametrize("invert", [False, True])
def test_isin(count, invert):
    a, tests = RNG.integers(0, 99, (6, 7)), RNG.integers(0, 99, count)
    expected = np.isin(a, tests, invert=invert)
    np.testing.assert_array_equal(np.asarray(nd.isin(nd.asarray(a), nd.asarray(tests), invert=invert)), expected)
    found = nd.isin(nd.asarray(a.astype(np.float64)), nd.asarray(tests), invert=invert)
    np.testing.assert_array_equal(np.asarray(found), expected)
    assert nd.isin(5, nd.asarray([4, 5])).item() is True


@pytest.mark.parametrize("a", [
    np.arange(12).reshape(3, 4) % 3, np.zeros((2, 3)), np.ones((2, 1, 3), bool), np.array([0.0, np.nan, -0.0, np.inf]), np.zeros((0, 3)),
    np.array([1j, 0, 0]), np.array(3.0),
])  # fmt: skip
def test_positions_of_nonzero_items_by_kernel_and_by_composition(a):
    x, expected = nd.asarray(a), np.argwhere(a)
    np.testing.assert_array_equal(np.asarray(nd.argwhere(x)), expected)
    places, count = nd.zeros(expected.T.shape, dtype="int64"), nd.zeros((), dtype="int64")
    decompositions["nonzero"](places, x)
    decompositions["count_nonzero"](count, x, axes=tuple(range(a.ndim)))
    np.testing.assert_array_equal(np.asarray(places), expected.T)
    assert count.item() == nd.count_nonzero(x).item() == np.count_nonzero(a)
