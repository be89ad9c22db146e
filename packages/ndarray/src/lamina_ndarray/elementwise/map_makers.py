"""Functions of arrays made of rows of the op table: one maker for each number of inputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from lamina_flatarray import ShapeError
from lamina_flatarray import dtypes as dt
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.dtype_rules import result_dtypes
from lamina_flatarray.ops import Op

from ..array import NDArray, empty_of, view_of
from ..dispatch.operands import as_operand, cast, common_kernels, described, destination, finish, guarded
from ..layouts.broadcast import broadcast_shapes
from ..layouts.layout import Layout

__all__ = ["Function", "Promotion", "binary", "held", "kept_order", "plain_table", "run_broadcast", "ternary", "unary"]

Function = Callable[..., NDArray]
Promotion = Callable[[str, Any], Any]


def run_broadcast(
    op: str, kernels: KernelTable, operands: list[Any], result: Any, out: NDArray | None, **params: Any
) -> NDArray:
    """Broadcast operands that are in one dtype, make or check the destination, and run the kernel."""
    arrays = [x for x in operands if isinstance(x, NDArray)]
    try:
        shape = arrays[0].layout.shape
        for x in arrays[1:]:
            if x.layout.shape != shape:
                shape = broadcast_shapes(shape, x.layout.shape)
    except ShapeError as error:
        raise ShapeError(f"{op}: {described(operands)}: {error}") from None
    if out is None:
        target = empty_of(kernels.sibling(result), kept_order([x.layout for x in arrays], shape))
    else:
        target = destination(op, out, shape, result, arrays)
        operands = [guarded(target, x) for x in operands]
    kernels[op](
        target,
        *(view_of(x, x.layout.broadcast_to(shape)) if isinstance(x, NDArray) and x.layout.shape != shape else x
          for x in operands),
        **params,
    )  # fmt: skip
    return target if out is None else finish(out, target)


def kept_order(layouts: Iterable[Layout], shape: tuple[int, ...]) -> Layout:
    """Row-major, unless all operands of the full shape are dense in one other order: then that order is kept."""
    full = [layout for layout in layouts if layout.shape == shape]
    if full and all(layout.strides == full[0].strides for layout in full):
        return full[0].result
    return Layout.dense(shape)


def _met(x: Layout, y: Layout) -> tuple[Layout, Layout, Layout] | None:
    """The layout of the result of two that differ, and each of them spread to its shape; None if they do not broadcast."""
    try:
        shape = broadcast_shapes(x.shape, y.shape)
    except ShapeError:
        return None  # the general path tells what is wrong
    return x._remember(y.packed, (kept_order((x, y), shape), x.broadcast_to(shape), y.broadcast_to(shape)))


def general(op: str, operands: tuple[Any, ...], out: NDArray | None, promote: Promotion) -> NDArray:
    """Any operands: promote, cast, broadcast, run."""
    found = [as_operand(op, x) for x in operands]
    kernels = common_kernels(op, found)
    compute, result = result_dtypes(op, promote(op, found))
    table = kernels.sibling(compute)
    return run_broadcast(op, table, [cast(x, table) for x in found], result, out)


def plain_table(op: str, kernels: KernelTable) -> KernelTable | None:
    """The table of the result where the op needs no cast for inputs of this dtype, else None."""
    compute, result = result_dtypes(op, kernels.dtype)
    return kernels.sibling(result) if compute is kernels.dtype else None


def _takes(out: Any, table: KernelTable, shape: tuple[int, ...], *inputs: Any) -> bool:
    """Whether a kernel may write its result to `out` at once: it is of the right kind, no two of its indices share an item,
    and no input but itself is in its memory. What may not is checked, and told about, on the general path."""
    if out.__class__ is not NDArray or out.flat.kernels is not table or out.layout.shape != shape or not out.layout.contiguous:
        return False
    memory = out.flat.memory
    for x in inputs:  # noqa: SIM110 -- a generator would be a frame per input
        if x.__class__ is NDArray and x.flat.memory is memory and x is not out:
            return False
    return True


def unary(row: Op, promote: Promotion) -> Function:
    op = row.name
    results: dict[KernelTable, KernelTable | None] = {}

    def function(x: Any, /, out: NDArray | None = None) -> NDArray:
        if x.__class__ is NDArray:
            kernels = x.flat.kernels
            try:
                result = results[kernels]
            except KeyError:
                result = results[kernels] = plain_table(op, kernels)
            if result is not None and (out is None or _takes(out, result, x.layout.shape, x)):
                if out is None:
                    made = empty_of(result, x.layout.result)
                else:
                    made = out
                    out.flat.version += 1
                kernels[op](made, x)
                return made
        return general(op, (x,), out, promote)

    return function


def binary(row: Op, promote: Promotion) -> Function:
    op = row.name
    results: dict[KernelTable, KernelTable | None] = {}

    def function(a: Any, b: Any, /, out: NDArray | None = None) -> NDArray:
        if a.__class__ is NDArray:
            kernels = a.flat.kernels
            if b.__class__ is NDArray:
                plain = a.layout is b.layout and b.flat.kernels is kernels
                if not plain and b.flat.kernels is kernels:
                    result = results.get(kernels) or results.setdefault(kernels, plain_table(op, kernels))
                    met = a.layout._derived.get(b.layout.packed) or _met(a.layout, b.layout)
                    if result is not None and met is not None:
                        layout, x, y = met
                        in_place = out is a and result is kernels and x is a.layout and x.contiguous
                        if out is None or (in_place and b.flat.memory is not a.flat.memory) or _takes(out, result, layout.shape, a, b):
                            if out is None:
                                made = empty_of(result, layout)
                            else:
                                made = out
                                out.flat.version += 1
                            kernels[op](made, a if x is a.layout else view_of(a, x), b if y is b.layout else view_of(b, y))
                            return made
            else:  # a number of a kind that the array's dtype holds
                plain = (b.__class__ is float and kernels.dtype.is_inexact) or (
                    b.__class__ is int and kernels.dtype is not dt.bool
                )
            if plain:
                try:
                    result = results[kernels]
                except KeyError:
                    result = results[kernels] = plain_table(op, kernels)
                in_place = out is a and result is kernels and a.layout.contiguous  # the usual way to take it: a frame less
                if result is not None and (out is None or in_place or _takes(out, result, a.layout.shape, a, b)):
                    if out is None:
                        made = empty_of(result, a.layout.result)
                    else:
                        made = out
                        out.flat.version += 1
                    kernels[op](made, a, b)
                    return made
        elif out is None and b.__class__ is NDArray and held(b.flat.dtype, a):
            kernels = b.flat.kernels
            result = results.get(kernels) or results.setdefault(kernels, plain_table(op, kernels))
            if result is not None:
                made = empty_of(result, b.layout.result)
                kernels[op](made, a, b)
                return made
        return general(op, (a, b), out, promote)

    return function


def ternary(row: Op, promote: Promotion) -> Function:
    op = row.name
    results: dict[KernelTable, KernelTable | None] = {}

    def function(a: Any, b: Any, c: Any, /, out: NDArray | None = None) -> NDArray:
        if a.__class__ is NDArray and b.__class__ is NDArray and a.layout is b.layout:
            kernels = a.flat.kernels
            alike = c.layout is a.layout and c.flat.kernels is kernels if c.__class__ is NDArray else held(kernels.dtype, c)
            if alike and b.flat.kernels is kernels:
                try:
                    result = results[kernels]
                except KeyError:
                    result = results[kernels] = plain_table(op, kernels)
                in_place = out is a and result is kernels and a.layout.contiguous
                if result is not None and (out is None or in_place or _takes(out, result, a.layout.shape, a, b, c)):
                    if out is None:
                        made = empty_of(result, a.layout.result)
                    else:
                        made = out
                        out.flat.version += 1
                    kernels[op](made, a, b, c)
                    return made
        return general(op, (a, b, c), out, promote)

    return function


def held(dtype: Any, number: Any) -> bool:
    """Whether a Python number is of a kind that takes no promotion of the dtype."""
    return (number.__class__ is float and dtype.is_inexact) or (number.__class__ is int and dtype is not dt.bool)
