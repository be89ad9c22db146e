"""The same items as another tensor: in memory of their own, or apart from the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..devices.memory_formats import preserve_format
from ..dispatch.tensor_functions import af
from ..dispatch.torch_function import torch_function
from ..methods.shapes.memory_order import ordered
from ..tensor_fields import tensor_of

if TYPE_CHECKING:
    from ..devices.memory_formats import memory_format as MemoryFormat
    from ..tensor_class import Tensor

__all__ = ["clone", "detach"]


@torch_function
def clone(input: Tensor, *, memory_format: MemoryFormat | None = None) -> Tensor:
    """Copy a tensor; gradients flow back to it.

    Args:
        input: the tensor.
        memory_format: the order of the dims in memory; None for the tensor's own.

    Returns:
        The copy.

    Raises:
        ShapeError: the format wants another number of dims.
        TypeError: `memory_format` is not a memory format.

    >>> x = torch.tensor([1, 2])
    >>> y = torch.clone(x)
    >>> y[0] = 3
    >>> x
    tensor([1, 2])
    """
    if memory_format is None or memory_format is preserve_format:
        return af.copy(input)
    result = ordered(input, memory_format, "clone")
    return af.copy(input) if result is input else result


@torch_function
def detach(input: Tensor) -> Tensor:
    """Return a tensor over the same memory that has no history.

    Args:
        input: the tensor.

    Returns:
        A leaf that wants no gradient; writing to it writes to `input`.

    >>> (torch.ones(2, requires_grad=True) * 2).detach()
    tensor([2., 2.])
    """
    return tensor_of(input.array)
