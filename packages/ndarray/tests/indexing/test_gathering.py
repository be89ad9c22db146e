"""Gather, scatter and the index_* family against plain loops."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lamina_ndarray as nd
from lamina_flatarray import DTypeError, IndexOutOfRange, ShapeError
from lamina_flatarray.backends.kernel_table import decompositions

FOLDS = {
    "sum": lambda a, b: a + b,
    "prod": lambda a, b: a * b,
    "mean": lambda a, b: a + b,
    "amax": max,
    "amin": min,
}


def folded(x, axis, indices, values, reduce, include_self):
    """scatter_reduce item by item."""
    made, count = x.copy(), np.full(x.shape, int(include_self))
    for at in itertools.product(*map(range, indices.shape)):
        to = (*at[:axis], indices[at], *at[axis + 1 :])
        made[to] = values[at] if count[to] == 0 else FOLDS[reduce](made[to], values[at])
        count[to] += 1
    if reduce == "mean":
        count = np.maximum(count, 1)
        made = made // count if made.dtype.kind == "i" else made / count
    return made


@st.composite
def scatters(draw):
    shape = tuple(draw(st.lists(st.integers(1, 4), min_size=1, max_size=3)))
    axis = draw(st.integers(0, len(shape) - 1))
    lengths = [draw(st.integers(0, 5 if i == axis else n)) for i, n in enumerate(shape)]
    given = [n + draw(st.integers(0, 1)) for n in lengths]
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    return (
        rng.integers(-3, 4, shape),
        axis,
        rng.integers(0, shape[axis], lengths),
        rng.integers(-3, 4, given),
    )


@given(scatters(), st.sampled_from(list(FOLDS)), st.booleans(), st.sampled_from(["int64", "float64"]))
def test_scatter_reduce_is_a_loop(case, reduce, include_self, dtype):
    x, axis, indices, values = case
    x, values = x.astype(dtype), values.astype(dtype)
    expected = folded(x, axis, indices, values, reduce, include_self)
    made = nd.scatter_reduce(
        nd.asarray(x), axis, nd.asarray(indices), nd.asarray(values), reduce, include_self=include_self
    )
    np.testing.assert_allclose(np.asarray(made), expected)


@given(scatters(), st.sampled_from(["prod", "amax", "amin"]))
def test_the_composition_folds_alike(case, reduce):
    x, axis, indices, values = case
    made = nd.asarray(x.astype(float), copy=True)
    window = tuple(slice(n) if i != axis else slice(None) for i, n in enumerate(indices.shape))
    values = values.astype(float)[tuple(slice(n) for n in indices.shape)]
    if indices.size:
        decompositions["scatter_reduce"](
            made[window], nd.asarray(values), nd.asarray(indices), axis=axis, reduce=reduce
        )
    np.testing.assert_allclose(np.asarray(made), folded(x.astype(float), axis, indices, values, reduce, True))


def test_nan_wins_and_sixteen_bits_are_rounded_once():
    x = nd.zeros(2)
    places, values = nd.asarray([0, 0, 1]), nd.asarray([1.0, math.nan, 2.0])
    for reduce in ("amax", "amin", "prod"):
        assert math.isnan(nd.scatter_reduce(x, 0, places, values, reduce).tolist()[0])
    half = nd.full((1,), 2048, dtype="float16")
    added = nd.scatter_add(half, nd.asarray([0, 0]), nd.ones(2, dtype="float16"), 0)
    assert added.tolist() == [2050]
    assert nd.scatter_reduce(
        nd.asarray([True, False]), 0, nd.asarray([0, 1]), nd.asarray([False, True]), "prod"
    ).tolist() == [False, False]


def test_gather_and_take_along_axis():
    a = np.arange(12).reshape(3, 4)
    x = nd.asarray(a)
    places = np.array([[2, 0, 0, 1], [1, 1, 0, 2]])
    assert nd.gather(x, nd.asarray(places), 0).tolist() == np.take_along_axis(a, places, 0).tolist()
    assert nd.gather(x.T, nd.asarray(places.T), 1).tolist() == np.take_along_axis(a.T, places.T, 1).tolist()
    assert nd.gather(x, nd.asarray(places[:, :2]), 0).tolist() == [[8, 1], [4, 5]]
    assert nd.take_along_axis(x, nd.asarray([[1], [0], [-1]])).tolist() == [[1], [4], [11]]
    assert nd.take_along_axis(x, nd.asarray([[1, 2]]), 1).tolist() == [[1, 2], [5, 6], [9, 10]]
    assert nd.take_along_axis(x, nd.asarray([5, 7]), None).tolist() == [5, 7]
    assert nd.gather(nd.asarray(3), nd.asarray([0, 0]), 0).tolist() == [3, 3]
    assert nd.gather(nd.asarray([3, 4]), nd.asarray(1), 0).tolist() == 4


@pytest.mark.parametrize(
    ("indices", "error"),
    [
        ([[0, 3]], IndexOutOfRange),
        ([[0, 3]], RuntimeError),
        ([0, 1], ShapeError),
        ([[0] * 5], ShapeError),
        ([[0.0]], DTypeError),
    ],
)
def test_bad_positions_write_nothing(indices, error):
    x = nd.zeros((3, 4))
    places = nd.asarray(indices)
    values = nd.ones(places.shape)
    for call in (
        lambda: nd.gather(x, places, 0),
        lambda: nd.scatter(x, places, values, 0, out=x),
        lambda: nd.scatter_add(x, places, values, 0, out=x),
        lambda: nd.scatter_reduce(x, 0, places, values, "amax"),
    ):
        with pytest.raises(error):
            call()
    assert x.flat.version == 0
    assert not np.asarray(x).any()


def test_scatter_within_its_own_memory():
    x = nd.asarray([1, 2, 3, 4])
    nd.scatter(x, nd.asarray([1, 2, 3, 0]), x, 0, out=x)
    assert x.tolist() == [4, 1, 2, 3]
    nd.scatter_add(x, nd.asarray([0, 0]), x[2:], 0, out=x)
    assert x.tolist() == [9, 1, 2, 3]


def test_the_index_family():
    a = np.arange(12.0).reshape(3, 4)
    x, places = nd.asarray(a), nd.asarray([2, 0, 2])
    rows = np.array([[1.0] * 4, [2] * 4, [3] * 4])
    assert nd.index_select(x, 0, places).tolist() == a[[2, 0, 2]].tolist()
    assert nd.index_select(x, 1, nd.asarray(1)).tolist() == a[:, [1]].tolist()
    assert nd.index_copy(x, 0, places, nd.asarray(rows)).tolist() == [[2] * 4, [4, 5, 6, 7], [3] * 4]
    assert nd.index_add(x, 0, places, nd.asarray(rows), alpha=2).tolist() == [
        [4, 5, 6, 7], [4, 5, 6, 7], [16, 17, 18, 19]]  # fmt: skip
    assert nd.index_fill(x, 1, places, -1).tolist() == [[-1, r[1], -1, r[3]] for r in a.tolist()]
    assert nd.index_reduce(x, 0, places, nd.asarray(rows), "amin").tolist() == [[0, 1, 2, 2], [4, 5, 6, 7], [1] * 4]
    assert nd.index_reduce(x, 0, places, nd.asarray(rows), "mean", include_self=False).tolist() == [
        [2] * 4, [4, 5, 6, 7], [2] * 4]  # fmt: skip
    assert x.tolist() == a.tolist()
    for call, error in (
        (lambda: nd.index_select(x, 0, nd.asarray([3])), IndexOutOfRange),
        (lambda: nd.index_select(x, 0, nd.asarray([[0]])), IndexOutOfRange),
        (lambda: nd.index_copy(x, 0, places, nd.asarray(rows[:2])), ShapeError),
        (lambda: nd.index_add(x, 0, places, nd.asarray(rows.astype(int))), DTypeError),
        (lambda: nd.index_fill(x, 0, places, 1j), DTypeError),
        (lambda: nd.index_fill(x, 0, places, nd.zeros(1)), ShapeError),
        (lambda: nd.index_reduce(x, 0, places, nd.asarray(rows), "sum"), ShapeError),
        (lambda: nd.scatter_reduce(x, 0, nd.asarray([[0]]), x, "median"), ShapeError),
    ):
        with pytest.raises(error):
            call()


def test_numbers_of_items():
    x = nd.reshape(nd.arange(6), (2, 3)).T
    assert nd.take(x, nd.asarray([[0, 1], [-1, 3]])).tolist() == [[0, 3], [5, 4]]
    assert nd.take(x, nd.asarray([1]), 0).tolist() == [[1, 4]]
    assert nd.put(x, nd.asarray([1, 1]), nd.asarray([7, 8])).tolist() == [[0, 8], [1, 4], [2, 5]]
    assert nd.put(x, nd.asarray([1, 1]), nd.asarray([7, 8]), True).tolist() == [[0, 18], [1, 4], [2, 5]]
    ours = nd.unravel_index(nd.asarray([0, 13, 59]), (3, 4, 5))
    assert [p.tolist() for p in ours] == [p.tolist() for p in np.unravel_index([0, 13, 59], (3, 4, 5))]
    for call, error in (
        (lambda: nd.take(x, nd.asarray([6])), IndexOutOfRange),
        (lambda: nd.take(nd.zeros(0), nd.asarray([0])), IndexOutOfRange),
        (lambda: nd.take(x, nd.asarray([0.5])), DTypeError),
        (lambda: nd.put(x, nd.asarray([1]), nd.asarray([7, 8])), ShapeError),
        (lambda: nd.put(x, nd.asarray([1]), nd.asarray([7.0])), DTypeError),
        (lambda: nd.unravel_index(nd.asarray([0.5]), (2,)), DTypeError),
    ):
        with pytest.raises(error):
            call()


def test_masks():
    x = nd.reshape(nd.arange(6), (2, 3))
    mask = nd.asarray([True, False, True])
    assert nd.masked_select(x, mask).tolist() == [0, 2, 3, 5]
    assert nd.masked_select(nd.asarray(4), nd.asarray(True)).tolist() == [4]
    assert nd.masked_fill(x, mask, 9).tolist() == [[9, 1, 9], [9, 4, 9]]
    assert nd.masked_fill(x, mask, nd.asarray(2.7)).tolist() == [[2, 1, 2], [2, 4, 2]]
    assert nd.masked_scatter(x, mask, nd.asarray([-1, -2, -3, -4, -5])).tolist() == [[-1, 1, -2], [-3, 4, -4]]
    assert nd.argwhere(x > 3).tolist() == [[1, 1], [1, 2]]
    assert nd.argwhere(nd.asarray(1)).shape == (1, 0)
    assert nd.nonzero_static(x > 3, size=1).tolist() == [[1, 1]]
    assert nd.nonzero_static(x > 3, size=3, fill_value=7).tolist() == [[1, 1], [1, 2], [7, 7]]
    for call, error in (
        (lambda: nd.masked_select(x, x), DTypeError),
        (lambda: nd.masked_fill(x, mask, nd.zeros(1)), ShapeError),
        (lambda: nd.masked_fill(x, mask, 1j), DTypeError),
        (lambda: nd.masked_scatter(x, mask, nd.asarray([1, 2])), ShapeError),
        (lambda: nd.masked_scatter(x, mask, nd.zeros(6)), DTypeError),
        (lambda: nd.nonzero_static(x, size=-1), ShapeError),
    ):
        with pytest.raises(error):
            call()


def test_parts_replaced():
    x = nd.reshape(nd.arange(6), (2, 3))
    assert nd.select_scatter(x, nd.asarray([7, 8]), 1, -1).tolist() == [[0, 1, 7], [3, 4, 8]]
    assert nd.slice_scatter(x, nd.asarray([[9, 9], [9, 9]]), 1, 0, None, 2).tolist() == [[9, 1, 9], [9, 4, 9]]
    assert nd.diagonal_scatter(x, nd.asarray([7, 8]), 1).tolist() == [[0, 7, 2], [3, 4, 8]]
    assert nd.as_strided_scatter(x, nd.asarray([7, 8]), (2,), (3,), 1).tolist() == [[0, 7, 2], [3, 8, 5]]
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]
    for call in (
        lambda: nd.select_scatter(x, nd.asarray([7]), 1, 0),
        lambda: nd.slice_scatter(x, x, 1, 0, 2),
        lambda: nd.slice_scatter(x, x, 1, step=0),
        lambda: nd.diagonal_scatter(x, nd.asarray([7])),
        lambda: nd.as_strided_scatter(x, nd.asarray([7]), (1,), (1,), 6),
    ):
        with pytest.raises(ShapeError):
            call()
