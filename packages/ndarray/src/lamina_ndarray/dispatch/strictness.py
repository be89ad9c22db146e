"""What strict mode refuses: operands of other ranks spread, items copied unasked.

What lamina's own functions do on the way (a bias that is added, a layer that reshapes) is theirs: while one of them runs, the flag
INSIDE is on, and nothing is refused.
"""

from __future__ import annotations

from lamina_flatarray import ShapeError
from lamina_flatarray.modes import INSIDE, STRICT, switch, word

from ..layouts.layout import Layout

__all__ = ["is_strict", "refuse_copy", "refuse_ranks", "turned"]


def is_strict() -> bool:
    """Whether strict mode is on in this thread or task."""
    return bool(word.get() & STRICT)


def turned(on: bool) -> bool:
    """Set whether it is on in this thread or task; whether it was."""
    return switch(STRICT, on)


def _refuses() -> bool:
    return word.get() & (STRICT | INSIDE) == STRICT


def refuse_ranks(*shapes: tuple[int, ...]) -> None:
    """Refuse operands with different numbers of axes, none of which is 0, in strict mode.

    Raises:
        ShapeError: these are such.
    """
    if len({len(shape) for shape in shapes} - {0}) > 1 and _refuses():
        raise ShapeError(
            f"shapes {' and '.join(map(str, shapes))} have different numbers of axes, which strict mode does not "
            "broadcast; give an operand axes of length 1 where it is to be repeated: x[None], x[:, None] or unsqueeze"
        )


def refuse_copy(layout: Layout) -> None:
    """Refuse to copy what `reshape` cannot view, in strict mode.

    Raises:
        ShapeError: it would have to be copied.
    """
    if not layout.contiguous and _refuses():
        raise ShapeError(
            f"reshape: shape {layout.shape} with strides {layout.strides} cannot be read in another shape without copying "
            "all items, which strict mode refuses; write contiguous().reshape(...) where a copy is meant"
        )
