"""Fourier transforms along one dim.

A signal of n real numbers is given by half of its transform; a Hermitian signal, whose transform is real, by half of
itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..dispatch.out import written
from ..dispatch.tensor_functions import af
from ..dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = [
    "fft",
    "hfft",
    "ifft",
    "ihfft",
    "irfft",
    "rfft",
]


@torch_function(autocast="float32")
def fft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Compute the discrete Fourier transform along a dim.

    Item k is the sum over j of `input[j] * exp(-2j * pi * j * k / n)`.

    Args:
        input: real or complex numbers; integers are taken in the default dtype.
        n: how many items along the dim to take: others are left out, and zeros come behind where there are fewer; all
            by default.
        dim: the dim to transform.
        norm: the factor: "backward" (the default) for none, "forward" for 1 / n, "ortho" for 1 / sqrt(n).
        out: where to write the result.

    Returns:
        The transform, complex: `input`'s shape but for n items along the dim.

    Raises:
        ShapeError: n is not positive, or there is no such norm.
        DTypeError: `input` has 16 bits.
        IndexOutOfRange: there is no such dim.

    >>> torch.fft.fft(torch.tensor([1.0, 2.0, 3.0, 4.0]))
    tensor([10.+0.j, -2.+2.j, -2.+0.j, -2.-2.j])
    """
    result: Tensor = af.fft.fft(input, n, dim, norm)
    return result if out is None else written("fft.fft", out, result, row_major=True, casts=True)


@torch_function(autocast="float32")
def ifft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Compute the inverse of `fft` along a dim.

    Args:
        input: real or complex numbers; integers are taken in the default dtype.
        n: how many items along the dim to take: others are left out, and zeros come behind where there are fewer; all
            by default.
        dim: the dim to transform.
        norm: the factor: "backward" (the default) for 1 / n, "forward" for none, "ortho" for 1 / sqrt(n).
        out: where to write the result.

    Returns:
        The inverse transform, complex: `input`'s shape but for n items along the dim.

    Raises:
        ShapeError: n is not positive, or there is no such norm.
        DTypeError: `input` has 16 bits.
        IndexOutOfRange: there is no such dim.

    >>> torch.fft.ifft(torch.tensor([4.0, 0.0, 0.0, 0.0]))
    tensor([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """
    result: Tensor = af.fft.ifft(input, n, dim, norm)
    return result if out is None else written("fft.ifft", out, result, row_major=True, casts=True)


@torch_function(autocast="float32")
def rfft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Compute the discrete Fourier transform of real numbers along a dim.

    Only the frequencies 0 to n // 2 are returned: the others are their conjugates.

    Args:
        input: real numbers; integers are taken in the default dtype.
        n: how many items along the dim to take: others are left out, and zeros come behind where there are fewer; all
            by default.
        dim: the dim to transform.
        norm: the factor: "backward" (the default) for none, "forward" for 1 / n, "ortho" for 1 / sqrt(n).
        out: where to write the result.

    Returns:
        The transform, complex: `input`'s shape but for n // 2 + 1 items along the dim.

    Raises:
        ShapeError: n is not positive, or there is no such norm.
        DTypeError: `input` is complex or has 16 bits.
        IndexOutOfRange: there is no such dim.

    >>> torch.fft.rfft(torch.tensor([1.0, 2.0, 3.0, 4.0]))
    tensor([10.+0.j, -2.+2.j, -2.+0.j])
    """
    result: Tensor = af.fft.rfft(input, n, dim, norm)
    return result if out is None else written("fft.rfft", out, result, row_major=True, casts=True)


@torch_function(autocast="float32")
def irfft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Compute the inverse of `rfft` along a dim.

    Args:
        input: the frequencies 0 to n // 2, complex.
        n: how many items the result has along the dim; by default twice as many as `input`, less 2.
        dim: the dim to transform.
        norm: the factor: "backward" (the default) for 1 / n, "forward" for none, "ortho" for 1 / sqrt(n).
        out: where to write the result.

    Returns:
        The inverse transform, real: `input`'s shape but for n items along the dim.

    Raises:
        ShapeError: n is not positive, or there is no such norm.
        DTypeError: `input` has 16 bits.
        IndexOutOfRange: there is no such dim.

    >>> torch.fft.irfft(torch.tensor([4.0, 0.0, 0.0]))
    tensor([1., 1., 1., 1.])
    """
    result: Tensor = af.fft.irfft(input, n, dim, norm)
    return result if out is None else written("fft.irfft", out, result, row_major=True, casts=True)


@torch_function(autocast="float32")
def hfft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Compute the discrete Fourier transform of a Hermitian signal, of which one half is given, along a dim.

    Args:
        input: items 0 to n // 2 of a signal whose other items are their conjugates in reverse.
        n: how many items the result has along the dim; by default twice as many as `input`, less 2.
        dim: the dim to transform.
        norm: the factor: "backward" (the default) for none, "forward" for 1 / n, "ortho" for 1 / sqrt(n).
        out: where to write the result.

    Returns:
        The transform, real: `input`'s shape but for n items along the dim.

    Raises:
        ShapeError: n is not positive, or there is no such norm.
        DTypeError: `input` has 16 bits.
        IndexOutOfRange: there is no such dim.

    >>> torch.fft.hfft(torch.tensor([1.0, 0.0, 0.0]))
    tensor([1., 1., 1., 1.])
    """
    result: Tensor = af.fft.hfft(input, n, dim, norm)
    return result if out is None else written("fft.hfft", out, result, row_major=True, casts=True)


@torch_function(autocast="float32")
def ihfft(
    input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Compute the inverse of `hfft` along a dim.

    Args:
        input: real numbers; integers are taken in the default dtype.
        n: how many items along the dim to take: others are left out, and zeros come behind where there are fewer; all
            by default.
        dim: the dim to transform.
        norm: the factor: "backward" (the default) for 1 / n, "forward" for none, "ortho" for 1 / sqrt(n).
        out: where to write the result.

    Returns:
        The first n // 2 + 1 items of the inverse transform, complex.

    Raises:
        ShapeError: n is not positive, or there is no such norm.
        DTypeError: `input` is complex or has 16 bits.
        IndexOutOfRange: there is no such dim.

    >>> torch.fft.ihfft(torch.tensor([1.0, 1.0, 1.0, 1.0]))
    tensor([1.-0.j, 0.-0.j, 0.-0.j])
    """
    result: Tensor = af.fft.ihfft(input, n, dim, norm)
    return result if out is None else written("fft.ihfft", out, result, row_major=True, casts=True)
