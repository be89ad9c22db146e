"""`save_gguf`: tensors by name in a GGUF file, which replaces the old one at once or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np

import lamina_ndarray as nd
from lamina_flatarray import CheckpointError
from lamina_ndarray.files.replacing import Path, replacing
from lamina_tensor import Tensor

from .metadata_writing import pair, text
from .quantizing import q8_0
from .reading import MAGIC
from .tensor_table import ALIGNMENT, ALIGNMENT_KEY, MOST_DIMS
from .tensor_types import DTYPES_OF, TYPES_BY_NAME, TensorType

__all__ = ["save_gguf"]

_VERSION: Final = 3
_LONGEST_NAME: Final = 64  # the specification's
_QUANTIZATION_KEY: Final = "general.quantization_version"
_QUANTIZATION: Final = 2  # of the blocks' layouts, which the specification wants told where there are blocks
_NAMES_OF: Final = {dtype: name for name, dtype in DTYPES_OF.items()}
_AT_ONCE: Final = 1 << 17


def save_gguf(
    tensors: Mapping[str, Tensor],
    path: Path,
    metadata: Mapping[str, Any] | None = None,
    formats: Mapping[str, str] | None = None,
) -> None:
    """Write tensors by name to a GGUF file. If writing fails, what was there before is still there.

    Args:
        tensors: of any layout and device, of at most 4 dims, by names of at most 64 bytes: float16, bfloat16, float32, float64,
            int8, int16, int32 or int64, and written as such.
        path: the file. A link is followed; a device or a pipe is written to as it is.
        metadata: values by key. A bool, a text and a list keep their kind; an int is written with 32 bits without a sign if it
            fits, in a list with a sign; a float is rounded to float32, which readers expect. NumPy's scalars and arrays say
            their type themselves: `np.float64(0.1)`. Programs ask for "general.architecture" and what belongs to it.
        formats: by the names of floating-point tensors, "Q8_0", which rounds them to blocks of 32 items with 8 bits each.

    Raises:
        CheckpointError: the format has no place for a dtype, a name, a shape or a value; or an item is not finite, and is to be
            written as Q8_0.
        OSError: the file cannot be written.

    >>> torch.gguf.save_gguf({"output.weight": torch.eye(32)}, "eye.gguf", formats={"output.weight": "Q8_0"})
    >>> with torch.gguf.open_gguf("eye.gguf") as file:
    ...     file.type("output.weight"), file.get("output.weight").trace()
    ('Q8_0', tensor(31.9980))
    """
    wanted = dict(formats or {})
    missing = sorted(set(wanted) - set(tensors))
    if missing:
        raise CheckpointError(f"save_gguf: a format is given for {missing[0][:60]!a}, which is not among the tensors")
    types = {name: _type(name, tensor, wanted.get(name)) for name, tensor in tensors.items()}
    told = dict(metadata or {})
    if any(kind.items > 1 for kind in types.values()):
        told.setdefault(_QUANTIZATION_KEY, _QUANTIZATION)
    alignment = told.get(ALIGNMENT_KEY, ALIGNMENT)
    if type(alignment) is not int or alignment < 8 or alignment & (alignment - 1) or alignment > 1 << 20:
        raise CheckpointError(f"save_gguf: {ALIGNMENT_KEY} is {alignment!r}; it wants a power of two from 8 to {1 << 20}")
    head = bytearray(MAGIC + _VERSION.to_bytes(4, "little") + len(tensors).to_bytes(8, "little") + len(told).to_bytes(8, "little"))
    for key, value in told.items():
        head += pair(key, value)
    end = 0
    for name, tensor in tensors.items():
        head += _entry(name, tensor, types[name], end)
        end += _nbytes(tensor, types[name])
        end += -end % alignment
    with replacing(path) as file:
        file.write(head + bytes(-len(head) % alignment))
        for name, tensor in tensors.items():
            for part in _content(name, tensor, types[name]):
                file.write(part)
            file.write(bytes(-_nbytes(tensor, types[name]) % alignment))


def _type(name: str, tensor: Any, wanted: str | None) -> TensorType:
    """How a tensor is to be stored; that it can be."""
    if not isinstance(name, str) or len(text(name, f"the name {name[:60]!a}")) - 8 > _LONGEST_NAME:
        raise CheckpointError(f"save_gguf: the name {str(name)[:80]!a} of a tensor; names are texts of at most {_LONGEST_NAME} bytes")
    if not isinstance(tensor, Tensor):
        raise CheckpointError(f"save_gguf: {name} is {type(tensor).__name__}; it wants a tensor")
    if tensor.ndim > MOST_DIMS:
        raise CheckpointError(f"save_gguf: {name} has {tensor.ndim} dims; the format has {MOST_DIMS} at most")
    if tensor.dtype not in _NAMES_OF:
        raise CheckpointError(f"save_gguf: {name} is {tensor.dtype!r}, which the format does not have")
    if wanted in (None, _NAMES_OF[tensor.dtype]):
        return TYPES_BY_NAME[_NAMES_OF[tensor.dtype]]
    if wanted != "Q8_0":
        raise CheckpointError(f"save_gguf: {name}, which is {tensor.dtype!r}, is to be written as {wanted!r}; it can be as 'Q8_0'")
    if not tensor.dtype.is_floating_point or not tensor.ndim or tensor.shape[-1] % TYPES_BY_NAME[wanted].items:
        raise CheckpointError(
            f"save_gguf: {name} of shape {tuple(tensor.shape)} and {tensor.dtype!r} is to be written as Q8_0, which wants "
            "floating-point items in rows of a multiple of 32"
        )
    return TYPES_BY_NAME[wanted]


def _nbytes(tensor: Tensor, kind: TensorType) -> int:
    return tensor.numel() // kind.items * kind.nbytes


def _entry(name: str, tensor: Tensor, kind: TensorType, begin: int) -> bytes:
    lengths = b"".join(length.to_bytes(8, "little") for length in reversed(tensor.shape))
    head = text(name, name) + tensor.ndim.to_bytes(4, "little") + lengths
    return head + kind.number.to_bytes(4, "little") + begin.to_bytes(8, "little")


def _content(name: str, tensor: Tensor, kind: TensorType) -> Iterator[Any]:
    """The bytes of a tensor, a bounded number of blocks at a time."""
    items = nd.contiguous(tensor.array.to_device("cpu"))
    begin = items.layout.offset * items.dtype.itemsize
    raw = items.flat.bytes_view()[begin : begin + items.size * items.dtype.itemsize]
    if kind.items == 1:
        yield raw.data
        return
    numbers = raw.view(items.dtype.numpy)
    for start in range(0, len(numbers), _AT_ONCE):
        with np.errstate(over="ignore"):  # what is beyond float32 is beyond Q8_0, which says so
            part = numbers[start : start + _AT_ONCE].astype(np.float32)
        yield q8_0(part, name).view(np.uint8).data
