"""What NumPy's functions do with arrays: `np.sin(x)` and `np.sum(x)` are computed here and give arrays; a function of NumPy's that
nothing here corresponds to is given NumPy arrays over the same memory, and gives what it gives.

NEP 13 (https://numpy.org/neps/nep-0013-ufunc-overrides.html) and NEP 18 (https://numpy.org/neps/nep-0018-array-function-protocol.html)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from .array_fields import ArrayFields, is_array
from .creation.array_likes import asarray
from .creation.conversion import numpy, to_device
from .elementwise import arithmetic, bits, comparison, exponential, rounding
from .products.matmul import matmul
from .reductions import extremes, logic, sums
from .shapes import axes, joining, turning, views

if TYPE_CHECKING:
    from .array import NDArray

__all__ = ["array_function", "array_ufunc"]

UFUNCS: Final[dict[np.ufunc, Callable[..., NDArray]]] = {
    np.add: arithmetic.add, np.subtract: arithmetic.subtract, np.multiply: arithmetic.multiply, np.divide: arithmetic.divide,
    np.floor_divide: arithmetic.floor_divide, np.remainder: arithmetic.remainder, np.fmod: arithmetic.fmod, np.power: arithmetic.pow,
    np.maximum: arithmetic.maximum, np.minimum: arithmetic.minimum, np.fmax: arithmetic.fmax, np.fmin: arithmetic.fmin,
    np.arctan2: arithmetic.atan2, np.hypot: arithmetic.hypot, np.copysign: arithmetic.copysign, np.nextafter: arithmetic.nextafter,
    np.gcd: arithmetic.gcd, np.negative: arithmetic.negative, np.absolute: arithmetic.abs, np.sign: arithmetic.sign,
    np.square: arithmetic.square, np.reciprocal: arithmetic.reciprocal, np.sqrt: arithmetic.sqrt, np.matmul: matmul,
    np.exp: exponential.exp, np.exp2: exponential.exp2, np.expm1: exponential.expm1, np.log: exponential.log,
    np.log2: exponential.log2, np.log10: exponential.log10, np.log1p: exponential.log1p, np.logaddexp: exponential.logaddexp,
    np.logaddexp2: exponential.logaddexp2, np.sin: exponential.sin, np.cos: exponential.cos, np.tan: exponential.tan,
    np.arcsin: exponential.asin, np.arccos: exponential.acos, np.arctan: exponential.atan, np.sinh: exponential.sinh,
    np.cosh: exponential.cosh, np.tanh: exponential.tanh, np.arcsinh: exponential.asinh, np.arccosh: exponential.acosh,
    np.arctanh: exponential.atanh, np.floor: rounding.floor, np.ceil: rounding.ceil, np.trunc: rounding.trunc,
    np.rint: rounding.round, np.equal: comparison.equal, np.not_equal: comparison.not_equal, np.less: comparison.less,
    np.less_equal: comparison.less_equal, np.greater: comparison.greater, np.greater_equal: comparison.greater_equal,
    np.logical_and: comparison.logical_and, np.logical_or: comparison.logical_or, np.logical_xor: comparison.logical_xor,
    np.logical_not: comparison.logical_not, np.isnan: comparison.isnan, np.isinf: comparison.isinf,
    np.isfinite: comparison.isfinite, np.signbit: comparison.signbit, np.bitwise_and: bits.bitwise_and,
    np.bitwise_or: bits.bitwise_or, np.bitwise_xor: bits.bitwise_xor, np.invert: bits.bitwise_invert,
    np.left_shift: bits.bitwise_left_shift, np.right_shift: bits.bitwise_right_shift,
}  # fmt: skip
"""NumPy's functions item by item, and ours."""

FUNCTIONS: Final[dict[Callable[..., Any], Callable[..., Any]]] = {
    np.sum: sums.sum, np.prod: sums.prod, np.mean: sums.mean, np.max: extremes.max, np.min: extremes.min, np.any: logic.any,
    np.all: logic.all, np.argmax: extremes.argmax, np.argmin: extremes.argmin, np.concatenate: joining.concat, np.stack: joining.stack,
    np.reshape: views.reshape, np.squeeze: views.squeeze, np.swapaxes: axes.swapaxes, np.moveaxis: axes.moveaxis,
    np.broadcast_to: views.broadcast_to, np.ravel: axes.ravel, np.flip: views.flip, np.roll: turning.roll,
}  # fmt: skip
"""Other functions of NumPy's, and ours that mean the same by their first two arguments and by keywords of the same name."""

_THIRD: Final = frozenset({np.swapaxes, np.moveaxis, np.roll})
"""Those that mean the same by their third argument as well."""


def array_ufunc(x: NDArray, ufunc: np.ufunc, method: str, *inputs: Any, **params: Any) -> Any:
    """Compute what NumPy's function item by item, or an operator on a NumPy array and ours, was called for.

    Args:
        x: the array that NumPy asks.
        ufunc: the function.
        method: "__call__", or "reduce" and the like.
        inputs: of the function.
        params: its keywords; `out` comes as a tuple.

    Returns:
        An array; where nothing here corresponds to the call, what NumPy gives.
    """
    out = params.get("out", (None,))
    ours = UFUNCS.get(ufunc)
    if ours is not None and method == "__call__" and set(params) <= {"out"} and (out[0] is None or isinstance(out[0], ArrayFields)):
        return ours(*inputs) if out[0] is None else ours(*inputs, out=out[0])
    for target in out:
        if isinstance(target, ArrayFields):
            target.flat.version += 1
    result = getattr(ufunc, method)(*_as_numpy(inputs), **_as_numpy(params))
    return out[0] if isinstance(out[0], ArrayFields) else result


def array_function(x: NDArray, function: Callable[..., Any], types: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
    """Compute what a function of NumPy's was called for.

    Args:
        x: the array that NumPy asks.
        function: the function.
        types: the types of the arrays among its arguments.
        args: its arguments by position.
        params: its arguments by keyword.

    Returns:
        An array; where nothing here corresponds to the call, what NumPy gives.
    """
    ours = FUNCTIONS.get(function)
    if ours is not None and len(args) <= 2 + (function in _THIRD) and _parameters(ours).issuperset(params):
        return ours(*_as_arrays(args), **params)
    return function(*_as_numpy(args), **_as_numpy(params))


@cache
def _parameters(function: Callable[..., Any]) -> frozenset[str]:
    return frozenset(inspect.signature(function).parameters)


def _as_arrays(value: Any) -> Any:
    """The value with our arrays for NumPy's, over the same memory."""
    if isinstance(value, np.ndarray):
        return asarray(value)
    return type(value)([_as_arrays(part) for part in value]) if isinstance(value, (list, tuple)) else value


def _as_numpy(value: Any) -> Any:
    """The value with NumPy arrays for ours, over the same memory where that is on the host."""
    if is_array(value):
        return numpy(to_device(value, "cpu"))
    if isinstance(value, (list, tuple)):
        return type(value)([_as_numpy(part) for part in value])
    if isinstance(value, dict):
        return {name: _as_numpy(part) for name, part in value.items()}
    return value
