"""Storage: the flat memory under a tensor, as PyTorch's programs look at it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from lamina_flatarray import Device, DType, FlatArray

from ...devices.shared_memory import is_shared

__all__ = ["Storage"]


class Storage:
    """The items of a flat array one by one, or, untyped, its bytes; over the same memory.

    Args:
        flat: the memory.
        dtype: of the items; None for bytes.
    """

    def __init__(self, flat: FlatArray, dtype: DType | None = None) -> None:
        self.flat = getattr(flat, "whole", flat)
        self.dtype = dtype

    @property
    def device(self) -> Device:
        """Where the memory is."""
        return self.flat.device

    @property
    def is_cuda(self) -> bool:
        """Whether it is on a device of type "cuda"."""
        return self.flat.device.type == "cuda"

    def nbytes(self) -> int:
        """How many bytes there are."""
        return self.flat.nbytes

    def size(self) -> int:
        """How many items, or, untyped, bytes there are."""
        return self.flat.nbytes // self.element_size()

    def element_size(self) -> int:
        """Bytes of one item."""
        return 1 if self.dtype is None else self.dtype.itemsize

    def data_ptr(self) -> int:
        """The address of the first byte.

        Raises:
            DeviceError: the memory is not on the host.
        """
        pointer: int = self.flat.bytes_view().__array_interface__["data"][0]
        return pointer

    def untyped(self) -> Storage:
        """The same memory as bytes."""
        return Storage(self.flat)

    def is_shared(self) -> bool:
        """Whether processes that are forked from this one see the same memory."""
        return is_shared(self.flat.memory)

    def tolist(self) -> list[Any]:
        """The items as Python numbers."""
        return list(self)

    def _items(self) -> np.ndarray[Any, Any]:
        data = self.flat.bytes_view()
        return data if self.dtype is None else data.view(self.dtype.numpy)

    def __len__(self) -> int:
        return self.size()

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items().tolist())

    def __getitem__(self, at: int) -> Any:
        return self._items()[at].item()

    def __setitem__(self, at: Any, value: Any) -> None:
        self.flat.version += 1
        self._items()[at] = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Storage) and self.flat.memory is other.flat.memory and self.dtype is other.dtype

    def __hash__(self) -> int:
        return id(self.flat.memory)

    def __repr__(self) -> str:
        kind = "UntypedStorage" if self.dtype is None else f"TypedStorage(dtype={self.dtype!r})"
        lines = "".join(f" {item}\n" for item in self.tolist()[:1000])
        return f"{lines}[lamina.storage.{kind}(device={self.device}) of size {self.size()}]"
