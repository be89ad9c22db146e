"""A module's attributes: which table a parameter, buffer or submodule that is set goes to, and how it is found there."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import ArgumentTypeError, ArgumentValueError
from lamina_tensor import Tensor

from ..parameter import Buffer, Parameter

if TYPE_CHECKING:
    from .module import Module

__all__ = ["HOOK_TABLES", "REGISTERED", "Attributes"]

HOOK_TABLES: Final = frozenset({
    "_backward_hooks", "_backward_pre_hooks", "_forward_hooks", "_forward_hooks_always_called",
    "_forward_hooks_with_kwargs", "_forward_pre_hooks", "_forward_pre_hooks_with_kwargs",
    "_load_state_dict_post_hooks", "_load_state_dict_pre_hooks", "_state_dict_hooks", "_state_dict_pre_hooks",
})  # fmt: skip
"""Tables that a module has from when they are first asked for."""

REGISTERED: Final[dict[str, dict[Any, Callable[..., Any]]]] = {"buffer": {}, "module": {}, "parameter": {}}
"""Hooks that are called with (module, name, value) when something of a kind is registered, and may give another value."""


def _through_hooks(kind: str, module: Any, name: str, value: Any) -> Any:
    for hook in tuple(REGISTERED[kind].values()):
        other = hook(module, name, value)
        value = value if other is None else other
    return value


def _kind(value: Any) -> str:
    """A type's name as in PyTorch's messages."""
    if isinstance(value, Tensor):
        return "torch.FloatTensor" if type(value) is Tensor else type(value).__name__
    kind = type(value)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _uninitialised(kind: str, module: Any) -> AttributeError:
    return AttributeError(
        f"cannot assign {kind} before Module.__init__() call: {type(module).__name__}.__init__ has to call super().__init__() first"
    )


class Attributes:
    """Keep attributes of a Module that are parameters, buffers or modules in tables of their own; all others as ever.

    >>> layer = torch.nn.Linear(2, 1)
    >>> list(layer._parameters), "weight" in layer.__dict__
    (['weight', 'bias'], False)
    >>> layer.weight is layer._parameters["weight"]
    True
    """

    training: bool
    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    if TYPE_CHECKING:  # what is read at run time must be known there
        _modules: dict[str, Module | None]
    _non_persistent_buffers_set: set[str]

    def _displace(self, name: str, kept: str) -> None:
        """Take a name out of wherever it is but the table that it is about to be put in."""
        tables = self.__dict__
        tables.pop(name, None)
        for table in ("_parameters", "_buffers", "_modules"):
            if table != kept:
                tables[table].pop(name, None)
        if kept != "_buffers":
            self._non_persistent_buffers_set.discard(name)

    def __setattr__(self, name: str, value: Any) -> None:
        tables = self.__dict__
        ready = "_parameters" in tables
        if isinstance(value, Parameter):
            if not ready:
                raise _uninitialised("parameters", self)
            self._displace(name, "_parameters")
            self.register_parameter(name, value)
        elif ready and name in tables["_parameters"]:
            if value is not None:
                raise ArgumentTypeError(f"cannot assign '{_kind(value)}' as parameter '{name}' (torch.nn.Parameter or None expected)")
            self.register_parameter(name, None)
        elif isinstance(value, Attributes):
            if not ready:
                raise _uninitialised("module", self)
            self._displace(name, "_modules")
            tables["_modules"][name] = _through_hooks("module", self, name, value)
        elif ready and name in tables["_modules"]:
            if value is not None:
                raise ArgumentTypeError(f"cannot assign '{_kind(value)}' as child module '{name}' (torch.nn.Module or None expected)")
            tables["_modules"][name] = _through_hooks("module", self, name, None)
        elif isinstance(value, Buffer) or (ready and name in tables["_buffers"]):
            if not ready:
                raise _uninitialised("buffer", self)
            if value is not None and not isinstance(value, Tensor):
                raise ArgumentTypeError(
                    f"cannot assign '{_kind(value)}' as buffer '{name}' (torch.nn.Buffer, torch.Tensor or None expected)"
                )
            lasting = value.persistent if isinstance(value, Buffer) else name not in self._non_persistent_buffers_set
            self._displace(name, "_buffers")
            if lasting:  # a subclass's own `register_buffer` may know no other
                self.register_buffer(name, value)
            else:
                self.register_buffer(name, value, persistent=False)
        else:
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        tables = self.__dict__
        if "_parameters" in tables:
            parameters = tables["_parameters"]
            if name in parameters:
                return parameters[name]
            for table in (tables["_buffers"], tables["_modules"]):
                if name in table:
                    return table[name]
        if name in HOOK_TABLES:
            result: OrderedDict[Any, Any] = OrderedDict()
            tables[name] = result
            return result
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'", name=name, obj=self)

    def __delattr__(self, name: str) -> None:
        for table in (self._parameters, self._buffers, self._modules):
            if name in table:
                del table[name]
                self._non_persistent_buffers_set.discard(name)
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        names = {*object.__dir__(self), *self._parameters, *self._buffers, *self._modules}
        return sorted(name for name in names if not name[:1].isdigit())  # numbers cannot be written behind a dot

    def _check_name(self, kind: str, name: Any, table: str) -> None:
        """Refuse a name that cannot be a part of a path, or that is taken.

        Raises:
            AttributeError: the module is not initialised.
            TypeError: the name is no string.
            KeyError: it holds a dot, is empty, or is another attribute's.
        """
        if table not in self.__dict__:
            raise _uninitialised(kind, self)
        if not isinstance(name, str):
            raise ArgumentTypeError(f"{kind} name should be a string. Got {_kind(name)}")
        if "." in name:
            raise KeyError(f'{kind} name can\'t contain ".", got: {name}')
        if not name:
            raise KeyError(f'{kind} name can\'t be empty string ""')
        if name not in self.__dict__[table] and hasattr(self, name):
            raise KeyError(f"attribute '{name}' already exists")

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Set a parameter.

        Args:
            name: the attribute's name, without dots.
            param: the parameter; None registers the name only.

        Raises:
            ArgumentTypeError: param is not a Parameter, or name not a string.
            KeyError: the name is taken, is empty, or holds a dot.
            ArgumentValueError: param is the result of a recorded op.
            AttributeError: `Module.__init__` was not called.

        >>> module = torch.nn.Module()
        >>> module.register_parameter("weight", torch.nn.Parameter(torch.zeros(2)))
        >>> list(module.state_dict())
        ['weight']
        """
        self._check_name("parameter", name, "_parameters")
        if param is not None:
            if not isinstance(param, Parameter):
                raise ArgumentTypeError(
                    f"cannot assign '{_kind(param)}' object to parameter '{name}' (torch.nn.Parameter or None required)"
                )
            if param.node is not None:
                raise ArgumentValueError(
                    f"Cannot assign non-leaf Tensor to parameter '{name}'. Compute it in forward() from the parameters that it "
                    "is a function of."
                )
            param = _through_hooks("parameter", self, name, param)
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Set a buffer: a tensor that belongs to the module but is not trained.

        Args:
            name: the attribute's name, without dots.
            tensor: the buffer; None registers the name only.
            persistent: whether it is saved with the module.

        Raises:
            ArgumentTypeError: tensor is not a tensor, or name not a string.
            KeyError: the name is taken, is empty, or holds a dot.
            AttributeError: `Module.__init__` was not called.

        >>> module = torch.nn.Module()
        >>> module.register_buffer("mean", torch.zeros(2))
        >>> module.mean
        tensor([0., 0.])
        """
        self._check_name("buffer", name, "_buffers")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise ArgumentTypeError(f"cannot assign '{_kind(tensor)}' object to buffer '{name}' (torch Tensor or None required)")
        self._buffers[name] = _through_hooks("buffer", self, name, tensor)
        (self._non_persistent_buffers_set.discard if persistent else self._non_persistent_buffers_set.add)(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """Set a submodule.

        Args:
            name: the attribute's name, without dots.
            module: the module; None registers the name only.

        Raises:
            ArgumentTypeError: module is not a Module, or name not a string.
            KeyError: the name is taken, is empty, or holds a dot.
            AttributeError: `Module.__init__` was not called.

        >>> model = torch.nn.Module()
        >>> model.add_module("head", torch.nn.ReLU())
        >>> model.head
        ReLU()
        """
        if module is not None and not isinstance(module, Attributes):
            raise ArgumentTypeError(f"{_kind(module)} is not a Module subclass")
        self._check_name("module", name, "_modules")
        self._modules[name] = _through_hooks("module", self, name, module)

    def register_module(self, name: str, module: Module | None) -> None:
        """Set a submodule: `add_module` by its other name.

        Args:
            name, module: those of `add_module`.

        >>> model = torch.nn.Module()
        >>> model.register_module("head", torch.nn.ReLU())
        >>> model.head
        ReLU()
        """
        self.add_module(name, module)
