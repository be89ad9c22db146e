"""The frequencies that items of transforms belong to, and their order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import lamina_ndarray as nd

from ..devices.memory_formats import strided
from ..dispatch.tensor_functions import af
from ..dispatch.torch_function import torch_function
from ..functions.creation.options import refuse_layout, written

if TYPE_CHECKING:
    from lamina_flatarray import Device, DType

    from ..devices.memory_formats import layout as Layout
    from ..tensor_class import Tensor

__all__ = ["fftfreq", "fftshift", "ifftshift", "rfftfreq"]


@torch_function
def fftfreq(
    n: int,
    d: float = 1.0,
    *,
    out: Tensor | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: Device | str | int | None = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Compute the frequencies of the items of `fft`: 0, 1, ..., then the negative ones up to -1, over `n * d`.

    Args:
        n: the number of items.
        d: the distance between samples.
        out: where to write the result.
        dtype: what to make it in; the default dtype by default.
        layout: `torch.strided`.
        device: where to put it; the default device by default.
        pin_memory: without meaning here.
        requires_grad: whether gradients are wanted.

    Returns:
        The frequencies (n,).

    Raises:
        ShapeError: `dtype` is neither floating-point nor complex, or n is negative.

    >>> torch.fft.fftfreq(5)
    tensor([ 0.0000,  0.2000,  0.4000, -0.4000, -0.2000])
    """
    if layout is not None and layout is not strided:
        refuse_layout("fftfreq", layout)
    return written("fft.fftfreq", out, nd.fft.fftfreq(n, d, dtype=dtype, device=device), requires_grad)


@torch_function
def rfftfreq(
    n: int,
    d: float = 1.0,
    *,
    out: Tensor | None = None,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: Device | str | int | None = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Compute the frequencies of the items of `rfft`: 0, 1, ..., n // 2, over `n * d`.

    Args:
        n: the number of samples.
        d: the distance between samples.
        out: where to write the result.
        dtype: what to make it in; the default dtype by default.
        layout: `torch.strided`.
        device: where to put it; the default device by default.
        pin_memory: without meaning here.
        requires_grad: whether gradients are wanted.

    Returns:
        The frequencies (n // 2 + 1,).

    Raises:
        ShapeError: `dtype` is neither floating-point nor complex, or n is negative.

    >>> torch.fft.rfftfreq(5)
    tensor([0.0000, 0.2000, 0.4000])
    """
    if layout is not None and layout is not strided:
        refuse_layout("rfftfreq", layout)
    return written("fft.rfftfreq", out, nd.fft.rfftfreq(n, d, dtype=dtype, device=device), requires_grad)


@torch_function
def fftshift(input: Tensor, dim: int | Sequence[int] | None = None) -> Tensor:
    """Move the items of frequency 0 to the middle.

    Args:
        input: a transform.
        dim: the dims to shift along; all by default.

    Returns:
        The items in another order, of `input`'s shape.

    Raises:
        IndexOutOfRange: there is no such dim.

    >>> torch.fft.fftshift(torch.fft.fftfreq(5))
    tensor([-0.4000, -0.2000,  0.0000,  0.2000,  0.4000])
    """
    result: Tensor = af.fft.fftshift(input, dim)
    return result


@torch_function
def ifftshift(input: Tensor, dim: int | Sequence[int] | None = None) -> Tensor:
    """Move the items of frequency 0 from the middle to the front: the inverse of `fftshift`.

    Args:
        input: a shifted transform.
        dim: the dims to shift along; all by default.

    Returns:
        The items in another order, of `input`'s shape.

    Raises:
        IndexOutOfRange: there is no such dim.

    >>> torch.fft.ifftshift(torch.tensor([-2, -1, 0, 1, 2]))
    tensor([ 0,  1,  2, -2, -1])
    """
    result: Tensor = af.fft.ifftshift(input, dim)
    return result
