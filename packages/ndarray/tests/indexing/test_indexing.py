"""Basic indices against NumPy's, and the split of advanced ones from basic ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina_flatarray import IndexOutOfRange, ShapeError
from lamina_ndarray.indexing.basic_index import basic_index, split_index
from lamina_ndarray.layouts.layout import Layout

MEMORY = np.arange(1000)


def read(layout: Layout) -> np.ndarray:
    """Read item numbers through a layout."""
    if layout.size == 0:
        return np.empty(layout.shape, MEMORY.dtype)
    strides = [s * MEMORY.itemsize for s in layout.strides]
    return np.ndarray(layout.shape, MEMORY.dtype, MEMORY, layout.offset * MEMORY.itemsize, strides)


bounds = st.none() | st.integers(-6, 6)
slices = st.builds(slice, bounds, bounds, st.none() | st.integers(-3, 3).filter(bool))
parts = st.integers(-4, 4) | st.integers(-4, 4).map(np.int64) | slices | st.none() | st.just(...)
shapes = st.lists(st.integers(0, 5), max_size=4).map(tuple)


@st.composite
def strided(draw: st.DrawFn) -> Layout:
    """A layout with an offset, permuted dims and a negative stride."""
    shape = draw(shapes)
    layout = Layout.of(shape, Layout.dense(shape).strides, draw(st.integers(0, 20)))
    layout = layout.permute(draw(st.permutations(range(len(shape)))))
    return layout.flip(0) if draw(st.booleans()) else layout


@given(strided(), parts | st.lists(parts, max_size=5).map(tuple))
def test_basic_indices_select_what_numpy_selects(layout: Layout, index: object) -> None:
    try:
        want = read(layout)[index]
    except IndexError:
        with pytest.raises(IndexOutOfRange):
            basic_index(layout, index)
        return
    for _ in range(2):  # worked out, and remembered
        got = basic_index(layout, index)
        assert got is not None
        assert got.shape == np.shape(want)
        np.testing.assert_array_equal(read(got), want)
    split, entries = split_index(layout, index)
    assert split == got
    assert entries == [None] * got.ndim


X = Layout.dense((3, 4, 5))


def test_frequent_indices_are_remembered() -> None:
    x = Layout.dense((3, 4, 5))
    assert basic_index(x, 2) is basic_index(x, 2) is x.select(0, 2)
    assert basic_index(x, (slice(None), 0)) is x.select(1, 0)
    assert basic_index(x, (..., 0)) is x.select(-1, 0)
    assert basic_index(x, slice(0, 2)) is x.slice(0, 0, 2)
    assert basic_index(x, (slice(None), slice(0, 2))) is x.slice(1, 0, 2)
    assert basic_index(x, ...) is basic_index(x, ()) is basic_index(x, slice(None)) is x
    assert basic_index(x, None) is Layout.dense((1, 3, 4, 5))


@pytest.mark.parametrize(
    "index",
    [
        [0, 1],
        np.array([0, 1]),
        True,
        np.True_,
        np.array(True),
        np.ones((3, 4), bool),
        (0, [1]),
        (None, True),
        (0, (1, 2)),
        range(2),
    ],
    ids=repr,
)
def test_advanced_indices_are_no_view(index: object) -> None:
    assert basic_index(X, index) is None


def test_an_integer_array_without_dims_is_an_integer() -> None:
    assert basic_index(X, np.array(1)) == X.select(0, 1)
    assert basic_index(X, (slice(None), np.array(-1))) == X.select(1, 3)


@pytest.mark.parametrize(
    ("index", "says"),
    [
        (5, "index 5 is out of bounds for dimension 0 with size 3"),
        ((0, -5), "index -5 is out of bounds for dimension 1 with size 4"),
        ((7, 0), "index 7 is out of bounds for dimension 0 with size 3"),
        ((slice(None), slice(None), 5), "index 5 is out of bounds for dimension 2 with size 5"),
        ((..., 5), "index 5 is out of bounds for dimension 2 with size 5"),
        ((0, 0, 0, 0), r"too many indices: 4 for an array of shape \(3, 4, 5\)"),
        ((..., 0, ...), "more than one Ellipsis"),
        (1.5, "float given"),
        ("a", "str given"),
    ],
)
def test_errors(index: object, says: str) -> None:
    for parse in (basic_index, split_index):
        with pytest.raises(IndexOutOfRange, match=says):
            parse(X, index)


def test_a_step_of_zero_is_refused() -> None:
    for index in (slice(None, None, 0), (0, 0, slice(0, 1, 0))):
        with pytest.raises(ShapeError, match="step"):
            basic_index(X, index)


def test_an_array_without_dims() -> None:
    x = Layout.dense(())
    assert basic_index(x, ()) is basic_index(x, ...) is x
    assert basic_index(x, None) is Layout.dense((1,))
    for index in (0, slice(None), (..., 0)):
        with pytest.raises(IndexOutOfRange):
            basic_index(x, index)


# ---- split_index ----


def test_split_applies_basic_parts_and_keeps_the_others() -> None:
    rows, columns = [0, 1], np.array([2, 3])
    layout, entries = split_index(X, (rows, slice(1, 3), columns))
    assert layout == X.slice(1, 1, 3)
    assert entries[0] is rows
    assert entries[1] is None
    assert entries[2] is columns

    layout, entries = split_index(X, (..., columns))
    assert layout == X
    assert entries[:2] == [None, None]
    assert entries[2] is columns

    layout, entries = split_index(X, (0, None, columns))
    assert layout == X.select(0, 0).unsqueeze(0)
    assert entries[0] is None
    assert entries[1] is columns
    assert entries[2] is None


def test_a_mask_covers_its_dims() -> None:
    mask = np.ones((4, 5), bool)
    layout, entries = split_index(X, (slice(None), mask))
    assert layout == X
    assert entries[0] is None
    assert entries[1] is mask
    assert len(entries) == 2
    nested = [[True] * 4] * 3
    assert split_index(X, nested)[1] == [nested, None]
    assert split_index(X, [True, False, True])[1] == [[True, False, True], None, None]
    assert split_index(X, [])[1] == [[], None, None]


def test_a_single_bool_stands_on_a_new_dim() -> None:
    layout, entries = split_index(X, (slice(None), True))
    assert layout == X.unsqueeze(1)
    assert entries == [None, [True], None, None]
    assert split_index(X, np.array(False))[1] == [[False], None, None, None]


def test_a_mask_has_the_shape_of_its_dims() -> None:
    with pytest.raises(IndexOutOfRange, match=r"mask \(2,\) does not match the shape \(3,\)"):
        split_index(X, np.ones(2, bool))
    with pytest.raises(IndexOutOfRange, match="too many indices"):
        split_index(X, (0, 0, np.ones((5, 1), bool)))


def gathered(layout: Layout, index: object) -> np.ndarray:
    """Finish an advanced index as a caller does, by way of NumPy."""
    split, entries = split_index(layout, index)
    arrays, dims, dim = [], [], 0
    for entry in entries:
        array = np.asarray(entry)
        pieces = list(np.nonzero(array)) if array.dtype == bool else [array]
        if entry is not None:
            arrays += pieces
            dims += range(dim, dim + len(pieces))
        dim += len(pieces)
    assert dim == split.ndim
    lengths = np.broadcast_shapes(*[a.shape for a in arrays])
    kept = [d for d in range(split.ndim) if d not in dims]
    out = read(split).transpose(*dims, *kept)[tuple(arrays)]  # index dims in front
    place = dims[0] if dims == list(range(dims[0], dims[0] + len(dims))) else 0
    return np.moveaxis(out, range(len(lengths)), range(place, place + len(lengths)))


@st.composite
def advanced(draw: st.DrawFn) -> tuple[object, ...]:
    """Indices on which NumPy and PyTorch agree: no integer, and an Ellipsis of some dims."""
    kinds = st.sampled_from(["slice", "list", "array", "mask"])
    index: list[object] = []
    for n in (3, 4, 5)[: draw(st.integers(1, 3))]:
        match draw(kinds):
            case "slice":
                index.append(draw(slices))
            case "list":
                index.append(draw(st.lists(st.integers(-n, n - 1), min_size=2, max_size=2)))
            case "array":
                index.append(np.array(draw(st.lists(st.integers(-n, n - 1), min_size=2, max_size=2)))[:, None])
            case "mask":
                mask = np.zeros(n, bool)
                mask[[0, draw(st.integers(1, n - 1))]] = True
                index.append(mask)
        if draw(st.integers(0, 4)) == 0:
            index.append(None)
    if len(index) < 3 and draw(st.booleans()):
        index.append(...)
    return tuple(index)


@given(advanced())
def test_a_gather_after_the_split_is_numpys(index: tuple[object, ...]) -> None:
    if basic_index(X, index) is None:
        np.testing.assert_array_equal(gathered(X, index), read(X)[index])


@pytest.mark.parametrize("mask_shape", [(3,), (3, 4), (3, 4, 5)])
def test_masks_of_several_dims(mask_shape: tuple[int, ...]) -> None:
    mask = (np.arange(np.prod(mask_shape)) % 3 == 0).reshape(mask_shape)
    np.testing.assert_array_equal(gathered(X, mask), read(X)[mask])


def test_bools_add_a_dim() -> None:
    np.testing.assert_array_equal(gathered(X, True), read(X)[True])
    np.testing.assert_array_equal(gathered(X, False), read(X)[False])


def test_integers_do_not_separate_as_in_pytorch() -> None:
    assert gathered(X, (0, slice(None), [1, 2])).shape == (4, 2)  # (2, 4) in NumPy
    assert gathered(X, ([0, 1], 0, [1, 2])).shape == (2,)
    assert gathered(X, (slice(None), [0], ..., [1])).shape == (3, 1)  # (1, 3) in NumPy
