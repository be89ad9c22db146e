"""Reading and writing at indices, and putting items in order."""

from typing import Final

from .op import Op

__all__ = ["ROWS"]

ROWS: Final = (
    # -- gather --------------------------------------------------------------------------------------------------
    Op("index", "gather", "x *indices: from_front", "index",
       "out = x[indices]: broadcast int64 arrays for x's first axes; negative ones refused if from_front", required=True,
       batching="indices"),
    Op("index_put", "gather", "values *indices: accumulate from_front", "index",
       "out[indices] = values, or += with accumulate; the last of equal indices wins; negative ones refused if from_front",
       required=True, aten="index_put_", batching="indices"),
    Op("gather", "gather", "x indices: axis", "index", "take_along_axis: out[i][j] = x[indices[i][j]][j] on axis 0", batching="axis"),
    Op("scatter", "gather", "values indices: axis", "index", "out at indices along axis = values", batching="axis"),
    Op("scatter_add", "gather", "values indices: axis", "index", "out at indices along axis += values", batching="axis"),
    Op("scatter_reduce", "gather", "values indices: axis reduce", "index",
       "out at indices along axis folded with values: prod, amax or amin", batching="axis"),
    # -- sort ----------------------------------------------------------------------------------------------------
    Op("sort", "sort", "x: axis descending", "real", "values in order and where they came from; stable, NaN greatest",
       required=True, outputs=2),
    Op("sorted_values", "sort", "x: axis descending", "real", "values in order, alone; NaN greatest", aten=""),
    Op("ranked", "sort", "x: axis start stop descending", "real",
       "the items of ranks start .. stop - 1 in order and where they came from; stable, NaN greatest",
       outputs=2, aten="", samples="ranked"),
    Op("median", "sort", "x: axis skip_nan", "real",
       "the middle item along axis, of an even number the lower of the two, and where it is; NaN wins, or is skipped",
       outputs=2, samples="median"),
    Op("mode", "sort", "x: axis", "real",
       "the most frequent item along axis, of equally frequent ones the smallest, and where it last is", outputs=2, samples="mode"),
)
