"""Hooks of modules: functions called before and after `forward`, and in the backward pass, of one module or of all.

Until the first one is registered, calling a module does not look for any; see `hooked`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

from lamina_flatarray import UsageError
from lamina_tensor.autograd.node import RemovableHandle

__all__ = ["GLOBAL", "Handle", "Hooks", "hooked"]

GLOBAL: Final[dict[str, OrderedDict[Any, Any]]] = {
    name: OrderedDict()
    for name in ("_forward_pre_hooks", "_forward_pre_hooks_with_kwargs", "_forward_hooks", "_forward_hooks_with_kwargs",
                 "_forward_hooks_always_called", "_backward_pre_hooks", "_backward_hooks")
}  # fmt: skip
"""The hooks of all modules, in tables named as a module's own."""

hooked: Final[set[str]] = set()
"""The tables that a hook was ever registered in, of any module: while there is none, no call looks for hooks."""


class Handle(RemovableHandle):
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
        """Take the hook away, and what is noted of it."""
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
        return Handle(self._forward_pre_hooks, hook, "_forward_pre_hooks", notes, prepend)

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
        return Handle(self._forward_hooks, hook, "_forward_hooks", notes, prepend)

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
        return Handle(self._backward_pre_hooks, hook, "_backward_pre_hooks", (), prepend)

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
        return Handle(self._backward_hooks, hook, "_backward_hooks", (), prepend)

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
        return Handle(self._backward_hooks, hook, "_backward_hooks")

    def _settle(self, full: bool) -> None:
        if self._is_full_backward_hook is (not full):
            raise UsageError(
                "Cannot use both regular backward hooks and full backward hooks on a single Module. Please use only one of "
                "them."
            )
        self._is_full_backward_hook = full
