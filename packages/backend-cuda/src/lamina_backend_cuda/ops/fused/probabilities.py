"""The loss of probabilities of two classes. What is no probability is told when the host next waits for the device."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from lamina_flatarray.dtypes import DType

from ..maps import Program, mapped, program_of_items, together
from ..operands import device_of, dtype_of, is_array
from ..sources import FORMATS, TYPES
from .lines import FLOATING

__all__ = ["KERNELS"]

_LOSS: Final = """
typedef Item<{kind}>::Wide W;
LAMINA W loss_of(W x, W target, u64* wrong) {{
  if (!(x >= 0 && x <= 1)) note_value(wrong, (float)x);
  if (!(target >= 0 && target <= 1)) note_value(wrong, (float)target);
  W no = log1p(-x), yes = log(x), least = -100;
  return (target - 1) * (no < least ? least : no) - target * (yes < least ? least : yes);
}}
"""


@lru_cache(16)
def _program(dtype: DType, arrays: tuple[bool, bool]) -> Program:
    kind, formats = TYPES[dtype.name], (FORMATS[dtype.name],) * 2
    target = "widened({b})" if arrays[1] else "{b}"
    return program_of_items(
        _LOSS.format(kind=kind), f"loss_of(widened({{a}}), {target}, wrong)", kind, [kind, kind], arrays, formats, together(dtype),
        beside=("u64* wrong",), files=("outside",),
    )  # fmt: skip


def binary_cross_entropy(out: Any, x: Any, target: Any) -> None:
    """-target * log(x) - (1 - target) * log(1 - x), where no logarithm is below -100."""
    dtype, errors = dtype_of(x), device_of(out).late_errors
    program = _program(dtype, (True, is_array(target)))
    mapped(program, out, (x, target), dtype, beside=(errors.word("binary_cross_entropy"),))
    errors.launched()


KERNELS: Final = {"binary_cross_entropy": (binary_cross_entropy, FLOATING)}
"""By op, its kernel and the dtypes that it serves."""
