"""Reading and writing at any index against NumPy, on whichever backend is chosen."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lamina_ndarray as nd
from lamina_flatarray import DTypeError, IndexOutOfRange, ShapeError

bounds = st.none() | st.integers(-6, 6)
slices = st.builds(slice, bounds, bounds, st.none() | st.integers(-3, 3).filter(bool))


@st.composite
def cases(draw):
    """A shape and an index that fits it: of integers, slices, None, ..., lists, arrays and masks."""
    shape = tuple(draw(st.lists(st.integers(1, 4), min_size=0, max_size=4)))
    common = draw(st.sampled_from([(), (2,), (1,), (3, 2), (0,), (2, 1)]))
    index, dim = [], 0
    until = draw(st.integers(0, len(shape)))
    gap = draw(st.integers(-1, until))
    while dim < until:
        n = shape[dim]
        if dim == gap:
            index.append(...)
            gap = -1
            skipped = draw(st.integers(0, until - dim))
            dim, rest = dim + skipped, len(shape) - until
            # what an Ellipsis stands for must be what is left over
            shape = shape[: len(shape) - rest] if rest else shape
            continue
        kind = draw(st.sampled_from(["int", "slice", "none", "array", "list", "mask", "mask2", "scalar"]))
        if kind == "none":
            index.append(None)
            continue
        if kind == "int":
            index.append(draw(st.integers(-n, n - 1)))
        elif kind == "slice":
            index.append(draw(slices))
        elif kind == "scalar":
            index.append(np.array(draw(st.integers(-n, n - 1))))
        elif kind == "array":
            count = int(np.prod(common, dtype=int))
            places = draw(st.lists(st.integers(-n, n - 1), min_size=count, max_size=count))
            index.append(np.array(places, np.int64).reshape(common))
        elif kind == "list":
            index.append(draw(st.lists(st.integers(-n, n - 1), min_size=1, max_size=1)))
        elif kind == "mask2" and dim + 2 <= until:
            mask = np.zeros(shape[dim : dim + 2], bool)
            mask[draw(st.integers(0, n - 1)), draw(st.integers(0, shape[dim + 1] - 1))] = True
            index.append(mask)
            dim += 1
        else:
            mask = np.zeros(n, bool)
            mask[draw(st.integers(0, n - 1))] = True
            index.append(mask)
        dim += 1
    return shape, tuple(index)


def covers(part):
    if part is None:
        return 0
    return part.ndim if isinstance(part, np.ndarray) and part.dtype == bool else 1


def picked(a, index):
    """NumPy's answer where integers are taken first and do not count as arrays, as here and in PyTorch."""
    used = sum(covers(p) for p in index if p is not ...)
    parts = []
    for p in index:
        parts += [slice(None)] * (a.ndim - used) if p is ... else [p]
    first, rest = [], []
    for p in parts:
        integer = isinstance(p, int) or (isinstance(p, np.ndarray) and p.ndim == 0 and p.dtype != bool)
        if integer:
            first.append(int(p))
        elif p is not None:
            first += [slice(None)] * covers(p)
        if not integer:
            rest.append(p)
    return a[tuple(first)], tuple(rest)


def ours(index):
    return tuple(nd.asarray(p) if isinstance(p, np.ndarray) else p for p in index)


def strided(shape, variant, dtype=np.int64):
    """An array of distinct numbers, and ours of the same numbers, compact or not."""
    a = np.arange(int(np.prod(shape)), dtype=dtype).reshape(shape)
    x = nd.asarray(a)
    if variant == "transposed":
        a, x = a.T.copy(), nd.permute(nd.copy(x), range(len(shape))[::-1])
    if variant == "flipped" and shape:
        a, x = a[::-1].copy(), nd.flip(nd.copy(x), 0)
    if variant == "gapped" and shape:
        wide = nd.zeros((*shape[:-1], shape[-1] * 2), dtype="int64")[..., ::2]
        wide[...] = x
        x = wide
    return a, x


VARIANTS = st.sampled_from(["compact", "flipped", "gapped"])


@given(cases(), VARIANTS)
def test_reading_is_numpys(case, variant):
    shape, index = case
    a, x = strided(shape, variant)
    part, rest = picked(a, index)
    try:
        expected = part[rest]
    except IndexError:
        with pytest.raises((IndexOutOfRange, ShapeError)):
            x[ours(index)]
        return
    for _ in range(2):  # worked out, and remembered
        got = x[ours(index)]
        assert got.shape == np.shape(expected)
        assert got.tolist() == expected.tolist()


def test_what_is_remembered_of_an_index_holds_for_other_positions_and_names_the_axis():
    x = nd.reshape(nd.arange(12), (3, 4))
    for places in ([0, 2], [3, -1]):
        assert x[:, nd.asarray(places)].tolist() == x.numpy()[:, places].tolist()
        assert x[1:, None, nd.asarray(places)].tolist() == x.numpy()[1:, None, places].tolist()
    for _ in range(2):
        with pytest.raises(IndexOutOfRange, match="index 4 is out of bounds for dimension 1 with size 4"):
            x[:, nd.asarray([0, 4])]
    rows = nd.asarray([2, 0])
    x[rows] = nd.asarray([-1, -2, -3, -4])  # broadcast to the rows
    assert x.tolist() == [[-1, -2, -3, -4], [4, 5, 6, 7], [-1, -2, -3, -4]]
    with pytest.raises(ShapeError, match="shape mismatch"):
        x[rows] = nd.asarray([1, 2, 3])


@given(cases(), VARIANTS, st.integers(0, 3), st.booleans())
def test_writing_is_numpys(case, variant, drop, as_number):
    shape, index = case
    a, x = strided(shape, variant)
    part, rest = picked(a, index)
    try:
        wanted = part[rest].shape
    except IndexError:
        return
    value = -1 - np.arange(int(np.prod(wanted))).reshape(wanted)
    value = np.array(-7) if as_number else value[(0,) * min(drop, value.ndim)] if value.size else value
    if isinstance(part, np.ndarray) and part.base is not None:
        part[rest] = value  # a view of a
    else:
        a[index] = value
    x[ours(index)] = nd.asarray(value)
    assert x.tolist() == a.tolist()


@given(cases(), st.integers(0, 2**31))
def test_accumulating_is_add_at(case, seed):
    shape, index = case
    a, x = strided(shape, "compact")
    part, rest = picked(a, index)
    try:
        wanted = part[rest].shape
    except IndexError:
        return
    values = np.random.default_rng(seed).integers(-9, 9, wanted)
    numbers = np.arange(a.size).reshape(shape)
    places = picked(numbers, index)[0][rest]
    expected = a.reshape(-1).copy()
    np.add.at(expected, places.reshape(-1), values.reshape(-1))
    assert nd.index_put(x, ours(index), nd.asarray(values), accumulate=True).tolist() == expected.reshape(shape).tolist()
    assert x.tolist() == a.tolist()


@given(st.permutations(range(5)), st.integers(0, 4))
def test_values_that_share_memory_are_read_first(order, shift):
    a, x = strided((5, 2), "compact")
    a[list(order)], x[list(order)] = a.copy(), x
    assert x.tolist() == a.tolist()
    a[: 5 - shift], x[: 5 - shift] = a[shift:].copy(), x[shift:]
    assert x.tolist() == a.tolist()
    a[:, 0], x[:, 0] = a[::-1, 1].copy(), nd.flip(x, 0)[:, 1]
    assert x.tolist() == a.tolist()
    a[:4], x[:4] = a.T[0, 1:, None].copy(), x.T[0, 1:, None]
    assert x.tolist() == a.tolist()


def test_positions_that_share_memory_are_read_first():
    x = nd.asarray([2, 0, 1, 4, 3])
    x[x] = nd.asarray([5, 6, 7, 8, 9])
    assert x.tolist() == [6, 7, 5, 9, 8]
    y = nd.asarray([3, 0, 1, 2])
    y[y[:2]] = -1
    assert y.tolist() == [-1, 0, 1, -1]


def test_of_equal_positions_the_last_wins_or_all_are_added():
    x = nd.zeros(3, dtype="int64")
    x[[1, 1, 2, 1]] = nd.asarray([1, 2, 3, 4])
    assert x.tolist() == [0, 4, 3]
    assert nd.index_put(x, ([1, 1, 0],), nd.asarray([10, 10, 5]), True).tolist() == [5, 24, 3]
    assert nd.index_put(nd.zeros((2, 2)), (..., [0, 0]), nd.ones((2, 2)), True).tolist() == [[2, 0], [2, 0]]


def test_masks_of_any_rank_also_none():
    x = nd.reshape(nd.arange(6), (2, 3))
    assert x[x > 2].tolist() == [3, 4, 5]
    assert x[nd.asarray([True, False])].tolist() == [[0, 1, 2]]
    assert x[:, nd.asarray([True, False, True])].tolist() == [[0, 2], [3, 5]]
    assert x[True].tolist() == [x.tolist()]
    assert x[False].shape == (0, 2, 3)
    one = nd.asarray(5)
    assert one[True].tolist() == [5]
    assert one[nd.asarray(False)].tolist() == []
    one[one > 3] = 1
    assert one.tolist() == 1
    x[nd.zeros((2, 3), dtype="bool")] = 9
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]


def test_arrays_without_items():
    x = nd.zeros((0, 3))
    assert x[[]].shape == (0, 3)
    assert x[nd.zeros((0, 2), dtype="int64")].shape == (0, 2, 3)
    assert x[:, [0, 1]].shape == (0, 2)
    x[:, 1] = 4
    x[[]] = nd.zeros((0, 3))
    with pytest.raises(IndexOutOfRange):
        x[[0]]


def test_what_is_refused_leaves_everything_as_it_was():
    x = nd.reshape(nd.arange(6), (2, 3))
    version = x.flat.version
    for index, value, error in (
        (0, nd.zeros(2), ShapeError),
        ([0, 5], 1, IndexOutOfRange),
        (([0, 1], [0, 1, 2]), 1, ShapeError),
        (nd.zeros((3, 2), dtype="bool"), 1, IndexOutOfRange),
        (nd.asarray([0.5]), 1, IndexOutOfRange),
        ((0, 0, 0), 1, IndexOutOfRange),
        (0, 1j, DTypeError),
        ([0], 1j, DTypeError),
        ([0], nd.zeros((2, 3)), ShapeError),
    ):
        with pytest.raises(error):
            x[index] = value
    assert x.tolist() == [[0, 1, 2], [3, 4, 5]]
    assert x.flat.version == version


def test_an_array_whose_indices_share_items_is_not_written_to():
    row = nd.zeros(3)
    for target in (nd.broadcast_to(row, (2, 3)), nd.unfold(row, 0, 2, 1)):
        for index, value in ((..., nd.ones(target.shape)), ([0], 1)):
            with pytest.raises(ShapeError, match="more than one element"):
                target[index] = value
    nd.unfold(row, 0, 2, 1)[...] = 2  # one number: which index writes an item last does not matter
    assert row.tolist() == [2, 2, 2]
    nd.broadcast_to(row, (2, 3))[0] = 1  # one row of it is no such array
    assert row.tolist() == [1, 1, 1]
