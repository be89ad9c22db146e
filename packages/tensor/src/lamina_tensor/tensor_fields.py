"""What a tensor holds, an array and the node that made it, and how one is made; its methods are the class `Tensor`'s."""

from __future__ import annotations

import weakref
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar

from lamina_flatarray.modes import RECORD, word
from lamina_flatarray.twins import compiled
from lamina_ndarray import Layout, NDArray
from lamina_ndarray.array_fields import view_of

if TYPE_CHECKING:
    from lamina_flatarray.backends.kernel_table import KernelTable

    from .autograd.node import Node
    from .tensor_class import Tensor

__all__ = ["AnyTensor", "Number", "TensorFields", "alike", "arrays_of", "class_of_results", "tensor_of", "viewed", "viewing"]

Number: TypeAlias = bool | int | float | complex
"""A Python number, which takes part in an op as a tensor without dims does, and counts for less in type promotion."""

records: Final[ContextVar[tuple[Any, ...]]] = ContextVar("lamina_records", default=())
"""The records that are on in this thread or task, the innermost last: it answers for the history of tensors, which have none of it
themselves."""

_new = object.__new__


class TensorFields:
    """The fields of a tensor. `Tensor` is made of them, and of its methods.

    Attributes:
        array: the items.
        base: the tensor whose memory it views, if it is a view; that one is none itself.
        views: where it is a base, its views: an in-place op on one of them rewrites the history of all.
        hooks: functions called with its gradient, None until there is one.

    >>> isinstance(torch.ones(2), TensorFields)
    True
    """

    __slots__ = ("__dict__", "__weakref__", "_grad", "_node", "_requires_grad", "array", "base", "hooks", "views")

    array: NDArray
    _requires_grad: bool
    base: TensorFields | None
    views: list[weakref.ref[TensorFields]] | None
    hooks: dict[tuple[str, int], Any] | None
    if TYPE_CHECKING:  # what is read at run time must be known there
        _node: Node | None
        _grad: Tensor | None

    __hash__ = object.__hash__  # though tensors are compared item by item

    @property
    def requires_grad(self) -> bool:
        """Whether gradients flow to it: a leaf that asks for them, or the result of a recorded op."""
        wants: bool = records.get()[-1].wants(self) if word.get() & RECORD else self._requires_grad
        return wants

    @requires_grad.setter
    def requires_grad(self, wants: bool) -> None:
        """Ask for gradients, or stop asking, without a check; see `requires_grad_`."""
        if word.get() & RECORD:
            records.get()[-1].ask(self, wants)
        else:
            self._requires_grad = wants

    @property
    def node(self) -> Node | None:
        """The recorded op that made it; None for a leaf."""
        node: Node | None = records.get()[-1].node_of(self) if word.get() & RECORD else self._node
        return node

    @node.setter
    def node(self, node: Node | None) -> None:
        """Set the op that made it; None makes it a leaf."""
        if not word.get() & RECORD:
            self._node = node
        elif node is None:
            records.get()[-1].forget(self)
        else:
            records.get()[-1].remember(self, node)


if compiled is not None:  # a slot read without a call, while no record is on
    TensorFields.requires_grad = compiled.field(TensorFields._requires_grad, TensorFields.requires_grad)  # type: ignore[method-assign]
    TensorFields.node = compiled.field(TensorFields._node, TensorFields.node)  # type: ignore[method-assign]


tensor_class: type[Any] = TensorFields
"""The class of the tensors that functions give."""

if TYPE_CHECKING:
    AnyTensor: TypeAlias = Tensor
else:
    AnyTensor = TensorFields
"""What functions know tensors by: every instance of TensorFields is a Tensor, whose class is made of what calls these functions."""

T = TypeVar("T", bound=type[TensorFields])
Kind = TypeVar("Kind", bound=TensorFields)


def class_of_results(cls: T) -> T:
    """Have functions give tensors of this class: decorates `Tensor`, once."""
    global tensor_class
    tensor_class = cls
    return cls


def tensor_of(array: NDArray) -> Tensor:
    """A leaf over an array, without gradients: the hot path of every op that is not recorded."""
    result: Tensor = _new(tensor_class)
    result.array = array
    result._requires_grad = False
    result._node = None
    result.base = None
    result.views = None
    result.hooks = None
    result._grad = None
    return result


def alike(kind: type[Kind], tensor: TensorFields, requires_grad: bool | None = None) -> Kind:
    """A tensor of a derived class with the items and the history of another one; or, with `requires_grad`, a leaf."""
    result: Kind = _new(kind)
    result.array = tensor.array
    result._requires_grad = False
    result._node = None
    if requires_grad is None:
        result.requires_grad, result.node = tensor.requires_grad, tensor.node
    else:
        result.requires_grad = requires_grad
    result.base = None
    result.views = None
    result.hooks = None
    result._grad = None
    if tensor.base is not None and requires_grad is None:
        viewing(result, tensor)
    return result


def viewing(made: TensorFields, base: TensorFields) -> None:
    """Note that `made`, if it has base's memory, is a view of what `base` is a view of, or else of `base`."""
    if made.array.flat is not base.array.flat and made.array.flat.memory is not base.array.flat.memory:
        return
    _note(made, base)


def viewed(base: TensorFields, layout: Layout) -> Tensor:
    """base's items under another layout: a view, and a leaf."""
    result = tensor_of(view_of(base.array, layout))
    root = base if base.base is None else base.base
    views = root.views
    if views is None or not (len(views) + 1) & 63:
        _note(result, base)
    else:  # the rule, without a frame
        result.base = root
        views.append(weakref.ref(result))
    return result


def arrays_of(tensors: list[Any]) -> tuple[list[NDArray], KernelTable | None]:
    """The arrays of tensors, and the kernel table that all of them have; None where they differ.

    Args:
        tensors: one or more.
    """
    arrays: list[NDArray] = [t.array for t in tensors]
    table = arrays[0].flat.kernels
    return arrays, table if all(a.flat.kernels is table for a in arrays) else None


def _note(tensor: TensorFields, base: TensorFields) -> None:
    root = base if base.base is None else base.base
    tensor.base = root
    views = root.views
    if views is None:
        root.views = [weakref.ref(tensor)]
    else:
        views.append(weakref.ref(tensor))
        if not len(views) & 63:  # the dead ones must not pile up
            root.views = [view for view in views if view() is not None]


if compiled is not None:
    arrays_of = compiled.arrays_of
    tensor_of = compiled.tensor_of
    viewed = compiled.viewed(viewed)
