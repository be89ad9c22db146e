"""Scan kernels: running folds, a thread or a block for each line along the axis."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from lamina_flatarray.dtypes import DType

from .folds import declared, fold_of
from .operands import address, device_of, dtype_of
from .sources import TYPES, source
from .walks import Walk, walk_format, walks

__all__ = ["ScanKernel", "lines_along"]

_THREADS: Final = 256
_SHORT: Final = 64
_ENOUGH: Final = 1 << 15
_FORMATS: Final = ("P", "P", walk_format(2), "q", "q", "q")


@lru_cache(256)
def _text(op: str, dtype: DType, result: DType) -> str:
    own = declared(fold_of(op, dtype), TYPES[dtype.name], TYPES[result.name])
    return "\n".join((source("numbers", "walks", "maps", "limits"), own, source("scan")))


def lines_along(axis: int, *operands: Any) -> tuple[int, tuple[int, ...], tuple[Walk, ...]]:
    """Return the lines of operands along an axis, in row-major order of their other axes.

    Args:
        axis: the axis; an operand without axes is one line of one item.
        operands: of one shape, but for that axis.

    Returns:
        The length of the first one's lines, how far apart the items of each one's are, and walks over the lines.
    """
    layouts = [operand.layout for operand in operands]
    if not layouts[0].ndim:
        return 1, (1,) * len(operands), walks((), ((),) * len(operands), True)
    rest = [a for a in range(layouts[0].ndim) if a != axis]
    shape = tuple(layouts[0].shape[a] for a in rest)
    over = walks(shape, tuple(tuple(layout.strides[a] for a in rest) for layout in layouts), True)
    return layouts[0].shape[axis], tuple(layout.strides[axis] for layout in layouts), over


class ScanKernel:
    """The kernel of an op of SCANS.

    Args:
        op: its name.
    """

    def __init__(self, op: str) -> None:
        self.__name__ = self.op = op

    def __call__(self, out: Any, x: Any, axis: int) -> None:
        """Fold the items of each line up to every one of them."""
        length, steps, over = lines_along(axis, out, x)
        if not length:
            return
        device = device_of(out)
        signatures = {"lines": _FORMATS, "blocks": _FORMATS}
        functions = device.functions(_text(self.op, dtype_of(x), dtype_of(out)), signatures)
        for walk in over:
            values = (address(out, walk.begins[0]), address(x, walk.begins[1]), *walk.values, length, *steps)
            if length <= _SHORT or walk.size >= _ENOUGH:
                device.launch(functions["lines"], walk.size, values)
            else:
                device.launch(functions["blocks"], walk.size * _THREADS, values)
