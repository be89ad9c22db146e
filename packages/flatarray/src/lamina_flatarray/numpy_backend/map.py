"""Map kernels: one NumPy expression each. 16-bit floating types are computed in float32 and rounded once."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ..contract import Kernel
from ..errors import LaminaError
from .view import given, view

__all__ = ["KERNELS"]

Array = Any

KERNELS: Final[dict[str, Kernel]] = {}


class IntegerDivisionByZero(LaminaError, ZeroDivisionError, RuntimeError):
    """An integer was divided by zero."""


def _numpy_dtype(out: Any, inputs: tuple[Any, ...]) -> np.dtype[Any]:
    """The dtype computed in: that of the last array input, or of out where all are numbers."""
    for x in reversed(inputs):
        if hasattr(x, "layout"):
            return x.flat.dtype.numpy  # type: ignore[no-any-return]
    return out.flat.dtype.numpy  # type: ignore[no-any-return]


def _is_narrow(dtype: np.dtype[Any]) -> bool:
    return dtype.itemsize == 2 and dtype.kind not in "ui"


def _kernel(op: str, function: Callable[..., Array]) -> None:
    """A kernel of any function from arrays to an array."""

    def kernel(out: Any, *inputs: Any, **params: Any) -> None:
        dtype = _numpy_dtype(out, inputs)
        arrays = [given(x, dtype) for x in inputs]
        if _is_narrow(dtype):
            arrays = [a.astype(np.float32) if getattr(a, "dtype", None) == dtype else a for a in arrays]
        with np.errstate(all="ignore"):
            np.copyto(view(out), function(*arrays, **params), casting="unsafe")

    kernel.__name__ = op
    KERNELS[op] = kernel


def _ufunc(op: str, ufunc: np.ufunc, *, fails_on: str = "") -> None:
    """A kernel of a ufunc that writes straight into out; `fails_on` names dtype kinds that it does not serve."""
    _kernel(op, ufunc)
    general = KERNELS[op]

    def unary(out: Any, x: Any) -> None:
        dtype = x.flat.dtype
        if dtype.itemsize == 2 and dtype.kind == "f":
            general(out, x)
        else:
            with np.errstate(all="ignore"):
                ufunc(view(x), out=view(out))

    def binary(out: Any, a: Any, b: Any) -> None:
        dtype = (a if hasattr(a, "layout") else b).flat.dtype
        if dtype.itemsize == 2 and dtype.kind == "f":
            general(out, a, b)
        else:
            with np.errstate(all="ignore"):
                ufunc(given(a, dtype.numpy), given(b, dtype.numpy), out=view(out))

    kernel = unary if ufunc.nin == 1 else binary
    kernel.__name__ = op
    KERNELS[op] = kernel


for _op, _ufunc_of in {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide, "maximum": np.maximum,
    "minimum": np.minimum, "atan2": np.arctan2, "hypot": np.hypot, "negative": np.negative, "sqrt": np.sqrt,
    "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log2": np.log2, "log10": np.log10,
    "log1p": np.log1p, "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos,
    "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "equal": np.equal,
    "not_equal": np.not_equal, "less": np.less, "less_equal": np.less_equal, "greater": np.greater,
    "greater_equal": np.greater_equal, "logical_and": np.logical_and, "logical_or": np.logical_or,
    "logical_xor": np.logical_xor, "logical_not": np.logical_not, "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor, "bitwise_invert": np.invert,
}.items():  # fmt: skip
    _ufunc(_op, _ufunc_of)


def _unless_float(rounding: Callable[[Array], Array]) -> Callable[[Array], Array]:
    return lambda x: rounding(x) if x.dtype.kind == "f" else x


_kernel("floor", _unless_float(np.floor))
_kernel("ceil", _unless_float(np.ceil))
_kernel("trunc", _unless_float(np.trunc))
_kernel("round", _unless_float(np.rint))
_kernel("abs", lambda x: x if x.dtype.kind == "b" else np.abs(x))
_kernel("sign", lambda x: x if x.dtype.kind == "b" else np.sign(x))
_kernel("square", lambda x: x * x)
_kernel("reciprocal", lambda x: np.ones((), x.dtype) / x)
_kernel("rsqrt", lambda x: np.ones((), x.dtype) / np.sqrt(x))
_kernel("isnan", lambda x: np.isnan(x) if x.dtype.kind in "fc" else False)
_kernel("isinf", lambda x: np.isinf(x) if x.dtype.kind in "fc" else False)
_kernel("isfinite", lambda x: np.isfinite(x) if x.dtype.kind in "fc" else True)
_kernel("where", np.where)
_kernel("lerp", lambda a, b, weight: np.where(np.abs(weight) < 0.5, a + weight * (b - a), b - (b - a) * (1 - weight)))
_kernel("relu", lambda x: np.where(x < 0, np.zeros((), x.dtype), x))
_kernel("sigmoid", lambda x: 1 / (1 + np.exp(-x)))
_kernel("silu", lambda x: x / (1 + np.exp(-x)))
_kernel("softplus", lambda x: np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x))))


def _kind(*arrays: Any) -> str:
    return str(next(a.dtype.kind for a in arrays if hasattr(a, "dtype")))


def _integer_divisor(op: str, b: Any) -> None:
    if np.any(np.equal(b, 0)):
        raise IntegerDivisionByZero(f"{op}: ZeroDivisionError: an integer was divided by zero")


def _floor_divide(a: Array, b: Array) -> Array:
    """For floats as PyTorch: a / 0 is infinite or NaN, and inf / b is NaN (not what NumPy says)."""
    if _kind(a, b) in "uib":
        _integer_divisor("floor_divide", b)
        return np.floor_divide(a, b)
    rest = np.fmod(a, b)
    quotient = (a - rest) / b
    quotient = np.where((rest != 0) & ((np.less(b, 0)) != (rest < 0)), quotient - 1, quotient)
    low = np.floor(quotient)
    near = np.where(quotient - low > 0.5, low + 1, low)
    found = np.where(quotient == 0, np.copysign(np.zeros_like(quotient), np.divide(a, b)), near)
    return np.where(np.equal(b, 0), np.divide(a, b), found)


def _remainder(a: Array, b: Array) -> Array:
    """The sign of b. For floats as PyTorch: fmod, moved by b where the signs differ."""
    if _kind(a, b) in "uib":
        _integer_divisor("remainder", b)
        return np.remainder(a, b)
    rest = np.fmod(a, b)
    return np.where((rest != 0) & ((rest < 0) != np.less(b, 0)), rest + b, rest)


def _fmod(a: Array, b: Array) -> Array:
    if _kind(a, b) in "uib":
        _integer_divisor("fmod", b)
    return np.fmod(a, b)


def _pow(a: Array, b: Array) -> Array:
    """Integers wrap; a negative integer exponent gives the truncated fraction: 0 unless a is 1 or -1."""
    if _kind(a, b) not in "ui":
        return np.power(a, b)
    if not np.any(np.less(b, 0)):
        return np.power(a, b)
    a, b = np.broadcast_arrays(a, b)
    odd = np.where(b % 2 != 0, a, np.ones_like(a))
    unit = np.where(a == 1, 1, np.where(a == -1, odd, 0))
    return np.where(b < 0, unit, np.power(a, np.maximum(b, 0)))


def _shift(left: bool) -> Callable[[Array, Array], Array]:
    """Shifts by the width or more, or by a negative count, push every bit out."""

    def shift(a: Array, b: Array) -> Array:
        dtype = next(x.dtype for x in (a, b) if hasattr(x, "dtype"))
        width = dtype.itemsize * 8
        outside = np.less(b, 0) | np.greater_equal(b, width)
        inside = np.where(outside, 0, b).astype(dtype)
        if left:
            return np.where(outside, np.zeros((), dtype), np.left_shift(np.asarray(a, dtype), inside))
        gone = np.where(np.less(a, 0), -1, 0).astype(dtype) if dtype.kind == "i" else np.zeros((), dtype)
        return np.where(outside, gone, np.right_shift(np.asarray(a, dtype), inside))

    return shift


def _clip(x: Array, min: Any, max: Any) -> Array:
    """A NaN stays; where the bounds cross, the upper one wins."""
    if min is not None:
        x = np.maximum(x, given(min, x.dtype))
    return x if max is None else np.minimum(x, given(max, x.dtype))


_kernel("floor_divide", _floor_divide)
_kernel("remainder", _remainder)
_kernel("fmod", _fmod)
_kernel("pow", _pow)
_kernel("bitwise_left_shift", _shift(left=True))
_kernel("bitwise_right_shift", _shift(left=False))
_kernel("clip", _clip)

_erf_of_scalar = np.frompyfunc(math.erf, 1, 1)


def erf(x: Array) -> Array:
    """The error function, from the C library item by item: exact, and slow; native backends are there for speed."""
    return np.asarray(_erf_of_scalar(x), np.float64) if x.size else x


_kernel("erf", lambda x: erf(x.astype(np.float64)))
_kernel("gelu", lambda x: x.astype(np.float64) * 0.5 * (1 + erf(x.astype(np.float64) * math.sqrt(0.5))))
