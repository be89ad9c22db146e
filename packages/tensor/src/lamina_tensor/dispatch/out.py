"""`out=`: results copied to where the caller wants them; and operands that may not be numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lamina_flatarray import ArgumentTypeError, AutogradError, DTypeError
from lamina_ndarray import Layout
from lamina_ndarray.array_fields import empty_of
from lamina_ndarray.dispatch.operands import destination, finish

from ..tensor_fields import AnyTensor

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["check_tensors", "fit", "written"]


def written(op: str, out: Any, result: Any) -> Any:
    """Results copied to where the caller wants them, which comes back.

    Raises:
        ShapeError: the shapes differ, and out has items.
        DTypeError: a result cannot be cast to out's dtype, or one of several is not of it.
        AutogradError: gradients would have to flow through `out`.
        ArgumentTypeError: `out` is no tensor, or no tuple of as many as there are results.
    """
    if isinstance(result, tuple):
        if not isinstance(out, (tuple, list)) or len(out) != len(result):
            actual = len(out) if isinstance(out, (tuple, list)) else type(out).__name__
            raise ArgumentTypeError(f"{op}(): argument 'out' must be a tuple of {len(result)} Tensors, but got {actual}")
        for place, part in zip(out, result, strict=True):
            if place.dtype is not part.dtype:
                raise DTypeError(f"{op}(): Expected out tensor to have dtype {part.dtype!r}, but got {place.dtype!r} instead")
        return type(result)(*[written(op, place, part) for place, part in zip(out, result, strict=True)])
    if not isinstance(out, AnyTensor):
        raise TypeError(f"{op}(): argument 'out' must be Tensor, not {type(out).__name__}")
    if out.requires_grad or result.requires_grad:
        raise AutogradError(f"{op}(): functions with out=... arguments don't support automatic differentiation")
    source = result.array
    fit(out, source.layout.shape)
    target = destination(op, out.array, source.layout.shape, source.dtype, (source,))
    source.flat.kernels["copy"](target, source)
    finish(out.array, target)
    return out


def fit(out: Tensor, shape: tuple[int, ...]) -> None:
    """Give an `out` without items a result's shape, and memory for it: nothing is lost."""
    array = out.array
    if array.layout.size == 0 and array.layout.shape != shape:
        out.array, out.base = empty_of(array.flat.kernels, Layout.dense(shape)), None


def check_tensors(op: str, *operands: Any) -> None:
    """Refuse numbers where PyTorch does.

    Raises:
        TypeError: one of the operands is no tensor.
    """
    for place, x in enumerate(operands, 1):
        if not isinstance(x, AnyTensor):
            raise TypeError(f"{op}(): argument {place} must be Tensor, not {type(x).__name__}")
