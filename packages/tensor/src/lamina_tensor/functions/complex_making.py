"""Complex tensors of two real ones; `out` must hold the very dtype of the result, as PyTorch wants it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lamina_ndarray as nd
from lamina_flatarray import DTypeError

from ..dispatch.lifting import lifted
from ..precision.casts import autocasting
from .creation import written

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = ["complex", "polar"]

_complex, _polar = lifted(nd.complex), lifted(nd.polar)


def _of_dtype(op: str, out: Tensor, made: Tensor) -> Tensor:
    if out.dtype is not made.dtype:
        raise DTypeError(f"{op}: expected object of scalar type {made.dtype.name} but got {out.dtype.name} for 'out'")
    return written(op, out, made.array)


def complex(real: Tensor, imag: Tensor, *, out: Tensor | None = None) -> Tensor:
    """real + i imag, of one real dtype; the shapes broadcast.

    Raises:
        DTypeError: the parts, or `out`, have another dtype.
    """
    made: Tensor = _complex(real, imag)
    return made if out is None else _of_dtype("complex", out, made)


def polar(abs: Tensor, angle: Tensor, *, out: Tensor | None = None) -> Tensor:
    """abs (cos angle + i sin angle), of one real dtype; the shapes broadcast.

    Raises:
        DTypeError: the operands, or `out`, have another dtype.
    """
    made: Tensor = _polar(abs, angle)
    return made if out is None else _of_dtype("polar", out, made)


polar = autocasting("polar", polar)
