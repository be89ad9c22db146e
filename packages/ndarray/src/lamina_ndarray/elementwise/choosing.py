"""`where` and `clip`: functions item by item that choose among their operands, of which one is a condition or some may be left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import DType, DTypeError
from lamina_flatarray import dtypes as dt
from lamina_flatarray.dtype_rules import result_dtypes
from lamina_flatarray.modes import STRICT, word

from .. import array_fields as fields
from ..array_fields import ArrayFields, empty_of, view_of
from ..creation.scalars import SMALL, fitting
from ..dispatch.operands import as_operand, cast, common_kernels, promoted
from .dispatcher import MapOp, Promotion, binary, holds
from .operands.general import SPREADS, broadcast_layouts, run_broadcast

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["ClipOp", "choose", "clamp", "clip", "where"]

_WHERE: Final = MapOp("where")


def where(
    condition: NDArray | bool, a: NDArray | complex, b: NDArray | complex, /, out: NDArray | None = None
) -> NDArray:
    """Choose item by item: `a` where `condition` holds, else `b`; all three broadcast together.

    Args:
        condition: a boolean array, or True or False.
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of `a` and `b` together.

    Raises:
        DTypeError: the condition is not boolean, or an integer does not fit into the dtype.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> x = nd.asarray([1.0, -2.0, 3.0])
    >>> nd.where(x > 0, x, 0.0)
    NDArray([1., 0., 3.])
    """
    return choose(_WHERE, condition, a, b, out)


def choose(op: MapOp, condition: Any, a: Any, b: Any, out: NDArray | None = None) -> NDArray:
    """Run `where` with the promotion of `op`; the other arguments are those of `where`."""
    array = fields.array_class
    if out is None and condition.__class__ is array:
        layout, fits = condition.layout, False
        if a.__class__ is array:
            kernels = a.flat.kernels
            if b.__class__ is array:
                fits, alike = b.flat.kernels is kernels, a.layout is b.layout is layout
            else:
                fits, alike = holds(kernels.dtype, b), a.layout is layout
        elif b.__class__ is array:
            kernels = b.flat.kernels
            fits, alike = holds(kernels.dtype, a), b.layout is layout
        if fits and condition.flat.kernels is kernels.sibling(dt.bool):
            if not kernels.dtype.is_inexact:
                a, b = _held(a, kernels.dtype), _held(b, kernels.dtype)
            if alike:
                layout = layout.result
            else:
                layout, condition, a, b = _spread(condition, a, b)
            if layout is not None:
                result = empty_of(kernels, layout)
                kernels["where"](result, condition, a, b)
                return result
    chosen, values = as_operand("where", condition), [as_operand("where", x) for x in (a, b)]
    kernels = common_kernels("where", [chosen, *values])
    if not isinstance(chosen, ArrayFields):
        from ..creation.constructors import full

        chosen = full((), bool(chosen), dtype=dt.bool, device=kernels.device)
    if chosen.dtype is not dt.bool:
        raise DTypeError(f"where: the condition is {chosen.dtype!r}; it wants lamina.bool")
    dtype = op.promote("where", values)
    table = kernels.sibling(dtype)
    chosen = cast(chosen, kernels.sibling(dt.bool))
    if not dtype.is_inexact:
        values = [_held(x, dtype) for x in values]
    return run_broadcast("where", table, [chosen, *(cast(x, table) for x in values)], dtype, out)


def _held(x: Any, dtype: DType) -> Any:
    """A number as integers hold it, or an error; an array as it is."""
    return x if isinstance(x, ArrayFields) else fitting("where", x, dtype)


def _spread(*operands: Any) -> tuple[Any, ...]:
    """The layout of the result of operands that differ in shape, and these spread to it; None and they if they do not broadcast."""
    layouts = [x.layout if x.__class__ is fields.array_class else None for x in operands]
    spread = SPREADS.get(tuple([None if layout is None else layout.packed for layout in layouts])) or broadcast_layouts(*layouts)
    if spread is None or word.get() & STRICT:  # which the general way attends to
        return None, *operands
    views = [x if layout is None else view_of(x, layout) for x, layout in zip(operands, spread[1:], strict=True)]
    return spread[0], *views


class ClipOp(MapOp):
    """`clip` as the dispatcher sees it, and the ops that it is for bounds that are arrays, with the same promotion."""

    __slots__ = ("maximum", "minimum")

    def __init__(self, promote: Promotion = promoted) -> None:
        super().__init__("clip", promote)
        self.maximum, self.minimum = MapOp("maximum", promote), MapOp("minimum", promote)


_CLIP: Final = ClipOp()


def clip(
    x: NDArray, min: NDArray | float | None = None, max: NDArray | float | None = None, out: NDArray | None = None
) -> NDArray:
    """Hold each item between two bounds: `minimum(maximum(x, min), max)`.

    Args:
        x: an array.
        min: the lower bound: a number, an array that broadcasts, or None for no bound.
        max: the upper bound, which wins where it is below the lower one.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of x and the bounds together.

    Raises:
        DTypeError: the dtypes have no order, or a bound does not fit into them.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.clip(nd.asarray([-1.0, 0.5, 3.0]), 0.0, 1.0)
    NDArray([0.0000, 0.5000, 1.0000])
    """
    return clamp(_CLIP, x, min, max, out)


def clamp(op: ClipOp, x: NDArray, min: Any = None, max: Any = None, out: NDArray | None = None) -> NDArray:
    """Run `clip` with the promotion of `op`; the other arguments are those of `clip`."""
    if isinstance(min, ArrayFields) or isinstance(max, ArrayFields):
        if min is not None:
            x = binary(op.maximum, x, min, out if max is None else None)
        return x if max is None else binary(op.minimum, x, max, out)
    if x.__class__ is fields.array_class:
        kernels = x.flat.kernels
        dtype = kernels.dtype
        if (min is None or holds(dtype, min)) and (max is None or holds(dtype, max)):
            try:
                table = op.results[kernels]
            except KeyError:
                table = op.result_of(kernels)
            if not (min is None or -SMALL <= min <= SMALL) or not (max is None or -SMALL <= max <= SMALL):
                min, max = _bounds(min, max, dtype)
            if table is not None and (out is None or (out is x and x.layout.contiguous)):
                if out is None:
                    out = empty_of(table, x.layout.result)
                else:
                    out.flat.version += 1
                kernels["clip"](out, x, min=min, max=max)
                return out
    compute, dtype = result_dtypes("clip", op.promote("clip", [x, *(b for b in (min, max) if b is not None)]))
    table = x.flat.kernels.sibling(compute)
    min, max = _bounds(min, max, compute)
    return run_broadcast("clip", table, [cast(x, table)], dtype, out, min=min, max=max)


def _bounds(min: Any, max: Any, dtype: DType) -> tuple[Any, Any]:
    """Both bounds as the dtype holds them, or an error."""
    return min if min is None else fitting("clip", min, dtype), max if max is None else fitting("clip", max, dtype)
