"""Reading and writing at positions, on every layout, against plain NumPy loops."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from lamina_flatarray.contract import Backend
from lamina_flatarray.dtypes import DTYPES, DType

from ..declared import want
from ..placement import LAYOUTS, place, read, untouched

INT64 = DTYPES["int64"]
OUTS = tuple(layout for layout in LAYOUTS if layout != "broadcast")


def _case(op: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "dtype", [pytest.param(dtype, id=n, marks=pytest.mark.conformance(op, n)) for n, dtype in DTYPES.items()]
    )


def _values(shape: tuple[int, ...], dtype: DType) -> np.ndarray[Any, Any]:
    values = (np.arange(int(np.prod(shape))) * 7 % 11).reshape(shape)
    return (values % 2 == 0) if dtype.kind == "b" else values.astype(dtype.numpy)


@contextmanager
def _refused(backend: Backend) -> Iterator[None]:
    """Positions outside raise: in the call, or when the host waits for the device."""
    with pytest.raises(IndexError):
        yield
        if backend.late_errors:
            backend.synchronize(0)


@_case("index")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_index(dtype: DType, layout: str, backend: Backend) -> None:
    """One and two index arrays, of several shapes, also empty ones."""
    want(backend, "index", dtype, [INT64])
    values = _values((4, 3, 5), dtype)
    x = place(values, layout, backend, dtype)
    shown = read(x)
    choices: tuple[list[Any], ...] = ([[2, 0, 3, 3]], [[[0, 1], [3, 2]]], [[1, 1, 0], [2, 0, 2]], [[]])
    for places in choices:
        arrays = [np.array(p, np.int64) for p in places]
        expected = shown[tuple(arrays)]
        out = place(np.zeros(expected.shape, dtype.numpy), "gapped", backend, dtype)
        x.flat.kernels["index"](out, x, *[place(a, "compact", backend, INT64) for a in arrays])
        assert (read(out) == expected).all()
        assert untouched(out)


@_case("index_put")
@pytest.mark.parametrize("layout", OUTS)
@pytest.mark.parametrize("accumulate", [False, True])
def test_index_put(dtype: DType, layout: str, accumulate: bool, backend: Backend) -> None:
    """With equal positions: the last wins, or all are added."""
    if accumulate and dtype.kind == "b":
        pytest.skip("the sum of booleans is not a boolean")
    want(backend, "index_put", dtype, [INT64])
    out = place(_values((4, 3), dtype), layout, backend, dtype)
    expected = read(out)
    places = np.array([2, 0, 2, 2], np.int64)
    values = _values((4, 3), dtype)
    for i, place_of in enumerate(places):
        expected[place_of] = expected[place_of] + values[i] if accumulate else values[i]
    out.flat.kernels["index_put"](
        out, place(values, "transposed", backend, dtype), place(places, "sliced", backend, INT64), accumulate=accumulate
    )
    assert (read(out) == expected).all()
    assert untouched(out)


@pytest.mark.parametrize("axis", [0, 1])
@_case("gather")
@pytest.mark.parametrize("layout", LAYOUTS)
def test_gather(dtype: DType, layout: str, axis: int, backend: Backend) -> None:
    """One item per position along either axis, from every layout."""
    want(backend, "gather", dtype, [INT64])
    x = place(_values((4, 3), dtype), layout, backend, dtype)
    places = np.array([[2, 1, 0], [0, 0, 2], [1, 2, 1], [0, 1, 2]], np.int64)
    out = place(np.zeros((4, 3), dtype.numpy), "reversed", backend, dtype)
    x.flat.kernels["gather"](out, x, place(places, "transposed", backend, INT64), axis=axis)
    assert (read(out) == np.take_along_axis(read(x), places, axis)).all()


@pytest.mark.parametrize("op", ["scatter", "scatter_add"])
@pytest.mark.parametrize("axis", [0, 1])
@_case("scatter")
def test_scatter(dtype: DType, axis: int, op: str, backend: Backend) -> None:
    """Items written or added along either axis; of equal positions the last one wins, or all are added."""
    if op == "scatter_add" and dtype.kind == "b":
        pytest.skip("the sum of booleans is not a boolean")
    want(backend, op, dtype, [INT64])
    out = place(_values((4, 3), dtype), "sliced", backend, dtype)
    expected = read(out)
    places = np.array([[2, 1, 0], [0, 0, 2], [1, 2, 1], [0, 1, 2]], np.int64)
    values = _values((4, 3), dtype)
    for i in range(4):
        for j in range(3):
            at = (places[i, j], j) if axis == 0 else (i, places[i, j])
            expected[at] = expected[at] + values[i, j] if op == "scatter_add" else values[i, j]
    operands = place(values, "compact", backend, dtype), place(places, "compact", backend, INT64)
    out.flat.kernels[op](out, *operands, axis=axis)
    assert (read(out) == expected).all()
    assert untouched(out)


@pytest.mark.parametrize("reduce", ["prod", "amax", "amin"])
@pytest.mark.parametrize("axis", [0, 1])
@_case("scatter_reduce")
def test_scatter_reduce(dtype: DType, axis: int, reduce: str, backend: Backend) -> None:
    """Each place folds what comes to it with what is there."""
    if dtype.is_complex and reduce != "prod":
        pytest.skip("complex numbers have no order")
    want(backend, "scatter_reduce", dtype, [INT64])
    out = place(_values((4, 3), dtype) + dtype.numpy.type(1), "sliced", backend, dtype)
    expected = read(out)
    places = np.array([[2, 1, 0], [0, 0, 2], [1, 2, 1], [0, 1, 2]], np.int64)
    values = (_values((4, 3), dtype) % 3).astype(dtype.numpy) if dtype.kind != "c" else _values((4, 3), dtype)
    fold = {"prod": np.multiply, "amax": np.maximum, "amin": np.minimum}[reduce]
    for i in range(4):
        for j in range(3):
            at = (places[i, j], j) if axis == 0 else (i, places[i, j])
            expected[at] = fold(expected[at], values[i, j])
    operands = place(values, "transposed", backend, dtype), place(places, "compact", backend, INT64)
    out.flat.kernels["scatter_reduce"](out, *operands, axis=axis, reduce=reduce)
    assert (read(out) == expected).all()
    assert untouched(out)


@_case("index")
def test_positions_from_the_end(dtype: DType, backend: Backend) -> None:
    """A kernel that checks positions takes -n for 0, and refuses what is outside before it writes; or later, and leaves that out."""
    want(backend, "index", dtype, [INT64])
    if not backend.checks_positions:
        pytest.skip("positions are looked at before the kernel is called")
    values = _values((4, 3), dtype)
    x = place(values, "compact", backend, dtype)
    places = np.array([-4, -1, 3, 0], np.int64)
    out = place(np.zeros((4, 3), dtype.numpy), "gapped", backend, dtype)
    x.flat.kernels["index"](out, x, place(places, "compact", backend, INT64))
    assert (read(out) == values[places]).all()
    for outside in (4, -5):
        before = read(out)
        wrong = place(np.array([0, 1, outside, 2], np.int64), "compact", backend, INT64)
        with _refused(backend):
            x.flat.kernels["index"](out, x, wrong)
        if backend.late_errors:
            assert (read(out) == np.where([[True], [True], [False], [True]], values[[0, 1, 0, 2]], values[0] * 0)).all()
            before = read(out)
        with _refused(backend):
            out.flat.kernels["index_put"](out, x, wrong, accumulate=False)
        written = before.copy()  # all but what has no place, where the position is found late
        written[[0, 1, 2]] = values[[0, 1, 3]]
        after = read(out)
        late = backend.late_errors and (after == written).all()
        assert late or (after == before).all(), "positions outside were found after items had been written"
        assert untouched(out)


@_case("index")
def test_positions_from_the_front(dtype: DType, backend: Backend) -> None:
    """With `from_front`, a kernel that checks positions refuses -1 before it writes, too."""
    want(backend, "index", dtype, [INT64])
    if not backend.checks_positions:
        pytest.skip("positions are looked at before the kernel is called")
    x = place(_values((4, 3), dtype), "compact", backend, dtype)
    out = place(np.zeros((4, 3), dtype.numpy), "gapped", backend, dtype)
    negative = place(np.array([0, 1, -1, 2], np.int64), "compact", backend, INT64)
    before = read(out)
    with _refused(backend):
        x.flat.kernels["index"](out, x, negative, from_front=True)
    for accumulate in (False,) if dtype.kind == "b" else (False, True):
        with _refused(backend):
            out.flat.kernels["index_put"](out, x, negative, accumulate=accumulate, from_front=True)
    if backend.late_errors:
        assert (read(out)[3] == read(x)[2]).all() and untouched(out), "something was written to a negative position"
    else:
        assert (read(out) == before).all(), "negative positions were found after items had been written"


@_case("gather")
def test_negative_positions_along_an_axis(dtype: DType, backend: Backend) -> None:
    """gather and the scatters refuse -1 before they write, where kernels check positions."""
    want(backend, "gather", dtype, [INT64])
    if not backend.checks_positions:
        pytest.skip("positions are looked at before the kernel is called")
    x = place(_values((4, 3), dtype), "compact", backend, dtype)
    out = place(np.zeros((4, 3), dtype.numpy), "gapped", backend, dtype)
    negative = place(np.array([[0, 1, 2], [3, -1, 0]] * 2, np.int64), "compact", backend, INT64)
    before = read(out)
    for op in ("gather", "scatter", "scatter_add"):
        if op == "scatter_add" and dtype.kind == "b":
            continue
        with _refused(backend):
            x.flat.kernels[op](out, x, negative, axis=0)
    if backend.late_errors:
        assert untouched(out), "memory outside of the result was written"
    else:
        assert (read(out) == before).all(), "negative positions were found after items had been written"
