"""Hooks of all modules: called as those of each module are, before these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lamina_flatarray import UsageError
from lamina_tensor.autograd.node import RemovableHandle

from .attributes import REGISTERED
from .hooks import GLOBAL, Handle

__all__ = [
    "are_full", "register_module_backward_hook", "register_module_buffer_registration_hook", "register_module_forward_hook",
    "register_module_forward_pre_hook", "register_module_full_backward_hook", "register_module_full_backward_pre_hook",
    "register_module_module_registration_hook", "register_module_parameter_registration_hook",
]  # fmt: skip

_full: bool | None = None


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
    return Handle(GLOBAL["_forward_pre_hooks"], hook, "_forward_pre_hooks")


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
    return Handle(GLOBAL["_forward_hooks"], hook, "_forward_hooks", notes)


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
    return Handle(GLOBAL["_backward_pre_hooks"], hook, "_backward_pre_hooks")


def are_full() -> bool | None:
    """Tell whether the backward hooks of all modules are full ones; None until there is one."""
    return _full


def _settle(full: bool) -> None:
    global _full
    if _full is (not full):
        raise UsageError(
            "Cannot use both regular backward hooks and full backward hooks as a global Module hook. Please use only one of "
            "them."
        )
    _full = full


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
    _settle(True)
    return Handle(GLOBAL["_backward_hooks"], hook, "_backward_hooks")


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
    _settle(False)
    return Handle(GLOBAL["_backward_hooks"], hook, "_backward_hooks")


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
