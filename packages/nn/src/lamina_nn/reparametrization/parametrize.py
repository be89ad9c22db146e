"""Parametrizations: an attribute of a module that is computed, by other modules, from parameters of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import deepcopy
from typing import Any

from lamina_flatarray import ArgumentValueError, UsageError
from lamina_tensor import Tensor, no_grad

from ..layers.containers.modules import ModuleDict, ModuleList
from ..module import Module
from ..parameter import Parameter

__all__ = [
    "ParametrizationList", "cached", "is_parametrized", "register_parametrization", "remove_parametrizations",
    "transfer_parametrizations_and_params", "type_before_parametrizations",
]  # fmt: skip


class _Cache:
    regions: int = 0
    values: dict[tuple[int, str], Tensor]

    def __init__(self) -> None:
        self.values = {}


_cache = _Cache()


@contextmanager
def cached() -> Iterator[None]:
    """Compute each parametrized attribute once, in a `with` block.

    Returns:
        A context manager.

    >>> layer = torch.nn.utils.parametrizations.orthogonal(torch.nn.Linear(3, 2))
    >>> with torch.nn.utils.parametrize.cached():
    ...     layer.weight is layer.weight
    True
    """
    _cache.regions += 1
    try:
        yield
    finally:
        _cache.regions -= 1
        if not _cache.regions:
            _cache.values.clear()


def _put(module: Module, name: str, value: Tensor) -> None:
    if isinstance(value, Parameter):
        module.register_parameter(name, value)
    else:
        module.register_buffer(name, value)


def _same(what: str, result: Any, original: Any) -> None:
    """Refuse a tensor of another dtype or shape.

    Raises:
        ValueError: it is of one, or is no tensor.
    """
    if not isinstance(result, Tensor):
        raise ArgumentValueError(f"{what} must return a tensor. Got {type(result).__name__}.")
    for part in ("dtype", "shape"):
        a, b = getattr(result, part), getattr(original, part)
        if a != b:
            raise ArgumentValueError(f"{what} may not change the {part} of the tensor, unless the `unsafe` flag is enabled: {b!r} to {a!r}")


class ParametrizationList(ModuleList):
    """Hold the parametrizations of one attribute, and what it is computed from: `original`, or `original0`,
    `original1`, ...

    Args:
        modules: the parametrizations, in the order in which they are applied.
        original: the attribute's value.
        unsafe: whether they may change dtype and shape.

    Raises:
        ArgumentValueError: there are no modules, or dtype or shape changes.

    >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(3, 2))
    >>> type(layer.parametrizations.weight).__name__, len(layer.parametrizations.weight)
    ('ParametrizationList', 1)
    """

    unsafe: bool

    def __init__(self, modules: Sequence[Module], original: Tensor, unsafe: bool = False) -> None:
        if not modules:
            raise ArgumentValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        stored: Any = original
        with no_grad():
            for module in reversed(list(self)):
                if hasattr(module, "right_inverse"):
                    with suppress(NotImplementedError):
                        stored = module.right_inverse(stored)
        if not isinstance(stored, (Tensor, tuple, list)):
            raise ArgumentValueError(
                f"'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got {type(stored).__name__}"
            )
        before = original.detach()
        self.is_tensor = isinstance(stored, Tensor)
        self.ntensors = 1 if isinstance(stored, Tensor) else len(stored)
        if isinstance(stored, Tensor):
            if stored.dtype is not original.dtype:
                raise ArgumentValueError(
                    "When `right_inverse` outputs one tensor, it may not change the dtype.\n"
                    f"original.dtype: {original.dtype!r}\nright_inverse(original).dtype: {stored.dtype!r}"
                )
            original.array = stored.array
            _put(self, "original", original)
        else:
            for i, part in enumerate(stored):
                if not isinstance(part, Tensor):
                    raise ArgumentValueError(
                        "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got element "
                        f"{i} of the sequence with type {type(part).__name__}."
                    )
                tensor = Parameter(part.detach()) if isinstance(original, Parameter) else part.detach()
                _put(self, f"original{i}", tensor.requires_grad_(original.requires_grad))
        if not unsafe:
            _same("Registering a parametrization", self(), before)

    def right_inverse(self, value: Tensor) -> None:
        """Set what the attribute is computed from, so that it becomes a value.

        Args:
            value: the value.

        Raises:
            UsageError: a parametrization has no `right_inverse`.
            ArgumentValueError: a `right_inverse` returns another number of tensors, or another dtype.

        >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(1, 2))
        >>> layer.parametrizations.weight.right_inverse(torch.tensor([[3.0], [4.0]]))
        >>> layer.weight.detach()
        tensor([[3.],
                [4.]])
        """
        stored: Any = value
        with no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise UsageError(f"parametrization {type(module).__name__} does not implement right_inverse.")
                stored = module.right_inverse(stored)
            names = ["original"] if self.is_tensor else [f"original{i}" for i in range(self.ntensors)]
            values = [stored] if self.is_tensor else stored
            if not isinstance(values, (list, tuple)) or len(values) != len(names):
                raise ArgumentValueError(f"'right_inverse' must return {self.ntensors} tensors. Got {type(stored).__name__}.")
            for name, new in zip(names, values, strict=True):
                own = getattr(self, name)
                if not isinstance(new, Tensor) or new.dtype is not own.dtype:
                    raise ArgumentValueError(
                        f"The tensor returned by `right_inverse` has dtype {getattr(new, 'dtype', type(new))!r} while "
                        f"`{name}` has dtype {own.dtype!r}"
                    )
                own.array = new.array

    def forward(self) -> Tensor:
        """Compute the attribute.

        Returns:
            The attribute's value.
        """
        if self.is_tensor:
            result: Tensor = self[0](self.original)
        else:
            result = self[0](*[getattr(self, f"original{i}") for i in range(self.ntensors)])
        for module in list(self)[1:]:
            result = module(result)
        return result


def _deepcopied(self: Any, memo: dict[int, Any]) -> Any:
    if id(self) not in memo:
        copied = memo[id(self)] = object.__new__(type(self))
        copied.__dict__.update(deepcopy(self.__dict__, memo))
    return memo[id(self)]


def _refuse_state(self: Any) -> Any:
    raise UsageError("Serialization of parametrized modules is only supported through state_dict().")


def _with_class_of_its_own(module: Module) -> None:
    """Give a module a class that is derived from its own and is nobody else's: properties are put on it."""
    kind = type(module)
    own: dict[str, Any] = {"__getstate__": _refuse_state}
    if not hasattr(kind, "__deepcopy__"):
        own["__deepcopy__"] = _deepcopied
    module.__class__ = type(f"Parametrized{kind.__name__}", (kind,), own)
    module.parametrizations = ModuleDict()


def _computed(name: str) -> property:
    """The property that computes an attribute."""

    def get(self: Any) -> Tensor:
        if not _cache.regions:
            result: Tensor = self.parametrizations[name]()
            return result
        key = (id(self), name)
        if key not in _cache.values:
            _cache.values[key] = self.parametrizations[name]()
        return _cache.values[key]

    return property(get, lambda self, value: self.parametrizations[name].right_inverse(value))


def register_parametrization(module: Module, tensor_name: str, parametrization: Module, *, unsafe: bool = False) -> Module:
    """Compute a parameter or buffer of a module by another module; several are applied in the order of their
    registration.

    Args:
        module: the module.
        tensor_name: the attribute's name.
        parametrization: maps what is stored to the attribute's value; its `right_inverse`, if it has one, maps back.
        unsafe: whether it may change dtype and shape.

    Returns:
        The module itself.

    Raises:
        ArgumentValueError: there is no such attribute, or dtype or shape changes.

    >>> layer = torch.nn.Linear(3, 2)
    >>> _ = torch.nn.utils.parametrize.register_parametrization(layer, "weight", torch.nn.Tanh())
    >>> bool((layer.weight.abs() <= 1).all())
    True
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        parts: Any = module.parametrizations[tensor_name]
        if not unsafe:
            before = getattr(module, tensor_name)
            computed = parametrization(before)
            _same("A parametrization", computed, before)
            if hasattr(parametrization, "right_inverse"):
                with suppress(NotImplementedError):
                    _same("right_inverse", parametrization.right_inverse(computed), before)
        parts.append(parametrization)
        parts.unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        parts = ParametrizationList([parametrization], getattr(module, tensor_name), unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            _with_class_of_its_own(module)
        setattr(type(module), tensor_name, _computed(tensor_name))
        module.parametrizations[tensor_name] = parts
    else:
        raise ArgumentValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name '{tensor_name}'"
        )
    return module


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Tell whether an attribute of a module is parametrized.

    Args:
        module: the module.
        tensor_name: the attribute's name; None for any.

    Returns:
        A bool.

    >>> torch.nn.utils.parametrize.is_parametrized(torch.nn.Linear(3, 2))
    False
    """
    parts = module.__dict__.get("_modules", {}).get("parametrizations")
    if not isinstance(parts, ModuleDict):
        return False
    return len(parts) > 0 if tensor_name is None else tensor_name in parts


def remove_parametrizations(module: Module, tensor_name: str, leave_parametrized: bool = True) -> Module:
    """Remove the parametrizations of an attribute.

    Args:
        module: the module.
        tensor_name: the attribute's name.
        leave_parametrized: whether the attribute keeps its value rather than becoming what it was computed from.

    Returns:
        The module itself.

    Raises:
        ArgumentValueError: the attribute is not parametrized; or it was computed from several tensors, and
            leave_parametrized is false.

    >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(3, 2))
    >>> torch.nn.utils.parametrize.remove_parametrizations(layer, "weight")
    Linear(in_features=3, out_features=2, bias=True)
    """
    if not is_parametrized(module, tensor_name):
        raise ArgumentValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    parts: Any = module.parametrizations[tensor_name]
    if parts.is_tensor:
        tensor = parts.original
        if leave_parametrized:
            with no_grad():
                tensor.array = getattr(module, tensor_name).array
    elif leave_parametrized:
        now = getattr(module, tensor_name)
        tensor = Parameter(now.detach()) if now.requires_grad else now
    else:
        raise ArgumentValueError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a sequence of "
            "tensors."
        )
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    _put(module, tensor_name, tensor)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module: Module) -> type:
    """Return the class that a module had before its first parametrization.

    Args:
        module: the module.

    Returns:
        The class.

    >>> layer = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(3, 2))
    >>> torch.nn.utils.parametrize.type_before_parametrizations(layer).__name__
    'Linear'
    """
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def transfer_parametrizations_and_params(
    from_module: Module, to_module: Module, tensor_name: str | None = None
) -> Module:
    """Copy the parametrizations of a module, and what they compute from, to another one.

    Args:
        from_module: the module that has them.
        to_module: the module that gets copies.
        tensor_name: the attribute's name; by default all.

    Returns:
        `to_module` itself.

    >>> source = torch.nn.utils.parametrizations.weight_norm(torch.nn.Linear(3, 2))
    >>> target = torch.nn.utils.parametrize.transfer_parametrizations_and_params(source, torch.nn.Linear(3, 2))
    >>> torch.equal(target.weight, source.weight)
    True
    """
    names = [tensor_name] if tensor_name is not None else list(getattr(from_module, "parametrizations", {}))
    for name in names:
        if not is_parametrized(from_module, name):
            continue
        source: Any = from_module.parametrizations[name]
        if not hasattr(to_module, name):
            setattr(to_module, name, Parameter(getattr(from_module, name).detach()))
        for part in source:
            register_parametrization(to_module, name, deepcopy(part), unsafe=True)
        target: Any = to_module.parametrizations[name]
        for own in ("original",) if source.is_tensor else [f"original{i}" for i in range(source.ntensors)]:
            setattr(target, own, deepcopy(getattr(source, own)))
    return to_module
