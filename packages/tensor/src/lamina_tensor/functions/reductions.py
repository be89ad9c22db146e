"""Reductions, scans and softmax over `dim`, with `keepdim`, `dtype` and `out`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import lamina_ndarray as nd
from lamina_flatarray import DTypeError
from lamina_flatarray.modes import NO_GRAD, word
from lamina_ndarray.dispatch.results import MinMax, StdMean, VarMean
from lamina_ndarray.layouts.broadcast import normalize_axis
from lamina_ndarray.reductions.folds import extremes, reduced

from ..dispatch import array_functions as af
from ..dispatch.return_types import RETURN_TYPES
from ..dispatch.spelling import check_tensors, written
from ..tensor_fields import TensorFields, tensor_of

if TYPE_CHECKING:
    from ..tensor import Tensor

__all__ = [
    "all", "allclose", "amax", "amin", "aminmax", "any", "argmax", "argmin", "count_nonzero", "cumprod", "cumsum", "equal",
    "log_softmax", "logsumexp", "max", "mean", "min", "nanmean", "nansum", "prod", "softmax", "std", "std_mean", "sum", "var", "var_mean",
]  # fmt: skip

WRITTEN_BACK = dict.fromkeys(("cumprod", "cumsum"))
"""Those with an in-place method."""

Dim = int | tuple[int, ...] | list[int] | None


_sum, _mean, _softmax, _log_softmax, _nansum, _nanmean, _least, _greatest = (
    af.FUNCTIONS[name] for name in ("sum", "mean", "softmax", "log_softmax", "nansum", "nanmean", "min", "max")
)


def _dims(dim: Dim) -> Dim:
    return None if dim is None or dim == () or dim == [] else dim


def _given(op: str, result: Any, out: Any) -> Any:
    return result if out is None else written(op, out, result)


def sum(input: Tensor, dim: Dim = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None) -> Tensor:
    """The sum over `dim` (all for None); of booleans and integers in int64."""
    made = _sum(input, None if dim == () or dim == [] else dim, keepdim, dtype=dtype)
    return made if out is None else written("sum", out, made)


def mean(input: Tensor, dim: Dim = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None) -> Tensor:
    """The arithmetic mean over `dim`."""
    made = _mean(input, None if dim == () or dim == [] else dim, keepdim, dtype=dtype)
    return made if out is None else written("mean", out, made)


def prod(input: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None) -> Tensor:
    """The product over `dim`; of booleans and integers in int64."""
    return _given("prod", af.FUNCTIONS["prod"](input, dim, keepdim, dtype=dtype), out)


def _degrees(dim: Any, unbiased: bool, correction: float | None) -> tuple[Dim, float]:
    """The dims, and what is subtracted from the number of items: `var(x, True)` means `unbiased`."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    return _dims(dim), (1 if unbiased else 0) if correction is None else correction


def var(
    input: Tensor, dim: Any = None, unbiased: bool = True, keepdim: bool = False, *, correction: float | None = None,
    out: Any = None,
) -> Tensor:  # fmt: skip
    """The variance over `dim`; divided by n - correction (by default 1, Bessel's)."""
    dims, degrees = _degrees(dim, unbiased, correction)
    return _given("var", af.FUNCTIONS["var"](input, dims, keepdim, correction=degrees), out)


def std(
    input: Tensor, dim: Any = None, unbiased: bool = True, keepdim: bool = False, *, correction: float | None = None,
    out: Any = None,
) -> Tensor:  # fmt: skip
    """The standard deviation over `dim`."""
    dims, degrees = _degrees(dim, unbiased, correction)
    return _given("std", af.std(input, dims, keepdim, correction=degrees), out)


def _moments(op: str, input: Tensor, dims: Dim, keepdim: bool, degrees: float) -> tuple[Tensor, Tensor]:
    if not input.array.flat.dtype.is_inexact:
        raise DTypeError(f"{op}_mean only supports floating point and complex dtypes, but got {input.dtype!r}")
    spread = af.std if op == "std" else af.FUNCTIONS["var"]
    return spread(input, dims, keepdim, correction=degrees), _mean(input, dims, keepdim)


def var_mean(
    input: Tensor, dim: Any = None, unbiased: bool = True, keepdim: bool = False, *, correction: float | None = None,
    out: Any = None,
) -> VarMean:  # fmt: skip
    """The variance and the mean over `dim`."""
    dims, degrees = _degrees(dim, unbiased, correction)
    return _given("var_mean", VarMean(*_moments("var", input, dims, keepdim, degrees)), out)  # type: ignore[no-any-return]


def std_mean(
    input: Tensor, dim: Any = None, unbiased: bool = True, keepdim: bool = False, *, correction: float | None = None,
    out: Any = None,
) -> StdMean:  # fmt: skip
    """The standard deviation and the mean over `dim`."""
    dims, degrees = _degrees(dim, unbiased, correction)
    return _given("std_mean", StdMean(*_moments("std", input, dims, keepdim, degrees)), out)  # type: ignore[no-any-return]


def aminmax(input: Tensor, *, dim: int | None = None, keepdim: bool = False, out: Any = None) -> MinMax:
    """The smallest and the greatest item over `dim` (all for None); ties share the gradient."""
    found = MinMax(_least(input, dim, keepdim), _greatest(input, dim, keepdim))
    return found if out is None else written("aminmax", out, found)  # type: ignore[no-any-return]


def amax(input: Tensor, dim: Dim = None, keepdim: bool = False, *, out: Any = None) -> Tensor:
    """The greatest over `dim`; ties share the gradient."""
    return _given("amax", af.FUNCTIONS["max"](input, _dims(dim), keepdim), out)


def amin(input: Tensor, dim: Dim = None, keepdim: bool = False, *, out: Any = None) -> Tensor:
    """The smallest over `dim`; ties share the gradient."""
    return _given("amin", af.FUNCTIONS["min"](input, _dims(dim), keepdim), out)


def _extreme(op: str, position: str, input: Tensor, dim: Any, keepdim: bool, other: Any, out: Any) -> Any:
    check_tensors(op, input)
    other = dim if isinstance(dim, TensorFields) else other
    if other is not None:
        return _given(op, af.FUNCTIONS["maximum" if op == "max" else "minimum"](input, other), out)
    if dim is None:
        made = af.FUNCTIONS[op](input) if input.requires_grad else tensor_of(reduced(op, input.array, None, False, None))
        return made if out is None else written(op, out, made)
    if input.array.dtype.is_complex:
        raise DTypeError(f"{op}: not defined for {input.array.dtype!r}; it wants real numbers")
    at = normalize_axis(dim, input.array.layout.ndim, op)
    if out is None and input.array.layout.ndim and not (not word.get() & NO_GRAD and input.requires_grad):
        values, indices = extremes(op, input.array, at, keepdim)
        return RETURN_TYPES[op](tensor_of(values), tensor_of(indices))
    indices = af.FUNCTIONS[position](input, at if input.array.layout.ndim else None, True)
    values = af.gather(input, indices, at) if input.array.layout.ndim else af.copy(input)
    if not keepdim and input.array.layout.ndim:
        values, indices = af.squeeze(values, at), af.squeeze(indices, at)
    return _given(op, RETURN_TYPES[op](values, indices), out)


def max(input: Tensor, dim: Any = None, keepdim: bool = False, *, other: Any = None, out: Any = None) -> Any:
    """The greatest of all; with `dim`, the greatest along it and the first position of it; with a tensor in place
    of `dim`, the greater of both item by item."""
    return _extreme("max", "argmax", input, dim, keepdim, other, out)


def min(input: Tensor, dim: Any = None, keepdim: bool = False, *, other: Any = None, out: Any = None) -> Any:
    """The smallest of all; with `dim`, the smallest along it and the first position of it; with a tensor in place
    of `dim`, the smaller of both item by item."""
    return _extreme("min", "argmin", input, dim, keepdim, other, out)


def _position(op: str, input: Tensor, dim: int | None, keepdim: bool, out: Any) -> Tensor:
    array = input.array
    if array.flat.dtype.kind == "b":
        raise DTypeError(f"{op}(): does not support bool input; cast it to an integer dtype")
    made = tensor_of(reduced(op, array, None if dim is None else (dim,), keepdim, None))
    return made if out is None else written(op, out, made)  # type: ignore[no-any-return]


def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False, *, out: Any = None) -> Tensor:
    """The first position of the greatest along `dim`, or of all."""
    return _position("argmax", input, dim, keepdim, out)


def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False, *, out: Any = None) -> Tensor:
    """The first position of the smallest along `dim`, or of all."""
    return _position("argmin", input, dim, keepdim, out)


def _truth(op: str, input: Tensor, dim: Dim, keepdim: bool, out: Any) -> Tensor:
    """uint8 stays uint8, and no dims are no dims (for sums they are all): both as in PyTorch."""
    array = input.array
    result = tensor_of(reduced(op, array, dim, keepdim, None))
    if array.flat.dtype is nd.uint8:
        result = af.astype(result, nd.uint8)
    return result if out is None else written(op, out, result)  # type: ignore[no-any-return]


def any(input: Tensor, dim: Dim = None, keepdim: bool = False, *, out: Any = None) -> Tensor:
    """Whether an item over `dim` is nonzero."""
    return _truth("any", input, dim, keepdim, out)


def all(input: Tensor, dim: Dim = None, keepdim: bool = False, *, out: Any = None) -> Tensor:
    """Whether every item over `dim` is nonzero."""
    return _truth("all", input, dim, keepdim, out)


def nansum(input: Tensor, dim: Dim = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None) -> Tensor:
    """The sum over `dim` (all for None) of what is not NaN."""
    return _given("nansum", _nansum(input, _dims(dim), keepdim, dtype=dtype), out)


def nanmean(input: Tensor, dim: Dim = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None) -> Tensor:
    """The mean over `dim` (all for None) of what is not NaN."""
    return _given("nanmean", _nanmean(input, _dims(dim), keepdim, dtype=dtype), out)


def count_nonzero(input: Tensor, dim: Dim = None) -> Tensor:
    """How many items over `dim` (all for None) are not zero."""
    return af.FUNCTIONS["count_nonzero"](input, _dims(dim))  # type: ignore[no-any-return]


def logsumexp(input: Tensor, dim: Dim, keepdim: bool = False, *, out: Any = None) -> Tensor:
    """The logarithm of the sum of exponentials over `dim`."""
    return _given("logsumexp", af.FUNCTIONS["logsumexp"](input, _dims(dim), keepdim), out)


def cumsum(input: Tensor, dim: int, *, dtype: Any = None, out: Any = None) -> Tensor:
    """The running sum along `dim`."""
    return _given("cumsum", af.FUNCTIONS["cumsum"](input, dim, dtype=dtype), out)


def cumprod(input: Tensor, dim: int, *, dtype: Any = None, out: Any = None) -> Tensor:
    """The running product along `dim`."""
    return _given("cumprod", af.FUNCTIONS["cumprod"](input if dtype is None else af.astype(input, dtype), dim, dtype=dtype), out)


def softmax(input: Tensor, dim: int, *, dtype: Any = None, out: Any = None) -> Tensor:
    """`exp(x) / sum(exp(x))` along `dim`."""
    made = _softmax(input if dtype is None else af.astype(input, dtype), dim)
    return made if out is None else written("softmax", out, made)


def log_softmax(input: Tensor, dim: int, *, dtype: Any = None, out: Any = None) -> Tensor:
    """The logarithm of softmax along `dim`."""
    made = _log_softmax(input if dtype is None else af.astype(input, dtype), dim)
    return made if out is None else written("log_softmax", out, made)


def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape and items."""
    check_tensors("equal", input, other)
    return nd.array_equal(input.array, other.array)


def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Whether all items are close; see `lamina_ndarray.isclose`."""
    check_tensors("allclose", input, other)
    return nd.allclose(input, other, rtol, atol, equal_nan)
