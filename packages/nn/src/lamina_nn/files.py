"""Tensors in files, in the safetensors format; a write replaces the file at once or not at all."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from lamina_ndarray.files import load_safetensors, save_safetensors
from lamina_tensor import Tensor

__all__ = ["load_file", "save_file"]


def save_file(
    tensors: Mapping[str, Tensor], path: str | os.PathLike[str], metadata: dict[str, str] | None = None
) -> None:
    """Write tensors by name to a safetensors file. If writing fails, what was there before is still there.

    Raises:
        CheckpointError: a dtype has no place in the format.
    """
    save_safetensors({name: t.array for name, t in tensors.items()}, path, metadata)


def load_file(path: str | os.PathLike[str], device: Any = "cpu") -> dict[str, Tensor]:
    """The tensors of a safetensors file by name.

    Raises:
        CheckpointError: the file is damaged, or holds a dtype that lamina does not have.
    """
    return {name: Tensor(array) for name, array in load_safetensors(path, device=device).items()}
