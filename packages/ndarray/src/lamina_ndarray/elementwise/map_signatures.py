"""Makers of the map ops that have a signature, or a promotion, of their own."""

from __future__ import annotations

from typing import Any, Final

from lamina_flatarray import DTypeError, ShapeError
from lamina_flatarray import dtypes as dt
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.dtype_rules import result_dtypes
from lamina_flatarray.ops import OPS, Op

from ..array import NDArray, empty_of, view_of
from ..dispatch.namespace import no_array
from ..dispatch.operands import as_operand, cast, common_kernels, described
from ..layouts.broadcast import broadcast_shapes
from ..layouts.layout import Layout
from .map_makers import Function, Promotion, binary, held, kept_order, plain_table, run_broadcast

__all__ = ["SPECIAL"]


def _chosen(condition: NDArray, a: Any, b: Any) -> NDArray | None:
    """`where` for a condition and values that need no cast, one of which may be a number; else None."""
    array, other = (a, b) if a.__class__ is NDArray else (b, a)
    if array.__class__ is not NDArray:
        return None
    kernels = array.flat.kernels
    if condition.flat.kernels is not kernels.sibling(dt.bool):
        return None
    if other.__class__ is NDArray:
        if other.flat.kernels is not kernels:
            return None
        alike = other.layout is array.layout is condition.layout
    elif held(kernels.dtype, other):
        alike = array.layout is condition.layout
    else:
        return None
    if alike:
        made = empty_of(kernels, array.layout.result)
        kernels["where"](made, condition, a, b)
        return made
    layouts = tuple([x.layout if x.__class__ is NDArray else None for x in (condition, a, b)])
    key = ("where", *[layout and layout.packed for layout in layouts])
    met = condition.layout._derived.get(key) or _all_met(key, layouts)
    if met is None:
        return None
    layout, spread = met
    made = empty_of(kernels, layout)
    kernels["where"](made, *[x if own is None else view_of(x, own) for x, own in zip((condition, a, b), spread, strict=True)])
    return made


def _all_met(key: Any, layouts: tuple[Layout | None, ...]) -> tuple[Layout, tuple[Layout | None, ...]] | None:
    """The layout of the result, and each of them (None for a number) spread to its shape; None if they do not broadcast."""
    arrays = [layout for layout in layouts if layout is not None]
    try:
        shape = broadcast_shapes(*[layout.shape for layout in arrays])
    except ShapeError:
        return None
    spread = tuple([layout and layout.broadcast_to(shape) for layout in layouts])
    return arrays[0]._remember(key, (kept_order(arrays, shape), spread))


def _where(row: Op, promote: Promotion) -> Function:
    def where(condition: Any, a: Any, b: Any, /, out: NDArray | None = None) -> NDArray:
        """`a` where `condition` holds, else `b`; all three broadcast together.

        Raises:
            DTypeError: the condition is not boolean.
            ShapeError: the shapes do not broadcast.
        """
        if out is None and condition.__class__ is NDArray and condition.flat.dtype is dt.bool:
            made = _chosen(condition, a, b)
            if made is not None:
                return made
        chosen = as_operand("where", condition)
        found = [as_operand("where", x) for x in (a, b)]
        kernels = common_kernels("where", [chosen, *found])
        if not isinstance(chosen, NDArray):
            from ..creation.constructors import full

            chosen = full((), bool(chosen), dtype=dt.bool, device=kernels.device)
        if chosen.dtype is not dt.bool:
            raise DTypeError(f"where: the condition is {chosen.dtype!r}; it wants lamina.bool")
        result = promote("where", found)
        table = kernels.sibling(result)
        chosen = cast(chosen, kernels.sibling(dt.bool))
        return run_broadcast("where", table, [chosen, *(cast(x, table) for x in found)], result, out)

    return where


def _clip(row: Op, promote: Promotion) -> Function:
    maximum, minimum = (binary(OPS[name], promote) for name in ("maximum", "minimum"))
    results: dict[KernelTable, KernelTable | None] = {}

    def clip(x: NDArray, min: Any = None, max: Any = None, out: NDArray | None = None) -> NDArray:
        """`x` held between two bounds: numbers, arrays that broadcast, or None for no bound.

        Raises:
            DTypeError: the dtypes have no order.
            ShapeError: the shapes do not broadcast.
        """
        if isinstance(min, NDArray) or isinstance(max, NDArray):
            if min is not None:
                x = maximum(x, min) if max is not None else maximum(x, min, out=out)
            return x if max is None else minimum(x, max, out=out)
        if (out is None or (out is x and x.layout.contiguous)) and x.__class__ is NDArray:
            kernels = x.flat.kernels
            if (min is None or held(kernels.dtype, min)) and (max is None or held(kernels.dtype, max)):
                try:
                    plain = results[kernels]
                except KeyError:
                    plain = results[kernels] = plain_table("clip", kernels)
                if plain is not None:
                    if out is None:
                        made = empty_of(plain, x.layout.result)
                    else:  # in place, and no two indices share an item
                        made = x
                        x.flat.version += 1
                    kernels["clip"](made, x, min=min, max=max)
                    return made
        compute, result = result_dtypes("clip", promote("clip", [x, *(b for b in (min, max) if b is not None)]))
        table = x.flat.kernels.sibling(compute)
        return run_broadcast("clip", table, [cast(x, table)], result, out, min=min, max=max)

    return clip


def _scaled_sum(row: Op, promote: Promotion) -> Function:
    op = row.name
    results: dict[KernelTable, KernelTable | None] = {}

    def function(
        input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1, out: NDArray | None = None
    ) -> NDArray:
        if (out is None or out is input) and input.__class__ is NDArray and tensor1.__class__ is NDArray:
            kernels, layout = input.flat.kernels, input.layout
            alike = tensor1.layout is layout and tensor1.flat.kernels is kernels and held(kernels.dtype, value)
            if tensor2.__class__ is NDArray:
                alike = alike and tensor2.layout is layout and tensor2.flat.kernels is kernels
            else:
                alike = alike and held(kernels.dtype, tensor2)
            if alike:
                try:
                    result = results[kernels]
                except KeyError:
                    result = results[kernels] = plain_table(op, kernels)
                if result is not None and (out is None or layout.contiguous):
                    if out is None:
                        out = empty_of(result, layout.result)
                    else:  # in place, and no two indices share an item
                        out.flat.version += 1
                    kernels[op](out, input, tensor1, tensor2, value=value)
                    return out
        operands = [as_operand(op, x) for x in (input, tensor1, tensor2)]
        compute, result_dtype = result_dtypes(op, promote(op, [*operands, as_operand(op, value)]))
        table = common_kernels(op, operands).sibling(compute)
        return run_broadcast(op, table, [cast(x, table) for x in operands], result_dtype, out, value=value)

    return function


def _polygamma(row: Op, promote: Promotion) -> Function:
    def polygamma(n: int, x: NDArray, /, out: NDArray | None = None) -> NDArray:
        """The n-th derivative of `digamma`; for n >= 1 it is infinite at 0, -1, -2, ...

        Raises:
            DTypeError: n is not a Python integer, or `x` is complex.
            ShapeError: n is negative.
        """
        if not isinstance(n, int):
            raise DTypeError(f"polygamma: the order is {n!r}; it wants a Python integer")
        if n < 0:
            raise ShapeError(f"polygamma: polygamma(n, x) does not support negative n; the order is {n}")
        given = as_operand("polygamma", x)
        kernels = common_kernels("polygamma", [given])
        compute, result = result_dtypes("polygamma", kernels.dtype)
        table = kernels.sibling(compute)
        return run_broadcast("polygamma", table, [cast(given, table)], result, out, n=n)

    return polygamma


def _of_one_dtype(row: Op, promote: Promotion) -> Function:
    """Of two arrays, which are not promoted."""
    op, function_of_two = row.name, binary(row, promote)

    def function(a: NDArray, b: NDArray, /, out: NDArray | None = None) -> NDArray:
        for x in (a, b):
            if not isinstance(x, NDArray):
                raise no_array(op, x)
        if a.flat.dtype is not b.flat.dtype:
            raise DTypeError(f"{op}: not implemented for operands of different dtypes: {described((a, b))}")
        return function_of_two(a, b, out)

    return function


SPECIAL: Final = {
    "where": _where, "clip": _clip, "polygamma": _polygamma, "addcmul": _scaled_sum, "addcdiv": _scaled_sum,
    **dict.fromkeys(("complex", "heaviside", "polar"), _of_one_dtype),
}  # fmt: skip
"""Op name to its maker."""
