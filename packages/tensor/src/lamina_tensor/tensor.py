"""Tensor: an NDArray and the node that made it. The fields and how one is made, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from lamina_ndarray import NDArray

if TYPE_CHECKING:
    from .node import Node

__all__ = ["Tensor", "tensor_of"]

_new = object.__new__


class Tensor:
    """An array that remembers how it was computed.

    Attributes:
        array: the items.
        requires_grad: whether gradients flow to it: a leaf that asks for them, or the result of a recorded op.
        node: the recorded op that made it; None for a leaf.
        base: the tensor that this one is a view of, if it is one.
        hooks: functions called with its gradient, None until there is one.
    """

    __slots__ = ("__dict__", "__weakref__", "_grad", "array", "base", "hooks", "node", "requires_grad")
    __array_ufunc__: ClassVar[None] = None  # NumPy's operators leave mixed operands to ours

    array: NDArray
    requires_grad: bool
    node: Node | None
    base: Tensor | None
    hooks: dict[int, Any] | None
    _grad: Tensor | None

    def __init__(self, array: NDArray, requires_grad: bool = False) -> None:
        self.array = array
        self.requires_grad = requires_grad
        self.node = None
        self.base = None
        self.hooks = None
        self._grad = None


def tensor_of(array: NDArray) -> Tensor:
    """A leaf over an array, without gradients: the hot path of every op that is not recorded."""
    made: Tensor = _new(Tensor)
    made.array = array
    made.requires_grad = False
    made.node = None
    made.base = None
    made.hooks = None
    made._grad = None
    return made
