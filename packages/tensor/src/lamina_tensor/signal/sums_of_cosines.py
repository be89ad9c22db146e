"""Windows that are sums of cosines: of Hann, Hamming, Blackman, Nuttall, and of any weights."""

from __future__ import annotations

from collections.abc import Iterable
from math import pi
from typing import TYPE_CHECKING

import lamina_ndarray as nd
from lamina_flatarray import ArgumentTypeError, ArgumentValueError

from ..devices.memory_formats import strided
from ..dispatch.torch_function import torch_function
from ..functions.creation.options import leaf
from .points import distance, points, result_dtype

if TYPE_CHECKING:
    from lamina_flatarray import DType

    from ..devices.memory_formats import layout as Layout
    from ..functions.creation.options import DeviceLike
    from ..tensor_class import Tensor

__all__ = ["blackman", "general_cosine", "general_hamming", "hamming", "hann", "nuttall"]


def _sum_of_cosines(
    op: str, M: int, weights: list[float], sym: bool, dtype: DType | None, layout: Layout, device: DeviceLike, requires_grad: bool
) -> Tensor:
    """`weights[0] - weights[1] cos(2 pi t) + weights[2] cos(4 pi t) - ...` at points t from 0 to 1."""
    kind = result_dtype(op, M, dtype, layout)
    if M < 2:
        return leaf(nd.ones(M, dtype=kind, device=device), requires_grad)
    angles = points(M, device) * (2 * pi / distance(M, sym))
    terms = [(-1) ** k * weight * nd.cos(k * angles) for k, weight in enumerate(weights)]
    return leaf(sum(terms[1:], terms[0]).astype(kind), requires_grad)


@torch_function
def general_cosine(
    M: int,
    *,
    a: Iterable[float],
    sym: bool = True,
    dtype: DType | None = None,
    layout: Layout = strided,
    device: DeviceLike = None,
    requires_grad: bool = False,
) -> Tensor:
    """Make a window that is a sum of cosines of growing frequency, of alternating sign.

    Args:
        M: the number of points.
        a: the weights of the cosines; that of the constant comes first.
        sym: whether the last point has the first one's weight, for filters; else that point is left out, for spectral analysis.
        dtype: float32 or float64; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        requires_grad: whether gradients are wanted.

    Returns:
        A tensor of shape `(M,)`: `a[0] - a[1] cos(2 pi t) + a[2] cos(4 pi t) - ...` at points t from 0 to 1.

    Raises:
        ShapeError: `M` is negative.
        ArgumentValueError: there are no weights, the dtype is neither float32 nor float64, or the layout is another one.
        ArgumentTypeError: the weights are no sequence.

    >>> torch.signal.windows.general_cosine(3, a=[0.5, 0.3, 0.2])
    tensor([0.4000, 1.0000, 0.4000])
    """
    if not isinstance(a, Iterable):
        raise ArgumentTypeError(f"general_cosine(): argument 'a' must be a list or tuple of weights, not {type(a).__name__}")
    weights = [float(weight) for weight in a]
    if not weights:
        raise ArgumentValueError("general_cosine: wants one weight or more, got none")
    return _sum_of_cosines("general_cosine", M, weights, sym, dtype, layout, device, requires_grad)


@torch_function
def general_hamming(
    M: int,
    *,
    alpha: float = 0.54,
    sym: bool = True,
    dtype: DType | None = None,
    layout: Layout = strided,
    device: DeviceLike = None,
    requires_grad: bool = False,
) -> Tensor:
    """Make a Hamming window with a constant of the caller's.

    Args:
        M: the number of points.
        alpha: the constant; the cosine has the weight `1 - alpha`.
        sym: whether the last point has the first one's weight, for filters; else that point is left out, for spectral analysis.
        dtype: float32 or float64; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        requires_grad: whether gradients are wanted.

    Returns:
        A tensor of shape `(M,)`: `alpha - (1 - alpha) cos(2 pi t)` at points t from 0 to 1.

    Raises:
        ShapeError: `M` is negative.
        ArgumentValueError: the dtype is neither float32 nor float64, or the layout is another one.

    >>> torch.signal.windows.general_hamming(3, alpha=0.6)
    tensor([0.2000, 1.0000, 0.2000])
    """
    return _sum_of_cosines("general_hamming", M, [alpha, 1 - alpha], sym, dtype, layout, device, requires_grad)


@torch_function
def hamming(
    M: int,
    *,
    sym: bool = True,
    dtype: DType | None = None,
    layout: Layout = strided,
    device: DeviceLike = None,
    requires_grad: bool = False,
) -> Tensor:
    """Make a Hamming window.

    Args:
        M: the number of points.
        sym: whether the last point has the first one's weight, for filters; else that point is left out, for spectral analysis.
        dtype: float32 or float64; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        requires_grad: whether gradients are wanted.

    Returns:
        A tensor of shape `(M,)`: `0.54 - 0.46 cos(2 pi t)` at points t from 0 to 1.

    Raises:
        ShapeError: `M` is negative.
        ArgumentValueError: the dtype is neither float32 nor float64, or the layout is another one.

    >>> torch.signal.windows.hamming(3)
    tensor([0.0800, 1.0000, 0.0800])
    """
    return _sum_of_cosines("hamming", M, [0.54, 0.46], sym, dtype, layout, device, requires_grad)


@torch_function
def hann(
    M: int,
    *,
    sym: bool = True,
    dtype: DType | None = None,
    layout: Layout = strided,
    device: DeviceLike = None,
    requires_grad: bool = False,
) -> Tensor:
    """Make a Hann window.

    Args:
        M: the number of points.
        sym: whether the last point has the first one's weight, for filters; else that point is left out, for spectral analysis.
        dtype: float32 or float64; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        requires_grad: whether gradients are wanted.

    Returns:
        A tensor of shape `(M,)`: `(1 - cos(2 pi t)) / 2` at points t from 0 to 1.

    Raises:
        ShapeError: `M` is negative.
        ArgumentValueError: the dtype is neither float32 nor float64, or the layout is another one.

    >>> torch.signal.windows.hann(3)
    tensor([0., 1., 0.])
    """
    return _sum_of_cosines("hann", M, [0.5, 0.5], sym, dtype, layout, device, requires_grad)


@torch_function
def blackman(
    M: int,
    *,
    sym: bool = True,
    dtype: DType | None = None,
    layout: Layout = strided,
    device: DeviceLike = None,
    requires_grad: bool = False,
) -> Tensor:
    """Make a Blackman window.

    Args:
        M: the number of points.
        sym: whether the last point has the first one's weight, for filters; else that point is left out, for spectral analysis.
        dtype: float32 or float64; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        requires_grad: whether gradients are wanted.

    Returns:
        A tensor of shape `(M,)`: `0.42 - 0.5 cos(2 pi t) + 0.08 cos(4 pi t)` at points t from 0 to 1.

    Raises:
        ShapeError: `M` is negative.
        ArgumentValueError: the dtype is neither float32 nor float64, or the layout is another one.

    >>> torch.signal.windows.blackman(5)[1:4]
    tensor([0.3400, 1.0000, 0.3400])
    """
    return _sum_of_cosines("blackman", M, [0.42, 0.5, 0.08], sym, dtype, layout, device, requires_grad)


@torch_function
def nuttall(
    M: int,
    *,
    sym: bool = True,
    dtype: DType | None = None,
    layout: Layout = strided,
    device: DeviceLike = None,
    requires_grad: bool = False,
) -> Tensor:
    """Make a minimum 4-term Blackman-Harris window, as Nuttall gives it.

    https://ieeexplore.ieee.org/document/1163506

    Args:
        M: the number of points.
        sym: whether the last point has the first one's weight, for filters; else that point is left out, for spectral analysis.
        dtype: float32 or float64; the default dtype for None.
        layout: `torch.strided`, the only layout there is.
        device: the device; the default device for None.
        requires_grad: whether gradients are wanted.

    Returns:
        A tensor of shape `(M,)`: the sum of cosines with the weights 0.3635819, 0.4891775, 0.1365995 and 0.0106411.

    Raises:
        ShapeError: `M` is negative.
        ArgumentValueError: the dtype is neither float32 nor float64, or the layout is another one.

    >>> torch.signal.windows.nuttall(5)
    tensor([3.6280e-04, 2.2698e-01, 1.0000e+00, 2.2698e-01, 3.6280e-04])
    """
    return _sum_of_cosines("nuttall", M, [0.3635819, 0.4891775, 0.1365995, 0.0106411], sym, dtype, layout, device, requires_grad)
