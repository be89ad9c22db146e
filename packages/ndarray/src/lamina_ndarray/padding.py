"""Arrays with a margin of one value around them, or with a margin cut off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lamina_flatarray import ShapeError

from .namespace import composite, namespace
from .writable import check_fits

__all__ = ["constant_pad"]


@composite
def constant_pad(x: Any, pad: Sequence[int], value: Any = 0) -> Any:
    """x with `value` around it.

    Args:
        x: the items.
        pad: how many before and after, in pairs, from the last axis backwards; negative ones cut off.
        value: a number of a kind that x's dtype holds.

    Raises:
        ShapeError: the numbers are not pairs, are too many, or cut off more than there is.
        DTypeError: x's dtype cannot hold the value.
    """
    if len(pad) % 2 or len(pad) > 2 * x.ndim:
        raise ShapeError(f"constant_pad: {len(pad)} numbers given; it wants pairs, at most {x.ndim} of them")
    check_fits("constant_pad", value, x.dtype)
    before, after = [0] * x.ndim, [0] * x.ndim
    for i in range(len(pad) // 2):
        before[-1 - i], after[-1 - i] = pad[2 * i], pad[2 * i + 1]
    shape = tuple(n + a + b for n, a, b in zip(x.shape, before, after, strict=True))
    if min(shape, default=0) < 0:
        raise ShapeError(f"constant_pad: shape {tuple(x.shape)} and pad {list(pad)} make the negative shape {shape}")
    xp = namespace(x)
    kept = x[tuple(slice(max(-a, 0), n - max(-b, 0)) for n, a, b in zip(x.shape, before, after, strict=True))]
    made = xp.full(shape, value, dtype=x.dtype, device=x.device)
    starts = [max(a, 0) for a in before]
    return xp.index_put(made, tuple(slice(s, s + n) for s, n in zip(starts, kept.shape, strict=True)), kept)
