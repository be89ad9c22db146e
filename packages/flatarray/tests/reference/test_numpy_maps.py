"""The reference's kernels item by item: every layout, integers that wrap, edge values, casts, fills."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from reference_operands import (
    ALL,
    FLOATS,
    LAYOUTS,
    MANY,
    READ_ONLY,
    TOLERANCE,
    Layout,
    filled,
    items,
    made,
    operand,
    run,
    table,
)

from lamina_flatarray import DTYPES, OPS, FlatArray, LaminaError, Strided
from lamina_flatarray.numpy_backend.view import view

pytestmark = pytest.mark.usefixtures("no_warnings")


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("name", LAYOUTS)
def test_every_layout_of_out_and_inputs(name: str, dtype: str) -> None:
    layout, memory = LAYOUTS[name]
    a = filled(dtype, layout, memory)
    sources = [(layout, memory)] + (list(READ_ONLY.values()) if layout.shape == (3, 4) else [])
    for other, needed in sources:
        b, out = filled(dtype, other, needed), made(dtype, layout, memory)
        before = out.flat.numpy().copy()
        table(dtype)["add"](out, a, b)
        assert np.array_equal(view(out), view(a) + view(b))
        outside = np.ones(memory, bool)
        written = Strided(FlatArray.of(table("bool"), memory), layout)
        written.flat.numpy()[...] = False
        view(written)[...] = True
        outside &= ~written.flat.numpy()
        assert out.flat.numpy()[outside].tobytes() == before[outside].tobytes()


UNARY = {
    "negative": np.negative, "sqrt": np.sqrt, "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log,
    "log2": np.log2, "log10": np.log10, "log1p": np.log1p, "sin": np.sin, "cos": np.cos, "tan": np.tan,
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh,
    "reciprocal": lambda x: 1 / x, "rsqrt": lambda x: 1 / np.sqrt(x), "square": lambda x: x * x, "floor": np.floor,
    "ceil": np.ceil, "trunc": np.trunc, "round": np.rint, "abs": np.abs, "sign": lambda x: np.nan_to_num(np.sign(x)),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "silu": lambda x: x / (1 + np.exp(-x)),
    "softplus": lambda x: np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0), "relu": lambda x: np.where(x < 0, 0, x),
    "erf": np.vectorize(math.erf), "gelu": lambda x: x * (0.5 + 0.5 * np.vectorize(math.erf)(x * math.sqrt(0.5))),
}  # fmt: skip


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("op", UNARY)
def test_functions_of_one_array(op: str, dtype: str) -> None:
    values = [0.0, -0.0, 0.5, -0.5, 1.0, 2.5, -2.5, 3.5, 80.0, -80.0, math.inf, -math.inf, math.nan]
    x = operand(values, dtype)
    exact = np.float64 if dtype == "float64" else np.float32
    with np.errstate(all="ignore"):
        expected = np.asarray(UNARY[op](view(x).astype(exact))).astype(DTYPES[dtype].numpy)
    found = run(op, x)
    assert found.dtype == DTYPES[dtype].numpy
    tolerance = TOLERANCE.get(dtype, 1e-14)
    np.testing.assert_allclose(found.astype(float), expected.astype(float), tolerance, 1e-12)


@pytest.mark.parametrize("op", ["sigmoid", "erf", "floor_divide", "where", "lerp", "bitwise_left_shift"])
@pytest.mark.parametrize("step", [1, -1, 3])
def test_blocks_give_what_one_item_gives(op: str, step: int) -> None:
    dtype = "int32" if op == "bitwise_left_shift" else "float16"
    arity = OPS[op].arity
    inputs = []
    for i in range(arity):
        kind = "bool" if op == "where" and i == 0 else dtype
        x = made(kind, Layout((MANY,), (step,), (MANY - 1) * -step if step < 0 else 0), MANY * abs(step))
        x.flat.numpy()[...] = items(MANY * abs(step) + i, kind)[i:]
        inputs.append(x)
    out = made(dtype, inputs[-1].layout, MANY * abs(step))
    table(dtype)[op](out, *inputs)
    for at in (0, 1, 32767, 32768, 65536, MANY - 1):
        one = run(op, *[operand(view(x)[at : at + 1], x.flat.dtype.name) for x in inputs], result=dtype)
        assert np.array_equal(view(out)[at : at + 1], one, equal_nan=dtype == "float16")
    expected = view(out).copy()
    table(dtype)[op](inputs[-1], *inputs)  # in place
    assert view(inputs[-1]).tobytes() == expected.tobytes()


def test_erf_is_exact_to_the_last_bits() -> None:
    x = np.linspace(-7, 7, 4001)
    expected = np.array([math.erf(v) for v in x])
    np.testing.assert_allclose(run("erf", operand(x)), expected, rtol=4e-16)
    assert run("erf", operand([1e-300, -0.0])).tolist() == [math.erf(1e-300), -0.0]


def test_bool_adds_by_or_and_multiplies_by_and() -> None:
    a, b = operand([True, True, False, False]), operand([True, False, True, False])
    assert run("add", a, b).tolist() == [True, True, True, False]
    assert run("multiply", a, b).tolist() == [True, False, False, False]
    assert run("maximum", a, False).tolist() == [True, True, False, False]


@pytest.mark.parametrize(
    ("op", "dtype", "a", "b", "expected"),
    [
        ("add", "uint8", [1], 300, [45]),
        ("subtract", "uint8", [1], 300, [213]),
        ("multiply", "int8", [1], 200, [-56]),
        ("add", "int32", [1], 2**40, [1]),
        ("add", "int64", [1], 2**63, [1 - 2**63]),
        ("equal", "uint8", [44], 300, [True]),
        ("less", "uint8", [44], 300, [False]),
        ("negative", "uint8", [1], None, [255]),
        ("abs", "int8", [-128], None, [-128]),
        ("floor_divide", "int8", [-7, 7, -128], [3, -3, -1], [-3, -3, -128]),
        ("remainder", "int8", [-7, 7], [3, -3], [2, -2]),
        ("fmod", "int8", [-7, 7], [3, -3], [-1, 1]),
        ("pow", "uint8", [200, 3], [2, 5], [64, 243]),
        ("pow", "int64", [1, 2, -1, 0, 3, -1], [-1, -1, -1, -1, -2, -2], [1, 0, -1, 0, 0, 1]),
        ("pow", "int64", 2, [-1, 3], [0, 8]),
        ("bitwise_left_shift", "int64", [1, -1, 5, 1], [64, 65, -1, 62], [0, 0, 0, 2**62]),
        ("bitwise_right_shift", "int64", [1, -1, -8, -8], [64, 65, -1, 1], [0, -1, -1, -4]),
        ("bitwise_left_shift", "uint8", [1, 255], [8, 1], [0, 254]),
        ("bitwise_left_shift", "int8", [1], 9, [0]),
        ("floor", "int32", [-3], None, [-3]),
        ("isnan", "int32", [1], None, [False]),
        ("isfinite", "int32", [1], None, [True]),
        ("isinf", "bool", [True], None, [False]),
    ],
)
def test_integers_are_those_of_pytorch(op: str, dtype: str, a: Any, b: Any, expected: list[Any]) -> None:
    inputs = [x if isinstance(x, int) else operand(x, dtype) for x in (a, b) if x is not None]
    assert run(op, *inputs).tolist() == expected


@pytest.mark.parametrize("op", ["floor_divide", "remainder", "fmod"])
@pytest.mark.parametrize("divisor", [0, [1, 0]])
def test_integer_division_by_zero_is_refused_before_anything_is_written(op: str, divisor: Any) -> None:
    out = operand([5, 5])
    with pytest.raises(RuntimeError, match="ZeroDivisionError") as caught:
        table("int64")[op](out, operand([7, 8]), divisor if divisor == 0 else operand(divisor))
    assert isinstance(caught.value, LaminaError)
    assert isinstance(caught.value, ZeroDivisionError)
    assert view(out).tolist() == [5, 5]
    assert run(op, operand(np.zeros(0, np.int64)), 0).shape == (0,)


def test_integers_take_no_negative_number_as_exponent() -> None:
    with pytest.raises(RuntimeError, match="Integers to negative integer powers are not allowed"):
        run("pow", operand([2]), -1)


@pytest.mark.parametrize(
    ("op", "a", "b", "expected"),
    [
        ("floor_divide", [7, -7, 0, math.inf, 5, -5, 5], [0, 0, 0, 2, math.inf, math.inf, -math.inf],
         [math.inf, -math.inf, math.nan, math.nan, 0, -1, -1]),
        ("floor_divide", [-0.0, 0.0, -0.0], [1, -1, -1], [-0.0, -0.0, 0.0]),
        ("remainder", [5, -5, 5, -5, math.inf, -6, 6], [math.inf, math.inf, -math.inf, 0, 3, 3, -3],
         [5, math.inf, -math.inf, math.nan, math.nan, -0.0, 0.0]),
        ("fmod", [-5, 5, math.inf], [0, math.inf, 2], [math.nan, 5, math.nan]),
        ("maximum", [math.nan, 1, 2], [0, math.nan, 1], [math.nan, math.nan, 2]),
        ("minimum", [math.nan, 1, 2], [0, math.nan, 1], [math.nan, math.nan, 1]),
        ("atan2", [0.0, -0.0], [-0.0, -0.0], [math.pi, -math.pi]),
        ("hypot", [math.inf, 3], [math.nan, 4], [math.inf, 5]),
        ("divide", [1, 0, -1], [0, 0, 0], [math.inf, math.nan, -math.inf]),
        ("pow", [-8, 2], [1 / 3, 3], [math.nan, 8]),
        ("multiply", [1e308], [1e308], [math.inf]),
        ("add", [1e308], [1e308], [math.inf]),
    ],
)  # fmt: skip
def test_floats_at_the_edges(op: str, a: list[float], b: list[float], expected: list[float]) -> None:
    found = run(op, operand(a, "float64"), operand(b, "float64"))
    np.testing.assert_array_equal(found, expected)
    assert np.array_equal(np.signbit(found[found == 0]), np.signbit(np.array(expected)[found == 0]))


def test_numbers_next_to_narrow_floats() -> None:
    x = operand([60000.0, 0.1, 1.0], "float16")
    assert run("multiply", x, 0.1)[0] == 6000  # the number is not rounded first
    assert run("equal", x, 0.1).tolist() == [False, True, False]  # here it is
    assert run("less", x, 1.0001).tolist() == [False, True, False]
    assert run("add", x, 1e5).tolist() == [math.inf] * 3
    assert run("multiply", operand([3.0], "bfloat16"), 0.1)[0] == 0.30078125
    assert run("subtract", 1e300, operand([1.0], "float32")).tolist() == [math.inf]


def test_where_clip_and_lerp() -> None:
    c, x = operand([True, False, True]), operand([1, 2, 3], "uint8")
    assert run("where", c, x, 300, result="uint8").tolist() == [1, 44, 3]
    assert run("where", c, 4, 5, result="float32").tolist() == [4, 5, 4]
    x = operand([math.nan, 1.0, 5.0])
    np.testing.assert_array_equal(run("clip", x, min=2, max=1), [math.nan, 1, 1])
    np.testing.assert_array_equal(run("clip", x, min=None, max=2), [math.nan, 1, 2])
    np.testing.assert_array_equal(run("clip", x, min=math.nan, max=None), [math.nan] * 3)
    np.testing.assert_array_equal(run("clip", x, min=None, max=None), [math.nan, 1, 5])
    assert run("lerp", operand([1.0, 1.0]), operand([3.0, 1e20]), operand([0.25, 1.0])).tolist() == [1.5, 1e20]


@pytest.mark.parametrize("target", ALL)
@pytest.mark.parametrize("source", ALL)
def test_casts(source: str, target: str) -> None:
    x = operand([0, 1, 2, 100], source)
    assert run("copy", x, result=target).tolist() == [DTYPES[target].numpy.type(v) for v in view(x).real.tolist()]


def test_casts_that_lose_something() -> None:
    assert run("copy", operand([-1.5, 300.0, -300.0]), result="uint8").tolist() == [255, 44, 212]
    assert run("copy", operand([-1.9, 1.9], "bfloat16"), result="int32").tolist() == [-1, 1]
    assert run("copy", operand([1e19]), result="uint64").tolist() == [10**19]
    assert run("copy", operand([1 + 2j, 2j]), result="float32").tolist() == [1, 0]
    assert run("copy", operand([0j, 2j, math.nan]), result="bool").tolist() == [False, True, True]
    assert run("copy", operand([1e30]), result="float16").tolist() == [math.inf]
    many = made("float32", Layout((MANY,), (-2,), 2 * MANY - 2), 2 * MANY)
    view(many)[...] = -np.arange(MANY)
    assert np.array_equal(run("copy", many, result="uint16"), (-np.arange(MANY)).astype(np.uint16))


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("name", LAYOUTS)
def test_fill_and_arange(name: str, dtype: str) -> None:
    layout, memory = LAYOUTS[name]
    out = made(dtype, layout, memory)
    table(dtype)["fill"](out, value=2.7)
    kind = DTYPES[dtype].numpy
    assert (view(out) == (np.array(2.7).astype(kind))).all()
    table(dtype)["arange"](out, start=1, step=3)
    assert np.array_equal(view(out), (1 + 3 * np.arange(layout.size)).astype(kind).reshape(layout.shape))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_linspace_rounds_once(dtype: str) -> None:
    """Against exact fractions, from the end that is nearer."""
    out, kind, n = made(dtype, Layout((101,))), DTYPES[dtype].numpy.type, 101
    table(dtype)["linspace"](out, start=0.1, stop=0.7)
    first, last = kind(0.1), kind(0.7)
    step = Fraction(float((last - first) / kind(n - 1)))
    from_start = [Fraction(float(first)) + i * step for i in range(n // 2)]
    from_end = [Fraction(float(last)) - (n - 1 - i) * step for i in range(n // 2, n)]
    for found, exact in zip(view(out), [*from_start, *from_end], strict=True):
        beside = (np.nextafter(found, kind(-np.inf)), np.nextafter(found, kind(np.inf)))
        assert all(abs(Fraction(float(found)) - exact) <= abs(Fraction(float(other)) - exact) for other in beside)


def test_arange_rounds_once_and_wraps() -> None:
    out = made("float32", Layout((MANY,)))
    table("float32")["arange"](out, start=0.1, step=0.1)
    assert np.array_equal(view(out), (0.1 + np.arange(MANY) * 0.1).astype(np.float32))
    out = made("uint8", Layout((4,)))
    table("uint8")["arange"](out, start=-3, step=100)
    assert view(out).tolist() == [253, 97, 197, 41]
    table("uint8")["fill"](out, value=300)
    assert view(out).tolist() == [44] * 4
    table("uint8")["fill"](out, value=-1.5)
    assert view(out).tolist() == [255] * 4
    for dtype, value in (("float32", 10**400), ("int32", math.inf)):
        with pytest.raises(OverflowError):
            table(dtype)["fill"](made(dtype, Layout((2,))), value=value)
