"""Classes derived from Tensor: methods of theirs, and functions that are given them, go through `__torch_function__`.

Plain tensors pay nothing: functions that do not look at their arguments by themselves are exchanged for ones that do when the
first such class is made.
https://docs.pytorch.org/docs/stable/notes/extending.html#extending-torch-with-a-tensor-like-type
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final, TypeVar

from lamina_flatarray.modes import NO_OVERRIDES, switched, word

from ..tensor_fields import TensorFields, alike, tensor_of
from .torch_function import disabled_torch_function, overriding_classes, overriding_kinds

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["SubclassMethods", "overridable", "prepared", "registered", "without_overriding"]

T = TypeVar("T", bound=TensorFields)

_KEPT_FUNCTIONS: Final = frozenset({"is_tensor", "manual_seed", "sizes"})
_namespaces: Final[list[dict[str, Any]]] = []
_lock: Final = threading.Lock()


@contextmanager
def without_overriding() -> Iterator[None]:
    """While it is on, in this thread, derived tensors are taken for plain ones (PyTorch's `DisableTorchFunctionSubclass`)."""
    with switched(NO_OVERRIDES, True):
        yield


class SubclassMethods(TensorFields):
    """What makes classes of tensors, and tensors of them."""

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

    def as_subclass(self, cls: type[T]) -> T:
        """Return the same items, with the same history, as a tensor of a derived class.

        Args:
            cls: the class.

        Raises:
            TypeError: it is no class of tensors.
        """
        if not (isinstance(cls, type) and issubclass(cls, TensorFields)):
            raise TypeError(f"as_subclass: {cls!r} is no class of tensors")
        if self.requires_grad and self.node is None:
            self = self.view(self.array.layout.shape)  # gradients flow to the leaf, which the new tensor is not
        return alike(cls, self)

    @staticmethod
    def _make_subclass(cls: type[T], data: Tensor, require_grad: bool = False) -> T:
        """Return a leaf of a derived class over the memory of `data`."""
        return alike(cls, tensor_of(data.array), require_grad)


def _converted(value: Any, kind: type[SubclassMethods]) -> Any:
    if isinstance(value, TensorFields):
        return value if isinstance(value, kind) else value.as_subclass(kind)
    if isinstance(value, (tuple, list)) and type(value).__name__ != "Size":
        parts = [_converted(v, kind) for v in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    return value


# -- switching it in ----------------------------------------------------------------------------------------------------


def _dispatched(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, which asks `__torch_function__` of the derived tensors that it is given."""

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        kinds = [] if word.get() & NO_OVERRIDES else overriding_kinds((*args, *kwargs.values()))
        for kind in kinds:
            result = kind.__torch_function__(function, tuple(kinds), args, kwargs)
            if result is not NotImplemented:
                return result
        if kinds:
            names = ", ".join(kind.__name__ for kind in kinds)
            raise TypeError(f"no implementation of {function.__name__!r} by __torch_function__ of: {names}")
        return function(*args, **kwargs)

    call.dispatches = True  # type: ignore[attr-defined]
    return call


def _exchange(namespace: dict[str, Any]) -> None:
    for name, value in list(namespace.items()):
        if isinstance(value, FunctionType) and not name.startswith("_") and name not in _KEPT_FUNCTIONS:
            namespace[name] = prepared(value)


def overridable(namespace: dict[str, Any]) -> None:
    """Have the functions of a module's namespace look for derived tensors as soon as there is a class of them."""
    with _lock:
        _namespaces.append(namespace)
        if overriding_classes:
            _exchange(namespace)


def prepared(function: Any) -> Any:
    """The function as it is to be found in such a namespace now."""
    if not overriding_classes or not isinstance(function, FunctionType) or hasattr(function, "dispatches"):
        return function
    return _dispatched(function)


def registered(cls: type[SubclassMethods]) -> None:
    """Have functions ask a new class of tensors, unless it has disabled `__torch_function__`."""
    if cls.__torch_function__ is disabled_torch_function:
        return
    with _lock:
        overriding_classes.append(cls)
        if len(overriding_classes) == 1:
            for namespace in _namespaces:
                _exchange(namespace)
