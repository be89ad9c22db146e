"""Complex numbers as pairs of reals: parts are views of the same memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import DTypeError, ShapeError

from ..array_fields import array_of, empty_of, is_array
from ..dispatch.namespace import Array, generic
from ..dispatch.operands import common_kernels, copy_to, finish
from ..layouts.bounded_cache import BoundedCache
from ..layouts.layout import Layout
from .dispatcher import MapOp, unary
from .operands.general import kept_order

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["conj", "conjugate", "imag", "make_complex", "real", "resolve_conj", "resolve_neg", "view_as_complex", "view_as_real"]

_PARTS: Final[BoundedCache[tuple[Any, ...], Layout]] = BoundedCache("complex parts", 512)
"""From a packed layout and how a part is taken to the layout of the part."""


def _known(layout: Layout, make: Callable[..., Layout], *how: int) -> Layout:
    """What `make` gives for a layout, which remembers it."""
    key = (layout.packed, make.__name__, *how)
    return _PARTS.get(key) or _PARTS.remember(key, make(layout, *how))


def _one_part(layout: Layout, which: int) -> Layout:
    return Layout.of(layout.shape, tuple([2 * s for s in layout.strides]), 2 * layout.offset + which)


def _both_parts(layout: Layout) -> Layout:
    return Layout.of((*layout.shape, 2), (*[2 * s for s in layout.strides], 1), 2 * layout.offset)


def _pairs(layout: Layout) -> Layout:
    if not layout.ndim or layout.shape[-1] != 2:
        raise ShapeError(f"view_as_complex: Tensor must have a last dimension of size 2, got shape {layout.shape}")
    if layout.strides[-1] != 1 or any(s % 2 for s in (*layout.strides[:-1], layout.offset)):
        raise ShapeError(
            f"view_as_complex: Tensor must have a last dimension with stride 1, and even strides and offset else, got "
            f"strides {layout.strides} and offset {layout.offset}"
        )
    return Layout.of(layout.shape[:-1], tuple([s // 2 for s in layout.strides[:-1]]), layout.offset // 2)


def _part(x: NDArray, which: int) -> NDArray:
    return array_of(x.flat.reinterpret(x.dtype.to_real()), _known(x.layout, _one_part, which))


def real(x: NDArray) -> NDArray:
    """Return the real part: a view of the same memory, or x itself if it is real.

    Args:
        x: an array.

    Returns:
        A real array of x's shape: float32 of complex64.

    >>> nd.real(nd.asarray([1 + 2j, 3 - 4j]))
    NDArray([1., 3.])
    """
    return _part(x, 0) if x.dtype.is_complex else x


def imag(x: NDArray) -> NDArray:
    """Return the imaginary part: a view of the same memory.

    Args:
        x: a complex array.

    Returns:
        A real array of x's shape: float32 of complex64.

    Raises:
        DTypeError: x is real.

    >>> x = nd.asarray([1 + 2j, 3 - 4j])
    >>> nd.imag(x)[0] = 0.0
    >>> x
    NDArray([1.+0.j, 3.-4.j])
    """
    if not x.dtype.is_complex:
        raise DTypeError(f"imag: is not implemented for tensors with non-complex dtypes such as {x.dtype.name}")
    return _part(x, 1)


def make_complex(re: NDArray, im: NDArray) -> NDArray:
    """Put complex numbers together from their two parts.

    Args:
        re: the real parts.
        im: the imaginary parts, of the same dtype and shape.

    Returns:
        A new complex array of that shape.

    Raises:
        DeviceError: the parts are on different devices.

    >>> nd.make_complex(nd.asarray([1.0, 2.0]), nd.asarray([0.0, 3.0]))
    NDArray([1.+0.j, 2.+3.j])
    """
    kernels = common_kernels("complex", (re, im))
    result = empty_of(kernels.sibling(re.dtype.to_complex()), kept_order([re.layout, im.layout], re.layout.shape))
    copy_to(_part(result, 0), re)
    copy_to(_part(result, 1), im)
    return result


_CONJ: Final = MapOp("conj")


def conj(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the complex conjugate, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of x's shape and dtype; x itself where it is real and there is no `out`.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.conj(nd.asarray([1 + 2j, 3 - 4j]))
    NDArray([1.-2.j, 3.+4.j])
    """
    if x.dtype.is_complex:
        return unary(_CONJ, x, out)
    return x if out is None else finish(out, x)


def conjugate(x: Any) -> Any:
    """Compute the complex conjugate of an array, or of a number that stands for one.

    Args:
        x: an array or a Python number.

    Returns:
        An array of x's shape and dtype, or a number; x itself where it is a real array.

    >>> nd.conjugate(1 + 2j)
    (1-2j)
    """
    return conj(x) if is_array(x) else x.conjugate()


def view_as_real(x: NDArray) -> NDArray:
    """View complex numbers as pairs of real ones: a last axis of length 2 holds the real and the imaginary part.

    Args:
        x: a complex array.

    Returns:
        A view of shape `(*x.shape, 2)`: float32 of complex64.

    Raises:
        DTypeError: x is real.

    >>> nd.view_as_real(nd.asarray([1 + 2j, 3 - 4j]))
    NDArray([[ 1.,  2.],
             [ 3., -4.]])
    """
    if not x.dtype.is_complex:
        raise DTypeError(f"view_as_real: is only supported for complex tensors, got {x.dtype.name}")
    return array_of(x.flat.reinterpret(x.dtype.to_real()), _known(x.layout, _both_parts))


def view_as_complex(x: NDArray) -> NDArray:
    """View a last axis of length 2 as the real and imaginary parts of complex numbers.

    Args:
        x: a floating-point array of shape `(..., 2)`, whose pairs lie together in memory.

    Returns:
        A view of shape `x.shape[:-1]`: complex64 of float32.

    Raises:
        DTypeError: x is not of a floating dtype.
        ShapeError: the last axis has another length, or its pairs do not lie together.

    >>> nd.view_as_complex(nd.asarray([[1.0, 2.0], [3.0, -4.0]]))
    NDArray([1.+2.j, 3.-4.j])
    """
    if not x.dtype.is_floating_point:
        raise DTypeError(f"view_as_complex: is only supported for floating point tensors, got {x.dtype.name}")
    return array_of(x.flat.reinterpret(x.dtype.to_complex()), _known(x.layout, _pairs))


@generic
def resolve_conj(x: Array) -> Array:
    """Return x itself: conjugation is never put off here, as it may be in PyTorch.

    Args:
        x: an array.

    Returns:
        x.

    >>> x = nd.asarray([1 + 2j])
    >>> nd.resolve_conj(x) is x
    True
    """
    return x


@generic
def resolve_neg(x: Array) -> Array:
    """Return x itself: negation is never put off here, as it may be in PyTorch.

    Args:
        x: an array.

    Returns:
        x.

    >>> x = nd.asarray([1.0])
    >>> nd.resolve_neg(x) is x
    True
    """
    return x
