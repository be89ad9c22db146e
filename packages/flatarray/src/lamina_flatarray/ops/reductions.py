"""Reductions over axes, and running ones along an axis."""

from typing import Final

from .op import Op

__all__ = ["ROWS"]

ROWS: Final = (
    # -- reduce --------------------------------------------------------------------------------------------------
    Op("sum", "reduce", "x: axes", "sum", "the sum; of bool and integers in int64", required=True),
    Op("prod", "reduce", "x: axes", "sum", "the product; of bool and integers in int64", required=True, domain="positive"),
    Op("nansum", "reduce", "x: axes", "sum", "the sum of what is not NaN"),
    Op("nanmean", "reduce", "x: axes", "mean", "the mean of what is not NaN; NaN where there is none"),
    Op("max", "reduce", "x: axes", "real", "the greatest; NaN wins", required=True, torch="amax", samples="extreme"),
    Op("min", "reduce", "x: axes", "real", "the smallest; NaN wins", required=True, torch="amin", samples="extreme"),
    Op("mean", "reduce", "x: axes", "mean", "the arithmetic mean"),
    Op("var", "reduce", "x: axes correction", "moment", "mean squared distance from the mean, over n - correction",
       samples="variance"),
    Op("two_norm", "reduce", "x: axes", "moment", "the root of the sum of squared absolute values", aten="linalg_vector_norm"),
    Op("any", "reduce", "x: axes", "compare", "whether one item is nonzero"),
    Op("all", "reduce", "x: axes", "compare", "whether every item is nonzero"),
    Op("count_nonzero", "reduce", "x: axes", "count", "how many items are nonzero"),
    Op("logsumexp", "reduce", "x: axes", "float", "log of the sum of exponentials, without overflow"),
    Op("argmax", "reduce", "x: axes", "position", "first index of the greatest along one axis, or of all",
       required=True, samples="extreme_position", batching="extreme"),
    Op("argmin", "reduce", "x: axes", "position", "first index of the smallest along one axis, or of all",
       samples="extreme_position", batching="extreme"),
    # -- scan ----------------------------------------------------------------------------------------------------
    Op("cumsum", "scan", "x: axis", "sum", "running sum", required=True),
    Op("cumprod", "scan", "x: axis", "sum", "running product", domain="positive"),
    Op("running_max", "scan", "x: axis", "real", "the greatest so far; NaN wins", aten=""),
    Op("running_min", "scan", "x: axis", "real", "the smallest so far; NaN wins", aten=""),
    Op("cummax", "scan", "x: axis", "real", "the greatest so far and where it last stood; NaN greatest", outputs=2),
    Op("cummin", "scan", "x: axis", "real", "the smallest so far and where it last stood; NaN smallest", outputs=2),
    Op("logcumsumexp", "scan", "x: axis", "mean", "log of the running sum of exponentials, without overflow"),
    Op("products_of_others", "fused", "x: axis", "inexact", "the product of all items along axis but this one", aten="",
       domain="positive", samples="along_axis", batching="axis"),
)
