"""The op table: all ops, from the lists of their kinds."""

from __future__ import annotations

from itertools import chain
from typing import Final

from . import (
    activations,
    arithmetic,
    convolutions,
    copies,
    elementary,
    indexing,
    layers,
    linear_algebra,
    logic,
    optimizers,
    random,
    reductions,
    searches,
    special,
)
from .op import Op

__all__ = ["OPS"]

_KINDS: Final = (
    copies, arithmetic, elementary, logic, activations, special, reductions, linear_algebra, indexing, random, layers,
    searches, convolutions, optimizers,
)  # fmt: skip

OPS: Final[dict[str, Op]] = {op.name: op for op in chain.from_iterable(kind.ROWS for kind in _KINDS)}
"""Every op by name."""
