"""The map ops as functions of arrays: one maker per arity, applied to every map row of the op table.

Each that takes several arrays is made twice, as the Array API and PyTorch disagree on arrays without axes: there they
count like any other in type promotion (FUNCTIONS), here for less than arrays with axes (RANKED, for the storey above).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from lamina_flatarray import DTypeError, ShapeError
from lamina_flatarray import dtypes as dt
from lamina_flatarray.dtype_rules import result_dtypes
from lamina_flatarray.ops import OPS, Op
from lamina_flatarray.table import KernelTable

from .array import NDArray, empty_of, view_of
from .array_api_edges import at_the_edges
from .broadcast import broadcast_shapes
from .layout import Layout
from .namespace import no_array
from .operands import (
    as_operand,
    cast,
    common_kernels,
    described,
    destination,
    finish,
    guarded,
    promoted,
    promoted_by_rank,
)

__all__ = ["FUNCTIONS", "RANKED"]

Function = Callable[..., NDArray]
Promotion = Callable[[str, Any], Any]


def _kernel_call(
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
        target = empty_of(kernels.sibling(result), _kept_order([x.layout for x in arrays], shape))
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


def _kept_order(layouts: Iterable[Layout], shape: tuple[int, ...]) -> Layout:
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
    return x._remember(y.packed, (_kept_order((x, y), shape), x.broadcast_to(shape), y.broadcast_to(shape)))


def _general(op: str, operands: tuple[Any, ...], out: NDArray | None, promote: Promotion) -> NDArray:
    """Any operands: promote, cast, broadcast, run."""
    found = [as_operand(op, x) for x in operands]
    kernels = common_kernels(op, found)
    compute, result = result_dtypes(op, promote(op, found))
    table = kernels.sibling(compute)
    return _kernel_call(op, table, [cast(x, table) for x in found], result, out)


def _plain_table(op: str, kernels: KernelTable) -> KernelTable | None:
    """The table of the result where the op needs no cast for inputs of this dtype, else None."""
    compute, result = result_dtypes(op, kernels.dtype)
    return kernels.sibling(result) if compute is kernels.dtype else None


def _unary(row: Op, promote: Promotion) -> Function:
    op = row.name
    results: dict[KernelTable, KernelTable | None] = {}

    def function(x: Any, /, out: NDArray | None = None) -> NDArray:
        if out is None and x.__class__ is NDArray:
            kernels = x.flat.kernels
            try:
                result = results[kernels]
            except KeyError:
                result = results[kernels] = _plain_table(op, kernels)
            if result is not None:
                made = empty_of(result, x.layout.result)
                kernels[op](made, x)
                return made
        return _general(op, (x,), out, promote)

    return function


def _binary(row: Op, promote: Promotion) -> Function:
    op = row.name
    results: dict[KernelTable, KernelTable | None] = {}

    def function(a: Any, b: Any, /, out: NDArray | None = None) -> NDArray:
        if (out is None or out is a) and a.__class__ is NDArray:
            kernels = a.flat.kernels
            if b.__class__ is NDArray:
                plain = a.layout is b.layout and b.flat.kernels is kernels
                if not plain and b.flat.kernels is kernels:
                    result = results.get(kernels) or results.setdefault(kernels, _plain_table(op, kernels))
                    met = a.layout._derived.get(b.layout.packed) or _met(a.layout, b.layout)
                    if result is not None and met is not None:
                        layout, x, y = met
                        other = b if y is b.layout else view_of(b, y)
                        if out is None:
                            made = empty_of(result, layout)
                            kernels[op](made, a if x is a.layout else view_of(a, x), other)
                            return made
                        if result is kernels and x is a.layout and x.contiguous and b.flat.memory is not a.flat.memory:
                            a.flat.version += 1
                            kernels[op](a, a, other)
                            return a
            else:  # a number of a kind that the array's dtype holds
                plain = (b.__class__ is float and kernels.dtype.is_inexact) or (
                    b.__class__ is int and kernels.dtype is not dt.bool
                )
            if plain:
                try:
                    result = results[kernels]
                except KeyError:
                    result = results[kernels] = _plain_table(op, kernels)
                if result is not None:
                    if out is None:
                        made = empty_of(result, a.layout.result)
                        kernels[op](made, a, b)
                        return made
                    if result is kernels and a.layout.contiguous:  # in place, and no two indices share an item
                        a.flat.version += 1
                        kernels[op](a, a, b)
                        return a
        elif out is None and b.__class__ is NDArray and held(b.flat.dtype, a):
            kernels = b.flat.kernels
            result = results.get(kernels) or results.setdefault(kernels, _plain_table(op, kernels))
            if result is not None:
                made = empty_of(result, b.layout.result)
                kernels[op](made, a, b)
                return made
        return _general(op, (a, b), out, promote)

    return function


def _ternary(row: Op, promote: Promotion) -> Function:
    op = row.name
    results: dict[KernelTable, KernelTable | None] = {}

    def function(a: Any, b: Any, c: Any, /, out: NDArray | None = None) -> NDArray:
        if (out is None or out is a) and a.__class__ is NDArray and b.__class__ is NDArray and a.layout is b.layout:
            kernels = a.flat.kernels
            alike = c.layout is a.layout and c.flat.kernels is kernels if c.__class__ is NDArray else held(kernels.dtype, c)
            if alike and b.flat.kernels is kernels:
                try:
                    result = results[kernels]
                except KeyError:
                    result = results[kernels] = _plain_table(op, kernels)
                if result is not None and (out is None or (result is kernels and a.layout.contiguous)):
                    if out is None:
                        made = empty_of(result, a.layout.result)
                    else:  # in place, and no two indices share an item
                        made = a
                        a.flat.version += 1
                    kernels[op](made, a, b, c)
                    return made
        return _general(op, (a, b, c), out, promote)

    return function


def held(dtype: Any, number: Any) -> bool:
    """Whether a Python number is of a kind that takes no promotion of the dtype."""
    return (number.__class__ is float and dtype.is_inexact) or (number.__class__ is int and dtype is not dt.bool)


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
    return arrays[0]._remember(key, (_kept_order(arrays, shape), spread))


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
            from .creation import full

            chosen = full((), bool(chosen), dtype=dt.bool, device=kernels.device)
        if chosen.dtype is not dt.bool:
            raise DTypeError(f"where: the condition is {chosen.dtype!r}; it wants lamina.bool")
        result = promote("where", found)
        table = kernels.sibling(result)
        chosen = cast(chosen, kernels.sibling(dt.bool))
        return _kernel_call("where", table, [chosen, *(cast(x, table) for x in found)], result, out)

    return where


def _clip(row: Op, promote: Promotion) -> Function:
    maximum, minimum = (_binary(OPS[name], promote) for name in ("maximum", "minimum"))
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
                    plain = results[kernels] = _plain_table("clip", kernels)
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
        return _kernel_call("clip", table, [cast(x, table)], result, out, min=min, max=max)

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
                    result = results[kernels] = _plain_table(op, kernels)
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
        return _kernel_call(op, table, [cast(x, table) for x in operands], result_dtype, out, value=value)

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
        return _kernel_call("polygamma", table, [cast(given, table)], result, out, n=n)

    return polygamma


def _of_one_dtype(row: Op, promote: Promotion) -> Function:
    """Of two arrays, which are not promoted."""
    op, binary = row.name, _binary(row, promote)

    def function(a: NDArray, b: NDArray, /, out: NDArray | None = None) -> NDArray:
        for x in (a, b):
            if not isinstance(x, NDArray):
                raise no_array(op, x)
        if a.flat.dtype is not b.flat.dtype:
            raise DTypeError(f"{op}: not implemented for operands of different dtypes: {described((a, b))}")
        return binary(a, b, out)

    return function


_SPECIAL: Final = {"where": _where, "clip": _clip, "polygamma": _polygamma, "addcmul": _scaled_sum, "addcdiv": _scaled_sum,
                   **dict.fromkeys(("complex", "heaviside", "polar"), _of_one_dtype)}
_MAKERS: Final = {1: _unary, 2: _binary, 3: _ternary}


def _made(row: Op, promote: Promotion) -> Function:
    return _named(row, (_SPECIAL.get(row.name) or _MAKERS[row.arity])(row, promote))


def _named(row: Op, function: Function) -> Function:
    function.__name__ = function.__qualname__ = row.name
    if function.__doc__ is None:
        function.__doc__ = (
            f"{row.doc[0].upper()}{row.doc[1:]}, item by item; operands broadcast.\n\n"
            f"Raises:\n    DTypeError: the dtypes do not suit (rule `{row.rule}`).\n"
            f"    ShapeError: the shapes do not broadcast, or `out` has another shape."
        )
    return function


_MAPS: Final = [row for row in OPS.values() if row.family == "map"]

FUNCTIONS: Final[dict[str, Function]] = {row.name: _made(row, promoted) for row in _MAPS}
"""Every map op by name. Each takes arrays or numbers that broadcast together, and `out=`."""

RANKED: Final[dict[str, Function]] = {
    row.name: _made(row, promoted_by_rank) if row.arity > 1 or row.name in _SPECIAL else FUNCTIONS[row.name] for row in _MAPS
}
"""The same, with PyTorch's promotion, and with its results at infinities, zeros and NaN."""

FUNCTIONS.update(at_the_edges(FUNCTIONS.copy()))
