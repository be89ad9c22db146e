"""Memory of a device handed over to other libraries, and theirs taken over, without a copy: what DLPack wants of a backend."""

from __future__ import annotations

from typing import Any

from ..errors import DeviceError

__all__ = ["Exchange"]


class Exchange:
    """What a backend does for DLPack where its memory is not the host's. By default none is handed over.

    `dlpack_device` alone says whether a backend takes part; one that does brings all five.

    Attributes:
        name: of the backend.

    >>> Exchange().dlpack_device(0) is None
    True
    """

    name: str

    def dlpack_device(self, index: int) -> tuple[int, int] | None:
        """Return DLPack's name of a device, (type, id); None where memory is not handed over.

        Args:
            index: which of the backend's devices.

        Returns:
            Two integers, such as (2, 0) for the first CUDA device, or None.
        """
        return None

    def address(self, memory: Any) -> int:
        """Return where memory begins, as the device counts.

        Args:
            memory: what `allocate` returned.

        Returns:
            The address of its first byte.

        Raises:
            DeviceError: the backend hands no memory over.
        """
        raise self._none()

    def adopt(self, address: int, nbytes: int, index: int, owner: Any) -> Any:
        """Return memory of somebody else as memory of this backend.

        Args:
            address: of the first byte.
            nbytes: how many bytes there are.
            index: which of the backend's devices they are on.
            owner: what is to be let go when nobody needs the memory any more, and what is queued by then is done.

        Returns:
            The backend's own object, as `allocate` returns.

        Raises:
            DeviceError: the backend hands no memory over.
        """
        raise self._none()

    def stream_number(self, index: int) -> int | None:
        """Return the current stream as DLPack's `stream=`, which a consumer passes: the producer orders it after its own work.

        Args:
            index: which of the backend's devices.

        Returns:
            A number, or None where devices of this type have no streams.

        Raises:
            DeviceError: the backend hands no memory over.
        """
        raise self._none()

    def hand_over(self, index: int, stream: int | None) -> None:
        """Have a consumer's stream wait for what is queued on the current one, as `__dlpack__(stream=)` promises.

        Args:
            index: which of the backend's devices.
            stream: the consumer's stream in DLPack's numbers: None for its default one, -1 for no order at all.

        Raises:
            DeviceError: the backend hands no memory over.
        """
        raise self._none()

    def _none(self) -> DeviceError:
        return DeviceError(f"dlpack: backend {self.name!r} does not hand over its memory; copy the items with .to('cpu') first")
