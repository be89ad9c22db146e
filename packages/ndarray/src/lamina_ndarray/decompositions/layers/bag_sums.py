"""Sums of rows bag by bag: the rows picked at once, weighted, and added to where their bags are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...creation.constructors import zeros
from ...indexing.bag_sums import bags_of
from ...indexing.index_select import index_select
from ...indexing.selection import setitem
from ..registering import composed, widened

if TYPE_CHECKING:
    from ...array import NDArray

__all__: list[str] = []


@composed("bag_sums")
def bag_sums(x: NDArray, indices: NDArray, ends: NDArray, weights: NDArray | None) -> NDArray:
    """Compute `sum over j of weights[j] * x[indices[j]]` for the indices j of each bag."""
    picked = widened(index_select(x, 0, indices))
    if weights is not None:
        picked = picked * widened(weights).reshape((-1, 1))
    bags = ends.shape[0]
    sums = zeros((bags + 1, x.shape[1]), dtype=picked.dtype, device=x.device)  # the last one of what is in no bag
    setitem(sums, bags_of(ends, indices.shape[0]), picked, accumulate=True)
    return sums[:bags]
