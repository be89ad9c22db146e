"""What nodes keep of the forward pass, in other hands: packed when it is saved, unpacked when the gradient wants it.

https://docs.pytorch.org/docs/stable/autograd.html#saved-tensors-default-hooks
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

import lamina_ndarray as nd
from lamina_flatarray import AutogradError
from lamina_ndarray import NDArray
from lamina_ndarray.creation import conversion

from ..tensor_fields import TensorFields, tensor_of
from .node import PACKED, Node, Packed, unwatch_nodes, watch_nodes

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["allow_mutation_on_saved_tensors", "disable_saved_tensors_hooks", "save_on_cpu", "saved_tensors_hooks"]

Pack = Callable[[TensorFields], Any]
Unpack = Callable[[Any], TensorFields]


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
    """While it is on, each tensor that an op saves for its gradient goes through `pack_hook`, and what that gave goes through
    `unpack_hook` when the gradient is computed: `with saved_tensors_hooks(pack, unpack): ...`

    Args:
        pack_hook: from a tensor to anything.
        unpack_hook: from that to a tensor of the same items, shape and dtype.

    Raises (when entered):
        RuntimeError: `disable_saved_tensors_hooks` is on.
    """

    def __init__(self, pack_hook: Pack, unpack_hook: Unpack) -> None:
        self.pair = (pack_hook, unpack_hook)

    def __enter__(self) -> None:
        if _stack.refused:
            raise RuntimeError(_stack.refused[-1])
        _stack.hooks.append(self.pair)
        watch_nodes(_packed)

    def __exit__(self, *_: object) -> None:
        _stack.hooks.pop()
        unwatch_nodes(_packed)


class save_on_cpu(saved_tensors_hooks):
    """While it is on, what ops save is kept in host memory, and moved back for the gradient.

    Args:
        pin_memory: accepted.
        device_type: accepted.
    """

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        def pack(x: Tensor) -> tuple[Any, NDArray]:
            return x.array.device, conversion.to_device(x.array, "cpu")

        def unpack(packed: tuple[Any, NDArray]) -> Tensor:
            return tensor_of(conversion.to_device(packed[1], packed[0]))

        super().__init__(pack, unpack)


class allow_mutation_on_saved_tensors(saved_tensors_hooks):
    """While it is on, ops save copies, so that tensors may be changed in place before the backward pass.

    Raises (when entered):
        RuntimeError: it is on already.
    """

    def __init__(self) -> None:
        super().__init__(_copy, lambda copy: copy)

    def __enter__(self) -> None:
        if any(pack is _copy for pack, _ in _stack.hooks):
            raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
        super().__enter__()


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """While it is on, saved-tensor hooks are refused with this message.

    Raises:
        AutogradError: there is such a hook already.
    """
    if _stack.hooks:
        raise AutogradError(error_message)
    _stack.refused.append(error_message)
    try:
        yield
    finally:
        _stack.refused.pop()
