"""What `x[...]` means: basic indices become a Layout, and advanced ones are set apart for a gather.

Where the dims of advanced indices go (PyTorch's rule, which is NumPy's but for two cases)
- All advanced indices are broadcast to one shape B. If their dims are adjacent AFTER the basic parts have
  been applied, B stands in their place: x[:, [0, 1], [2, 3]] of shape (a, b, c, d) gives (a, 2, d).
  Otherwise B goes in front: x[[0, 1], :, [2, 3]] gives (2, b, d).
- A slice and `None` leave a dim, so they separate. An integer leaves none, so it does not: x[0, :, [1, 2]]
  of shape (a, b, c) gives (b, 2) here and (2, b) in NumPy, to which the integer is an advanced index.
  Nor does an Ellipsis that stands for no dims, which in NumPy separates.
- A boolean mask of k dims stands for k index arrays (its nonzero()) on k dims, and gives one dim of B.
  `True` and `False` stand on a new dim of length 1, as a mask of one item.
- An object with `__index__` that has no dims and is not boolean is an integer, not an advanced index.
"""

from operator import index as as_int
from typing import Any, Final

from lamina_flatarray import IndexOutOfRange, ShapeError

from ..batching.levels import Stack
from ..layouts.bounded_cache import BoundedCache
from ..layouts.layout import SELECTED, Layout
from ..layouts.strides import outer_stride

__all__ = ["basic_index", "differs_by_slice", "refuse_empty_masks", "split_index"]

_ALL = slice(None)

_VIEWS: Final[BoundedCache[tuple[bytes, tuple[Any, ...]], Layout]] = BoundedCache("basic indices", 2048)
"""From a packed layout and the parts of an index to what it selects."""

_BOUNDS: Final = frozenset({int, type(None)})


def basic_index(layout: Layout, index: Any) -> Layout | None:
    """Return the view that `index` selects, or None if an advanced index (list, array, bool) is in it.

    `index` is an int (or has __index__), slice, None, Ellipsis, or a tuple of these. Raises IndexOutOfRange
    for an index outside, for too many of them, and for an object that is no index; ShapeError for step 0.
    """
    kind = type(index)
    if kind is int:
        return SELECTED.get((layout.packed, 0, index)) or layout.select(0, index)  # select's cache, a frame sooner
    if kind is slice and layout.ndim:
        return layout.slice(0, index.start, index.stop, index.step)
    if index is None:
        return layout.unsqueeze(0)
    if kind is not tuple:
        index = (index,)
    elif len(index) == 2:  # x[:, 0], x[:, a:b], x[:, None], x[0, 0] and x[..., 0] are worth a short cut
        first, second = index
        if type(second) is int:
            if type(first) is slice:
                if first.start is None is first.stop is first.step:
                    result = SELECTED.get((layout.packed, 1, second))
                    if result is not None:
                        return result
                    if layout.ndim > 1:
                        return layout.select(1, second)
            elif first is Ellipsis:
                return layout.select(-1, second)
            elif type(first) is int and layout.ndim > 1:
                return layout.select(1, second).select(0, first)  # in this order, errors name the right dim
        elif type(second) is slice:
            if first is Ellipsis and layout.ndim:
                return layout.slice(layout.ndim - 1, second.start, second.stop, second.step)
            if type(first) is slice and layout.ndim > 1 and first.start is None is first.stop is first.step:
                return layout.slice(1, second.start, second.stop, second.step)
        elif second is None and (first is Ellipsis or (type(first) is slice and first == _ALL and layout.ndim)):
            return layout.unsqueeze(layout.ndim if first is Ellipsis else 1)
    plain = _plain(index)
    known = None if plain is None else _VIEWS.get((layout.packed, plain))
    if known is not None:
        return known
    parts = _expanded(layout, index, advanced_too=False)
    if parts is None:
        return None
    result = _applied(layout, parts, None)
    return result if plain is None else _VIEWS.remember((layout.packed, plain), result)


def _plain(index: tuple[Any, ...]) -> tuple[Any, ...] | None:
    """The parts of an index as a key, slices as their three numbers; None where there are others than int, slice, None and Ellipsis."""
    parts = []
    for part in index:
        if part.__class__ is slice:
            part = (part.start, part.stop, part.step)
            if not _BOUNDS.issuperset(map(type, part)):
                return None
        elif part.__class__ is not int and part is not None and part is not Ellipsis:
            return None
        parts.append(part)
    return tuple(parts)


def split_index(layout: Layout, index: Any) -> tuple[Layout, list[Any]]:
    """Apply the basic parts of `index`, and return that Layout with the entries for its dims, in order.

    An entry is None for one dim that is kept whole, an integer array or list for one dim to be gathered, or
    a mask for as many dims as it has. A bool or a mask without dims comes as [True] or [False], for a new
    dim of length 1. The caller turns masks into index arrays, broadcasts all to one shape, gathers, and
    puts the new dims where this file's head says. Raises as `basic_index` does, and IndexOutOfRange for a
    mask whose shape is not that of its dims. Whether index arrays stay within bounds is not looked at.
    """
    parts = _expanded(layout, index if type(index) is tuple else (index,), advanced_too=True)
    assert parts is not None
    entries: list[Any] = []
    return _applied(layout, parts, entries), entries


def _expanded(layout: Layout, index: tuple[Any, ...], advanced_too: bool) -> list[Any] | None:
    """Return `index` as parts int, slice, None and _Advanced, with the Ellipsis spelt out; the trailing dims
    that it does not mention are left out. None if there is an advanced part and these are not wanted."""
    parts: list[Any] = []
    used, ellipsis_at = 0, -1
    for part in index:
        kind = type(part)
        if kind is int or kind is slice:
            used += 1
        elif part is Ellipsis:
            if ellipsis_at >= 0:
                raise IndexOutOfRange("index: more than one Ellipsis (...); want at most one")
            ellipsis_at = len(parts)
            continue
        elif part is not None:
            number = _as_integer(part)
            if number is not None:
                part = number
                used += 1
            elif advanced_too:
                part = _Advanced(part)
                used += part.covers
            else:
                return None
        parts.append(part)
    if used > layout.ndim:
        raise IndexOutOfRange(
            f"index: too many indices: {used} for an array of shape {layout.shape}"
        )
    if ellipsis_at >= 0:
        parts[ellipsis_at:ellipsis_at] = [_ALL] * (layout.ndim - used)
    return parts


def refuse_empty_masks(layout: Layout, index: Any) -> None:
    """Refuse masks that have a length of 0 where their dims have another: PyTorch does, the Array API does not.

    Raises:
        IndexOutOfRange: there is one.
    """
    shape = getattr(index, "shape", None)
    if shape is not None and shape == layout.shape[: len(shape)]:  # as nearly all masks have it
        return
    dim = 0
    for part in _expanded(layout, index if type(index) is tuple else (index,), advanced_too=True) or ():
        if type(part) is not _Advanced:
            dim += part is not None
            continue
        expected = layout.shape[dim : dim + part.covers]
        if part.mask_shape is not None and part.mask_shape != expected:
            raise IndexOutOfRange(f"index: the shape of the mask {part.mask_shape} does not match {expected}, that of its dims")
        dim += part.covers


def _applied(layout: Layout, parts: list[Any], entries: list[Any] | None) -> Layout:
    """Apply the parts in one pass over the dims; note in `entries` what is left to do for the result's."""
    shape: list[int] = []
    strides: list[int] = []
    offset, dim = layout.offset, 0
    for part in parts:
        if part is None or (type(part) is _Advanced and part.covers == 0):
            shape.append(1)
            strides.append(0)
            if entries is not None:
                entries.append(None if part is None else [bool(part.index)])
            continue
        n, stride = layout.shape[dim], layout.strides[dim]
        if type(part) is int:
            if not -n <= part < n:
                raise IndexOutOfRange(f"index {part} is out of bounds for dimension {dim} with size {n}")
            offset += (part + n if part < 0 else part) * stride
            dim += 1
        elif type(part) is slice:
            try:
                along = range(*part.indices(n))
            except ValueError:
                raise ShapeError("index: the step of a slice is 0; it must be positive or negative") from None
            shape.append(len(along))
            strides.append(stride * along.step)
            if along or along.step > 0:
                offset += along.start * stride
            dim += 1
            if entries is not None:
                entries.append(None)
        else:
            part.check(layout.shape, dim)
            assert entries is not None
            shape += layout.shape[dim : dim + part.covers]
            strides += layout.strides[dim : dim + part.covers]
            entries.append(part.index)
            dim += part.covers
    if entries is not None:
        entries += [None] * (layout.ndim - dim)
    shape += layout.shape[dim:]
    strides += layout.strides[dim:]
    # New dims get the stride that keeps a dense layout the dense one.
    for d in reversed(range(len(shape))):
        if strides[d] == 0 and shape[d] == 1:
            strides[d] = outer_stride(shape, strides, d + 1)
    return Layout.of(tuple(shape), tuple(strides), offset)


class _Advanced:
    """One advanced index and the number of dims that it stands for."""

    __slots__ = ("covers", "index", "mask_shape")

    def __init__(self, index: Any) -> None:
        self.index = index
        self.mask_shape = _mask_shape(index)
        self.covers = 1 if self.mask_shape is None else len(self.mask_shape)

    def check(self, shape: tuple[int, ...], dim: int) -> None:
        """Refuse a mask that has not the shape of its dims; a length of 0 goes with any, says the Array API."""
        expected = shape[dim : dim + self.covers]
        if self.mask_shape is not None and any(m not in (n, 0) for m, n in zip(self.mask_shape, expected, strict=True)):
            raise IndexOutOfRange(
                f"index: the shape of the mask {self.mask_shape} does not match the shape {expected} of the"
                f" indexed dims {dim} to {dim + self.covers - 1}"
            )


def _is_boolean(part: Any) -> bool:
    return isinstance(part, bool) or getattr(getattr(part, "dtype", None), "kind", None) == "b"


def differs_by_slice(part: Any) -> bool:
    """Whether `part` is an array, or has one, that is another one in each slice of a batch."""
    return isinstance(getattr(getattr(getattr(part, "array", part), "flat", None), "memory", None), Stack)


def _as_integer(part: Any) -> int | None:
    """Return the integer that `part` is, or None for an advanced index; refuse what is neither."""
    if isinstance(part, list | tuple | range) or _is_boolean(part) or getattr(part, "shape", None) or differs_by_slice(part):
        return None
    try:
        return as_int(part)
    except TypeError:
        raise IndexOutOfRange(
            f"index: {type(part).__name__} given; expected integers, slices, Ellipsis, None, and integer or boolean arrays"
        ) from None


def _mask_shape(part: Any) -> tuple[int, ...] | None:
    """Return the shape of a boolean mask (nested lists too), or None for integers."""
    if _is_boolean(part):
        return tuple(getattr(part, "shape", ()))
    lengths: list[int] = []
    while isinstance(part, list | tuple):
        lengths.append(len(part))
        if not part:
            return None
        part = part[0]
        if _is_boolean(part):
            return (*lengths, *getattr(part, "shape", ()))
    return None
