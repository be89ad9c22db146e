"""Batches: arrays that stand for stacks of arrays, so that a function of arrays runs once for all slices of a stack.

Seen from above, a batch is an ordinary array of a slice's shape; seen from below, each kernel call is one on the whole stack.
A batch's kernel table puts one axis in front of every layout and calls the table of the memory underneath, so nothing between
the two (views, promotion, broadcasting, gradients) knows of it. Batches of batches nest the tables.
"""

from . import kernels  # which tell the tables what ops do with stacks
from .crossing import all_slices, enter, leave, levels_of, on_all_slices
from .levels import OPEN, Level, innermost, opened
from .randomness import check_randomness, drawn_into

__all__ = [
    "OPEN", "Level", "all_slices", "check_randomness", "drawn_into", "enter", "innermost", "leave", "levels_of", "on_all_slices", "opened",
]  # fmt: skip
