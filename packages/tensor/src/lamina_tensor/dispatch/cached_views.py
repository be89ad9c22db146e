"""Views that are worked out once: what a call gives for a layout is remembered for the layout."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar, cast

from lamina_flatarray.twins import compiled
from lamina_ndarray import Layout
from lamina_ndarray.layouts.bounded_cache import BoundedCache

from ..tensor_fields import AnyTensor, viewed

__all__ = ["cached_views"]

_KEPT: Final = frozenset({int, str, type(None)})
"""Classes of arguments that stay what they are; no two of different classes are equal."""
_NUMBERS: Final = frozenset({int})
_VIEWS: Final[BoundedCache[tuple[Any, ...], Layout | tuple[Layout, ...]]] = BoundedCache("views of tensors", 4096)
"""From a packed layout, the name of a function, how many of its arguments came by keyword, and all of them, to the layouts of the
views."""


_F = TypeVar("_F", bound=Callable[..., Any])


def cached_views(function: _F) -> _F:
    """The function of a tensor that gives a view of it, or several; where no gradient is wanted, it is called once per layout
    and arguments."""
    name = function.__name__

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        x = args[0] if args else None
        if not isinstance(x, AnyTensor) or x.requires_grad:
            return function(*args, **kwargs)
        layout = x.array.layout
        rest = (*args[1:], *kwargs, *kwargs.values()) if kwargs else args[1:]
        if (len(rest) != 1 or rest[0].__class__ is not int) and not _KEPT.issuperset(map(type, rest)):
            frozen = _frozen(rest)
            if frozen is None:
                return function(*args, **kwargs)
            rest = frozen
        key = (layout.packed, name, len(kwargs), rest)
        cached: Any = _VIEWS.get(key)
        if cached is not None:
            return tuple([viewed(x, part) for part in cached]) if cached.__class__ is tuple else viewed(x, cached)
        result = function(*args, **kwargs)
        parts = result if result.__class__ is tuple else (result,)
        if all(part is not x and part.array.flat is x.array.flat for part in parts):
            layouts = tuple([part.array.layout for part in parts])
            _VIEWS.remember(key, layouts if parts is result else layouts[0])
        return result

    return cast(_F, call if compiled is None else compiled.cached_views(call, name, _VIEWS, viewed))


def _frozen(rest: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """The arguments, with tuples in the place of lists of integers; None where there are others than are kept."""
    frozen = []
    for value in rest:
        if value.__class__ is tuple or value.__class__ is list:
            if not _NUMBERS.issuperset(map(type, value)):
                return None
            value = tuple(value)
        elif value.__class__ not in _KEPT:
            return None
        frozen.append(value)
    return tuple(frozen)
