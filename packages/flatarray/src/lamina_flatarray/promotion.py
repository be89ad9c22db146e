"""Type promotion: which dtype comes of several, by PyTorch's rules and never by the installed NumPy's.

Arrays with dimensions outrank 0-d arrays, which outrank Python scalars; a lower rank changes the result only when
it is of a higher kind (bool < integer < floating < complex), so `x * 2.0` keeps float32 and `int64 * 2.0` becomes
the default dtype. Where PyTorch leaves a pair of unsigned integers undefined, the Array API's lattice holds.
https://docs.pytorch.org/docs/stable/tensor_attributes.html#type-promotion-doc
"""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from . import dtypes
from .dtypes import DType, dtype_of, get_default_dtype, set_default_dtype
from .errors import ArgumentTypeError, DTypeError

__all__ = ["can_cast", "get_default_dtype", "promote_types", "result_type", "scalar_dtype", "set_default_dtype"]

_SIGNED: Final = {1: dtypes.int8, 2: dtypes.int16, 4: dtypes.int32, 8: dtypes.int64}


@cache  # over pairs of dtypes: 225 at most, as what raises is not kept
def promote_types(type1: DType, type2: DType) -> DType:
    """Return the smallest dtype that both may be cast to, as for arrays with dimensions.

    Args:
        type1, type2: the dtypes.

    Returns:
        A dtype; their order does not matter.

    Raises:
        DTypeError: no such dtype exists (uint64 with a signed integer).
        ArgumentTypeError: one is no dtype.

    >>> promote_types(dtypes.int32, dtypes.float16)
    lamina.float16
    """
    a, b = type1, type2
    if not (isinstance(a, DType) and isinstance(b, DType)):
        raise ArgumentTypeError(f"promote_types(): {type1!r} and {type2!r} given; it wants two dtypes")
    if a is b or b.kind == "b":
        return a
    if a.kind == "b":
        return b
    if a.kind not in "fc" and b.kind not in "fc":
        return _promote_integers(a, b)
    if a.kind not in "fc":
        return b
    if b.kind not in "fc":
        return a
    if a.is_complex or b.is_complex:
        wide = dtypes.float64 in (a.to_real(), b.to_real())
        return dtypes.complex128 if wide else dtypes.complex64
    if a.itemsize == b.itemsize:  # float16 and bfloat16: neither holds the other
        return dtypes.float32
    return a if a.itemsize > b.itemsize else b


def _promote_integers(a: DType, b: DType) -> DType:
    if a.kind == b.kind:
        return a if a.itemsize > b.itemsize else b
    signed, unsigned = (a, b) if a.kind == "i" else (b, a)
    if signed.itemsize > unsigned.itemsize:
        return signed
    if unsigned.itemsize == 8:
        raise DTypeError(f"promote_types: no integer type holds both {a!r} and {b!r}; cast one of them")
    return _SIGNED[unsigned.itemsize * 2]


def scalar_dtype(value: complex) -> DType:
    """Return the dtype that a Python scalar counts as: bool, int64, the default dtype, or its complex twin."""
    if isinstance(value, bool):
        return dtypes.bool
    if isinstance(value, int):
        return dtypes.int64
    return get_default_dtype() if isinstance(value, float) else get_default_dtype().to_complex()


def _outrank(higher: DType | None, lower: DType | None) -> DType | None:
    """What an operand of lower rank makes of the dtype of a higher rank."""
    if higher is None or lower is None:
        return lower if higher is None else higher
    if higher.is_complex or (higher.is_floating_point and not lower.is_complex):
        return higher
    if higher.is_floating_point:
        return higher.to_complex()
    if higher.kind == "b" or lower.is_inexact:
        return promote_types(higher, lower)
    return higher


def result_type(*operands: Any) -> DType:
    """Return the dtype that an op over these operands computes in.

    Args:
        operands: Python scalars; dtypes (which count as arrays with dimensions); or anything with a `dtype` and
            an `ndim`.

    Returns:
        A dtype.

    Raises:
        DTypeError: no dtype holds them all, or there are none.

    >>> result_type(dtypes.int64, 2.0), result_type(dtypes.float16, dtypes.int64)
    (lamina.float32, lamina.float16)
    """
    ranks: list[DType | None] = [None, None, None]  # with dimensions, 0-d, scalar
    for operand in operands:
        if isinstance(operand, (bool, int, float, complex)):
            rank, dtype = 2, scalar_dtype(operand)
        elif isinstance(operand, DType):
            rank, dtype = 0, operand
        else:
            rank, dtype = (1 if operand.ndim == 0 else 0), operand.dtype
        previous = ranks[rank]
        ranks[rank] = dtype if previous is None else promote_types(previous, dtype)
    dtype_of_all = _outrank(ranks[0], _outrank(ranks[1], ranks[2]))
    if dtype_of_all is None:
        raise DTypeError("result_type: no operands given; it wants at least one")
    return dtype_of_all


def can_cast(from_: Any, to: Any) -> bool:
    """Return whether a cast keeps the kind: never complex to real, floating to integer, a number to bool.

    Args:
        from_, to: dtypes, or their names.

    Returns:
        True or False, whatever the sizes of the dtypes.

    Raises:
        DTypeError: there is no such dtype.

    >>> can_cast("int64", "float16"), can_cast("float32", "int64")
    (True, False)
    """
    rank = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}
    a, b = dtype_of(from_), dtype_of(to)
    return rank[a.kind] <= rank[b.kind]
