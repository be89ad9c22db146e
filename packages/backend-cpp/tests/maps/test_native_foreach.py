"""total_norm and the foreach ops: as NumPy computes them on one long vector, on any layout and with any number of threads."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")
pytest.importorskip("lamina_ndarray", reason="what it is compared with is composed a storey above the backends")

from native_operands import BACKEND, empty, numpy_view, operand

from lamina_flatarray import dtype_of
from lamina_ndarray import NDArray
from lamina_ndarray.layouts.layout import Layout

RNG = np.random.default_rng(0)
SHAPES = [(3, 4), (1,), (), (16_384,), (0,), (16_385,), (300, 300)]


DTYPES = {"float16": 2.0**-11, "bfloat16": 2.0**-8, "float32": 2e-6, "float64": 1e-12}
"""And how far a result may be from the exact one."""


def arrays(dtype: str) -> list[np.ndarray[Any, Any]]:
    return [RNG.standard_normal(shape).astype(dtype_of(dtype).numpy) for shape in SHAPES]


def array_of(x: np.ndarray[Any, Any]) -> NDArray:
    """An array that inherited kernels take, too."""
    made = operand(x)
    return NDArray(made.flat, Layout.of(made.layout.shape, made.layout.strides, made.layout.offset))


def layouts(given: list[np.ndarray[Any, Any]]) -> list[list[Any]]:
    """Dense, dense in another order, and with gaps, which the inherited kernels take."""
    spaced = [np.repeat(x[..., None], 2, -1)[..., 0] if x.ndim else x for x in given]
    return [[array_of(x) for x in columns] for columns in (given, [np.asfortranarray(x) for x in given], spaced)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("order", [1.0, 2.0, math.inf, -math.inf, 3.0])
def test_total_norm(dtype: str, order: float) -> None:
    given = [x for x in arrays(dtype)[: -1 if dtype == "float16" else None] if x.size]  # the sum of sizes is at most 65,504
    wanted = np.linalg.norm(np.concatenate([x.astype(float).reshape(-1) for x in given]), order)
    for operands in layouts(given):
        out = empty((), dtype)
        BACKEND.kernel("total_norm")(out, *operands, order=order)
        np.testing.assert_allclose(float(numpy_view(out)), wanted, rtol=1.001 * DTYPES[dtype])


@pytest.mark.parametrize("dtype", ["float64", "float16"])
@pytest.mark.parametrize("order", [1.0, 2.0, math.inf])
def test_total_norm_has_the_same_bits_with_any_number_of_threads(order: float, dtype: str) -> None:
    given, before, found = arrays(dtype), BACKEND.get_num_threads(), []
    try:
        for threads in (1, 2, 8):
            BACKEND.set_num_threads(threads)
            out = empty((), dtype)
            BACKEND.kernel("total_norm")(out, *[operand(x) for x in given], order=order)
            found.append(numpy_view(out).tobytes())
    finally:
        BACKEND.set_num_threads(before)
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("order", [1.0, 2.0, math.inf])
def test_what_is_not_finite_shows_in_the_norm(order: float) -> None:
    for odd in (math.nan, math.inf):
        for place in (0, 40, 20_000, 32_800):
            given = arrays("float32")
            left = place  # counted through all arrays
            for x in given:
                if left < x.size:
                    x.reshape(-1)[left] = odd
                    break
                left -= x.size
            out = empty((), "float32")
            BACKEND.kernel("total_norm")(out, *[operand(x) for x in given], order=order)
            np.testing.assert_equal(float(numpy_view(out)), odd)


def test_squares_do_not_overflow() -> None:
    out = empty((), "float32")
    BACKEND.kernel("total_norm")(out, operand(np.full(4, 1e30, np.float32)), order=2.0)
    np.testing.assert_allclose(numpy_view(out), 2e30, rtol=1e-6)


@pytest.mark.parametrize("dtype", DTYPES)
def test_each_is_changed(dtype: str) -> None:
    items = dtype_of(dtype).numpy
    factor = np.array(0.3, min(items, np.dtype(np.float32), key=lambda d: d.itemsize))
    given = arrays(dtype)
    given[0][0, 0] = np.nan
    for change in ("multiply", "add", "clip"):
        for operands in layouts(given):
            if change == "multiply":
                BACKEND.kernel("foreach_multiply")(operands, array_of(factor))
            elif change == "add":
                BACKEND.kernel("foreach_add")(operands, value=1)
            else:
                BACKEND.kernel("foreach_clip")(operands, min=-0.5, max=0.25)
            for x, before in zip(operands, given, strict=True):
                wide = before.astype(np.promote_types(items, np.float32))
                wanted = {
                    "multiply": wide * factor.astype(wide.dtype), "add": wide + 1, "clip": np.clip(wide, -0.5, 0.25)
                }[change]  # fmt: skip
                np.testing.assert_array_equal(numpy_view(x).astype(float), wanted.astype(items).astype(float))


def test_a_factor_of_one_changes_no_bit() -> None:
    given = np.array([np.nan, -0.0, np.inf, 1e-45], np.float32)
    x = operand(given)
    BACKEND.kernel("foreach_multiply")([x], operand(np.array(1.0, np.float32)))
    assert numpy_view(x).tobytes() == given.tobytes()


def test_bad_calls_are_refused_before_anything_is_written() -> None:
    x = operand(np.ones(3, np.float32))
    for arguments, params in (
        (([x], operand(np.ones(2, np.float32))), {}), (([x],), {}), (((x, 3), operand(np.array(2.0, np.float32))), {}),
        ((x, operand(np.array(2.0, np.float32))), {}),
    ):  # fmt: skip
        with pytest.raises((TypeError, ValueError, AttributeError)):
            BACKEND.kernel("foreach_multiply")(*arguments, **params)
    with pytest.raises(TypeError):
        BACKEND.kernel("foreach_add")([x], value="one")
    with pytest.raises(TypeError, match="total_norm: out is float64"):
        BACKEND.kernel("total_norm")(empty((), "float64"), x, order=2.0)
    with pytest.raises(ValueError, match="total_norm: out has 2 items"):
        BACKEND.kernel("total_norm")(empty((2,), "float32"), x, order=2.0)
    assert (numpy_view(x) == 1).all()
