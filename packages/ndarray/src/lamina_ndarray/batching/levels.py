"""Levels: each stands for one axis that a function is mapped over, from when it is opened until its last batch is gone."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any, Final

from lamina_flatarray import FlatArray
from lamina_flatarray.fork_safety import fork_safe
from lamina_flatarray.modes import MAPPED, switched

__all__ = ["OPEN", "Level", "Slot", "Stack", "innermost", "opened"]

_lock: Final = fork_safe(threading.RLock())
_serial: Final = count(1).__next__


class Level:
    """One axis that a function is mapped over.

    Attributes:
        length: how many slices there are.
        randomness: what random ops do: "error", "different" for each slice, or the "same".
        serial: a later level's is greater; its batches lie around those of earlier ones.
        open: whether the function is running.
        slot: the kernel tables of its batches.
    """

    __slots__ = ("__weakref__", "length", "open", "randomness", "serial", "slot")

    def __init__(self, length: int, randomness: str) -> None:
        self.length = length
        self.randomness = randomness
        self.serial = _serial()
        self.open = True
        with _lock:
            slot = next((slot for slot in _slots if slot.level() is None), None)
            if slot is None:
                slot = Slot()
                _slots.append(slot)
            slot.level = weakref.ref(self)
        self.slot = slot


class Slot:
    """The kernel tables that levels use one after another: what is remembered per table elsewhere stays bounded so.

    Attributes:
        level: a reference to the level that has the slot; it is free when that is gone, with all of its batches.
        tables: the kernel table of the memory underneath -> the one of the batches over it.
    """

    __slots__ = ("level", "tables")

    def __init__(self) -> None:
        self.level: Any = lambda: None
        self.tables: dict[Any, Any] = {}


_slots: Final[list[Slot]] = []


class Stack:
    """The memory of a batch: that of all slices.

    Attributes:
        flat: the memory underneath.
        step: bytes from an item of one slice to that of the next.
        level: what it is a batch of.
        writable: whether slices may be written in place.
    """

    __slots__ = ("flat", "level", "step", "writable")

    def __init__(self, flat: FlatArray, step: int, level: Level, writable: bool = True) -> None:
        self.flat = flat
        self.step = step
        self.level = level
        self.writable = writable


class _Open(threading.local):
    def __init__(self) -> None:
        self.levels: list[Level] = []


OPEN: Final = _Open()
"""The levels that are open in this thread, the innermost last. Random ops ask whether there are any, without a call."""


@contextmanager
def opened(length: int, randomness: str = "error") -> Iterator[Level]:
    """A level for the extent of a `with` block, in which the mapped function runs."""
    level = Level(length, randomness)
    OPEN.levels.append(level)
    try:
        with switched(MAPPED, True):
            yield level
    finally:
        OPEN.levels.pop()
        level.open = False


def innermost() -> Level | None:
    """The level opened last in this thread, if one is open."""
    return OPEN.levels[-1] if OPEN.levels else None
