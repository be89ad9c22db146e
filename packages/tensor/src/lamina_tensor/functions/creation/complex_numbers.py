"""Complex tensors of two real ones. `out` must have the dtype of the result, as in PyTorch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina_flatarray import DTypeError

from ...dispatch.out import check_tensors
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...tensor_fields import AnyTensor
from .options import written

if TYPE_CHECKING:
    from ...tensor_class import Tensor

__all__ = ["complex", "polar"]


@torch_function(strict=True)
def complex(real: Tensor, imag: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Join real and imaginary parts. The shapes broadcast.

    Args:
        real: the real parts, in float16, float32 or float64.
        imag: the imaginary parts, in the same dtype.
        out: a tensor to write the result to.

    Returns:
        `real + 1j * imag`.

    Raises:
        ArgumentTypeError: an operand is no tensor.
        DTypeError: the parts have different dtypes, or `out` another one.
        ShapeError: the shapes do not broadcast.

    >>> torch.complex(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))
    tensor([1.+3.j, 2.+4.j])
    """
    if not (isinstance(real, AnyTensor) and isinstance(imag, AnyTensor)):
        check_tensors("complex", real, imag)
    result: Tensor = af.complex(real, imag)
    return result if out is None else written_as_is("complex", out, result)


@torch_function(autocast="float32", strict=True)
def polar(abs: Tensor, angle: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Make complex numbers of absolute values and angles. The shapes broadcast.

    Args:
        abs: the absolute values, in float32 or float64.
        angle: the angles in radians, in the same dtype.
        out: a tensor to write the result to.

    Returns:
        `abs * (cos(angle) + 1j * sin(angle))`.

    Raises:
        ArgumentTypeError: an operand is no tensor.
        DTypeError: the operands have different dtypes, or `out` another one.
        ShapeError: the shapes do not broadcast.

    >>> torch.polar(torch.tensor([1.0, 2.0]), torch.tensor([0.0, 0.0]))
    tensor([1.+0.j, 2.+0.j])
    """
    if not (isinstance(abs, AnyTensor) and isinstance(angle, AnyTensor)):
        check_tensors("polar", abs, angle)
    result: Tensor = af.polar(abs, angle)
    return result if out is None else written_as_is("polar", out, result)


def written_as_is(op: str, out: Tensor, result: Tensor) -> Tensor:
    """The result written to an `out` of the same dtype.

    Raises:
        DTypeError: it has another one.
    """
    if out.dtype is not result.dtype:
        raise DTypeError(f"{op}: expected object of scalar type {result.dtype.name} but got {out.dtype.name} for 'out'")
    return written(op, out, result.array, warns=True)
