"""Matrix products: of vectors, matrices and stacks of them, and the affine map of a layer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import DTypeError, ShapeError
from lamina_flatarray.dtype_rules import result_dtypes

from ..array_fields import ArrayFields, empty_of, view_of
from ..dispatch.operands import (
    as_operand,
    cast,
    common_kernels,
    described,
    destination,
    finish,
    guarded,
    promoted,
)
from ..elementwise import arithmetic
from ..layouts.bounded_cache import BoundedCache
from ..layouts.broadcast import broadcast_shapes
from ..layouts.layout import Layout

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["linear", "matmul"]

_WITH_A_VECTOR: Final[BoundedCache[tuple[bytes, bytes], tuple[Layout, Layout, Layout, Layout]]] = BoundedCache("matmul with a vector", 1024)
"""From two packed layouts to what `_with_a_vector` gives."""


def matmul(a: Any, b: Any, /, out: NDArray | None = None) -> NDArray:
    """Compute the matrix product `a @ b`, for stacks of matrices one pair after another.

    Args:
        a: `(..., n, m)`, or a vector `(m,)`, which counts as a row.
        b: `(..., m, p)`, or a vector `(m,)`, which counts as a column; leading axes broadcast.
        out: where the result goes, if not to a new array.

    Returns:
        An array of shape `(..., n, p)`, without the axis of a vector, in the common dtype.

    Raises:
        ShapeError: an operand has no axes, the inner lengths differ, or leading axes do not broadcast.
        DTypeError: the operands are boolean.

    >>> nd.matmul(nd.asarray([[1.0, 2.0], [3.0, 4.0]]), nd.asarray([1.0, 10.0]))
    NDArray([21., 43.])
    """
    if isinstance(a, ArrayFields) and isinstance(b, ArrayFields) and out is None:
        x, y = a.layout, b.layout
        kernels = a.flat.kernels
        if x.ndim == 2 and y.ndim == 2 and b.flat.kernels is kernels and x.shape[1] == y.shape[0]:
            output = empty_of(kernels, Layout.dense((x.shape[0], y.shape[1])))
            kernels["matmul"](output, a, b)
            return output
        if x.ndim == y.ndim > 2 and b.flat.kernels is kernels and kernels.dtype.kind != "b":
            lead, rows, inner = x.shape[:-2], x.shape[-2], x.shape[-1]
            if y.shape[:-1] == (*lead, inner):
                output = empty_of(kernels, Layout.dense((*lead, rows, y.shape[-1])))
                kernels["matmul"](output, a, b)
                return output
        if 0 < x.ndim <= 2 >= y.ndim > 0 and b.flat.kernels is kernels and kernels.dtype.kind != "b" and x.shape[-1] == y.shape[0]:
            result, whole, row, column = _WITH_A_VECTOR.get((x.packed, y.packed)) or _with_a_vector(x, y)
            output = empty_of(kernels, result)
            kernels["matmul"](view_of(output, whole), view_of(a, row), view_of(b, column))
            return output
    return _general(as_operand("matmul", a), as_operand("matmul", b), out)


def _with_a_vector(x: Layout, y: Layout) -> tuple[Layout, Layout, Layout, Layout]:
    """The layout of the product of two of which one is a vector, and as matrices the product and both of them."""
    row, column = x if x.ndim == 2 else x.unsqueeze(0), y if y.ndim == 2 else y.unsqueeze(1)
    result, whole = Layout.dense(x.shape[:-1] + y.shape[1:]), Layout.dense((row.shape[0], column.shape[1]))
    return _WITH_A_VECTOR.remember((x.packed, y.packed), (result, whole, row, column))


def _general(a: Any, b: Any, out: NDArray | None) -> NDArray:
    if not isinstance(a, ArrayFields) or not isinstance(b, ArrayFields) or not a.layout.ndim or not b.layout.ndim:
        raise ShapeError(f"matmul: both arguments to matmul need to be at least 1D, but they are {described((a, b))}")
    row, column = a.layout.ndim == 1, b.layout.ndim == 1
    compute, result = result_dtypes("matmul", promoted("matmul", (a, b)))
    kernels = common_kernels("matmul", (a, b)).sibling(compute)
    left, right = cast(a, kernels), cast(b, kernels)
    x = left.layout.unsqueeze(0) if row else left.layout
    y = right.layout.unsqueeze(1) if column else right.layout
    if x.shape[-1] != y.shape[-2]:
        raise ShapeError(
            f"matmul: mat1 and mat2 shapes cannot be multiplied: {described((a, b))} disagree on the inner length, "
            f"{x.shape[-1]} against {y.shape[-2]}"
        )
    try:
        lead = broadcast_shapes(x.shape[:-2], y.shape[:-2])
    except ShapeError as error:
        raise ShapeError(f"matmul: {described((a, b))}: leading axes: {error}") from None
    shape = (*lead, x.shape[-2], y.shape[-1])
    squeezed = (*lead, *(() if row else (shape[-2],)), *(() if column else (shape[-1],)))
    if out is not None:
        written = destination("matmul", out, squeezed, result, (a, b))
        layout = written.layout
        if column:
            layout = layout.unsqueeze(-1)
        if row:
            layout = layout.unsqueeze(-2)
        left, right = guarded(written, left), guarded(written, right)
        x = left.layout.unsqueeze(0) if row else left.layout
        y = right.layout.unsqueeze(1) if column else right.layout
        target = view_of(written, layout)
    else:
        target = empty_of(kernels, Layout.dense(shape))
    kernels["matmul"](
        target,
        view_of(left, x.broadcast_to((*lead, *x.shape[-2:]))),
        view_of(right, y.broadcast_to((*lead, *y.shape[-2:]))),
    )
    if out is not None:
        return finish(out, written)
    return view_of(target, Layout.dense(squeezed)) if row or column else target


def linear(x: NDArray, weight: NDArray, bias: NDArray | None = None) -> NDArray:
    """Apply an affine map: `x @ weight.T + bias`.

    Args:
        x: `(..., in)`.
        weight: `(out, in)`, or `(in,)` for a single output without an axis.
        bias: `(out,)`, or None for none.

    Returns:
        An array of shape `(..., out)`, in the same dtype.

    Raises:
        ShapeError: the lengths do not fit.
        DTypeError: the dtypes differ.

    >>> weight = nd.asarray([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> nd.linear(nd.asarray([2.0, 3.0]), weight, nd.asarray([0.0, 0.0, 10.0]))
    NDArray([ 2.,  3., 15.])
    """
    w = weight.layout
    if w.ndim == 1:
        if weight.dtype is not x.dtype:
            raise DTypeError(f"linear: {described([x, weight])}: both must have the same dtype")
        product = matmul(x, weight)
        if bias is None:
            return product
        return arithmetic.add(product, bias)
    kernels = x.flat.kernels
    if weight.flat.kernels is not kernels or (bias is not None and bias.flat.kernels is not kernels):
        operands = [x, weight] if bias is None else [x, weight, bias]
        kernels = common_kernels("linear", operands)
        for other in operands:
            if other.dtype is not kernels.dtype:
                raise DTypeError(f"linear: {described(operands)}: all must have the same dtype")
    if not x.layout.ndim or w.ndim != 2 or x.layout.shape[-1] != w.shape[1]:
        raise ShapeError(
            f"linear: mat1 and mat2 shapes cannot be multiplied: input {x.layout.shape} and weight {w.shape}; the "
            "last length of the input must be the last of the weight"
        )
    if bias is not None and bias.layout.shape not in ((w.shape[0],), (1,), ()):
        raise ShapeError(f"linear: bias {bias.layout.shape} does not fit weight {w.shape}; it wants ({w.shape[0]},)")
    if bias is not None and bias.layout.shape != (w.shape[0],):
        bias = view_of(bias, bias.layout.broadcast_to((w.shape[0],)))
    result = empty_of(kernels, Layout.dense((*x.layout.shape[:-1], w.shape[0])))
    kernels["linear"](result, x, weight, bias)
    return result
