"""What the functions of layers refuse before they compute: dtypes that an activation has no meaning for, and the like."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import DTypeError, OpNotImplemented
from lamina_tensor import Tensor

__all__ = ["check_floating", "check_pair", "check_tensor"]


def check_tensor(op: str, *values: Any) -> None:
    """Refuse what is no tensor.

    Raises:
        TypeError: one of the values is none.
    """
    for place, value in enumerate(values, 1):
        if not isinstance(value, Tensor):
            raise TypeError(f"{op}(): argument {place} must be Tensor, not {type(value).__name__}")


check_pair = check_tensor  # by losses whose operands are of one shape: strict mode has it refuse others


def check_floating(op: str, x: Any, *, complex: bool = False) -> None:
    """Refuse a dtype that is not floating-point.

    Args:
        op: the function's name, for the message.
        x: what came.
        complex: whether complex numbers are welcome, too.

    Raises:
        TypeError: it is no tensor.
        OpNotImplemented: its dtype is not floating-point.
        DTypeError: it is complex.
    """
    if not isinstance(x, Tensor):
        check_tensor(op, x)
    dtype = x.array.flat.dtype
    if dtype.is_floating_point or (complex and dtype.is_complex):
        return
    if dtype.is_complex:
        raise DTypeError(f"{op}: not implemented for {dtype.name}; it wants floating-point numbers")
    raise OpNotImplemented(f"{op}: not implemented for {dtype.name}; it wants floating-point numbers")
