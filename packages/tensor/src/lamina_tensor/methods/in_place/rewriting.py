"""In-place twins of functions that are not in the op table: a result written back, or a view taken over."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import lamina_ndarray as nd
from lamina_flatarray import DTypeError, ShapeError
from lamina_flatarray.modes import NO_GRAD, word
from lamina_flatarray.promotion import can_cast
from lamina_ndarray.indexing import selection

from ...autograd.recording import array_of
from ...tensor_fields import AnyTensor, TensorFields, tensor_of
from .history import check_writable, overwritten, rewritten, setitem

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["fill_diagonal", "overwritten_by", "unrecorded", "written_back"]

T = TypeVar("T", bound=TensorFields)


def written_back(function: Callable[..., Tensor], compute: Callable[..., Any] | None = None) -> Callable[..., Tensor]:
    """The in-place twin of a function whose result has its first input's shape. `compute` is the same of arrays, with `out`: where
    nothing is recorded, it writes the tensor itself, or returns NotImplemented.

    Raises (when called):
        AutogradError: it is a leaf that requires gradients, or a view of one.
        DTypeError: the result's kind does not go into its dtype.
        ShapeError: the result has another shape.
    """

    def in_place(self: Tensor, *args: Any, **params: Any) -> Tensor:
        wants = False
        for x in (*args, *params.values()) if params else args:
            wants = wants or (isinstance(x, AnyTensor) and x.requires_grad)
        recording = not word.get() & NO_GRAD and (wants or self.requires_grad)
        if compute is not None and not recording:
            if self.base is not None and self.base.requires_grad:
                check_writable(function.__name__, self, recorded=wants)
            named = {name: array_of(value) for name, value in params.items()} if params else params
            array = self.array
            if compute(array, *[x.array if isinstance(x, AnyTensor) else x for x in args], **named, out=array) is not NotImplemented:
                return self
        return overwritten_by(function, self, *args, **params)

    in_place.__name__ = in_place.__qualname__ = f"{function.__name__}_"
    in_place.__doc__ = f"`{function.__name__}`, written over the tensor itself."
    return in_place


def overwritten_by(function: Callable[..., Tensor], tensor: T, *args: Any, **params: Any) -> T:
    """The tensor, overwritten by what a function makes of it and of further arguments, which must have its shape.

    Raises:
        AutogradError: it is a leaf that requires gradients, or a view of one.
        DTypeError: the result's kind does not go into its dtype.
        ShapeError: the result has another shape.
    """
    wants = any(isinstance(x, AnyTensor) and x.requires_grad for x in (*args, *params.values()))
    wants = wants and tensor.array.dtype.is_inexact  # whole numbers carry no gradient
    recording = not word.get() & NO_GRAD and (wants or tensor.requires_grad)
    if recording or (tensor.base is not None and tensor.base.requires_grad):
        check_writable(function.__name__, tensor, recorded=wants)
    result = function(_before(tensor) if recording else tensor, *args, **params)
    _check_fits(function.__name__, tensor, result)
    selection.setitem(tensor.array, ..., result.array)
    if recording and result.requires_grad:
        assert result.node is not None
        rewritten(tensor, result.node)
    elif recording and tensor.requires_grad:
        overwritten(tensor)
    return tensor


def _before(tensor: TensorFields) -> Tensor:
    """A copy of what a tensor was before it was written, with its history: a rule may save it."""
    result = tensor_of(nd.copy(tensor.array))
    result.requires_grad, result.node = tensor.requires_grad, tensor.node
    return result


def _check_fits(op: str, tensor: TensorFields, result: Tensor) -> None:
    if result.array.layout.shape != tensor.array.layout.shape:
        raise ShapeError(
            f"{op}_: output with shape {tensor.array.layout.shape} doesn't match the broadcast shape {result.array.layout.shape}"
        )
    if not can_cast(result.array.dtype, tensor.array.dtype):
        raise DTypeError(
            f"{op}_: result type {result.array.dtype.name} can't be cast to the desired output type {tensor.array.dtype.name}"
        )


def unrecorded(op: str, tensor: TensorFields, *operands: Any) -> bool:
    """Whether a tensor may be written to, by what is made of these operands, without a record of it.

    Raises:
        AutogradError: it is a view of what records gradients, and does not.
    """
    if not word.get() & NO_GRAD:
        if tensor.requires_grad:
            return False
        for x in operands:
            if isinstance(x, AnyTensor) and x.requires_grad:
                return False
    if tensor.base is not None and tensor.base.requires_grad:
        check_writable(op, tensor)
    return True


def fill_diagonal(tensor: T, value: Any, wrap: bool = False) -> T:
    """Set the main diagonal to a value, in place; with `wrap`, that of a tall matrix goes on below a row left out.

    Raises:
        ShapeError: there are fewer than two dims, or more of different lengths.
    """
    shape = tensor.array.layout.shape
    if len(shape) < 2 or (len(shape) > 2 and len(set(shape)) > 1):
        raise ShapeError(f"fill_diagonal_: shape {shape} given; it wants two dims, or several of one length")
    rows = nd.arange(shape[0] if wrap and len(shape) == 2 else min(shape), device=tensor.array.device)
    columns = rows % (shape[1] + 1)
    kept = columns < shape[1]
    setitem(tensor, (rows[kept], *[columns[kept]] * (len(shape) - 1)), value)
    return tensor
