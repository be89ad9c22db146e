"""What a module says when it is asked for a name that it lacks: whether PyTorch has it, and which name comes nearest."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType

__all__ = ["absent", "explained", "further"]


def explained(module: str, listed: list[str]) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """The `__getattr__` and the `__dir__` of a module: its parts load when they are first wanted, and an error explains other names.

    Args:
        module: its `__name__`.
        listed: its `__all__`.
    """

    def __getattr__(name: str) -> object:
        if name in listed:  # and not there yet: a part
            return import_module(f"{module}.{name}")
        if not name.startswith("__") and (found := further(module, name)) is not None:
            return found
        raise absent(module, name, set(listed))

    def __dir__() -> list[str]:
        return sorted(listed)

    return __getattr__, __dir__


def further(module: str, name: str) -> ModuleType | None:
    """The module of a name that a module lacks, where PyTorch has one there.

    Args:
        module: our name of the module above.
        name: what was asked for.
    """
    from .module_paths import module_at
    from .programs.pytorch_names import names_of
    from .programs.respelling import theirs

    if name in names_of(theirs(module)):
        return None
    try:
        return module_at(f"{module}.{name}")
    except ImportError as error:  # it wants a package that is not installed; `hasattr` is to say False
        raise AttributeError(str(error), name=name) from error


def absent(module: str, name: str, there: set[str]) -> AttributeError:
    """The error for a name that a module lacks, to be raised by its `__getattr__`.

    Args:
        module: our name of it.
        name: what was asked for.
        there: the names that the module has.
    """
    if name.startswith("__"):  # Python's protocols, which ask often
        return AttributeError(f"module {module!r} has no attribute {name!r}")
    from .programs.pytorch_names import missing
    from .programs.respelling import theirs

    return AttributeError(missing(theirs(module), name, there))
