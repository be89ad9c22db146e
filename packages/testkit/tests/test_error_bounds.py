"""Each bound lets right algorithms pass, and refuses one that loses half of its digits or adds up carelessly."""

import numpy as np
import pytest

from lamina_testkit import error_bounds


def rounded(x, dtype):
    """Items with half of a dtype's digits."""
    mantissa, exponent = np.frexp(x)
    half = 2.0 ** ((np.finfo(dtype).nmant + 1) // 2)
    return np.ldexp(np.round(mantissa * half) / half, exponent)


def transformed(x, dtype, weight=lambda w: w):
    """By butterflies, in a dtype throughout."""
    n = x.shape[-1]
    if n == 1:
        return x.astype(dtype)
    even, odd = (transformed(part, dtype, weight) for part in (x[..., ::2], x[..., 1::2]))
    turns = weight(np.exp(-2j * np.pi * np.arange(n // 2) / n)).astype(dtype)
    return np.concatenate([even + turns * odd, even - turns * odd], -1)


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("n", [2, 16, 256, 4096])
def test_transforms(n, dtype):
    rng = np.random.default_rng(0)
    x = (rng.standard_normal((5, n)) + 1j * rng.standard_normal((5, n))).astype(dtype)
    exact, bound = transformed(x, "clongdouble"), error_bounds.transform(n, dtype)
    assert error_bounds.distance(transformed(x, dtype), exact) <= bound
    assert error_bounds.distance(np.fft.fft(x), exact) <= bound
    if n > 4:  # whose weights have two digits
        coarse = transformed(x, dtype, lambda w: rounded(w.real, dtype) + 1j * rounded(w.imag, dtype))
        assert error_bounds.distance(coarse, exact) > bound


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sums(dtype):
    x = np.full(1_000_000, 0.1, dtype)
    exact = x.astype("longdouble").sum()
    bound = error_bounds.sums(x.size, dtype) * exact
    error_bounds.assert_within(x.sum(), exact, bound)
    with pytest.raises(AssertionError):
        error_bounds.assert_within(np.cumsum(x)[-1], exact, bound)  # one after another


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_products_of_noise(dtype):
    a, b = np.random.default_rng(0).standard_normal((2, 300, 300)).astype(dtype)
    wide = [m.astype("longdouble") for m in (a, b)]
    exact, size = wide[0] @ wide[1], np.abs(wide[0]) @ np.abs(wide[1])
    bound = error_bounds.products_of_noise(dtype) * size
    error_bounds.assert_within(a @ b, exact, bound)
    one_after_another = sum(np.multiply.outer(a[:, k], b[k]) for k in range(300))
    error_bounds.assert_within(one_after_another, exact, bound)
    with pytest.raises(AssertionError):
        error_bounds.assert_within(rounded(a, dtype) @ b, exact, bound)


def test_normal_numbers():
    u, v = np.random.default_rng(0).random((2, 100_000))
    radius, angle = np.sqrt(-2 * np.log(1 - u)), 2 * np.pi * v
    wanted = 2.5 * (radius * np.cos(angle)) + 0.3
    exact = 2.5 * np.sqrt(-2 * np.log((1 - u).astype("longdouble"))) * np.cos(angle.astype("longdouble")) + 0.3
    bound = error_bounds.normal_numbers("float64") * (np.abs(wanted) + 0.3)
    error_bounds.assert_within(wanted, exact, bound)
    with pytest.raises(AssertionError):
        error_bounds.assert_within(wanted, 2.5 * rounded(radius, "float64") * np.cos(angle) + 0.3, bound)


def test_shapes_have_to_be_equal():
    with pytest.raises(AssertionError, match="shape"):
        error_bounds.assert_within(np.ones((2, 3)), np.ones(3), 1.0)


def test_what_is_not_a_number_has_to_be_none():
    error_bounds.assert_within([np.nan, np.inf, 1.0], [np.nan, np.inf, 1.0], 0.0)
    for found in ([0.0, np.inf, 1.0], [np.nan, -np.inf, 1.0], [np.nan, np.inf, np.nan]):
        with pytest.raises(AssertionError):
            error_bounds.assert_within(found, [np.nan, np.inf, 1.0], 1.0)
