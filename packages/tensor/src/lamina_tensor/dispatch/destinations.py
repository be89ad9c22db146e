"""`out=` for functions whose result must not be written over what they read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from lamina_flatarray import ShapeError
from lamina_ndarray import NDArray

from ..tensor_fields import AnyTensor
from .out import written

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = ["placed", "with_out"]


def with_out(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with an argument `out`, of the result's shape and dtype.

    Raises (when called):
        ShapeError: `out` shares memory with an operand, or with itself.
        DTypeError: `out` has another dtype, or is no tensor.
        TypeError: `out` is no tensor.
    """

    def call(*args: Any, out: Tensor | None = None, **params: Any) -> Any:
        result = function(*args, **params)
        return result if out is None else placed(function.__name__, out, result, (*args, *params.values()))

    call.__name__ = call.__qualname__ = function.__name__
    call.__doc__ = function.__doc__
    call.__wrapped__ = getattr(function, "__wrapped__", function)  # type: ignore[attr-defined]
    return call


def placed(op: str, out: Tensor, result: Tensor, operands: Any, *, casts: bool = False, row_major: bool = False) -> Tensor:
    """A result copied to `out`, which shares no memory with the operands, and comes back; of the result's dtype, unless it casts.

    Raises:
        ShapeError, DTypeError, TypeError: as `with_out`.
    """
    if isinstance(out, AnyTensor):
        _refuse_operands(op, out.array, operands)
    return written(op, out, result, casts=casts, row_major=row_major)  # type: ignore[no-any-return]


def _refuse_operands(op: str, out: NDArray, operands: Any) -> None:
    for x in operands:
        if isinstance(x, (list, tuple)):
            _refuse_operands(op, out, x)
        elif isinstance(x, AnyTensor) and _may_share(out, x.array):
            raise ShapeError(
                f"{op}: unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
                "single memory location. Please clone() the tensor before performing the operation."
            )


def _may_share(a: NDArray, b: NDArray) -> bool:
    """Whether the stretches of memory that two arrays span meet: exact enough, as NumPy's bounds are."""
    if a.backend.host and b.backend.host:
        return np.may_share_memory(a.numpy(), b.numpy())
    return a.flat.memory is b.flat.memory
