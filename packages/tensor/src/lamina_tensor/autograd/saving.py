"""What nodes keep of the forward pass, in other hands: packed when it is saved, unpacked when the gradient wants it.

https://docs.pytorch.org/docs/stable/autograd.html#saved-tensors-default-hooks
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import lamina_ndarray as nd
from lamina_flatarray import AutogradError, UsageError
from lamina_ndarray import NDArray
from lamina_ndarray.creation import conversion

from ..tensor_fields import AnyTensor, tensor_of
from .node import PACKED, Node, Packed, unwatch_nodes, watch_nodes

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["allow_mutation_on_saved_tensors", "disable_saved_tensors_hooks", "save_on_cpu", "saved_tensors_hooks"]

Pack = Callable[[AnyTensor], Any]
Unpack = Callable[[Any], AnyTensor]


class _Stack(threading.local):
    def __init__(self) -> None:
        self.hooks: list[tuple[Pack, Unpack]] = []
        self.refused: list[str] = []


_stack: Final = _Stack()


def _packed(node: Node) -> None:
    """Put what a new node saved into the hands of the innermost hooks of this thread."""
    if _stack.hooks and node.saved:
        pack, unpack = _stack.hooks[-1]
        node.saved = tuple(
            Packed(pack(tensor_of(value)), unpack) if isinstance(value, NDArray) else value for value in node.saved
        )
        node.versions = tuple(PACKED if isinstance(value, Packed) else -1 for value in node.saved)


def _copy(x: Tensor) -> Tensor:
    return tensor_of(nd.copy(x.array))


class saved_tensors_hooks:
    """Call hooks on what ops save within a block: one when a tensor is saved, another when its gradient is computed.

    Args:
        pack_hook: takes a tensor, and returns anything.
        unpack_hook: takes that, and returns a tensor of the same items, shape and dtype.

    Raises (when entered):
        UsageError: `disable_saved_tensors_hooks` is on.

    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> with torch.autograd.graph.saved_tensors_hooks(lambda t: t.item(), torch.tensor):
    ...     y = x * x
    >>> torch.autograd.grad(y, x)
    (tensor(6.),)
    """

    def __init__(self, pack_hook: Pack, unpack_hook: Unpack) -> None:
        self.pair = (pack_hook, unpack_hook)

    def __enter__(self) -> None:
        if _stack.refused:
            raise UsageError(_stack.refused[-1])
        _stack.hooks.append(self.pair)
        watch_nodes(_packed)

    def __exit__(self, *_: object) -> None:
        _stack.hooks.pop()
        unwatch_nodes(_packed)


class save_on_cpu(saved_tensors_hooks):
    """Keep what ops save within a block in host memory, and move it back for the gradient.

    Args:
        pin_memory: accepted and ignored: memory is never pinned.
        device_type: accepted: all devices are treated alike.

    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> with torch.autograd.graph.save_on_cpu():
    ...     y = x * x
    >>> torch.autograd.grad(y, x)
    (tensor(6.),)
    """

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        def pack(x: Tensor) -> tuple[Any, NDArray]:
            return x.array.device, conversion.to_device(x.array, "cpu")

        def unpack(packed: tuple[Any, NDArray]) -> Tensor:
            return tensor_of(conversion.to_device(packed[1], packed[0]))

        super().__init__(pack, unpack)


class allow_mutation_on_saved_tensors(saved_tensors_hooks):
    """Let ops within a block save copies, so that tensors may be changed in place before the backward pass.

    >>> x = torch.tensor(3.0, requires_grad=True)
    >>> with torch.autograd.graph.allow_mutation_on_saved_tensors():
    ...     y = x * 1
    ...     z = y * y
    ...     _ = y.zero_()
    ...     torch.autograd.grad(z, x)
    (tensor(6.),)

    Raises (when entered):
        UsageError: it is on already.
    """

    def __init__(self) -> None:
        super().__init__(_copy, lambda copy: copy)

    def __enter__(self) -> None:
        if any(pack is _copy for pack, _ in _stack.hooks):
            raise UsageError("allow_mutation_on_saved_tensors contexts cannot be nested")
        super().__enter__()


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """Refuse saved-tensor hooks within a block.

    Args:
        error_message: the message of the error that `saved_tensors_hooks` raises.

    Returns:
        A context manager.

    Raises:
        AutogradError: there is such a hook already.

    >>> with torch.autograd.graph.disable_saved_tensors_hooks("no hooks here"):
    ...     with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
    ...         pass
    Traceback (most recent call last):
        ...
    lamina_flatarray.errors.UsageError: no hooks here
    """
    if _stack.hooks:
        raise AutogradError(error_message)
    _stack.refused.append(error_message)
    try:
        yield
    finally:
        _stack.refused.pop()
