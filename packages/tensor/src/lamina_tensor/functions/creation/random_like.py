"""Random numbers in tensors of another one's shape, dtype and device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError
from lamina_ndarray.creation.conversion import item

from ...devices.memory_formats import strided
from ...dispatch.out import check_tensors
from ...dispatch.torch_function import torch_function
from ...tensor_fields import AnyTensor, tensor_of
from .options import leaf, order_in_memory, refuse_layout

if TYPE_CHECKING:
    from lamina_flatarray import DType
    from lamina_flatarray.random import Generator

    from ...devices.memory_formats import layout as Layout
    from ...devices.memory_formats import memory_format as MemoryFormat
    from ...tensor_class import Tensor
    from .options import DeviceLike

__all__ = ["rand_like", "randint_like", "randn_like"]


@torch_function
def rand_like(
    input: Tensor,
    *,
    generator: Generator | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Make a tensor of random numbers uniform in [0, 1), of input's shape.

    Args:
        input: the model.
        generator: the generator of random numbers; the device's default one for None.
        dtype: the dtype; input's for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; input's for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.
        memory_format: the order of dims in memory; input's for None.

    Returns:
        The numbers.

    Raises:
        ArgumentTypeError: input is no tensor, or an option is of another type.
        OpNotImplemented: the dtype holds integers.

    >>> torch.rand_like(torch.zeros(2, 3)).shape
    lamina.Size([2, 3])
    """
    if not isinstance(input, AnyTensor):
        check_tensors("rand_like", input)
    if layout is not None and layout is not strided:
        refuse_layout("rand_like", layout)
    order = "preserve" if memory_format is None else order_in_memory("rand_like", memory_format)
    array = nd.rand_like(input.array, dtype=dtype, device=device, generator=generator, memory_format=order)
    return leaf(array, True) if requires_grad else tensor_of(array)


@torch_function
def randn_like(
    input: Tensor,
    *,
    generator: Generator | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Make a tensor of random numbers of the standard normal distribution, of input's shape.

    Args:
        input: the model.
        generator: the generator of random numbers; the device's default one for None.
        dtype: the dtype; input's for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; input's for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.
        memory_format: the order of dims in memory; input's for None.

    Returns:
        The numbers.

    Raises:
        ArgumentTypeError: input is no tensor, or an option is of another type.
        OpNotImplemented: the dtype holds integers.

    >>> torch.randn_like(torch.zeros(2, 3)).shape
    lamina.Size([2, 3])
    """
    if not isinstance(input, AnyTensor):
        check_tensors("randn_like", input)
    if layout is not None and layout is not strided:
        refuse_layout("randn_like", layout)
    order = "preserve" if memory_format is None else order_in_memory("randn_like", memory_format)
    array = nd.randn_like(input.array, dtype=dtype, device=device, generator=generator, memory_format=order)
    return leaf(array, True) if requires_grad else tensor_of(array)


@overload
def randint_like(
    input: Tensor,
    high: int | Tensor,
    *,
    generator: Generator | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format: MemoryFormat | None = None,
) -> Tensor: ...
@overload
def randint_like(
    input: Tensor,
    low: int | Tensor,
    high: int | Tensor,
    *,
    generator: Generator | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format: MemoryFormat | None = None,
) -> Tensor: ...
@torch_function  # type: ignore[misc]  # one bound alone is the upper one, by position the second
def randint_like(
    input: Tensor,
    low: Any = None,
    high: Any = None,
    *,
    generator: Generator | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Make a tensor of random integers in [low, high), of input's shape and in input's dtype.

    Args:
        input: the model.
        low: the lowest integer; 0 where only one bound is given.
        high: one above the highest integer.
        generator: the generator of random numbers; the device's default one for None.
        dtype: the dtype; input's for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; input's for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.
        memory_format: the order of dims in memory; input's for None.

    Returns:
        The integers.

    Raises:
        ArgumentTypeError: input is no tensor, there is no bound, or an option is of another type.
        ShapeError: the range is empty.

    >>> torch.randint_like(torch.zeros(2, 3), 10).shape
    lamina.Size([2, 3])
    """
    if not isinstance(input, AnyTensor):
        check_tensors("randint_like", input)
    if layout is not None and layout is not strided:
        refuse_layout("randint_like", layout)
    if high is None:
        low, high = 0, low
    elif low is None:
        low = 0
    if high is None:
        raise ArgumentTypeError("randint_like() missing 1 required positional argument: 'high'")
    if isinstance(low, AnyTensor):
        low = item(low.array)
    if isinstance(high, AnyTensor):
        high = item(high.array)
    order = "preserve" if memory_format is None else order_in_memory("randint_like", memory_format)
    array = nd.randint_like(input.array, low, high, dtype=dtype, device=device, generator=generator, memory_format=order)
    return leaf(array, True) if requires_grad else tensor_of(array)
