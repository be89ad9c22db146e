"""The kernels: an op's name to a function that writes OpenCL C for the dtypes it is given, and queues it."""

from __future__ import annotations

from typing import Final

from lamina_flatarray.contract import Kernel

from . import copies, elementwise, gather, matmul, random, reduce, scan, sort

__all__ = ["KERNELS"]

_FAMILIES: Final = (copies, elementwise, reduce, scan, matmul, gather, sort, random)

KERNELS: Final[dict[str, Kernel]] = {op: kernel for family in _FAMILIES for op, kernel in family.KERNELS.items()}
