"""Modules made without drawing initial values."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import UsageError
from lamina_tensor import get_rng_state, set_rng_state

from .module import Module

__all__ = ["skip_init"]


def skip_init(module_cls: type[Module], *args: Any, **kwargs: Any) -> Any:
    """A module whose parameters have items of no meaning; the random stream is where it was.

    Args:
        module_cls: its class, which takes a `device`.
        args, kwargs: of the class.

    Raises:
        RuntimeError: it is no class of modules, or takes no `device`.
    """
    import inspect

    if not issubclass(module_cls, Module):
        raise UsageError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise UsageError("Module must support a 'device' arg to skip initialization")
    state = get_rng_state()
    made = module_cls(*args, **kwargs)
    set_rng_state(state)
    return made.to_empty(device=kwargs.get("device") or "cpu")
