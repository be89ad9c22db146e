"""Random numbers whose distribution is given item by item."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast, overload

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError, DTypeError

from ...autograd.recording import recorded
from ...autograd.rules import RULES
from ...devices.memory_formats import strided
from ...dispatch.out import check_tensors
from ...dispatch.torch_function import torch_function
from ...methods.shapes.sizes import int_tuple
from ...tensor_fields import AnyTensor
from .options import refuse_layout, written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lamina_flatarray import DType
    from lamina_flatarray.random import Generator

    from ...devices.memory_formats import layout as Layout
    from ...tensor_class import Tensor
    from ...tensor_fields import Number
    from .options import DeviceLike

__all__ = ["bernoulli", "multinomial", "normal", "poisson"]


@overload
def normal(
    mean: Tensor, std: Tensor | float = 1.0, *, generator: Generator | None = None, out: Tensor | None = None
) -> Tensor: ...
@overload
def normal(mean: float, std: Tensor, *, generator: Generator | None = None, out: Tensor | None = None) -> Tensor: ...
@overload
def normal(
    mean: float,
    std: float,
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
@torch_function
def normal(
    mean: Tensor | Number,
    std: Tensor | Number = 1.0,
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
    """Make a tensor of random numbers of normal distributions.

    Args:
        mean: the mean, or a tensor of means.
        std: the standard deviation, or a tensor of them.
        size: the shape, where both are numbers.
        generator: the generator of random numbers; the device's default one for None.
        out: a tensor to write the result to.
        dtype: with `size`: the dtype; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: with `size`: the device; the default device for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: with `size`: whether gradients are wanted.

    Returns:
        One number for each mean and deviation, broadcast to each other, in the dtype of the first tensor among them.

    Raises:
        ArgumentTypeError: both are numbers and there is no size.
        ShapeError: a deviation is negative, or the shapes do not broadcast.
        OpNotImplemented: the dtype holds integers.

    >>> torch.normal(torch.tensor([1.0, 2.0]), torch.zeros(2))
    tensor([1., 2.])
    >>> torch.normal(0.0, 1.0, (2, 3)).shape
    lamina.Size([2, 3])
    """
    if layout is not None and layout is not strided:
        refuse_layout("normal", layout)
    mean_array = mean.array if isinstance(mean, AnyTensor) else mean
    std_array = std.array if isinstance(std, AnyTensor) else std
    if size is not None:
        if out is not None and dtype is None:
            dtype = out.dtype
        array = nd.empty(int_tuple("normal", "size", size), dtype=dtype, device=device)
        nd.normal_(array, cast(float, mean), cast(float, std), generator=generator)
        array.flat.version = 0  # nobody saw it before
        return written("normal", out, array, requires_grad, warns=True)
    if mean_array is mean and std_array is std:
        raise ArgumentTypeError("normal() missing 1 required argument: 'size', as mean and std are numbers")
    array = nd.normal(mean_array, std_array, generator=generator)
    return recorded(RULES["normal"], array, (mean, std)) if out is None else written("normal", out, array, casts=True, warns=True)


@torch_function
def bernoulli(
    input: Tensor, p: float | None = None, *, generator: Generator | None = None, out: Tensor | None = None
) -> Tensor:
    """Make a tensor of ones and zeros at random.

    Args:
        input: the probability of 1, for each item.
        p: the probability of 1 for all items; those of input for None.
        generator: the generator of random numbers; the device's default one for None.
        out: a tensor to write the result to.

    Returns:
        1 or 0 for each item, in input's dtype; the gradient is 0.

    Raises:
        ArgumentTypeError: input is no tensor.
        ShapeError: a probability is not within [0, 1].

    >>> torch.bernoulli(torch.tensor([0.0, 1.0]))
    tensor([0., 1.])
    """
    if not isinstance(input, AnyTensor):
        check_tensors("bernoulli", input)
    array = nd.bernoulli(input.array, p, generator=generator)
    if out is None:
        return recorded(RULES["bernoulli"], array, (input,))
    return written("bernoulli", out, nd.astype(array, out.dtype))


@torch_function
def poisson(input: Tensor, generator: Generator | None = None) -> Tensor:
    """Make a tensor of random numbers of Poisson distributions.

    Args:
        input: the rate, for each item.
        generator: the generator of random numbers; the device's default one for None.

    Returns:
        The counts, in input's dtype; the gradient is 0.

    Raises:
        ArgumentTypeError: input is no tensor.
        RandomError: a rate is negative, infinite or NaN.

    >>> torch.poisson(torch.zeros(3))
    tensor([0., 0., 0.])
    """
    if not isinstance(input, AnyTensor):
        check_tensors("poisson", input)
    return recorded(RULES["poisson"], nd.poisson(input.array, generator=generator), (input,))


@torch_function
def multinomial(
    input: Tensor,
    num_samples: int,
    replacement: bool = False,
    *,
    generator: Generator | None = None,
    out: Tensor | None = None,
) -> Tensor:
    """Sample indices of each row of weights.

    Args:
        input: the weights (categories,) or (rows, categories), which need not add up to 1.
        num_samples: how many samples of each row.
        replacement: whether an index may be sampled more than once.
        generator: the generator of random numbers; the device's default one for None.
        out: a tensor to write the result to.

    Returns:
        The indices (num_samples,) or (rows, num_samples), in int64.

    Raises:
        ArgumentTypeError: input is no tensor.
        ShapeError: input has other dims, or there are fewer categories than samples without replacement.
        RandomError: a weight is negative or not finite, or a row has none above 0.
        DTypeError: `out` does not hold int64.

    >>> torch.multinomial(torch.tensor([0.0, 1.0, 0.0]), 3, replacement=True)
    tensor([1, 1, 1])
    """
    if not isinstance(input, AnyTensor):
        check_tensors("multinomial", input)
    if out is not None and out.dtype is not nd.int64:
        raise DTypeError(f"multinomial expects Long tensor out, got: {out.dtype.name}")
    return written("multinomial", out, nd.multinomial(input.array, num_samples, replacement, generator=generator))
