"""Results that are views of what a function made on its way: nobody else can reach that, so they are tensors of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ..tensor_fields import TensorFields

__all__ = ["owned"]

_PLAIN: Final = frozenset({type(None), bool, int, float, complex, str})


def owned(result: Any, args: Sequence[Any]) -> Any:
    """A result of a function, or several in a tuple or list, none of which is a view of what no argument leads to.

    An in-place op on a view rewrites the history of its base; if that is hidden, the hooks of the view are lost.

    Args:
        result: what the function's body gave.
        args: its arguments. One that may hold tensors where they are not seen leaves all as it is.
    """
    parts = result if isinstance(result, (tuple, list)) else (result,)
    first = args[0] if args else None
    root = first.base if isinstance(first, TensorFields) else None
    for part in parts:
        base = part.base if isinstance(part, TensorFields) else None
        if base is None or base is first or base is root:  # as mostly
            continue
        if not any(x is base for x in parts) and not any(_leads_to(x, part, base, 2) for x in args):
            part.base = None
    return result


def _leads_to(x: Any, result: TensorFields, base: TensorFields, depth: int) -> bool:
    """Whether an argument is the result or its base, is a view of that base, or holds such a tensor down to a depth of sequences."""
    if isinstance(x, TensorFields):
        return x is result or x is base or x.base is base
    if isinstance(x, (tuple, list)):
        return depth == 0 or any(_leads_to(part, result, base, depth - 1) for part in x)
    return x.__class__ not in _PLAIN
