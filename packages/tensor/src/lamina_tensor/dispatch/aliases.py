"""PyTorch's further names of ops, which their records tell, and of other functions."""

from typing import Final

from lamina_flatarray.ops import OPS

__all__ = ["ALIASES"]

_DEFINED: Final = {"clip", "concatenate", "divide"}
"""Those that are definitions of their own."""

ALIASES: Final[dict[str, str]] = {
    **{alias: row.spelling for row in OPS.values() for alias in row.aliases if alias not in _DEFINED},
    "ger": "outer",
    "mvlgamma": "multigammaln",
}
