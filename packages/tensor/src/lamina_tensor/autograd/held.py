"""What memory a recorded node holds for its gradient: every array among its saved values, in whatever they are wrapped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lamina_flatarray import FlatArray
from lamina_ndarray import NDArray

from ..tensor_fields import AnyTensor
from ..transforms.function_context import FunctionCtx
from .node import OUTPUT, Node, Packed
from .saved_index import SavedIndex

__all__ = ["held_arrays", "whole"]


def held_arrays(node: Node) -> Iterator[tuple[NDArray, int]]:
    """The arrays that a node saved, each with the version that it must still have (-1: any). None once it is freed."""
    if node.plan is OUTPUT or node.saved is None:
        return
    for value, version in zip(node.saved, node.versions or (-1,) * len(node.saved), strict=True):
        for array, own in _arrays(value):
            yield array, version if own == -1 else own


def _arrays(value: Any) -> Iterator[tuple[NDArray, int]]:
    if isinstance(value, NDArray):
        yield value, -1
    elif isinstance(value, AnyTensor):
        yield value.array, -1
    elif isinstance(value, Packed):
        yield from _arrays(value.value)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _arrays(part)
    elif isinstance(value, SavedIndex):
        yield from ((part, version) for part, version in zip(value.index, value.versions, strict=True) if isinstance(part, NDArray))
    elif isinstance(value, FunctionCtx):
        for kept, _, version in value._saved:
            yield from ((array, version) for array, _ in _arrays(kept))


def whole(flat: FlatArray) -> FlatArray:
    """The flat array that owns the memory: itself, unless it is a slice of another one."""
    return getattr(flat, "whole", flat)
