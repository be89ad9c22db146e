"""Special functions, item by item."""

from typing import Final

from .op import Op

__all__ = ["ROWS"]

ROWS: Final = (
    Op("xlogy", "map", "a b", "float_real", "Compute a * log(b), item by item; it is 0 where a is 0, unless b is NaN."),
    Op("xlog1py", "map", "a b", "float_real", "a * log(1 + b), accurate for small b, and 0 where a is 0, whatever b is but NaN",
       aten="special_xlog1py"),
    Op("entr", "map", "x", "float_real", "the entropy of one probability: -x * log(x), 0 at 0, -inf below", aten="special_entr"),
    Op("sinc", "map", "x", "float", "Compute sin(pi x) / (pi x), item by item; it is 1 at 0."),
    Op("erfc", "map", "x", "float_real", "Compute 1 - erf(x), item by item, accurately where it is small; NaN stays."),
    Op("erfcx", "map", "x", "float_real", "exp(x*x) * erfc(x), without underflow; inf below -27", aten="special_erfcx"),
    Op("erfinv", "map", "x", "float_real",
       "Compute the inverse of the error function at x, item by item; it is infinite at -1 and 1, and NaN outside of [-1, 1].",
       domain="unit"),
    Op("ndtri", "map", "x", "float_real", "quantile of the normal distribution; -inf at 0, inf at 1, NaN outside",
       aten="special_ndtri", domain="probability"),
    Op("log_ndtr", "map", "x", "float_real", "log of the normal distribution function, accurate in both tails",
       aten="special_log_ndtr"),
    Op("lgamma", "map", "x", "float_real",
       "Compute the logarithm of |gamma(x)|, item by item; it is inf at 0, -1, -2 and so on, and at both infinities."),
    Op("digamma", "map", "x", "float_real",
       "Compute the derivative of lgamma at x, item by item; it is -inf at 0, inf at -0, and NaN at -1, -2 and so on."),
    Op("polygamma", "map", "x: n", "float_real",
       "n-th derivative of digamma, n a Python integer >= 0; for n >= 1 infinite at 0, -1, -2, ...", samples="polygamma"),
    Op("zeta", "map", "s q", "float_real",
       "Hurwitz's: sum of (q + k)**-s over k >= 0; inf at s = 1 and at q = 0, -1, ..., NaN for s < 1, and where q < 0 and s is"
       " no integer", aten="special_zeta", domain="above_one"),
    Op("igamma", "map", "a x", "float_real",

       "Compute the regularised lower incomplete gamma function P(a, x), item by item; NaN where an argument is negative, or both are"
       " 0 or infinite.",
       domain="positive"),
    Op("igammac", "map", "a x", "float_real",
       "Compute 1 - igamma(a, x), the regularised upper incomplete gamma function, item by item, accurately where it is small.",
       domain="positive"),
    Op("i0", "map", "x", "float_real", "Compute the modified Bessel function of the first kind of order 0 at x, item by item."),
    Op("i0e", "map", "x", "float_real", "exp(-|x|) * i0(x)", aten="special_i0e"),
    Op("i1", "map", "x", "float_real", "modified Bessel function of the first kind, order 1; odd", aten="special_i1"),
    Op("i1e", "map", "x", "float_real", "exp(-|x|) * i1(x)", aten="special_i1e"),
    Op("bessel_j0", "map", "x", "float_real", "Bessel function of the first kind, order 0; even, 0 at infinity",
       aten="special_bessel_j0"),
    Op("bessel_j1", "map", "x", "float_real", "Bessel function of the first kind, order 1; odd, 0 at infinity",
       aten="special_bessel_j1"),
    Op("bessel_y0", "map", "x", "float_real", "Bessel function of the second kind, order 0; -inf at 0, NaN below",
       aten="special_bessel_y0", domain="positive"),
    Op("bessel_y1", "map", "x", "float_real", "Bessel function of the second kind, order 1; -inf at 0, NaN below",
       aten="special_bessel_y1", domain="positive"),
    Op("modified_bessel_k0", "map", "x", "float_real", "modified Bessel function of the second kind, order 0; inf at 0, NaN below",
       aten="special_modified_bessel_k0", domain="positive"),
    Op("modified_bessel_k1", "map", "x", "float_real", "modified Bessel function of the second kind, order 1; inf at 0, NaN below",
       aten="special_modified_bessel_k1", domain="positive"),
    Op("scaled_modified_bessel_k0", "map", "x", "float_real", "exp(x) * modified_bessel_k0(x)",
       aten="special_scaled_modified_bessel_k0", domain="positive"),
    Op("scaled_modified_bessel_k1", "map", "x", "float_real", "exp(x) * modified_bessel_k1(x)",
       aten="special_scaled_modified_bessel_k1", domain="positive"),
    Op("airy_ai", "map", "x", "float_real", "Airy's function Ai; 0 at both infinities", aten="special_airy_ai"),
)
