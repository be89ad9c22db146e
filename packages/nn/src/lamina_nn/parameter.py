"""Parameter: a tensor that a module trains."""

from __future__ import annotations

from lamina_tensor import Tensor

__all__ = ["Parameter"]


class Parameter(Tensor):
    """A leaf that asks for gradients; as an attribute of a Module it is one of its parameters.

    Args:
        data: its items, shared.
        requires_grad: whether gradients are wanted.
    """

    __slots__ = ()

    def __init__(self, data: Tensor, requires_grad: bool = True) -> None:
        super().__init__(data.array)
        self.requires_grad_(requires_grad)

    def __repr__(self) -> str:
        return "Parameter containing:\n" + super().__repr__()
