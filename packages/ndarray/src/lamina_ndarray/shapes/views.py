"""Views as functions of arrays: other layouts over the same memory. Nothing here copies, but `reshape` where it must."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lamina_flatarray import ShapeError
from lamina_flatarray.modes import STRICT, word

from ..array_fields import empty_of, view_of
from ..dispatch.strictness import refuse_copy
from ..layouts.broadcast import integers, normalize_axes

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


def copy(x: NDArray, row_major: bool = False) -> NDArray:
    """Copy an array to memory of its own.

    Args:
        x: an array of any shape and dtype.
        row_major: whether the copy is row-major, instead of in x's order of axes.

    Returns:
        A dense array of x's shape and dtype.

    >>> x = nd.asarray([1.0, 2.0])
    >>> y = nd.copy(x)
    >>> y[0] = 9.0
    >>> x
    NDArray([1., 2.])
    """
    result = empty_of(x.flat.kernels, x.layout.compact if row_major else x.layout.like)
    x.flat.kernels["copy"](result, x)
    return result


copied = copy


def contiguous(x: NDArray) -> NDArray:
    """Return x if its items lie in row-major order without gaps, else a copy that does.

    Args:
        x: an array of any shape and dtype.

    Returns:
        A row-major array of x's shape and dtype.

    >>> x = nd.transpose(nd.asarray([[1, 2], [3, 4]]))
    >>> x.layout.strides, nd.contiguous(x).layout.strides
    ((1, 2), (2, 1))
    """
    if x.layout.contiguous:
        return x
    result = empty_of(x.flat.kernels, x.layout.compact)
    x.flat.kernels["copy"](result, x)
    return result


def view(x: NDArray, shape: Sequence[int]) -> NDArray:
    """Read an array in another shape, over the same memory.

    Args:
        x: an array of any dtype.
        shape: the lengths; one may be -1, and is then inferred from the number of items.

    Returns:
        A view of the given shape.

    Raises:
        ShapeError: the number of items differs, or no strides can express the shape.

    >>> nd.view(nd.asarray([1, 2, 3, 4, 5, 6]), (2, -1))
    NDArray([[1, 2, 3],
             [4, 5, 6]])
    """
    layout = x.layout.reshape(tuple(shape), "view")
    if layout is None:
        raise ShapeError(
            f"view: shape {x.layout.shape} with strides {x.layout.strides} cannot be read as {tuple(shape)} without "
            "a copy (at least one dimension spans across two contiguous subspaces); use .reshape(...) instead"
        )
    return view_of(x, layout)


def reshape(x: NDArray, shape: int | Sequence[int], *, copy: bool | None = None) -> NDArray:
    """Change the shape of an array: a view where strides allow it, else a copy.

    Args:
        x: an array of any dtype.
        shape: the lengths; one may be -1, and is then inferred from the number of items. An int is the length of a
            vector.
        copy: True always copies, False never does; None copies only where it must.

    Returns:
        An array of the given shape, with the items in row-major order.

    Raises:
        ShapeError: the number of items differs, or a copy is needed that was refused.

    >>> nd.reshape(nd.asarray([[1, 2, 3], [4, 5, 6]]), (3, 2))
    NDArray([[1, 2],
             [3, 4],
             [5, 6]])
    """
    shape = shape if shape.__class__ is tuple else integers(shape, "reshape")
    if copy is False:
        return view(x, shape)
    layout = x.layout.reshape(shape)
    if layout is not None:
        return copied(view_of(x, layout)) if copy else view_of(x, layout)
    if word.get() & STRICT:
        refuse_copy(x.layout)
    dense = contiguous(x)
    reshaped = dense.layout.reshape(shape)
    assert reshaped is not None  # a row-major array takes any shape of its size
    return view_of(dense, reshaped)


def permute(x: NDArray, axes: Sequence[int]) -> NDArray:
    """Put the axes of an array in another order.

    Args:
        x: an array with n axes.
        axes: the n axes in their new order; negative ones count from the end.

    Returns:
        A view whose axis i is axis `axes[i]` of x.

    Raises:
        ShapeError: there are not n axes, or one comes twice.
        IndexOutOfRange: an axis does not exist.

    >>> nd.permute(nd.ones((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
    return view_of(x, x.layout.permute(tuple(axes)))


def transpose(x: NDArray, a: int = -2, b: int = -1) -> NDArray:
    """Exchange two axes; by default the last two.

    Args:
        x: an array with the two axes.
        a: an axis; negative ones count from the end.
        b: another axis.

    Returns:
        A view with the two axes exchanged.

    Raises:
        IndexOutOfRange: an axis does not exist.

    >>> nd.transpose(nd.asarray([[1, 2, 3], [4, 5, 6]]))
    NDArray([[1, 4],
             [2, 5],
             [3, 6]])
    """
    return view_of(x, x.layout.transpose(a, b))


def broadcast_to(x: NDArray, shape: Sequence[int]) -> NDArray:
    """Repeat an array to a larger shape, without copying: repeated axes have a stride of 0.

    Args:
        x: an array of any dtype.
        shape: the new lengths; aligned at the right with x's, each equals x's, or x's is 1. -1 keeps a length.

    Returns:
        A view of the new shape.

    Raises:
        ShapeError: x does not broadcast to the shape.

    >>> nd.broadcast_to(nd.asarray([1, 2, 3]), (2, 3))
    NDArray([[1, 2, 3],
             [1, 2, 3]])
    """
    return view_of(x, x.layout.broadcast_to(tuple(shape)))


def unsqueeze(x: NDArray, axis: int) -> NDArray:
    """Insert an axis of length 1.

    Args:
        x: an array with n axes.
        axis: the index of the new axis in the result, from -(n + 1) to n.

    Returns:
        A view with n + 1 axes.

    Raises:
        IndexOutOfRange: the axis lies outside.

    >>> nd.unsqueeze(nd.asarray([1, 2]), 1)
    NDArray([[1],
             [2]])
    """
    return view_of(x, x.layout.unsqueeze(axis))


def squeeze(x: NDArray, axis: int | tuple[int, ...] | None = None) -> NDArray:
    """Remove axes of length 1.

    Args:
        x: an array of any shape.
        axis: an axis or several; None for all axes of length 1.

    Returns:
        A view without these axes.

    Raises:
        ShapeError: a given axis has another length. (PyTorch lets it be, and so do tensors.)
        IndexOutOfRange: an axis does not exist.

    >>> nd.squeeze(nd.ones((1, 3, 1))).shape
    (3,)
    >>> nd.squeeze(nd.ones((1, 3, 1)), 0).shape
    (3, 1)
    """
    for at in normalize_axes(axis, x.layout.ndim, "squeeze") if axis is not None and x.layout.ndim else ():
        if x.layout.shape[at] != 1:
            raise ShapeError(f"squeeze: axis {at} of shape {x.layout.shape} has length {x.layout.shape[at]}; it wants 1")
    return view_of(x, x.layout.squeeze(axis))


def diagonal(x: NDArray, offset: int = 0, axis1: int = 0, axis2: int = 1) -> NDArray:
    """Return the diagonal of two axes as a last axis.

    Args:
        x: an array with two axes at least.
        offset: which diagonal: 0 the main one, above it where positive, below it where negative.
        axis1: the axis of the rows.
        axis2: the axis of the columns.

    Returns:
        A view without the two axes, and with the diagonal's length last.

    Raises:
        ShapeError: the two axes are the same.
        IndexOutOfRange: an axis does not exist.

    >>> nd.diagonal(nd.asarray([[1, 2, 3], [4, 5, 6]]))
    NDArray([1, 5])
    >>> nd.diagonal(nd.asarray([[1, 2, 3], [4, 5, 6]]), 1)
    NDArray([2, 6])
    """
    return view_of(x, x.layout.diagonal(offset, axis1, axis2))


def unfold(x: NDArray, axis: int, size: int, step: int) -> NDArray:
    """Return all windows of a size along an axis, a step apart.

    Args:
        x: an array of any shape.
        axis: along which.
        size: the length of a window.
        step: the distance from one window to the next.

    Returns:
        A view in which the axis counts the windows, and a new last axis of length `size` holds their items.

    Raises:
        ShapeError: a window is longer than the axis, or size or step cannot be.
        IndexOutOfRange: the axis does not exist.

    >>> nd.unfold(nd.asarray([1, 2, 3, 4, 5]), 0, 3, 2)
    NDArray([[1, 2, 3],
             [3, 4, 5]])
    """
    return view_of(x, x.layout.unfold(axis, size, step))


def flip(x: NDArray, axis: int | Sequence[int] | None = None) -> NDArray:
    """Reverse axes, by negative strides.

    Args:
        x: an array of any shape.
        axis: an axis or several; None for all.

    Returns:
        A view of x's shape, whose items along these axes come in the opposite order.

    Raises:
        ShapeError: an axis is named twice.
        IndexOutOfRange: an axis does not exist.

    >>> nd.flip(nd.asarray([[1, 2], [3, 4]]), 1)
    NDArray([[2, 1],
             [4, 3]])
    """
    return view_of(x, x.layout.flip(axis if axis is None else integers(axis, "flip")))


def as_strided(x: NDArray, shape: Sequence[int], strides: Sequence[int], offset: int | None = None) -> NDArray:
    """View an array's memory with any layout that stays within it.

    Args:
        x: an array of any shape.
        shape: the lengths of the view.
        strides: per axis, how many items lie from one index to the next.
        offset: the index in memory of the first item; None for x's own.

    Returns:
        A view with this layout; its items may overlap.

    Raises:
        ShapeError: the layout reaches outside of the memory.

    >>> nd.as_strided(nd.asarray([1, 2, 3, 4]), (3, 2), (1, 1))
    NDArray([[1, 2],
             [2, 3],
             [3, 4]])
    """
    at = x.layout.offset if offset is None else offset
    return view_of(x, x.layout.as_strided(tuple(shape), tuple(strides), at, x.flat.size))
