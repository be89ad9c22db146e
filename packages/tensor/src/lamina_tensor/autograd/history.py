"""What a tensor has to do with the graph: its node, its gradient, hooks on it, and backward."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import AutogradError

from ..dispatch import array_functions as af
from ..methods.attributes import retains_grad
from ..tensor_fields import TensorFields, tensor_of
from . import engine
from .node import RETAINED, Node, RemovableHandle

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["METHODS", "PROPERTIES"]


def _get_data(self: Tensor) -> Tensor:
    return tensor_of(self.array)


def _set_data(self: Tensor, value: Tensor) -> None:
    self.array = value.array


def _get_grad(self: Tensor) -> Tensor | None:
    return self._grad


def _set_grad(self: Tensor, value: Tensor | None) -> None:
    if not isinstance(value, TensorFields | None):
        raise TypeError(f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}")
    if value is not None and value.dtype is not self.dtype:
        raise AutogradError(f"assigned grad is of {value.dtype.name}, but the tensor of {self.dtype.name}")
    if value is not None and value.shape != self.shape:
        raise AutogradError(f"assigned grad has data of a different size: {value.shape} for {self.shape}")
    self._grad = value


def _require_grad(self: Tensor, requires_grad: bool = True) -> Tensor:
    """Ask for gradients, or stop asking; only of a leaf, and of floating or complex items."""
    if self.node is not None and not requires_grad:
        raise AutogradError("you can only change requires_grad flags of leaf variables. Use .detach() instead")
    if requires_grad and not self.array.dtype.is_inexact:
        raise AutogradError("only Tensors of floating point dtype can require gradients")
    self.requires_grad = requires_grad
    return self


def _backward(
    self: Tensor,
    gradient: Tensor | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Add to every leaf's `grad` the gradient of this tensor; see `lamina_tensor.backward`."""
    engine.backward(self, gradient, retain_graph, create_graph, inputs=inputs)


def _register_hook(self: Tensor, hook: Callable[[Tensor], Tensor | None]) -> RemovableHandle:
    """Call `hook` with this tensor's gradient in every backward pass; what it returns replaces the gradient.

    Raises:
        AutogradError: the tensor does not require gradients.
    """
    if not self.requires_grad:
        raise AutogradError("cannot register a hook on a tensor that doesn't require gradient")
    owner = self.node or self
    if owner.hooks is None:
        owner.hooks = {}
    return RemovableHandle(owner.hooks, hook)


def _register_post_accumulate_hook(self: Tensor, hook: Callable[[Tensor], None]) -> RemovableHandle:
    """Call `hook` with this leaf after its gradient was added to.

    Raises:
        AutogradError: it is no leaf that requires gradients.
    """
    if not self.requires_grad or self.node is not None:
        raise AutogradError("post accumulate grad hooks cannot be registered on non-leaf tensors")
    return RemovableHandle(self.__dict__.setdefault("post_accumulate_hooks", {}), hook)


def _retain_grad(self: Tensor) -> None:
    """Keep this result's gradient in `grad`, as if it were a leaf.

    Raises:
        AutogradError: it does not require gradients.
    """
    if not self.requires_grad:
        raise AutogradError("can't retain_grad on Tensor that has requires_grad=False")
    if self.node is None or retains_grad(self):
        return
    keeper = weakref.ref(self)  # the node must not hold what it made

    def keep(g: Tensor) -> None:
        tensor = keeper()
        if tensor is not None:
            tensor._grad = af.copy(g) if tensor._grad is None else tensor._grad + g

    self.node.hooks = {**(self.node.hooks or {}), RETAINED: keep}


def _grad_fn(self: Tensor) -> Node | None:
    return self.node


PROPERTIES: Final[dict[str, property]] = {
    "data": property(_get_data, _set_data, doc="The same items, apart from the graph; assigning swaps the items."),
    "grad": property(_get_grad, _set_grad, doc="What backward passes have added up here; None before the first."),
    "grad_fn": property(_grad_fn, doc="The node of the op that made it; None for a leaf."),
    "is_leaf": property(lambda self: self.node is None),
}

METHODS: Final[dict[str, Any]] = {
    "backward": _backward,
    "register_hook": _register_hook,
    "register_post_accumulate_grad_hook": _register_post_accumulate_hook,
    "requires_grad_": _require_grad,
    "retain_grad": _retain_grad,
}
