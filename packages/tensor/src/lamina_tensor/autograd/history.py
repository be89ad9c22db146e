"""What a tensor has to do with the graph: its node, its gradient, hooks on it, and backward."""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self

from lamina_flatarray import AutogradError, DeviceError
from lamina_flatarray.modes import RECORD, word

from ..devices.memory_formats import contiguous_format
from ..dispatch.torch_function import torch_function
from ..tensor_fields import AnyTensor, TensorFields, records, tensor_of
from .accumulation import accumulating
from .backward import backward
from .node import OUTPUT, RETAINED, Node, RemovableHandle
from .ready_leaves import expect

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ..tensor_class import Tensor
    from .gradient_edges import GradientEdge

__all__ = ["HistoryMethods"]


class HistoryMethods(TensorFields):
    """The part of a tensor that deals with gradients: its place in the graph, hooks, and `backward`.

    >>> x = torch.tensor([3.0], requires_grad=True)
    >>> y = x * x
    >>> y.grad_fn.name(), y.is_leaf, x.is_leaf
    ('MulBackward0', False, True)
    """

    __slots__ = ()

    @property
    @torch_function
    def data(self) -> Tensor:
        """The same items, apart from the graph; assigning swaps the items."""
        return tensor_of(self.array)

    @data.setter
    def data(self, value: Tensor) -> None:
        """Replace the tensor's items by those of another tensor, without a record of it."""
        self.array = value.array

    @property
    def grad(self) -> Tensor | None:
        """What backward passes have added up here; None before the first."""
        if self._grad is None and self.node is not None and not self.retains_grad:
            warnings.warn(
                "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed: it stays None. Call .retain_grad() on it "
                "before the backward pass, or read that of the leaf.",
                stacklevel=2,
            )
        return self._grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        """Replace the accumulated gradient, by a tensor of the same shape and dtype or by None.

        Raises:
            TypeError: the value is neither a tensor nor None.
            AutogradError: its dtype or its shape differs from the tensor's.
            DeviceError: it is on another device.
        """
        if not isinstance(value, AnyTensor | None):
            raise TypeError(f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}")
        if value is not None:
            array, own = (value._values() if value.is_sparse else value).array, self.array
            if array.dtype is not own.dtype:
                raise AutogradError(f"assigned grad is of {array.dtype.name}, but the tensor of {own.dtype.name}")
            if array.device is not own.device:
                raise DeviceError(
                    f"assigned grad is on {array.device}, but the tensor on {own.device}; move it with .to({str(own.device)!r})"
                )
            if tuple(value.shape) != tuple(own.shape):
                raise AutogradError(f"assigned grad has data of a different size: {value.shape} for {own.shape}")
        self._grad = value

    @property
    def grad_dtype(self) -> DType:
        """The dtype of its gradient."""
        return self.array.dtype

    @property
    def grad_fn(self) -> Node | None:
        """The node of the op that made it; None for a leaf."""
        return self.node

    @property
    def is_leaf(self) -> bool:
        """Whether no recorded op made it."""
        return self.node is None or bool(word.get() & RECORD and records.get()[-1].started(self))

    @property
    def output_nr(self) -> int:
        """Which of the results of its op this is; 0 for a leaf."""
        node = self.node
        return node.saved[0] if node is not None and node.plan is OUTPUT and node.saved else 0

    @property
    def retains_grad(self) -> bool:
        """Whether backward keeps the gradient of this result."""
        return self.node is not None and RETAINED in (self.node.hooks or ())

    @property
    def volatile(self) -> Literal[False]:
        """False: a flag of PyTorch before 0.4."""
        return False

    @torch_function(calls_back=True)
    def backward(
        self: Any,
        gradient: Tensor | None = None,
        retain_graph: bool | None = None,
        create_graph: bool = False,
        inputs: Tensor | GradientEdge | Sequence[Tensor | GradientEdge] | None = None,
    ) -> None:
        """Add the gradient of this tensor to `grad` of every leaf.

        Args:
            gradient: what to begin with, of this tensor's shape; may be left out for a single item, which begins with 1.
            retain_graph: whether to keep what was saved for another pass; by default as `create_graph`.
            create_graph: whether to record the pass itself, for higher derivatives.
            inputs: the only leaves to add to.

        Raises:
            AutogradError: the tensor has no history; the gradient is missing or has another shape; what was saved is freed,
                or has been changed in place.

        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> (x * x).sum().backward()
        >>> x.grad
        tensor([2., 4.])
        """
        backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    @torch_function
    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Ask for gradients of a leaf, or stop asking.

        Args:
            requires_grad: whether operations on the tensor are recorded from now on.

        Returns:
            The tensor itself.

        Raises:
            AutogradError: it is no leaf; or its items are neither floating nor complex.

        >>> torch.ones(2).requires_grad_()
        tensor([1., 1.], requires_grad=True)
        """
        if self.node is not None and not requires_grad:
            raise AutogradError("you can only change requires_grad flags of leaf variables. Use .detach() instead")
        if requires_grad and not self.array.dtype.is_inexact:
            raise AutogradError(f"only Tensors of floating point dtype can require gradients, not of {self.array.dtype.name}")
        self.requires_grad = requires_grad
        return self

    @torch_function
    def detach_(self) -> Self:
        """Make the tensor a leaf without gradients.

        Returns:
            The tensor itself, with `requires_grad` False and no `grad_fn`.

        Raises:
            AutogradError: it is a view.

        >>> x = torch.ones(2, requires_grad=True)
        >>> y = x * 2
        >>> y.detach_()
        tensor([2., 2.])
        >>> y.is_leaf
        True
        """
        if self.base is not None:
            raise AutogradError("detach_: can't detach a view in-place; use detach() instead")
        self.node, self.requires_grad = None, False
        return self

    @torch_function
    def retain_grad(self) -> None:
        """Keep this result's gradient in `grad`, as if it were a leaf.

        Raises:
            AutogradError: it does not require gradients.

        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> y = x * 3
        >>> y.retain_grad()
        >>> (y * y).sum().backward()
        >>> y.grad
        tensor([ 6., 12.])
        """
        if not self.requires_grad:
            raise AutogradError("can't retain_grad on Tensor that has requires_grad=False")
        if self.node is None or self.retains_grad:
            return
        keeper = weakref.ref(self)  # the node must not hold what it made

        def keep(g: Tensor) -> None:
            tensor = keeper()
            if tensor is not None:
                with accumulating:
                    if tensor._grad is not None:
                        tensor._grad = tensor._grad + g
                    else:
                        tensor._grad = g.clone() if g.is_sparse else g.clone(memory_format=contiguous_format)

        self.node.hooks = {**(self.node.hooks or {}), RETAINED: keep}

    @torch_function
    def register_hook(self, hook: Callable[[Tensor], Tensor | None]) -> RemovableHandle:
        """Call a function with this tensor's gradient in every backward pass.

        Args:
            hook: what to call; what it returns, unless it is None, replaces the gradient.

        Returns:
            A handle, whose `remove()` takes the hook away.

        Raises:
            AutogradError: the tensor does not require gradients.

        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> handle = x.register_hook(lambda grad: grad * 10)
        >>> x.sum().backward()
        >>> x.grad
        tensor([10., 10.])
        >>> handle.remove()
        """
        if not self.requires_grad:
            raise AutogradError("cannot register a hook on a tensor that doesn't require gradient")
        owner = self.node or self
        if owner.hooks is None:
            owner.hooks = {}
        return RemovableHandle(owner.hooks, hook)

    @torch_function
    def register_post_accumulate_grad_hook(self, hook: Callable[[Tensor], None]) -> RemovableHandle:
        """Call a function with this leaf after its gradient was added to.

        That is while the backward pass still runs, as soon as nothing more can come, so that what is done with the gradient goes
        on beside the rest of the pass.

        Args:
            hook: a function of the tensor, called once its `grad` is complete; what it returns is ignored.

        Returns:
            A handle, whose `remove()` takes the hook away.

        Raises:
            AutogradError: it is no leaf that requires gradients.

        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> handle = x.register_post_accumulate_grad_hook(lambda leaf: print(leaf.grad))
        >>> x.sum().backward()
        tensor([1., 1.])
        """
        if not self.requires_grad or self.node is not None:
            raise AutogradError("post accumulate grad hooks cannot be registered on non-leaf tensors")
        return RemovableHandle(expect(self), hook)
