"""Bessel functions, and the Airy function Ai."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dispatch.elementwise import elementwise, unary
from ..dispatch.out import written
from ..dispatch.tensor_functions import af
from ..dispatch.torch_function import torch_function
from ..functions.elementwise.unary import i0

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = [
    "airy_ai",
    "bessel_j0",
    "bessel_j1",
    "bessel_y0",
    "bessel_y1",
    "i0e",
    "i1",
    "i1e",
    "modified_bessel_i0",
    "modified_bessel_i1",
    "modified_bessel_k0",
    "modified_bessel_k1",
    "scaled_modified_bessel_k0",
    "scaled_modified_bessel_k1",
    "spherical_bessel_j0",
]


_AIRY_AI = elementwise("airy_ai", 1)


@torch_function
def airy_ai(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the Airy function Ai.

    Args:
        x: a tensor of real numbers.
        out: where to write the result.

    Returns:
        The values, of `x`'s shape.

    Raises:
        DTypeError: `x` is complex.

    >>> torch.special.airy_ai(torch.tensor([-1.0, 0.0, 1.0]))
    tensor([0.5356, 0.3550, 0.1353])
    """
    return unary(_AIRY_AI, x, out)


_BESSEL_J0 = elementwise("bessel_j0", 1)


@torch_function
def bessel_j0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the Bessel function of the first kind of order 0.

    Args:
        input: a tensor of real numbers.
        out: where to write the result.

    Returns:
        The values, of `input`'s shape.

    Raises:
        DTypeError: `input` is complex.

    >>> torch.special.bessel_j0(torch.tensor([0.0, 1.0, 10.0]))
    tensor([ 1.0000,  0.7652, -0.2459])
    """
    return unary(_BESSEL_J0, input, out)


_BESSEL_J1 = elementwise("bessel_j1", 1)


@torch_function
def bessel_j1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the Bessel function of the first kind of order 1.

    Args:
        input: a tensor of real numbers.
        out: where to write the result.

    Returns:
        The values, of `input`'s shape.

    Raises:
        DTypeError: `input` is complex.

    >>> torch.special.bessel_j1(torch.tensor([0.0, 1.0, 10.0]))
    tensor([0.0000, 0.4401, 0.0435])
    """
    return unary(_BESSEL_J1, input, out)


_BESSEL_Y0 = elementwise("bessel_y0", 1)


@torch_function
def bessel_y0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the Bessel function of the second kind of order 0.

    Args:
        input: a tensor of real numbers.
        out: where to write the result.

    Returns:
        The values, of `input`'s shape: -inf at 0, NaN below.

    Raises:
        DTypeError: `input` is complex.

    >>> torch.special.bessel_y0(torch.tensor([0.0, 1.0, 10.0]))
    tensor([  -inf, 0.0883, 0.0557])
    """
    return unary(_BESSEL_Y0, input, out)


_BESSEL_Y1 = elementwise("bessel_y1", 1)


@torch_function
def bessel_y1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the Bessel function of the second kind of order 1.

    Args:
        input: a tensor of real numbers.
        out: where to write the result.

    Returns:
        The values, of `input`'s shape: -inf at 0, NaN below.

    Raises:
        DTypeError: `input` is complex.

    >>> torch.special.bessel_y1(torch.tensor([0.0, 1.0, 10.0]))
    tensor([   -inf, -0.7812,  0.2490])
    """
    return unary(_BESSEL_Y1, input, out)


_I0E = elementwise("i0e", 1)


@torch_function
def i0e(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute `exp(-abs(input)) * i0(input)`, without overflow.

    Args:
        input: a tensor of real numbers.
        out: where to write the result.

    Returns:
        The values, of `input`'s shape.

    Raises:
        DTypeError: `input` is complex.

    >>> torch.special.i0e(torch.tensor([0.0, 1.0, 100.0]))
    tensor([1.0000, 0.4658, 0.0399])
    """
    return unary(_I0E, input, out)


modified_bessel_i0 = i0


_I1 = elementwise("i1", 1)


@torch_function
def i1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the modified Bessel function of the first kind of order 1.

    Args:
        input: a tensor of real numbers.
        out: where to write the result.

    Returns:
        The values, of `input`'s shape.

    Raises:
        DTypeError: `input` is complex.

    >>> torch.special.i1(torch.tensor([0.0, 1.0, 10.0]))
    tensor([0.0000e+00, 5.6516e-01, 2.6710e+03])
    """
    return unary(_I1, input, out)


_I1E = elementwise("i1e", 1)


@torch_function
def i1e(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute `exp(-abs(input)) * i1(input)`, without overflow.

    Args:
        input: a tensor of real numbers.
        out: where to write the result.

    Returns:
        The values, of `input`'s shape.

    Raises:
        DTypeError: `input` is complex.

    >>> torch.special.i1e(torch.tensor([0.0, 1.0, 100.0]))
    tensor([0.0000, 0.2079, 0.0397])
    """
    return unary(_I1E, input, out)


modified_bessel_i1 = i1


_MODIFIED_BESSEL_K0 = elementwise("modified_bessel_k0", 1)


@torch_function
def modified_bessel_k0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the modified Bessel function of the second kind of order 0.

    Args:
        input: a tensor of real numbers.
        out: where to write the result.

    Returns:
        The values, of `input`'s shape: inf at 0, NaN below.

    Raises:
        DTypeError: `input` is complex.

    >>> torch.special.modified_bessel_k0(torch.tensor([0.0, 1.0, 10.0]))
    tensor([       inf, 4.2102e-01, 1.7780e-05])
    """
    return unary(_MODIFIED_BESSEL_K0, input, out)


_MODIFIED_BESSEL_K1 = elementwise("modified_bessel_k1", 1)


@torch_function
def modified_bessel_k1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the modified Bessel function of the second kind of order 1.

    Args:
        input: a tensor of real numbers.
        out: where to write the result.

    Returns:
        The values, of `input`'s shape: inf at 0, NaN below.

    Raises:
        DTypeError: `input` is complex.

    >>> torch.special.modified_bessel_k1(torch.tensor([0.0, 1.0, 10.0]))
    tensor([       inf, 6.0191e-01, 1.8649e-05])
    """
    return unary(_MODIFIED_BESSEL_K1, input, out)


_SCALED_MODIFIED_BESSEL_K0 = elementwise("scaled_modified_bessel_k0", 1)


@torch_function
def scaled_modified_bessel_k0(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute `exp(x) * modified_bessel_k0(x)`, without underflow.

    Args:
        x: a tensor of real numbers.
        out: where to write the result.

    Returns:
        The values, of `x`'s shape: inf at 0, NaN below.

    Raises:
        DTypeError: `x` is complex.

    >>> torch.special.scaled_modified_bessel_k0(torch.tensor([0.0, 1.0, 100.0]))
    tensor([   inf, 1.1445, 0.1252])
    """
    return unary(_SCALED_MODIFIED_BESSEL_K0, x, out)


_SCALED_MODIFIED_BESSEL_K1 = elementwise("scaled_modified_bessel_k1", 1)


@torch_function
def scaled_modified_bessel_k1(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute `exp(x) * modified_bessel_k1(x)`, without underflow.

    Args:
        x: a tensor of real numbers.
        out: where to write the result.

    Returns:
        The values, of `x`'s shape: inf at 0, NaN below.

    Raises:
        DTypeError: `x` is complex.

    >>> torch.special.scaled_modified_bessel_k1(torch.tensor([0.0, 1.0, 100.0]))
    tensor([   inf, 1.6362, 0.1258])
    """
    return unary(_SCALED_MODIFIED_BESSEL_K1, x, out)


@torch_function
def spherical_bessel_j0(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Compute the spherical Bessel function of the first kind of order 0: `sin(x) / x`.

    Args:
        x: a tensor of real numbers.
        out: where to write the result.

    Returns:
        The values, of `x`'s shape: 1 at 0.

    Raises:
        DTypeError: `x` is complex.

    >>> torch.special.spherical_bessel_j0(torch.tensor([0.0, 1.0, 10.0]))
    tensor([ 1.0000,  0.8415, -0.0544])
    """
    result: Tensor = af.special.spherical_bessel_j0(x)
    return result if out is None else written("special.spherical_bessel_j0", out, result, casts=True)
