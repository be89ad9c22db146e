"""Which names are held against PyTorch: all that lamina serves under a path that PyTorch has, found by looking."""

import functools
import importlib
import inspect
import pkgutil
import types
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import torch

import lamina

# What modules without `__all__` show beside their own names: plumbing that no program asks for.
PLUMBING = ("torch._jit_internal", "torch.overrides", "torch._utils", "torch._higher_order_ops", "torch._ops")
CONSTANTS = (torch.dtype, torch.layout, torch.memory_format, float, int, bool)


@dataclass(frozen=True, eq=False)
class Subject:
    """One public name: `torch.nn.functional.relu`, or the method `torch.Tensor.sum`."""

    namespace: str
    name: str
    ours: Any
    theirs: Any
    ours_home: Any  # the module or class that holds it
    theirs_home: Any

    @property
    def path(self) -> str:
        return f"{self.namespace}.{self.name}"

    @property
    def is_method(self) -> bool:
        return isinstance(self.theirs_home, type)

    @property
    def is_class(self) -> bool:
        return isinstance(self.theirs, type)

    @property
    def is_callable(self) -> bool:
        """A function, a method or a class, going by what PyTorch has: neither a constant nor a property."""
        return inspect.isroutine(self.theirs) or self.is_class

    @property
    def is_operator(self) -> bool:
        return self.name.startswith("__")


def _submodules(module: types.ModuleType) -> list[str]:
    names = set(dir(module))
    if hasattr(module, "__path__"):
        names |= {found.name for found in pkgutil.iter_modules(module.__path__)}
    return sorted(name for name in names if not name.startswith("_"))


def _imported(path: str) -> types.ModuleType | None:
    try:
        return importlib.import_module(path)
    except ImportError:
        return None


@functools.cache
def modules() -> dict[str, tuple[types.ModuleType, types.ModuleType]]:
    """PyTorch's path -> (lamina's module, PyTorch's): every module of lamina's that PyTorch has, too."""
    found = {"torch": (lamina, torch)}
    waiting = ["torch"]
    while waiting:
        path = waiting.pop()
        for name in _submodules(found[path][0]):
            below = f"{path}.{name}"
            theirs = _imported(below)
            ours = theirs and _imported("lamina" + below.removeprefix("torch"))
            if ours and theirs and ours not in [known for known, _ in found.values()]:
                found[below] = ours, theirs
                waiting.append(below)
    return dict(sorted(found.items(), key=lambda item: (item[0].count("."), item[0])))


def _attribute(home: Any, name: str) -> Any:
    """An attribute. An enum's `name` and `value` are of its members: the class shows only the property itself."""
    try:
        return getattr(home, name)
    except AttributeError:
        if not isinstance(home, type):
            raise
        return inspect.getattr_static(home, name)


def public_names(module: types.ModuleType) -> set[str]:
    """The public names of a module of PyTorch's. Many have no `__all__`: then those that PyTorch itself made."""
    listed = set(getattr(module, "__all__", ()))
    names = {name for name in listed if not name.startswith("_")}
    for name in dir(module):
        if name.startswith("_") or name in names:
            continue
        value = _attribute(module, name)
        if isinstance(value, types.ModuleType):
            continue
        home = getattr(value, "__module__", None)
        home = home if isinstance(home, str) else ""
        made_here = home.startswith("torch") and not home.startswith(PLUMBING)
        if isinstance(value, CONSTANTS[:3]) or (made_here and (not listed or home in ("torch", module.__name__))):
            names.add(name)
    return names


def _served(home: Any, name: str) -> bool:
    try:
        _attribute(home, name)
    except AttributeError:
        return False
    return True


def _methods(owner: type) -> set[str]:
    """The public methods and properties that PyTorch first has in this class: an override repeats what it overrides."""
    above = {name for base in owner.__mro__[1:] for name in vars(base)}
    return {name for name in vars(owner) if not name.startswith("_") and name not in above}


def _tensor_methods() -> set[str]:
    special = {name for name in dir(torch.Tensor) if name.startswith("__") and name.endswith("__")}
    operators = {
        name
        for name in special
        if callable(getattr(torch.Tensor, name)) and getattr(torch.Tensor, name) is not getattr(object, name, None)
        and name not in dir(type) and name not in ("__slotnames__", "__weakref__")
    }  # fmt: skip
    operators |= {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"}
    return operators | {name for name in dir(torch.Tensor) if not name.startswith("_")}


def _of_class(subject: Subject) -> list[Subject]:
    names = _tensor_methods() if subject.theirs is torch.Tensor else _methods(subject.theirs)
    ours, theirs = subject.ours, subject.theirs
    return [
        Subject(subject.path, name, _attribute(ours, name), _attribute(theirs, name), ours, theirs)
        for name in sorted(names)
        if _served(ours, name)
    ]


def _found() -> Iterator[Subject]:
    seen: set[type] = set()
    seen_as: set[tuple[type, str]] = set()
    for path, (ours, theirs) in modules().items():
        for name in sorted(public_names(theirs)):
            if not _served(ours, name):
                continue
            subject = Subject(path, name, _attribute(ours, name), _attribute(theirs, name), ours, theirs)
            if not subject.is_class:
                yield subject
                continue
            if (subject.theirs, name) not in seen_as:
                yield subject
            if subject.theirs not in seen and isinstance(subject.ours, type):
                yield from _of_class(subject)
            seen.add(subject.theirs)
            seen_as.add((subject.theirs, name))


@functools.cache
def subjects() -> tuple[Subject, ...]:
    """Every name to be held against PyTorch; each class once, at the shortest of its paths."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecated names warn on being looked at
        return tuple(_found())
