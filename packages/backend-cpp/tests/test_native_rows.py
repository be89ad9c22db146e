"""Kernels of rows on operands that are not dense, or of 16 bits: served natively, as dense ones in float64 are, rounded once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_operands import BACKEND, numpy_view, operand

from lamina_flatarray import dtype_of

Array = np.ndarray[Any, Any]
RNG = np.random.default_rng(0)
DTYPES = ("float16", "bfloat16", "float32")
LAYOUTS: dict[str, Callable[[Array], Array]] = {
    "dense": lambda x: x,
    "sliced": lambda x: np.stack([x, x], 1)[:, 1],
    "transposed": lambda x: np.ascontiguousarray(x.T).T,
    "backwards": lambda x: np.ascontiguousarray(x[:, ::-1])[:, ::-1],
}


@pytest.fixture(autouse=True)
def _alone() -> Iterator[None]:
    """Nothing is left to the inherited kernels."""

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("left to the inherited kernel")

    ops = ("layer_norm", "layer_norm_gradient", "rms_norm", "softmax", "log_softmax", "softmax_gradient", "cumsum", "cumprod",
           "running_max", "logcumsumexp", "cross_entropy", "cross_entropy_gradient", "batch_norm", "channel_moments",
           "batch_norm_gradient")  # fmt: skip
    before = {op: BACKEND.kernel(op).inherited for op in ops}  # type: ignore[attr-defined]
    for op in ops:
        BACKEND.kernel(op).inherited = refuse  # type: ignore[attr-defined]
    yield
    for op, kernel in before.items():
        BACKEND.kernel(op).inherited = kernel  # type: ignore[attr-defined]


def given(shape: tuple[int, ...], dtype: str) -> Array:
    return RNG.standard_normal(shape).astype(dtype_of(dtype).numpy)


def called(op: str, outs: list[Array], *inputs: Any, **params: Any) -> list[Array]:
    """The results of a kernel, laid out as `outs` are."""
    made = tuple(map(operand, outs))
    BACKEND.kernel(op)(made if len(made) > 1 else made[0], *[None if x is None else operand(x) for x in inputs], **params)
    return [np.array(numpy_view(o)).astype(float) for o in made]


def near(found: Array, wanted: Array, dtype: str, scale: float = 1.0) -> None:
    step = {"float16": 2.0**-11, "bfloat16": 2.0**-8, "float32": 2.0**-22}[dtype]
    np.testing.assert_allclose(found, wanted, rtol=1.001 * step, atol=scale * min(step, 2e-6) + 6e-8)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_norms(dtype: str, layout: str) -> None:
    x, weight, bias = given((37, 70), dtype), given((70,), dtype), given((70,), dtype)
    lay, wide = LAYOUTS[layout], x.astype(float)
    mean, deviation = wide.mean(1, keepdims=True), np.sqrt(wide.var(1, keepdims=True) + 0.1)
    unit = (wide - mean) / deviation
    rows = np.zeros(37, "float32")
    found = called("layer_norm", [lay(x), rows, rows], lay(x), weight, bias, ndim=1, eps=0.1)
    near(found[0], unit * weight.astype(float) + bias.astype(float), dtype, 4)
    near(found[1], mean[:, 0], "float32")
    near(found[2], 1 / deviation[:, 0], "float32")
    g = given((37, 70), dtype)
    pushed = g.astype(float) * weight.astype(float)
    back = (pushed - pushed.mean(1, keepdims=True) - unit * (pushed * unit).mean(1, keepdims=True)) / deviation
    statistics = mean[:, 0].astype("float32"), (1 / deviation[:, 0]).astype("float32")
    found = called("layer_norm_gradient", [lay(x), weight, bias], lay(g), lay(x), weight, *statistics, ndim=1, eps=0.1)
    near(found[0], back, dtype, 8)
    near(found[1], (g.astype(float) * unit).sum(0), dtype, 40)
    near(found[2], g.astype(float).sum(0), dtype, 40)
    found = called("rms_norm", [lay(x), rows], lay(x), weight, ndim=1, eps=0.1)
    near(found[0], wide / np.sqrt((wide**2).mean(1, keepdims=True) + 0.1) * weight.astype(float), dtype, 4)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_softmax_and_scans(dtype: str, layout: str) -> None:
    x, lay = given((37, 70), dtype), LAYOUTS[layout]
    wide = x.astype(float)
    powers = np.exp(wide - wide.max(1, keepdims=True))
    chances = powers / powers.sum(1, keepdims=True)
    near(called("softmax", [lay(x)], lay(x), axis=1)[0], chances, dtype)
    near(called("log_softmax", [lay(x)], lay(x), axis=1)[0], np.log(chances), dtype, 4)
    for axis in (0, 1):
        near(called("cumsum", [lay(x)], lay(x), axis=axis)[0], wide.cumsum(axis), dtype, 20)
        near(called("cumprod", [lay(x)], lay(x), axis=axis)[0], wide.cumprod(axis), dtype, 20)
        near(called("running_max", [lay(x)], lay(x), axis=axis)[0], np.maximum.accumulate(wide, axis), dtype)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_cross_entropy(dtype: str) -> None:
    x, weight, target = given((9, 70), dtype), np.abs(given((70,), dtype)), RNG.integers(0, 70, 9)
    wide, rows = x.astype(float), np.arange(9)
    logs = np.log(np.exp(wide).sum(1))
    params = {"axis": 1, "smoothing": 0.0, "ignored": -100, "reduction": "none"}
    scale = weight.astype(float)[target]
    loss, found = called("cross_entropy", [x[:, 0].copy(), np.zeros(9)], x, target, weight, **params)
    near(loss, (logs - wide[rows, target]) * scale, dtype, 8)
    near(found, logs, "float32", 8)
    chances = np.exp(wide - logs[:, None])
    chances[rows, target] -= 1
    (slope,) = called("cross_entropy_gradient", [x], np.ones_like(x[:, 0]), x, target, weight, logs, **params)
    near(slope, chances * scale[:, None], dtype, 2)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_channels_innermost(dtype: str) -> None:
    """As of the same items with the places innermost, in stretches of rows whose sums are joined."""
    x, g = RNG.standard_normal((2, 3, 40, 41, 5)).astype(dtype).transpose(0, 4, 1, 2, 3) + 3, None
    g = RNG.standard_normal((2, 3, 40, 41, 5)).astype(dtype).transpose(0, 4, 1, 2, 3)
    weight, bias = RNG.standard_normal((2, 5)).astype(dtype)
    wide, over = x.astype(float), (0, 2, 3, 4)
    mean, variance = called("channel_moments", [weight, weight], x)
    np.testing.assert_allclose(mean, wide.mean(over), rtol=1e-6)
    np.testing.assert_allclose(variance, wide.var(over), rtol=1e-5)
    statistics = mean.astype(dtype), variance.astype(dtype)
    dense = np.ascontiguousarray(x)
    results = [called("batch_norm", [a], a, *statistics, weight, bias, eps=0.1) for a in (x, dense)]
    results += [called("batch_norm_gradient", [a, weight, bias], b, a, *statistics, weight, eps=0.1, training=True)
                for a, b in ((x, g), (dense, np.ascontiguousarray(g)))]  # fmt: skip
    for found, wanted in zip(results[0] + results[2], results[1] + results[3], strict=True):
        np.testing.assert_allclose(found, wanted, rtol=2e-4, atol=2e-4)
