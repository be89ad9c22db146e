"""Classes derived from Tensor: methods of theirs, and functions that are given them, go through `__torch_function__`.

Functions ask for it in `torch_function`, where an argument is of such a class; calls of plain tensors pay nothing for it.
https://docs.pytorch.org/docs/stable/notes/extending.html#extending-torch-with-a-tensor-like-type
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from lamina_flatarray.modes import NO_OVERRIDES, switched

from ..tensor_fields import AnyTensor, TensorFields, alike, tensor_of
from .torch_function import disabled_torch_function, overriding_classes

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["SubclassMethods", "registered", "without_overriding"]

T = TypeVar("T", bound=TensorFields)



@contextmanager
def without_overriding() -> Iterator[None]:
    """While it is on, in this thread, derived tensors are taken for plain ones (PyTorch's `DisableTorchFunctionSubclass`)."""
    with switched(NO_OVERRIDES, True):
        yield


class SubclassMethods(TensorFields):
    """The part of a tensor that supports classes derived from `Tensor`, which functions preserve in their results.

    >>> class Marked(torch.Tensor):
    ...     pass
    >>> x = torch.ones(2).as_subclass(Marked)
    >>> type(x + 1).__name__
    'Marked'
    """

    __slots__ = ()

    @classmethod
    def __torch_function__(
        cls,
        func: Callable[..., Any],
        types: Sequence[type],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """Call a function, and have the tensors of its result be of this class. Derived classes may do otherwise.

        Args:
            func: the function or method of plain tensors.
            types: the derived classes among the arguments.
            args: the positional arguments.
            kwargs: the keyword arguments.

        Returns:
            The result; NotImplemented where one of the types is no class derived from this one, which may then answer.
        """
        if not all(issubclass(cls, kind) for kind in types):
            return NotImplemented
        with without_overriding():
            result = func(*args, **(kwargs or {}))
        return _converted(result, cls)

    def as_subclass(self: Any, cls: type[T]) -> T:
        """Return the same items, with the same history, as a tensor of a derived class.

        Args:
            cls: the class.

        Returns:
            A tensor of class `cls`, which shares this tensor's memory.

        Raises:
            TypeError: it is no class of tensors.

        >>> class Metres(torch.Tensor):
        ...     pass
        >>> x = torch.ones(2)
        >>> y = x.as_subclass(Metres)
        >>> type(y).__name__, y.data_ptr() == x.data_ptr()
        ('Metres', True)
        """
        if not (isinstance(cls, type) and issubclass(cls, AnyTensor)):
            raise TypeError(f"as_subclass: {cls!r} is no class of tensors")
        if self.requires_grad and self.node is None:
            self = self.view(self.array.layout.shape)  # gradients flow to the leaf, which the new tensor is not
        return alike(cls, self)

    @staticmethod
    def _make_subclass(cls: type[T], data: Tensor, require_grad: bool = False) -> T:
        """Return a leaf of a derived class over the memory of `data`."""
        return alike(cls, tensor_of(data.array), require_grad)


def _converted(value: Any, kind: type[SubclassMethods]) -> Any:
    if isinstance(value, AnyTensor):
        return value if isinstance(value, kind) else value.as_subclass(kind)
    if isinstance(value, (tuple, list)) and type(value).__name__ != "Size":
        parts = [_converted(v, kind) for v in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    return value


def registered(cls: type[SubclassMethods]) -> None:
    """Have functions ask a new class of tensors, unless it has disabled `__torch_function__`."""
    if cls.__torch_function__ is not disabled_torch_function:
        overriding_classes.append(cls)
