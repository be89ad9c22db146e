"""Dropout, which notes in bits what it kept, and its gradient: one kernel call each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lamina_flatarray import uint8
from lamina_flatarray.random import Generator

from ..array_fields import empty_of, view_of
from ..batching import check_randomness, drawn_into, innermost
from ..creation.generators import generator_of
from ..dispatch.operands import cast, copy_to, fused_kernels
from ..layouts.layout import Layout

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["dropout", "dropout_gradient"]


def _lined(x: NDArray, result: NDArray) -> tuple[NDArray, NDArray]:
    """x and room for a result, both as one row of items in the order of the room's memory; x is the room itself, with its items
    copied there, where they do not lie like that."""
    n, layout = result.layout.size, x.layout
    room = view_of(result, Layout.dense((n,)))
    if layout.strides == result.layout.strides and x.flat.kernels is result.flat.kernels:
        return view_of(x, Layout.of((n,), (1,), layout.offset)), room
    copy_to(result, cast(x, result.flat.kernels))
    return room, room


def dropout(x: NDArray, p: float, generator: Generator | None = None) -> tuple[NDArray, NDArray]:
    """Items over 1 - p, or times 0 with probability p.

    Args:
        x: of any shape.
        p: in [0, 1).
        generator: what is drawn from, in the order of memory where x is dense; that of the device by default.

    Returns:
        The result, and as bits, (ceil(n / 8),) of uint8, which items of its memory were kept: the lowest bit first.

    Raises:
        DTypeError: x is not floating.
    """
    kernels = fused_kernels("dropout", x)
    result, level = empty_of(kernels, x.layout.result), innermost()
    if level is not None:
        check_randomness(level)
        result = drawn_into(result, level)
    mask = empty_of(result.flat.kernels.sibling(uint8), Layout.dense(((result.layout.size + 7) // 8,)))
    line, room = _lined(x, result)
    result.flat.kernels["dropout"]((room, mask), line, generator=generator or generator_of(x.device), p=p)
    return result, mask


def dropout_gradient(gradient: NDArray, kept: NDArray, p: float, layout: Any) -> NDArray:
    """The gradient of `dropout`, which is the same map of it.

    Args:
        gradient: of the result.
        kept: what `dropout` gave beside it.
        p: as for `dropout`.
        layout: the result's.
    """
    result = empty_of(fused_kernels("dropout_gradient", gradient, kept), layout)
    line, room = _lined(gradient, result)
    result.flat.kernels["dropout_gradient"](room, line, kept, p=p)
    return result
