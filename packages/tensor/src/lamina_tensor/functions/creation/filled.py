"""Tensors of a shape: uninitialised, or filled with one value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import lamina_ndarray as nd
from lamina_ndarray.creation.constructors import dense

from ...autograd.recording import array_of
from ...devices.memory_formats import strided
from ...dispatch.torch_function import torch_function
from ...methods.shapes.sizes import int_tuple
from ...tensor_fields import tensor_of
from .options import leaf, order_in_memory, refuse_layout, shape_of, written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lamina_flatarray import DType

    from ...devices.memory_formats import layout as Layout
    from ...devices.memory_formats import memory_format as MemoryFormat
    from ...tensor_class import Tensor
    from ...tensor_fields import Number
    from .options import DeviceLike

__all__ = ["empty", "empty_permuted", "empty_strided", "eye", "full", "ones", "scalar_tensor", "zeros"]


@torch_function
def empty(
    *lengths: int | Sequence[int],
    size: Sequence[int] | None = None,
    out: Tensor | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    memory_format: MemoryFormat | None = None,
) -> Tensor:
    """Make an uninitialised tensor of a shape.

    Args:
        lengths: the shape: lengths one by one, or one sequence of them.
        size: the shape by keyword.
        out: a tensor to write the result to.
        dtype: the dtype; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.
        memory_format: the order of dims in memory; row-major for None.

    Returns:
        A tensor of any values.

    Raises:
        ArgumentTypeError: the shape is absent, or an argument is of another type.
        ShapeError: a length is negative, or the format wants another number of dims.
        AutogradError: gradients are wanted of integers.

    >>> torch.empty(2, 3).shape
    lamina.Size([2, 3])
    """
    if layout is not None and layout is not strided:
        refuse_layout("empty", layout)
    shape: Any = lengths if lengths and lengths[0].__class__ is int else shape_of("empty", lengths, size)
    if out is not None and dtype is None:
        dtype = out.dtype
    if memory_format is None:
        array = dense("empty", shape, dtype, device)
    else:
        order = order_in_memory("empty", memory_format)
        array = nd.empty(shape, dtype=dtype, device=device, memory_format=order)
    return written("empty", out, array, requires_grad) if out is not None or requires_grad else tensor_of(array)


@torch_function
def zeros(
    *lengths: int | Sequence[int],
    size: Sequence[int] | None = None,
    out: Tensor | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Make a tensor of zeros of a shape.

    Args:
        lengths: the shape: lengths one by one, or one sequence of them.
        size: the shape by keyword.
        out: a tensor to write the result to.
        dtype: the dtype; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.

    Returns:
        The zeros.

    Raises:
        ArgumentTypeError: the shape is absent, or an argument is of another type.
        ShapeError: a length is negative.
        AutogradError: gradients are wanted of integers.

    >>> torch.zeros(2, 3)
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    """
    if layout is not None and layout is not strided:
        refuse_layout("zeros", layout)
    shape: Any = lengths if lengths and lengths[0].__class__ is int else shape_of("zeros", lengths, size)
    if out is not None and dtype is None:
        dtype = out.dtype
    array = nd.zeros(shape, dtype=dtype, device=device)
    return written("zeros", out, array, requires_grad) if out is not None or requires_grad else tensor_of(array)


@torch_function
def ones(
    *lengths: int | Sequence[int],
    size: Sequence[int] | None = None,
    out: Tensor | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Make a tensor of ones of a shape.

    Args:
        lengths: the shape: lengths one by one, or one sequence of them.
        size: the shape by keyword.
        out: a tensor to write the result to.
        dtype: the dtype; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.

    Returns:
        The ones.

    Raises:
        ArgumentTypeError: the shape is absent, or an argument is of another type.
        ShapeError: a length is negative.
        AutogradError: gradients are wanted of integers.

    >>> torch.ones(3, dtype=torch.int64)
    tensor([1, 1, 1])
    """
    if layout is not None and layout is not strided:
        refuse_layout("ones", layout)
    shape: Any = lengths if lengths and lengths[0].__class__ is int else shape_of("ones", lengths, size)
    if out is not None and dtype is None:
        dtype = out.dtype
    array = nd.ones(shape, dtype=dtype, device=device)
    return written("ones", out, array, requires_grad) if out is not None or requires_grad else tensor_of(array)


@torch_function
def full(
    size: Sequence[int],
    fill_value: Number | Tensor,
    *,
    out: Tensor | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Make a tensor of one value of a shape.

    Args:
        size: the shape.
        fill_value: the value: a number, or a tensor without dims.
        out: a tensor to write the result to.
        dtype: the dtype; for None that of a tensor, the default dtype for a float, int64 for an integer.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.

    Returns:
        A tensor that holds the value everywhere.

    Raises:
        ArgumentTypeError: `size` is no sequence, or an argument is of another type.
        ShapeError: a length is negative.
        DTypeError: the value does not fit into the dtype.
        AutogradError: gradients are wanted of integers.

    >>> torch.full((3,), 2.5)
    tensor([2.5000, 2.5000, 2.5000])
    """
    if layout is not None and layout is not strided:
        refuse_layout("full", layout)
    if out is not None and dtype is None:
        dtype = out.dtype
    shape = size if size.__class__ is tuple else int_tuple("full", "size", size)
    array = nd.full(shape, array_of(fill_value), dtype=dtype, device=device)
    return written("full", out, array, requires_grad) if out is not None or requires_grad else tensor_of(array)


@torch_function
def scalar_tensor(
    s: Number | Tensor,
    *,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Make a tensor without dims of a number. Unlike `tensor`, it takes the default dtype for integers too.

    Args:
        s: the number.
        dtype: the dtype; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.

    Returns:
        The number as a tensor of shape ().

    Raises:
        DTypeError: the number does not fit into the dtype.
        AutogradError: gradients are wanted of integers.

    >>> torch.scalar_tensor(3)
    tensor(3.)
    """
    if layout is not None and layout is not strided:
        refuse_layout("scalar_tensor", layout)
    array = nd.scalar_tensor(array_of(s), dtype=dtype, device=device)
    return leaf(array, True) if requires_grad else tensor_of(array)


@torch_function
def empty_strided(
    size: Sequence[int],
    stride: Sequence[int],
    *,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Make an uninitialised tensor with these strides, in as much memory as they reach.

    Args:
        size: the shape.
        stride: per dim, how many items apart neighbours lie in memory.
        dtype: the dtype; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.

    Returns:
        A tensor of any values.

    Raises:
        ArgumentTypeError: `size` or `stride` is no sequence of integers.
        ShapeError: there are not as many strides as lengths, or one of either is negative.
        AutogradError: gradients are wanted of integers.

    >>> torch.empty_strided((2, 3), (1, 2)).stride()
    (1, 2)
    """
    if layout is not None and layout is not strided:
        refuse_layout("empty_strided", layout)
    shape, strides = int_tuple("empty_strided", "size", size), int_tuple("empty_strided", "stride", stride)
    return leaf(nd.empty_strided(shape, strides, dtype=dtype, device=device), requires_grad)


@torch_function
def empty_permuted(
    size: Sequence[int],
    physical_layout: Sequence[int],
    *,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Make an uninitialised dense tensor whose dims have a given order in memory.

    Args:
        size: the shape.
        physical_layout: the dims in the order in which they lie in memory, the outermost first.
        dtype: the dtype; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.

    Returns:
        A tensor of any values.

    Raises:
        ArgumentTypeError: `size` or `physical_layout` is no sequence of integers.
        ShapeError: not every dim is named once.
        AutogradError: gradients are wanted of integers.

    >>> torch.empty_permuted((2, 3), (1, 0)).stride()
    (1, 2)
    """
    if layout is not None and layout is not strided:
        refuse_layout("empty_permuted", layout)
    shape = int_tuple("empty_permuted", "size", size)
    order = int_tuple("empty_permuted", "physical_layout", physical_layout)
    return leaf(nd.empty_permuted(shape, order, dtype=dtype, device=device), requires_grad)


@torch_function
def eye(
    n: int,
    m: int | None = None,
    *,
    out: Tensor | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Make a matrix with ones on its diagonal and zeros elsewhere.

    Args:
        n: the number of rows.
        m: the number of columns; n for None.
        out: a tensor to write the result to.
        dtype: the dtype; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.

    Returns:
        The matrix (n, m).

    Raises:
        ShapeError: n or m is negative.
        AutogradError: gradients are wanted of integers.

    >>> torch.eye(2, 3)
    tensor([[1., 0., 0.],
            [0., 1., 0.]])
    """
    if layout is not None and layout is not strided:
        refuse_layout("eye", layout)
    if out is not None and dtype is None:
        dtype = out.dtype
    array = nd.eye(n, m, dtype=dtype, device=device)
    return written("eye", out, array, requires_grad) if out is not None or requires_grad else tensor_of(array)
