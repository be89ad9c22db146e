"""Joining any number of tensors: their gradients are the parts of the result's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import accumulate
from typing import Any

import lamina_ndarray as nd
from lamina_ndarray.broadcast import normalize_axis

from .lifting import arrays_of
from .modes import mode
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


def concat(tensors: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Tensors one after another along an axis; dtypes are promoted.

    Raises:
        ShapeError: there are none, or they differ on another axis.
    """
    result = nd.concat(_arrays(tensors), axis)
    if not mode.recording or True not in [t.requires_grad for t in tensors]:
        return tensor_of(result)
    at = normalize_axis(axis, result.layout.ndim, "cat")
    lengths = (0 if t.array.layout.shape == (0,) else t.array.layout.shape[at] for t in tensors)
    ends = tuple(accumulate(lengths, initial=0))
    return recorded(_rule("concat", "CatBackward0", len(tensors), _span), result, tuple(tensors), axis=at, ends=ends)


def stack(tensors: Sequence[Tensor], axis: int = 0) -> Tensor:
    """Tensors of one shape along a new axis.

    Raises:
        ShapeError: there are none, or their shapes differ.
    """
    result = nd.stack(_arrays(tensors), axis)
    if not mode.recording or True not in [t.requires_grad for t in tensors]:
        return tensor_of(result)
    at = normalize_axis(axis, result.layout.ndim, "stack")
    return recorded(_rule("stack", "StackBackward0", len(tensors), _slot), result, tuple(tensors), axis=at)


def _arrays(tensors: Sequence[Tensor]) -> Any:
    """The arrays of a sequence of tensors; what is no sequence of them is for the function of arrays to refuse."""
    if tensors.__class__ is tuple or tensors.__class__ is list:
        try:
            return [t.array for t in tensors]
        except AttributeError:
            pass
    return arrays_of(tensors)
