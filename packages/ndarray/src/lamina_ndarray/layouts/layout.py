"""Layout: the immutable, interned value (shape, strides, offset) that says how flat memory is read.

Everything here is arithmetic on item counts; no memory is touched. Strides and offsets are in ITEMS.
Views that never need a copy return a Layout; `reshape` and `flatten` return None where they need one.

Equal layouts are normally the same object, so `is` is the fast test. It is not the definition: the intern
table is bounded and emptied when full, thus `==` compares the fields.
"""

from collections.abc import Callable, Sequence
from math import prod
from operator import index as as_int
from typing import Any, ClassVar, Final, NoReturn, Self

from lamina_flatarray import IndexOutOfRange, ShapeError

from . import overlap
from . import partial_views as parts
from .bounded_cache import BoundedCache
from .broadcast import broadcast_strides, normalize_axes, normalize_axis, normalize_order
from .letting_go import let_go
from .memory_formats import dim_order, format_strides
from .reshaping import infer_lengths, reshaped_strides
from .strides import Shape, dense_strides, extent, is_c_order, is_dense, kept_strides, pack_layout

__all__ = ["MOST_DIMS", "SELECTED", "Layout", "Met"]

Views = BoundedCache[tuple[Any, ...], "Layout"]
"""From a layout's `packed` and the arguments of one of its methods to the layout of the view."""

_INTERNED: Final[BoundedCache[tuple[Shape, Shape, int], "Layout"]] = BoundedCache("layouts", 4096)
SELECTED: Final[Views] = BoundedCache("select", 4096)
"""By `packed`, dim and index."""
_BROADCAST: Final[Views] = BoundedCache("broadcast_to", 1024)
_DIAGONALS: Final[Views] = BoundedCache("diagonal", 512)
_FLIPPED: Final[Views] = BoundedCache("flip", 512)
_PERMUTED: Final[Views] = BoundedCache("permute", 1024)
_RESHAPED: Final[BoundedCache[tuple[Any, ...], "Layout | bool"]] = BoundedCache("reshape", 1024)
"""False is kept for "needs a copy"."""
_SLICED: Final[Views] = BoundedCache("slice", 2048)
_SQUEEZED: Final[Views] = BoundedCache("squeeze", 1024)
_TRANSPOSED: Final[Views] = BoundedCache("transpose", 1024)
_UNSQUEEZED: Final[Views] = BoundedCache("unsqueeze", 1024)


class _Dense(BoundedCache[Shape, "Layout"]):
    """The row-major layouts at offset 0 by shape; asked for one that is new, it makes it."""

    __slots__ = ()

    def __missing__(self, shape: Sequence[int]) -> "Layout":
        lengths = tuple(map(as_int, shape))
        return self.remember(lengths, _build(lengths, dense_strides(lengths), 0))


_DENSE: Final = _Dense("dense layouts", 4096)
MOST_DIMS: Final = 64
"""How many dims an array may have: as many as NumPy's."""

Met = tuple[bytes, "Layout", "Layout", "Layout", bool]
"""What a layout last met in an op of two operands: the other's `packed`, the layout of the result, both of them spread to its shape, and
whether they have different numbers of dims, other than 0."""



class Layout:
    """How an array lies in flat memory: item `i, j, ...` is at `offset + i * strides[0] + j * strides[1] + ...`, all in items.

    Attributes:
        shape: the length of each dim.
        strides: how many items one step along each dim skips.
        offset: where the first item is.
        ndim: the number of dims.
        size: the number of items (it may exceed 2**31).
        contiguous: C order without gaps, at any offset; strides of dims of length 1 do not count, and an array without
            items is contiguous.
        row_major: whether the strides are those of `compact`, of dims of length 1, too.
        compact: the C-contiguous Layout of the same shape at offset 0; its own if it is that.
        result: the Layout of an elementwise result: offset 0, without gaps, in the same order of dims. A dense layout at offset 0 is
            its own; but dims of length 1 of channels-last images have the strides that such images have.
        packed: int64 in native byte order: ndim, offset, *shape, *strides.
        met: what it last met in an op of two operands: see `Met`; None at first.

    >>> layout = nd.Layout.dense((2, 3))
    >>> layout
    Layout(shape=(2, 3), strides=(3, 1), offset=0)
    >>> layout.transpose(0, 1)
    Layout(shape=(3, 2), strides=(1, 3), offset=0)
    >>> layout.select(0, 1)
    Layout(shape=(3,), strides=(1,), offset=3)
    """

    __slots__ = (
        "_dense", "_extent", "_overlaps", "compact", "contiguous", "met", "ndim", "offset", "packed", "result", "row_major", "shape",
        "size", "strides",
    )  # fmt: skip

    shape: Shape
    strides: Shape
    offset: int
    ndim: int
    size: int
    contiguous: bool
    row_major: bool
    compact: "Layout"
    result: "Layout"
    packed: bytes
    met: "Met | None"
    _dense: bool
    _extent: tuple[int, int] | None
    _overlaps: bool | None

    # ---- making ----

    def __new__(cls) -> Self:
        """Refused: layouts are interned."""
        raise TypeError("Layout: build it with Layout.of(shape, strides, offset) or Layout.dense(shape)")

    @staticmethod
    def of(shape: Sequence[int], strides: Sequence[int], offset: int = 0) -> "Layout":
        """Return the Layout of this shape, these strides and this offset: the same object for equal ones.

        Args:
            shape: the length of each dim.
            strides: how many items one step along each dim skips; as many as there are lengths.
            offset: where the first item is.

        Returns:
            The Layout.

        Raises:
            ShapeError: they do not make one.
        """
        try:
            return _INTERNED[shape, strides, offset]  # type: ignore[index]
        except (KeyError, TypeError):  # unknown, or given as lists
            return _build(tuple(map(as_int, shape)), tuple(map(as_int, strides)), as_int(offset))

    dense: ClassVar[Callable[[tuple[int, ...]], "Layout"]] = _DENSE.__getitem__
    """The C-contiguous Layout of a shape at offset 0, looked up without a Python frame: each result of an op asks for one."""

    @staticmethod
    def formatted(shape: Sequence[int], memory_format: str) -> "Layout":
        """Return the Layout of a shape at offset 0 in a memory format.

        Args:
            shape: the length of each dim.
            memory_format: see `is_contiguous`.

        Returns:
            The Layout.

        Raises:
            ShapeError: there is no such format, or it wants another number of dims.
        """
        lengths = tuple(map(as_int, shape))
        return Layout.of(lengths, format_strides(lengths, memory_format), 0)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        """Refused: a Layout is a value."""
        raise AttributeError(f"Layout: {name} cannot be set; a layout is immutable")

    def __delattr__(self, name: str) -> NoReturn:
        """Refused: a Layout is a value."""
        raise AttributeError(f"Layout: {name} cannot be deleted; a layout is immutable")

    def __eq__(self, other: object) -> bool:
        """Equal when shape, strides and offset are."""
        if self is other:
            return True
        if not isinstance(other, Layout):
            return NotImplemented
        return self.shape == other.shape and self.strides == other.strides and self.offset == other.offset

    def __hash__(self) -> int:
        """Hash of the three fields that `==` compares."""
        return hash((self.shape, self.strides, self.offset))

    def __repr__(self) -> str:
        """Show the three defining fields."""
        return f"Layout(shape={self.shape}, strides={self.strides}, offset={self.offset})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies of a layout are the interned one."""
        return Layout.of, (self.shape, self.strides, self.offset)

    def meeting(self, other: "Layout", result: "Layout", own: "Layout", others: "Layout") -> "Met":
        """Remember what this layout has met in an op of two operands.

        Args:
            other: the other operand's Layout.
            result: the Layout of the result.
            own: this Layout, spread to the result's shape.
            others: the other one, spread likewise.

        Returns:
            What is remembered; see `Met`.
        """
        met = other.packed, result, own, others, 0 != self.ndim != other.ndim != 0
        _put(self, "met", met)
        return met

    # ---- questions ----

    def is_dense(self) -> bool:
        """Tell whether the items fill a stretch of memory, each once, in C order of some order of dims.

        Returns:
            A Python bool.
        """
        return self._dense

    def is_contiguous(self, memory_format: str = "contiguous") -> bool:
        """Tell whether the items lie without gaps in the order of a memory format.

        Args:
            memory_format: "contiguous" (C order, the last dim innermost), "fortran" (the first dim innermost),
                "channels_last" (4 dims, dim 1 innermost) or "channels_last_3d" (5 dims).

        Returns:
            A Python bool; False for another number of dims.

        Raises:
            ShapeError: there is no such format.
        """
        if memory_format == "contiguous":
            return self.contiguous
        order = dim_order(memory_format, self.ndim, "is_contiguous")
        if order is None:
            return False
        if self.size == 0 and memory_format != "fortran":  # PyTorch asks for the very strides
            wanted = format_strides(self.shape, memory_format)
            return all(length == 1 or a == b for length, a, b in zip(self.shape, self.strides, wanted, strict=True))
        return self.size == 0 or is_c_order([self.shape[d] for d in order], [self.strides[d] for d in order])

    @property
    def overlaps(self) -> bool:
        """Tell whether two indices reach the same item: False is certain.

        True is certain as well, unless the strides interleave in three dims or more so wildly that the bounded
        search (see `overlap`) gave up; only `as_strided` makes such layouts.
        """
        if self.contiguous:
            return False
        overlaps = self._overlaps
        if overlaps is None:
            overlaps = overlap.within(self.shape, self.strides)
            _put(self, "_overlaps", overlaps)
        return overlaps

    def shares_items(self, other: "Layout", shift: int = 0) -> bool:
        """Tell whether some item of this layout is one of another's too.

        Args:
            other: the other Layout.
            shift: how many items further on its memory begins.

        Returns:
            A bool. False is certain, and so is True unless the bounded search (see `overlap`) gave up.
        """
        mine, theirs = self.shape, other.shape
        return overlap.between(mine, self.strides, self.offset, theirs, other.strides, other.offset + shift)

    def extent(self) -> tuple[int, int]:
        """Return the lowest and the highest item touched.

        Returns:
            Both positions; `(offset, offset - 1)` when there are no items.
        """
        reach = self._extent
        if reach is None:
            reach = extent(self.shape, self.strides, self.offset)
            _put(self, "_extent", reach)
        return reach

    @property
    def like(self) -> "Layout":
        """The Layout of a copy, or of an empty array like it: `result`, but a dense layout keeps the strides of dims of length 1, and
        all strides where it has no items."""
        result = self.result
        if result.strides == self.strides or not self.is_dense():
            return result
        return _build(self.shape, self.strides, 0)

    # ---- order of dims ----

    def transpose(self, dim0: int, dim1: int) -> "Layout":
        """Swap two dims.

        Args:
            dim0: one dim.
            dim1: the other one.

        Returns:
            The Layout of the view.
        """
        result = _TRANSPOSED.get((self.packed, dim0, dim1))
        if result is not None:
            return result
        key = (self.packed, as_int(dim0), as_int(dim1))
        a = normalize_axis(dim0, self.ndim, "transpose")
        b = normalize_axis(dim1, self.ndim, "transpose")
        order = list(range(self.ndim))
        if a != b:
            order[a], order[b] = b, a
        return _TRANSPOSED.remember(key, self._reorder(order))

    def permute(self, dims: Sequence[int]) -> "Layout":
        """Put dim `dims[i]` at place i.

        Args:
            dims: every dim once.

        Returns:
            The Layout of the view.

        Raises:
            ShapeError: not every dim is named once.
        """
        dims = tuple(dims)
        result = _PERMUTED.get((self.packed, dims))
        if result is not None:
            return result
        key = (self.packed, tuple(map(as_int, dims)))
        if len(dims) != self.ndim:
            raise ShapeError(f"permute: dims {dims} given for shape {self.shape}; each of its dims must be named once")
        order = normalize_order(dims, self.ndim, "permute")
        return _PERMUTED.remember(key, self._reorder(order))

    def movedim(self, source: int | Sequence[int], destination: int | Sequence[int]) -> "Layout":
        """Move some dims to other places; the others keep their order.

        Args:
            source: the dims.
            destination: their places in the result.

        Returns:
            The Layout of the view.

        Raises:
            ShapeError: there are not as many places as dims, or one is named twice.
        """
        sources = tuple(source) if isinstance(source, Sequence) else (source,)
        destinations = tuple(destination) if isinstance(destination, Sequence) else (destination,)
        if len(sources) != len(destinations):
            raise ShapeError(f"movedim: the number of source dims {sources} differs from the number of destination dims {destinations}")
        from_axes = normalize_order(sources, self.ndim, "movedim")
        to_axes = normalize_order(destinations, self.ndim, "movedim")
        return self.permute(parts.moved(self.ndim, from_axes, to_axes))

    def _reorder(self, order: Sequence[int]) -> "Layout":
        shape, strides = self.shape, self.strides
        return Layout.of(tuple([shape[d] for d in order]), tuple([strides[d] for d in order]), self.offset)

    # ---- parts ----

    def select(self, dim: int, index: int) -> "Layout":
        """Take the items at one index of a dim, which is gone then.

        Args:
            dim: the dim.
            index: from the end where negative.

        Returns:
            The Layout of the view.

        Raises:
            IndexOutOfRange: the dim or the index does not exist.
        """
        result = SELECTED.get((self.packed, dim, index))
        if result is not None:
            return result
        key = (self.packed, as_int(dim), as_int(index))
        if self.ndim == 0:
            raise IndexOutOfRange("select: an array without dims cannot be indexed; use .item() for its number")
        d = normalize_axis(dim, self.ndim, "select")
        n, at = self.shape[d], as_int(index)
        if not -n <= at < n:
            raise IndexOutOfRange(f"index {at} is out of bounds for dimension {d} with size {n}")
        offset = self.offset + (at + n if at < 0 else at) * self.strides[d]
        shape = self.shape[:d] + self.shape[d + 1 :]
        strides = self.strides[:d] + self.strides[d + 1 :]
        return SELECTED.remember(key, Layout.of(shape, strides, offset))

    def slice(self, dim: int, start: int | None, stop: int | None, step: int | None = None) -> "Layout":
        """Take `start:stop:step` of a dim, as Python does.

        Args:
            dim: the dim.
            start: the first index; None for the beginning.
            stop: the index to stop before; None for the end.
            step: the distance of indices, which may be negative, but not 0; None for 1.

        Returns:
            The Layout of the view.

        Raises:
            ShapeError: the step is 0.
            IndexOutOfRange: there is no such dim.
        """
        if type(start) is not int and start is not None:
            start = as_int(start)
        if type(stop) is not int and stop is not None:
            stop = as_int(stop)
        if type(step) is not int and step is not None:
            step = as_int(step)
        key = (self.packed, dim, start, stop, step)
        result = _SLICED.get(key)
        if result is not None:
            return result
        d = self._existing(dim, "slice")
        if step == 0:
            raise ShapeError("slice: the step is 0; it must be positive or negative")
        along = range(*slice(start, stop, step).indices(self.shape[d]))
        n, stride = len(along), self.strides[d]
        if n == self.shape[d] and along.step == 1:
            return self
        # An empty part begins where its start is, as in PyTorch; read backwards, that may be before the memory.
        offset = self.offset + along.start * stride if n or along.step > 0 else self.offset
        part = self._with_dim(d, (n,), (stride * along.step,), offset)
        return _SLICED.remember(key, part)

    def flip(self, dims: int | Sequence[int] | None = None) -> "Layout":
        """Read dims backwards.

        Args:
            dims: a dim or several; None for all.

        Returns:
            The Layout of the view, with negative strides.
        """
        result: Layout | None = None if type(dims) is list else _FLIPPED.get((self.packed, dims))
        if result is not None:
            return result
        key = (self.packed, dims if dims is None else tuple(map(as_int, dims)) if isinstance(dims, tuple | list) else as_int(dims))  # type: ignore[arg-type]
        return _FLIPPED.remember(key, Layout.of(*parts.flipped(self.shape, self.strides, self.offset, dims)))

    def diagonal(self, offset: int = 0, dim1: int = 0, dim2: int = 1) -> "Layout":
        """Take the items with `index(dim2) - index(dim1) == offset`, as a new last dim instead of these two.

        Args:
            offset: which diagonal: 0 for the main one.
            dim1: the dim of rows.
            dim2: the dim of columns.

        Returns:
            The Layout of the view.

        Raises:
            ShapeError: both dims are the same.
            IndexOutOfRange: a dim does not exist.
        """
        result = _DIAGONALS.get((self.packed, offset, dim1, dim2))
        if result is not None:
            return result
        key = (self.packed, as_int(offset), as_int(dim1), as_int(dim2))
        a, b = self._existing(dim1, "diagonal"), self._existing(dim2, "diagonal")
        if a == b:
            raise ShapeError(f"diagonal: dim1 {dim1} and dim2 {dim2} of shape {self.shape} are the same")
        return _DIAGONALS.remember(key, Layout.of(*parts.diagonal(self.shape, self.strides, self.offset, key[1], a, b)))

    def unfold(self, dim: int, size: int, step: int) -> "Layout":
        """Slide windows along a dim: the dim counts windows, and a new last dim counts the items inside.

        Args:
            dim: the dim.
            size: the length of a window.
            step: the distance of neighbouring windows.

        Returns:
            The Layout of the view.
        """
        return Layout.of(*parts.windows(self.shape, self.strides, self.offset, dim, as_int(size), as_int(step)))

    def as_strided(self, shape: Sequence[int], strides: Sequence[int], offset: int | None, limit: int) -> "Layout":
        """Return any layout that stays within the memory.

        Args:
            shape: the length of each dim.
            strides: how many items one step along each dim skips.
            offset: where the first item is; None for this layout's.
            limit: how many items the memory has.

        Returns:
            The Layout of the view.

        Raises:
            ShapeError: it reaches beyond the memory.
        """
        layout = Layout.of(tuple(shape), tuple(strides), self.offset if offset is None else offset)
        low, high = layout.extent()
        if high >= limit or low > limit:
            raise ShapeError(f"as_strided: {layout} touches items {low} to {high}; the memory has {limit}")
        return layout

    # ---- shape ----

    def broadcast_to(self, shape: Sequence[int], op: str = "broadcast_to") -> "Layout":
        """Repeat dims of length 1, and new dims in front, by strides of 0.

        Args:
            shape: the lengths to reach; -1 keeps a dim's length.
            op: whom an error names.

        Returns:
            The Layout of the view.
        """
        shape = tuple(shape)
        if shape == self.shape:
            return self
        result = _BROADCAST.get((self.packed, shape))
        if result is not None:
            return result
        key = (self.packed, tuple(map(as_int, shape)))
        lengths, strides = broadcast_strides(self.shape, self.strides, key[1], op)
        return _BROADCAST.remember(key, Layout.of(lengths, strides, self.offset))

    def unsqueeze(self, dim: int | Sequence[int]) -> "Layout":
        """Insert dims of length 1.

        Args:
            dim: the dim before which it comes; ndim and -1 append it. Of several, each counts in the result.

        Returns:
            The Layout of the view.
        """
        result: Layout | None = None if type(dim) is list else _UNSQUEEZED.get((self.packed, dim))
        if result is not None:
            return result
        several = isinstance(dim, tuple | list)
        dims = dim if several else (dim,)
        lengths, strides = parts.expanded(self.shape, self.strides, dims)  # type: ignore[arg-type]
        key = (self.packed, tuple(map(as_int, dims)) if several else as_int(dim))  # type: ignore[arg-type]
        return _UNSQUEEZED.remember(key, Layout.of(lengths, strides, self.offset))

    def squeeze(self, dims: int | Sequence[int] | None = None) -> "Layout":
        """Drop dims of length 1.

        Args:
            dims: a dim or several, of which those of other lengths stay, as in PyTorch; None for all.

        Returns:
            The Layout of the view.
        """
        if type(dims) is list:
            dims = tuple(dims)
        result = _SQUEEZED.get((self.packed, dims))
        if result is not None:
            return result
        axes = normalize_axes(dims, self.ndim, "squeeze")
        squeezed = self._reorder([d for d in range(self.ndim) if d not in axes or self.shape[d] != 1])
        key = (self.packed, dims if dims is None else tuple(map(as_int, dims)) if type(dims) is tuple else as_int(dims))  # type: ignore[arg-type]
        return _SQUEEZED.remember(key, squeezed)

    def reshape(self, shape: Sequence[int], op: str = "reshape") -> "Layout | None":
        """Return the layout of the same items, in the same C order, under another shape.

        Args:
            shape: the new lengths; one may be -1 and is inferred.
            op: whom an error names.

        Returns:
            The Layout of the view, or None where only a copy has this shape.

        Raises:
            ShapeError: the number of items differs.
        """
        shape = tuple(shape)
        if shape == self.shape and (1 not in shape or not self.size):
            return self
        result = _RESHAPED.get((self.packed, shape))
        if result is None:
            lengths = infer_lengths(op, shape, self.size, self.shape)
            if not self.size and lengths == self.shape:
                strides: Shape | None = self.strides
            elif not self.size or (self.contiguous and 1 not in self.shape):
                strides = dense_strides(lengths)
            else:
                strides = reshaped_strides(self.shape, self.strides, lengths)
            reshaped = strides is not None and Layout.of(lengths, strides, self.offset)
            result = _RESHAPED.remember((self.packed, tuple(map(as_int, shape))), reshaped)
        return result or None  # type: ignore[return-value]  # False is remembered for "needs a copy"

    def flatten(self, start_dim: int = 0, end_dim: int = -1) -> "Layout | None":
        """Merge neighbouring dims into one.

        Args:
            start_dim: the first of them.
            end_dim: the last of them.

        Returns:
            The Layout of the view, or None where only a copy has this shape.

        Raises:
            ShapeError: the first dim comes after the last.
        """
        start = normalize_axis(start_dim, self.ndim, "flatten")
        end = normalize_axis(end_dim, self.ndim, "flatten")
        if start > end:
            raise ShapeError(f"flatten: start_dim {start_dim} comes after end_dim {end_dim}")
        shape = self.shape
        return self.reshape((*shape[:start], prod(shape[start : end + 1]), *shape[end + 1 :]))

    def unflatten(self, dim: int, sizes: Sequence[int]) -> "Layout":
        """Split a dim into several.

        Args:
            dim: the dim.
            sizes: their lengths, whose product is that of the dim; one may be -1 and is inferred.

        Returns:
            The Layout of the view.
        """
        d = self._existing(dim, "unflatten")
        lengths = infer_lengths("unflatten", sizes, self.shape[d], self.shape)
        strides = tuple([self.strides[d] * s for s in dense_strides(lengths)])
        return self._with_dim(d, lengths, strides, self.offset)

    def _existing(self, dim: int, op: str) -> int:
        if self.ndim == 0:
            raise IndexOutOfRange(f"{op}: dim {dim} of an array without dims; want at least one")
        return normalize_axis(dim, self.ndim, op)

    def _with_dim(self, dim: int, lengths: Shape, strides: Shape, offset: int) -> "Layout":
        """Put other dims in the place of one."""
        shape = (*self.shape[:dim], *lengths, *self.shape[dim + 1 :])
        return Layout.of(shape, (*self.strides[:dim], *strides, *self.strides[dim + 1 :]), offset)


_put = object.__setattr__


def _image_strides(shape: Shape, strides: Shape) -> Shape:
    """The strides of an elementwise result: of channels-last images those of this format, in dims of length 1, too."""
    if len(shape) != 4 or 1 not in shape:
        return strides
    images = format_strides(shape, "channels_last")
    return images if all(a == b for length, a, b in zip(shape, strides, images, strict=True) if length != 1) else strides


def _build(shape: Shape, strides: Shape, offset: int) -> Layout:
    """Return the interned layout of plain int tuples, making it where it is new."""
    if offset < 0 and 0 in shape:
        offset = 0  # where there are no items, none begins before the memory
    key = (shape, strides, offset)
    interned = _INTERNED.get(key)
    if interned is not None:
        return interned
    if len(shape) > MOST_DIMS:
        raise ShapeError(f"too many dimensions: {len(shape)} of them; an array has {MOST_DIMS} at most")
    # One new layout may take three others with it. All go at once, so that no table holds an equal layout that is another object.
    if len(_INTERNED) > _INTERNED.limit - 4:
        layouts = list(_INTERNED.values())
        for cache in BoundedCache.every:
            cache.clear()
        used = let_go(layouts)
        del layouts
        if len(used) <= _INTERNED.limit // 2:  # else so many are in use that there would be no room soon
            _INTERNED.update({(layout.shape, layout.strides, layout.offset): layout for layout in used})
    size, packed = prod(shape), pack_layout(shape, strides, offset)
    contiguous = size == 0 or is_c_order(shape, strides)
    dense = contiguous or is_dense(shape, strides)
    layout = object.__new__(Layout)
    _put(layout, "shape", shape)
    _put(layout, "strides", strides)
    _put(layout, "offset", offset)
    _put(layout, "ndim", len(shape))
    _put(layout, "size", size)
    _put(layout, "contiguous", contiguous)
    _put(layout, "packed", packed)
    _put(layout, "met", None)
    _put(layout, "_dense", dense)
    _put(layout, "_extent", None)
    _put(layout, "_overlaps", None)
    # A compact layout is its own compact and result, so this goes at most two steps down.
    compact = layout if offset == 0 and strides == dense_strides(shape) else Layout.dense(shape)
    _put(layout, "compact", compact)
    _put(layout, "row_major", strides == compact.strides)
    if contiguous:
        _put(layout, "result", compact)
    elif dense:
        kept = _image_strides(shape, strides)
        _put(layout, "result", layout if offset == 0 and kept == strides else _build(shape, kept, 0))
    else:
        _put(layout, "result", _build(shape, kept_strides(shape, [strides]), 0))
    return _INTERNED.remember(key, layout)
