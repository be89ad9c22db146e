"""Writing into a tensor: at an index, everywhere, or with random numbers."""

from __future__ import annotations

from typing import Any

import lamina_ndarray as nd
from lamina_flatarray import AutogradError

from .modes import mode
from .recording import array_of
from .tensor import Tensor

__all__ = ["check_leaf", "setitem"]


def check_leaf(op: str, tensor: Tensor) -> None:
    """Refuse to write where a recorded value would be lost.

    Raises:
        AutogradError: recording is on and the tensor requires gradients.
    """
    if mode.recording and tensor.requires_grad:
        if tensor.node is None:
            raise AutogradError("a leaf Variable that requires grad is being used in an in-place operation.")
        raise AutogradError(
            f"{op}: recording a write into a tensor that requires gradients is not supported; use where"
        )


def setitem(tensor: Tensor, index: Any, value: Any) -> None:
    """`tensor[index] = value`, the value broadcast and cast.

    Raises:
        AutogradError: gradients would have to flow through the write.
        ShapeError: the value does not broadcast to what is indexed.
    """
    check_leaf("setitem", tensor)
    if mode.recording and isinstance(value, Tensor) and value.requires_grad:
        raise AutogradError(
            "setitem: recording a write of a tensor that requires gradients is not supported; use where, cat or stack"
        )
    plain = tuple(map(array_of, index)) if isinstance(index, tuple) else array_of(index)
    nd.setitem(tensor.array, plain, array_of(value))
