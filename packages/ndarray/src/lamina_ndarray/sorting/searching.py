"""Where values belong in sorted sequences, and which of them stand in a set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, overload

from lamina_flatarray import DTypeError, ShapeError, result_type
from lamina_flatarray import dtypes as dt
from lamina_flatarray.dtypes import iinfo

from ..array_fields import empty_of, is_array
from ..creation.array_likes import asarray
from ..creation.constructors import full, zeros
from ..creation.conversion import astype
from ..dispatch.namespace import Array, generic, namespace
from ..dispatch.operands import cast, common_kernels, refuse_undefined, same_device
from ..elementwise import arithmetic, comparison
from ..elementwise.operations import FUNCTIONS
from ..indexing.gathering import gather
from ..layouts.layout import Layout
from ..shapes.views import reshape

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = ["bucketize", "isin", "searchsorted"]


def searchsorted(
    sorted_sequence: Any, values: Any, *, out_int32: bool = False, right: bool = False, side: str | None = None,
    sorter: Any = None,
) -> NDArray:  # fmt: skip
    """Find where each value would have to be put into a sorted sequence to keep it sorted.

    Args:
        sorted_sequence: one axis; or the axes of `values`, the last of which is searched, row by row.
        values: an array, or a number for a sequence of one axis. NaN is the greatest.
        out_int32: whether positions come in int32 instead of int64.
        right: whether behind equal items instead of before them.
        side: "left" or "right", the same said otherwise.
        sorter: int64 positions that sort a sequence which is not.

    Returns:
        Positions in the shape of `values`, from 0 to the length of the sequence.

    Raises:
        ShapeError: the shapes do not fit, or `side` contradicts `right`.
        DTypeError: the dtypes differ, or are complex.
        IndexOutOfRange: `sorter` points outside of the sequence.

    >>> nd.searchsorted(nd.asarray([1, 3, 5]), nd.asarray([0, 3, 9]))
    NDArray([0, 1, 3])
    >>> nd.searchsorted(nd.asarray([1, 3, 5]), 3, right=True)
    NDArray(2)
    """
    if side not in (None, "left", "right"):
        raise ShapeError(f"searchsorted: side can only be 'left' or 'right' but got {side}")
    if side == "left" and right:
        raise ShapeError("searchsorted: side and right can't be set to opposites, got side of left while right was True")
    right = right or side == "right"
    is_number = isinstance(values, (bool, int, float))
    if is_number:
        if sorted_sequence.ndim != 1:
            raise ShapeError(
                "searchsorted: input value can be a scalar only when boundaries tensor dimension is 1, but we got boundaries "
                f"tensor dim({sorted_sequence.ndim})"
            )
        own = result_type(sorted_sequence.dtype, values)
        wide = dt.int64 if own.kind in "ui" and not iinfo(own).min <= values <= iinfo(own).max else own
        values = asarray(values, dtype=wide, device=sorted_sequence.device)
        sorted_sequence = cast(sorted_sequence, sorted_sequence.flat.kernels.sibling(values.dtype))
    _check(sorted_sequence, values, sorter)
    kernels = sorted_sequence.flat.kernels
    refuse_undefined("searchsorted", kernels.dtype)
    if sorter is not None:
        same_device("searchsorted", sorted_sequence, sorter)
        sorted_sequence = gather(sorted_sequence, sorter, -1)
    if values.flat.kernels is not kernels:
        kernels = common_kernels("searchsorted", (sorted_sequence, values))
    indices = empty_of(kernels.sibling(dt.int64), Layout.dense(values.shape))
    kernels["searchsorted"](indices, sorted_sequence, values, right=right)
    return astype(indices, dt.int32) if out_int32 else indices


def bisected(sequence: NDArray, values: NDArray, right: bool) -> NDArray:
    """The search with other ops: the interval where each value belongs is halved until it is empty."""
    length = sequence.shape[-1]
    low = zeros(values.shape, dtype=dt.int64, device=values.device)
    if not values.size or not length:
        return low
    rows = sequence.ndim > 1
    queries = values if rows else reshape(values, (-1,))
    low = reshape(low, queries.shape)
    high = full(queries.shape, length, dtype=dt.int64, device=values.device)
    where, either, both, negated = (FUNCTIONS[op] for op in ("where", "logical_or", "logical_and", "logical_not"))
    before = comparison.less_equal if right else comparison.less
    missing = comparison.isnan(queries)
    for _ in range(length.bit_length()):
        middle = (low + high) // 2
        inside = arithmetic.minimum(middle, length - 1)
        item = gather(sequence, inside, -1) if rows else sequence[inside]
        beyond = before(item, queries)  # False where one of them is NaN, the greatest
        beyond = either(beyond, missing if right else both(missing, negated(comparison.isnan(item))))
        beyond = both(beyond, low < high)
        low, high = where(beyond, middle + 1, low), where(beyond, high, middle)
    return reshape(low, values.shape)


def _check(sequence: NDArray, values: NDArray, sorter: Any) -> None:
    if sequence.ndim == 0:
        raise ShapeError("searchsorted: boundaries tensor should have positive dimension, but got 0 dimension")
    if sequence.dtype is not values.dtype:
        raise DTypeError(
            "searchsorted: boundary tensor and input value tensor should have same dtype, but got boundary tensor dtype "
            f"{sequence.dtype!r} and input value tensor dtype {values.dtype!r}"
        )
    if sequence.ndim > 1 and tuple(sequence.shape[:-1]) != tuple(values.shape[:-1]):
        raise ShapeError(
            "searchsorted: boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input "
            f"value tensor must match, but we got boundaries tensor {tuple(sequence.shape)} and values {tuple(values.shape)}"
        )
    if sorter is not None:
        if tuple(sorter.shape) != tuple(sequence.shape):
            raise ShapeError(
                f"searchsorted: boundary and sorter must have the same size, but got boundary tensor {tuple(sequence.shape)} "
                f"and got sorter tensor {tuple(sorter.shape)}"
            )
        if sorter.dtype.name != "int64":
            raise DTypeError(f"searchsorted: sorter must be a tensor of long dtype but got dtype {sorter.dtype!r}")


def bucketize(x: Any, boundaries: NDArray, *, out_int32: bool = False, right: bool = False) -> NDArray:
    """Find which interval between boundaries each item lies in: the position at which `searchsorted` would put it.

    Args:
        x: an array or a number.
        boundaries: one axis, ascending.
        out_int32: whether positions come in int32 instead of int64.
        right: whether an interval contains its left boundary instead of its right one.

    Returns:
        Positions in x's shape, from 0 to the number of boundaries.

    Raises:
        ShapeError: `boundaries` has several axes.

    >>> nd.bucketize(nd.asarray([0.5, 1.0, 2.5]), nd.asarray([1.0, 2.0]))
    NDArray([0, 0, 2])
    """
    if boundaries.ndim != 1:
        raise ShapeError(f"bucketize: boundaries tensor must be 1 dimension, but got dim({boundaries.ndim})")
    if is_array(x) and x.dtype is not boundaries.dtype:
        wide = result_type(x.dtype, boundaries.dtype)
        x, boundaries = astype(x, wide), astype(boundaries, wide)
    return searchsorted(boundaries, x, out_int32=out_int32, right=right)


@overload
def isin(elements: Array, test_elements: Array | complex, *, assume_unique: bool = False, invert: bool = False) -> Array: ...
@overload
def isin(elements: complex, test_elements: Array, *, assume_unique: bool = False, invert: bool = False) -> Array: ...
@generic
def isin(elements: Any, test_elements: Any, *, assume_unique: bool = False, invert: bool = False) -> Any:
    """Check item by item whether it is among the test items.

    Args:
        elements: an array or a number.
        test_elements: an array or a number; not both numbers.
        assume_unique: accepted; nothing is gained by it.
        invert: whether to tell which are not.

    Returns:
        A bool array in the shape of `elements`.

    >>> nd.isin(nd.asarray([[1, 2], [3, 4]]), nd.asarray([2, 3]))
    NDArray([[False,  True],
             [ True, False]])
    """
    xp = namespace(elements, test_elements)
    device = (elements if hasattr(elements, "device") else test_elements).device
    x = elements if hasattr(elements, "ndim") else xp.asarray(elements, device=device)
    tests = test_elements if hasattr(test_elements, "ndim") else xp.asarray(test_elements, device=device)
    tests = xp.reshape(tests, (-1,))
    if tests.shape[0] <= 16:  # few: compare with each
        matches = xp.any(xp.unsqueeze(x, -1) == tests, -1)
    else:
        dtype = xp.result_type(x, tests)
        ordered, x = xp.sort(xp.astype(tests, dtype)), xp.astype(x, dtype)
        place = xp.clip(xp.searchsorted(ordered, x), None, tests.shape[0] - 1)
        matches = ordered[place] == x
    return ~matches if invert else matches
