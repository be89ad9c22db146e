"""Running results along an axis: sums, products, extremes, and logarithms of sums of exponentials."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lamina_flatarray.dtype_rules import result_dtypes
from lamina_flatarray.dtypes import dtype_of

from ..array_fields import empty_of
from ..dispatch.namespace import composite, namespace
from ..dispatch.operands import cast, destination, finish
from ..dispatch.results import ValuesIndices
from ..layouts.broadcast import normalize_axis
from ..layouts.layout import Layout
from ..sorting.order import paired

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = [
    "cummax", "cummin", "cumprod", "cumsum", "cumulative_prod", "cumulative_sum", "logcumsumexp", "running_max", "running_min",
]  # fmt: skip


def _scan(op: str, x: NDArray, axis: int, dtype: Any, out: NDArray | None) -> NDArray:
    at = normalize_axis(axis, x.layout.ndim, op)
    result = result_dtypes(op, x.dtype)[1] if dtype is None else dtype_of(dtype)
    kernels = x.flat.kernels.sibling(result)
    x = cast(x, kernels)
    shape = x.layout.shape
    target = (
        empty_of(kernels, Layout.dense(shape)) if out is None else destination(op, out, shape, result, (x,))
    )
    if x.layout.ndim == 0:
        kernels["copy"](target, x)
    else:
        kernels[op](target, x, axis=at)
    return target if out is None else finish(out, target)


def cumsum(x: NDArray, axis: int = -1, *, dtype: Any = None, out: Any = None) -> NDArray:
    """The running sum along `axis`; of booleans and integers in int64.

    Raises:
        IndexOutOfRange: the axis does not exist.
    """
    return _scan("cumsum", x, axis, dtype, out)


def cumprod(x: NDArray, axis: int = -1, *, dtype: Any = None, out: Any = None) -> NDArray:
    """The running product along `axis`; of booleans and integers in int64.

    Raises:
        IndexOutOfRange: the axis does not exist.
    """
    return _scan("cumprod", x, axis, dtype, out)


def running_max(x: NDArray, axis: int = -1) -> NDArray:
    """The greatest item so far along `axis`; NaN from the first one on.

    Raises:
        DTypeError: `x` is complex.
        IndexOutOfRange: the axis does not exist.
    """
    return _scan("running_max", x, axis, None, None)


def running_min(x: NDArray, axis: int = -1) -> NDArray:
    """The smallest item so far along `axis`; NaN from the first one on.

    Raises:
        DTypeError: `x` is complex.
        IndexOutOfRange: the axis does not exist.
    """
    return _scan("running_min", x, axis, None, None)


def logcumsumexp(x: NDArray, axis: int = -1, *, out: Any = None) -> NDArray:
    """The logarithm of the running sum of exponentials along `axis`, without overflow.

    Raises:
        DTypeError: `x` is boolean or integer.
        IndexOutOfRange: the axis does not exist.
    """
    return _scan("logcumsumexp", x, axis, None, out)


def cummax(x: NDArray, axis: int = -1) -> ValuesIndices:
    """The greatest item so far along `axis`, and where it is: the last of equal ones; NaN is the greatest.

    Raises:
        DTypeError: `x` is complex.
        IndexOutOfRange: the axis does not exist.
    """
    return paired("cummax", x, x.layout.shape, axis=normalize_axis(axis, x.layout.ndim, "cummax"))


def cummin(x: NDArray, axis: int = -1) -> ValuesIndices:
    """The smallest item so far along `axis`, and where it is: the last of equal ones; NaN is the smallest.

    Raises:
        DTypeError: `x` is complex.
        IndexOutOfRange: the axis does not exist.
    """
    return paired("cummin", x, x.layout.shape, axis=normalize_axis(axis, x.layout.ndim, "cummin"))


def _cumulative(name: str, x: Any, axis: int | None, dtype: Any, include_initial: bool, initial: int) -> Any:
    xp = namespace(x)
    if axis is None:
        if x.ndim != 1:
            raise ValueError(f"{name}: an axis is needed for an array of {x.ndim} dims, since only one of 1 dim has no choice")
        axis = 0
    at = normalize_axis(axis, x.ndim, name)
    if dtype is None and x.dtype.kind == "u":
        dtype = xp.uint64  # the standard keeps the kind, where PyTorch goes to int64
    found = getattr(xp, "cumsum" if initial == 0 else "cumprod")(x, at, dtype=dtype)
    if not include_initial:
        return found
    first = tuple(1 if i == at else n for i, n in enumerate(x.shape))
    return xp.concat([xp.full(first, initial, dtype=found.dtype, device=x.device), found], at)


@composite
def cumulative_sum(x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Any:
    """The running sum, by the Array API's name; with `include_initial`, it begins with 0 and is one longer. Booleans and
    integers are summed in int64, unsigned ones in uint64.

    Raises:
        ValueError: no axis is given for more than one dim.
    """
    return _cumulative("cumulative_sum", x, axis, dtype, include_initial, 0)


@composite
def cumulative_prod(x: Any, /, *, axis: int | None = None, dtype: Any = None, include_initial: bool = False) -> Any:
    """The running product, by the Array API's name; with `include_initial`, it begins with 1 and is one longer. Booleans
    and integers are multiplied in int64, unsigned ones in uint64.

    Raises:
        ValueError: no axis is given for more than one dim.
    """
    return _cumulative("cumulative_prod", x, axis, dtype, include_initial, 1)
