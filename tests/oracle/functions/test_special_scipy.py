"""Special functions in float64 against SciPy, over wide ranges; and in float32 against the same in float64."""

import numpy as np
import pytest
from scipy import special as sp

import lamina_ndarray as nd
from lamina_ndarray import special

LINE = np.concatenate([-np.logspace(2, -8, 500), [0.0], np.logspace(-8, 2, 500), np.linspace(-30, 30, 2001)])
HALF = np.concatenate([np.logspace(-10, 3, 1000), np.linspace(0.01, 30, 2000)])
HUGE = np.concatenate([HALF, np.logspace(3, 12, 200)])
UNIT = np.concatenate([np.logspace(-300, -1, 600), np.linspace(0.001, 0.999, 1001), 1 - np.logspace(-15, -1, 200)])
BELOW = -np.linspace(0.013, 20.2, 700)

ONE = {  # name: SciPy's function, arguments, rtol, atol
    "erfc": (sp.erfc, LINE, 1e-12, 1e-300),
    "erfcx": (sp.erfcx, np.concatenate([np.linspace(-26, 0, 500), HUGE]), 1e-12, 0),
    "erfinv": (sp.erfinv, np.concatenate([UNIT, -UNIT]), 1e-14, 0),
    "ndtr": (sp.ndtr, np.linspace(-37, 12, 2000), 1e-12, 0),
    "ndtri": (sp.ndtri, UNIT, 1e-14, 1e-15),
    "log_ndtr": (sp.log_ndtr, np.linspace(-300, 30, 2000), 1e-12, 0),
    "gammaln": (sp.gammaln, HUGE, 1e-12, 0),
    "psi": (sp.psi, HUGE, 1e-12, 2e-15),
    "i0": (sp.i0, LINE, 1e-12, 0),
    "i0e": (sp.i0e, LINE, 1e-14, 0),
    "i1": (sp.i1, LINE, 1e-12, 0),
    "i1e": (sp.i1e, LINE, 1e-14, 0),
    "bessel_j0": (sp.j0, LINE, 1e-12, 5e-15),
    "bessel_j1": (sp.j1, LINE, 1e-12, 5e-15),
    "bessel_y0": (sp.y0, HALF, 1e-12, 5e-15),
    "bessel_y1": (sp.y1, HALF, 1e-12, 5e-15),
    "modified_bessel_k0": (sp.k0, HALF[HALF < 700], 1e-12, 0),
    "modified_bessel_k1": (sp.k1, HALF[HALF < 700], 1e-12, 0),
    "scaled_modified_bessel_k0": (sp.k0e, HUGE, 1e-14, 0),
    "scaled_modified_bessel_k1": (sp.k1e, HUGE, 1e-14, 0),
    "airy_ai": (lambda x: sp.airy(x)[0], np.linspace(-40, 60, 3001), 1e-12, 2e-14),
    "entr": (sp.entr, LINE, 1e-14, 0),
    "logit": (sp.logit, UNIT, 1e-12, 4e-16),
    "sinc": (np.sinc, LINE, 1e-13, 1e-15),
    "spherical_bessel_j0": (lambda x: sp.spherical_jn(0, x), LINE, 1e-13, 1e-16),
}


def ours(function, *args, dtype=np.float64):
    return function(*(nd.asarray(np.asarray(a, dtype)) if isinstance(a, np.ndarray) else a for a in args)).numpy()


@pytest.mark.parametrize("name", ONE)
def test_of_one_number(name):
    function, x, rtol, atol = ONE[name]
    np.testing.assert_allclose(ours(getattr(special, name), x), function(x), rtol=rtol, atol=atol)


# Where the result is a small difference, or the argument's own rounding is magnified, as in a normal tail
ROUGH = {"ndtr": 2e-5, "log_ndtr": 2e-5, "psi": 2e-6, "sinc": 2e-6, "logit": 2e-6, "airy_ai": 2e-4}


@pytest.mark.parametrize("name", ONE)
def test_float32(name):
    """A few units in the last place of the true result for these very float32 arguments."""
    function, x, _, _ = ONE[name]
    x = x.astype(np.float32)
    with np.errstate(all="ignore"):
        expected = function(x.astype(np.float64)).astype(np.float32)
    small = np.abs(expected) < np.finfo(np.float32).tiny  # subnormal: fewer digits
    expected, x = expected[~small], x[~small]
    oscillates = name.startswith(("bessel", "airy", "sinc", "spherical")) or name in ("psi", "logit")
    np.testing.assert_allclose(
        ours(getattr(special, name), x, dtype=np.float32), expected, rtol=ROUGH.get(name, 2e-6),
        atol=(2e-5 if name == "airy_ai" else 6e-7) if oscillates else 0,
    )  # fmt: skip


@pytest.mark.parametrize(("ours_name", "theirs"), [("gammaln", sp.gammaln), ("psi", sp.psi)])
def test_gamma_below_zero(ours_name, theirs):
    np.testing.assert_allclose(ours(getattr(special, ours_name), BELOW), theirs(BELOW), rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 10, 20])
def test_polygamma(n):
    x = np.logspace(-3, 6, 400)
    np.testing.assert_allclose(ours(special.polygamma, n, x), sp.polygamma(n, x), rtol=1e-12)


def test_zeta():
    s, q = 1 + np.logspace(-4, 1.8, 150)[:, None], np.logspace(-2, 4, 151)[None]
    np.testing.assert_allclose(ours(special.zeta, s, q), sp.zeta(s, q), rtol=1e-12, atol=1e-300)
    assert np.isfinite(ours(special.zeta, s[:10], q, dtype=np.float32)).all()


SHAPES = np.logspace(-6, 5, 140)[:, None]
TIMES = np.concatenate([np.logspace(-3, 2, 120), np.linspace(0.5, 1.6, 121)])[None]


@pytest.mark.parametrize("name", ["gammainc", "gammaincc"])
@pytest.mark.parametrize("x", [SHAPES * TIMES, np.logspace(-3, 2, 161)[None]], ids=["near a", "any"])
def test_incomplete_gamma(name, x):
    a = np.broadcast_to(SHAPES, np.broadcast_shapes(SHAPES.shape, x.shape)).copy()
    x = np.broadcast_to(x, a.shape).copy()
    expected = getattr(sp, name)(a, x)
    found, normal = ours(getattr(special, name), a, x), expected > 1e-280
    rtol = np.where(expected > 1e-30, 2e-12, 3e-11)  # SciPy's own error, by mpmath, in the far tails
    assert (np.abs(found - expected) <= rtol * expected)[normal].all()
    single = ours(getattr(special, name), a.astype(np.float32), x.astype(np.float32), dtype=np.float32)
    rounded = getattr(sp, name)(a.astype(np.float32).astype(float), x.astype(np.float32).astype(float))
    np.testing.assert_allclose(single, rounded, rtol=5e-5, atol=2e-6)


@pytest.mark.parametrize("name", ["xlogy", "xlog1py"])
def test_products_with_logarithms(name):
    x, y = LINE[::20, None], np.append(LINE[::21], [-1.0, 0.0, np.inf, np.nan])[None]
    with np.errstate(all="ignore"):
        expected = getattr(sp, name)(x, y)
    np.testing.assert_allclose(ours(getattr(special, name), x, y), expected, rtol=1e-14)


def test_multigammaln():
    x = np.linspace(1.6, 80, 200)
    expected = [float(sp.multigammaln(v, 4)) for v in x]
    np.testing.assert_allclose(ours(special.multigammaln, x, 4), expected, rtol=1e-13, atol=1e-13)


POLYNOMIALS = {
    "chebyshev_polynomial_t": sp.eval_chebyt, "chebyshev_polynomial_u": sp.eval_chebyu,
    "shifted_chebyshev_polynomial_t": sp.eval_sh_chebyt, "shifted_chebyshev_polynomial_u": sp.eval_sh_chebyu,
    "hermite_polynomial_h": sp.eval_hermite, "hermite_polynomial_he": sp.eval_hermitenorm,
    "laguerre_polynomial_l": sp.eval_laguerre, "legendre_polynomial_p": sp.eval_legendre,
}  # fmt: skip


@pytest.mark.parametrize("name", POLYNOMIALS)
def test_polynomials(name):
    n = np.arange(0, 25)[:, None]
    x = np.linspace(-1.5, 2.0, 101)[None]
    expected = POLYNOMIALS[name](n, x)
    scale = np.abs(expected).max(1, keepdims=True)
    found = ours(getattr(special, name), x, n.astype(np.float64))
    np.testing.assert_allclose(found / scale, expected / scale, atol=1e-13)
