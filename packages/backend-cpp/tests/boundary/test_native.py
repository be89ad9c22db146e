"""Native kernels against NumPy: every op and dtype that they declare, layouts of all kinds, and special values."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_operands import BACKEND, Layout, Strided, empty, numpy_view, operand, run

from lamina_flatarray import DTYPES
from lamina_testkit import error_bounds

NATIVE = ("float32", "float64", "int64", "bool")
CAPABILITIES = BACKEND.capabilities()

BINARY: dict[str, Any] = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.true_divide,
    "maximum": np.maximum, "minimum": np.minimum, "equal": np.equal, "not_equal": np.not_equal, "less": np.less,
    "less_equal": np.less_equal, "greater": np.greater, "greater_equal": np.greater_equal,
    "logical_and": np.logical_and, "logical_or": np.logical_or, "logical_xor": np.logical_xor,
    "bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor,
}  # fmt: skip
UNARY: dict[str, Any] = {
    "negative": np.negative, "abs": np.abs, "square": np.square, "sqrt": np.sqrt, "floor": np.floor,
    "ceil": np.ceil, "trunc": np.trunc, "logical_not": np.logical_not, "bitwise_invert": np.invert,
    "isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite, "exp": np.exp, "log": np.log, "tanh": np.tanh,
    "reciprocal": lambda x: 1 / x, "rsqrt": lambda x: 1 / np.sqrt(x), "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "relu": lambda x: np.maximum(x, np.zeros((), x.dtype)),
}  # fmt: skip
CURVED = {"exp", "log", "tanh", "sigmoid", "rsqrt", "reciprocal"}
FOLDS: dict[str, Any] = {"sum": np.sum, "max": np.max, "min": np.min, "mean": np.mean, "any": np.any, "all": np.all}


@pytest.fixture(autouse=True)
def quiet() -> Any:
    with np.errstate(all="ignore"):
        yield


def items(shape: tuple[int, ...], dtype: str, seed: int = 0) -> np.ndarray[Any, Any]:
    """Ordinary and special values; integers near the ends of their range, so that they wrap."""
    rng = np.random.default_rng(seed)
    n = math.prod(shape)
    if dtype == "bool":
        return (rng.random(n) < 0.5).reshape(shape)
    if dtype == "int64":
        values = rng.integers(-100, 100, n)
        special: list[Any] = [0, -1, 2**63 - 1, -(2**63), 2**62]
    else:
        values = rng.standard_normal(n) * 3
        special = [0.0, -0.0, math.nan, math.inf, -math.inf, 1e-40, -1e-40, 3e38]
    values = values.astype(dtype)
    if n >= 4:
        at = rng.choice(n, n // 4, replace=False)
        values[at] = np.array(special).astype(dtype)[rng.integers(0, len(special), n // 4)]
    return values.reshape(shape)


def layouts(dtype: str, seed: int = 0) -> list[np.ndarray[Any, Any]]:
    """One array of each kind of layout, by pairs of the same shape a few lines below."""
    wide = items((6, 10, 9), dtype, seed)
    return [
        wide, wide[:, ::-1, ::2], wide[::-1, ::-1, ::-1], wide.transpose(2, 0, 1), wide[1:3, 2:, 3], wide[0, 0, :1],
        np.broadcast_to(wide[:, :1], (6, 5, 9)), np.broadcast_to(wide[0, 0, 0], (3, 4)), wide[2, 3, 4],
        wide[:, :0], items((1, 1, 1), dtype, seed), items((37,), dtype, seed), items((2, 3, 2, 3, 2), dtype, seed),
        np.broadcast_to(items((1, 40), dtype, seed), (30, 40)), items((300, 200), dtype, seed).T,
    ]  # fmt: skip


def agree(found: np.ndarray[Any, Any], wanted: Any, op: str) -> None:
    wanted = np.asarray(wanted)
    assert found.shape == wanted.shape
    if op in CURVED:
        info = np.finfo(found.dtype)  # 2.5 ulps, and NumPy's own, of which its vector functions lose up to 4
        np.testing.assert_allclose(found, wanted, rtol=6.5 * info.eps, atol=6.5 * info.smallest_subnormal)
    else:
        np.testing.assert_array_equal(found, wanted)
    if found.dtype == bool:
        assert set(np.unique(found.view(np.uint8))) <= {0, 1}


def cases(table: dict[str, Any]) -> list[tuple[str, str]]:
    return [(op, dtype) for op in table for dtype in CAPABILITIES[op] if dtype in NATIVE]


# -- map -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("op", "dtype"), cases(BINARY))
def test_binary(op: str, dtype: str) -> None:
    for a, b in zip(layouts(dtype), layouts(dtype, 1), strict=True):
        wanted = BINARY[op](a, b)
        agree(run(op, empty(a.shape, wanted.dtype), operand(a), operand(b)), wanted, op)
        if b.size:
            one = np.broadcast_to(b.reshape(-1)[0], a.shape)
            agree(run(op, empty(a.shape, wanted.dtype), operand(a), operand(one)), BINARY[op](a, one), op)
            agree(run(op, empty(a.shape, wanted.dtype), operand(one), operand(a)), BINARY[op](one, a), op)


@pytest.mark.parametrize(("op", "dtype"), cases(UNARY))
def test_unary(op: str, dtype: str) -> None:
    for x in layouts(dtype):
        wanted = UNARY[op](x)
        agree(run(op, empty(x.shape, wanted.dtype), operand(x)), wanted, op)


@pytest.mark.parametrize("op", ["add", "exp", "relu", "less"])
def test_output_of_any_layout(op: str) -> None:
    x = items((5, 7), "float32")
    inputs = [operand(x), operand(x.T.copy().T)] if op in BINARY else [operand(x.T.copy().T)]
    wanted = (BINARY | UNARY)[op](*([x] * len(inputs)))
    for strides, offset in [((1, 5), 0), ((14, 2), 3), ((-7, 1), 28), ((1, -5), 30), ((-7, -1), 34)]:
        out = empty(x.shape, wanted.dtype, strides, offset)
        out = Strided(empty((80,), wanted.dtype).flat, out.layout)
        run("fill", Strided(out.flat, Layout((80,))), value=1)
        agree(run(op, out, *inputs), wanted, op)
        touched = {offset + i * strides[0] + j * strides[1] for i in range(5) for j in range(7)}
        others = [i for i in range(80) if i not in touched]
        assert (out.flat.numpy()[others] == 1).all()


@pytest.mark.parametrize(
    ("dtype", "scalars"),
    [("float32", [2.5, 3, True, math.nan, math.inf, 1e300]), ("float64", [0.1, -7]), ("int64", [3, True, -5]),
     ("bool", [True, False])],
)  # fmt: skip
def test_python_numbers(dtype: str, scalars: list[Any]) -> None:
    x = items((6, 5), dtype)
    for op, number, swapped in itertools.product(["add", "multiply", "less", "maximum"], scalars, [False, True]):
        scalar = np.asarray(number).astype(dtype)
        a, b = (scalar, x) if swapped else (x, scalar)
        wanted = BINARY[op](a, b)
        given = (number, operand(x)) if swapped else (operand(x), number)
        agree(run(op, empty(x.shape, wanted.dtype), *given), wanted, op)


def test_integers_wrap() -> None:
    x = np.array([2**63 - 1, -(2**63)])
    assert run("add", empty((2,), "int64"), operand(x), 1).tolist() == [-(2**63), -(2**63) + 1]
    assert run("negative", empty((2,), "int64"), operand(x)).tolist() == [-(2**63) + 1, -(2**63)]
    assert run("add", empty((2,), "int64"), operand(x), 2**64 + 1).tolist() == [-(2**63), -(2**63) + 1]


@pytest.mark.parametrize("dtype", NATIVE)
def test_where(dtype: str) -> None:
    for condition, a, b in zip(layouts("bool"), layouts(dtype, 1), layouts(dtype, 2), strict=True):
        wanted = np.where(condition, a, b)
        agree(run("where", empty(a.shape, dtype), operand(condition), operand(a), operand(b)), wanted, "where")
    condition, number = items((9,), "bool"), 1
    wanted = np.where(condition, np.asarray(number, dtype), items((9,), dtype))
    agree(run("where", empty((9,), dtype), operand(condition), number, operand(items((9,), dtype))), wanted, "where")


def test_in_place_and_large() -> None:
    for n in (5, 20_001, 300_000):
        x = operand(np.arange(n, dtype=np.float32))
        agree(run("add", x, x, x), np.arange(n, dtype=np.float32) * 2, "add")
    x = np.random.default_rng(0).standard_normal((700, 600)).astype(np.float32)
    y = np.broadcast_to(x[:, :1], x.shape)
    agree(run("subtract", empty(x.T.shape, "float32"), operand(x.T), operand(y.T)), x.T - y.T, "subtract")


# -- accuracy --------------------------------------------------------------------------------------------------------


def ulps(found: np.ndarray[Any, Any], exact: np.ndarray[Any, Any]) -> float:
    """The greatest error in units of the last place of float32."""
    finite = np.isfinite(exact) & (np.abs(exact) < 3.4e38)
    size = np.maximum(np.abs(exact[finite]), 2.0**-126)
    last = 2.0 ** (np.floor(np.log2(size)) - 23)
    return float(np.max(np.abs(found[finite].astype(np.float64) - exact[finite]) / last))


@pytest.mark.parametrize(
    ("op", "low", "high", "limit"),
    [("exp", -105, 89, 2), ("exp", -1, 1, 2), ("tanh", -12, 12, 2), ("tanh", -1, 1, 2), ("sigmoid", -100, 100, 2.5),
     ("sigmoid", -3, 3, 2.5)],
)  # fmt: skip
def test_ulps(op: str, low: float, high: float, limit: float) -> None:
    x = np.linspace(low, high, 2_000_001, dtype=np.float32)
    exact = UNARY[op](x.astype(np.float64))
    assert ulps(run(op, empty(x.shape, "float32"), operand(x)), exact) < limit


def test_ulps_of_log_and_of_tiny_numbers() -> None:
    x = np.arange(1, 0x7F800000, 1021, dtype=np.uint32).view(np.float32)  # all exponents, subnormal ones too
    assert ulps(run("log", empty(x.shape, "float32"), operand(x)), np.log(x.astype(np.float64))) < 2
    near_one = np.linspace(0.4, 2.2, 2_000_001, dtype=np.float32)
    assert ulps(run("log", empty(x.shape, "float32"), operand(x)), np.log(x.astype(np.float64))) < 2
    assert ulps(run("log", empty(near_one.shape, "float32"), operand(near_one)), np.log(near_one.astype(float))) < 2
    small = np.concatenate([x[x < 0.7], -x[x < 0.7]])
    assert ulps(run("tanh", empty(small.shape, "float32"), operand(small)), np.tanh(small.astype(float))) < 2


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_special_values(dtype: str) -> None:
    x = np.array([math.nan, math.inf, -math.inf, 0.0, -0.0, -1.0], dtype)
    inf, nan = math.inf, math.nan
    wanted = {
        "exp": [nan, inf, 0, 1, 1, math.exp(-1)], "log": [nan, inf, nan, -inf, -inf, nan],
        "tanh": [nan, 1, -1, 0, -0.0, math.tanh(-1)], "sigmoid": [nan, 1, 0, 0.5, 0.5, 1 / (1 + math.e)],
        "sqrt": [nan, inf, nan, 0, -0.0, nan], "relu": [nan, inf, 0, 0, 0, 0],
    }  # fmt: skip
    for op, values in wanted.items():
        for n in (6, 48):
            found = run(op, empty((n,), dtype), operand(np.tile(x, n // 6)))
            np.testing.assert_allclose(found, np.tile(values, n // 6), rtol=1e-6)
    assert math.copysign(1, run("tanh", empty((6,), dtype), operand(x))[4]) == -1


# -- reduce ----------------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("ignore:Mean of empty slice", "ignore:invalid value")
@pytest.mark.parametrize(("op", "dtype"), cases(FOLDS))
def test_reductions(op: str, dtype: str) -> None:
    for x in layouts(dtype):
        if (op == "sum" and dtype in ("float32", "float64")) or op == "mean":
            x = np.where(np.isfinite(x) & (np.abs(x) < 1e30), x, 1).astype(dtype)
        for count in range(x.ndim + 1):
            for axes in itertools.combinations(range(x.ndim), count):
                if (not axes and x.ndim) or (not x.size and op in ("max", "min")):
                    continue
                wanted = FOLDS[op](
                    x.astype(np.float64) if op in ("sum", "mean") and dtype == "float32" else x, axis=axes
                )
                made = "int64" if op == "sum" and dtype in ("int64", "bool") else dtype
                found = run(op, empty(wanted.shape, made), operand(x), axes=axes)
                if op in ("sum", "mean") and made != "int64":
                    size = np.abs(x.astype(float)).sum(axes) / (x.size / max(wanted.size, 1) if op == "mean" else 1)
                    error_bounds.assert_within(found, wanted, error_bounds.sums(x.size, made) * size)
                else:
                    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("shape", [(100_003,), (3, 70_001), (70_001, 3), (300, 5, 200), (2000, 1300), (30_000, 10)])
def test_long_reductions_do_not_depend_on_threads(shape: tuple[int, ...]) -> None:
    from lamina_backend_cpp import get_num_threads, set_num_threads

    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32) + 1
    before = get_num_threads()
    for axes in [(0,), tuple(range(len(shape))), (len(shape) - 1,)]:
        wanted = x.astype(np.float64).sum(axes)
        found = []
        try:
            for threads in (1, 2, 3):
                set_num_threads(threads)
                found.append(run("sum", empty(wanted.shape, "float32"), operand(x), axes=axes).copy())
        finally:
            set_num_threads(before)
        # A lane adds up at most 32 items of a block; blocks are added up in float64.
        sizes = np.abs(x.astype(float)).sum(axes)
        error_bounds.assert_within(found[0], wanted, error_bounds.sums(x.size, "float32", block=32) * sizes)
        assert all((other == found[0]).all() for other in found)
        np.testing.assert_array_equal(run("max", empty(wanted.shape, "float32"), operand(x), axes=axes), x.max(axes))


@pytest.mark.parametrize("dtype", NATIVE)
def test_argmax(dtype: str) -> None:
    for x in layouts(dtype):
        for axes in [(d,) for d in range(x.ndim)] + ([tuple(range(x.ndim))] if x.ndim else []):
            if not x.size:
                continue
            wanted = np.argmax(x, axis=axes[0]) if len(axes) == 1 and x.ndim > 1 else np.asarray(np.argmax(x))
            np.testing.assert_array_equal(run("argmax", empty(wanted.shape, "int64"), operand(x), axes=axes), wanted)


def of_softmax(n: int, dtype: str) -> dict[str, float]:
    """How far two results of n numbers each may lie apart: the logarithm of a sum, whose terms are right to 4 ulps; and roundings."""
    eps = float(np.finfo(dtype).eps)
    return {"rtol": 8 * eps, "atol": 2 * error_bounds.sums(n, dtype) + 8 * eps}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("op", ["softmax", "log_softmax"])
def test_softmax(op: str, dtype: str) -> None:
    for shape in [(5,), (64, 10), (3, 33, 5), (2, 3000), (300, 100), (1, 1), (0, 3)]:
        x = np.random.default_rng(0).standard_normal(shape).astype(dtype) * 10
        for axis in range(len(shape)):
            for view in (x, x[::-1], np.asfortranarray(x)):
                shifted = view.astype(np.float64) - view.max(axis, keepdims=True) if x.size else view.astype(float)
                wanted = shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))
                found = run(op, empty(shape, dtype), operand(view), axis=axis)
                near = of_softmax(shape[axis], dtype)
                np.testing.assert_allclose(found, wanted if op == "log_softmax" else np.exp(wanted), **near)
    x = np.array([[0.0, -math.inf, 1.0], [math.nan, 1, 2]], dtype)
    found = run(op, empty((2, 3), dtype), operand(x), axis=1)
    assert found[0, 1] == (0 if op == "softmax" else -math.inf) and np.isnan(found[1]).all()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("op", ["softmax", "log_softmax"])
@pytest.mark.parametrize("shape", [(130, 70), (3, 4), (70, 64), (65, 7)])
def test_softmax_of_rows_side_by_side(op: str, dtype: str, shape: tuple[int, int]) -> None:
    rng = np.random.default_rng(1)
    x, gradient = (rng.standard_normal(shape).astype(dtype) * 5 for _ in range(2))
    x[1, :3] = math.nan, -math.inf, math.inf
    x[:, 3] = -math.inf
    turned = lambda v: np.ascontiguousarray(v.T)
    found = run(op, empty(shape, dtype), operand(x), axis=0)
    wanted = run(op, empty(shape[::-1], dtype), operand(turned(x)), axis=1).T
    near = of_softmax(shape[0], dtype)
    np.testing.assert_allclose(found, wanted, **near)
    y = np.nan_to_num(found, neginf=-50.0)
    slope = run(f"{op}_gradient", empty(shape, dtype), operand(gradient), operand(y), axis=0)
    by_rows = run(f"{op}_gradient", empty(shape[::-1], dtype), operand(turned(gradient)), operand(turned(y)), axis=1).T
    np.testing.assert_allclose(slope, by_rows, rtol=near["rtol"], atol=40 * near["atol"])


# -- matmul ----------------------------------------------------------------------------------------------------------

SIZES = [(1, 1, 1), (2, 3, 4), (16, 16, 16), (7, 17, 300), (64, 64, 64), (1, 50, 40), (50, 1, 40), (130, 70, 260),
         (6, 1100, 3), (257, 33, 70), (3, 5, 0), (1, 1, 1000), (200, 300, 400)]  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
@pytest.mark.parametrize("size", SIZES)
def test_matmul(size: tuple[int, int, int], dtype: str) -> None:
    m, n, k = size
    rng = np.random.default_rng(0)

    def random(*shape: int) -> np.ndarray[Any, Any]:
        return rng.integers(-9, 9, shape).astype(dtype)  # exact in any order

    for a in (random(m, k), random(k, m).T, random(m, 2 * k)[:, ::2], random(m, k)[::-1]):
        for b in (random(k, n), random(n, k).T, random(2 * k, n)[::2], random(k, n)[:, ::-1]):
            wanted = a @ b
            np.testing.assert_array_equal(run("matmul", empty((m, n), dtype), operand(a), operand(b)), wanted)
            flipped = empty((m, n), dtype, (1, m))
            np.testing.assert_array_equal(run("matmul", flipped, operand(a), operand(b)), wanted)
            spread = empty((m, n), dtype, (2 * n, 2))
            np.testing.assert_array_equal(run("matmul", spread, operand(a), operand(b)), wanted)


def test_matmul_over_leading_axes() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((2, 3, 4, 5)), rng.standard_normal((2, 3, 5, 6))
    for x, y in [(a, b), (np.broadcast_to(a[:1], a.shape), b), (a, np.broadcast_to(b[:, :1], b.shape)),
                 (a, np.broadcast_to(b[0, 0], b.shape)), (a[:, ::-1], b), (a[:0], b[:0])]:  # fmt: skip
        np.testing.assert_allclose(run("matmul", empty((*x.shape[:3], 6), "float64"), operand(x), operand(y)), x @ y)
    big, weight = rng.standard_normal((70, 40, 50)), np.broadcast_to(rng.standard_normal((50, 60)), (70, 50, 60))
    np.testing.assert_allclose(
        run("matmul", empty((70, 40, 60), "float64"), operand(big), operand(weight)), big @ weight
    )


@pytest.mark.parametrize("biased", [True, False])
@pytest.mark.parametrize("lead", [(), (1,), (32,), (4, 5), (2, 3, 4), (200,)])
def test_linear(lead: tuple[int, ...], biased: bool) -> None:
    rng = np.random.default_rng(0)
    for n, k in [(3, 2), (16, 16), (100, 37), (0, 3), (3, 0), (130, 784)]:
        x, weight, bias = (rng.integers(-9, 9, s).astype(np.float32) for s in ((*lead, k), (n, k), (n,)))
        wanted = x @ weight.T + (bias if biased else 0)
        for view in (x, np.asfortranarray(x), np.broadcast_to(x.reshape(-1, k)[0], x.shape) if x.size else x):
            wanted = view @ weight.T + (bias if biased else 0)
            given = operand(bias[::-1][::-1] if n else bias) if biased else None
            found = run("linear", empty(wanted.shape, "float32"), operand(view), operand(weight), given)
            np.testing.assert_array_equal(found, wanted)


def test_capabilities_are_what_kernels_do() -> None:
    from lamina_flatarray.ops import OPS

    assert set(CAPABILITIES) <= set(OPS)
    for op, dtypes in CAPABILITIES.items():
        assert BACKEND.kernel(op).dtypes == dtypes and set(dtypes) <= set(DTYPES)
        assert BACKEND.kernel(op).__name__ == op
    assert numpy_view(operand(np.arange(3))).tolist() == [0, 1, 2]
