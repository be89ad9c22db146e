"""PyTorch's `torch.types`: names of types, for annotations."""

import os
from collections.abc import Sequence
from typing import IO, TYPE_CHECKING, TypeAlias

from lamina_flatarray import Device as _device
from lamina_flatarray import DType as _dtype
from lamina_tensor import Size, Tensor
from lamina_tensor.devices.memory_formats import layout as _layout
from lamina_tensor.methods.memory.storage import Storage

from .absent_names import explained

__all__ = [
    "Device", "FileLike", "Number", "Size", "Storage", "Tensor",
]  # fmt: skip

_bool: TypeAlias = bool
_bytes: TypeAlias = bytes
_complex: TypeAlias = complex
_float: TypeAlias = float
_int: TypeAlias = int
_str: TypeAlias = str
_size: TypeAlias = Size | list[int] | tuple[int, ...]
_symsize: TypeAlias = Size | Sequence[int]
_TensorOrTensors: TypeAlias = Tensor | Sequence[Tensor]
_TensorOrOptionalTensors: TypeAlias = Tensor | Sequence[Tensor | None]
_Number: TypeAlias = int | float | bool

Number: TypeAlias = int | float | bool
Device: TypeAlias = _device | str | int | None
FileLike: TypeAlias = str | os.PathLike[str] | IO[bytes]

if not TYPE_CHECKING:  # checkers know that there are no other names
    __getattr__, __dir__ = explained(__name__, __all__)
