"""The arithmetic of less usual views: (shape, strides, offset) in, (shape, strides, offset) out."""

from collections.abc import Sequence

from lamina_flatarray import ShapeError

from .broadcast import normalize_axes, normalize_axis, normalize_order
from .strides import Shape, outer_stride

__all__ = ["diagonal", "expanded", "flipped", "moved", "windows"]

Parts = tuple[Shape, Shape, int]


def flipped(shape: Shape, strides: Shape, offset: int, dims: int | Sequence[int] | None) -> Parts:
    """Read `dims` (None: all) backwards: from the last item, by negated strides."""
    turned, start = list(strides), offset
    for d in normalize_axes(dims, len(shape), "flip"):
        if shape[d]:
            start += (shape[d] - 1) * turned[d]
        turned[d] = -turned[d]
    return shape, tuple(turned), offset if 0 in shape else start


def diagonal(shape: Shape, strides: Shape, start: int, offset: int, a: int, b: int) -> Parts:
    """Walk the dims `a` and `b` in step, `offset` items to the right of their diagonal, as a new last dim."""
    rows, columns = shape[a] - max(-offset, 0), shape[b] - max(offset, 0)
    n = max(min(rows, columns), 0)
    if n:
        start += max(offset, 0) * strides[b] + max(-offset, 0) * strides[a]
    others = [d for d in range(len(shape)) if d not in (a, b)]
    return (*[shape[d] for d in others], n), (*[strides[d] for d in others], strides[a] + strides[b]), start


def windows(shape: Shape, strides: Shape, offset: int, dim: int, size: int, step: int) -> Parts:
    """Slide windows of `size` along `dim`, `step` apart: dim counts windows, a new last dim is inside.

    Raises ShapeError where a window is longer than the dim, or a step leads nowhere.
    """
    d = normalize_axis(dim, len(shape), "unfold")
    n = shape[d] if shape else 1
    if not 0 <= size <= n or step <= 0:
        raise ShapeError(
            f"unfold: size {size} and step {step} on dim {d} of shape {shape}; want 0 <= size <= {n} and step > 0"
            f" (maximum size for tensor at dimension {d} is {n})"
        )
    if not shape:
        return (size,), (1,), offset
    counts, steps = list(shape), list(strides)
    counts[d], steps[d] = (n - size) // step + 1, strides[d] * step
    return (*counts, size), (*steps, strides[d]), offset


def moved(ndim: int, dims: Sequence[int], places: Sequence[int]) -> list[int]:
    """Return the order of dims in which `dims` stand at `places` and the others keep their order."""
    order = [dim for dim in range(ndim) if dim not in dims]
    for place, dim in sorted(zip(places, dims, strict=True)):
        order.insert(place, dim)
    return order[:ndim]  # an array without dims has none to move, though 0 and -1 are names of dims there


def expanded(shape: Shape, strides: Shape, dims: Sequence[int]) -> tuple[Shape, Shape]:
    """Insert dims of length 1 such that they stand at `dims` in the result."""
    lengths, steps = list(shape), list(strides)
    for d in sorted(normalize_order(dims, len(shape) + len(dims), "unsqueeze")):
        steps.insert(d, outer_stride(lengths, steps, d))
        lengths.insert(d, 1)
    return tuple(lengths), tuple(steps)
