"""Nested containers of tensors: flattened to a list, and built again from one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

__all__ = ["flattened", "mapped", "rebuilt"]


def _children(tree: Any) -> list[Any] | None:
    if isinstance(tree, dict):
        return list(tree.values())
    if isinstance(tree, (list, tuple)) and not _is_shape(tree):
        return list(tree)
    if is_dataclass(tree) and not isinstance(tree, type):
        return [getattr(tree, field.name) for field in fields(tree)]
    return None


def _is_shape(tree: Any) -> bool:
    return type(tree).__name__ == "Size"


def flattened(tree: Any) -> list[Any]:
    """The leaves of a tree of dicts, lists, (named) tuples and dataclasses, in order."""
    leaves: list[Any] = []
    stack = [tree]
    while stack:
        at = stack.pop()
        children = _children(at)
        if children is None:
            leaves.append(at)
        else:
            stack.extend(reversed(children))
    return leaves


def rebuilt(tree: Any, leaves: Sequence[Any]) -> Any:
    """A tree of the same form with other leaves.

    Raises:
        ValueError: their number differs.
    """
    rest = iter(leaves)
    result = _rebuilt(tree, rest)
    if next(rest, rest) is not rest:
        raise ValueError(f"trees: {len(leaves)} leaves given for a tree of {len(flattened(tree))}")
    return result


def _rebuilt(tree: Any, rest: Any) -> Any:
    if isinstance(tree, dict):
        return type(tree)((key, _rebuilt(value, rest)) for key, value in tree.items())
    if isinstance(tree, tuple) and hasattr(tree, "_fields"):
        return type(tree)(*[_rebuilt(value, rest) for value in tree])
    if isinstance(tree, (list, tuple)) and not _is_shape(tree):
        return type(tree)([_rebuilt(value, rest) for value in tree])
    if is_dataclass(tree) and not isinstance(tree, type):
        return type(tree)(**{field.name: _rebuilt(getattr(tree, field.name), rest) for field in fields(tree)})
    return next(rest)


def mapped(function: Callable[[Any], Any], tree: Any) -> Any:
    """A tree of the same form with `function` applied to each leaf."""
    return rebuilt(tree, [function(leaf) for leaf in flattened(tree)])
