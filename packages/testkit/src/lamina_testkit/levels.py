"""Levels of conformance: which one an op in a dtype belongs to, told by the op's record and the dtype alone."""

from __future__ import annotations

from typing import Final

from lamina_flatarray import DType
from lamina_flatarray.dtype_rules import DTYPE_RULES
from lamina_flatarray.ops import OPS

__all__ = ["LEVELS", "level_of", "up_to"]

LEVELS: Final = {
    "core": "memory, copies, and ops in float32 and float64",
    "int": "booleans and whole numbers",
    "float16": "float16 and bfloat16",
    "complex": "complex numbers",
    "linalg": "factorizations and solvers",
    "random": "random fills",
    "autograd": "gradient kernels, steps of optimizers, and whole programs with their backward pass",
}
"""Every level and what it adds to those before it. The first one is the condition of all others."""


def level_of(op: str, dtype: DType) -> str:
    """Return the level that a case belongs to.

    Args:
        op: the op's name.
        dtype: what it is computed in.

    Returns:
        A key of LEVELS.

    >>> from lamina_flatarray import dtypes
    >>> level_of("add", dtypes.float32), level_of("add", dtypes.int8), level_of("tanh_gradient", dtypes.float16)
    ('core', 'int', 'autograd')
    """
    row = OPS[op]
    if row.family in ("linalg", "random"):
        return row.family
    if row.rule == "update" or "gradient" in row.inputs:
        return "autograd"
    dtypes = DTYPE_RULES[row.rule](dtype)
    if dtype.is_complex or (dtypes is not None and dtypes[1].is_complex):
        return "complex"
    if not dtype.is_inexact:
        return "int"
    return "core" if dtype.itemsize >= 4 else "float16"


def up_to(level: str) -> tuple[str, ...]:
    """Return a level and all before it.

    Args:
        level: a key of LEVELS.

    Returns:
        A tuple of keys of LEVELS, in order.

    >>> up_to("float16")
    ('core', 'int', 'float16')
    """
    names = tuple(LEVELS)
    return names[: names.index(level) + 1]
