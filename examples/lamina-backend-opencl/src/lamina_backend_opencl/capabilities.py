"""What the kernels serve, as plain data; made without pyopencl."""

from __future__ import annotations

from typing import Final

from lamina_flatarray.dtype_rules import DTYPE_RULES
from lamina_flatarray.dtypes import DTYPES
from lamina_flatarray.ops import OPS

__all__ = ["CAPABILITIES"]

_RANDOM: Final = {
    # an op's rule admits all dtypes; these are the ones that have a meaning
    "random_uniform": "f", "random_normal": "f", "random_integers": "buif", "random_permutation": "uif", "random_bernoulli": "buif",
}  # fmt: skip

CAPABILITIES: Final = {
    name: tuple(d.name for d in DTYPES.values() if (DTYPE_RULES[row.rule](d) or (None,))[0] is d and d.kind in _RANDOM.get(name, "buifc"))
    for name, row in OPS.items()
    if row.required or name in _RANDOM
}
"""By op, the names of the dtypes that it computes in: all for which it is defined."""
