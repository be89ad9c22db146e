"""Special functions, item by item.

Written by `generate/ndarray_elementwise.py` from the op table: change it there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .dispatcher import MapOp, binary, unary
from .operands.checked import polygamma_of_order

if TYPE_CHECKING:
    from ..array import NDArray

__all__ = [
    "airy_ai", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "digamma", "entr", "erf", "erfc", "erfcx", "erfinv",
    "i0", "i0e", "i1", "i1e", "igamma", "igammac", "lgamma", "log_ndtr", "modified_bessel_k0", "modified_bessel_k1",
    "ndtri", "polygamma", "scaled_modified_bessel_k0", "scaled_modified_bessel_k1", "sinc", "xlog1py", "xlogy", "zeta",
]  # fmt: skip


_ERF: Final = MapOp("erf")


def erf(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the error function, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.erf(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([0.2763, 0.5205, 0.8427])
    """
    return unary(_ERF, x, out)


_XLOGY: Final = MapOp("xlogy")


def xlogy(a: NDArray | float, b: NDArray | float, /, out: NDArray | None = None) -> NDArray:
    """Compute a * log(b), item by item; it is 0 where a is 0, unless b is NaN.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.xlogy(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([3.0, 2.0, 1.0]))
    NDArray([1.0986, 1.3863, 0.0000])
    """
    return binary(_XLOGY, a, b, out)


_XLOG1PY: Final = MapOp("xlog1py")


def xlog1py(a: NDArray | float, b: NDArray | float, /, out: NDArray | None = None) -> NDArray:
    """Compute a * log(1 + b), accurate for small b, and 0 where a is 0, whatever b is but NaN, item by item.

    Args:
        a: an array or a number.
        b: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.xlog1py(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([3.0, 2.0, 1.0]))
    NDArray([1.3863, 2.1972, 2.0794])
    """
    return binary(_XLOG1PY, a, b, out)


_ENTR: Final = MapOp("entr")


def entr(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the entropy of one probability: -x * log(x), 0 at 0, -inf below, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.entr(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([0.3466, 0.3466, -0.0000])
    """
    return unary(_ENTR, x, out)


_SINC: Final = MapOp("sinc")


def sinc(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute sin(pi x) / (pi x), item by item; it is 1 at 0.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.sinc(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([ 9.0032e-01,  6.3662e-01, -2.7828e-08])
    """
    return unary(_SINC, x, out)


_ERFC: Final = MapOp("erfc")


def erfc(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute 1 - erf(x), item by item, accurately where it is small; NaN stays.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.erfc(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([0.7237, 0.4795, 0.1573])
    """
    return unary(_ERFC, x, out)


_ERFCX: Final = MapOp("erfcx")


def erfcx(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute exp(x*x) * erfc(x), without underflow, item by item; inf below -27.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.erfcx(nd.asarray([0.0, 1.0, 100.0]))
    NDArray([1.0000, 0.4276, 0.0056])
    """
    return unary(_ERFCX, x, out)


_ERFINV: Final = MapOp("erfinv")


def erfinv(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the inverse of the error function at x, item by item; it is infinite at -1 and 1, and NaN outside of [-1, 1].

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.erfinv(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([0.2253, 0.4769,    inf])
    """
    return unary(_ERFINV, x, out)


_NDTRI: Final = MapOp("ndtri")


def ndtri(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the quantile of the normal distribution, item by item; -inf at 0, inf at 1, NaN outside.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.ndtri(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([-0.6745,  0.0000,     inf])
    """
    return unary(_NDTRI, x, out)


_LOG_NDTR: Final = MapOp("log_ndtr")


def log_ndtr(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the log of the normal distribution function, accurate in both tails, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.log_ndtr(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([-0.5130, -0.3689, -0.1728])
    """
    return unary(_LOG_NDTR, x, out)


_LGAMMA: Final = MapOp("lgamma")


def lgamma(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the logarithm of |gamma(x)|, item by item; it is inf at 0, -1, -2 and so on, and at both infinities.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.lgamma(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([1.2880, 0.5724, 0.0000])
    """
    return unary(_LGAMMA, x, out)


_DIGAMMA: Final = MapOp("digamma")


def digamma(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the derivative of lgamma at x, item by item; it is -inf at 0, inf at -0, and NaN at -1, -2 and so on.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.digamma(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([-4.2275, -1.9635, -0.5772])
    """
    return unary(_DIGAMMA, x, out)


_POLYGAMMA: Final = MapOp("polygamma")


def polygamma(n: int, x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """n-th derivative of digamma, n a Python integer >= 0; for n >= 1 infinite at 0, -1, -2, ...

    Args:
        n: the order of the derivative, 0 or more.
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, n is not a Python integer, or the result cannot be cast to out's dtype.
        UsageError: n is negative.
        ShapeError: `out` has another shape.

    >>> nd.polygamma(1, nd.asarray([0.5, 1.0, 2.0]))
    NDArray([4.9348, 1.6449, 0.6449])
    """
    return polygamma_of_order(_POLYGAMMA, n, x, out)


_ZETA: Final = MapOp("zeta")


def zeta(s: NDArray | float, q: NDArray | float, /, out: NDArray | None = None) -> NDArray:
    """Compute Hurwitz's: sum of (q + k)**-s over k >= 0, item by item; inf at s = 1 and at q = 0, -1, ..., NaN for s < 1, and
    where q < 0 and s is no integer.

    Args:
        s: an array or a number.
        q: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.zeta(nd.asarray([2.0, 3.0, 4.0]), 1.0)
    NDArray([1.6449, 1.2021, 1.0823])
    """
    return binary(_ZETA, s, q, out)


_IGAMMA: Final = MapOp("igamma")


def igamma(a: NDArray | float, x: NDArray | float, /, out: NDArray | None = None) -> NDArray:
    """Compute the regularised lower incomplete gamma function P(a, x), item by item; NaN where an argument is negative, or both
    are 0 or infinite.

    Args:
        a: an array or a number.
        x: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.igamma(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([3.0, 2.0, 1.0]))
    NDArray([0.9502, 0.5940, 0.0803])
    """
    return binary(_IGAMMA, a, x, out)


_IGAMMAC: Final = MapOp("igammac")


def igammac(a: NDArray | float, x: NDArray | float, /, out: NDArray | None = None) -> NDArray:
    """Compute 1 - igamma(a, x), the regularised upper incomplete gamma function, item by item, accurately where it is small.

    Args:
        a: an array or a number.
        x: an array or a number.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the broadcast shape, in the dtype of the operands together, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        DeviceError: the operands are on different devices.
        ShapeError: the shapes do not broadcast, or `out` has another shape.

    >>> nd.igammac(nd.asarray([1.0, 2.0, 3.0]), nd.asarray([3.0, 2.0, 1.0]))
    NDArray([0.0498, 0.4060, 0.9197])
    """
    return binary(_IGAMMAC, a, x, out)


_I0: Final = MapOp("i0")


def i0(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the modified Bessel function of the first kind of order 0 at x, item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.i0(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([1.0157, 1.0635, 1.2661])
    """
    return unary(_I0, x, out)


_I0E: Final = MapOp("i0e")


def i0e(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute exp(-|x|) * i0(x), item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.i0e(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([0.7910, 0.6450, 0.4658])
    """
    return unary(_I0E, x, out)


_I1: Final = MapOp("i1")


def i1(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the modified Bessel function of the first kind, order 1, item by item; odd.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.i1(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([0.1260, 0.2579, 0.5652])
    """
    return unary(_I1, x, out)


_I1E: Final = MapOp("i1e")


def i1e(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute exp(-|x|) * i1(x), item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.i1e(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([0.0981, 0.1564, 0.2079])
    """
    return unary(_I1E, x, out)


_BESSEL_J0: Final = MapOp("bessel_j0")


def bessel_j0(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the Bessel function of the first kind, order 0, item by item; even, 0 at infinity.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.bessel_j0(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([0.9844, 0.9385, 0.7652])
    """
    return unary(_BESSEL_J0, x, out)


_BESSEL_J1: Final = MapOp("bessel_j1")


def bessel_j1(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the Bessel function of the first kind, order 1, item by item; odd, 0 at infinity.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.bessel_j1(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([0.1240, 0.2423, 0.4401])
    """
    return unary(_BESSEL_J1, x, out)


_BESSEL_Y0: Final = MapOp("bessel_y0")


def bessel_y0(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the Bessel function of the second kind, order 0, item by item; -inf at 0, NaN below.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.bessel_y0(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([-0.9316, -0.4445,  0.0883])
    """
    return unary(_BESSEL_Y0, x, out)


_BESSEL_Y1: Final = MapOp("bessel_y1")


def bessel_y1(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the Bessel function of the second kind, order 1, item by item; -inf at 0, NaN below.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.bessel_y1(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([-2.7041, -1.4715, -0.7812])
    """
    return unary(_BESSEL_Y1, x, out)


_MODIFIED_BESSEL_K0: Final = MapOp("modified_bessel_k0")


def modified_bessel_k0(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the modified Bessel function of the second kind, order 0, item by item; inf at 0, NaN below.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.modified_bessel_k0(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([1.5415, 0.9244, 0.4210])
    """
    return unary(_MODIFIED_BESSEL_K0, x, out)


_MODIFIED_BESSEL_K1: Final = MapOp("modified_bessel_k1")


def modified_bessel_k1(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute the modified Bessel function of the second kind, order 1, item by item; inf at 0, NaN below.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.modified_bessel_k1(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([3.7470, 1.6564, 0.6019])
    """
    return unary(_MODIFIED_BESSEL_K1, x, out)


_SCALED_MODIFIED_BESSEL_K0: Final = MapOp("scaled_modified_bessel_k0")


def scaled_modified_bessel_k0(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute exp(x) * modified_bessel_k0(x), item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.scaled_modified_bessel_k0(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([1.9793, 1.5241, 1.1445])
    """
    return unary(_SCALED_MODIFIED_BESSEL_K0, x, out)


_SCALED_MODIFIED_BESSEL_K1: Final = MapOp("scaled_modified_bessel_k1")


def scaled_modified_bessel_k1(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute exp(x) * modified_bessel_k1(x), item by item.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.scaled_modified_bessel_k1(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([4.8113, 2.7310, 1.6362])
    """
    return unary(_SCALED_MODIFIED_BESSEL_K1, x, out)


_AIRY_AI: Final = MapOp("airy_ai")


def airy_ai(x: NDArray, /, out: NDArray | None = None) -> NDArray:
    """Compute Airy's function Ai, item by item; 0 at both infinities.

    Args:
        x: an array.
        out: where the result goes, if not to a new array.

    Returns:
        An array of the same shape, in x's dtype, which is the default one for integers.

    Raises:
        DTypeError: the operands are complex, or the result cannot be cast to out's dtype.
        ShapeError: `out` has another shape.

    >>> nd.airy_ai(nd.asarray([0.25, 0.5, 1.0]))
    NDArray([0.2912, 0.2317, 0.1353])
    """
    return unary(_AIRY_AI, x, out)
