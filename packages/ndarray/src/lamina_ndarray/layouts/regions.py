"""One layout seen through another: the part of an array that a view of its memory would show.

`outer` says how the memory of some array x was laid out, and `inner` how a view of that memory reads it. The functions
here read or write that part in any array of x's shape, wherever its own items lie: what gradients of views need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..array_fields import empty_of, view_of
from .layout import Layout

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["put_region", "region", "without_region"]


def _laid_out(x: NDArray, outer: Layout, *, copy: bool) -> NDArray:
    """x's items in memory that is ordered as `outer`: x itself where it is and no copy is wanted."""
    if not copy and x.layout.strides == outer.strides:
        return x
    result = _zeros(x, outer)
    x.flat.kernels["copy"](result, x)
    return result


def _zeros(x: NDArray, outer: Layout) -> NDArray:
    """Zeros under `outer`, moved to the start of memory of their own; what it skips is 0, too."""
    low, high = outer.extent()
    memory = empty_of(x.flat.kernels, Layout.dense((max(high - low + 1, 0),)))
    x.flat.kernels["fill"](memory, value=0)
    return view_of(memory, Layout.of(outer.shape, outer.strides, outer.offset - low if outer.size else 0))


def _seen(x: NDArray, outer: Layout, inner: Layout) -> NDArray:
    return view_of(x, Layout.of(inner.shape, inner.strides, inner.offset - outer.offset + x.layout.offset))


def region(x: NDArray, outer: Layout, inner: Layout) -> NDArray:
    """What `inner` shows of x, if x lay as `outer`: a view where it does, else of a copy."""
    return _seen(_laid_out(x, outer, copy=False), outer, inner)


def put_region(values: NDArray, outer: Layout, inner: Layout) -> NDArray:
    """Zeros of outer's shape with `values` added where `inner` shows them."""
    result = _zeros(values, outer)
    target = _seen(result, outer, inner)
    if not inner.overlaps:
        values.flat.kernels["copy"](target, values)
        return result
    from ..creation.ranges import arange
    from ..indexing.selection import setitem

    span = result.flat.size  # several places show one item: their values add up
    places = view_of(arange(span, device=values.device), target.layout)
    setitem(view_of(result, Layout.dense((span,))), places, values, accumulate=True)
    return result


def without_region(x: NDArray, outer: Layout, inner: Layout) -> NDArray:
    """A copy of x with zeros where `inner` would show it."""
    result = _laid_out(x, outer, copy=True)
    result.flat.kernels["fill"](_seen(result, outer, inner), value=0)
    return result
