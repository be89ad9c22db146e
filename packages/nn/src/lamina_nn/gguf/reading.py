"""GGUF files that are open: mapped into memory, read tensor by tensor."""

from __future__ import annotations

import os
from collections.abc import Iterator, KeysView
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from lamina_flatarray import DTYPES, ArgumentValueError, CheckpointError, DType, DTypeError, FlatArray, dtype_of
from lamina_ndarray import NDArray as Array
from lamina_ndarray.files.replacing import Path
from lamina_ndarray.layouts.layout import Layout
from lamina_tensor import Tensor

from ..quantization import QuantizedWeight
from .cursor import Cursor
from .dequantizing import blocks_in, dequantized, is_readable
from .metadata_reading import read_metadata
from .quantized_weights import INTEGER_TYPES, weight_of
from .tensor_table import Entry, read_table
from .tensor_types import DTYPES_OF

__all__ = ["MAGIC", "GGUFFile", "load_gguf", "open_gguf"]

MAGIC: Final = b"GGUF"
"""What each file begins with."""

_VERSIONS: Final = (2, 3)
_HEAD: Final = 4 + 4 + 8 + 8  # the magic, the version, how many tensors and how many pairs of metadata there are


def load_gguf(path: Path, device: Any = "cpu") -> dict[str, Tensor]:
    """Read the tensors of a GGUF file by name.

    Those without blocks are parts of the file mapped into memory: they are read when they are looked at. What is written to
    them stays in this process. Blocks of few bits become float32. The file must not be cut or written over as long as
    a tensor of it lives; to replace it, as `save_gguf` does, is safe but on Windows.

    Args:
        path: the file.
        device: where the tensors go.

    Returns:
        The tensors in the file's order, by the names that they have there; shapes are in PyTorch's order, (out, in).

    Raises:
        CheckpointError: the file is damaged, big-endian, of a version other than 2 and 3, or holds a type that is not read.
        OSError: the file cannot be opened.

    >>> torch.gguf.save_gguf({"output.weight": torch.eye(2)}, "eye.gguf")
    >>> torch.gguf.load_gguf("eye.gguf")
    {'output.weight': tensor([[1., 0.],
            [0., 1.]])}
    """
    with open_gguf(path, device) as file:
        return {name: file.get(name) for name in file}


def open_gguf(path: Path, device: Any = "cpu") -> GGUFFile:
    """Open a GGUF file whose tensors are read one by one, as they are asked for; use it in a `with` statement.

    Args:
        path: the file.
        device: where the tensors go.

    Returns:
        The open file. Only what stands in front of the tensors has been read.

    Raises:
        CheckpointError: the file is damaged, big-endian, or of a version other than 2 and 3.
        OSError: the file cannot be opened.

    >>> torch.gguf.save_gguf({"output.weight": torch.eye(2)}, "eye.gguf", {"general.architecture": "llama"})
    >>> with torch.gguf.open_gguf("eye.gguf") as file:
    ...     file.metadata, file.shape("output.weight")
    ({'general.architecture': 'llama'}, (2, 2))
    """
    return GGUFFile(path, device)


class GGUFFile:
    """The metadata and the tensors of an open file. What it says of them is checked when it is opened.

    Args:
        path: the file.
        device: where the tensors go.

    Attributes:
        metadata: the values by key: numbers, bools, texts, and lists of these.
        version: of the format.

    >>> torch.gguf.save_gguf({"a": torch.ones(1, 64), "b": torch.zeros(2)}, "two.gguf", formats={"a": "Q8_0"})
    >>> with torch.gguf.open_gguf("two.gguf") as file:
    ...     list(file), file.type("a"), file.get("a", torch.float16).dtype
    (['a', 'b'], 'Q8_0', lamina.float16)
    """

    metadata: dict[str, Any]
    version: int

    def __init__(self, path: Path, device: Any = "cpu") -> None:
        self._path, self._device = os.fsdecode(path), device
        with open(self._path, "rb") as file:
            start = file.read(_HEAD)
            if len(start) < _HEAD or start[:4] != MAGIC:
                raise CheckpointError(f"load_gguf: {self._path} is not a GGUF file, or cut off: it begins with {start[:8]!r}")
            self.version = _version(start, self._path)
            content: NDArray[np.uint8] = np.memmap(file, np.uint8, "c").view(np.ndarray)  # privately, as `load(mmap=True)`
        cursor = Cursor(content.data, self._path)
        cursor.take(8, "the head")
        tensors, pairs = cursor.u64("the number of tensors"), cursor.u64("the number of pairs of metadata")
        self.metadata = read_metadata(cursor, pairs)
        self._entries = read_table(cursor, tensors, self.metadata, len(content))
        self._content: NDArray[np.uint8] | None = content

    def keys(self) -> KeysView[str]:
        """The names of the tensors.

        Returns:
            A view of them, in the file's order.
        """
        return self._entries.keys()

    def shape(self, name: str) -> tuple[int, ...]:
        """Tell the shape of one tensor.

        Args:
            name: of the tensor.

        Returns:
            The lengths in PyTorch's order, which is the file's turned round.

        Raises:
            KeyError: there is no tensor of this name.
        """
        return self._entries[name].shape

    def type(self, name: str) -> str:
        """Tell how one tensor is stored.

        Args:
            name: of the tensor.

        Returns:
            What ggml calls it: "F32", "BF16", "Q4_K" and so on.

        Raises:
            KeyError: there is no tensor of this name.
        """
        return self._entries[name].type.name

    def nbytes(self, name: str) -> int:
        """Tell how much of the file one tensor takes.

        Args:
            name: of the tensor.

        Returns:
            The bytes of its items, or of its blocks.

        Raises:
            KeyError: there is no tensor of this name.
        """
        return self._entries[name].nbytes

    def get(self, name: str, dtype: Any = None) -> Tensor:
        """Read one tensor.

        Args:
            name: of the tensor.
            dtype: of the result; None: the tensor's own, and float32 for blocks.

        Returns:
            Of a type without blocks, and in its own dtype, a part of the mapped file, read when it is looked at; what is written
            to it stays in this process. Otherwise a tensor in memory of its own.

        Raises:
            KeyError: there is no tensor of this name.
            CheckpointError: how its type is laid out is not known here.
            DTypeError: its blocks are asked for in a dtype that is not floating-point.
            ValueError: the file is closed.
        """
        entry = self._entries[name]
        wanted = None if dtype is None else dtype_of(dtype)
        own = DTYPES_OF.get(entry.type.name)
        if own is not None:
            tensor = self._tensor(self._raw(entry), own, entry)
            return tensor if wanted is None else tensor.to(wanted)
        if not is_readable(entry.type):
            raise CheckpointError(f"GGUFFile.get: {name} in {self._path} is of {entry.type.name}, which lamina does not read")
        wanted = wanted or DTYPES["float32"]
        if not wanted.is_floating_point:
            raise DTypeError(f"GGUFFile.get: {name} is of {entry.type.name}, whose items are floating-point; {wanted.name} is not")
        return self._tensor(dequantized(self._raw(entry), entry.type, wanted), wanted, entry)

    def quantized(self, name: str) -> QuantizedWeight:
        """Read a matrix of Q4_0, Q4_1 or Q8_0 as it is stored, for a `quantization.QuantizedLinear`.

        Args:
            name: of the tensor.

        Returns:
            Its integers and scales in groups of 32, in memory of their own. Offsets m of Q4_1 become zero points `-m / scale`,
            rounded to float32; the others are exact.

        Raises:
            KeyError: there is no tensor of this name.
            CheckpointError: it is of another type, or no matrix.
            ValueError: the file is closed.

        >>> torch.gguf.save_gguf({"a": torch.ones(2, 64)}, "a.gguf", formats={"a": "Q8_0"})
        >>> with torch.gguf.open_gguf("a.gguf") as file:
        ...     layer = torch.quantization.QuantizedLinear.from_weight(file.quantized("a"))
        >>> layer
        QuantizedLinear(in_features=64, out_features=2, bias=False, bits=8, group_size=32, symmetric=True)
        """
        entry = self._entries[name]
        kind = entry.type.name
        if kind not in INTEGER_TYPES:
            raise CheckpointError(f"GGUFFile.quantized: {name} in {self._path} is of {kind}; it wants {', '.join(INTEGER_TYPES)}")
        if len(entry.shape) != 2:
            raise CheckpointError(f"GGUFFile.quantized: {name} in {self._path} has the shape {entry.shape}; it wants a matrix")
        rows, length = entry.shape
        return weight_of(kind, blocks_in(self._raw(entry), entry.type), (rows, length), self._device)

    def _raw(self, entry: Entry) -> NDArray[np.uint8]:
        if self._content is None:
            raise ArgumentValueError(f"GGUFFile: {self._path} is closed")
        return self._content[entry.begin : entry.begin + entry.nbytes]

    def _tensor(self, raw: NDArray[np.uint8], dtype: DType, entry: Entry) -> Tensor:
        return Tensor(Array(FlatArray.from_buffer(raw, dtype), Layout.dense(entry.shape)).to_device(self._device))

    def __getitem__(self, name: str) -> Tensor:
        return self.get(name)

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def close(self) -> None:
        """Let go of the file; tensors that were read stay, and keep their part of it mapped."""
        self._content = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def _version(start: bytes, path: str) -> int:
    version = int.from_bytes(start[4:8], "little")
    if version not in _VERSIONS:
        turned = int.from_bytes(start[4:8], "big")
        reason = f"is big-endian (version {turned})" if turned in (1, *_VERSIONS) else f"is of version {version}"
        raise CheckpointError(f"load_gguf: {path} {reason}; little-endian files of versions 2 and 3 are read")
    return version
