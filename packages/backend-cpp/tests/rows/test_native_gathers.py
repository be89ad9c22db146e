"""Native reading and writing at indices against the reference's kernels: dtypes, layouts, equal indices, bounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_operands import BACKEND, empty, numpy_view, operand, run

from lamina_backend_cpp import get_num_threads, set_num_threads
from lamina_flatarray import DTYPES, IndexOutOfRange, dtype_of
from lamina_flatarray.backends import registry

FOLDS = {"scatter": {}, "scatter_add": {}, "scatter_reduce": {"reduce": "prod"}}
rng = np.random.default_rng(0)


def items(shape: tuple[int, ...], dtype: str) -> np.ndarray[Any, Any]:
    values = rng.integers(0, 7, shape).astype(dtype_of(dtype).numpy)
    return np.negative(values) if dtype_of(dtype).is_signed and rng.random() < 0.3 else values


def reference(op: str, out: np.ndarray[Any, Any], *inputs: np.ndarray[Any, Any], **params: Any) -> np.ndarray[Any, Any]:
    target = operand(out)
    registry.backend("numpy").kernel(op)(target, *map(operand, inputs), **params)
    return numpy_view(target).copy()


def same(found: np.ndarray[Any, Any], wanted: np.ndarray[Any, Any]) -> None:
    np.testing.assert_array_equal(found.astype(np.complex128), wanted.astype(np.complex128))


def random_indices(shape: tuple[int, ...], length: int) -> np.ndarray[Any, Any]:
    return rng.integers(-length, length, shape)


CASES = [  # the indexed array, its index arrays
    (lambda dt: items((7, 5), dt), lambda: [random_indices((4,), 7)]),
    (lambda dt: items((7, 5), dt), lambda: [random_indices((4,), 7), random_indices((4,), 5)]),
    (lambda dt: items((7, 5), dt).T, lambda: [random_indices((3, 2), 5)]),
    (lambda dt: items((7, 4, 6), dt)[::-2, :, ::2], lambda: [random_indices((9,), 4)]),
    (lambda dt: items((7, 4, 6), dt).transpose(2, 0, 1), lambda: [random_indices((3, 2), 6), random_indices((3, 2), 7)]),
    (lambda dt: items((9,), dt), lambda: [random_indices((40,), 9)[::3]]),
    (lambda dt: items((9, 3), dt), lambda: [np.broadcast_to(random_indices((1, 4), 9), (5, 4))]),
    (lambda dt: items((9, 3), dt), lambda: [np.broadcast_to(random_indices((5, 1), 9), (5, 4)), random_indices((5, 4), 3)]),
    (lambda dt: items((4, 3), dt), lambda: [random_indices((0,), 4)]),
    (lambda dt: items((4, 0), dt), lambda: [random_indices((3,), 4)]),
    (lambda dt: items((4, 3, 2), dt), lambda: [random_indices((), 4)]),
]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("case", range(len(CASES)))
def test_index_and_index_put(dtype: str, case: int) -> None:
    x, indices = CASES[case][0](dtype), CASES[case][1]()
    wanted = x[tuple(indices)]
    same(run("index", empty(wanted.shape, x.dtype), operand(x), *map(operand, indices)), wanted)
    values = items(wanted.shape, dtype)
    for given in (values, np.broadcast_to(values[..., :1], values.shape) if values.ndim else values):
        for accumulate in (False, True):
            target = operand(x)
            BACKEND.kernel("index_put")(target, operand(given), *map(operand, indices), accumulate=accumulate)
            same(numpy_view(target), reference("index_put", x, given, *indices, accumulate=accumulate))


ALONG = [
    (lambda dt: items((6, 5), dt), (6, 9), 1), (lambda dt: items((6, 5), dt), (11, 5), 0),
    (lambda dt: items((6, 5), dt).T, (5, 4), 1), (lambda dt: items((6, 5, 4), dt)[::-1, ::2], (6, 7, 4), 1),
    (lambda dt: items((8,), dt), (20,), 0), (lambda dt: items((3, 4, 5), dt), (3, 4, 1), 2),
    (lambda dt: items((3, 4), dt), (0, 4), 0), (lambda dt: items((3, 1, 5), dt), (3, 1, 5), 0),
]  # fmt: skip


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("case", range(len(ALONG)))
def test_along_an_axis(dtype: str, case: int) -> None:
    make, shape, axis = ALONG[case]
    x = make(dtype)
    length = x.shape[axis]
    for indices in (random_indices(shape, length) % length, np.broadcast_to(random_indices((1, *shape[1:]), length) % length, shape)):
        wanted = reference("gather", np.zeros(shape, x.dtype), x, indices, axis=axis)
        same(run("gather", empty(shape, x.dtype), operand(x), operand(indices), axis=axis), wanted)
        values = items(shape, dtype)
        reductions = [] if dtype_of(dtype).is_complex else [("scatter_reduce", {"reduce": r}) for r in ("prod", "amax", "amin")]
        for op, params in [("scatter", {}), ("scatter_add", {}), *reductions]:
            target = operand(x)
            BACKEND.kernel(op)(target, operand(values), operand(indices), axis=axis, **params)
            same(numpy_view(target), reference(op, x, values, indices, axis=axis, **params))


def test_nan_wins_a_scatter_reduce() -> None:
    x, values = np.array([1.0, np.nan, 3.0]), np.array([np.nan, 5.0, 2.0, 9.0])
    indices = np.array([0, 1, 2, 2])
    for reduce, wanted in (("amax", [np.nan, np.nan, 9]), ("amin", [np.nan, np.nan, 2])):
        found = run("scatter_reduce", operand(x), operand(values), operand(indices), axis=0, reduce=reduce)
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("width", [1, 3, 40, 2000])
def test_same_bits_for_any_number_of_threads(width: int) -> None:
    """Equal indices add up in their order, whoever adds: float32 sums would tell."""
    n = 400_000 // width
    values = rng.standard_normal((n, width)).astype(np.float32)
    indices = rng.integers(0, 50, n)
    wide = np.broadcast_to(indices[:, None], values.shape)
    before, found = get_num_threads(), []
    try:
        for threads in (1, 2, 8):
            set_num_threads(threads)
            target, along = operand(np.zeros((50, width), np.float32)), operand(np.zeros((50, width), np.float32))
            BACKEND.kernel("index_put")(target, operand(values), operand(indices), accumulate=True)
            BACKEND.kernel("scatter_add")(along, operand(values), operand(wide), axis=0)
            put = operand(np.zeros((50, width), np.float32))
            BACKEND.kernel("index_put")(put, operand(values), operand(indices), accumulate=False)
            found.append([numpy_view(x).tobytes() for x in (target, along, put)])
    finally:
        set_num_threads(before)
    assert found[0] == found[1] == found[2]
    assert found[0][0] == found[0][1]
    exact = np.zeros((50, width))
    np.add.at(exact, indices, values)
    np.testing.assert_allclose(np.frombuffer(found[0][0], np.float32).reshape(50, width), exact, rtol=1e-3, atol=1e-3)
    last = np.zeros((50, width), np.float32)
    last[indices] = values
    assert found[0][2] == last.tobytes()


@pytest.mark.parametrize("bad", [7, -8, 2**62, -(2**63)])
@pytest.mark.parametrize("n", [1, 5, 70_000])
def test_a_position_outside_is_refused_before_anything_is_written(bad: int, n: int) -> None:
    indices = rng.integers(0, 7, n)
    indices[n // 2] = bad
    x, values = operand(np.ones((7, 2), np.float32)), operand(np.zeros((n, 2), np.float32))
    wide = operand(np.stack([indices, indices], 1))
    for op, call, params in [
        ("index", (operand(np.full((n, 2), 5, np.float32)), x, operand(indices)), {}),
        ("index_put", (x, values, operand(indices)), {"accumulate": False}),
        ("index_put", (x, values, operand(indices)), {"accumulate": True}),
        ("index", (operand(np.full((n, 2), 5, np.float32)), x, operand(indices)), {"from_front": True}),
        ("index_put", (x, values, operand(indices)), {"accumulate": False, "from_front": True}),
        ("gather", (operand(np.full((n, 2), 5, np.float32)), x, wide), {"axis": 0}),
        ("scatter", (x, values, wide), {"axis": 0}), ("scatter_add", (x, values, wide), {"axis": 0}),
        ("scatter_reduce", (x, values, wide), {"axis": 0, "reduce": "amax"}),
    ]:  # fmt: skip
        before = numpy_view(call[0]).copy()
        with pytest.raises(IndexOutOfRange, match=f"index {bad} is out of bounds for dimension 0 with size 7"):
            BACKEND.kernel(op)(*call, **params)
        np.testing.assert_array_equal(numpy_view(call[0]), before)


@pytest.mark.parametrize("bad", [-1, -7])
def test_a_negative_position_is_refused_from_the_front(bad: int) -> None:
    x, values, indices = operand(np.ones((7, 2), np.float32)), operand(np.zeros((3, 2), np.float32)), operand(np.array([0, bad, 6]))
    wide = operand(np.array([[0, 1], [bad, 2], [6, 0]]))
    BACKEND.kernel("index")(operand(np.ones((3, 2), np.float32)), x, indices, from_front=False)
    for op, call, params in [
        ("index", (operand(np.full((3, 2), 5, np.float32)), x, indices), {"from_front": True}),
        ("index_put", (x, values, indices), {"accumulate": False, "from_front": True}),
        ("index_put", (x, values, indices), {"accumulate": True, "from_front": True}),
        ("gather", (operand(np.full((3, 2), 5, np.float32)), x, wide), {"axis": 0}),
        ("scatter", (x, values, wide), {"axis": 0}), ("scatter_add", (x, values, wide), {"axis": 0}),
        ("scatter_reduce", (x, values, wide), {"axis": 0, "reduce": "amax"}),
    ]:  # fmt: skip
        before = numpy_view(call[0]).copy()
        with pytest.raises(IndexOutOfRange, match=f"index {bad} is out of bounds for dimension 0 with size 7"):
            BACKEND.kernel(op)(*call, **params)
        np.testing.assert_array_equal(numpy_view(call[0]), before)


def test_calls_that_do_not_fit() -> None:
    x, indices = operand(np.ones((4, 3), np.float32)), operand(np.zeros(2, np.int64))
    rows, wrong = operand(np.ones((2, 3), np.float32)), operand(np.ones((2, 2), np.float32))
    small, narrow = operand(np.zeros(2, np.int32)), operand(np.ones((2, 3), np.float64))
    grid = operand(np.zeros((2, 3), np.int64))
    for op, call, params in [
        ("index", (rows, x), {}), ("index", (wrong, x, indices), {}), ("index", (rows, x, small), {}),
        ("index", (narrow, x, indices), {}), ("index", (rows, x, indices, indices, indices), {}), ("index", (rows, x, 1), {}),
        ("index_put", (x, wrong, indices), {"accumulate": True}), ("index_put", (x, rows, indices), {"other": True}),
        ("index_put", (x, narrow, indices), {}), ("gather", (rows, x, grid), {"axis": 2}), ("gather", (rows, x, grid), {}),
        ("gather", (rows, x, indices), {"axis": 0}), ("gather", (narrow, x, grid), {"axis": 0}),
        ("gather", (rows, x, operand(np.zeros((2, 4), np.int64))), {"axis": 0}), ("scatter", (x, rows), {"axis": 0}),
        ("scatter_reduce", (x, rows, grid), {"axis": 0, "reduce": "mean"}), ("scatter_add", (x, wrong, grid), {"axis": 1}),
    ]:  # fmt: skip
        with pytest.raises((TypeError, ValueError, AttributeError)):
            BACKEND.kernel(op)(*call, **params)
