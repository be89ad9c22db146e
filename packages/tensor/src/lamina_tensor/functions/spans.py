"""An axis as its spans or its slices, all by one node: their gradients are joined once, where slices one by one would each
fill zeros of the whole shape."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from lamina_ndarray.array_fields import view_of

from ..autograd.recording import recorded_several
from ..autograd.rules import Rule
from ..dispatch.dispatched import dispatched, dispatched_of_list

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["slices", "spans"]

_concat, _stack = dispatched_of_list("concat"), dispatched_of_list("stack")
_zeros = dispatched("new_zeros")


def _given(gs: Sequence[Any], shapes: Sequence[tuple[int, ...]]) -> list[Any]:
    """The gradients, zeros where a part was not used."""
    some = next(g for g in gs if g is not None)
    return [_zeros(some, shape) if g is None else g for g, shape in zip(gs, shapes, strict=True)]


def _joined(g: Any, x_shape: tuple[int, ...], axis: int, sizes: Sequence[int]) -> Any:
    return _concat(_given(g, [(*x_shape[:axis], n, *x_shape[axis + 1 :]) for n in sizes]), axis)


_SPANS = Rule("spans", ("x",), "SplitWithSizesBackward0", {"x": _joined})
_SLICES = Rule("slices", ("x",), "UnbindBackward0", {
    "x": lambda g, x_shape: _stack(_given(g, [x_shape[1:]] * x_shape[0]), 0),
})  # fmt: skip


def spans(x: Tensor, sizes: Sequence[int], axis: int = 0) -> tuple[Tensor, ...]:
    """Views of the spans of these lengths along an axis (counted from the front); they add up to it."""
    if len(sizes) == 1:
        return (x,)
    array = x.array
    layout = array.layout
    ends = list(accumulate(sizes, initial=0))
    parts = tuple([view_of(array, layout.slice(axis, a, b)) for a, b in pairwise(ends)])
    return recorded_several(_SPANS, parts, (x,), axis=axis, sizes=tuple(sizes))


def slices(x: Tensor) -> tuple[Tensor, ...]:
    """Views of `x[0]`, `x[1]`, ..."""
    array = x.array
    layout = array.layout
    if layout.shape[0] == 1:
        return (x[0],)
    return recorded_several(_SLICES, tuple([view_of(array, layout.select(0, i)) for i in range(layout.shape[0])]), (x,))
