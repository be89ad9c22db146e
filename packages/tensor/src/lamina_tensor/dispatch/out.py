"""`out=`: results copied to where the caller wants them; and operands that may not be numbers."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from lamina_flatarray import ArgumentTypeError, AutogradError, DTypeError, FlatArray
from lamina_flatarray.modes import NO_GRAD, word
from lamina_flatarray.promotion import can_cast
from lamina_ndarray import Layout, NDArray
from lamina_ndarray.dispatch.operands import destination, finish

from ..tensor_fields import AnyTensor, TensorFields

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ..tensor_class import Tensor

__all__ = ["check_tensors", "computed_in", "resize", "written"]


def written(op: str, out: Any, result: Any, *, casts: bool = False, warns: bool = True, row_major: bool = False) -> Any:
    """Results copied to where the caller wants them, which comes back. An `out` of another shape takes the result's, with a warning where
    it had items: it may be a mistake, and other tensors may share its memory.

    Args:
        op: whom errors name.
        out: a tensor, or as many as there are results.
        result: a tensor, or a named tuple of them.
        casts: whether `out` may be of another dtype that the result can be cast to, as PyTorch's of some functions may.
        warns: whether to warn where an `out` with items is resized.
        row_major: whether an `out` that is resized lies row by row, as PyTorch's of some functions do, instead of in the result's order.

    Raises:
        ShapeError: several of out's indices share an item.
        DTypeError: out's dtype is not the result's, or the result cannot be cast to it.
        AutogradError: gradients would have to flow through `out`.
        ArgumentTypeError: `out` is no tensor, or no tuple of as many as there are results.
    """
    if isinstance(result, tuple):
        if not isinstance(out, (tuple, list)) or len(out) != len(result):
            actual = len(out) if isinstance(out, (tuple, list)) else type(out).__name__
            raise ArgumentTypeError(f"{op}(): argument 'out' must be a tuple of {len(result)} Tensors, but got {actual}")
        for place, part in zip(out, result, strict=True):
            _check_dtype(op, place, part.dtype, casts)
        return type(result)(*[written(op, *both, casts=casts, row_major=row_major) for both in zip(out, result, strict=True)])
    _check_dtype(op, out, result.dtype, casts)
    if result.requires_grad or (out.requires_grad and not word.get() & NO_GRAD):
        raise AutogradError(f"{op}(): functions with out=... arguments don't support automatic differentiation")
    source = result.array
    layout = out.array.layout
    if layout.shape != source.layout.shape and not layout.overlaps and can_cast(source.dtype, out.array.dtype):
        _fit(out, Layout.dense(source.layout.shape) if row_major else source.layout.result, warns)
    target = destination(op, out.array, source.layout.shape, source.dtype, (source,))
    source.flat.kernels["copy"](target, source)
    finish(out.array, target)
    return out


def _check_dtype(op: str, out: Any, dtype: DType, casts: bool) -> None:
    if not isinstance(out, AnyTensor):
        raise TypeError(f"{op}(): argument 'out' must be Tensor, not {type(out).__name__}")
    if out.dtype is not dtype and not casts:
        raise DTypeError(f"{op}(): Expected out tensor to have dtype {dtype!r}, but got {out.dtype!r} instead")


def computed_in(dtype: DType | None, out: Any) -> DType | None:
    """The dtype that items are cast to before they are added or multiplied: as it is asked for, else that of `out`, None without either."""
    return dtype if dtype is not None or not isinstance(out, AnyTensor) else out.dtype


def _fit(out: Tensor, wanted: Layout, warns: bool) -> None:
    layout = out.array.layout
    if layout.size and warns:
        warnings.warn(
            f"An output with one or more elements was resized since it had shape {list(layout.shape)}, which does not match the required"
            f" output shape {list(wanted.shape)}. If that is meant, give one without elements, as out.resize_(0) returns.",
            stacklevel=4,
        )
    resize(out, wanted)


def resize(tensor: TensorFields, layout: Layout) -> None:
    """Give a tensor the shape and strides of a dense layout, from where it begins in its memory. Where that is too short, what there is
    is copied to a longer one, whose rest is uninitialised."""
    offset, flat = tensor.array.layout.offset, tensor.array.flat
    if offset + layout.size > flat.size:
        flat = FlatArray.of(flat.kernels, offset + layout.size)
        flat[: tensor.array.flat.size] = tensor.array.flat
        flat.version = tensor.array.flat.version
    tensor.array, tensor.base = NDArray(flat, Layout.of(layout.shape, layout.strides, offset)), None


def check_tensors(op: str, *operands: Any) -> None:
    """Refuse numbers where PyTorch does.

    Raises:
        TypeError: one of the operands is no tensor.
    """
    for place, x in enumerate(operands, 1):
        if not isinstance(x, AnyTensor):
            raise TypeError(f"{op}(): argument {place} must be Tensor, not {type(x).__name__}")
