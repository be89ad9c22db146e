"""The derived `tril` and `triu`: a choice by how far a place is from the main diagonal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..creation.ranges import arange
from ..elementwise import choosing
from ..shapes.views import reshape
from .registering import composed

if TYPE_CHECKING:
    from ..array import NDArray

__all__: list[str] = []


def _distance(x: NDArray) -> NDArray:
    rows, columns = x.shape[-2:]
    return arange(columns, device=x.device) - reshape(arange(rows, device=x.device), (rows, 1))


@composed("tril")
def tril(x: NDArray, diagonal: int) -> NDArray:
    """Keep the items whose column less row is at most `diagonal`, and 0 elsewhere."""
    return choosing.where(_distance(x) <= diagonal, x, False if x.dtype.kind == "b" else 0)


@composed("triu")
def triu(x: NDArray, diagonal: int) -> NDArray:
    """Keep the items whose column less row is at least `diagonal`, and 0 elsewhere."""
    return choosing.where(_distance(x) >= diagonal, x, False if x.dtype.kind == "b" else 0)
