"""Views as functions of arrays: other layouts over the same memory. Nothing here copies, but `reshape` where it must."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lamina_flatarray import ShapeError
from lamina_flatarray.modes import STRICT, word

from ..array_fields import empty_of, view_of
from ..dispatch.strictness import refuse_copy
from ..layouts.broadcast import normalize_axes

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = [
    "as_strided",
    "broadcast_to",
    "contiguous",
    "copy",
    "diagonal",
    "flip",
    "permute",
    "reshape",
    "squeeze",
    "transpose",
    "unfold",
    "unsqueeze",
    "view",
]


def copy(x: NDArray) -> NDArray:
    """The same items in memory of their own, dense, in x's order of axes where x is dense."""
    made = empty_of(x.flat.kernels, x.layout.result)
    x.flat.kernels["copy"](made, x)
    return made


copied = copy


def contiguous(x: NDArray) -> NDArray:
    """Itself if its items lie in row-major order without gaps, else a copy that does."""
    if x.layout.contiguous:
        return x
    made = empty_of(x.flat.kernels, x.layout.compact)
    x.flat.kernels["copy"](made, x)
    return made


def view(x: NDArray, shape: Sequence[int]) -> NDArray:
    """Another shape over the same memory; one length may be -1, to be inferred.

    Raises:
        ShapeError: the number of items differs, or no strides can express the shape.
    """
    layout = x.layout.reshape(tuple(shape), "view")
    if layout is None:
        raise ShapeError(
            f"view: shape {x.layout.shape} with strides {x.layout.strides} cannot be read as {tuple(shape)} without "
            "a copy (at least one dimension spans across two contiguous subspaces); use .reshape(...) instead"
        )
    return view_of(x, layout)


def reshape(x: NDArray, shape: int | Sequence[int], *, copy: bool | None = None) -> NDArray:
    """Another shape: a view where strides allow it, else a copy.

    Args:
        x: the array.
        shape: lengths, of which one may be -1.
        copy: True for a copy always, False to refuse one.

    Raises:
        ShapeError: the number of items differs, or a copy is needed that was refused.
    """
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    if copy is False:
        return view(x, shape)
    layout = x.layout.reshape(shape)
    if layout is not None:
        return copied(view_of(x, layout)) if copy else view_of(x, layout)
    if word.get() & STRICT:
        refuse_copy(x.layout)
    dense = contiguous(x)
    found = dense.layout.reshape(shape)
    assert found is not None  # a row-major array takes any shape of its size
    return view_of(dense, found)


def permute(x: NDArray, axes: Sequence[int]) -> NDArray:
    """The axes in another order."""
    return view_of(x, x.layout.permute(tuple(axes)))


def transpose(x: NDArray, a: int = -2, b: int = -1) -> NDArray:
    """Two axes exchanged."""
    return view_of(x, x.layout.transpose(a, b))


def broadcast_to(x: NDArray, shape: Sequence[int]) -> NDArray:
    """Repeated, by strides of 0, to a larger shape; -1 keeps a length.

    Raises:
        ShapeError: the shapes do not broadcast.
    """
    return view_of(x, x.layout.broadcast_to(tuple(shape)))


def unsqueeze(x: NDArray, axis: int) -> NDArray:
    """A new axis of length 1."""
    return view_of(x, x.layout.unsqueeze(axis))


def squeeze(x: NDArray, axis: int | tuple[int, ...] | None = None) -> NDArray:
    """Without axes of length 1: the given ones, or all of them.

    Raises:
        ShapeError: a given axis has another length. (PyTorch lets it be, and so do tensors.)
    """
    for at in normalize_axes(axis, x.layout.ndim, "squeeze") if axis is not None and x.layout.ndim else ():
        if x.layout.shape[at] != 1:
            raise ShapeError(f"squeeze: axis {at} of shape {x.layout.shape} has length {x.layout.shape[at]}; it wants 1")
    return view_of(x, x.layout.squeeze(axis))


def diagonal(x: NDArray, offset: int = 0, axis1: int = 0, axis2: int = 1) -> NDArray:
    """The diagonal of two axes, as a last axis."""
    return view_of(x, x.layout.diagonal(offset, axis1, axis2))


def unfold(x: NDArray, axis: int, size: int, step: int) -> NDArray:
    """All windows of a size along an axis, a step apart; their items become a last axis."""
    return view_of(x, x.layout.unfold(axis, size, step))


def flip(x: NDArray, axis: int | Sequence[int] | None = None) -> NDArray:
    """Axes (None: all) read backwards, by negative strides."""
    return view_of(x, x.layout.flip(axis if axis is None or isinstance(axis, int) else tuple(axis)))


def as_strided(x: NDArray, shape: Sequence[int], strides: Sequence[int], offset: int | None = None) -> NDArray:
    """Any layout within x's memory.

    Raises:
        ShapeError: it would reach outside.
    """
    at = x.layout.offset if offset is None else offset
    return view_of(x, x.layout.as_strided(tuple(shape), tuple(strides), at, x.flat.size))
