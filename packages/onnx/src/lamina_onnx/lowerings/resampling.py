"""Images and signals at other resolutions."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..graph import Graph, Operand
from ..sizes import Size
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
        settings |= {"antialias": 1, "exclude_outside": 1, "cubic_coeff_a": -0.5 if mode == "bicubic" else None}
    if scale_factor is not None and not recompute_scale_factor:
        factors = [float(f) for f in each(scale_factor, n)]
        if MODES[mode] == "nearest" and not all(map(divides_alike, factors)):
            return gathered(g, input, factors, 0.5 if mode == "nearest-exact" else 0.0)
        scales = np.array([1.0, 1.0, *map(np.float32 if MODES[mode] == "nearest" else no_less, factors)], np.float32)
        return g.op("Resize", input, None, scales, **settings)
    whole = g.op("Concat", g.op("Shape", input, start=0, end=2), g.ints(lengths), axis=0)
    return g.op("Resize", input, None, None, whole, **settings)


def divides_alike(factor: float) -> bool:
    """Whether positions and lengths that are found by dividing by a factor, as ONNX does, are those of PyTorch, which multiplies by its
    inverse: as far as images go."""
    at = np.arange(4096, dtype=np.float32)
    inverse, scale = np.float32(1 / factor), np.float32(factor)
    alike = np.array_equal(np.floor(at * inverse), np.floor(at / scale))
    return alike and np.array_equal(np.floor(at.astype(np.float64) * factor), np.floor(at * scale))


def gathered(g: Graph, input: Operand, factors: list[float], shift: float) -> Any:
    """The nearest items by their positions, which are worked out here."""
    x: Any = input
    for dim, factor in enumerate(factors, 2):
        have, length = input.shape[dim], g.result.shape[dim]
        if isinstance(have, Size) or isinstance(length, Size):
            raise g.unsupported(f"of a dynamic size by {factors}")
        at = (np.arange(length, dtype=np.float32) + np.float32(shift)) * np.float32(1 / factor)
        x = g.op("Gather", x, np.minimum(np.floor(at), have - 1).astype(np.int64), axis=dim)
    return x


def no_less(factor: float) -> Any:
    """The least float32 that is no less: a length times it is no less than times the factor, and rounds down to the same."""
    near = np.float32(factor)
    return near if float(near) >= factor else np.nextafter(near, np.float32(np.inf))


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
