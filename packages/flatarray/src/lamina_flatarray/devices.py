"""Devices by name, `cpu` or `cuda:1`; and which device and backend this thread or task, and the process, have chosen.

A choice of a thread or asyncio task goes before that of the process. Whether anybody serves a chosen device is not
known here: that is found out when memory is wanted there.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, Final, NamedTuple
from weakref import WeakValueDictionary

from .errors import ArgumentTypeError, DeviceError

__all__ = [
    "UNNUMBERED", "Choice", "Device", "chosen", "current_index", "get_default_device",
    "process_wide", "set_current_index", "set_process_wide",
]  # fmt: skip

UNNUMBERED: Final = ("cpu", "meta")
"""The device types of which there is one alone: their arrays say no index."""

_known: Final[WeakValueDictionary[tuple[str, int | None], Device]] = WeakValueDictionary()


class Device:
    """A place where memory lives and kernels run, written `cpu` or `cuda:1`.

    Equal devices are identical objects. Within `with Device("cuda:1"): ...` the device is the default of this thread or
    asyncio task.

    Args:
        type: a device type with an optional index (`"cuda:1"`), or another Device.
        index: which of the devices of that type; None means the current one.
        device: in place of `type`.

    Attributes:
        type: the device type, such as `"cuda"`.
        index: the index, or None.

    Raises:
        DeviceError: the text does not name a device, or it is a number alone.
        ArgumentTypeError: `type` is neither a text nor a Device.

    >>> Device("cuda:1") is Device("cuda", 1)
    True
    """

    __slots__ = ("__weakref__", "index", "type")

    type: str
    index: int | None

    def __new__(cls, type: Any = None, index: int | None = None, *, device: Any = None) -> Device:
        type = device if type is None else type
        if isinstance(type, Device):
            return type
        if isinstance(type, int) and not isinstance(type, bool):
            raise DeviceError(f"device: there is no accelerator for the number {type} to count; it wants e.g. 'cpu' or 'cuda:1'")
        if not isinstance(type, str):
            raise ArgumentTypeError(f"device: {type!r} given; it wants a text such as 'cpu' or 'cuda:1'")
        name, colon, number = type.partition(":")
        if colon:
            if index is not None or not number.isdecimal():
                raise DeviceError(f"device: invalid device string: {type!r}; it wants e.g. 'cpu' or 'cuda:1'")
            index = int(number)
        if not name.isidentifier():
            raise DeviceError(f"device: invalid device string: {type!r}; it wants e.g. 'cpu' or 'cuda:1'")
        result = _known.get((name, index))
        if result is None:
            result = object.__new__(cls)
            result.type, result.index = name, index
            result = _known.setdefault((name, index), result)
        return result

    def __enter__(self) -> Device:
        now = chosen.get()
        _left.set((*_left.get(), now.device))
        chosen.set(now._replace(device=self))
        return self

    def __exit__(self, *exception: object) -> None:
        *others, before = _left.get()
        _left.set(tuple(others))
        chosen.set(chosen.get()._replace(device=before))

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self) -> str:
        return f"device(type='{self.type}'" + (")" if self.index is None else f", index={self.index})")

    def __reduce__(self) -> tuple[Any, tuple[str, int | None]]:
        return Device, (self.type, self.index)


# -- what is chosen ----------------------------------------------------------------------------------------


class Choice(NamedTuple):
    """The name of a backend for the CPU, and a default device, each None where nothing was chosen; and by device type which
    index is meant where none is written, 0 where nothing was chosen."""

    backend: str | None = None
    device: Device | None = None
    indices: tuple[tuple[str, int], ...] = ()


chosen: Final[ContextVar[Choice]] = ContextVar("lamina_choice", default=Choice())  # noqa: B039 - immutable
"""The choice of this thread or task, which goes before the one of the process."""

_left: Final[ContextVar[tuple[Device | None, ...]]] = ContextVar("lamina_entered_devices", default=())
"""For each device that this context entered and has not left, the one that was chosen before."""

_CPU: Final = Device("cpu")
_process: Choice = Choice()


def process_wide() -> Choice:
    """Return the choice that holds where the thread or task has none."""
    return _process


def set_process_wide(choice: Choice) -> None:
    """Replace the choice of the process."""
    global _process
    _process = choice


def get_default_device() -> Device:
    """Return the device of arrays that are made without one: "cpu" unless another was chosen.

    Returns:
        The device that this thread or task chose, else that of the process, else "cpu".

    >>> get_default_device()
    device(type='cpu')
    """
    return chosen.get().device or _process.device or _CPU


def current_index(device_type: str) -> int:
    """Return which device is meant where a type stands without an index: 0 unless this thread or task chose another.

    Args:
        device_type: such as "cuda".

    Returns:
        The index.

    >>> current_index("cuda")
    0
    """
    return dict(chosen.get().indices).get(device_type, 0)


def set_current_index(device_type: str, index: int) -> None:
    """Choose which device is meant where a type stands without an index, for this thread or task.

    Args:
        device_type: such as "cuda".
        index: which of its devices; whether there is one is not asked here.

    >>> set_current_index("cuda", 0)
    """
    now = chosen.get()
    others = {**dict(now.indices), device_type: index}
    chosen.set(now._replace(indices=tuple(sorted((name, at) for name, at in others.items() if at))))
