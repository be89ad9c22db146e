"""Who serves a device, and with which kernels: the choices of program and environment, then the backends' priorities."""

from __future__ import annotations

import os
import warnings
from typing import Any, Final

from ..contract import Backend
from ..devices import UNNUMBERED, Choice, Device, chosen, current_index, get_default_device, process_wide
from ..dtypes import DType, dtype_of
from ..errors import BackendError, DeviceError, NoHardware, UnknownBackend
from ..twins import forget_plans
from . import plugins, replacements
from .kernel_table import KernelTable, tables
from .plugins import backend, loaded, names, status

__all__ = [
    "backend",
    "backend_for",
    "every_table",
    "forget_tables",
    "from_environment",
    "kernels",
    "loaded",
    "names",
    "register",
    "serving_cpu",
    "status",
    "unregister",
]

_MOST: Final = 1024
_tables: dict[tuple[Any, DType, Choice], KernelTable] = {}
"""What `kernels` found, by its arguments and the choice of the context. One device may be written in many ways ("cpu:0",
"cpu:00"), so it begins anew when it holds as many tables as `_MOST`."""


def backend_for(device_type: str) -> Backend:
    """Return the backend that serves a device type now.

    For "cpu" it is the choice of the thread or task, of the process, of LAMINA_BACKEND, and then, as for all device types,
    the one of highest priority that can run.

    Args:
        device_type: such as "cpu"; or a backend's own name.

    Returns:
        The backend, loaded and able to run here.

    Raises:
        BackendError: as `backend`; nobody serves the device type, or nobody who does can be used.

    >>> backend_for("cpu").device_type
    'cpu'
    """
    if device_type == "cpu":
        for name in (chosen.get().backend, process_wide().backend):
            if name is not None:
                return backend(name)
        name = from_environment()
        if name is not None:
            return serving_cpu(name, "LAMINA_BACKEND")
    usable: list[Backend] = []
    failures: list[BackendError] = []
    for name in plugins.serving(device_type):
        try:
            usable.append(backend(name))
        except BackendError as cause:
            failures.append(cause)
    if not usable:
        raise failures[0] if failures else UnknownBackend(plugins.PLUGINS.unknown(device_type, None))
    for failure in failures:
        if not isinstance(failure, NoHardware):
            warnings.warn(f"{device_type} is served by another backend, as {failure}", RuntimeWarning, stacklevel=4)
    return max(usable, key=lambda backend: backend.priority)  # the first of equals: built in, registered, by name


def from_environment() -> str | None:
    """Return the name of the backend that LAMINA_BACKEND chooses for the CPU; None if it is not set."""
    return os.environ.get("LAMINA_BACKEND") or None


def serving_cpu(name: str, op: str) -> Backend:
    """Return the backend of this name, which must serve the CPU.

    Args:
        name: the backend's name.
        op: the function that wants it, for the message.

    Raises:
        BackendError: as `backend`; or it serves another device type.
    """
    serving = backend(name)
    device_type = serving.device_type
    if device_type != "cpu":
        raise BackendError(
            f"{op}: backend {name!r} serves {device_type!r}; it wants one for 'cpu'. "
            f"To compute there, use device={device_type!r} or set_default_device({device_type!r})"
        )
    return serving


def kernels(device: Any, dtype: DType) -> KernelTable:
    """Return the kernel table for a device and dtype.

    Args:
        device: a Device, its text ("cpu", "cuda:1"), or None for the default device.
        dtype: of the first input of the ops that will be looked up.

    Returns:
        The table, whose entries are kernels by op.

    Raises:
        BackendError: nobody serves the device.
        DeviceError: there is no such device.

    >>> from lamina_flatarray import float64
    >>> kernels("cpu", float64).dtype
    lamina.float64
    """
    try:
        return _tables[device, dtype, chosen.get()]
    except (KeyError, TypeError):
        return _make_table(device, dtype)


def _make_table(device: Any, dtype: DType) -> KernelTable:
    cache = _tables  # if someone forgets the tables meanwhile, this one is forgotten with them
    place = get_default_device() if device is None else Device(device)
    serving = backend_for(place.type)
    index = 0 if place.type in UNNUMBERED else current_index(place.type) if place.index is None else place.index
    if index and index >= serving.device_count():
        raise DeviceError(f"device: {str(place)!r} given; {serving.name} finds {serving.device_count()} device(s)")
    table = KernelTable.of(serving, index, dtype_of(dtype))
    if not plugins.PLUGINS.is_loading():  # a plug-in that makes arrays while it is loaded is given what is there so far
        if len(cache) >= _MOST:
            cache.clear()
        cache[device, dtype, chosen.get()] = table
    return table


def every_table() -> list[KernelTable]:
    """Return the tables that there are: those by name, and those of a backend whose name another object has taken since."""
    return list({id(table): table for table in (*tables.values(), *_tables.values())}.values())


def forget_tables() -> None:
    """Have `kernels` ask again who serves which device, as choices or backends have changed."""
    global _tables
    _tables = {}
    forget_plans()


def register(backend: Backend) -> Backend:
    """Add a backend to this process, without a plug-in, and return it.

    Args:
        backend: an object that keeps to the contract; its `name` must be free.

    Returns:
        The same object.

    Raises:
        ProtocolMismatch, BackendRefused: it does not keep to the contract.
        BackendError: its name is taken.

    >>> from lamina_flatarray.numpy_backend import NumpyBackend
    >>> class Mine(NumpyBackend):
    ...     name = "mine"
    >>> register(Mine())
    <backend mine for cpu>
    >>> unregister("mine")
    """
    plugins.PLUGINS.add(backend)
    forget_tables()
    return backend


def unregister(name: str) -> None:
    """Take back what `register` added; arrays that exist keep working.

    Args:
        name: the name of a backend that was registered.

    Raises:
        UnknownBackend: no such backend was registered.

    >>> unregister("nothing")
    Traceback (most recent call last):
      ...
    lamina_flatarray.errors.UnknownBackend: unregister: no backend 'nothing' was registered
    """
    plugins.PLUGINS.remove(name)
    replacements.take_all_back(name)
    for key in [key for key in list(tables) if key[0] == name]:
        del tables[key]
    forget_tables()
