"""Reductions, scans and softmax over `dim`, with `keepdim`."""

from __future__ import annotations

from typing import Any

import lamina_ndarray as nd
from lamina_ndarray.results import ValuesIndices

from .. import array_functions as af
from ..tensor import Tensor

__all__ = [
    "all",
    "allclose",
    "amax",
    "amin",
    "any",
    "argmax",
    "argmin",
    "cumprod",
    "cumsum",
    "equal",
    "log_softmax",
    "logsumexp",
    "max",
    "mean",
    "min",
    "prod",
    "softmax",
    "std",
    "sum",
    "var",
]

Dim = int | tuple[int, ...] | list[int] | None


def _dims(dim: Dim) -> Dim:
    return None if dim is None or dim == () or dim == [] else dim


def sum(input: Tensor, dim: Dim = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The sum over `dim` (all for None); of booleans and integers in int64."""
    return af.FUNCTIONS["sum"](input if dtype is None else af.astype(input, dtype), _dims(dim), keepdim)


def mean(input: Tensor, dim: Dim = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The arithmetic mean over `dim`."""
    return af.FUNCTIONS["mean"](input if dtype is None else af.astype(input, dtype), _dims(dim), keepdim)


def prod(input: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The product over `dim`; of booleans and integers in int64."""
    return af.FUNCTIONS["prod"](input if dtype is None else af.astype(input, dtype), dim, keepdim)


def var(
    input: Tensor,
    dim: Dim = None,
    unbiased: bool = True,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> Tensor:
    """The variance over `dim`; divided by n - correction (by default 1, Bessel's)."""
    degrees = (1 if unbiased else 0) if correction is None else correction
    return af.FUNCTIONS["var"](input, _dims(dim), keepdim, correction=degrees)


def std(
    input: Tensor,
    dim: Dim = None,
    unbiased: bool = True,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> Tensor:
    """The standard deviation over `dim`."""
    return af.FUNCTIONS["sqrt"](var(input, dim, unbiased, keepdim, correction=correction))


def amax(input: Tensor, dim: Dim = None, keepdim: bool = False) -> Tensor:
    """The greatest over `dim`; ties share the gradient."""
    return af.FUNCTIONS["max"](input, _dims(dim), keepdim)


def amin(input: Tensor, dim: Dim = None, keepdim: bool = False) -> Tensor:
    """The smallest over `dim`; ties share the gradient."""
    return af.FUNCTIONS["min"](input, _dims(dim), keepdim)


def _extreme(op: str, position: str, input: Tensor, dim: Any, keepdim: bool) -> Any:
    if dim is None:
        return af.FUNCTIONS[op](input)
    if isinstance(dim, Tensor):
        return af.FUNCTIONS["maximum" if op == "max" else "minimum"](input, dim)
    indices = af.FUNCTIONS[position](input, dim, True)
    values = af.gather(input, indices, dim) if input.array.layout.ndim else input
    if not keepdim and input.array.layout.ndim:
        values, indices = af.squeeze(values, dim), af.squeeze(indices, dim)
    return ValuesIndices(values, indices)


def max(input: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    """The greatest of all; with `dim`, the greatest along it and the first position of it; with a tensor in place
    of `dim`, the greater of both item by item."""
    return _extreme("max", "argmax", input, dim, keepdim)


def min(input: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
    """The smallest of all; with `dim`, the smallest along it and the first position of it; with a tensor in place
    of `dim`, the smaller of both item by item."""
    return _extreme("min", "argmin", input, dim, keepdim)


def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The first position of the greatest along `dim`, or of all."""
    return af.FUNCTIONS["argmax"](input, dim, keepdim)


def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The first position of the smallest along `dim`, or of all."""
    return af.FUNCTIONS["argmin"](input, dim, keepdim)


def any(input: Tensor, dim: Dim = None, keepdim: bool = False) -> Tensor:
    """Whether an item over `dim` is nonzero."""
    return af.FUNCTIONS["any"](input, _dims(dim), keepdim)


def all(input: Tensor, dim: Dim = None, keepdim: bool = False) -> Tensor:
    """Whether every item over `dim` is nonzero."""
    return af.FUNCTIONS["all"](input, _dims(dim), keepdim)


def logsumexp(input: Tensor, dim: Dim, keepdim: bool = False) -> Tensor:
    """The logarithm of the sum of exponentials over `dim`."""
    return af.FUNCTIONS["logsumexp"](input, _dims(dim), keepdim)


def cumsum(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """The running sum along `dim`."""
    return af.FUNCTIONS["cumsum"](input if dtype is None else af.astype(input, dtype), dim)


def cumprod(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """The running product along `dim`."""
    return af.FUNCTIONS["cumprod"](input if dtype is None else af.astype(input, dtype), dim)


def softmax(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """`exp(x) / sum(exp(x))` along `dim`."""
    return af.FUNCTIONS["softmax"](input if dtype is None else af.astype(input, dtype), dim)


def log_softmax(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """The logarithm of softmax along `dim`."""
    return af.FUNCTIONS["log_softmax"](input if dtype is None else af.astype(input, dtype), dim)


def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape and items."""
    return input.shape == other.shape and bool(nd.all(nd.equal(input.array, other.array)).item())  # type: ignore[attr-defined]


def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Whether `|input - other| <= atol + rtol * |other|` everywhere."""
    a, b = input.array, other.array
    close = (a == b) | (abs(a - b) <= abs(b) * rtol + atol)
    if equal_nan:
        close = close | ((a != a) & (b != b))
    return bool(nd.all(close).item())
