"""Joining any number of tensors: their gradients are the parts of the result's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import accumulate
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import lamina_ndarray as nd
from lamina_flatarray.modes import NO_GRAD, word
from lamina_ndarray import NDArray
from lamina_ndarray.array_fields import view_of
from lamina_ndarray.layouts.broadcast import normalize_axis
from lamina_ndarray.shapes.joining import PART_SHAPES, in_a_row, joining_axis

from ..autograd.recording import recorded
from ..autograd.rules import Rule
from ..dispatch import array_functions as af
from ..dispatch.destinations import placed
from ..dispatch.lifting import arrays_of
from ..precision.casts import switch
from ..tensor_fields import tensor_of

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["column_stack", "concat", "dstack", "hstack", "row_stack", "stack", "vstack"]


@cache
def _rule(op: str, node_name: str, count: int, part: Callable[[int], Callable[..., Any]]) -> Rule:
    """The rule of a joining op for this many inputs."""
    names = tuple(f"part{i}" for i in range(count))
    return Rule(op, names, node_name, {name: part(i) for i, name in enumerate(names)})


def _span(i: int) -> Callable[..., Any]:
    return lambda g, axis, ends: _part(g, axis, slice(ends[i], ends[i + 1]))


def _slot(i: int) -> Callable[..., Any]:
    return lambda g, axis: _part(g, axis, i)


def _part(g: Any, axis: int, place: Any) -> Any:
    """What of a joint gradient belongs to one input: a view."""
    if g.__class__ is not NDArray:
        return g[(*(slice(None),) * axis, place)]
    layout = g.layout
    return view_of(g, layout.select(axis, place) if place.__class__ is int else layout.slice(axis, place.start, place.stop))


@lru_cache(4096)
def _ends(shapes: tuple[tuple[int, ...], ...], axis: int) -> tuple[int, ...]:
    """Where along an axis of a row each part begins, and the last one ends; a vector without items has no part in it."""
    return tuple(accumulate((0 if shape == (0,) else shape[axis] for shape in shapes), initial=0))


def concat(tensors: Sequence[Tensor], axis: int = 0, *, out: Tensor | None = None) -> Tensor:
    """Tensors one after another along an axis; dtypes are promoted.

    Raises:
        ShapeError: there are none, or they differ on another axis; or `out` shares memory with one.
    """
    if switch.users and out is None:
        (tensors,) = switch.widened(tensors)
    arrays = _arrays(tensors)
    result = nd.concat(arrays, axis) if axis is None else in_a_row("concat", arrays, axis)
    if word.get() & NO_GRAD or True not in map(_wants_gradient, tensors):
        made = tensor_of(result)
    else:
        at = normalize_axis(axis, result.layout.ndim, "cat")
        ends = _ends(tuple([a.layout.shape for a in arrays]), at)
        made = recorded(_rule("concat", "CatBackward0", len(tensors), _span), result, tuple(tensors), axis=at, ends=ends)
    return made if out is None else placed("cat", out, made, tensors)


def stack(tensors: Sequence[Tensor], axis: int = 0, *, out: Tensor | None = None) -> Tensor:
    """Tensors of one shape along a new axis.

    Raises:
        ShapeError: there are none, or their shapes differ; or `out` shares memory with one.
    """
    if switch.users and out is None:
        (tensors,) = switch.widened(tensors)
    result = in_a_row("stack", _arrays(tensors), axis)
    if word.get() & NO_GRAD or True not in map(_wants_gradient, tensors):
        made = tensor_of(result)
    else:
        at = normalize_axis(axis, result.layout.ndim, "stack")
        made = recorded(_rule("stack", "StackBackward0", len(tensors), _slot), result, tuple(tensors), axis=at)
    return made if out is None else placed("stack", out, made, tensors)


def _raising(op: str) -> Callable[..., Tensor]:
    """The function that joins tensors with at least as many axes as the op wants: where it is recorded, a `concat` of views."""
    shape_in_row = PART_SHAPES[op]

    def function(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
        arrays = _arrays(tensors)
        if not arrays or not (switch.users or (not word.get() & NO_GRAD and True in map(_wants_gradient, tensors))):
            made = tensor_of(in_a_row(op, arrays, 0))
        else:
            parts = [af.reshape(t, shape_in_row(t.array.layout.shape)) for t in tensors]
            made = concat(parts, joining_axis(op, parts[0].array.layout.ndim))
        return made if out is None else placed(op, out, made, tensors)

    function.__name__ = function.__qualname__ = op
    function.__doc__ = getattr(nd, op).__doc__
    return function


hstack, vstack, dstack, column_stack = map(_raising, PART_SHAPES)
row_stack = vstack

_array, _wants_gradient = attrgetter("array"), attrgetter("requires_grad")


def _arrays(tensors: Sequence[Tensor]) -> Any:
    """The arrays of a sequence of tensors; what is no sequence of them is for the function of arrays to refuse."""
    if tensors.__class__ is tuple or tensors.__class__ is list:
        try:
            return list(map(_array, tensors))
        except AttributeError:
            pass
    return arrays_of(tensors)
