"""Hooks of modules: functions called before and after `forward`, and in the backward pass, of one module or of all.

Until the first one is registered, calling a module does not look for any; see `hooked`.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

from lamina_flatarray import UsageError
from lamina_tensor import Tensor
from lamina_tensor.autograd.node import RemovableHandle

from .attributes import REGISTERED
from .backward_hooks import BackwardHooks
from .running import run_forward

__all__ = [
    "GLOBAL", "Hooks", "call_with_hooks", "hooked", "register_module_backward_hook",
    "register_module_buffer_registration_hook", "register_module_forward_hook", "register_module_forward_pre_hook",
    "register_module_full_backward_hook", "register_module_full_backward_pre_hook",
    "register_module_module_registration_hook", "register_module_parameter_registration_hook",
]  # fmt: skip

GLOBAL: Final[dict[str, OrderedDict[Any, Any]]] = {
    name: OrderedDict()
    for name in ("_forward_pre_hooks", "_forward_pre_hooks_with_kwargs", "_forward_hooks", "_forward_hooks_with_kwargs",
                 "_forward_hooks_always_called", "_backward_pre_hooks", "_backward_hooks")
}  # fmt: skip
"""The hooks of all modules, in tables named as a module's own."""

hooked: Final[set[str]] = set()
"""The tables that a hook was ever registered in, of any module: while there is none, no call looks for hooks."""

_global_full: bool | None = None
"""Whether the backward hooks of all modules are full ones; None until there is one."""


class _Handle(RemovableHandle):
    """Takes a hook away, and what is noted of it in further tables."""

    def __init__(
        self, hooks: Any, hook: Any, name: str, notes: tuple[Any, ...] = (), prepend: bool = False
    ) -> None:
        super().__init__(hooks, hook)
        hooked.add(name)
        self._notes = notes
        for table in notes:
            table[self._key] = True
        if prepend:
            hooks.move_to_end(self._key, last=False)

    def remove(self) -> None:
        super().remove()
        for table in self._notes:
            table.pop(self._key, None)


class Hooks:
    """Register hooks on a Module, which are called before and after `forward` and in the backward pass.

    >>> layer = torch.nn.ReLU()
    >>> handle = layer.register_forward_hook(lambda module, args, output: output * 10)
    >>> layer(torch.tensor([-1.0, 2.0]))
    tensor([ 0., 20.])
    >>> handle.remove()
    >>> layer(torch.tensor([-1.0, 2.0]))
    tensor([0., 2.])
    """

    _is_full_backward_hook: bool | None = None
    _forward_pre_hooks: OrderedDict[int, Callable[..., Any]]
    _forward_pre_hooks_with_kwargs: OrderedDict[int, bool]
    _forward_hooks: OrderedDict[int, Callable[..., Any]]
    _forward_hooks_with_kwargs: OrderedDict[int, bool]
    _forward_hooks_always_called: OrderedDict[int, bool]
    _backward_pre_hooks: OrderedDict[int, Callable[..., Any]]
    _backward_hooks: OrderedDict[int, Callable[..., Any]]

    def register_forward_pre_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args)` before `forward`; what it returns, unless None, replaces the arguments.

        Args:
            hook: the function.
            prepend: whether it is called before the module's other hooks.
            with_kwargs: whether it is called with `(module, args, kwargs)`, and returns a pair of both.

        Returns:
            A handle, whose `remove()` removes the hook.

        >>> layer = torch.nn.ReLU()
        >>> handle = layer.register_forward_pre_hook(lambda module, args: (-args[0],))
        >>> layer(torch.tensor([-1.0, 2.0]))
        tensor([1., 0.])
        >>> handle.remove()
        """
        notes = (self._forward_pre_hooks_with_kwargs,) if with_kwargs else ()
        return _Handle(self._forward_pre_hooks, hook, "_forward_pre_hooks", notes, prepend)

    def register_forward_hook(
        self, hook: Callable[..., Any], *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args, output)` after `forward`; what it returns, unless None, replaces the output.

        Args:
            hook: the function.
            prepend: whether it is called before the module's other hooks.
            with_kwargs: whether it is called with `(module, args, kwargs, output)`.
            always_call: whether it is called even where `forward` or another hook raises.

        Returns:
            A handle, whose `remove()` removes the hook.

        >>> layer = torch.nn.ReLU()
        >>> handle = layer.register_forward_hook(lambda module, args, output: output + 1)
        >>> layer(torch.tensor([-1.0, 2.0]))
        tensor([1., 3.])
        >>> handle.remove()
        """
        notes = ((self._forward_hooks_with_kwargs,) if with_kwargs else ()) + (
            (self._forward_hooks_always_called,) if always_call else ()
        )
        return _Handle(self._forward_hooks, hook, "_forward_hooks", notes, prepend)

    def register_full_backward_pre_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_output)` before the module's backward pass; what it returns, unless None, replaces
        the gradients of its outputs.

        Args:
            hook: the function.
            prepend: whether it is called before the module's other hooks.

        Returns:
            A handle, whose `remove()` removes the hook.

        >>> layer = torch.nn.ReLU()
        >>> handle = layer.register_full_backward_pre_hook(lambda module, grad_output: (2 * grad_output[0],))
        >>> x = torch.tensor([3.0], requires_grad=True)
        >>> layer(x).sum().backward()
        >>> x.grad
        tensor([2.])
        """
        return _Handle(self._backward_pre_hooks, hook, "_backward_pre_hooks", (), prepend)

    def register_full_backward_hook(self, hook: Callable[..., Any], prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` when the gradients of the module's inputs are known; what it
        returns, unless None, replaces them.

        Args:
            hook: the function.
            prepend: whether it is called before the module's other hooks.

        Returns:
            A handle, whose `remove()` removes the hook.

        Raises:
            UsageError: the module has a hook of `register_backward_hook`.

        >>> layer = torch.nn.ReLU()
        >>> handle = layer.register_full_backward_hook(lambda module, grad_input, grad_output: (-grad_input[0],))
        >>> x = torch.tensor([3.0], requires_grad=True)
        >>> layer(x).sum().backward()
        >>> x.grad
        tensor([-1.])
        """
        self._settle(True)
        return _Handle(self._backward_hooks, hook, "_backward_hooks", (), prepend)

    def register_backward_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` at the last node of the output; `register_full_backward_hook`
        sees the module as a whole.

        Args:
            hook: the function.

        Returns:
            A handle, whose `remove()` removes the hook.

        Raises:
            UsageError: the module has a full backward hook.

        >>> layer = torch.nn.ReLU()
        >>> handle = layer.register_backward_hook(lambda module, grad_input, grad_output: print(grad_output[0]))
        >>> layer(torch.tensor([3.0], requires_grad=True)).sum().backward()
        tensor([1.])
        """
        self._settle(False)
        return _Handle(self._backward_hooks, hook, "_backward_hooks")

    def _settle(self, full: bool) -> None:
        if self._is_full_backward_hook is (not full):
            raise UsageError(
                "Cannot use both regular backward hooks and full backward hooks on a single Module. Please use only one of "
                "them."
            )
        self._is_full_backward_hook = full


# -- hooks of all modules -----------------------------------------------------------------------------------------------


def register_module_forward_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, args)` before the `forward` of every module; see `Module.register_forward_pre_hook`.

    Args:
        hook: the function.

    Returns:
        A handle, whose `remove()` removes the hook.

    >>> from lamina.nn.modules.module import register_module_forward_pre_hook
    >>> with register_module_forward_pre_hook(lambda module, args: print(module)):
    ...     _ = torch.nn.ReLU()(torch.zeros(2))
    ReLU()
    """
    return _Handle(GLOBAL["_forward_pre_hooks"], hook, "_forward_pre_hooks")


def register_module_forward_hook(
    hook: Callable[..., Any], *, with_kwargs: bool = False, always_call: bool = False
) -> RemovableHandle:
    """Call `hook(module, args, output)` after the `forward` of every module; see `Module.register_forward_hook`.

    Args:
        hook: the function.
        with_kwargs: whether it is called with `(module, args, kwargs, output)`.
        always_call: whether it is called even where `forward` or another hook raises.

    Returns:
        A handle, whose `remove()` removes the hook.

    >>> from lamina.nn.modules.module import register_module_forward_hook
    >>> with register_module_forward_hook(lambda module, args, output: print(output.shape)):
    ...     _ = torch.nn.ReLU()(torch.zeros(2))
    lamina.Size([2])
    """
    notes = ((GLOBAL["_forward_hooks_with_kwargs"],) if with_kwargs else ()) + (
        (GLOBAL["_forward_hooks_always_called"],) if always_call else ()
    )
    return _Handle(GLOBAL["_forward_hooks"], hook, "_forward_hooks", notes)


def register_module_full_backward_pre_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, grad_output)` before the backward pass of every module; see
    `Module.register_full_backward_pre_hook`.

    Args:
        hook: the function.

    Returns:
        A handle, whose `remove()` removes the hook.

    >>> from lamina.nn.modules.module import register_module_full_backward_pre_hook
    >>> with register_module_full_backward_pre_hook(lambda module, grad_output: print(grad_output)):
    ...     torch.nn.ReLU()(torch.ones(2, requires_grad=True)).sum().backward()
    (tensor([1., 1.]),)
    """
    return _Handle(GLOBAL["_backward_pre_hooks"], hook, "_backward_pre_hooks")


def _settle_globally(full: bool) -> None:
    global _global_full
    if _global_full is (not full):
        raise UsageError(
            "Cannot use both regular backward hooks and full backward hooks as a global Module hook. Please use only one of "
            "them."
        )
    _global_full = full


def register_module_full_backward_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, grad_input, grad_output)` in the backward pass of every module; see
    `Module.register_full_backward_hook`.

    Args:
        hook: the function.

    Returns:
        A handle, whose `remove()` removes the hook.

    Raises:
        UsageError: there is a hook of `register_module_backward_hook`.

    >>> from lamina.nn.modules.module import register_module_full_backward_hook
    >>> with register_module_full_backward_hook(lambda module, grad_input, grad_output: print(grad_input)):
    ...     torch.nn.ReLU()(torch.ones(2, requires_grad=True)).sum().backward()
    (tensor([1., 1.]),)
    """
    _settle_globally(True)
    return _Handle(GLOBAL["_backward_hooks"], hook, "_backward_hooks")


def register_module_backward_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, grad_input, grad_output)` at the last node of every module's output; see
    `Module.register_backward_hook`.

    Args:
        hook: the function.

    Returns:
        A handle, whose `remove()` removes the hook.

    Raises:
        UsageError: there is a hook of `register_module_full_backward_hook`, or there was one.

    >>> from lamina.nn.modules.module import register_module_backward_hook
    >>> callable(register_module_backward_hook)
    True
    """
    _settle_globally(False)
    return _Handle(GLOBAL["_backward_hooks"], hook, "_backward_hooks")


def register_module_parameter_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, name, parameter)` whenever a parameter is registered; what it returns, unless None, is
    registered.

    Args:
        hook: the function.

    Returns:
        A handle, whose `remove()` removes the hook.

    >>> from lamina.nn.modules.module import register_module_parameter_registration_hook
    >>> with register_module_parameter_registration_hook(lambda module, name, parameter: print(name)):
    ...     _ = torch.nn.Linear(3, 2)
    weight
    bias
    """
    return RemovableHandle(REGISTERED["parameter"], hook)


def register_module_buffer_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, name, buffer)` whenever a buffer is registered; what it returns, unless None, is registered.

    Args:
        hook: the function.

    Returns:
        A handle, whose `remove()` removes the hook.

    >>> from lamina.nn.modules.module import register_module_buffer_registration_hook
    >>> with register_module_buffer_registration_hook(lambda module, name, buffer: print(name)):
    ...     torch.nn.Module().register_buffer("mean", torch.zeros(2))
    mean
    """
    return RemovableHandle(REGISTERED["buffer"], hook)


def register_module_module_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, name, submodule)` whenever a module is registered in another; what it returns, unless None, is
    registered.

    Args:
        hook: the function.

    Returns:
        A handle, whose `remove()` removes the hook.

    >>> from lamina.nn.modules.module import register_module_module_registration_hook
    >>> with register_module_module_registration_hook(lambda module, name, submodule: print(submodule)):
    ...     _ = torch.nn.Sequential(torch.nn.ReLU())
    ReLU()
    """
    return RemovableHandle(REGISTERED["module"], hook)


# -- the call -----------------------------------------------------------------------------------------------------------


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
            full = {**dict.fromkeys(GLOBAL["_backward_hooks"], _global_full)}
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
