"""Images and signals at other resolutions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph import Graph, Operand
from .convolutions import each
from .registry import lowers

MODES = {
    "nearest": "nearest",
    "nearest-exact": "nearest",
    "linear": "linear",
    "bilinear": "linear",
    "trilinear": "linear",
    "bicubic": "cubic",
}
RENAMED = 20  # the opset from which GridSample says linear and cubic


@lowers("interpolate", "upsample")
def interpolate(
    g: Graph, input: Operand, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: Any = None,
    recompute_scale_factor: Any = None, antialias: bool = False,
) -> Any:  # fmt: skip
    """Write `interpolate` and `upsample` as Concat, Resize and Shape."""
    n = input.ndim - 2
    lengths = list(g.result.shape[2:])
    if mode == "area":
        raise g.unsupported("by area")
    if antialias and g.opset < 18:
        raise g.unsupported("with antialias before opset 18")
    settings: dict[str, Any] = {
        "mode": MODES[mode],
        "coordinate_transformation_mode": "align_corners" if align_corners else "half_pixel",
    }
    if mode == "nearest":
        settings |= {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    elif mode == "nearest-exact":
        settings["nearest_mode"] = "round_prefer_ceil"
    elif mode == "bicubic":
        settings["cubic_coeff_a"] = -0.75
    if antialias:
        settings["antialias"] = 1
    if scale_factor is not None and not recompute_scale_factor:
        scales = np.array([1.0, 1.0, *map(float, each(scale_factor, n))], np.float32)
        return g.op("Resize", input, None, scales, **settings)
    whole = g.op("Concat", g.op("Shape", input, start=0, end=2), g.ints(lengths), axis=0)
    return g.op("Resize", input, None, None, whole, **settings)


@lowers("grid_sample")
def grid_sample(
    g: Graph,
    input: Operand,
    grid: Operand,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: Any = None,
) -> Any:
    """Write `grid_sample` as GridSample."""
    if input.ndim != 4 and g.opset < RENAMED:
        raise g.unsupported("of volumes before opset 20")
    kind = mode if g.opset < RENAMED else {"bilinear": "linear", "nearest": "nearest", "bicubic": "cubic"}[mode]
    return g.op("GridSample", input, grid, mode=kind, padding_mode=padding_mode, align_corners=int(bool(align_corners)))
