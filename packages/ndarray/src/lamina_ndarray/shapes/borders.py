"""Arrays with a margin of their own items around them: mirrored, repeated, or from the other end; and the transposes of these maps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import index as as_int
from typing import TYPE_CHECKING, Final, NamedTuple

from lamina_flatarray import ShapeError

from ..array_fields import empty_of, view_of
from ..layouts.bounded_cache import BoundedCache
from ..layouts.image_order import image_layout
from ..layouts.layout import Layout
from ..reductions.sums import sum as total
from .padding import check_pairs
from .views import copy

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["border_pad_gradient", "circular_pad", "reflect_pad", "replicate_pad"]


class _Side(NamedTuple):
    """A margin on one side of an axis: the places of the result that it takes, and of the axis that it shows, in this order."""

    to: range
    shown: Sequence[int]

    def margin(self, layout: Layout, axis: int) -> Layout:
        """The margin of a result that lies so."""
        return layout.slice(axis, self.to.start, self.to.stop)

    def source(self, layout: Layout, axis: int, shift: int = 0) -> Layout:
        """What it shows of an array that lies so, whose axis begins `shift` earlier."""
        first, last, step = self.shown[0] + shift, self.shown[-1] + shift, self.shown[-1] - self.shown[0]
        if not self.repeats:
            return layout.slice(axis, first, last + 1) if step >= 0 else layout.slice(axis, last, first + 1).flip(axis)
        one = layout.slice(axis, first, first + 1)
        return one.broadcast_to((*one.shape[:axis], len(self.to), *one.shape[axis + 1 :]))

    @property
    def repeats(self) -> bool:
        """Whether it shows one place again and again."""
        return len(self.shown) > 1 and self.shown[0] == self.shown[1]


class _Axis(NamedTuple):
    """What a pair of numbers does to an axis of n items."""

    axis: int
    n: int
    before: int
    after: int

    @property
    def length(self) -> int:
        return self.n + self.before + self.after

    @property
    def kept(self) -> range:
        """The items that are not cut off."""
        return range(max(-self.before, 0), self.n - max(-self.after, 0))

    def inner(self, layout: Layout) -> Layout:
        """Where these are in a result that lies so."""
        begin = max(self.before, 0)
        return layout.slice(self.axis, begin, begin + len(self.kept))

    def sides(self, border: str) -> Iterator[_Side]:
        """The margins that there are."""
        n, a, b, kept = self.n, self.before, self.after, self.kept
        if a > 0:
            yield _Side(range(a), {"reflect": range(a, 0, -1), "replicate": (0,) * a, "circular": kept[len(kept) - a :]}[border])
        if b > 0:
            shown = {"reflect": range(n - 2, n - 2 - b, -1), "replicate": (n - 1,) * b, "circular": kept[:b]}[border]
            yield _Side(range(self.length - b, self.length), shown)


class _Stage(NamedTuple):
    """The layout of a result, and what is copied where: from the array, or, once an axis has its margins, from within the result."""

    whole: Layout
    moves: list[tuple[Layout, Layout, bool]]


_STAGES: Final[BoundedCache[tuple[bytes, tuple[int, ...], str], list[_Stage]]] = BoundedCache("borders", 512)
"""From a packed layout, numbers and a border to the stages in which a result is made."""


def _axes(op: str, shape: tuple[int, ...], pad: Sequence[int]) -> list[_Axis]:
    """The axes that change, from the last backwards."""
    ndim = len(shape)
    axes = [_Axis(ndim - 1 - i, shape[ndim - 1 - i], pad[2 * i], pad[2 * i + 1]) for i in range(len(pad) // 2)]
    for along in axes:
        axis, n, a, b = along
        if n + a + b < 0 or -a > n or -b > n:
            raise ShapeError(f"{op}: pad {list(pad)} cuts off more than there is in shape {shape}")
        greatest = max(a, b)
        if op == "reflect_pad" and greatest >= n and greatest > 0:
            raise ShapeError(
                "reflect_pad: Padding size should be less than the corresponding input dimension, but got: padding "
                f"({a}, {b}) at dimension {axis} of input {list(shape)}"
            )
        if op == "replicate_pad" and not n and (a or b):
            raise ShapeError(f"replicate_pad: shape {shape} has no items to repeat along axis {axis}")
        if op == "circular_pad" and greatest > len(along.kept):
            raise ShapeError(
                f"circular_pad: Padding value causes wrapping around more than once: ({a}, {b}) at dimension {axis} of input "
                f"{list(shape)}"
            )
    return [axis for axis in axes if axis.before or axis.after]


def _stages(source: Layout, axes: list[_Axis], border: str) -> list[_Stage]:
    """All axes at once, or one after the other where something is cut off, which a margin may show."""
    if len(axes) < 2 or all(min(along.before, along.after) >= 0 for along in axes):
        return [_stage(source, axes, border)]
    stages: list[_Stage] = []
    for along in axes:
        stages.append(_stage(stages[-1].whole if stages else source, [along], border))
    return stages


def _stage(source: Layout, axes: list[_Axis], border: str) -> _Stage:
    shape = list(source.shape)
    for along in axes:
        shape[along.axis] = along.length
    whole = Layout.dense(tuple(shape)) if border == "circular" else image_layout(tuple(shape), source)
    inner, kept = whole, source
    for along in axes:
        inner = along.inner(inner)
        kept = kept.slice(along.axis, along.kept.start, along.kept.stop)
    moves = [(inner, kept, False)]
    for i, along in enumerate(axes):
        room = whole
        for later in axes[i + 1 :]:
            room = later.inner(room)
        for side in along.sides(border):
            shown = side.source(room, along.axis, along.before) if i else side.source(source, along.axis)
            moves.append((side.margin(room, along.axis), shown, i > 0))
    return _Stage(whole, moves)


def _bordered(op: str, x: NDArray, pad: Sequence[int], border: str) -> NDArray:
    numbers = tuple(map(as_int, pad))
    key = x.layout.packed, numbers, border
    stages = _STAGES.get(key)
    if stages is None:
        check_pairs(op, x, numbers)
        stages = _STAGES.remember(key, _stages(x.layout, _axes(op, x.layout.shape, numbers), border))
    kernels = x.flat.kernels
    for whole, moves in stages:
        result = empty_of(kernels, whole)
        for target, shown, inside in moves:
            kernels["copy"](view_of(result, target), view_of(result if inside else x, shown))
        x = result
    return x


def border_pad_gradient(gradient: NDArray, lengths: Sequence[int], pad: Sequence[int], border: str) -> NDArray:
    """The transpose of a margin of an array's own items: what arrived in the margin is added to the items that it shows.

    Args:
        gradient: of the shape of the array with its margin.
        lengths: the shape of the array.
        pad: the numbers that the margin was made with.
        border: "reflect", "replicate" or "circular".

    Returns:
        An array of shape `lengths`.

    >>> nd.border_pad_gradient(nd.asarray([1.0, 2.0, 3.0, 10.0]), (3,), (0, 1), "reflect")
    NDArray([ 1., 12.,  3.])
    """
    kernels = gradient.flat.kernels
    axes = _axes(f"{border}_pad", tuple(lengths), pad)
    if not axes:
        return copy(gradient)
    for along in reversed(axes):
        shape = list(gradient.layout.shape)
        shape[along.axis] = along.n
        result = empty_of(kernels, image_layout(tuple(shape), gradient.layout))
        kept = along.kept
        if len(kept) < along.n:
            kernels["fill"](result, value=0)
        arrived = view_of(gradient, along.inner(gradient.layout))
        kernels["copy"](view_of(result, result.layout.slice(along.axis, kept.start, kept.stop)), arrived)
        for side in along.sides(border):
            more = view_of(gradient, side.margin(gradient.layout, along.axis))
            if side.repeats:
                more, side = total(more, along.axis, keepdims=True), _Side(range(1), side.shown[:1])
            shown = view_of(result, side.source(result.layout, along.axis))
            kernels["add"](shown, shown, more)
        gradient = result
    return gradient


def reflect_pad(x: NDArray, pad: Sequence[int]) -> NDArray:
    """Pad an array with its mirror image on both sides, in which the first and the last item are not repeated.

    Args:
        x: an array of any dtype.
        pad: how many items to add before and after, in pairs, from the last axis backwards; negative numbers cut off.

    Returns:
        A new array of x's dtype, each axis longer by what its pair adds up to.

    Raises:
        ShapeError: the numbers are not pairs, are too many, or one is not less than the axis' length.

    >>> nd.reflect_pad(nd.asarray([1, 2, 3]), (2, 1))
    NDArray([3, 2, 1, 2, 3, 2])
    """
    return _bordered("reflect_pad", x, pad, "reflect")


def replicate_pad(x: NDArray, pad: Sequence[int]) -> NDArray:
    """Pad an array by repeating its first and its last item.

    Args:
        x: an array of any dtype.
        pad: how many items to add before and after, in pairs, from the last axis backwards; negative numbers cut off.

    Returns:
        A new array of x's dtype, each axis longer by what its pair adds up to.

    Raises:
        ShapeError: the numbers are not pairs, are too many, or there is no item to repeat.

    >>> nd.replicate_pad(nd.asarray([1, 2, 3]), (2, 1))
    NDArray([1, 1, 1, 2, 3, 3])
    """
    return _bordered("replicate_pad", x, pad, "replicate")


def circular_pad(x: NDArray, pad: Sequence[int]) -> NDArray:
    """Pad each end of an array with the items of the other end, as if its axes, or what is kept of them, were rings.

    Args:
        x: an array of any dtype.
        pad: how many items to add before and after, in pairs, from the last axis backwards; negative numbers cut off.

    Returns:
        A new array of x's dtype, row-major whatever order x lies in, each axis longer by what its pair adds up to.

    Raises:
        ShapeError: the numbers are not pairs, are too many, or one is greater than the axis' length.

    >>> nd.circular_pad(nd.asarray([1, 2, 3]), (2, 1))
    NDArray([2, 3, 1, 2, 3, 1])
    """
    return _bordered("circular_pad", x, pad, "circular")
