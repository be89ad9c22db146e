"""The types that metadata has in a GGUF file, by the numbers that the format gives them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

__all__ = ["ARRAY", "BOOL", "MOST_NESTED", "NUMBERS", "NUMBERS_OF", "STRING"]

BOOL: Final = 7
STRING: Final = 8
ARRAY: Final = 9

NUMBERS: Final[dict[int, np.dtype[Any]]] = {
    0: np.dtype("<u1"), 1: np.dtype("<i1"), 2: np.dtype("<u2"), 3: np.dtype("<i2"), 4: np.dtype("<u4"), 5: np.dtype("<i4"),
    6: np.dtype("<f4"), 10: np.dtype("<u8"), 11: np.dtype("<i8"), 12: np.dtype("<f8"),
}  # fmt: skip
"""The types of numbers."""

NUMBERS_OF: Final = {dtype: number for number, dtype in NUMBERS.items()} | {np.dtype(bool): BOOL}
"""The number of a NumPy dtype's type."""

MOST_NESTED: Final = 16
"""How deep arrays may lie in arrays; no writer nests them at all so far."""
