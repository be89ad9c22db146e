"""Tensors in files, in the safetensors format; a write replaces the file at once or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from safetensors import SafetensorError, deserialize
from safetensors.numpy import save_file as write

import lamina_ndarray as nd
from lamina_flatarray import CheckpointError, FlatArray
from lamina_flatarray.dtypes import DTYPES
from lamina_tensor import Tensor

__all__ = ["load_file", "save_file"]

_NAMES = {
    "bool": "BOOL", "uint8": "U8", "int8": "I8", "int16": "I16", "int32": "I32", "int64": "I64", "float16": "F16",
    "float32": "F32", "float64": "F64", "bfloat16": "BF16", "uint16": "U16", "uint32": "U32", "uint64": "U64",
    "complex64": "C64",
}  # fmt: skip


def save_file(
    tensors: Mapping[str, Tensor], path: str | os.PathLike[str], metadata: dict[str, str] | None = None
) -> None:
    """Write tensors by name to a safetensors file. If writing fails, what was there before is still there.

    Raises:
        CheckpointError: a dtype has no place in the format.
    """
    arrays = {}
    for name, t in tensors.items():
        if t.dtype.name not in _NAMES:
            raise CheckpointError(f"save_file: {name} is {t.dtype!r}, which the safetensors format does not have")
        arrays[name] = nd.contiguous(nd.to_device(t.array, "cpu")).numpy()
    target = Path(path)
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    os.close(handle)
    try:
        write(arrays, temporary, metadata)
        with open(temporary, "rb") as written:
            os.fsync(written.fileno())
        os.chmod(temporary, target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current


def load_file(path: str | os.PathLike[str], device: Any = "cpu") -> dict[str, Tensor]:
    """The tensors of a safetensors file by name.

    Raises:
        CheckpointError: the file is damaged, or holds a dtype that lamina does not have.
    """
    names = {value: key for key, value in _NAMES.items()}
    try:
        entries: Any = deserialize(Path(path).read_bytes())  # type: ignore[no-untyped-call]
    except SafetensorError as error:
        raise CheckpointError(f"load_file: {path} is not a whole safetensors file: {error}") from error
    found = {}
    for name, entry in entries:
        if entry["dtype"] not in names:
            raise CheckpointError(f"load_file: {name} in {path} has dtype {entry['dtype']}, which lamina does not have")
        flat = FlatArray.from_buffer(np.frombuffer(bytearray(entry["data"]), np.uint8), DTYPES[names[entry["dtype"]]])
        found[name] = Tensor(nd.to_device(nd.NDArray(flat, nd.Layout.dense(entry["shape"])), device))
    return found
