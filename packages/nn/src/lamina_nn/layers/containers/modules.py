"""Modules that hold modules: in a row, in a list, or by name."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from operator import index as as_index
from typing import TYPE_CHECKING, Any, Self

from lamina_flatarray import ArgumentTypeError, ArgumentValueError

from ...module import Module

__all__ = ["ModuleDict", "ModuleList", "Sequential"]


class _Numbered(Module):
    """Submodules called 0, 1, 2, ..."""

    def _renumber(self, modules: Iterable[Module | None]) -> None:
        items = list(modules)
        self._modules.clear()
        for i, module in enumerate(items):
            self.add_module(str(i), module)

    def _name_at(self, at: Any) -> str:
        place, count = as_index(at), len(self._modules)
        if not -count <= place < count:
            raise IndexError(f"index {place} is out of range")
        return list(self._modules)[place]

    if TYPE_CHECKING:

        def __getitem__(self, at: int | slice) -> Any: ...

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
        """Add a module at the end.

        Args:
            module: the module.

        Returns:
            The container itself.

        >>> layers = torch.nn.Sequential(torch.nn.ReLU())
        >>> layers.append(torch.nn.Tanh())
        Sequential(
          (0): ReLU()
          (1): Tanh()
        )
        """
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index: int, module: Module) -> Self:
        """Add a module in front of the one at an index.

        Args:
            index: the index of the new module; negative ones count from the end.
            module: the module.

        Returns:
            The container itself.

        Raises:
            IndexError: the index is out of range.

        >>> layers = torch.nn.Sequential(torch.nn.ReLU())
        >>> layers.insert(0, torch.nn.Tanh())
        Sequential(
          (0): Tanh()
          (1): ReLU()
        )
        """
        count = len(self)
        if not -count <= index <= count:
            raise IndexError(f"Index out of range: {index}")
        modules = list(self._modules.values())
        modules.insert(index, module)
        self._renumber(modules)
        return self

    def pop(self, key: Any) -> Any:
        """Remove a module, or a slice of modules.

        Args:
            key: its index, or a slice.

        Returns:
            What was removed.

        Raises:
            IndexError: the index is out of range.

        >>> layers = torch.nn.Sequential(torch.nn.ReLU(), torch.nn.Tanh())
        >>> layers.pop(0)
        ReLU()
        >>> len(layers)
        1
        """
        result = self[key]
        del self[key]
        return result


class Sequential(_Numbered):
    """Chain modules: each is called with the output of the one before.

    Args:
        args: the modules, or one mapping from names to modules.

    Shape:
        The first module's input to the last one's output.

    >>> torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.ReLU())
    Sequential(
      (0): Linear(in_features=3, out_features=2, bias=True)
      (1): ReLU()
    )
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
        """Call the modules one after another.

        Args:
            input: what the first module takes.

        Returns:
            What the last module returns; the input itself if there are no modules.
        """
        for module in self._modules.values():
            input = module(input)  # type: ignore[misc]
        return input

    def extend(self, sequential: Iterable[Module]) -> Self:
        """Add modules at the end.

        Args:
            sequential: the modules.

        Returns:
            The container itself.

        >>> torch.nn.Sequential(torch.nn.ReLU()).extend([torch.nn.Tanh()])
        Sequential(
          (0): ReLU()
          (1): Tanh()
        )
        """
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
    """Hold modules in a list, so that their parameters belong to the module that holds it.

    Args:
        modules: the modules that it begins with.

    >>> layers = torch.nn.ModuleList([torch.nn.Linear(2, 2) for _ in range(3)])
    >>> layers
    ModuleList(
      (0-2): 3 x Linear(in_features=2, out_features=2, bias=True)
    )
    >>> len(list(layers.parameters()))
    6
    """

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        self._renumber(modules or ())

    def __getitem__(self, at: int | slice) -> Any:
        if isinstance(at, slice):
            return type(self)(list(self._modules.values())[at])  # type: ignore[arg-type]
        return self._modules[self._name_at(at)]

    def extend(self, modules: Iterable[Module]) -> Self:
        """Add modules at the end.

        Args:
            modules: the modules.

        Returns:
            The list itself.

        Raises:
            ArgumentTypeError: modules is not iterable.

        >>> len(torch.nn.ModuleList().extend([torch.nn.ReLU(), torch.nn.Tanh()]))
        2
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
    """Hold modules by name, so that their parameters belong to the module that holds the dict.

    Args:
        modules: a mapping from names to modules, or pairs of both.

    >>> acts = torch.nn.ModuleDict({"relu": torch.nn.ReLU(), "tanh": torch.nn.Tanh()})
    >>> acts["relu"](torch.tensor([-1.0, 1.0]))
    tensor([0., 1.])
    """

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def update(self, modules: Any) -> None:
        """Add or replace modules.

        Args:
            modules: a mapping from names to modules, or pairs of both.

        Raises:
            ArgumentTypeError: modules, or one of the pairs, is not iterable.
            ArgumentValueError: one of the pairs has another length than 2.

        >>> acts = torch.nn.ModuleDict()
        >>> acts.update([("relu", torch.nn.ReLU())])
        >>> list(acts)
        ['relu']
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
            entry = tuple(pair)
            if len(entry) != 2:
                raise ArgumentValueError(f"ModuleDict update sequence element #{place} has length {len(entry)}; 2 is required")
            self[entry[0]] = entry[1]

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
        """Remove all modules.

        >>> acts = torch.nn.ModuleDict({"relu": torch.nn.ReLU()})
        >>> acts.clear()
        >>> len(acts)
        0
        """
        self._modules.clear()

    def pop(self, key: str) -> Any:
        """Remove a module.

        Args:
            key: its name.

        Returns:
            The module.

        Raises:
            KeyError: there is no such name.

        >>> torch.nn.ModuleDict({"relu": torch.nn.ReLU()}).pop("relu")
        ReLU()
        """
        return self._modules.pop(key)

    def keys(self) -> KeysView[str]:
        """Return the names.

        Returns:
            A view of them.

        >>> list(torch.nn.ModuleDict({"relu": torch.nn.ReLU()}).keys())
        ['relu']
        """
        return self._modules.keys()

    def values(self) -> ValuesView[Any]:
        """Return the modules.

        Returns:
            A view of them.

        >>> list(torch.nn.ModuleDict({"relu": torch.nn.ReLU()}).values())
        [ReLU()]
        """
        return self._modules.values()

    def items(self) -> ItemsView[str, Any]:
        """Return pairs of name and module.

        Returns:
            A view of them.

        >>> list(torch.nn.ModuleDict({"relu": torch.nn.ReLU()}).items())
        [('relu', ReLU())]
        """
        return self._modules.items()
