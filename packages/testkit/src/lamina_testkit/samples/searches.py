"""Inputs of ops that count, search, compare or weigh items, and of those over many arrays."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from lamina_flatarray import DType
from lamina_flatarray import dtypes as dt

from .maker import SHAPES, Maker, Params, Sample, Shape, Variants, plain_variants
from .values import numbers

__all__ = ["MAKERS"]


# -- many arrays -------------------------------------------------------------------------------------------------------

def _norms() -> Variants:
    for shape in ((3, 4), (), (1,), (70, 130), (2, 20_000)):
        for order in (1.0, 2.0, math.inf, -math.inf, 3.0):
            yield shape, {"order": order}


def _many(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    arrays = [numbers(i, s, dtype) for i, s in enumerate((shape, (5,), shape))]
    return Sample(arrays, [((), dtype.to_real() if dtype.is_complex else dtype)])


# -- tables of weights -------------------------------------------------------------------------------------------------

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


def _summed(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    axis = params["axis"]
    return Sample([numbers(0, shape, dtype)], [((*shape[:axis], len(params["places"]), *shape[axis + 1 :]), dtype)])


# -- bags of rows ------------------------------------------------------------------------------------------------------

_BAGS: Final[tuple[tuple[Shape, Shape], ...]] = (
    # shape, ends
    ((5, 3), (2, 2, 7)), ((9, 70), (0, 30, 31, 64)), ((4, 1), (3,)), ((3, 33), ()), ((7, 0), (1, 4)),
)  # fmt: skip


def _bags() -> Variants:
    return ((shape, {}) for shape, _ in _BAGS)


def _added_up(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    ends = np.array(dict(_BAGS)[shape], np.int64)
    count = int(ends[-1]) if ends.size else 0
    weights = numbers(1, (count,), dtype) if shape[0] % 2 else None
    return Sample([numbers(0, shape, dtype), np.arange(count) * 7 % shape[0], ends, weights], [((ends.size, shape[1]), dtype)])


# -- each item once ----------------------------------------------------------------------------------------------------

def _lines() -> Variants:
    return (((n,), {"ordered": ordered}) for n in (0, 1, 7, 40, 700) for ordered in (False, True))


def _told_apart(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    x = np.round(numbers(0, shape, dtype)).astype(dtype.numpy)  # some of them are equal
    return Sample([x], [(shape, dtype), *[(shape, dt.int64)] * 3, ((), dt.int64)])


# -- counts ------------------------------------------------------------------------------------------------------------

def _binnings() -> Variants:
    return (((n,), {"low": -2.0, "high": 1.5}) for n in (0, 1, 40, 700))


def _weighings() -> Variants:
    return (((n,), {}) for n in (0, 1, 7, 40, 701))


def _counted(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    x = numbers(0, shape, dtype)
    if op == "histc":
        return Sample([x], [((6,), dt.int64)])
    weights = numbers(1, shape, dtype) if shape[0] % 2 else None
    added = dt.int64 if weights is None else dtype
    if op == "bincount":
        weights = None if weights is None else weights.astype(np.float64)
        return Sample([np.abs(x.astype(np.int64)).astype(dtype.numpy), weights], [((20,), dt.int64 if weights is None else dt.float64)])
    return Sample([x, np.array([-1.5, -1, 0.25, 2, 2.25]).astype(dtype.numpy), weights], [((4,), added)])


# -- pairs -------------------------------------------------------------------------------------------------------------

def _single() -> Variants:
    return ((shape, {}) for shape in ((3, 4), (2, 1, 5), (), (0, 3), (33, 3), (3000,)))


def _compared(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    x = numbers(0, shape, dtype)
    other = x.copy()
    if len(shape) != 2 and x.size:
        other.reshape(-1)[-1] = numbers(1, (2,), dtype)[1]
    return Sample([x, other], [((), dt.bool)])


def _taken_apart(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    return Sample([numbers(0, shape, dtype)], [(shape, dtype), (shape, dt.int32)])


# -- searches ---------------------------------------------------------------------------------------------------------


def _some_nonzero(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    x = np.where(numbers(1, shape, dt.bool), numbers(0, shape, dtype), np.zeros((), dtype.numpy))
    return Sample([x], lambda inputs: [((len(shape), int(np.count_nonzero(inputs[0]))), dt.int64)])


def _sides() -> Variants:
    return ((shape, {"right": right}) for shape in SHAPES for right in (False, True))


def _searched(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    rows = (*shape[:-1], 6) if len(shape) % 2 == 0 else (6,)  # a row for each where there are two axes
    return Sample([np.sort(numbers(0, rows, dtype)), numbers(1, shape, dtype)], [(shape, dt.int64)])


MAKERS: Final = {
    "array_equal": Maker(_single, _compared),
    "bag_sums": Maker(_bags, _added_up),
    "bincount": Maker(_weighings, _counted),
    "distinct": Maker(_lines, _told_apart),
    "frexp": Maker(_single, _taken_apart),
    "histc": Maker(_binnings, _counted),
    "histogram": Maker(_weighings, _counted),
    "nonzero": Maker(plain_variants, _some_nonzero),
    "searchsorted": Maker(_sides, _searched),
    "total_norm": Maker(_norms, _many),
    "weighted_items": Maker(_weighted, _summed),
}
"""By the name that an op's record gives."""
