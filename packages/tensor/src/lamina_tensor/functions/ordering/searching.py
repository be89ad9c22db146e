"""Where values belong in sorted sequences, and whether they are among others."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from lamina_flatarray import ArgumentTypeError, promote_types
from lamina_ndarray.dispatch.operands import refuse_booleans

from ...dispatch.out import written
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...tensor_fields import AnyTensor

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["bucketize", "isin", "searchsorted"]


@overload
def searchsorted(
    sorted_sequence: Tensor, input: Tensor | float, *, out_int32: bool = False, right: bool = False, side: str | None = None,
    sorter: Tensor | None = None, out: Tensor | None = None,
) -> Tensor: ...  # fmt: skip
@overload
def searchsorted(
    sorted_sequence: Tensor, *, self: float, out_int32: bool = False, right: bool = False, side: str | None = None,
    sorter: Tensor | None = None, out: Tensor | None = None,
) -> Tensor: ...  # fmt: skip
@torch_function
def searchsorted(
    sorted_sequence: Tensor, input: Tensor | float | None = None, *, out_int32: bool = False, right: bool = False,
    side: str | None = None, sorter: Tensor | None = None, out: Tensor | None = None, self: float | None = None,
) -> Tensor:  # fmt: skip
    """Find the indices at which values would have to be inserted into sorted sequences to keep them sorted.

    Args:
        sorted_sequence: one ascending vector; or one per row of input, along the last dim.
        input: the values: a tensor, or a number for one vector. NaN is the greatest.
        out_int32: whether indices are int32 instead of int64.
        right: whether to insert behind equal items instead of before them.
        side: "right" or "left", which says the same.
        sorter: the int64 indices that sort a sequence which is not.
        out: a tensor to write the result to.
        self: input by the name that PyTorch gives a number.

    Returns:
        The indices, of input's shape.

    Raises:
        ShapeError: the shapes do not fit, or `side` is another word or contradicts `right`.
        DTypeError: the numbers are complex.
        IndexOutOfRange: `sorter` has an index outside of the sequence.

    >>> torch.searchsorted(torch.tensor([1, 3, 5]), torch.tensor([3, 6]))
    tensor([1, 3])
    """
    values = self if input is None else input
    if values is None:
        raise ArgumentTypeError("searchsorted(): missing argument 'input'")
    if isinstance(values, AnyTensor) and values.array.flat.dtype is not sorted_sequence.array.flat.dtype:
        dtype = promote_types(values.array.flat.dtype, sorted_sequence.array.flat.dtype)
        values, sorted_sequence = af.astype(values, dtype), af.astype(sorted_sequence, dtype)
    refuse_booleans("searchsorted", sorted_sequence.array.flat.dtype)
    result = af.searchsorted(sorted_sequence, values, out_int32=out_int32, right=right, side=side, sorter=sorter)
    return result if out is None else written("searchsorted", out, result)


@overload
def bucketize(
    input: Tensor | float, boundaries: Tensor, *, out_int32: bool = False, right: bool = False, out: Tensor | None = None
) -> Tensor: ...
@overload
def bucketize(*, self: float, boundaries: Tensor, out_int32: bool = False, right: bool = False) -> Tensor: ...
@torch_function
def bucketize(
    input: Tensor | float | None = None, boundaries: Tensor | None = None, *, out_int32: bool = False, right: bool = False,
    out: Tensor | None = None, self: float | None = None,
) -> Tensor:  # fmt: skip
    """Find the index of the interval between boundaries that each item lies in.

    Args:
        input: the items: a tensor or a number.
        boundaries: an ascending vector.
        out_int32: whether indices are int32 instead of int64.
        right: whether an interval contains its left boundary instead of its right one.
        out: a tensor to write the result to.
        self: input by the name that PyTorch gives a number.

    Returns:
        The indices, of input's shape: 0 up to the first boundary, the number of boundaries behind the last.

    Raises:
        ShapeError: boundaries is no vector.
        DTypeError: the numbers are complex.

    >>> torch.bucketize(torch.tensor([0, 3, 9]), torch.tensor([1, 3, 5]))
    tensor([0, 1, 3])
    """
    values = self if input is None else input
    if values is None or boundaries is None:
        raise ArgumentTypeError(f"bucketize(): missing argument '{'boundaries' if values is not None else 'input'}'")
    refuse_booleans("bucketize", boundaries.array.flat.dtype)
    result = af.bucketize(values, boundaries, out_int32=out_int32, right=right)
    return result if out is None else written("bucketize", out, result)


@overload
def isin(
    elements: Tensor, test_elements: Tensor | complex, *, assume_unique: bool = False, invert: bool = False,
    out: Tensor | None = None,
) -> Tensor: ...  # fmt: skip
@overload
def isin(
    elements: complex, test_elements: Tensor, *, assume_unique: bool = False, invert: bool = False, out: Tensor | None = None
) -> Tensor: ...
@overload
def isin(
    *, element: complex, test_elements: Tensor, assume_unique: bool = False, invert: bool = False, out: Tensor | None = None
) -> Tensor: ...
@overload
def isin(
    elements: Tensor, *, test_element: complex, assume_unique: bool = False, invert: bool = False, out: Tensor | None = None
) -> Tensor: ...
@torch_function
def isin(
    elements: Tensor | complex | None = None, test_elements: Tensor | complex | None = None, *, assume_unique: bool = False,
    invert: bool = False, out: Tensor | None = None, element: complex | None = None, test_element: complex | None = None,
) -> Tensor:  # fmt: skip
    """Test for each item whether it is among the test items.

    Args:
        elements: the items: a tensor or a number.
        test_elements: the test items: a tensor or a number, a tensor if the items are a number.
        assume_unique: accepted; nothing is gained by it.
        invert: whether to test that it is not among them.
        out: a tensor to write the result to.
        element: elements by the name that PyTorch gives a number.
        test_element: test_elements by the name that PyTorch gives a number.

    Returns:
        Booleans of the shape of the items.

    Raises:
        ArgumentTypeError: neither is a tensor.

    >>> torch.isin(torch.tensor([1, 2, 3]), torch.tensor([2, 3, 4]))
    tensor([False,  True,  True])
    """
    items = element if elements is None else elements
    tests = test_element if test_elements is None else test_elements
    if not (isinstance(items, AnyTensor) or isinstance(tests, AnyTensor)):
        raise ArgumentTypeError(
            f"isin(): at least one of elements and test_elements must be Tensor, not {type(items).__name__} and "
            f"{type(tests).__name__}"
        )
    result = af.isin(items, tests, assume_unique=assume_unique, invert=invert)
    return result if out is None else written("isin", out, result)
