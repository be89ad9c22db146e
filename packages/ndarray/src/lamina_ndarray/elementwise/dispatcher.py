"""The one way from a map op and its operands to its kernel, and the short cut where nothing has to be converted.

A short cut looks at no item and calls no Python function but those that make arrays. What it rests on, and a compiled stand-in for this
file has to keep:

- of an array it reads `flat.kernels`, `flat.dtype`, `flat.memory` and `layout`; of a layout `result`, `contiguous`, `shape` and
  `packed`; it writes `flat.version`, once before each kernel that writes to `out`;
- two arrays have one dtype, device and backend exactly if their `flat.kernels` are the same object;
- layouts that are the same object are equal; equal ones may be two objects, which costs time only; `met` of a layout is None or the
  `packed` of another, the result's layout, both of them spread to its shape, and whether their ranks differ, which
  strict mode refuses: `meet` looks these up, or works them out;
- `MapOp.results` says, per kernel table, the table of the result, or None where the op casts inputs of that dtype first: then, as
  wherever something else is unusual, `general` does the work, and tells what is wrong with the operands;
- a kernel is called `kernels[name](result, *operands)`, with operands of the result's shape, or Python numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from lamina_flatarray import dtypes as dt
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.dtype_rules import result_dtypes
from lamina_flatarray.modes import STRICT, word
from lamina_flatarray.twins import compiled

from .. import array_fields as fields
from ..array_fields import empty_of, view_of
from ..creation.scalars import LONGEST, SMALL, fitting
from ..dispatch.operands import promoted
from ..layouts.layout import Layout
from .operands.general import general, meet

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ..array import NDArray

__all__ = ["MapOp", "PowerOp", "binary", "holds", "run", "ternary", "unary"]

Promotion = Callable[[str, Sequence[Any]], "DType"]


class MapOp:
    """A map op as the dispatcher sees it.

    Attributes:
        name: of the op.
        promote: from the name and the operands to the dtype of all of them together.
        results: from the kernel table of inputs to that of the result, as far as it was asked for; None where the op casts such inputs.
    """

    __slots__ = ("name", "promote", "results")

    name: str
    promote: Promotion
    results: dict[KernelTable, KernelTable | None]

    def __init__(self, name: str, promote: Promotion = promoted) -> None:
        self.name = name
        self.promote = promote
        self.results = {}

    def result_of(self, kernels: KernelTable) -> KernelTable | None:
        """The kernel table of the result by that of inputs, which is then known; None where the op casts such inputs first.

        Raises:
            DTypeError: the op is not defined for this dtype.
        """
        compute, result = result_dtypes(self.name, kernels.dtype)
        table = self.results[kernels] = kernels.sibling(result) if compute is kernels.dtype else None
        return table


class PowerOp(MapOp):
    """A power as the dispatcher sees it: exponents of integers are looked at, so that these take no short cut."""

    __slots__ = ()

    def __init__(self, name: str, promote: Promotion = promoted) -> None:
        def looked_at(op: str, operands: Sequence[Any]) -> DType:
            dtype, exponent = promote(op, operands), operands[1]
            if not dtype.is_inexact and exponent.__class__ is int and exponent > 0:
                fitting(op, exponent, dtype)  # a shorter one would be another power
            return dtype

        super().__init__(name, looked_at)

    def result_of(self, kernels: KernelTable) -> KernelTable | None:
        """As of other ops; always None for integers."""
        if kernels.dtype.is_inexact:
            return super().result_of(kernels)
        self.results[kernels] = None
        return None


def holds(dtype: DType, number: Any) -> bool:
    """Whether a Python number is of a kind that takes no promotion of the dtype, and no longer than 64 bits."""
    if number.__class__ is float:
        return dtype.is_inexact
    return number.__class__ is int and dtype is not dt.bool and -LONGEST <= number < LONGEST


def _may_write(out: Any, table: KernelTable, shape: tuple[int, ...], *inputs: Any) -> bool:
    """Whether a kernel may write its result to `out` at once: it is of the right kind, no two of its indices share an item,
    and no input but itself is in its memory."""
    if out.__class__ is not fields.array_class or out.flat.kernels is not table or out.layout.shape != shape or not out.layout.contiguous:
        return False
    memory = out.flat.memory
    for x in inputs:  # noqa: SIM110 -- a generator would be a frame per input
        if x.__class__ is fields.array_class and x.flat.memory is memory and x is not out:
            return False
    return True


def unary(op: MapOp, x: Any, out: NDArray | None = None) -> NDArray:
    """Run an op of one input.

    Raises:
        DTypeError: the op is not defined for x's dtype, or its result cannot be cast to out's.
        ShapeError: `out` has another shape.
    """
    if x.__class__ is fields.array_class:
        kernels = x.flat.kernels
        try:
            table = op.results[kernels]
        except KeyError:
            table = op.result_of(kernels)
        if table is not None:
            if out is None:
                result = empty_of(table, x.layout.result)
                kernels[op.name](result, x)
                return result
            if _may_write(out, table, x.layout.shape, x):
                out.flat.version += 1
                kernels[op.name](out, x)
                return out
    return general(op, (x,), out)


def binary(op: MapOp, a: Any, b: Any, out: NDArray | None = None) -> NDArray:
    """Run an op of two inputs that broadcast, either of which may be a number.

    Raises:
        DTypeError: the op is not defined for their dtypes, or its result cannot be cast to out's.
        DeviceError: they live on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another one.
    """
    array = fields.array_class
    layout, x, y = None, a, b
    if a.__class__ is array:
        kernels, own = a.flat.kernels, a.layout
        if b.__class__ is array:
            if b.flat.kernels is kernels:
                other = b.layout
                if other is own:
                    layout = own.result
                else:
                    met = own.met
                    if met is None or met[0] is not other.packed or (met[4] and word.get() & STRICT):
                        met = meet(own, other)
                    if met is not None:
                        _, layout, left, right, _ = met
                        if left is not own:
                            x = view_of(a, left)
                        if right is not other:
                            y = view_of(b, right)
        elif b.__class__ is float:
            layout = own.result if kernels.dtype.is_inexact else None
        elif b.__class__ is int and kernels.dtype is not dt.bool and -LONGEST <= b < LONGEST:
            layout = own.result
    elif b.__class__ is array and holds(b.flat.dtype, a):
        kernels, layout = b.flat.kernels, b.layout.result
    if layout is not None:
        try:
            table = op.results[kernels]
        except KeyError:
            table = op.result_of(kernels)
        if table is not None:
            if out is None:
                result = empty_of(table, layout)
                kernels[op.name](result, x, y)
                return result
            in_place = out is x and table is kernels and own.contiguous and (b.__class__ is not array or b.flat.memory is not a.flat.memory)
            if in_place or _may_write(out, table, layout.shape, a, b):
                out.flat.version += 1
                kernels[op.name](out, x, y)
                return out
    return general(op, (a, b), out)


def ternary(op: MapOp, a: Any, b: Any, c: Any, out: NDArray | None = None, **params: Any) -> NDArray:
    """Run an op of three inputs that broadcast, which are numbers or arrays, and numbers by name that take part in the promotion.

    Raises:
        DTypeError: the op is not defined for their dtypes, or its result cannot be cast to out's.
        DeviceError: they live on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another one.
    """
    array = fields.array_class
    if a.__class__ is array and b.__class__ is array and a.layout is b.layout:
        kernels, layout = a.flat.kernels, a.layout
        alike = c.layout is layout and c.flat.kernels is kernels if c.__class__ is array else holds(kernels.dtype, c)
        for value in params.values():  # a generator would be a frame of its own
            alike = alike and holds(kernels.dtype, value) and -SMALL <= value <= SMALL
        if alike and b.flat.kernels is kernels:
            result = run(op, kernels, layout.result, (a, b, c), out, params)
            if result is not None:
                return result
    return general(op, (a, b, c), out, params)


def run(
    op: MapOp, kernels: KernelTable, layout: Layout, operands: tuple[Any, ...], out: NDArray | None, params: dict[str, Any]
) -> NDArray | None:
    """Run the kernel on operands that need neither cast nor broadcasting; None where one of them or `out` needs more.

    Args:
        op: the op.
        kernels: the table of the operands that decide the dtype.
        layout: of the result where `out` is None.
        operands: arrays of layout's shape, and numbers.
        out: where the result goes, if not to a new array.
        params: the kernel's parameters.
    """
    try:
        table = op.results[kernels]
    except KeyError:
        table = op.result_of(kernels)
    if table is None:
        return None
    if out is None:
        out = empty_of(table, layout)
    elif _may_write(out, table, layout.shape, *operands):
        out.flat.version += 1
    else:
        return None
    kernels[op.name](out, *operands, **params)
    return out


if compiled is not None:
    unary, binary, ternary = compiled.unary(unary), compiled.binary(binary), compiled.ternary(ternary)
