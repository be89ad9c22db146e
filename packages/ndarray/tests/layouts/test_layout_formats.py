"""Memory formats, several new dims at once, and element counts beyond 32 bits."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lamina_flatarray import IndexOutOfRange, ShapeError
from lamina_ndarray.layouts.layout import Layout
from lamina_ndarray.layouts.memory_formats import MEMORY_FORMATS

lengths = st.lists(st.integers(0, 4), max_size=5).map(tuple)


@given(lengths, st.data())
def test_contiguity_in_both_orders_is_numpys(shape: tuple[int, ...], data: st.DataObject) -> None:
    array = np.zeros(shape, order=data.draw(st.sampled_from("CF")))
    array = array.transpose(data.draw(st.permutations(range(len(shape)))))
    if data.draw(st.booleans()) and shape:
        array = array[:: data.draw(st.sampled_from([1, 2, -1]))]
    layout = Layout.of(array.shape, [s // 8 for s in array.strides], 10_000)
    assert layout.is_contiguous() == array.flags.c_contiguous
    assert layout.is_contiguous("fortran") == array.flags.f_contiguous


@given(lengths)
def test_formatted_is_dense_in_its_format(shape: tuple[int, ...]) -> None:
    for name in MEMORY_FORMATS:
        if name.startswith("channels") and len(shape) != {"channels_last": 4, "channels_last_3d": 5}[name]:
            with pytest.raises(ShapeError, match="required rank"):
                Layout.formatted(shape, name)
            continue
        made = Layout.formatted(shape, name)
        assert made.is_contiguous(name) and made.is_dense() and made.shape == shape
    assert Layout.formatted(shape, "contiguous") is Layout.dense(shape)
    with pytest.raises(ShapeError, match="unknown memory format 'C'"):
        Layout.formatted(shape, "C")


@given(lengths.filter(lambda s: len(s) < 4), st.sets(st.integers(0, 5), max_size=3))
def test_several_new_dims_at_once(shape: tuple[int, ...], places: set[int]) -> None:
    layout = Layout.dense(shape)
    ndim = len(shape) + len(places)
    dims = tuple(places)
    if any(p >= ndim for p in places):
        with pytest.raises(IndexOutOfRange):
            layout.unsqueeze(dims)
        return
    made = layout.unsqueeze([d - ndim for d in dims])
    assert made.shape == np.expand_dims(np.zeros(shape), dims).shape
    assert made is Layout.dense(made.shape)
    assert made.squeeze(dims) is layout


def test_a_new_dim_comes_once() -> None:
    with pytest.raises(ShapeError, match="more than once"):
        Layout.dense((2,)).unsqueeze((0, -3))


counts = st.integers(2**31, 2**33)


@given(counts, st.integers(2, 9), st.integers(-7, 7).filter(bool), st.data())
def test_beyond_32_bits_arithmetic_is_that_of_integers(n: int, m: int, step: int, data: st.DataObject) -> None:
    layout = Layout.dense((m, n))
    along = range(n)[::step]
    part = layout.slice(1, None, None, step)
    at = data.draw(st.integers(0, len(along) - 1))
    row = data.draw(st.integers(0, m - 1))
    assert part.shape == (m, len(along))
    assert part.select(1, at).select(0, row).offset == row * n + along[at]
    assert part.extent() == ((along[-1] if step < 0 else 0), (m - 1) * n + (along[0] if step < 0 else along[-1]))
    assert (part.flatten() is not None) == (step > 0 and n % step == 0)
    assert layout.transpose(0, 1).reshape((m * n,)) is None
    assert layout.diagonal(n - m).extent() == (n - m, n * m - 1)
    assert layout.unfold(1, 3, 2).shape == (m, (n - 3) // 2 + 1, 3)
    assert layout.unfold(1, 3, 2).overlaps
    assert not layout.unfold(1, 3, 3).overlaps


@pytest.mark.parametrize(("shape", "strides"), [((2, 3), (1,)), ((-1,), (1,)), ((2**40, 2**40), (1, 1))])
def test_what_is_no_layout_is_refused(shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
    with pytest.raises(ShapeError):
        Layout.of(shape, strides)
