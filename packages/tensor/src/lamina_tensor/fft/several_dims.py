"""Fourier transforms along two dims or more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..dispatch.out import written
from ..dispatch.tensor_functions import af
from ..dispatch.torch_function import torch_function

if TYPE_CHECKING:
    from ..tensor_class import Tensor

__all__ = [
    "fft2",
    "fftn",
    "hfft2",
    "hfftn",
    "ifft2",
    "ifftn",
    "ihfft2",
    "ihfftn",
    "irfft2",
    "irfftn",
    "rfft2",
    "rfftn",
]


@torch_function(autocast="float32")
def fftn(
    input: Tensor,
    s: int | Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Compute the discrete Fourier transform along several dims.

    Args:
        input: real or complex numbers; integers are taken in the default dtype.
        s: how many items to take along each dim, -1 for all: others are left out, and zeros come behind where there
            are fewer; all by default.
        dim: the dims to transform; by default as many of the last ones as `s` has items, or all.
        norm: the factor: "backward" (the default) for none, "forward" for 1 / n, "ortho" for 1 / sqrt(n), where n is
            the product of the lengths.
        out: where to write the result.

    Returns:
        The transform, complex: `input`'s shape but for `s` items along the dims.

    Raises:
        ShapeError: `s` and `dim` differ in length, a dim comes twice, a length is not positive, or there is no such norm.
        DTypeError: `input` has 16 bits.
        IndexOutOfRange: there is no such dim.

    >>> torch.fft.fftn(torch.ones(2, 2))
    tensor([[4.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j]])
    """
    result: Tensor = af.fft.fftn(input, s, dim, norm)
    return result if out is None else written("fft.fftn", out, result, row_major=True, casts=True)


@torch_function(autocast="float32")
def ifftn(
    input: Tensor,
    s: int | Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Compute the inverse of `fftn`.

    Args:
        input: real or complex numbers; integers are taken in the default dtype.
        s: how many items to take along each dim, -1 for all: others are left out, and zeros come behind where there
            are fewer; all by default.
        dim: the dims to transform; by default as many of the last ones as `s` has items, or all.
        norm: the factor: "backward" (the default) for 1 / n, "forward" for none, "ortho" for 1 / sqrt(n), where n is
            the product of the lengths.
        out: where to write the result.

    Returns:
        The inverse transform, complex: `input`'s shape but for `s` items along the dims.

    Raises:
        ShapeError: `s` and `dim` differ in length, a dim comes twice, a length is not positive, or there is no such norm.
        DTypeError: `input` has 16 bits.
        IndexOutOfRange: there is no such dim.

    >>> torch.fft.ifftn(torch.ones(2, 2))
    tensor([[1.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j]])
    """
    result: Tensor = af.fft.ifftn(input, s, dim, norm)
    return result if out is None else written("fft.ifftn", out, result, row_major=True, casts=True)


@torch_function(autocast="float32")
def rfftn(
    input: Tensor,
    s: int | Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Compute the discrete Fourier transform of real numbers along several dims.

    Args:
        input: real numbers; integers are taken in the default dtype.
        s: how many items to take along each dim, -1 for all: others are left out, and zeros come behind where there
            are fewer; all by default.
        dim: the dims to transform; by default as many of the last ones as `s` has items, or all.
        norm: the factor: "backward" (the default) for none, "forward" for 1 / n, "ortho" for 1 / sqrt(n), where n is
            the product of the lengths.
        out: where to write the result.

    Returns:
        The transform, complex; of the last dim, only the frequencies 0 to n // 2: the others are conjugates.

    Raises:
        ShapeError: `s` and `dim` differ in length, a dim comes twice, a length is not positive, or there is no such norm.
        DTypeError: `input` is complex or has 16 bits.
        IndexOutOfRange: there is no such dim.

    >>> torch.fft.rfftn(torch.ones(2, 4))
    tensor([[8.+0.j, 0.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j, 0.+0.j]])
    """
    result: Tensor = af.fft.rfftn(input, s, dim, norm)
    return result if out is None else written("fft.rfftn", out, result, row_major=True, casts=True)


@torch_function(autocast="float32")
def irfftn(
    input: Tensor,
    s: int | Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Compute the inverse of `rfftn`.

    Args:
        input: the transform, with the frequencies 0 to n // 2 of the last dim.
        s: how many items the result has along each dim; by default as many as `input`, and along the last one twice
            as many, less 2.
        dim: the dims to transform; by default as many of the last ones as `s` has items, or all.
        norm: the factor: "backward" (the default) for 1 / n, "forward" for none, "ortho" for 1 / sqrt(n), where n is
            the product of the lengths.
        out: where to write the result.

    Returns:
        The inverse transform, real: `input`'s shape but for `s` items along the dims.

    Raises:
        ShapeError: `s` and `dim` differ in length, a dim comes twice, a length is not positive, or there is no such norm.
        DTypeError: `input` has 16 bits.
        IndexOutOfRange: there is no such dim.

    >>> torch.fft.irfftn(torch.ones(1, 3))
    tensor([[1., 0., 0., 0.]])
    """
    result: Tensor = af.fft.irfftn(input, s, dim, norm)
    return result if out is None else written("fft.irfftn", out, result, row_major=True, casts=True)


@torch_function
def hfftn(
    input: Tensor,
    s: int | Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Compute the discrete Fourier transform of a Hermitian signal, of which one half is given, along several dims.

    Args:
        input: the signal, with items 0 to n // 2 along the last dim.
        s: how many items the result has along each dim; by default as many as `input`, and along the last one twice
            as many, less 2.
        dim: the dims to transform; by default as many of the last ones as `s` has items, or all.
        norm: the factor: "backward" (the default) for none, "forward" for 1 / n, "ortho" for 1 / sqrt(n), where n is
            the product of the lengths.
        out: where to write the result.

    Returns:
        The transform, real: `input`'s shape but for `s` items along the dims.

    Raises:
        ShapeError: `s` and `dim` differ in length, a dim comes twice, a length is not positive, or there is no such norm.
        DTypeError: `input` has 16 bits.
        IndexOutOfRange: there is no such dim.

    >>> torch.fft.hfftn(torch.ones(1, 3))
    tensor([[4., 0., 0., 0.]])
    """
    result: Tensor = af.fft.hfftn(input, s, dim, norm)
    return result if out is None else written("fft.hfftn", out, result, row_major=True, casts=True)


@torch_function
def ihfftn(
    input: Tensor,
    s: int | Sequence[int] | None = None,
    dim: int | Sequence[int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Compute the inverse of `hfftn`.

    Args:
        input: real numbers; integers are taken in the default dtype.
        s: how many items to take along each dim, -1 for all: others are left out, and zeros come behind where there
            are fewer; all by default.
        dim: the dims to transform; by default as many of the last ones as `s` has items, or all.
        norm: the factor: "backward" (the default) for 1 / n, "forward" for none, "ortho" for 1 / sqrt(n), where n is
            the product of the lengths.
        out: where to write the result.

    Returns:
        The inverse transform, complex, with items 0 to n // 2 along the last dim.

    Raises:
        ShapeError: `s` and `dim` differ in length, a dim comes twice, a length is not positive, or there is no such norm.
        DTypeError: `input` is complex or has 16 bits.
        IndexOutOfRange: there is no such dim.

    >>> torch.fft.ihfftn(torch.ones(2, 4))
    tensor([[1.-0.j, 0.-0.j, 0.-0.j],
            [0.-0.j, 0.-0.j, 0.-0.j]])
    """
    result: Tensor = af.fft.ihfftn(input, s, dim, norm)
    return result if out is None else written("fft.ihfftn", out, result, row_major=True, casts=True)


@torch_function(autocast="float32")
def fft2(
    input: Tensor,
    s: int | Sequence[int] | None = None,
    dim: int | Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Compute the discrete Fourier transform along two dims.

    Args:
        input: real or complex numbers; integers are taken in the default dtype.
        s: how many items to take along each dim, -1 for all: others are left out, and zeros come behind where there
            are fewer; all by default.
        dim: the dims to transform; the last two by default.
        norm: the factor: "backward" (the default) for none, "forward" for 1 / n, "ortho" for 1 / sqrt(n), where n is
            the product of the lengths.
        out: where to write the result.

    Returns:
        The transform, complex: `input`'s shape but for `s` items along the dims.

    Raises:
        ShapeError: `s` and `dim` differ in length, a dim comes twice, a length is not positive, or there is no such norm.
        DTypeError: `input` has 16 bits.
        IndexOutOfRange: there is no such dim.

    >>> torch.fft.fft2(torch.ones(2, 2))
    tensor([[4.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j]])
    """
    result: Tensor = af.fft.fft2(input, s, dim, norm)
    return result if out is None else written("fft.fft2", out, result, row_major=True, casts=True)


@torch_function(autocast="float32")
def ifft2(
    input: Tensor,
    s: int | Sequence[int] | None = None,
    dim: int | Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Compute the inverse of `fft2`.

    Args:
        input: real or complex numbers; integers are taken in the default dtype.
        s: how many items to take along each dim, -1 for all: others are left out, and zeros come behind where there
            are fewer; all by default.
        dim: the dims to transform; the last two by default.
        norm: the factor: "backward" (the default) for 1 / n, "forward" for none, "ortho" for 1 / sqrt(n), where n is
            the product of the lengths.
        out: where to write the result.

    Returns:
        The inverse transform, complex: `input`'s shape but for `s` items along the dims.

    Raises:
        ShapeError: `s` and `dim` differ in length, a dim comes twice, a length is not positive, or there is no such norm.
        DTypeError: `input` has 16 bits.
        IndexOutOfRange: there is no such dim.

    >>> torch.fft.ifft2(torch.ones(2, 2))
    tensor([[1.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j]])
    """
    result: Tensor = af.fft.ifft2(input, s, dim, norm)
    return result if out is None else written("fft.ifft2", out, result, row_major=True, casts=True)


@torch_function(autocast="float32")
def rfft2(
    input: Tensor,
    s: int | Sequence[int] | None = None,
    dim: int | Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Compute the discrete Fourier transform of real numbers along two dims.

    Args:
        input: real numbers; integers are taken in the default dtype.
        s: how many items to take along each dim, -1 for all: others are left out, and zeros come behind where there
            are fewer; all by default.
        dim: the dims to transform; the last two by default.
        norm: the factor: "backward" (the default) for none, "forward" for 1 / n, "ortho" for 1 / sqrt(n), where n is
            the product of the lengths.
        out: where to write the result.

    Returns:
        The transform, complex; of the last dim, only the frequencies 0 to n // 2: the others are conjugates.

    Raises:
        ShapeError: `s` and `dim` differ in length, a dim comes twice, a length is not positive, or there is no such norm.
        DTypeError: `input` is complex or has 16 bits.
        IndexOutOfRange: there is no such dim.

    >>> torch.fft.rfft2(torch.ones(2, 4))
    tensor([[8.+0.j, 0.+0.j, 0.+0.j],
            [0.+0.j, 0.+0.j, 0.+0.j]])
    """
    result: Tensor = af.fft.rfft2(input, s, dim, norm)
    return result if out is None else written("fft.rfft2", out, result, row_major=True, casts=True)


@torch_function(autocast="float32")
def irfft2(
    input: Tensor,
    s: int | Sequence[int] | None = None,
    dim: int | Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Compute the inverse of `rfft2`.

    Args:
        input: the transform, with the frequencies 0 to n // 2 of the last dim.
        s: how many items the result has along each dim; by default as many as `input`, and along the last one twice
            as many, less 2.
        dim: the dims to transform; the last two by default.
        norm: the factor: "backward" (the default) for 1 / n, "forward" for none, "ortho" for 1 / sqrt(n), where n is
            the product of the lengths.
        out: where to write the result.

    Returns:
        The inverse transform, real: `input`'s shape but for `s` items along the dims.

    Raises:
        ShapeError: `s` and `dim` differ in length, a dim comes twice, a length is not positive, or there is no such norm.
        DTypeError: `input` has 16 bits.
        IndexOutOfRange: there is no such dim.

    >>> torch.fft.irfft2(torch.ones(1, 3))
    tensor([[1., 0., 0., 0.]])
    """
    result: Tensor = af.fft.irfft2(input, s, dim, norm)
    return result if out is None else written("fft.irfft2", out, result, row_major=True, casts=True)


@torch_function
def hfft2(
    input: Tensor,
    s: int | Sequence[int] | None = None,
    dim: int | Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Compute the discrete Fourier transform of a Hermitian signal, of which one half is given, along two dims.

    Args:
        input: the signal, with items 0 to n // 2 along the last dim.
        s: how many items the result has along each dim; by default as many as `input`, and along the last one twice
            as many, less 2.
        dim: the dims to transform; the last two by default.
        norm: the factor: "backward" (the default) for none, "forward" for 1 / n, "ortho" for 1 / sqrt(n), where n is
            the product of the lengths.
        out: where to write the result.

    Returns:
        The transform, real: `input`'s shape but for `s` items along the dims.

    Raises:
        ShapeError: `s` and `dim` differ in length, a dim comes twice, a length is not positive, or there is no such norm.
        DTypeError: `input` has 16 bits.
        IndexOutOfRange: there is no such dim.

    >>> torch.fft.hfft2(torch.ones(1, 3))
    tensor([[4., 0., 0., 0.]])
    """
    result: Tensor = af.fft.hfft2(input, s, dim, norm)
    return result if out is None else written("fft.hfft2", out, result, row_major=True, casts=True)


@torch_function
def ihfft2(
    input: Tensor,
    s: int | Sequence[int] | None = None,
    dim: int | Sequence[int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Compute the inverse of `hfft2`.

    Args:
        input: real numbers; integers are taken in the default dtype.
        s: how many items to take along each dim, -1 for all: others are left out, and zeros come behind where there
            are fewer; all by default.
        dim: the dims to transform; the last two by default.
        norm: the factor: "backward" (the default) for 1 / n, "forward" for none, "ortho" for 1 / sqrt(n), where n is
            the product of the lengths.
        out: where to write the result.

    Returns:
        The inverse transform, complex, with items 0 to n // 2 along the last dim.

    Raises:
        ShapeError: `s` and `dim` differ in length, a dim comes twice, a length is not positive, or there is no such norm.
        DTypeError: `input` is complex or has 16 bits.
        IndexOutOfRange: there is no such dim.

    >>> torch.fft.ihfft2(torch.ones(2, 4))
    tensor([[1.-0.j, 0.-0.j, 0.-0.j],
            [0.-0.j, 0.-0.j, 0.-0.j]])
    """
    result: Tensor = af.fft.ihfft2(input, s, dim, norm)
    return result if out is None else written("fft.ihfft2", out, result, row_major=True, casts=True)
