"""Modules made without drawing initial values."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import UsageError
from lamina_tensor import get_rng_state, set_rng_state

from .module import Module

__all__ = ["skip_init"]


def skip_init(module_cls: type[Module], *args: Any, **kwargs: Any) -> Any:
    """Make a module without drawing initial values: those of its parameters are undefined, and the random state does
    not change.

    Args:
        module_cls: the class, whose constructor takes a `device`.
        args, kwargs: the arguments of the class.

    Returns:
        The module.

    Raises:
        UsageError: module_cls is not a class of modules, or takes no `device`.

    >>> torch.nn.utils.skip_init(torch.nn.Linear, 3, 2)
    Linear(in_features=3, out_features=2, bias=True)
    """
    import inspect

    if not issubclass(module_cls, Module):
        raise UsageError(f"Expected a Module; got {module_cls}")
    if "device" not in inspect.signature(module_cls).parameters:
        raise UsageError("Module must support a 'device' arg to skip initialization")
    state = get_rng_state()
    module = module_cls(*args, **kwargs)
    set_rng_state(state)
    return module.to_empty(device=kwargs.get("device") or "cpu")
