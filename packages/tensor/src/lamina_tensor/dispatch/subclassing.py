"""Classes derived from Tensor: their methods, and the functions that are given them, go through `__torch_function__`.

Plain tensors pay nothing: methods are overridden on the derived class when it is made, and functions are exchanged for
ones that look at their arguments when the first such class is made.
https://docs.pytorch.org/docs/stable/notes/extending.html#extending-torch-with-a-tensor-like-type
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray.modes import NO_OVERRIDES, switched, word

from ..tensor_fields import TensorFields, alike, tensor_of
from .torch_function import disabled_torch_function, overriding_classes, overriding_kinds

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["METHODS", "as_subclass", "overridable", "prepared", "without_overriding"]

_KEPT: Final = frozenset({
    "__array_namespace__", "__copy__", "__deepcopy__", "__dir__", "__format__", "__hash__", "__init_subclass__", "__new__",
    "__reduce_ex__", "__repr__", "__setstate__", "__torch_function__", "_make_subclass", "as_subclass",
})  # fmt: skip
"""What is not overridden: Python's protocols of the object, and what makes the classes."""

_KEPT_FUNCTIONS: Final = frozenset({"is_tensor", "manual_seed", "sizes"})
_PROPERTIES: Final = frozenset({"H", "T", "data", "imag", "mH", "mT", "real"})


_namespaces: Final[list[dict[str, Any]]] = []
_lock: Final = threading.Lock()


@contextmanager
def without_overriding() -> Iterator[None]:
    """While it is on, in this thread, derived tensors are taken for plain ones (PyTorch's `DisableTorchFunctionSubclass`)."""
    with switched(NO_OVERRIDES, True):
        yield


def _torch_function(cls: type[Tensor], func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
    """What `func(*args, **kwargs)` gives, its tensors as ones of this class. Derived classes may do otherwise.

    Args:
        func: the function or method of plain tensors.
        types: the derived classes among the arguments.
        args, kwargs: the arguments.
    """
    if not all(issubclass(cls, kind) for kind in types):
        return NotImplemented
    with without_overriding():
        result = func(*args, **(kwargs or {}))
    return _converted(result, cls)


def _converted(value: Any, kind: type[Tensor]) -> Any:
    if isinstance(value, TensorFields):
        return value if isinstance(value, kind) else as_subclass(value, kind)
    if isinstance(value, (tuple, list)) and type(value).__name__ != "Size":
        parts = [_converted(v, kind) for v in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    return value


def as_subclass(self: Tensor, cls: type[Tensor]) -> Tensor:
    """The same items and history as a tensor of a derived class.

    Raises:
        TypeError: it is no class of tensors.
    """
    if not (isinstance(cls, type) and issubclass(cls, TensorFields)):
        raise TypeError(f"as_subclass: {cls!r} is no class of tensors")
    if self.requires_grad and self.node is None:
        self = self.view(self.array.layout.shape)  # gradients flow to the leaf, which the new tensor is not
    return alike(cls, self)


def _make_subclass(cls: type[Tensor], data: Tensor, require_grad: bool = False) -> Tensor:
    """A leaf of a derived class over the memory of `data`."""
    return alike(cls, tensor_of(data.array), require_grad)


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


def _init_subclass(cls: type[Tensor], **params: Any) -> None:
    """Override the methods of a class that is derived from Tensor, but for those that it or a mixin of it defines."""
    super(TensorFields, cls).__init_subclass__(**params)
    if cls.__torch_function__ is disabled_torch_function:
        return
    from ..tensor import Tensor

    for name, value in list(vars(Tensor).items()):
        if name in _KEPT or getattr(cls, name, None) is not value:
            continue
        if isinstance(value, FunctionType) and not hasattr(value, "dispatches"):
            setattr(cls, name, _dispatched(value))
        elif isinstance(value, property) and name in _PROPERTIES:
            setattr(cls, name, property(_dispatched(value.fget), value.fset, doc=value.__doc__))
    with _lock:
        overriding_classes.append(cls)
        if len(overriding_classes) == 1:
            for namespace in _namespaces:
                _exchange(namespace)


METHODS: Final[dict[str, Any]] = {
    "__init_subclass__": classmethod(_init_subclass),
    "__torch_function__": classmethod(_torch_function),
    "_make_subclass": staticmethod(_make_subclass),
    "as_subclass": as_subclass,
}
"""What makes classes of tensors."""
