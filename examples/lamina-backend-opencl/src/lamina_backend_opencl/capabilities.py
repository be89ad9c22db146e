"""What the kernels serve, as plain data; made without pyopencl."""

from __future__ import annotations

from typing import Final

from lamina_flatarray.dtype_rules import DTYPE_RULES
from lamina_flatarray.dtypes import DTYPES
from lamina_flatarray.ops import OPS

__all__ = ["CAPABILITIES"]

CAPABILITIES: Final = {
    name: tuple(d.name for d in DTYPES.values() if (DTYPE_RULES[row.rule](d) or (None,))[0] is d)
    for name, row in OPS.items()
    if row.required
}
"""By op, the names of the dtypes that it computes in: all for which it is defined."""
