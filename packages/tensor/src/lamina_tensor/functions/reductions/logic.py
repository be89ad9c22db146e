"""Whether any item is nonzero, and whether all are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lamina_ndarray as nd
from lamina_flatarray import DTypeError
from lamina_ndarray.reductions.folds import reduced

from ...dispatch.out import written
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...tensor_fields import AnyTensor, tensor_of
from .dims import Dims

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["all", "any"]


def _check_out(op: str, out: Tensor | None) -> None:
    if isinstance(out, AnyTensor) and out.dtype not in (nd.bool, nd.uint8):
        raise DTypeError(f"{op} only supports bool tensor for result, got: {out.dtype}")


@torch_function
def any(input: Tensor, dim: Dims = None, keepdim: bool = False, *, out: Tensor | None = None) -> Tensor:
    """Test whether any item over dims is nonzero.

    Args:
        input: the items.
        dim: the dim or dims to reduce: all for None, none for an empty list.
        keepdim: whether reduced dims stay, with length 1.
        out: a tensor to write the result to.

    Returns:
        Booleans, or uint8 where input is uint8: input's shape without the reduced dims; False where there are no items.

    Raises:
        IndexOutOfRange: input has no such dim.
        DTypeError: out has neither booleans nor uint8.

    >>> torch.any(torch.tensor([[False, True], [False, False]]), dim=1)
    tensor([ True, False])
    """
    _check_out("any", out)
    array = input.array
    result = tensor_of(reduced("any", array, dim, keepdim, None))  # type: ignore[arg-type]
    if array.flat.dtype is nd.uint8:
        result = af.astype(result, nd.uint8)
    return result if out is None else written("any", out, result, casts=True)


@torch_function
def all(input: Tensor, dim: Dims = None, keepdim: bool = False, *, out: Tensor | None = None) -> Tensor:
    """Test whether all items over dims are nonzero.

    Args:
        input: the items.
        dim: the dim or dims to reduce: all for None, none for an empty list.
        keepdim: whether reduced dims stay, with length 1.
        out: a tensor to write the result to.

    Returns:
        Booleans, or uint8 where input is uint8: input's shape without the reduced dims; True where there are no items.

    Raises:
        IndexOutOfRange: input has no such dim.
        DTypeError: out has neither booleans nor uint8.

    >>> torch.all(torch.tensor([[True, True], [False, True]]), dim=1)
    tensor([ True, False])
    """
    _check_out("all", out)
    array = input.array
    result = tensor_of(reduced("all", array, dim, keepdim, None))  # type: ignore[arg-type]
    if array.flat.dtype is nd.uint8:
        result = af.astype(result, nd.uint8)
    return result if out is None else written("all", out, result, casts=True)
