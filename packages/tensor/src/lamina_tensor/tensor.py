"""Tensor: an NDArray and the node that made it, with everything that can be asked of one."""

from __future__ import annotations

from typing import Any, ClassVar

from lamina_flatarray.twins import compiled
from lamina_ndarray import NDArray

from .autograd.node import Node, next_sequence
from .methods.functions_as_methods import FunctionMethods
from .methods.operators import OperatorMethods
from .tensor_fields import TensorFields, class_of_results

__all__ = ["Tensor"]

_new = object.__new__


@class_of_results
class Tensor(FunctionMethods, OperatorMethods):
    """An array that remembers how it was computed."""

    __slots__ = ()
    __array_ufunc__: ClassVar[None] = None  # NumPy's operators leave mixed operands to ours

    def __new__(cls, *data: Any, device: Any = None, requires_grad: bool = False) -> Any:
        """`Tensor(array)` over an array; or, as PyTorch's old constructor, of lengths or of a sequence of numbers."""
        from .methods.tensor_types import constructed

        made = _new(cls)
        made.array = data[0] if len(data) == 1 and data[0].__class__ is NDArray else constructed(data, device=device)
        made.requires_grad = requires_grad
        made.node = None
        made.base = None
        made.views = None
        made.hooks = None
        made._grad = None
        return made


if compiled is not None:
    compiled.use_tensors(Tensor, TensorFields, Node, next_sequence)
