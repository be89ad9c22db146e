"""Images and volumes at points given by coordinates from -1 to 1, and the gradient: one kernel call each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lamina_flatarray import ArgumentValueError, DTypeError, ShapeError

from ...array_fields import empty_of
from ...dispatch.operands import cast, fused_kernels
from ...layouts.layout import Layout
from ...shapes.views import contiguous

if TYPE_CHECKING:
    from ...array import NDArray

__all__ = ["grid_sample", "grid_sample_gradient"]


def grid_sample(
    x: NDArray, grid: NDArray, mode: str = "bilinear", padding: str = "zeros", align_corners: bool = False
) -> NDArray:
    """Sample images or volumes at the points of a grid, by interpolation between items (Jaderberg et al. 2015).

    Args:
        x: `(n, channels, *spatial)`, two or three spatial axes.
        grid: `(n, *counts, d)`, the coordinates of points, that along the last spatial axis first; x lies within -1 .. 1.
        mode: "bilinear" (with three axes trilinear), "nearest", or with two axes "bicubic".
        padding: what lies outside: "zeros", the "border", or by "reflection".
        align_corners: whether -1 and 1 are the centres of the outermost items instead of their outer borders.

    Returns:
        `(n, channels, *counts)`, in x's dtype.

    Raises:
        ShapeError: the shapes do not fit, or bicubic interpolation is wanted of volumes.
        DTypeError: the dtypes differ, or are not floating.
        ArgumentValueError: there is no such mode or padding.

    >>> image = nd.asarray([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> points = nd.asarray([[[[0.0, 0.0], [-1.0, 1.0]]]])
    >>> nd.grid_sample(image, points, align_corners=True)
    NDArray([[[[2.5000, 3.0000]]]])
    """
    _refuse_misfits(x, grid, mode, padding)
    kernels = fused_kernels("grid_sample", x, grid)
    result = empty_of(kernels, Layout.dense((*x.layout.shape[:2], *grid.layout.shape[1:-1])))
    kernels["grid_sample"](result, x, contiguous(grid), mode=mode, padding=padding, align_corners=bool(align_corners))
    return result


def grid_sample_gradient(
    gradient: NDArray, x: NDArray, grid: NDArray, mode: str, padding: str, align_corners: bool
) -> tuple[NDArray, ...]:
    """The gradients of `grid_sample` in x and grid.

    Args:
        gradient: of the result.
        x, grid, mode, padding, align_corners: as for `grid_sample`.
    """
    kernels = fused_kernels("grid_sample_gradient", x, grid, gradient)
    outs = tuple([empty_of(kernels, Layout.dense(operand.layout.shape)) for operand in (x, grid)])
    kernels["grid_sample_gradient"](
        outs, contiguous(cast(gradient, kernels)), x, contiguous(grid), mode=mode, padding=padding, align_corners=bool(align_corners)
    )
    return outs


def _refuse_misfits(x: NDArray, grid: NDArray, mode: str, padding: str) -> None:
    lengths = x.layout.shape[2:]
    rank = len(lengths)
    if rank not in (2, 3) or grid.ndim != x.ndim:
        raise ShapeError(
            "grid_sample: expected 4D or 5D input and grid with same number of dimensions, but got input with sizes "
            f"{list(x.shape)} and grid with sizes {list(grid.shape)}"
        )
    if x.shape[0] != grid.shape[0] or grid.shape[-1] != rank or 0 in lengths:
        raise ShapeError(
            "grid_sample: expected grid and input to have same batch size, grid to have size "
            f"{rank} in last dimension, and input to have non-empty spatial dimensions, but got input with sizes "
            f"{list(x.shape)} and grid with sizes {list(grid.shape)}"
        )
    if x.dtype is not grid.dtype:
        raise DTypeError(f"grid_sample: expected input and grid to have same dtype, but got {x.dtype} and {grid.dtype}")
    if mode not in ("bilinear", "nearest", "bicubic") or padding not in ("zeros", "border", "reflection"):
        raise ArgumentValueError(f"grid_sample: unknown mode {mode!r} or padding {padding!r}")
    if mode == "bicubic" and rank == 3:
        raise ShapeError("grid_sample: bicubic interpolation only supports 4D input")
