"""Trees: tensors in tuples, lists and dicts, and the places where they stand."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import is_dataclass
from typing import Any, Final

from lamina_flatarray import Device, DType
from lamina_ndarray.programs.recorder import Unrepeatable

from ...devices.memory_formats import layout, memory_format
from ...methods.shapes.sizes import Size
from ...tensor_fields import AnyTensor

__all__ = ["LEAF", "PLAIN", "filled", "flattened"]

PLAIN: Final = (type(None), bool, int, float, complex, str, bytes, DType, Device, layout, memory_format, Size, type(Ellipsis), slice)
"""Types of what is told by how it is written."""


class Leaf:
    """Where a tensor stands in a tree."""

    __slots__ = ()


LEAF: Final = Leaf()


def flattened(tree: Any) -> tuple[Any, list[AnyTensor]]:
    """A tree with a `Leaf` in the place of each tensor, as tuples that can be compared, and the tensors.

    Raises:
        Unrepeatable: something in it is neither a tensor nor a number, a text, or a container of such.
    """
    tensors: list[AnyTensor] = []
    return _flat(tree, tensors), tensors


def _flat(tree: Any, tensors: list[AnyTensor]) -> Any:
    if isinstance(tree, AnyTensor):
        tensors.append(tree)
        return LEAF
    kind = type(tree)
    if kind in PLAIN:
        return kind, repr(tree) if kind is float or kind is complex else tree  # 0.0 and -0.0 are equal
    if kind is tuple or kind is list or (isinstance(tree, tuple) and hasattr(kind, "_fields")):
        return kind, tuple([_flat(part, tensors) for part in tree])
    if isinstance(tree, dict) and (kind in (dict, OrderedDict) or is_dataclass(kind)):
        return kind, tuple(tree), tuple([_flat(part, tensors) for part in tree.values()])
    raise Unrepeatable(f"a {kind.__name__} among what it is given or returns")


def filled(tree: Any, tensors: list[AnyTensor]) -> Any:
    """The tree with tensors in the places where they stood: the last of the list in the first place, and so on."""
    if tree is LEAF:
        return tensors.pop()
    kind, content, *values = tree
    if values:
        items = {key: filled(part, tensors) for key, part in zip(content, values[0], strict=True)}
        made: Callable[..., Any] = kind
        return made(**items) if is_dataclass(kind) else made(items)
    if kind in PLAIN:
        return kind(content) if kind is float or kind is complex else content
    parts = [filled(part, tensors) for part in content]
    return kind(*parts) if hasattr(kind, "_fields") else kind(parts)
