"""Parameter: a tensor that a module trains."""

from __future__ import annotations

from typing import Any

import lamina_ndarray as nd
from lamina_tensor import Tensor
from lamina_tensor.subclassing import disabled_torch_function

__all__ = ["Parameter"]


class Parameter(Tensor):
    """A leaf that asks for gradients; as an attribute of a Module it is one of its parameters.

    Args:
        data: its items, shared; by default there are none.
        requires_grad: whether gradients are wanted.
    """

    __slots__ = ()
    __torch_function__ = disabled_torch_function  # what is computed with a parameter is no parameter

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True) -> Any:
        made = super().__new__(cls, nd.empty(0) if data is None else data.array)
        made.requires_grad_(requires_grad)
        return made

    def __repr__(self) -> str:
        return "Parameter containing:\n" + super().__repr__()
