"""Joining any number of tensors: their gradients are the parts of the result's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import accumulate
from operator import attrgetter
from typing import Any

import lamina_ndarray as nd
from lamina_ndarray.broadcast import normalize_axis
from lamina_ndarray.joining import in_a_row

from .destinations import placed
from .lifting import arrays_of
from .modes import mode
from .precision import switch
from .recording import recorded
from .rules import Rule
from .tensor import Tensor, tensor_of

__all__ = ["concat", "stack"]


@cache
def _rule(op: str, node_name: str, count: int, part: Callable[[int], Callable[..., Any]]) -> Rule:
    """The rule of a joining op for this many inputs."""
    names = tuple(f"part{i}" for i in range(count))
    return Rule(op, names, node_name, {name: part(i) for i, name in enumerate(names)})


def _span(i: int) -> Callable[..., Any]:
    return lambda g, axis, ends: g[(*(slice(None),) * axis, slice(ends[i], ends[i + 1]))]


def _slot(i: int) -> Callable[..., Any]:
    return lambda g, axis: g[(*(slice(None),) * axis, i)]


def concat(tensors: Sequence[Tensor], axis: int = 0, *, out: Tensor | None = None) -> Tensor:
    """Tensors one after another along an axis; dtypes are promoted.

    Raises:
        ShapeError: there are none, or they differ on another axis; or `out` shares memory with one.
    """
    if switch.users and out is None:
        (tensors,) = switch.widened(tensors)
    result = nd.concat(_arrays(tensors), axis) if axis is None else in_a_row("concat", _arrays(tensors), axis)
    if not mode.recording or True not in map(_wants_gradient, tensors):
        made = tensor_of(result)
    else:
        at = normalize_axis(axis, result.layout.ndim, "cat")
        lengths = (0 if t.array.layout.shape == (0,) else t.array.layout.shape[at] for t in tensors)
        ends = tuple(accumulate(lengths, initial=0))
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
    if not mode.recording or True not in map(_wants_gradient, tensors):
        made = tensor_of(result)
    else:
        at = normalize_axis(axis, result.layout.ndim, "stack")
        made = recorded(_rule("stack", "StackBackward0", len(tensors), _slot), result, tuple(tensors), axis=at)
    return made if out is None else placed("stack", out, made, tensors)


_array, _wants_gradient = attrgetter("array"), attrgetter("requires_grad")


def _arrays(tensors: Sequence[Tensor]) -> Any:
    """The arrays of a sequence of tensors; what is no sequence of them is for the function of arrays to refuse."""
    if tensors.__class__ is tuple or tensors.__class__ is list:
        try:
            return list(map(_array, tensors))
        except AttributeError:
            pass
    return arrays_of(tensors)
