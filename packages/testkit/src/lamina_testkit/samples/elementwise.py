"""Inputs of ops item by item."""

from __future__ import annotations

from typing import Final

from lamina_flatarray import DType
from lamina_flatarray import dtypes as dt
from lamina_flatarray.ops import OPS

from .maker import SHAPES, Maker, Params, Sample, Shape, Variants, plain_variants, results
from .values import numbers

__all__ = ["MAKERS"]


def _elementwise(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    arity, domain = OPS[op].arity, OPS[op].domain
    return Sample([numbers(i, shape, dtype, domain, kind) for i in range(arity)], results(op, shape, dtype))


def _where(op: str, shape: Shape, params: Params, dtype: DType, kind: str) -> Sample:
    condition, *choices = numbers(0, shape, dt.bool), *(numbers(i, shape, dtype, kind=kind) for i in (1, 2))
    return Sample([condition, *choices], [(shape, dtype)])


def _bounds() -> Variants:
    choices: list[Params] = [{"min": 0, "max": 2}, {"min": None, "max": 2}, {"min": 1, "max": None}]
    return ((shape, params) for shape in SHAPES for params in choices)


def _factors() -> Variants:
    return ((shape, {"value": value}) for shape in SHAPES for value in (1, -2))


def _orders() -> Variants:
    return ((shape, {"n": n}) for shape in SHAPES for n in (0, 1, 4))


MAKERS: Final = {
    "clip": Maker(_bounds, _elementwise),
    "elementwise": Maker(plain_variants, _elementwise),
    "polygamma": Maker(_orders, _elementwise),
    "scaled_sum": Maker(_factors, _elementwise),
    "where": Maker(plain_variants, _where),
}
"""By the name that an op's record gives."""
