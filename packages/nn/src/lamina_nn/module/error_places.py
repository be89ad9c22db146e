"""Which module an error came from, written into its notes as the error rises through the modules that called that one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .module import Module

__all__ = ["add_hook", "add_place"]


def add_place(error: Exception, module: Module) -> None:
    """Note in an error which module it came from; each module that called that one gives it a longer path.

    Args:
        error: the error that forward raised.
        module: the module whose forward it was.
    """
    remembered = error.__dict__.get("_lamina_module")
    if remembered is None:
        error.add_note(f"in {_line(module)}")
        error.__dict__["_lamina_module"] = (module, len(error.__notes__) - 1)
        return
    origin, place = remembered
    if place >= len(getattr(error, "__notes__", ())):  # somebody took the notes away
        return
    path = next((path for path, below in module.named_modules() if below is origin), "")
    if path:
        error.__notes__[place] = f"in {path}: {_line(origin)}"


def add_hook(error: Exception, module: Module) -> None:
    """Note in an error of the backward pass which module's hook it came from; its path is not known by then.

    Args:
        error: the error that the hook raised.
        module: the module that the hook belongs to.
    """
    error.add_note(f"in a backward hook of {_line(module)}")


def _line(module: Module) -> str:
    try:
        return repr(module).splitlines()[0].rstrip("(")
    except Exception:  # a repr that fails must not take the place of the error
        return type(module).__name__
