"""Storage: the flat memory under a tensor, as PyTorch's programs look at it."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from typing import Any, TypeGuard

import numpy as np

import lamina_ndarray as nd
from lamina_flatarray import Device, DType, FlatArray

from ...devices.shared_memory import is_shared

__all__ = ["Storage", "UntypedStorage", "is_storage"]


class Storage:
    """The items of a flat array one by one, or, untyped, its bytes; over the same memory.

    Args:
        flat: the memory.
        dtype: of the items; None for bytes.

    >>> storage = torch.arange(3).storage()
    >>> storage.size(), storage.element_size(), storage.nbytes()
    (3, 8, 24)
    >>> storage.tolist(), storage.untyped().size()
    ([0, 1, 2], 24)
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
        """How many bytes there are.

        Returns:
            An int.
        """
        return self.flat.nbytes

    def size(self) -> int:
        """How many items, or, untyped, bytes there are.

        Returns:
            An int.
        """
        return self.flat.nbytes // self.element_size()

    def element_size(self) -> int:
        """Bytes of one item.

        Returns:
            An int; 1 for bytes.
        """
        return 1 if self.dtype is None else self.dtype.itemsize

    def data_ptr(self) -> int:
        """The address of the first byte.

        Returns:
            An int.

        Raises:
            DeviceError: the memory is not on the host.
        """
        pointer: int = self.flat.bytes_view().__array_interface__["data"][0]
        return pointer

    def untyped(self) -> UntypedStorage:
        """The same memory as bytes.

        Returns:
            An `UntypedStorage` of the same memory.
        """
        return UntypedStorage.over(self.flat)

    def is_shared(self) -> bool:
        """Whether processes that are forked from this one see the same memory.

        Returns:
            A bool.
        """
        return is_shared(self.flat.memory)

    def tolist(self) -> list[Any]:
        """The items as Python numbers.

        Returns:
            A list of them.
        """
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


class UntypedStorage(Storage):
    """Memory as bytes.

    Args:
        size: how many bytes, which are not initialised.
        device: where they are; the CPU for None.

    >>> torch.UntypedStorage(8).nbytes()
    8
    """

    def __init__(self, size: int = 0, *, device: Any = None) -> None:
        super().__init__(nd.empty((size,), dtype=nd.uint8, device=device).flat)

    @classmethod
    def over(cls, flat: FlatArray) -> UntypedStorage:
        """The bytes of a flat array.

        Args:
            flat: the memory.

        Returns:
            The storage.

        >>> torch.UntypedStorage.over(torch.ones(2).array.flat).nbytes()
        8
        """
        storage = cls.__new__(cls)
        Storage.__init__(storage, flat)
        return storage

    @classmethod
    def from_file(cls, filename: str | PathLike[str], shared: bool = False, nbytes: int = 0) -> UntypedStorage:
        """Map a file into memory: nothing is read before it is looked at.

        Args:
            filename: the file.
            shared: whether what is written goes to the file, which is made, or made longer, if need be.
            nbytes: how many bytes of it.

        Returns:
            The storage.

        Raises:
            CheckpointError: the file is too short, and not `shared`.
            OSError: the file cannot be opened.

        >>> import tempfile
        >>> with tempfile.NamedTemporaryFile() as file:
        ...     torch.UntypedStorage.from_file(file.name, shared=True, nbytes=3).tolist()
        [0, 0, 0]
        """
        return cls.over(nd.from_file(filename, nbytes, dtype=nd.uint8, shared=shared).flat)

    def __getitem__(self, at: Any) -> Any:
        """A byte as an int; of a slice, a storage over the same memory."""
        if not isinstance(at, slice):
            return super().__getitem__(at)
        start, stop, step = at.indices(self.size())
        if step != 1:
            raise ValueError(f"UntypedStorage: a slice has step 1, not {step}")
        return UntypedStorage.over(nd.from_numpy(self._items()[start : max(start, stop)]).flat)


def is_storage(obj: object) -> TypeGuard[Storage]:
    """Tell whether an object is a tensor's memory.

    Args:
        obj: any object.

    Returns:
        Whether it is one.

    >>> torch.is_storage(torch.ones(2).untyped_storage()), torch.is_storage(torch.ones(2))
    (True, False)
    """
    return isinstance(obj, Storage)
