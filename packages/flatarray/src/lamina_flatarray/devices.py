"""Devices by name: a type such as `cpu` and an index among the devices of that type."""

from __future__ import annotations

from typing import Any, Final

from .errors import DeviceError

__all__ = ["Device"]


class Device:
    """A place where memory lives and kernels run, written `cpu` or `cuda:1`. Interned: equal devices are identical.

    Within `with Device("cuda:1"): ...` it is the default of this thread or task.

    Args:
        type: a device type with an optional index (`"cuda:1"`), or another Device.
        index: which of the devices of that type; None means the current one.

    Raises:
        DeviceError: the text is not a device.
    """

    __slots__ = ("index", "type")
    _known: Final[dict[tuple[str, int | None], Device]] = {}

    type: str
    index: int | None

    def __new__(cls, type: Any, index: int | None = None) -> Device:
        if isinstance(type, Device):
            return type
        if not isinstance(type, str):
            raise DeviceError(f"device: {type!r} given; it wants a text such as 'cpu' or 'cuda:1'")
        name, colon, number = type.partition(":")
        if colon:
            if index is not None or not number.isdecimal():
                raise DeviceError(f"device: invalid device string: {type!r}; it wants e.g. 'cpu' or 'cuda:1'")
            index = int(number)
        if not name.isidentifier():
            raise DeviceError(f"device: invalid device string: {type!r}; it wants e.g. 'cpu' or 'cuda:1'")
        found = cls._known.get((name, index))
        if found is None:
            found = object.__new__(cls)
            found.type, found.index = name, index
            found = cls._known.setdefault((name, index), found)
        return found

    def __enter__(self) -> Device:
        from .backends import choice

        choice.enter_device(self)
        return self

    def __exit__(self, *exception: object) -> None:
        from .backends import choice

        choice.leave_device()

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self) -> str:
        return f"device(type='{self.type}'" + (")" if self.index is None else f", index={self.index})")

    def __reduce__(self) -> tuple[Any, tuple[str, int | None]]:
        return Device, (self.type, self.index)
