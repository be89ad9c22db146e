"""Shape and axis rules: broadcasting, axis normalisation, the shape of a reduction."""

from collections.abc import Iterable, Sequence
from operator import index as as_int
from typing import Final, SupportsIndex

from lamina_flatarray import ArgumentTypeError, IndexOutOfRange, ShapeError

from .bounded_cache import BoundedCache
from .strides import Shape, outer_stride

__all__ = [
    "broadcast_shapes", "broadcast_strides", "integers", "normalize_axes", "normalize_axis", "normalize_order", "reduced_shape",
]  # fmt: skip

_PAIRS: Final[BoundedCache[tuple[Shape, ...], Shape]] = BoundedCache("broadcast shapes", 2048)
"""From two shapes to that which both broadcast to."""


def broadcast_shapes(*shapes: Sequence[int], op: str = "broadcast") -> tuple[int, ...]:
    """Find the shape to which all shapes broadcast: aligned at the right, with lengths that are equal or 1.

    Results for two shapes are cached.

    Args:
        shapes: sequences of lengths.
        op: whom an error names.

    Returns:
        The common shape.

    Raises:
        ShapeError: the shapes do not broadcast; the error names them and the axis that does not fit.

    >>> nd.broadcast_shapes((2, 1, 4), (3, 1))
    (2, 3, 4)
    """
    try:
        result = _PAIRS.get(shapes)  # type: ignore[arg-type]  # a tuple of tuples, or unhashable
        if result is not None:
            return result
    except TypeError:
        pass
    checked = [tuple(map(as_int, shape)) for shape in shapes]
    out: tuple[int, ...] = ()
    for shape in checked:
        out = _merge(out, shape, checked, op)
    if len(checked) == 2:
        return _PAIRS.remember((checked[0], checked[1]), out)
    return out


def _merge(a: tuple[int, ...], b: tuple[int, ...], shapes: list[tuple[int, ...]], op: str) -> tuple[int, ...]:
    """Broadcast two shapes; `shapes` and `op` are for the message only."""
    ndim = max(len(a), len(b))
    long_a = (1,) * (ndim - len(a)) + a
    long_b = (1,) * (ndim - len(b)) + b
    for axis, (m, n) in enumerate(zip(long_a, long_b, strict=True)):
        if m != n and m != 1 and n != 1:
            listed = " and ".join(map(str, shapes))
            raise ShapeError(
                f"{op}: shapes {listed} do not broadcast: size {m} must match size {n} at dimension {axis}"
                f" ({axis - ndim} from the right), or one of them must be 1"
            )
    return tuple([n if m == 1 else m for m, n in zip(long_a, long_b, strict=True)])


def broadcast_strides(shape: Shape, strides: Shape, to: Shape, op: str = "broadcast_to") -> tuple[Shape, Shape]:
    """Return the lengths and strides that repeat `shape`, by strides of 0, to the shape `to`; -1 there keeps a length.

    Raises ShapeError naming the op, and the first dimension from the right that does not fit.
    """
    new = len(to) - len(shape)
    if new < 0:
        raise ShapeError(f"{op}: shape {shape} has more dims than {to}")
    lengths, steps = list(to), [0] * new + list(strides)
    for d, n in reversed(list(enumerate(to))):
        length = shape[d - new] if d >= new else 1
        if n == -1 and d >= new:
            lengths[d] = length
        elif length != n and length == 1 and n >= 0:
            steps[d] = 0
        elif length != n:
            raise ShapeError(
                f"{op}: shape {shape} does not broadcast to {to}: at dimension {d},"
                f" {n} was asked for where the length is {length}; expected {'the same' if length != 1 else 'at least 0'}"
            )
        elif d < new:  # a new dim of length 1 gets the stride that `unsqueeze` gives
            steps[d] = outer_stride(lengths, steps, d + 1)
    return tuple(lengths), tuple(steps)


def integers(values: SupportsIndex | Iterable[SupportsIndex], op: str) -> tuple[int, ...]:
    """Return the axes or lengths given, one or several. Raises ArgumentTypeError for what is no integer."""
    try:
        return (as_int(values),) if hasattr(values, "__index__") else tuple(map(as_int, values))  # type: ignore[arg-type]
    except TypeError:
        raise ArgumentTypeError(f"{op}: integers are wanted, got {values!r}") from None


def normalize_axis(axis: int, ndim: int, op: str) -> int:
    """Return `axis` counted from the front, 0 <= axis < max(ndim, 1); negative ones count from the end.

    As in PyTorch an array without dims has the axes 0 and -1. Raises IndexOutOfRange otherwise.
    """
    axis = as_int(axis)
    bound = ndim or 1
    if 0 <= axis < bound:
        return axis
    if -bound <= axis < 0:
        return axis + bound
    raise IndexOutOfRange(
        f"{op}: Dimension out of range (expected to be in range of [{-bound}, {bound - 1}], but got {axis})"
    )


def normalize_axes(axes: int | Sequence[int] | None, ndim: int, op: str) -> tuple[int, ...]:
    """Return `axes` as ascending, non-negative axes that all exist.

    None means all; an empty sequence stays empty (the op decides what that means). An array without dims
    accepts 0 and -1, which become (). Raises IndexOutOfRange, or ShapeError for an axis named twice.
    """
    if type(axes) is int and -ndim <= axes < ndim:
        return (axes % ndim,)
    if axes is None:
        return tuple(range(ndim))
    if isinstance(axes, tuple | list):
        out = sorted([normalize_axis(axis, ndim, op) for axis in axes])
        if len(set(out)) != len(out):
            raise ShapeError(f"{op}: a dim appears more than once in {tuple(axes)}")
        return tuple(out) if ndim else ()
    axis = normalize_axis(axes, ndim, op)  # type: ignore[arg-type]  # an int, or refused there
    return (axis,) if ndim else ()


def normalize_order(axes: Sequence[int], ndim: int, op: str) -> list[int]:
    """Return `axes` counted from the front, in the order given. Raises ShapeError for an axis named twice."""
    out = [normalize_axis(axis, ndim, op) for axis in axes]
    if len(set(out)) != len(out):
        raise ShapeError(f"{op}: a dim appears more than once in {tuple(axes)}")
    return out


def reduced_shape(shape: tuple[int, ...], axes: Sequence[int], keepdims: bool = False) -> tuple[int, ...]:
    """Return `shape` after reducing the normalised `axes`: without them, or with 1 in their place."""
    if keepdims:
        return tuple([1 if axis in axes else n for axis, n in enumerate(shape)])
    return tuple([n for axis, n in enumerate(shape) if axis not in axes])
