"""The dims that a reduction runs over, as PyTorch writes them: one, several, or all for None and for an empty list."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["Dims", "dims_or_all"]

Dims = int | Sequence[int] | None


def dims_or_all(dim: Dims) -> Dims:
    """The dims, with None for an empty list: both mean all."""
    return None if dim == () or dim == [] else dim
