"""What the program chose: the backend that serves the CPU, and the default device; per context or process.

A choice made by a context manager holds for the current thread or asyncio task only, as of PyTorch's `torch.device` and NumPy's
`errstate`: a thread that is started within the block begins with what the process chose.
"""

from __future__ import annotations

from typing import Any, Self

from ..devices import Choice, Device, chosen, get_default_device, process_wide, set_process_wide
from . import registry

__all__ = [
    "Choice",
    "change_device",
    "chosen",
    "get_default_device",
    "on_device",
    "process_wide",
    "set_default_backend",
    "set_default_device",
    "use_backend",
]


class use_backend:
    """Let a backend serve the CPU, for this thread or task: from now on, or for a `with` block. Threads that are started meanwhile
    use what the process chose (`set_default_backend`), as they do of a device that `torch.device` chooses for a block.

    Args:
        name: a backend whose device type is "cpu"; it is loaded at once.

    Raises:
        BackendError: there is no such backend, it cannot be used, or it serves another device.

    >>> with use_backend("numpy"):
    ...     registry.backend_for("cpu")
    <backend numpy for cpu>
    """

    __slots__ = ("_before",)

    def __init__(self, name: str) -> None:
        registry.serving_cpu(name, "use_backend")
        self._before = chosen.get().backend
        chosen.set(chosen.get()._replace(backend=name))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        chosen.set(chosen.get()._replace(backend=self._before))


class on_device:
    """Make a device the default for a `with` block, in this thread or task.

    Args:
        device: the device, or its name.

    Raises:
        BackendError: nobody serves it.

    >>> with on_device("cpu") as device:
    ...     print(get_default_device(), device)
    cpu cpu
    """

    __slots__ = ("_device",)

    def __init__(self, device: Any) -> None:
        self._device = _served(device)

    def __enter__(self) -> Device:
        return self._device.__enter__()

    def __exit__(self, *exception: object) -> None:
        self._device.__exit__()


def change_device(device: Any) -> None:
    """Make a device the default of this thread or task from now on; None leaves it to the process.

    Raises:
        BackendError: nobody serves it.
    """
    chosen.set(chosen.get()._replace(device=None if device is None else _served(device)))


def set_default_backend(name: str | None) -> None:
    """Let a backend serve the CPU in the whole process; None leaves it to LAMINA_BACKEND and to priorities.

    Args:
        name: a backend whose device type is "cpu", or None.

    Raises:
        BackendError: there is no such backend, it cannot be used, or it serves another device.

    >>> set_default_backend("numpy")
    >>> set_default_backend(None)
    """
    if name is not None:
        registry.serving_cpu(name, "set_default_backend")
    _set_process(process_wide()._replace(backend=name))


def set_default_device(device: Any) -> None:
    """Set the device of arrays that are made without one, in the whole process.

    Args:
        device: the device, or its name; None for "cpu".

    Raises:
        BackendError: nobody serves it.

    >>> set_default_device("cpu")
    >>> set_default_device(None)
    """
    _set_process(process_wide()._replace(device=None if device is None else _served(device)))


def _set_process(choice: Choice) -> None:
    set_process_wide(choice)
    registry.forget_tables()


def _served(device: Any) -> Device:
    served = Device(device)
    registry.backend_for(served.type)
    return served
