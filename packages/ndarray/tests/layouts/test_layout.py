"""Layout against NumPy: the same views of the same memory read the same items."""

import copy
import itertools
import struct

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lamina_flatarray import IndexOutOfRange, LaminaError, ShapeError
from lamina_ndarray.layouts.bounded_cache import BoundedCache
from lamina_ndarray.layouts.layout import Layout

MEMORY = np.arange(4000)


def read(layout: Layout) -> np.ndarray:
    """Read item numbers through a layout; NumPy refuses what leaves the memory."""
    if layout.size == 0:
        return np.empty(layout.shape, MEMORY.dtype)
    strides = [s * MEMORY.itemsize for s in layout.strides]
    return np.ndarray(layout.shape, MEMORY.dtype, MEMORY, layout.offset * MEMORY.itemsize, strides)


shapes = st.lists(st.integers(0, 4), max_size=4).map(tuple)


@st.composite
def a_view(draw: st.DrawFn, layout: Layout, array: np.ndarray) -> tuple[Layout, np.ndarray]:
    """Take one view, by lamina and by NumPy."""
    ndim = array.ndim
    if ndim == 0 or draw(st.integers(0, 9)) == 0:
        dim = draw(st.integers(-ndim - 1, ndim))
        return (layout.unsqueeze(dim), np.expand_dims(array, dim)) if ndim < 6 else (layout, array)
    dims = st.integers(-ndim, ndim - 1)
    dim, other = draw(dims), draw(dims)
    n = array.shape[dim]
    bound = st.none() | st.integers(-n - 2, n + 2)
    match draw(
        st.sampled_from(
            ["transpose", "permute", "movedim", "select", "slice", "squeeze", "flip", "diagonal", "unfold", "broadcast"]
        )
    ):
        case "transpose":
            return layout.transpose(dim, other), np.swapaxes(array, dim, other)
        case "permute":
            order = draw(st.permutations(range(ndim)))
            return layout.permute(order), array.transpose(order)
        case "movedim":
            return layout.movedim(dim, other), np.moveaxis(array, dim, other)
        case "select" if n:
            at = draw(st.integers(-n, n - 1))
            return layout.select(dim, at), np.moveaxis(array, dim, 0)[at]
        case "slice":
            start, stop = draw(bound), draw(bound)
            step = draw(st.none() | st.integers(-3, 3).filter(bool))
            index = [slice(None)] * ndim
            index[dim] = slice(start, stop, step)
            return layout.slice(dim, start, stop, step), array[tuple(index)]
        case "squeeze":
            ones = tuple(d for d in {dim % ndim, other % ndim} if array.shape[d] == 1)
            return layout.squeeze((dim, other) if dim % ndim != other % ndim else dim), np.squeeze(array, ones)
        case "flip":
            return layout.flip(dim), np.flip(array, dim)
        case "diagonal" if dim % ndim != other % ndim:
            k = draw(st.integers(-3, 3))
            return layout.diagonal(k, dim, other), np.diagonal(array, k, dim, other)
        case "unfold" if n and ndim < 6:
            size, step = draw(st.integers(1, n)), draw(st.integers(1, 3))
            windows = np.lib.stride_tricks.sliding_window_view(array, size, dim)
            index = [slice(None)] * ndim
            index[dim] = slice(None, None, step)
            return layout.unfold(dim, size, step), windows[tuple(index)]
        case "broadcast":
            shape = tuple(draw(st.integers(0, 3)) if n == 1 else n for n in array.shape)
            return layout.broadcast_to(shape), np.broadcast_to(array, shape)
    return layout, array


@st.composite
def views(draw: st.DrawFn) -> tuple[Layout, np.ndarray]:
    """Views of views of views, from an offset into the memory."""
    shape, offset = draw(shapes), draw(st.integers(0, 40))
    layout = Layout.of(shape, Layout.dense(shape).strides, offset)
    array = read(layout)
    for _ in range(draw(st.integers(0, 5))):
        layout, array = draw(a_view(layout, array))
    return layout, array


@given(views())
def test_views_of_views_read_what_numpy_reads(pair: tuple[Layout, np.ndarray]) -> None:
    layout, array = pair
    assert layout.shape == array.shape
    assert (layout.ndim, layout.size) == (array.ndim, array.size)
    np.testing.assert_array_equal(read(layout), array)


@given(views())
def test_questions_are_answered_from_the_items_touched(pair: tuple[Layout, np.ndarray]) -> None:
    layout, array = pair
    items = np.sort(array, axis=None)
    unique = np.unique(items)
    assert layout.contiguous == layout.is_contiguous() == read(layout).flags.c_contiguous
    assert layout.overlaps == (len(unique) < len(items))
    if layout.size:
        assert layout.extent() == (items[0], items[-1])
    else:
        assert layout.extent() == (layout.offset, layout.offset - 1)
    fills = layout.size == 0 or (len(unique) == len(items) and items[-1] - items[0] + 1 == len(items))
    forward = all(s > 0 for s, n in zip(layout.strides, layout.shape, strict=True) if n > 1)
    assert layout.is_dense() == (fills and (forward or layout.size == 0))


@given(views())
def test_result_is_dense_at_zero_and_is_its_own_result_or_row_major(pair: tuple[Layout, np.ndarray]) -> None:
    layout, _ = pair
    result = layout.result
    assert result.shape == layout.shape
    assert result.offset == 0
    assert result.is_dense()
    long = [d for d in range(layout.ndim) if layout.shape[d] > 1]  # strides of others may differ, as those of images in PyTorch
    if result.contiguous:
        assert result.result is layout.compact
    else:
        assert [result.result.strides[d] for d in long] == [result.strides[d] for d in long]
    assert layout.compact is Layout.dense(layout.shape) is layout.compact.compact
    if layout.contiguous:
        assert result == Layout.dense(layout.shape)
    elif layout.is_dense():  # strides of dims of length 1 say nothing
        assert not [d for d in range(layout.ndim) if layout.shape[d] > 1 and result.strides[d] != layout.strides[d]]
    else:
        told = [d for d in range(layout.ndim) if layout.shape[d] > 1 and layout.strides[d]]
        for a, b in itertools.combinations(told, 2):
            if abs(layout.strides[a]) != abs(layout.strides[b]) and len(told) == layout.ndim:
                assert (abs(layout.strides[a]) > abs(layout.strides[b])) == (result.strides[a] > result.strides[b])


@given(views())
def test_packed_is_what_native_kernels_read(pair: tuple[Layout, np.ndarray]) -> None:
    layout, _ = pair
    numbers = struct.unpack(f"={len(layout.packed) // 8}q", layout.packed)
    assert numbers == (layout.ndim, layout.offset, *layout.shape, *layout.strides)


@given(views(), st.data())
def test_reshape_is_a_view_exactly_when_numpy_finds_one(pair: tuple[Layout, np.ndarray], data: st.DataObject) -> None:
    layout, array = pair
    left, shape = array.size, []
    while left > 1 and len(shape) < 5:
        n = data.draw(st.sampled_from([d for d in range(1, left + 1) if left % d == 0]))
        shape.append(n)
        left //= n or 1
    shape.append(left)
    shape = data.draw(st.permutations(shape))
    got = layout.reshape(shape)
    try:
        want = np.reshape(read(layout), shape, copy=False)
    except ValueError:
        assert got is None
    else:
        assert got is not None
        np.testing.assert_array_equal(read(got), want)
    assert layout.reshape(shape) is got  # remembered, the refusal as well
    if 0 not in shape:
        assert layout.reshape([-1, *shape[1:]]) == got


@given(st.lists(st.integers(1, 3), max_size=3), st.data())
def test_reshape_never_copies_needlessly(shape: list[int], data: st.DataObject) -> None:
    strides = [data.draw(st.integers(0, 9)) for _ in shape]
    layout = Layout.of(shape, strides, 0)
    size = layout.size
    target = data.draw(
        st.sampled_from(
            [s for k in range(4) for s in itertools.product(range(1, size + 1), repeat=k) if np.prod(s) == size]
        )
    )
    places = read(layout).reshape(target)  # by value: which item each index must reach
    steps = [np.diff(places, axis=d) for d in range(len(target))]
    possible = all(s.size == 0 or (s == s.flat[0]).all() for s in steps)
    assert (layout.reshape(target) is not None) == possible


@given(views(), st.data())
def test_flatten_and_unflatten(pair: tuple[Layout, np.ndarray], data: st.DataObject) -> None:
    layout, array = pair
    assume(layout.ndim)
    start = data.draw(st.integers(0, layout.ndim - 1))
    end = data.draw(st.integers(start, layout.ndim - 1))
    flat = layout.flatten(start, end - layout.ndim)
    if flat is not None:
        want = array.reshape(*array.shape[:start], -1 if array.size else flat.shape[start], *array.shape[end + 1 :])
        np.testing.assert_array_equal(read(flat), want)
        back = flat.unflatten(start, layout.shape[start : end + 1])
        assert back.shape == layout.shape
        np.testing.assert_array_equal(read(back), array)


def test_unflatten_infers_one_length() -> None:
    t = Layout.dense((6, 2)).transpose(0, 1)
    assert t.unflatten(1, (-1, 3)) == Layout.of((2, 2, 3), (1, 6, 2))
    with pytest.raises(ShapeError, match="unflatten"):
        t.unflatten(1, (4, -1))


# ---- identity, equality, immutability ----


@given(views())
def test_equal_layouts_are_one_object(pair: tuple[Layout, np.ndarray]) -> None:
    layout, _ = pair
    again = Layout.of(list(layout.shape), list(layout.strides), layout.offset)
    assert again is layout
    assert copy.deepcopy(layout) is layout


def test_dense_layouts_are_kept_dense_by_views_that_do_not_move_anything() -> None:
    x = Layout.dense((2, 3, 4))
    assert x.result is x
    assert Layout.dense((2, 3, 4)) is x is Layout.of((2, 3, 4), (12, 4, 1))
    assert x.transpose(0, 2).transpose(0, 2) is x
    assert x.unsqueeze(1) is Layout.dense((2, 1, 3, 4))
    assert x.unsqueeze(0) is x.broadcast_to((1, 2, 3, 4)) is Layout.dense((1, 2, 3, 4))
    assert x.unsqueeze(-1).squeeze(-1) is x
    assert x.slice(1, None, None) is x
    assert x.reshape((6, 4)) is Layout.dense((6, 4))
    assert x.flatten() is Layout.dense((24,))
    assert Layout.dense(()).flatten() is Layout.dense((1,))


def test_equality_outlives_the_intern_table() -> None:
    before = Layout.dense((5, 7))
    view = before.transpose(0, 1)
    for cache in BoundedCache.every:
        cache.clear()
    after = Layout.dense((5, 7))
    assert after is not before
    assert after == before
    assert hash(after) == hash(before)
    assert before.transpose(0, 1) == view
    assert before != Layout.dense((7, 5))
    assert before != (5, 7)


def test_tables_stay_bounded() -> None:
    for row in range(200):
        for column in range(400):
            Layout.dense((200, 400)).select(0, row).select(0, column)
    assert all(len(cache) <= cache.limit for cache in BoundedCache.every)


def test_layouts_cannot_be_changed_or_made_directly() -> None:
    x = Layout.dense((2,))
    with pytest.raises(AttributeError, match="immutable"):
        x.shape = (3,)
    with pytest.raises(AttributeError, match="immutable"):
        del x.shape
    with pytest.raises(TypeError, match=r"Layout\.of"):
        Layout()


def test_an_index_that_changes_is_not_remembered_by_identity() -> None:
    class Counter:
        value = 0

        def __index__(self) -> int:
            return self.value

    x, at = Layout.dense((3, 4)), Counter()
    x.select(0, at), x.slice(0, at, 3)
    at.value = 2
    assert x.select(0, at).offset == 8
    assert x.slice(0, at, 3).shape == (1, 4)


# ---- particular cases ----


def test_permuted_dense_keeps_its_strides_in_the_result() -> None:
    x = Layout.dense((2, 3, 4)).permute((2, 0, 1))
    assert x.result is x
    assert Layout.of(x.shape, x.strides, 9).result is x
    assert x.slice(0, 0, 2).result is Layout.dense((2, 3, 2)).permute((2, 0, 1))
    assert Layout.of((2, 3), (0, 1)).result is Layout.dense((2, 3))
    assert Layout.of((2, 3, 4), (2, 0, 9)).result is Layout.of((2, 3, 4), (1, 2, 6))
    assert Layout.dense((3,)).flip(0).result is Layout.dense((3,))
    assert Layout.of((1, 3), (100, 1)).result is Layout.dense((1, 3))


def test_channels_last() -> None:
    nhwc = Layout.dense((2, 5, 6, 3)).permute((0, 3, 1, 2))
    assert nhwc.is_contiguous("channels_last")
    assert not nhwc.is_contiguous()
    assert nhwc.is_dense()
    assert not Layout.dense((2, 3, 5, 6)).is_contiguous("channels_last")
    assert not Layout.dense((2, 3)).is_contiguous("channels_last")
    assert Layout.dense((2, 4, 5, 6, 3)).permute((0, 4, 1, 2, 3)).is_contiguous("channels_last_3d")
    with pytest.raises(ShapeError, match="memory format"):
        nhwc.is_contiguous("nhwc")


def test_expand_keeps_lengths_given_as_minus_one() -> None:
    x = Layout.dense((3, 1))
    assert x.broadcast_to((2, -1, 5)) == Layout.of((2, 3, 5), (0, 1, 0))
    with pytest.raises(ShapeError, match="dimension 0"):
        x.broadcast_to((-1, 3, 5))


def test_movedim_of_several() -> None:
    x, array = Layout.dense((2, 3, 4, 1)), MEMORY[:24].reshape(2, 3, 4, 1)
    assert x.movedim((0, -1), (2, 0)).shape == np.moveaxis(array, (0, -1), (2, 0)).shape
    np.testing.assert_array_equal(read(x.movedim((0, 1), (-1, -2))), np.moveaxis(array, (0, 1), (-1, -2)))


def test_arrays_without_dims_accept_axis_zero_and_minus_one() -> None:
    x = Layout.dense(())
    assert x.transpose(0, -1) is x
    assert x.flip(0) is x.squeeze(-1) is x.movedim(0, 0) is x.permute(()) is x
    assert x.unfold(0, 1, 1) is Layout.dense((1,))


def test_interleaved_strides_are_told_apart() -> None:
    assert not Layout.of((2, 3), (3, 2)).overlaps  # 0 2 4 / 3 5 7
    assert Layout.of((3, 4), (3, 2)).overlaps  # 6 comes twice
    assert not Layout.of((3000, 2), (2, 3)).overlaps
    assert Layout.of((3000, 3), (2, 3)).overlaps  # 6 by three steps of 2, and by two of 3
    assert not Layout.dense((10**6, 10**6)).transpose(0, 1).overlaps


def test_huge_sizes_are_only_numbers() -> None:
    x = Layout.dense((2**20, 2**20, 2**10))
    assert x.size == 2**50
    assert x.select(0, -1).offset == (2**20 - 1) * 2**30
    assert x.transpose(0, 2).extent() == (0, 2**50 - 1)
    assert x.flip((0, 1)).extent() == (0, 2**50 - 1)
    assert x.reshape((2**40, -1)) is Layout.dense((2**40, 2**10))
    assert x.slice(2, None, None, 2).reshape((2**49,)) == Layout.of((2**49,), (2,))
    assert Layout.dense((1,)).broadcast_to((2**62,)).result.size == 2**62
    with pytest.raises(ShapeError, match="64-bit"):
        Layout.dense((2**40, 2**40))
    with pytest.raises(ShapeError, match="64-bit"):
        Layout.of((2,), (2**64,))


def test_as_strided_stays_within_the_memory() -> None:
    x = Layout.of((4,), (1,), 2)
    assert x.as_strided((2, 3), (1, 1), None, 6) == Layout.of((2, 3), (1, 1), 2)
    assert x.as_strided((3,), (-1,), 2, 3).extent() == (0, 2)
    assert x.as_strided((0,), (1,), 3, 3).size == 0
    for shape, strides, offset in [
        ((2, 3), (1, 1), 3),
        ((3,), (-1,), 1),
        ((1,), (1,), -1),
        ((1,), (1,), 6),
        ((0,), (1,), 7),
    ]:
        with pytest.raises(ShapeError):
            x.as_strided(shape, strides, offset, 6)


X = Layout.dense((2, 3))


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda: X.select(0, 5), IndexOutOfRange, "index 5 is out of bounds for dimension 0 with size 2"),
        (lambda: X.select(1, -4), IndexOutOfRange, "index -4 is out of bounds for dimension 1 with size 3"),
        (lambda: Layout.dense(()).select(0, 0), IndexOutOfRange, "without dims"),
        (lambda: Layout.dense(()).slice(0, 0, 1), IndexOutOfRange, "without dims"),
        (lambda: X.transpose(0, 2), IndexOutOfRange, r"transpose.*\[-2, 1\], but got 2"),
        (lambda: X.permute((0, 0)), ShapeError, "more than once"),
        (lambda: X.permute((0,)), ShapeError, "permute"),
        (lambda: X.movedim((0, 1), 0), ShapeError, "movedim"),
        (lambda: X.slice(0, 0, 1, 0), ShapeError, "step"),
        (lambda: X.reshape((4, 2)), ShapeError, r"\(4, 2\).*6 items"),
        (lambda: X.reshape((-1, 4)), ShapeError, "6 items"),
        (lambda: X.reshape((-1, -1)), ShapeError, "one length may be -1"),
        (lambda: Layout.dense((0, 3)).reshape((-1, 0)), ShapeError, "could be any length"),
        (lambda: X.flatten(1, 0), ShapeError, "after"),
        (lambda: X.diagonal(0, 1, -1), ShapeError, "same"),
        (lambda: X.unfold(1, 4, 1), ShapeError, "size 4"),
        (lambda: X.unfold(1, 2, 0), ShapeError, "step 0"),
        (lambda: X.broadcast_to((2, 4)), ShapeError, "dimension 1"),
        (lambda: X.broadcast_to((3,)), ShapeError, "more dims"),
        (lambda: X.broadcast_to((2, 2, -3)), ShapeError, "dimension 2"),
        (lambda: Layout.of((2,), (1, 1)), ShapeError, "strides"),
        (lambda: Layout.of((-2,), (1,)), ShapeError, "negative"),
        (lambda: Layout.of((2,), (-1,)), ShapeError, "before the memory"),
        (lambda: Layout.dense((1.5,)), TypeError, "float"),
    ],
)
def test_errors_name_what_came(call, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says) as caught:
        call()
    assert isinstance(caught.value, LaminaError | TypeError)
