"""Native reductions, scans, indices of extremes and sorting against the reference: every dtype that they declare, every kind of layout."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_cases import close, layouts, reference, values
from native_operands import BACKEND, empty, numpy_view, operand, run

from lamina_backend_cpp import get_num_threads, set_num_threads
from lamina_flatarray import dtype_of
from lamina_flatarray.dtype_rules import result_dtypes

CAPABILITIES = BACKEND.capabilities()


@pytest.fixture(autouse=True)
def quiet() -> Any:
    with np.errstate(all="ignore"):
        yield


def served(*ops: str) -> list[tuple[str, str]]:
    return [(op, dtype) for op in ops for dtype in CAPABILITIES[op] if result_dtypes(op, dtype_of(dtype))[0] is dtype_of(dtype)]


def some_axes(ndim: int) -> list[tuple[int, ...]]:
    return [axes for n in range(ndim + 1) for axes in itertools.combinations(range(ndim), n)]


def shape_without(x: Any, axes: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n for d, n in enumerate(x.shape) if d not in axes)


@pytest.mark.parametrize(("op", "dtype"), served("sum", "prod", "mean", "max", "min", "any", "all", "logsumexp", "var", "two_norm"))
def test_reductions(op: str, dtype: str) -> None:
    for x in layouts(dtype):
        if op == "prod" and dtype_of(dtype).is_floating_point:  # or the reference overflows on its way
            x = np.asarray(x / 4).astype(x.dtype)
        for axes in some_axes(x.ndim):
            if op in ("max", "min") and not x.size:
                continue
            params = {"correction": 1} if op == "var" else {}
            out = (shape_without(x, axes), result_dtypes(op, dtype_of(dtype))[1].numpy)
            close(run(op, empty(*out), operand(x), axes=axes, **params), reference(op, out, x, axes=axes, **params), 300)


@pytest.mark.parametrize(("op", "dtype"), served("sum", "prod", "mean", "max", "min"))
def test_one_item_over_and_over(op: str, dtype: str) -> None:
    """An expanded array comes to what its copy comes to: sums of these items are exact, and so are products of powers of 2."""
    kind = dtype_of(dtype)
    for item in [1, 2, *[0.75, math.nan, math.inf] * kind.is_floating_point]:
        if op == "prod" and item == 0.75:
            continue
        for n in (2, 7, 1023, 1024, 1025, 9000):
            x = np.broadcast_to(np.array(item).astype(kind.numpy), (3, n))
            for axes in some_axes(2):
                out = (shape_without(x, axes), result_dtypes(op, kind)[1].numpy)
                found, copied = (run(op, empty(*out), operand(each), axes=axes) for each in (x, np.ascontiguousarray(x)))
                close(found, copied)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("op", ["max", "min"])
def test_one_nan_anywhere_in_a_row_is_its_extreme(op: str, dtype: str) -> None:
    for n in (3, 8, 37, 64, 200, 1000, 1500):
        rows = np.random.default_rng(0).standard_normal((n + 1, n)).astype(dtype)
        rows[np.arange(n), np.arange(n)] = math.nan
        found = run(op, empty((n + 1,), dtype), operand(rows), axes=(1,))
        assert np.isnan(found[:n]).all()
        assert found[n] == getattr(np, op)(rows[n])


def test_var_of_what_lies_far_from_0() -> None:
    """The rounding of a block's mean must not show: 1e4 + noise of 1 has variance 1."""
    x = (10_000 + np.random.default_rng(0).standard_normal((3000, 40))).astype(np.float32)
    for axes in ((0,), (1,), (0, 1)):
        exact = x.astype(np.float64).var(axes, ddof=1)
        np.testing.assert_allclose(run("var", empty(exact.shape, "float32"), operand(x), axes=axes, correction=1), exact, rtol=1e-4)
    assert math.isnan(run("var", empty((), "float32"), operand(np.ones(1, np.float32)), axes=(0,), correction=1))


def test_logsumexp_at_the_edges() -> None:
    inf, nan = math.inf, math.nan
    for row, wanted in (([inf, 1], inf), ([-inf, -inf], -inf), ([nan, 1], nan), ([1000, 1000], 1000 + math.log(2)),
                        ([-1000, -inf], -1000), ([inf, -inf], inf), ([], -inf)):  # fmt: skip
        for n in (1, 5000):
            x = np.array(row * n, np.float32)
            found = run("logsumexp", empty((), "float32"), operand(x), axes=(0,))
            np.testing.assert_allclose(found, wanted + (math.log(n) if math.isfinite(wanted) else 0), rtol=1e-6)


@pytest.mark.parametrize(("op", "dtype"), served("argmax", "argmin"))
def test_indices_of_extremes(op: str, dtype: str) -> None:
    for x in [*layouts(dtype), values((40_000,), dtype), values((3, 20_000), dtype), values((500, 33), dtype)]:
        for axes in [(d,) for d in range(x.ndim)] + [tuple(range(x.ndim))]:
            if x.size:
                out = (shape_without(x, axes), np.int64)
                close(run(op, empty(*out), operand(x), axes=axes), reference(op, out, x, axes=axes))


@pytest.mark.parametrize(("op", "dtype"), served("cumsum", "cumprod", "running_max", "running_min", "logcumsumexp"))
def test_scans(op: str, dtype: str) -> None:
    for x in layouts(dtype):
        if op == "cumprod" and dtype_of(dtype).is_floating_point:
            x = np.where(np.isfinite(x), x / 6, x).astype(x.dtype)
        for axis in range(x.ndim):
            out = (x.shape, x.dtype)
            close(run(op, empty(*out), operand(x), axis=axis), reference(op, out, x, axis=axis), 300)


@pytest.mark.parametrize(("op", "dtype"), served("cummax", "cummin"))
def test_extremes_so_far_and_their_indices(op: str, dtype: str) -> None:
    for x in [*layouts(dtype), values((300, 170), dtype)]:
        for axis in range(x.ndim):
            outs = [(x.shape, x.dtype), (x.shape, np.int64)]
            made = tuple(empty(*out) for out in outs)
            BACKEND.kernel(op)(made, operand(x), axis=axis)
            for found, wanted in zip(made, reference(op, outs, x, axis=axis), strict=True):
                close(numpy_view(found), wanted)


@pytest.mark.parametrize(("op", "dtype"), served("tril", "triu"))
def test_triangles(op: str, dtype: str) -> None:
    for x in [*(x for x in layouts(dtype) if x.ndim > 1), values((2, 130, 170), dtype)]:
        for diagonal in (-(2**63), -1, 0, 2, 2**63 - 1):
            for turned in (False, True):
                out = np.swapaxes(np.ones(x.shape[:-2] + x.shape[:-3:-1], x.dtype), -1, -2) if turned else np.ones(x.shape, x.dtype)
                made = operand(out)
                BACKEND.kernel(op)(made, operand(x), diagonal=diagonal)
                close(numpy_view(made), reference(op, (x.shape, x.dtype), x, diagonal=max(min(diagonal, 999), -999)))


def test_logcumsumexp_keeps_what_is_far_below_what_follows() -> None:
    x = np.array([1.44, -0.3, 519.84, 600.0])
    found = run("logcumsumexp", empty(x.shape, "float64"), operand(x), axis=0)
    assert found[0] == x[0]
    np.testing.assert_allclose(found, np.logaddexp.accumulate(x), rtol=4 * np.finfo(float).eps)


def test_logcumsumexp_over_a_wide_range() -> None:
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.uniform(-900, 900, 200), np.linspace(-2000, 2000, 150), [-math.inf] * 3, [5.0, math.inf, 1.0, math.nan, 2.0]])
    np.testing.assert_allclose(run("logcumsumexp", empty(x.shape, "float64"), operand(x), axis=0),
                               np.logaddexp.accumulate(x), rtol=1e-13)  # fmt: skip


# -- order ---------------------------------------------------------------------------------------------------------------

ROWS = [(7,), (24,), (25,), (90,), (1500,), (40, 70), (3, 5, 33), (6000,), (1, 1), (4, 0)]


@pytest.mark.parametrize("dtype", CAPABILITIES["sort"])
@pytest.mark.parametrize("descending", [False, True])
def test_sort(dtype: str, descending: bool) -> None:
    for shape in ROWS:
        for x in (values(shape, dtype), values(shape, dtype).T, values(shape, dtype)[..., ::-1]):
            for axis in range(x.ndim):
                outs = [(x.shape, x.dtype), (x.shape, np.int64)]
                wanted = reference("sort", outs, x, axis=axis, descending=descending)
                made = tuple(empty(*out) for out in outs)
                BACKEND.kernel("sort")(made, operand(x), axis=axis, descending=descending)
                close(numpy_view(made[1]), wanted[1])
                close(numpy_view(made[0]), wanted[0])
                alone = run("sorted_values", empty(x.shape, x.dtype), operand(x), axis=axis, descending=descending)
                close(alone, wanted[0])
                n = x.shape[axis]
                for start, stop in {(0, n), (0, min(n, 5)), (n // 2, n // 2 + 1 if n else 0), (n // 3, n), (0, 0)}:
                    part = (slice(None),) * axis + (slice(start, stop),)
                    some = wanted[0][part].shape
                    pair = (empty(some, x.dtype), empty(some, np.int64))
                    BACKEND.kernel("ranked")(pair, operand(x), axis=axis, start=start, stop=stop, descending=descending)
                    close(numpy_view(pair[1]), wanted[1][part])
                    close(numpy_view(pair[0]), wanted[0][part])


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "int16", "uint64"])
def test_sort_of_all_kinds_of_numbers(dtype: str) -> None:
    """Large ones, both signs, subnormal ones: every digit of the keys counts."""
    rng = np.random.default_rng(1)
    x = rng.integers(0, 256, 8 * 5000, dtype=np.uint8).view(dtype)
    x = np.where(np.isnan(x), 0, x).astype(dtype) if x.dtype.kind == "f" else x
    for descending in (False, True):
        found = run("sorted_values", empty(x.shape, dtype), operand(x), axis=0, descending=descending)
        np.testing.assert_array_equal(found, np.sort(x)[::-1] if descending else np.sort(x))
        pair = (empty(x.shape, dtype), empty(x.shape, np.int64))
        BACKEND.kernel("sort")(pair, operand(x), axis=0, descending=descending)
        np.testing.assert_array_equal(numpy_view(pair[0]), found)
        np.testing.assert_array_equal(x[numpy_view(pair[1])], found)


@pytest.mark.parametrize("dtype", CAPABILITIES["searchsorted"])
@pytest.mark.parametrize("right", [False, True])
def test_searchsorted(dtype: str, right: bool) -> None:
    line = values((100,), dtype)
    line = line[np.argsort(line.astype(np.float64))]  # NumPy does not order the NaN of bfloat16
    for sequence in (line, line[:1], line[:0], np.repeat(line, 2)[::2]):
        for wanted in layouts(dtype, 3):
            out = (wanted.shape, np.int64)
            found = run("searchsorted", empty(*out), operand(sequence), operand(wanted), right=right)
            close(found, reference("searchsorted", out, sequence, wanted, right=right))


# -- threads, bad calls --------------------------------------------------------------------------------------------------


def test_same_bits_for_any_number_of_threads() -> None:
    x = np.random.default_rng(0).standard_normal((300, 700)).astype(np.float32)
    long = np.random.default_rng(0).standard_normal(433_333).astype(np.float32)
    before, found = get_num_threads(), []
    try:
        for threads in (1, 2, 8):
            set_num_threads(threads)
            bits = []
            for op in ("sum", "prod", "var", "two_norm", "logsumexp", "argmax", "argmin", "any"):
                params = {"correction": 1} if op == "var" else {}
                kind = {"argmax": "int64", "argmin": "int64", "any": "bool"}.get(op, "float32")
                for array, axes in ((x, (0,)), (x, (1,)), (long, (0,))):
                    made = empty(shape_without(array, axes), kind)
                    bits.append(run(op, made, operand(array), axes=axes, **params).tobytes())
            for op in ("cumsum", "logcumsumexp", "running_max"):
                bits += [run(op, empty(x.shape, "float32"), operand(x), axis=axis).tobytes() for axis in (0, 1)]
            for op in ("exp2", "sin", "gelu", "tan"):
                bits.append(run(op, empty(long.shape, "float32"), operand(long)).tobytes())
            found.append(bits)
    finally:
        set_num_threads(before)
    assert found[0] == found[1] == found[2]


def test_calls_that_do_not_fit() -> None:
    x, whole = operand(np.ones((4, 3), np.float32)), operand(np.ones((4, 3), np.int64))
    small = operand(np.ones(3, np.float32))
    for op, call, params in [
        ("var", (small, x), {"axes": (0,)}), ("argmin", (small, x), {"axes": (0,)}), ("argmin", (small, x), {"axes": (5,)}),
        ("cumsum", (x, x), {"axis": 2}), ("cumsum", (small, x), {"axis": 0}), ("cumsum", (x, x), {}),
        ("sort", (x, x), {"axis": 0, "descending": False}), ("sort", ((x, x), x), {"axis": 0, "descending": False}),
        ("sort", ((x, whole), x), {"axis": 2, "descending": False}), ("sort", ((whole, whole), x), {"axis": 0, "descending": False}),
        ("sorted_values", (small, x), {"axis": 0, "descending": False}),
        ("ranked", ((x, whole), x), {"axis": 0, "start": 0, "stop": 5, "descending": True}),
        ("ranked", ((x, whole), x), {"axis": 0, "start": 0, "stop": 2, "descending": True}),
        ("searchsorted", (x, small, x), {"right": False}), ("searchsorted", (whole, small, whole), {"right": False}),
        ("clip", (x, x), {"min": 1}), ("lerp", (x, x, x), {}), ("pow", (x, x), {}),
    ]:  # fmt: skip
        with pytest.raises((TypeError, ValueError)):
            BACKEND.kernel(op)(*call, **params)
