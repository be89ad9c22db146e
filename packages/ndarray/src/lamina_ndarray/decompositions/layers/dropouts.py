"""Dropout and its gradient: numbers of 0 and 1, packed into bits."""

from __future__ import annotations

from typing import Any

from lamina_flatarray import uint8

from ...array_fields import empty_of
from ...dispatch.namespace import namespace
from ..registering import composed

__all__: list[str] = []


def _places(x: Any) -> Any:
    """1, 2, 4 ... 128: what the bits of a byte stand for."""
    xp = namespace(x)
    return xp.bitwise_left_shift(xp.ones((8,), dtype=uint8, device=x.device), xp.arange(8, dtype=uint8, device=x.device))


@composed("dropout")
def dropout(x: Any, generator: Any, p: float) -> tuple[Any, Any]:
    """Compute `x * kept / (1 - p)`, kept being 1 with the probability 1 - p, and return `kept` packed into bits, too."""
    xp = namespace(x)
    mask = empty_of(x.flat.kernels.sibling(uint8), x.layout.compact)
    mask.flat.kernels["random_bernoulli"](mask, generator=generator, probability=1 - p)
    rest = xp.zeros((-x.layout.size % 8,), dtype=uint8, device=x.device)
    packed = xp.sum(xp.reshape(xp.concat([mask, rest]), ((x.layout.size + 7) // 8, 8)) * _places(mask), 1)
    return x * (xp.astype(mask, x.dtype) / (1 - p)), packed


@composed("dropout_gradient")
def dropout_gradient(gradient: Any, kept: Any, p: float) -> Any:
    """Compute `gradient * kept / (1 - p)` from the packed bits."""
    xp = namespace(gradient)
    chosen = xp.reshape(xp.expand_dims(kept, 1) & _places(kept), (8 * kept.layout.size,))[: gradient.layout.size] != 0
    return gradient * (xp.astype(chosen, gradient.dtype) / (1 - p))
