"""What flat arrays keep as their memory: an address on a device, which the host cannot read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .device import CudaDevice

__all__ = ["AdoptedMemory", "CudaMemory"]


class CudaMemory:
    """Bytes on a device, in use until this object goes.

    Args:
        block: the port's memory.
        device: where it is.
        stream: the stream that it was made for, to whose later allocations it goes back.

    Attributes:
        address: of the first byte.
        nbytes: how many bytes there are.
        device: where they are.
    """

    __slots__ = ("__weakref__", "_block", "_stream", "address", "device", "nbytes")

    def __init__(self, block: Any, device: CudaDevice, stream: Any) -> None:
        self._block = block
        self._stream = stream
        self.address: int = block.address
        self.nbytes: int = block.nbytes
        self.device = device

    def __del__(self) -> None:
        device = getattr(self, "device", None)
        if device is not None:  # else Ctrl-C came before this was made
            device.forget(self.nbytes, self._stream)

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


class AdoptedMemory(CudaMemory):
    """Another library's bytes, which are let go when what is queued by then is done with them.

    Args:
        address: of the first byte.
        nbytes: how many bytes there are.
        device: where they are.
        owner: what keeps them.
    """

    __slots__ = ()

    def __init__(self, address: int, nbytes: int, device: CudaDevice, owner: Any) -> None:
        self._block = owner
        self._stream = None
        self.address = address
        self.nbytes = nbytes
        self.device = device

    def __del__(self) -> None:
        self.device.let_go(self._block)
