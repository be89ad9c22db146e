"""concat: layouts, casts, many parts, and calls that do not fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from native_operands import BACKEND, empty, numpy_view, operand

import lamina_backend_cpp


def joined(arrays: list[Any], axis: int, dtype: Any = None, out: Any = None) -> Any:
    shape = list(arrays[0].shape)
    shape[axis] = sum(a.shape[axis] for a in arrays)
    target = empty(tuple(shape), dtype or arrays[0].dtype) if out is None else out
    BACKEND.kernel("concat")(target, list(map(operand, arrays)), axis=axis)
    return numpy_view(target)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_parts_of_any_layout(axis: int) -> None:
    x = np.arange(2 * 3 * 4, dtype=np.float32).reshape(2, 3, 4)
    parts = [x, x[::-1], np.broadcast_to(x[:1, :1, :1], (2, 3, 4)), x.transpose(1, 0, 2).copy().transpose(1, 0, 2), x[:, :, ::-1]]
    np.testing.assert_array_equal(joined(parts, axis), np.concatenate(parts, axis))
    uneven = [np.take(x, range(n), axis) for n in (0, 1, 2)]
    np.testing.assert_array_equal(joined(uneven, axis), np.concatenate(uneven, axis))


def test_each_part_is_cast() -> None:
    parts = [np.array([1.5, -2.5]), np.array([True, False]), np.array([3, 4], np.int32), np.array([1 + 2j])]
    np.testing.assert_array_equal(joined(parts, 0, np.float32), np.float32([1.5, -2.5, 1, 0, 3, 4, 1]))


def test_out_of_any_layout() -> None:
    a, b = np.arange(6.0).reshape(3, 2), np.arange(9.0).reshape(3, 3)
    for out in (empty((3, 5), "float64", (1, 3)), empty((3, 5), "float64", (12, 2), 1)):
        np.testing.assert_array_equal(joined([a, b], 1, out=out), np.concatenate([a, b], 1))


@pytest.mark.parametrize("count", [2, 300])
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("turned", [False, True])
def test_many_items_on_any_number_of_threads(count: int, axis: int, turned: bool) -> None:
    rng = np.random.default_rng(0)
    shape = (300, 300) if count == 2 else (30, 20)
    parts = [rng.standard_normal(shape).astype(np.float32) for _ in range(count)]
    parts = [p.T.copy().T for p in parts] if turned else parts
    before = lamina_backend_cpp.get_num_threads()
    try:
        for threads in (1, 2, 8):
            lamina_backend_cpp.set_num_threads(threads)
            np.testing.assert_array_equal(joined(parts, axis), np.concatenate(parts, axis))
    finally:
        lamina_backend_cpp.set_num_threads(before)


def test_what_does_not_fit_is_refused() -> None:
    kernel, x = BACKEND.kernel("concat"), operand(np.ones((2, 3)))
    for shape, axis in (((4, 3), 1), ((5, 3), 0), ((4, 3, 1), 0), ((4, 3), 2), ((4, 3), -1), ((), 0)):
        with pytest.raises(ValueError, match="concat"):
            kernel(empty(shape, "float64"), [x, x], axis=axis)
    with pytest.raises(TypeError, match="concat"):
        kernel(empty((4, 3), "float64"), [x, x])
    with pytest.raises(TypeError, match="concat: arrays is a"):
        kernel(empty((4, 3), "float64"), x, axis=0)
    with pytest.raises(AttributeError):
        kernel(empty((4, 3), "float64"), [x, 3], axis=0)
