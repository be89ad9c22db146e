"""Numbers that state counts in. Those on a device are written there, and remembered here, so that no step waits to read them."""

from __future__ import annotations

from typing import Any, Final
from weakref import WeakKeyDictionary

import lamina_tensor as lt
from lamina_flatarray import FlatArray
from lamina_ndarray.creation.conversion import item
from lamina_tensor import Tensor

from .settings import scalar_dtype

__all__ = ["count", "counted", "counter", "multiply", "remember", "remembered", "set_to"]

_REMEMBERED: Final[WeakKeyDictionary[FlatArray, tuple[int, Any]]] = WeakKeyDictionary()
"""Memory of a counter on a device -> the version that it was left in, and the number in it; as long as that memory is there."""


def counted(counter: Tensor) -> Any:
    """Return a counter's number; one on a device is read where others have written to it."""
    array = counter.array
    if array.flat.kernels.backend.host:
        return item(array)
    value = remembered(counter)
    if value is None:
        value = item(array)
        remember(counter, value)
    return value


def remembered(counter: Tensor) -> Any:
    """Return the number in a counter on a device, or None where it is not known without reading it."""
    flat = counter.array.flat
    version, value = _REMEMBERED.get(flat, (-1, None))
    return value if version == flat.version else None


def set_to(counter: Tensor, value: float) -> None:
    """Overwrite a counter."""
    counter.fill_(value)
    remember(counter, value)


def count(counter: Tensor) -> None:
    """Add 1 to a counter."""
    value = remembered(counter)
    counter.add_(1)
    if value is not None:
        remember(counter, value + 1)


def multiply(counter: Tensor, factor: float) -> None:
    """Multiply a counter by a number."""
    value = remembered(counter)
    counter.mul_(factor)
    if value is not None:
        dtype = counter.dtype.numpy.type
        remember(counter, dtype(value) * dtype(factor))


def remember(counter: Tensor, value: Any) -> None:
    """Note what a counter holds now, if it is on a device."""
    flat = counter.array.flat
    if not flat.backend.host:
        _REMEMBERED[flat] = flat.version, counter.dtype.numpy.type(value).item()


def counter(value: Any, p: Tensor, group: dict[str, Any]) -> Tensor:
    """A number that state counts in: on the host, but beside the parameter where `capturable` or `fused` asks for it."""
    on_device = bool(group.get("capturable") or group.get("fused"))
    result = lt.tensor(float(value), dtype=scalar_dtype(), device=p.device if on_device else "cpu")
    remember(result, value)
    return result
