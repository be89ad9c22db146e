"""Map ops of any operands: one device, one dtype, one shape, a place to write, and then the kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import ShapeError
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.dtype_rules import result_dtypes
from lamina_flatarray.modes import STRICT, word

from ...array_fields import ArrayFields, empty_of, view_of
from ...creation.scalars import fitting_factor
from ...dispatch.operands import as_operand, cast, common_kernels, described, destination, finish, guarded
from ...dispatch.strictness import refuse_ranks
from ...layouts.bounded_cache import BoundedCache
from ...layouts.broadcast import broadcast_shapes
from ...layouts.layout import Layout, Met
from ...layouts.strides import kept_strides

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ...array import NDArray
    from ..dispatcher import MapOp

__all__ = ["SPREADS", "broadcast_layouts", "general", "kept_order", "meet", "run_broadcast"]


def general(op: MapOp, operands: tuple[Any, ...], out: NDArray | None, params: Mapping[str, Any] | None = None) -> NDArray:
    """Run an op of any operands that broadcast: arrays, numbers, and what can be made arrays of.

    Args:
        op: the op.
        operands: its inputs.
        out: where the result goes, if not to a new array.
        params: numbers that take part in the promotion.

    Raises:
        DTypeError: the op is not defined for their dtypes, which cannot hold one of `params`; or its result cannot be cast to out's.
        DeviceError: they live on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another one.
    """
    name, params = op.name, params or {}
    arrays = [as_operand(name, x) for x in operands]
    kernels = common_kernels(name, arrays)
    compute, result = result_dtypes(name, op.promote(name, [*arrays, *[as_operand(name, value) for value in params.values()]]))
    table = kernels.sibling(compute)
    params = {key: fitting_factor(name, value, compute) for key, value in params.items()}
    return run_broadcast(name, table, [cast(x, table) for x in arrays], result, out, **params)


def run_broadcast(
    op: str, kernels: KernelTable, operands: list[Any], result: DType, out: NDArray | None, **params: Any
) -> NDArray:
    """Broadcast operands that are in one dtype, make or check the destination, and run the kernel.

    Args:
        op: its name.
        kernels: the table of the dtype that it computes in.
        operands: arrays and numbers.
        result: the dtype of the result.
        out: where it goes, if not to a new array.
        params: the kernel's parameters.

    Raises:
        ShapeError: the shapes do not broadcast, or `out` has another one.
        DTypeError: the result cannot be cast to out's dtype.
    """
    arrays = [x for x in operands if isinstance(x, ArrayFields)]
    try:
        shape = arrays[0].layout.shape
        for x in arrays[1:]:
            if x.layout.shape != shape:
                if word.get() & STRICT:
                    refuse_ranks(shape, x.layout.shape)
                shape = broadcast_shapes(shape, x.layout.shape)
    except ShapeError as error:
        raise ShapeError(f"{op}: {described(operands)}: {str(error).removeprefix('broadcast: ')}") from None
    if out is None:
        target = empty_of(kernels.sibling(result), kept_order([x.layout for x in arrays], shape))
    else:
        target = destination(op, out, shape, result, arrays)
        operands = [guarded(target, x) for x in operands]
    spread = [
        view_of(x, x.layout.broadcast_to(shape)) if isinstance(x, ArrayFields) and x.layout.shape != shape else x
        for x in operands
    ]
    kernels[op](target, *spread, **params)
    return target if out is None else finish(out, target)


def kept_order(layouts: Sequence[Layout], shape: tuple[int, ...]) -> Layout:
    """Of a result without gaps: in the order of dims of its operands, the first of which that tells two dims apart decides on them."""
    first = layouts[0]
    if all(layout.contiguous for layout in layouts):
        return Layout.dense(shape)
    if all(layout.shape == shape and layout.strides == first.strides for layout in layouts):
        return first.result
    return Layout.of(shape, kept_strides(shape, [layout.broadcast_to(shape).strides for layout in layouts]), 0)


SPREADS: Final[BoundedCache[tuple[bytes | None, ...], tuple[Layout | None, ...]]] = BoundedCache("broadcast layouts", 1024)
"""From the packed layouts of operands (None for a number) to what `broadcast_layouts` gives."""


def broadcast_layouts(*layouts: Layout | None) -> tuple[Layout | None, ...] | None:
    """The layout of a result, then each operand's spread to its shape; None if they do not broadcast, which `general` tells.

    Args:
        layouts: of the operands; None for a number, whose place in the result has None, too.
    """
    arrays = [layout for layout in layouts if layout is not None]
    try:
        shape = broadcast_shapes(*[layout.shape for layout in arrays])
    except ShapeError:
        return None
    spread = (kept_order(arrays, shape), *[layout and layout.broadcast_to(shape) for layout in layouts])
    return SPREADS.remember(tuple([None if layout is None else layout.packed for layout in layouts]), spread)


def meet(a: Layout, b: Layout) -> Met | None:
    """What `a.met` is after an op of two operands; None if they do not broadcast, or strict mode has to look at them: see `general`."""
    if word.get() & STRICT:
        return None
    spread: Any = SPREADS.get((a.packed, b.packed)) or broadcast_layouts(a, b)
    return spread and a.meeting(b, *spread)
