"""Several results by name, as the Array API and PyTorch call them. The fields hold arrays of whichever storey asked."""

from __future__ import annotations

from typing import Any, NamedTuple

__all__ = ["MantissaExponent", "ValuesIndices"]


class ValuesIndices(NamedTuple):
    """Items and where along the axis they came from."""

    values: Any
    indices: Any


class MantissaExponent(NamedTuple):
    """Numbers as mantissa * 2**exponent."""

    mantissa: Any
    exponent: Any
