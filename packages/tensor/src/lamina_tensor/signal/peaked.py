"""Windows with one peak: triangle, bells and the half wave of a sine."""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

import lamina_ndarray as nd
from lamina_flatarray import ArgumentValueError

from ..devices.memory_formats import strided
from ..dispatch.torch_function import torch_function
from ..functions.creation.options import leaf
from .points import distance, points, result_dtype

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ..devices.memory_formats import layout as Layout
    from ..functions.creation.options import DeviceLike
    from ..tensor_class import Tensor

__all__ = ["bartlett", "cosine", "exponential", "gaussian", "kaiser"]


@torch_function
def bartlett(
    M: int,
    *,
    sym: bool = True,
    dtype: DType | None = None,
    layout: Layout = strided,
    device: DeviceLike = None,
    requires_grad: bool = False,
) -> Tensor:
    """Make a Bartlett window, a triangle.

    Args:
        M: the number of points.
        sym: whether the last point has the first one's weight, for filters; else that point is left out, for spectral analysis.
        dtype: float32 or float64; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        requires_grad: whether gradients are wanted.

    Returns:
        A tensor of shape `(M,)`: `1 - |2 t - 1|` at points t from 0 to 1.

    Raises:
        ShapeError: `M` is negative.
        ArgumentValueError: the dtype is neither float32 nor float64, or the layout is another one.

    >>> torch.signal.windows.bartlett(5)
    tensor([0.0000, 0.5000, 1.0000, 0.5000, 0.0000])
    """
    kind = result_dtype("bartlett", M, dtype, layout)
    if M < 2:
        return leaf(nd.ones(M, dtype=kind, device=device), requires_grad)
    window = 1 - nd.abs(points(M, device) * (2 / distance(M, sym)) - 1)
    return leaf(window.astype(kind), requires_grad)


@torch_function
def cosine(
    M: int,
    *,
    sym: bool = True,
    dtype: DType | None = None,
    layout: Layout = strided,
    device: DeviceLike = None,
    requires_grad: bool = False,
) -> Tensor:
    """Make a window that is half a wave of a sine.

    Args:
        M: the number of points.
        sym: whether the last point has the first one's weight, for filters; else that point is left out, for spectral analysis.
        dtype: float32 or float64; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        requires_grad: whether gradients are wanted.

    Returns:
        A tensor of shape `(M,)`: `sin(pi t)` in the middle of `M` equal steps of t from 0 to 1, or of the first `M` of `M + 1`.

    Raises:
        ShapeError: `M` is negative.
        ArgumentValueError: the dtype is neither float32 nor float64, or the layout is another one.

    >>> torch.signal.windows.cosine(4)
    tensor([0.3827, 0.9239, 0.9239, 0.3827])
    """
    kind = result_dtype("cosine", M, dtype, layout)
    steps = max(distance(M, sym) + 1, 1)
    window = nd.sin((points(M, device) + 0.5) * (pi / steps))
    return leaf(window.astype(kind), requires_grad)


@torch_function
def exponential(
    M: int,
    *,
    center: float | None = None,
    tau: float = 1.0,
    sym: bool = True,
    dtype: DType | None = None,
    layout: Layout = strided,
    device: DeviceLike = None,
    requires_grad: bool = False,
) -> Tensor:
    """Make an exponential window, also called a Poisson window.

    Args:
        M: the number of points.
        center: the point of the peak, counted from 0; the middle for None.
        tau: over how many points the window falls by a factor of e.
        sym: whether the last point has the first one's weight, for filters; else that point is left out, for spectral analysis.
        dtype: float32 or float64; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        requires_grad: whether gradients are wanted.

    Returns:
        A tensor of shape `(M,)`: `exp(-|n - center| / tau)` for n from 0 to `M - 1`.

    Raises:
        ShapeError: `M` is negative.
        ArgumentValueError: `tau` is not positive, a center is given for a symmetric window, the dtype
            is neither float32 nor float64, or the layout is another one.

    >>> torch.signal.windows.exponential(3, tau=2.0)
    tensor([0.6065, 1.0000, 0.6065])
    """
    kind = result_dtype("exponential", M, dtype, layout)
    if not tau > 0:
        raise ArgumentValueError(f"exponential: tau must be positive, got {tau}")
    if sym and center is not None:
        raise ArgumentValueError(f"exponential: a symmetric window has its center in the middle, got center={center}")
    middle = distance(M, sym) / 2 if center is None else center
    window = nd.exp(nd.abs(points(M, device) - middle) * (-1 / tau))
    return leaf(window.astype(kind), requires_grad)


@torch_function
def gaussian(
    M: int,
    *,
    std: float = 1.0,
    sym: bool = True,
    dtype: DType | None = None,
    layout: Layout = strided,
    device: DeviceLike = None,
    requires_grad: bool = False,
) -> Tensor:
    """Make a Gaussian window.

    Args:
        M: the number of points.
        std: the standard deviation, in points.
        sym: whether the last point has the first one's weight, for filters; else that point is left out, for spectral analysis.
        dtype: float32 or float64; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        requires_grad: whether gradients are wanted.

    Returns:
        A tensor of shape `(M,)`: `exp(-((n - c) / std)**2 / 2)` for n from 0 to `M - 1`, where c is the middle.

    Raises:
        ShapeError: `M` is negative.
        ArgumentValueError: `std` is not positive, the dtype is neither float32 nor float64, or the layout is another one.

    >>> torch.signal.windows.gaussian(3, std=2.0)
    tensor([0.8825, 1.0000, 0.8825])
    """
    kind = result_dtype("gaussian", M, dtype, layout)
    if not std > 0:
        raise ArgumentValueError(f"gaussian: std must be positive, got {std}")
    deviations = (points(M, device) - distance(M, sym) / 2) * (1 / std)
    window = nd.exp(deviations * deviations * -0.5)
    return leaf(window.astype(kind), requires_grad)


@torch_function
def kaiser(
    M: int,
    *,
    beta: float = 12.0,
    sym: bool = True,
    dtype: DType | None = None,
    layout: Layout = strided,
    device: DeviceLike = None,
    requires_grad: bool = False,
) -> Tensor:
    """Make a Kaiser window.

    Args:
        M: the number of points.
        beta: the shape of the window: higher values make it narrower.
        sym: whether the last point has the first one's weight, for filters; else that point is left out, for spectral analysis.
        dtype: float32 or float64; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        requires_grad: whether gradients are wanted.

    Returns:
        A tensor of shape `(M,)`: `I0(beta sqrt(1 - (2 t - 1)**2)) / I0(beta)` at points t from 0 to 1, where I0 is
        the modified Bessel function of the first kind.

    Raises:
        ShapeError: `M` is negative.
        ArgumentValueError: `beta` is negative, the dtype is neither float32 nor float64, or the layout is another one.

    >>> torch.signal.windows.kaiser(3, beta=5.0)
    tensor([0.0367, 1.0000, 0.0367])
    """
    kind = result_dtype("kaiser", M, dtype, layout)
    if not beta >= 0:
        raise ArgumentValueError(f"kaiser: beta must not be negative, got {beta}")
    if M < 2:
        return leaf(nd.ones(M, dtype=kind, device=device), requires_grad)
    heights = points(M, device) * (2 / distance(M, sym)) - 1
    inside = nd.maximum(1 - heights * heights, 0.0)  # rounding may leave the circle
    window = nd.i0(nd.sqrt(inside) * beta) / nd.i0(nd.full((), beta, dtype=inside.dtype, device=inside.device))
    return leaf(window.astype(kind), requires_grad)
