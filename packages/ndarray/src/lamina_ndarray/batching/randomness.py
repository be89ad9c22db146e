"""Random numbers while a function is mapped: refused, drawn for each slice, or once for all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..array_fields import empty_of
from .crossing import levels_of
from .levels import Level
from .tables import table_of

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["check_randomness", "drawn_into"]


def check_randomness(level: Level, x: NDArray | None = None) -> None:
    """Refuse to draw where the mapped function may not, or to draw for each slice into what is the same for all.

    Args:
        level: the innermost one.
        x: what is to be overwritten.

    Raises:
        RuntimeError: the level's randomness is "error"; or it is "different", and x is no batch.
    """
    if level.randomness == "error":
        raise RuntimeError(
            "vmap: called random operation while in randomness error mode. Please either use the 'same' or "
            "'different' randomness flags on vmap or perform the randomness operation out of vmap"
        )
    if level.randomness == "different" and x is not None and level not in levels_of(x.flat.kernels):
        raise RuntimeError(
            "vmap: random numbers that differ from slice to slice cannot be written into an array that is the same for all; "
            "make it from a mapped argument, or use the 'same' randomness flag"
        )


def drawn_into(x: NDArray, level: Level) -> NDArray:
    """Where a new random array's numbers go: one for each slice, or one for all.

    Raises:
        RuntimeError: the level's randomness is "error".
    """
    check_randomness(level)
    if level.randomness == "same" or level in levels_of(x.flat.kernels):
        return x
    return empty_of(table_of(level, x.flat.kernels), x.layout.compact)
