"""Ops that move items, cast them, join arrays, or make items of numbers."""

from typing import Final

from .op import Op

__all__ = ["ROWS"]

ROWS: Final = (
    Op("copy", "copy", "x", "cast", "out = x, cast to out's dtype", required=True, aten="copy_", samples="apart", batching="items"),
    Op("fill", "copy", ": value", "cast", "every item of out = value", required=True, aten="fill_", samples="apart", batching="items"),
    Op("arange", "copy", ": start step", "cast", "out[i] = start + i * step", required=True, samples="apart", batching="counted"),
    Op("linspace", "copy", ": start stop", "cast", "out[i] evenly apart from start to stop, both included, counted from the nearer",
       samples="apart", batching="counted"),
    Op("concat", "copy", "[arrays]: axis", "cast", "those of a list one after another, each cast to out's dtype",
       torch="cat", aliases=("concatenate",), samples="joined", batching="axis"),
    Op("tril", "copy", "x: diagonal", "cast", "out = x up to a diagonal of its last two axes, else 0; of one dtype",
       samples="triangle", batching="items"),
    Op("triu", "copy", "x: diagonal", "cast", "out = x from a diagonal of its last two axes on, else 0; of one dtype",
       samples="triangle", batching="items"),
)
