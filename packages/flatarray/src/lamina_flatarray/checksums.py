"""The CRC-32 of bytes, which zip archives keep of each of their records."""

from __future__ import annotations

import zlib
from typing import Any

from .compiled import Checksum, compilable

__all__ = ["crc32"]


@compilable(Checksum("crc32"))
def crc32(data: Any, value: int = 0, /) -> int:
    """The CRC-32 of a buffer, or of what had the CRC-32 `value` and the buffer behind it."""
    return zlib.crc32(data, value)
