"""What makes the inputs of an op for the kit: variants of shapes and parameters, and the operands of each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

import numpy as np

from lamina_flatarray import DType
from lamina_flatarray import dtypes as dt
from lamina_flatarray.dtype_rules import result_dtypes
from lamina_flatarray.ops import OPS

__all__ = ["SHAPES", "Array", "Maker", "Params", "Sample", "Shape", "Variants", "plain_variants", "results"]

Shape = tuple[int, ...]
Params = dict[str, Any]
Variants = Iterable[tuple[Shape, Params]]
Array = np.ndarray[Any, Any]

SHAPES: Final[tuple[Shape, ...]] = ((3, 4), (2, 1, 5), (7,), (1, 1), (), (0, 3), (33, 3))
"""The shapes that ops are tried with for which no others matter more."""


class Sample(NamedTuple):
    """The operands of one call of a kernel.

    Attributes:
        inputs: the values of all inputs; None where one is left out.
        outputs: the shape and dtype of all results, or the function of the inputs that tells them where they depend on items.
    """

    inputs: list[Any]
    outputs: list[tuple[Shape, DType]] | Callable[[list[Any]], list[tuple[Shape, DType]]]


class Maker(NamedTuple):
    """How inputs of an op are made.

    Attributes:
        variants: gives shapes, of the first input or such as stand for those of all, each with parameters for the kernel.
        sample: from the op's name, a variant, the dtype that is computed in, and a kind of values ("plain" or "special")
            to the operands.
    """

    variants: Callable[[], Variants]
    sample: Callable[[str, Shape, Params, DType, str], Sample]


def plain_variants() -> Variants:
    """Return all of SHAPES, without parameters."""
    return ((shape, {}) for shape in SHAPES)


def results(op: str, shape: Shape, dtype: DType) -> list[tuple[Shape, DType]]:
    """Return the shape and dtype of each result, where all have one shape and the second holds indices."""
    return [(shape, result_dtypes(op, dtype)[1]), (shape, dt.int64)][: OPS[op].outputs]
