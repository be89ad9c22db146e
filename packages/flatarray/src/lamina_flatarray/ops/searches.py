"""Fused ops that count, search, compare or weigh items."""

from typing import Final

from .op import Op

__all__ = ["ROWS"]

ROWS: Final = (
    Op("nonzero", "fused", "x", "count",
       "the indices of nonzero items in row-major order: a row for each axis, a column for each of them",
       aten="nonzero", samples="nonzero"),
    Op("distinct", "fused", "x: ordered", "promote",
       "of one axis, the items that differ from the one before, as they come or in order: they, where each first is, which of "
       "them every item is, how often each occurs, and how many there are; zeros behind them. Of the three in the middle, "
       "those without items are not wanted", outputs=5, aten="", samples="distinct", batching="decomposed"),
    Op("array_equal", "fused", "a b", "compare", "whether all items of two arrays of one shape are equal",
       aten="equal", samples="array_equal", batching="decomposed"),
    Op("frexp", "fused", "x", "floating",
       "x as mantissa * 2**exponent, the mantissa's magnitude in [0.5, 1), the exponent int32; of 0, infinities and NaN, they "
       "and 0", outputs=2, aten="frexp", samples="frexp", batching="items"),
    Op("cross", "fused", "a b: axis", "arithmetic", "the vector product along an axis of three items, of arrays of one shape",
       aten="cross", samples="cross", batching="axis"),
    Op("bincount", "fused", "x weights", "integer",
       "how often each whole number below out's length occurs on x's one axis, in int64; with weights (else None) their sums",
       aten="bincount", samples="bincount", batching="decomposed"),
    Op("histc", "fused", "x: low high", "real",
       "how many items of x's one axis lie in each of out's equal intervals from low to high, both ends included, in int64",
       aten="histc", samples="histc", batching="decomposed"),
    Op("histogram", "fused", "x edges weights", "floating",
       "how many items of x's one axis lie between neighbouring edges, the last one included, in int64; with weights (else "
       "None) their sums", aten="histogram", samples="histogram", batching="decomposed"),
    Op("searchsorted", "fused", "sequence values: right", "position",
       "where values belong in a sorted axis, or each in its row of sorted rows, before or behind equals; NaN greatest",
       aten="searchsorted", samples="searchsorted", batching="searched"),
    Op("weighted_items", "fused", "x: axis places weights used", "arithmetic",
       "along an axis, per row of a table, the sum of the items at `places` by `weights`, of those terms that are used (None: "
       "of all); all three are NumPy's arrays (count, terms), of int64, float64 and bool", aten="", samples="weighted_items",
       batching="axis"),
    Op("bag_sums", "fused", "x indices ends weights", "inexact",
       "of a matrix, per bag the sum of the rows at its indices, weights times (None: once): bag i has the indices before ends[i] that "
       "no bag before it has; ends do not decrease, and indices behind the last are in no bag",
       aten="_embedding_bag", samples="bag_sums", batching="decomposed"),
)
