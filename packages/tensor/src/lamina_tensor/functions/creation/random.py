"""Random numbers of a shape; on the CPU in the order of PyTorch's generator."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError

from ...devices.generator import manual_seed
from ...devices.memory_formats import strided
from ...dispatch.torch_function import torch_function
from ...methods.shapes.sizes import int_tuple
from ...tensor_fields import tensor_of
from .options import refuse_layout, shape_of, written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lamina_flatarray import DType
    from lamina_flatarray.random import Generator

    from ...devices.memory_formats import layout as Layout
    from ...tensor_class import Tensor
    from .options import DeviceLike

__all__ = ["manual_seed", "rand", "randint", "randn", "randperm"]


@torch_function
def rand(
    *lengths: int | Sequence[int],
    size: Sequence[int] | None = None,
    generator: Generator | None = None,
    out: Tensor | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Make a tensor of random numbers uniform in [0, 1).

    Args:
        lengths: the shape: lengths one by one, or one sequence of them.
        size: the shape by keyword.
        generator: the generator of random numbers; the device's default one for None.
        out: a tensor to write the result to.
        dtype: the dtype; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.

    Returns:
        The numbers.

    Raises:
        ArgumentTypeError: the shape is absent, or an argument is of another type.
        ShapeError: a length is negative.
        OpNotImplemented: the dtype holds integers.

    >>> _ = torch.manual_seed(0)
    >>> torch.rand(3)
    tensor([0.4963, 0.7682, 0.0885])
    """
    if layout is not None and layout is not strided:
        refuse_layout("rand", layout)
    shape: Any = lengths if lengths and lengths[0].__class__ is int else shape_of("rand", lengths, size)
    if out is not None and dtype is None:
        dtype = out.dtype
    array = nd.rand(shape, dtype=dtype, device=device, generator=generator)
    return written("rand", out, array, requires_grad) if out is not None or requires_grad else tensor_of(array)


@torch_function
def randn(
    *lengths: int | Sequence[int],
    size: Sequence[int] | None = None,
    generator: Generator | None = None,
    out: Tensor | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Make a tensor of random numbers of the standard normal distribution.

    Args:
        lengths: the shape: lengths one by one, or one sequence of them.
        size: the shape by keyword.
        generator: the generator of random numbers; the device's default one for None.
        out: a tensor to write the result to.
        dtype: the dtype; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.

    Returns:
        The numbers; for a complex dtype, half of the variance is the real part's and half the imaginary part's.

    Raises:
        ArgumentTypeError: the shape is absent, or an argument is of another type.
        ShapeError: a length is negative.
        OpNotImplemented: the dtype holds integers.

    >>> _ = torch.manual_seed(0)
    >>> torch.randn(3)
    tensor([ 1.5410, -0.2934, -2.1788])
    """
    if layout is not None and layout is not strided:
        refuse_layout("randn", layout)
    shape: Any = lengths if lengths and lengths[0].__class__ is int else shape_of("randn", lengths, size)
    if out is not None and dtype is None:
        dtype = out.dtype
    array = nd.randn(shape, dtype=dtype, device=device, generator=generator)
    return written("randn", out, array, requires_grad) if out is not None or requires_grad else tensor_of(array)


@overload
def randint(
    high: int,
    size: Sequence[int],
    *,
    generator: Generator | None = None,
    out: Tensor | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor: ...
@overload
def randint(
    low: int,
    high: int,
    size: Sequence[int],
    *,
    generator: Generator | None = None,
    out: Tensor | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor: ...
@torch_function  # type: ignore[misc]  # one bound alone is the upper one, by position the first
def randint(
    low: Any = None,
    high: Any = None,
    size: Any = None,
    *,
    generator: Generator | None = None,
    out: Tensor | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Make a tensor of random integers in [low, high).

    Args:
        low: the lowest integer; 0 where only one bound is given.
        high: one above the highest integer.
        size: the shape.
        generator: the generator of random numbers; the device's default one for None.
        out: a tensor to write the result to.
        dtype: the dtype; int64 for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.

    Returns:
        The integers.

    Raises:
        ArgumentTypeError: `high` or `size` is absent, or `size` is no sequence of integers.
        ShapeError: the range is empty, or a length is negative.
        AutogradError: gradients are wanted of integers.

    >>> _ = torch.manual_seed(0)
    >>> torch.randint(10, (4,))
    tensor([4, 9, 3, 0])
    """
    if layout is not None and layout is not strided:
        refuse_layout("randint", layout)
    if size is None:
        low, high, size = 0, low, high
    elif high is None:
        low, high = 0, low
    elif low is None:
        low = 0
    if high is None or size is None:
        raise ArgumentTypeError("randint() takes a bound and a size, or two bounds and a size")
    shape = size if size.__class__ is tuple else int_tuple("randint", "size", size)
    if dtype is None:
        dtype = nd.int64 if out is None else out.dtype
    array = nd.randint(low, high, shape, dtype=dtype, device=device, generator=generator)
    return written("randint", out, array, requires_grad) if out is not None or requires_grad else tensor_of(array)


@torch_function
def randperm(
    n: int,
    *,
    generator: Generator | None = None,
    out: Tensor | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Make a random permutation of the integers 0 to n - 1.

    Args:
        n: how many integers.
        generator: the generator of random numbers; the device's default one for None.
        out: a tensor to write the result to.
        dtype: the dtype; int64 for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.

    Returns:
        The integers (n,).

    Raises:
        ShapeError: n is negative.
        AutogradError: gradients are wanted of integers.

    >>> _ = torch.manual_seed(0)
    >>> torch.randperm(4)
    tensor([0, 1, 3, 2])
    """
    if layout is not None and layout is not strided:
        refuse_layout("randperm", layout)
    if dtype is None:
        dtype = nd.int64 if out is None else out.dtype
    array = nd.randperm(n, dtype=dtype, device=device, generator=generator)
    return written("randperm", out, array, requires_grad)
