"""The axes of an array: moved, merged, made anew."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, overload

from lamina_flatarray import ShapeError

from ..dispatch.namespace import Array, generic, namespace
from ..layouts.broadcast import integers, normalize_axis
from ..layouts.reshaping import infer_lengths

__all__ = ["adjoint", "atleast_1d", "atleast_2d", "atleast_3d", "flatten", "moveaxis", "ravel", "swapaxes", "unflatten"]


@generic
def moveaxis(x: Array, source: int | Sequence[int], destination: int | Sequence[int]) -> Array:
    """Move axes to other indices; the remaining axes keep their order.

    Args:
        x: an array of any shape.
        source: the axes to move: one, or several.
        destination: as many indices, where they go in the result.

    Returns:
        A view of x.

    Raises:
        ShapeError: the numbers of axes differ, or one is named twice.
        IndexOutOfRange: an axis does not exist.

    >>> nd.moveaxis(nd.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    sources, targets = integers(source, "movedim"), integers(destination, "movedim")
    if len(sources) != len(targets):
        raise ShapeError(
            f"movedim: Invalid source or destination dims: source ({list(sources)} dims) should contain the same "
            f"number of dims as destination ({list(targets)} dims)"
        )
    old = [normalize_axis(a, x.ndim, "movedim") for a in sources]
    new = [normalize_axis(a, x.ndim, "movedim") for a in targets]
    for name, passed, axes in (("source", sources, old), ("destination", targets, new)):
        if len(set(axes)) != len(axes):
            raise ShapeError(f"movedim: repeated dim in `{name}` ({list(passed)})")
    if not x.ndim:
        return namespace(x).permute(x, ())
    rest = iter([a for a in range(x.ndim) if a not in old])
    return namespace(x).permute(x, [old[new.index(i)] if i in new else next(rest) for i in range(x.ndim)])


@generic
def swapaxes(x: Array, axis1: int, axis2: int) -> Array:
    """Exchange two axes.

    Args:
        x: an array with the two axes.
        axis1: an axis; negative ones count from the end.
        axis2: another axis.

    Returns:
        A view with the two axes exchanged.

    Raises:
        IndexOutOfRange: an axis does not exist.

    >>> nd.swapaxes(nd.ones((2, 3, 4)), 0, 2).shape
    (4, 3, 2)
    """
    return namespace(x).transpose(x, axis1, axis2)


@generic
def adjoint(x: Array) -> Array:
    """Return the conjugate transpose of matrices.

    Args:
        x: (..., m, n), or an array without axes.

    Returns:
        (..., n, m) of x's dtype; a view where x is real.

    Raises:
        ShapeError: there is exactly one axis.

    >>> nd.adjoint(nd.asarray([[1.0, 2j]]))
    NDArray([[1.-0.j],
             [0.-2.j]])
    """
    if x.ndim == 1:
        raise ShapeError(f"adjoint: shape {tuple(x.shape)} given; it wants a matrix or several")
    xp = namespace(x)
    turned = xp.transpose(x, -2, -1) if x.ndim else x
    return xp.conj(turned) if x.dtype.is_complex else turned


@generic(strict=True)
def flatten(x: Array, start: int = 0, end: int = -1) -> Array:
    """Merge the axes from `start` to `end` into one.

    Args:
        x: an array of any shape; without axes it becomes a vector of one item.
        start: the first axis to merge.
        end: the last axis to merge.

    Returns:
        x itself where there is nothing to merge, a view where strides allow it, else a copy.

    Raises:
        ShapeError: `start` comes after `end`.
        IndexOutOfRange: an axis does not exist.

    >>> nd.flatten(nd.ones((2, 3, 4)), 1).shape
    (2, 12)
    """
    if not x.ndim:
        normalize_axis(start, 0, "flatten"), normalize_axis(end, 0, "flatten")
        return namespace(x).reshape(x, (1,))
    first, last = normalize_axis(start, x.ndim, "flatten"), normalize_axis(end, x.ndim, "flatten")
    if first > last:
        raise ShapeError(f"flatten: start axis {start} comes after end axis {end} in shape {tuple(x.shape)}")
    shape = tuple(x.shape)
    merged = (*shape[:first], math.prod(shape[first : last + 1]), *shape[last + 1 :])
    return x if first == last else namespace(x).reshape(x, merged)


@generic
def ravel(x: Array) -> Array:
    """Flatten an array to a vector.

    Args:
        x: an array of any shape.

    Returns:
        All items in row-major order: a view where they lie so, else a copy.

    >>> nd.ravel(nd.asarray([[1, 2], [3, 4]]))
    NDArray([1, 2, 3, 4])
    """
    xp = namespace(x)
    return xp.reshape(xp.contiguous(x), (math.prod(x.shape),))


@generic
def unflatten(x: Array, axis: int, sizes: Sequence[int]) -> Array:
    """Split an axis into several.

    Args:
        x: an array of any shape.
        axis: which axis to split.
        sizes: the new lengths, whose product is the axis' own; one may be -1, and is then inferred.

    Returns:
        A view with the new axes in the place of the old one.

    Raises:
        ShapeError: the lengths do not fit, or there are none.
        IndexOutOfRange: the axis does not exist.

    >>> nd.unflatten(nd.ones((2, 12)), 1, (3, -1)).shape
    (2, 3, 4)
    """
    at = normalize_axis(axis, x.ndim, "unflatten")
    shape = tuple(x.shape) or (1,)
    lengths = infer_lengths("unflatten", integers(sizes, "unflatten"), shape[at], shape)
    if not lengths:
        raise ShapeError(f"unflatten: sizes must be non-empty, got {tuple(sizes)} for axis {axis}")
    return namespace(x).view(x, (*shape[:at], *lengths, *shape[at + 1 :]))


def _each(function: Any, arrays: tuple[Any, ...]) -> Any:
    """The function of one array, or of each of several (or of a sequence of them) as a tuple."""
    if len(arrays) == 1 and not isinstance(arrays[0], (list, tuple)):
        return function(arrays[0])
    return tuple(map(function, arrays[0] if len(arrays) == 1 else arrays))


def _at_least(x: Array, shapes: tuple[tuple[int | None, ...], ...]) -> Array:
    """x with axes of length 1 added up to the pattern for its rank; None stands for its own lengths, in order."""
    if x.ndim >= len(shapes):
        return x
    lengths = iter(x.shape)
    return namespace(x).reshape(x, tuple(next(lengths) if n is None else n for n in shapes[x.ndim]))


@overload
def atleast_1d(x: Array, /) -> Array: ...
@overload
def atleast_1d(x: Sequence[Array], /) -> tuple[Array, ...]: ...
@overload
def atleast_1d(x: Array, y: Array, /, *more: Array) -> tuple[Array, ...]: ...
@generic
def atleast_1d(*arrays: Any) -> Any:
    """Give arrays one axis at least.

    Args:
        arrays: arrays of any shape, or one sequence of them.

    Returns:
        The array, with shape (1,) where it had no axes; a tuple of arrays for several.

    >>> nd.atleast_1d(nd.asarray(3.0))
    NDArray([3.])
    """
    return _each(lambda x: _at_least(x, ((1,),)), arrays)


@overload
def atleast_2d(x: Array, /) -> Array: ...
@overload
def atleast_2d(x: Sequence[Array], /) -> tuple[Array, ...]: ...
@overload
def atleast_2d(x: Array, y: Array, /, *more: Array) -> tuple[Array, ...]: ...
@generic
def atleast_2d(*arrays: Any) -> Any:
    """Give arrays two axes at least; a vector becomes a row.

    Args:
        arrays: arrays of any shape, or one sequence of them.

    Returns:
        The array, with axes of length 1 put in front; a tuple of arrays for several.

    >>> nd.atleast_2d(nd.asarray([1, 2]))
    NDArray([[1, 2]])
    """
    return _each(lambda x: _at_least(x, ((1, 1), (1, None))), arrays)


@overload
def atleast_3d(x: Array, /) -> Array: ...
@overload
def atleast_3d(x: Sequence[Array], /) -> tuple[Array, ...]: ...
@overload
def atleast_3d(x: Array, y: Array, /, *more: Array) -> tuple[Array, ...]: ...
@generic
def atleast_3d(*arrays: Any) -> Any:
    """Give arrays three axes at least: shape (n,) becomes (1, n, 1), and (m, n) becomes (m, n, 1).

    Args:
        arrays: arrays of any shape, or one sequence of them.

    Returns:
        The array with axes of length 1 added; a tuple of arrays for several.

    >>> nd.atleast_3d(nd.ones((2, 3))).shape
    (2, 3, 1)
    """
    return _each(lambda x: _at_least(x, ((1, 1, 1), (1, None, 1), (None, None, 1))), arrays)
