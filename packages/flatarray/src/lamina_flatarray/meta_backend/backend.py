"""MetaBackend: flat arrays of any size without memory, and kernels that do nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NoReturn

from .. import contract
from ..dtype_rules import computed_dtypes
from ..errors import NoItems
from ..numpy_backend import NumpyBackend
from ..ops import OPS

__all__ = ["MetaBackend", "NoMemory"]


class NoMemory:
    """What a flat array on `meta` has for memory: an identity, by which views are known to be of one array."""

    __slots__ = ()

    def __init__(self, nbytes: int) -> None:
        """Keep nothing, for any number of bytes."""


class MetaBackend(contract.Backend):
    """All ops in all dtypes: the storeys above know shapes, dtypes and strides before they call a kernel, so none has to write.

    >>> from lamina_flatarray import FlatArray
    >>> FlatArray.empty(2**50, device="meta").fill(1.0).nbytes
    4503599627370496
    """

    name = "meta"
    device_type = "meta"
    holds_items = False
    checks_positions = True  # there are none to check
    unreadable = "can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first."

    def capabilities(self) -> Mapping[str, tuple[str, ...]]:
        """Every op, for the dtypes that the reference serves, or that the op's rule computes in where the reference derives it."""
        return _capabilities()

    def kernel(self, op: str) -> contract.Kernel:
        """The kernel of every op, which does nothing."""
        return _nothing

    def allocate(self, nbytes: int, index: int) -> NoMemory:
        """An object for memory that is not there."""
        return NoMemory(nbytes)

    def allocator(self, index: int) -> Callable[[int], Any]:
        """The allocation itself, for tables to call without a frame in between."""
        return NoMemory

    def reader(self, nested: bool) -> Callable[[Any], Any]:
        """A function that says why there is nothing to read."""
        return _no_items if nested else _no_item

    def copy_in(self, memory: Any, offset: int, source: memoryview) -> None:
        """Let host bytes go."""

    def copy_out(self, memory: Any, offset: int, target: memoryview) -> None:
        """Refuse to read items that are not there.

        Raises:
            NoItems: always.
        """
        _no_items(memory)


def _nothing(out: Any, *inputs: Any, **params: Any) -> None:
    """Write nothing."""


def _no_items(x: Any) -> NoReturn:
    raise NoItems("Cannot copy out of meta tensor; no data!")


def _no_item(x: Any) -> Any:
    if x.layout.size != 1:
        return NotImplemented  # to whoever says which size it wants
    raise NoItems("Tensor.item() cannot be called on meta tensors")


@cache  # once
def _capabilities() -> Mapping[str, tuple[str, ...]]:
    by_rule = {op: tuple(dtype.name for dtype in computed_dtypes(op)) for op in OPS}
    return {**by_rule, **NumpyBackend().capabilities()}
