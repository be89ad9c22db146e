"""What the functions of layers refuse before they compute: dtypes that an activation has no meaning for, and the like."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import ArgumentTypeError, DTypeError, OpNotImplemented, ShapeError
from lamina_flatarray.modes import INSIDE, STRICT, word
from lamina_tensor import Tensor

__all__ = ["check_floating", "check_pair", "check_tensor"]


def check_tensor(op: str, *values: Any) -> None:
    """Refuse what is no tensor.

    Raises:
        ArgumentTypeError: one of the values is none.
    """
    for place, value in enumerate(values, 1):
        if not isinstance(value, Tensor):
            raise ArgumentTypeError(f"{op}(): argument {place} must be Tensor, not {type(value).__name__}")


def check_pair(op: str, *values: Any) -> None:
    """Refuse what is no tensor, and, in strict mode, operands of different shapes, which a loss would broadcast.

    Raises:
        ArgumentTypeError: one of the values is no tensor.
        ShapeError: strict mode is on, and the shapes differ.
    """
    check_tensor(op, *values)
    if word.get() & (STRICT | INSIDE) == STRICT:
        shapes = [tuple(x.shape) for x in values]
        if len(set(shapes)) > 1:
            raise ShapeError(
                f"{op}: shapes {' and '.join(map(str, shapes))} differ, which strict mode does not broadcast in a loss; bring "
                "the target into the shape of the input, as with target.view_as(input)"
            )


def check_floating(op: str, x: Any, *, complex: bool = False) -> None:
    """Refuse a dtype that is not floating-point.

    Args:
        op: the function's name, for the message.
        x: what came.
        complex: whether complex numbers are welcome, too.

    Raises:
        ArgumentTypeError: it is no tensor.
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
