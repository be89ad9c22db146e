"""Tensors as text: the items, then the dtype, device and gradient as far as they are not the usual ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina_ndarray import printing
from lamina_ndarray.batching import leave, levels_of
from lamina_ndarray.creation import conversion
from lamina_ndarray.printing import marks

from ...dispatch.torch_function import overrides
from ...tensor_fields import tensor_of

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["text"]


def text(tensor: Tensor) -> str:
    """PyTorch's `repr` of a tensor; of a batch, with the items of all slices along a first dim."""
    array = tensor.array
    levels = levels_of(array.flat.kernels)
    if levels:
        inner = text(tensor_of(leave(array, 0, levels[0])))
        return f"BatchedTensor(lvl={len(levels)}, bdim=0, value={inner})"
    suffixes = marks(array)
    if tensor.node is not None:
        suffixes.append(f"grad_fn=<{tensor.node.name()}>")
    elif tensor.requires_grad:
        suffixes.append("requires_grad=True")
    name = type(tensor).__name__ if overrides(type(tensor)) else "tensor"
    return printing.text(conversion.numpy(conversion.to_device(array, "cpu")), prefix=f"{name}(", suffixes=suffixes)
