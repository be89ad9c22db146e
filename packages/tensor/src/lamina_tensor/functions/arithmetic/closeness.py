"""Whether tensors are equal, or close: |input - other| <= atol + rtol * |other|."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lamina_ndarray as nd

from ...dispatch.out import check_tensors
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...tensor_fields import AnyTensor

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["allclose", "equal", "isclose"]


@torch_function
def equal(input: Tensor, other: Tensor) -> bool:
    """Test whether two tensors have the same shape and equal items. NaN equals nothing.

    Args:
        input: a tensor.
        other: another, of any dtype.

    Returns:
        One bool, not a tensor.

    Raises:
        TypeError: one of them is no tensor.

    >>> torch.equal(torch.tensor([1, 2]), torch.tensor([1, 2]))
    True
    """
    if not (isinstance(input, AnyTensor) and isinstance(other, AnyTensor)):
        check_tensors("equal", input, other)
    return nd.array_equal(input.array, other.array)


@torch_function(strict=True)
def isclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    """Test item by item whether two tensors are close: `|input - other| <= atol + rtol * |other|`.

    Args:
        input: a tensor.
        other: another of the same dtype, whose shape broadcasts with input's.
        rtol: the relative tolerance.
        atol: the absolute tolerance.
        equal_nan: whether NaN is close to NaN. Infinities are close to themselves only.

    Returns:
        Booleans of the broadcast shape.

    Raises:
        DTypeError: the dtypes differ.
        ShapeError: a tolerance is negative, or the shapes do not broadcast.
        TypeError: one of them is no tensor.

    >>> torch.isclose(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.1]))
    tensor([ True, False])
    """
    check_tensors("isclose", input, other)
    return af.isclose(input, other, rtol, atol, equal_nan)


@torch_function(strict=True)
def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Test whether all items of two tensors are close: `|input - other| <= atol + rtol * |other|`.

    Args:
        input: a tensor.
        other: another of the same dtype, whose shape broadcasts with input's.
        rtol: the relative tolerance.
        atol: the absolute tolerance.
        equal_nan: whether NaN is close to NaN. Infinities are close to themselves only.

    Returns:
        One bool, not a tensor.

    Raises:
        DTypeError: the dtypes differ.
        ShapeError: a tolerance is negative, or the shapes do not broadcast.
        TypeError: one of them is no tensor.

    >>> torch.allclose(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.0 + 1e-9]))
    True
    """
    check_tensors("allclose", input, other)
    return bool(af.allclose(input, other, rtol, atol, equal_nan))
