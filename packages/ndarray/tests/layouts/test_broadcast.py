"""Broadcasting and axis rules against NumPy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina_flatarray import IndexOutOfRange, ShapeError
from lamina_ndarray.layouts.broadcast import broadcast_shapes, normalize_axes, normalize_axis, reduced_shape

shapes = st.lists(st.integers(0, 3), max_size=4).map(tuple)


@given(st.lists(shapes, max_size=4))
def test_shapes_broadcast_as_in_numpy(several: list[tuple[int, ...]]) -> None:
    try:
        want = np.broadcast_shapes(*several)
    except ValueError:
        with pytest.raises(ShapeError):
            broadcast_shapes(*several)
    else:
        assert broadcast_shapes(*several) == want
        assert broadcast_shapes(*map(list, several)) == want


def test_pairs_are_remembered() -> None:
    a, b = (2, 1), (3,)
    assert broadcast_shapes(a, b) is broadcast_shapes(a, b)


def test_huge_lengths() -> None:
    assert broadcast_shapes((2**40, 1), (2**41,)) == (2**40, 2**41)


def test_the_message_names_op_shapes_and_axis() -> None:
    with pytest.raises(ShapeError, match=r"add: shapes \(2, 3\) and \(4,\).*size 3 must match size 4 at dimension 1"):
        broadcast_shapes((2, 3), (4,), op="add")
    with pytest.raises(ValueError, match="dimension 0"):
        broadcast_shapes((2, 1), (3, 1), (1,))


@given(st.integers(0, 4), st.integers(-6, 6))
def test_one_axis(ndim: int, axis: int) -> None:
    bound = max(ndim, 1)
    if -bound <= axis < bound:
        assert normalize_axis(axis, ndim, "sum") == range(bound)[axis]
        assert normalize_axes(axis, ndim, "sum") == ((range(bound)[axis],) if ndim else ())
    else:
        with pytest.raises(IndexOutOfRange, match=rf"sum: .*\[{-bound}, {bound - 1}\], but got {axis}"):
            normalize_axis(axis, ndim, "sum")
        with pytest.raises(IndexError):
            normalize_axes(axis, ndim, "sum")


def test_several_axes_come_back_ascending() -> None:
    assert normalize_axes(None, 3, "sum") == (0, 1, 2)
    assert normalize_axes((-1, 0), 3, "sum") == (0, 2)
    assert normalize_axes([2, 1], 3, "sum") == (1, 2)
    assert normalize_axes((), 3, "sum") == ()
    assert normalize_axes(np.int64(-1), 3, "sum") == (2,)
    assert normalize_axes((0,), 0, "sum") == normalize_axes(None, 0, "sum") == ()


@pytest.mark.parametrize(("axes", "ndim"), [((0, 0), 2), ((1, -1), 2), ((0, -1), 0)])
def test_an_axis_named_twice_is_refused(axes: tuple[int, ...], ndim: int) -> None:
    with pytest.raises(ShapeError, match="more than once"):
        normalize_axes(axes, ndim, "sum")


def test_an_axis_is_an_integer() -> None:
    with pytest.raises(TypeError):
        normalize_axis(1.0, 2, "sum")
    with pytest.raises(TypeError):
        normalize_axes("ab", 2, "sum")


@given(shapes, st.data(), st.booleans())
def test_reduced_shape(shape: tuple[int, ...], data: st.DataObject, keepdims: bool) -> None:
    axes = tuple(data.draw(st.sets(st.sampled_from(range(len(shape)))))) if shape else ()
    assert reduced_shape(shape, axes, keepdims) == np.sum(np.ones(shape), axis=axes, keepdims=keepdims).shape
