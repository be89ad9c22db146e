"""Sums item by item of a tensor and a weighted product, quotient or difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina_flatarray import DTypeError
from lamina_ndarray.creation.scalars import fitting
from lamina_ndarray.dispatch.operands import described

from ...dispatch.out import written
from ...dispatch.tensor_functions import FUNCTIONS
from ...dispatch.torch_function import torch_function
from ...tensor_fields import AnyTensor

if TYPE_CHECKING:
    from ...tensor_class import Tensor
    from ...tensor_fields import Number

__all__ = ["addcdiv", "addcmul", "lerp"]


def whole_weight(value: Number, *tensors: Tensor) -> Number:
    """A weight as a sum of these tensors takes it: truncated to an integer where all of them are integers."""
    dtypes = []
    for x in tensors:
        if isinstance(x, AnyTensor):
            if x.array.flat.dtype.kind not in "ui":
                return value
            dtypes.append(x.array.flat.dtype)
    return int(fitting("addcmul", value, dtypes[0]).real) if dtypes else int(value)  # type: ignore[arg-type]


@torch_function(strict=True)
def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1, out: Tensor | None = None) -> Tensor:
    """Compute `input + value * tensor1 * tensor2`.

    Args:
        input: a tensor.
        tensor1: a tensor.
        tensor2: a tensor; the three shapes broadcast.
        value: the weight of the product; truncated to an integer where all tensors are integers.
        out: where to write the result.

    Returns:
        The sums, of the broadcast shape.

    Raises:
        ShapeError: the shapes do not broadcast.

    >>> torch.addcmul(torch.zeros(2), torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]), value=2)
    tensor([ 6., 16.])
    """
    if value.__class__ is float:
        value = whole_weight(value, input, tensor1, tensor2)
    result: Tensor = FUNCTIONS["addcmul"](input, tensor1, tensor2, value=value)
    return result if out is None else written("addcmul", out, result, casts=True)


@torch_function(strict=True)
def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: Number = 1, out: Tensor | None = None) -> Tensor:
    """Compute `input + value * tensor1 / tensor2`.

    Args:
        input: a tensor.
        tensor1: a tensor.
        tensor2: a tensor; the three shapes broadcast.
        value: the weight of the quotient.
        out: where to write the result.

    Returns:
        The sums, of the broadcast shape.

    Raises:
        DTypeError: both are whole numbers; divide first, and say how to round.
        ShapeError: the shapes do not broadcast.

    >>> torch.addcdiv(torch.zeros(2), torch.tensor([1.0, 2.0]), torch.tensor([2.0, 8.0]))
    tensor([0.5000, 0.2500])
    """
    if not (tensor1.array.dtype.is_inexact or tensor2.array.dtype.is_inexact):
        raise DTypeError(
            "addcdiv: Integer division with addcdiv is no longer supported; "
            f"{described([tensor1.array, tensor2.array])} given; it wants floating dtypes"
        )
    result: Tensor = FUNCTIONS["addcdiv"](input, tensor1, tensor2, value=value)
    return result if out is None else written("addcdiv", out, result, casts=True)


@torch_function(strict=True)
def lerp(input: Tensor, end: Tensor, weight: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Interpolate linearly: `input + weight * (end - input)`.

    Args:
        input: a tensor.
        end: a tensor of the same dtype.
        weight: a number or a tensor of the same dtype; all shapes broadcast.
        out: where to write the result.

    Returns:
        The interpolated items, of the broadcast shape.

    Raises:
        DTypeError: the dtypes differ, or are whole numbers.
        ShapeError: the shapes do not broadcast.

    >>> torch.lerp(torch.tensor([0.0, 10.0]), torch.tensor([10.0, 20.0]), 0.5)
    tensor([ 5., 15.])
    """
    if not input.array.dtype.is_inexact:
        raise DTypeError(f"lerp: not defined for {input.array.dtype!r}; it wants floating-point or complex numbers")
    for x in (end, weight):
        if isinstance(x, AnyTensor) and x.array.dtype is not input.array.dtype:
            raise DTypeError(f"lerp: expected dtype {input.array.dtype.name}, but got {x.array.dtype.name}")
    result: Tensor = FUNCTIONS["lerp"](input, end, weight)
    return result if out is None else written("lerp", out, result, casts=True)
