"""Kernels of rows on operands that are not dense, or of 16 bits: served natively, as dense ones in float64 are, rounded once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_operands import BACKEND, alone, numpy_view, operand

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
    ops = ("layer_norm", "layer_norm_gradient", "rms_norm", "softmax", "log_softmax", "softmax_gradient", "cumsum", "cumprod",
           "running_max", "logcumsumexp", "cross_entropy", "cross_entropy_gradient", "batch_norm", "channel_moments",
           "batch_norm_gradient", "group_norm", "group_norm_gradient", "nll_loss", "nll_loss_gradient", "attention",
           "multi_margin_loss", "multi_margin_loss_gradient", "attention_gradient", "recurrence", "recurrence_gradient")  # fmt: skip
    with alone(ops):
        yield


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


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("axis", [0, 1])
def test_nll_loss(dtype: str, axis: int) -> None:
    x, weight, target = given((9, 9), dtype), np.abs(given((9,), dtype)), RNG.integers(0, 9, 9)
    target[3] = -9
    counts, rows = target >= 0, np.arange(9)
    scale = weight.astype(float)[target * counts] * counts
    params = {"axis": axis, "ignored": -9, "reduction": "mean"}
    (loss,) = called("nll_loss", [np.zeros((), x.dtype)], x if axis else x.T, target, weight, **params)
    near(loss, -(x.astype(float)[rows, target] * scale).sum() / scale.sum(), dtype)
    wanted = np.zeros((9, 9))
    wanted[rows[counts], target[counts]] = -scale[counts] / scale.sum()
    (slope,) = called("nll_loss_gradient", [x], np.ones((), x.dtype), target, weight, classes=9, **params)
    near(slope if axis else slope.T, wanted, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("p", [1, 2])
@pytest.mark.parametrize("reduction", ["none", "mean"])
def test_multi_margin_loss(dtype: str, p: int, reduction: str) -> None:
    x, weight, target = given((33, 21), dtype), np.abs(given((21,), dtype)), RNG.integers(0, 21, 33)
    wide, rows = x.astype(float), np.arange(33)
    missed = np.maximum(0, 0.75 - wide[rows, target][:, None] + wide)
    missed[rows, target] = 0
    scale = weight.astype(float)[target] / 21
    losses = (missed**p).sum(1) * scale
    shape = (33,) if reduction == "none" else ()
    params = {"p": p, "margin": 0.75, "reduction": reduction}
    (loss,) = called("multi_margin_loss", [np.zeros(shape, x.dtype)], x, target, weight, **params)
    near(loss, losses if reduction == "none" else losses.mean(), dtype, 8)
    slopes = (2 * missed if p == 2 else missed > 0) * (scale if reduction == "none" else scale / 33)[:, None]
    slopes[rows, target] = -slopes.sum(1)
    for lay in LAYOUTS.values():
        (slope,) = called("multi_margin_loss_gradient", [x], np.ones(shape, x.dtype), lay(x), target, weight, **params)
        near(slope, slopes, dtype, 8)


def innermost(x: Array) -> Array:
    """The same items, with the channels side by side."""
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(x, 1, -1)), -1, 1)


@pytest.mark.parametrize("shape", [(3, 6, 7), (2, 6, 40, 41), (5, 6), (1, 6, 1500)])
@pytest.mark.parametrize("dtype", [*DTYPES, "float64"])
def test_channels_in_groups(dtype: str, shape: tuple[int, ...]) -> None:
    """Row-major and with the channels innermost, in stretches of rows whose sums are joined."""
    x, g, weight, bias = (given(s, dtype) for s in (shape, shape, (6,), (6,)))
    wide, pushed = (a.astype(float).reshape(shape[0], 3, -1) for a in (x, g.astype(float) * weight.reshape(6, *[1] * (len(shape) - 2))))
    mean, deviation = wide.mean(2, keepdims=True), np.sqrt(wide.var(2, keepdims=True) + 0.1)
    unit = (wide - mean) / deviation
    back = (pushed - pushed.mean(2, keepdims=True) - unit * (pushed * unit).mean(2, keepdims=True)) / deviation
    over = (0, *range(2, len(shape)))
    by_channel = [v.astype(float).reshape(6, *[1] * (len(shape) - 2)) for v in (weight, bias)]
    statistic = np.zeros((shape[0], 3), "float64" if dtype == "float64" else "float32")
    known = mean[..., 0].astype(statistic.dtype), (1 / deviation[..., 0]).astype(statistic.dtype)
    dtype = dtype.replace("64", "32")  # how near
    layouts: tuple[Callable[[Array], Array], ...] = np.ascontiguousarray, innermost
    for lay in layouts:
        found = called("group_norm", [lay(x), statistic, statistic], lay(x), weight, bias, groups=3, eps=0.1)
        near(found[0], unit.reshape(shape) * by_channel[0] + by_channel[1], dtype, 8)
        near(found[1], mean[..., 0], "float32", 4)
        near(found[2], 1 / deviation[..., 0], "float32", 4)
        found = called("group_norm_gradient", [lay(x), weight, bias], lay(g), lay(x), weight, *known, groups=3, eps=0.1)
        near(found[0], back.reshape(shape), dtype, 8)
        near(found[1], (g.astype(float) * unit.reshape(shape)).sum(over), dtype, 400)
        near(found[2], g.astype(float).sum(over), dtype, 400)


@pytest.mark.parametrize("layout", [np.ascontiguousarray, innermost])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_channels_of_16_bits(dtype: str, layout: Callable[[Array], Array]) -> None:
    shape = (3, 70, 40, 41)
    x, g, weight, bias = (given(s, dtype) for s in (shape, shape, (70,), (70,)))
    wide, slope, over = x.astype(float), g.astype(float), (0, 2, 3)
    lift = [v.astype(float)[:, None, None] for v in (weight, bias)]
    mean, variance = called("channel_moments", [np.zeros(70, "float32")] * 2, layout(x))
    near(mean, wide.mean(over), "float32", 2)
    near(variance, wide.var(over), "float32", 4)
    statistics = mean.astype("float32"), variance.astype("float32")
    unit = (wide - mean[:, None, None]) / np.sqrt(variance[:, None, None] + 0.1)
    near(called("batch_norm", [layout(x)], layout(x), *statistics, weight, bias, eps=0.1)[0], unit * lift[0] + lift[1], dtype, 8)
    rounded = [v.astype(weight.dtype) for v in statistics]  # as the running ones of a module of 16 bits are
    own = (wide - rounded[0].astype(float)[:, None, None]) / np.sqrt(rounded[1].astype(float)[:, None, None] + 0.1)
    near(called("batch_norm", [layout(x)], layout(x), *rounded, weight, bias, eps=0.1)[0], own * lift[0] + lift[1], dtype, 8)
    found = called("batch_norm_gradient", [layout(x), weight, bias], layout(g), layout(x), *statistics, weight, eps=0.1, training=True)
    means = [a.mean(over, keepdims=True) for a in (slope, slope * unit)]
    near(found[0], lift[0] * (slope - means[0] - unit * means[1]) / np.sqrt(variance[:, None, None] + 0.1), dtype, 8)
    near(found[1], (slope * unit).sum(over), dtype, 400)
    near(found[2], slope.sum(over), dtype, 400)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("lay", [np.ascontiguousarray, lambda x: x], ids=["dense", "between"])
def test_attention(dtype: str, causal: bool, lay: Callable[[Array], Array]) -> None:
    """Of heads that lie between the positions, as a projection leaves them, into dense results and into such as lie the same way."""
    q, k, v = (given((2, n, 3, 20), dtype).transpose(0, 2, 1, 3) for n in (70, 600, 600))
    mask, g = given((70, 1), dtype), given((2, 3, 70, 20), dtype)
    wide = [a.astype(float) for a in (q, k, v, g)]
    mask = np.broadcast_to(mask, (2, 3, 70, 600))
    scores = 0.2 * wide[0] @ wide[1].swapaxes(2, 3) + mask.astype(float)
    if causal:
        scores = np.where(np.tri(70, 600, dtype=bool), scores, -np.inf)
    greatest = scores.max(-1, keepdims=True)
    logs = greatest + np.log(np.exp(scores - greatest).sum(-1, keepdims=True))
    chances = np.exp(scores - logs)
    result = chances @ wide[2]
    rows = np.zeros((2, 3, 70), "float32")
    found = called("attention", [lay(q), rows], q, k, v, mask, scale=0.2, causal=causal)
    of_weights = 2.0**-8 * chances @ abs(wide[2]) if dtype == "bfloat16" else np.zeros(result.shape)  # which AMX takes rounded, too
    near(np.clip(result, found[0] - of_weights, found[0] + of_weights), result, dtype, 4)
    near(found[1], logs[..., 0], "float32", 4)
    slopes = chances * (wide[3] @ wide[2].swapaxes(2, 3) - (wide[3] * result).sum(-1, keepdims=True)) * 0.2
    outs = [lay(a) for a in (q, k, v)]
    given_back = result.astype(g.dtype), logs[..., 0].astype("float32")
    found = called("attention_gradient", outs, g, q, k, v, mask, *given_back, scale=0.2, causal=causal)
    step = {"float16": 2.0**-11, "bfloat16": 2.0**-8, "float32": 2.0**-18}[dtype]  # of the result, which was rounded once
    for made, wanted in zip(found, (slopes @ wide[1], slopes.swapaxes(2, 3) @ wide[0], chances.swapaxes(2, 3) @ wide[3]), strict=True):
        np.testing.assert_allclose(made, wanted, rtol=1.01 * step, atol=8 * step)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("mode", ["RNN_TANH", "LSTM", "GRU"])
def test_recurrences(mode: str, dtype: str) -> None:
    """Rows that lie apart, and items of 16 bits, as dense rows of float32."""
    gates, n, sizes = {"RNN_TANH": 1, "LSTM": 4, "GRU": 3}[mode], 21, (7, 7, 7, 5, 5)
    total, lstm = sum(sizes), mode == "LSTM"
    params = {"mode": mode, "sizes": sizes, "backwards": False}
    wide, kept = (total, gates * n), (total, 4 * n) if gates > 1 else (0,)
    inputs: list[Any] = [given(s, dtype) for s in (wide, (7, n), (7, n), (gates * n, n), (gates * n,))]
    inputs[3] = inputs[3] / inputs[3].dtype.type(4)
    inputs[2] = inputs[2] if lstm else None
    back = [given(s, dtype) for s in ((total, n), (7, n))]

    def all_of(dtype: str, lay: Callable[[Array], Array]) -> list[Array]:
        items = dtype_of(dtype).numpy
        x, state, cell, weight, bias = [None if a is None else a.astype(items) for a in inputs]
        outs = [np.zeros(s, items) for s in ((total, n), (7, n), (7, n) if lstm else (0,), (total, n) if lstm else (0,), kept)]
        cell = None if cell is None else lay(cell)
        made = called("recurrence", outs, lay(x), lay(state), cell, weight, bias, **params)
        output, _, _, cells, keep = [m.astype(items) for m in made]
        outs = [np.zeros(s, items) for s in (wide, wide if mode == "GRU" else (0,), (7, n), (7, n) if lstm else (0,))]
        slopes = [lay(b.astype(items)) for b in back]
        return made + called("recurrence_gradient", outs, *slopes, None, lay(state), cell, weight, output, cells, keep, **params)

    def apart(x: Array) -> Array:
        return np.concatenate([x, x], 1)[:, : x.shape[1]]

    if dtype == "float32":
        for found, wanted in zip(all_of(dtype, apart), all_of(dtype, np.asarray), strict=True):
            np.testing.assert_array_equal(found, wanted)
        return
    step = {"float16": 2.0**-11, "bfloat16": 2.0**-8}[dtype]
    for found, wanted in zip(all_of(dtype, apart), all_of("float32", np.asarray), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=step, atol=8 * step)


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
