"""Products of vectors, matrices and stacks by number of axes, with sums added: what PyTorch calls mm, bmm, addmm, ..."""

from __future__ import annotations

from collections.abc import Callable
from operator import matmul, mul
from typing import Any

from lamina_flatarray import DTypeError, ShapeError

from ..creation.scalars import SMALL, fitting, fitting_factor
from ..dispatch.namespace import Array, generic, namespace
from ..dispatch.operands import same_device
from ..layouts.broadcast import normalize_axis

__all__ = [
    "addbmm", "addmm", "addmv", "addr", "baddbmm", "bmm", "dot", "inner", "mm", "mv", "outer",
    "vdot", "vecdot",
]  # fmt: skip


def _shown(*arrays: Array) -> str:
    return " and ".join(f"{x.dtype.name}{tuple(x.shape)}" for x in arrays)


def _check(op: str, arrays: tuple[Any, Any], ndims: tuple[int, int]) -> None:
    """Each with its number of axes, both of one dtype and one inner length.

    Raises:
        ShapeError, DTypeError: they are not.
    """
    for x, ndim in zip(arrays, ndims, strict=True):
        if x.ndim != ndim:
            expected = ", ".join(f"{n}-D" for n in ndims)
            raise ShapeError(f"{op}: {_shown(*arrays)} given; it wants {expected} tensors")
        if x.dtype is not arrays[0].dtype:
            raise DTypeError(f"{op}: expected both tensors to have the same dtype, but got {_shown(*arrays)}")
    inner, other = arrays[0].shape[-1], arrays[1].shape[-2 if ndims[1] > 1 else 0]
    if inner != other:
        raise ShapeError(
            f"{op}: mat1 and mat2 shapes cannot be multiplied: {_shown(*arrays)} disagree on the inner length, {inner} against {other}"
        )


def _check_stacks(op: str, a: Array, b: Array) -> None:
    """Two stacks of as many matrices, of one dtype.

    Raises:
        ShapeError, DTypeError: they are not.
    """
    if not (a.ndim == b.ndim == 3 and a.dtype is b.dtype):
        _check(op, (a, b), (3, 3))
    if a.shape[0] != b.shape[0]:
        raise ShapeError(f"{op}: {_shown(a, b)} given; it wants as many matrices in both")


def _product(op: str, a: Array, b: Array, ndims: tuple[int, int]) -> Array:
    """`a @ b` of operands with these numbers of axes; errors as `_check`, in the op's name."""
    if a.ndim != ndims[0] or b.ndim != ndims[1] or a.dtype is not b.dtype:
        _check(op, (a, b), ndims)
    try:
        return a @ b
    except ShapeError:
        _check(op, (a, b), ndims)
        raise


def _factor(op: str, name: str, factor: Any, dtype: Any) -> Any:
    """A factor as the items' kind of number: for integers its whole part, for bool whether it is not zero.

    Raises:
        DTypeError: it is complex, and they are not; or their dtype cannot hold it.
    """
    if isinstance(factor, complex) and not dtype.is_complex:
        raise DTypeError(f"{op}: {name} = {factor} given for {dtype!r}; it wants a real number")
    if dtype.kind == "b":
        return bool(factor)
    if isinstance(factor, (int, float)):
        factor = (fitting if op == "addr" else fitting_factor)(op, factor, dtype)
    return factor if dtype.is_inexact else int(factor)


def _sum_with(op: str, x: Array, multiply: Callable[[Any, Any], Any], a: Array, b: Array, beta: Any, alpha: Any) -> Array:
    """`beta * x + alpha * multiply(a, b)`, in float32 for 16 bits and rounded once; with beta = 0, x's items do not
    count, not even a NaN.

    Raises:
        ShapeError: x does not broadcast to the product.
        DTypeError: x has another dtype, or a factor is complex and the items are not.
    """
    dtype = a.dtype
    if x.dtype is not dtype:
        raise DTypeError(f"{op}: {_shown(x, a, b)} given; it wants one dtype")
    if not (beta.__class__ is alpha.__class__ is int and dtype.kind != "b" and -SMALL <= beta <= SMALL and -SMALL <= alpha <= SMALL):
        beta, alpha = _factor(op, "beta", beta, dtype), _factor(op, "alpha", alpha, dtype)
    narrow = dtype.is_inexact and dtype.itemsize < 4
    if narrow:
        xp = namespace(a)
        x, a, b = (xp.astype(v, xp.float32) for v in (x, a, b))
    try:
        product = multiply(a, b)
    except ShapeError:
        _check(op, (a, b), (a.ndim, b.ndim))
        raise
    if x.shape != product.shape and not _broadcasts(x.shape, product.shape):
        raise ShapeError(f"{op}: input of shape {tuple(x.shape)} does not broadcast to the product's, {tuple(product.shape)}")
    result = product if alpha == 1 else product * alpha
    if beta != 0:
        addend = x if beta == 1 else x * beta
        result = addend + result if op == "addr" else result + addend  # the first one's order in memory is kept
    else:
        same_device(op, x, result)
    return xp.astype(result, dtype) if narrow else result


def _broadcasts(shape: tuple[int, ...], to: tuple[int, ...]) -> bool:
    """Whether a shape broadcasts to another one, without changing that."""
    if len(shape) > len(to):
        return False
    return shape == to[len(to) - len(shape) :] or all(n in (1, m) for n, m in zip(reversed(shape), reversed(to), strict=False))


@generic
def mm(input: Array, mat2: Array) -> Array:
    """Multiply two matrices of one dtype.

    Args:
        input: `(n, m)`.
        mat2: `(m, p)`.

    Returns:
        An array of shape `(n, p)`, in the same dtype.

    Raises:
        ShapeError: they are not matrices, or their inner lengths differ.
        DTypeError: their dtypes differ, or are bool.

    >>> nd.mm(nd.asarray([[1.0, 2.0], [3.0, 4.0]]), nd.asarray([[1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]))
    NDArray([[1., 2., 3.],
             [3., 4., 7.]])
    """
    return _product("mm", input, mat2, (2, 2))


@generic
def bmm(input: Array, mat2: Array) -> Array:
    """Multiply two stacks of matrices, one pair after another.

    Args:
        input: `(b, n, m)`.
        mat2: `(b, m, p)`, of the same dtype.

    Returns:
        An array of shape `(b, n, p)`, in the same dtype.

    Raises:
        ShapeError: they are not stacks of as many matrices, or the inner lengths differ.
        DTypeError: their dtypes differ, or are bool.

    >>> nd.bmm(nd.ones((2, 1, 3)), nd.ones((2, 3, 1)))
    NDArray([[[3.]],
    <BLANKLINE>
             [[3.]]])
    """
    _check_stacks("bmm", input, mat2)
    return _product("bmm", input, mat2, (3, 3))


@generic
def mv(input: Array, vec: Array) -> Array:
    """Multiply a matrix by a vector of the same dtype.

    Args:
        input: `(n, m)`.
        vec: `(m,)`.

    Returns:
        An array of shape `(n,)`, in the same dtype.

    Raises:
        ShapeError: they are not a matrix and a vector, or their inner lengths differ.
        DTypeError: their dtypes differ, or are bool.

    >>> nd.mv(nd.asarray([[1.0, 2.0], [3.0, 4.0]]), nd.asarray([1.0, 10.0]))
    NDArray([21., 43.])
    """
    return _product("mv", input, vec, (2, 1))


@generic
def dot(input: Array, tensor: Array) -> Array:
    """Compute the dot product of two vectors: the sum of the products of their items, none of them conjugated.

    Args:
        input: `(n,)`.
        tensor: `(n,)`, of the same dtype.

    Returns:
        An array of shape `()`, in the same dtype.

    Raises:
        ShapeError: they are not vectors of one length.
        DTypeError: their dtypes differ, or are bool.

    >>> nd.dot(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([4.0, 5.0, 6.0]))
    NDArray(32.)
    """
    return _product("dot", input, tensor, (1, 1))


@generic
def vdot(input: Array, other: Array) -> Array:
    """Compute the inner product of two vectors: the sum of the products of the first one's conjugates with the second's items.

    Args:
        input: `(n,)`; conjugated if it is complex.
        other: `(n,)`, of the same dtype.

    Returns:
        An array of shape `()`, in the same dtype.

    Raises:
        ShapeError: they are not vectors of one length.
        DTypeError: their dtypes differ, or are bool.

    >>> nd.vdot(nd.asarray([1j, 2 + 0j]), nd.asarray([1j, 3 + 0j]))
    NDArray(7.+0.j)
    """
    return _product("vdot", namespace(input).conj(input) if input.dtype.is_complex else input, other, (1, 1))


@generic
def vecdot(a: Array, b: Array, /, axis: int = -1) -> Array:
    """Compute inner products along an axis: sums of the products of a's conjugates with b's items.

    Args:
        a: an array.
        b: an array; the other axes broadcast.
        axis: the axis to sum over, which has one length in both.

    Returns:
        An array of the broadcast shape without the axis, in the common dtype.

    Raises:
        ShapeError: the axis has two lengths, or the shapes do not broadcast.
        IndexOutOfRange: there is no such axis.

    >>> nd.vecdot(nd.asarray([[1.0, 2.0], [3.0, 4.0]]), nd.asarray([1.0, 10.0]))
    NDArray([21., 43.])
    """
    xp = namespace(a, b)
    if not a.ndim or not b.ndim or a.shape[normalize_axis(axis, a.ndim, "vecdot")] != b.shape[normalize_axis(axis, b.ndim, "vecdot")]:
        raise ShapeError(f"vecdot: shapes {tuple(a.shape)} and {tuple(b.shape)} given; axis {axis} must have one length in both")
    product = (xp.conj(a) if a.dtype.is_complex else a) * b
    return xp.sum(product, axis) if product.dtype.is_inexact else xp.sum(product, axis, dtype=product.dtype)


@generic
def outer(input: Array, vec2: Array) -> Array:
    """Compute the outer product: all products of an item of one vector and an item of another.

    Args:
        input: `(n,)`.
        vec2: `(m,)`.

    Returns:
        An array of shape `(n, m)`, in the common dtype.

    Raises:
        ShapeError: they are not vectors.

    >>> nd.outer(nd.asarray([1, 2]), nd.asarray([10, 20, 30]))
    NDArray([[10, 20, 30],
             [20, 40, 60]])
    """
    if input.ndim != 1 or vec2.ndim != 1:
        raise ShapeError(f"outer: Expected 1-D input tensors, but got {_shown(input, vec2)}")
    return namespace(input).unsqueeze(input, 1) * vec2


@generic
def inner(input: Array, other: Array) -> Array:
    """Compute sums of products along the last axes of two arrays; plain products with an array without axes.

    Args:
        input: `(..., k)`.
        other: `(***, k)`, of the same dtype.

    Returns:
        An array of shape `(..., ***)`, in the same dtype.

    Raises:
        ShapeError: the last lengths differ.
        DTypeError: the dtypes differ, or are bool.

    >>> nd.inner(nd.asarray([[1.0, 2.0], [3.0, 4.0]]), nd.asarray([[1.0, 0.0], [1.0, 1.0]]))
    NDArray([[1., 3.],
             [3., 7.]])
    """
    xp = namespace(input)
    if not input.ndim or not other.ndim:
        return input * other
    if input.dtype is not other.dtype:
        raise DTypeError(f"inner: expected both tensors to have the same dtype, but got {_shown(input, other)}")
    if input.shape[-1] != other.shape[-1]:
        raise ShapeError(f"inner: {_shown(input, other)} given; it wants the same size in the last dimension")
    if other.ndim <= 2:
        return input @ (other if other.ndim == 1 else xp.transpose(other, 0, 1))
    return xp.tensordot(input, other, axes=((input.ndim - 1,), (other.ndim - 1,)))


@generic
def addmm(input: Array, mat1: Array, mat2: Array, *, beta: Any = 1, alpha: Any = 1) -> Array:
    """Compute `beta * input + alpha * (mat1 @ mat2)`.

    Args:
        input: what to add, broadcast to the product; with `beta = 0` it does not count, not even a NaN.
        mat1: `(n, m)`.
        mat2: `(m, p)`.
        beta: the factor of input.
        alpha: the factor of the product.

    Returns:
        An array of shape `(n, p)`, in the same dtype.

    Raises:
        ShapeError: mat1 and mat2 are not matrices that fit, or input does not broadcast to their product.
        DTypeError: the dtypes differ, or factors do not suit them.

    >>> nd.addmm(nd.ones((2, 2)), nd.eye(2), nd.asarray([[1.0, 2.0], [3.0, 4.0]]), alpha=10)
    NDArray([[11., 21.],
             [31., 41.]])
    """
    if not (mat1.ndim == mat2.ndim == 2 and mat1.dtype is mat2.dtype):
        _check("addmm", (mat1, mat2), (2, 2))
    return _sum_with("addmm", input, matmul, mat1, mat2, beta, alpha)


@generic
def addmv(input: Array, mat: Array, vec: Array, *, beta: Any = 1, alpha: Any = 1) -> Array:
    """Compute `beta * input + alpha * (mat @ vec)`.

    Args:
        input: what to add, broadcast to the product; with `beta = 0` it does not count, not even a NaN.
        mat: `(n, m)`.
        vec: `(m,)`.
        beta: the factor of input.
        alpha: the factor of the product.

    Returns:
        An array of shape `(n,)`, in the same dtype.

    Raises:
        ShapeError: mat and vec are not a matrix and a vector that fit, or input does not broadcast to their product.
        DTypeError: the dtypes differ, or factors do not suit them.

    >>> nd.addmv(nd.asarray([100.0, 200.0]), nd.asarray([[1.0, 2.0], [3.0, 4.0]]), nd.asarray([1.0, 1.0]))
    NDArray([103., 207.])
    """
    if not (mat.ndim == 2 and vec.ndim == 1 and mat.dtype is vec.dtype):
        _check("addmv", (mat, vec), (2, 1))
    return _sum_with("addmv", input, matmul, mat, vec, beta, alpha)


@generic
def addr(input: Array, vec1: Array, vec2: Array, *, beta: Any = 1, alpha: Any = 1) -> Array:
    """Compute `beta * input + alpha * outer(vec1, vec2)`.

    Args:
        input: what to add, broadcast to the product; with `beta = 0` it does not count, not even a NaN.
        vec1: `(n,)`.
        vec2: `(m,)`.
        beta: the factor of input.
        alpha: the factor of the product.

    Returns:
        An array of shape `(n, m)`, in the common dtype of all three.

    Raises:
        ShapeError: vec1 or vec2 is no vector, or input does not broadcast to their product.
        DTypeError: a factor is a float and the items are integers, or it is complex and the items are not.

    >>> nd.addr(nd.zeros((2, 3)), nd.asarray([1.0, 2.0]), nd.asarray([1.0, 2.0, 3.0]), alpha=2)
    NDArray([[ 2.,  4.,  6.],
             [ 4.,  8., 12.]])
    """
    xp = namespace(vec1)
    if vec1.ndim != 1 or vec2.ndim != 1:
        raise ShapeError(f"addr: Expected 1-D argument vec1 and vec2, but got {_shown(vec1, vec2)}")
    dtype = vec1.dtype
    if not vec2.dtype is dtype is input.dtype:
        dtype = xp.promote_types(xp.promote_types(dtype, vec2.dtype), input.dtype)
        input, vec1, vec2 = [v if v.dtype is dtype else xp.astype(v, dtype) for v in (input, vec1, vec2)]
    for name, factor in (("beta", beta), ("alpha", alpha)):
        if isinstance(factor, float) and not dtype.is_inexact:
            raise DTypeError(f"addr: For integral input tensors, argument {name} must not be a floating point number")
    return _sum_with("addr", input, mul, xp.unsqueeze(vec1, 1), vec2, beta, alpha)


@generic
def baddbmm(input: Array, batch1: Array, batch2: Array, *, beta: Any = 1, alpha: Any = 1) -> Array:
    """Compute `beta * input + alpha * (batch1 @ batch2)` for two stacks of matrices.

    Args:
        input: what to add, broadcast to the products; with `beta = 0` it does not count, not even a NaN.
        batch1: `(b, n, m)`.
        batch2: `(b, m, p)`.
        beta: the factor of input.
        alpha: the factor of the products.

    Returns:
        An array of shape `(b, n, p)`, in the same dtype.

    Raises:
        ShapeError: they are not stacks of as many matrices that fit, or input does not broadcast to their products.
        DTypeError: the dtypes differ, or factors do not suit them.

    >>> nd.baddbmm(nd.ones((1, 1, 1)), nd.ones((2, 1, 3)), nd.ones((2, 3, 1)), beta=0.5)
    NDArray([[[3.5000]],
    <BLANKLINE>
             [[3.5000]]])
    """
    _check_stacks("baddbmm", batch1, batch2)
    return _sum_with("baddbmm", input, matmul, batch1, batch2, beta, alpha)


@generic
def addbmm(input: Array, batch1: Array, batch2: Array, *, beta: Any = 1, alpha: Any = 1) -> Array:
    """Compute `beta * input + alpha * s`, s being the sum of the products of two stacks of matrices.

    Args:
        input: what to add, broadcast to the sum; with `beta = 0` it does not count, not even a NaN.
        batch1: `(b, n, m)`.
        batch2: `(b, m, p)`.
        beta: the factor of input.
        alpha: the factor of the sum.

    Returns:
        An array of shape `(n, p)`, in the same dtype.

    Raises:
        ShapeError: they are not stacks of as many matrices that fit, or input does not broadcast to the sum.
        DTypeError: the dtypes differ, or factors do not suit them.

    >>> nd.addbmm(nd.ones((1, 1)), nd.ones((2, 1, 3)), nd.ones((2, 3, 1)))
    NDArray([[7.]])
    """
    _check_stacks("addbmm", batch1, batch2)
    return _sum_with("addbmm", input, _summed_products, batch1, batch2, beta, alpha)


def _summed_products(a: Array, b: Array) -> Array:
    """The sum of the products of two stacks: one product of the matrices side by side with those one below another."""
    xp = namespace(a)
    count, rows, inner = a.shape
    side_by_side = xp.reshape(xp.permute(a, (1, 0, 2)), (rows, count * inner))
    return side_by_side @ xp.reshape(b, (count * inner, b.shape[2]))
