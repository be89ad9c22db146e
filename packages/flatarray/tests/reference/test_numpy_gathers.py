"""The reference's kernels that read and write at positions, and its order of items."""

from __future__ import annotations

import math

import numpy as np
import pytest
from reference_operands import ALL, FLOATS, Layout, items, made, operand, run, table

from lamina_flatarray import DTYPES
from lamina_flatarray.numpy_backend.view import view

pytestmark = pytest.mark.usefixtures("no_warnings")


@pytest.mark.parametrize("dtype", ALL)
def test_reading_and_writing_at_positions(dtype: str) -> None:
    x = items(12, dtype).reshape(4, 3)
    rows, columns = operand([3, 0, 3]), operand([1, 2, 1])
    assert np.array_equal(run("index", operand(x, dtype), rows, shape=(3, 3)), x[[3, 0, 3]])
    assert np.array_equal(run("index", operand(x, dtype), rows, columns, shape=(3,)), x[[3, 0, 3], [1, 2, 1]])
    values = items(3, dtype)[::-1]
    out, expected = operand(x, dtype), x.copy()
    table(dtype)["index_put"](out, operand(values, dtype), rows, columns, accumulate=False)
    expected[0, 2], expected[3, 1] = values[1], values[2]  # the last wins
    assert np.array_equal(view(out), expected)
    out, expected = operand(x, dtype), x.copy()
    table(dtype)["index_put"](out, operand(values, dtype), rows, columns, accumulate=True)
    expected[0, 2] += values[1]
    expected[3, 1] = expected[3, 1] + values[0] + values[2]
    assert np.array_equal(view(out), expected)
    places = operand([[0, 1, 2], [3, 3, 3]])
    assert np.array_equal(run("gather", operand(x, dtype), places, axis=0, shape=(2, 3)),
                          np.take_along_axis(x, view(places), 0))  # fmt: skip
    out, source = operand(x, dtype), operand(items(2, dtype).reshape(1, 2), dtype)
    table(dtype)["scatter"](out, source, operand([[1, 1]]), axis=1)
    assert view(out)[0].tolist() == [x[0, 0], view(source)[0, 1], x[0, 2]]
    out = operand(x, dtype)
    table(dtype)["scatter_add"](out, source, operand([[1, 1]]), axis=1)
    assert view(out)[0, 1] == x[0, 1] + view(source)[0, 0] + view(source)[0, 1]


def test_narrow_sums_at_positions_round_once() -> None:
    out = operand([2048.0], "float16")
    table("float16")["index_put"](out, operand([1.0] * 4, "float16"), operand([0] * 4), accumulate=True)
    assert view(out).tolist() == [2052]


@pytest.mark.parametrize("op", ["index", "gather", "index_put", "scatter", "scatter_add"])
def test_positions_outside_never_reach_memory(op: str) -> None:
    params = {"accumulate": True} if op == "index_put" else {"axis": 0} if op != "index" else {}
    with pytest.raises(IndexError):
        run(op, operand([1.0, 2.0]), operand([0, 10**9]), **params)


@pytest.mark.parametrize("dtype", [d for d in ALL if not DTYPES[d].is_complex])
@pytest.mark.parametrize("descending", [False, True])
def test_sort_is_stable_in_both_directions(dtype: str, descending: bool) -> None:
    x = operand([[1, 0, 1, 0, 1], [0, 1, 1, 0, 0]], dtype)
    values, positions = made(dtype, Layout((2, 5), (1, 2))), made("int64", Layout((2, 5)))
    table(dtype)["sort"]((values, positions), x, axis=1, descending=descending)
    expected = [[0, 2, 4, 1, 3], [1, 2, 0, 3, 4]] if descending else [[1, 3, 0, 2, 4], [0, 3, 4, 1, 2]]
    assert view(positions).tolist() == expected
    assert np.array_equal(view(values), np.take_along_axis(view(x), np.array(expected), 1))


@pytest.mark.parametrize("dtype", FLOATS)
def test_nan_is_the_greatest(dtype: str) -> None:
    x = operand([math.nan, 1, math.nan, -0.0, 0.0, math.inf], dtype)
    for descending, expected in ((True, [0, 2, 5, 1, 3, 4]), (False, [3, 4, 1, 5, 0, 2])):
        values, positions = made(dtype, Layout((6,))), made("int64", Layout((6,)))
        table(dtype)["sort"]((values, positions), x, axis=0, descending=descending)
        assert view(positions).tolist() == expected
