"""Modules that hold modules: in a row, in a list, or by name."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from operator import index as as_index
from typing import Any, Self

from lamina_flatarray import ArgumentTypeError, ArgumentValueError

from ...module import Module

__all__ = ["ModuleDict", "ModuleList", "Sequential"]


class _Numbered(Module):
    """Submodules called 0, 1, 2, ..."""

    def _renumber(self, modules: Iterable[Module | None]) -> None:
        found = list(modules)
        self._modules.clear()
        for i, module in enumerate(found):
            self.add_module(str(i), module)

    def _name_at(self, at: Any) -> str:
        place, count = as_index(at), len(self._modules)
        if not -count <= place < count:
            raise IndexError(f"index {place} is out of range")
        return list(self._modules)[place]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __setitem__(self, at: int, module: Module) -> None:
        setattr(self, self._name_at(at), module)

    def __delitem__(self, at: int | slice) -> None:
        names = list(self._modules)[at] if isinstance(at, slice) else [self._name_at(at)]
        for name in names:
            delattr(self, name)
        self._renumber(self._modules.values())

    def append(self, module: Module) -> Self:
        """One more at the end."""
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index: int, module: Module) -> Self:
        """One more before a place.

        Raises:
            IndexError: there is no such place.
        """
        count = len(self)
        if not -count <= index <= count:
            raise IndexError(f"Index out of range: {index}")
        modules = list(self._modules.values())
        modules.insert(index, module)
        self._renumber(modules)
        return self

    def pop(self, key: Any) -> Any:
        """Take one out, or a slice of them."""
        found = self[key]
        del self[key]
        return found


class Sequential(_Numbered):
    """Modules one after another: each is given what the one before made.

    Args:
        args: the modules, or one mapping from name to module.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        named = args[0].items() if len(args) == 1 and isinstance(args[0], Mapping) else None
        for name, module in ((str(i), m) for i, m in enumerate(args)) if named is None else named:
            self.add_module(name, module)

    def __getitem__(self, at: int | slice) -> Any:
        if isinstance(at, slice):
            return type(self)(OrderedDict(list(self._modules.items())[at]))
        return self._modules[self._name_at(at)]

    def forward(self, input: Any) -> Any:
        """Through all modules in order."""
        for module in self._modules.values():
            input = module(input)  # type: ignore[misc]
        return input

    def extend(self, sequential: Iterable[Module]) -> Self:
        """Several more at the end."""
        for module in list(sequential):
            self.append(module)
        return self

    @staticmethod
    def _check_other(other: Any) -> None:
        if not isinstance(other, Sequential):
            raise ArgumentValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")

    def __add__(self, other: Sequential) -> Sequential:
        self._check_other(other)
        return Sequential(*self, *other)

    def __iadd__(self, other: Sequential) -> Self:
        self._check_other(other)
        return self.extend(other)

    def _times(self, count: Any) -> int:
        if not isinstance(count, int):
            raise ArgumentTypeError(f"unsupported operand type(s) for *: {type(self)} and {type(count)}")
        if count <= 0:
            raise ArgumentValueError(f"Non-positive multiplication factor {count} for {type(self)}")
        return count

    def __mul__(self, other: int) -> Sequential:
        return Sequential(*list(self) * self._times(other))

    __rmul__ = __mul__

    def __imul__(self, other: int) -> Self:
        return self.extend(list(self) * (self._times(other) - 1))


class ModuleList(_Numbered):
    """A list of modules, whose parameters belong to the module that holds it."""

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        self._renumber(modules or ())

    def __getitem__(self, at: int | slice) -> Any:
        if isinstance(at, slice):
            return type(self)(list(self._modules.values())[at])  # type: ignore[arg-type]
        return self._modules[self._name_at(at)]

    def extend(self, modules: Iterable[Module]) -> Self:
        """Several more at the end.

        Raises:
            TypeError: what is given cannot be iterated over.
        """
        if not isinstance(modules, Iterable):
            raise ArgumentTypeError(f"ModuleList.extend should be called with an iterable, but got {type(modules).__name__}")
        for module in list(modules):
            self.append(module)
        return self

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList([*self, *other])

    def __iadd__(self, other: Iterable[Module]) -> Self:
        return self.extend(other)

    def __repr__(self) -> str:
        if not len(self):
            return f"{self._get_name()}()"
        runs: list[list[Any]] = []  # equal neighbours are shown once: first place, last place, text
        for i, text in enumerate(map(repr, self)):
            if runs and runs[-1][2] == text:
                runs[-1][1] = i
            else:
                runs.append([i, i, text])
        lines = [
            f"({a}): {text}" if a == b else f"({a}-{b}): {b - a + 1} x {text}" for a, b, text in runs
        ]
        return f"{self._get_name()}(\n  " + "\n  ".join(line.replace("\n", "\n  ") for line in lines) + "\n)"


class ModuleDict(Module):
    """A dict of modules, whose parameters belong to the module that holds it."""

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def update(self, modules: Any) -> None:
        """Add or replace modules: from a mapping, or from pairs of name and module.

        Raises:
            TypeError: it is neither.
            ValueError: one of the pairs is none.
        """
        if not isinstance(modules, Iterable):
            raise ArgumentTypeError(
                f"ModuleDict.update should be called with an iterable of key/value pairs, but got {type(modules).__name__}"
            )
        if isinstance(modules, (Mapping, ModuleDict)):
            modules = list(modules.items())
        for place, pair in enumerate(modules):
            if not isinstance(pair, Iterable):
                raise ArgumentTypeError(f"ModuleDict update sequence element #{place} should be Iterable; is {type(pair).__name__}")
            found = tuple(pair)
            if len(found) != 2:
                raise ArgumentValueError(f"ModuleDict update sequence element #{place} has length {len(found)}; 2 is required")
            self[found[0]] = found[1]

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

    def clear(self) -> None:
        """Take all out."""
        self._modules.clear()

    def pop(self, key: str) -> Any:
        """Take one out."""
        return self._modules.pop(key)

    def keys(self) -> KeysView[str]:
        """The names."""
        return self._modules.keys()

    def values(self) -> ValuesView[Any]:
        """The modules."""
        return self._modules.values()

    def items(self) -> ItemsView[str, Any]:
        """Names and modules."""
        return self._modules.items()
