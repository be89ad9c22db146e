"""Inputs of losses, normalisations, recurrences, attention, dropout, weights of few bits: a gradient is given what its op makes."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from lamina_flatarray import DType
from lamina_flatarray import dtypes as dt
from lamina_ndarray.layers.recurrences import GATES

from .maker import Array, Maker, Params, Sample, Shape, Variants
from .values import numbers

__all__ = ["MAKERS"]


def _wide(dtype: DType) -> DType:
    return dt.float32 if dtype.itemsize < 4 else dtype


# -- classes -----------------------------------------------------------------------------------------------------------

_SCORES: Final = (((4, 5), 1), ((3, 7, 2), 1), ((6,), 0), ((2, 40, 3, 2), 1), ((5, 1), 1))


def _entropies() -> Variants:
    for shape, axis in _SCORES:
        for reduction in ("none", "mean", "sum"):
            for smoothing in (0.0, 0.25):
                yield shape, {"axis": axis, "smoothing": smoothing, "ignored": -100, "reduction": reduction}


def _likelihoods() -> Variants:
    for shape, axis in _SCORES:
        for reduction in ("none", "mean", "sum"):
            yield shape, {"axis": axis, "ignored": -100, "reduction": reduction}


def _transposed_likelihoods() -> Variants:
    for shape, params in _likelihoods():
        axis = params["axis"]
        yield (*shape[:axis], *shape[axis + 1 :]), {**params, "classes": shape[axis]}


def _classes(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    axis = params["axis"]
    if op == "nll_loss_gradient":
        shape = (*shape[:axis], params["classes"], *shape[axis:])
    rows = (*shape[:axis], *shape[axis + 1 :])
    target = (np.arange(int(np.prod(rows, dtype=int)), dtype=np.int64) * 3 % shape[axis]).reshape(rows)
    if target.size > 2:
        target.reshape(-1)[1] = params["ignored"]
    weight = np.abs(numbers(2, shape[axis : axis + 1], dtype)) + 0.5 if shape[axis] % 2 else None
    weight = None if weight is None else weight.astype(dtype.numpy)
    x = numbers(0, shape, dtype)
    losses = rows if params["reduction"] == "none" else ()
    gradient = numbers(1, losses, dtype)
    if op == "cross_entropy":
        return Sample([x, target, weight], [(losses, dtype), (rows, dt.float64)])
    if op == "nll_loss":
        return Sample([x, target, weight], [(losses, dtype)])
    if op == "nll_loss_gradient":
        return Sample([gradient, target, weight], [(shape, dtype)])
    wide = x.astype(np.float64)
    return Sample([gradient, x, target, weight, np.log(np.exp(wide).sum(axis))], [(shape, dtype)])


def _margins() -> Variants:
    for shape in ((4, 5), (3, 40), (1, 1), (6, 2)):
        for reduction in ("none", "mean", "sum"):
            for p in (1, 2):
                yield shape, {"p": p, "margin": 0.75, "reduction": reduction}


def _missed(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    target = np.arange(shape[0], dtype=np.int64) * 3 % shape[1]
    weight = (np.abs(numbers(2, shape[1:], dtype)) + 0.5).astype(dtype.numpy) if shape[1] % 2 else None
    x = numbers(0, shape, dtype)
    losses = shape[:1] if params["reduction"] == "none" else ()
    if op == "multi_margin_loss":
        return Sample([x, target, weight], [(losses, dtype)])
    return Sample([numbers(1, losses, dtype), x, target, weight], [(shape, dtype)])


# -- normalisations ----------------------------------------------------------------------------------------------------

_ROWS: Final = (((3, 4), 1), ((2, 3, 5), 2), ((2, 2, 33), 1), ((7,), 1), ((40, 6), 1), ((2, 1100), 1))
_IMAGES: Final = (((2, 6, 3, 4), 3), ((3, 4, 5), 4), ((2, 4, 1, 1), 2), ((1, 2, 9), 1))
_BATCHES: Final = ((2, 6, 3, 4), (3, 5, 4), (7, 3), (70, 130), (2, 2, 40))


def _rows() -> Variants:
    return ((shape, {"ndim": ndim, "eps": 1e-5}) for shape, ndim in _ROWS)


def _groups() -> Variants:
    return ((shape, {"groups": groups, "eps": 1e-5}) for shape, groups in _IMAGES)


def _plain_batches() -> Variants:
    return ((shape, {}) for shape in _BATCHES)


def _batches() -> Variants:
    return ((shape, {"eps": 1e-3}) for shape in _BATCHES)


def _batch_gradients() -> Variants:
    return ((shape, {"eps": 1e-3, "training": training}) for shape in _BATCHES for training in (False, True))


def _normalised(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    wide = _wide(dtype)
    kind = op.removesuffix("_gradient")
    if kind in ("layer_norm", "rms_norm"):
        at = len(shape) - params["ndim"]
        lead, vector = shape[:at], shape[at:]
    elif kind == "group_norm":
        lead, vector = (shape[0], params["groups"]), shape[1:2]
    else:
        lead, vector = shape[1:2], shape[1:2]
    x, gradient = numbers(0, shape, dtype), numbers(1, shape, dtype)
    affine = shape[-1] % 2 == 0
    weight = numbers(2, vector, dtype) if affine else None
    bias = numbers(3, vector, dtype) if affine else None
    statistics: list[Array] = [numbers(4, lead, wide), np.abs(numbers(5, lead, wide)) + 0.5]
    statistics = [s.astype(wide.numpy) for s in statistics]
    if op == "channel_moments":
        return Sample([x], [(vector, wide), (vector, wide)])
    if op == "batch_norm":
        return Sample([x, *statistics, weight, bias], [(shape, dtype)])
    if op == "batch_norm_gradient":
        return Sample([gradient, x, *statistics, weight], [(shape, dtype), (vector, dtype), (vector, dtype)])
    if op == "rms_norm":
        return Sample([x, weight], [(shape, dtype), (lead, wide)])
    if op == "rms_norm_gradient":
        return Sample([gradient, x, weight, statistics[1]], [(shape, dtype), (vector, dtype)])
    if op in ("layer_norm", "group_norm"):
        return Sample([x, weight, bias], [(shape, dtype), (lead, wide), (lead, wide)])
    return Sample([gradient, x, weight, *statistics], [(shape, dtype), (vector, dtype), (vector, dtype)])


# -- sequences ---------------------------------------------------------------------------------------------------------

_SEQUENCES: Final = ((3, (2, 2, 2)), (18, (9, 9)), (5, (3, 2, 2, 1)), (33, (1,)))


def _sequences() -> Variants:
    for mode, gates in GATES.items():
        for hidden, sizes in _SEQUENCES:
            for backwards in (False, True):
                yield (sum(sizes), gates * hidden), {"mode": mode, "sizes": sizes, "backwards": backwards}


def _recurrent(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    mode, sizes = params["mode"], params["sizes"]
    rows, wide = shape
    hidden, lstm = wide // GATES[mode], mode == "LSTM"
    steps: Shape = (rows, hidden)
    batch: Shape = (sizes[0], hidden)
    nothing: Shape = (0,)
    cells = steps if lstm else nothing
    kept = (rows, 4 * hidden) if lstm or mode == "GRU" else nothing

    def of(position: int, shape: Shape) -> Array:
        return (numbers(position, shape, dtype) / 4).astype(dtype.numpy)

    state, cell_state, weight = of(1, batch), of(2, batch) if lstm else None, of(3, (wide, hidden))
    if op == "recurrence":
        bias = of(4, (wide,)) if mode == "GRU" else None
        results = [steps, batch, batch if lstm else nothing, cells, kept]
        return Sample([of(0, shape), state, cell_state, weight, bias], [(s, dtype) for s in results])
    last = of(5, batch) if hidden % 2 else None
    last_cell = of(6, batch) if lstm and hidden % 2 else None
    inputs = [of(0, steps), last, last_cell, state, cell_state, weight, of(7, steps), of(8, cells), np.abs(of(9, kept))]
    of_hidden: Shape = shape if mode == "GRU" else nothing
    results = [shape, of_hidden, batch, batch if lstm else nothing]
    return Sample(inputs, [(s, dtype) for s in results])


# -- attention ---------------------------------------------------------------------------------------------------------

_ATTENTIONS: Final = ((2, 3, 5, 4), (7, 3), (1, 70, 8), (2, 1, 2, 1))


def _attentions() -> Variants:
    for shape in _ATTENTIONS:
        for causal in (False, True):
            yield shape, {"scale": 0.5, "causal": causal}


def _attentive(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    *lead, queries, features = shape
    keys, values = queries + 2, features + 1
    of_key, of_value, result = (*lead, keys, features), (*lead, keys, values), (*lead, queries, values)
    query, key, value = (numbers(i, s, dtype) for i, s in enumerate((shape, of_key, of_value)))
    mask: Any = None
    if not params["causal"]:  # of either kind; one query sees nothing
        mask = numbers(3, (*lead, queries, keys), dtype if len(shape) % 2 else dt.bool)
        mask[..., 0, :] = False if mask.dtype == bool else -np.inf
    if op == "attention":
        return Sample([query, key, value, mask], [(result, dtype), ((*lead, queries), _wide(dtype))])
    scores = query.astype(float) @ np.swapaxes(key, -1, -2).astype(float) * params["scale"]
    if mask is not None:
        scores = np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask
    if params["causal"]:
        scores = np.where(np.arange(queries)[:, None] >= np.arange(keys), scores, -np.inf)
    with np.errstate(divide="ignore"):
        logs = np.log(np.exp(scores).sum(-1))
    logs = np.where(np.isinf(logs), np.inf, logs)
    output = (np.exp(scores - logs[..., None]) @ value.astype(float)).astype(dtype.numpy)
    gradient, logs = numbers(4, result, dtype), logs.astype(_wide(dtype).numpy)
    return Sample([gradient, query, key, value, mask, output, logs], [(s, dtype) for s in (shape, of_key, of_value)])


# -- weights of few bits ------------------------------------------------------------------------------------------------

_QUANTIZED: Final = (
    ((3, 64), 5, 32), ((2, 2, 70), 3, 32), ((7,), 2, 7), ((9, 33), 4, 40), ((1, 300), 20, 128), ((0, 6), 3, 2), ((2, 5), 0, 4),
)  # fmt: skip


def _quantized() -> Variants:
    for (*lead, length), channels, group_size in _QUANTIZED:
        for bits in (8, 4):
            yield (*lead, length, channels), {"bits": bits, "group_size": group_size}


def _transposed_quantized() -> Variants:
    for shape, params in _quantized():
        yield shape, {**params, "length": shape[-2]}


def _of_few_bits(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    *lead, length, channels = shape
    bits, groups = params["bits"], -(-length // params["group_size"])
    columns = length if bits == 8 else (length + 1) // 2
    step = np.arange(channels * columns).reshape(channels, columns) * 37
    weight = (step % 256 - 128).astype(np.int8) if bits == 8 else (step % 256).astype(np.uint8)
    scale = ((np.abs(numbers(1, (channels, groups), dt.float32)) + 0.5) / 2 ** (bits + 2)).astype(np.float32)
    zero_point = None if length % 2 else numbers(2, (channels, groups), dt.float32)
    of_rows, of_results = (*lead, length), (*lead, channels)
    if op == "quantized_linear_gradient":
        return Sample([numbers(0, of_results, dtype), weight, scale, zero_point], [(of_rows, dtype)])
    bias = numbers(3, (channels,), dtype) if channels % 2 else None
    return Sample([numbers(0, of_rows, dtype), weight, scale, zero_point, bias], [(of_results, dtype)])


# -- dropout -----------------------------------------------------------------------------------------------------------

def _droppings() -> Variants:
    for n in (0, 1, 7, 8, 70, 3000):
        for p in (0.0, 0.3, 0.9):
            yield (n,), {"p": p}


def _dropped(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    bits = ((shape[0] + 7) // 8,)
    x = numbers(0, shape, dtype)
    if op == "dropout":
        return Sample([x], [(shape, dtype), (bits, dt.uint8)])
    return Sample([x, np.arange(bits[0], dtype=np.uint8) * 29], [(shape, dtype)])


MAKERS: Final = {
    "cross_entropy": Maker(_entropies, _classes),
    "cross_entropy_gradient": Maker(_entropies, _classes),
    "nll_loss": Maker(_likelihoods, _classes),
    "nll_loss_gradient": Maker(_transposed_likelihoods, _classes),
    "multi_margin_loss": Maker(_margins, _missed),
    "multi_margin_loss_gradient": Maker(_margins, _missed),
    "layer_norm": Maker(_rows, _normalised),
    "layer_norm_gradient": Maker(_rows, _normalised),
    "rms_norm": Maker(_rows, _normalised),
    "rms_norm_gradient": Maker(_rows, _normalised),
    "group_norm": Maker(_groups, _normalised),
    "group_norm_gradient": Maker(_groups, _normalised),
    "channel_moments": Maker(_plain_batches, _normalised),
    "batch_norm": Maker(_batches, _normalised),
    "batch_norm_gradient": Maker(_batch_gradients, _normalised),
    "recurrence": Maker(_sequences, _recurrent),
    "recurrence_gradient": Maker(_sequences, _recurrent),
    "attention": Maker(_attentions, _attentive),
    "attention_gradient": Maker(_attentions, _attentive),
    "quantized_linear": Maker(_quantized, _of_few_bits),
    "quantized_linear_gradient": Maker(_transposed_quantized, _of_few_bits),
    "dropout": Maker(_droppings, _dropped),
    "dropout_gradient": Maker(_droppings, _dropped),
}
"""By the name that an op's record gives."""
