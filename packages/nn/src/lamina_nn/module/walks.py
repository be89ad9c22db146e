"""Ways through a tree of modules: all modules, parameters and buffers with their paths, and the one at a path."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Self

from lamina_flatarray import ArgumentValueError
from lamina_tensor import Tensor

if TYPE_CHECKING:
    from ..parameter import Parameter
    from .module import Module

__all__ = ["Walks"]


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


class Walks:
    """What a Module tells of the modules below it."""

    _modules: dict[str, Module | None]

    def named_modules(
        self, memo: set[Any] | None = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """This module and all below with their paths; one that has several paths once, unless duplicates are wanted.

        Args:
            memo: modules that are left out, and to which those that come are added.
            prefix: the path of this module.
            remove_duplicate: whether each comes once.
        """
        seen = set() if memo is None else memo
        stack: list[tuple[str, Any]] = [(prefix, self)]
        while stack:
            path, module = stack.pop()
            if module in seen:
                continue
            if remove_duplicate:
                seen.add(module)
            yield path, module
            below = [(_joined(path, name), m) for name, m in module._modules.items() if m is not None]
            stack.extend(reversed(below))

    def modules(self, remove_duplicate: bool = True) -> Iterator[Module]:
        """This module and all below, each once."""
        return (module for _, module in self.named_modules(remove_duplicate=remove_duplicate))

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The submodules of this module, each once, with their names."""
        seen = set()
        for name, module in self._modules.items():
            if module is not None and module not in seen:
                seen.add(module)
                yield name, module

    def children(self) -> Iterator[Module]:
        """The submodules of this module, each once."""
        return (module for _, module in self.named_children())

    def _named_members(
        self, members: Callable[[Any], Any], prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Any]]:
        """What `members(module)` gives as pairs of name and value, for this module and those below, with paths."""
        seen = set()
        places: Any = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for path, module in places:
            for name, value in members(module):
                if value is None or id(value) in seen:
                    continue
                if remove_duplicate:
                    seen.add(id(value))
                yield _joined(path, name), value

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """All parameters with their paths, each once unless duplicates are wanted."""
        return self._named_members(lambda m: m._parameters.items(), prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """All parameters, each once."""
        return (value for _, value in self.named_parameters(recurse=recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """All buffers with their paths, each once unless duplicates are wanted."""
        return self._named_members(lambda m: m._buffers.items(), prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """All buffers, each once."""
        return (value for _, value in self.named_buffers(recurse=recurse))

    def get_submodule(self, target: str) -> Module:
        """The module at a path such as `encoder.2`; this one, at "".

        Raises:
            AttributeError: there is none.
        """
        from .module import Module

        found: Any = self
        for name in target.split(".") if target else ():
            if not hasattr(found, name):
                raise AttributeError(f"{found._get_name()} has no attribute `{name}`")
            found = getattr(found, name)
            if not isinstance(found, Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return found

    def set_submodule(self, target: str, module: Module, strict: bool = False) -> None:
        """Put a module at a path, whose parent must be there; with `strict`, a module must stand at the path itself, too.

        Raises:
            ValueError: the path is empty, or what is given is no module.
            AttributeError: there is nothing to replace, or no module.
        """
        from .module import Module

        if not target:
            raise ArgumentValueError("Cannot set the submodule without a target name!")
        if not isinstance(module, Module):
            raise ArgumentValueError(f"`module` is not an nn.Module, found {type(module)}")
        path, _, name = target.rpartition(".")
        parent = self.get_submodule(path)
        if not hasattr(parent, name):
            if strict:
                raise AttributeError(f"{parent._get_name()} has no attribute `{name}`")
        elif not isinstance(getattr(parent, name), Module):
            raise AttributeError(f"`{name}` is not an nn.Module")
        setattr(parent, name, module)

    def _member(self, target: str) -> tuple[Module, str, Any]:
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        return module, name, getattr(module, name)

    def get_parameter(self, target: str) -> Parameter:
        """The parameter at a path such as `encoder.2.weight`.

        Raises:
            AttributeError: there is none.
        """
        from ..parameter import Parameter

        _, name, found = self._member(target)
        if not isinstance(found, Parameter):
            raise AttributeError(f"`{name}` is not an nn.Parameter")
        return found

    def get_buffer(self, target: str) -> Tensor:
        """The buffer at a path such as `encoder.2.running_mean`.

        Raises:
            AttributeError: there is none.
        """
        module, name, found = self._member(target)
        if name not in module._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return found

    def apply(self, fn: Callable[[Module], Any]) -> Self:
        """Call a function on every module below, children before parents, then on this one."""
        for module in self.children():
            module.apply(fn)
        fn(self)  # type: ignore[arg-type]
        return self
