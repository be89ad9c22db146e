"""Map kernels. Most are one ufunc call from view to view; the others are a function that runs in blocks.

NumPy's own loops for float16 and bfloat16 compute in float32 and round once, so ufuncs serve them as they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from ...contract import Kernel
from ...errors import NegativeIntegerPower
from ..blocks import in_blocks
from ..quiet import quiet, quiet_context
from ..view import array, number, view, wide
from . import division
from .erf import erf

__all__ = ["KERNELS"]

Array = np.ndarray[Any, Any]

KERNELS: Final[dict[str, Kernel]] = {}


# -- one ufunc ----------------------------------------------------------------------------------------------------


def _unary(op: str, ufunc: np.ufunc) -> None:
    def kernel(out: Any, x: Any) -> None:
        quiet_context().run(ufunc, view(x), view(out))

    kernel.__name__ = op
    KERNELS[op] = kernel


def _binary(op: str, ufunc: np.ufunc, *, exact_numbers: bool = False) -> None:
    """A kernel of two inputs, either of which may be a number.

    `exact_numbers`: whether a number next to a narrow array is taken in float32, not in the array's dtype.
    PyTorch does so for + - * /, and not for comparisons: float16(0.1) == 0.1.
    """

    def kernel(out: Any, a: Any, b: Any) -> None:
        if hasattr(a, "layout") and hasattr(b, "layout"):
            quiet_context().run(ufunc, view(a), view(b), out=view(out))
        else:
            quiet_context().run(with_number, out, a, b)

    def with_number(out: Any, a: Any, b: Any) -> None:
        dtype = _computed_in(out, a, b)
        kind = wide(dtype) if exact_numbers else dtype
        ufunc(array(a, kind), array(b, kind), out=view(out), casting="unsafe")

    kernel.__name__ = op
    KERNELS[op] = kernel


def _computed_in(out: Any, *inputs: Any) -> np.dtype[Any]:
    """The dtype of the last array among the inputs, or that of out where all are numbers."""
    for x in reversed(inputs):
        if hasattr(x, "layout"):
            return x.flat.dtype.numpy  # type: ignore[no-any-return]
    return out.flat.dtype.numpy  # type: ignore[no-any-return]


for _op, _one in {
    "negative": np.negative, "conj": np.conjugate, "abs": np.absolute, "sqrt": np.sqrt,
    "exp": np.exp, "exp2": np.exp2, "log": np.log, "log2": np.log2, "log10": np.log10,
    "log1p": np.log1p, "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos,
    "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "logical_not": np.logical_not,
    "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh,
    "isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite, "bitwise_invert": np.invert,
}.items():  # fmt: skip
    _unary(_op, _one)

for _op, _two in {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide,
}.items():  # fmt: skip
    _binary(_op, _two, exact_numbers=True)

for _op, _same in {
    "maximum": np.maximum, "minimum": np.minimum, "fmax": np.fmax, "fmin": np.fmin, "atan2": np.arctan2, "hypot": np.hypot,
    "equal": np.equal, "not_equal": np.not_equal, "less": np.less, "less_equal": np.less_equal,
    "greater": np.greater, "greater_equal": np.greater_equal, "logical_and": np.logical_and,
    "logical_or": np.logical_or, "logical_xor": np.logical_xor, "copysign": np.copysign, "nextafter": np.nextafter,
    "gcd": np.gcd, "logaddexp2": np.logaddexp2, "bitwise_and": np.bitwise_and,
    "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor,
}.items():  # fmt: skip
    _binary(_op, _same)


# -- one ufunc for some dtypes ------------------------------------------------------------------------------------


def _kernel(function: Callable[..., None]) -> Callable[..., None]:
    """Register a function of operands, named after its op, to run without warnings."""
    op = function.__name__.strip("_")
    KERNELS[op] = quiet(function)
    KERNELS[op].__name__ = op
    return function


def _rounding(op: str, ufunc: np.ufunc) -> None:
    def kernel(out: Any, x: Any) -> None:
        source = view(x)
        if source.dtype.kind in "bui":
            np.copyto(view(out), source)
        else:
            ufunc(source, out=view(out))

    kernel.__name__ = op
    _kernel(kernel)


_rounding("floor", np.floor)
_rounding("ceil", np.ceil)
_rounding("trunc", np.trunc)
_rounding("round", np.rint)


@_kernel
def reciprocal(out: Any, x: Any) -> None:
    """One over x; of a complex 0 it is infinite, in its real part."""
    source, target = view(x), view(out)
    zeros = source == 0 if source.dtype.kind == "c" else None  # before they are written over, where x is out
    np.reciprocal(source, out=target)
    if zeros is not None:
        target[zeros] = complex(np.inf, np.nan)


@_kernel
def sign(out: Any, x: Any) -> None:
    """-1, 0 or 1, and 0 of NaN; of a complex number, it over its modulus."""
    source = view(x)
    if source.dtype.kind == "b":
        np.copyto(view(out), source)
    elif source.dtype.kind == "c":
        size = np.absolute(source)
        view(out)[...] = np.where(size == 0, 0, source / np.where(size == 0, size.dtype.type(1), size))
    else:
        np.subtract(source > 0, source < 0, out=view(out), dtype=np.int8, casting="unsafe")


@_kernel
def signbit(out: Any, x: Any) -> None:
    """Whether there is a minus sign."""
    source = view(x)
    if source.dtype.kind in "bui":
        np.less(source, 0, out=view(out))
    else:
        np.signbit(source, out=view(out))


@_kernel
def logaddexp(out: Any, a: Any, b: Any) -> None:
    """NumPy has none for complex numbers: there, from the one with the greater real part."""
    dtype = _computed_in(out, a, b)
    x, y = array(a, dtype), array(b, dtype)
    if dtype.kind != "c":
        np.logaddexp(x, y, out=view(out), casting="unsafe")
        return
    first = x.real >= y.real
    great, small = np.where(first, x, y), np.where(first, y, x)
    view(out)[...] = np.where(great == small, great + math.log(2), great + np.log1p(np.exp(small - great)))


@_kernel
def square(out: Any, x: Any) -> None:
    """x * x."""
    np.multiply(view(x), view(x), out=view(out))


@_kernel
def relu(out: Any, x: Any) -> None:
    """max(x, 0)."""
    source = view(x)
    np.maximum(source, number(0, source.dtype), out=view(out))


@_kernel
def clip(out: Any, x: Any, min: Any = None, max: Any = None) -> None:
    """A NaN among x and the bounds stays; where the bounds cross, the upper one wins."""
    source, target = view(x), view(out)
    if min is not None:
        source = np.maximum(source, array(min, target.dtype), out=target)
    if max is not None:
        source = np.minimum(source, array(max, target.dtype), out=target)
    if source is not target:
        np.copyto(target, source)


@_kernel
def expm1(out: Any, x: Any) -> None:
    """Of a complex number a + bi: expm1(a) cos(b) - 2 sin(b/2)**2, and exp(a) sin(b); at infinities, exp(x) - 1."""
    source = view(x)
    if source.dtype.kind != "c":
        np.expm1(source, out=view(out))
        return
    power = np.asarray(np.exp(source))
    a, b, finite = source.real, source.imag, np.isfinite(source)
    power.real = np.where(finite, np.expm1(a) * np.cos(b) - 2 * np.square(np.sin(b / 2)) + 0.0, power.real - 1)
    view(out)[...] = power


# -- division, powers and shifts ----------------------------------------------------------------------------------


def _dividing(op: str, function: Callable[[Array, Array, Array], None]) -> None:
    """A kernel of `function(a, b, target)`."""

    def kernel(out: Any, a: Any, b: Any) -> None:
        dtype = _computed_in(out, a, b)
        function(array(a, dtype), array(b, dtype), view(out))

    kernel.__name__ = op
    _kernel(kernel)


_dividing("floor_divide", division.floor_divide)
_dividing("trunc_divide", division.trunc_divide)
_dividing("remainder", division.remainder)
_dividing("fmod", division.fmod)
_dividing("bitwise_left_shift", division.left_shift)
_dividing("bitwise_right_shift", division.right_shift)


@_kernel
def pow(out: Any, a: Any, b: Any) -> None:
    """a to the power b; integers wrap, and take no negative number as exponent."""
    dtype = _computed_in(out, a, b)
    if dtype.kind in "ui" and not hasattr(b, "layout") and b < 0:
        raise NegativeIntegerPower(
            f"pow: {dtype} to the power {b}: Integers to negative integer powers are not allowed; cast to a float first"
        )
    division.power(array(a, dtype), array(b, dtype), view(out))


# -- functions of several steps -----------------------------------------------------------------------------------


def _steps(op: str, function: Callable[..., Any]) -> None:
    """A kernel of any function from blocks to a block; numbers come as 0-d arrays, narrow dtypes in float32."""

    def kernel(out: Any, *inputs: Any) -> None:
        kind = wide(_computed_in(out, *inputs))
        in_blocks(function, view(out), *[array(x, kind) for x in inputs])

    kernel.__name__ = op
    _kernel(kernel)


def _lerp(a: Array, b: Array, weight: Array) -> Any:
    """From the nearer end, so that weight 1 gives b itself."""
    reach = b - a
    return np.where(np.abs(weight) < 0.5, a + weight * reach, b - reach * (1 - weight))


def _softplus(x: Array) -> Any:
    return np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x)))


def _gelu(x: Array) -> Any:
    return x * (0.5 + 0.5 * erf(x * math.sqrt(0.5)))


_steps("rsqrt", lambda x: 1 / np.sqrt(x))
_steps("lerp", _lerp)
_steps("sigmoid", lambda x: 1 / (1 + np.exp(-x)))
_steps("silu", lambda x: x / (1 + np.exp(-x)))
_steps("softplus", _softplus)
_steps("erf", erf)
_steps("gelu", _gelu)


@_kernel
def addcmul(out: Any, a: Any, b: Any, c: Any, *, value: Any) -> None:
    """a + value * b * c."""
    _scaled_sum(lambda a, b, c, value: a + value * c * b, out, a, b, c, value)


@_kernel
def addcdiv(out: Any, a: Any, b: Any, c: Any, *, value: Any) -> None:
    """a + value * b / c."""
    _scaled_sum(lambda a, b, c, value: a + value * b / c, out, a, b, c, value)


def _scaled_sum(function: Callable[..., Any], out: Any, *inputs: Any) -> None:
    kind = wide(_computed_in(out, *inputs))
    in_blocks(function, view(out), *[array(x, kind) for x in inputs])


@_kernel
def where(out: Any, condition: Any, a: Any, b: Any) -> None:
    """In blocks, as out may lie where a or b does."""
    target = view(out)
    chosen = array(condition, np.dtype(np.bool_))
    in_blocks(np.where, target, chosen, array(a, target.dtype), array(b, target.dtype))
