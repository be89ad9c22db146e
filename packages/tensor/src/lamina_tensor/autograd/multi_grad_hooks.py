"""Hooks of several tensors at once: called once in each backward pass, with the gradients of those that it reached."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from lamina_flatarray import ArgumentValueError

from .hook_calls import current_pass
from .node import RemovableHandle

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["MultiHandle", "register_multi_grad_hook"]


class MultiHandle:
    """Takes a hook of several tensors away again; `with handle: ...` does so at the end.

    Args:
        handles: those of the single tensors.
    """

    def __init__(self, handles: tuple[RemovableHandle, ...]) -> None:
        self.handles = handles

    def remove(self) -> None:
        """Take the hook away; a second time does nothing."""
        for handle in self.handles:
            handle.remove()
        self.handles = ()

    def __enter__(self) -> MultiHandle:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def register_multi_grad_hook(tensors: Sequence[Tensor], fn: Callable[..., Any], *, mode: str = "all") -> MultiHandle:
    """Call a hook in every backward pass that computes a gradient of one of `tensors`.

    Args:
        tensors: at least one; all require gradients, or, with "any", those that do not are left out.
        fn: called with the list of gradients, None for tensors that the pass does not reach; with "any", with the gradient
            that comes first. What it returns is not used.
        mode: "all": once the gradients of all tensors that the pass reaches are there; here, that is the end of the pass,
            before any `grad` is added to. "any": at the first.

    Returns:
        What takes the hook away again.

    Raises:
        ValueError: `mode` is something else.
        AutogradError: with "all", a tensor does not require gradients.

    >>> x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    >>> handle = torch.autograd.graph.register_multi_grad_hook((x, y), print)
    >>> (3 * x + y).sum().backward()
    [tensor([3., 3.]), tensor([1., 1.])]
    """
    if mode not in ("all", "any"):
        raise ArgumentValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")

    def ended(gradients: list[Any]) -> None:
        if mode == "all":
            fn(gradients)

    def seen(i: int) -> Callable[[Tensor], None]:
        def hook(g: Tensor) -> None:
            this_pass = current_pass.get()
            first = ended not in this_pass
            this_pass.setdefault(ended, [None] * len(tensors))[i] = g
            if first and mode == "any":
                fn(g)

        return hook

    return MultiHandle(tuple([t.register_hook(seen(i)) for i, t in enumerate(tensors) if mode == "all" or t.requires_grad]))
