"""NumPy's numeric arrays and scalars in a PyTorch file: how its pickles describe them, and what is made of that.

The names and states are those of NumPy's own pickles: https://numpy.org/doc/stable/reference/generated/numpy.ndarray.__reduce__.html
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, Final

import numpy as np

from lamina_flatarray import CheckpointError

from .storages import Argument

__all__ = ["MADE_OF_BYTES", "NUMERIC", "SCALAR_TYPES", "NumpyClass", "NumpyDType", "set_array"]

Array = np.ndarray[Any, Any]

NUMERIC: Final = frozenset({"b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"})
"""NumPy's codes of the dtypes that are read and written. Their items have the same width on every machine."""

SCALAR_TYPES: Final = frozenset(np.dtype(code).type for code in "?bhilqBHILQefdFD")
"""The types of their items; of two types of one width, NumPy's pickles do not say which it was."""

_MOST_DIMS: Final = 64


class NumpyClass(Argument):
    """The class ndarray, as an argument of what makes arrays."""


class NumpyDType(Argument):
    """A NumPy dtype, which is of this machine's byte order until its state says otherwise."""

    def __init__(self, code: Any, align: Any = False, copy: Any = True) -> None:
        if type(code) is not str or code not in NUMERIC or type(align) is not bool or type(copy) is not bool:
            shown = ascii(code[:20]) if type(code) is str else type(code).__name__  # of tuples in tuples, the text could be endless
            raise CheckpointError(f"NumPy's dtype {shown} found; only numeric ones are read, and no objects")
        self.dtype: np.dtype[Any] = np.dtype(code)

    def set_state(self, state: Any) -> None:
        """Take the byte order; there is nothing else to know of a numeric dtype."""
        if not isinstance(state, tuple) or len(state) != 8 or [type(part) for part in state[:2]] != [int, str]:
            raise CheckpointError("a NumPy dtype with a state that is none")
        version, order, *rest = state
        if version != 3 or order not in tuple("<>|=") or any(type(part) not in (type(None), int) for part in rest):
            raise CheckpointError("a NumPy dtype with fields, metadata or a state of another version than 3")
        if rest[:3] != [None, None, None]:
            raise CheckpointError("a NumPy dtype with fields")
        self.dtype = self.dtype.newbyteorder(order)


def set_array(array: Array, state: Any) -> int:
    """Give an array that `_reconstruct` made its items, and say how many bytes that copied.

    Raises:
        CheckpointError: the state is not that of a numeric array.
    """
    if not isinstance(state, tuple) or len(state) != 5 or type(state[0]) is not int or state[0] != 1:
        raise CheckpointError("a NumPy array with a state that is none")
    _, shape, dtype, fortran, data = state
    if type(fortran) is not bool:
        raise CheckpointError("a NumPy array whose order is no bool")
    kind = _checked(data, dtype, shape)
    # A copy of its own: NumPy would write to bytes that may be elsewhere in the file, too.
    state = (1, shape, kind, fortran, bytes(bytearray(data)))
    array.__setstate__(state)
    return len(data)


def _checked(data: Any, dtype: Any, shape: Any) -> np.dtype[Any]:
    """The dtype, if items of it in this shape take just as many bytes."""
    if not isinstance(dtype, NumpyDType):
        raise CheckpointError("NumPy items without a dtype")
    if type(data) not in (bytes, bytearray):
        raise CheckpointError(f"{type(data).__name__} found where the bytes of NumPy items are wanted")
    if type(shape) is not tuple or len(shape) > _MOST_DIMS or not all(type(n) is int and 0 <= n < 1 << 62 for n in shape):
        raise CheckpointError("a NumPy array with a shape that is none")
    if prod(shape) * dtype.dtype.itemsize != len(data):
        raise CheckpointError(f"{len(data)} bytes for a NumPy array of shape {shape} and dtype {dtype.dtype}")
    if dtype.dtype.kind == "b" and np.frombuffer(data, np.uint8).max(initial=0) > 1:
        raise CheckpointError("a NumPy array of bool with bytes other than 0 and 1")
    return dtype.dtype


def _reconstruct(kind: Any, shape: Any, code: Any) -> Array:
    """An empty array, whose state follows."""
    right = type(shape) is tuple and list(map(type, shape)) == [int] and type(code) in (bytes, str)  # comparing others may take long
    if not isinstance(kind, NumpyClass) or not right or shape != (0,) or code not in (b"b", "b"):
        raise CheckpointError("a NumPy array of another class than ndarray")
    return np.empty(0, np.int8)


def _from_buffer(data: Any, dtype: Any, shape: Any, order: Any) -> Array:
    """An array as protocol 5 describes it."""
    kind = _checked(data, dtype, shape)
    if type(order) is not str or order not in ("C", "F"):
        raise CheckpointError("a NumPy array in another order than C or F")
    return np.frombuffer(bytearray(data), kind).reshape(shape, order="F" if order == "F" else "C")


def _scalar(dtype: Any, data: Any) -> Any:
    return np.frombuffer(data, _checked(data, dtype, (1,)))[0]


MADE_OF_BYTES: Final[dict[str, Callable[..., Any]]] = {
    f"numpy.{core}.{name}": build
    for core in ("_core", "core")
    for name, build in (
        ("multiarray._reconstruct", _reconstruct), ("multiarray.scalar", _scalar), ("numeric._frombuffer", _from_buffer),
    )
}  # fmt: skip
"""NumPy's names of what makes arrays and scalars; before NumPy 2 they were in another module."""
