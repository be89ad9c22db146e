"""Native functions of items: near float64's values to 2 ulp, as the reference in every dtype and layout."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_cases import close, layouts, reference, values
from native_operands import BACKEND, empty, operand, run

from lamina_flatarray import DTYPES, OPS, dtype_of
from lamina_flatarray.backends import registry
from lamina_flatarray.dtype_rules import result_dtypes

CAPABILITIES = BACKEND.capabilities()
REFERENCES = registry.backend("numpy").capabilities()  # the other special functions are composed: test_native_special.py
MAPS = [op for op, row in OPS.items() if row.family == "map" and op in CAPABILITIES and op in REFERENCES]
SPECIAL = {"where", "clip"}
INTEGER_DIVISION = {"floor_divide", "trunc_divide", "remainder", "fmod", "pow"}


@pytest.fixture(autouse=True)
def quiet() -> Any:
    with np.errstate(all="ignore"):
        yield


def cases(arity: int) -> list[tuple[str, str]]:
    return [
        (op, dtype) for op in MAPS if OPS[op].arity == arity and op not in SPECIAL for dtype in CAPABILITIES[op]
        if result_dtypes(op, dtype_of(dtype))[0] is dtype_of(dtype)
    ]  # fmt: skip


def result_of(op: str, dtype: str) -> Any:
    return result_dtypes(op, dtype_of(dtype))[1].numpy


@pytest.mark.parametrize(("op", "dtype"), cases(1))
def test_one_input(op: str, dtype: str) -> None:
    for x in layouts(dtype):
        out = (x.shape, result_of(op, dtype))
        close(run(op, empty(*out), operand(x)), reference(op, out, x), 8)


@pytest.mark.parametrize(("op", "dtype"), cases(2))
def test_two_inputs(op: str, dtype: str) -> None:
    whole = dtype_of(dtype).kind in "biu"
    for a, b in zip(layouts(dtype), layouts(dtype, 1), strict=True):
        if whole and op in INTEGER_DIVISION:
            b = np.where(b > 0, b, np.ones((), b.dtype))
        out = (a.shape, result_of(op, dtype))
        close(run(op, empty(*out), operand(a), operand(b)), reference(op, out, a, b), 8)
        number = 3 if dtype_of(dtype).kind in "ui" else True if dtype == "bool" else 0.7
        for inputs in ((a, number), (number, b)):
            if whole and op in INTEGER_DIVISION and inputs[0] is number:
                continue
            given = [operand(x) if isinstance(x, np.ndarray) else x for x in inputs]
            close(run(op, empty(*out), *given), reference(op, out, *inputs), 8)


@pytest.mark.parametrize("dtype", CAPABILITIES["lerp"])
def test_lerp(dtype: str) -> None:
    for a, b, w in zip(layouts(dtype), layouts(dtype, 1), layouts(dtype, 2), strict=True):
        out = (a.shape, a.dtype)
        close(run("lerp", empty(*out), operand(a), operand(b), operand(w)), reference("lerp", out, a, b, w), 40)
        close(run("lerp", empty(*out), operand(a), operand(b), 0.3), reference("lerp", out, a, b, 0.3), 40)


@pytest.mark.parametrize("dtype", CAPABILITIES["clip"])
def test_clip(dtype: str) -> None:
    numbers = [(1, 3), (3, 1), (None, 2), (2, None), (None, None)]
    if dtype_of(dtype).is_floating_point:
        numbers += [(-0.5, 0.5), (math.nan, 1.0), (0.1, math.nan), (-math.inf, 0.3)]
    for low, high in numbers:
        for x in layouts(dtype):
            out = (x.shape, x.dtype)
            close(run("clip", empty(*out), operand(x), min=low, max=high), reference("clip", out, x, min=low, max=high))


@pytest.mark.parametrize("dtype", DTYPES)
def test_where_moves_items_of_every_dtype(dtype: str) -> None:
    for c, a, b in zip(layouts("bool"), layouts(dtype, 1), layouts(dtype, 2), strict=True):
        close(run("where", empty(a.shape, a.dtype), operand(c), operand(a), operand(b)), np.where(c, a, b))


@pytest.mark.parametrize("dtype", [d for d in DTYPES if dtype_of(d).kind in "ui"])
def test_integers_at_the_ends_of_their_range(dtype: str) -> None:
    ends = np.iinfo(dtype)
    x = np.array([ends.min, ends.max, ends.min, 0, 1, ends.max], dtype)
    y = np.array([ends.max, ends.max, ends.min, 1, 2, 1], dtype)
    for op in ("add", "subtract", "multiply", "maximum", "less", "bitwise_left_shift", "bitwise_right_shift", "gcd"):
        if dtype in CAPABILITIES[op]:
            out = (x.shape, result_of(op, dtype))
            close(run(op, empty(*out), operand(x), operand(y)), reference(op, out, x, y))
    for op in ("floor_divide", "trunc_divide", "remainder", "fmod", "pow"):
        if dtype not in CAPABILITIES[op]:
            continue
        for number in (-1, 2, 7, ends.max) if dtype_of(dtype).is_signed and op != "pow" else (2, 7):
            close(run(op, empty(x.shape, dtype), operand(x), number), reference(op, (x.shape, dtype), x, number))
    for op in ("floor_divide", "remainder"):
        with pytest.raises(ZeroDivisionError):
            run(op, empty(x.shape, dtype), operand(x), 0)


def test_powers() -> None:
    specials = [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -0.5, 3.0, -3.0, 1e30, -1e30, 1e-30, math.inf, -math.inf, math.nan, 7.5]
    x, y = (np.array(v, np.float32) for v in np.meshgrid(specials, specials))
    wanted = np.array([math.nan] * x.size, np.float32).reshape(x.shape)
    wanted = np.power(x.astype(np.float64), y.astype(np.float64)).astype(np.float32)
    np.testing.assert_array_equal(run("pow", empty(x.shape, "float32"), operand(x), operand(y)), wanted)
    base = np.array([*specials, *np.linspace(-9, 9, 64)])
    for exponent in (0, 0.5, 1, 2, 3, -1, -2, 2.5, -0.5, 4):
        for dtype in ("float32", "float64"):
            b = base.astype(dtype)
            found = run("pow", empty(b.shape, dtype), operand(b), exponent)
            wide = b.astype(np.float64)
            if exponent == -0.5:  # rsqrt, also of -0
                np.testing.assert_allclose(found, 1 / np.sqrt(wide), rtol=2 * np.finfo(dtype).eps)
                continue
            exact = np.sqrt(b) if exponent == 0.5 else np.power(wide, float(exponent)).astype(dtype)
            if dtype == "float32":
                np.testing.assert_array_equal(found, exact)
            else:
                np.testing.assert_allclose(found, exact, rtol=2.1 * np.finfo(dtype).eps)  # 1.1 ulps, and NumPy's own


def test_remainders_are_exact() -> None:
    rng = np.random.default_rng(0)
    for dtype in ("float32", "float64"):
        a = (rng.standard_normal(4000) * 10.0 ** rng.integers(-20, 20, 4000)).astype(dtype)
        b = (rng.standard_normal(4000) * 10.0 ** rng.integers(-20, 20, 4000)).astype(dtype)
        a[:500] = np.round(a[:500]) * b[:500]
        np.testing.assert_array_equal(run("fmod", empty(a.shape, dtype), operand(a), operand(b)), np.fmod(a, b))
        for op in ("remainder", "floor_divide"):
            np.testing.assert_array_equal(
                run(op, empty(a.shape, dtype), operand(a), operand(b)), reference(op, (a.shape, dtype), a, b)
            )


# -- accuracy --------------------------------------------------------------------------------------------------------

DOMAINS: dict[str, list[tuple[float, float]]] = {
    "exp2": [(-148, 128), (-1, 1)], "expm1": [(-17, 88), (-1, 1), (-1e-3, 1e-3)], "log2": [(1e-30, 3), (0.9, 1.1), (1, 1e30)],
    "log10": [(1e-30, 3), (0.9, 1.1), (1, 1e30)], "log1p": [(-0.99, 3), (-1e-3, 1e-3), (1, 1e30)],
    "sin": [(-8, 8), (-1e-3, 1e-3), (-9e5, 9e5), (1e8, 1e30)], "cos": [(-8, 8), (-9e5, 9e5), (1e8, 1e30)],
    "tan": [(-8, 8), (-9e5, 9e5)], "sinh": [(-88, 88), (-1, 1)], "cosh": [(-88, 88), (-1, 1)], "tanh": [(-10, 10), (-1, 1)],
    "asin": [(-1, 1), (-1e-3, 1e-3)], "acos": [(-1, 1), (0.99, 1)], "atan": [(-9, 9), (-1e6, 1e6), (-0.1, 0.1)],
    "asinh": [(-5, 5), (-1e20, 1e20), (-1e-3, 1e-3)], "acosh": [(1, 2), (1, 1e20)], "atanh": [(-0.999, 0.999), (-1e-3, 1e-3)],
    "erf": [(-4, 4), (-1, 1)], "exp": [(-87, 88), (-1, 1)], "log": [(1e-30, 3), (0.9, 1.1), (1, 1e30)],
}  # fmt: skip
NAMES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh"}


def worst(op: str, x: np.ndarray[Any, Any], exact: np.ndarray[Any, Any]) -> float:
    """The greatest error in units of the last place."""
    found = run(op, empty(x.shape, x.dtype), operand(x)).astype(np.longdouble)
    info = np.finfo(x.dtype)
    size = np.maximum(np.abs(exact), info.tiny)
    last = np.longdouble(2.0) ** (np.floor(np.log2(size)) - info.nmant)
    finite = np.isfinite(exact) & (np.abs(exact) < info.max)
    return float(np.max(np.abs(found - exact)[finite] / last[finite]))


@pytest.mark.parametrize("op", DOMAINS)
def test_within_2_ulp(op: str) -> None:
    rng = np.random.default_rng(0)
    function = None if op == "erf" else getattr(np, NAMES.get(op, op))
    for low, high in DOMAINS[op]:
        x = rng.uniform(low, high, 100_000).astype(np.float32)
        x = np.clip(x, np.float32(low), np.float32(high))
        exact = np.vectorize(math.erf)(x.astype(float)) if function is None else function(x.astype(np.float64))
        limit = 2.25 if op == "tan" and high > 8 else 2  # there what is left of the angle is rounded, too
        assert worst(op, x, exact) < limit, (op, low, high, "float32")
        if function is None or np.finfo(np.longdouble).nmant < 63 or (abs(high) == 1e30 and op in ("sin", "cos")):
            continue
        wide = rng.uniform(low, high, 50_000)
        assert worst(op, wide, function(wide.astype(np.longdouble))) < 2.75, (op, low, high, "float64")


@pytest.mark.parametrize("op", ["gelu", "silu", "softplus", "sigmoid"])
def test_activations(op: str) -> None:
    x = np.linspace(-20, 20, 100_001).astype(np.float32)
    wanted = reference(op, (x.shape, "float64"), x.astype(np.float64))
    near = np.abs(x) < 5  # beyond, the reference loses the digits of gelu's small end
    found = run(op, empty(x.shape, "float32"), operand(x))
    np.testing.assert_allclose(found[near], wanted[near], rtol=3e-6)
    np.testing.assert_allclose(found, wanted, rtol=2e-6, atol=1e-12)


def test_the_small_end_of_gelu_keeps_its_digits() -> None:
    x = np.linspace(-12.5, -0.01, 20_001).astype(np.float32)
    exact = np.array([0.5 * a * math.erfc(-a * math.sqrt(0.5)) for a in x.astype(float)])
    np.testing.assert_allclose(run("gelu", empty(x.shape, "float32"), operand(x)), exact, rtol=7e-7)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
def test_special_values(dtype: str) -> None:
    x = values((64,), dtype)
    x[:8] = [math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, -1.0, 100.0]
    for op in MAPS:
        if OPS[op].arity == 1 and op not in SPECIAL and dtype in CAPABILITIES[op]:
            out = (x.shape, result_of(op, dtype))
            close(run(op, empty(*out), operand(x)), reference(op, out, x), 8)


def test_results_beyond_the_caches() -> None:
    """They are written past them, by way of a buffer: from an odd place on, row by row, in place."""
    x = np.arange(9_000_005, dtype=np.float32)
    out = empty((x.size,), "float32", offset=3)
    np.testing.assert_array_equal(run("multiply", out, operand(x), 2.0), x * 2)
    m, row = x[:9_000_000].reshape(-1, 1000), np.broadcast_to(np.arange(1000, dtype=np.float32), (9000, 1000))
    for strides in ((1000, 1), (1250, 1)):
        np.testing.assert_array_equal(run("add", empty(m.shape, "float32", strides), operand(m), operand(row)), m + row)
    same = operand(x)
    np.testing.assert_array_equal(run("add", same, same, 1.0), x + 1)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_division_by_one_number_has_the_bits_of_division(dtype: str) -> None:
    kind, digits = np.dtype(dtype), np.finfo(dtype).nmant
    words = np.dtype(f"uint{8 * kind.itemsize}")
    rng = np.random.default_rng(0)
    most = 2.0 ** (digits + 1)
    significands = [1 + rng.random(), 2 - 2.0**-digits, 1 + 2.0**-digits, 4 / 3, 1.0]
    divisors = [s * 2.0**e for s in significands for e in (-digits, -1, 0, 1, digits)]
    for divisor in np.array([*divisors, most, 1.5 * most, 0.75 / most, -3.0, 0.0, math.inf, math.nan, np.finfo(kind).tiny / 4], kind):
        quotients = (1 + rng.random(800)).astype(kind)
        between = quotients.astype(np.longdouble) + np.longdouble(2.0) ** (-digits - 1)  # two neighbours, where rounding is hardest
        any_bits = rng.integers(0, np.iinfo(words).max, 800, words, endpoint=True).view(kind)
        ordinary = np.where(rng.random(800) < 0.2, rng.choice([0.0, -0.0], 800), rng.standard_normal(800))
        for x in ((between * divisor).astype(kind), any_bits, ordinary.astype(kind), ordinary[:37].astype(kind)):
            found, wanted = run("divide", empty(x.shape, kind), operand(x), operand(np.broadcast_to(divisor, x.shape))), x / divisor
            there = ~np.isnan(wanted)
            np.testing.assert_array_equal(np.isnan(found), ~there, err_msg=f"divided by {divisor}")
            np.testing.assert_array_equal(found.view(words)[there], wanted.view(words)[there], err_msg=f"divided by {divisor}")
