"""Caches that cannot grow without end: what is worked out once for layouts is kept, as far as there is room."""

from __future__ import annotations

from typing import ClassVar, TypeVar

__all__ = ["BoundedCache"]

K = TypeVar("K")
V = TypeVar("V")


class BoundedCache(dict[K, V]):
    """A dictionary that drops the older half of its entries when it is full. It is read like any other, without a Python frame.

    Keys are of values that cannot change: numbers as plain `int`, as an object with `__index__` can change and would still be found
    by identity, and layouts as their `packed` bytes, so that no key keeps a layout.

    Attributes:
        name: what is kept, for whoever looks at the caches.
        limit: the most entries.
    """

    __slots__ = ("limit", "name")

    every: ClassVar[list[BoundedCache[object, object]]] = []
    """All caches, in the order in which they were made."""

    def __init__(self, name: str, limit: int) -> None:
        super().__init__()
        self.name = name
        self.limit = limit
        BoundedCache.every.append(self)  # type: ignore[arg-type]

    def remember(self, key: K, value: V) -> V:
        """Keep a value.

        Args:
            key: what it is found by.
            value: what is found.

        Returns:
            What is kept for the key: the value, or that of another thread that came first.
        """
        if len(self) >= self.limit:
            for old in list(self)[: self.limit // 2 + 1]:
                self.pop(old, None)  # another thread may have dropped it
        return self.setdefault(key, value)
