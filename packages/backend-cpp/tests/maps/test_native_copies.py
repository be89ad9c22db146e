"""Copies, with casts between all dtypes, and fills, against NumPy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_cases import close, layouts, values
from native_operands import BACKEND, empty, operand, run

from lamina_flatarray import DTYPES, dtype_of
from lamina_flatarray.fused_steps import FusedStep


@pytest.fixture(autouse=True)
def quiet() -> Any:
    with np.errstate(all="ignore"):
        yield


# -- casts ----------------------------------------------------------------------------------------------------------


def cast_values(source: str, target: str) -> np.ndarray[Any, Any]:
    """Ordinary and special values that both dtypes have an answer for."""
    of, to = dtype_of(source), dtype_of(target)
    values: list[Any] = [0, 1, 2, 3, 100, 127] + ([-1, -5.0] if of.is_signed else [])
    if of.is_inexact:
        values += [0.5, 1.75, -2.25, 1e-3, 3.0001]
        if to.is_inexact:
            values += [math.nan, math.inf, -math.inf, 65519.0, 65520.0, 1e-7, 6e-8, 2e-8, -0.0]
        elif to.kind == "u":
            values = [v for v in values if v >= 0]
    if of.kind == "i" and to.kind == "u":
        values += [-1]
    return np.array(values, dtype=np.complex128 if of.is_complex else None).astype(of.numpy)


def cast_by_numpy(x: np.ndarray[Any, Any], target: str) -> np.ndarray[Any, Any]:
    real = x.real if x.dtype.kind == "c" and not dtype_of(target).is_complex and target != "bool" else x
    return real.astype(dtype_of(target).numpy)


@pytest.mark.parametrize("source", DTYPES)
@pytest.mark.parametrize("target", DTYPES)
def test_cast(source: str, target: str) -> None:
    few = cast_values(source, target)
    many = np.resize(few, 1237)  # several vectors, and more than pass through float32 at once
    for x in (few, many):
        for view in (x, np.repeat(x, 2)[::2], x[::-1]):
            for out in (empty(view.shape, target), empty(view.shape, target, (3,), 1)):
                found = run("copy", out, operand(view))
                np.testing.assert_array_equal(
                    found.astype(np.complex128), cast_by_numpy(view, target).astype(np.complex128), f"{source} to {target}"
                )


@pytest.mark.parametrize("source", [name for name, dtype in DTYPES.items() if dtype.kind in "iu"])
@pytest.mark.parametrize("target", DTYPES)
def test_cast_of_any_integer(source: str, target: str) -> None:
    bounds = np.iinfo(source)
    rng = np.random.default_rng(0)
    shifts = rng.integers(0, bounds.bits, 3000, dtype=source)
    x = rng.integers(bounds.min, bounds.max, 3000, dtype=source, endpoint=True) >> shifts  # of every size
    found = run("copy", empty(x.shape, target), operand(x))
    np.testing.assert_array_equal(found.astype(np.complex128), cast_by_numpy(x, target).astype(np.complex128))


@pytest.mark.parametrize("source", ["float32", "float64", "float16", "bfloat16"])
@pytest.mark.parametrize("target", ["int8", "int16", "int32", "int64", "uint8"])
def test_cast_of_floats_to_integers_that_some_need(source: str, target: str) -> None:
    """Blocks whose items fit into 32 bits, and blocks in which one does not."""
    bounds = np.iinfo(target)
    rng = np.random.default_rng(0)
    x = rng.uniform(max(bounds.min, -100), min(bounds.max, 100), 2100)
    if target == "int64" and source != "float16":
        x[[700, 1500, 2099]] = [2.0**31, -(2.0**40), 2.0**62]
    x = x.astype(dtype_of(source).numpy)
    found = run("copy", empty(x.shape, target), operand(x))
    np.testing.assert_array_equal(found, x.astype(np.float64).astype(target))


def test_a_nan_changes_no_other_bfloat16() -> None:
    x = np.random.default_rng(0).standard_normal(2100).astype(np.float32)
    x[[5, 1100, 2099]] = np.array([math.nan, -math.nan, math.inf], dtype=np.float32)
    found = run("copy", empty(x.shape, "bfloat16"), operand(x))
    np.testing.assert_array_equal(found.astype(np.float32), x.astype(found.dtype).astype(np.float32))


def test_every_half_comes_back() -> None:
    bits = np.arange(65536, dtype=np.uint16)
    for dtype in ("float16", "bfloat16"):
        x = bits.view(dtype_of(dtype).numpy)
        wide = run("copy", empty(x.shape, "float32"), operand(x))
        np.testing.assert_array_equal(wide, x.astype(np.float32))
        back = run("copy", empty(x.shape, dtype), operand(wide.copy()))
        known = ~np.isnan(wide)
        np.testing.assert_array_equal(back.view(np.uint16)[known], bits[known])


@pytest.mark.parametrize("source", ["float64", "complex128"])
def test_float64_is_rounded_to_half_once(source: str) -> None:
    halves = np.arange(0x7C00, dtype=np.uint16).view(np.float16).astype(np.float64)
    between = (halves[1:] + halves[:-1]) / 2  # by way of float32, what lies right beside would be rounded as if it lay here
    close_by = [between, np.nextafter(between, 0), np.nextafter(between, np.inf)]
    rng = np.random.default_rng(0)
    wild = rng.standard_normal(100_000) * np.exp(rng.uniform(-20, 12, 100_000))
    for x in (*close_by, *(-part for part in close_by), wild, np.array([65519.99999999999, 65520.0, 1e300, 5e-324, -5e-324])):
        found = run("copy", empty(x.shape, "float16"), operand(x.astype(source)))
        np.testing.assert_array_equal(found.view(np.uint16), x.astype(np.float16).view(np.uint16))


@pytest.mark.parametrize(
    ("inputs", "params", "told"),
    [(((2,),), {}, "input of copy is no slot"), (((0,),), {}, "is no slot, or its result's"), ((0.5,), {}, "one slot"),
     (((1,), (1,)), {}, "one slot"), (((1,),), {"axes": (0,)}, "no parameters")],
)  # fmt: skip
def test_a_fused_cast_is_of_one_slot(inputs: Any, params: dict[str, Any], told: str) -> None:
    dtypes = [dtype_of(name) for name in ("float16", "float32")]
    with pytest.raises(ValueError, match=told):
        BACKEND.fuse([FusedStep("copy", dtypes[0], 0, inputs, params)], dtypes, [])
    with pytest.raises(ValueError, match="the result of copy has no slot of its dtype"):
        BACKEND.fuse([FusedStep("copy", dtypes[1], 0, ((1,),))], dtypes, [])


def test_fused_ops_have_room_for_so_many_temporaries() -> None:
    truths = dtype_of("bool")  # of one byte, so that a tile of many is small enough
    with pytest.raises(ValueError, match="too many temporaries"):
        BACKEND.fuse([FusedStep("logical_not", truths, 0, ((1,),))], [truths, truths], [truths] * 300)


# -- copies, fills, sequences -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
def test_copy_of_any_layout(dtype: str) -> None:
    for x in layouts(dtype):
        close(run("copy", empty(x.shape, dtype), operand(x)), x)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("shape", "axes"),
    [((7, 40), (1, 0)), ((40, 7), (1, 0)), ((16, 16), (1, 0)), ((33, 67), (1, 0)), ((130, 201), (1, 0)), ((5, 65, 17), (0, 2, 1)),
     ((20, 3, 18), (2, 1, 0)), ((3, 20, 18), (2, 0, 1)), ((2, 19, 8, 21), (0, 3, 1, 2)), ((2, 19, 8, 21), (3, 2, 1, 0))],
)  # fmt: skip
def test_copy_of_a_transpose(dtype: str, shape: tuple[int, ...], axes: tuple[int, ...]) -> None:
    """Tile by tile, where there are enough rows and columns: each item, and nothing beside them."""
    x = np.transpose(values(shape, dtype), axes)
    close(run("copy", empty(x.shape, dtype), operand(x)), x)
    every_other = np.transpose(values((*shape[:-1], 2 * shape[-1]), dtype)[..., ::2], axes)
    close(run("copy", empty(x.shape, dtype), operand(every_other)), every_other)
    strides = [1]
    for length in x.shape[:0:-1]:
        strides.insert(0, strides[0] * length + 3)  # rows apart
    out = empty(x.shape, dtype, tuple(strides), 2)
    everything = out.flat.numpy()
    everything[...] = np.ones((), everything.dtype)
    close(run("copy", out, operand(x)), x)
    beside = np.ones(everything.shape, bool)
    np.lib.stride_tricks.as_strided(beside[2:], x.shape, strides)[...] = False
    assert (everything[beside] == np.ones((), everything.dtype)).all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_fill(dtype: str) -> None:
    for out in (empty((3, 4), dtype), empty((), dtype), empty((3, 0), dtype), empty((3, 4), dtype, (1, 5), 2)):
        found = run("fill", out, value=1)
        assert (found == np.ones((), found.dtype)).all()
    assert run("fill", empty((2,), "float32"), value=math.pi).tolist() == [np.float32(math.pi)] * 2
    assert run("fill", empty((2,), "int64"), value=2.9).tolist() == [2, 2]  # the inherited kernel decides


def test_arange() -> None:
    assert run("arange", empty((5,), "int64"), start=-2, step=3).tolist() == [-2, 1, 4, 7, 10]
    assert run("arange", empty((3,), "int64", (2,), 1), start=5, step=-1).tolist() == [5, 4, 3]
    found = run("arange", empty((1000,), "float32"), start=0.1, step=0.01)
    np.testing.assert_array_equal(found, (0.1 + np.arange(1000) * 0.01).astype(np.float32))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_linspace(dtype: str) -> None:
    assert run("linspace", empty((5,), dtype), start=1, stop=3).tolist() == [1, 1.5, 2, 2.5, 3]
    assert run("linspace", empty((3,), dtype, (2,), 1), start=0.0, stop=-1.0).tolist() == [0, -0.5, -1]
    assert run("linspace", empty((1,), dtype), start=7, stop=9).tolist() == [7]
    assert run("linspace", empty((0,), dtype), start=7, stop=9).tolist() == []
    assert np.isnan(run("linspace", empty((3,), dtype), start=0.0, stop=math.inf)[0])  # the inherited kernel decides
