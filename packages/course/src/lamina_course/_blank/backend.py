"""Chapter 4. A backend: lamina computes with your kernels.

lamina asks a backend for memory and for kernels. A kernel is called `kernel(out, *inputs, **parameters)`: it is told where the result goes,
and returns nothing. Each operand has a `flat` (memory, an offset in bytes, a dtype) and a `layout` (shape, strides, an offset in items):
what you built in three chapters, under lamina's names. What comes has one dtype and one shape already; strides may be 0.

Fill what ends in `# task`, from top to bottom, then run: python -m lamina_course check 4
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from lamina_flatarray.contract import Backend, Kernel

from . import ieee
from .arrays import Array, array, broadcast_to, items, map_items, matmul, reduce_items
from .memory import Flat
from .strides import Layout, places

DTYPES: Final = ("float32", "float64")
"""What our kernels compute in. Other dtypes, and other ops, are NumPy's, on the same memory: see `extends` below."""

ITEM_BY_ITEM: Final[dict[str, Callable[..., float]]] = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": ieee.divide,
    "negative": operator.neg, "maximum": ieee.maximum, "minimum": ieee.minimum, "exp": ieee.exp, "log": ieee.log, "sqrt": ieee.sqrt,
    "tanh": math.tanh, "less": operator.lt,
}  # fmt: skip
"""By op, what is done with one item of each input."""

FOLDS: Final[dict[str, tuple[Callable[[float, float], float], float]]] = {
    "sum": (operator.add, 0.0), "prod": (operator.mul, 1.0), "max": (ieee.maximum, -math.inf), "min": (ieee.minimum, math.inf),
}  # fmt: skip
"""By op, how two items become one, and what is begun with."""


def as_array(operand: Any) -> Array:  # task
    """Return an operand as an array of yours, over the same memory.

    `operand.flat` has `memory`, `offset`, `size` and `dtype.name`; `operand.layout` has `shape`, `strides` and `offset`. There are two
    offsets: one in bytes, to where the flat array begins, and one in items, from there on.

    >>> from lamina_flatarray import FlatArray, Strided
    >>> flat = FlatArray.from_buffer(bytearray(24), "float64")
    >>> as_array(Strided(flat, Layout((2,), (-1,), 1)))
    Array(flat=Flat(float64, offset=0, size=3), layout=Layout(shape=(2,), strides=(-1,), offset=1))
    """
    raise NotImplementedError


def store(values: Iterable[float], out: Array) -> None:  # task
    """Write values, in the order in which one reads, to the places of `out`, and nowhere else.

    >>> out = Array(Flat(bytearray(4), "uint8", size=4), Layout((2,), (-2,), 3))
    >>> store([7, 8], out)
    >>> out.flat.memory
    bytearray(b'\\x00\\x08\\x00\\x07')
    """
    raise NotImplementedError


def kernel_of_items(function: Callable[..., float]) -> Kernel:  # task
    """Return a kernel that applies a function of numbers item by item: `kernel(out, *inputs)`.

    An input is an operand (it has a `layout`) or a plain number, which stands for as many items as are wanted. `out` may be the same memory
    as an input: so have all values before you write the first. The dtype of what you compute is out's.
    """
    raise NotImplementedError


def kernel_of_fold(function: Callable[[float, float], float], start: float) -> Kernel:  # task
    """Return a kernel that folds axes: `kernel(out, x, axes=(0, 2))`, where out has x's shape without these axes."""
    raise NotImplementedError


def fill(out: Any, *, value: float) -> None:  # task
    """Set every item of `out`, and nothing else of its memory, to a number."""
    raise NotImplementedError


def product(out: Any, a: Any, b: Any) -> None:  # task
    """Write the product of matrices: (..., m, k) and (..., k, n) into (..., m, n)."""
    raise NotImplementedError


class CourseBackend(Backend):
    """A device called "course", whose memory are bytearrays."""

    name = "course"
    device_type = "course"
    host = True
    extends = "numpy"

    def capabilities(self) -> Mapping[str, tuple[str, ...]]:
        """Return by op the dtypes that we have kernels for. (This one is given.)"""
        return dict.fromkeys((*ITEM_BY_ITEM, *FOLDS, "fill", "matmul"), DTYPES)

    def allocate(self, nbytes: int, index: int) -> bytearray:  # task
        """Return memory of at least so many bytes, at least one. `index` tells which device of several, and is 0 here."""
        raise NotImplementedError

    def copy_in(self, memory: bytearray, offset: int, source: memoryview) -> None:  # task
        """Copy the bytes of `source` into memory, from the byte `offset` on."""
        raise NotImplementedError

    def copy_out(self, memory: bytearray, offset: int, target: memoryview) -> None:  # task
        """Fill `target` with bytes of memory, from the byte `offset` on."""
        raise NotImplementedError

    def kernel(self, op: str) -> Kernel:  # task
        """Return the kernel of an op that `capabilities` lists, made of ITEM_BY_ITEM, of FOLDS, or one of the two functions above."""
        raise NotImplementedError
