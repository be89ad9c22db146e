"""What functions of matrix stacks ask of their operands, and how they call a factorization's kernel."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from lamina_flatarray import DTypeError, LinAlgError, ShapeError
from lamina_flatarray import dtypes as dt
from lamina_flatarray.backends.kernel_table import KernelTable
from lamina_flatarray.dtype_rules import result_dtypes
from lamina_flatarray.dtypes import DType

from ..array_fields import ArrayFields, empty_of
from ..batching import all_slices
from ..dispatch.array_types import AnyArray, Array, Functions
from ..dispatch.operands import as_operand, cast, common_kernels, described
from ..layouts.bounded_cache import BoundedCache
from ..layouts.broadcast import broadcast_shapes
from ..layouts.layout import Layout

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = [
    "adjoint",
    "alike",
    "check_factorable",
    "check_inexact",
    "check_matrices",
    "check_square",
    "check_success",
    "common_lead",
    "eps_of",
    "factored",
    "with_lead",
]


class _ByColumns(BoundedCache[tuple[int, ...], Layout]):
    """The dense layouts of stacks of matrices (..., m, n) that lie column by column; asked for one that is new, it makes it."""

    __slots__ = ()

    def __missing__(self, shape: tuple[int, ...]) -> Layout:
        *lead, m, n = shape
        return self.remember(tuple(shape), Layout.dense((*lead, n, m)).transpose(-2, -1))


BY_COLUMNS: Final = _ByColumns("matrices by columns", 1024)


def check_matrices(op: str, *operands: Any) -> None:
    """Refuse what has fewer than two axes.

    Args:
        op: whom the error names.
        operands: arrays, or anything with a shape.

    Raises:
        ShapeError: one has fewer.
    """
    for x in operands:
        if len(getattr(x, "shape", ())) < 2:
            raise ShapeError(
                f"{op}: The input tensor A must have at least 2 dimensions; got shape {tuple(getattr(x, 'shape', ()))}"
            )


def check_square(op: str, x: Any) -> None:
    """Refuse what is not a stack of square matrices.

    Args:
        op: whom the error names.
        x: an array, or anything with a shape.

    Raises:
        ShapeError: the last two lengths differ, or there are fewer than two axes.
    """
    shape = tuple(getattr(x, "shape", ()))
    if len(shape) < 2:
        check_matrices(op, x)
    if shape[-1] != shape[-2]:
        raise ShapeError(
            f"{op}: A must be batches of square matrices, but they are {shape[-2]} by {shape[-1]} matrices (shape {shape})"
        )


def check_inexact(op: str, x: Any) -> None:
    """Refuse integers and booleans.

    Args:
        op: whom the error names.
        x: an array.

    Raises:
        DTypeError: x is boolean or integer.
    """
    if not x.dtype.is_inexact:
        raise _not_inexact(op, x.dtype)


def check_factorable(op: str, x: Any) -> None:
    """Refuse integers, booleans and numbers of 16 bits, which no factorization takes.

    Args:
        op: whom the error names.
        x: an array.

    Raises:
        DTypeError: x is of such a dtype.
    """
    _check_dtype(op, x.dtype)


def _check_dtype(op: str, dtype: DType) -> None:
    if not dtype.is_inexact:
        raise _not_inexact(op, dtype)
    if dtype.itemsize < 4:
        raise DTypeError(f"{op}: Low precision dtypes not supported. Got {dtype.name}")


def _not_inexact(op: str, dtype: DType) -> DTypeError:
    return DTypeError(f"{op}: Expected a floating point or complex tensor as input. Got {dtype.name}")


def check_success(op: str, info: NDArray, problem: str) -> None:
    """Look at `info`: 0 per matrix for success. The device is waited for.

    Args:
        op: who asks.
        info: int32 per matrix.
        problem: what to say, with `{info}` for the number.

    Raises:
        LinAlgError: one is not 0; the first of them is named, counted over all leading axes.
    """
    if not info.flat.kernels.backend.holds_items:
        return
    numbers = all_slices(info).tolist()
    if numbers == 0:  # of one matrix, as mostly
        return
    numbers = [numbers]
    while numbers and numbers[0].__class__ is list:
        numbers = [item for part in numbers for item in part]
    for element, number in enumerate(numbers):
        if number:
            batch_element = f"(Batch element {element}): " if info.ndim else ""
            raise LinAlgError(f"{op}: {batch_element}{problem.format(info=number)}")


def common_lead(op: str, *operands: Any) -> tuple[int, ...]:
    """Broadcast the leading axes of operands, all but the last two of each.

    Args:
        op: whom the error names.
        operands: arrays with two axes at least.

    Returns:
        The lengths of the leading axes of all together.

    Raises:
        ShapeError: they do not broadcast.
    """
    try:
        return broadcast_shapes(*(tuple(x.shape[:-2]) for x in operands))
    except ShapeError as error:
        listed = " and ".join(str(tuple(x.shape)) for x in operands)
        raise ShapeError(f"{op}: shapes {listed}: leading axes: {error}") from None


def with_lead(xp: Functions[Array], x: Array, lead: tuple[int, ...], own: int = 2) -> Array:
    """Broadcast the leading axes of an array, all but the last `own`.

    Args:
        xp: the functions that suit x.
        x: an array.
        lead: the leading lengths of the result.
        own: how many axes are kept.

    Returns:
        x, or a view of it.
    """
    shape = (*lead, *x.shape[len(x.shape) - own :])
    return x if tuple(x.shape) == shape else xp.broadcast_to(x, shape)


def alike(op: str, xp: Functions[Array], a: Array, b: Array) -> tuple[Array, Array]:
    """Broadcast the leading axes of two stacks of matrices to one shape.

    Args:
        op: whom the error names.
        xp: the functions that suit both.
        a: (..., m, n).
        b: (..., k, l).

    Returns:
        Both, as views where they are repeated.

    Raises:
        ShapeError: they do not broadcast.
    """
    if a.shape[:-2] == b.shape[:-2]:
        return a, b
    lead = common_lead(op, a, b)
    return with_lead(xp, a, lead), with_lead(xp, b, lead)


@lru_cache(1024)
def _results(
    op: str, kernels: KernelTable, ndim: int, outs: tuple[tuple[tuple[int, ...], str], ...], by_rows: bool
) -> tuple[tuple[KernelTable, Layout], ...]:
    """The tables and layouts of the results of a factorization, of matrices with so many axes.

    Raises:
        DTypeError: nothing can be factored in this dtype.
    """
    dtype = kernels.dtype
    _check_dtype(f"linalg.{op.removesuffix('_ex')}", dtype)
    result_dtypes(op, dtype)
    kinds = {"compute": dtype, "real": dtype.to_real(), "complex": dtype.to_complex(), "int32": dt.int32}
    return tuple([
        (kernels.sibling(kinds[kind]), Layout.dense(shape) if by_rows or len(shape) < ndim else BY_COLUMNS[shape])
        for shape, kind in outs
    ])  # fmt: skip


def factored(
    op: str, inputs: Sequence[Any], outs: Sequence[tuple[tuple[int, ...], str]], *, by_rows: bool = False, **params: Any
) -> list[NDArray]:
    """Run a kernel of the family "linalg", whose matrices lie column by column in memory, as LAPACK writes them.

    Args:
        op: its name in the op table.
        inputs: arrays with equal leading axes, of one dtype but for int32 pivots.
        outs: per result its shape, and its dtype: "compute", "real", "complex" or "int32".
        by_rows: whether the resulting matrices lie row by row instead.
        params: the kernel's parameters.

    Returns:
        The results, in a list.

    Raises:
        DTypeError: inputs of several dtypes, or one in which nothing can be factored.
    """
    kernels: Any = inputs[0].flat.kernels if isinstance(inputs[0], ArrayFields) else None
    for x in inputs:
        if not isinstance(x, ArrayFields) or x.flat.kernels is not kernels:
            kernels, inputs = _common(op, inputs)
            break
    result = [empty_of(table, layout) for table, layout in _results(op, kernels, inputs[0].layout.ndim, tuple(outs), by_rows)]
    kernel = kernels[op]
    if inputs[0].layout.size or any(x.layout.size for x in result):  # else there is nothing to write
        kernel(tuple(result) if len(result) > 1 else result[0], *inputs, **params)
    return result


def _common(op: str, inputs: Sequence[Any]) -> tuple[KernelTable, list[Any]]:
    """The table that serves inputs of several tables, which are brought to its device."""
    arrays: list[Any] = [as_operand(op, x) for x in inputs]
    kernels = common_kernels(op, arrays)
    dtype = arrays[0].dtype
    _check_dtype(f"linalg.{op.removesuffix('_ex')}", dtype)
    for x in arrays[1:]:
        if x.dtype is not dtype and x.dtype is not dt.int32:
            raise DTypeError(f"linalg.{op.removesuffix('_ex')}: Expected inputs of one dtype, but got {described(arrays)}")
    kernels = kernels.sibling(dtype)
    return kernels, [cast(x, kernels.sibling(x.dtype)) for x in arrays]


def adjoint(xp: Functions[Array], x: Array) -> Array:
    """Return the conjugate transpose of matrices.

    Args:
        xp: the functions that suit x.
        x: (..., m, n).

    Returns:
        (..., n, m), a view where x is real.

    >>> from lamina_ndarray.linalg.stacks import adjoint
    >>> adjoint(nd, nd.asarray([[1.0, 2j]]))
    NDArray([[1.-0.j],
             [0.-2.j]])
    """
    turned = xp.transpose(x, -2, -1)
    return xp.conj(turned) if x.dtype.is_complex else turned


def eps_of(x: AnyArray) -> float:
    """Return the distance from 1 to the next number of x's (real) dtype.

    Args:
        x: a floating-point or complex array.

    Returns:
        A Python number.
    """
    return dt.finfo(x.dtype).eps
