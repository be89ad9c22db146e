"""Functions that change the shape of tensors: views, and tensors split, joined, turned and repeated."""

from .broadcasting import broadcast_shapes, broadcast_tensors, broadcast_to, meshgrid
from .choices import cartesian_prod, combinations
from .dim_order import adjoint, moveaxis, movedim, permute, swapaxes, swapdims, t, transpose
from .joining import block_diag, cat, column_stack, concat, concatenate, dstack, hstack, row_stack, stack, vstack
from .parts import as_strided, narrow, narrow_copy, select
from .repeating import constant_pad_nd, repeat_interleave, tile
from .reshaping import atleast_1d, atleast_2d, atleast_3d, flatten, ravel, reshape, squeeze, unflatten, unsqueeze
from .splitting import (
    chunk,
    dsplit,
    hsplit,
    split,
    split_with_sizes,
    tensor_split,
    unbind,
    unsafe_chunk,
    unsafe_split,
    unsafe_split_with_sizes,
    vsplit,
)
from .triangles import diag, diag_embed, diagflat, diagonal, tril, tril_indices, triu, triu_indices
from .turning import flip, fliplr, flipud, roll, rot90

__all__ = [
    "adjoint", "as_strided", "atleast_1d", "atleast_2d", "atleast_3d", "block_diag", "broadcast_shapes", "broadcast_tensors",
    "broadcast_to", "cartesian_prod", "cat", "chunk", "column_stack", "combinations", "concat", "concatenate", "constant_pad_nd", "diag",
    "diag_embed", "diagflat", "diagonal", "dsplit", "dstack", "flatten", "flip", "fliplr", "flipud", "hsplit", "hstack", "meshgrid",
    "moveaxis", "movedim", "narrow", "narrow_copy", "permute", "ravel", "repeat_interleave", "reshape", "roll", "rot90", "row_stack",
    "select", "split", "split_with_sizes", "squeeze", "stack", "swapaxes", "swapdims", "t", "tensor_split", "tile", "transpose", "tril",
    "tril_indices", "triu", "triu_indices", "unbind", "unflatten", "unsafe_chunk", "unsafe_split", "unsafe_split_with_sizes",
    "unsqueeze", "vsplit", "vstack",
]  # fmt: skip
