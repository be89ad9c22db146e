"""Derived ops over many arrays at once: their norm as one vector, and what is done to each of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lamina_flatarray.backends.kernel_table import decompositions

from ...creation.conversion import astype
from ...dispatch.functions import RANKED
from ...dispatch.operands import copy_to
from ...elementwise import arithmetic, choosing
from ...linalg import vector_norm
from ...shapes.joining import stack
from ..registering import as_array

__all__: list[str] = []


def _total_norm(out: Any, *arrays: Any, order: float) -> None:
    """The norm of the norms, in double precision where there is one: a square may be too large for the dtype where the norm is not."""
    wide = [as_array(x) for x in arrays]
    real = as_array(out).flat.kernels.widest
    wide = [astype(x, real.to_complex() if x.dtype.is_complex else real, copy=False) for x in wide]
    total = vector_norm(stack([vector_norm(x, order) for x in wide]), order)
    copy_to(as_array(out), astype(total, as_array(out).dtype, copy=False))


def _foreach_multiply(out: Sequence[Any], factor: Any) -> None:
    for x in map(as_array, out):
        RANKED["multiply"](x, as_array(factor), out=x)


def _foreach_add(out: Sequence[Any], *, value: float) -> None:
    for x in map(as_array, out):
        arithmetic.add(x, value, out=x)


def _foreach_clip(out: Sequence[Any], *, min: float, max: float) -> None:
    for x in map(as_array, out):
        choosing.clip(x, min, max, out=x)


decompositions["total_norm"] = _total_norm
decompositions["foreach_multiply"] = _foreach_multiply
decompositions["foreach_add"] = _foreach_add
decompositions["foreach_clip"] = _foreach_clip
