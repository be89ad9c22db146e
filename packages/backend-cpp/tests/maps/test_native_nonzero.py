"""The indices of nonzero items against the reference: every dtype and layout, long masks on several threads, an out of another size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_cases import layouts
from native_operands import BACKEND, empty, operand, run

from lamina_backend_cpp import get_num_threads, set_num_threads

CAPABILITIES = BACKEND.capabilities()


def zeroed(x: Any) -> Any:
    """x with two of three items 0, of either sign, in the strides that it has."""
    some = x.copy(order="K") if 0 not in x.strides else x.copy()
    some[np.arange(some.size).reshape(some.shape) % 3 > 0] = -0.0 if some.dtype.kind == "f" else 0
    return some


@pytest.mark.parametrize("dtype", CAPABILITIES["nonzero"])
def test_indices_and_their_number(dtype: str) -> None:
    for given in layouts(dtype):
        for x in (given, zeroed(given)):
            if not x.ndim:
                continue
            expected = np.argwhere(x)
            assert run("count_nonzero", empty((), "int64"), operand(x), axes=tuple(range(x.ndim))) == len(expected)
            for axis in range(x.ndim):
                counts = np.count_nonzero(x, axis)
                np.testing.assert_array_equal(run("count_nonzero", empty(counts.shape, "int64"), operand(x), axes=(axis,)), counts)
            np.testing.assert_array_equal(run("nonzero", empty((x.ndim, len(expected)), "int64"), operand(x)), expected.T)
            by_rows = empty((x.ndim, len(expected)), "int64", strides=(1, x.ndim))
            np.testing.assert_array_equal(run("nonzero", by_rows, operand(x)), expected.T)


@pytest.mark.parametrize("density", [0.0, 1e-4, 0.03, 0.5, 1.0])
@pytest.mark.parametrize("dtype", ["bool", "int16", "float32", "float64"])
def test_long_masks_have_the_same_indices_on_any_number_of_threads(dtype: str, density: float) -> None:
    chosen = np.random.default_rng(0).random(200_003) < density
    before = get_num_threads()
    for x in (chosen.astype(dtype), chosen.astype(dtype)[:200_000].reshape(400, 500).T, chosen.astype(dtype)[::-3]):
        expected = np.argwhere(x).T
        try:
            for threads in (1, 2, 8):
                set_num_threads(threads)
                assert run("count_nonzero", empty((), "int64"), operand(x), axes=tuple(range(x.ndim))) == expected.shape[1]
                np.testing.assert_array_equal(run("nonzero", empty(expected.shape, "int64"), operand(x)), expected)
        finally:
            set_num_threads(before)


def test_an_out_that_does_not_fit_is_refused_before_anything_is_written() -> None:
    x = operand(np.ones((3, 4), np.float32))
    for shape in ((2, 11), (2, 13), (2, 0), (1, 12), (12,)):
        with pytest.raises(ValueError, match="nonzero: out has not one"):
            run("nonzero", empty(shape, "int64"), x)
    with pytest.raises(TypeError, match="int64"):
        run("nonzero", empty((2, 12), "int32"), x)
