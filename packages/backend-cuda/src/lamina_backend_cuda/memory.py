"""What flat arrays keep as their memory: an address on a device, which the host cannot read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .device import CudaDevice

__all__ = ["CudaMemory"]


class CudaMemory:
    """Bytes on a device, in use until this object goes.

    Args:
        block: the port's memory.
        device: where it is.

    Attributes:
        address: of the first byte.
        nbytes: how many bytes there are.
        device: where they are.
    """

    __slots__ = ("__weakref__", "_block", "address", "device", "nbytes")

    def __init__(self, block: Any, device: CudaDevice) -> None:
        self._block = block
        self.address: int = block.address
        self.nbytes: int = block.nbytes
        self.device = device

    def __del__(self) -> None:
        self.device.forget(self.nbytes)

    def check(self, offset: int, nbytes: int) -> None:
        """Refuse bytes that are not inside.

        Args:
            offset: of the first of them.
            nbytes: how many there are.

        Raises:
            ValueError: some are outside.
        """
        if offset < 0 or offset + nbytes > self.nbytes:
            raise ValueError(f"cuda: bytes {offset} to {offset + nbytes} of memory of {self.nbytes} bytes")

    def __repr__(self) -> str:
        return f"<{self.nbytes} bytes on cuda:{self.device.index}>"
