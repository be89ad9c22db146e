"""Tensors as text: the items, then the dtype, device and gradient as far as they are not the usual ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina_flatarray import get_default_dtype
from lamina_ndarray import printing
from lamina_ndarray.batching import leave, levels_of
from lamina_ndarray.creation import conversion
from lamina_ndarray.printing import marks

from ...devices.memory_formats import strided
from ...dispatch.torch_function import overrides
from ...tensor_fields import tensor_of

if TYPE_CHECKING:
    from lamina_ndarray.array import NDArray

    from ...tensor_class import Tensor

__all__ = ["html", "text"]


def text(tensor: Tensor) -> str:
    """PyTorch's `repr` of a tensor; of a batch, with the items of all slices along a first dim."""
    array = tensor.array
    levels = levels_of(array.flat.kernels)
    if levels:
        inner = text(tensor_of(leave(array, 0, levels[0])))
        return f"BatchedTensor(lvl={len(levels)}, bdim=0, value={inner})"
    holds_items = array.flat.backend.holds_items
    suffixes = marks(array) if holds_items else _without_items(array)
    if tensor.node is not None:
        suffixes.append(f"grad_fn=<{tensor.node.name()}>")
    elif tensor.requires_grad:
        suffixes.append("requires_grad=True")
    name = type(tensor).__name__ if overrides(type(tensor)) else "tensor"
    if not holds_items:
        return f"{name}({', '.join(suffixes)})"
    return printing.text(conversion.numpy(conversion.to_device(array, "cpu")), prefix=f"{name}(", suffixes=suffixes)


def html(tensor: Tensor) -> str | None:
    """The `repr` of a tensor, and what it does not tell: where the items lie, and how gradients go; None for a sparse one."""
    if tensor.layout is not strided:
        return None
    from lamina_ndarray.rich_display import described, facts

    told = facts(tensor.array)
    if tensor.base is not None:
        told["base"] = f"a tensor of shape {tuple(tensor.base.array.layout.shape)}"
    told["requires_grad"] = str(tensor.requires_grad)
    if tensor.node is not None:
        told["grad_fn"] = tensor.node.name()
    return described(told, repr(tensor))


def _without_items(array: NDArray) -> list[str]:
    """What is said of an array on `meta`: three dots for the items, which would have told size and dtype."""
    dtype = [] if array.dtype is get_default_dtype() else [f"dtype={array.dtype!r}"]
    return ["...", f"device='{array.device}'", f"size={tuple(array.layout.shape)}", *dtype]
