"""The map ops as functions of arrays: one maker per arity, applied to every map row of the op table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from lamina_flatarray import DTypeError, ShapeError
from lamina_flatarray import dtypes as dt
from lamina_flatarray.dtype_rules import result_dtypes
from lamina_flatarray.ops import OPS, Op
from lamina_flatarray.table import KernelTable

from .array import NDArray, empty_of, view_of
from .broadcast import broadcast_shapes
from .layout import Layout
from .operands import as_operand, cast, common_kernels, described, destination, finish, guarded, promoted

__all__ = ["FUNCTIONS", "clip", "polygamma", "where"]

Function = Callable[..., NDArray]


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
        target = empty_of(kernels.sibling(result), _result_layout(arrays, shape))
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


def _result_layout(arrays: list[NDArray], shape: tuple[int, ...]) -> Layout:
    """Row-major, unless all operands of the full shape are dense in one other order: then that order is kept."""
    full = [x.layout for x in arrays if x.layout.shape == shape]
    if full and all(layout.strides == full[0].strides for layout in full):
        return full[0].result
    return Layout.dense(shape)


def _general(op: str, operands: tuple[Any, ...], out: NDArray | None, **params: Any) -> NDArray:
    """Any operands: promote, cast, broadcast, run."""
    found = [as_operand(op, x) for x in operands]
    kernels = common_kernels(op, found)
    compute, result = result_dtypes(op, promoted(op, found))
    table = kernels.sibling(compute)
    return _kernel_call(op, table, [cast(x, table) for x in found], result, out, **params)


def _plain_table(op: str, kernels: KernelTable) -> KernelTable | None:
    """The table of the result where the op needs no cast for inputs of this dtype, else None."""
    compute, result = result_dtypes(op, kernels.dtype)
    return kernels.sibling(result) if compute is kernels.dtype else None


def _unary(row: Op) -> Function:
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
        return _general(op, (x,), out)

    return function


def _binary(row: Op) -> Function:
    op = row.name
    results: dict[KernelTable, KernelTable | None] = {}

    def function(a: Any, b: Any, /, out: NDArray | None = None) -> NDArray:
        if (out is None or out is a) and a.__class__ is NDArray:
            kernels = a.flat.kernels
            if b.__class__ is NDArray:
                plain = a.layout is b.layout and b.flat.kernels is kernels
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
        return _general(op, (a, b), out)

    return function


def _ternary(row: Op) -> Function:
    op = row.name

    def function(a: Any, b: Any, c: Any, /, out: NDArray | None = None) -> NDArray:
        return _general(op, (a, b, c), out)

    return function


def where(condition: Any, a: Any, b: Any, /, out: NDArray | None = None) -> NDArray:
    """`a` where `condition` holds, else `b`; all three broadcast together.

    Raises:
        DTypeError: the condition is not boolean.
        ShapeError: the shapes do not broadcast.
    """
    chosen = as_operand("where", condition)
    found = [as_operand("where", x) for x in (a, b)]
    kernels = common_kernels("where", [chosen, *found])
    if not isinstance(chosen, NDArray):
        from .creation import full

        chosen = full((), bool(chosen), dtype=dt.bool, device=kernels.device)
    if chosen.dtype is not dt.bool:
        raise DTypeError(f"where: the condition is {chosen.dtype!r}; it wants lamina.bool")
    result = promoted("where", found)
    table = kernels.sibling(result)
    chosen = cast(chosen, kernels.sibling(dt.bool))
    return _kernel_call("where", table, [chosen, *(cast(x, table) for x in found)], result, out)


def clip(x: NDArray, min: Any = None, max: Any = None, /, out: NDArray | None = None) -> NDArray:
    """`x` held between two bounds: numbers, arrays that broadcast, or None for no bound.

    Raises:
        DTypeError: both bounds are None.
    """
    if min is None and max is None:
        raise DTypeError("clip: At least one of 'min' or 'max' must not be None")
    if isinstance(min, NDArray) or isinstance(max, NDArray):
        if min is not None:
            x = maximum(x, min) if max is not None else maximum(x, min, out=out)
        return x if max is None else minimum(x, max, out=out)
    compute, result = result_dtypes("clip", promoted("clip", [x, *(b for b in (min, max) if b is not None)]))
    table = x.flat.kernels.sibling(compute)
    return _kernel_call("clip", table, [cast(x, table)], result, out, min=min, max=max)


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


_OWN: Final[dict[str, Function]] = {"where": where, "clip": clip, "polygamma": polygamma}
_MAKERS: Final = {1: _unary, 2: _binary, 3: _ternary}

FUNCTIONS: Final[dict[str, Function]] = {}
"""Every map op by name. Each takes arrays or numbers that broadcast together, and `out=`."""

for _row in OPS.values():
    if _row.family != "map":
        continue
    _function: Function = _OWN.get(_row.name) or _MAKERS[_row.arity](_row)
    _function.__name__ = _function.__qualname__ = _row.name
    if _function.__doc__ is None:
        _function.__doc__ = (
            f"{_row.doc[0].upper()}{_row.doc[1:]}, item by item; operands broadcast.\n\n"
            f"Raises:\n    DTypeError: the dtypes do not suit (rule `{_row.rule}`).\n"
            f"    ShapeError: the shapes do not broadcast, or `out` has another shape."
        )
    FUNCTIONS[_row.name] = _function

maximum, minimum, not_equal = (FUNCTIONS[name] for name in ("maximum", "minimum", "not_equal"))
