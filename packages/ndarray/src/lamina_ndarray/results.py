"""Several results by name, as the Array API and PyTorch call them. The fields hold arrays of whichever storey asked."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["ValuesIndices"]


class ValuesIndices(NamedTuple):
    """Items and where along the axis they came from."""

    values: Any
    indices: Any
