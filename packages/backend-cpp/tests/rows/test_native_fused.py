"""The fused kernels: the same bits with any number of threads, long rows against float64, and refusals instead of crashes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("lamina_backend_cpp._native", reason="the native part is not built (no compiler at installation)")

from native_operands import BACKEND, numpy_view, operand

RNG = np.random.default_rng(0)


@pytest.fixture(autouse=True)
def _threads() -> Iterator[None]:
    before = BACKEND.get_num_threads()
    yield
    BACKEND.set_num_threads(before)


def normal(*shape: int) -> Any:
    return RNG.standard_normal(shape).astype("float32")


def empty(*shape: int, dtype: str = "float32") -> Any:
    return operand(np.full(shape, 7, dtype))


def call(op: str, shapes: list[tuple[int, ...]], *inputs: Any, dtypes: tuple[str, ...] = (), **params: Any) -> list[Any]:
    """The results of a kernel, from NumPy arrays and None."""
    outs = tuple(empty(*s, dtype=d) for s, d in zip(shapes, dtypes or ("float32",) * len(shapes), strict=True))
    given = [None if x is None else operand(x) for x in inputs]
    BACKEND.kernel(op)(outs if len(outs) > 1 else outs[0], *given, **params)
    return [np.array(numpy_view(o)) for o in outs]


def sequence(mode: str, gates: int, batch: int, hidden: int) -> Any:
    sizes = (batch,) * 4 + (batch - 2,) * 2
    rows = sum(sizes)
    lstm = mode == "LSTM"
    kept = (rows, 4 * hidden) if gates > 1 else (0,)
    none = (0,)
    weight, state = normal(gates * hidden, hidden) / 8, normal(batch, hidden)
    cell = normal(batch, hidden) if lstm else None
    params = {"mode": mode, "sizes": sizes, "backwards": False}
    shapes = [(rows, hidden), (batch, hidden), (batch, hidden) if lstm else none, (rows, hidden) if lstm else none, kept]
    given = normal(rows, gates * hidden)
    gradient = normal(rows, hidden)

    def run() -> list[Any]:
        made = call("recurrence", shapes, given, state, cell, weight, None, **params)
        wide = (rows, gates * hidden)
        back = [wide, wide if mode == "GRU" else none, (batch, hidden), (batch, hidden) if lstm else none]
        output, _, _, cells, kept = made
        return made + call("recurrence_gradient", back, gradient, None, None, state, cell, weight, output, cells, kept, **params)

    return run


def channels_last(g: Any, x: Any, mean: Any, variance: Any, weight: Any) -> list[Any]:
    """The gradients of batch_norm of arrays with the channels innermost."""
    outs = operand(np.zeros(x.shape[:1] + x.shape[2:] + x.shape[1:2], x.dtype).transpose(0, 3, 1, 2)), empty(70), empty(70)
    BACKEND.kernel("batch_norm_gradient")(outs, *map(operand, (g, x, mean, variance, weight)), eps=1e-5, training=True)
    return [np.array(numpy_view(o)) for o in outs]


def grouped(g: Any, x: Any, weight: Any) -> list[Any]:
    """group_norm of the same, and its gradients."""

    def room() -> Any:
        return operand(np.zeros(x.shape[:1] + x.shape[2:] + x.shape[1:2], x.dtype).transpose(0, 3, 1, 2))

    params, given = {"groups": 10, "eps": 1e-5}, [operand(a) for a in (g, x, weight)]
    made = room(), empty(9, 10), empty(9, 10)
    BACKEND.kernel("group_norm")(made, given[1], given[2], None, **params)
    outs = room(), empty(70), empty(70)
    BACKEND.kernel("group_norm_gradient")(outs, *given, *made[1:], **params)
    return [np.array(numpy_view(o)) for o in made + outs]


def case(op: str) -> Any:
    if op == "cross_entropy":
        x, target = normal(300, 900), RNG.integers(0, 900, 300)
        params = {"axis": 1, "smoothing": 0.1, "ignored": -100, "reduction": "mean"}
        return lambda: call(op, [(), (300,)], x, target, None, dtypes=("float32", "float64"), **params)
    if op == "layer_norm_gradient":
        g, x, w, mean, rstd = normal(700, 300), normal(700, 300), normal(300), normal(700), np.abs(normal(700))
        return lambda: call(op, [(700, 300), (300,), (300,)], g, x, w, mean, rstd, ndim=1, eps=1e-5)
    if op == "batch_norm_gradient":
        g, x, w, mean, variance = normal(30, 9, 500), normal(30, 9, 500), normal(9), normal(9), np.abs(normal(9))
        return lambda: call(op, [(30, 9, 500), (9,), (9,)], g, x, mean, variance, w, eps=1e-5, training=True)
    if op == "attention":
        q, k, v = normal(3, 200, 24), normal(3, 700, 24), normal(3, 700, 20)
        return lambda: call(op, [(3, 200, 20), (3, 200)], q, k, v, None, scale=0.2, causal=True)
    if op == "attention_gradient":  # one head, whose blocks of queries are divided
        q, k, v, g, logs = normal(1, 400, 24), normal(1, 700, 24), normal(1, 700, 20), normal(1, 400, 20), normal(1, 400) + 9
        return lambda: call(op, [q.shape, k.shape, v.shape], g, q, k, v, None, g, logs, scale=0.2, causal=True)
    if op == "channels innermost":
        g, x = (normal(9, 20, 20, 70).transpose(0, 3, 1, 2) for _ in range(2))
        w, mean, variance = normal(70), normal(70), np.abs(normal(70))
        return lambda: [*channels_last(g, x, mean, variance, w), *call("channel_moments", [(70,), (70,)], x), *grouped(g, x, w)]
    return sequence(op, {"LSTM": 4, "GRU": 3, "RNN_TANH": 1}[op], 11, 100)


@pytest.mark.parametrize(
    "op", ["cross_entropy", "layer_norm_gradient", "batch_norm_gradient", "attention", "attention_gradient", "channels innermost", "LSTM",
           "GRU", "RNN_TANH"],
)
def test_results_do_not_depend_on_the_number_of_threads(op: str) -> None:
    run, found = case(op), []
    for threads in (1, 2, 3):
        BACKEND.set_num_threads(threads)
        found.append(run())
    for other in found[1:]:
        for a, b in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    "op", ["relu_gradient", "sigmoid_gradient", "tanh_gradient", "silu_gradient", "softplus_gradient", "gelu_gradient",
           "gelu_tanh_gradient", "hardsigmoid_gradient", "hardswish_gradient", "mish_gradient", "softmax_gradient", "log_softmax_gradient"],
)  # fmt: skip
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_gradient_that_is_one_number_repeated(op: str, dtype: str) -> None:
    params = {"axis": 1} if "softmax" in op else {}
    for shape in ((3, 5), (40, 90)):
        at = normal(*shape).astype(dtype)
        repeated = np.broadcast_to(np.array(0.75, dtype), shape)
        by_rows = np.broadcast_to(normal(shape[0], 1).astype(dtype), shape)
        for gradient in (repeated, by_rows):
            (found,) = call(op, [shape], gradient, at, dtypes=(dtype,), **params)
            (expected,) = call(op, [shape], gradient.copy(), at, dtypes=(dtype,), **params)
            np.testing.assert_array_equal(found, expected)


NUMBERS = {
    "leaky_relu": (0.3,), "elu": (1.5, 0.75, 2.0), "hardshrink": (0.5,), "softshrink": (0.3,), "where_finite": (1.5, 2.0, -3.0),
    "leaky_relu_gradient": (0.3,), "elu_gradient": (1.5, 0.75, 2.0), "hardtanh_gradient": (-0.5, 0.75), "shrink_gradient": (0.5,),
    "scaled_softplus": (1.5, 4.0), "huber": (0.75,),
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("op", NUMBERS)
def test_numbers_are_as_arrays_of_them(op: str, dtype: str) -> None:
    for n in (0, 1, 7, 16, 45, 70_000):
        x = normal(n, 2).astype(dtype)
        x[n // 2 : n // 2 + 1] = np.inf if "gradient" in op else np.nan
        inputs = [x[::-1, 1], x[:, 0]] if "gradient" in op else [x[:, 0]]
        for given in (inputs, [np.ascontiguousarray(v) for v in inputs]):
            (by_arrays,) = call(op, [(n,)], *given, *[np.full(n, v, dtype) for v in NUMBERS[op]], dtypes=(dtype,))
            numbers = [float(np.array(v, dtype)) for v in NUMBERS[op]]
            out = empty(n, dtype=dtype)
            BACKEND.kernel(op)(out, *[operand(v) for v in given], *numbers)
            np.testing.assert_array_equal(np.array(numpy_view(out)), by_arrays)


def test_a_long_cross_entropy_keeps_the_digits_of_large_scores() -> None:
    x = normal(3, 50_257) + np.float32(1e4)
    target = np.array([0, 50_256, 17])
    loss, logs = call("cross_entropy", [(3,), (3,)], x, target, None, dtypes=("float32", "float64"), axis=1, smoothing=0.0,
                      ignored=-100, reduction="none")  # fmt: skip
    wide = x.astype(float)
    expected = np.log(np.exp(wide - wide.max(1, keepdims=True)).sum(1)) + wide.max(1)
    np.testing.assert_allclose(loss, expected - wide[np.arange(3), target], rtol=2e-6)
    (slope,) = call("cross_entropy_gradient", [x.shape], np.ones(3, "float32"), x, target, None, logs, axis=1, smoothing=0.0,
                    ignored=-100, reduction="none")  # fmt: skip
    chances = np.exp(wide - expected[:, None])
    chances[np.arange(3), target] -= 1
    np.testing.assert_allclose(slope, chances, rtol=2e-5, atol=1e-9)


def test_a_mean_far_from_zero_does_not_spoil_the_deviation() -> None:
    x = normal(4, 3000) * 1e-2 + np.float32(100)
    _, mean, rstd = call("layer_norm", [x.shape, (4,), (4,)], x, None, None, ndim=1, eps=0.0)
    np.testing.assert_allclose(mean, x.astype(float).mean(1), rtol=1e-6)
    np.testing.assert_allclose(rstd, 1 / x.astype(float).std(1), rtol=1e-4)


def test_a_query_that_sees_nothing_gets_zeros() -> None:
    q = normal(1, 2, 8)
    mask = np.array([[[False, False], [True, False]]])
    out, logs = call("attention", [(1, 2, 8), (1, 2)], q, q, q, mask, scale=1.0, causal=False)
    assert (out[0, 0] == 0).all() and logs[0, 0] == np.inf
    np.testing.assert_allclose(out[0, 1], q[0, 0], rtol=1e-6)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("queries", "keys"), [(1, 1), (3, 17), (33, 16), (65, 65), (64, 513), (130, 1030)])
def test_attention_at_the_edges_of_vectors_and_tiles(dtype: str, queries: int, keys: int) -> None:
    q, k, v, g = (normal(2, *shape).astype(dtype) for shape in ((queries, 5), (keys, 5), (keys, 7), (queries, 7)))
    q[0, 0] *= 30  # the greatest weight is far above the others
    mask = RNG.standard_normal((2, queries, keys)) < 0.7
    mask[..., : keys // 2] &= np.arange(queries)[:, None] % 3 > 0  # for some, nothing is seen for long
    mask[1, -1] = False
    wide_q, wide_k, wide_v, wide_g = (x.astype(float) for x in (q, k, v, g))
    scores = np.where(mask, wide_q @ wide_k.mT * 0.4, -np.inf)
    greatest = np.where(mask.any(-1), scores.max(-1), 0)
    sums = np.exp(scores - greatest[..., None]).sum(-1)
    seen = sums > 0
    with np.errstate(divide="ignore"):
        logs = np.where(seen, greatest + np.log(sums), np.inf)
    weights = np.exp(scores - logs[..., None])
    result = weights @ wide_v
    of_scores = weights * (wide_g @ wide_v.mT - (wide_g * result).sum(-1, keepdims=True)) * 0.4
    expected = [result, of_scores @ wide_k, of_scores.mT @ wide_q, weights.mT @ wide_g]

    params: Any = {"scale": 0.4, "causal": False}
    made, found_logs = call("attention", [g.shape, g.shape[:2]], q, k, v, mask, dtypes=(dtype,) * 2, **params)
    slopes = call("attention_gradient", [q.shape, k.shape, v.shape], g, q, k, v, mask, made, found_logs, dtypes=(dtype,) * 3, **params)
    eps = np.finfo(dtype).eps
    largest = np.abs(scores[mask]).max(initial=1)  # whose last digit is what the weights' errors come from
    np.testing.assert_allclose(found_logs[seen], logs[seen], rtol=0, atol=16 * largest * eps)
    assert (found_logs[~seen] == np.inf).all() and (made[~seen] == 0).all()
    for found, wanted, terms in zip([made, *slopes], expected, (keys, keys, queries, queries), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=0, atol=(64 * largest + terms) * eps * max(1, np.abs(wanted).max()))


def test_targets_are_checked_before_anything_is_written() -> None:
    params: Any = {"axis": 1, "smoothing": 0.0, "ignored": -100, "reduction": "none"}
    for wrong in (-1, 5):
        out, logs = empty(3), empty(3, dtype="float64")
        with pytest.raises(IndexError, match="out of bounds"):
            BACKEND.kernel("cross_entropy")((out, logs), operand(normal(3, 5)), operand(np.array([0, wrong, 1])), None, **params)
        assert (numpy_view(out) == 7).all() and (numpy_view(logs) == 7).all()


@pytest.mark.parametrize(
    ("op", "shapes", "inputs", "params"),
    [
        ("softmax_gradient", [(3, 4)], [(3, 4), (4, 3)], {"axis": 0}),
        ("softmax_gradient", [(3, 4)], [(3, 4), (3, 4)], {"axis": 2}),
        ("layer_norm", [(3, 4), (3,), (3,)], [(3, 4), (3,), None], {"ndim": 1, "eps": 0.1}),
        ("layer_norm", [(3, 4), (3,), (3,)], [(3, 4), None, None], {"ndim": 3, "eps": 0.1}),
        ("layer_norm", [(3, 4), (4,), (3,)], [(3, 4), None, None], {"ndim": 1, "eps": 0.1}),
        ("group_norm", [(2, 4, 3), (2, 3), (2, 3)], [(2, 4, 3), None, None], {"groups": 3, "eps": 0.1}),
        ("batch_norm", [(2, 4)], [(2, 4), (4,), (3,), None, None], {"eps": 0.1}),
        ("attention", [(2, 3, 4), (2, 3)], [(2, 3, 4), (2, 5, 3), (2, 5, 4), None], {"scale": 1.0, "causal": False}),
        ("attention", [(2, 3, 4), (2, 3)], [(2, 3, 4), (2, 5, 4), (2, 5, 4), (2, 5, 3)], {"scale": 1.0, "causal": False}),
        ("recurrence", [(3, 2), (3, 2), (0,), (0,), (0,)], [(4, 2), (3, 2), None, (2, 2), None],
         {"mode": "RNN_TANH", "sizes": (3,), "backwards": False}),
        ("recurrence", [(4, 2), (1, 2), (0,), (0,), (0,)], [(4, 2), (1, 2), None, (2, 2), None],
         {"mode": "RNN_TANH", "sizes": (1, 3), "backwards": False}),
        ("recurrence", [(3, 2), (3, 2), (0,), (0,), (0,)], [(3, 2), (3, 2), None, (2, 2), None],
         {"mode": "ELMAN", "sizes": (3,), "backwards": False}),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(op: str, shapes: Any, inputs: Any, params: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        call(op, shapes, *[None if s is None else normal(*s) for s in inputs], **params)
