"""The call of a module that has hooks, or where all modules have."""

from __future__ import annotations

import warnings
from typing import Any

from lamina_flatarray import UsageError
from lamina_tensor import Tensor

from .backward_hooks import BackwardHooks
from .hooks import GLOBAL
from .hooks_of_all import are_full
from .running import run_forward

__all__ = ["call_with_hooks"]


def _both(module: Any, table: str) -> list[tuple[Any, Any]]:
    """A table's entries: those of all modules, then the module's own."""
    own = module.__dict__.get(table)
    return [*GLOBAL[table].items(), *(own.items() if own else ())]


def _noted(module: Any, table: str, key: Any) -> bool:
    return key in GLOBAL[table] or key in module.__dict__.get(table, ())


def call_with_hooks(module: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """Run a module's forward with its hooks and those of all modules.

    Args:
        module: the module.
        args, params: the positional and keyword arguments of forward.

    Returns:
        The output, as the hooks leave it.
    """
    output, called = None, set()
    try:
        for key, hook in _both(module, "_forward_pre_hooks"):
            args, params = _before(module, hook, _noted(module, "_forward_pre_hooks_with_kwargs", key), args, params)
        pre, post, parts = _both(module, "_backward_pre_hooks"), _both(module, "_backward_hooks"), []
        if post:
            full = {**dict.fromkeys(GLOBAL["_backward_hooks"], are_full())}
            parts = [hook for key, hook in post if full.get(key, module._is_full_backward_hook) is False]
        around = None
        wholes = [hook for _, hook in post if hook not in parts]
        if pre or wholes:
            around = BackwardHooks(module, wholes, [hook for _, hook in pre])
            args = around.inputs(args)
        output = run_forward(module, args, params)
        for key, hook in _both(module, "_forward_hooks"):
            called.add(key)
            other = _after(module, hook, _noted(module, "_forward_hooks_with_kwargs", key), args, params, output)
            output = output if other is None else other
        if around is not None:
            output = around.outputs(output)
        if parts:
            _hook_node(module, parts, output)
        return output
    except Exception:
        for key, hook in _both(module, "_forward_hooks"):
            if key not in called and _noted(module, "_forward_hooks_always_called", key):
                try:
                    other = _after(module, hook, _noted(module, "_forward_hooks_with_kwargs", key), args, params, output)
                    output = output if other is None else other
                except Exception as silenced:
                    kind = "global module" if key in GLOBAL["_forward_hooks"] else "module"
                    warnings.warn(
                        f"{kind} forward hook with ``always_call=True`` raised an exception that was silenced as another error "
                        f"was raised in forward: {silenced}",
                        stacklevel=2,
                    )
        raise


def _before(module: Any, hook: Any, with_kwargs: bool, args: Any, params: Any) -> tuple[Any, Any]:
    """What a hook before forward makes of the arguments."""
    if not with_kwargs:
        other = hook(module, args)
        if other is None:
            return args, params
        return (other if isinstance(other, tuple) else (other,)), params
    other = hook(module, args, params)
    if other is None:
        return args, params
    if not (isinstance(other, tuple) and len(other) == 2):
        raise UsageError(f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {other}.")
    return other


def _after(module: Any, hook: Any, with_kwargs: bool, args: Any, params: Any, output: Any) -> Any:
    return hook(module, args, params, output) if with_kwargs else hook(module, args, output)


def _hook_node(module: Any, hooks: list[Any], output: Any) -> None:
    """Hook the node that made the first tensor of an output."""
    value = output
    while not isinstance(value, Tensor):
        value = next(v for v in value.values() if isinstance(v, Tensor)) if isinstance(value, dict) else value[0]
    if value.node is None:
        return
    for hook in hooks:
        value.node.register_hook(lambda into, outof, hook=hook: hook(module, into, outof))
