"""What nodes keep of the forward pass, in other hands: packed when it is saved, unpacked when the gradient wants it.

While hooks are on, nodes are made by another function; while they are off, they cost nothing.
https://docs.pytorch.org/docs/stable/autograd.html#saved-tensors-default-hooks
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, Final

from lamina_flatarray import AutogradError
from lamina_ndarray import NDArray, conversion

from . import function, in_place, recording
from .node import PACKED, Node, Packed, made_node
from .tensor import Tensor, tensor_of

__all__ = ["disable_saved_tensors_hooks", "save_on_cpu", "saved_tensors_hooks"]

Pack = Callable[[Tensor], Any]
Unpack = Callable[[Any], Tensor]

_MAKERS: Final[tuple[ModuleType, ...]] = (recording, in_place, function)
_lock: Final = threading.Lock()
_users = 0


class _Stack(threading.local):
    def __init__(self) -> None:
        self.hooks: list[tuple[Pack, Unpack]] = []
        self.refused: list[str] = []


_stack: Final = _Stack()


def _packing_node(plan: Any, inputs: Any, saved: tuple[Any, ...], result: NDArray) -> Node:
    node = made_node(plan, inputs, saved, result)
    if _stack.hooks and saved:
        pack, unpack = _stack.hooks[-1]
        node.saved = tuple(
            Packed(pack(tensor_of(value)), unpack) if isinstance(value, NDArray) else value for value in saved
        )
        node.versions = tuple(PACKED if isinstance(value, Packed) else -1 for value in node.saved)
    return node


def _switch(on: bool) -> None:
    global _users
    with _lock:
        _users += 1 if on else -1
        for module in _MAKERS:
            module.made_node = _packing_node if _users else made_node  # type: ignore[attr-defined]


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
        _switch(True)

    def __exit__(self, *_: object) -> None:
        _stack.hooks.pop()
        _switch(False)


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


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """While it is on, saved-tensor hooks are refused with this message."""
    if _stack.hooks:
        raise AutogradError(error_message)
    _stack.refused.append(error_message)
    try:
        yield
    finally:
        _stack.refused.pop()
