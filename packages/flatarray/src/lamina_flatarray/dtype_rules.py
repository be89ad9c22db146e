"""The dtype rules that rows of the op table name: what inputs are cast to, and which dtype comes out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from . import dtypes
from .dtypes import DType
from .errors import DTypeError
from .ops import OPS
from .promotion import get_default_dtype

__all__ = ["DTYPE_RULES", "computed_dtypes", "result_dtypes"]

Rule = Callable[[DType], tuple[DType, DType] | None]


def _same(d: DType) -> tuple[DType, DType]:
    return d, d


def _floating(d: DType) -> tuple[DType, DType]:
    d = d if d.is_inexact else get_default_dtype()
    return d, d


def _factored(d: DType) -> bool:
    """What LAPACK computes in: factorizations in 16 bits are refused, as by PyTorch, not computed wider in silence."""
    return d.is_inexact and d.itemsize >= 4


DTYPE_RULES: Final[dict[str, Rule]] = {
    # From the promoted dtype of the inputs to (dtype computed in, dtype of the result); None where undefined.
    "cast": _same,
    "promote": _same,
    "index": _same,
    "where": _same,
    "random": _same,
    "update": lambda d: (d, d) if d.is_inexact else None,
    "arithmetic": lambda d: None if d.kind == "b" else (d, d),
    "number": lambda d: (dtypes.int64, dtypes.int64) if d.kind == "b" else (d, d),
    "real": lambda d: None if d.is_complex else (d, d),
    "real_arithmetic": lambda d: None if d.kind in "bc" else (d, d),
    "float": _floating,
    "floating": lambda d: (d, d) if d.is_floating_point else None,
    "inexact": lambda d: (d, d) if d.is_inexact else None,
    "float_real": lambda d: None if d.is_complex else _floating(d),
    "angle": lambda d: (_floating(d)[0], _floating(d)[0].to_real()),
    "magnitude": lambda d: None if d.kind == "b" else (d, d.to_real()),
    "compare": lambda d: (d, dtypes.bool),
    "compare_real": lambda d: None if d.is_complex else (d, dtypes.bool),
    "bitwise": lambda d: None if d.is_inexact else (d, d),
    "integer": lambda d: (d, d) if d.kind in "ui" else None,
    "sum": lambda d: (d, d if d.is_inexact else dtypes.int64),
    "mean": lambda d: (d, d) if d.is_inexact else None,
    "moment": lambda d: (d, d.to_real()) if d.is_inexact else None,
    "complex": lambda d: (d, d) if d.is_complex else None,
    "complex_to_real": lambda d: (d, d.to_real()) if d.is_complex else None,
    "real_to_complex": lambda d: (d, d.to_complex()) if d.is_floating_point and d.itemsize >= 4 else None,
    # of factorizations, for the first of their results
    "factor": lambda d: (d, d) if _factored(d) else None,
    "factor_real": lambda d: (d, d.to_real()) if _factored(d) else None,
    "factor_complex": lambda d: (d, d.to_complex()) if _factored(d) else None,
    "count": lambda d: (d, dtypes.int64),
    "position": lambda d: None if d.is_complex else (d, dtypes.int64),
}


def result_dtypes(op: str, promoted: DType) -> tuple[DType, DType]:
    """Return the dtype that an op casts its inputs to, and the dtype of its (first) result.

    Args:
        op: the op's name.
        promoted: the dtype that its inputs have together.

    Returns:
        A pair of dtypes: computed in, and of the result.

    Raises:
        DTypeError: the op is not defined for this dtype.

    >>> result_dtypes("less", dtypes.int8), result_dtypes("sqrt", dtypes.int8)
    ((lamina.int8, lamina.bool), (lamina.float32, lamina.float32))
    """
    computed_and_result = DTYPE_RULES[OPS[op].rule](promoted)
    if computed_and_result is None:
        raise DTypeError(f"{op}: not defined for {promoted!r}; it wants {_wanted(op)}")
    return computed_and_result


def _wanted(op: str) -> str:
    rule = DTYPE_RULES[OPS[op].rule]
    return "one of " + ", ".join(d.name for d in dtypes.DTYPES.values() if rule(d) is not None)


def computed_dtypes(op: str) -> tuple[DType, ...]:
    """Return the dtypes that an op computes in: those that its rule casts to themselves.

    Args:
        op: the op's name.

    Returns:
        A tuple of dtypes.

    >>> [dtype.name for dtype in computed_dtypes("bitwise_left_shift")][:2]
    ['uint8', 'int8']
    """
    rule = DTYPE_RULES[OPS[op].rule]
    return tuple(d for d in dtypes.DTYPES.values() if (targets := rule(d)) is not None and targets[0] is d)
