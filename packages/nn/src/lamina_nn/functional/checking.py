"""What the functions of layers refuse before they compute: dtypes that an activation has no meaning for, and the like."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import ArgumentTypeError, DTypeError, OpNotImplemented, ShapeError
from lamina_flatarray.modes import INSIDE, STRICT, word
from lamina_tensor import Tensor

__all__ = ["check_floating", "check_pair", "check_tensor"]


def check_tensor(op: str, *values: Any) -> None:
    """Raise an error unless all values are tensors.

    Args:
        op: the function's name, for the message.
        values: the function's first arguments.

    Raises:
        ArgumentTypeError: one of the values is not a tensor.
    """
    for place, value in enumerate(values, 1):
        if not isinstance(value, Tensor):
            raise ArgumentTypeError(f"{op}(): argument {place} must be Tensor, not {type(value).__name__}")


def check_pair(op: str, *values: Any) -> None:
    """Raise an error unless all values are tensors, and in strict mode, unless their shapes agree: a loss would
    broadcast them.

    Args:
        op: the function's name, for the message.
        values: the function's first arguments.

    Raises:
        ArgumentTypeError: one of the values is not a tensor.
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
    """Raise an error unless a value is a tensor of floating-point numbers.

    Args:
        op: the function's name, for the message.
        x: the value.
        complex: whether complex numbers are allowed, too.

    Raises:
        ArgumentTypeError: x is not a tensor.
        OpNotImplemented: its dtype is not floating-point.
        DTypeError: its dtype is complex.
    """
    if not isinstance(x, Tensor):
        check_tensor(op, x)
    dtype = x.array.flat.dtype
    if dtype.is_floating_point or (complex and dtype.is_complex):
        return
    if dtype.is_complex:
        raise DTypeError(f"{op}: not implemented for {dtype.name}; it wants floating-point numbers")
    raise OpNotImplemented(f"{op}: not implemented for {dtype.name}; it wants floating-point numbers")
