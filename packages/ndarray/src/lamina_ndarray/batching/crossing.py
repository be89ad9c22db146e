"""Into a level and out of it: an axis of an array becomes the stack of a batch, and a stack becomes an axis again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lamina_flatarray import FlatArray
from lamina_flatarray.backends.kernel_table import KernelTable

from ..array_fields import array_of, view_of
from ..layouts.layout import Layout
from .levels import Level, Stack
from .tables import BatchTable, table_of

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["all_slices", "enter", "leave", "levels_of", "on_all_slices", "slices"]


def slices(x: NDArray, level: Level) -> NDArray:
    """All slices that x stands for at a level, which must be the latest of its own: they lie along axis 0. Where x is no
    batch of this level, they are all the same, by a stride of 0."""
    flat, layout = x.flat, x.layout
    kernels = flat.kernels
    if not (isinstance(kernels, BatchTable) and kernels.slot is level.slot):
        repeated = Layout.of((level.length, *layout.shape), (0, *layout.strides), layout.offset)
        return array_of(flat, repeated)
    stack: Stack = flat.memory
    under = stack.flat
    if flat.dtype is not under.dtype or flat.offset:
        from lamina_flatarray import uint8

        under = under.reinterpret(uint8)[flat.offset :].reinterpret(flat.dtype)
    step = stack.step // flat.dtype.itemsize
    return array_of(under, Layout.of((level.length, *layout.shape), (step, *layout.strides), layout.offset))


def _later(kernels: KernelTable, level: Level) -> Level | None:
    """The latest level of a table if it is later than this one."""
    if isinstance(kernels, BatchTable) and kernels.level.serial > level.serial:
        return kernels.level
    return None


def enter(x: NDArray, axis: int, level: Level, *, writable: bool = True) -> NDArray:
    """The batch whose slices lie along an axis of x, over the same memory.

    Args:
        x: an array; its length on the axis is the level's.
        axis: which, from 0.
        level: what it becomes a batch of.
        writable: whether the batch may be written in place.
    """
    outer = _later(x.flat.kernels, level)
    if outer is not None:
        return enter(enter(slices(x, outer), axis + 1, level, writable=writable), 0, outer, writable=writable)
    layout, flat = x.layout, x.flat
    stack = Stack(flat, layout.strides[axis] * flat.dtype.itemsize, level, writable)
    batch = FlatArray(stack, 0, flat.size, table_of(level, flat.kernels))
    rest = (*range(axis), *range(axis + 1, layout.ndim))
    shape, strides = (tuple([values[i] for i in rest]) for values in (layout.shape, layout.strides))
    return array_of(batch, Layout.of(shape, strides, layout.offset))


def leave(x: NDArray, axis: int, level: Level) -> NDArray:
    """All slices of x along an axis, over the same memory; an x that is no batch of this level is repeated there by a stride
    of 0.

    Args:
        x: an array.
        axis: where the slices lie in the result, from 0.
        level: what x is a batch of.
    """
    outer = _later(x.flat.kernels, level)
    if outer is not None:
        return enter(leave(slices(x, outer), axis + 1, level), 0, outer)
    result = slices(x, level)
    if axis == 0:
        return result
    order = (*range(1, axis + 1), 0, *range(axis + 1, result.layout.ndim))
    return view_of(result, result.layout.permute(order))


def levels_of(kernels: KernelTable) -> list[Level]:
    """The levels that arrays of a kernel table are batches of, the latest first."""
    result = []
    while isinstance(kernels, BatchTable):
        result.append(kernels.level)
        kernels = kernels.inner
    return result


def all_slices(x: NDArray) -> NDArray:
    """All items that x stands for while a function is mapped (`vmap`), those of one slice after those of another; x itself where
    it is the same for all."""
    while isinstance(x.flat.kernels, BatchTable):
        x = slices(x, x.flat.kernels.level)
    return x


def on_all_slices(function: Callable[[NDArray], NDArray], x: NDArray) -> NDArray:
    """A function that treats leading axes as a stack, applied to all slices at once: for one that reads items on the host."""
    result = function(all_slices(x))
    for level in reversed(levels_of(x.flat.kernels)):
        result = enter(result, 0, level)
    return result
