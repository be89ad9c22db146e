"""Signs, neighbours, divisors, exponents and tolerances against NumPy, also where only decompositions compute them."""

import math

import numpy as np
import pytest

import lamina_ndarray as nd
from lamina_flatarray import DTypeError, ShapeError, UsageError
from lamina_flatarray.modes import STRICT, switched
from lamina_ndarray.decompositions import division
from lamina_ndarray.decompositions import hyperbolic as hyperbolic_decompositions
from lamina_ndarray.decompositions import sign as sign_decompositions

FLOATS = ["float16", "float32", "float64"]


def edges(dtype):
    info = np.finfo(dtype)
    least = info.smallest_subnormal
    values = [0, 1, 2, 0.5, 1.5, 0.75, 3, 123.4, 1e-3, info.tiny, info.max, np.inf, least, 3 * least, np.nan]
    return np.array([*values, *[-v for v in values]], dtype)


def pairs(dtype):
    return [a.ravel() for a in np.meshgrid(edges(dtype), edges(dtype))]


def same(ours, theirs):
    """Equal in every bit that counts: the sign of zeros, too."""
    ours = np.asarray(ours)
    assert ours.dtype == theirs.dtype
    np.testing.assert_array_equal(ours, theirs)
    real = ~np.isnan(theirs)
    np.testing.assert_array_equal(np.signbit(ours[real]), np.signbit(theirs[real]))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("of", [nd.nextafter, sign_decompositions.nextafter], ids=["kernel", "decomposition"])
def test_neighbours(of, dtype):
    a, b = pairs(dtype)
    same(of(nd.asarray(a), nd.asarray(b)), np.nextafter(a, b))


@pytest.mark.parametrize("dtype", FLOATS)
def test_signs(dtype):
    a, b = pairs(dtype)
    same(nd.copysign(nd.asarray(a), nd.asarray(b)), np.copysign(a, b))
    assert nd.signbit(nd.asarray(a)).tolist() == np.signbit(a).tolist()
    told = ~np.isnan(b)
    x, y = nd.asarray(a[told]), nd.asarray(b[told])
    same(sign_decompositions.copysign(x, y), np.copysign(a[told], b[told]))
    assert sign_decompositions.signbit(y).tolist() == np.signbit(b[told]).tolist()
    assert nd.signbit(nd.asarray([-3, 0, 3])).tolist() == [True, False, False]
    assert nd.signbit(nd.asarray([200], dtype=nd.uint8)).tolist() == [False]


def test_sign_and_round_of_complex_numbers():
    np.testing.assert_allclose(np.asarray(nd.sign(nd.asarray([3 + 4j, 0, -2j]))), np.complex64([0.6 + 0.8j, 0, -1j]), rtol=1e-6)
    assert nd.round(nd.asarray([2.5 + 3.5j, -0.4j])).tolist() == [2 + 4j, 0]


@pytest.mark.parametrize("dtype", FLOATS)
def test_mantissa_and_exponent(dtype):
    a = edges(dtype)
    mantissa, exponent = nd.frexp(nd.asarray(a))
    finite = np.isfinite(a)
    m, e = np.frexp(a[finite])
    same(np.asarray(mantissa)[finite], m)
    assert exponent.dtype is nd.int32
    assert np.asarray(exponent)[finite].tolist() == e.tolist()
    assert np.asarray(exponent)[~finite].tolist() == [0] * int((~finite).sum())
    with pytest.raises(DTypeError, match="frexp"):
        nd.frexp(nd.asarray([1]))


def test_powers_of_two_and_floats():
    assert nd.ldexp(nd.asarray([1.0, -3.0]), nd.asarray([4, -1])).tolist() == [16, -1.5]
    assert nd.ldexp(nd.asarray([1.0, -3.0]), -1).tolist() == [0.5, -1.5]
    assert nd.ldexp(nd.asarray([1, 0]), 1024).tolist() == pytest.approx([math.inf, math.nan], nan_ok=True)
    assert nd.ldexp(3.0, nd.asarray([1, 2])).tolist() == [6, 12]
    assert nd.float_power(nd.asarray([2, 3]), 0.5).dtype is nd.float64
    assert nd.float_power(2, nd.asarray([3.0, -1.0])).tolist() == [8, 0.5]
    assert nd.float_power(nd.asarray([1j]), 2).dtype is nd.complex128


@pytest.mark.parametrize("of", [nd.gcd, sign_decompositions.gcd], ids=["kernel", "decomposition"])
def test_divisors(of):
    a, b = [x.ravel() for x in np.meshgrid([0, 1, -4, 6, 54, -24, 7919], [0, 3, -6, 36, 24, -7919, 1])]
    np.testing.assert_array_equal(np.asarray(of(nd.asarray(a), nd.asarray(b))), np.gcd(a, b))
    np.testing.assert_array_equal(np.asarray(nd.lcm(nd.asarray(a), nd.asarray(b))), np.lcm(a, b))
    with pytest.raises(DTypeError, match="gcd"):
        nd.gcd(nd.asarray([1.0]), nd.asarray([2.0]))


@pytest.mark.parametrize(
    ("name", "numpys", "points"),
    [
        ("asinh", np.arcsinh, [0, -0.0, 1e-300, 1e-9, 0.3, -2, 1e9, -1e300, np.inf]),
        ("acosh", np.arccosh, [1, 1 + 1e-12, 1.5, 1e5, 1e9, 1e300, np.inf]),
        ("atanh", np.arctanh, [0, -0.0, 1e-300, -1e-9, 0.3, -0.999, 1]),
    ],
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_inverse_hyperbolic_functions(name, numpys, points):
    a = np.array(points)
    for of in (getattr(nd, name), getattr(hyperbolic_decompositions, name)):
        np.testing.assert_allclose(np.asarray(of(nd.asarray(a))), numpys(a), rtol=4e-16 * 4)
    z = np.array([0.3 + 0.4j, -2 + 1j, 5 - 3j])
    for of in (getattr(nd, name), getattr(hyperbolic_decompositions, name)):
        np.testing.assert_allclose(np.asarray(of(nd.asarray(z))), numpys(z), rtol=1e-14)


def test_logarithms_of_sums():
    a, b = np.array([0.0, 1000, -1000, -np.inf, np.inf, 1]), np.array([0.0, 999, -1000, -np.inf, 3, -np.inf])
    for name in ("logaddexp", "logaddexp2"):
        for of in (getattr(nd, name), getattr(hyperbolic_decompositions, name)):
            np.testing.assert_allclose(np.asarray(of(nd.asarray(a), nd.asarray(b))), getattr(np, name)(a, b), rtol=1e-15)
    z, w = np.array([1 + 2j, -0.5j]), np.array([0.3 - 1j, 2 + 0j])
    for of in (nd.logaddexp, hyperbolic_decompositions.logaddexp):
        np.testing.assert_allclose(np.asarray(of(nd.asarray(z), nd.asarray(w))), np.log(np.exp(z) + np.exp(w)), rtol=1e-13)
    with pytest.raises(DTypeError, match="logaddexp"):
        nd.logaddexp(nd.asarray([1]), nd.asarray([2]))


def test_numbers_win_over_nan():
    a, b = nd.asarray([1, math.nan, 2, math.nan]), nd.asarray([math.nan, 3, 1, math.nan])
    np.testing.assert_array_equal(np.asarray(nd.fmax(a, b)), [1, 3, 2, math.nan])
    np.testing.assert_array_equal(np.asarray(nd.fmin(a, b)), [1, 3, 1, math.nan])


def test_steps_and_fractions():
    assert nd.heaviside(nd.asarray([-2.0, 0, 3, math.nan]), nd.asarray(0.5)).tolist() == [0, 0.5, 1, 0]
    with pytest.raises(DTypeError, match="different dtypes"):
        nd.heaviside(nd.asarray([1.0]), nd.asarray([1]))
    np.testing.assert_allclose(np.asarray(nd.frac(nd.asarray([2.75, -2.75]))), [0.75, -0.75])
    np.testing.assert_allclose(np.asarray(nd.deg2rad(nd.asarray([180.0, 90]))), [math.pi, math.pi / 2], rtol=1e-6)
    assert nd.rad2deg(nd.asarray([0])).dtype is nd.float32
    for of in (nd.frac, nd.deg2rad, nd.isposinf):
        with pytest.raises(DTypeError, match=of.__name__):
            of(nd.asarray([1j]))


def test_angles():
    found = nd.angle(nd.asarray([1j, -1, 1 - 1j], dtype=nd.complex128))
    np.testing.assert_allclose(np.asarray(found), [math.pi / 2, math.pi, -math.pi / 4])
    np.testing.assert_array_equal(np.asarray(nd.angle(nd.asarray([-2.0, 0, 3, math.nan]))), np.float32([math.pi, 0, 0, math.nan]))
    assert nd.angle(nd.asarray([-2, 2])).dtype is nd.float32


def test_questions():
    x = nd.asarray([math.inf, -math.inf, math.nan, 1])
    assert nd.isposinf(x).tolist() == [True, False, False, False]
    assert nd.isneginf(x).tolist() == [False, True, False, False]
    assert nd.isreal(nd.asarray([1, 1j])).tolist() == [True, False]
    assert nd.isreal(x).tolist() == [True] * 4
    assert nd.nan_to_num(x, 7, posinf=8, neginf=9).tolist() == [8, 9, 7, 1]
    limits = np.finfo(np.float32)
    assert nd.nan_to_num(x).tolist() == [limits.max, limits.min, 0, 1]
    assert nd.nan_to_num(nd.asarray([complex(math.nan, math.inf)]), 1, 2).tolist() == [1 + 2j]
    with pytest.raises(DTypeError, match="positive"):
        nd.positive(nd.asarray([True]))


def test_tolerances():
    x = nd.asarray([1.0, math.inf, math.nan, 100.0])
    y = nd.asarray([1.000001, math.inf, math.nan, 101.0])
    assert nd.isclose(x, y).tolist() == [True, True, False, False]
    assert nd.isclose(x, y, rtol=0.02, equal_nan=True).tolist() == [True] * 4
    assert nd.isclose(x, y, rtol=0, atol=0).tolist() == [False, True, False, False]
    assert nd.isclose(nd.asarray([10, 10]), nd.asarray([10, 11]), 0, 1).tolist() == [True, True]
    for given in ((nd.asarray([1.0, 1.1, math.nan]), 1.0), (1, nd.asarray([1.0, 1.1, math.nan]))):
        assert nd.isclose(*given, equal_nan=True).tolist() == [True, False, False]
    assert nd.isclose(nd.asarray([1.0, math.nan]), math.nan, equal_nan=True).tolist() == [False, True]
    assert nd.allclose(x, y, rtol=0.02, equal_nan=True) is True
    assert nd.allclose(x, y) is False
    with pytest.raises(UsageError, match="rtol"):
        nd.isclose(x, y, rtol=-1)
    with pytest.raises(DTypeError, match="did not match"):
        nd.isclose(x, nd.asarray([1]))


def test_strict_mode_looks_at_what_the_user_calls_and_not_within():
    matrix, vector = nd.ones((2, 3)), nd.ones((3,))
    with switched(STRICT, True):
        for call in (nd.add, nd.where, nd.lcm, nd.isclose, nd.ldexp):
            operands = (matrix > 0, matrix, vector) if call is nd.where else (matrix, vector)
            if call is nd.lcm:
                operands = tuple(nd.astype(x, nd.int64) for x in operands)
            with pytest.raises(ShapeError, match="strict mode"):
                call(*operands)
        assert (matrix + nd.ones((1, 3)) + 2 + nd.asarray(1.0)).shape == (2, 3)
        assert nd.cov(matrix).shape == (2, 2)
        with pytest.raises(ShapeError, match="without copying"):
            nd.reshape(matrix.T, (6,))
    assert nd.add(matrix, vector).shape == (2, 3)


@pytest.mark.parametrize("of", [nd.remainder, division.remainder], ids=["kernel", "decomposition"])
def test_remainders_at_zero_and_infinity(of):
    inf, nan = math.inf, math.nan
    a = nd.asarray([1.0, -1.0, 1.0, -0.0, 0.0, 5.0, -5.0, 6.0, inf, 1.0], dtype=nd.float64)
    b = nd.asarray([inf, inf, -inf, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 0.0], dtype=nd.float64)
    result = of(a, b)
    assert np.array_equal(result.numpy(), [1.0, inf, -inf, 0.0, 0.0, 2.0, 1.0, 0.0, nan, nan], equal_nan=True)
