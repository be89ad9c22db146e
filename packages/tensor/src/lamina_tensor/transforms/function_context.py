"""The context of a `Function`: what one call of its forward leaves for its backward."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lamina_flatarray import AutogradError

from ..autograd.node import Node, output_node
from ..tensor_fields import AnyTensor, tensor_of

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["FunctionCtx"]


class FunctionCtx:
    """The context of one call of a `Function`: what its forward keeps for its backward, and any attributes that it sets.

    Attributes:
        needs_input_grad: per argument of `apply`, whether its gradient is wanted.

    >>> class Scaled(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x, factor):
    ...         ctx.factor = factor
    ...         return x * factor
    ...     @staticmethod
    ...     def backward(ctx, g):
    ...         return g * ctx.factor, None
    >>> x = torch.ones(2, requires_grad=True)
    >>> Scaled.apply(x, 5.0).sum().backward()
    >>> x.grad
    tensor([5., 5.])
    """

    needs_input_grad: tuple[bool, ...]

    def __init__(self) -> None:
        self._to_save: tuple[Any, ...] = ()
        self._saved: list[tuple[Any, Any, int]] = []  # (tensor or array, index of the output it is, version)
        self._dirty: tuple[Tensor, ...] = ()
        self._without_gradient: tuple[Tensor, ...] = ()
        self._materialize = True
        self.saved_for_forward: tuple[Any, ...] = ()
        self._made: weakref.ref[Node] | None = None  # the node holds the ctx, which must not hold it back
        self._given: list[Any] = []  # the same of the arguments, where jvp wants it
        self._results: list[Any] = []  # per result: shape, dtype and device if it is a tensor, else None
        self._places: list[int] = []  # which of them carry gradients

    @property
    def _node(self) -> Node | None:
        return None if self._made is None else self._made()

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for `saved_tensors`. A later change in place is an error in the backward pass.

        Args:
            tensors: inputs, outputs or others, or None.

        >>> class Exp(torch.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         result = x.exp()
        ...         ctx.save_for_backward(result)
        ...         return result
        ...     @staticmethod
        ...     def backward(ctx, g):
        ...         (result,) = ctx.saved_tensors
        ...         return g * result
        >>> x = torch.zeros(2, requires_grad=True)
        >>> Exp.apply(x).sum().backward()
        >>> x.grad
        tensor([1., 1.])
        """
        self._to_save = tensors

    def save_for_forward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for `jvp`.

        Args:
            tensors: inputs, outputs or others, or None.
        """
        self.saved_for_forward = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Say which inputs forward changed in place.

        Args:
            tensors: inputs, which must be among the results of forward.
        """
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say which results carry no gradient.

        Args:
            tensors: results of forward.
        """
        self._without_gradient = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Set what backward gets for results that nothing depends on.

        Args:
            value: True, the default, for zeros; False for None.
        """
        self._materialize = value

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """The tensors of `save_for_backward`.

        Raises:
            AutogradError: it was freed by an earlier pass, or changed in place since.
        """
        if self._node is not None and self._node.saved is None:
            raise AutogradError(
                "Trying to backward through the graph a second time (or directly access saved tensors after they have "
                "already been freed). Specify retain_graph=True if you need to access them after calling backward."
            )
        if not self._saved and self.saved_for_forward:
            return self.saved_for_forward
        return tuple(self._unpacked(*entry) for entry in self._saved)

    def _pack(self, results: Sequence[Tensor]) -> None:
        """Save: results as arrays, since a node that held its own tensor would keep itself alive."""
        for x in self._to_save:
            if x is None:
                self._saved.append((None, None, -1))
                continue
            place = next((i for i, result in enumerate(results) if result is x), None)
            self._saved.append((x if place is None else x.array, place, x.array.flat.version))

    def _unpacked(self, kept: Any, place: int | None, version: int) -> Any:
        if kept is None:
            return None
        array = kept.array if isinstance(kept, AnyTensor) else kept
        if array.flat.version != version:
            raise AutogradError(
                "one of the variables needed for gradient computation has been modified by an inplace operation: "
                f"[{array.dtype.name} {array.shape}] is at version {array.flat.version}; expected version {version} "
                "instead."
            )
        if place is None:
            return kept
        tensor = tensor_of(array)
        node = self._node
        if node is not None and array.dtype.is_inexact:
            count = len(self._places)
            tensor.node = output_node(node, place, count, array) if count > 1 else node
            tensor.requires_grad = True
        return tensor
