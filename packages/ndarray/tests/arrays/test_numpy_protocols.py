"""NumPy's functions of our arrays: computed here where there is such a function, else by NumPy on the same memory."""

import numpy as np
import pytest

import lamina_ndarray as nd
from lamina_ndarray.numpy_protocols import FUNCTIONS, UFUNCS

A = np.array([[0.25, 0.5], [0.75, 1.0]], np.float32)


@pytest.fixture
def x():
    made = nd.asarray(A)
    if not made.backend.host:
        pytest.skip("NumPy computes on host memory only")
    return made


@pytest.mark.parametrize("ufunc", UFUNCS, ids=lambda ufunc: ufunc.__name__)
def test_every_ufunc_gives_an_array(ufunc, x):
    whole = "ii->i" in ufunc.types and "ff->f" not in ufunc.types and "f->f" not in ufunc.types and "f->?" not in ufunc.types
    y, b = (nd.asarray([[1, 2], [3, 4]]), np.array([[1, 2], [3, 4]])) if whole or ufunc is np.invert else (x, A)
    if ufunc is np.arccosh:
        y, b = x + 1, A + 1
    with np.errstate(all="ignore"):
        wanted = ufunc(*[b] * ufunc.nin)
    got = ufunc(*[y] * ufunc.nin)
    assert type(got) is nd.NDArray
    np.testing.assert_allclose(np.asarray(got), wanted, rtol=1e-6)


def test_ufuncs_write_to_our_arrays(x):
    out = nd.zeros((2, 2))
    before = out.flat.version
    assert np.exp(x, out=out) is out
    np.testing.assert_allclose(np.asarray(out), np.exp(A), rtol=1e-6)
    assert np.cbrt(x, out=out) is out and out.flat.version > before + 1
    np.testing.assert_allclose(np.asarray(out), np.cbrt(A), rtol=1e-6)


def test_what_is_not_here_is_computed_by_numpy(x):
    for got, wanted in ((np.cbrt(x), np.cbrt(A)), (np.add.reduce(x), np.add.reduce(A)), (np.add.outer(x, x), np.add.outer(A, A))):
        assert type(got) is np.ndarray
        np.testing.assert_array_equal(got, wanted)
    np.testing.assert_array_equal(np.percentile(x, 50), np.percentile(A, 50))
    np.testing.assert_array_equal(np.sum(x, where=A > 0.4), np.sum(A, where=A > 0.4))
    np.testing.assert_array_equal(np.sum(x, 0, np.float64), np.sum(A, 0, np.float64))


def test_operators_with_a_numpy_array_on_the_left(x):
    for got, wanted in ((A + x, A + A), (A @ x, A @ A), (x < A, A > A), (np.float32(2) * x, 2 * A), (A**x, A**A)):
        assert type(got) is nd.NDArray
        np.testing.assert_allclose(np.asarray(got), wanted, rtol=1e-6)
    own = A.copy()
    own += x
    assert type(own) is np.ndarray
    np.testing.assert_array_equal(own, A + A)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("function", [np.sum, np.prod, np.mean, np.max, np.min, np.any, np.all, np.argmax, np.argmin])
def test_reductions(function, axis, x):
    assert function in FUNCTIONS
    for options in ({}, {"axis": axis}, {"axis": axis, "keepdims": True}):
        got = function(x, **options)
        assert type(got) is nd.NDArray
        np.testing.assert_allclose(np.asarray(got), function(A, **options), rtol=1e-6)


def test_shapes(x):
    for got, wanted in (
        (np.concatenate([x, x]), np.concatenate([A, A])), (np.concatenate([x, x], axis=1), np.concatenate([A, A], axis=1)),
        (np.stack([x, A]), np.stack([A, A])), (np.reshape(x, (4,)), A.reshape(4)), (np.ravel(x), A.ravel()),
        (np.swapaxes(x, 0, 1), A.T), (np.broadcast_to(x, (3, 2, 2)), np.broadcast_to(A, (3, 2, 2))), (np.flip(x), np.flip(A)),
    ):  # fmt: skip
        assert type(got) is nd.NDArray
        np.testing.assert_array_equal(np.asarray(got), wanted)
