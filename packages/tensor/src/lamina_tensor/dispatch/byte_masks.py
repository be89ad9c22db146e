"""Masks of uint8: in an index PyTorch takes them for masks and not for positions, as it did before it had booleans, and warns."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

import lamina_ndarray as nd
from lamina_ndarray import NDArray

__all__ = ["masks_of_bytes"]


def masks_of_bytes(index: Any, what: str = "an index") -> Any:
    """The arrays of uint8 in an index as arrays of bool, all else as it is.

    Args:
        index: an index, or several in a tuple.
        what: what it is, for the warning.
    """
    if index.__class__ is tuple:
        return tuple([masks_of_bytes(part, what) for part in index])
    is_mask = index.flat.dtype is nd.uint8 if index.__class__ is NDArray else isinstance(index, np.ndarray) and index.dtype == np.uint8
    if not is_mask:
        return index
    warnings.warn(f"{what} of dtype uint8 is taken for a mask, which is deprecated; bool is wanted: mask != 0", stacklevel=4)
    return nd.not_equal(index, 0) if index.__class__ is NDArray else index != 0
