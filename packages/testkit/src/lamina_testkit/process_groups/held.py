"""Bytes that a communicator moves, and how the checks put them there and read them: on the host, and on a device."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from lamina_flatarray import FlatArray
from lamina_flatarray.process_groups import DeviceBytes

__all__ = ["Held", "HeldByDevice", "HeldByHost"]


class Held(ABC):
    """Some bytes.

    Attributes:
        bytes: the buffer that a communicator is given.
    """

    bytes: Any

    @abstractmethod
    def read(self) -> Any:
        """Return a NumPy array of uint8 of what they are now."""


class HeldByHost(Held):
    """Bytes in the host's memory.

    Args:
        items: a NumPy array, which is moved itself.
    """

    def __init__(self, items: Any) -> None:
        self.bytes = items.reshape(-1).view(np.uint8)

    def read(self) -> Any:
        """Return them."""
        return self.bytes


class HeldByDevice(Held):
    """Bytes in a device's memory, between others.

    Args:
        items: a NumPy array, which is copied there.
        device: the device.
    """

    def __init__(self, items: Any, device: str) -> None:
        raw = items.reshape(-1).view(np.uint8)
        padded = np.concatenate([np.full(64, 170, np.uint8), raw, np.full(64, 170, np.uint8)])
        self._flat = FlatArray.from_buffer(padded).to(device)
        kernels = self._flat.kernels
        self.bytes = DeviceBytes(kernels.backend, kernels.index, self._flat.memory, self._flat.offset + 64, raw.nbytes)

    def read(self) -> Any:
        """Copy them to the host, and see whether those beside them are still there.

        Raises:
            AssertionError: they are not.
        """
        found = self._flat.to("cpu").bytes_view()
        assert set(found[:64]) == set(found[-64:]) == {170}, "bytes beside the buffer were written"
        return found[64:-64]
