"""Module: parameters, buffers and submodules by name, and a forward function over them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, Self

from lamina_flatarray import ShapeError
from lamina_tensor import Tensor, no_grad

from .parameter import Parameter

__all__ = ["Module"]


class IncompatibleKeys(NamedTuple):
    """What `load_state_dict` did not find, and what it did not want."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        return f"_IncompatibleKeys{tuple(self)!r}" if any(self) else "<All keys matched successfully>"


class Module:
    """A part of a model. Subclasses set parameters and submodules as attributes and define `forward`.

    Attributes:
        training: whether the module is in training mode.
    """

    training: bool
    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _modules: dict[str, Module | None]
    _transient: set[str]

    def __init__(self) -> None:
        self.__dict__.update(training=True, _parameters={}, _buffers={}, _modules={}, _transient=set())

    forward: Callable[..., Any]

    def __call__(self, *args: Any, **params: Any) -> Any:
        try:
            return self.forward(*args, **params)
        except Exception as error:
            _add_place(error, self)
            raise

    # -- attributes -----------------------------------------------------------------------------------------------------

    def __setattr__(self, name: str, value: Any) -> None:
        tables = self.__dict__
        if "_parameters" not in tables:
            if isinstance(value, (Parameter, Module)):
                raise AttributeError(f"cannot assign {name!r} before Module.__init__() call")
            object.__setattr__(self, name, value)
            return
        kind = "_parameters" if isinstance(value, Parameter) else "_modules" if isinstance(value, Module) else None
        if kind is None:
            for table in ("_parameters", "_modules", "_buffers"):
                if name in tables[table]:
                    if value is not None and (table != "_buffers" or not isinstance(value, Tensor)):
                        wanted = {"_parameters": "Parameter", "_modules": "Module", "_buffers": "Tensor"}[table]
                        raise TypeError(f"cannot assign {type(value).__name__} as {name!r} ({wanted} or None expected)")
                    tables[table][name] = value
                    return
            object.__setattr__(self, name, value)
            return
        for table in ("_parameters", "_modules", "_buffers"):
            tables[table].pop(name, None) if table != kind else None
        tables.pop(name, None)
        tables[kind][name] = value

    def __getattr__(self, name: str) -> Any:
        for table in ("_parameters", "_modules", "_buffers"):
            found = self.__dict__.get(table, {})
            if name in found:
                return found[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __delattr__(self, name: str) -> None:
        for table in (self._parameters, self._modules, self._buffers):
            if name in table:
                del table[name]
                return
        object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._parameters, *self._buffers, *self._modules]

    def register_parameter(self, name: str, parameter: Parameter | None) -> None:
        """A parameter by name; None keeps the place without one."""
        self.__dict__.pop(name, None)
        self._parameters[name] = parameter

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """A tensor that belongs to the module but is not trained; saved with it if `persistent`."""
        self.__dict__.pop(name, None)
        self._buffers[name] = tensor
        (self._transient.discard if persistent else self._transient.add)(name)

    def add_module(self, name: str, module: Module | None) -> None:
        """A submodule by name."""
        self._modules[name] = module

    register_module = add_module

    # -- walks ----------------------------------------------------------------------------------------------------------

    def named_modules(self, prefix: str = "", remove_duplicate: bool = True) -> Iterator[tuple[str, Module]]:
        """This module and all below with their paths; one that has several paths once, unless duplicates are wanted."""
        seen: set[int] = set()
        stack: list[tuple[str, Module]] = [(prefix, self)]
        while stack:
            path, module = stack.pop()
            if remove_duplicate and id(module) in seen:
                continue
            seen.add(id(module))
            yield path, module
            below = [(f"{path}.{name}" if path else name, m) for name, m in module._modules.items() if m is not None]
            stack.extend(reversed(below))

    def modules(self) -> Iterator[Module]:
        """This module and all below, each once."""
        return (module for _, module in self.named_modules())

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The submodules of this module, with their names."""
        return ((name, m) for name, m in self._modules.items() if m is not None)

    def children(self) -> Iterator[Module]:
        """The submodules of this module."""
        return (module for _, module in self.named_children())

    def _named_of(self, table: str, prefix: str, recurse: bool) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        for path, module in self.named_modules(prefix) if recurse else [(prefix, self)]:
            for name, value in module.__dict__[table].items():
                if value is not None and id(value) not in seen:
                    seen.add(id(value))
                    yield (f"{path}.{name}" if path else name), value

    def named_parameters(self, prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Parameter]]:
        """All parameters, each once, with their paths."""
        return self._named_of("_parameters", prefix, recurse)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """All parameters, each once."""
        return (value for _, value in self.named_parameters(recurse=recurse))

    def named_buffers(self, prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Tensor]]:
        """All buffers, each once, with their paths."""
        return self._named_of("_buffers", prefix, recurse)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """All buffers, each once."""
        return (value for _, value in self.named_buffers(recurse=recurse))

    def get_submodule(self, target: str) -> Module:
        """The module at a path such as `encoder.2`.

        Raises:
            AttributeError: there is none.
        """
        found: Any = self
        for name in target.split(".") if target else []:
            found = getattr(found, name)
        if not isinstance(found, Module):
            raise AttributeError(f"`{target}` is not a Module")
        return found

    def apply(self, function: Callable[[Module], Any]) -> Self:
        """Call a function on every module below, then on this one."""
        for module in reversed(list(self.modules())):
            function(module)
        return self

    # -- modes and places -----------------------------------------------------------------------------------------------

    def train(self, mode: bool = True) -> Self:
        """Training mode, for this module and all below."""
        for module in self.modules():
            module.training = mode
        return self

    def eval(self) -> Self:
        """Evaluation mode, for this module and all below."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Whether gradients are wanted for all parameters."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters, or set them to zero."""
        for parameter in self.parameters():
            if set_to_none or parameter._grad is None:
                parameter._grad = None
            else:
                parameter._grad.zero_()

    def _converted(self, convert: Callable[[Tensor], Tensor]) -> Self:
        with no_grad():
            for module in self.modules():
                for parameter in module._parameters.values():
                    if parameter is not None:
                        parameter.array = convert(parameter).array
                        if parameter._grad is not None:
                            parameter._grad = convert(parameter._grad)
                for name, buffer in module._buffers.items():
                    module._buffers[name] = None if buffer is None else convert(buffer)
        return self

    def to(self, *args: Any, **params: Any) -> Self:
        """Parameters and buffers on another device or in another dtype (floating and complex ones only)."""

        def convert(t: Any) -> Tensor:
            if t.dtype.is_inexact:
                moved: Tensor = t.to(*args, **params)
                return moved
            device = params.get("device", next((a for a in args if not hasattr(a, "itemsize")), None))
            kept: Tensor = t.to(device=device)
            return kept

        return self._converted(convert)

    def float(self) -> Self:
        """Floating parameters and buffers in float32."""
        return self._converted(lambda t: t.float() if t.dtype.is_floating_point else t)

    def double(self) -> Self:
        """Floating parameters and buffers in float64."""
        return self._converted(lambda t: t.double() if t.dtype.is_floating_point else t)

    # -- state ----------------------------------------------------------------------------------------------------------

    def state_dict(self, prefix: str = "") -> OrderedDict[str, Tensor]:
        """All parameters and persistent buffers by path, detached, sharing memory."""
        found: OrderedDict[str, Tensor] = OrderedDict()
        for path, module in self._every_place(prefix):
            for name, value in (*module._parameters.items(), *module._buffers.items()):
                if value is not None and name not in module._transient:
                    found[f"{path}.{name}" if path else name] = value.detach()
        return found

    def _every_place(self, prefix: str) -> Iterator[tuple[str, Module]]:
        """As `named_modules`, but a module that stands in two places is there twice."""
        stack: list[tuple[str, Module]] = [(prefix.rstrip("."), self)]
        while stack:
            path, module = stack.pop()
            yield path, module
            stack.extend(
                reversed([(f"{path}.{n}" if path else n, m) for n, m in module._modules.items() if m is not None])
            )

    def load_state_dict(self, state_dict: Mapping[str, Tensor], strict: bool = True) -> IncompatibleKeys:
        """Copy the items of `state_dict` into the parameters and buffers of the same paths; all of them, or none.

        Raises:
            ShapeError: shapes differ; or, if `strict`, a path is missing on either side.
        """
        own = self.state_dict()
        keys = IncompatibleKeys([k for k in own if k not in state_dict], [k for k in state_dict if k not in own])
        faults = []
        if strict and keys.missing_keys:
            faults.append("Missing key(s) in state_dict: " + ", ".join(f'"{k}"' for k in keys.missing_keys) + ". ")
        if strict and keys.unexpected_keys:
            faults.append(
                "Unexpected key(s) in state_dict: " + ", ".join(f'"{k}"' for k in keys.unexpected_keys) + ". "
            )
        for key, target in own.items():
            if key in state_dict and tuple(state_dict[key].shape) != tuple(target.shape):
                faults.append(
                    f"size mismatch for {key}: copying a param with shape {tuple(state_dict[key].shape)} from "
                    f"checkpoint, the shape in current model is {tuple(target.shape)}."
                )
        if faults:
            raise ShapeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t" + "\n\t".join(faults))
        with no_grad():
            for key, target in own.items():
                if key in state_dict:
                    target.copy_(state_dict[key])
        return keys

    # -- text -----------------------------------------------------------------------------------------------------------

    def extra_repr(self) -> str:
        """What the module's line says between its parentheses."""
        return ""

    def __repr__(self) -> str:
        lines = [f"({name}): " + repr(m).replace("\n", "\n  ") for name, m in self._modules.items()]
        extra = self.extra_repr()
        if not lines:
            return f"{type(self).__name__}({extra})"
        return f"{type(self).__name__}(" + "".join(f"\n  {line}" for line in [*extra.splitlines(), *lines]) + "\n)"


def _add_place(error: Exception, module: Module) -> None:
    """Say in an error which module it came from; each module that called that one gives it a longer path."""
    remembered = error.__dict__.get("_lamina_module")
    if remembered is None:
        error.add_note(f"in {_line(module)}")
        error.__dict__["_lamina_module"] = (module, len(error.__notes__) - 1)
        return
    origin, place = remembered
    path = next((path for path, below in module.named_modules() if below is origin), "")
    if path:
        error.__notes__[place] = f"in {path}: {_line(origin)}"


def _line(module: Module) -> str:
    return repr(module).splitlines()[0].rstrip("(")
