"""The reference backend against plain NumPy and hand-written values, over dtypes and layouts, without one warning."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from lamina_flatarray import DTYPES, OPS, FlatArray, LaminaError, Strided, result_dtypes
from lamina_flatarray.numpy_backend.backend import NumpyBackend
from lamina_flatarray.numpy_backend.view import view
from lamina_flatarray.random import Generator, uniform
from lamina_flatarray.table import KernelTable

BACKEND = NumpyBackend()
ALL = sorted(DTYPES)
INTEGERS = [d.name for d in DTYPES.values() if d.kind in "ui"]
FLOATS = [d.name for d in DTYPES.values() if d.kind == "f"]
INEXACT = [d.name for d in DTYPES.values() if d.is_inexact]
TOLERANCE = {"float16": 2e-3, "bfloat16": 2e-2, "float32": 2e-6, "complex64": 2e-6}
MANY = 70_001  # more than two blocks


class Layout:
    """Shape, strides and offset in items."""

    def __init__(self, shape: tuple[int, ...], strides: tuple[int, ...] | None = None, offset: int = 0) -> None:
        dense = tuple(math.prod(shape[i + 1 :]) for i in range(len(shape)))
        self.shape, self.strides, self.offset = shape, dense if strides is None else strides, offset
        self.ndim, self.size = len(shape), math.prod(shape)
        self.contiguous = self.strides == dense


# Layout and how many items of memory it needs; no two items share memory, so each serves as `out`, too.
LAYOUTS = {
    "dense": (Layout((3, 4)), 12),
    "offset": (Layout((3, 4), offset=5), 17),
    "transposed": (Layout((3, 4), (1, 3)), 12),
    "sliced": (Layout((3, 4), (16, 2), 1), 48),
    "negative": (Layout((3, 4), (-4, -1), 11), 12),
    "0-d": (Layout((), (), 3), 4),
    "empty": (Layout((3, 0)), 0),
    "empty far away": (Layout((0, 4), (4, 1), 10**12), 0),
}
READ_ONLY = {"stride 0": (Layout((3, 4), (0, 1)), 4), "all stride 0": (Layout((3, 4), (0, 0), 2), 3)}


def table(dtype: str) -> KernelTable:
    return KernelTable.of(BACKEND, 0, DTYPES[dtype])


def made(dtype: str, layout: Layout, memory: int | None = None) -> Strided:
    return Strided(FlatArray.of(table(dtype), layout.size if memory is None else memory), layout)


def operand(values: Any, dtype: str | None = None) -> Strided:
    array = np.array(values, None if dtype is None else DTYPES[dtype].numpy)
    found = made(dtype or array.dtype.name, Layout(array.shape))
    view(found)[...] = array
    return found


def items(n: int, dtype: str) -> np.ndarray:
    kind = DTYPES[dtype].kind
    numbers = np.arange(n) % 7 + (0 if kind in "bu" else -2.5 if kind in "fc" else -3)
    return numbers.astype(DTYPES[dtype].numpy)


def filled(dtype: str, layout: Layout, memory: int) -> Strided:
    found = made(dtype, layout, memory)
    if memory:
        found.flat.numpy()[...] = items(memory, dtype)
    return found


def run(op: str, *inputs: Any, result: str | None = None, shape: tuple[int, ...] | None = None, **params: Any) -> Any:
    first = next(x for x in inputs if isinstance(x, Strided))
    dtype = first.flat.dtype
    out = made(result or result_dtypes(op, dtype)[1].name, Layout(first.layout.shape if shape is None else shape))
    table(dtype.name)[op](out, *inputs, **params)
    return view(out)


@pytest.fixture(autouse=True)
def no_warnings() -> Iterator[None]:
    with np.errstate(all="raise"):  # a kernel must be quiet whatever the caller's setting
        yield


# -- the backend -------------------------------------------------------------------------------------------------------


def test_it_has_a_kernel_for_every_required_op_and_all_that_it_declares() -> None:
    assert {name for name, row in OPS.items() if row.required} <= set(BACKEND.capabilities()) <= set(OPS)
    for op, served in BACKEND.capabilities().items():
        assert BACKEND.kernel(op).__name__ == op
        assert served


@pytest.mark.parametrize("nbytes", [0, 1, 100, 4096, 10**6])
def test_memory_is_aligned(nbytes: int) -> None:
    memory = BACKEND.allocate(nbytes, 0)
    assert memory.nbytes == nbytes
    assert memory.flags.writeable
    assert memory.ctypes.data % 16 == 0


def test_negative_sizes_are_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        BACKEND.allocate(-1, 0)


# -- views -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*LAYOUTS, *READ_ONLY])
def test_a_view_reads_what_the_layout_says(name: str) -> None:
    layout, memory = {**LAYOUTS, **READ_ONLY}[name]
    x = filled("int32", layout, memory)
    flat = x.flat.numpy()
    found = view(x)
    assert found.shape == layout.shape
    assert view(x) is found
    for at in np.ndindex(*layout.shape):
        assert found[at] == flat[layout.offset + sum(i * s for i, s in zip(at, layout.strides, strict=True))]


def test_a_view_of_any_buffer_shares_its_memory_and_holds_its_export() -> None:
    memory = bytearray(64)
    x = Strided(FlatArray(memory, 8, 10, table("float32")), Layout((2, 3), (-3, 1), 4))
    view(x)[...] = 2.0
    assert np.frombuffer(memory, np.float32).tolist() == [0, 0, 0] + [2] * 6 + [0] * 7
    with pytest.raises(BufferError):
        memory.extend(b"1")


def test_a_view_leaves_another_backends_handle_alone() -> None:
    x = operand([1.0, 2.0], "float32")
    x.native = handle = object()
    assert view(x).tolist() == [1, 2]
    assert x.native is handle


# -- map ---------------------------------------------------------------------------------------------------------------


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
        ("floor_divide", "bool", [True, False], [True, True], [True, False]),
        ("remainder", "bool", [True, False], [True, True], [False, False]),
        ("pow", "uint8", [200, 3], [2, 5], [64, 243]),
        ("pow", "int64", [1, 2, -1, 0, 3, -1], [-1, -1, -1, -1, -2, -2], [1, 0, -1, 0, 0, 1]),
        ("pow", "int64", 2, [-1, 3], [0, 8]),
        ("bitwise_left_shift", "int64", [1, -1, 5, 1], [64, 65, -1, 62], [0, 0, 0, 2**62]),
        ("bitwise_right_shift", "int64", [1, -1, -8, -8], [64, 65, -1, 1], [0, -1, -1, -4]),
        ("bitwise_left_shift", "uint8", [1, 255], [8, 1], [0, 254]),
        ("bitwise_left_shift", "int8", [1], 9, [0]),
        ("floor", "int32", [-3], None, [-3]),
        ("round", "bool", [True], None, [True]),
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


# -- reduce and scan ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ALL)
@pytest.mark.parametrize("name", [*LAYOUTS, *READ_ONLY])
def test_sums_over_every_layout(name: str, dtype: str) -> None:
    layout, memory = {**LAYOUTS, **READ_ONLY}[name]
    x = filled(dtype, layout, memory)
    result = result_dtypes("sum", DTYPES[dtype])[1]
    for axes in [(0,), (1,), (0, 1)] if layout.ndim else [()]:
        shape = tuple(n for i, n in enumerate(layout.shape) if i not in axes)
        wide = np.complex128 if DTYPES[dtype].is_complex else np.float64
        found = run("sum", x, shape=shape, axes=axes)
        assert found.dtype == result.numpy
        np.testing.assert_allclose(found.astype(wide), view(x).astype(wide).sum(axes), 1e-2, 1e-6)


def test_narrow_floats_accumulate_in_float32() -> None:
    x = operand([60000, 60000, -60000], "float16")
    assert run("sum", x, shape=(), axes=(0,)) == 60000
    assert run("cumsum", x, axis=0).tolist() == [60000, math.inf, 60000]
    ones = operand(np.ones(3000), "bfloat16")
    assert run("sum", ones, shape=(), axes=(0,)) == 3008  # 3000 rounded; one by one it would stop at 256
    assert run("mean", ones, shape=(), axes=(0,)) == 1


def test_folds_of_nothing() -> None:
    empty = operand(np.zeros((0, 2), np.float32))
    expected = {"sum": 0, "prod": 1, "any": False, "all": True, "mean": math.nan, "logsumexp": -math.inf}
    for op, value in expected.items():
        np.testing.assert_array_equal(run(op, empty, shape=(2,), axes=(0,)), [value, value])
    np.testing.assert_array_equal(run("var", empty, shape=(2,), axes=(0,), correction=1), [math.nan] * 2)


@pytest.mark.parametrize("dtype", INEXACT)
def test_variance(dtype: str) -> None:
    x = operand([[1, 2, 4, 9], [3, 3, 3, 3]], dtype)
    for correction in (0, 1, 0.5):
        expected = [38 / (4 - correction), 0]
        found = run("var", x, shape=(2,), axes=(1,), correction=correction)
        np.testing.assert_allclose(found.astype(float), expected, 1e-2)
    found = run("var", x, shape=(2,), axes=(1,), correction=5).astype(float)
    np.testing.assert_array_equal(found, [math.inf, math.nan])
    assert np.isnan(run("var", operand(3, dtype), shape=(), axes=(), correction=1).astype(float))


@pytest.mark.parametrize("dtype", FLOATS)
def test_nan_wins_and_the_first_position_counts(dtype: str) -> None:
    x = operand([[1, math.nan, math.nan], [2, 5, 5], [2, 1, 1]], dtype)
    assert run("argmax", x, shape=(3,), axes=(1,)).tolist() == [1, 1, 0]
    assert run("argmin", x, shape=(3,), axes=(1,)).tolist() == [1, 0, 1]
    assert run("argmax", x, shape=(), axes=(0, 1)) == 1
    assert run("argmax", operand(3, dtype), shape=(), axes=()) == 0
    for op in ("max", "min"):
        found = run(op, x, shape=(3,), axes=(1,)).astype(float)
        np.testing.assert_array_equal(found, [math.nan, 5 if op == "max" else 2, 2 if op == "max" else 1])
    assert run("any", x, shape=(3,), axes=(1,)).tolist() == [True] * 3


def test_logsumexp_does_not_overflow() -> None:
    x = operand([[1000, 1000], [-math.inf, -math.inf], [math.inf, -math.inf], [math.nan, 0]], "float32")
    found = run("logsumexp", x, shape=(4,), axes=(1,))
    np.testing.assert_allclose(found, [1000 + math.log(2), -math.inf, math.inf, math.nan])


@pytest.mark.parametrize("dtype", ALL)
def test_scans(dtype: str) -> None:
    x = operand([[1, 1, 0], [1, 0, 1]], dtype)
    result = DTYPES[dtype].numpy if DTYPES[dtype].is_inexact else np.int64
    for axis in (0, 1):
        for op, function in (("cumsum", np.cumsum), ("cumprod", np.cumprod)):
            found = run(op, x, axis=axis)
            assert found.dtype == result
            assert np.array_equal(found, function(view(x).astype(result), axis=axis))
    assert run("cumsum", operand(1, dtype), axis=0) == 1


# -- matmul ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [d for d in ALL if d != "bool"])
def test_matmul_reads_and_writes_views(dtype: str) -> None:
    a = filled(dtype, Layout((2, 3, 4), (0, 1, 3)), 12)  # transposed, and the same in both batches
    b = filled(dtype, Layout((2, 4, 5), (-20, 5, 1), 20), 40)
    out = made(dtype, Layout((2, 3, 5), (15, 1, 3)), 30)
    table(dtype)["matmul"](out, a, b)
    kind = np.float32 if out.flat.itemsize == 2 and dtype not in INTEGERS else DTYPES[dtype].numpy
    expected = np.einsum("bij,bjk->bik", view(a).astype(kind), view(b).astype(kind))
    np.testing.assert_allclose(view(out).astype(complex), expected.astype(complex), TOLERANCE.get(dtype, 1e-12))
    for x in (view(a), view(a)[0], view(a)[0, 0], view(a)[:0]):
        rows, weight, bias = operand(x, dtype), operand(view(b)[0].T, dtype), operand([1, 2, 3, 4, 5], dtype)
        for given in (None, bias):
            found = run("linear", rows, weight, given, shape=(*x.shape[:-1], 5))
            expected = x.astype(kind) @ view(b)[0].astype(kind) + (0 if given is None else view(bias).astype(kind))
            np.testing.assert_allclose(found.astype(complex), expected.astype(complex), TOLERANCE.get(dtype, 1e-12))


def test_a_product_over_nothing_is_zero() -> None:
    a, b = operand(np.zeros((2, 0), np.float32)), operand(np.zeros((0, 3), np.float32))
    assert run("matmul", a, b, shape=(2, 3)).tolist() == [[0] * 3] * 2
    bias = operand([1, 2, 3], "float32")
    assert run("linear", operand(np.zeros((1, 2, 0), np.float32)), operand(np.zeros((3, 0), np.float32)), bias,
               shape=(1, 2, 3)).tolist() == [[[1, 2, 3]] * 2]  # fmt: skip


# -- gather and sort ---------------------------------------------------------------------------------------------------


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


# -- copy --------------------------------------------------------------------------------------------------------------


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


# -- random and fused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", FLOATS)
def test_draws_follow_the_order_of_items(dtype: str) -> None:
    generator, again = Generator("cpu"), Generator("cpu")
    generator.manual_seed(3)
    again.manual_seed(3)
    out = made(dtype, Layout((3, 4), (1, 3)))
    table(dtype)["random_uniform"](out, generator=generator, low=-1.0, high=2.0)
    expected = np.empty(12, DTYPES[dtype].numpy)
    uniform(expected, again, -1.0, 2.0)
    assert np.array_equal(view(out).ravel(), expected)


def test_the_other_draws() -> None:
    generator = Generator("cpu")
    generator.manual_seed(0)
    out = made("int64", Layout((1000,)))
    table("int64")["random_integers"](out, generator=generator, low=-2, high=3)
    assert set(view(out).tolist()) == {-2, -1, 0, 1, 2}
    table("int64")["random_integers"](out, generator=generator, low=0, high=None)
    assert view(out).max() > 2**40
    table("int64")["random_permutation"](out, generator=generator)
    assert sorted(view(out).tolist()) == list(range(1000))
    table("int64")["random_bernoulli"](out, generator=generator, probability=0.25)
    assert 200 < view(out).sum() < 300
    out = made("float64", Layout((1000,)))
    table("float64")["random_normal"](out, generator=generator, mean=5.0, std=0.1)
    assert abs(view(out).mean() - 5) < 0.02


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("axis", [0, 1])
def test_softmax(dtype: str, axis: int) -> None:
    x = operand([[1000, 1000, 999], [-1000, 0, 1], [3, 3, 3]], dtype)
    wide = view(x).astype(np.float64)
    with np.errstate(under="ignore"):
        powers = np.exp(wide - wide.max(axis, keepdims=True))
    expected = powers / powers.sum(axis, keepdims=True)
    np.testing.assert_allclose(run("softmax", x, axis=axis).astype(float), expected, TOLERANCE.get(dtype, 1e-14), 1e-7)
    found = run("log_softmax", x, axis=axis).astype(float)
    difference = wide - wide.max(axis, keepdims=True) - np.log(powers.sum(axis, keepdims=True))
    np.testing.assert_allclose(found, difference, TOLERANCE.get(dtype, 1e-14), 1e-6)
    assert np.isnan(run("softmax", operand([-math.inf, -math.inf], dtype), axis=0).astype(float)).all()
    assert run("softmax", operand(np.zeros((2, 0)), dtype), axis=1).shape == (2, 0)


@pytest.mark.parametrize("dtype", INEXACT)
@pytest.mark.parametrize("shape", [(), (3,), (MANY,)])
def test_sgd_by_hand(dtype: str, shape: tuple[int, ...]) -> None:
    def full(value: float) -> Strided:
        return operand(np.full(shape, value), dtype)

    def first_item(x: Strided) -> complex:
        assert (view(x) == view(x).flat[0]).all()
        return complex(view(x).flat[0])

    tolerance = TOLERANCE.get(dtype, 1e-12)
    p, buffer = full(2.0), full(math.nan)  # a first step must not read the buffer
    step = table(dtype)["sgd_step"]
    options: dict[str, Any] = {"momentum": 0.5, "weight_decay": 0.25, "nesterov": False, "maximize": False, "lr": 0.5}
    step([p], full(1.0), buffers=[buffer], dampening=0.5, first=True, **options)
    assert first_item(p) == pytest.approx(2 - 0.5 * 1.5, rel=tolerance)
    step([p], full(1.0), buffers=[buffer], dampening=0.5, first=False, **options)
    sums = 0.5 * 1.5 + 0.5 * (1 + 0.25 * 1.25)
    assert first_item(buffer) == pytest.approx(sums, rel=tolerance)
    assert first_item(p) == pytest.approx(1.25 - 0.5 * sums, rel=tolerance)
    p, g = full(2.0), full(1.0)
    step([p], g, buffers=[full(1.0)], dampening=0.0, first=False, **{**options, "nesterov": True, "maximize": True})
    assert first_item(p) == pytest.approx(2 - 0.5 * (-0.5 + 0.5 * (0.5 - 0.5)), rel=tolerance)
    assert first_item(g) == 1  # a gradient is never written


@pytest.mark.parametrize("dtype", ["float32", "float64", "bfloat16", "complex64"])
@pytest.mark.parametrize("decoupled", [False, True])
@pytest.mark.parametrize("amsgrad", [False, True])
def test_adam_by_hand(dtype: str, decoupled: bool, amsgrad: bool) -> None:
    p, m, v, most = [operand(np.full(3, x), dtype) for x in (2.0, 0.0, 0.0, 0.0)]
    value, mean, square, greatest = 2.0, 0.0, 0.0, 0.0
    for step, gradient in enumerate([4.0, 1.0, -0.5], 1):
        table(dtype)["adam_step"](
            [p], operand(np.full(3, gradient), dtype), firsts=[m], seconds=[v], maxima=[most] if amsgrad else None,
            lr=0.1, beta1=0.5, beta2=0.25, eps=1e-3, weight_decay=0.1, decoupled=decoupled, maximize=True, step=step,
        )  # fmt: skip
        g = -gradient
        if decoupled:
            value -= 0.1 * 0.1 * value
        else:
            g += 0.1 * value
        mean = 0.5 * mean + 0.5 * g
        square = 0.25 * square + 0.75 * g * g
        greatest = max(greatest, square)
        root = math.sqrt((greatest if amsgrad else square) / (1 - 0.25**step)) + 1e-3
        value -= 0.1 * mean / (1 - 0.5**step) / root
        np.testing.assert_allclose(view(p).astype(complex).real, value, 3 * TOLERANCE.get(dtype, 1e-12))


def test_an_optimizer_steps_over_strided_parameters() -> None:
    p, g = filled("float32", *LAYOUTS["sliced"]), filled("float32", *LAYOUTS["transposed"])
    expected = view(p) - np.float32(0.5) * view(g)
    options: dict[str, Any] = {"momentum": 0.0, "dampening": 0.0, "weight_decay": 0.0, "nesterov": False}
    table("float32")["sgd_step"]([p], g, buffers=None, lr=0.5, maximize=False, first=True, **options)
    assert np.array_equal(view(p), expected)


def test_kernels_are_quiet_in_threads() -> None:
    def overflows(_: int) -> bool:
        x = operand(np.full(100_000, 3e38), "float32")
        return all(bool(np.isinf(run("add", x, x)).all()) for _ in range(10))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(overflows, range(8)))
