"""The named ops that gradient rules use: on NDArrays they compute, on Tensors they are recorded as well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import lamina_ndarray as nd

from .tensor import Tensor

__all__ = ["either", "either_of_list"]


def _recorded(name: str) -> Callable[..., Any]:
    from . import array_functions  # rules are registered before the functions that they describe exist

    found: Callable[..., Any] = getattr(array_functions, name)
    return found


def either(name: str) -> Callable[..., Any]:
    """The op of this name, recorded if one of its operands is a tensor."""
    plain = getattr(nd, name)

    def op(*operands: Any, **params: Any) -> Any:
        for operand in operands:
            if isinstance(operand, Tensor):
                return _recorded(name)(*operands, **params)
        return plain(*operands, **params)

    op.__name__ = name
    return op


def either_of_list(name: str) -> Callable[..., Any]:
    """The op of this name that takes a sequence of arrays, recorded if one of them is a tensor."""
    plain = getattr(nd, name)

    def op(arrays: Any, *others: Any) -> Any:
        if any(isinstance(x, Tensor) for x in arrays):
            return _recorded(name)(arrays, *others)
        return plain(arrays, *others)

    op.__name__ = name
    return op
