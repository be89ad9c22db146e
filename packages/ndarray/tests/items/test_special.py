"""Special functions: published values, limits and poles, promotion, narrow dtypes, and the degrees of polynomials."""

import importlib
import math
import os
import subprocess
import sys

import numpy as np
import pytest

import lamina_ndarray as nd
from lamina_flatarray import DTypeError, ShapeError, UsageError
from lamina_flatarray.backends.kernel_table import decompositions
from lamina_ndarray import special
from lamina_ndarray.decompositions import special_functions

INF, NAN = math.inf, math.nan
EULER = 0.57721566490153286


def value(function, *args, dtype=nd.float64):
    """The function of numbers, as a number."""
    return float(function(*(nd.asarray(a, dtype=dtype) for a in args)))


KNOWN = [  # DLMF's tables and closed forms
    ("erfc", (0.5,), 0.47950012218695346), ("erfc", (10.0,), 2.0884875837625447e-45), ("erfc", (-2.0,), 1.9953222650189527),
    ("erfcx", (1.0,), 0.42758357615580700), ("erfcx", (1e10,), 5.6418958354775629e-11),
    ("erfinv", (0.5,), 0.47693627620446987), ("erfinv", (-0.999999,), -3.458910737275499),
    ("ndtr", (-10.0,), 7.6198530241605261e-24), ("ndtri", (1e-100,), -21.273453560965326),
    ("log_ndtr", (-40.0,), -804.6084420137538), ("log_ndtr", (9.0,), -1.1285884059538408e-19),
    ("gammaln", (0.5,), 0.5 * math.log(math.pi)), ("gammaln", (-1.5,), 0.86004701537648098),
    ("gammaln", (100.0,), 359.13420536957540), ("gammaln", (3.0,), math.log(2.0)),
    ("psi", (1.0,), -EULER), ("psi", (0.5,), -EULER - 2 * math.log(2.0)), ("psi", (-0.5,), 0.036489973978576520),
    ("zeta", (2.0, 1.0), math.pi**2 / 6), ("zeta", (4.0, 1.0), math.pi**4 / 90), ("zeta", (3.0, -0.5), 0.41439832211716),
    ("gammainc", (1.0, 2.0), -math.expm1(-2.0)), ("gammainc", (0.5, 1.0), math.erf(1.0)),
    ("gammaincc", (1.0, 50.0), math.exp(-50.0)), ("gammaincc", (0.5, 16.0), 1.5417257900280019e-08),
    ("gammainc", (100.0, 100.0), 0.51329879827914848), ("gammaincc", (1e6, 1e6), 0.4998670192391274),
    ("i0", (1.0,), 1.2660658777520084), ("i1", (-2.0,), -1.5906368546373291), ("i0e", (20.0,), 0.089780311884826022),
    ("i1e", (100.0,), 0.039744153025130250), ("bessel_j0", (1.0,), 0.76519768655796655),
    ("bessel_j0", (50.0,), 0.055812327669251746), ("bessel_j1", (-10.0,), -0.043472746168861437),
    ("bessel_y0", (1.0,), 0.088256964215676958), ("bessel_y1", (20.0,), -0.16551161436252129),
    ("modified_bessel_k0", (1.0,), 0.42102443824070834), ("modified_bessel_k1", (5.0,), 0.0040446134454521643),
    ("scaled_modified_bessel_k0", (100.0,), 0.12517562165912657),
    ("airy_ai", (0.0,), 0.35502805388781724), ("airy_ai", (-10.0,), 0.04024123848644319),
    ("airy_ai", (5.0,), 1.0834442813607442e-04), ("sinc", (0.5,), 2 / math.pi), ("logit", (0.75,), math.log(3.0)),
    ("entr", (0.5,), 0.5 * math.log(2.0)), ("xlogy", (2.0, 3.0), 2 * math.log(3.0)),
    ("xlog1py", (2.0, 1e-20), 2e-20), ("spherical_bessel_j0", (2.0,), math.sin(2.0) / 2),
]  # fmt: skip


@pytest.mark.parametrize(("name", "args", "expected"), KNOWN)
def test_known_values(name, args, expected):
    assert value(getattr(special, name), *args) == pytest.approx(expected, rel=4e-14)


@pytest.mark.parametrize(("name", "args", "_"), KNOWN)
def test_float32_is_as_good_as_float64_of_the_same_numbers(name, args, _):
    function, rounded = getattr(special, name), tuple(float(np.float32(a)) for a in args)
    assert value(function, *args, dtype=nd.float32) == pytest.approx(value(function, *rounded), rel=3e-6, abs=4e-7)


LIMITS = [
    ("erfc", (INF,), 0.0), ("erfc", (-INF,), 2.0), ("erfcx", (-INF,), INF), ("erfcx", (INF,), 0.0),
    ("erfinv", (1.0,), INF), ("erfinv", (-1.0,), -INF), ("erfinv", (1.5,), NAN), ("ndtri", (0.0,), -INF),
    ("ndtri", (1.0,), INF), ("ndtri", (-0.1,), NAN), ("log_ndtr", (-INF,), -INF), ("log_ndtr", (INF,), 0.0),
    ("gammaln", (0.0,), INF), ("gammaln", (-3.0,), INF), ("gammaln", (-INF,), INF), ("gammaln", (INF,), INF),
    ("gammaln", (1.0,), 0.0), ("gammaln", (2.0,), 0.0),
    ("psi", (0.0,), -INF), ("psi", (-0.0,), INF), ("psi", (-2.0,), NAN), ("psi", (INF,), INF),
    ("zeta", (1.0, 2.0), INF), ("zeta", (0.5, 2.0), NAN), ("zeta", (2.0, -3.0), INF), ("zeta", (2.5, -0.5), NAN),
    ("zeta", (INF, 1.0), 1.0), ("zeta", (2.0, INF), 0.0),
    ("gammainc", (0.0, 1.0), 1.0), ("gammainc", (1.0, 0.0), 0.0), ("gammainc", (0.0, 0.0), NAN),
    ("gammainc", (1.0, INF), 1.0), ("gammainc", (INF, 1.0), 0.0), ("gammainc", (INF, INF), NAN),
    ("gammainc", (-1.0, 1.0), NAN), ("gammaincc", (1.0, -1.0), NAN), ("gammaincc", (1.0, 0.0), 1.0),
    ("i0", (-INF,), NAN), ("i1", (-INF,), NAN), ("i1", (0.0,), 0.0), ("i0", (0.0,), 1.0), ("i0e", (INF,), 0.0),
    ("bessel_j0", (INF,), 0.0), ("bessel_j1", (0.0,), 0.0), ("bessel_y0", (0.0,), -INF), ("bessel_y1", (0.0,), -INF),
    ("bessel_y0", (-1.0,), NAN), ("bessel_y1", (-20.0,), NAN), ("modified_bessel_k0", (0.0,), INF),
    ("modified_bessel_k1", (0.0,), INF), ("modified_bessel_k1", (-1.0,), NAN), ("modified_bessel_k0", (INF,), 0.0),
    ("airy_ai", (INF,), 0.0), ("airy_ai", (-INF,), 0.0), ("sinc", (0.0,), 1.0), ("logit", (0.0,), -INF),
    ("logit", (1.0,), INF), ("logit", (2.0,), NAN), ("entr", (0.0,), 0.0), ("entr", (-1.0,), -INF),
    ("xlogy", (0.0, 0.0), 0.0), ("xlogy", (0.0, INF), 0.0), ("xlogy", (0.0, -1.0), 0.0), ("xlogy", (0.0, NAN), NAN),
    ("xlogy", (1.0, 0.0), -INF), ("xlog1py", (0.0, -1.0), 0.0), ("xlog1py", (0.0, NAN), NAN),
    ("spherical_bessel_j0", (0.0,), 1.0), ("spherical_bessel_j0", (-INF,), 0.0),
]  # fmt: skip


@pytest.mark.parametrize("dtype", [nd.float64, nd.float32, nd.float16])
@pytest.mark.parametrize(("name", "args", "expected"), LIMITS)
def test_limits_and_poles(name, args, expected, dtype):
    np.testing.assert_equal(value(getattr(special, name), *args, dtype=dtype) + 0.0, expected)  # -0 is 0, too


UNARY = sorted({name for name, args, _ in KNOWN if len(args) == 1})


@pytest.mark.parametrize("name", UNARY)
def test_nan_stays_and_empty_is_empty(name):
    function = getattr(special, name)
    assert math.isnan(value(function, NAN))
    assert function(nd.zeros((0, 3))).shape == (0, 3)


@pytest.mark.parametrize("name", UNARY)
def test_integers_become_the_default_float_and_complex_is_refused(name):
    function = getattr(special, name)
    found = function(nd.asarray([1, 2], dtype=nd.int64))
    assert found.dtype is nd.float32
    np.testing.assert_allclose(found.numpy(), function(nd.asarray([1.0, 2.0])).numpy())
    if name != "sinc":  # which is entire
        with pytest.raises(DTypeError):
            function(nd.asarray([1j]))


@pytest.mark.parametrize("dtype", [nd.float16, nd.bfloat16])
@pytest.mark.parametrize("name", ["erfc", "gammaln", "i0", "bessel_j0", "erfinv"])
def test_narrow_floats_are_rounded_once(name, dtype):
    x = nd.asarray([0.11, 0.37, 0.5, 0.83, 0.96], dtype=dtype)
    function = getattr(special, name)
    expected = nd.astype(function(nd.astype(x, nd.float32)), dtype)
    assert function(x).dtype is dtype
    assert bool(nd.all(function(x) == expected))


def test_operands_broadcast_and_may_be_numbers():
    a, x = nd.asarray([[0.5], [3.0], [40.0]], dtype=nd.float64), nd.asarray([1.0, 30.0, 45.0], dtype=nd.float64)
    p, q = special.gammainc(a, x), special.gammaincc(a, x)
    assert p.shape == (3, 3)
    np.testing.assert_allclose((p + q).numpy(), 1.0, rtol=1e-14)
    np.testing.assert_array_equal(special.gammainc(3.0, x).numpy(), p.numpy()[1])
    np.testing.assert_array_equal(special.gammaincc(a, 30.0).numpy()[:, 0], q.numpy()[:, 1])
    for f in (special.xlogy, special.xlog1py):
        np.testing.assert_allclose(f(x, 3.0).numpy(), f(x, nd.asarray(3.0, dtype=nd.float64)).numpy(), rtol=1e-15)
        assert f(3.0, x).dtype is nd.float64
    zeros = nd.zeros((2,))
    assert special.xlogy(zeros, 0.0).numpy().tolist() == [0.0, 0.0]
    assert np.isnan(special.xlogy(zeros, math.nan).numpy()).all()


def test_strided_views_and_out():
    x = nd.asarray(np.linspace(0.5, 9.0, 24).reshape(4, 6))
    np.testing.assert_array_equal(special.gammaln(x.T[::2, ::-1]).numpy(), special.gammaln(x).numpy().T[::2, ::-1])
    out = nd.zeros((4, 6), dtype=nd.float64)
    assert nd.lgamma(x, out=out) is out
    np.testing.assert_array_equal(out.numpy(), special.gammaln(x).numpy())


def test_polygamma():
    assert float(special.polygamma(1, nd.asarray(1.0, dtype=nd.float64))) == pytest.approx(math.pi**2 / 6, rel=1e-15)
    x = nd.asarray([-2.3, -0.5, 0.25, 1.0, 7.5], dtype=nd.float64)
    np.testing.assert_array_equal(special.polygamma(0, x).numpy(), special.psi(x).numpy())
    for n in (1, 2, 3, 6):  # psi_n(x + 1) = psi_n(x) + (-1)**n n! / x**(n + 1)
        step = (-1) ** n * math.factorial(n) / x.numpy() ** (n + 1)
        found = special.polygamma(n, x + 1).numpy() - special.polygamma(n, x).numpy()
        np.testing.assert_allclose(found, step, rtol=1e-9)
    assert float(special.polygamma(2, nd.asarray(0.0))) == -math.inf
    assert float(special.polygamma(3, nd.asarray(-4.0))) == math.inf
    assert float(special.polygamma(2, nd.asarray(math.inf))) == 0.0
    with pytest.raises(UsageError, match="negative"):
        special.polygamma(-1, x)
    with pytest.raises(DTypeError, match="order"):
        special.polygamma(nd.asarray([1.0]), nd.asarray([1.0]))


def test_multigammaln():
    a = nd.asarray([2.5, 4.0], dtype=nd.float64)
    expected = [sum(math.lgamma(v - j / 2) for j in range(3)) + 1.5 * math.log(math.pi) for v in (2.5, 4.0)]
    np.testing.assert_allclose(special.multigammaln(a, 3).numpy(), expected, rtol=1e-14)
    with pytest.raises(ShapeError, match="p has to be"):
        special.multigammaln(a, 0)


def test_logit_holds_x_within_eps():
    np.testing.assert_allclose(special.logit(nd.asarray([0.0, 0.5, 1.0]), 0.25).numpy(), [-math.log(3), 0, math.log(3)],
                               rtol=1e-6)  # fmt: skip


# -- polynomials ------------------------------------------------------------------------------------------------------

X = np.array([-1.5, -1.0, -0.3, 0.0, 0.7, 1.0, 2.5])
CUBICS = {
    "chebyshev_polynomial_t": 4 * X**3 - 3 * X, "chebyshev_polynomial_u": 8 * X**3 - 4 * X,
    "chebyshev_polynomial_v": 8 * X**3 - 4 * X**2 - 4 * X + 1, "chebyshev_polynomial_w": 8 * X**3 + 4 * X**2 - 4 * X - 1,
    "hermite_polynomial_h": 8 * X**3 - 12 * X, "hermite_polynomial_he": X**3 - 3 * X,
    "laguerre_polynomial_l": (-(X**3) + 9 * X**2 - 18 * X + 6) / 6, "legendre_polynomial_p": (5 * X**3 - 3 * X) / 2,
}  # fmt: skip


@pytest.mark.parametrize("name", CUBICS)
def test_polynomials_of_degree_three(name):
    np.testing.assert_allclose(getattr(special, name)(nd.asarray(X), 3).numpy(), CUBICS[name], rtol=1e-13, atol=1e-13)
    if name.startswith("chebyshev"):
        shifted = getattr(special, f"shifted_{name}")(nd.asarray((X + 1) / 2), 3).numpy()
        np.testing.assert_allclose(shifted, CUBICS[name], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", CUBICS)
def test_each_item_may_have_its_own_degree(name):
    function, x = getattr(special, name), nd.asarray(X)
    degrees = nd.asarray([[-2.0], [0.0], [1.9], [4.0], [17.0]], dtype=nd.float64)
    found = function(x, degrees)
    assert found.shape == (5, 7)
    for row, n in enumerate((-2, 0, 1, 4, 17)):
        np.testing.assert_array_equal(found.numpy()[row], function(x, n).numpy())
    assert not found.numpy()[0].any()
    assert (found.numpy()[1] == 1).all()
    assert function(2.0, nd.asarray([3, 4])).dtype is nd.float32
    assert function(nd.zeros((0,)), 3).shape == (0,)
    assert np.isnan(function(x, nd.asarray(math.nan)).numpy()).all()


def test_chebyshev_is_a_cosine():
    angle = np.linspace(0, math.pi, 50)
    found = special.chebyshev_polynomial_t(nd.asarray(np.cos(angle)), 40).numpy()
    np.testing.assert_allclose(found, np.cos(40 * angle), atol=1e-12)


# -- loading ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", special_functions.FILES)
def test_a_file_computes_the_ops_that_are_listed_for_it(file):
    importlib.import_module(f"lamina_ndarray.special.{file}")
    for op in special_functions.FILES[file]:
        assert decompositions[op].__module__ != special_functions.__name__, f"{file} does not compute {op}"


def test_coefficients_are_not_loaded_before_they_are_needed():
    code = (
        "import sys, lamina_ndarray as nd\n"
        "name = 'lamina_ndarray.special.coefficients'\n"
        "before = name in sys.modules\n"
        "nd.special.erfc(nd.zeros(2))\n"
        "print(before, name in sys.modules)"
    )
    environment = {**os.environ, "LAMINA_BACKEND": "numpy"}  # others may have a kernel of their own
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert shown.stdout.split() == ["False", "True"]
