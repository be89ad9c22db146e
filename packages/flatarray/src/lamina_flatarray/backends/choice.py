"""What the program chose: the backend that serves the CPU, and the default device; per context or process.

A choice made by a context manager holds for the current thread or asyncio task only.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, Final, NamedTuple, Self

from ..devices import Device

__all__ = [
    "Choice",
    "change_device",
    "chosen",
    "enter_device",
    "get_default_device",
    "leave_device",
    "on_device",
    "process_wide",
    "set_default_backend",
    "set_default_device",
    "use_backend",
]


class Choice(NamedTuple):
    """A backend's name and a device, each None where nothing was chosen."""

    backend: str | None = None
    device: Device | None = None


chosen: Final[ContextVar[Choice]] = ContextVar("lamina_choice", default=Choice())  # noqa: B039 - immutable
"""The choice of this context, which goes before the one of the process."""

_process: Choice = Choice()


def process_wide() -> Choice:
    """The choice that holds where the context has none."""
    return _process


class use_backend:
    """Let a backend serve the CPU, for this thread or task: from now on, or for a `with` block.

    Args:
        name: a backend whose device type is "cpu"; it is loaded at once.

    Raises:
        BackendError: there is no such backend, it cannot be used, or it serves another device.
    """

    __slots__ = ("_before",)

    def __init__(self, name: str) -> None:
        from . import registry

        registry.serving_cpu(name, "use_backend")
        self._before = chosen.get().backend
        chosen.set(chosen.get()._replace(backend=name))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        chosen.set(chosen.get()._replace(backend=self._before))


class on_device:
    """Make a device the default for a `with` block, in this thread or task.

    Raises:
        BackendError: nobody serves it.
    """

    __slots__ = ("_device",)

    def __init__(self, device: Any) -> None:
        self._device = _served(device)

    def __enter__(self) -> Device:
        enter_device(self._device)
        return self._device

    def __exit__(self, *exception: object) -> None:
        leave_device()


_entered: Final[ContextVar[tuple[Device | None, ...]]] = ContextVar("lamina_entered_devices", default=())
"""For each device that this context entered and has not left, the one that was chosen before."""


def enter_device(device: Device) -> None:
    """Make a device the default of this thread or task, until `leave_device`.

    Raises:
        BackendError: nobody serves it.
    """
    found, now = _served(device), chosen.get()
    _entered.set((*_entered.get(), now.device))
    chosen.set(now._replace(device=found))


def change_device(device: Any) -> None:
    """Make a device the default of this thread or task from now on; None leaves it to the process.

    Raises:
        BackendError: nobody serves it.
    """
    chosen.set(chosen.get()._replace(device=None if device is None else _served(device)))


def leave_device() -> None:
    """Take back the last `enter_device` of this thread or task."""
    *others, before = _entered.get()
    _entered.set(tuple(others))
    chosen.set(chosen.get()._replace(device=before))


def set_default_backend(name: str | None) -> None:
    """Let a backend serve the CPU in the whole process; None leaves it to LAMINA_BACKEND and to priorities.

    Raises:
        BackendError: there is no such backend, it cannot be used, or it serves another device.
    """
    from . import registry

    if name is not None:
        registry.serving_cpu(name, "set_default_backend")
    _set_process(_process._replace(backend=name))


def set_default_device(device: Any) -> None:
    """Set the device of arrays made without one, in the whole process; None stands for "cpu".

    Raises:
        BackendError: nobody serves it.
    """
    _set_process(_process._replace(device=None if device is None else _served(device)))


def get_default_device() -> Device:
    """The device of arrays made without one: "cpu" unless chosen otherwise."""
    return chosen.get().device or _process.device or Device("cpu")


def _set_process(choice: Choice) -> None:
    from . import registry

    global _process
    _process = choice
    registry.forget_tables()


def _served(device: Any) -> Device:
    from . import registry

    found = Device(device)
    registry.backend_for(found.type)
    return found
