"""Native sums of an axis' items by tables of weights, beside the dense matrix that a table stands for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_operands import BACKEND, empty, operand, run

from lamina_backend_cpp import get_num_threads, set_num_threads

RNG = np.random.default_rng(0)


def table(length: int, count: int, terms: int) -> tuple[Any, Any, Any]:
    return RNG.integers(0, length, (count, terms)), RNG.normal(size=(count, terms)), RNG.random((count, terms)) < 0.7


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("shape", "axis"), [
    ((5, 7), 1), ((3, 19, 40), 2), ((3, 19, 40), 1), ((40, 3), 0), ((2, 3, 4, 5), 1), ((70, 33, 60), 2), ((70, 33, 60), 0), ((9,), 0),
    ((4, 1, 3), 1), ((0, 3), 1),
])  # fmt: skip
@pytest.mark.parametrize("all_used", [True, False])
def test_sums_are_those_of_the_dense_matrix(shape: tuple[int, ...], axis: int, all_used: bool, dtype: str) -> None:
    length, count = shape[axis], 21
    places, weights, used = table(length, count, 4)
    x = RNG.normal(size=shape).astype(dtype)
    matrix = np.zeros((count, length))
    for row, term in np.argwhere(np.ones_like(used) if all_used else used):
        matrix[row, places[row, term]] += weights[row, term]
    wanted = np.moveaxis(np.tensordot(matrix, x, (1, axis)), 0, axis)
    before, found = get_num_threads(), []
    try:
        for threads in (1, 2, 8):
            set_num_threads(threads)
            out = empty(wanted.shape, dtype)
            found.append(run("weighted_items", out, operand(x), axis=axis, places=places, weights=weights,
                             used=None if all_used else used).copy())  # fmt: skip
    finally:
        set_num_threads(before)
    np.testing.assert_allclose(found[0], wanted, rtol=1e-4, atol=1e-5 if dtype == "float32" else 1e-12)
    assert np.array_equal(found[0], found[1]) and np.array_equal(found[0], found[2])


def test_what_is_not_used_has_no_say() -> None:
    x = np.array([[np.inf, 1.0, np.nan, -0.0]])
    places, used = np.array([[0, 1], [2, 1], [3, 0]]), np.array([[False, True], [False, False], [True, False]])
    found = run("weighted_items", empty((1, 3), "float64"), operand(x), axis=1, places=places, weights=np.ones((3, 2)), used=used)
    assert found.tolist() == [[1.0, 0.0, -0.0]] and np.signbit(found[0, 2])


def test_errors_come_before_anything_is_written() -> None:
    out, x = empty((2, 3), "float64"), operand(np.ones((2, 5)))
    good = {"axis": 1, "places": np.zeros((3, 2), np.int64), "weights": np.ones((3, 2)), "used": None}
    for change, error in (
        ({"places": np.full((3, 2), 5)}, IndexError), ({"places": np.full((3, 2), -1)}, IndexError),
        ({"places": np.zeros((3, 2), np.int32)}, TypeError), ({"weights": np.ones((3, 2), np.float32)}, TypeError),
        ({"weights": np.ones(3)}, TypeError), ({"weights": np.ones((3, 3))}, ValueError), ({"used": np.ones((2, 2), bool)}, ValueError),
        ({"axis": 2}, ValueError), ({"axis": -1}, ValueError), ({"axis": 0}, ValueError), ({"places": [[0]]}, TypeError),
    ):  # fmt: skip
        with pytest.raises(error):
            BACKEND.kernel("weighted_items")(out, x, **{**good, **change})
