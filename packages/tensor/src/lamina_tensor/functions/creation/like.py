"""Tensors of another one's shape, dtype and device: uninitialised, or filled with one value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lamina_ndarray as nd

from ...autograd.recording import array_of
from ...devices.memory_formats import strided
from ...dispatch.out import check_tensors
from ...dispatch.torch_function import torch_function
from ...tensor_fields import AnyTensor, tensor_of
from .options import leaf, order_in_memory, refuse_layout

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ...devices.memory_formats import layout as Layout
    from ...devices.memory_formats import memory_format as MemoryFormat
    from ...tensor_class import Tensor
    from ...tensor_fields import Number
    from .options import DeviceLike

__all__ = ["empty_like", "full_like", "ones_like", "zeros_like"]


@torch_function
def empty_like(
    input: Tensor,
    *,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Make an uninitialised tensor of input's shape.

    Args:
        input: the model.
        dtype: the dtype; input's for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; input's for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.
        memory_format: the order of dims in memory; input's for None.

    Returns:
        A tensor of any values.

    Raises:
        ArgumentTypeError: input is no tensor, or an option is of another type.
        AutogradError: gradients are wanted of integers.

    >>> torch.empty_like(torch.zeros(2, 3), dtype=torch.int64).dtype
    lamina.int64
    """
    if not isinstance(input, AnyTensor):
        check_tensors("empty_like", input)
    if layout is not None and layout is not strided:
        refuse_layout("empty_like", layout)
    order = "preserve" if memory_format is None else order_in_memory("empty_like", memory_format)
    array = nd.empty_like(input.array, dtype=dtype, device=device, memory_format=order)
    return leaf(array, True) if requires_grad else tensor_of(array)


@torch_function
def zeros_like(
    input: Tensor,
    *,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Make a tensor of zeros of input's shape.

    Args:
        input: the model.
        dtype: the dtype; input's for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; input's for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.
        memory_format: the order of dims in memory; input's for None.

    Returns:
        The zeros.

    Raises:
        ArgumentTypeError: input is no tensor, or an option is of another type.
        AutogradError: gradients are wanted of integers.

    >>> torch.zeros_like(torch.tensor([1.0, 2.0]))
    tensor([0., 0.])
    """
    if not isinstance(input, AnyTensor):
        check_tensors("zeros_like", input)
    if layout is not None and layout is not strided:
        refuse_layout("zeros_like", layout)
    order = "preserve" if memory_format is None else order_in_memory("zeros_like", memory_format)
    array = nd.zeros_like(input.array, dtype=dtype, device=device, memory_format=order)
    return leaf(array, True) if requires_grad else tensor_of(array)


@torch_function
def ones_like(
    input: Tensor,
    *,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Make a tensor of ones of input's shape.

    Args:
        input: the model.
        dtype: the dtype; input's for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; input's for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.
        memory_format: the order of dims in memory; input's for None.

    Returns:
        The ones.

    Raises:
        ArgumentTypeError: input is no tensor, or an option is of another type.
        AutogradError: gradients are wanted of integers.

    >>> torch.ones_like(torch.tensor([1.0, 2.0]))
    tensor([1., 1.])
    """
    if not isinstance(input, AnyTensor):
        check_tensors("ones_like", input)
    if layout is not None and layout is not strided:
        refuse_layout("ones_like", layout)
    order = "preserve" if memory_format is None else order_in_memory("ones_like", memory_format)
    array = nd.ones_like(input.array, dtype=dtype, device=device, memory_format=order)
    return leaf(array, True) if requires_grad else tensor_of(array)


@torch_function
def full_like(
    input: Tensor,
    fill_value: Number | Tensor,
    *,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Make a tensor of one value of input's shape.

    Args:
        input: the model.
        fill_value: the value: a number, or a tensor without dims.
        dtype: the dtype; input's for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; input's for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.
        memory_format: the order of dims in memory; input's for None.

    Returns:
        A tensor that holds the value everywhere.

    Raises:
        ArgumentTypeError: input is no tensor, or an option is of another type.
        AutogradError: gradients are wanted of integers.
        DTypeError: the value does not fit into the dtype.

    >>> torch.full_like(torch.tensor([1.0, 2.0]), 7)
    tensor([7., 7.])
    """
    if not isinstance(input, AnyTensor):
        check_tensors("full_like", input)
    if layout is not None and layout is not strided:
        refuse_layout("full_like", layout)
    order = "preserve" if memory_format is None else order_in_memory("full_like", memory_format)
    array = nd.full_like(input.array, array_of(fill_value), dtype=dtype, device=device, memory_format=order)
    return leaf(array, True) if requires_grad else tensor_of(array)
