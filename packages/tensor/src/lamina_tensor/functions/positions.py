"""Items by position: picked, written, put in order, masked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import lamina_ndarray as nd
from lamina_flatarray import DTypeError, ShapeError
from lamina_ndarray import NDArray
from lamina_ndarray.elementwise.dispatcher import holds
from lamina_ndarray.indexing import index_select as index_family
from lamina_ndarray.indexing.writable import check_fits

from ..dispatch import array_functions as af
from ..dispatch.destinations import placed, with_out
from ..dispatch.lifting import tensors_of
from ..dispatch.spelling import spelled
from ..tensor_fields import TensorFields, tensor_of

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = [
    "argwhere",
    "as_strided_scatter",
    "diag",
    "diag_embed",
    "diagflat",
    "diagonal_scatter",
    "gather",
    "index_add",
    "index_copy",
    "index_fill",
    "index_put",
    "index_reduce",
    "index_select",
    "masked_fill",
    "masked_scatter",
    "masked_select",
    "nonzero",
    "nonzero_static",
    "put",
    "scatter",
    "scatter_add",
    "scatter_reduce",
    "select_scatter",
    "slice_scatter",
    "take",
    "take_along_dim",
    "tril",
    "triu",
]

# What differs from ours in the names of arguments only; as methods, too.
(argwhere, diag, diag_embed, diagflat, diagonal_scatter, index_add, index_copy, index_fill, index_reduce, _masked_fill,
 masked_scatter, nonzero_static, put, scatter_reduce, select_scatter, slice_scatter, tril, triu) = (
    spelled(getattr(af, name)) for name in (
        "argwhere", "diag", "diag_embed", "diagflat", "diagonal_scatter", "index_add", "index_copy", "index_fill",
        "index_reduce", "masked_fill", "masked_scatter", "nonzero_static", "put", "scatter_reduce", "select_scatter",
        "slice_scatter", "tril", "triu",
    )
)  # fmt: skip
masked_select, take = (with_out(spelled(getattr(af, name))) for name in ("masked_select", "take"))


def index_select(input: Tensor, dim: int, index: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The slices of a dim at positions, in their order."""
    made = af.index_select(input, dim, index)
    return made if out is None else placed("index_select", out, made, (input, index))


def gather(input: Tensor, dim: int, index: Tensor, *, sparse_grad: bool = False, out: Tensor | None = None) -> Tensor:
    """Items picked along a dim: for dim 0, `out[i][j] = input[index[i][j]][j]`. The gradient is always dense."""
    made = af.gather(input, index, dim)
    return made if out is None else placed("gather", out, made, (input, index))


@with_out
def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Tensor:
    """As `gather`, the other dims broadcast together; without `dim`, of both flattened."""
    return af.take_along_axis(input, indices, dim)  # type: ignore[no-any-return]


def scatter(
    input: Tensor, dim: int, index: Tensor, src: Any = None, *, value: Any = None, reduce: str | None = None, out: Tensor | None = None
) -> Tensor:
    """A copy with items (or one number) written along a dim: for dim 0, `out[index[i][j]][j] = src[i][j]`; with
    `reduce` "add" or "multiply", added to or multiplied with what is there.

    Raises:
        ShapeError: the reduction is another one, or the shapes do not fit.
    """
    given = value if src is None else src
    made = af.scatter(input, index, given, dim) if reduce is None else _folded(input, dim, index, given, reduce)
    return made if out is None else placed("scatter", out, made, (input, index, given))


def _folded(input: Tensor, dim: int, index: Tensor, given: Any, reduce: str) -> Tensor:
    if reduce not in ("add", "multiply"):
        raise ShapeError(f"scatter: reduce argument must be either add or multiply, got {reduce}")
    if not isinstance(given, TensorFields):
        given = tensor_of(nd.full(index.shape, given, dtype=input.dtype, device=input.device))  # type: ignore[attr-defined]
    if reduce == "add":
        return af.scatter_add(input, index, given, dim)
    return scatter_reduce(input, dim, index, given, "prod")  # type: ignore[no-any-return]


def scatter_add(input: Tensor, dim: int, index: Tensor, src: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy with items added along a dim."""
    made = af.scatter_add(input, index, src, dim)
    return made if out is None else placed("scatter_add", out, made, (input, index, src))


def masked_fill(input: Tensor, mask: Tensor, value: Any) -> Tensor:
    """`value`, a number or a tensor without dims, where a mask holds, else the input; see `lamina_ndarray.masked_fill`."""
    if isinstance(mask, TensorFields) and mask.array.flat.dtype is nd.bool:
        dtype = input.array.flat.dtype
        if (value.__class__ is float and dtype.is_inexact) or holds(dtype, value):
            check_fits("masked_fill", value, dtype)
            return af.FUNCTIONS["where"](mask, value, input)  # type: ignore[no-any-return]
        if isinstance(value, TensorFields) and value.array.flat.dtype is dtype and not value.array.layout.ndim:
            return af.FUNCTIONS["where"](mask, value, input)  # type: ignore[no-any-return]
    return _masked_fill(input, mask, value)  # type: ignore[no-any-return]


def index_put(input: Tensor, indices: Any, values: Tensor, accumulate: bool = False) -> Tensor:
    """A copy with values written, or added, at a tuple of index tensors; of equal indices the last wins.

    Raises:
        DTypeError: the dtypes differ.
    """
    if values.array.flat.dtype is not input.array.flat.dtype:
        raise DTypeError(
            "index_put: Index put requires the source and destination dtypes match, got "
            f"{input.dtype} for the destination and {values.dtype} for the source."  # type: ignore[attr-defined]
        )
    return af.index_put(input, tuple(indices), values, accumulate)  # type: ignore[no-any-return]


def as_strided_scatter(input: Tensor, src: Tensor, size: Any, stride: Any, storage_offset: int | None = None) -> Tensor:
    """A copy, in row-major order, with the items replaced that these lengths and strides reach."""
    return af.as_strided_scatter(input, src, tuple(size), tuple(stride), storage_offset)  # type: ignore[no-any-return]


def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """The positions of nonzero items, one row each; or a tensor per dim, as indices are given."""
    array = input.array
    if not as_tuple:
        return tensor_of(nd.argwhere(array))
    return tuple(map(tensor_of, nd.nonzero(array if array.layout.ndim else nd.atleast_1d(array))))


# -- the same, written into the tensor itself where nothing is recorded: these are of arrays --------------------------------


def _index_add_(x: NDArray, dim: int, index: NDArray, source: NDArray, *, alpha: Any = 1, out: NDArray) -> None:
    index_family.index_add_(out, dim, index, source, alpha)


def _index_copy_(x: NDArray, dim: int, index: NDArray, source: NDArray, *, out: NDArray) -> None:
    index_family.index_copy_(out, dim, index, source)


def _index_fill_(x: NDArray, dim: int, index: NDArray, value: Any, *, out: NDArray) -> None:
    index_family.index_fill_(out, dim, index, value)


def _scatter_(
    x: NDArray, dim: int, index: NDArray, src: Any = None, *, value: Any = None, reduce: str | None = None, out: NDArray
) -> None:
    given = value if src is None else src
    if reduce is None:
        nd.scatter(x, index, given, dim, out=out)
    else:
        nd.setitem(out, ..., _folded(tensor_of(x), dim, tensor_of(index), tensors_of(given), reduce).array)


def _scatter_add_(x: NDArray, dim: int, index: NDArray, src: NDArray, *, out: NDArray) -> None:
    nd.scatter_add(x, index, src, dim, out=out)


def _masked_fill_(x: NDArray, mask: NDArray, value: Any, *, out: NDArray) -> Any:
    if not x.layout.ndim or mask.layout.shape != x.layout.shape or mask.dtype is not nd.bool or getattr(value, "ndim", 0):
        return NotImplemented
    check_fits("masked_fill", value, x.flat.dtype)
    nd.setitem(out, mask, value)
    return None


WRITTEN_BACK: Final = {
    "index_add": _index_add_, "index_copy": _index_copy_, "index_fill": _index_fill_, "index_put": None, "index_reduce": None,
    "masked_fill": _masked_fill_, "masked_scatter": None, "put": None, "scatter": _scatter_, "scatter_add": _scatter_add_,
    "scatter_reduce": None, "tril": None, "triu": None,
}  # fmt: skip
"""Those that have an in-place twin, and what writes it."""
