"""Functions that read and write items at indices and under masks."""

from .gathering import gather, index_select, take, take_along_dim
from .masking import isin, masked_fill, masked_scatter, masked_select, where
from .nonzero import argwhere, nonzero, nonzero_static, unravel_index
from .patching import as_strided_scatter, diagonal_scatter, select_scatter, slice_scatter
from .scattering import scatter, scatter_add, scatter_reduce
from .writing import index_add, index_copy, index_fill, index_put, index_reduce, put

__all__ = [
    "argwhere", "as_strided_scatter", "diagonal_scatter", "gather", "index_add", "index_copy", "index_fill", "index_put", "index_reduce",
    "index_select", "isin", "masked_fill", "masked_scatter", "masked_select", "nonzero", "nonzero_static", "put", "scatter", "scatter_add",
    "scatter_reduce", "select_scatter", "slice_scatter", "take", "take_along_dim", "unravel_index", "where",
]  # fmt: skip
