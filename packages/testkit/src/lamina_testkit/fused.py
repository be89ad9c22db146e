"""The cases of fused ops whose inputs differ in shape or dtype: what goes in, and of what shape and dtype the results are."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from lamina_flatarray import DType
from lamina_flatarray import dtypes as dt
from lamina_ndarray.layers.recurrences import GATES

from .values import numbers

__all__ = ["FUSED", "inputs_of", "outputs_of"]

Shape = tuple[int, ...]
Params = dict[str, Any]
Variants = Iterator[tuple[Shape, Params]]
Array = np.ndarray[Any, Any]


def _wide(dtype: DType) -> DType:
    return dt.float32 if dtype.itemsize < 4 else dtype


# -- classes ------------------------------------------------------------------------------------------------------------

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


def _classes(op: str, shape: Shape, params: Params, dtype: DType) -> tuple[list[Any], list[tuple[Shape, DType]]]:
    axis = params["axis"]
    if op == "nll_loss_gradient":
        shape = (*shape[:axis], params["classes"], *shape[axis:])
    rows = (*shape[:axis], *shape[axis + 1 :])
    target = (np.arange(int(np.prod(rows, dtype=int)), dtype=np.int64) * 3 % shape[axis]).reshape(rows)
    if target.size > 2:
        target.reshape(-1)[1] = params["ignored"]
    weight = np.abs(numbers(op, 2, "plain", shape[axis : axis + 1], dtype)) + 0.5 if shape[axis] % 2 else None
    weight = None if weight is None else weight.astype(dtype.numpy)
    x = numbers(op, 0, "plain", shape, dtype)
    losses = rows if params["reduction"] == "none" else ()
    gradient = numbers(op, 1, "plain", losses, dtype)
    if op == "cross_entropy":
        return [x, target, weight], [(losses, dtype), (rows, dt.float64)]
    if op == "nll_loss":
        return [x, target, weight], [(losses, dtype)]
    if op == "nll_loss_gradient":
        return [gradient, target, weight], [(shape, dtype)]
    wide = x.astype(np.float64)
    return [gradient, x, target, weight, np.log(np.exp(wide).sum(axis))], [(shape, dtype)]


# -- normalisations -----------------------------------------------------------------------------------------------------

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


def _normalised(op: str, shape: Shape, params: Params, dtype: DType) -> tuple[list[Any], list[tuple[Shape, DType]]]:
    wide = _wide(dtype)
    kind = op.removesuffix("_gradient")
    if kind in ("layer_norm", "rms_norm"):
        at = len(shape) - params["ndim"]
        lead, vector = shape[:at], shape[at:]
    elif kind == "group_norm":
        lead, vector = (shape[0], params["groups"]), shape[1:2]
    else:
        lead, vector = shape[1:2], shape[1:2]
    x, gradient = numbers(op, 0, "plain", shape, dtype), numbers(op, 1, "plain", shape, dtype)
    given = shape[-1] % 2 == 0
    weight = numbers(op, 2, "plain", vector, dtype) if given else None
    bias = numbers(op, 3, "plain", vector, dtype) if given else None
    statistics: list[Array] = [numbers(op, 4, "plain", lead, wide), np.abs(numbers(op, 5, "plain", lead, wide)) + 0.5]
    statistics = [s.astype(wide.numpy) for s in statistics]
    if op == "channel_moments":
        return [x], [(vector, wide), (vector, wide)]
    if op == "batch_norm":
        return [x, *statistics, weight, bias], [(shape, dtype)]
    if op == "batch_norm_gradient":
        return [gradient, x, *statistics, weight], [(shape, dtype), (vector, dtype), (vector, dtype)]
    if op == "rms_norm":
        return [x, weight], [(shape, dtype), (lead, wide)]
    if op == "rms_norm_gradient":
        return [gradient, x, weight, statistics[1]], [(shape, dtype), (vector, dtype)]
    if op in ("layer_norm", "group_norm"):
        return [x, weight, bias], [(shape, dtype), (lead, wide), (lead, wide)]
    return [gradient, x, weight, *statistics], [(shape, dtype), (vector, dtype), (vector, dtype)]


# -- sequences ----------------------------------------------------------------------------------------------------------

_SEQUENCES: Final = ((3, (2, 2, 2)), (18, (9, 9)), (5, (3, 2, 2, 1)), (33, (1,)))


def _sequences() -> Variants:
    for mode, gates in GATES.items():
        for hidden, sizes in _SEQUENCES:
            for backwards in (False, True):
                yield (sum(sizes), gates * hidden), {"mode": mode, "sizes": sizes, "backwards": backwards}


def _recurrent(op: str, shape: Shape, params: Params, dtype: DType) -> tuple[list[Any], list[tuple[Shape, DType]]]:
    mode, sizes = params["mode"], params["sizes"]
    rows, wide = shape
    hidden, lstm = wide // GATES[mode], mode == "LSTM"
    steps: Shape = (rows, hidden)
    batch: Shape = (sizes[0], hidden)
    nothing: Shape = (0,)
    cells = steps if lstm else nothing
    kept = (rows, 4 * hidden) if lstm or mode == "GRU" else nothing

    def of(position: int, shape: Shape) -> Array:
        return (numbers(op, position, "plain", shape, dtype) / 4).astype(dtype.numpy)

    state, cell_state, weight = of(1, batch), of(2, batch) if lstm else None, of(3, (wide, hidden))
    if op == "recurrence":
        bias = of(4, (wide,)) if mode == "GRU" else None
        results = [steps, batch, batch if lstm else nothing, cells, kept]
        return [of(0, shape), state, cell_state, weight, bias], [(s, dtype) for s in results]
    last = of(5, batch) if hidden % 2 else None
    last_cell = of(6, batch) if lstm and hidden % 2 else None
    given = [of(0, steps), last, last_cell, state, cell_state, weight, of(7, steps), of(8, cells), np.abs(of(9, kept))]
    of_hidden: Shape = shape if mode == "GRU" else nothing
    results = [shape, of_hidden, batch, batch if lstm else nothing]
    return given, [(s, dtype) for s in results]


# -- attention ----------------------------------------------------------------------------------------------------------

_ATTENTIONS: Final = ((2, 3, 5, 4), (7, 3), (1, 70, 8), (2, 1, 2, 1))


def _attentions() -> Variants:
    for shape in _ATTENTIONS:
        for causal in (False, True):
            yield shape, {"scale": 0.5, "causal": causal}


def _attentive(op: str, shape: Shape, params: Params, dtype: DType) -> tuple[list[Any], list[tuple[Shape, DType]]]:
    *lead, queries, features = shape
    keys, values = queries + 2, features + 1
    of_key, of_value, result = (*lead, keys, features), (*lead, keys, values), (*lead, queries, values)
    query, key, value = (numbers(op, i, "plain", s, dtype) for i, s in enumerate((shape, of_key, of_value)))
    mask: Any = None
    if not params["causal"]:  # of either kind; one query sees nothing
        mask = numbers(op, 3, "plain", (*lead, queries, keys), dtype if len(shape) % 2 else dt.bool)
        mask[..., 0, :] = False if mask.dtype == bool else -np.inf
    if op == "attention":
        return [query, key, value, mask], [(result, dtype), ((*lead, queries), _wide(dtype))]
    scores = query.astype(float) @ np.swapaxes(key, -1, -2).astype(float) * params["scale"]
    if mask is not None:
        scores = np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask
    if params["causal"]:
        scores = np.where(np.arange(queries)[:, None] >= np.arange(keys), scores, -np.inf)
    with np.errstate(divide="ignore"):
        logs = np.log(np.exp(scores).sum(-1))
    logs = np.where(np.isinf(logs), np.inf, logs)
    output = (np.exp(scores - logs[..., None]) @ value.astype(float)).astype(dtype.numpy)
    gradient, logs = numbers(op, 4, "plain", result, dtype), logs.astype(_wide(dtype).numpy)
    return [gradient, query, key, value, mask, output, logs], [(s, dtype) for s in (shape, of_key, of_value)]


# -- dropout ------------------------------------------------------------------------------------------------------------


def _droppings() -> Variants:
    for n in (0, 1, 7, 8, 70, 3000):
        for p in (0.0, 0.3, 0.9):
            yield (n,), {"p": p}


def _dropped(op: str, shape: Shape, params: Params, dtype: DType) -> tuple[list[Any], list[tuple[Shape, DType]]]:
    bits = ((shape[0] + 7) // 8,)
    x = numbers(op, 0, "plain", shape, dtype)
    if op == "dropout":
        return [x], [(shape, dtype), (bits, dt.uint8)]
    return [x, np.arange(bits[0], dtype=np.uint8) * 29], [(shape, dtype)]


# -- many arrays --------------------------------------------------------------------------------------------------------


def _norms() -> Variants:
    for shape in ((3, 4), (), (1,), (70, 130), (2, 20_000)):
        for order in (1.0, 2.0, math.inf, -math.inf, 3.0):
            yield shape, {"order": order}


def _many(op: str, shape: Shape, params: Params, dtype: DType) -> tuple[list[Any], list[tuple[Shape, DType]]]:
    arrays = [numbers(op, i, "plain", s, dtype) for i, s in enumerate((shape, (5,), shape))]
    return arrays, [((), dtype.to_real() if dtype.is_complex else dtype)]


# -- tables of weights --------------------------------------------------------------------------------------------------

_WEIGHTED: Final = (
    # shape, axis, count, terms
    ((3, 7, 5), 1, 9, 3), ((2, 3, 20), 2, 33, 2), ((19, 6), 1, 11, 4), ((4, 40), 0, 2, 3), ((5,), 0, 4, 1), ((0, 3), 1, 2, 2),
)  # fmt: skip


def _weighted() -> Variants:
    for shape, axis, count, terms in _WEIGHTED:
        places = np.arange(count * terms, dtype=np.int64).reshape(count, terms) * 3 % shape[axis]
        weights = (places - 1.0) / 2 if terms > 1 else np.ones((count, terms))
        for used in (None, (places + np.arange(terms)) % 3 > 0):
            yield shape, {"axis": axis, "places": places, "weights": weights, "used": used}


def _summed(op: str, shape: Shape, params: Params, dtype: DType) -> tuple[list[Any], list[tuple[Shape, DType]]]:
    axis = params["axis"]
    return [numbers(op, 0, "plain", shape, dtype)], [((*shape[:axis], len(params["places"]), *shape[axis + 1 :]), dtype)]


# -- each item once -----------------------------------------------------------------------------------------------------


def _lines() -> Variants:
    return (((n,), {"ordered": ordered}) for n in (0, 1, 7, 40, 700) for ordered in (False, True))


def _told_apart(op: str, shape: Shape, params: Params, dtype: DType) -> tuple[list[Any], list[tuple[Shape, DType]]]:
    x = np.round(numbers(op, 0, "plain", shape, dtype)).astype(dtype.numpy)  # some of them are equal
    return [x], [(shape, dtype), *[(shape, dt.int64)] * 3, ((), dt.int64)]


# -- counts -------------------------------------------------------------------------------------------------------------


def _binnings() -> Variants:
    return (((n,), {"low": -2.0, "high": 1.5}) for n in (0, 1, 40, 700))


def _weighings() -> Variants:
    return (((n,), {}) for n in (0, 1, 7, 40, 701))


def _counted(op: str, shape: Shape, params: Params, dtype: DType) -> tuple[list[Any], list[tuple[Shape, DType]]]:
    x = numbers(op, 0, "plain", shape, dtype)
    if op == "histc":
        return [x], [((6,), dt.int64)]
    weights = numbers(op, 1, "plain", shape, dtype) if shape[0] % 2 else None
    added = dt.int64 if weights is None else dtype
    if op == "bincount":
        weights = None if weights is None else weights.astype(np.float64)
        return [np.abs(x.astype(np.int64)).astype(dtype.numpy), weights], [((20,), dt.int64 if weights is None else dt.float64)]
    return [x, np.array([-1.5, -1, 0.25, 2, 2.25]).astype(dtype.numpy), weights], [((4,), added)]


# -- pairs --------------------------------------------------------------------------------------------------------------


def _single() -> Variants:
    return ((shape, {}) for shape in ((3, 4), (2, 1, 5), (), (0, 3), (33, 3), (3000,)))


def _compared(op: str, shape: Shape, params: Params, dtype: DType) -> tuple[list[Any], list[tuple[Shape, DType]]]:
    x = numbers(op, 0, "plain", shape, dtype)
    other = x.copy()
    if len(shape) != 2 and x.size:
        other.reshape(-1)[-1] = numbers(op, 1, "plain", (2,), dtype)[1]
    return [x, other], [((), dt.bool)]


def _taken_apart(op: str, shape: Shape, params: Params, dtype: DType) -> tuple[list[Any], list[tuple[Shape, DType]]]:
    return [numbers(op, 0, "plain", shape, dtype)], [(shape, dtype), (shape, dt.int32)]


def _vectors() -> Variants:
    return ((shape, {"axis": axis}) for shape, axis in (((3,), 0), ((4, 3), 1), ((3, 2, 5), 0), ((0, 3), 1), ((2, 3, 4), 1)))


def _crossed(op: str, shape: Shape, params: Params, dtype: DType) -> tuple[list[Any], list[tuple[Shape, DType]]]:
    return [numbers(op, i, "plain", shape, dtype) for i in range(2)], [(shape, dtype)]


# -- joining ------------------------------------------------------------------------------------------------------------


def _joins() -> Variants:
    return ((shape, {"axis": axis}) for shape in ((3, 4), (2, 1, 5), (7,), (0, 3), (33, 3)) for axis in range(len(shape)))


def _joined(op: str, shape: Shape, params: Params, dtype: DType) -> tuple[list[Any], list[tuple[Shape, DType]]]:
    axis = params["axis"]
    shapes = [(*shape[:axis], n, *shape[axis + 1 :]) for n in (shape[axis], 0, 1, shape[axis] + 2)]
    arrays = [numbers(op, i, "plain", own, dtype) for i, own in enumerate(shapes)]
    return arrays, [((*shape[:axis], sum(own[axis] for own in shapes), *shape[axis + 1 :]), dtype)]


# -- triangles ----------------------------------------------------------------------------------------------------------


def _triangles() -> Variants:
    shapes = ((3, 4), (5, 2), (2, 3, 3), (0, 3), (2, 0), (33, 40))
    return ((shape, {"diagonal": diagonal}) for shape in shapes for diagonal in (-50, -2, 0, 1, 50))


def _alike(op: str, shape: Shape, params: Params, dtype: DType) -> tuple[list[Any], list[tuple[Shape, DType]]]:
    return [numbers(op, 0, "plain", shape, dtype)], [(shape, dtype)]


Made = Callable[[str, Shape, Params, DType], tuple[list[Any], list[tuple[Shape, DType]]]]

_MADE: Final[dict[str, tuple[Callable[[], Variants], Made]]] = {
    "concat": (_joins, _joined),
    "distinct": (_lines, _told_apart),
    "bincount": (_weighings, _counted),
    "histc": (_binnings, _counted),
    "histogram": (_weighings, _counted),
    "array_equal": (_single, _compared),
    "frexp": (_single, _taken_apart),
    "cross": (_vectors, _crossed),
    "tril": (_triangles, _alike),
    "triu": (_triangles, _alike),
    "cross_entropy": (_entropies, _classes),
    "cross_entropy_gradient": (_entropies, _classes),
    "nll_loss": (_likelihoods, _classes),
    "nll_loss_gradient": (_transposed_likelihoods, _classes),
    "layer_norm": (_rows, _normalised),
    "layer_norm_gradient": (_rows, _normalised),
    "rms_norm": (_rows, _normalised),
    "rms_norm_gradient": (_rows, _normalised),
    "group_norm": (_groups, _normalised),
    "group_norm_gradient": (_groups, _normalised),
    "channel_moments": (_plain_batches, _normalised),
    "batch_norm": (_batches, _normalised),
    "batch_norm_gradient": (_batch_gradients, _normalised),
    "recurrence": (_sequences, _recurrent),
    "recurrence_gradient": (_sequences, _recurrent),
    "attention": (_attentions, _attentive),
    "attention_gradient": (_attentions, _attentive),
    "dropout": (_droppings, _dropped),
    "dropout_gradient": (_droppings, _dropped),
    "total_norm": (_norms, _many),
    "weighted_items": (_weighted, _summed),
}

FUSED: Final = {op: variants for op, (variants, _) in _MADE.items()}
"""Op -> its variants: shapes that stand for those of all inputs, with parameters for the kernel."""


def inputs_of(op: str, shape: Shape, params: Params, dtype: DType) -> list[Any]:
    """The values of all inputs of a variant; None where an input is left out."""
    return _MADE[op][1](op, shape, params, dtype)[0]


def outputs_of(op: str, shape: Shape, params: Params, dtype: DType) -> list[tuple[Shape, DType]]:
    """Shape and dtype of all results of a variant."""
    return _MADE[op][1](op, shape, params, dtype)[1]
