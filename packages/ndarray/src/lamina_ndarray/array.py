"""`NDArray`: what users do with an array. Its operators and methods, each of which is a function of arrays under its usual name.

The fields, and how arrays are made of them, are in `array_fields`; the functions are written against those.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from lamina_flatarray import FlatArray, ShapeError, dlpack
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.twins import compiled

from . import array_fields, printing
from .creation import conversion
from .creation.array_likes import asarray
from .dispatch.namespace import API_VERSIONS
from .elementwise import arithmetic, bits, choosing, comparison, complex_parts, rounding
from .elementwise.dispatcher import MapOp
from .indexing import flat_indices, selection
from .indexing.nonzero import nonzero
from .layouts.layout import Layout
from .numpy_protocols import array_function, array_ufunc
from .pickling import restored
from .products.matmul import matmul
from .reductions import extremes, logic, scans, sums
from .shapes import axes, turning, views
from .sorting import order

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["NDArray"]


class NDArray(array_fields.ArrayFields):
    """Items of one dtype in some number of dimensions: a flat array and the layout that it is read by. Views share the flat array.

    Arrays are made by `asarray`, `zeros`, `arange` and other functions. Methods are functions of the same name with the array as
    their first argument, where nothing else is said.

    Attributes:
        flat: the memory.
        layout: how its items are read: shape, strides and offset.
        native: the backend's own handle for this pair, if it keeps one.

    >>> x = nd.asarray([[1.0, 2.0], [3.0, 4.0]])
    >>> x.T @ x + 1
    NDArray([[11., 15.],
             [15., 21.]])
    """

    __slots__ = ()
    __array_priority__: ClassVar[float] = 1000.0  # older array types, such as NumPy's matrix, leave mixed operands to ours
    __hash__ = object.__hash__  # arrays are compared item by item, so they are hashed as objects

    # -- operators ---------------------------------------------------------------------------------------------------------

    __add__ = arithmetic.add
    __sub__ = arithmetic.subtract
    __mul__ = arithmetic.multiply
    __truediv__ = arithmetic.divide
    __floordiv__ = arithmetic.floor_divide
    __mod__ = arithmetic.remainder
    __pow__ = arithmetic.pow
    __matmul__ = matmul
    __and__ = bits.bitwise_and
    __or__ = bits.bitwise_or
    __xor__ = bits.bitwise_xor
    __lshift__ = bits.bitwise_left_shift
    __rshift__ = bits.bitwise_right_shift
    __neg__ = arithmetic.negative
    __abs__ = arithmetic.abs
    __invert__ = bits.bitwise_invert

    def __radd__(self, other: NDArray | complex, /) -> NDArray:
        return arithmetic.add(other, self)

    def __rsub__(self, other: NDArray | complex, /) -> NDArray:
        return arithmetic.subtract(other, self)

    def __rmul__(self, other: NDArray | complex, /) -> NDArray:
        return arithmetic.multiply(other, self)

    def __rtruediv__(self, other: NDArray | complex, /) -> NDArray:
        return arithmetic.divide(other, self)

    def __rfloordiv__(self, other: NDArray | float, /) -> NDArray:
        return arithmetic.floor_divide(other, self)

    def __rmod__(self, other: NDArray | float, /) -> NDArray:
        return arithmetic.remainder(other, self)

    def __rpow__(self, other: NDArray | complex, /) -> NDArray:
        return arithmetic.pow(other, self)

    def __rmatmul__(self, other: NDArray, /) -> NDArray:
        return matmul(other, self)

    def __rand__(self, other: NDArray | int, /) -> NDArray:
        return bits.bitwise_and(other, self)

    def __ror__(self, other: NDArray | int, /) -> NDArray:
        return bits.bitwise_or(other, self)

    def __rxor__(self, other: NDArray | int, /) -> NDArray:
        return bits.bitwise_xor(other, self)

    def __rlshift__(self, other: NDArray | int, /) -> NDArray:
        return bits.bitwise_left_shift(other, self)

    def __rrshift__(self, other: NDArray | int, /) -> NDArray:
        return bits.bitwise_right_shift(other, self)

    # mypy misses `out`, which the functions above take as well.

    def __iadd__(self, other: NDArray | complex, /) -> NDArray:  # type: ignore[misc]
        return arithmetic.add(self, other, out=self)

    def __isub__(self, other: NDArray | complex, /) -> NDArray:  # type: ignore[misc]
        return arithmetic.subtract(self, other, out=self)

    def __imul__(self, other: NDArray | complex, /) -> NDArray:  # type: ignore[misc]
        return arithmetic.multiply(self, other, out=self)

    def __itruediv__(self, other: NDArray | complex, /) -> NDArray:  # type: ignore[misc]
        return arithmetic.divide(self, other, out=self)

    def __ifloordiv__(self, other: NDArray | float, /) -> NDArray:  # type: ignore[misc]
        return arithmetic.floor_divide(self, other, out=self)

    def __imod__(self, other: NDArray | float, /) -> NDArray:  # type: ignore[misc]
        return arithmetic.remainder(self, other, out=self)

    def __ipow__(self, other: NDArray | complex, /) -> NDArray:  # type: ignore[misc]
        return arithmetic.pow(self, other, out=self)

    def __imatmul__(self, other: NDArray, /) -> NDArray:  # type: ignore[misc]
        return matmul(self, other, out=self)

    def __iand__(self, other: NDArray | int, /) -> NDArray:  # type: ignore[misc]
        return bits.bitwise_and(self, other, out=self)

    def __ior__(self, other: NDArray | int, /) -> NDArray:  # type: ignore[misc]
        return bits.bitwise_or(self, other, out=self)

    def __ixor__(self, other: NDArray | int, /) -> NDArray:  # type: ignore[misc]
        return bits.bitwise_xor(self, other, out=self)

    def __ilshift__(self, other: NDArray | int, /) -> NDArray:  # type: ignore[misc]
        return bits.bitwise_left_shift(self, other, out=self)

    def __irshift__(self, other: NDArray | int, /) -> NDArray:  # type: ignore[misc]
        return bits.bitwise_right_shift(self, other, out=self)

    if TYPE_CHECKING:  # where checkers would take the types of object's

        def __eq__(self, other: NDArray | complex) -> NDArray: ...  # type: ignore[override]
        def __ne__(self, other: NDArray | complex) -> NDArray: ...  # type: ignore[override]

    else:
        __eq__ = comparison.equal
        __ne__ = comparison.not_equal
    __lt__ = comparison.less
    __le__ = comparison.less_equal
    __gt__ = comparison.greater
    __ge__ = comparison.greater_equal

    def __pos__(self) -> NDArray:
        return self

    # -- items -------------------------------------------------------------------------------------------------------------

    __getitem__ = selection.getitem
    __setitem__ = selection.setitem

    def item(self) -> int | float | bool:
        """Return the only item as a Python number.

        Returns:
            A bool, int, float or complex, as the dtype is; the type leaves out complex, so that a number can be used as it comes.

        Raises:
            ShapeError: the array does not have exactly one item.

        >>> nd.asarray([[2.5]]).item()
        2.5
        """
        number: int | float | bool = conversion.item(self)  # looked up when called: it may have a compiled twin by then
        return number

    def tolist(self) -> Any:
        """Return the items as nested lists of Python numbers.

        Returns:
            One list per axis, nested; a plain number for an array without axes.

        >>> nd.arange(6).reshape(2, 3).tolist()
        [[0, 1, 2], [3, 4, 5]]
        """
        return conversion.tolist(self)

    def tobytes(self) -> bytes:
        r"""Return a copy of the items as bytes, in row-major order whatever the strides are.

        Returns:
            `nbytes` bytes, in the machine's byte order.

        >>> nd.asarray([[1, 2], [3, 4]], dtype="uint8").T.tobytes()
        b'\x01\x03\x02\x04'
        """
        return conversion.numpy(conversion.to_device(self, "cpu")).tobytes()

    def fill(self, value: NDArray | complex) -> None:
        """Set every item to one number, in place.

        Args:
            value: a number, or an array without axes.

        Raises:
            DTypeError: the value's kind does not go into the dtype.

        >>> x = nd.zeros((2, 2))
        >>> x.fill(7)
        >>> x
        NDArray([[7., 7.],
                 [7., 7.]])
        """
        selection.setitem(self, ..., value)

    def __bool__(self) -> bool:
        if self.layout.size != 1:
            raise ShapeError(
                f"the truth of an array of shape {self.layout.shape} is ambiguous; it wants one item: use any() or all()"
            )
        return bool(conversion.item(self))

    def __int__(self) -> int:
        return int(conversion.item(self))

    def __float__(self) -> float:
        return float(conversion.item(self))

    def __complex__(self) -> complex:
        return complex(conversion.item(self))

    def __index__(self) -> int:
        if self.dtype.is_inexact or self.layout.size != 1:
            raise TypeError("only integer arrays of one item can be converted to an index")
        return int(conversion.item(self))

    def __len__(self) -> int:
        if not self.layout.ndim:
            raise TypeError("len() of a 0-d array")
        return self.layout.shape[0]

    def __iter__(self) -> Iterator[NDArray]:
        if not self.layout.ndim:
            raise TypeError("iteration over a 0-d array")
        return (selection.getitem(self, i) for i in range(self.layout.shape[0]))

    def __contains__(self, value: NDArray | complex) -> bool:
        return bool(logic.any(comparison.equal(self, value)))

    nonzero = nonzero

    def take(self, indices: Any, axis: int | None = None) -> NDArray:
        """Select items by position along one axis; without an axis, among all items in row-major order.

        Args:
            indices: integers, an array or what `asarray` makes one of: of any shape, or a vector where there is an axis.
                Negative ones count from the end.
            axis: the axis to select from; None for the flattened array.

        Returns:
            A new array: of the shape of `indices`, or of this one's with as many slices along the axis as there are indices.

        Raises:
            IndexOutOfRange: an index or the axis does not exist.

        >>> nd.asarray([[10, 20, 30], [40, 50, 60]]).take([2, 0], axis=1)
        NDArray([[30, 10],
                 [60, 40]])
        """
        return flat_indices.take(self, asarray(indices, device=self.device), axis)

    # -- shapes and views --------------------------------------------------------------------------------------------------

    def reshape(self, *shape: int | Sequence[int], copy: bool | None = None) -> NDArray:
        """Return the same items, in row-major order, under another shape: a view where strides allow it, else a copy.

        Args:
            shape: lengths one by one, or a sequence of them; one may be -1, which is inferred.
            copy: True to always copy, False to refuse a copy, None to copy only if need be.

        Returns:
            An array of the new shape.

        Raises:
            ShapeError: the number of items differs, or a copy is needed that was refused.

        >>> nd.arange(6).reshape(2, -1)
        NDArray([[0, 1, 2],
                 [3, 4, 5]])
        """
        lengths: Any = shape[0] if len(shape) == 1 else shape
        return views.reshape(self, lengths, copy=copy)

    def flatten(self) -> NDArray:
        """Copy all items into one axis, in row-major order.

        Returns:
            A new array of shape `(size,)`; never a view, unlike `ravel`.

        >>> nd.asarray([[1, 2], [3, 4]]).flatten()
        NDArray([1, 2, 3, 4])
        """
        return views.reshape(self, (-1,), copy=True)

    def transpose(self, *axes: int | Sequence[int]) -> NDArray:
        """Permute the axes, by default into reverse order, as NumPy's method does.

        Args:
            axes: axes one by one, or a sequence of them, each once.

        Returns:
            A view: axis i of the result is axis `axes[i]` of this array.

        Raises:
            ShapeError: not every axis is named once.

        >>> nd.zeros((2, 3, 4)).transpose(1, 0, 2).shape
        (3, 2, 4)
        """
        named: Any = axes[0] if len(axes) == 1 and not isinstance(axes[0], int) else axes
        return views.permute(self, named or range(self.layout.ndim)[::-1])

    @property
    def T(self) -> NDArray:
        """The axes in reverse order: a view."""
        return views.permute(self, range(self.layout.ndim)[::-1])

    @property
    def mT(self) -> NDArray:
        """The last two axes exchanged: a view."""
        return views.transpose(self)

    broadcast_to = views.broadcast_to
    diagonal = views.diagonal
    permute_dims = views.permute
    ravel = axes.ravel
    repeat = turning.repeat
    squeeze = views.squeeze
    swapaxes = axes.swapaxes

    # -- arithmetic --------------------------------------------------------------------------------------------------------

    @property
    def real(self) -> NDArray:
        """The real part: a view; the array itself where it is real."""
        return complex_parts.real(self)

    @property
    def imag(self) -> NDArray:
        """The imaginary part: a view.

        Raises:
            DTypeError: the array is real.
        """
        return complex_parts.imag(self)

    def conj(self) -> NDArray:
        """Return the complex conjugate of every item.

        Returns:
            A new array of the same shape and dtype; the array itself if it is real.

        >>> nd.asarray([1 + 2j, 3 - 4j]).conj()
        NDArray([1.-2.j, 3.+4.j])
        """
        return complex_parts.conj(self)

    def round(self, decimals: int = 0) -> NDArray:
        """Round every item to a number of decimals, halfway cases to the nearest even number.

        Args:
            decimals: digits to keep after the decimal point; a negative number rounds to tens, hundreds and so on.

        Returns:
            A new array of the same shape and dtype. Integers are not changed.

        >>> nd.asarray([0.5, 1.5, 2.375]).round()
        NDArray([0., 2., 2.])
        >>> nd.asarray([0.125, 2.375]).round(2)
        NDArray([0.1200, 2.3800])
        """
        if decimals == 0 or not self.dtype.is_inexact:
            return rounding.round(self)
        scale = 10.0**decimals if decimals <= sys.float_info.max_10_exp else float("inf")
        return arithmetic.divide(rounding.round(arithmetic.multiply(self, scale)), scale)

    clip = choosing.clip

    def dot(self, other: NDArray | complex) -> NDArray:
        """Multiply by a number, or multiply as matrices: `x @ other`.

        Args:
            other: a number or an array without axes, which scales every item; or an array for the matrix product.

        Returns:
            A new array: `()` for two vectors, `(n, p)` for `(n, m)` and `(m, p)`. The dtype is the common one.

        Raises:
            ShapeError: the lengths do not fit.

        >>> nd.asarray([1.0, 2.0]).dot(nd.asarray([3.0, 4.0]))
        NDArray(11.)
        """
        if isinstance(other, array_fields.ArrayFields) and other.layout.ndim and self.layout.ndim:
            return matmul(self, other)
        return arithmetic.multiply(self, other)

    # -- reductions, scans and order ---------------------------------------------------------------------------------------

    all = logic.all
    any = logic.any
    argmax = extremes.argmax
    argmin = extremes.argmin
    max = extremes.max
    mean = sums.mean
    min = extremes.min
    prod = sums.prod
    std = sums.std
    sum = sums.sum
    var = sums.var

    def cumsum(self, axis: int | None = None, *, dtype: Any = None, out: NDArray | None = None) -> NDArray:
        """Add items up along an axis: item i of the result is the sum of items 0 to i.

        Args:
            axis: the axis to add along; None for all items in row-major order, flattened.
            dtype: to compute in, and of the result; by default int64 for integers and bool, else the array's own.
            out: an array that receives the result.

        Returns:
            An array of the same shape, or of shape `(size,)` without an axis; `out` if it is given.

        Raises:
            IndexOutOfRange: there is no such axis.

        >>> nd.asarray([[1, 2], [3, 4]]).cumsum(axis=0)
        NDArray([[1, 2],
                 [4, 6]])
        """
        return scans.cumsum(*_along(self, axis), dtype=dtype, out=out)

    def cumprod(self, axis: int | None = None, *, dtype: Any = None, out: NDArray | None = None) -> NDArray:
        """Multiply items up along an axis: item i of the result is the product of items 0 to i.

        Args:
            axis: the axis to multiply along; None for all items in row-major order, flattened.
            dtype: to compute in, and of the result; by default int64 for integers and bool, else the array's own.
            out: an array that receives the result.

        Returns:
            An array of the same shape, or of shape `(size,)` without an axis; `out` if it is given.

        Raises:
            IndexOutOfRange: there is no such axis.

        >>> nd.asarray([1, 2, 3, 4]).cumprod()
        NDArray([ 1,  2,  6, 24])
        """
        return scans.cumprod(*_along(self, axis), dtype=dtype, out=out)

    argsort = order.argsort
    sort = order.sort  # gives a sorted array; NumPy's method sorts in place

    # -- as something else -------------------------------------------------------------------------------------------------

    astype = conversion.astype
    copy = views.copy
    numpy = conversion.numpy
    to_device = conversion.to_device
    __buffer__ = conversion.exported_buffer
    __dlpack__ = conversion.exported_dlpack
    __array_function__ = array_function
    __array_ufunc__ = array_ufunc
    __copy__ = views.copy

    def __deepcopy__(self, memo: dict[int, Any]) -> NDArray:
        return views.copy(self)

    def __reduce__(self) -> tuple[Any, ...]:
        own = views.copy(self)  # as NumPy's: without what is beside the items
        return restored, (own.flat, tuple(own.layout.shape), tuple(own.layout.strides), own.layout.offset)

    def __dlpack_device__(self) -> tuple[int, int]:
        return dlpack.device(self.flat)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return np.array(conversion.numpy(self), dtype=dtype, copy=copy)

    def __array_namespace__(self, *, api_version: str | None = None) -> ModuleType:
        if api_version is not None and api_version not in API_VERSIONS:
            raise ValueError(f"__array_namespace__: version {api_version!r} asked for; there are {', '.join(API_VERSIONS)}")
        return sys.modules[__package__]

    def __repr__(self) -> str:
        items = conversion.numpy(conversion.to_device(self, "cpu"))
        return printing.text(items, prefix="NDArray(", suffixes=printing.marks(self))

    def _repr_html_(self) -> str:
        """What notebooks show."""
        from .rich_display import described, facts

        return described(facts(self), repr(self))

    def __format__(self, specification: str) -> str:
        if not self.layout.ndim:
            return format(conversion.item(self), specification)
        if specification:
            raise TypeError(f"format {specification!r} given for an array of shape {self.layout.shape}; only arrays without axes take one")
        return str(self)


def _along(x: NDArray, axis: int | None) -> tuple[NDArray, int]:
    """The array and an axis of it; for None, all its items in one."""
    return (axes.ravel(x), 0) if axis is None else (x, axis)


array_fields.make_arrays_of(NDArray)
if compiled is not None:
    compiled.use_arrays(NDArray, FlatArray, Layout, KernelTable, MapOp)
