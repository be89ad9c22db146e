"""PyTorch's further names of the ops of the table."""

from typing import Final

from lamina_flatarray.ops import OPS

__all__ = ["ALIASES"]

ALIASES: Final[dict[str, str]] = {alias: row.spelling for row in OPS.values() for alias in row.aliases}
