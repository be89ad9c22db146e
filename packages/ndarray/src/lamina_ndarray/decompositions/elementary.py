"""Arithmetic, exponentials, roundings, comparisons, reductions and scans, written with the required ops.

Formulas are chosen to be accurate where the plain one cancels or overflows; the conformance kit compares each with the
reference's own kernel.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce as fold
from typing import TYPE_CHECKING, Any

from lamina_flatarray import dtypes as dt

from ..array_fields import is_array
from ..creation.constructors import full_like, zeros_like
from ..dispatch.namespace import Array, namespace
from ..dispatch.operands import cast
from ..elementwise import arithmetic, bits, comparison, exponential, rounding
from ..elementwise.arithmetic import maximum, minimum, sqrt
from ..elementwise.choosing import where
from ..elementwise.complex_parts import imag, make_complex, real
from ..elementwise.exponential import atan, cos, exp, log, sin, tanh
from ..elementwise.rounding import floor
from ..elementwise.special_functions import erf
from ..indexing.gathering import positions_along
from ..layouts.broadcast import reduced_shape
from ..reductions.extremes import argmax
from ..reductions.extremes import max as greatest
from ..reductions.extremes import min as least
from ..reductions.sums import sum as total
from ..shapes.turning import roll
from ..shapes.views import copy, transpose, view
from .registering import composed

if TYPE_CHECKING:
    from ..array import NDArray

__all__: list[str] = []


def _is_nan(x: Any) -> Any:
    return x != x


# -- map, arithmetic --------------------------------------------------------------------------------------------------

composed("square")(lambda x: x * x)
composed("reciprocal")(lambda x: 1 / x)
composed("rsqrt")(lambda x: 1 / sqrt(x))
composed("lerp")(lambda a, b, weight: a + weight * (b - a))
composed("addcmul")(lambda a, b, c, value: a + (b * c if value == 1 else b * c * value))
composed("addcdiv")(lambda a, b, c, value: a + (b / c if value == 1 else b / c * value))
composed("relu")(lambda x: maximum(x, 0))
composed("fmax")(lambda a, b: where(comparison.logical_or(comparison.greater_equal(a, b), _is_nan(b)), a, b))
composed("fmin")(lambda a, b: where(comparison.logical_or(comparison.less_equal(a, b), _is_nan(b)), a, b))


@composed("abs")
def absolute(x: NDArray) -> NDArray:
    """The greater of x and -x; the modulus of a complex number."""
    if x.dtype.is_complex:
        return arithmetic.hypot(real(x), imag(x))
    return copy(x) if x.dtype.kind in "bu" else maximum(x, -x)


@composed("sign")
def sign(x: NDArray) -> NDArray:
    """Compute -1, 0 or 1 by comparisons with 0; for complex x, `x / |x|`, and 0 at 0."""
    if x.dtype.is_complex:
        size = arithmetic.abs(x)
        return x / where(size == 0, full_like(size, 1), size)
    one, zero = full_like(x, 1), zeros_like(x)
    if x.dtype.kind in "bu":
        return where(x > 0, one, zero)
    return where(x > 0, one, where(x < 0, -one, zero))


@composed("clip")
def clip(x: NDArray, min: Any, max: Any) -> NDArray:
    """Compute `min(max(x, low), high)`, either bound left out where it is None."""
    x = x if min is None else maximum(x, min)
    return x if max is None else minimum(x, max)


@composed("hypot")
def hypot(a: Any, b: Any) -> Any:
    """Scaled by the greater, so that squares neither overflow nor vanish."""
    a, b = arithmetic.abs(a), arithmetic.abs(b)
    great, small = maximum(a, b), minimum(a, b)
    ratio = small / where(great == 0, full_like(great, 1), great)
    result = great * sqrt(1 + ratio * ratio)
    return where((great == math.inf), great, result)


# -- map, exponential and trigonometric -------------------------------------------------------------------------------

composed("exp2")(lambda x: exp(x * math.log(2)))
composed("log2")(lambda x: log(x) * (1 / math.log(2)))
composed("log10")(lambda x: log(x) * (1 / math.log(10)))
composed("tan")(lambda x: sin(x) / cos(x))
composed("asin")(lambda x: atan(x / sqrt((1 - x) * (1 + x))))
composed("acos")(lambda x: math.pi / 2 - exponential.asin(x))
composed("cosh")(lambda x: exp(x - math.log(2)) + exp(-x - math.log(2)))


@composed("expm1")
def expm1(x: NDArray) -> NDArray:
    """tanh(x / 2) * (exp(x) + 1): no cancellation near 0."""
    e = exp(x)
    return where(arithmetic.abs(x) < 1, tanh(x * 0.5) * (e + 1), e - 1)


@composed("log1p")
def log1p(x: NDArray) -> NDArray:
    """log(u) * x / (u - 1) with u = 1 + x rounded (Kahan): the rounding of u cancels."""
    u = 1 + x
    near = u == 1
    exact = log(u) * (x / where(near, full_like(u, 1), u - 1))
    return where(near, x, where(u == math.inf, u, exact))


@composed("sinh")
def sinh(x: NDArray) -> NDArray:
    """Compute `(exp(x) - exp(-x)) / 2`: by `expm1` near 0, where this cancels, and halved before it can overflow elsewhere."""
    small = expm1(x)
    near = (small + small / (small + 1)) * 0.5
    far = exp(x - math.log(2)) - exp(-x - math.log(2))
    return where(arithmetic.abs(x) < 1, near, far)


@composed("atan2")
def atan2(a: Any, b: Any) -> Any:
    """The angle by quadrant, of the point (b, a)."""
    on_axis, positive = b == 0, a > 0
    first = atan(a / where(on_axis, full_like(b, 1), b)) if is_array(b) else atan(a / (b or 1))
    half = where(positive, full_like(first, math.pi), where(a < 0, full_like(first, -math.pi), full_like(first, math.pi)))
    turned = where(b < 0, first + half, first)
    vertical = where(a == 0, a * 1.0 + zeros_like(first), half * 0.5)
    return where(on_axis, vertical, turned)


@composed("sigmoid")
def sigmoid(x: NDArray) -> NDArray:
    """Compute `1 / (1 + exp(-x))`."""
    return 1 / (1 + exp(-x))


@composed("silu")
def silu(x: NDArray) -> NDArray:
    """Compute `x * sigmoid(x)` as `x / (1 + exp(-x))`."""
    return x / (1 + exp(-x))


@composed("gelu")
def gelu(x: NDArray) -> NDArray:
    """Compute `x * (1 + erf(x / sqrt(2))) / 2`."""
    return x * (0.5 * (1 + erf(x * math.sqrt(0.5))))


@composed("softplus")
def softplus(x: NDArray) -> NDArray:
    """Compute `log(1 + exp(x))` as `max(x, 0) + log1p(exp(-|x|))`, which cannot overflow."""
    return maximum(x, 0) + exponential.log1p(exp(-arithmetic.abs(x)))


# -- map, rounding ----------------------------------------------------------------------------------------------------


def _identity_on_integers(rounding: Callable[[NDArray], NDArray]) -> Callable[[NDArray], NDArray]:
    return lambda x: rounding(x) if x.dtype.is_inexact else copy(x)


composed("ceil")(_identity_on_integers(lambda x: -floor(-x)))
composed("frac")(lambda x: x - rounding.trunc(x))
composed("trunc")(_identity_on_integers(lambda x: where(x < 0, -floor(-x), floor(x))))


@composed("round")
@_identity_on_integers
def round_half_even(x: NDArray) -> NDArray:
    """Round to the nearest integer, halfway cases to the even one; real and imaginary part each by itself."""
    if x.dtype.is_complex:
        return make_complex(rounding.round(real(x)), rounding.round(imag(x)))
    low = floor(x)
    rest = x - low
    odd = (low * 0.5) != floor(low * 0.5)
    upward = comparison.logical_or(rest > 0.5, comparison.logical_and(rest == 0.5, odd))
    return where(upward, low + 1, low)


@composed("cross")
def cross(a: NDArray, b: NDArray, axis: int) -> NDArray:
    """a[i] b[i+1] - a[i+1] b[i] belongs to i+2."""
    return roll(a * roll(b, -1, axis) - roll(a, -1, axis) * b, -1, axis)


# -- map, comparison and logic ----------------------------------------------------------------------------------------

composed("not_equal")(lambda a, b: _not(comparison.equal(a, b)))
composed("greater")(lambda a, b: comparison.less(b, a))
composed("greater_equal")(lambda a, b: comparison.less_equal(b, a))
composed("logical_not")(lambda x: comparison.equal(x, 0))
composed("logical_and")(lambda a, b: _truth(a) & _truth(b))
composed("logical_or")(lambda a, b: _truth(a) | _truth(b))
composed("logical_xor")(lambda a, b: _truth(a) ^ _truth(b))
composed("isnan")(_is_nan)
composed("isfinite")(lambda x: (x - x) == 0 if x.dtype.is_inexact else x == x)
composed("bitwise_invert")(lambda x: x ^ (True if x.dtype is dt.bool else -1 if x.dtype.kind == "i" else _all_ones(x)))
composed("bitwise_left_shift")(lambda a, b: a * _power_of_two(a, b))
composed("bitwise_right_shift")(lambda a, b: a // _power_of_two(a, b))


@composed("isinf")
def isinf(x: NDArray) -> NDArray:
    """Whether it, or one of its two parts, is as far from 0 as numbers go."""
    if x.dtype.is_complex:
        return comparison.logical_or(comparison.isinf(real(x)), comparison.isinf(imag(x)))
    return arithmetic.abs(x) == math.inf if x.dtype.is_inexact else x != x


def _not(x: NDArray) -> NDArray:
    return x ^ True


def _truth(x: Any) -> Any:
    return _not(comparison.equal(x, 0)) if is_array(x) else bool(x)


def _all_ones(x: NDArray) -> int:
    return int((1 << (8 * x.itemsize)) - 1)


def _power_of_two(a: Any, b: Any) -> Any:
    operand = a if is_array(a) else b
    return arithmetic.pow(full_like(operand, 2), b)


# -- reduce and scan --------------------------------------------------------------------------------------------------


def _count(x: NDArray, axes: tuple[int, ...]) -> int:
    return fold(lambda n, axis: n * x.shape[axis], axes, 1)


@composed("mean")
def mean(x: NDArray, axes: tuple[int, ...]) -> NDArray:
    """Compute the sum over the number of items; 16 bits are summed in 32."""
    wide = cast(x, x.flat.kernels.sibling(dt.float32)) if x.itemsize < 4 else x
    return cast(total(wide, axes) / _count(x, axes), x.flat.kernels)


composed("nansum")(lambda x, axes: total(where(_is_nan(x), 0.0, x) if x.dtype.is_inexact else x, axes))


@composed("nanmean")
def nanmean(x: NDArray, axes: tuple[int, ...]) -> NDArray:
    """Compute the sum of the items that are not NaN over their number; 16 bits are summed in 32."""
    wide = cast(x, x.flat.kernels.sibling(dt.float32)) if x.itemsize < 4 else x
    return cast(total(where(_is_nan(wide), 0.0, wide), axes) / total(wide == wide, axes), x.flat.kernels)


@composed("var")
def var(x: NDArray, axes: tuple[int, ...], correction: float) -> NDArray:
    """In two passes: distances from the mean, then their squares."""
    wide = cast(x, x.flat.kernels.sibling(dt.float32)) if x.itemsize < 4 else x
    distance = wide - total(wide, axes, True) / _count(x, axes)
    degrees = max(_count(x, axes) - correction, 0)
    parts = (real(distance), imag(distance)) if x.dtype.is_complex else (distance,)
    squares = total(fold(lambda a, b: a + b, [part * part for part in parts]), axes)
    return cast(squares / zeros_like(squares) if degrees == 0 else squares / degrees, x.flat.kernels.sibling(x.dtype.to_real()))


@composed("two_norm")
def two_norm(x: NDArray, axes: tuple[int, ...]) -> NDArray:
    """Compute `sqrt(sum(|x|**2))`; 16 bits are summed in 32."""
    size = arithmetic.abs(x)
    wide = cast(size, size.flat.kernels.sibling(dt.float32)) if size.itemsize < 4 else size
    return cast(arithmetic.sqrt(total(wide * wide, axes)), size.flat.kernels)


composed("any")(lambda x, axes: _fold_truth(greatest, x, axes, False))
composed("all")(lambda x, axes: _fold_truth(least, x, axes, True))


def _fold_truth(fold_over: Any, x: NDArray, axes: tuple[int, ...], empty: bool) -> NDArray:
    truth = _truth(x)
    if x.size:
        result: NDArray = fold_over(truth, axes)
        return result
    from ..creation.constructors import full

    return full(reduced_shape(x.shape, axes), empty, dtype=dt.bool, device=x.device)


@composed("logsumexp")
def logsumexp(x: NDArray, axes: tuple[int, ...]) -> NDArray:
    """Compute `log(sum(exp(x - m))) + m`, m being the greatest item (its real part), or 0 where that is not finite."""
    if not x.size:
        return log(total(x, axes))
    great = greatest(real(x), axes, True)
    finite = where(comparison.isfinite(great), great, zeros_like(great))
    return log(total(exp(x - finite), axes)) + view(finite, reduced_shape(x.shape, axes))


@composed("argmin")
def argmin(x: NDArray, axes: tuple[int, ...]) -> NDArray:
    """The greatest of what is turned upside down; NaN stays NaN, so it still wins."""
    turned = -x if x.dtype.kind in "if" and x.dtype.kind != "i" else bits.bitwise_invert(x)
    axis = axes[0] if len(axes) == 1 and x.ndim > 1 else None
    return argmax(turned, axis)


def _wide(x: NDArray) -> NDArray:
    """A copy that products do not leave: whole numbers in int64, those of 16 bits in float32."""
    kind = dt.int64 if not x.dtype.is_inexact else dt.float32 if x.itemsize < 4 else x.dtype
    return copy(x) if kind is x.dtype else cast(x, x.flat.kernels.sibling(kind))


def _doubled(op: str, combine: Callable[[NDArray, NDArray], NDArray], combined_in: Callable[[NDArray], NDArray] = copy) -> None:
    """A scan by doubling: after step k, each item combines the 2**k items up to it."""

    @composed(op)
    def scan(x: NDArray, axis: int) -> NDArray:
        result, reach, length = combined_in(x), 1, x.shape[axis]
        lead = (slice(None),) * axis
        while reach < length:
            later = combine(result[(*lead, slice(None, length - reach))], result[(*lead, slice(reach, None))])
            result = copy(result)
            result[(*lead, slice(reach, None))] = later
            reach *= 2
        return result


def _logaddexp(a: NDArray, b: NDArray) -> NDArray:
    """log(exp(a) + exp(b)), scaled by the greater real part."""
    great = maximum(real(a), real(b))
    shift = where(comparison.isfinite(great), great, zeros_like(great))
    return log(exp(a - shift) + exp(b - shift)) + shift


_doubled("cumprod", lambda a, b: a * b, _wide)
_doubled("running_max", lambda a, b: maximum(a, b))
_doubled("running_min", lambda a, b: minimum(a, b))
_doubled("logcumsumexp", _logaddexp)


@composed("products_of_others")
def products_of_others(x: Array, axis: int) -> Array:
    """The product of those before the item times that of those after it, so zeros need no division."""
    xp, lead = namespace(x), (slice(None),) * axis
    first = xp.ones_like(x[(*lead, slice(0, 1))])

    def before(items: Array) -> Array:
        return xp.concat([first, xp.cumprod(items, axis)[(*lead, slice(None, -1))]], axis)

    return before(x) * xp.flip(before(xp.flip(x, axis)), axis)


@composed("count_nonzero")
def count_nonzero(x: NDArray, axes: tuple[int, ...]) -> NDArray:
    """Sum `x != 0` over the axes."""
    return total(x != 0, axes)


# -- gather -----------------------------------------------------------------------------------------------------------

composed("gather")(lambda x, indices, axis: x[positions_along(indices, axis)])


# -- fused ------------------------------------------------------------------------------------------------------------


@composed("softmax")
def softmax(x: NDArray, axis: int) -> NDArray:
    """Compute `exp(x - m) / sum(exp(x - m))` along an axis, m being its greatest item."""
    if not x.size:
        return copy(x)
    e = exp(x - greatest(x, axis, True))
    return e / total(e, axis, True)


@composed("log_softmax")
def log_softmax(x: NDArray, axis: int) -> NDArray:
    """Compute `x - m - log(sum(exp(x - m)))` along an axis, m being its greatest item."""
    if not x.size:
        return copy(x)
    shifted = x - greatest(x, axis, True)
    return shifted - log(total(exp(shifted), axis, True))


@composed("linear")
def linear(x: NDArray, weight: NDArray, bias: NDArray | None) -> NDArray:
    """Compute `x @ weight.T + bias`."""
    product = x @ transpose(weight)
    return product if bias is None else product + bias
