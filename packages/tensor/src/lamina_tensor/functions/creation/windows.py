"""Windows: weights that fade samples in and out, as spectral analysis multiplies them by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import lamina_ndarray as nd

from ...devices.memory_formats import strided
from ...dispatch.torch_function import torch_function
from .options import leaf, refuse_layout

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ...devices.memory_formats import layout as Layout
    from ...tensor_class import Tensor
    from .options import DeviceLike

__all__ = ["bartlett_window", "blackman_window", "hamming_window", "hann_window", "kaiser_window"]


@torch_function
def hann_window(
    window_length: int,
    periodic: bool = True,
    *,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Make a Hann window.

    Args:
        window_length: the number of points.
        periodic: whether the point 1 is left out, as spectral analysis wants it; else the window is symmetric.
        dtype: a floating-point dtype; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.

    Returns:
        `(1 - cos(2 pi t)) / 2` at points t from 0 to 1.

    Raises:
        DTypeError: the dtype is not floating-point.
        ShapeError: the length is negative.

    >>> torch.hann_window(4)
    tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """
    if layout is not None and layout is not strided:
        refuse_layout("hann_window", layout)
    return leaf(nd.hann_window(window_length, periodic, dtype=dtype, device=device), requires_grad)


@torch_function
def hamming_window(
    window_length: int,
    periodic: bool = True,
    alpha: float = 0.54,
    beta: float = 0.46,
    *,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Make a Hamming window.

    Args:
        window_length: the number of points.
        periodic: whether the point 1 is left out, as spectral analysis wants it; else the window is symmetric.
        alpha: the constant.
        beta: the amplitude of the cosine.
        dtype: a floating-point dtype; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.

    Returns:
        `alpha - beta * cos(2 pi t)` at points t from 0 to 1.

    Raises:
        DTypeError: the dtype is not floating-point.
        ShapeError: the length is negative.

    >>> torch.hamming_window(4)
    tensor([0.0800, 0.5400, 1.0000, 0.5400])
    """
    if layout is not None and layout is not strided:
        refuse_layout("hamming_window", layout)
    return leaf(nd.hamming_window(window_length, periodic, alpha, beta, dtype=dtype, device=device), requires_grad)


@torch_function
def blackman_window(
    window_length: int,
    periodic: bool = True,
    *,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Make a Blackman window.

    Args:
        window_length: the number of points.
        periodic: whether the point 1 is left out, as spectral analysis wants it; else the window is symmetric.
        dtype: a floating-point dtype; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.

    Returns:
        `0.42 - 0.5 cos(2 pi t) + 0.08 cos(4 pi t)` at points t from 0 to 1.

    Raises:
        DTypeError: the dtype is not floating-point.
        ShapeError: the length is negative.

    >>> torch.blackman_window(4)[1:]
    tensor([0.3400, 1.0000, 0.3400])
    """
    if layout is not None and layout is not strided:
        refuse_layout("blackman_window", layout)
    return leaf(nd.blackman_window(window_length, periodic, dtype=dtype, device=device), requires_grad)


@torch_function
def bartlett_window(
    window_length: int,
    periodic: bool = True,
    *,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Make a Bartlett window, a triangle.

    Args:
        window_length: the number of points.
        periodic: whether the point 1 is left out, as spectral analysis wants it; else the window is symmetric.
        dtype: a floating-point dtype; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.

    Returns:
        `1 - |2 t - 1|` at points t from 0 to 1.

    Raises:
        DTypeError: the dtype is not floating-point.
        ShapeError: the length is negative.

    >>> torch.bartlett_window(4)
    tensor([0.0000, 0.5000, 1.0000, 0.5000])
    """
    if layout is not None and layout is not strided:
        refuse_layout("bartlett_window", layout)
    return leaf(nd.bartlett_window(window_length, periodic, dtype=dtype, device=device), requires_grad)


@torch_function
def kaiser_window(
    window_length: int,
    periodic: bool = True,
    beta: float = 12.0,
    *,
    dtype: DType | None = None,
    layout: Layout | None = None,
    device: DeviceLike = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
) -> Tensor:
    """Make a Kaiser window.

    Args:
        window_length: the number of points.
        periodic: whether the point 1 is left out, as spectral analysis wants it; else the window is symmetric.
        beta: the shape of the window: higher values make it narrower.
        dtype: a floating-point dtype; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        pin_memory: accepted and ignored: memory is never pinned.
        requires_grad: whether gradients are wanted.

    Returns:
        `I0(beta sqrt(1 - (2 t - 1)**2)) / I0(beta)` at points t from 0 to 1, where I0 is the modified Bessel function
        of the first kind.

    Raises:
        DTypeError: the dtype is not floating-point.
        ShapeError: the length is negative.

    >>> torch.kaiser_window(3, beta=5.0, periodic=False)
    tensor([0.0367, 1.0000, 0.0367])
    """
    if layout is not None and layout is not strided:
        refuse_layout("kaiser_window", layout)
    return leaf(nd.kaiser_window(window_length, periodic, beta, dtype=dtype, device=device), requires_grad)
