"""Resampling: an axis at other points, as weighted sums of the items around them, and planes at any points."""

from .interpolation import interpolated, mean_bins
from .points import affine_grid, grid_sample
from .weighting import weighted_items

__all__ = [
    "affine_grid", "grid_sample", "interpolated", "mean_bins", "weighted_items",
]  # fmt: skip
