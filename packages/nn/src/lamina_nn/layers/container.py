"""Modules that hold modules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self

from ..module import Module

__all__ = ["ModuleDict", "ModuleList", "Sequential"]


class _Numbered(Module):
    """Submodules called 0, 1, 2, ..."""

    def _renumber(self, modules: Iterable[Module | None]) -> None:
        self._modules.clear()
        for i, module in enumerate(modules):
            self.add_module(str(i), module)

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __getitem__(self, at: int | slice) -> Any:
        modules = list(self._modules.values())
        if isinstance(at, slice):
            made: Any = type(self)
            return made(*modules[at]) if isinstance(self, Sequential) else made(modules[at])
        if not -len(modules) <= at < len(modules):
            raise IndexError(f"index {at} is out of range")
        return modules[at]

    def __setitem__(self, at: int, module: Module) -> None:
        self._modules[list(self._modules)[at]] = module

    def append(self, module: Module) -> Self:
        """One more at the end."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self, modules: Iterable[Module]) -> Self:
        """Several more at the end."""
        for module in modules:
            self.append(module)
        return self

    def insert(self, index: int, module: Module) -> Self:
        """One more before a place."""
        modules = list(self)
        modules.insert(index, module)
        self._renumber(modules)
        return self


class Sequential(_Numbered):
    """Modules one after another: each is given what the one before made.

    Args:
        modules: the modules, or one mapping from name to module.
    """

    def __init__(self, *modules: Any) -> None:
        super().__init__()
        if len(modules) == 1 and isinstance(modules[0], Mapping):
            for name, module in modules[0].items():
                self.add_module(name, module)
        else:
            self._renumber(modules)

    def forward(self, input: Any) -> Any:
        """Through all modules in order."""
        for module in self._modules.values():
            input = module(input)  # type: ignore[misc]
        return input


class ModuleList(_Numbered):
    """A list of modules, whose parameters belong to the module that holds it."""

    def __init__(self, modules: Iterable[Module] = ()) -> None:
        super().__init__()
        self._renumber(modules)


class ModuleDict(Module):
    """A dict of modules, whose parameters belong to the module that holds it."""

    def __init__(self, modules: Mapping[str, Module] | None = None) -> None:
        super().__init__()
        self.update(modules or {})

    def update(self, modules: Mapping[str, Module]) -> None:
        """Add or replace modules by name."""
        for name, module in modules.items():
            self.add_module(name, module)

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: str) -> bool:
        return key in self._modules

    def keys(self) -> Iterable[str]:
        """The names."""
        return self._modules.keys()

    def values(self) -> Iterable[Any]:
        """The modules."""
        return self._modules.values()

    def items(self) -> Iterable[tuple[str, Any]]:
        """Names and modules."""
        return self._modules.items()
