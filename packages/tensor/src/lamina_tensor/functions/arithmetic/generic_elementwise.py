"""Functions item by item that are a few ops each, and their forms in place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lamina_flatarray import DTypeError, dtypes

from ...autograd.recording import refuse_complex_numbers
from ...dispatch import return_types
from ...dispatch.elementwise import refuse_numbers
from ...dispatch.out import written
from ...dispatch.tensor_functions import af
from ...dispatch.torch_function import torch_function
from ...methods.in_place.rewriting import overwritten_by

if TYPE_CHECKING:
    from ...tensor_class import Tensor
    from ...tensor_fields import Number

__all__ = [
    "deg2rad", "deg2rad_", "float_power", "float_power_", "frexp", "isneginf", "isposinf", "isreal", "lcm", "lcm_",
    "ldexp", "ldexp_", "nan_to_num", "nan_to_num_", "positive", "rad2deg", "rad2deg_",
]  # fmt: skip


def _result(function: str, result: Any, out: Any, *, casts: bool = False) -> Any:
    return result if out is None else written(function, out, result, casts=casts)


@torch_function
def deg2rad(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Convert angles from degrees to radians.

    Args:
        input: angles in degrees, real.
        out: a tensor to write the result to; it is returned.

    Returns:
        The angles in radians, of input's shape.

    Raises:
        DTypeError: the items are complex.

    >>> torch.deg2rad(torch.tensor([0.0, 180.0]))
    tensor([0.0000, 3.1416])
    """
    return _result("deg2rad", af.deg2rad(input), out, casts=True)  # type: ignore[no-any-return]


@torch_function
def rad2deg(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Convert angles from radians to degrees.

    Args:
        input: angles in radians, real.
        out: a tensor to write the result to; it is returned.

    Returns:
        The angles in degrees, of input's shape.

    Raises:
        DTypeError: the items are complex.

    >>> torch.rad2deg(torch.tensor([0.0, 1.0]))
    tensor([ 0.0000, 57.2958])
    """
    return _result("rad2deg", af.rad2deg(input), out, casts=True)  # type: ignore[no-any-return]


@torch_function
def frexp(input: Tensor, *, out: tuple[Tensor, Tensor] | None = None) -> return_types.frexp:
    """Take numbers apart into mantissas and exponents: `input == mantissa * 2**exponent`.

    Args:
        input: floating-point numbers.
        out: two tensors to write the results to.

    Returns:
        The mantissas, whose magnitudes lie in [0.5, 1), and the exponents in int32. Of 0, infinities and NaN the mantissa is the
        number itself and the exponent 0.

    Raises:
        DTypeError: the items are not floating-point.

    >>> torch.frexp(torch.tensor([8.0, 0.75])).exponent
    tensor([4, 0], dtype=lamina.int32)
    """
    return return_types.frexp(*_result("frexp", af.frexp(input), out))


@torch_function(strict=True)
def ldexp(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Multiply numbers by powers of two: `input * 2**other`.

    Args:
        input, other: tensors of shapes that broadcast together.
        out: a tensor to write the result to; it is returned.

    Returns:
        The products, floating-point or complex.

    Raises:
        ShapeError: the shapes do not broadcast together.
        TypeError: an operand is no tensor.

    >>> torch.ldexp(torch.tensor([1.0]), torch.tensor([1, 2, 3]))
    tensor([2., 4., 8.])
    """
    refuse_numbers("ldexp", input, other)
    return _result("ldexp", af.ldexp(input, other), out, casts=True)  # type: ignore[no-any-return]


@torch_function(strict=True)
def float_power(input: Tensor | Number, exponent: Tensor | Number, *, out: Tensor | None = None) -> Tensor:
    """Raise numbers to powers in double precision.

    Args:
        input, exponent: tensors of shapes that broadcast together; one of them may be a number.
        out: a tensor to write the result to; it is returned.

    Returns:
        The powers in float64, or in complex128 where an operand is complex.

    Raises:
        ShapeError: the shapes do not broadcast together.

    >>> torch.float_power(torch.tensor([1, 2, 3]), 2)
    tensor([1., 4., 9.], dtype=lamina.float64)
    """
    return _result("float_power", af.float_power(input, exponent), out)  # type: ignore[no-any-return]


@torch_function(strict=True)
def lcm(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute least common multiples, which are never negative, and 0 where an operand is 0.

    Args:
        input, other: integers of shapes that broadcast together.
        out: a tensor to write the result to; it is returned.

    Returns:
        The multiples, in the dtype of both operands together.

    Raises:
        DTypeError: the items are not integers.
        ShapeError: the shapes do not broadcast together.
        TypeError: an operand is no tensor.

    >>> torch.lcm(torch.tensor([4, 6]), torch.tensor([6, 9]))
    tensor([12, 18])
    """
    refuse_numbers("lcm", input, other)
    return _result("lcm", af.lcm(input, other), out, casts=True)  # type: ignore[no-any-return]


@torch_function
def nan_to_num(
    input: Tensor, nan: float | None = None, posinf: float | None = None, neginf: float | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Replace NaN and infinities by numbers; each part of a complex number by itself.

    Args:
        input: a tensor of any dtype.
        nan: what NaN becomes; None for 0.
        posinf: what plus infinity becomes; None for the greatest number of the dtype.
        neginf: what minus infinity becomes; None for the smallest number of the dtype.
        out: a tensor to write the result to; it is returned.

    Returns:
        A tensor of input's shape and dtype.

    Raises:
        AutogradError: complex numbers are given, and gradients wanted; PyTorch gives these in place alone.

    >>> torch.nan_to_num(torch.tensor([float("nan"), float("inf"), 1.0]), posinf=9.0)
    tensor([0., 9., 1.])
    """
    refuse_complex_numbers("nan_to_num", input)
    return _result("nan_to_num", af.nan_to_num(input, nan, posinf, neginf), out)  # type: ignore[no-any-return]


@torch_function
def positive(input: Tensor) -> Tensor:
    """Give the tensor itself: the unary plus of numbers.

    Args:
        input: numbers.

    Returns:
        The very tensor.

    Raises:
        DTypeError: the items are booleans.

    >>> torch.positive(torch.tensor([1.0, -2.0]))
    tensor([ 1., -2.])
    """
    return af.positive(input)


@torch_function
def isposinf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Tell which numbers are plus infinity.

    Args:
        input: real numbers.
        out: a boolean tensor to write the result to; it is returned.

    Returns:
        A boolean tensor of input's shape.

    Raises:
        DTypeError: the items are complex.

    >>> torch.isposinf(torch.tensor([float("inf"), -float("inf"), 1.0]))
    tensor([ True, False, False])
    """
    return _result("isposinf", af.isposinf(input), out)  # type: ignore[no-any-return]


@torch_function
def isneginf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Tell which numbers are minus infinity.

    Args:
        input: real numbers.
        out: a boolean tensor to write the result to; it is returned.

    Returns:
        A boolean tensor of input's shape.

    Raises:
        DTypeError: the items are complex.

    >>> torch.isneginf(torch.tensor([float("inf"), -float("inf"), 1.0]))
    tensor([False,  True, False])
    """
    return _result("isneginf", af.isneginf(input), out)  # type: ignore[no-any-return]


@torch_function
def isreal(input: Tensor) -> Tensor:
    """Tell which numbers have an imaginary part of 0, as real numbers always have.

    Args:
        input: a tensor of any dtype.

    Returns:
        A boolean tensor of input's shape.

    >>> torch.isreal(torch.tensor([1 + 0j, 1j]))
    tensor([ True, False])
    """
    return af.isreal(input)


# -- in place -----------------------------------------------------------------------------------------------------------


@torch_function
def deg2rad_(input: Tensor) -> Tensor:
    """Convert degrees to radians in place; see `deg2rad`.

    Args:
        input: the tensor to overwrite, of a floating-point dtype.

    Returns:
        `input`.

    >>> torch.tensor([90.0, 180.0]).deg2rad_()
    tensor([1.5708, 3.1416])
    """
    return overwritten_by(deg2rad, input)


@torch_function
def rad2deg_(input: Tensor) -> Tensor:
    """Convert radians to degrees in place; see `rad2deg`.

    Args:
        input: the tensor to overwrite, of a floating-point dtype.

    Returns:
        `input`.

    >>> torch.tensor([0.0, 3.1415927]).rad2deg_()
    tensor([  0., 180.])
    """
    return overwritten_by(rad2deg, input)


@torch_function(strict=True)
def ldexp_(input: Tensor, other: Tensor) -> Tensor:
    """Multiply by powers of 2 in place: `input * 2**other`; see `ldexp`.

    Args:
        input: the tensor to overwrite, of a floating-point dtype.
        other: the exponents, which broadcast to input's shape.

    Returns:
        `input`.

    >>> torch.tensor([1.0, 0.5]).ldexp_(torch.tensor([3, 2]))
    tensor([8., 2.])
    """
    return overwritten_by(ldexp, input, other)


@torch_function(strict=True)
def float_power_(input: Tensor, exponent: Tensor | Number) -> Tensor:
    """Raise to a power in double precision in place; see `float_power`.

    Args:
        input: the tensor to overwrite, of dtype float64 or complex128.
        exponent: a tensor that broadcasts to input's shape, or a number.

    Returns:
        `input`.

    Raises:
        DTypeError: `input` is not of float64 or complex128, the dtypes of results.

    >>> torch.tensor([4.0, 9.0], dtype=torch.float64).float_power_(0.5)
    tensor([2., 3.], dtype=lamina.float64)
    """
    widest = (dtypes.float64, dtypes.complex128)
    if input.array.dtype not in widest or getattr(exponent, "dtype", None) is dtypes.complex128 is not input.array.dtype:
        raise DTypeError(f"float_power_: the base has dtype {input.array.dtype.name}, but the result is of float64 or complex128")
    return overwritten_by(float_power, input, exponent)


@torch_function(strict=True)
def lcm_(input: Tensor, other: Tensor) -> Tensor:
    """Compute least common multiples in place; see `lcm`.

    Args:
        input: the tensor to overwrite, of an integer dtype.
        other: the other integers, which broadcast to input's shape.

    Returns:
        `input`.

    >>> torch.tensor([4, 6]).lcm_(torch.tensor([6, 9]))
    tensor([12, 18])
    """
    return overwritten_by(lcm, input, other)


@torch_function
def nan_to_num_(input: Tensor, nan: float | None = None, posinf: float | None = None, neginf: float | None = None) -> Tensor:
    """Replace NaN and infinities by numbers in place; see `nan_to_num`.

    Args:
        input: the tensor to overwrite.
        nan: what stands for NaN; 0 by default.
        posinf: what stands for infinity; by default the greatest number of the dtype.
        neginf: what stands for minus infinity; by default the least number of the dtype.

    Returns:
        `input`.

    >>> torch.tensor([float("nan"), 2.0]).nan_to_num_(nan=-1.0)
    tensor([-1.,  2.])
    """
    return overwritten_by(af.nan_to_num, input, nan, posinf, neginf)
