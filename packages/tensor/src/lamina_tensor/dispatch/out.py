"""`out=`: results copied to where the caller wants them; and operands that may not be numbers."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import ArgumentTypeError, AutogradError, DTypeError
from lamina_ndarray.dispatch.operands import destination, finish

from ..tensor_fields import AnyTensor

__all__ = ["check_tensors", "written"]


def written(op: str, out: Any, result: Any) -> Any:
    """Results copied to where the caller wants them, which comes back.

    Raises:
        ShapeError: the shapes differ.
        DTypeError: a result cannot be cast to out's dtype, or one of several is not of it.
        AutogradError: gradients would have to flow through `out`.
        ArgumentTypeError: `out` is no tensor, or no tuple of as many as there are results.
    """
    if isinstance(result, tuple):
        if not isinstance(out, (tuple, list)) or len(out) != len(result):
            found = len(out) if isinstance(out, (tuple, list)) else type(out).__name__
            raise ArgumentTypeError(f"{op}(): argument 'out' must be a tuple of {len(result)} Tensors, but got {found}")
        for place, part in zip(out, result, strict=True):
            if place.dtype is not part.dtype:
                raise DTypeError(f"{op}(): Expected out tensor to have dtype {part.dtype!r}, but got {place.dtype!r} instead")
        return type(result)(*[written(op, place, part) for place, part in zip(out, result, strict=True)])
    if not isinstance(out, AnyTensor):
        raise TypeError(f"{op}(): argument 'out' must be Tensor, not {type(out).__name__}")
    if out.requires_grad or result.requires_grad:
        raise AutogradError(f"{op}(): functions with out=... arguments don't support automatic differentiation")
    source = result.array
    target = destination(op, out.array, source.layout.shape, source.dtype, (source,))
    source.flat.kernels["copy"](target, source)
    finish(out.array, target)
    return out


def check_tensors(op: str, *operands: Any) -> None:
    """Refuse numbers where PyTorch does.

    Raises:
        TypeError: one of the operands is no tensor.
    """
    for place, x in enumerate(operands, 1):
        if not isinstance(x, AnyTensor):
            raise TypeError(f"{op}(): argument {place} must be Tensor, not {type(x).__name__}")
